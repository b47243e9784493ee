//! Which interfaces a machine names after `new`, also in the functions that it calls.

use std::collections::{BTreeMap, BTreeSet};

use qp_base::Span;

use crate::ast::{Body, Expr, ExprKind, Handler, Ident, Machine, StateItem, Stmt, StmtKind};

use super::index::Index;

/// Interfaces with the place of the first `new` that was found.
pub(crate) type Creates<'d> = BTreeMap<&'d str, Span>;

impl<'d> Index<'d> {
    /// What a machine creates.
    pub(crate) fn creates(&self, machine: &'d Machine) -> Creates<'d> {
        let mut walk = Walk::default();
        for function in &machine.functions {
            // It hides a function of the file with the same name.
            walk.seen.insert(&function.name.text);
            walk.bodies.extend(&function.body);
        }
        for item in machine.states.iter().flat_map(|state| &state.items) {
            walk.item(item);
        }
        loop {
            while let Some(name) = walk.calls.pop() {
                if walk.seen.insert(name) {
                    walk.bodies.extend(self.functions.get(name).and_then(|f| f.body.as_ref()));
                }
            }
            let Some(body) = walk.bodies.pop() else { return walk.creates };
            walk.stmts(&body.stmts);
        }
    }
}

#[derive(Default)]
struct Walk<'d> {
    creates: Creates<'d>,
    /// Bodies that were not looked at yet.
    bodies: Vec<&'d Body>,
    /// Functions that are called.
    calls: Vec<&'d str>,
    /// Functions whose bodies were looked at or wait for it.
    seen: BTreeSet<&'d str>,
}

impl<'d> Walk<'d> {
    fn item(&mut self, item: &'d StateItem) {
        match item {
            StateItem::Entry { handler, .. }
            | StateItem::Exit { handler, .. }
            | StateItem::Do { handler, .. }
            | StateItem::Goto { with: Some(handler), .. } => self.handler(handler),
            StateItem::Goto { with: None, .. }
            | StateItem::Push { .. }
            | StateItem::Defer(_)
            | StateItem::Ignore(_) => {}
        }
    }

    fn handler(&mut self, handler: &'d Handler) {
        match handler {
            Handler::Named(name) => self.calls.push(&name.text),
            Handler::Inline { body, .. } => self.bodies.push(body),
        }
    }

    fn stmts(&mut self, all: impl IntoIterator<Item = &'d Stmt>) {
        for stmt in all {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &'d Stmt) {
        match &stmt.kind {
            StmtKind::Block(stmts) => self.stmts(stmts),
            StmtKind::Assert { condition, message } | StmtKind::Assume { condition, message } => {
                self.expr(condition);
                self.exprs(message);
            }
            StmtKind::Print(e) => self.expr(e),
            StmtKind::Return(e) => self.exprs(e),
            StmtKind::Assign { place, value } | StmtKind::Add { place, value } => {
                self.exprs([place, value]);
            }
            StmtKind::Insert { place, key, value } => self.exprs([place, key, value]),
            StmtKind::Remove { place, key } => self.exprs([place, key]),
            StmtKind::While { condition, body } => {
                self.expr(condition);
                self.stmt(body);
            }
            StmtKind::Foreach { collection, body, .. } => {
                self.expr(collection);
                self.stmt(body);
            }
            StmtKind::If { condition, then, otherwise } => {
                self.expr(condition);
                self.stmt(then);
                self.stmts(otherwise.as_deref());
            }
            StmtKind::New { interface, args } => self.create(interface, args),
            StmtKind::Call { function, args } => self.call(function, args),
            StmtKind::Raise { event, args } | StmtKind::Announce { event, args } => {
                self.expr(event);
                self.exprs(args);
            }
            StmtKind::Send { target, event, args } => {
                self.exprs([target, event]);
                self.exprs(args);
            }
            StmtKind::Goto { args, .. } => self.exprs(args),
            StmtKind::Receive(cases) => self.bodies.extend(cases.iter().map(|case| &case.body)),
            StmtKind::Break | StmtKind::Continue | StmtKind::Pop | StmtKind::Nothing => {}
        }
    }

    fn expr(&mut self, e: &'d Expr) {
        match &e.kind {
            ExprKind::New { interface, args } => self.create(interface, args),
            ExprKind::Call { function, args } => self.call(function, args),
            ExprKind::Format { args, .. } | ExprKind::Tuple(args) => self.exprs(args),
            ExprKind::NamedTuple(fields) => self.exprs(fields.iter().map(|(_, e)| e)),
            ExprKind::Field(of, _)
            | ExprKind::Position(of, _)
            | ExprKind::Keys(of)
            | ExprKind::Values(of)
            | ExprKind::Sizeof(of)
            | ExprKind::Unary(_, of)
            | ExprKind::Cast(of, _)
            | ExprKind::Coerce(of, _)
            | ExprKind::Choose(Some(of)) => self.expr(of),
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Name(_)
            | ExprKind::This
            | ExprKind::Null
            | ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Text(_)
            | ExprKind::Nondet
            | ExprKind::FairNondet
            | ExprKind::Choose(None)
            | ExprKind::Default(_)
            | ExprKind::Verifier(_)
            | ExprKind::Broken => {}
        }
    }

    fn exprs(&mut self, all: impl IntoIterator<Item = &'d Expr>) {
        for e in all {
            self.expr(e);
        }
    }

    fn create(&mut self, interface: &'d Ident, args: &'d [Expr]) {
        self.creates.entry(&interface.text).or_insert(interface.span);
        self.exprs(args);
    }

    fn call(&mut self, function: &'d Ident, args: &'d [Expr]) {
        self.calls.push(&function.text);
        self.exprs(args);
    }
}
