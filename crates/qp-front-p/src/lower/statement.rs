//! Statements: checked and flattened.

use qp_base::{Diagnostic, Span};
use qp_program::{Expr, Instr, Op, Place, RegisterId, Root, Value};

use super::expression::{has_effect, has_result};
use super::frame::Frame;
use crate::ast::{self, Stmt, StmtKind};
use crate::codes;
use crate::types::Ty;

impl<'t> Frame<'_, 't, '_> {
    pub(super) fn stmts(&mut self, stmts: &'t [Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    pub(super) fn stmt(&mut self, stmt: &'t Stmt) {
        let before = self.at(stmt.span);
        match &stmt.kind {
            StmtKind::Block(stmts) => self.stmts(stmts),
            StmtKind::Assert { condition, message } => self.assert(condition, message.as_ref()),
            StmtKind::Assume { condition, message } => {
                if let Some(message) = message {
                    self.unused(message);
                }
                let condition = self.condition(condition);
                self.emit(Instr::Assume(condition));
            }
            StmtKind::Print(message) => self.print(message),
            StmtKind::Return(value) => self.return_(value.as_ref(), stmt.span),
            StmtKind::Break => self.leave_loop("break", stmt.span),
            StmtKind::Continue => self.leave_loop("continue", stmt.span),
            StmtKind::Assign { place, value } => self.assign(place, value),
            StmtKind::Insert { place, key, value } => self.insert(place, key, value),
            StmtKind::Add { place, value } => self.add(place, value),
            StmtKind::Remove { place, key } => self.remove(place, key),
            StmtKind::While { condition, body } => self.while_(condition, body),
            StmtKind::Foreach { item, collection, body } => self.foreach(item, collection, body),
            StmtKind::If { condition, then, otherwise } => {
                self.if_(condition, then, otherwise.as_deref());
            }
            StmtKind::New { interface, args } => {
                self.new_machine(interface, args, stmt.span, false);
            }
            StmtKind::Call { function, args } => {
                self.call(function, args, stmt.span, false);
            }
            StmtKind::Raise { event, args } => self.raise(event, args, stmt.span),
            StmtKind::Send { target, event, args } => self.send(target, event, args, stmt.span),
            StmtKind::Announce { event, args } => self.announce(event, args, stmt.span),
            StmtKind::Goto { state, args } => self.goto(state, args, stmt.span),
            StmtKind::Pop => self.pop(stmt.span),
            StmtKind::Receive(cases) => self.receive(cases, stmt.span),
            StmtKind::Nothing => {}
        }
        self.at(before);
    }

    /// The message is worked out only when the assertion fails.
    fn assert(&mut self, condition: &'t ast::Expr, message: Option<&'t ast::Expr>) {
        let condition = self.condition(condition);
        let Some(message) = message.filter(|message| has_effect(message)) else {
            let message = message.map(|message| self.expect(message, &Ty::Text));
            self.emit(Instr::Assert { condition, message });
            return;
        };
        let holds = self.emit_open(Instr::Unless(Expr::Not(Box::new(condition)), 0));
        let message = Some(self.expect(message, &Ty::Text));
        self.emit(Instr::Assert { condition: Expr::Const(Value::Bool(false)), message });
        self.land(holds);
    }

    /// A text that nobody sees is checked, and worked out if that can go wrong.
    fn print(&mut self, message: &'t ast::Expr) {
        let text = self.expect(message, &Ty::Text);
        if can_fail(&text) {
            self.emit(Instr::Evaluate(text));
        }
    }

    /// Checks a text without working it out.
    fn unused(&mut self, message: &'t ast::Expr) {
        if !has_effect(message) {
            self.expect(message, &Ty::Text);
            return;
        }
        let skip = self.emit_open(Instr::Jump(0));
        self.expect(message, &Ty::Text);
        self.land(skip);
    }

    fn return_(&mut self, value: Option<&'t ast::Expr>, span: Span) {
        let Some(value) = value else {
            if !matches!(self.returns.bare(), Ty::Null | Ty::Error) {
                let message = format!("`{}` must return `{}`", self.function.name, self.returns);
                let help = "say what to return: `return ...;`";
                self.out.error(codes::NO_RETURN, message, span, help);
            }
            self.emit(Instr::Return(None));
            return;
        };
        let typed = self.expr(value);
        let returns = self.returns.clone();
        if matches!(returns.bare(), Ty::Null) && !returns.takes(&typed.ty) {
            let message = "there is nothing to return here";
            self.error(if self.function.inline {
                Diagnostic::error(codes::MISMATCH, message, value.span)
                    .help("a handler returns no value: write `return;`")
            } else if matches!(self.function.returns.bare(), Ty::Null) {
                Diagnostic::error(codes::MISMATCH, message, value.span)
                    .also(self.function.span, "has no type for its value")
                    .help("write `return;`, or give the function a type")
            } else {
                Diagnostic::error(codes::MISMATCH, message, value.span)
                    .help("keep the value in a variable, and return it after the `receive`")
            });
        } else {
            self.fits(&returns, &typed.ty, value.span);
        }
        self.emit(Instr::Return(Some(typed.expr)));
    }

    fn assign(&mut self, place: &'t ast::Expr, value: &'t ast::Expr) {
        let to = self.place(place, has_effect(value));
        let local = to.place.as_ref().and_then(local_variable);
        self.wanted = local.filter(|_| has_result(value));
        let value = self.expect(value, &to.ty);
        self.wanted = None;
        let done = matches!(value, Expr::Register(register) if Some(register) == local);
        if let Some(place) = to.place.filter(|_| !done) {
            self.emit(Instr::Assign { place, value });
        }
    }

    fn if_(&mut self, condition: &'t ast::Expr, then: &'t Stmt, otherwise: Option<&'t Stmt>) {
        let condition = self.condition(condition);
        let to_else = self.emit_open(Instr::Unless(condition, 0));
        self.stmt(then);
        let Some(otherwise) = otherwise else {
            self.land(to_else);
            return;
        };
        let to_end = self.emit_open(Instr::Jump(0));
        self.land(to_else);
        self.stmt(otherwise);
        self.land(to_end);
    }
}

/// The register of a place that is all of a local variable.
fn local_variable(place: &Place) -> Option<RegisterId> {
    match place.root {
        Root::Register(register) if place.path.is_empty() => Some(register),
        Root::Register(_) | Root::Field(_) => None,
    }
}

/// Whether working it out can go wrong.
fn can_fail(expr: &Expr) -> bool {
    let mut fails = false;
    expr.for_each(&mut |it| {
        fails |= match it {
            Expr::Index { .. } | Expr::Cast { .. } => true,
            Expr::Binary { op, .. } => matches!(op, Op::Divide | Op::Remainder),
            _ => false,
        };
    });
    fails
}
