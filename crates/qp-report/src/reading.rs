//! What a chart says that no single row says: where an arrow ends, what crosses, what a loop does.

use queueproof::{Chart, ChartEvent};

use crate::fit::{clean, count};

/// Where a message goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    /// To another machine.
    Machine(usize),
    /// To the machine that sends it.
    Itself,
    /// Into a queue that several machines read, and nobody takes it.
    Queue(usize),
}

/// Where the message that a row sends goes: to whoever takes it, else to the only reader.
pub(crate) fn target(chart: &Chart, row: usize) -> Option<Target> {
    let step = chart.rows.get(row)?;
    let reader = |queue: usize| chart.queues.get(queue).and_then(|queue| queue.reader);
    let (queue, receiver) = match &step.event {
        ChartEvent::Sends { queue, taken, .. } => {
            let receiver = taken.and_then(|row| chart.rows.get(row)).map(|step| step.machine);
            (*queue, receiver.or(reader(*queue)))
        }
        ChartEvent::Loses { queue, .. } => (*queue, reader(*queue)),
        ChartEvent::Meets { queue, receiver, .. } => (*queue, Some(*receiver)),
        ChartEvent::Creates { machine } => (0, Some(*machine)),
        _ => return None,
    };
    Some(match receiver {
        Some(machine) if machine == step.machine => Target::Itself,
        Some(machine) => Target::Machine(machine),
        None => Target::Queue(queue),
    })
}

/// The name of a machine, fit for a terminal.
pub(crate) fn machine_name(chart: &Chart, machine: usize) -> String {
    chart.machines.get(machine).map_or_else(|| format!("machine {machine}"), |name| clean(name))
}

/// The name of a queue, fit for a terminal.
pub(crate) fn queue_name(chart: &Chart, queue: usize) -> String {
    chart.queues.get(queue).map_or_else(|| format!("{queue}"), |queue| clean(&queue.name))
}

/// What stands beside a lane for a step that is not an arrow to another lane, with names in this form.
pub(crate) fn beside(
    chart: &Chart,
    row: usize,
    mut name: impl FnMut(&str) -> String,
) -> Option<String> {
    match &chart.rows[row].event {
        ChartEvent::Sends { message, .. } | ChartEvent::Loses { message, .. } => {
            let to = match target(chart, row)? {
                Target::Itself => "itself".to_owned(),
                Target::Queue(queue) => name(&queue_name(chart, queue)),
                Target::Machine(_) => return None,
            };
            Some(format!("{} to {to}", name(message)))
        }
        ChartEvent::Closes { queue } => {
            Some(format!("closes {}", name(&queue_name(chart, *queue))))
        }
        ChartEvent::Ends => Some("ends".to_owned()),
        ChartEvent::Takes { .. }
        | ChartEvent::Fails { .. }
        | ChartEvent::Internal
        | ChartEvent::Meets { .. }
        | ChartEvent::Creates { .. } => None,
    }
}

/// What a step does, as a sentence without its full stop.
pub(crate) fn sentence(chart: &Chart, row: usize) -> String {
    let who = machine_name(chart, chart.rows[row].machine);
    let to = match target(chart, row) {
        Some(Target::Machine(machine)) => machine_name(chart, machine),
        Some(Target::Itself) => "itself".to_owned(),
        Some(Target::Queue(queue)) => queue_name(chart, queue),
        None => String::new(),
    };
    match &chart.rows[row].event {
        ChartEvent::Internal => format!("{who} moves"),
        ChartEvent::Sends { message, .. } => format!("{who} sends {} to {to}", clean(message)),
        ChartEvent::Loses { message, .. } => {
            format!("{who} sends {} to {to}", clean(message))
        }
        ChartEvent::Takes { message, .. } => format!("{who} takes {}", clean(message)),
        ChartEvent::Meets { message, .. } => format!("{who} hands {} to {to}", clean(message)),
        ChartEvent::Creates { .. } => format!("{who} creates {to}"),
        ChartEvent::Ends => format!("{who} ends"),
        ChartEvent::Closes { queue } => format!("{who} closes {}", queue_name(chart, *queue)),
        ChartEvent::Fails { .. } => format!("{who} fails"),
    }
}

/// More statements of one step than this are counted and not shown.
const DEEDS_MAX: usize = 3;

/// The statements that a step consists of: `line 12: x = 1; line 13: c!x`.
pub(crate) fn deed_text(chart: &Chart, row: usize) -> Option<String> {
    let step = &chart.rows[row];
    let mut parts: Vec<String> = Vec::new();
    for deed in step.deeds.iter().take(DEEDS_MAX) {
        let who = match deed.machine {
            machine if machine == step.machine => String::new(),
            machine => format!("{}, ", machine_name(chart, machine)),
        };
        parts.push(format!("{who}{}: {}", clean(&deed.place), clean(&deed.text)));
    }
    if let Some(more) = step.deeds.len().checked_sub(DEEDS_MAX).filter(|&more| more > 0) {
        parts.push(format!("and {} more", count(more, "statement")));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// More variables than this are counted and not shown.
const VALUES_MAX: usize = 8;

/// The variables that have new values: `x = 1, Server: y = 2`.
pub(crate) fn values_text(chart: &Chart, row: usize) -> Option<String> {
    let step = &chart.rows[row];
    let mut parts: Vec<String> = Vec::new();
    for it in step.values.iter().take(VALUES_MAX) {
        let whose = match it.machine {
            Some(machine) if machine != step.machine => {
                format!("{}: ", machine_name(chart, machine))
            }
            Some(_) | None => String::new(),
        };
        parts.push(format!("{whose}{} = {}", clean(&it.name), clean(&it.value)));
    }
    if let Some(more) = step.values.len().checked_sub(VALUES_MAX).filter(|&more| more > 0) {
        parts.push(format!("and {} more", count(more, "value")));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// What a picture says about where a machine is after a step: its state, or what it did.
pub(crate) fn state_text(chart: &Chart, row: usize) -> Option<String> {
    let step = &chart.rows[row];
    let moved = || (step.from != step.to).then(|| clean(&step.to));
    let parts = [deed_text(chart, row).or_else(moved), values_text(chart, row)];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The rows during which a machine exists: from the row that creates it to the row that ends it.
pub(crate) fn lifetime(chart: &Chart, machine: usize) -> (Option<usize>, Option<usize>) {
    let created = |event: &ChartEvent| *event == ChartEvent::Creates { machine };
    let born = chart.rows.iter().position(|row| created(&row.event));
    let ended =
        chart.rows.iter().position(|row| row.machine == machine && row.event == ChartEvent::Ends);
    (born, ended)
}

/// Whether nothing in the run concerns a machine.
pub(crate) fn is_silent(chart: &Chart, machine: usize) -> bool {
    chart.ending_machine != Some(machine)
        && chart.rows.iter().enumerate().all(|(i, row)| {
            row.machine != machine && target(chart, i) != Some(Target::Machine(machine))
        })
}

/// What one turn of the loop adds to the queues: `Server +1 Req`.
pub(crate) fn turn_effect(chart: &Chart) -> Option<String> {
    let cycle = chart.rows.get(chart.cycle_from?..)?;
    // In order of first use; a loop touches few queues.
    let mut effect: Vec<(usize, &str, i64)> = Vec::new();
    for event in cycle.iter().flat_map(|row| [&row.event].into_iter().chain(&row.also)) {
        let (queue, message, change) = match event {
            ChartEvent::Sends { queue, message, .. } => (*queue, message, 1),
            ChartEvent::Takes { queue, message, .. } => (*queue, message, -1),
            _ => continue,
        };
        match effect.iter_mut().find(|(q, m, _)| *q == queue && *m == message.as_str()) {
            Some((_, _, total)) => *total += change,
            None => effect.push((queue, message, change)),
        }
    }
    let changes: Vec<String> = effect
        .iter()
        .filter(|(_, _, total)| *total != 0)
        .map(|(queue, message, total)| {
            format!("{} {total:+} {}", queue_name(chart, *queue), clean(message))
        })
        .collect();
    Some(if changes.is_empty() {
        "repeats for ever".to_owned()
    } else {
        format!("each turn: {}", changes.join(", "))
    })
}

/// Says which messages cross, the last pair first: the usual cause of a race, and hard to see in
/// a list of steps. Two messages cross if each is sent before the other is taken.
pub(crate) fn crossing(chart: &Chart) -> Option<String> {
    // Quadratic in the sends, and only shown for runs that a person reads.
    const ROWS_MAX: usize = 2_000;
    if chart.rows.len() > ROWS_MAX {
        return None;
    }
    let mut found: Vec<(&str, &str)> = Vec::new();
    for (second, row) in chart.rows.iter().enumerate() {
        let (ChartEvent::Sends { message: late, .. }, Some(Target::Machine(to))) =
            (&row.event, target(chart, second))
        else {
            continue;
        };
        for (first, earlier) in chart.rows[..second].iter().enumerate() {
            let ChartEvent::Sends { message: early, taken, .. } = &earlier.event else { continue };
            let waits = taken.is_none_or(|taken| taken > second);
            let opposite =
                earlier.machine == to && target(chart, first) == Some(Target::Machine(row.machine));
            if waits && opposite {
                found.push((early, late));
            }
        }
    }
    let (early, late) = found.pop()?;
    let more = match found.len() {
        0 => String::new(),
        1 => " Another pair does so, too.".to_owned(),
        n => format!(" So do {n} other pairs."),
    };
    let (early, late) = (clean(early), clean(late));
    Some(format!("{early} and {late} cross: each was sent before the other was taken.{more}"))
}

/// The sign of messages that the run is about.
pub(crate) const MARK: &str = "*";

/// What the marks mean, if there are any.
pub(crate) fn marks(chart: &Chart) -> Option<String> {
    let is_marked = chart.rows.iter().any(|row| row.marked);
    is_marked.then(|| format!("{MARK} messages that wait for each other in a circle"))
}

/// `round 3`, or `no round` if it is none.
pub(crate) fn round_name(chart: &Chart, number: usize) -> String {
    match chart.rounds.get(number) {
        Some(round) if round.whole => format!("round {}", number + 1),
        _ => "no round".to_owned(),
    }
}

/// What is written on the arrow of an event that has one.
pub(crate) fn arrow_text(event: &ChartEvent) -> Option<&str> {
    match event {
        ChartEvent::Sends { message, .. }
        | ChartEvent::Loses { message, .. }
        | ChartEvent::Meets { message, .. } => Some(message),
        ChartEvent::Creates { .. } => Some("new"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn the_crossing_pair_is_named() {
        let sentence = crossing(&samples::crossing_chart()).unwrap();
        assert_eq!(sentence, "Cancel and Grant cross: each was sent before the other was taken.");
    }

    #[test]
    fn a_step_says_its_statements_and_values() {
        let mut chart = samples::crossing_chart();
        assert_eq!(state_text(&chart, 0).unwrap(), "Waiting");
        chart.rows[0].deeds = vec![samples::deed(0, 7, "x=1"), samples::deed(1, 9, "c?y")];
        let value = |machine, name: &str| queueproof::ChartValue {
            machine,
            name: name.into(),
            value: "1".into(),
        };
        chart.rows[0].values = vec![value(None, "x"), value(Some(0), "z"), value(Some(1), "y")];
        let expected = "line 7: x=1; Server, line 9: c?y, x = 1, z = 1, Server: y = 1";
        assert_eq!(state_text(&chart, 0).unwrap(), expected);
        chart.rows[0].deeds = vec![samples::deed(0, 7, "x++"); 5];
        assert!(deed_text(&chart, 0).unwrap().ends_with("; and 2 statements more"));
    }

    #[test]
    fn a_loop_says_what_it_adds() {
        assert_eq!(turn_effect(&samples::loop_chart()).unwrap(), "each turn: Server +1 Req");
        let mut chart = samples::loop_chart();
        let again = chart.rows[1].event.clone();
        chart.rows[1].also.push(again);
        assert_eq!(turn_effect(&chart).unwrap(), "each turn: Server +2 Req");
    }
}
