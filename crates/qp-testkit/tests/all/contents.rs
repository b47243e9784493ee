//! Sets of the engine `regular`, against everything that is reached with short queues.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use qp_base::Budget;
use qp_check::Referee;
use qp_claim::{ABSENT, Claim, Language, Reason, RegularSet};
use qp_engines::{ContentLimits, Engine, Explore, Regular, Task, TaskLimits, contents};
use qp_machines::{Config, MachineId, Model, Property, System, WordId};
use qp_testkit::brute::reach;
use qp_testkit::compare::loaded;
use qp_testkit::lazy::Lazy;
use qp_testkit::net::Sharing;
use qp_testkit::rng::Rng;
use qp_testkit::{corpus, crowd::Crowd, make, tiny};
use queueproof::ReachOptions;

/// Configurations that brute force looks at.
const STATES: usize = 3_000;

/// A set, ready for questions.
struct Sight<'a> {
    set: &'a RegularSet,
    /// Rows by everything but their languages, with those.
    rows: BTreeMap<(Vec<u32>, u32, u32), Vec<Vec<u32>>>,
}

impl<'a> Sight<'a> {
    fn new(set: &'a RegularSet) -> Self {
        let mut rows: BTreeMap<_, Vec<Vec<u32>>> = BTreeMap::new();
        let n = set.set.locals.len();
        for row in set.set.rows() {
            let (locals, rest) = row.split_at(n);
            let (queues, rest) = rest.split_at(set.set.n_queues);
            rows.entry((locals.to_vec(), rest[0], rest[1])).or_default().push(queues.to_vec());
        }
        Self { set, rows }
    }

    fn contains(&self, system: &System, config: &Config) -> bool {
        let program = system.program();
        let place = |texts: &[String], text: String| {
            texts.iter().position(|known| *known == text).map_or(ABSENT - 1, |at| at as u32)
        };
        let set = &self.set.set;
        if config.locals.len() > set.locals.len() || config.words.len() > set.n_queues {
            return false;
        }
        let mut locals = vec![ABSENT; set.locals.len()];
        for machine in config.machines() {
            let text = program.local_text(machine, config.local(machine));
            locals[machine.index()] = place(&set.locals[machine.index()], text);
        }
        let store = place(&set.stores, system.store_text(config.store));
        let holder = config.holder.map_or(ABSENT, MachineId::raw);
        let message = |m| place(&set.messages, program.message_text(m));
        let words: Vec<Option<Vec<u32>>> = config
            .words
            .iter()
            .map(|&word| {
                let messages = system.words().messages(word);
                (word != WordId::CLOSED).then(|| messages.into_iter().map(message).collect())
            })
            .collect();
        let Some(rows) = self.rows.get(&(locals, store, holder)) else { return false };
        rows.iter().any(|queues| {
            (0..set.n_queues).all(|queue| {
                let cell = queues[queue];
                let Some(word) = words.get(queue) else { return cell == ABSENT };
                cell != ABSENT
                    && set.contents[cell as usize].kind == config.kinds[queue].raw()
                    && accepts(&self.set.languages[cell as usize], word.as_deref())
            })
        })
    }
}

/// Whether an automaton accepts a word; that of a closed queue has no states.
fn accepts(language: &Language, word: Option<&[u32]>) -> bool {
    let Some(word) = word else { return language.accepting.is_empty() };
    let mut now = 0;
    for &letter in word {
        let step = language.steps.iter().find(|step| step.0 == now && step.1 == letter);
        let Some(&(_, _, to)) = step else { return false };
        now = to;
    }
    language.accepting.get(now as usize).copied().unwrap_or(false)
}

/// The words of an automaton with up to so many letters.
fn words(language: &Language, longest: usize) -> Vec<Vec<u32>> {
    let mut found = Vec::new();
    let mut now: Vec<(Vec<u32>, u32)> =
        if language.accepting.is_empty() { Vec::new() } else { vec![(Vec::new(), 0)] };
    for _ in 0..=longest {
        let ends = now.iter().filter(|(_, state)| language.accepting[*state as usize]);
        found.extend(ends.map(|(word, _)| word.clone()));
        let mut next = Vec::new();
        for (word, state) in &now {
            for step in language.steps.iter().filter(|step| step.0 == *state) {
                next.push((word.iter().copied().chain([step.1]).collect(), step.2));
            }
        }
        now = next;
    }
    found
}

/// All configurations of a set with short contents; the second part of them cuts.
fn short(set: &RegularSet, system: &mut System, longest: usize, most: usize) -> Vec<Config> {
    let mut configs = Vec::new();
    let n = set.set.locals.len();
    for row in set.set.rows() {
        let (locals, rest) = row.split_at(n);
        let (queues, rest) = rest.split_at(set.set.n_queues);
        let mut config = system.initial();
        config.locals.clear();
        config.words.clear();
        config.kinds.clear();
        for (machine, &cell) in locals.iter().enumerate().filter(|(_, cell)| **cell != ABSENT) {
            let text = &set.set.locals[machine][cell as usize];
            let local = system.program_mut().local_from_text(machine.into(), text);
            config.locals.push(local.expect("the text of a local state"));
        }
        let store = system.store_from_text(&set.set.stores[rest[0] as usize]);
        config.store = store.expect("the text of a store");
        let mut row = vec![config];
        for &cell in queues.iter().filter(|cell| **cell != ABSENT) {
            let content = &set.set.contents[cell as usize];
            let choices: Vec<WordId> = match content.messages {
                None => vec![WordId::CLOSED],
                Some(_) => words(&set.languages[cell as usize], longest)
                    .into_iter()
                    .map(|word| {
                        let program = system.program_mut();
                        let messages: Vec<_> = word
                            .iter()
                            .map(|&m| program.message_from_text(&set.set.messages[m as usize]))
                            .map(|message| message.expect("the text of a message"))
                            .collect();
                        system.words_mut().intern(&messages)
                    })
                    .collect(),
            };
            let longer = row.iter().flat_map(|config| {
                choices.iter().map(|&word| {
                    let mut config = config.clone();
                    config.words.push(word);
                    config.kinds.push(content.kind.into_id());
                    config
                })
            });
            row = longer.collect();
            if row.len() > most {
                row.truncate(most);
            }
        }
        configs.extend(row);
    }
    configs
}

trait IntoId {
    fn into_id(self) -> qp_machines::KindId;
}

impl IntoId for u32 {
    fn into_id(self) -> qp_machines::KindId {
        qp_machines::KindId::from_raw(self)
    }
}

fn properties(model: &Model) -> Vec<Property> {
    let mut all = vec![Property::Assert, Property::Unhandled, Property::Deadlock];
    all.extend([Property::Divergence, Property::Bounded]);
    all.extend((0..model.outline().bad.len()).map(Property::Reach));
    all
}

fn task(model: &Model, bound_max: u32) -> Task {
    let limits = TaskLimits {
        bound_max,
        queues: true,
        small_max: 200,
        evidence_max: 5_000,
        ..TaskLimits::default()
    };
    Task { model: model.clone(), properties: properties(model), invariants: Vec::new(), limits }
}

#[derive(Default, Debug)]
struct Counts {
    systems: usize,
    exact: usize,
    infinite: usize,
    blurred: usize,
    configs: usize,
    proved: usize,
    violated: usize,
}

/// One system: its sets against what is reached with short queues.
fn compare(name: &str, model: &Model, counts: &mut Counts) {
    const LENGTH: usize = 5;
    const SHORT: usize = 2;
    counts.systems += 1;
    let mut system = model.system();
    let all = properties(model);
    let far = reach(&mut system, &all, LENGTH, STATES);
    let budget = Budget::states(4_000);
    let exact = contents(model, ContentLimits::default(), &budget);
    if let Ok(found) = &exact {
        assert!(found.exact);
        counts.exact += 1;
        let sight = Sight::new(&found.set);
        counts.configs += far.configs.len();
        for config in &far.configs {
            assert!(sight.contains(&system, config), "{name}: lost {config:?}");
        }
        let met: HashSet<&Config> = far.configs.iter().collect();
        let longest = |config: &Config| config.words.iter().map(|&w| system.words().len(w)).max();
        counts.infinite += usize::from(far.configs.iter().any(|c| longest(c) == Some(LENGTH)));
        if far.complete {
            for config in short(&found.set, &mut system, SHORT, 200) {
                // A longer way round may be needed to get there.
                assert!(
                    met.contains(&config) || {
                        let further = reach(&mut system, &[], LENGTH + 4, STATES * 20);
                        !further.complete || further.configs.contains(&config)
                    },
                    "{name}: invented {config:?}"
                );
            }
        }
    }
    for length in [1, 2] {
        let limits = ContentLimits { blurred: Some(length), ..ContentLimits::default() };
        if let Ok(found) = contents(model, limits, &budget) {
            counts.blurred += 1;
            let sight = Sight::new(&found.set);
            for config in &far.configs {
                assert!(sight.contains(&system, config), "{name}: lost when blurred {config:?}");
            }
        }
    }
    judge(name, model, &far.violated, counts);
}

/// What the engine claims against brute force and the engine `explore`.
fn judge(name: &str, model: &Model, violated: &BTreeSet<Property>, counts: &mut Counts) {
    let budget = Budget::states(4_000);
    let answers = Regular.run(task(model, 4), &budget);
    let explored = Explore.run(task(model, 4), &Budget::states(20_000));
    for answer in &answers.claims {
        let property = answer.property;
        let other = explored.claims.iter().find(|other| other.property == property);
        let other = other.map(|other| &other.claim);
        match &answer.claim {
            Claim::Holds(_) => {
                counts.proved += 1;
                assert!(!violated.contains(&property), "{name}: {property:?} is violated");
                let contradicts = matches!(other, Some(Claim::Violated(_)));
                assert!(!contradicts, "{name}: explore violates {property:?}");
            }
            Claim::Violated(_) => {
                counts.violated += 1;
                let contradicts = matches!(other, Some(Claim::Holds(_)));
                assert!(!contradicts, "{name}: explore proves {property:?}");
            }
            Claim::GaveUp(_) => {}
        }
    }
    for answer in &answers.queues {
        let other = explored.queues.iter().find(|other| other.queue == answer.queue);
        let Some(other) = other else { continue };
        if matches!(answer.claim, Claim::Violated(_)) {
            counts.violated += 1;
            let contradicts = matches!(other.claim, Claim::Holds(_));
            assert!(!contradicts, "{name}: {answer:?} {other:?}");
            let mut referee = Referee::new(model, 10_000);
            let verdict = referee.check(Property::Length(answer.queue, 0), &answer.claim);
            assert!(verdict.is_ok(), "{name}: {answer:?}");
        } else {
            let grows = matches!(other.claim, Claim::Violated(_));
            assert!(!grows && other.longest <= answer.bound, "{name}: {answer:?} {other:?}");
        }
    }
}

#[test]
fn random_systems() {
    let mut counts = Counts::default();
    for seed in 0..100 {
        let net = make::net(seed);
        let model = loaded(&net).expect("a random system is a model").model;
        compare(&format!("seed {seed}"), &model, &mut counts);
    }
    println!("{counts:?}");
    assert!(counts.exact > 60 && counts.infinite > 20 && counts.proved > 300, "{counts:?}");
    assert!(counts.configs > 1_071, "{counts:?}");
}

#[test]
fn tiny_systems() {
    let (all, mut rng) = ([tiny::choices(0), tiny::choices(1)], Rng::new(7));
    let mut counts = Counts::default();
    for _ in 0..100 {
        let pick = [0, 1].map(|m: usize| &all[m][rng.below(all[m].len())][..]);
        let sharing = [Sharing::Mailbox, Sharing::Pairs][rng.below(2)];
        let net = tiny::net(sharing, pick);
        if let Ok(loaded) = loaded(&net) {
            compare(&format!("{pick:?}"), &loaded.model, &mut counts);
        }
    }
    println!("{counts:?}");
    assert!(counts.exact > 60 && counts.infinite > 20, "{counts:?}");
}

#[test]
fn lazy_and_created_machines() {
    let mut counts = Counts::default();
    for seed in 0..12 {
        compare(&format!("lazy {seed}"), &Lazy::new(seed).model(), &mut counts);
        compare(&format!("crowd {seed}"), &Crowd::new(seed, true).model(), &mut counts);
    }
    println!("{counts:?}");
    assert!(counts.exact + counts.blurred > 0, "{counts:?}");
}

fn model_of_the_corpus(name: &str) -> queueproof::Loaded {
    let case = corpus::cases().into_iter().flatten();
    let mut case = case.filter(|case| case.name == name);
    case.next().expect("it is in the corpus").loaded
}

fn paper() -> queueproof::Loaded {
    model_of_the_corpus("cfsm/qdd_fig2.cfsm")
}

/// The rows of what queues can hold, exactly, in the order of the alphabet.
fn exact_rows(name: &str) -> Vec<String> {
    let loaded = model_of_the_corpus(name);
    let report = queueproof::reach(&loaded, ReachOptions::default(), &Budget::states(100_000));
    let report = report.expect("the search ends");
    assert!(report.exact);
    let mut rows: Vec<String> = report
        .rows
        .iter()
        .map(|row| {
            let queues = row.queues.iter().map(|queue| queue.clone().expect("none is closed"));
            row.controls.iter().cloned().chain(queues).collect::<Vec<String>>().join(", ")
        })
        .collect();
    rows.sort();
    rows
}

#[test]
fn the_alternating_bit_has_one_old_and_one_new_message_in_each_channel() {
    let expected = [
        "S0, R0, m(1)* m(0)*, a(1)*",
        "S0, R1, m(0)*, a(1)* a(0)*",
        "S1, R0, m(1)*, a(0)* a(1)*",
        "S1, R1, m(0)* m(1)*, a(0)*",
    ];
    assert_eq!(exact_rows("cfsm/abp_perfect.cfsm"), expected);
}

#[test]
fn a_connection_is_closed_at_most_once_after_it_was_opened() {
    let expected = [
        "Busy, Free, (close? open)+, disconnect*",
        "Busy, Free, ε, disconnect+",
        "Busy, Held, (close? open)*, disconnect*",
        "Idle, Free, (close? open)* close?, disconnect*",
        "Idle, Held, (close? open)* close?, disconnect*",
    ];
    assert_eq!(exact_rows("cfsm/connection.cfsm"), expected);
    let scm = ["0, 0, (c? o)* c?, d*", "0, 1, (c? o)* c?, d*", "1, 0, (c? o)+, d*"];
    let scm = scm.into_iter().chain(["1, 0, ε, d+", "1, 1, (c? o)*, d*"]);
    assert_eq!(exact_rows("scm/connection.scm"), scm.collect::<Vec<&str>>());
}

#[test]
fn a_sliding_window_has_messages_in_order_between_copies_of_the_oldest() {
    let expected = [
        "B0_0, E0, d(1)* d(2)*, a(2)*",
        "B0_1, E0, d(1)* d(2)* d(0) d(2)* d(0)*, a(2)*",
        "B0_1, E1, d(2)* d(0)*, a(2)* a(0)*",
        "B0_2, E0, d(1)* d(2)* d(0) d(2)* d(0)* d(1) d(0)*, a(2)*",
        "B0_2, E1, d(2)* d(0)* d(1) d(0)*, a(2)* a(0)*",
        "B0_2, E2, d(0)*, a(2)* a(0)* a(1)*",
        "B1_0, E1, d(2)* d(0)*, a(0)*",
        "B1_1, E1, d(2)* d(0)* d(1) d(0)* d(1)*, a(0)*",
        "B1_1, E2, d(0)* d(1)*, a(0)* a(1)*",
        "B1_2, E0, d(1)*, a(0)* a(1)* a(2)*",
        "B1_2, E1, d(2)* d(0)* d(1) d(0)* d(1)* d(2) d(1)*, a(0)*",
        "B1_2, E2, d(0)* d(1)* d(2) d(1)*, a(0)* a(1)*",
        "B2_0, E2, d(0)* d(1)*, a(1)*",
        "B2_1, E0, d(1)* d(2)*, a(1)* a(2)*",
        "B2_1, E2, d(0)* d(1)* d(2) d(1)* d(2)*, a(1)*",
        "B2_2, E0, d(1)* d(2)* d(0) d(2)*, a(1)* a(2)*",
        "B2_2, E1, d(2)*, a(1)* a(2)* a(0)*",
        "B2_2, E2, d(0)* d(1)* d(2) d(1)* d(2)* d(0) d(2)*, a(1)*",
    ];
    assert_eq!(exact_rows("cfsm/sliding_window_unbounded.cfsm"), expected);
}

/// The answer of the engine alone about a property of a model of the corpus.
fn answer(name: &str, property: Property) -> Claim {
    let model = model_of_the_corpus(name).model;
    let task = Task { properties: vec![property], ..task(&model, 4) };
    Regular.run(task, &Budget::states(1_000_000)).claims.remove(0).claim
}

#[test]
fn refined_sets_prove_what_blurred_ones_do_not() {
    for name in ["cfsm/grow.cfsm", "cfsm/two_phase_commit_timeout.cfsm"] {
        let proved = answer(name, Property::Deadlock);
        assert!(matches!(proved, Claim::Holds(_)), "{name}: {proved:?}");
    }
}

#[test]
fn the_example_of_the_paper_has_the_nine_rows_of_its_figure() {
    let report = queueproof::reach(&paper(), ReachOptions::default(), &Budget::states(100_000));
    let report = report.expect("the search ends");
    assert!(report.exact);
    assert_eq!(report.queues, ["q_in", "q_out", "q_temp"]);
    let mut rows: Vec<Vec<String>> = report
        .rows
        .iter()
        .map(|row| {
            let queues = row.queues.iter().map(|queue| queue.clone().expect("none is closed"));
            row.controls.iter().cloned().chain(queues).collect()
        })
        .collect();
    rows.sort();
    let expected = [
        ["C1", "P1", "m0*", "ε", "k0*"],
        ["C1", "P2", "m0* m1*", "ε", "k0*"],
        ["C1", "P2", "m1*", "m2+", "k0* k1*"],
        ["C1", "P3", "m0* m1*", "ε", "k0*"],
        ["C1", "P3", "m1*", "m2+", "k0* k1*"],
        ["C2", "P2", "m1*", "m2*", "k0* k1*"],
        ["C2", "P3", "m1*", "m2*", "k0* k1*"],
        ["C3", "P2", "m1*", "m2*", "k0* k1*"],
        ["C3", "P3", "m1*", "m2*", "k0* k1*"],
    ];
    assert_eq!(rows, expected);
}

#[test]
fn without_cycles_of_three_steps_the_search_of_the_example_does_not_end() {
    let budget = Budget::states(30_000);
    let limits = |cycle_max| ContentLimits { cycle_max: Some(cycle_max), blurred: None };
    let model = paper().model;
    assert!(contents(&model, limits(3), &budget).is_ok());
    let stopped = contents(&model, limits(2), &budget).err();
    assert!(matches!(stopped, Some(Reason::Budget { .. })), "{stopped:?}");
}

#[test]
fn the_corpus_knows_what_the_engine_decides() {
    let mut unknown = Vec::new();
    for case in corpus::cases().into_iter().flatten() {
        let outline = case.loaded.model.outline();
        // P programs give something to check to properties that their authors did not think of.
        if case.loaded.model.system().program_mut().as_moves().is_none()
            || !case.name.starts_with("cfsm/") && !case.name.starts_with("scm/")
        {
            continue;
        }
        let mut task = task(&case.loaded.model, 4);
        task.properties.retain(|property| {
            let id = property.id(outline);
            let is_known = case.expected.properties.iter().any(|expected| expected.about == id);
            !is_known && !property.is_void(outline)
        });
        for answer in Regular.run(task, &Budget::states(100_000)).claims {
            if !matches!(answer.claim, Claim::GaveUp(_)) {
                unknown.push(format!("{}: {}", case.name, answer.property.id(outline)));
            }
        }
    }
    assert_eq!(unknown, [""; 0]);
}

/// Not an assertion but a table: what becomes of each model of the corpus.
#[test]
fn table_of_the_corpus() {
    if std::env::var_os("QP_TABLE").is_none() {
        return;
    }
    for case in corpus::cases() {
        let case = case.expect("a model");
        if case.loaded.model.system().program_mut().as_moves().is_none() {
            continue;
        }
        let begun = std::time::Instant::now();
        let answers = Regular.run(task(&case.loaded.model, 4), &Budget::states(1_000_000));
        let time = begun.elapsed().as_millis();
        let words: Vec<String> = answers
            .claims
            .iter()
            .map(|answer| match &answer.claim {
                Claim::Holds(_) => "proved".to_owned(),
                Claim::Violated(_) => "violated".to_owned(),
                Claim::GaveUp(reason) => format!("{reason:?}").chars().take(50).collect(),
            })
            .collect();
        println!("{:45} {time:6} ms {:?} {words:?}", case.name, answers.detail);
    }
}
