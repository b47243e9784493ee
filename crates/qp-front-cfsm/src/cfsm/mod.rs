//! The CFSM language.

mod ast;
mod lexer;
mod lower;
mod parser;

use qp_base::Complaints;
use qp_machines::Automata;

/// Reads a text. Names are resolved only if the syntax is right: a state that was lost to a syntax
/// error would be missing everywhere it is used.
pub(crate) fn read(text: &str) -> (Option<Automata>, Complaints) {
    let (file, mut complaints) = parser::parse(text);
    if complaints.has_errors() {
        return (None, complaints);
    }
    let automata = lower::lower(&file, &mut complaints);
    (automata, complaints)
}
