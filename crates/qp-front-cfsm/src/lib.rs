//! Readers of automata: the CFSM language (`docs/manual/cfsm.md`) and the formats `.scm`, `.fsa` and
//! `.fsm` (`docs/manual/formats.md`).
//!
//! Every reader works in the same three steps: a lexer, a recursive-descent parser that goes on after
//! errors, and a lowering that resolves names. Texts come from anywhere, so every reader takes time
//! proportional to the text, nests no deeper than a fixed limit and stops after a fixed number of
//! errors.
//!
//! Absent on purpose: files (see `qp-load`), drawing of diagnostics (see `qp-report`), and any
//! judgement about the behaviour of what was read.

mod codes;
mod cursor;
mod names;

mod cfsm;
mod fsa;
mod scm;

mod draft;
mod warnings;

#[cfg(test)]
mod tests;

use qp_base::{Complaints, Diagnostic, Span};
use qp_machines::{Automata, LtlFormula, Model};

pub use codes::CODES;

/// Reads the CFSM language. There is a model exactly if no diagnostic is an error.
pub fn cfsm(text: &str) -> (Option<Model>, Vec<Diagnostic>) {
    model(read(text, cfsm::read))
}

/// Reads the format of `McScM`. There is a model exactly if no diagnostic is an error.
pub fn scm(text: &str) -> (Option<Model>, Vec<Diagnostic>) {
    model(read(text, scm::read))
}

/// Reads the format of KMC and `ChorGram`. There is a model exactly if no diagnostic is an error.
pub fn fsa(text: &str) -> (Option<Model>, Vec<Diagnostic>) {
    model(read(text, fsa::read))
}

/// A demand on what is sent, one message after the other, in a model of any language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sends {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// What it says of whole runs.
    pub says: LtlFormula,
    /// The names of messages in it.
    pub messages: Vec<String>,
}

/// Reads a formula over sends: `G (Req -> F Grant)`, with or without `NAME:` in front. There is one exactly if no
/// diagnostic is an error.
pub fn sends(text: &str) -> (Option<Sends>, Vec<Diagnostic>) {
    let (sends, complaints) = cfsm::sends(text);
    (sends, complaints.finish())
}

/// Places are 32-bit numbers; this leaves room for one past the end.
const TEXT_BYTES_MAX: usize = 1 << 31;

/// Runs a reader, and looks at what it read if nothing was wrong with the text.
fn read(
    text: &str,
    reader: impl FnOnce(&str) -> (Option<Automata>, Complaints),
) -> (Option<Automata>, Vec<Diagnostic>) {
    if text.len() > TEXT_BYTES_MAX {
        let mut complaints = Complaints::new(codes::MORE);
        let help = "at most 2 GB can be read";
        complaints.error(codes::TOO_LARGE, "the text is too large", Span::default(), help);
        return (None, complaints.finish());
    }
    let (automata, mut complaints) = reader(text);
    let automata = automata.filter(|_| !complaints.has_errors());
    if let Some(automata) = &automata {
        warnings::look_at(automata, &mut complaints);
    }
    debug_assert_eq!(automata.is_none(), complaints.has_errors());
    (automata, complaints.finish())
}

fn model(
    (automata, diagnostics): (Option<Automata>, Vec<Diagnostic>),
) -> (Option<Model>, Vec<Diagnostic>) {
    (automata.map(Model::new), diagnostics)
}
