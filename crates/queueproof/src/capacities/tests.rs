use super::*;
use crate::report::QueueReport;
use crate::{Channels, File, Switches, load_files};

/// What `bounds` says about room: name, never waits, no deadlock.
fn room(name: &str, text: &str, switches: &Switches) -> Vec<(String, Smallest, Smallest)> {
    let file = File { name: name.to_owned(), bytes: text.as_bytes().to_vec() };
    let loaded = load_files(name, &[file], switches).expect("it is a model");
    let options = Options { properties: vec!["bounded".to_owned()], jobs: 1, ..Options::default() };
    let budget = options.budget();
    let mut checked = check(&loaded, &options, &budget);
    measure_capacities(&loaded, &options, &budget, &mut checked);
    assert!(checked.errors.is_empty());
    let told = |queue: QueueReport| {
        let room = queue.capacities.expect("it was asked");
        (queue.name, room.never_waits, room.no_deadlock)
    };
    checked.report.queues.into_iter().map(told).collect()
}

/// A sends twice before it listens; B answers both at once.
const TWICE: &str = "queues channels; channel ask, back;
    machine A { init S: send ask m -> T  T: send ask m -> U  U: recv back r -> S }
    machine B { init S: recv ask m -> T  T: recv ask m -> U  U: send back r -> S }";

#[test]
fn what_never_waits_and_what_adds_no_deadlock_may_differ() {
    let found = room("m.cfsm", TWICE, &Switches::default());
    // The sender waits for the receiver, which does not wait for the sender.
    let ask = ("ask".to_owned(), Smallest::Capacity(2), Smallest::Capacity(1));
    let back = ("back".to_owned(), Smallest::Capacity(1), Smallest::Capacity(1));
    assert_eq!(found, [ask, back]);
}

/// Both send twice before they listen: with room for one they wait for each other.
const CROSSING: &str = "queues channels; channel ab, ba;
    machine A { init S: send ab m -> T  T: send ab m -> U  U: recv ba m -> V  V: recv ba m -> S }
    machine B { init S: send ba m -> T  T: send ba m -> U  U: recv ab m -> V  V: recv ab m -> S }";

#[test]
fn others_stay_as_they_are() {
    let found = room("m.cfsm", CROSSING, &Switches::default());
    // One of them may wait as long as the other has room.
    let needs = |name: &str| (name.to_owned(), Smallest::Capacity(4), Smallest::Capacity(1));
    assert_eq!(found, [needs("ab"), needs("ba")]);
}

/// What all queues can have at once; nothing if that is not known.
fn together(text: &str) -> Option<Vec<(String, u32)>> {
    let file = File { name: "m.cfsm".to_owned(), bytes: text.as_bytes().to_vec() };
    let loaded = load_files("m.cfsm", &[file], &Switches::default()).expect("it is a model");
    let options = Options { properties: vec!["bounded".to_owned()], jobs: 1, ..Options::default() };
    let budget = options.budget();
    let mut checked = check(&loaded, &options, &budget);
    measure_capacities(&loaded, &options, &budget, &mut checked);
    checked.report.together.and_then(|joint| joint.capacities)
}

fn capacities(all: &[(&str, u32)]) -> Vec<(String, u32)> {
    all.iter().map(|&(name, capacity)| (name.to_owned(), capacity)).collect()
}

#[test]
fn what_does_alone_may_not_do_together() {
    assert_eq!(together(CROSSING), Some(capacities(&[("ab", 1), ("ba", 2)])));
    // Here it does.
    assert_eq!(together(TWICE), Some(capacities(&[("ask", 1), ("back", 1)])));
}

/// In a ring everybody sends `n` messages before it listens: somebody needs room for all of them.
#[test]
fn three_in_a_ring_need_one_queue_with_room() {
    let text = "queues channels; channel p, q, r;
        machine A { init S: send p m -> T  T: send p m -> U  U: recv r m -> V  V: recv r m -> End  End: }
        machine B { init S: send q m -> T  T: send q m -> U  U: recv p m -> V  V: recv p m -> End  End: }
        machine C { init S: send r m -> T  T: send r m -> U  U: recv q m -> V  V: recv q m -> End  End: }";
    assert_eq!(together(text), Some(capacities(&[("p", 1), ("q", 1), ("r", 2)])));
}

#[test]
fn queues_that_grow_can_be_given_room_together() {
    let text = "machine A { init S: send B m  | send C m }  machine B { init S: recv m }  machine C { init S: recv m }";
    assert_eq!(together(text), Some(capacities(&[("B", 1), ("C", 1)])));
}

#[test]
fn nothing_is_said_together_where_there_is_a_deadlock_anyway() {
    let text = "machine A { init S: send B m -> T  T: recv r -> S }  machine B { init S: recv m -> T  T: recv m -> S }";
    assert_eq!(together(text), None);
}

#[test]
fn waiting_for_room_for_ever_is_a_deadlock() {
    let text = "queues channels; channel q, r;
        machine A { init S: send q m -> T  T: send q m -> U  U: send r go -> End  End: }
        machine B { init S: recv r go -> T  T: recv q m -> U  U: recv q m -> End  End: }";
    let found = room("m.cfsm", text, &Switches::default());
    assert_eq!(found[0], ("q".to_owned(), Smallest::Capacity(2), Smallest::Capacity(2)));
}

#[test]
fn a_model_that_deadlocks_does_so_anyway() {
    let text = "machine A { init S: send B m -> T  T: recv r -> S }  machine B { init S: recv m -> T  T: recv m -> S }";
    let found = room("m.cfsm", text, &Switches::default());
    assert_eq!(found[1], ("B".to_owned(), Smallest::Capacity(1), Smallest::DeadlocksAnyway));
}

#[test]
fn a_queue_that_grows_may_have_a_capacity_that_only_slows_down() {
    let text = "machine A { init S: send B m }  machine B { init S: recv m }";
    let found = room("m.cfsm", text, &Switches::default());
    assert_eq!(found, [("B".to_owned(), Smallest::NoCapacity, Smallest::Capacity(1))]);
}

#[test]
fn channels_of_promela_models_are_tried_without_their_declarations() {
    let text = "chan q = [7] of { byte }; chan r = [1] of { bit };
        active proctype A() { q!1; q!2; q!3; r!1 }
        active proctype B() { r?1; q?1; q?2; q?3 }";
    let switches = Switches { channels: Some(Channels::Unbounded), ..Switches::default() };
    let found = room("m.pml", text, &switches);
    assert_eq!(found[0], ("q".to_owned(), Smallest::Capacity(3), Smallest::Capacity(3)));
    assert_eq!(found[1], ("r".to_owned(), Smallest::Capacity(1), Smallest::Capacity(1)));
}

#[test]
fn a_declared_capacity_that_is_met_is_looked_behind() {
    let text = "chan q = [1] of { byte };
        active proctype A() { q!1; q!2; q!3 }
        active proctype B() { q?1; q?2; q?3 }";
    let found = room("m.pml", text, &Switches::default());
    assert_eq!(found, [("q".to_owned(), Smallest::Capacity(3), Smallest::Capacity(1))]);
}

#[test]
fn mailboxes_that_are_created_later_are_tried_too() {
    let text = "event ping; event go;
        machine Main { var w: machine;
            start state S { entry { w = new Worker(); send w, ping; send w, ping; send w, go; } } }
        machine Worker { start state S { defer ping; on go goto T; } state T { ignore ping; } }
        test tc [main=Main]: { Main, Worker };";
    let found = room("m.p", text, &Switches::default());
    let worker = found.into_iter().find(|(name, _, _)| name == "Worker(1)");
    assert_eq!(worker.map(|it| (it.1, it.2)), Some((Smallest::Capacity(3), Smallest::Capacity(3))));
}

#[test]
fn what_given_capacities_change_is_told() {
    let load = |capacities: &[(&str, u32)]| {
        let capacities = capacities.iter().map(|&(name, n)| (name.to_owned(), n)).collect();
        let file = File { name: "m.cfsm".to_owned(), bytes: CROSSING.as_bytes().to_vec() };
        let switches = Switches { capacities, ..Switches::default() };
        load_files("m.cfsm", &[file], &switches).expect("it is a model")
    };
    let changes = |capacities: &[(&str, u32)]| {
        let (before, after) = (load(&[]), load(capacities));
        let properties = ["bounded", "deadlock"].map(str::to_owned).to_vec();
        let options = Options { properties, jobs: 1, ..Options::default() };
        let budget = options.budget();
        let mut checked = check(&after, &options, &budget);
        compare_capacities(&before, &after, &options, &budget, &mut checked);
        let changes = checked.report.changes.expect("it was asked");
        let waits: Vec<Option<bool>> = changes.sets.iter().map(|set| set.waits).collect();
        (waits, changes.deadlock_before, changes.deadlock_after)
    };
    let proved = VerdictWord::Proved;
    assert_eq!(changes(&[("ab", 4)]), (vec![Some(false)], proved, proved));
    assert_eq!(changes(&[("ab", 1)]), (vec![Some(true)], proved, proved));
    let both = changes(&[("ab", 1), ("ba", 1)]);
    assert_eq!(both, (vec![Some(true), Some(true)], proved, VerdictWord::Violated));
}
