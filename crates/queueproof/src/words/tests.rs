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
    assert_eq!(nothing_up_to(Property::Sync, 3), "not shown for rounds of up to 3 sends");
    assert_eq!(nothing_up_to(Property::Sync, 0), "no size of rounds was tried completely");
}
