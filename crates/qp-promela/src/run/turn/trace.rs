//! `trace` and `notrace`: an automaton that follows the sends and receives on some channels.

use qp_front_promela::spec::{Expr, ExprKind, Match, Place};
use qp_machines::{CellId, MachineId, QueueId};

use super::stage::Stage;
use crate::codes;
use crate::graph::{Act, Edge, Graph, NodeId};
use crate::run::eval::{Stop, fail};
use crate::run::value::number;

/// What a `trace` or `notrace` follows.
#[derive(Clone)]
pub(in crate::run) struct Trace {
    pub(in crate::run) graph: Graph,
    /// Whether it is `notrace`: to come to its end is the failure.
    pub(in crate::run) forbidden: bool,
    /// The cell that holds where it is.
    pub(in crate::run) cell: CellId,
}

/// What is followed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Followed {
    Send,
    Receive,
}

impl Stage<'_> {
    /// Tells the trace about a message that was sent or is being received.
    pub(super) fn follow(
        &mut self,
        machine: MachineId,
        what: Followed,
        queue: QueueId,
        parts: &[i32],
        edge: &Edge,
    ) -> Result<(), Stop> {
        let code = self.code;
        let Some(trace) = &code.trace else { return Ok(()) };
        let all = || trace.graph.nodes.iter().flat_map(|node| &node.edges);
        if !all().any(|it| self.is_about(machine, it, what, queue)) {
            return Ok(());
        }
        let at = self.trace_node(trace);
        let edges = trace.graph.nodes.get(at).map_or(&[][..], |node| &node.edges);
        let next = edges
            .iter()
            .find(|it| self.is_about(machine, it, what, queue) && self.fits(machine, it, parts));
        let matched = next.is_some();
        let next = match next {
            Some(next) => next.target,
            None if trace.forbidden => trace.graph.end,
            None => {
                let text = "this message is not what `trace` allows next";
                return Err(fail(codes::TRACE, text, edge.at));
            }
        };
        self.now.cells.insert(trace.cell, number(next.index()));
        if trace.forbidden && matched && next == trace.graph.end {
            return Err(fail(codes::TRACE, "all that `notrace` forbids has happened", edge.at));
        }
        Ok(())
    }

    /// Whether a `trace` is not at its end, nor where it may stop.
    pub(super) fn trace_waits(&mut self) -> bool {
        let code = self.code;
        let Some(trace) = code.trace.as_ref().filter(|trace| !trace.forbidden) else {
            return false;
        };
        let at = self.trace_node(trace);
        trace.graph.nodes.get(at).is_some_and(|node| !node.may_rest)
    }

    /// Where the trace is. A cell that somebody made up, in a file, may lead nowhere.
    fn trace_node(&mut self, trace: &Trace) -> NodeId {
        NodeId::new(usize::try_from(self.cell(trace.cell)).unwrap_or(usize::from(u16::MAX)))
    }

    fn is_about(&mut self, me: MachineId, edge: &Edge, what: Followed, queue: QueueId) -> bool {
        let channel: &Place = match &edge.act {
            Act::Send { channel, .. } if what == Followed::Send => channel,
            Act::Receive { channel, .. } if what == Followed::Receive => channel,
            _ => return false,
        };
        self.moment(me).channel(channel).is_ok_and(|(it, _)| it == queue)
    }

    /// Whether the constants of a statement of the trace are those of a message.
    fn fits(&mut self, me: MachineId, edge: &Edge, parts: &[i32]) -> bool {
        let mut moment = self.moment(me);
        let mut same = |value: &Expr, part: i32| moment.value(value).is_ok_and(|it| it == part);
        let is_fixed =
            |value: &Expr| matches!(value.kind, ExprKind::Number(_) | ExprKind::Mtype(..));
        match &edge.act {
            Act::Send { args, .. } => {
                args.iter().zip(parts).all(|(arg, &part)| !is_fixed(arg) || same(arg, part))
            }
            Act::Receive { args, .. } => args.iter().zip(parts).all(|(arg, &part)| match arg {
                Match::Constant(value) | Match::Eval(value) => same(value, part),
                Match::Bind(_) | Match::Any => true,
            }),
            _ => false,
        }
    }
}
