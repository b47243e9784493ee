//! Machines and queues that come and go at run time.

use qp_base::Budget;
use qp_claim::{Claim, Reason};
use qp_engines::{Answers, Engine, Explore, Task, TaskLimits};
use qp_machines::{
    Atom, Bad, Effect, Event, KindId, MachineId, Model, Move, Place, Property, QueueId, QueueKind,
    Reception, SeedId, Taken,
};
use qp_testkit::judge::{count, judge};
use qp_testkit::script::{Local, Moves, Names, Rules, Script};

const SAFETY: [Property; 6] = [
    Property::Assert,
    Property::Unhandled,
    Property::Deadlock,
    Property::Stuck,
    Property::Orphan,
    Property::Bounded,
];

fn send(names: &mut Names, queue: u32, message: &str, next: &str, knows: &[u32]) -> Move {
    let effect = Effect::Send {
        queue: QueueId::from_raw(queue),
        message: names.message(message),
        place: Place::Back,
    };
    Move::plain(effect, names.knowing(next, knows))
}

fn listen(queue: u32, here: qp_machines::LocalId) -> Move {
    Move::plain(Effect::Receive { queue: QueueId::from_raw(queue), ear: 0.into() }, here)
}

fn spawn(names: &mut Names, next: &str) -> Move {
    let effect = Effect::Spawn { seed: 0.into(), queues: vec![KindId::from_raw(0)] };
    Move::plain(effect, names.at(next))
}

fn born(_: SeedId, _: MachineId, first_queue: QueueId) -> Local {
    Local { at: "wait".to_owned(), knows: vec![first_queue.raw()] }
}

/// A machine creates another, greets it, and gets an answer; the other one ends.
fn greeting() -> Model {
    let moves = |names: &mut Names, _: MachineId, local: &Local, _: &str| {
        let knows = &local.knows;
        match local.at.as_str() {
            "new" => vec![spawn(names, "made")],
            "made" => vec![send(names, knows[1], "hello", "sent", &[])],
            "sent" => vec![listen(0, names.at("sent"))],
            "wait" => vec![listen(knows[0], names.knowing("wait", knows))],
            "got" => vec![send(names, 0, "done", "leaving", &[])],
            "leaving" => vec![Move::plain(Effect::Exit { queues: 1 }, names.at("gone"))],
            _ => vec![],
        }
    };
    let hears = |names: &mut Names, local: &Local, _: &str, _, message: &str| match (
        local.at.as_str(),
        message,
    ) {
        ("sent", "done") => Reception::Take(vec![Taken::plain(names.at("end"))]),
        ("wait", "hello") => Reception::Take(vec![Taken::plain(names.at("got"))]),
        _ => Reception::Crash,
    };
    let rules = Rules { moves, hears, born };
    Script::new(rules, &["new"], &[QueueKind::UNBOUNDED], &["hello", "done"], "").model()
}

#[test]
fn a_created_machine_is_greeted_and_ends() {
    let model = greeting();
    let mut system = model.system();
    let mut config = system.initial();
    let mut events = Vec::new();
    for _ in 0..4 {
        let outcomes = system.successors(&config);
        assert_eq!(outcomes.len(), 1, "one after the other up to the answer");
        events.push(outcomes[0].event);
        config = outcomes[0].config.clone();
    }
    let (child, own, parent) = (MachineId::from_raw(1), QueueId::from_raw(1), QueueId::from_raw(0));
    let (hello, done) = (0.into(), 1.into());
    assert_eq!(
        events,
        [
            Event::Created { machine: child },
            Event::Sent { queue: own, message: hello },
            Event::Took { queue: own, message: hello, position: 0, kept: false },
            Event::Sent { queue: parent, message: done },
        ]
    );
    assert_eq!((config.locals.len(), config.words.len()), (2, 2));
    let last = system.successors(&config);
    let events: Vec<Event> = last.iter().map(|outcome| outcome.event).collect();
    assert_eq!(events.len(), 2);
    assert!(events.contains(&Event::Ended));
    let ended = last.iter().find(|outcome| outcome.event == Event::Ended).expect("just seen");
    assert_eq!((ended.config.locals.len(), ended.config.words.len()), (1, 1));
}

/// Five configurations up to the answer, two ways to go on, one end; eight steps.
#[test]
fn creation_is_searched_and_certified() {
    let model = greeting();
    let judged = judge(&model, &SAFETY, 3).unwrap();
    assert_eq!(judged.counts, (8, 8));
    assert_eq!(count(&model), (8, 8));
    for (property, word) in &judged.words {
        assert_eq!(word, "proved", "{property:?}");
    }
    assert_eq!(judged.queues, ["proved 1", "proved 1"]);
}

/// Nobody greets the created machine: it never moves, and it may not rest.
#[test]
fn a_created_machine_that_never_moves_is_stuck() {
    let moves = |names: &mut Names, _: MachineId, local: &Local, _: &str| match local.at.as_str() {
        "new" => vec![spawn(names, "turn")],
        "turn" => vec![Move::plain(Effect::Internal, names.at("turn"))],
        "wait" => vec![listen(local.knows[0], names.knowing("wait", &local.knows))],
        _ => vec![],
    };
    let rules = Rules { moves, hears: |_, _, _, _, _| Reception::Crash, born };
    let script = Script::new(rules, &["new"], &[QueueKind::UNBOUNDED], &[], "");
    for model in [script.clone().model(), script.local().model()] {
        let judged = judge(&model, &SAFETY, 2).unwrap();
        // The creator forgets whom it created, so there are three configurations.
        assert_eq!(judged.counts, count(&model));
        let expected = ["proved", "proved", "proved", "violated in 1", "proved", "proved"];
        let words: Vec<&str> = judged.words.iter().map(|(_, word)| word.as_str()).collect();
        assert_eq!(words, expected);
    }
}

/// The created machine is greeted but never listens: the greeting is an orphan.
#[test]
fn a_message_to_a_deaf_machine_is_an_orphan() {
    let moves = |names: &mut Names, _: MachineId, local: &Local, _: &str| match local.at.as_str() {
        "new" => vec![spawn(names, "made")],
        "made" => vec![send(names, local.knows[1], "hello", "end", &[])],
        _ => vec![],
    };
    let born = |_, _, _| Local { at: "end deaf".to_owned(), knows: vec![] };
    let rules = Rules { moves, hears: |_, _, _, _, _| Reception::Crash, born };
    let script = Script::new(rules, &["new"], &[QueueKind::UNBOUNDED], &["hello"], "");
    for model in [script.clone().model(), script.local().model()] {
        let judged = judge(&model, &SAFETY, 2).unwrap();
        assert_eq!(judged.counts, (3, 2));
        let expected = ["proved", "proved", "proved", "proved", "violated in 2", "proved"];
        let words: Vec<&str> = judged.words.iter().map(|(_, word)| word.as_str()).collect();
        assert_eq!(words, expected);
    }
}

/// Machines are created without end: there is no last configuration, and no proof.
#[test]
fn endless_creation_is_not_proved() {
    let moves = |names: &mut Names, _: MachineId, local: &Local, _: &str| match local.at.as_str() {
        "new" => vec![spawn(names, "new")],
        _ => vec![],
    };
    let answers = explore_endless(moves, 200);
    for answer in &answers.claims {
        assert!(matches!(answer.claim, Claim::GaveUp(_)), "{answer:?}");
    }
}

/// When there are too many machines for a key, what was found before still counts.
#[test]
fn endless_creation_does_not_hide_a_failure() {
    let moves = |names: &mut Names, _: MachineId, local: &Local, _: &str| {
        let effect = match local.at.as_str() {
            "new" => Effect::Spawn { seed: 0.into(), queues: vec![KindId::from_raw(0); 50] },
            _ => Effect::Fail { failure: 0.into() },
        };
        vec![Move::plain(effect, names.at("new"))]
    };
    let answers = explore_endless(moves, 10_000);
    let found = |p| answers.claims.iter().find(|answer| answer.property == p).unwrap();
    let Claim::Violated(trace) = &found(Property::Assert).claim else {
        panic!("{:?}", answers.claims)
    };
    assert_eq!(trace.steps.len(), 2);
    let unknown = &found(Property::Deadlock).claim;
    assert!(matches!(unknown, Claim::GaveUp(Reason::OutsideFragment { .. })), "{unknown:?}");
}

fn explore_endless(moves: Moves, states: u64) -> Answers {
    let born = |_, _, _| Local { at: "end".to_owned(), knows: vec![] };
    let rules = Rules { moves, hears: |_, _, _, _, _| Reception::Crash, born };
    let script = Script::new(rules, &["new"], &[QueueKind::UNBOUNDED], &[], "");
    let model = script.model();
    let limits = TaskLimits {
        bound_max: 2,
        queues: true,
        small_max: 1_000,
        evidence_max: 1_000,
        ..TaskLimits::default()
    };
    let task = Task { model, properties: SAFETY.to_vec(), invariants: Vec::new(), limits };
    Explore.run(task, &Budget::states(states))
}

/// A bad situation that names a machine which has ended does not hold.
#[test]
fn a_machine_that_has_ended_is_nowhere() {
    let moves = |names: &mut Names, machine: MachineId, local: &Local, _: &str| match (
        machine.index(),
        local.at.as_str(),
    ) {
        (1, "here") => vec![Move::plain(Effect::Exit { queues: 0 }, names.at("gone"))],
        _ => vec![],
    };
    let rules = Rules { moves, hears: |_, _, _, _, _| Reception::Crash, born };
    let bad = |name: &str, state: &str| Bad {
        name: name.to_owned(),
        span: qp_base::Span::default(),
        cases: vec![vec![Atom::Control(MachineId::from_raw(1), vec![state.to_owned()])]],
    };
    let script = Script::new(rules, &["end", "here"], &[QueueKind::UNBOUNDED], &[], "");
    let model = script.bad(bad("never", "elsewhere")).bad(bad("first", "here")).model();
    let judged = judge(&model, &[Property::Reach(0), Property::Reach(1)], 1).unwrap();
    assert_eq!(judged.counts, (2, 1));
    assert_eq!(judged.words[0].1, "proved");
    assert_eq!(judged.words[1].1, "violated in 0");
}
