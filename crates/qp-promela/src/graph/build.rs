//! From statements to nodes and edges, from the last statement to the first.

use qp_base::{Diagnostic, IndexVec};
use qp_dataflow::{Direction, reach};
use qp_front_promela::At;
use qp_front_promela::spec::{
    BinaryOp, Block, Body, Expr, ExprKind, Init, LabelId, LocalId, Place, Selection, Spec, Step,
    Stmt, StmtKind, Var, selection,
};

use super::openings::{begins_with_else, opening};
use super::skips::without_repeated;
use super::{Act, Edge, Graph, Node, NodeId};
use crate::codes;

/// The control flow of one body. What it cannot express is added to `said`. Of a claim or a trace there are no
/// labels that others ask about, and SPIN keeps all of its steps.
pub(super) fn graph(
    spec: &Spec,
    body: &Body,
    (watched, at): (Option<&[LabelId]>, At),
    said: &mut Vec<Diagnostic>,
) -> Graph {
    let mut build = Build {
        spec,
        body,
        is_claim: watched.is_none(),
        watched: watched.unwrap_or_default(),
        drafts: IndexVec::new(),
        labels: IndexVec::new(),
        breaks: Vec::new(),
        atomic: 0,
        tail: false,
        inside: None,
        openings: Vec::new(),
        sequences: 0,
        escapes: 0,
        number: body.end_number,
        closing: body.end_number,
        named: None,
        said,
    };
    for _ in &body.labels {
        let node = build.fresh();
        build.labels.push(node);
    }
    let end = build.edge(Act::End, NodeId::new(0), at, 0);
    build.drafts[end].may_rest = true;
    let start = build.block(&body.block, end, false);
    for (id, label) in body.labels.iter_enumerated() {
        let node = build.labels[id];
        build.drafts[node].may_rest |= label.is_end();
    }
    build.finish(start, end)
}

struct Build<'a> {
    spec: &'a Spec,
    body: &'a Body,
    /// The labels that others ask about.
    watched: &'a [LabelId],
    /// Whether it is a claim or a trace, where every statement counts.
    is_claim: bool,
    drafts: IndexVec<NodeId, Draft>,
    /// Where each label is.
    labels: IndexVec<LabelId, NodeId>,
    /// Where `break` leads, innermost loop last.
    breaks: Vec<NodeId>,
    /// How many atomic sequences are around.
    atomic: usize,
    /// Whether what is being built is the last thing of the outermost atomic sequence.
    tail: bool,
    /// The `d_step` around, if any.
    inside: Option<u32>,
    /// The numbers of the statements with which it can begin.
    openings: Vec<u32>,
    /// How many `d_step`s there are so far.
    sequences: u32,
    /// How many `unless` there are so far.
    escapes: u32,
    /// The number of the statement that is being built, and that of its parts behind its body.
    number: u32,
    closing: u32,
    /// What labels of the statement that was built last name, if that is not its beginning.
    named: Option<NodeId>,
    said: &'a mut Vec<Diagnostic>,
}

/// A node while it is built.
#[derive(Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each says one thing of its own")]
struct Draft {
    flow: Flow,
    labels: Vec<LabelId>,
    may_rest: bool,
    held: bool,
    /// Whether it is inside of an atomic sequence and not its last thing.
    strict: bool,
    /// Whether it is a `goto` or `break`, which holds exactly if it leads into an atomic sequence.
    jumps: bool,
    inside: Option<u32>,
    /// Where an `unless` leads from here, outermost first.
    escapes: Vec<(u32, NodeId)>,
}

#[derive(Clone, Default)]
enum Flow {
    /// Not known yet.
    #[default]
    Open,
    /// One basic statement.
    Edge(Box<Edge>),
    /// The first edges of all of these.
    Choice(Vec<NodeId>),
    /// The same node as another one.
    Same(NodeId),
    /// A jump inside of an atomic sequence. It is a step of its own where it leads out of the sequence or
    /// to its last thing, and else the same node as its target.
    Jump(Box<Edge>),
}

impl Build<'_> {
    fn fresh(&mut self) -> NodeId {
        let (held, inside) = (self.atomic > 0, self.inside);
        let strict = held && !self.tail;
        self.drafts.push(Draft { held, strict, inside, ..Draft::default() })
    }

    /// A node with one edge, which SPIN makes as the `offset`-th thing of the statement.
    fn edge(&mut self, act: Act, target: NodeId, at: At, offset: u32) -> NodeId {
        self.numbered(act, target, at, self.number + offset)
    }

    fn numbered(&mut self, act: Act, target: NodeId, at: At, number: u32) -> NodeId {
        let node = self.fresh();
        let opens = self.openings.contains(&number);
        let edge = Edge { opens, ..plain(act, target, at, number) };
        self.drafts[node].flow = Flow::Edge(Box::new(edge));
        node
    }

    fn choice(&mut self, options: Vec<NodeId>) -> NodeId {
        let node = self.fresh();
        self.drafts[node].flow = Flow::Choice(options);
        node
    }

    /// The node before these statements. `is_first` is whether an option or a block begins with them.
    fn block(&mut self, block: &Block, mut next: NodeId, is_first: bool) -> NodeId {
        let is_nothing = |stmt: &Stmt| match stmt.kind {
            StmtKind::Declare(local) => !self.body.locals[local].late,
            _ => false,
        };
        let first = block.stmts.iter().position(|stmt| !is_nothing(stmt)).unwrap_or(0);
        let tail = self.tail;
        for (index, stmt) in block.stmts.iter().enumerate().rev() {
            self.tail = tail && index + 1 == block.stmts.len();
            next = self.labelled(stmt, next, is_first && index == first);
        }
        self.tail = tail;
        next
    }

    /// SPIN makes a plain `else` the last option. One that begins a `d_step` stays where it is, and does not
    /// wait for what comes behind it.
    fn note_early_else(&mut self, options: &[Block]) {
        let hidden = |block: &&Block| {
            let step = block.stmts.first().map(|stmt| &stmt.kind);
            matches!(step, Some(StmtKind::DStep(inner)) if opening(inner).0)
        };
        let Some(early) = options.iter().rev().skip(1).find(hidden) else { return };
        let at = early.stmts.first().map(|stmt| stmt.at);
        let message = "this `else` does not wait for the options behind it";
        let help = "inside of a `d_step` SPIN leaves it where it stands; make it the last option";
        let place = at.map(|at| at.span).unwrap_or_default();
        self.said.push(Diagnostic::warning(codes::EARLY_ELSE, message, place).help(help));
    }

    /// The options of a choice.
    fn options(&mut self, options: &[Block], next: NodeId, at: At) -> Vec<NodeId> {
        self.note_early_else(options);
        let tail = std::mem::replace(&mut self.tail, false);
        let option = |block: &Block| {
            let kept = if self.is_claim { block.clone() } else { without_repeated(block) };
            self.block(&kept, next, true)
        };
        let (others, waiting): (Vec<_>, Vec<_>) =
            options.iter().partition(|block| !begins_with_else(block));
        let mut nodes: Vec<NodeId> =
            others.into_iter().chain(waiting.iter().copied()).map(option).collect();
        if waiting.is_empty() {
            nodes.extend(self.block_in_step(next, at));
        }
        self.tail = tail;
        nodes
    }

    /// Inside of a `d_step` a choice that has no possible option fails, even as an option of another one.
    fn block_in_step(&mut self, next: NodeId, at: At) -> Option<NodeId> {
        self.inside.map(|_| self.edge(Act::Block, next, at, 0))
    }

    /// Where a choice ends.
    fn exit(&mut self, next: NodeId, at: At, number: u32) -> NodeId {
        if self.atomic == 0 { next } else { self.connector(next, at, number) }
    }

    fn connector(&mut self, target: NodeId, at: At, number: u32) -> NodeId {
        let node = self.fresh();
        self.drafts[node].flow = Flow::Jump(Box::new(plain(Act::Jump, target, at, number)));
        node
    }

    fn labelled(&mut self, stmt: &Stmt, next: NodeId, is_first: bool) -> NodeId {
        let around = (self.number, self.closing);
        (self.number, self.closing) = (stmt.number, stmt.closing);
        let node = self.stmt(stmt, next, is_first);
        (self.number, self.closing) = around;
        let head = self.named.take();
        for &label in &stmt.labels {
            let named = self.labels[label];
            self.drafts[named].flow = Flow::Same(head.unwrap_or(node));
            self.drafts[named].labels.push(label);
        }
        if head.is_some() {
            return node;
        }
        // A label names the statement, so whoever comes to the statement is at the label.
        stmt.labels.first().map_or(node, |&label| self.labels[label])
    }

    fn stmt(&mut self, stmt: &Stmt, next: NodeId, is_first: bool) -> NodeId {
        let at = stmt.at;
        match &stmt.kind {
            StmtKind::Goto(label) => self.jump(self.labels[*label], at, is_first),
            StmtKind::Break => {
                let target = self.breaks.last().copied().unwrap_or(next);
                self.jump(target, at, is_first)
            }
            // Inside of a `d_step` they are blocks like others.
            StmtKind::DStep(block) | StmtKind::Atomic(block) if self.inside.is_some() => {
                self.braces(block, next, at)
            }
            StmtKind::Block(block) => self.braces(block, next, at),
            StmtKind::Atomic(block) => {
                let tail = self.tail;
                self.tail |= self.atomic == 0;
                self.atomic += 1;
                let inner = self.block(block, next, true);
                self.atomic -= 1;
                self.tail = tail && self.atomic > 0;
                self.choice(vec![inner])
            }
            StmtKind::DStep(block) => self.d_step(block, next, at),
            StmtKind::If(options) => {
                let exit = self.exit(next, at, stmt.number + 1);
                let options = self.options(options, exit, at);
                self.choice(options)
            }
            StmtKind::Do(options) => self.repeat(options, next, at),
            StmtKind::For { index, from, to, body } => {
                self.count(index, (from, to), body, next, at)
            }
            StmtKind::Select { index, from, to } => self.select(index, from, to, next, at),
            StmtKind::Declare(local) => self.declare(*local, next, at),
            StmtKind::Unless(body, escape) => {
                let exit = self.exit(next, at, stmt.number + 1);
                self.unless(body, escape, exit, is_first)
            }
            StmtKind::ForMessages { .. } => {
                unreachable!("bug in Queueproof: a loop over messages is written out before")
            }
            basic => match act(basic) {
                Some(act) => self.edge(act, next, at, 0),
                None => unreachable!("bug in Queueproof: a statement of others is taken for basic"),
            },
        }
    }

    /// Only what is declared behind a statement is a step.
    fn declare(&mut self, local: LocalId, next: NodeId, at: At) -> NodeId {
        let variable = &self.body.locals[local];
        if !variable.late {
            return next;
        }
        let zero = Expr { kind: ExprKind::Number(0), at };
        // What is declared behind a statement has no list of values, and is no channel of its own.
        let value = if let Init::Value(value) = &variable.init { value } else { &zero };
        let first = variable.len.map(|_| Step::Index(zero.clone()));
        let (var, steps) = (Var::Local(local), first.into_iter().collect());
        let place = Place { var, steps, ty: variable.ty, len: None, at: variable.at };
        self.edge(Act::Declare(place, value.clone()), next, at, 0)
    }

    /// As the first statement of an option or of a block a jump is a step of its own.
    fn jump(&mut self, target: NodeId, at: At, is_first: bool) -> NodeId {
        if is_first || self.atomic > 0 {
            let node = if is_first {
                self.edge(Act::Jump, target, at, 0)
            } else {
                self.connector(target, at, self.number)
            };
            self.drafts[node].jumps = true;
            return node;
        }
        let node = self.fresh();
        self.drafts[node].flow = Flow::Same(target);
        node
    }

    fn d_step(&mut self, block: &Block, next: NodeId, at: At) -> NodeId {
        if let [only] = &block.stmts[..]
            && let Some(act) = act(&only.kind)
            && only.labels.is_empty()
            // A rendezvous is not possible inside.
            && !matches!(act, Act::Send { .. })
        {
            return self.edge(act, next, at, 0);
        }
        self.sequences += 1;
        let (waits, openings) = opening(block);
        let around = (self.inside.replace(self.sequences), self.openings.clone());
        self.openings = openings;
        let entry = self.block(block, next, true);
        (self.inside, self.openings) = around;
        let node = self.fresh();
        let step = plain(Act::DStep(entry), next, at, self.number);
        self.drafts[node].flow = Flow::Edge(Box::new(Edge { waits, ..step }));
        node
    }

    /// Statements in braces.
    fn braces(&mut self, block: &Block, next: NodeId, at: At) -> NodeId {
        let inner = self.block(block, next, true);
        let blocks = self.block_in_step(next, at);
        self.choice([inner].into_iter().chain(blocks).collect())
    }

    /// Every statement of the body can be left for the escape.
    fn unless(&mut self, body: &Block, escape: &Block, next: NodeId, is_first: bool) -> NodeId {
        let tail = std::mem::replace(&mut self.tail, false);
        let out = self.block(unwrapped(escape), next, false);
        self.escapes += 1;
        let (number, before) = (self.escapes, self.drafts.len());
        let inner = self.block(unwrapped(body), next, is_first);
        self.tail = tail;
        let around = self.inside;
        let counts = match &body.stmts[..] {
            [only] => matches!(only.kind, StmtKind::For { .. } | StmtKind::Select { .. }),
            _ => false,
        };
        for id in (before..self.drafts.len()).map(NodeId::new) {
            // Where a loop that counts is all of the body, SPIN sets its counter before.
            let is_before = counts && id == inner && matches!(self.drafts[id].flow, Flow::Edge(_));
            if self.drafts[id].inside == around && !is_before {
                self.drafts[id].escapes.insert(0, (number, out));
            }
        }
        inner
    }

    fn repeat(&mut self, options: &[Block], next: NodeId, at: At) -> NodeId {
        let exit = self.exit(next, at, self.number + 2);
        let head = self.head();
        self.breaks.push(exit);
        let options = self.options(options, head, at);
        self.breaks.pop();
        self.drafts[head].flow = Flow::Choice(options);
        head
    }

    /// The place to which a loop comes back: never the last thing of a sequence.
    fn head(&mut self) -> NodeId {
        let tail = std::mem::replace(&mut self.tail, false);
        let head = self.fresh();
        self.tail = tail;
        head
    }

    fn count(
        &mut self,
        index: &Place,
        (from, to): (&Expr, &Expr),
        body: &Block,
        next: NodeId,
        at: At,
    ) -> NodeId {
        let closing = self.closing;
        let exit = self.exit(next, at, closing + 5);
        let tail = std::mem::replace(&mut self.tail, false);
        let head = self.fresh();
        self.breaks.push(exit);
        let more = self.numbered(Act::Add(index.clone(), 1), head, at, closing);
        let body = self.block(body, more, false);
        self.breaks.pop();
        let enter = self.edge(compare(BinaryOp::LessEqual, index, to, at), body, at, 1);
        let out = if self.atomic > 0 { self.connector(exit, at, closing + 2) } else { exit };
        let leave = self.numbered(Act::Else, out, at, closing + 1);
        self.drafts[head].flow = Flow::Choice(vec![enter, leave]);
        let first = self.edge(Act::Assign(index.clone(), from.clone()), head, at, 0);
        self.tail = tail;
        self.named = Some(head);
        first
    }

    fn select(&mut self, index: &Place, from: &Expr, to: &Expr, next: NodeId, at: At) -> NodeId {
        let name = self.spec.show_place(Some(self.body), index);
        let made = selection(&self.spec.expansions, &name, (from, to), at);
        let values = match (&from.kind, &to.kind) {
            (&ExprKind::Number(low), &ExprKind::Number(high)) if made == Selection::Choice => {
                Some((low, high))
            }
            _ => None,
        };
        let last = values.map_or(6, |(low, high)| high.abs_diff(low) + 2);
        let exit = self.exit(next, at, self.number + last);
        let tail = std::mem::replace(&mut self.tail, false);
        let first = match values {
            Some((low, high)) => self.select_one(index, (low, high), exit, at),
            None => self.select_counting(index, (from, to), exit, at),
        };
        self.tail = tail;
        if made == Selection::Written {
            self.named = None;
        }
        first
    }

    /// A choice with one assignment for each value.
    fn select_one(
        &mut self,
        index: &Place,
        (low, high): (i32, i32),
        next: NodeId,
        at: At,
    ) -> NodeId {
        let number = |value| Expr { kind: ExprKind::Number(value), at };
        let options = (low..=high)
            .zip(0..)
            .map(|(value, n)| self.edge(Act::Assign(index.clone(), number(value)), next, at, n))
            .collect();
        self.choice(options)
    }

    /// A loop that counts and may stop at any value. Labels before it name the loop.
    fn select_counting(
        &mut self,
        index: &Place,
        (from, to): (&Expr, &Expr),
        next: NodeId,
        at: At,
    ) -> NodeId {
        let head = self.fresh();
        let more = self.edge(Act::Add(index.clone(), 1), head, at, 2);
        let enter = self.edge(compare(BinaryOp::Less, index, to, at), more, at, 1);
        let leave = self.edge(Act::Jump, next, at, 3);
        // SPIN tries the way out first: a `d_step` takes it.
        self.drafts[head].flow = Flow::Choice(vec![leave, enter]);
        self.named = Some(head);
        self.edge(Act::Assign(index.clone(), from.clone()), head, at, 0)
    }

    /// Puts edges into nodes and leads past nodes that are only names for others.
    fn finish(mut self, start: NodeId, end: NodeId) -> Graph {
        for (id, label) in self.body.labels.iter_enumerated() {
            if self.resolve(self.labels[id]).is_none() {
                let message = "a `goto` that only leads back to itself cannot be run yet";
                self.said.push(Diagnostic::error(codes::NOT_YET, message, label.at.span));
            }
        }
        for id in self.drafts.ids() {
            let Some(target) = self.resolve(id) else { continue };
            if target != id {
                let Draft { labels, may_rest, .. } = self.drafts[id].clone();
                self.drafts[target].may_rest |= may_rest;
                self.drafts[target].labels.extend(labels);
            }
        }
        let mut nodes: IndexVec<NodeId, Node> = IndexVec::new();
        for (id, draft) in self.drafts.iter_enumerated() {
            let mut edges = Vec::new();
            if self.resolve(id) == Some(id) {
                self.gather(id, 0, &mut Some(Vec::new()), &mut edges);
            }
            let Draft { labels, may_rest, held, inside, .. } = draft.clone();
            nodes.push(Node { edges, labels, may_rest, held, inside });
        }
        let start = self.resolve(start).unwrap_or(end);
        let ends = reachable(&nodes, start)[end.index()];
        Graph { nodes, start, end, ends, watched: self.watched.to_vec() }
    }

    /// The node that this one is another name for; `None` where jumps only lead to each other.
    fn resolve(&self, mut id: NodeId) -> Option<NodeId> {
        for _ in 0..=self.drafts.len() {
            match self.drafts[id].flow {
                Flow::Same(other) => id = other,
                Flow::Jump(ref edge) if self.is_strict(edge.target) => id = edge.target,
                Flow::Open | Flow::Edge(_) | Flow::Choice(_) | Flow::Jump(_) => return Some(id),
            }
        }
        None
    }

    /// Whether what stands at a place is inside of an atomic sequence and not its last thing.
    fn is_strict(&self, mut id: NodeId) -> bool {
        for _ in 0..=self.drafts.len() {
            match self.drafts[id].flow {
                Flow::Same(other) => id = other,
                Flow::Open | Flow::Edge(_) | Flow::Choice(_) | Flow::Jump(_) => break,
            }
        }
        self.drafts[id].strict
    }

    /// Whether a process goes on alone behind the edge of a node.
    fn holds(&self, id: NodeId, edge: &Edge) -> bool {
        let draft = &self.drafts[id];
        if !draft.jumps {
            return draft.strict;
        }
        let target = match self.drafts[edge.target].flow {
            Flow::Same(named) => named,
            _ => edge.target,
        };
        draft.held && self.drafts[target].held
    }

    /// The edges of a node; `met` are the escapes that are among them already. Where an escape begins, the
    /// ways to leave it again do not count yet: there is no `met`.
    fn gather(&self, id: NodeId, depth: usize, met: &mut Option<Vec<u32>>, edges: &mut Vec<Edge>) {
        if depth > self.drafts.len() {
            return;
        }
        for &(number, out) in &self.drafts[id].escapes {
            if let Some(met) = met
                && !met.contains(&number)
            {
                met.push(number);
                let before = edges.len();
                self.gather(out, depth + 1, &mut None, edges);
                // SPIN's verifier tries the last option first: an `else` there waits for none of the others.
                edges[before..].reverse();
                edges[before..].iter_mut().for_each(|edge| edge.escape = number);
            }
        }
        match &self.drafts[id].flow {
            Flow::Jump(edge) if self.is_strict(edge.target) => {
                self.gather(edge.target, depth + 1, met, edges);
            }
            Flow::Edge(edge) | Flow::Jump(edge) => {
                let target = self.resolve(edge.target).unwrap_or(edge.target);
                let holds = self.holds(id, edge);
                let mut edge = Edge { target, holds, ..(**edge).clone() };
                if let Act::DStep(entry) = &mut edge.act {
                    *entry = self.resolve(*entry).unwrap_or(*entry);
                }
                edges.push(edge);
            }
            Flow::Choice(options) => {
                // SPIN tries the escapes of the last option first.
                let (mut escapes, mut others) = (Vec::new(), Vec::new());
                for &option in options {
                    let mut found = Vec::new();
                    self.gather(option, depth + 1, met, &mut found);
                    let (out, stays): (Vec<_>, Vec<_>) =
                        found.into_iter().partition(|edge| edge.escape > 0);
                    escapes.push(out);
                    others.extend(stays);
                }
                edges.extend(escapes.into_iter().rev().flatten());
                edges.extend(others);
            }
            &Flow::Same(other) => self.gather(other, depth + 1, met, edges),
            Flow::Open => {}
        }
    }
}

/// An edge that stands alone.
fn plain(act: Act, target: NodeId, at: At, number: u32) -> Edge {
    let waits = matches!(act, Act::Else);
    Edge { act, target, at, number: Some(number), escape: 0, holds: false, waits, opens: false }
}

/// Braces around all of a body or an escape are not a block of their own.
fn unwrapped(block: &Block) -> &Block {
    match &block.stmts[..] {
        [Stmt { labels, kind: StmtKind::Block(inner), .. }] if labels.is_empty() => inner,
        _ => block,
    }
}

fn reachable(nodes: &IndexVec<NodeId, Node>, start: NodeId) -> Vec<bool> {
    let targets = |node: &Node| node.edges.iter().map(|edge| edge.target.index()).collect();
    let graph = qp_dataflow::Graph::new(nodes.iter().map(targets).collect());
    reach(&graph, Direction::Forward, [start.index()])
}

fn compare(op: BinaryOp, index: &Place, limit: &Expr, at: At) -> Act {
    let value = Expr { kind: ExprKind::Load(index.clone()), at };
    let kind = ExprKind::Binary(op, Box::new(value), Box::new(limit.clone()));
    Act::Condition(Expr { kind, at })
}

/// What a basic statement does; `None` for statements that are made of others.
fn act(stmt: &StmtKind) -> Option<Act> {
    let run = |into: Option<&Place>, value: &Expr| match &value.kind {
        ExprKind::Run { proc, args, priority } => {
            let (into, args, priority) = (into.cloned(), args.clone(), *priority);
            Some(Act::Run { into, proc: *proc, args, priority })
        }
        _ => None,
    };
    Some(match stmt {
        StmtKind::Condition(value) => {
            run(None, value).unwrap_or_else(|| Act::Condition(value.clone()))
        }
        StmtKind::Assign(place, value) => {
            run(Some(place), value).unwrap_or_else(|| Act::Assign(place.clone(), value.clone()))
        }
        StmtKind::Increment(place) => Act::Add(place.clone(), 1),
        StmtKind::Decrement(place) => Act::Add(place.clone(), -1),
        StmtKind::Else => Act::Else,
        StmtKind::Send { channel, sorted, args } => {
            Act::Send { channel: channel.clone(), sorted: *sorted, args: args.clone() }
        }
        StmtKind::Receive { channel, random, keep, args } => Act::Receive {
            channel: channel.clone(),
            random: *random,
            keep: *keep,
            args: args.clone(),
        },
        StmtKind::Assert(value) => Act::Assert(value.clone()),
        StmtKind::Printf { args, .. } => Act::Print(args.clone()),
        StmtKind::Printm(value) => Act::Print(vec![value.clone()]),
        StmtKind::SetPriority(pid, value) => Act::SetPriority(pid.clone(), value.clone()),
        _ => return None,
    })
}
