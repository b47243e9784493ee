//! Every answer about every small chart, beside the definition.

use crate::brute::Plain;
use crate::systems::{Machines, Rng};
use qp_charts::{Action, Chart, Conflicts, Delivery, EventId, MessageId, ProcessId};
use std::collections::BTreeMap;

const BOTH: [Delivery; 2] = [Delivery::PeerToPeer, Delivery::Mailbox];

/// All charts of up to seven events of random systems, with both disciplines.
fn each_chart_of_systems(mut look: impl FnMut(Delivery, &Chart)) -> usize {
    let mut rng = Rng(1);
    let mut count = 0;
    for _ in 0..200 {
        let machines = Machines::random(&mut rng);
        for delivery in BOTH {
            for chart in machines.charts(delivery, 7) {
                look(delivery, &chart);
                count += 1;
            }
        }
    }
    count
}

/// Charts in which processes may write to themselves. In half of them messages are received in any order, in the others
/// in that of their sends between each two processes.
fn each_wild_chart(count: usize, mut look: impl FnMut(&Chart)) {
    let mut rng = Rng(2);
    for _ in 0..count {
        let processes = 2 + rng.below(3);
        let mut chart = Chart::new(processes);
        let mut waiting = Vec::new();
        let orderly = rng.below(2) == 0;
        // Most sends come early and most receives late, so that many messages wait together.
        let events = rng.below(14);
        for event in 0..events {
            let often = if 2 * event < events { 1 } else { 7 };
            if !waiting.is_empty() && rng.below(8) < often {
                let mut chosen = rng.below(waiting.len());
                if orderly {
                    chosen = first_of_its_queue(&chart, &waiting, chosen);
                }
                chart.receive(waiting.remove(chosen));
            } else {
                let [from, to] = [(); 2].map(|()| ProcessId::new(rng.below(processes)));
                waiting.push(chart.send(from, to));
            }
        }
        look(&chart);
    }
}

fn first_of_its_queue(chart: &Chart, waiting: &[MessageId], chosen: usize) -> usize {
    let ends = |message: MessageId| (chart.messages()[message].from, chart.messages()[message].to);
    let same = waiting.iter().position(|message| ends(*message) == ends(waiting[chosen]));
    same.unwrap_or(chosen)
}

#[test]
fn charts_of_runs_are_accepted_and_mailboxes_are_told_from_pairs_of_queues() {
    let mut refused = 0;
    let count = each_chart_of_systems(|delivery, chart| {
        assert!(chart.allows(delivery), "{chart:?}");
        let mailbox = Plain::of(chart).has_run(Delivery::Mailbox);
        assert_eq!(chart.is_mailbox(), mailbox, "{chart:?}");
        refused += usize::from(!mailbox);
    });
    assert!(count >= 15_804, "only {count} charts");
    assert!(refused > 5, "only {refused} of them have no run with mailboxes");
}

#[test]
fn charts_of_runs_are_made_of_rounds_when_their_components_say_so() {
    let mut counts = [0_usize; 2];
    each_chart_of_systems(|_, chart| {
        let (plain, conflicts) = (Plain::of(chart), chart.conflicts());
        for k in 1..=3 {
            let expected = plain.is_made_of_rounds(k);
            assert_eq!(conflicts.is_synchronous(k), expected, "k = {k}: {chart:?}");
            counts[usize::from(expected)] += 1;
        }
    });
    assert!(counts[0] + counts[1] >= 3 * 15_804, "{counts:?}");
    assert!(counts[0] > 50, "{counts:?}");
}

#[test]
fn wild_charts_are_sorted_as_execution_sorts_them() {
    let mut counts = [0_usize; 3];
    each_wild_chart(20_000, |chart| {
        let plain = Plain::of(chart);
        let [pairs, mailbox] = BOTH.map(|delivery| plain.has_run(delivery));
        assert_eq!(chart.is_peer_to_peer(), pairs, "{chart:?}");
        assert_eq!(chart.is_mailbox(), mailbox, "{chart:?}");
        assert_eq!(plain.is_forced_in_a_circle(), !mailbox, "{chart:?}");
        counts[usize::from(pairs) + usize::from(mailbox)] += 1;
    });
    assert!(counts.iter().all(|count| *count > 100), "{counts:?}");
}

#[test]
fn wild_charts_are_made_of_rounds_when_their_components_say_so() {
    let mut counts = [0_usize; 2];
    each_wild_chart(10_000, |chart| {
        let (plain, conflicts) = (Plain::of(chart), chart.conflicts());
        for k in 1..=4 {
            let expected = plain.is_made_of_rounds(k);
            assert_eq!(conflicts.is_synchronous(k), expected, "k = {k}: {chart:?}");
            counts[usize::from(expected)] += 1;
        }
    });
    assert!(counts.iter().all(|count| *count > 1000), "{counts:?}");
}

#[test]
fn components_are_what_all_conflicts_make_them() {
    each_wild_chart(5_000, |chart| {
        let conflicts = chart.conflicts();
        let reach = closure(chart);
        for v in chart.messages().ids() {
            for w in chart.messages().ids() {
                let together =
                    v == w || (reach[v.index()][w.index()] && reach[w.index()][v.index()]);
                let same = conflicts.component_of(v) == conflicts.component_of(w);
                assert_eq!(same, together, "{v:?} {w:?} {chart:?}");
            }
        }
        let crossing = chart.all_conflicts().into_iter().find(|conflict| {
            conflict.to_string() == "RS"
                && conflicts.component_of(conflict.before) == conflicts.component_of(conflict.after)
        });
        assert_eq!(conflicts.crossing().is_some(), crossing.is_some(), "{chart:?}");
        if let Some(found) = conflicts.crossing() {
            assert!(chart.all_conflicts().contains(&found), "{found:?} {chart:?}");
        }
    });
}

fn closure(chart: &Chart) -> Vec<Vec<bool>> {
    let count = chart.messages().len();
    let mut reach = vec![vec![false; count]; count];
    for conflict in chart.all_conflicts() {
        reach[conflict.before.index()][conflict.after.index()] = true;
    }
    for middle in 0..count {
        for from in 0..count {
            for to in 0..count {
                reach[from][to] |= reach[from][middle] && reach[middle][to];
            }
        }
    }
    reach
}

#[test]
fn linearisations_are_runs_of_the_same_chart() {
    each_wild_chart(10_000, |chart| {
        for delivery in BOTH {
            let Some(order) = chart.linearisation(delivery) else { continue };
            let again = rebuild(chart, order.iter().map(|event| event.index()));
            assert_eq!(lines(&again), lines(chart), "{chart:?}");
            assert!(is_run(&again, delivery), "{order:?} {chart:?}");
        }
    });
}

#[test]
fn rounds_are_rounds_and_make_the_chart() {
    each_wild_chart(10_000, |chart| {
        let conflicts = chart.conflicts();
        let Some(rounds) = conflicts.rounds() else { return };
        let order = rounds.iter().flat_map(|round| &round.events).map(|event| event.index());
        assert_eq!(lines(&rebuild(chart, order)), lines(chart), "{chart:?}");
        for round in &rounds {
            let receives = round.events.iter().map(|event| chart.events()[*event].action);
            assert!(receives.is_sorted(), "sends come first: {round:?} {chart:?}");
        }
        assert_eq!(
            rounds.iter().map(|round| round.messages.len()).max().unwrap_or(0),
            least(&conflicts)
        );
    });
}

fn least(conflicts: &Conflicts<'_>) -> usize {
    conflicts.least().expect("it is made of rounds")
}

#[test]
fn pasts_are_the_least_prefixes() {
    each_wild_chart(2_000, |chart| {
        for event in chart.events().ids() {
            let past = chart.past(event);
            assert_eq!(past.last(), Some(&event));
            assert!(chart.prefix(&past).is_some(), "{event:?} {chart:?}");
            for left_out in &past[..past.len() - 1] {
                let less: Vec<_> = past.iter().copied().filter(|kept| kept != left_out).collect();
                assert!(chart.prefix(&less).is_none(), "{event:?} without {left_out:?} {chart:?}");
            }
        }
    });
}

/// Whoever follows all conflicts, or recurses, does not come to an end here.
#[test]
fn a_chart_of_a_hundred_thousand_messages_is_answered() {
    let [user, server] = [0, 1].map(ProcessId::new);
    let mut chart = Chart::new(2);
    let requests: Vec<MessageId> = (0..100_000).map(|_| chart.send(user, server)).collect();
    for request in requests {
        chart.receive(request);
    }
    let conflicts = chart.conflicts();
    assert_eq!(conflicts.least(), Some(1));
    assert_eq!(conflicts.rounds().map(|rounds| rounds.len()), Some(100_000));
    assert!(chart.is_mailbox() && chart.is_peer_to_peer());
    let last = EventId::new(chart.events().len() - 1);
    assert_eq!(chart.past(last).len(), 200_000);
}

/// The same events in another order; messages keep their numbers as labels.
fn rebuild(chart: &Chart, order: impl Iterator<Item = usize>) -> Chart {
    let mut again = Chart::new(chart.processes().count());
    let mut renamed = vec![None; chart.messages().len()];
    for index in order {
        let event = chart.events().as_slice()[index];
        let message = &chart.messages()[event.message];
        match event.action {
            Action::Send => {
                let label = event.message.raw();
                renamed[event.message.index()] =
                    Some(again.send_labelled(message.from, message.to, label));
            }
            Action::Receive => {
                let message = renamed[event.message.index()];
                again.receive(message.expect("a receive comes after its send"));
            }
        }
    }
    again
}

/// The lines, with messages named by their labels, or by their numbers if there are none.
fn lines(chart: &Chart) -> Vec<Vec<(Action, u32)>> {
    let labelled = chart.messages().iter().any(|message| message.label != 0);
    let name = |message: MessageId| {
        if labelled { chart.messages()[message].label } else { message.raw() }
    };
    let line = |process| {
        let events = chart.line(process).iter().map(|event| chart.events()[*event]);
        events.map(|event| (event.action, name(event.message))).collect()
    };
    chart.processes().map(line).collect()
}

/// Whether the order of building is a run with these queues.
fn is_run(chart: &Chart, delivery: Delivery) -> bool {
    let mut queues: BTreeMap<(usize, usize), Vec<MessageId>> = BTreeMap::new();
    chart.events().iter().all(|event| {
        let message = &chart.messages()[event.message];
        let from = match delivery {
            Delivery::PeerToPeer => message.from.index(),
            Delivery::Mailbox => 0,
        };
        let queue = queues.entry((from, message.to.index())).or_default();
        match event.action {
            Action::Send => queue.push(event.message),
            Action::Receive if queue.first() == Some(&event.message) => {
                queue.remove(0);
            }
            Action::Receive => return false,
        }
        true
    })
}
