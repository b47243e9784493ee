//! Every answer about every small chart, beside the definition.

use crate::brute::{Delivery, Plain, all_conflicts, least};
use crate::systems::{Machines, Rng};
use qp_charts::{Action, Chart, MessageId, ProcessId};

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
fn charts_of_runs_are_made_of_rounds_when_their_components_say_so() {
    let mut counts = [0_usize; 2];
    each_chart_of_systems(|_, chart| {
        let (plain, conflicts) = (Plain::of(chart), chart.conflicts());
        for k in 1..=3 {
            let expected = plain.is_made_of_rounds(k);
            assert_eq!(least(&conflicts).is_some_and(|it| it <= k), expected, "k = {k}: {chart:?}");
            counts[usize::from(expected)] += 1;
        }
    });
    assert!(counts[0] + counts[1] >= 3 * 15_804, "{counts:?}");
    assert!(counts[0] > 50, "{counts:?}");
}

#[test]
fn wild_charts_are_made_of_rounds_when_their_components_say_so() {
    let mut counts = [0_usize; 2];
    each_wild_chart(10_000, |chart| {
        let (plain, conflicts) = (Plain::of(chart), chart.conflicts());
        for k in 1..=4 {
            let expected = plain.is_made_of_rounds(k);
            assert_eq!(least(&conflicts).is_some_and(|it| it <= k), expected, "k = {k}: {chart:?}");
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
        let crossing = all_conflicts(chart).into_iter().find(|conflict| {
            (conflict.first, conflict.second) == (Action::Receive, Action::Send)
                && conflicts.component_of(conflict.before) == conflicts.component_of(conflict.after)
        });
        assert_eq!(conflicts.crossing().is_some(), crossing.is_some(), "{chart:?}");
        if let Some(found) = conflicts.crossing() {
            assert!(all_conflicts(chart).contains(&found), "{found:?} {chart:?}");
        }
    });
}

fn closure(chart: &Chart) -> Vec<Vec<bool>> {
    let count = chart.messages().len();
    let mut reach = vec![vec![false; count]; count];
    for conflict in all_conflicts(chart) {
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
    assert_eq!(least(&conflicts), Some(1));
    assert_eq!(conflicts.components().len(), 100_000);
}
