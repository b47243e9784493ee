//! Charts on which published definitions went wrong.

use crate::brute::{Delivery, Plain, all_conflicts, least};
use qp_charts::{Action, Chart, ProcessId};

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
    assert!(Plain::of(&chart).has_run(Delivery::Mailbox));
    assert_eq!(conflicts.components().len(), 1);
    assert_eq!(least(&conflicts), Some(5));
    assert_eq!([3, 4, 5].map(|k| Plain::of(&chart).is_made_of_rounds(k)), [false, false, true]);
}

#[test]
fn no_cycle_of_the_figure_eight_has_five_messages() {
    let chart = figure_eight();
    let edges: Vec<(usize, usize)> = all_conflicts(&chart)
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
    assert_eq!(conflicts.components().iter().map(Vec::len).collect::<Vec<_>>(), [5, 1, 1]);
    assert_eq!(least(&conflicts), Some(5));
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
    assert_eq!((chart.conflicts().components().len(), least(&chart.conflicts())), (3, Some(1)));
    chart.receive(x);
    let conflicts = chart.conflicts();
    let crossing = conflicts.crossing().expect("there is one");
    assert_eq!((crossing.before, crossing.after), (b, c));
    assert_eq!((crossing.first, crossing.second), (Action::Receive, Action::Send));
    assert_eq!((conflicts.components().len(), least(&conflicts)), (1, None));
    assert!(!Plain::of(&chart).is_made_of_rounds(3));
}
