//! What SPIN's numbers of statements stand for.

use std::collections::BTreeMap;

use super::{Block, Body, Expr, ExprKind, Place, Selection, Spec, Stmt, StmtKind, selection};

impl Spec {
    /// The steps of a body by the numbers that SPIN gives to them, nearly in the words of its lists of
    /// transitions.
    pub fn numbered(&self, body: &Body) -> BTreeMap<u32, String> {
        let mut list = Lister { spec: self, body, steps: BTreeMap::new() };
        list.block(&body.block);
        list.add(body.end_number, "-end-".to_owned());
        list.steps
    }
}

struct Lister<'s> {
    spec: &'s Spec,
    body: &'s Body,
    steps: BTreeMap<u32, String>,
}

impl Lister<'_> {
    fn add(&mut self, number: u32, text: String) {
        self.steps.insert(number, text);
    }

    fn place(&self, place: &Place) -> String {
        self.spec.show_place(Some(self.body), place)
    }

    fn expr(&self, expr: &Expr) -> String {
        self.spec.show(Some(self.body), expr)
    }

    fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let number = stmt.number;
        match &stmt.kind {
            StmtKind::If(_)
            | StmtKind::Do(_)
            | StmtKind::Atomic(_)
            | StmtKind::Block(_)
            | StmtKind::Unless(..) => {
                stmt.kind.blocks().into_iter().for_each(|block| self.block(block));
            }
            StmtKind::DStep(block) => {
                self.block(block);
                self.add(number, "d_step".to_owned());
            }
            StmtKind::For { index, from, to, body } => {
                let (name, from, to) = (self.place(index), self.expr(from), self.expr(to));
                self.add(number, format!("{name} = {from}"));
                self.add(number + 1, format!("({name}<={to})"));
                self.close(body, &name, stmt.closing);
            }
            StmtKind::ForMessages { message, channel, body } => {
                let channel = self.place(channel);
                let cells: Vec<String> = message.iter().map(|cell| self.place(cell)).collect();
                let message = cells.join(",");
                // SPIN counts with a variable of its own.
                self.add(number, "_ = 0".to_owned());
                self.add(number + 1, format!("(_<len({channel}))"));
                self.add(number + 2, format!("{channel}?{message}"));
                self.add(number + 3, format!("{channel}!{message}"));
                self.close(body, "_", stmt.closing);
            }
            StmtKind::Select { index, from, to } => self.select(stmt, index, (from, to)),
            StmtKind::Increment(place) => {
                let place = self.place(place);
                self.add(number, format!("{place} = ({place}+1)"));
            }
            StmtKind::Decrement(place) => {
                let place = self.place(place);
                self.add(number, format!("{place} = ({place}-1)"));
            }
            StmtKind::Declare(local) if !self.body.locals[*local].late => {}
            _ => self.add(number, self.spec.show_step(self.body, stmt)),
        }
    }

    /// The body of a `for` and what comes behind it.
    fn close(&mut self, body: &Block, index: &str, closing: u32) {
        self.block(body);
        self.add(closing, format!("{index} = ({index}+1)"));
        self.add(closing + 1, "else".to_owned());
        self.add(closing + 2, "break".to_owned());
    }

    fn select(&mut self, stmt: &Stmt, index: &Place, (from, to): (&Expr, &Expr)) {
        let name = self.place(index);
        let limits = match (&from.kind, &to.kind) {
            (&ExprKind::Number(low), &ExprKind::Number(high)) => Some((low, high)),
            _ => None,
        };
        let made = selection(&self.spec.expansions, &name, (from, to), stmt.at);
        if let Some((low, high)) = limits.filter(|_| made == Selection::Choice) {
            for (number, value) in (stmt.number..).zip(low..=high) {
                self.add(number, format!("{name} = {value}"));
            }
            return;
        }
        self.add(stmt.number, format!("{name} = {}", self.expr(from)));
        self.add(stmt.number + 1, format!("({name}<{})", self.expr(to)));
        self.add(stmt.number + 2, format!("{name} = ({name}+1)"));
        self.add(stmt.number + 3, "break".to_owned());
    }
}
