//! Conditions that look at more of a content than what is told apart.

use qp_machines::{Condition, Guard, Model, Move, Place, Property, QueueId, Reception};
use qp_testkit::script::{Hears, Moves, Q0, listen, script, send, take};

use super::sets::{cfsm, lists, projected, verdict};

const COUNTS: &str = "a step counts messages that the set does not count";
const SORTED: &str = "a message is sorted into a queue of which only the front is known";

/// What the referee says of what is reachable with queues up to this bound.
fn said(model: &Model, precision: (u32, u32), bound: usize) -> Result<(), String> {
    let rows = projected(model, precision, bound);
    verdict(model, Property::Assert, &lists(&rows, precision, &[]))
}

/// `a`s are sent while there are fewer than three messages, and taken.
#[test]
fn a_condition_on_the_length_must_not_depend_on_what_is_not_told_apart() {
    let moves: Moves = |names, _, _, _| {
        let few = Guard::Holds(Q0, Condition::LengthBelow(3));
        vec![Move { guards: vec![few], ..send(names, "a", Place::Back, "s") }, listen(names)]
    };
    let hears: Hears = |names, _, _, _, _| take(names, "s");
    let model = script(moves, hears, &["s"], &["a"], "");
    for precision in [(3, 0), (4, 0), (2, 0), (0, 3), (0, 2), (1, 1)] {
        assert_eq!(said(&model, precision, 4), Ok(()), "{precision:?}");
    }
    for precision in [(0, 0), (1, 0), (0, 1)] {
        assert_eq!(said(&model, precision, 4), Err(COUNTS.to_owned()), "{precision:?}");
    }
}

/// Behind any number of `a`s, a `b` is sent while there are fewer than two. Only the `b`s have to be counted.
#[test]
fn a_condition_on_some_messages_is_not_about_others() {
    let moves: Moves = |names, _, local, _| {
        let (at, few) = (local.at.clone(), Guard::Holds(Q0, Condition::Fewer(1.into(), 2)));
        let b = Move { guards: vec![few], ..send(names, "b", Place::Back, &at) };
        match at.as_str() {
            "r" => vec![send(names, "a", Place::Back, "r"), send(names, "a", Place::Back, "s")],
            _ => vec![b],
        }
    };
    let hears: Hears = |names, _, _, ear, message| match (ear.raw(), message) {
        (1, "b") => take(names, "s"),
        _ => Reception::Skip,
    };
    let model = script(moves, hears, &["r"], &["a", "b"], "");
    for precision in [(0, 1), (0, 2)] {
        assert_eq!(said(&model, precision, 6), Ok(()), "{precision:?}");
    }
    for precision in [(0, 0), (1, 0), (2, 0)] {
        assert_eq!(said(&model, precision, 6), Err(COUNTS.to_owned()), "{precision:?}");
    }
}

#[test]
fn a_capacity_must_not_depend_on_what_is_not_told_apart() {
    let model = cfsm(
        "queue B 3;
         machine A { init S: send B a }
         machine B { init R: recv a }",
    );
    for precision in [(3, 0), (2, 0), (0, 2), (0, 3)] {
        assert_eq!(said(&model, precision, 3), Ok(()), "{precision:?}");
    }
    for precision in [(0, 0), (1, 0), (0, 1)] {
        assert_eq!(said(&model, precision, 3), Err(COUNTS.to_owned()), "{precision:?}");
    }
    let set = lists(&projected(&model, (3, 0), 3), (3, 0), &[]);
    let length = |n| verdict(&model, Property::Length(QueueId::from_raw(1), n), &set);
    assert_eq!(length(3), Ok(()));
    assert_eq!(length(2), Err("c1 may have more messages".to_owned()));
}

/// `2` and `1` are sent, and the queue sorts them.
#[test]
fn messages_are_sorted_only_into_what_is_told_apart() {
    let moves: Moves = |names, _, local, _| match local.at.as_str() {
        "s" => vec![send(names, "2", Place::Sorted, "t")],
        "t" => vec![send(names, "1", Place::Sorted, "end")],
        _ => vec![],
    };
    let hears: Hears = |_, _, _, _, _| Reception::Refuse;
    let model = script(moves, hears, &["s"], &["1", "2"], "");
    for (precision, expect) in
        [((2, 0), Ok(())), ((1, 0), Ok(())), ((0, 0), Err(SORTED)), ((0, 2), Err(SORTED))]
    {
        let expect = expect.map_err(str::to_owned);
        assert_eq!(said(&model, precision, 2), expect, "{precision:?}");
    }
    // The invariant is about the content in which the message was sorted in.
    let rows = projected(&model, (2, 0), 2);
    let with = |formula| verdict(&model, Property::Assert, &lists(&rows, (2, 0), &[(0, formula)]));
    assert_eq!(with("G(2 => !X 1)"), Ok(()));
    assert_eq!(with("G(1 => !X 2)"), Err("sending a message breaks an invariant".to_owned()));
}

/// Nothing but what the queue shows decides who goes on, so no message has to be counted.
#[test]
fn emptiness_and_readiness_need_no_numbers() {
    let moves: Moves = |names, _, local, _| {
        let empty = Guard::Holds(Q0, Condition::Empty);
        let ready = Guard::HoldsNot(Q0, Condition::Ready(0.into()));
        match local.at.as_str() {
            "s" => vec![
                Move { guards: vec![empty], ..send(names, "b", Place::Back, "s") },
                Move { guards: vec![ready], ..send(names, "a", Place::Back, "s") },
                send(names, "b", Place::Back, "s"),
                listen(names),
            ],
            _ => vec![],
        }
    };
    let hears: Hears = |names, _, _, _, message| match message {
        "a" => take(names, "s"),
        _ => Reception::Skip,
    };
    let model = script(moves, hears, &["s"], &["a", "b"], "");
    for precision in [(0, 0), (0, 1)] {
        let rows = projected(&model, precision, 5);
        let refusal = verdict(&model, Property::Assert, &lists(&rows, precision, &[]));
        assert!(!refusal.clone().is_err_and(|text| text == COUNTS), "{precision:?} {refusal:?}");
    }
}

/// What the interpreter does not know is not in any set.
#[test]
fn a_step_into_the_unknown_is_refused() {
    let moves: Moves = |names, _, _, _| {
        let effect = qp_machines::Effect::GiveUp { why: 0.into() };
        vec![Move::plain(effect, names.at("s"))]
    };
    let hears: Hears = |_, _, _, _, _| Reception::Refuse;
    let model = script(moves, hears, &["s"], &[], "");
    let refusal = said(&model, (1, 0), 1).unwrap_err();
    assert!(refusal.starts_with("nobody knows what"), "{refusal}");
}
