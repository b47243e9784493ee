//! Formulas, once their atoms are understood.

use qp_base::{Diagnostic, Span};
use qp_machines::{Letter, LtlFormula};

use crate::codes;

use super::super::ast::Formula;

/// `+`, `<->` and `W` write a part twice, so a short nested text can mean a huge tree. People write
/// tens of nodes.
const NODES_MAX: u64 = 10_000;

/// A formula; `letter` says what its atoms mean, or nothing if it has complained about one.
pub(super) fn lowered<'t>(
    formula: &Formula<'t>,
    letter: &mut impl FnMut(&Formula<'t>) -> Option<Letter>,
) -> LtlFormula {
    let mut one = |part: &Formula<'t>| lowered(part, letter);
    match formula {
        Formula::True => LtlFormula::True,
        Formula::False => LtlFormula::False,
        Formula::Sends(_) | Formula::Receives(_) | Formula::At(..) => {
            letter(formula).map_or(LtlFormula::False, LtlFormula::Atom)
        }
        Formula::Not(a) => not(one(a)),
        Formula::Next(a) => LtlFormula::Next(Box::new(one(a))),
        Formula::Finally(a) => LtlFormula::Finally(Box::new(one(a))),
        Formula::Globally(a) => LtlFormula::Globally(Box::new(one(a))),
        Formula::And(parts) => balanced(parts, LtlFormula::And, letter),
        Formula::Or(parts) => balanced(parts, LtlFormula::Or, letter),
        Formula::Implies(a, b) => or(not(one(a)), one(b)),
        Formula::Iff(a, b) => {
            let (a, b) = (one(a), one(b));
            and(or(not(a.clone()), b.clone()), or(not(b), a))
        }
        Formula::Until(a, b) => LtlFormula::Until(Box::new(one(a)), Box::new(one(b))),
        Formula::Release(a, b) => LtlFormula::Release(Box::new(one(a)), Box::new(one(b))),
        Formula::WeakUntil(a, b) => {
            let (a, b) = (one(a), one(b));
            LtlFormula::Release(Box::new(b.clone()), Box::new(or(a, b)))
        }
    }
}

/// A formula over sends of messages with the given names, and these names, or what is wrong with it.
pub(in super::super) fn over_sends(
    formula: &Formula<'_>,
    span: Span,
) -> Result<(LtlFormula, Vec<String>), Diagnostic> {
    if let Some(error) = too_large(size(formula), "formula", span) {
        return Err(error);
    }
    let (mut names, mut other) = (Vec::new(), false);
    let says = lowered(formula, &mut |atom| {
        if let Formula::Sends(message) = atom {
            names.push(message.text.clone().into_owned());
            return Some(Letter::SendsSome(names.last().cloned()));
        }
        other = true;
        None
    });
    if other { Err(not_sent(span)) } else { Ok((says.at_marks(&Letter::SendsSome(None)), names)) }
}

/// A long list as a tree of small depth, because everything that walks formulas recurses.
fn balanced<'t>(
    parts: &[Formula<'t>],
    together: fn(Box<LtlFormula>, Box<LtlFormula>) -> LtlFormula,
    letter: &mut impl FnMut(&Formula<'t>) -> Option<Letter>,
) -> LtlFormula {
    if let [only] = parts {
        return lowered(only, letter);
    }
    let (left, right) = parts.split_at(parts.len() / 2);
    let left = balanced(left, together, letter);
    together(Box::new(left), Box::new(balanced(right, together, letter)))
}

fn not(a: LtlFormula) -> LtlFormula {
    LtlFormula::Not(Box::new(a))
}

fn and(a: LtlFormula, b: LtlFormula) -> LtlFormula {
    LtlFormula::And(Box::new(a), Box::new(b))
}

fn or(a: LtlFormula, b: LtlFormula) -> LtlFormula {
    LtlFormula::Or(Box::new(a), Box::new(b))
}

/// Why something with so many nodes is refused, if it is.
pub(super) fn too_large(nodes: u64, what: &str, span: Span) -> Option<Diagnostic> {
    let message = format!("this {what} is too large when it is written out");
    let error = Diagnostic::error(codes::TOO_LARGE, message, span);
    let error = error.help("simplify it; nested `+`, `<->` and `W` double their parts");
    (nodes > NODES_MAX).then_some(error)
}

/// A formula over sends that is about something else.
pub(super) fn not_sent(span: Span) -> Diagnostic {
    let message = "a formula over sends is about sent messages alone";
    Diagnostic::error(codes::UNEXPECTED, message, span)
        .help("name messages that are sent, as in `G (Req -> F Grant)`")
}

/// How many nodes the lowered formula has.
pub(super) fn size(formula: &Formula<'_>) -> u64 {
    match formula {
        Formula::True
        | Formula::False
        | Formula::At(..)
        | Formula::Sends(_)
        | Formula::Receives(_) => 1,
        Formula::Not(a) | Formula::Next(a) | Formula::Finally(a) | Formula::Globally(a) => {
            size(a).saturating_add(1)
        }
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().map(|p| size(p).saturating_add(1)).fold(1, u64::saturating_add)
        }
        Formula::Implies(a, b) | Formula::Until(a, b) | Formula::Release(a, b) => {
            size(a).saturating_add(size(b)).saturating_add(2)
        }
        Formula::Iff(a, b) | Formula::WeakUntil(a, b) => {
            size(a).saturating_add(size(b)).saturating_mul(2).saturating_add(5)
        }
    }
}
