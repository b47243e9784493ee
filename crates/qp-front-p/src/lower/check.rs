//! How types appear in messages.

use qp_base::{Diagnostic, Span};

use crate::codes;
use crate::types::Ty;

/// A type in quotes, or "nothing".
pub(crate) fn shown(ty: &Ty) -> String {
    if matches!(ty.bare(), Ty::Null) { "nothing".to_owned() } else { format!("`{ty}`") }
}

/// Says that a value has the wrong type.
pub(super) fn mismatch(wanted: &Ty, found: &Ty, span: Span) -> Diagnostic {
    let message = format!("expected {}, found `{found}`", shown(wanted));
    let diagnostic = Diagnostic::error(codes::MISMATCH, message, span);
    match (wanted.bare(), found.bare()) {
        (Ty::Float, Ty::Int) => diagnostic.help("convert it: `... to float`"),
        (Ty::Int, Ty::Float | Ty::Enum(_)) => diagnostic.help("convert it: `... to int`"),
        (Ty::Record(_), Ty::Tuple(_)) => {
            diagnostic.help("name the fields: `(x = ..., y = ...)`, in the order of the type")
        }
        (Ty::Record(a), Ty::Record(b)) if a.len() == b.len() => {
            diagnostic.help("the fields need the same names and types, in the same order")
        }
        (_, Ty::Any | Ty::Data) => diagnostic.help(format!("say what it is: `... as {wanted}`")),
        (Ty::Permission(_), Ty::Machine) => {
            diagnostic.help(format!("say what it is: `... as {wanted}`"))
        }
        _ => diagnostic,
    }
}
