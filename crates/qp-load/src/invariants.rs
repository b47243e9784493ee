//! Invariants of queues, wherever users write them: in a line of the model, in a file of their own, on
//! the command line.

use qp_base::names::{did_you_mean_nearly, quoted};
use qp_base::{Code, Complaints, Diagnostic, Source, Span};
use qp_machines::{Outline, Qutl};

use crate::{MORE, TEXT_BYTES_MAX, text_of, too_large};

/// Something that a user says about a queue. Nothing has been proved about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// The machine or queue that it is about, by the user's name.
    pub about: String,
    /// What it says.
    pub formula: Qutl,
    /// Where it is written.
    pub span: Span,
}

/// No machine or queue in front.
pub(crate) const NOTHING_NAMED: Code = Code(132);

/// Shared with the readers of single files.
const UNKNOWN: Code = Code(104);

/// What is wrong with the names in an invariant, and what may have been meant. Nothing is wrong with names of what is
/// created at run time: nobody knows them before.
pub fn unknown_name(outline: &Outline, about: &str, formula: &Qutl) -> Option<(String, String)> {
    if !["cfsm", "scm", "fsa"].contains(&outline.language) {
        return None;
    }
    let machines = outline.machines.iter().map(|machine| machine.name.as_str());
    let names = machines.chain(outline.queues.iter().map(|queue| queue.name.as_str()));
    let missing = |what: &str, name: &str, known: Vec<&str>, otherwise: &str| {
        let is_known = known.iter().any(|known| Qutl::names(name, known));
        let help = did_you_mean_nearly(name, known, otherwise);
        (!is_known).then(|| (format!("there is no {what} {}", quoted(name)), help))
    };
    let wrong = missing("machine or queue", about, names.collect(), "reports name them");
    wrong.or_else(|| {
        formula.atoms().into_iter().find_map(|name| {
            let known = outline.messages.iter().map(String::as_str).collect();
            missing("message", name, known, "no machine sends or receives it")
        })
    })
}

/// What is wrong with the names in the invariants of a model.
pub(crate) fn unknown_names(outline: &Outline, stated: &[Invariant]) -> Vec<Diagnostic> {
    let wrong = stated.iter().filter_map(|Invariant { about, formula, span }| {
        let (message, help) = unknown_name(outline, about, formula)?;
        Some(Diagnostic::error(UNKNOWN, message, *span).help(help))
    });
    wrong.collect()
}

/// Reads a file of invariants: one `NAME: FORMULA` in a line, with or without `//@ invariant` in front.
/// Other lines that begin with `//` are comments.
pub fn invariants(name: &str, text: &str) -> (Vec<Invariant>, Source, Vec<Diagnostic>) {
    let source = Source::new(name, text_of(text.as_bytes()));
    if source.text.len() > TEXT_BYTES_MAX {
        return (Vec::new(), source, vec![too_large()]);
    }
    let pieces = lines(&source.text).filter_map(|line| match marked(line) {
        Some(stated) => Some(stated),
        None => Some(line).filter(|line| !line.text.is_empty() && !line.text.starts_with("//")),
    });
    let (found, wrong) = read(pieces);
    (found, source, wrong)
}

/// Reads one invariant, `NAME: FORMULA`.
pub fn invariant(text: &str) -> Result<Invariant, Diagnostic> {
    one(Piece { text, start: 0 }.trim()).map_err(|error| *error)
}

/// Reads the lines `//@ invariant NAME: FORMULA` of a model.
pub(crate) fn in_model(text: &str) -> (Vec<Invariant>, Vec<Diagnostic>) {
    // Readers refuse such a text, and places in it would be wrong.
    if text.len() > TEXT_BYTES_MAX {
        return (Vec::new(), Vec::new());
    }
    read(lines(text).filter_map(marked))
}

/// A part of a text, and where it begins there.
#[derive(Clone, Copy)]
struct Piece<'t> {
    text: &'t str,
    start: usize,
}

impl Piece<'_> {
    fn trim(self) -> Self {
        let text = self.text.trim_start();
        Self { text: text.trim_end(), start: self.start + self.text.len() - text.len() }
    }

    fn behind(self, prefix: &str) -> Option<Self> {
        let text = self.text.strip_prefix(prefix)?;
        Some(Self { text, start: self.start + prefix.len() })
    }

    fn split_at(self, at: usize) -> (Self, Self) {
        let (left, right) = self.text.split_at(at);
        (Self { text: left, ..self }, Piece { text: right, start: self.start + at })
    }

    fn span(self) -> Span {
        Span::new(self.start..self.start + self.text.len())
    }
}

fn lines(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |text| {
        let line = Piece { text, start };
        start += text.len();
        line.trim()
    })
}

/// What a line says behind `//@ invariant`, if it begins so. The marks differ because comments do.
fn marked(line: Piece<'_>) -> Option<Piece<'_>> {
    let in_comment = || {
        let rest = line.behind("/*@")?;
        let end = rest.text.strip_suffix("*/").map_or(rest.text.len(), str::len);
        Some(rest.split_at(end).0)
    };
    let said = line.behind("//@").or_else(|| line.behind("--@")).or_else(in_comment)?;
    let stated = said.trim().behind("invariant")?;
    let is_word = stated.text.is_empty() || stated.text.starts_with(char::is_whitespace);
    is_word.then(|| stated.trim())
}

fn read<'t>(pieces: impl Iterator<Item = Piece<'t>>) -> (Vec<Invariant>, Vec<Diagnostic>) {
    let mut complaints = Complaints::new(MORE);
    let mut found = Vec::new();
    for piece in pieces {
        match one(piece) {
            Ok(invariant) => found.push(invariant),
            Err(error) => complaints.push(*error),
        }
    }
    (found, complaints.finish())
}

fn one(piece: Piece<'_>) -> Result<Invariant, Box<Diagnostic>> {
    let colon = colon(piece.text).ok_or_else(|| nothing_named(piece))?;
    let (about, formula) = piece.split_at(colon);
    let about = about.text.trim();
    if about.is_empty() {
        return Err(nothing_named(piece).into());
    }
    let (_, formula) = formula.split_at(1);
    let formula = Qutl::parse(formula.text, formula.span().start)?;
    Ok(Invariant { about: about.to_owned(), formula, span: piece.span() })
}

/// The colon behind the name. Names of queues may contain colons, but no spaces behind them.
fn colon(text: &str) -> Option<usize> {
    text.match_indices(':').map(|(at, _)| at).find(|at| {
        let rest = &text[at + 1..];
        rest.is_empty() || rest.starts_with(char::is_whitespace)
    })
}

fn nothing_named(piece: Piece<'_>) -> Diagnostic {
    let message = "an invariant begins with the machine or queue that it is about";
    let help = if piece.text.contains(':') && colon(piece.text).is_none() {
        "write a space behind the colon"
    } else {
        "write `NAME: FORMULA`, for instance `Server: at most 1 Done`"
    };
    Diagnostic::error(NOTHING_NAMED, message, piece.span()).label("no name here").help(help)
}

#[cfg(test)]
mod tests;
