//! Expressions: checked, and split into what has an effect (instructions) and what has not.
//!
//! The order is that of P: from left to right, where the value of a compound operand is kept while the
//! operands right of it are worked out. Only a bare variable as the operand of an operator is looked at
//! last, after the calls right of it: `x + f()` sees what `f` did to `x`. Arguments and fields of tuples
//! are always kept.

use qp_base::{Diagnostic, Span};
use qp_program::{Expr, Value};

use super::check::{mismatch, shown};
use super::frame::{Frame, NULL};
use crate::ast::{self, ExprKind};
use crate::codes;
use crate::types::Ty;

/// An expression without effects, and its type.
#[derive(Clone)]
pub(super) struct Typed {
    pub(super) expr: Expr,
    pub(super) ty: Ty,
}

impl Typed {
    pub(super) fn new(expr: Expr, ty: Ty) -> Self {
        Self { expr, ty }
    }

    /// What stands in for something that was complained about.
    pub(super) fn error() -> Self {
        Self { expr: NULL, ty: Ty::Error }
    }
}

impl<'t> Frame<'_, 't, '_> {
    /// Checks an expression and emits what it does.
    pub(super) fn expr(&mut self, e: &'t ast::Expr) -> Typed {
        match &e.kind {
            ExprKind::Name(name) => self.name(name, e.span),
            ExprKind::This => self.this(e.span),
            ExprKind::Null => Typed::new(NULL, Ty::Null),
            ExprKind::Bool(it) => Typed::new(Expr::Const(Value::Bool(*it)), Ty::Bool),
            ExprKind::Int(it) => self.int(*it, e.span),
            ExprKind::Float(it) => Typed::new(Expr::Const(Value::float(*it)), Ty::Float),
            ExprKind::Text(text) => self.format(text, &[], e.span),
            ExprKind::Format { text, args } => self.format(text, args, e.span),
            ExprKind::Nondet => self.nondet("$", e.span),
            ExprKind::FairNondet => self.nondet("$$", e.span),
            ExprKind::Choose(None) => self.nondet("choose", e.span),
            ExprKind::Choose(Some(of)) => self.choose(of, e.span),
            ExprKind::Tuple(fields) => {
                let fields = self.all(fields);
                let (exprs, types) = fields.into_iter().map(|it| (it.expr, it.ty)).unzip();
                let types: Vec<Ty> = types;
                Typed::new(Expr::Tuple(exprs), Ty::Tuple(types.into()))
            }
            ExprKind::NamedTuple(fields) => self.record(fields),
            ExprKind::Field(of, name) => self.field(of, name),
            ExprKind::Position(of, position) => self.position(of, position),
            ExprKind::Index(of, index) => self.index(of, index, e.span),
            ExprKind::Keys(of) => self.keys(of, true),
            ExprKind::Values(of) => self.keys(of, false),
            ExprKind::Sizeof(of) => self.size(of),
            ExprKind::Default(ty) => {
                let ty = self.world.written_type(ty, self.out);
                Typed::new(Expr::Const(ty.runtime().default_value()), ty)
            }
            ExprKind::New { interface, args } => self.new_machine(interface, args, e.span, true),
            ExprKind::Call { function, args } => self.call(function, args, e.span, true),
            ExprKind::Unary(op, of) => self.unary(*op, of),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, e.span),
            ExprKind::Cast(of, ty) => self.cast(of, ty, e.span),
            ExprKind::Coerce(of, ty) => self.coerce(of, ty, e.span),
            ExprKind::Verifier(what) => self.verifier(what, e.span),
            ExprKind::Broken => Typed::error(),
        }
    }

    /// An expression that must fit a type.
    pub(super) fn expect(&mut self, e: &'t ast::Expr, wanted: &Ty) -> Expr {
        let typed = self.expr(e);
        if let ExprKind::Call { function, .. } = &e.kind
            && matches!(typed.ty.bare(), Ty::Null)
            && !wanted.takes(&typed.ty)
        {
            let message = format!("expected `{wanted}`, but `{}` returns nothing", function.text);
            self.error(Diagnostic::error(codes::MISMATCH, message, e.span));
            return typed.expr;
        }
        self.fits(wanted, &typed.ty, e.span);
        typed.expr
    }

    /// Says so if a value does not fit.
    pub(super) fn fits(&mut self, wanted: &Ty, found: &Ty, span: Span) -> bool {
        let fits = wanted.takes(found);
        if !fits {
            self.error(mismatch(wanted, found, span));
        }
        fits
    }

    /// An operand. Its value is kept if something with an effect comes later, unless it is a variable.
    pub(super) fn operand(&mut self, e: &'t ast::Expr, later: bool) -> Typed {
        let typed = self.expr(e);
        self.settled(typed, later)
    }

    /// Keeps a value in a register if something with an effect comes later, unless it is a variable.
    pub(super) fn settled(&mut self, typed: Typed, later: bool) -> Typed {
        let bare = matches!(typed.expr, Expr::Field(_));
        if bare { typed } else { self.keep(typed, later) }
    }

    /// Keeps a value in a register if something with an effect comes later.
    pub(super) fn keep(&mut self, typed: Typed, later: bool) -> Typed {
        let fixed = matches!(typed.expr, Expr::Const(_) | Expr::Register(_) | Expr::This);
        if !later || fixed {
            return typed;
        }
        let register = self.save(typed.expr, &typed.ty);
        Typed::new(Expr::Register(register), typed.ty)
    }

    /// Several expressions from left to right, each kept while the next ones are worked out.
    pub(super) fn all(&mut self, exprs: &'t [ast::Expr]) -> Vec<Typed> {
        let mut typed = Vec::new();
        for (i, e) in exprs.iter().enumerate() {
            let it = self.expr(e);
            typed.push(self.keep(it, exprs[i + 1..].iter().any(has_effect)));
        }
        typed
    }

    /// The condition of a statement.
    pub(super) fn condition(&mut self, e: &'t ast::Expr) -> Expr {
        self.expect(e, &Ty::Bool)
    }

    /// Says that a value of another kind is needed.
    pub(super) fn needs(&mut self, what: &str, found: &Ty, span: Span) {
        if !found.is_error() {
            let message = format!("expected {what}, found {}", shown(found));
            self.error(Diagnostic::error(codes::MISMATCH, message, span));
        }
    }

    fn verifier(&mut self, what: &str, span: Span) -> Typed {
        let message = format!("`{what}` is for P's deductive verifier only");
        let help = "say it with `assert` or a spec instead";
        self.out.error(codes::VERIFIER, message, span, help);
        Typed::error()
    }
}

/// Whether working the expression out does something: it calls, creates or chooses.
pub(super) fn has_effect(e: &ast::Expr) -> bool {
    has_result(e) || e.parts().into_iter().any(has_effect)
}

/// Whether the value comes from one instruction, which can put it where it is wanted.
pub(super) fn has_result(e: &ast::Expr) -> bool {
    matches!(
        e.kind,
        ExprKind::Nondet
            | ExprKind::FairNondet
            | ExprKind::Choose(_)
            | ExprKind::New { .. }
            | ExprKind::Call { .. }
    )
}
