//! Loops, and how they are left.

use qp_base::{Diagnostic, Span};
use qp_program::{Expr, Instr, Op, Root, Value};

use super::frame::{Frame, Loop};
use super::place::whole;
use super::primary::variable;
use crate::ast::{self, Ident, Stmt};
use crate::codes;
use crate::types::Ty;

impl<'t> Frame<'_, 't, '_> {
    pub(super) fn while_(&mut self, condition: &'t ast::Expr, body: &'t Stmt) {
        let head = self.here();
        let condition = self.condition(condition);
        let forever = matches!(condition, Expr::Const(Value::Bool(true)));
        let done = (!forever).then(|| self.emit_open(Instr::Unless(condition, 0)));
        self.body_of_loop(head, body);
        if let Some(done) = done {
            self.land(done);
        }
        self.land_breaks();
    }

    /// Flattens the body of a loop and jumps back to its head.
    fn body_of_loop(&mut self, head: u32, body: &'t Stmt) {
        self.loops.push(Loop { head, breaks: Vec::new() });
        self.stmt(body);
        self.emit(Instr::Jump(head));
    }

    fn land_breaks(&mut self) {
        for patch in self.loops.pop().into_iter().flat_map(|it| it.breaks) {
            self.land(patch);
        }
    }

    /// Goes over a copy, by position: what the body does to the collection does not matter.
    pub(super) fn foreach(&mut self, item: &'t Ident, collection: &'t ast::Expr, body: &'t Stmt) {
        let of = self.expr(collection);
        let element = match of.ty.bare() {
            Ty::Seq(element) | Ty::Set(element) => Ty::clone(element),
            Ty::Map(_) => {
                let message = "`foreach` goes over sequences and sets, not over maps";
                let help = "say what you want of the map: `keys(...)` or `values(...)`";
                self.out.error(codes::MISMATCH, message, collection.span, help);
                Ty::Error
            }
            _ => {
                self.needs("a sequence or set", &of.ty, collection.span);
                Ty::Error
            }
        };
        self.facts.fixed_order |= matches!(of.ty.bare(), Ty::Set(_));
        let to = self.root(&item.text, item.span);
        if !element.same(&to.ty) {
            let message =
                format!("`{}` is `{}`, but the elements are `{element}`", item.text, to.ty);
            self.error(Diagnostic::error(codes::MISMATCH, message, item.span));
        }
        let copy = self.save(of.expr, &of.ty);
        let position = self.save(Expr::Const(Value::Int(0)), &Ty::Int);
        let head = self.here();
        let span = collection.span;
        let at = || Box::new(Expr::Register(position));
        let size = Box::new(Expr::Size(Box::new(Expr::Register(copy))));
        let more = Expr::Binary { op: Op::Less, left: at(), right: size, span };
        let done = self.emit_open(Instr::Unless(more, 0));
        if let Some(place) = to.place {
            let of = Box::new(variable(Root::Register(copy)));
            self.emit(Instr::Assign { place, value: Expr::Index { of, index: at(), span } });
        }
        let one = Box::new(Expr::Const(Value::Int(1)));
        let next = Expr::Binary { op: Op::Add, left: at(), right: one, span };
        self.emit(Instr::Assign { place: whole(Root::Register(position)), value: next });
        self.body_of_loop(head, body);
        self.land(done);
        self.land_breaks();
    }

    pub(super) fn leave_loop(&mut self, what: &str, span: Span) {
        let Some(head) = self.loops.last().map(|it| it.head) else {
            let message = format!("`{what}` outside of a loop");
            let help = "it can only be inside of `while` or `foreach`";
            self.out.error(codes::NO_LOOP, message, span, help);
            return;
        };
        if what == "continue" {
            self.emit(Instr::Jump(head));
            return;
        }
        let patch = self.emit_open(Instr::Jump(0));
        if let Some(innermost) = self.loops.last_mut() {
            innermost.breaks.push(patch);
        }
    }
}
