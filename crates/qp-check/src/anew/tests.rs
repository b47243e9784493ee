//! Rows that are widened, memories that forget, and threads: none of it makes a difference. What is true of small systems
//! is compared in `qp-testkit`.

use std::fmt::Write;

use qp_machines::{Model, Property};

use super::*;

/// Three who count to 40 and tell two others, one of whom never listens to the last one.
fn model() -> Model {
    let mut text = String::new();
    for machine in 0..3 {
        writeln!(text, "machine M{machine} {{ init S0: internal -> S1")
            .expect("a text takes everything");
        for state in 1..40 {
            let (message, next) = (state % 3, state + 1);
            writeln!(text, "S{state}: send A n{message} -> S{next}")
                .expect("a text takes everything");
        }
        text += "S40: }\n";
    }
    text += "machine A { init S: recv n0 -> S | recv n1 -> S | recv n2 -> T  T: recv n0 -> S | recv n1 -> S }\n";
    text += "bad all_done: M0 in S40, M1 in S40, M2 in S40;";
    let (model, said) = qp_load::load("m.cfsm", &text);
    let mut model = model.unwrap_or_else(|| panic!("{said:?}"));
    assert!(model.limit(3.into(), 2), "a queue can be limited");
    model
}

/// How many configurations there are, and what is true of them.
fn search(jobs: usize, size_max: usize) -> (u64, Vec<bool>) {
    let model = model();
    let mut system = model.system();
    let initial = system.initial();
    let mut anew = Anew::new(&mut system, &initial, jobs);
    anew.memo = Memo::new(size_max);
    anew.search(&mut system, u64::MAX);
    let end = std::mem::replace(&mut anew.end, Ok(()));
    assert!(matches!(end, Err(Refusal::Wrong(_))), "there are fewer");
    let asked = [
        Property::Assert,
        Property::Unhandled,
        Property::Deadlock,
        Property::Reach(0),
        Property::Stuck,
        Property::Orphan,
        Property::Length(3.into(), 1),
        Property::Length(3.into(), 2),
    ];
    let holds = |property: Property| anew.prove(&mut system, property).is_ok();
    let all = asked.map(holds).to_vec();
    (anew.set.len(), all)
}

#[test]
fn neither_threads_nor_what_is_forgotten_matter() {
    let expected = search(1, SIZE_MAX);
    assert!(expected.0 > 100_000, "{}", expected.0);
    assert_eq!(search(2, SIZE_MAX), expected);
    assert_eq!(search(5, SIZE_MAX), expected);
    assert_eq!(search(2, 20_000), expected);
}

#[test]
fn what_was_met_before_a_limit_counts() {
    let model = model();
    let mut system = model.system();
    let initial = system.initial();
    let mut anew = Anew::new(&mut system, &initial, 1);
    anew.search(&mut system, u64::MAX);
    anew.end = Err(Refusal::Exhausted(Exhausted::Time));
    let mut prove = |property| anew.prove(&mut system, property);
    for met in [Property::Unhandled, Property::Deadlock, Property::Length(3.into(), 1)] {
        assert!(matches!(prove(met), Err(Refusal::Wrong(_))), "{met:?}");
    }
    for open in [Property::Assert, Property::Stuck, Property::Orphan, Property::Bounded] {
        assert_eq!(prove(open), Err(Refusal::Exhausted(Exhausted::Time)), "{open:?}");
    }
}
