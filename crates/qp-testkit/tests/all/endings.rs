//! Steps that lead nowhere: failures of every kind, and places where the interpreter gives up.

use qp_base::{Budget, Source};
use qp_check::Referee;
use qp_claim::{ABSENT, Claim, ClosedSet, Content, Proof, Reason};
use qp_engines::{Answers, Engine, Explore, Task, TaskLimits};
use qp_machines::{
    Condition, Effect, FailureId, Guard, KindId, LocalId, MachineId, Model, Move, Property,
    QueueId, QueueKind, Reception,
};
use qp_testkit::judge::judge;
use qp_testkit::script::{Local, Names, Rules, Script, internal, script};
use queueproof::{Loaded, Options, QueueStatus, VerdictWord, check};

const FAILING: [Property; 3] = [Property::Assert, Property::Unhandled, Property::Divergence];
const ALL: [Property; 6] = [
    Property::Assert,
    Property::Unhandled,
    Property::Divergence,
    Property::Deadlock,
    Property::Stuck,
    Property::Bounded,
];

fn nothing(_: &mut Names, _: &Local, _: &str, _: qp_machines::EarId, _: &str) -> Reception {
    Reception::Crash
}

fn fail(number: u32, names: &mut Names) -> Move {
    Move::plain(Effect::Fail { failure: FailureId::from_raw(number) }, names.at("unused"))
}

fn give_up(names: &mut Names) -> Move {
    Move::plain(Effect::GiveUp { why: FailureId::from_raw(0) }, names.at("unused"))
}

fn words(model: &Model, properties: &[Property]) -> Vec<String> {
    judge(model, properties, 2)
        .expect("evidence is accepted")
        .words
        .into_iter()
        .map(|(_, word)| word)
        .collect()
}

fn rules(moves: qp_testkit::script::Moves) -> Rules {
    Rules { moves, hears: nothing, born: |_, _, _| unreachable!("nothing is created") }
}

/// One step to a choice between two failures: only what they are about is violated.
#[test]
fn a_failure_violates_the_property_it_names() {
    let moves = |names: &mut Names, _: MachineId, local: &Local, _: &str| match local.at.as_str() {
        "go" => vec![internal(names.at("end"))],
        _ => vec![fail(1, names), fail(2, names)],
    };
    let failures = [
        (Property::Assert, "never"),
        (Property::Divergence, "runs for ever"),
        (Property::Unhandled, "cannot handle it"),
    ];
    let script = Script::new(rules(moves), &["go"], &[QueueKind::UNBOUNDED], &[], "");
    let model = script.failures(&failures).model();
    assert_eq!(words(&model, &FAILING), ["proved", "violated in 2", "violated in 2"]);
}

/// A failing step is a step: where there is one, nothing is stuck or dead.
#[test]
fn a_failure_is_not_a_deadlock() {
    let moves = |names: &mut Names, _: MachineId, _: &Local, _: &str| vec![fail(0, names)];
    let model = script(moves, nothing, &["go"], &[], "");
    assert_eq!(words(&model, &[Property::Deadlock, Property::Stuck]), ["proved", "proved"]);
}

/// What is announced changes the store, and the third time it is a failure.
#[test]
fn those_who_watch_can_fail() {
    let moves = |names: &mut Names, _: MachineId, _: &Local, store: &str| {
        assert_eq!(store, "", "machines do not see the store");
        vec![Move { announce: Some(names.message("tick")), ..internal(names.at("end")) }]
    };
    let watches = |store: &str, message: &str| match (store, message) {
        ("", "tick") => Ok("one".to_owned()),
        ("one", "tick") => Ok("two".to_owned()),
        _ => Err(0),
    };
    let script = Script::new(rules(moves), &["end"], &[QueueKind::UNBOUNDED], &["tick"], "");
    let model = script.watched(watches).model();
    let judged = judge(&model, &[Property::Assert, Property::Deadlock], 2).unwrap();
    assert_eq!(judged.counts, (3, 2));
    assert_eq!(judged.words[0].1, "violated in 3");
    assert_eq!(judged.words[1].1, "proved");
}

/// Two messages that the ear does not take do not count; two that it does make the sender wait.
#[test]
fn fewer_counts_what_an_ear_takes() {
    let moves = |names: &mut Names, _: MachineId, local: &Local, _: &str| {
        let few = Guard::Holds(QueueId::from_raw(0), Condition::Fewer(0.into(), 2));
        let send = |names: &mut Names, text: &str| {
            let place = qp_machines::Place::Back;
            let message = names.message(text);
            Effect::Send { queue: QueueId::from_raw(0), message, place }
        };
        let next = match local.at.as_str() {
            "first" => Some("second"),
            "second" => Some("end"),
            _ => None,
        };
        if let Some(next) = next {
            return vec![Move::plain(send(names, "b"), names.at(next))];
        }
        let counted = Move::plain(send(names, "a"), names.at("end"));
        vec![Move { guards: vec![few], ..counted }]
    };
    let hears = |names: &mut Names, _: &Local, _: &str, _, message: &str| match message {
        "a" => qp_testkit::script::take(names, "end"),
        _ => Reception::Skip,
    };
    let model = script(moves, hears, &["first"], &["a", "b"], "");
    let judged = judge(&model, &[Property::Deadlock], 5).unwrap();
    assert_eq!((judged.counts, judged.queues[0].as_str()), ((5, 4), "proved 4"));
}

/// One step to a choice between a rest and a place that the interpreter does not know.
fn unknown_beyond() -> Script {
    let moves = |names: &mut Names, _: MachineId, local: &Local, _: &str| match local.at.as_str() {
        "go" => vec![internal(names.at("end")), internal(names.at("fork"))],
        "fork" => vec![give_up(names), fail(1, names)],
        _ => vec![],
    };
    let failures = [(Property::Assert, "no body"), (Property::Divergence, "runs for ever")];
    let script = Script::new(rules(moves), &["go"], &[QueueKind::UNBOUNDED], &[], "");
    script.failures(&failures)
}

#[test]
fn nothing_is_proved_past_a_place_where_the_interpreter_gave_up() {
    for model in [unknown_beyond().model(), unknown_beyond().local().model()] {
        let answers = explore(&model, 1_000);
        for answer in &answers.claims {
            match (&answer.claim, answer.property) {
                (Claim::Violated(_), Property::Divergence) => {}
                (Claim::GaveUp(Reason::Program { text, .. }), _) => assert_eq!(text, "no body"),
                (claim, property) => panic!("{property:?}: {claim:?}"),
            }
        }
        assert!(matches!(answers.queues[0].claim, Claim::GaveUp(Reason::Program { .. })));
    }
}

/// The same set without the step is fine, so it is the step that is refused.
#[test]
fn a_closed_set_with_such_a_place_is_refused() {
    let fine = |names: &mut Names, _: MachineId, local: &Local, _: &str| match local.at.as_str() {
        "go" => vec![internal(names.at("end"))],
        _ => vec![],
    };
    let unknown = |names: &mut Names, _: MachineId, local: &Local, _: &str| match local.at.as_str()
    {
        "go" => vec![internal(names.at("end"))],
        _ => vec![give_up(names)],
    };
    let set = ClosedSet {
        locals: vec![vec!["go:".to_owned(), "end:".to_owned()]],
        n_queues: 1,
        messages: vec![],
        contents: vec![Content { kind: 0, messages: Some(vec![]) }],
        stores: vec![String::new()],
        cells: vec![0, 0, 0, ABSENT, 1, 0, 0, ABSENT],
    };
    let claim = Claim::Holds(Proof::Closed(std::sync::Arc::new(set)));
    let verdict = |moves| {
        let model = script(moves, nothing, &["go"], &[], "");
        let checked = Referee::new(&model, 100).check(Property::Assert, &claim);
        checked.map(|_| ()).map_err(|rejected| rejected.0)
    };
    assert_eq!(verdict(fine), Ok(()));
    let refused = verdict(unknown).unwrap_err();
    assert!(refused.starts_with("nobody knows what"), "{refused}");
}

/// A run that takes such a step shows nothing.
#[test]
fn a_run_into_the_unknown_is_refused() {
    let model = unknown_beyond().model();
    let step = |choice| qp_machines::Step { machine: MachineId::from_raw(0), choice };
    let run = |last| Claim::Violated(qp_claim::Trace::finite(vec![step(1), step(last)]));
    let mut referee = Referee::new(&model, 100);
    assert!(referee.check(Property::Divergence, &run(1)).is_ok());
    assert!(referee.check(Property::Divergence, &run(0)).is_err());
    assert!(referee.check(Property::Assert, &run(0)).is_err());
    assert!(referee.check(Property::Assert, &run(1)).is_err(), "it is not about assertions");
}

fn explore(model: &Model, states: u64) -> Answers {
    let limits = TaskLimits {
        bound_max: 2,
        queues: true,
        small_max: 1_000,
        evidence_max: 1_000,
        ..TaskLimits::default()
    };
    let task =
        Task { model: model.clone(), properties: ALL.to_vec(), invariants: Vec::new(), limits };
    Explore.run(task, &Budget::states(states))
}

/// A machine that counts for ever.
fn counter() -> Script {
    let moves = |names: &mut Names, _: MachineId, local: &Local, _: &str| {
        let next = local.knows.first().map_or(0, |n| n + 1);
        vec![internal(names.knowing("end", &[next]))]
    };
    Script::new(rules(moves), &["end"], &[QueueKind::UNBOUNDED], &[], "")
}

fn report(model: Model, options: &Options) -> queueproof::Report {
    let loaded = Loaded::new(model, Source::new("m.p", "text"));
    let checked = check(&loaded, options, &options.budget());
    assert!(checked.errors.is_empty(), "{:?}", checked.errors);
    checked.report
}

#[test]
fn a_search_without_end_says_what_grows() {
    let options = || Options { states_max: 5_000, ..Options::default() };
    let plain = report(counter().model(), &options());
    let found: Vec<_> = plain.properties.iter().map(|p| p.code.map(|code| code.0)).collect();
    assert_eq!(found, [Some(3002); 5]);
    let suspected = report(counter().suspect("`n` of M, which reached 9").model(), &options());
    let dead = &suspected.properties[2];
    assert_eq!(dead.code.map(|code| code.0), Some(3007));
    let reason = "the limit on configurations is met; `n` of M, which reached 9 and may take more \
                  and more; no queue length was explored completely";
    assert_eq!(dead.reason.as_deref(), Some(reason));
    assert_eq!(dead.location.as_ref().map(|place| (place.line, place.column)), Some((1, 1)));
}

#[test]
fn p_is_asked_what_p_calls_an_error() {
    let ids = |language| {
        let moves = |_: &mut Names, _: MachineId, _: &Local, _: &str| vec![];
        let script = Script::new(rules(moves), &["end"], &[QueueKind::UNBOUNDED], &[], "");
        let report = report(script.language(language).model(), &Options::default());
        let entry = |p: &queueproof::PropertyReport| format!("{} {}", p.id, p.verdict);
        report.properties.iter().map(entry).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(ids("p"), "assert proved, unhandled none, deadlock proved, divergence none");
    let as_before = "assert proved, unhandled none, deadlock proved, stuck proved, orphan none";
    assert_eq!(ids("cfsm"), as_before);
}

/// A machine creates another one and floods it.
#[test]
fn what_is_created_has_its_name_and_its_answer() {
    let moves = |names: &mut Names, _: MachineId, local: &Local, _: &str| {
        let here = |names: &mut Names| names.knowing(&local.at, &local.knows);
        match local.at.as_str() {
            "new" => {
                let effect = Effect::Spawn { seed: 0.into(), queues: vec![KindId::from_raw(0)] };
                vec![Move::plain(effect, names.at("flood"))]
            }
            "flood" => {
                let (queue, place) = (QueueId::from_raw(local.knows[1]), qp_machines::Place::Back);
                let message = names.message("hello");
                vec![Move::plain(Effect::Send { queue, message, place }, here(names))]
            }
            _ => {
                let (queue, ear) = (QueueId::from_raw(local.knows[0]), 0.into());
                let at: LocalId = here(names);
                vec![Move::plain(Effect::Receive { queue, ear }, at)]
            }
        }
    };
    let born = |_, _, queue: QueueId| Local { at: "end".to_owned(), knows: vec![queue.raw()] };
    let hears = |_: &mut Names, _: &Local, _: &str, _, _: &str| Reception::Crash;
    let rules = Rules { moves, hears, born };
    let script = Script::new(rules, &["new"], &[QueueKind::UNBOUNDED], &["hello"], "");
    let options = Options { engines: vec!["explore".to_owned()], ..Options::default() };
    let report = report(script.language("p").model(), &options);
    let unhandled = &report.properties[1];
    assert_eq!(unhandled.verdict, VerdictWord::Violated);
    let message = "M(1) is in end and cannot receive hello, the first message in its queue";
    assert_eq!(unhandled.message, message);
    let chart = &unhandled.trace.as_ref().unwrap().chart;
    assert_eq!(chart.machines, ["M0", "M(1)"]);
    assert_eq!((chart.queues[1].name.as_str(), chart.queues[1].reader), ("M(1)", Some(1)));
    let queues: Vec<_> = report.queues.iter().map(|q| (q.name.as_str(), q.status)).collect();
    assert_eq!(queues, [("M(1)", QueueStatus::Unbounded)]);
    let unknown = report.properties.iter().find(|p| p.id == "deadlock").unwrap();
    let reason = unknown.reason.as_deref().unwrap_or_default();
    assert!(reason.ends_with("the queue M(1) can grow longer"), "{reason}");
}
