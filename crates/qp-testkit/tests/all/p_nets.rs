//! Nets of P programs: every run of a program is a run of its net, whatever is followed and marked.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use qp_base::Budget;
use qp_check::{Referee, Ruling};
use qp_claim::Claim;
use qp_engines::{Answers, Engine, Explore, Flow, Task, TaskLimits};
use qp_front_p::{Options, read};
use qp_machines::{DetailId, Following, Model, Net, Property, QueueId, WordId};
use qp_program::{Marks, Unmarked, marked_model};
use qp_testkit::judge::through_text;
use qp_testkit::p_nets::{bounds, follow};
use qp_testkit::rng::Rng;

const CONFIGURATIONS_MAX: usize = 2_000;

fn programs() -> Vec<(PathBuf, String)> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/p");
    let mut found = Vec::new();
    for folder in [corpus.clone(), corpus.join("features")] {
        let entries = std::fs::read_dir(folder).expect("the corpus is there");
        found.extend(entries.map(|entry| entry.expect("the corpus can be listed").path()));
    }
    found.retain(|path| path.extension().is_some_and(|it| it == "p"));
    found.sort();
    let text = |path: &Path| std::fs::read_to_string(path).expect("the corpus is text");
    found.into_iter().map(|path| (path.clone(), text(&path))).collect()
}

/// The model of a program with one test case, if it is one.
fn model(text: &str, marks: impl FnOnce(&qp_program::Blueprint) -> Marks) -> Option<Model> {
    let blueprint = read(text, &[0], &Options::default()).blueprint?;
    let marks = marks(&blueprint);
    Some(marked_model(blueprint, marks).0)
}

fn plain(text: &str) -> Model {
    model(text, |_| Marks::default()).expect("it is a program")
}

/// Marks on some states and events.
fn some_marks(blueprint: &qp_program::Blueprint, rng: &mut Rng) -> Marks {
    let Err(Unmarked::Unknown(names)) = Marks::default().add(blueprint, "?") else {
        unreachable!("nothing is called so")
    };
    let mut marks = Marks::default();
    for name in names.into_iter().filter(|_| rng.percent(30)) {
        marks.add(blueprint, &name).expect("it is known");
    }
    marks
}

fn net(model: &Model, followed: &[DetailId]) -> Net {
    model.system().program_mut().net(followed).expect("there is a net")
}

/// Nothing, everything, and some of what can be followed.
fn ways(model: &Model, rng: &mut Rng) -> Vec<Vec<DetailId>> {
    let all: Vec<DetailId> = net(model, &[]).details.ids().collect();
    let mut ways = vec![Vec::new()];
    if !all.is_empty() {
        ways.push(all.clone());
        ways.push(all.iter().copied().filter(|_| rng.percent(50)).collect());
    }
    ways
}

fn ask(engine: &dyn Engine, model: &Model, property: Property) -> Answers {
    let limits = TaskLimits {
        bound_first: 4,
        bound_max: 4,
        queues: true,
        small_max: 10_000,
        evidence_max: 10_000,
        ..TaskLimits::default()
    };
    let task =
        Task { model: model.clone(), properties: vec![property], invariants: Vec::new(), limits };
    engine.run(task, &Budget::states(20_000))
}

fn is_accepted(model: &Model, property: Property, claim: &Claim) -> bool {
    let claim = through_text(claim).expect("it can be written");
    let verdict = Referee::new(model, 10_000).check(property, &claim);
    verdict.is_ok_and(|verdict| matches!(verdict.ruling(), Ruling::Proved(_)))
}

/// The longest content of each mailbox, as far as one looks; none has more than 4.
fn longest(model: &Model) -> BTreeMap<QueueId, i64> {
    let mut system = model.system();
    let first = system.initial();
    let mut seen = BTreeSet::from([first.clone()]);
    let (mut todo, mut longest) = (VecDeque::from([first]), BTreeMap::new());
    while let Some(config) = todo.pop_front() {
        let mut is_short = true;
        for (queue, &word) in config.words.iter().enumerate().filter(|it| *it.1 != WordId::CLOSED) {
            let length = i64::try_from(system.words().len(word)).expect("it is short");
            is_short &= length <= 4;
            let known = longest.entry(QueueId::new(queue)).or_insert(0);
            *known = length.min(4).max(*known);
        }
        if !is_short {
            continue;
        }
        for outcome in system.successors(&config) {
            if seen.len() < CONFIGURATIONS_MAX && seen.insert(outcome.config.clone()) {
                todo.push_back(outcome.config);
            }
        }
    }
    longest
}

#[test]
fn runs_of_the_corpus_are_runs_of_nets() {
    let (mut problems, mut total, mut rng) = (Vec::new(), 0, Rng::new(5));
    for (path, text) in programs() {
        for round in 0..2 {
            let marks = |blueprint: &qp_program::Blueprint| match round {
                0 => Marks::default(),
                _ => some_marks(blueprint, &mut rng),
            };
            let Some(model) = model(&text, marks) else { continue };
            for followed in ways(&model, &mut rng) {
                match follow(&model, &followed, (6, 100), round) {
                    Ok(steps) => total += steps,
                    Err(problem) => {
                        problems.push(format!("{} {followed:?}: {problem}", path.display()));
                    }
                }
            }
        }
    }
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
    assert!(total > 100_000, "{total} steps were followed");
}

#[test]
fn no_mailbox_of_the_corpus_gets_longer_than_its_bound() {
    let (mut n_bounds, mut n_created, mut n_all) = (0, 0, 0);
    for (path, text) in programs() {
        let Some(model) = model(&text, |_| Marks::default()) else { continue };
        let said = path.display();
        let found = bounds(&net(&model, &[]));
        // Of machines that are created it is not known which number they get.
        let later = found.iter().filter(|it| it.0.index() > 0).map(|it| *it.1);
        let later = later.collect::<Option<Vec<i64>>>().map(|it| it.into_iter().max().unwrap_or(0));
        for (queue, longest) in longest(&model) {
            let bound = if queue.index() == 0 {
                found.get(&queue).copied().unwrap_or(Some(0))
            } else {
                later
            };
            assert!(bound.is_none_or(|it| longest <= it), "{said}: {longest} in {queue:?}");
            n_bounds += usize::from(queue.index() == 0 && bound.is_some() && longest > 0);
            n_created += usize::from(queue.index() > 0 && bound.is_some() && longest > 0);
        }
        let answers = ask(&Flow, &model, Property::Bounded);
        let claim = &answers.claims[0].claim;
        if matches!(claim, Claim::Holds(_)) {
            n_all += 1;
            assert!(is_accepted(&model, Property::Bounded, claim), "{said}");
        }
        for answer in answers.queues.iter().filter(|it| matches!(it.claim, Claim::Holds(_))) {
            let property = Property::Length(answer.queue, answer.bound);
            assert!(is_accepted(&model, property, &answer.claim), "{said}");
        }
    }
    assert!(n_bounds > 50 && n_created > 10 && n_all > 100, "{n_bounds}, {n_created}, {n_all}");
}

#[test]
fn no_run_without_progress_is_seen_where_progress_is_proved() {
    let (mut n_proved, mut n_wrong, mut rng) = (0, 0, Rng::new(7));
    for (path, text) in programs() {
        let Some(model) = model(&text, |it| some_marks(it, &mut rng)) else { continue };
        if Property::Livelock.is_void(model.outline()) {
            continue;
        }
        let searched = ask(&Explore, &model, Property::Livelock);
        let is_wrong = matches!(searched.claims[0].claim, Claim::Violated(_));
        n_wrong += usize::from(is_wrong);
        let answers = ask(&Flow, &model, Property::Livelock);
        if matches!(answers.claims[0].claim, Claim::Holds(_)) {
            assert!(!is_wrong, "{}", path.display());
            let claim = &answers.claims[0].claim;
            assert!(is_accepted(&model, Property::Livelock, claim), "{}", path.display());
            n_proved += 1;
        }
    }
    assert!(n_proved > 50 && n_wrong > 1, "{n_proved}, {n_wrong}");
}

/// What is known of mailboxes, by the names of machines.
fn told(text: &str, followed: &[DetailId]) -> Vec<(String, Option<i64>)> {
    let model = plain(text);
    let net = net(&model, followed);
    let name = |queue: QueueId| {
        let counter = net.counters.iter().find(|it| it.counts.is_in(queue));
        let name = counter.and_then(|it| it.name.split_once(": ")).map(|it| it.0.to_owned());
        name.expect("it is counted")
    };
    bounds(&net).into_iter().map(|(queue, bound)| (name(queue), bound)).collect()
}

fn expected(list: &[(&str, Option<i64>)]) -> Vec<(String, Option<i64>)> {
    list.iter().map(|&(name, bound)| (name.to_owned(), bound)).collect()
}

const PAIR: &str = "
    event ePing: machine; event ePong;
    machine Main {
        var server: machine;
        start state Init { entry { server = new Server(); goto Ask; } }
        state Ask { entry { send server, ePing, this; } on ePong goto Ask; }
    }
    machine Server { start state Wait { on ePing do (who: machine) { send who, ePong; } } }";

#[test]
fn who_is_meant_is_known_through_payloads() {
    assert_eq!(told(PAIR, &[]), expected(&[("Main", Some(1)), ("Server", Some(1))]));
    let net = net(&plain(PAIR), &[]);
    assert_eq!(net.in_order, [QueueId::new(0), QueueId::new(1)]);
    assert_eq!(net.counters.len(), 3);
}

const CROWD: &str = "
    event eGo;
    machine Main {
        var i: int;
        start state Init {
            entry {
                var one: machine;
                while (i < 3) { one = new Worker(); send one, eGo; i = i + 1; }
            }
        }
    }
    machine Worker { start state Wait { on eGo do { } } }";

/// Machines of one statement are counted together, and there may be any number of them.
#[test]
fn a_loop_that_is_followed_ends() {
    assert_eq!(told(CROWD, &[]), expected(&[("Worker", None)]));
    let plain_net = net(&plain(CROWD), &[]);
    assert_eq!(plain_net.in_order, [QueueId::new(0)]);
    let names: Vec<&str> = plain_net.details.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["Main.i"]);
    assert_eq!(plain_net.tests.iter().map(|it| it.text.as_str()).collect::<Vec<_>>(), ["i < 3"]);
    assert_eq!(plain_net.tests[0.into()].reads, [DetailId::new(0)]);
    let writes: Vec<&str> =
        plain_net.details[0.into()].writes.iter().map(|it| it.0.as_str()).collect();
    assert_eq!(writes, ["i = i + 1"]);
    assert_eq!(told(CROWD, &[DetailId::new(0)]), expected(&[("Worker", Some(3))]));
}

#[test]
fn a_variable_with_many_values_is_refused() {
    let text = CROWD.replace("i < 3", "i < 300");
    let net = net(&plain(&text), &[DetailId::new(0)]);
    let refused = Following::Refused("it has more than 128 values".to_owned());
    assert_eq!(net.details[0.into()].following, refused);
    assert_eq!(told(&text, &[DetailId::new(0)]), expected(&[("Worker", None)]));
}

#[test]
fn what_is_left_by_a_machine_that_halts_stays_counted() {
    let text = "
        event eGo;
        machine Main {
            start state Init {
                entry { var one: machine; one = new Worker(); send one, halt; send one, eGo; }
            }
        }
        machine Worker { start state Wait { on eGo do { } } }";
    assert_eq!(told(text, &[]), expected(&[("Worker", Some(2))]));
    let net = net(&plain(text), &[]);
    assert_eq!(net.in_order, [QueueId::new(0)]);
    let lost = net.arcs.iter().filter(|it| it.text.ends_with("which is lost"));
    assert_eq!(lost.count(), 2);
    assert!(net.arcs.iter().any(|it| it.to.is_none() && it.text == "halt"));
    assert!(follow(&plain(text), &[], (50, 20), 1).is_ok());
}

#[test]
fn what_is_deferred_or_received_is_out_of_order() {
    let text = PAIR.replace("state Ask {", "state Ask { defer halt;");
    assert_eq!(net(&plain(&text), &[]).in_order, [QueueId::new(1)]);
    let text = PAIR
        .replace("send who, ePong;", "send who, ePong; receive { case ePing: (p: machine) { } }");
    assert_eq!(net(&plain(&text), &[]).in_order, [QueueId::new(0)]);
}

#[test]
fn what_is_ignored_is_taken() {
    let text = "
        event eGo;
        machine Main { start state Init { entry { send this, eGo; goto Next; } } state Next { ignore eGo; } }";
    let net = net(&plain(text), &[]);
    let taken: Vec<&str> = net
        .arcs
        .iter()
        .filter(|it| it.effects.iter().any(|it| it.1 < 0))
        .map(|it| it.text.as_str())
        .collect();
    assert_eq!(taken, ["take eGo"]);
}

#[test]
fn a_cap_is_a_fact() {
    let text = "
        event eGo assume 2;
        main machine Main { start state Init { entry { while ($) { send this, eGo; } } on eGo do { } } }";
    let net = net(&plain(&text.replace("main machine", "machine")), &[]);
    assert_eq!(net.facts.len(), 1);
    assert_eq!(
        (net.facts[0].at_most, net.facts[0].because.as_str()),
        (2, "Main holds at most 2 eGo")
    );
    assert_eq!(bounds(&net)[&QueueId::new(0)], Some(2));
}

#[test]
fn machines_that_create_their_like_are_counted_together() {
    let text = "
        event eGo;
        machine Main { start state Init { entry { var one: machine; one = new Node(); send one, eGo; } } }
        machine Node { start state Init { on eGo do { var next: machine; next = new Node(); send next, eGo; } } }";
    // One message is under way, to the first node or to one of the others.
    assert_eq!(told(text, &[]), expected(&[("Node", Some(1)), ("Node (2)", Some(1))]));
    assert!(follow(&plain(text), &[], (5, 60), 1).is_ok());
}

#[test]
fn a_function_that_calls_itself_between_sends_has_no_net() {
    let text = "
        event eGo;
        machine Main {
            start state Init { entry { Again(); } on eGo do { } }
            fun Again() { send this, eGo; if ($) { Again(); } }
        }";
    let found = plain(text).system().program_mut().net(&[]);
    assert_eq!(found, Err("`Again` calls itself".to_owned()));
}

#[test]
fn an_event_that_is_taken_is_progress() {
    let marked = model(PAIR, |it| {
        let mut marks = Marks::default();
        marks.add(it, "ePong").expect("it is an event");
        marks
    });
    let marked = marked.expect("it is a program");
    let net = net(&marked, &[]);
    let progress: Vec<&str> =
        net.arcs.iter().filter(|it| it.progress).map(|it| it.text.as_str()).collect();
    assert_eq!(progress, ["take ePong", "go on"]);
    let claim = &ask(&Flow, &marked, Property::Livelock).claims[0].claim;
    assert!(matches!(claim, Claim::Holds(_)), "{claim:?}");
    let claim = &ask(&Explore, &marked, Property::Livelock).claims[0].claim;
    assert!(matches!(claim, Claim::Holds(_)), "{claim:?}");
}

#[test]
fn a_run_that_avoids_a_marked_state_is_a_livelock() {
    let text = PAIR
        .replace(
            "on ePong goto Ask;",
            "on ePong do { if ($) { goto Rest; } send server, ePing, this; }",
        )
        .replace("machine Server", "machine Unused { start state Idle { } } machine Server")
        .replace("state Ask {", "state Rest { } state Ask {");
    let marked = model(&text, |it| {
        let mut marks = Marks::default();
        marks.add(it, "Rest").expect("it is a state");
        marks
    });
    let marked = marked.expect("it is a program");
    let claim = &ask(&Explore, &marked, Property::Livelock).claims[0].claim;
    assert!(matches!(claim, Claim::Violated(_)), "{claim:?}");
    let claim = &ask(&Flow, &marked, Property::Livelock).claims[0].claim;
    assert!(matches!(claim, Claim::Violated(_)), "{claim:?}");
}
