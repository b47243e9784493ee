//! Guards, shared variables, atomic sequences, and queues that are not read from the front.

use qp_machines::{
    Capacity, Condition, Effect, Event, Guard, Loss, Model, Move, Place, Property, QueueId,
    QueueKind, Reception, System, Taken,
};
use qp_testkit::judge::{count, judge};
use qp_testkit::script::{
    Hears, Moves, Names, Q0, Rules, Script, internal, listen, script, send, take,
};

/// Where each step leads: machine, and the control state of every machine afterwards.
fn steps(system: &mut System, config: &qp_machines::Config) -> Vec<(usize, String)> {
    let outcomes = system.successors(config);
    let show = |outcome: &qp_machines::Outcome| {
        let after = &outcome.config;
        let names = after.machines().map(|m| system.program().control_name(m, after.local(m)));
        (outcome.step.machine.index(), names.collect::<Vec<_>>().join(" "))
    };
    outcomes.iter().map(show).collect()
}

/// Follows the steps with these numbers among all successors.
fn follow(system: &mut System, choices: &[usize]) -> qp_machines::Config {
    let mut config = system.initial();
    for &choice in choices {
        config = system.successors(&config)[choice].config.clone();
    }
    config
}

/// Everything is answered, with the counts of a blind walk.
fn proved(model: &Model, properties: &[Property]) {
    let judged = judge(model, properties, 6).expect("evidence stands up");
    assert_eq!(judged.counts, count(model));
    for (property, word) in &judged.words {
        assert_eq!(word, "proved", "{property:?}");
    }
}

#[test]
fn sorted_sends_go_before_what_is_greater() {
    let moves: Moves = |names, _, local, _| match local.at.as_str() {
        "s0" => vec![send(names, "2", Place::Sorted, "s1")],
        "s1" => vec![send(names, "1", Place::Sorted, "s2")],
        "s2" => vec![send(names, "2", Place::Sorted, "s3")],
        "s3" => vec![send(names, "1", Place::Back, "end")],
        _ => vec![],
    };
    let model = script(moves, |_, _, _, _, _| Reception::Crash, &["s0"], &["1", "2"], "");
    let mut system = model.system();
    let config = follow(&mut system, &[0, 0, 0, 0]);
    let content: Vec<u32> =
        system.words().messages(config.word(Q0)).iter().map(|message| message.raw()).collect();
    assert_eq!(content, [0, 1, 1, 0]);
    proved(&model, &[Property::Deadlock, Property::Bounded, Property::Length(Q0, 4)]);
}

#[test]
fn skips_take_from_behind_and_copies_stay() {
    let moves: Moves = |names, _, local, _| match local.at.as_str() {
        "s0" => vec![send(names, "a", Place::Back, "s1")],
        "s1" => vec![send(names, "b", Place::Back, "s2")],
        "s2" | "s3" => vec![listen(names)],
        _ => vec![],
    };
    let hears: Hears = |names, local, _, _, message| match (local.at.as_str(), message) {
        ("s2", "b") => {
            let copied = Taken { keep: true, ..Taken::plain(names.at("s3")) };
            Reception::Take(vec![copied, Taken::plain(names.at("end"))])
        }
        ("s3", "b") => take(names, "end"),
        _ => Reception::Skip,
    };
    let model = script(moves, hears, &["s0"], &["a", "b"], "");
    let mut system = model.system();
    let config = follow(&mut system, &[0, 0]);
    let events: Vec<Event> = system.successors(&config).iter().map(|o| o.event).collect();
    let took = |kept| Event::Took { queue: Q0, message: 1.into(), position: 1, kept };
    assert_eq!(events, [took(true), took(false)]);
    let copied = follow(&mut system, &[0, 0, 0]);
    assert_eq!(system.words().len(copied.word(Q0)), 2);
    proved(&model, &[Property::Unhandled, Property::Deadlock, Property::Stuck]);
    // The message a is never taken: the queue holds it for ever once b is gone.
    let judged = judge(&model, &[Property::Orphan], 3).unwrap();
    assert_eq!(judged.words[0].1, "violated in 3");
}

/// A poll, its negation, else, and a receive that waits.
#[test]
fn conditions_hold_when_they_should() {
    let moves: Moves = |names, machine, local, _| {
        let with = |guard, next| Move { guards: vec![guard], ..internal(next) };
        match (machine.index(), local.at.as_str()) {
            (0, "w") => vec![send(names, "a", Place::Back, "end")],
            (1, "r") => {
                let ready = Condition::Ready(0.into());
                let mut all = Vec::new();
                for (guard, next) in [
                    (Guard::Holds(Q0, ready), "ready"),
                    (Guard::HoldsNot(Q0, ready), "not ready"),
                    (Guard::Holds(Q0, Condition::Empty), "empty"),
                    (Guard::Holds(Q0, Condition::Full), "full"),
                    (Guard::Holds(Q0, Condition::LengthBelow(1)), "below 1"),
                    (Guard::Idle, "idle"),
                    (Guard::Else, "else"),
                    (Guard::Timeout, "timeout"),
                ] {
                    all.push(with(guard, names.at(&format!("end {next}"))));
                }
                all.push(listen(names));
                all
            }
            _ => vec![],
        }
    };
    let hears: Hears = |names, _, _, _, _| take(names, "end took");
    let model = script(moves, hears, &["w", "r"], &["a"], "");
    let mut system = model.system();
    let initial = system.initial();
    let reader = |steps: Vec<(usize, String)>| -> Vec<String> {
        let mine = steps.into_iter().filter(|(machine, _)| *machine == 1);
        mine.map(|(_, names)| names.split(" end ").last().unwrap().to_owned()).collect()
    };
    let before = steps(&mut system, &initial);
    assert_eq!(reader(before), ["not ready", "empty", "below 1", "idle"]);
    let sent = follow(&mut system, &[0]);
    let after = steps(&mut system, &sent);
    assert_eq!(reader(after), ["ready", "took"]);
    proved(&model, &[Property::Deadlock, Property::Unhandled]);
}

#[test]
fn else_and_timeout_wait_for_the_others() {
    let moves: Moves = |names, machine, local, _| {
        let with = |guard, next| Move { guards: vec![guard], ..internal(next) };
        match (machine.index(), local.at.as_str()) {
            (0, "w") => vec![internal(names.at("end"))],
            (1, "r") => vec![listen(names), with(Guard::Else, names.at("end else"))],
            (2, "t") => vec![with(Guard::Timeout, names.at("end timeout"))],
            _ => vec![],
        }
    };
    let model = script(moves, |_, _, _, _, _| Reception::Crash, &["w", "r", "t"], &["a"], "");
    let mut system = model.system();
    let initial = system.initial();
    let first: Vec<usize> = steps(&mut system, &initial).iter().map(|step| step.0).collect();
    assert_eq!(first, [0, 1], "the timeout waits, the empty queue lets else through");
    let quiet = follow(&mut system, &[0, 0]);
    assert_eq!(steps(&mut system, &quiet), [(2, "end end else end timeout".to_owned())]);
    // Two machines in any order, then the timeout.
    assert_eq!(count(&model), (5, 5));
    proved(&model, &[Property::Deadlock, Property::Stuck, Property::Bounded]);
}

/// Two machines add to a shared variable in two steps; only the atomic one is not interrupted.
#[test]
fn atomic_sequences_are_not_interrupted() {
    let moves: Moves = |names, machine, local, store| {
        let add = |names: &mut Names| Some(names.store(&format!("{store}{machine:?}")));
        match (machine.index(), local.at.as_str()) {
            (0, "s0") => {
                let store = add(names);
                vec![Move { store, hold: true, ..internal(names.at("s1")) }]
            }
            (_, "s0" | "s1") => {
                let (store, next) = (add(names), if local.at == "s0" { "s1" } else { "end" });
                vec![Move { store, ..internal(names.at(next)) }]
            }
            _ => vec![],
        }
    };
    let model = script(moves, |_, _, _, _, _| Reception::Crash, &["s0", "s0"], &[], "");
    // m0 m0 stay together, so they go before, between or after the two steps of m1.
    let mut system = model.system();
    let mut ends = std::collections::BTreeSet::new();
    let mut todo = vec![system.initial()];
    while let Some(config) = todo.pop() {
        let outcomes = system.successors(&config);
        if outcomes.is_empty() {
            ends.insert(system.store_text(config.store));
        }
        todo.extend(outcomes.into_iter().map(|outcome| outcome.config));
    }
    let expected = ["m0m0m1m1", "m1m0m0m1", "m1m1m0m0"];
    assert_eq!(ends.iter().map(String::as_str).collect::<Vec<_>>(), expected);
    proved(&model, &[Property::Deadlock, Property::Stuck]);
}

/// Inside an atomic sequence a machine that has to wait lets the others go on.
#[test]
fn a_blocked_holder_lets_others_move() {
    let moves: Moves = |names, machine, local, _| match (machine.index(), local.at.as_str()) {
        (0, "s0") => vec![Move { hold: true, ..internal(names.at("s1")) }],
        (0, "s1") => vec![listen(names)],
        (1, "w0") => vec![send(names, "a", Place::Back, "w1")],
        (1, "w1") => vec![internal(names.at("end"))],
        _ => vec![],
    };
    let hears: Hears = |names, _, _, _, _| take(names, "end");
    let model = script(moves, hears, &["s0", "w0"], &["a"], "");
    let mut system = model.system();
    let held = follow(&mut system, &[0]);
    assert_eq!(held.holder, Some(0.into()));
    assert_eq!(steps(&mut system, &held), [(1, "s1 w1".to_owned())]);
    let sent = follow(&mut system, &[0, 0]);
    assert_eq!(sent.holder, None, "the sequence was left");
    proved(&model, &[Property::Deadlock, Property::Stuck, Property::Orphan]);
}

#[test]
fn a_closed_queue_swallows() {
    let moves: Moves = |names, machine, local, _| match (machine.index(), local.at.as_str()) {
        (0, "s0") => vec![send(names, "a", Place::Back, "s1")],
        (0, "s1") => vec![send(names, "b", Place::Back, "end")],
        (1, "c") => vec![Move::plain(Effect::Close { queue: Q0 }, names.at("end"))],
        _ => vec![],
    };
    let model = script(moves, |_, _, _, _, _| Reception::Crash, &["s0", "c"], &["a", "b"], "");
    let mut system = model.system();
    let closed = follow(&mut system, &[0, 1]);
    assert_eq!(closed.word(Q0), qp_machines::WordId::CLOSED);
    let lost = system.successors(&closed)[0].event;
    assert_eq!(lost, Event::Lost { queue: Q0, message: 1.into() });
    // Before, after one and after two sends, each open or closed.
    assert_eq!(count(&model), (6, 7));
    proved(&model, &[Property::Deadlock, Property::Orphan, Property::Bounded]);
}

/// A failure that depends on a shared variable, and runs that stop there.
#[test]
fn failures_see_shared_variables() {
    let moves: Moves = |names, machine, local, store| match (machine.index(), local.at.as_str()) {
        (0, "s") => {
            let raised = names.store(&format!("{store}+"));
            if store.len() < 3 {
                vec![Move { store: Some(raised), ..internal(names.at("s")) }]
            } else {
                vec![]
            }
        }
        (1, "watch") if store == "++" => {
            vec![Move::plain(Effect::Fail { failure: 0.into() }, names.at("watch"))]
        }
        _ => vec![],
    };
    let model = script(moves, |_, _, _, _, _| Reception::Crash, &["s", "watch"], &[], "");
    let judged =
        judge(&model, &[Property::Assert, Property::Deadlock, Property::Stuck], 2).unwrap();
    assert_eq!(judged.counts, (4, 3));
    let words: Vec<&str> = judged.words.iter().map(|(_, word)| word.as_str()).collect();
    assert_eq!(words, ["violated in 3", "violated in 3", "violated in 3"]);
}

/// A rendezvous whose receiver has a guard, and one with a shared variable.
#[test]
fn a_rendezvous_needs_a_willing_receiver() {
    let kinds =
        [QueueKind { capacity: Capacity::Rendezvous, loss: Loss::Never }, QueueKind::UNBOUNDED];
    let moves: Moves = |names, machine, local, _| match (machine.index(), local.at.as_str()) {
        (0, "s") => vec![send(names, "a", Place::Back, "end")],
        (1, "r") => {
            let open = Guard::HoldsNot(QueueId::from_raw(1), Condition::Empty);
            vec![Move { guards: vec![open], ..listen(names) }]
        }
        (2, "w") => {
            let message = names.message("a");
            let effect = Effect::Send { queue: 1.into(), message, place: Place::Back };
            vec![Move::plain(effect, names.at("end"))]
        }
        _ => vec![],
    };
    let hears: Hears = |names, _, _, _, _| take(names, "end");
    let born = |_, _, _| unreachable!("nothing is created");
    let rules = Rules { moves, hears, born };
    let model = Script::new(rules, &["s", "r", "w"], &kinds, &["a"], "").model();
    assert_eq!(count(&model), (3, 2));
    let mut system = model.system();
    let open = follow(&mut system, &[0]);
    let event = system.successors(&open)[0].event;
    assert_eq!(event, Event::Handshake { queue: Q0, message: 0.into(), receiver: 1.into() });
    proved(&model, &[Property::Deadlock, Property::Stuck]);
}
