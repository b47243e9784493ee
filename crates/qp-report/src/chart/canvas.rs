//! One line of a drawing: characters at columns, each with its ink.

use unicode_width::UnicodeWidthChar;

use crate::Style;
use crate::style::Ink;

/// A line of a drawing. A character of two columns is followed by `FILLER`.
#[derive(Clone, Default)]
pub(super) struct Line {
    cells: Vec<(char, Ink)>,
}

const FILLER: char = '\0';

impl Line {
    /// Writes over whatever is at these columns.
    pub(super) fn put(&mut self, column: usize, text: &str, ink: Ink) {
        let mut column = column;
        for c in text.chars() {
            let width = c.width().unwrap_or(0);
            if self.cells.len() < column + width {
                self.cells.resize(column + width, (' ', Ink::Plain));
            }
            for i in 0..width {
                self.cells[column + i] = (if i == 0 { c } else { FILLER }, ink);
            }
            column += width;
        }
    }

    /// Writes one character again and again from `from` up to, not including, `to`.
    pub(super) fn fill(&mut self, from: usize, to: usize, c: char, ink: Ink) {
        for column in from..to {
            self.put(column, c.encode_utf8(&mut [0; 4]), ink);
        }
    }

    /// Writes another line over this one; blanks of that line leave what is there.
    pub(super) fn over(&mut self, line: &Self) {
        if self.cells.len() < line.cells.len() {
            self.cells.resize(line.cells.len(), (' ', Ink::Plain));
        }
        for (cell, written) in self.cells.iter_mut().zip(&line.cells) {
            if written.0 != ' ' {
                *cell = *written;
            }
        }
    }

    pub(super) fn render(&self, style: &Style) -> String {
        let end = self.cells.iter().rposition(|(c, _)| *c != ' ').map_or(0, |last| last + 1);
        let mut out = String::new();
        for run in self.cells[..end].chunk_by(|(_, a), (_, b)| a == b) {
            let text: String = run.iter().map(|(c, _)| *c).filter(|c| *c != FILLER).collect();
            out.push_str(&style.paint(run[0].1, &text));
        }
        out
    }
}
