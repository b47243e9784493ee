//! A run as a list of sentences, for when its lanes do not fit the width.

use queueproof::Chart;

use super::Item;
use super::notes::Notes;
use crate::Style;
use crate::fit::{clean, wrap};
use crate::reading;
use crate::style::Ink;

pub(super) fn list(chart: &Chart, items: &[Item], style: &Style) -> String {
    let width = style.width.saturating_sub(8);
    // Notes under each other, never in two columns: the widths of steps differ.
    let notes = Notes::new(chart, items, width, style);
    let mut out = String::new();
    let mut push = |margin: &str, text: &str, ink: Ink| {
        for (i, line) in wrap(text, width).iter().enumerate() {
            let margin = if i == 0 { format!("{margin:>5}  ") } else { " ".repeat(7) };
            let line = format!("{margin}{}", style.paint(ink, line));
            out.push_str(line.trim_end());
            out.push('\n');
        }
    };
    for item in items {
        match *item {
            Item::Row(row) => {
                let deed = reading::sentence(chart, row);
                let notes = notes.of(chart, row);
                let notes: Vec<&str> =
                    notes.iter().map(|note| note.trim()).filter(|note| !note.is_empty()).collect();
                let tail = if notes.is_empty() { String::new() } else { ";  ".to_owned() };
                let mark = if chart.rows[row].marked { reading::MARK } else { "" };
                push(
                    &format!("{}{mark}", row + 1),
                    &format!("{deed}{tail}{}", notes.join(";  ")),
                    Ink::Plain,
                );
            }
            Item::Fold { from, to } => {
                push("", &format!("steps {}-{to} folded", from + 1), Ink::Faint);
            }
            Item::LoopBegins => push("loop", "from here:", Ink::Strong),
            Item::Round(number) => {
                push("", &format!("{}:", reading::round_name(chart, number)), Ink::Faint);
            }
        }
    }
    if let Some(effect) = reading::turn_effect(chart) {
        push("", &effect, Ink::Strong);
    }
    if !chart.ending.is_empty() {
        push("", &clean(&chart.ending), Ink::Violated);
    }
    if let Some(sentence) = reading::marks(chart) {
        push("", &sentence, Ink::Faint);
    }
    out
}
