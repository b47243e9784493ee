//! How text is to look, and the few colours that are used.

use anstyle::{AnsiColor, Style as Ansi};
use queueproof::VerdictWord;

/// How text is to look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Escape sequences for colour may be written.
    pub color: bool,
    /// Characters outside ASCII may be used for drawing. The user's names are never changed.
    pub unicode: bool,
    /// The number of columns to fill at most. Words of a command are never broken, so that it can
    /// be pasted; a longer path sticks out.
    pub width: usize,
    /// Long charts are not folded.
    pub full: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self { color: false, unicode: true, width: 100, full: false }
    }
}

impl Style {
    pub(crate) fn paint(self, ink: Ink, text: &str) -> String {
        let ansi = ink.ansi();
        if self.color && ansi != Ansi::new() && !text.is_empty() {
            format!("{}{text}{}", ansi.render(), ansi.render_reset())
        } else {
            text.to_owned()
        }
    }
}

/// What a piece of text is; the colour follows from it. Green is for proofs and nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Ink {
    #[default]
    Plain,
    Strong,
    Faint,
    Proved,
    Violated,
    Unknown,
}

impl Ink {
    pub(crate) const fn of(verdict: VerdictWord) -> Self {
        match verdict {
            VerdictWord::Proved => Self::Proved,
            VerdictWord::Violated => Self::Violated,
            VerdictWord::ProvedUpToFailure | VerdictWord::Unknown => Self::Unknown,
            VerdictWord::None => Self::Faint,
        }
    }

    pub(crate) const fn ansi(self) -> Ansi {
        match self {
            Self::Plain => Ansi::new(),
            Self::Strong => Ansi::new().bold(),
            Self::Faint => Ansi::new().dimmed(),
            Self::Proved => AnsiColor::Green.on_default().bold(),
            Self::Violated => AnsiColor::Red.on_default().bold(),
            Self::Unknown => AnsiColor::Yellow.on_default().bold(),
        }
    }
}
