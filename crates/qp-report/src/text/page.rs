//! Lines, paragraphs and commands, fitted to the width.

use crate::Style;
use crate::fit::{clean, columns, pad, wrap, wrap_command};
use crate::style::Ink;

/// A page that is being written.
pub(super) struct Page<'a> {
    pub(super) style: &'a Style,
    pub(super) out: String,
}

/// Where the text of `  next       …` begins.
const LABEL: usize = 13;

impl Page<'_> {
    pub(super) fn line(&mut self, text: &str) {
        self.out.push_str(text.trim_end());
        self.out.push('\n');
    }

    /// Wrapped text after a margin. `first` stands in the margin of the first line and may be
    /// wider than it.
    pub(super) fn paragraph(&mut self, first: &str, ink: Ink, margin: usize, text: &str) {
        let room = self.style.width.saturating_sub(margin);
        if columns(first) > margin {
            let lines = wrap(&format!("{first}{text}"), room);
            let head = first.trim_end();
            let rest = lines[0].strip_prefix(head);
            let painted = rest.map(|rest| format!("{}{rest}", self.style.paint(ink, head)));
            self.line(painted.as_ref().unwrap_or(&lines[0]));
            for line in &lines[1..] {
                self.line(&format!("{}{line}", " ".repeat(margin)));
            }
            return;
        }
        for (i, line) in wrap(text, room).iter().enumerate() {
            let head = if i == 0 { first } else { "" };
            let head = self.style.paint(ink, &pad(head, margin));
            self.line(&format!("{head}{line}"));
        }
    }

    /// `  next       queueproof …`
    pub(super) fn labelled(&mut self, label: &str, text: &str) {
        self.paragraph(&pad(&format!("  {label}"), LABEL), Ink::Faint, LABEL, text);
    }

    pub(super) fn command(&mut self, label: &str, command: &str) {
        let lines = wrap_command(&clean(command), self.style.width.saturating_sub(LABEL));
        for (i, line) in lines.iter().enumerate() {
            let head = if i == 0 { format!("  {label}") } else { String::new() };
            let head = self.style.paint(Ink::Faint, &pad(&head, LABEL));
            self.line(&format!("{head}{line}"));
        }
    }
}
