//! Control flow: every basic statement is one edge, and what only directs the flow is none.
//!
//! This is SPIN's form without merging of statements. `goto` and `break` behind a statement are part of its
//! edge; as the first statement of an option or of a block, and under a label that somebody else asks about,
//! they are an edge of their own. The heads of `if` and `do` are
//! nodes whose edges are those of the first statements of their options.

mod build;
mod names;
mod openings;
mod skips;

#[cfg(test)]
mod tests;

use qp_base::{Diagnostic, IndexVec, define_index};
use qp_front_promela::At;
use qp_front_promela::spec::{Body, Expr, ExprKind, LabelId, Match, Place, Proc, ProcId, Spec};

use crate::uses;
pub(crate) use names::{act_text, deed_text};

define_index!(NodeId, "n", "A control state of a process.");

/// The control flow of one proctype.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub(crate) nodes: IndexVec<NodeId, Node>,
    pub(crate) start: NodeId,
    pub(crate) end: NodeId,
    /// Whether a process that runs this can come to its end.
    pub(crate) ends: bool,
    /// The labels that others ask about.
    pub(crate) watched: Vec<LabelId>,
}

/// A control state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    pub(crate) edges: Vec<Edge>,
    /// The labels of the statement here.
    pub(crate) labels: Vec<LabelId>,
    /// Whether a process may stay here for ever.
    pub(crate) may_rest: bool,
    /// Whether it is inside an atomic sequence.
    pub(crate) held: bool,
    /// The `d_step` that it is inside of, if any.
    pub(crate) inside: Option<u32>,
}

/// A basic statement.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) act: Act,
    pub(crate) target: NodeId,
    pub(crate) at: At,
    /// The number that SPIN gives to it.
    pub(crate) number: Option<u32>,
    /// 0 for what stands here. Else it leaves an `unless`: edges of one escape share a number, and come
    /// before those of escapes further inside.
    pub(crate) escape: u32,
    /// Whether it stands inside of an atomic sequence and is not its last: then its process goes on alone,
    /// wherever it leads.
    pub(crate) holds: bool,
    /// Whether it is possible only if nothing before it is: `else`, and a `d_step` that begins with it.
    pub(crate) waits: bool,
    /// Whether the `d_step` around can begin when this is possible.
    pub(crate) opens: bool,
}

/// What a basic statement does.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    /// Nothing: a jump.
    Jump,
    /// Waits until the value is not 0.
    Condition(Expr),
    /// Possible if no other edge is.
    Else,
    /// Assigns a value.
    Assign(Place, Expr),
    /// Adds a number.
    Add(Place, i32),
    /// Sends a message.
    Send { channel: Place, sorted: bool, args: Vec<Expr> },
    /// Receives a message.
    Receive { channel: Place, random: bool, keep: bool, args: Vec<Match> },
    /// Fails if the value is 0.
    Assert(Expr),
    /// Only computes values.
    Print(Vec<Expr>),
    /// Starts a process and remembers its number.
    Run { into: Option<Place>, proc: ProcId, args: Vec<Expr>, priority: Option<i32> },
    /// Assigns the first value of a variable, of an array that of its first element.
    Declare(Place, Expr),
    /// Sets the priority of a process.
    SetPriority(Expr, Expr),
    /// A sequence that begins here, as one step.
    DStep(NodeId),
    /// Fails: nothing before it is possible, where a `d_step` must go on.
    Block,
    /// Ends the process.
    End,
}

impl Graph {
    /// The statements of which one must be possible for a `d_step` to begin here; `None` if it always can.
    pub(crate) fn openings(&self, entry: NodeId) -> Option<impl Iterator<Item = &Edge>> {
        let mut all = self.nodes[entry].edges.iter().filter(|edge| edge.opens).peekable();
        all.peek().is_some().then_some(all)
    }
}

/// The control flow of a claim or of a trace.
pub(crate) fn of_body(spec: &Spec, body: &Body, at: At, said: &mut Vec<Diagnostic>) -> Graph {
    build::graph(spec, body, (None, at), said)
}

/// The control flow of all proctypes.
pub(crate) fn graphs(spec: &Spec, said: &mut Vec<Diagnostic>) -> IndexVec<ProcId, Graph> {
    let mut watched: IndexVec<ProcId, Vec<LabelId>> =
        spec.procs.iter().map(|_| Vec::new()).collect();
    uses::each(spec, &mut |it| {
        if let &ExprKind::RemoteLabel { proc, label, .. } = &it.kind {
            watched[proc].push(label);
        }
    });
    let graph = |(id, proc): (ProcId, &Proc)| {
        build::graph(spec, &proc.body, (Some(&watched[id][..]), proc.at), said)
    };
    spec.procs.iter_enumerated().map(graph).collect()
}
