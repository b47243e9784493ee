//! Loops that can be taken once and not again.

use qp_check::Referee;
use qp_claim::{Claim, Shape, Trace};
use qp_machines::{Move, Place, Property, Reception, Step, Taken};
use qp_testkit::judge::{count, judge};
use qp_testkit::script::{Hears, Moves, Names, Q0, internal, listen, script, send, take};

/// `send 1, send 2, take 1, take 2, send 1, send 2` can be done once, but not again: the second time the
/// queue sorts 1 1 2 2, and behind 1 comes no 2. A loop test that forgets the sorting is wrong here.
#[test]
fn a_sorted_queue_is_not_pumped_by_words() {
    let moves: Moves = |names, _, local, _| match local.at.as_str() {
        "s0" => vec![send(names, "1", Place::Sorted, "s1")],
        "s1" => vec![send(names, "2", Place::Sorted, "s2")],
        "s2" | "s3" => vec![listen(names)],
        "s4" => vec![send(names, "1", Place::Sorted, "s5")],
        "s5" => vec![send(names, "2", Place::Sorted, "s0")],
        _ => vec![],
    };
    let hears: Hears = |names, local, _, _, message| match (local.at.as_str(), message) {
        ("s2", "1") => take(names, "s3"),
        ("s3", "2") => take(names, "s4"),
        _ => Reception::Refuse,
    };
    let model = script(moves, hears, &["s0"], &["1", "2"], "");
    assert_eq!(count(&model), (10, 9));
    let step = Step { machine: 0.into(), choice: 0 };
    let pump = Trace { steps: vec![step; 6], shape: Shape::Pump { from: 0, queue: Q0 } };
    let verdict = Referee::new(&model, 100).check(Property::Bounded, &Claim::Violated(pump));
    assert!(verdict.is_err(), "the referee accepted a pump that stops in its second turn");
    let judged = judge(&model, &[Property::Bounded], 6).unwrap();
    assert_eq!(judged.words[0].1, "proved");
    assert_eq!(judged.queues, ["proved 4"]);
}

/// The loop needs a holder that has to wait. In the second turn a message is there, so it does not wait.
#[test]
fn a_loop_that_interrupts_a_holder_is_not_repeated() {
    let moves: Moves = |names, machine, local, store| {
        let to = |names: &mut Names, store: &str| Some(names.store(store));
        match (machine.index(), local.at.as_str(), store) {
            (0, "h", "0" | "1") => vec![listen(names)],
            (0, "i", "3" | "init") => {
                let store = to(names, "0");
                vec![Move { store, hold: true, ..internal(names.at("h")) }]
            }
            (1, "a", "0") => {
                let store = to(names, "1");
                vec![Move { store, ..send(names, "x", Place::Back, "a") }]
            }
            (1, "a", "2") => {
                let store = to(names, "3");
                vec![Move { store, ..send(names, "x", Place::Back, "a") }]
            }
            _ => vec![],
        }
    };
    let hears: Hears = |names, _, store, _, _| {
        let (next, store) = if store == "1" { ("i", "2") } else { ("end", "0") };
        let store = Some(names.store(store));
        Reception::Take(vec![Taken { store, ..Taken::plain(names.at(next)) }])
    };
    let model = script(moves, hears, &["i", "a"], &["x"], "init");
    let step = |machine: usize| Step { machine: machine.into(), choice: 0 };
    let steps = vec![step(0), step(1), step(0), step(1), step(0)];
    let pump = Trace { steps, shape: Shape::Pump { from: 1, queue: Q0 } };
    let verdict = Referee::new(&model, 100).check(Property::Bounded, &Claim::Violated(pump));
    assert!(verdict.is_err(), "the referee accepted a pump that stops in its second turn");
    let judged = judge(&model, &[Property::Bounded], 4).unwrap();
    assert_eq!(judged.words[0].1, "proved");
}
