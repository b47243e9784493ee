//! A run, step by step and in words: for scripts that show runs without knowing the language.

use queueproof::{Chart, ChartDeed, ChartEvent, ChartValue};

use super::{Json, object, place};
use crate::reading::{self, Target};

/// Where the machines are that there are before the first step.
pub(super) fn starts(chart: &Chart) -> Json<'_> {
    let all = chart.machines.iter().zip(&chart.controls).enumerate();
    let first = all.filter(|(machine, _)| reading::lifetime(chart, *machine).0.is_none());
    let start = |(_, (machine, state))| object! { machine: machine, state: state };
    Json::List(first.map(start).collect())
}

/// All steps of a run.
pub(super) fn steps(chart: &Chart) -> Json<'_> {
    Json::List((0..chart.rows.len()).map(|row| step(chart, row)).collect())
}

fn step(chart: &Chart, row: usize) -> Json<'_> {
    let it = &chart.rows[row];
    let location = it.deeds.first().map(|deed| &deed.location).or(it.location.as_ref());
    object! { number: row + 1, machine: machine(chart, it.machine) }
        .and(action(chart, &it.event, partner(chart, row)))
        .and(object! {
            from: &it.from,
            to: &it.to,
            place: location.map(place),
            statements: Json::list(&it.deeds, |it| statement(chart, it)),
            values: Json::list(&it.values, |it| value(chart, it)),
            queues: Json::list(&it.contents, |(queue, content)| {
                object! { name: queue_name(chart, *queue), content: content }
            }),
            also: Json::list(&it.also, |event| action(chart, event, None)),
            note: &it.note,
            text: reading::sentence(chart, row),
        })
}

fn statement<'a>(chart: &'a Chart, deed: &'a ChartDeed) -> Json<'a> {
    let machine = machine(chart, deed.machine);
    object! { machine: machine, text: &deed.text, place: place(&deed.location) }
}

fn value<'a>(chart: &'a Chart, it: &'a ChartValue) -> Json<'a> {
    let machine = it.machine.and_then(|number| machine(chart, number));
    object! { machine: machine, name: &it.name, value: &it.value }
}

fn machine(chart: &Chart, number: usize) -> Option<&str> {
    chart.machines.get(number).map(String::as_str)
}

fn queue_name(chart: &Chart, number: usize) -> Option<&str> {
    chart.queues.get(number).map(|queue| queue.name.as_str())
}

/// The machine at the other end, if there is one.
fn partner(chart: &Chart, row: usize) -> Option<usize> {
    match reading::target(chart, row)? {
        Target::Machine(machine) => Some(machine),
        Target::Itself => Some(chart.rows[row].machine),
        Target::Queue(_) => None,
    }
}

fn action<'a>(chart: &'a Chart, event: &'a ChartEvent, partner: Option<usize>) -> Json<'a> {
    let (action, message, queue) = match event {
        ChartEvent::Internal => ("moves", None, None),
        ChartEvent::Sends { queue, message, .. } => ("sends", Some(message), Some(*queue)),
        ChartEvent::Loses { queue, message } => ("loses", Some(message), Some(*queue)),
        ChartEvent::Takes { queue, message, .. } => ("takes", Some(message), Some(*queue)),
        ChartEvent::Meets { queue, message, .. } => ("hands-over", Some(message), Some(*queue)),
        ChartEvent::Creates { .. } => ("creates", None, None),
        ChartEvent::Ends => ("ends", None, None),
        ChartEvent::Closes { queue } => ("closes", None, Some(*queue)),
        ChartEvent::Fails { .. } => ("fails", None, None),
    };
    let failure = match event {
        ChartEvent::Fails { text } => Some(text),
        _ => None,
    };
    object! {
        action: action,
        message: message,
        queue: queue.and_then(|number| queue_name(chart, number)),
        partner: partner.and_then(|number| machine(chart, number)),
        failure: failure,
    }
}
