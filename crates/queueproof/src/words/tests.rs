use std::sync::Arc;

use qp_claim::{ClosedSet, ExchangeSet};
use qp_machines::MessageId;

use super::*;
use crate::load;

fn rounds(rounds: Rounds) -> Proof {
    Proof::Exchange(Arc::new(ExchangeSet { set: ClosedSet::default(), rounds }))
}

#[test]
fn a_proof_of_sync_names_the_size_of_rounds() {
    let two = rounds(Rounds::UpTo { sends: 2, books: Vec::new(), watches: Vec::new() });
    let text = "every run has the chart of rounds of at most k sends followed by their receives";
    let pairs = Outline { discipline: Discipline::PeerToPeer, ..Outline::default() };
    assert_eq!(proved(&pairs, Property::Sync, &two, false), format!("{text} (k = 2)"));
    let one = rounds(Rounds::Single(Vec::new()));
    assert_eq!(proved(&pairs, Property::Sync, &one, false), format!("{text} (k = 1)"));
    assert_eq!(proved(&pairs, Property::Deadlock, &one, false), "for every queue length");
    let weakly = "; weakly: with mailboxes the rounds one after the other need not be a run";
    let told = proved(&Outline::default(), Property::Sync, &one, false);
    assert_eq!(told, format!("{text} (k = 1){weakly}"));
}

#[test]
fn messages_that_cross_are_named() {
    let text = "machine A { init S: send B ask  -> T } machine B { init S: recv ask -> T }";
    let model = load("m.cfsm", text.replace("T }", "T  T: }").as_bytes()).expect("a model").model;
    let mut system = model.system();
    let config = system.initial();
    let names = Names::of_run(&system, &Run { initial: config.clone(), outcomes: Vec::new() });
    let (received, sent) = (MessageId::new(0), MessageId::new(0));
    let finding = Finding::Crosses { machine: MachineId::new(1), received, sent };
    let saying = moment(&system, &names, &config, finding);
    assert_eq!(saying.code, Code(1036));
    let expected = "ask and ask cross: B receives ask before it sends ask, and both depend on each other; \
                    they cannot be put into rounds of sends followed by their receives, however large";
    assert_eq!(saying.message, expected);
}

#[test]
fn an_unknown_about_rounds_speaks_of_rounds() {
    let nothing = |bound| nothing_up_to(Property::Sync, bound, &Outline::default());
    assert_eq!(nothing(3), "not shown for rounds of up to 3 sends");
    assert_eq!(nothing(0), "no size of rounds was tried completely");
}

#[test]
fn an_unknown_says_how_much_was_visited() {
    let visited = |states| Some(Explored { bound: 0, states, transitions: 0 });
    let told = |property, bound, states| {
        let reason = Reason::Budget { exhausted: Exhausted::States, bound, suspect: None };
        gist(property, &reason, visited(states), &Outline::default()).expect("it has one")
    };
    let many = 20_000_001;
    assert_eq!(
        told(Property::Deadlock, 0, many),
        "no violation in 20,000,001 configurations; there are more"
    );
    assert_eq!(
        told(Property::Deadlock, 3, many),
        "no violation in 20,000,001 configurations, all up to queue length 3"
    );
    assert_eq!(told(Property::Stuck, 0, 999), "open after 999 configurations; there are more");
}

#[test]
fn queue_lengths_are_told_only_where_queues_can_grow() {
    let mut outline = Outline::default();
    let nothing = |outline: &Outline| nothing_up_to(Property::Deadlock, 0, outline);
    outline.kinds.push(QueueKind { capacity: Capacity::Messages(2), ..QueueKind::UNBOUNDED });
    assert_eq!(nothing(&outline), "not everything was explored");
    outline.kinds.push(QueueKind::UNBOUNDED);
    assert_eq!(nothing(&outline), "no queue length was explored completely");
}
