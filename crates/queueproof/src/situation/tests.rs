use qp_claim::Content;

use super::*;
use crate::load;

const FLOOD: &str = "
machine Sender { init S: send Receiver Prime -> S | send Receiver Done -> T  T: }
machine Receiver {
    init S: recv Prime -> S | recv Done -> Ignoring
    Ignoring: recv Done -> Ignoring
}";

/// Receiver is in Ignoring, and its queue holds these messages.
fn set(letters: &[u32]) -> ClosedSet {
    let content = |messages: &[u32]| Content { kind: 0, messages: Some(messages.to_vec()) };
    ClosedSet {
        locals: vec![vec!["T".to_owned()], vec!["Ignoring".to_owned()]],
        messages: vec!["Prime".to_owned(), "Done".to_owned()],
        contents: vec![content(&[]), content(letters)],
        stores: vec![String::new()],
        n_queues: 2,
        cells: vec![0, 0, 0, 1, 0, ABSENT],
    }
}

fn told(letters: &[u32], prefix: u32, counted: u32) -> SituationReport {
    let loaded = load("flood.cfsm", FLOOD.as_bytes()).expect("it is a model");
    let names = Names::of(loaded.model.outline());
    let closeness = Closeness { prefix, counted };
    let told = situation(&loaded, &names, Property::Unhandled, closeness, &set(letters));
    told.expect("the program knows it")
}

#[test]
fn it_says_what_is_wrong_and_with_whom() {
    let told = told(&[0, 1], 0, 0);
    let fault = "Receiver is in Ignoring and cannot receive Prime, the first message in its queue";
    assert_eq!(told.fault, fault);
    let machines: Vec<_> =
        told.machines.iter().map(|m| (m.name.as_str(), m.state.as_str(), m.at_fault)).collect();
    assert_eq!(machines, [("Sender", "T", false), ("Receiver", "Ignoring", true)]);
    assert_eq!(told.queues.len(), 1, "empty queues are left out");
    assert_eq!(told.queues[0].reader.as_deref(), Some("Receiver"));
    let line = words::in_the_way(&told, 8);
    assert_eq!(line, format!("in the way: {fault}; not reached up to queue length 8"));
}

#[test]
fn a_situation_in_which_nothing_is_wrong_yet_says_where_machines_are() {
    let line = |letters: &[u32]| words::in_the_way(&told(letters, 0, 0), 0);
    let expected = "in the way: Receiver is in Ignoring, queue Done (1+); not reached";
    assert_eq!(line(&[1]), expected);
    let expected =
        "in the way: Sender is in T, Receiver is in Ignoring; all queues are empty; not reached";
    assert_eq!(line(&[]), expected);
}

#[test]
fn messages_at_the_front_stand_alone_and_the_others_are_counted() {
    let content = |letters: &[u32], prefix, counted| {
        told(letters, prefix, counted).queues[0].content.join(" ")
    };
    assert_eq!(content(&[0, 1], 0, 0), "Prime (1+) Done (1+)");
    assert_eq!(content(&[0, 1], 1, 0), "Prime Done (1+)");
    assert_eq!(content(&[0, 1], 4, 0), "Prime Done");
    assert_eq!(content(&[0, 1, 0, 0], 0, 2), "Prime (3+) Done (1)");
}

#[test]
fn what_the_program_does_not_know_is_not_told() {
    let loaded = load("flood.cfsm", FLOOD.as_bytes()).expect("it is a model");
    let names = Names::of(loaded.model.outline());
    let closeness = Closeness { prefix: 0, counted: 0 };
    let tell = |set: &ClosedSet| situation(&loaded, &names, Property::Deadlock, closeness, set);
    let mut wrong = set(&[0]);
    wrong.messages[0] = "Other".to_owned();
    assert_eq!(tell(&wrong), None);
    let mut wrong = set(&[7]);
    assert_eq!(tell(&wrong), None);
    wrong.cells.clear();
    assert_eq!(tell(&wrong), None);
}
