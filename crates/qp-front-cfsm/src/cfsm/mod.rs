//! The CFSM language.

mod ast;
mod lexer;
mod lower;
mod parser;

use qp_base::Complaints;
use qp_machines::Automata;

use crate::Sends;

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

/// Reads a formula over sends, with or without a name and a colon in front.
pub(crate) fn sends(text: &str) -> (Option<Sends>, Complaints) {
    let (found, mut complaints) = parser::formula_alone(text);
    let Some((name, formula, span)) = found.filter(|_| !complaints.has_errors()) else {
        return (None, complaints);
    };
    let name = name.map(|name| name.text.to_owned());
    match lower::formula::over_sends(&formula, span) {
        Ok((says, messages)) => (Some(Sends { name, says, messages }), complaints),
        Err(error) => {
            complaints.push(error);
            (None, complaints)
        }
    }
}
