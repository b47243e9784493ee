//! Loops over the messages of channels, written out as SPIN does it.
//!
//! `for (m in c) { … }` becomes
//! `i = 0; do :: i < len(c) -> c?m; c!m; …; i++ :: else -> break od` with a variable `i` that nobody sees.

use qp_base::IndexVec;
use qp_front_promela::At;
use qp_front_promela::spec::{
    BinaryOp, Block, Expr, ExprKind, Init, LocalId, Match, Place, ScopeId, Spec, Stmt, StmtKind,
    Ty, Var, Variable, Visibility,
};

/// Writes out all loops over messages.
pub(crate) fn write_out(spec: &mut Spec) {
    for id in spec.procs.ids() {
        let body = &mut spec.procs[id].body;
        let mut counters = Counters { locals: &mut body.locals };
        counters.scope(&mut body.block);
    }
}

struct Counters<'a> {
    locals: &'a mut IndexVec<LocalId, Variable>,
}

impl Counters<'_> {
    /// Loops of one scope share their counter.
    fn scope(&mut self, block: &mut Block) {
        self.block(block, &mut None);
    }

    fn block(&mut self, block: &mut Block, counter: &mut Option<LocalId>) {
        let mut stmts = Vec::with_capacity(block.stmts.len());
        for mut stmt in std::mem::take(&mut block.stmts) {
            match &mut stmt.kind {
                StmtKind::If(options) | StmtKind::Do(options) => {
                    for option in options {
                        self.block(option, counter);
                    }
                }
                StmtKind::Atomic(inner) | StmtKind::DStep(inner) | StmtKind::Block(inner) => {
                    self.scope(inner);
                }
                StmtKind::Unless(body, escape) => {
                    self.block(body, counter);
                    self.block(escape, counter);
                }
                StmtKind::For { body, .. } => self.scope(body),
                StmtKind::ForMessages { message, channel, body } => {
                    self.scope(body);
                    let (message, channel) = (std::mem::take(message), channel.clone());
                    let body = std::mem::take(body);
                    let counter = *counter.get_or_insert_with(|| self.fresh(stmt.at));
                    stmts.extend(written_out(&stmt, counter, message, channel, body));
                    continue;
                }
                _ => {}
            }
            stmts.push(stmt);
        }
        block.stmts = stmts;
    }

    fn fresh(&mut self, at: At) -> LocalId {
        self.locals.push(Variable {
            name: format!("_for{}", self.locals.len()),
            ty: Ty::Byte,
            len: None,
            init: Init::Zero,
            visibility: Visibility::Plain,
            scope: ScopeId::new(0),
            late: false,
            at,
        })
    }
}

fn written_out(
    stmt: &Stmt,
    counter: LocalId,
    message: Vec<Place>,
    channel: Place,
    mut body: Block,
) -> [Stmt; 2] {
    let at = stmt.at;
    let counter =
        Place { var: Var::Local(counter), steps: Vec::new(), ty: Ty::Byte, len: None, at };
    let basic = |kind, number| Stmt { labels: Vec::new(), kind, at, number, closing: number };
    let (number, closing) = (stmt.number, stmt.closing);
    let load = |place: &Place| Expr { kind: ExprKind::Load(place.clone()), at };
    let len = Expr { kind: ExprKind::Len(channel.clone()), at };
    let less = ExprKind::Binary(BinaryOp::Less, Box::new(load(&counter)), Box::new(len));
    let sent = message.iter().map(load).collect();
    let taken = message.into_iter().map(Match::Bind).collect();
    let receive =
        StmtKind::Receive { channel: channel.clone(), random: false, keep: false, args: taken };
    let send = StmtKind::Send { channel, sorted: false, args: sent };
    let mut stmts = vec![
        basic(StmtKind::Condition(Expr { kind: less, at }), number + 1),
        basic(receive, number + 2),
        basic(send, number + 3),
    ];
    stmts.append(&mut body.stmts);
    stmts.push(basic(StmtKind::Increment(counter.clone()), closing));
    let leave = vec![basic(StmtKind::Else, closing + 1), basic(StmtKind::Break, closing + 2)];
    let zero = Expr { kind: ExprKind::Number(0), at };
    let first = basic(StmtKind::Assign(counter, zero), number);
    let options = vec![Block { stmts }, Block { stmts: leave }];
    // A label before the loop names the loop, not the assignment.
    let labels = stmt.labels.clone();
    [first, Stmt { labels, ..basic(StmtKind::Do(options), closing + 3) }]
}
