//! Small sets whose truth one can see.

use qp_claim::{Proof, model_hash, read_certificate};
use qp_machines::{Model, Property, QueueId};

use super::sets::{Row, cfsm, lists, projected, row, verdict};

/// One `a`, then `b`s without end.
fn flood() -> Model {
    cfsm(
        "machine Sender { init S: send Receiver a -> T  T: send Receiver b }
          machine Receiver { init R: recv a -> Q  Q: recv b }
          bad late: queue Receiver matches .* b .* a .*;
          bad b_first: Receiver in R, queue Receiver matches b .*;
          bad two_b: Receiver in Q, queue Receiver matches b b .*;",
    )
}

const A: QueueId = QueueId::from_raw(0);
const B: QueueId = QueueId::from_raw(1);

/// What is reachable, with one message told apart.
fn one_told_apart() -> Vec<Row> {
    vec![
        row("S R", &["", ""]),
        row("T R", &["", "a"]),
        row("T R", &["", "a b"]),
        row("T Q", &["", ""]),
        row("T Q", &["", "b"]),
        row("T Q", &["", "b b"]),
    ]
}

/// What is reachable, with no message told apart.
fn none_told_apart() -> Vec<Row> {
    vec![
        row("S R", &["", ""]),
        row("T R", &["", "a"]),
        row("T R", &["", "a b"]),
        row("T Q", &["", ""]),
        row("T Q", &["", "b"]),
    ]
}

fn refused(rows: &[Row], precision: (u32, u32), invariants: &[(u32, &str)]) -> String {
    verdict(&flood(), Property::Deadlock, &lists(rows, precision, invariants))
        .expect_err("something is left out")
}

const LEADS_OUT: &str = "the set is not closed: Step { machine: m1, choice: ";
const BREAKS: &str = "sending a message breaks an invariant";

#[test]
fn a_closed_set_of_lists_proves_what_its_rows_show() {
    let set = lists(&one_told_apart(), (1, 0), &[]);
    let verdict = |property| verdict(&flood(), property, &set);
    assert_eq!(verdict(Property::Unhandled), Ok(()));
    assert_eq!(verdict(Property::Deadlock), Ok(()));
    assert_eq!(verdict(Property::Assert), Ok(()));
    assert_eq!(verdict(Property::Length(A, 0)), Ok(()));
    assert_eq!(verdict(Property::Reach(1)), Ok(()));
}

#[test]
fn it_does_not_prove_what_is_false() {
    let set = lists(&one_told_apart(), (1, 0), &[]);
    let refusal = |property| verdict(&flood(), property, &set).unwrap_err();
    assert_eq!(refusal(Property::Bounded), "c1 may have more messages");
    assert_eq!(refusal(Property::Length(B, 9)), "c1 may have more messages");
    assert_eq!(refusal(Property::Reach(2)), "the set has a fault: bad situation 2");
}

#[test]
fn it_says_nothing_about_what_can_still_happen() {
    let set = lists(&one_told_apart(), (1, 0), &[]);
    for property in [Property::Stuck, Property::Orphan, Property::Livelock, Property::Sync] {
        let refusal = verdict(&flood(), property, &set).unwrap_err();
        assert_eq!(refusal, "a set of lists does not prove this property");
    }
}

#[test]
fn no_row_can_be_left_out() {
    for left_out in 0..6 {
        let mut rows = one_told_apart();
        rows.remove(left_out);
        let refusal = refused(&rows, (1, 0), &[]);
        let expect = ["the set does not contain the beginning", "the set is not closed: "];
        assert!(refusal.starts_with(expect[left_out.min(1)]), "{left_out}: {refusal}");
    }
}

#[test]
fn a_set_is_for_one_precision_only() {
    assert_eq!(refused(&one_told_apart(), (0, 0), &[]), "two contents of the set look alike");
    for precision in [(2, 0), (1, 1)] {
        let refusal = refused(&one_told_apart(), precision, &[]);
        assert!(refusal.starts_with("the set is not closed: "), "{precision:?}: {refusal}");
    }
}

/// Without it, a second `a` might follow the one that is taken.
#[test]
fn an_invariant_is_used_and_needed() {
    let (rows, model) = (none_told_apart(), flood());
    let set = lists(&rows, (0, 0), &[(1, "#a <= 1")]);
    assert_eq!(verdict(&model, Property::Unhandled, &set), Ok(()));
    assert!(refused(&rows, (0, 0), &[]).starts_with(LEADS_OUT));
    let about_another = [(0, "#a <= 1")];
    assert!(refused(&rows, (0, 0), &about_another).starts_with("the set is not closed"));
    assert!(refused(&rows, (0, 0), &[(1, "#a <= 2")]).starts_with("the set is not closed"));
}

#[test]
fn two_invariants_of_one_queue_hold_together() {
    let rows = none_told_apart();
    let both = [(1, "G(b => G !a)"), (1, "G(a => !X F a)")];
    assert_eq!(verdict(&flood(), Property::Unhandled, &lists(&rows, (0, 0), &both)), Ok(()));
    assert!(refused(&rows, (0, 0), &both[..1]).starts_with("the set is not closed"));
}

/// The patterns are matched only by contents that satisfy the invariants.
#[test]
fn an_invariant_helps_against_a_pattern() {
    let rows = none_told_apart();
    let verdict = |invariant, property| {
        verdict(&flood(), property, &lists(&rows, (0, 0), &[(1, "#a <= 1"), (1, invariant)]))
    };
    assert_eq!(verdict("G(b => G !a)", Property::Reach(0)), Ok(()));
    let fault = "the set has a fault: bad situation 2".to_owned();
    assert_eq!(verdict("G(b => G !a)", Property::Reach(2)), Err(fault));
}

#[test]
fn an_invariant_that_a_send_breaks_is_refused() {
    let refusal = refused(&none_told_apart(), (0, 0), &[(1, "#a <= 1"), (1, "#b <= 1")]);
    assert_eq!(refusal, BREAKS);
}

#[test]
fn an_invariant_that_a_send_breaks_at_once_is_refused() {
    let refusal = refused(&one_told_apart(), (1, 0), &[(1, "#a = 0")]);
    assert_eq!(refusal, BREAKS);
}

#[test]
fn an_invariant_that_taking_breaks_is_refused() {
    // The rows in which `b` is sent without an `a` come after the one in which `a` is taken.
    let refusal = refused(&none_told_apart(), (0, 0), &[(1, "#a <= 1"), (1, "F b => F a")]);
    assert_eq!(refusal, "taking a message breaks an invariant");
}

#[test]
fn an_invariant_that_is_false_of_the_empty_queue_is_refused() {
    for formula in ["F a", "X true", "#a > 0", "false"] {
        let refusal = refused(&one_told_apart(), (1, 0), &[(0, formula)]);
        assert_eq!(refusal, "an invariant is not true of the empty queue", "{formula}");
    }
}

/// `X a` is false of the empty queue, so `!X a` is true: it discards no row of a machine whose queue
/// is empty.
#[test]
fn not_next_is_true_of_the_empty_queue() {
    let invariant = [(0, "!X a")];
    let rows = one_told_apart();
    assert_eq!(verdict(&flood(), Property::Unhandled, &lists(&rows, (1, 0), &invariant)), Ok(()));
    for left_out in 0..6 {
        let mut rows = one_told_apart();
        rows.remove(left_out);
        let refusal = refused(&rows, (1, 0), &invariant);
        assert!(!refusal.contains("invariant"), "{left_out}: {refusal}");
    }
}

/// A row that stands for nothing may be there, and does no harm.
#[test]
fn a_row_that_no_configuration_looks_like_is_not_followed() {
    let mut rows = none_told_apart();
    rows.push(row("S R", &["", "b a"]));
    let set = |invariants| lists(&rows, (0, 0), invariants);
    let invariants = [(1, "#a <= 1"), (1, "G(b => G !a)")];
    assert_eq!(verdict(&flood(), Property::Unhandled, &set(&invariants)), Ok(()));
    assert_eq!(refused(&rows, (0, 0), &invariants[..1]), BREAKS);
}

/// What is told apart may be written in any way that looks right, but only in one.
#[test]
fn a_content_stands_for_all_that_look_alike() {
    let mut rows = one_told_apart();
    rows[2] = row("T R", &["", "a b b b"]);
    assert_eq!(verdict(&flood(), Property::Unhandled, &lists(&rows, (1, 0), &[])), Ok(()));
    rows.push(row("T R", &["", "a b"]));
    assert_eq!(refused(&rows, (1, 0), &[]), "two contents of the set look alike");
}

/// Contents with one `a` or more look alike, and an invariant says that there is only one.
#[test]
fn invariants_bound_a_queue() {
    let model = cfsm(
        "machine A { init S: send B a -> recv k -> S }
         machine B { init R: recv a -> send A k -> R }",
    );
    let rows = projected(&model, (0, 0), 2);
    let set = lists(&rows, (0, 0), &[(0, "#k <= 1"), (1, "#a <= 1")]);
    for property in [Property::Length(A, 1), Property::Length(B, 1), Property::Bounded] {
        assert_eq!(verdict(&model, property, &set), Ok(()), "{property:?}");
    }
    let refusal = verdict(&model, Property::Length(B, 0), &set).unwrap_err();
    assert_eq!(refusal, "c1 may have more messages");
    // That each of two kinds comes once allows two messages.
    let both = [("S R", ["", ""]), ("T R", ["", "a"]), ("U R", ["", "a b"])];
    let both: Vec<Row> = both.iter().map(|(controls, contents)| row(controls, contents)).collect();
    let model =
        cfsm("machine A { init S: send B a -> T  T: send B b -> U  U: }  machine B { init R: }");
    let set = lists(&both, (0, 0), &[(1, "#a <= 1"), (1, "#b <= 1")]);
    assert_eq!(verdict(&model, Property::Length(B, 2), &set), Ok(()));
    assert!(verdict(&model, Property::Length(B, 1), &set).is_err());
}

/// The bounds 0 and 1 show nothing new, and bound 2 does.
#[test]
fn two_sends_are_not_missed() {
    let model = cfsm(
        "machine A { init S: send B a -> send B a -> T  T: }
                      machine B { init R: recv a -> recv a -> Bad  bad Bad: }",
    );
    let reach = Property::Reach(0);
    let begin = row("S R", &["", ""]);
    let first = [begin.clone(), row("S/1 R", &["", "a"]), row("S/1 R/1", &["", ""])];
    assert!(verdict(&model, reach, &lists(&[begin], (0, 0), &[])).is_err());
    let refusal = verdict(&model, reach, &lists(&first, (0, 0), &[])).unwrap_err();
    assert!(refusal.starts_with("the set is not closed"), "{refusal}");
    for precision in [(0, 0), (1, 0), (2, 0), (0, 1), (0, 2)] {
        let all = projected(&model, precision, 2);
        assert!(verdict(&model, reach, &lists(&all, precision, &[])).is_err(), "{precision:?}");
    }
    // Told apart completely, everything is there: it is the fault that is seen.
    let all = projected(&model, (2, 0), 2);
    let set = lists(&all, (2, 0), &[]);
    assert_eq!(verdict(&model, Property::Length(B, 2), &set), Ok(()));
    assert_eq!(verdict(&model, Property::Bounded, &set), Ok(()));
    let refusal = verdict(&model, Property::Length(B, 1), &set).unwrap_err();
    assert_eq!(refusal, "c1 may have more messages");
}

/// The numbers of lists at the bounds 0, 1, 2, ... are 1, 2, 3, 8, 8, 11: two bounds that agree show
/// nothing.
#[test]
fn a_plateau_is_no_proof() {
    let model = cfsm(
        "machine M {
            init S0: send M b -> S2
            S2: recv b -> S0 | send M c -> S0 | recv c -> S1
            S1: defer c | send M b | recv b
        }",
    );
    let at = |bound| projected(&model, (0, 0), bound);
    assert_eq!([0, 1, 2, 3, 4, 5].map(|bound| at(bound).len()), [1, 2, 3, 8, 8, 11]);
    for bound in [3, 4] {
        let refusal = verdict(&model, Property::Assert, &lists(&at(bound), (0, 0), &[]));
        assert!(refusal.unwrap_err().starts_with("the set is not closed"), "{bound}");
    }
}

/// The example of the paper: three Primes and a Done, then Pings. With the invariant that no Prime follows a
/// Ping, nothing is needed but what is reachable.
#[test]
fn ping_flood_is_proved_with_invariants() {
    let text = include_str!("../../../../../corpus/cfsm/ping_flood.cfsm");
    let model = cfsm(text);
    let rows = projected(&model, (0, 0), 7);
    let invariants =
        [(1, "G(Done => X G !Done)"), (1, "G(Done => G !Prime)"), (1, "G(Ping => G !Prime)")];
    let set = lists(&rows, (0, 0), &invariants);
    for property in
        [Property::Unhandled, Property::Deadlock, Property::Reach(0), Property::Reach(1)]
    {
        assert_eq!(verdict(&model, property, &set), Ok(()), "{property:?}");
    }
    let without = lists(&rows, (0, 0), &[]);
    assert!(verdict(&model, Property::Unhandled, &without).is_err());
}

/// The example of the manual is a certificate of the model beside it.
#[test]
fn the_example_of_the_manual_is_accepted() {
    let page = include_str!("../../../../../docs/manual/certificates.md");
    let section = page.split("### Sets of lists").nth(1).expect("the page has the section");
    let block = |language: &str| {
        let rest = section.split(&format!("```{language}\n")).nth(1).expect("it has an example");
        rest.split("```").next().expect("a text has a beginning")
    };
    let (model, file) = (cfsm(block("text")), read_certificate(block("json")).unwrap());
    assert_eq!(file.hash, model_hash(block("text")));
    let Proof::Lists(set) = file.proof else { panic!("it is of another kind") };
    assert_eq!(*set, lists(&none_told_apart(), (0, 0), &[(1, "#a <= 1")]));
    for id in file.properties {
        let property = Property::from_id(&id, model.outline()).expect("the model has it");
        assert_eq!(verdict(&model, property, &set), Ok(()), "{id}");
    }
}
