//! Which interfaces a machine names after `new`, also in the functions that it calls.

use std::collections::{BTreeMap, BTreeSet};

use qp_base::Span;

use crate::ast::{Body, Expr, ExprKind, Handler, Ident, Machine, Stmt, StmtKind};

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
            item.handler().into_iter().for_each(|handler| walk.handler(handler));
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
            StmtKind::New { interface, .. } => self.create(interface),
            StmtKind::Call { function, .. } => self.calls.push(&function.text),
            StmtKind::Receive(cases) => {
                return self.bodies.extend(cases.iter().map(|case| &case.body));
            }
            _ => {}
        }
        stmt.kind.exprs().into_iter().for_each(|e| self.expr(e));
        self.stmts(stmt.kind.inner());
    }

    fn expr(&mut self, e: &'d Expr) {
        match &e.kind {
            ExprKind::New { interface, .. } => self.create(interface),
            ExprKind::Call { function, .. } => self.calls.push(&function.text),
            _ => {}
        }
        e.parts().into_iter().for_each(|e| self.expr(e));
    }

    fn create(&mut self, interface: &'d Ident) {
        self.creates.entry(&interface.text).or_insert(interface.span);
    }
}
