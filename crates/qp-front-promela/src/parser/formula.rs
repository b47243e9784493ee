//! The operators that only formulas have, in all their spellings.

use crate::ast::{Binary, Unary};
use crate::spec::BinaryOp;
use crate::token::Token;

use super::Parser;
use super::expr::Strength;

const IMPLIES: Strength = 1;
const OR: Strength = 2;
const AND: Strength = 3;
const UNTIL: Strength = 5;

/// The operator between two formulas that stands here, with the number of its tokens.
pub(super) fn temporal_operator(
    token: &Token,
    next: Option<&Token>,
) -> Option<(Binary, Strength, usize)> {
    let follows = |text: &str| next.is_some_and(|next| next.is(text));
    if !matches!(token.kind, crate::token::Kind::Name | crate::token::Kind::Mark) {
        return None;
    }
    Some(match &*token.text {
        "->" | "implies" => (Binary::Implies, IMPLIES, 1),
        "<" if follows("->") => (Binary::Iff, IMPLIES, 2),
        "equivalent" => (Binary::Iff, IMPLIES, 1),
        "U" | "until" | "stronguntil" => (Binary::Until, UNTIL, 1),
        "W" | "weakuntil" => (Binary::WeakUntil, UNTIL, 1),
        "V" | "R" | "release" => (Binary::Release, UNTIL, 1),
        "/" if follows("\\") => (Binary::Value(BinaryOp::And), AND, 2),
        "\\" if follows("/") => (Binary::Value(BinaryOp::Or), OR, 2),
        _ => return None,
    })
}

impl Parser<'_> {
    /// Takes an operator before a formula, if there is one.
    pub(super) fn temporal_prefix(&mut self) -> Option<Unary> {
        let pair = |first: &str, second: &str| {
            self.at(first) && self.peek_at(1).is_some_and(|next| next.is(second))
        };
        let (op, tokens) = if pair("[", "]") {
            (Unary::Always, 2)
        } else if pair("<", ">") {
            (Unary::Eventually, 2)
        } else {
            let op = match self.peek()?.text.as_ref() {
                "always" => Unary::Always,
                "eventually" => Unary::Eventually,
                "X" | "next" => Unary::Next,
                _ => return None,
            };
            (op, 1)
        };
        for _ in 0..tokens {
            self.bump();
        }
        Some(op)
    }
}
