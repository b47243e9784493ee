//! Charts on which published definitions went wrong.

use crate::brute::Plain;
use qp_charts::{Chart, Delivery, EventId, ProcessId};

fn chart<const N: usize>(ends: [(usize, usize); N], receives: &[usize]) -> Chart {
    let processes = 1 + ends.iter().flat_map(|(from, to)| [*from, *to]).max().unwrap_or(0);
    let mut chart = Chart::new(processes);
    let messages = ends.map(|(from, to)| chart.send(ProcessId::new(from), ProcessId::new(to)));
    for message in receives {
        chart.receive(messages[*message]);
    }
    chart
}

/// Messages e: 0 to 1, a: 0 to 2, c: 0 to 3, b: 1 to 2, d: 1 to 3.
fn figure_eight() -> Chart {
    chart([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3)], &[0, 1, 3, 2, 4])
}

#[test]
fn the_figure_eight_is_one_component_of_five_messages() {
    let chart = figure_eight();
    let conflicts = chart.conflicts();
    assert!(chart.is_mailbox());
    assert_eq!(conflicts.components().len(), 1);
    assert_eq!(conflicts.least(), Some(5));
    assert_eq!([3, 4, 5].map(|k| conflicts.is_synchronous(k)), [false, false, true]);
    assert_eq!([3, 4, 5].map(|k| Plain::of(&chart).is_made_of_rounds(k)), [false, false, true]);
}

#[test]
fn no_cycle_of_the_figure_eight_has_five_messages() {
    let chart = figure_eight();
    let edges: Vec<(usize, usize)> = chart
        .all_conflicts()
        .iter()
        .map(|conflict| (conflict.before.index(), conflict.after.index()))
        .collect();
    assert_eq!(longest_cycle(&edges, 5), 4);
}

/// The length of the longest cycle that meets no node twice.
fn longest_cycle(edges: &[(usize, usize)], nodes: usize) -> usize {
    fn walk(edges: &[(usize, usize)], path: &mut Vec<usize>) -> usize {
        let (first, last) = (path[0], path[path.len() - 1]);
        let mut longest = 0;
        for (_, to) in edges.iter().filter(|(from, _)| *from == last) {
            if *to == first {
                longest = longest.max(path.len());
            } else if !path.contains(to) {
                path.push(*to);
                longest = longest.max(walk(edges, path));
                path.pop();
            }
        }
        longest
    }
    (0..nodes).map(|node| walk(edges, &mut vec![node])).max().unwrap_or(0)
}

#[test]
fn the_figure_eight_goes_on_in_rounds_of_one() {
    let mut chart = figure_eight();
    let [to, left, right] = [1, 2, 3].map(ProcessId::new);
    for from in [left, right] {
        let message = chart.send(from, to);
        chart.receive(message);
    }
    let conflicts = chart.conflicts();
    let rounds = conflicts.rounds().expect("it is made of rounds");
    assert_eq!(rounds.iter().map(|round| round.messages.len()).collect::<Vec<_>>(), [5, 1, 1]);
}

/// Messages a: 0 to 2, b: 0 to 3, c: 1 to 3, d: 1 to 2; 2 receives d then a, 3 receives b then c. Causality alone
/// forbids nothing, but d, a, b, c and d again would have to come one after the other.
#[test]
fn four_messages_that_causality_allows_and_mailboxes_do_not() {
    let chart = chart([(0, 2), (0, 3), (1, 3), (1, 2)], &[3, 0, 1, 2]);
    assert!(chart.is_peer_to_peer());
    assert!(!chart.is_mailbox());
    assert!(!Plain::of(&chart).has_run(Delivery::Mailbox));
    assert_eq!(chart.linearisation(Delivery::Mailbox), None);
}

/// Messages v: 0 to 1, m2: 0 to 2, m3: 3 to 2, m4: 3 to 1; 1 receives m4 only. v is sent before m4, for certain.
#[test]
fn the_alarm_of_two_receives_is_no_chart_of_mailboxes() {
    let chart = chart([(0, 1), (0, 2), (3, 2), (3, 1)], &[1, 2, 3]);
    assert!(chart.is_peer_to_peer());
    assert!(!chart.is_mailbox());
    assert!(!Plain::of(&chart).has_run(Delivery::Mailbox));
}

/// P0: !v ?c; P1: !c !m; P2: ?m, with v to 2 never received: rounds of one message, but no run with mailboxes in
/// which each receive follows its send at once.
#[test]
fn rounds_of_one_need_not_be_a_run() {
    let [zero, one, two] = [0, 1, 2].map(ProcessId::new);
    let mut chart = Chart::new(3);
    let c = chart.send(one, zero);
    let m = chart.send(one, two);
    chart.send(zero, two);
    chart.receive(c);
    chart.receive(m);
    assert!(chart.is_mailbox());
    assert_eq!(chart.conflicts().least(), Some(1));
    let played: Vec<usize> = chart
        .conflicts()
        .rounds()
        .expect("it is made of rounds")
        .iter()
        .flat_map(|round| round.events.clone())
        .map(EventId::index)
        .collect();
    assert_eq!(played, [2, 0, 3, 1, 4], "v is sent before c is received, and m after it");
}

/// P0: ?b !c; P1: ?c ?x; P2: !x !b: b must be received before c is sent, and each of the three waits for the next.
#[test]
fn a_receive_before_a_send_of_the_same_component_allows_no_rounds() {
    let [zero, one, two] = [0, 1, 2].map(ProcessId::new);
    let mut chart = Chart::new(3);
    let x = chart.send(two, one);
    let b = chart.send(two, zero);
    chart.receive(b);
    let c = chart.send(zero, one);
    chart.receive(c);
    assert_eq!(chart.conflicts().rounds().map(|rounds| rounds.len()), Some(3));
    chart.receive(x);
    let conflicts = chart.conflicts();
    let crossing = conflicts.crossing().expect("there is one");
    assert_eq!((crossing.before, crossing.after, crossing.to_string()), (b, c, "RS".to_owned()));
    assert_eq!((conflicts.size(), conflicts.least(), conflicts.rounds()), (3, None, None));
    assert!(!Plain::of(&chart).is_made_of_rounds(3));
}
