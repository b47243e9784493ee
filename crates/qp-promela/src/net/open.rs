//! Conditions that are left open, and what would have to be followed to decide them.

use qp_front_promela::spec::{Expr, Match, ProcId};

use super::detail::{Reads, subject};
use crate::graph::{Act, NodeId};
use crate::run::Code;
use crate::uses::{part, place};

/// The variables that decide whether a statement is possible, or which channel it means.
pub(super) fn deciders(code: &Code, proc: ProcId, (node, index): (NodeId, usize)) -> Reads {
    let edges = &code.graphs[proc].nodes[node].edges;
    let mut reads = Reads::default();
    match &edges[index].act {
        Act::Condition(value) => reads.value(proc, value),
        Act::Else => {
            for other in &edges[..index] {
                if let Act::Condition(value) = &other.act {
                    reads.value(proc, value);
                }
            }
        }
        Act::Send { channel, .. } => {
            reads.indices(proc, channel);
            reads.0.extend(subject(proc, channel.var));
        }
        Act::Receive { channel, args, .. } => {
            reads.indices(proc, channel);
            reads.0.extend(subject(proc, channel.var));
            for (n, arg) in args.iter().enumerate() {
                if let Match::Constant(value) | Match::Eval(value) = arg {
                    reads.value(proc, value);
                    reads.part(code, (args.len(), n));
                }
            }
        }
        Act::Jump
        | Act::Assign(..)
        | Act::Add(..)
        | Act::Assert(_)
        | Act::Print(_)
        | Act::Run { .. }
        | Act::Declare(_)
        | Act::SetPriority(..)
        | Act::DStep(_)
        | Act::Block
        | Act::End => {}
    }
    reads
}

/// Calls `look` for every value in a statement, those in indices included.
pub(super) fn each_value(act: &Act, look: &mut dyn FnMut(&Expr)) {
    match act {
        Act::Condition(value) | Act::Assert(value) => look(value),
        Act::Assign(target, value) => {
            place(target, look);
            look(value);
        }
        Act::Add(target, _) => place(target, look),
        Act::Send { channel, args, .. } => {
            place(channel, look);
            args.iter().for_each(look);
        }
        Act::Receive { channel, args, .. } => {
            place(channel, look);
            for arg in args {
                part(arg, look);
            }
        }
        Act::Print(values) => values.iter().for_each(look),
        Act::Run { into, args, .. } => {
            if let Some(target) = into {
                place(target, look);
            }
            args.iter().for_each(look);
        }
        Act::SetPriority(pid, value) => {
            look(pid);
            look(value);
        }
        Act::Jump | Act::Else | Act::Declare(_) | Act::DStep(_) | Act::Block | Act::End => {}
    }
}
