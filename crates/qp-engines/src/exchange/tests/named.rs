//! Systems on which others were wrong, or could be.

use qp_claim::{Claim, Proof, Rounds};
use qp_machines::Property;

use super::deadlocks::claims;
use super::singles;
use super::synchronous::{explore, vectors};
use super::systems::{Plan, Queues};

/// The least number of messages a round that is shown to be enough.
fn least(plan: &Plan, queues: Queues) -> Option<u32> {
    match &claims(plan, queues, &[Property::Sync])[0] {
        Claim::Holds(Proof::Exchange(set)) => match set.rounds {
            Rounds::Single(_) => Some(1),
            Rounds::UpTo { sends, .. } => Some(sends),
        },
        _ => None,
    }
}

fn figure_eight() -> Plan {
    Plan::parse(
        &[
            ("e", 0, 1),
            ("a", 0, 2),
            ("c", 0, 3),
            ("b", 1, 2),
            ("d", 1, 3),
            ("f", 2, 1),
            ("g", 3, 1),
        ],
        &[
            &[(0, "!e", 1), (1, "!a", 2), (2, "!c", 3)],
            &[
                (0, "!b", 1),
                (1, "!d", 2),
                (2, "?e", 3),
                (3, "?f", 4),
                (3, "?g", 5),
                (4, "?g", 6),
                (5, "?f", 6),
            ],
            &[(0, "?a", 1), (1, "?b", 2), (2, "!f", 3)],
            &[(0, "?c", 1), (1, "?d", 2), (2, "!g", 3)],
        ],
    )
}

/// The published criterion stops at 4, where the error is not met.
#[test]
fn figure_eight_needs_five_messages_a_round() {
    let plan = figure_eight();
    for k in 1..=5 {
        let (world, (books, watches)) = explore(&plan, Queues::Mailboxes, k).expect("it is small");
        let error = vectors(&world, &books).iter().any(|locals| locals[1] == 6);
        assert_eq!((error, watches.found.is_empty()), (k == 5, k == 5), "{k}");
    }
    assert_eq!(least(&plan, Queues::Mailboxes), Some(5));
}

/// The published bookkeeping lets the second machine receive its message although another one is in its mailbox.
#[test]
fn rr_alarm_is_no_alarm() {
    let plan = Plan::parse(
        &[("v", 0, 1), ("m", 0, 2), ("n", 3, 2), ("o", 3, 1)],
        &[
            &[(0, "!v", 1), (1, "!m", 2)],
            &[(0, "?o", 1)],
            &[(0, "?m", 1), (1, "?n", 2)],
            &[(0, "!n", 1), (1, "!o", 2)],
        ],
    );
    let (world, (books, watches)) = explore(&plan, Queues::Mailboxes, 1).expect("it is small");
    assert!(watches.found.is_empty());
    let reached = vectors(&world, &books);
    assert!(!reached.contains(&vec![2, 1, 2, 2]));
    assert!(reached.contains(&vec![2, 0, 2, 2]));
}

#[test]
fn a_message_that_is_never_received_may_come_late() {
    let plan = Plan::parse(
        &[("v", 0, 2), ("c", 1, 0), ("m", 1, 2)],
        &[&[(0, "!v", 1), (1, "?c", 2)], &[(0, "!c", 1), (1, "!m", 2)], &[(0, "?m", 1)]],
    );
    let (_, (_, late)) = singles::explore(&plan, Queues::Mailboxes);
    assert!(late.is_some(), "no run receives each message at once or never");
    assert_eq!(least(&plan, Queues::Mailboxes), Some(1));
}

#[test]
fn a_consumer_that_leaves_messages_behind_takes_one_message_a_round() {
    let plan = Plan::parse(
        &[("a", 0, 1), ("c", 1, 0)],
        &[&[(0, "!a", 0)], &[(0, "?a", 1), (0, "!c", 2), (1, "?a", 1), (2, "?a", 2)]],
    );
    assert_eq!(least(&plan, Queues::Mailboxes), Some(1));
}

#[test]
fn two_machines_that_greet_each_other_need_two_messages_a_round() {
    let plan = Plan::parse(
        &[("a", 0, 1), ("b", 1, 0), ("c", 0, 1)],
        &[&[(0, "!a", 1), (1, "?b", 2), (2, "!c", 3)], &[(0, "!b", 1), (1, "?a", 2), (2, "?c", 3)]],
    );
    assert_eq!(least(&plan, Queues::Pairs), Some(2));
}

/// The first message arrives after the one that was sent because of the second.
#[test]
fn a_message_that_is_overtaken_fits_into_no_round() {
    let plan = Plan::parse(
        &[("a", 0, 1), ("b", 0, 2), ("c", 2, 1)],
        &[
            &[(0, "!a", 1), (1, "!b", 2)],
            &[(0, "?c", 1), (1, "?a", 2)],
            &[(0, "?b", 1), (1, "!c", 2)],
        ],
    );
    let claim = &claims(&plan, Queues::Pairs, &[Property::Sync])[0];
    assert!(matches!(claim, Claim::Violated(_)), "{claim:?}");
    assert_eq!(least(&plan, Queues::Mailboxes), Some(1), "a mailbox does not allow it");
}

/// What is first in a mailbox need not be first when every message is received at once.
#[test]
fn a_deadlock_may_need_another_order_than_rounds() {
    let plan = Plan::parse(
        &[("c", 0, 1), ("v", 0, 2), ("w", 1, 2)],
        &[&[(0, "!c", 1), (1, "!v", 2)], &[(0, "!w", 1), (1, "?c", 2)], &[(0, "?w", 1)]],
    );
    let (_, (_, late)) = singles::explore(&plan, Queues::Mailboxes);
    assert!(late.is_none());
    let claim = &claims(&plan, Queues::Mailboxes, &[Property::Deadlock])[0];
    assert!(matches!(claim, Claim::Violated(_)), "{claim:?}");
}
