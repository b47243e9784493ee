//! What statements do.

use std::collections::BTreeSet;

use qp_front_promela::NoFiles;
use qp_machines::{Config, Event, System};

use crate::{Channels, Options};

fn system(text: &str, options: Options) -> System {
    let read = qp_front_promela::Options::default();
    let spec = qp_front_promela::read("model.pml", text, &NoFiles, &read).spec;
    let (model, said) = crate::model(spec.expect("the text is right"), options);
    model.unwrap_or_else(|| panic!("{said:?}")).system()
}

/// The shared variables and contents of channels where nothing more can happen, and the failures.
fn ends(text: &str) -> BTreeSet<String> {
    ends_with(text, Options::default())
}

fn ends_with(text: &str, options: Options) -> BTreeSet<String> {
    let mut system = system(text, options);
    let first = system.initial();
    let (mut seen, mut todo) = (BTreeSet::from([first.clone()]), vec![first]);
    let mut ends = BTreeSet::new();
    while let Some(config) = todo.pop() {
        let outcomes = system.successors(&config);
        if outcomes.is_empty() {
            ends.insert(shown(&system, &config));
        }
        for outcome in outcomes {
            if let Event::Failed { failure } = outcome.event {
                let failure = system.program().failure(failure);
                ends.insert(format!("{} {}", failure.code, failure.text));
            } else if seen.insert(outcome.config.clone()) {
                assert!(seen.len() < 5000, "too much happens");
                todo.push(outcome.config);
            }
        }
    }
    ends
}

fn shown(system: &System, config: &Config) -> String {
    let store = system.store_text(config.store);
    let is_number = |word: &&str| !word.contains('#');
    let mut text = store.split(' ').filter(is_number).collect::<Vec<_>>().join(" ");
    for &word in &config.words {
        let messages = system.words().messages(word).into_iter();
        let messages: Vec<String> = messages.map(|m| system.program().message_text(m)).collect();
        text = format!("{text} [{}]", messages.join(" "));
    }
    if config.locals.is_empty() { text } else { format!("{text} waits") }
}

fn check(text: &str, expected: &[&str]) {
    let expected: BTreeSet<String> = expected.iter().map(|&it| it.to_owned()).collect();
    assert_eq!(ends(text), expected, "{text}");
}

#[test]
fn assignments_are_cut_to_the_type() {
    check("byte b; short s; init { b = 300; s = 40000 }", &["b=44 s=-25536"]);
}

#[test]
fn bits_in_arrays_are_bytes() {
    check("bit b; bit a[2]; init { b = 3; a[1] = 3 }", &["b=1 a=0,3"]);
}

#[test]
fn an_index_out_of_range_fails() {
    check("byte a[2]; byte i = 2; init { a[i] = 1 }", &["QP1012 2 is not an index of this array"]);
}

#[test]
fn a_division_by_zero_fails() {
    check("int x; init { x = 1 / x }", &["QP1015 a division by zero"]);
}

#[test]
fn the_right_side_of_and_is_not_looked_at_for_nothing() {
    check("int x; init { !(x != 0 && 1 / x > 0); x = 7 }", &["x=7"]);
}

#[test]
fn sorted_sends_compare_parts_from_left_to_right() {
    check("chan q = [3] of { byte, byte }; init { q!!2,1; q!!1,9; q!!2,0 }", &[" [1,9 2,0 2,1]"]);
}

#[test]
fn a_receive_assigns_from_left_to_right() {
    let text = "byte i; byte a[3]; chan q = [1] of { byte, byte }; init { q!2,7; q?i,a[i] }";
    check(text, &["i=2 a=0,0,7 []"]);
}

#[test]
fn only_the_first_message_is_received_unless_asked_otherwise() {
    check("chan q = [2] of { byte }; init { q!1; q!2; q?2 }", &[" [1 2] waits"]);
    check("chan q = [2] of { byte }; init { q!1; q!2; q??2 }", &[" [1]"]);
}

#[test]
fn a_copy_stays_in_the_channel() {
    check("byte x; chan q = [2] of { byte }; init { q!5; q?<x> }", &["x=5 [5]"]);
}

#[test]
fn symbolic_names_are_shown_in_messages() {
    check("mtype = { a, b }; chan q = [1] of { mtype, byte }; init { q!b(3) }", &[" [b,3]"]);
}

#[test]
fn else_is_taken_only_if_nothing_else_is_possible() {
    let text = "byte x; chan q = [1] of { byte };
        init { if :: q?x :: else -> x = 9 fi; q!4; if :: q?x :: else -> x = 8 fi }";
    check(text, &["x=4 []"]);
}

#[test]
fn timeout_waits_until_nothing_else_is_possible() {
    let text = "byte x; active proctype A() { timeout; x = x * 2 } active proctype B() { x = 5 }";
    check(text, &["x=10"]);
}

#[test]
fn questions_about_channels_can_stand_anywhere_in_a_condition() {
    let text = "byte x; chan q = [2] of { byte };
        init { q!1; q!2; x = (len(q) == 2 && q?[1] -> 3 : 4); full(q); x = x + (2 >= len(q)) }";
    check(text, &["x=4 [1 2]"]);
}

#[test]
fn processes_get_numbers_and_arguments() {
    let text = "byte x; proctype P(byte a; chan c) { c!a + _pid }
        init { chan c = [1] of { byte }; pid p; p = run P(40, c); c?x; x = x + p }";
    check(text, &["x=42"]);
}

#[test]
fn atomic_sequences_are_not_interrupted() {
    let text = "byte x; active [2] proctype P() { byte t; atomic { t = x; x = t + 1 } }";
    check(text, &["x=2"]);
    let text = "byte x; active [2] proctype P() { byte t; t = x; x = t + 1 }";
    check(text, &["x=1", "x=2"]);
}

#[test]
fn a_channel_that_nothing_was_assigned_to_fails() {
    check("chan c; init { c!1 }", &["QP1025 there is no channel here"]);
}

#[test]
fn channels_can_be_sent_and_used_by_who_gets_them() {
    let text = "chan a = [1] of { chan }; chan b = [1] of { byte };
        active proctype P() { a!b } active proctype Q() { chan c; a?c; c!7 }";
    check(text, &[" [] [7]"]);
}

#[test]
fn unbounded_channels_take_any_number_of_messages() {
    let text = "chan q = [1] of { byte }; init { q!1; q!2; q!3 }";
    check(text, &[" [1] waits"]);
    let unbounded =
        ends_with(text, Options { channels: Channels::Unbounded, ..Options::default() });
    assert_eq!(unbounded, BTreeSet::from([" [1 2 3]".to_owned()]));
}

#[test]
fn texts_name_states_messages_and_stores_completely() {
    let text = "mtype = { a, b }; byte g = 3; chan q = [2] of { mtype, chan };
        active proctype P() { byte x = 2; q!b(q); g = 1 }";
    let mut system = system(text, Options::default());
    let mut config = system.initial();
    for _ in 0..2 {
        config = system.successors(&config).remove(0).config;
        let machine = qp_machines::MachineId::new(0);
        let local = config.local(machine);
        let text = system.program().local_text(machine, local);
        assert_eq!(system.program_mut().local_from_text(machine, &text), Some(local));
        let text = system.store_text(config.store);
        assert_eq!(system.store_from_text(&text), Some(config.store));
        for message in system.words().messages(config.words[0]) {
            let text = system.program().message_text(message);
            assert_eq!(system.program_mut().message_from_text(&text), Some(message));
        }
    }
}

#[test]
fn more_than_255_processes_fail() {
    let text = "proctype Q() { false } init { do :: run Q() od }";
    check(text, &["QP1027 there are more than 255 processes or channels"]);
}

#[test]
fn channels_are_full_as_declared_or_never() {
    let text = "chan q = [1] of { byte }; byte x; init { q!1; if :: full(q) -> x = 1 :: nfull(q) -> x = 2 fi }";
    check(text, &["x=1 [1]"]);
    let unbounded =
        ends_with(text, Options { channels: Channels::Unbounded, ..Options::default() });
    assert_eq!(unbounded, BTreeSet::from(["x=2 [1]".to_owned()]));
}
