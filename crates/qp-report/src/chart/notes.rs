//! What a step changed, beside the drawing: the control state and the content of one queue.

use queueproof::{Chart, ChartEvent};

use super::Item;
use super::signs::Signs;
use crate::Style;
use crate::fit::{clean, columns, pad, shorten};
use crate::reading::{machine_name, queue_name};

/// The notes of all shown steps: in two columns if these fit, else one under the other.
pub(super) struct Notes {
    width: usize,
    /// The width of the first column, if there are two.
    first: Option<usize>,
    signs: &'static Signs,
}

impl Notes {
    pub(super) fn new(chart: &Chart, items: &[Item], width: usize, style: &Style) -> Self {
        let signs = Signs::of(style.unicode);
        let rows = || items.iter().filter_map(Item::row);
        let first = rows().filter_map(|row| state_note(chart, row, signs));
        let second = rows().filter_map(|row| queue_note(chart, row, usize::MAX));
        let first = first.map(|note| columns(&note)).max().unwrap_or(0);
        let second = second.map(|note| columns(&note)).max().unwrap_or(0);
        let both = if first == 0 { second } else { first + 3 + second };
        Self { width, first: (both <= width).then_some(first), signs }
    }

    /// The lines beside one step; at least one, which may be empty.
    pub(super) fn of(&self, chart: &Chart, row: usize) -> Vec<String> {
        let state = state_note(chart, row, self.signs);
        let queue = queue_note(chart, row, self.width);
        let extra = extra_note(chart, row);
        let mut lines = match self.first {
            Some(first) => {
                let gap = if first == 0 { 0 } else { 3 };
                let state = pad(&state.unwrap_or_default(), first + gap);
                vec![format!("{state}{}", queue.unwrap_or_default())]
            }
            None => state.into_iter().chain(queue).collect(),
        };
        lines.extend(extra);
        lines.retain(|line| !line.trim().is_empty());
        if lines.is_empty() {
            lines.push(String::new());
        }
        lines.iter().map(|line| shorten(line.trim_end(), self.width, self.signs.cut)).collect()
    }
}

/// The widest note if each stands alone.
pub(super) fn widest(chart: &Chart, items: &[Item], style: &Style) -> usize {
    let signs = Signs::of(style.unicode);
    let rows = items.iter().filter_map(Item::row);
    let notes = rows.flat_map(|row| {
        [state_note(chart, row, signs), queue_note(chart, row, usize::MAX), extra_note(chart, row)]
    });
    notes.flatten().map(|note| columns(&note)).max().unwrap_or(0)
}

fn state_note(chart: &Chart, row: usize, signs: &Signs) -> Option<String> {
    let step = &chart.rows[row];
    if step.from == step.to {
        return None;
    }
    let (from, to) = (clean(&step.from), clean(&step.to));
    Some(format!("{}: {from} {} {to}", machine_name(chart, step.machine), signs.becomes))
}

/// The content of the queue, as much of its front as fits.
fn queue_note(chart: &Chart, row: usize, width: usize) -> Option<String> {
    let (queue, content) = chart.rows[row].content.as_ref()?;
    let name = format!("{} queue:", queue_name(chart, *queue));
    if content.is_empty() {
        return Some(format!("{name} (empty)"));
    }
    let whole = content.iter().fold(name.clone(), |line, message| line + " " + &clean(message));
    if columns(&whole) <= width {
        return Some(whole);
    }
    let total = format!(" ... ({})", content.len());
    let mut line = name;
    for message in content {
        let message = clean(message);
        if columns(&line) + 1 + columns(&message) + columns(&total) > width {
            break;
        }
        line = line + " " + &message;
    }
    Some(line + &total)
}

fn extra_note(chart: &Chart, row: usize) -> Option<String> {
    match &chart.rows[row].event {
        ChartEvent::Fails { text } => Some(clean(text)),
        ChartEvent::Loses { .. } => Some("lost on the way".to_owned()),
        ChartEvent::Internal
        | ChartEvent::Sends { .. }
        | ChartEvent::Takes { .. }
        | ChartEvent::Meets { .. }
        | ChartEvent::Creates { .. }
        | ChartEvent::Ends
        | ChartEvent::Closes { .. } => None,
    }
}
