//! The numbers that SPIN gives to statements.
//!
//! SPIN's parser gives the next number to what it makes whenever it has read a statement completely. So what is
//! inside of a statement comes before it, except for the beginning of `for`, which is made before its body.
//!
//! A jump is no step of its own, so SPIN puts a `skip` before a jump whose label must be a place to be at.

use crate::at::At;
use crate::spec::{
    Block, Expr, ExprKind, Label, LabelId, Place, ProcId, Selection, Stmt, StmtKind, selection,
};

use super::Resolver;

/// The numbers of what SPIN makes of a statement while it reads it.
#[derive(Default)]
pub(super) struct Made {
    pub(super) number: u32,
    pub(super) closing: u32,
}

impl Resolver<'_, '_> {
    /// So many numbers that follow each other; the first of them.
    pub(super) fn take_numbers(&mut self, count: u32) -> u32 {
        let first = self.next_number;
        self.next_number = first.saturating_add(count);
        first
    }

    /// Numbers a statement that has been read completely.
    pub(super) fn number(&mut self, stmt: &mut Stmt) {
        match &stmt.kind {
            // The node, the end of an option, and the end. The other parts have their numbers already.
            StmtKind::For { .. } | StmtKind::ForMessages { .. } => {
                self.take_numbers(3);
                return;
            }
            StmtKind::Select { index, from, to } => {
                let behind = self.select_parts(index, (from, to), stmt.at).1;
                self.take_numbers(behind);
            }
            // It has its numbers already.
            StmtKind::Unless(..) => {}
            StmtKind::If(_) => stmt.number = self.take_numbers(2),
            StmtKind::Do(_) => stmt.number = self.take_numbers(3),
            _ => stmt.number = self.take_numbers(1),
        }
        stmt.closing = stmt.number;
    }

    /// How many numbers a `select` has, for its steps and then for the rest: those of a choice, or of a loop with an
    /// assignment before it.
    pub(super) fn select_parts(&self, index: &Place, limits: (&Expr, &Expr), at: At) -> (u32, u32) {
        let body = self.frame.as_ref().map(|frame| &frame.body);
        let name = self.spec.show_place(body, index);
        match (&limits.0.kind, &limits.1.kind) {
            (ExprKind::Number(low), ExprKind::Number(high))
                if selection(&self.expansions.list, &name, limits, at) == Selection::Choice =>
            {
                (high.abs_diff(*low) + 1, 2)
            }
            _ => (4, 3),
        }
    }

    /// Adds a statement that has its number. A jump behind a label that marks a state gets a `skip` before it,
    /// which takes the first of its labels.
    pub(super) fn push_stmt(&mut self, mut stmt: Stmt, block: &mut Block) {
        let marks = |label: &Label| label.is_end() || label.is_progress() || label.is_accept();
        let labels = self.frame.as_ref().map(|frame| &frame.body.labels);
        let marked = labels.is_some_and(|all| stmt.labels.iter().any(|&it| marks(&all[it])));
        if marked && is_jump(&stmt) {
            let number = self.take_numbers(1);
            let first = vec![stmt.labels.remove(0)];
            block.stmts.push(skip(first, stmt.at, number));
        }
        block.stmts.push(stmt);
    }

    /// Makes sure that a label that somebody looks at is a place to be at: if it belongs to a jump, there is a
    /// `skip` before the jump from now on.
    pub(super) fn keep_label(&mut self, proc: ProcId, label: LabelId) {
        let next = self.next_number;
        if split_jump(&mut self.spec.procs[proc].body.block, label, next) {
            self.take_numbers(1);
        }
    }
}

fn is_jump(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Goto(_) | StmtKind::Break)
}

fn skip(labels: Vec<LabelId>, at: At, number: u32) -> Stmt {
    let kind = StmtKind::Condition(Expr { kind: ExprKind::Number(1), at });
    Stmt { labels, kind, at, number, closing: number }
}

/// Puts a `skip` before the jump with this label. It takes the number, and the jump gets the next one. Says
/// whether there is such a jump.
fn split_jump(block: &mut Block, label: LabelId, next: u32) -> bool {
    let is_it = |stmt: &Stmt| is_jump(stmt) && stmt.labels.contains(&label);
    if let Some(index) = block.stmts.iter().position(is_it) {
        let jump = &mut block.stmts[index];
        let before = skip(std::mem::take(&mut jump.labels), jump.at, jump.number);
        (jump.number, jump.closing) = (next, next);
        block.stmts.insert(index, before);
        return true;
    }
    let mut inner = block.stmts.iter_mut().flat_map(|stmt| stmt.kind.blocks_mut());
    inner.any(|block| split_jump(block, label, next))
}
