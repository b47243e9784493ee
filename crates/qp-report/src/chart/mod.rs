//! A run as a message chart for a terminal.
//!
//! A send is an arrow in the row in which it happens: its head is the moment at which the message
//! joins the queue. The row in which the message is taken has a dot on the reader's lane. Between
//! the two, the queue's content beside the drawing shows it waiting, so crossing messages are two
//! arrows without a dot between them. Only what changed is written beside a step.

mod canvas;
mod layout;
mod list;
mod notes;
mod signs;

use queueproof::{Chart, ChartEvent};

use crate::Style;
use crate::fit::{columns, wrap};
use crate::reading::{self, Target};
use crate::style::Ink;
use canvas::Line;
use layout::{GUTTER, Layout};
use notes::Notes;
use signs::Signs;

/// More rows than this are folded, unless the style asks for all.
const ROWS_MAX: usize = 60;

/// The chart, in lines that end with a line feed.
pub fn chart(chart: &Chart, style: &Style) -> String {
    let items = items(chart, style);
    let Some(layout) = layout::layout(chart, &items, style) else {
        return list::list(chart, &items, style);
    };
    let notes = Notes::new(chart, &items, layout.notes_width, style);
    let lives = (0..chart.machines.len()).map(|machine| reading::lifetime(chart, machine));
    let mut drawing = Drawing {
        chart,
        style,
        signs: Signs::of(style.unicode),
        layout,
        lives: lives.collect(),
        out: String::new(),
    };
    drawing.header();
    for item in &items {
        match *item {
            Item::Row(row) => drawing.row(row, &notes),
            Item::Fold { from, to } => drawing.fold(from, to),
            Item::LoopBegins => drawing.frame("loop", ""),
            Item::Round(number) => drawing.round(number),
        }
    }
    if let Some(effect) = reading::turn_effect(chart) {
        drawing.frame("", &effect);
    }
    if !chart.ending.is_empty() {
        drawing.ending();
    }
    drawing.footnotes();
    drawing.out
}

/// What is drawn, from top to bottom.
enum Item {
    Row(usize),
    /// These rows are left out.
    Fold {
        from: usize,
        to: usize,
    },
    LoopBegins,
    /// The round with this number begins.
    Round(usize),
}

impl Item {
    const fn row(&self) -> Option<usize> {
        match self {
            Self::Row(row) => Some(*row),
            Self::Fold { .. } | Self::LoopBegins | Self::Round(_) => None,
        }
    }
}

fn items(chart: &Chart, style: &Style) -> Vec<Item> {
    let end = chart.rows.len();
    let mut items = Vec::new();
    match chart.cycle_from {
        Some(start) if start <= end => {
            fold_middle(&mut items, 0, start, ROWS_MAX / 2, style);
            items.push(Item::LoopBegins);
            fold_middle(&mut items, start, end, ROWS_MAX / 2, style);
        }
        Some(_) | None => fold_middle(&mut items, 0, end, ROWS_MAX, style),
    }
    for (number, round) in chart.rounds.iter().enumerate().rev() {
        if let Some(at) = items.iter().position(|item| item.row() == Some(round.from)) {
            items.insert(at, Item::Round(number));
        }
    }
    items
}

/// The end of a run says more than its beginning: a third of the rows goes to the beginning.
fn fold_middle(items: &mut Vec<Item>, from: usize, to: usize, most: usize, style: &Style) {
    if style.full || to - from <= most {
        items.extend((from..to).map(Item::Row));
        return;
    }
    let head = most / 3;
    let tail = most - head - 1;
    items.extend((from..from + head).map(Item::Row));
    items.push(Item::Fold { from: from + head, to: to - tail });
    items.extend((to - tail..to).map(Item::Row));
}

struct Drawing<'a> {
    chart: &'a Chart,
    style: &'a Style,
    signs: &'static Signs,
    layout: Layout,
    /// The rows that create and end each machine.
    lives: Vec<(Option<usize>, Option<usize>)>,
    out: String,
}

impl Drawing<'_> {
    fn push(&mut self, line: &Line) {
        self.out.push_str(&line.render(self.style));
        self.out.push('\n');
    }

    /// Names and first control states, centred on the lanes.
    fn header(&mut self) {
        let (mut names, mut controls) = (Line::default(), Line::default());
        for machine in 0..self.chart.machines.len() {
            let Some(lane) = self.layout.lanes[machine] else { continue };
            let name = self.layout.names.of(&reading::machine_name(self.chart, machine));
            names.put(lane - columns(&name) / 2, &name, Ink::Strong);
            let control = self.layout.names.of(layout::control(self.chart, machine));
            controls.put(lane - columns(&control) / 2, &control, Ink::Faint);
        }
        self.push(&names);
        self.push(&controls);
        let empty = self.lanes(0, self.signs.lane);
        self.push(&empty);
    }

    /// The lanes of the machines that exist before this row.
    fn lanes(&self, row: usize, sign: char) -> Line {
        let mut line = Line::default();
        for (lane, &(born, ended)) in self.layout.lanes.iter().zip(&self.lives) {
            let exists = born.is_none_or(|born| born < row) && ended.is_none_or(|end| end >= row);
            if let (Some(lane), true) = (lane, exists) {
                line.fill(*lane, lane + 1, sign, Ink::Faint);
            }
        }
        line
    }

    fn row(&mut self, row: usize, notes: &Notes) {
        let notes_at = self.layout.notes_at;
        for (i, note) in notes.of(self.chart, row).iter().enumerate() {
            let mut line = self.lanes(row + usize::from(i > 0), self.signs.lane);
            if i == 0 {
                line.put(0, &format!("{:>5}", row + 1), Ink::Faint);
                if self.chart.rows[row].marked {
                    line.put(5, reading::MARK, Ink::Violated);
                }
                self.event(row, &mut line);
            }
            if self.chart.cycle_from.is_some_and(|start| row >= start) {
                line.fill(GUTTER - 2, GUTTER - 1, self.signs.frame, Ink::Faint);
                line.fill(self.layout.right, self.layout.right + 1, self.signs.frame, Ink::Faint);
            }
            line.put(notes_at, note, Ink::Plain);
            self.push(&line);
        }
    }

    fn event(&mut self, row: usize, line: &mut Line) {
        let event = &self.chart.rows[row].event;
        let Some(from) = self.lane(self.chart.rows[row].machine) else { return };
        let (sign, ink) = match event {
            ChartEvent::Takes { .. } => (self.signs.takes, Ink::Strong),
            ChartEvent::Fails { .. } => (self.signs.bad, Ink::Violated),
            ChartEvent::Ends => (self.signs.ends, Ink::Plain),
            ChartEvent::Loses { .. } if self.arrow_end(row).is_none() => {
                (self.signs.lost, Ink::Plain)
            }
            _ => (self.signs.acts, Ink::Plain),
        };
        if let Some(label) = layout::local_label(self.chart, row, &mut self.layout) {
            let left = self.layout.labels_left_of == Some(self.chart.rows[row].machine);
            let at = if left { from - columns(&label) - 1 } else { from + 2 };
            line.put(at, &label, ink);
        }
        match self.arrow_end(row) {
            Some(to) => self.arrow(row, from, to, line),
            None => line.fill(from, from + 1, sign, ink),
        }
    }

    fn lane(&self, machine: usize) -> Option<usize> {
        self.layout.lanes.get(machine).copied().flatten()
    }

    fn arrow_end(&self, row: usize) -> Option<usize> {
        match reading::target(self.chart, row)? {
            Target::Machine(machine) => self.lane(machine),
            Target::Itself | Target::Queue(_) => None,
        }
    }

    fn arrow(&mut self, row: usize, from: usize, to: usize, line: &mut Line) {
        let label = layout::arrow_label(self.chart, row, &mut self.layout).unwrap_or_default();
        let signs = self.signs;
        let (low, high) = (from.min(to) + 1, from.max(to));
        let (shaft, head) = match &self.chart.rows[row].event {
            ChartEvent::Loses { .. } => (signs.dash, Some(signs.lost)),
            ChartEvent::Meets { .. } => (signs.double, None),
            ChartEvent::Creates { .. } => (signs.dotted, None),
            _ => (signs.dash, None),
        };
        line.fill(low, high, shaft, Ink::Plain);
        let rightwards = from < to;
        let head = head.unwrap_or(if rightwards { signs.right } else { signs.left });
        let tip = if rightwards { high - 1 } else { low };
        line.fill(tip, tip + 1, head, Ink::Plain);
        if matches!(self.chart.rows[row].event, ChartEvent::Creates { .. }) {
            line.fill(to, to + 1, signs.born, Ink::Plain);
        }
        let label = format!(" {label} ");
        let at = low + (high - low).saturating_sub(columns(&label)) / 2;
        line.put(at, &label, Ink::Strong);
    }

    /// A line between two rounds.
    fn round(&mut self, number: usize) {
        let row = self.chart.rounds[number].from;
        let lanes = self.lanes(row, self.signs.lane);
        let mut line = Line::default();
        line.fill(GUTTER + 1, self.layout.right, self.signs.dotted, Ink::Faint);
        line.over(&lanes);
        line.put(0, &reading::round_name(self.chart, number), Ink::Faint);
        self.push(&line);
    }

    fn fold(&mut self, from: usize, to: usize) {
        let mut line = self.lanes(from, self.signs.fold);
        let text = format!("steps {}-{to} folded", from + 1);
        if self.layout.notes_at + columns(&text) <= self.style.width {
            line.put(self.layout.notes_at, &text, Ink::Faint);
            self.push(&line);
        } else {
            self.push(&line);
            let mut words = Line::default();
            words.put(2, &text, Ink::Faint);
            self.push(&words);
        }
    }

    /// The upper side of the loop's frame has a word before it, the lower side one inside it.
    fn frame(&mut self, before: &str, inside: &str) {
        let (left, right) = (GUTTER - 2, self.layout.right);
        let [upper_left, upper_right, lower_left, lower_right] = self.signs.corners;
        let corners =
            if before.is_empty() { (lower_left, lower_right) } else { (upper_left, upper_right) };
        let mut line = Line::default();
        line.put(1, before, Ink::Strong);
        line.fill(left, right + 1, self.signs.dash, Ink::Faint);
        line.fill(left, left + 1, corners.0, Ink::Faint);
        line.fill(right, right + 1, corners.1, Ink::Faint);
        let fits = left + 4 + columns(inside) + 2 <= right;
        if fits && !inside.is_empty() {
            line.put(left + 2, &format!(" {inside} "), Ink::Strong);
        }
        self.push(&line);
        if !fits {
            self.paragraph(inside, Ink::Strong);
        }
    }

    fn ending(&mut self) {
        let last = self.chart.rows.len();
        let mut line = self.lanes(last, self.signs.lane);
        let ending = crate::fit::clean(&self.chart.ending);
        let Some(at) = self.chart.ending_machine.and_then(|machine| self.lane(machine)) else {
            let line = self.lanes(last, self.signs.bad);
            self.push(&line);
            self.paragraph(&ending, Ink::Violated);
            return;
        };
        line.fill(at, at + 1, self.signs.bad, Ink::Violated);
        let fits = at + 2 + columns(&ending) <= self.style.width;
        if fits {
            // A blank after the text keeps it apart from a lane that it covers in part.
            line.put(at + 1, &format!(" {ending} "), Ink::Violated);
        }
        self.push(&line);
        if !fits {
            self.paragraph(&ending, Ink::Violated);
        }
    }

    fn footnotes(&mut self) {
        if let Some(sentence) = reading::marks(self.chart) {
            self.paragraph(&sentence, Ink::Faint);
        }
        let dropped = std::mem::take(&mut self.layout.dropped);
        if !dropped.is_empty() {
            let names: Vec<String> =
                dropped.iter().map(|&machine| reading::machine_name(self.chart, machine)).collect();
            self.paragraph(&format!("not drawn, since silent: {}", names.join(", ")), Ink::Faint);
        }
        let legend = self.layout.names.legend();
        if !legend.is_empty() {
            self.paragraph(&legend.join(", "), Ink::Faint);
        }
    }

    fn paragraph(&mut self, text: &str, ink: Ink) {
        for words in wrap(text, self.style.width.saturating_sub(2)) {
            let mut line = Line::default();
            line.put(2, &words, ink);
            self.push(&line);
        }
    }
}

#[cfg(test)]
mod tests;
