//! A run, step by step and in words: for scripts that show runs without knowing the language.

use queueproof::{Chart, ChartDeed, ChartEvent, ChartValue};
use serde::Serialize;

use super::Place;
use crate::reading::{self, Target};

/// Where a machine is at the beginning.
#[derive(Serialize)]
pub(super) struct Start<'a> {
    machine: &'a str,
    state: &'a str,
}

/// The machines that there are before the first step.
pub(super) fn starts(chart: &Chart) -> Vec<Start<'_>> {
    let all = chart.machines.iter().zip(&chart.controls).enumerate();
    let first = all.filter(|(machine, _)| reading::lifetime(chart, *machine).0.is_none());
    first.map(|(_, (machine, state))| Start { machine, state }).collect()
}

#[derive(Serialize)]
pub(super) struct Step<'a> {
    number: usize,
    machine: Option<&'a str>,
    #[serde(flatten)]
    action: Action<'a>,
    from: &'a str,
    to: &'a str,
    place: Option<Place<'a>>,
    statements: Vec<Statement<'a>>,
    values: Vec<Value<'a>>,
    queues: Vec<Content<'a>>,
    also: Vec<Action<'a>>,
    note: Option<&'a str>,
    text: String,
}

/// One thing that happens.
#[derive(Serialize)]
#[expect(clippy::struct_field_names, reason = "readers know the field by this name")]
struct Action<'a> {
    action: &'static str,
    message: Option<&'a str>,
    queue: Option<&'a str>,
    partner: Option<&'a str>,
    failure: Option<&'a str>,
}

#[derive(Serialize)]
struct Statement<'a> {
    machine: Option<&'a str>,
    text: &'a str,
    place: Place<'a>,
}

#[derive(Serialize)]
#[expect(clippy::struct_field_names, reason = "readers know the field by this name")]
struct Value<'a> {
    machine: Option<&'a str>,
    name: &'a str,
    value: &'a str,
}

#[derive(Serialize)]
struct Content<'a> {
    name: Option<&'a str>,
    content: &'a [String],
}

/// All steps of a run.
pub(super) fn steps(chart: &Chart) -> Vec<Step<'_>> {
    (0..chart.rows.len()).map(|row| step(chart, row)).collect()
}

fn step(chart: &Chart, row: usize) -> Step<'_> {
    let it = &chart.rows[row];
    Step {
        number: row + 1,
        machine: machine(chart, it.machine),
        action: action(chart, &it.event, partner(chart, row)),
        from: &it.from,
        to: &it.to,
        place: it.deeds.first().map(|deed| &deed.location).or(it.location.as_ref()).map(Place::of),
        statements: it.deeds.iter().map(|it| statement(chart, it)).collect(),
        values: it.values.iter().map(|it| value(chart, it)).collect(),
        queues: it
            .contents
            .iter()
            .map(|(queue, content)| Content { name: queue_name(chart, *queue), content })
            .collect(),
        also: it.also.iter().map(|event| action(chart, event, None)).collect(),
        note: it.note.as_deref(),
        text: reading::sentence(chart, row),
    }
}

fn statement<'a>(chart: &'a Chart, deed: &'a ChartDeed) -> Statement<'a> {
    let place = Place::of(&deed.location);
    Statement { machine: machine(chart, deed.machine), text: &deed.text, place }
}

fn value<'a>(chart: &'a Chart, it: &'a ChartValue) -> Value<'a> {
    let machine = it.machine.and_then(|number| machine(chart, number));
    Value { machine, name: &it.name, value: &it.value }
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

fn action<'a>(chart: &'a Chart, event: &'a ChartEvent, partner: Option<usize>) -> Action<'a> {
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
        ChartEvent::Fails { text } => Some(text.as_str()),
        _ => None,
    };
    Action {
        action,
        message: message.map(String::as_str),
        queue: queue.and_then(|number| queue_name(chart, number)),
        partner: partner.and_then(|number| machine(chart, number)),
        failure,
    }
}
