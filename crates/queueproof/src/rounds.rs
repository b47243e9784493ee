//! The rounds of a run that is drawn, and the messages that do not fit into any.

use qp_charts::{MessageId, ProcessId};
use qp_machines::Property;

use crate::chart::{Chart, ChartEvent, ChartRound, ChartRow};

/// The chart of a run that violates a property, with its rounds if the property is about rounds.
pub(crate) fn shown(property: Property, mut chart: Chart) -> Chart {
    if property == Property::Sync {
        mark(&mut chart);
    }
    chart
}

/// Marks the messages that wait for each other in a circle, and says where rounds begin.
///
/// Marked are those that no rounds allow, else the most that must be in one round. Runs with steps in which several
/// things happen, or whose messages do not wait in queues, are left as they are.
fn mark(chart: &mut Chart) {
    let Some(pairs) = pairs(chart) else { return };
    for message in together(chart, &pairs) {
        let Pair { sent, taken } = pairs[message.index()];
        chart.rows[sent].marked = true;
        if let Some(taken) = taken {
            chart.rows[taken].marked = true;
        }
    }
    chart.rounds = rounds(chart, &pairs);
}

/// The rows in which a message is sent and taken.
#[derive(Clone, Copy)]
struct Pair {
    sent: usize,
    taken: Option<usize>,
}

/// All messages in the order of their sends; nothing if the run is not made of sends and receives.
fn pairs(chart: &Chart) -> Option<Vec<Pair>> {
    let mut pairs = Vec::new();
    for (index, row) in chart.rows.iter().enumerate() {
        let several = !row.also.is_empty();
        match &row.event {
            ChartEvent::Sends { taken, .. } if !several => {
                pairs.push(Pair { sent: index, taken: *taken });
            }
            ChartEvent::Takes { sent: Some(_), .. }
            | ChartEvent::Internal
            | ChartEvent::Creates { .. }
            | ChartEvent::Fails { .. }
                if !several => {}
            _ => return None,
        }
    }
    Some(pairs)
}

/// The messages of the component that matters: one with a receive before a send, else the largest of several messages.
fn together(chart: &Chart, pairs: &[Pair]) -> Vec<MessageId> {
    let drawn = sequence(chart, pairs);
    let conflicts = drawn.conflicts();
    let component = match conflicts.crossing() {
        Some(crossing) => Some(conflicts.component_of(crossing.before)),
        None => conflicts.largest().filter(|it| conflicts.components()[*it].len() > 1),
    };
    component.map(|it| conflicts.components()[it].clone()).unwrap_or_default()
}

/// The run as a chart of sends and receives. Who would take a message that nobody takes does not matter here.
fn sequence(chart: &Chart, pairs: &[Pair]) -> qp_charts::Chart {
    let mut drawn = qp_charts::Chart::new(chart.machines.len());
    let mut sends = pairs.iter().peekable();
    let mut waiting = vec![None; chart.rows.len()];
    for (index, row) in chart.rows.iter().enumerate() {
        if let Some(pair) = sends.next_if(|pair| pair.sent == index) {
            let to = pair.taken.map_or(row.machine, |taken| chart.rows[taken].machine);
            let message = drawn.send(ProcessId::new(row.machine), ProcessId::new(to));
            if let Some(taken) = pair.taken {
                waiting[taken] = Some(message);
            }
        } else if let Some(message) = waiting[index] {
            drawn.receive(message);
        }
    }
    drawn
}

/// Where rounds begin: wherever nothing that was sent before is taken later.
fn rounds(chart: &Chart, pairs: &[Pair]) -> Vec<ChartRound> {
    let mut open_until = vec![0; chart.rows.len()];
    for pair in pairs {
        open_until[pair.sent] = pair.taken.unwrap_or(pair.sent);
    }
    let mut rounds: Vec<ChartRound> = Vec::new();
    let (mut from, mut until) = (0, None);
    for (index, row) in chart.rows.iter().enumerate() {
        if matches!(row.event, ChartEvent::Sends { .. }) {
            until = until.max(Some(open_until[index]));
        }
        if until == Some(index) {
            let whole = is_round(&chart.rows[from..=index]);
            rounds.push(ChartRound { from, whole });
            (from, until) = (index + 1, None);
        }
    }
    if rounds.len() > 1 { rounds } else { Vec::new() }
}

/// Whether each machine first sends and then takes.
fn is_round(rows: &[ChartRow]) -> bool {
    let took = |machine, rows: &[ChartRow]| {
        rows.iter()
            .any(|row| row.machine == machine && matches!(row.event, ChartEvent::Takes { .. }))
    };
    rows.iter().enumerate().all(|(index, row)| {
        !matches!(row.event, ChartEvent::Sends { .. }) || !took(row.machine, &rows[..index])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chart from `machine!message>row` and `machine?message<row`.
    fn chart(machines: usize, steps: &[(usize, Option<usize>, Option<usize>)]) -> Chart {
        let row = |(machine, taken, sent): &(usize, Option<usize>, Option<usize>)| {
            let message = "m".to_owned();
            let event = match sent {
                Some(sent) => ChartEvent::Takes { queue: 0, message, sent: Some(*sent) },
                None => ChartEvent::Sends { queue: 0, message, taken: *taken },
            };
            ChartRow::new(*machine, event, (String::new(), String::new()))
        };
        Chart {
            machines: vec![String::new(); machines],
            controls: vec![String::new(); machines],
            queues: Vec::new(),
            rows: steps.iter().map(row).collect(),
            cycle_from: None,
            ending: String::new(),
            ending_machine: None,
            rounds: Vec::new(),
        }
    }

    fn marked(chart: &Chart) -> Vec<usize> {
        (0..chart.rows.len()).filter(|row| chart.rows[*row].marked).collect()
    }

    #[test]
    fn one_message_after_the_other_is_a_round_each() {
        let mut drawn = chart(2, &[(0, Some(1), None), (1, None, Some(0)), (1, None, None)]);
        mark(&mut drawn);
        assert!(marked(&drawn).is_empty());
        let whole = |from| ChartRound { from, whole: true };
        assert_eq!(drawn.rounds, [whole(0), whole(2)]);
    }

    #[test]
    fn messages_that_cross_are_marked() {
        let mut drawn = chart(
            2,
            &[
                (0, Some(1), None),
                (1, None, Some(0)),
                (0, Some(4), None),
                (1, Some(5), None),
                (1, None, Some(2)),
                (0, None, Some(3)),
            ],
        );
        mark(&mut drawn);
        assert_eq!(marked(&drawn), [2, 3, 4, 5]);
        assert_eq!(drawn.rounds.iter().map(|round| round.from).collect::<Vec<_>>(), [0, 2]);
    }

    /// P0: ?b !c; P1: ?c ?x; P2: !x !b, after a message from 0 to 1.
    #[test]
    fn what_fits_into_no_round_is_not_called_one() {
        let mut drawn = chart(
            3,
            &[
                (0, Some(1), None),
                (1, None, Some(0)),
                (2, Some(7), None),
                (2, Some(4), None),
                (0, None, Some(3)),
                (0, Some(6), None),
                (1, None, Some(5)),
                (1, None, Some(2)),
            ],
        );
        mark(&mut drawn);
        assert_eq!(marked(&drawn), [2, 3, 4, 5, 6, 7]);
        let expected = [(0, true), (2, false)].map(|(from, whole)| ChartRound { from, whole });
        assert_eq!(drawn.rounds, expected);
    }

    #[test]
    fn runs_with_meetings_are_left_alone() {
        let mut drawn = chart(2, &[(0, Some(1), None), (1, None, Some(0)), (0, None, None)]);
        drawn.rows[2].event = ChartEvent::Meets { queue: 0, message: "m".into(), receiver: 1 };
        let before = drawn.clone();
        mark(&mut drawn);
        assert_eq!(drawn, before);
    }
}
