//! Random programs, searched with and without sorts.

use std::collections::{BTreeMap, BTreeSet};

use qp_base::Budget;
use qp_claim::{ABSENT, Claim, ClosedSet, Proof, SortedSet};
use qp_engines::{Answers, Engine, Explore};
use qp_machines::{
    Config, Event, KindId, MachineId, Model, Part, Property, QueueId, System, Use, ValueFlow,
    WordId,
};
use qp_testkit::p_make;
use qp_testkit::rng::Rng;

use super::{FAILURES, answers, judged, model, searched, word};

/// So many configurations are visited without sorts.
const CONFIGURATIONS_MAX: usize = 1_000;
const DEPTH_MAX: usize = 40;

/// What can be seen without looking at numbers: where everybody is and which events are in queues, failures, deadlocks.
type Seen = BTreeSet<String>;

/// What was seen after 0, 1, ... steps, and whether there is no more.
struct Levels {
    seen: Vec<Seen>,
    violated: BTreeSet<Property>,
    n_configs: usize,
    closed: bool,
}

fn outline_of(system: &mut System, config: &Config) -> String {
    let mut parts: Vec<Vec<Part>> =
        vec![config.machines().map(|it| Part::Local(it, config.local(it))).collect()];
    for &word in &config.words {
        parts.push(system.words().messages(word).into_iter().map(Part::Message).collect());
    }
    parts.push(system.cells(config.store).into_iter().map(Part::Store).collect());
    let values = system.program_mut().as_values().expect("it is a P program");
    let mut apart = |part: &Part| {
        let apart = values.apart(*part).expect("everybody is somewhere");
        (apart.shape, apart.nodes)
    };
    let outline: Vec<Vec<(u32, Vec<u32>)>> =
        parts.iter().map(|parts| parts.iter().map(&mut apart).collect()).collect();
    let closed: Vec<bool> = config.words.iter().map(|&word| word == WordId::CLOSED).collect();
    format!("{outline:?} {closed:?}")
}

/// Breadth first over configurations, or over rows: `steps` says what a configuration leads to.
fn levels(
    system: &mut System,
    first: (usize, Config),
    mut steps: impl FnMut(&mut System, usize, &Config) -> Vec<Option<(usize, Config)>>,
    most: usize,
) -> Levels {
    let mut known = BTreeSet::from([first.0]);
    let (mut front, mut all) = (vec![first], Seen::new());
    all.insert(outline_of(system, &front[0].1));
    let mut found =
        Levels { seen: Vec::new(), violated: BTreeSet::new(), n_configs: 1, closed: false };
    while !front.is_empty() && found.seen.len() < DEPTH_MAX && found.n_configs <= most {
        found.seen.push(all.clone());
        let mut next = Vec::new();
        for (place, config) in &front {
            let outcomes = system.successors(config);
            if outcomes.is_empty() && !rests(system, config) {
                found.violated.insert(Property::Deadlock);
                all.insert(format!("dead {}", outline_of(system, config)));
            }
            if config.machines().any(|it| system.unhandled(config, it).is_some()) {
                found.violated.insert(Property::Unhandled);
            }
            for outcome in &outcomes {
                if let Event::Failed { failure } = outcome.event {
                    let failure = system.program().failure(failure);
                    found.violated.insert(failure.property);
                    all.insert(format!("{:?} {:?}", failure.property, failure.span));
                }
            }
            for (to, config) in steps(system, *place, config).into_iter().flatten() {
                if known.insert(to) {
                    all.insert(outline_of(system, &config));
                    next.push((to, config));
                }
            }
        }
        found.n_configs = known.len();
        front = next;
    }
    found.seen.push(all);
    found.closed = front.is_empty();
    found
}

fn rests(system: &System, config: &Config) -> bool {
    config.machines().all(|it| system.program().may_rest(it, config.local(it)))
}

/// Without sorts.
fn plainly(system: &mut System) -> Levels {
    let initial = system.initial();
    let mut numbers = BTreeMap::from([(initial.clone(), 0)]);
    let steps = |system: &mut System, _: usize, config: &Config| {
        let outcomes = system.successors(config).into_iter();
        let step = |outcome: qp_machines::Outcome| {
            if outcome.is_end() {
                return None;
            }
            let n = numbers.len();
            Some((*numbers.entry(outcome.config.clone()).or_insert(n), outcome.config))
        };
        outcomes.map(step).collect()
    };
    levels(system, (0, initial), steps, CONFIGURATIONS_MAX)
}

/// The rows of a set.
fn rows(system: &mut System, set: &ClosedSet) -> Vec<Config> {
    let program = system.program_mut();
    let locals: Vec<Vec<_>> = (set.locals.iter().enumerate())
        .map(|(machine, texts)| {
            let read = |text: &String| program.local_from_text(MachineId::new(machine), text);
            texts.iter().map(read).map(|it| it.expect("it was written")).collect()
        })
        .collect();
    let messages: Vec<_> =
        set.messages.iter().map(|it| program.message_from_text(it).expect("it was")).collect();
    let mut config = |row: &[u32]| {
        let (machines, rest) = row.split_at(set.locals.len());
        let (queues, rest) = rest.split_at(set.n_queues);
        let mut config = Config::nothing();
        for (cell, locals) in machines.iter().zip(&locals).filter(|it| *it.0 != ABSENT) {
            config.locals.push(locals[*cell as usize]);
        }
        for cell in queues.iter().filter(|cell| **cell != ABSENT) {
            let content = &set.contents[*cell as usize];
            config.kinds.push(KindId::from_raw(content.kind));
            config.words.push(match &content.messages {
                None => WordId::CLOSED,
                Some(letters) => {
                    let word: Vec<_> = letters.iter().map(|it| messages[*it as usize]).collect();
                    system.words_mut().intern(&word)
                }
            });
        }
        let text = &set.stores[rest[0] as usize];
        config.store = system.store_from_text(text).expect("it was written");
        config
    };
    set.rows().map(&mut config).collect()
}

/// With sorts: the rows of the evidence, and where their steps lead.
fn by_rows(system: &mut System, sorted: &SortedSet) -> Levels {
    let rows = rows(system, &sorted.set);
    let first = sorted.first.0 as usize;
    let steps = |system: &mut System, place: usize, config: &Config| {
        let outcomes = system.successors(config);
        let leads = outcomes.iter().zip(&sorted.steps[place]);
        let to = |led: &qp_claim::Led| (led.0 as usize, rows[led.0 as usize].clone());
        leads.map(|(it, led)| (!it.is_end()).then(|| to(led))).collect()
    };
    levels(system, (first, rows[first].clone()), steps, usize::MAX)
}

fn small(seed: u64) -> (String, Model) {
    limited(seed, p_make::numbers(seed))
}

fn limited(seed: u64, text: String) -> (String, Model) {
    let mut model = model(&text);
    for queue in 0..8 {
        assert!(model.limit(QueueId::new(queue), 2 + (seed % 2) as u32), "it can be limited");
    }
    (text, model)
}

fn n_seeds(usual: u64) -> u64 {
    std::env::var("QP_SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(usual)
}

/// `QP_SEEDS` says how many programs are compared.
#[test]
fn nothing_is_lost_and_nothing_is_added() {
    let n = n_seeds(300);
    let (mut n_closed, mut n_both, mut n_rows, mut n_configs) = (0, 0, 0, 0);
    let (mut n_infinite, mut n_judged) = (0, BTreeMap::<&str, u32>::new());
    let mut used: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..n {
        let (text, model) = small(seed);
        let asked = [&FAILURES[..], &[Property::Bounded]].concat();
        let said = searched(&model, &asked, 2_000);
        for remark in &said.remarks {
            let kind = remark.text.rsplit('`').next().unwrap_or_default();
            *used.entry(kind.split(" are ").last().unwrap_or_default().to_owned()).or_default() +=
                1;
        }
        let mut system = model.system();
        let plain = plainly(&mut system);
        let mut words = BTreeMap::new();
        for answer in &said.claims {
            let judged = judged(&model, answer.property, &answer.claim);
            let judged = judged.unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
            assert_eq!(judged, word(&answer.claim), "seed {seed}\n{text}");
            words.insert(answer.property, judged);
        }
        let Claim::Holds(Proof::Sorted(sorted)) = &said.claims[FAILURES.len()].claim else {
            assert!(!plain.closed || said.spent.is_none(), "seed {seed}: larger\n{text}");
            continue;
        };
        n_closed += 1;
        let reduced = by_rows(&mut system, sorted);
        assert!(reduced.closed || reduced.seen.len() > DEPTH_MAX, "seed {seed}");
        let depth = plain.seen.len().min(reduced.seen.len());
        // What was cut is not complete.
        let depth = if plain.closed { depth } else { depth - 1 };
        for level in 0..depth {
            let lost: Vec<_> = plain.seen[level].difference(&reduced.seen[level]).collect();
            let added: Vec<_> = reduced.seen[level].difference(&plain.seen[level]).collect();
            let both = (lost, added);
            assert!(
                both.0.is_empty() && both.1.is_empty(),
                "seed {seed} {level}: {both:?}\n{text}"
            );
        }
        for property in FAILURES {
            let violated = plain.violated.contains(&property);
            if plain.closed || violated {
                let expected = if violated { "violated" } else { "holds" };
                assert_eq!(words[&property], expected, "seed {seed} {property:?}\n{text}");
                *n_judged.entry(expected).or_default() += 1;
            }
        }
        if plain.closed {
            n_both += 1;
            n_configs += plain.n_configs;
            n_rows += sorted.set.len();
            assert!(sorted.set.len() <= plain.n_configs, "seed {seed}: larger\n{text}");
        } else {
            n_infinite += 1;
        }
    }
    println!(
        "{n} programs: {n_closed} closed with sorts, {n_both} without ({n_configs} -> {n_rows}), \
         {n_infinite} only with; {n_judged:?}; {used:?}"
    );
    assert!(n_both > n / 4 && n_rows < n_configs && n_infinite > 0);
    assert!(n_judged["holds"] > 0 && n_judged["violated"] > 0);
}

/// Tables that lack something prove nothing wrong.
#[test]
fn tables_that_lack_something_are_refused() {
    let n = n_seeds(300);
    let (mut n_wrong, mut n_refused, mut n_true) = (0, 0, 0);
    for seed in 0..n {
        let (text, model) = small(seed);
        let mut rng = Rng::new(seed);
        let plain = plainly(&mut model.system());
        for kind in 0..4 {
            let (part, salt) = (2 + rng.below(5) as u64, rng.draw());
            let edit = |flow: &mut ValueFlow| lack(flow, kind, part, salt);
            for answer in answers(&model, &FAILURES, &edit).claims {
                if !matches!(answer.claim, Claim::Holds(_)) {
                    continue;
                }
                let is_refused = judged(&model, answer.property, &answer.claim).is_err();
                n_refused += u32::from(is_refused);
                n_true += u32::from(!is_refused);
                if plain.violated.contains(&answer.property) {
                    n_wrong += 1;
                    assert!(is_refused, "seed {seed} {kind}: {:?}\n{text}", answer.property);
                }
            }
        }
    }
    println!("{n_wrong} wrong claims, {n_refused} refused, {n_true} accepted");
    assert!(n_wrong > 0 && n_refused > n_wrong);
}

/// Takes some of what a program says about numbers away: uses of some kind, all uses at some nodes, copies of numbers,
/// copies of collections.
fn lack(flow: &mut ValueFlow, kind: usize, part: u64, salt: u64) {
    let drawn = |number: u64| Rng::new(salt.wrapping_add(number)).draw().is_multiple_of(part);
    match kind {
        0 => {
            let number = |it: Use| match it {
                Use::Equal => 0,
                Use::Literal(_) => 1,
                Use::Cut(_) => 2,
                Use::Choose(_) => 3,
                Use::Step => 4,
                Use::Reset => 5,
                Use::Shift => 6,
                Use::Back => 7,
                Use::Order => 8,
                Use::Size => 9,
                Use::Walk => 10,
                Use::Other => 11,
            };
            flow.nodes.iter_mut().for_each(|it| it.uses.retain(|it| !drawn(number(it.1))));
        }
        1 => {
            for (number, node) in flow.nodes.iter_mut().enumerate() {
                if drawn(number as u64) {
                    node.uses.clear();
                }
            }
        }
        2 => {
            let mut number = 0;
            flow.same.retain(|_| {
                number += 1;
                !drawn(number)
            });
        }
        _ => {
            flow.alike.clear();
            flow.counted.clear();
        }
    }
}

/// A spec stays hot up to renaming where it stays hot.
#[test]
fn specs_stay_hot_with_and_without_sorts() {
    let live = Property::Ltl(0);
    let n = n_seeds(300);
    let mut met: BTreeMap<(&str, &str), u32> = BTreeMap::new();
    for seed in 0..n {
        let (text, model) = limited(seed, p_make::heated_numbers(seed));
        if !live.is_live(model.outline()) {
            continue;
        }
        let budget = Budget::states(3_000);
        let plain = Explore.run(super::task(&model, &[live, Property::Bounded]), &budget);
        let sorted = searched(&model, &[live, Property::Bounded], 3_000);
        let word = |said: &Answers, property: Property| {
            let answer = said.claims.iter().find(|answer| answer.property == property);
            let claim = &answer.expect("all is answered").claim;
            judged(&model, property, claim).unwrap_or_else(|why| panic!("{seed}: {why}\n{text}"))
        };
        let complete = word(&plain, Property::Bounded) == "holds";
        let (plain_word, sorted_word) = (word(&plain, live), word(&sorted, live));
        if complete && word(&sorted, Property::Bounded) == "holds" {
            assert_eq!(plain_word == "holds", sorted_word == "holds", "seed {seed}\n{text}");
        }
        *met.entry((plain_word, sorted_word)).or_default() += 1;
    }
    println!("{met:?}");
    assert!(met[&("holds", "holds")] > 0 && met[&("violated", "unknown")] > 0);
}
