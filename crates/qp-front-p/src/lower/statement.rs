//! Statements: checked and flattened.

use qp_base::{Diagnostic, Span};
use qp_program::{Expr, Instr, Op, Place, RegisterId, Root, Value};

use super::expression::{has_effect, variable};
use super::frame::{Frame, Loop};
use super::place::whole;
use crate::ast::{self, ExprKind, Ident, Stmt, StmtKind};
use crate::rules_codes as codes;
use crate::types::Ty;

impl<'t> Frame<'_, 't, '_> {
    pub(super) fn stmts(&mut self, stmts: &'t [Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &'t Stmt) {
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
                self.error(
                    Diagnostic::error(codes::NO_RETURN, message, span)
                        .help("say what to return: `return ...;`"),
                );
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

    fn leave_loop(&mut self, what: &str, span: Span) {
        let Some(head) = self.loops.last().map(|it| it.head) else {
            let message = format!("`{what}` outside of a loop");
            self.error(
                Diagnostic::error(codes::NO_LOOP, message, span)
                    .help("it can only be inside of `while` or `foreach`"),
            );
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

    fn insert(&mut self, place: &'t ast::Expr, key: &'t ast::Expr, value: &'t ast::Expr) {
        let to = self.place(place, has_effect(key) || has_effect(value));
        let key_typed = self.operand(key, has_effect(value));
        let (wanted_key, wanted) = match to.ty.bare() {
            Ty::Seq(element) => (Ty::Int, Ty::clone(element)),
            Ty::Map(types) => (types.0.clone(), types.1.clone()),
            Ty::Set(_) => {
                let message = "a set takes one value, and no position";
                self.error(
                    Diagnostic::error(codes::MISMATCH, message, key.span)
                        .help("write `s += (x);`, or `s += ((x, y));` to add a tuple"),
                );
                (Ty::Error, Ty::Error)
            }
            _ => {
                self.needs("a sequence or map", &to.ty, place.span);
                (Ty::Error, Ty::Error)
            }
        };
        self.fits(&wanted_key, &key_typed.ty, key.span);
        let value = self.expect(value, &wanted);
        if let Some(place) = to.place {
            self.emit(Instr::Insert { place, key: key_typed.expr, value });
        }
    }

    fn add(&mut self, place: &'t ast::Expr, value: &'t ast::Expr) {
        let to = self.place(place, has_effect(value));
        let wanted = match to.ty.bare() {
            Ty::Set(element) => Ty::clone(element),
            Ty::Seq(_) | Ty::Map(_) => {
                let message = format!("expected a set, found `{}`", to.ty);
                let what = if matches!(to.ty.bare(), Ty::Seq(_)) { "position" } else { "key" };
                self.error(
                    Diagnostic::error(codes::MISMATCH, message, place.span)
                        .help(format!("say the {what} too: `x += ({what}, value);`")),
                );
                Ty::Error
            }
            _ => {
                self.needs("a set", &to.ty, place.span);
                Ty::Error
            }
        };
        let value = self.expect(value, &wanted);
        if let Some(place) = to.place {
            self.emit(Instr::Add { place, value });
        }
    }

    fn remove(&mut self, place: &'t ast::Expr, key: &'t ast::Expr) {
        let to = self.place(place, has_effect(key));
        let wanted = match to.ty.bare() {
            Ty::Seq(_) => Ty::Int,
            Ty::Map(types) => types.0.clone(),
            Ty::Set(element) => Ty::clone(element),
            _ => {
                self.needs("a sequence, set or map", &to.ty, place.span);
                Ty::Error
            }
        };
        let key = self.expect(key, &wanted);
        if let Some(place) = to.place {
            self.emit(Instr::Remove { place, key });
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

    fn while_(&mut self, condition: &'t ast::Expr, body: &'t Stmt) {
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
    fn foreach(&mut self, item: &'t Ident, collection: &'t ast::Expr, body: &'t Stmt) {
        let of = self.expr(collection);
        let element = match of.ty.bare() {
            Ty::Seq(element) | Ty::Set(element) => Ty::clone(element),
            Ty::Map(_) => {
                let message = "`foreach` goes over sequences and sets, not over maps";
                self.error(
                    Diagnostic::error(codes::MISMATCH, message, collection.span)
                        .help("say what you want of the map: `keys(...)` or `values(...)`"),
                );
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
}

/// The register of a place that is all of a local variable.
fn local_variable(place: &Place) -> Option<RegisterId> {
    match place.root {
        Root::Register(register) if place.path.is_empty() => Some(register),
        Root::Register(_) | Root::Field(_) => None,
    }
}

/// Whether the value comes from one instruction, which can put it where it is wanted.
fn has_result(e: &ast::Expr) -> bool {
    matches!(
        e.kind,
        ExprKind::Nondet
            | ExprKind::FairNondet
            | ExprKind::Choose(_)
            | ExprKind::New { .. }
            | ExprKind::Call { .. }
    )
}

/// Whether working it out can go wrong.
fn can_fail(expr: &Expr) -> bool {
    match expr {
        Expr::Const(_) | Expr::Register(_) | Expr::Field(_) | Expr::This => false,
        Expr::Index { .. } | Expr::Cast { .. } => true,
        Expr::Binary { op, left, right, .. } => {
            matches!(op, Op::Divide | Op::Remainder) || can_fail(left) || can_fail(right)
        }
        Expr::Not(of)
        | Expr::Negate(of)
        | Expr::Part(of, _)
        | Expr::Keys(of)
        | Expr::Values(of)
        | Expr::Size(of)
        | Expr::ToInt(of)
        | Expr::ToFloat(of) => can_fail(of),
        Expr::And(a, b) | Expr::Or(a, b) | Expr::Contains { item: a, of: b } => {
            can_fail(a) || can_fail(b)
        }
        Expr::Tuple(all) | Expr::Record(_, all) | Expr::Format(_, all) => all.iter().any(can_fail),
    }
}
