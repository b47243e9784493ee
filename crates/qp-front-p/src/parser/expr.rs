//! Expressions: operators with their strength, and what follows an operand.

use qp_program::Op;

use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::lexer::Token;

use super::Parser;

/// How tightly operators bind: from `<==>` to the signs. All of them group to the left.
type Strength = u8;

const LOOSEST: Strength = 0;
const CAST: Strength = 7;
const SIGN: Strength = 10;

/// An operator after its left operand.
#[derive(Clone, Copy)]
enum Operator {
    Binary(BinaryOp),
    Cast,
    Coerce,
}

impl Parser<'_, '_> {
    pub(super) fn expr(&mut self) -> Option<Expr> {
        self.operation(LOOSEST)
    }

    /// Arguments with commas between them, up to and including the closing parenthesis.
    pub(super) fn args(&mut self) -> Option<Vec<Expr>> {
        if self.eat(Token::Close).is_some() {
            return Some(Vec::new());
        }
        let args = self.list(Self::argument)?;
        self.expect(Token::Close, "`,` or `)`", "every `(` needs a `)`")?;
        Some(args)
    }

    /// An expression that is handed over: assigned, sent or passed to a function.
    pub(super) fn argument(&mut self) -> Option<Expr> {
        let value = self.expr()?;
        self.refuse_linear();
        Some(value)
    }

    /// Arguments after a comma, if there is one.
    pub(super) fn more_args(&mut self) -> Option<Vec<Expr>> {
        if self.eat(Token::Comma).is_none() {
            return Some(Vec::new());
        }
        self.list(Self::argument)
    }

    /// An operand with every operator that binds at least this tightly.
    pub(super) fn operation(&mut self, least: Strength) -> Option<Expr> {
        let outside = std::mem::take(&mut self.height);
        let expr = self.nested(|p| p.operators(least));
        self.height = outside.max(self.height + 1);
        expr
    }

    /// Like a sign: an operand with all that follows it and no operator.
    pub(super) fn operand(&mut self) -> Option<Expr> {
        self.operation(SIGN)
    }

    /// `x`, `x.f`, `x.0`, `x[i]`, and so on.
    pub(super) fn place(&mut self) -> Option<Expr> {
        let outside = std::mem::take(&mut self.height);
        let name = self.name("the name of a variable", "write `x`, `x.field` or `x[index]`")?;
        let expr = Expr { kind: ExprKind::Name(name.text), span: name.span };
        let expr = self.nested(|p| p.accesses(expr));
        self.height = outside.max(self.height + 1);
        expr
    }

    /// What `.` and `[` take from a value.
    pub(super) fn accesses(&mut self, of: Expr) -> Option<Expr> {
        let mut expr = of;
        loop {
            let start = expr.span;
            let kind = match self.peek() {
                Some(Token::Dot) => self.dot(expr)?,
                Some(Token::OpenBracket) => {
                    self.bump();
                    let index = self.expr()?;
                    self.expect(Token::CloseBracket, "`]`", "every `[` needs a `]`")?;
                    ExprKind::Index(Box::new(expr), Box::new(index))
                }
                _ => match self.at_verifier_suffix() {
                    Some(what) => ExprKind::Verifier(self.verifier_operator(what)?),
                    None => return Some(expr),
                },
            };
            expr = Expr { kind, span: self.since(start) };
            self.grow()?;
        }
    }

    fn operators(&mut self, least: Strength) -> Option<Expr> {
        let mut left = self.prefix()?;
        while let Some((operator, strength)) = self.peek().and_then(operator) {
            if strength < least {
                break;
            }
            self.bump();
            let start = left.span;
            let left_side = Box::new(left);
            let kind = match operator {
                Operator::Cast => ExprKind::Cast(left_side, self.ty()?),
                Operator::Coerce => ExprKind::Coerce(left_side, self.ty()?),
                Operator::Binary(op) => {
                    ExprKind::Binary(op, left_side, Box::new(self.operation(strength + 1)?))
                }
            };
            left = Expr { kind, span: self.since(start) };
            self.grow()?;
        }
        Some(left)
    }

    fn prefix(&mut self) -> Option<Expr> {
        let op = match self.peek() {
            Some(Token::Minus) => UnaryOp::Negate,
            Some(Token::Not) => UnaryOp::Not,
            _ => {
                let operand = self.primary()?;
                return self.accesses(operand);
            }
        };
        let start = self.here();
        self.bump();
        let operand = self.operand()?;
        let kind = ExprKind::Unary(op, Box::new(operand));
        Some(Expr { kind, span: self.since(start) })
    }

    /// `.x` or `.0`.
    fn dot(&mut self, of: Expr) -> Option<ExprKind> {
        self.bump();
        let help = "write `value.field` or `value.0`";
        if self.peek() == Some(Token::Number) {
            let position = self.number("a position", help)?;
            return Some(ExprKind::Position(Box::new(of), position));
        }
        let field = self.name("the name of a field", help)?;
        Some(ExprKind::Field(Box::new(of), field))
    }

    /// Counts a node that was put on top of what was read at this depth: a long chain of operators is
    /// a deep tree although nothing is nested.
    fn grow(&mut self) -> Option<()> {
        self.height += 1;
        self.check_depth(self.height)
    }
}

fn operator(token: Token) -> Option<(Operator, Strength)> {
    let (op, strength) = match token {
        Token::As => return Some((Operator::Cast, CAST)),
        Token::To => return Some((Operator::Coerce, CAST)),
        Token::Star => (BinaryOp::Value(Op::Multiply), 9),
        Token::Slash => (BinaryOp::Value(Op::Divide), 9),
        Token::Percent => (BinaryOp::Value(Op::Remainder), 9),
        Token::Plus => (BinaryOp::Value(Op::Add), 8),
        Token::Minus => (BinaryOp::Value(Op::Subtract), 8),
        Token::Less => (BinaryOp::Value(Op::Less), 6),
        Token::LessEqual => (BinaryOp::Value(Op::LessEqual), 6),
        Token::Greater => (BinaryOp::Value(Op::Greater), 6),
        Token::GreaterEqual => (BinaryOp::Value(Op::GreaterEqual), 6),
        Token::In => (BinaryOp::In, 6),
        Token::Equal => (BinaryOp::Value(Op::Equal), 5),
        Token::NotEqual => (BinaryOp::Value(Op::NotEqual), 5),
        Token::And => (BinaryOp::And, 4),
        Token::Or => (BinaryOp::Or, 3),
        Token::Implies => (BinaryOp::Implies, 2),
        Token::Iff => (BinaryOp::Iff, 1),
        _ => return None,
    };
    Some((Operator::Binary(op), strength))
}
