//! The format of `McScM`: automata over numbered channels, with bad states.
//!
//! Variables over numbers are part of the format and are refused: nothing here counts.

mod ast;
mod lexer;
mod lower;
mod parser;
mod regexp;

use qp_base::Complaints;
use qp_machines::Automata;

/// Reads a text.
pub(crate) fn read(text: &str) -> (Option<Automata>, Complaints) {
    let (file, mut complaints) = parser::parse(text);
    if complaints.has_errors() {
        return (None, complaints);
    }
    let automata = lower::lower(&file, &mut complaints);
    (automata, complaints)
}
