//! The constant expressions of `#if` and `#elif`.

use qp_base::Span;

use crate::at::At;
use crate::codes;
use crate::parser::character;
use crate::spec::BinaryOp;
use crate::token::{Kind, Token};

use super::Pre;

/// How deep an expression may be nested.
const DEPTH_MAX: usize = 100;

impl Pre<'_, '_> {
    /// Whether a condition holds. If it is no condition, that is reported and it does not.
    pub(super) fn condition(&mut self, tokens: &[Token], line: Span) -> bool {
        let tokens = self.without_defined(tokens);
        let tokens = self.expand(&tokens, 0);
        let mut reader = Reader { tokens: &tokens, next: 0, depth: 0 };
        let value = reader.choice().filter(|_| reader.next == tokens.len());
        match value {
            Some(value) => value != 0,
            None if self.stopped => false,
            None => {
                self.error(codes::CONDITION, "this condition cannot be worked out", At::from(line))
                    .help("use numbers, macros that stand for numbers, `defined` and operators")
                    .push(self);
                false
            }
        }
    }

    /// The tokens with 0 or 1 in place of `defined X` and `defined(X)`.
    fn without_defined(&self, tokens: &[Token]) -> Vec<Token> {
        let mut out = Vec::new();
        let mut rest = tokens;
        while let [first, after @ ..] = rest {
            let (name, left) = match after {
                [name, left @ ..] if name.kind == Kind::Name => (Some(name), left),
                [open, name, close, left @ ..] if open.is("(") && close.is(")") => {
                    (Some(name), left)
                }
                _ => (None, after),
            };
            if let Some(name) = name.filter(|_| first.is("defined")) {
                let text = if self.macros.contains_key(&name.text) { "1" } else { "0" };
                out.push(Token::new(Kind::Number, text, first.span));
                rest = left;
            } else {
                out.push(first.clone());
                rest = after;
            }
        }
        out
    }
}

/// Reads and computes at once; `None` if there is no value.
struct Reader<'t> {
    tokens: &'t [Token],
    next: usize,
    depth: usize,
}

impl Reader<'_> {
    fn eat(&mut self, text: &str) -> bool {
        let there = self.tokens.get(self.next).is_some_and(|token| token.is(text));
        self.next += usize::from(there);
        there
    }

    fn choice(&mut self) -> Option<i64> {
        let condition = self.operation(0)?;
        if !self.eat("?") {
            return Some(condition);
        }
        let yes = self.deeper(Self::choice)?;
        if !self.eat(":") {
            return None;
        }
        let no = self.deeper(Self::choice)?;
        Some(if condition == 0 { no } else { yes })
    }

    /// An operand with every operator that binds at least this tightly.
    fn operation(&mut self, least: u8) -> Option<i64> {
        let mut left = self.operand()?;
        while let Some((operator, strength)) = self.operator().filter(|it| it.1 >= least) {
            self.next += 1;
            left = compute(operator, left, self.operation(strength + 1)?)?;
        }
        Some(left)
    }

    fn operator(&self) -> Option<(BinaryOp, u8)> {
        let token = self.tokens.get(self.next).filter(|token| token.kind == Kind::Mark)?;
        BinaryOp::with_sign(&token.text)
    }

    fn operand(&mut self) -> Option<i64> {
        if self.eat("!") {
            return self.deeper(Self::operand).map(|value| i64::from(value == 0));
        }
        if self.eat("!!") {
            return self.deeper(Self::operand).map(|value| i64::from(value != 0));
        }
        if self.eat("-") {
            return self.deeper(Self::operand).map(i64::wrapping_neg);
        }
        if self.eat("+") {
            return self.deeper(Self::operand);
        }
        if self.eat("~") {
            return self.deeper(Self::operand).map(|value| !value);
        }
        if self.eat("(") {
            let value = self.deeper(Self::choice)?;
            return self.eat(")").then_some(value);
        }
        let token = self.tokens.get(self.next)?;
        self.next += 1;
        match token.kind {
            Kind::Number => token.text.parse().ok(),
            Kind::Char => Some(character(&token.text).into()),
            Kind::Name => Some(0),
            _ => None,
        }
    }

    fn deeper(&mut self, inside: fn(&mut Self) -> Option<i64>) -> Option<i64> {
        if self.depth >= DEPTH_MAX {
            return None;
        }
        self.depth += 1;
        let value = inside(self);
        self.depth -= 1;
        value
    }
}

fn compute(operator: BinaryOp, left: i64, right: i64) -> Option<i64> {
    Some(match operator {
        BinaryOp::Or => i64::from(left != 0 || right != 0),
        BinaryOp::And => i64::from(left != 0 && right != 0),
        BinaryOp::BitOr => left | right,
        BinaryOp::BitXor => left ^ right,
        BinaryOp::BitAnd => left & right,
        BinaryOp::Equal => i64::from(left == right),
        BinaryOp::NotEqual => i64::from(left != right),
        BinaryOp::Less => i64::from(left < right),
        BinaryOp::LessEqual => i64::from(left <= right),
        BinaryOp::Greater => i64::from(left > right),
        BinaryOp::GreaterEqual => i64::from(left >= right),
        BinaryOp::ShiftLeft => left.checked_shl(u32::try_from(right).ok()?)?,
        BinaryOp::ShiftRight => left.checked_shr(u32::try_from(right).ok()?)?,
        BinaryOp::Add => left.wrapping_add(right),
        BinaryOp::Subtract => left.wrapping_sub(right),
        BinaryOp::Multiply => left.wrapping_mul(right),
        BinaryOp::Divide => left.checked_div(right)?,
        BinaryOp::Remainder => left.checked_rem(right)?,
    })
}
