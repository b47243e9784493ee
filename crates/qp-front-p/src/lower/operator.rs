//! Operators, casts and conversions.

use qp_base::{Diagnostic, Span};
use qp_program::{Expr, Instr, Op, Value};

use super::check::shown;
use super::expression::{Typed, has_effect};
use super::frame::Frame;
use crate::ast::{self, BinaryOp, UnaryOp};
use crate::codes;
use crate::types::Ty;

impl<'t> Frame<'_, 't, '_> {
    pub(super) fn unary(&mut self, op: UnaryOp, of: &'t ast::Expr) -> Typed {
        let typed = self.expr(of);
        match (op, typed.ty.bare()) {
            (_, Ty::Error) => Typed::error(),
            (UnaryOp::Not, Ty::Bool) => Typed::new(Expr::Not(Box::new(typed.expr)), Ty::Bool),
            (UnaryOp::Negate, Ty::Int | Ty::Float) => Typed::new(negated(typed.expr), typed.ty),
            (UnaryOp::Not, _) => {
                self.needs("`bool`", &typed.ty, of.span);
                Typed::error()
            }
            (UnaryOp::Negate, _) => {
                self.needs("`int` or `float`", &typed.ty, of.span);
                Typed::error()
            }
        }
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: &'t ast::Expr,
        right: &'t ast::Expr,
        span: Span,
    ) -> Typed {
        match op {
            BinaryOp::And => self.logical(left, right, true, false),
            BinaryOp::Or => self.logical(left, right, false, false),
            BinaryOp::Implies => self.logical(left, right, false, true),
            BinaryOp::In => self.contains(left, right),
            BinaryOp::Iff => {
                let left = self.truth_operand(left, has_effect(right));
                let right = self.truth_operand(right, false);
                let (left, right) = (Box::new(left), Box::new(right));
                Typed::new(Expr::Binary { op: Op::Equal, left, right, span }, Ty::Bool)
            }
            BinaryOp::Value(op) => self.arithmetic(op, left, right, span),
        }
    }

    fn truth_operand(&mut self, e: &'t ast::Expr, later: bool) -> Expr {
        let typed = self.operand(e, later);
        self.fits(&Ty::Bool, &typed.ty, e.span);
        typed.expr
    }

    /// `&&`, `||` and `==>`: the right side is only worked out if it matters.
    fn logical(
        &mut self,
        left: &'t ast::Expr,
        right: &'t ast::Expr,
        and: bool,
        negate: bool,
    ) -> Typed {
        let mut first = self.expect(left, &Ty::Bool);
        if negate {
            first = Expr::Not(Box::new(first));
        }
        if !has_effect(right) {
            let second = Box::new(self.expect(right, &Ty::Bool));
            let both = if and { Expr::And } else { Expr::Or };
            return Typed::new(both(Box::new(first), second), Ty::Bool);
        }
        let result = self.save(first, &Ty::Bool);
        let known = Expr::Register(result);
        let go_on = if and { known.clone() } else { Expr::Not(Box::new(known.clone())) };
        let skip = self.emit_open(Instr::Unless(go_on, 0));
        let second = self.expect(right, &Ty::Bool);
        self.store(result, second);
        self.land(skip);
        Typed::new(known, Ty::Bool)
    }

    fn contains(&mut self, item: &'t ast::Expr, of: &'t ast::Expr) -> Typed {
        let item_typed = self.operand(item, has_effect(of));
        let of_typed = self.expr(of);
        let element = match of_typed.ty.bare() {
            Ty::Seq(element) | Ty::Set(element) => Ty::clone(element),
            Ty::Map(types) => types.0.clone(),
            _ => {
                self.needs("a sequence, set or map", &of_typed.ty, of.span);
                return Typed::error();
            }
        };
        if !self.fits(&element, &item_typed.ty, item.span) {
            return Typed::error();
        }
        let (item, of) = (Box::new(item_typed.expr), Box::new(of_typed.expr));
        Typed::new(Expr::Contains { item, of }, Ty::Bool)
    }

    fn arithmetic(
        &mut self,
        op: Op,
        left: &'t ast::Expr,
        right: &'t ast::Expr,
        span: Span,
    ) -> Typed {
        let a = self.operand(left, has_effect(right));
        let b = self.expr(right);
        if a.ty.is_error() || b.ty.is_error() {
            return Typed::error();
        }
        let Some(ty) = result_type(op, &a.ty, &b.ty) else {
            self.error(unfit(op, &a.ty, &b.ty, span));
            return Typed::error();
        };
        let (left, right) = (Box::new(a.expr), Box::new(b.expr));
        Typed::new(Expr::Binary { op, left, right, span }, ty)
    }

    /// `e as T`.
    pub(super) fn cast(&mut self, of: &'t ast::Expr, ty: &'t ast::Type, span: Span) -> Typed {
        let typed = self.expr(of);
        let new = self.world.written_type(ty, self.out);
        if typed.ty.is_error() || new.is_error() {
            return Typed::error();
        }
        if !new.meets(&typed.ty) {
            let message = format!("{} is never {}", shown(&typed.ty), shown(&new));
            let diagnostic = Diagnostic::error(codes::CAST, message, span);
            self.error(match (typed.ty.bare(), new.bare()) {
                (Ty::Int | Ty::Float | Ty::Enum(_), Ty::Int | Ty::Float) => {
                    diagnostic.help(format!("`to` converts: `... to {new}`"))
                }
                _ => diagnostic.help("`as` only narrows a type, such as `any`, to a part of it"),
            });
            return Typed::error();
        }
        let (runtime, before) = (new.runtime(), typed.ty.runtime());
        if new.takes(&typed.ty) || runtime == before {
            return Typed::new(typed.expr, new);
        }
        let value = Box::new(typed.expr);
        Typed::new(Expr::Cast { value, ty: runtime, span }, new)
    }

    /// `e to T`.
    pub(super) fn coerce(&mut self, of: &'t ast::Expr, ty: &'t ast::Type, span: Span) -> Typed {
        let typed = self.expr(of);
        let new = self.world.written_type(ty, self.out);
        let (old, expr) = (typed.ty, typed.expr);
        match (old.bare(), new.bare()) {
            (Ty::Error, _) | (_, Ty::Error) => Typed::error(),
            (Ty::Int, Ty::Int) | (Ty::Float, Ty::Float) => Typed::new(expr, new),
            (Ty::Int, Ty::Float) => Typed::new(Expr::ToFloat(Box::new(expr)), new),
            (Ty::Float | Ty::Enum(_), Ty::Int) => Typed::new(Expr::ToInt(Box::new(expr)), new),
            (Ty::Machine, Ty::Permission(_)) => {
                self.facts.narrows = true;
                Typed::new(expr, new)
            }
            (Ty::Permission(from), Ty::Permission(to)) => {
                self.facts.narrows = true;
                let more = to.events.iter().find(|event| !from.events.contains(event));
                if let Some(&event) = more {
                    let name = self.world.event_name(event);
                    let message = format!("`{old}` does not take `{name}`, but `{new}` does");
                    let help = "`to` can only take events away";
                    self.out.error(codes::CAST, message, span, help);
                    return Typed::error();
                }
                Typed::new(expr, new)
            }
            _ => {
                let message = format!("{} cannot be converted to {}", shown(&old), shown(&new));
                let help = "`to` converts numbers and enum elements to `int` or `float`, and machines to \
                     interfaces";
                self.out.error(codes::CAST, message, span, help);
                Typed::error()
            }
        }
    }
}

fn negated(expr: Expr) -> Expr {
    match expr {
        Expr::Const(Value::Int(number)) => Expr::Const(Value::Int(number.wrapping_neg())),
        other => Expr::Negate(Box::new(other)),
    }
}

/// The type of an operator's result; `None` if the operands do not fit.
fn result_type(op: Op, a: &Ty, b: &Ty) -> Option<Ty> {
    let numbers = matches!((a.bare(), b.bare()), (Ty::Int, Ty::Int) | (Ty::Float, Ty::Float));
    let texts = matches!((a.bare(), b.bare()), (Ty::Text, Ty::Text));
    match op {
        Op::Equal | Op::NotEqual => a.meets(b).then_some(Ty::Bool),
        Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => {
            (numbers || texts).then_some(Ty::Bool)
        }
        Op::Add => (numbers || texts).then(|| a.bare().clone()),
        Op::Subtract | Op::Multiply | Op::Divide | Op::Remainder => {
            numbers.then(|| a.bare().clone())
        }
    }
}

fn unfit(op: Op, a: &Ty, b: &Ty, span: Span) -> Diagnostic {
    if matches!(op, Op::Equal | Op::NotEqual) {
        let message = format!("{} and {} cannot be compared", found(a), found(b));
        return Diagnostic::error(codes::INCOMPARABLE, message, span)
            .help("only values of the same type are ever equal");
    }
    let what = match op {
        Op::Add | Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => {
            "two `int`, two `float` or two `string`"
        }
        _ => "two `int` or two `float`",
    };
    let message = format!("`{}` needs {what}, found {} and {}", op.sign(), found(a), found(b));
    let diagnostic = Diagnostic::error(codes::OPERANDS, message, span);
    match (a.bare(), b.bare()) {
        (Ty::Int, Ty::Float) | (Ty::Float, Ty::Int) => {
            diagnostic.help("convert one of them: `... to float`")
        }
        (Ty::Enum(_), _) | (_, Ty::Enum(_)) => diagnostic.help("convert it: `... to int`"),
        _ => diagnostic,
    }
}

/// A type as an operand: `null` is a value here.
fn found(ty: &Ty) -> String {
    format!("`{ty}`")
}
