//! What a step changed, beside the drawing: the control state, contents of queues, values of variables.

use queueproof::{Chart, ChartEvent};

use super::Item;
use super::signs::Signs;
use crate::Style;
use crate::fit::{clean, columns, count, pad, shorten, wrap};
use crate::reading::{deed_text, machine_name, queue_name, values_text};

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
        let second = rows().filter_map(|row| queue_note(chart, row));
        let first = first.map(|note| columns(&note)).max().unwrap_or(0);
        let second = second.map(|note| columns(&note)).max().unwrap_or(0);
        let both = if first == 0 { second } else { first + 3 + second };
        Self { width, first: (both <= width).then_some(first), signs }
    }

    /// The lines beside one step; at least one, which may be empty.
    pub(super) fn of(&self, chart: &Chart, row: usize) -> Vec<String> {
        let state = state_note(chart, row, self.signs);
        let queue = queue_note(chart, row);
        let mut lines: Vec<String> = if let Some(first) = self.first {
            let gap = if first == 0 { 0 } else { 3 };
            let state = pad(&state.unwrap_or_default(), first + gap);
            vec![format!("{state}{}", queue.unwrap_or_default())]
        } else {
            let state = state.map(|note| self.narrow_state(chart, row, note));
            let queue = queue.map(|note| self.narrow_queue(chart, row, &note));
            state.into_iter().chain(queue).flatten().collect()
        };
        lines.retain(|line| !line.trim().is_empty());
        if let Some(note) = extra_note(chart, row) {
            self.add(&mut lines, &note);
        }
        if lines.is_empty() {
            lines.push(String::new());
        }
        lines.iter().map(|line| shorten(line.trim_end(), self.width, self.signs.cut)).collect()
    }

    /// Adds a note behind the others if it fits there, else below.
    fn add(&self, lines: &mut Vec<String>, note: &str) {
        match lines.last_mut() {
            Some(last) if columns(last.trim_end()) + 3 + columns(note) <= self.width => {
                *last = format!("{}   {note}", last.trim_end());
            }
            _ => lines.extend(wrap(note, self.width)),
        }
    }

    /// Where the machine comes from stands further up; where it goes matters more.
    fn narrow_state(&self, chart: &Chart, row: usize, note: String) -> Vec<String> {
        if columns(&note) <= self.width {
            return vec![note];
        }
        let step = &chart.rows[row];
        if !step.deeds.is_empty() {
            return wrap(&note, self.width);
        }
        let machine = machine_name(chart, step.machine);
        wrap(&format!("{machine}: {} {}", self.signs.becomes, clean(&step.to)), self.width)
    }

    /// The front of a queue is what will be taken next: a long content is cut at its end.
    fn narrow_queue(&self, chart: &Chart, row: usize, note: &str) -> Vec<String> {
        const LINES_MAX: usize = 3;
        let mut lines = wrap(note, self.width.saturating_sub(2));
        for line in lines.iter_mut().skip(1) {
            line.insert_str(0, "  ");
        }
        if lines.len() > LINES_MAX {
            lines.truncate(LINES_MAX - 1);
            let contents = chart.rows[row].contents.iter();
            let length = contents.map(|(_, words)| words.len()).sum();
            lines.push(format!("  ... ({})", count(length, "message")));
        }
        lines
    }
}

/// The widest note if each stands alone.
pub(super) fn widest(chart: &Chart, items: &[Item], style: &Style) -> usize {
    let signs = Signs::of(style.unicode);
    let rows = items.iter().filter_map(Item::row);
    let notes = rows.flat_map(|row| {
        [state_note(chart, row, signs), queue_note(chart, row), extra_note(chart, row)]
    });
    notes.flatten().map(|note| columns(&note)).max().unwrap_or(0)
}

/// Where the machine goes; where there are statements, these say it.
fn state_note(chart: &Chart, row: usize, signs: &Signs) -> Option<String> {
    let step = &chart.rows[row];
    if let Some(deeds) = deed_text(chart, row) {
        return Some(deeds);
    }
    if step.from == step.to {
        return None;
    }
    let (from, to) = (clean(&step.from), clean(&step.to));
    Some(format!("{}: {from} {} {to}", machine_name(chart, step.machine), signs.becomes))
}

fn queue_note(chart: &Chart, row: usize) -> Option<String> {
    // Beyond this no line is wide enough, and contents may have millions of messages.
    const MESSAGES_MAX: usize = 100;
    let note = |(queue, content): &(usize, Vec<String>)| {
        let name = format!("{} queue:", queue_name(chart, *queue));
        if content.is_empty() {
            return format!("{name} (empty)");
        }
        let shown = content.iter().take(MESSAGES_MAX);
        shown.fold(name, |line, message| line + " " + &clean(message))
    };
    let notes: Vec<String> = chart.rows[row].contents.iter().map(note).collect();
    (!notes.is_empty()).then(|| notes.join(", "))
}

/// What else there is to say, and where it is written.
fn extra_note(chart: &Chart, row: usize) -> Option<String> {
    let step = &chart.rows[row];
    // Statements say where they are.
    let place = step.place.as_deref().map(clean).filter(|_| step.deeds.is_empty());
    let note = step.note.as_deref().map(clean);
    let parts = [values_text(chart, row), event_note(&step.event), note, place];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join("   "))
}

fn event_note(event: &ChartEvent) -> Option<String> {
    match event {
        ChartEvent::Fails { text } => Some(clean(text)),
        ChartEvent::Loses { .. } => Some("lost on the way".to_owned()),
        _ => None,
    }
}
