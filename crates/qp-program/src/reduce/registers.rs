//! Live variables (Kildall 1973): what can be read before it is assigned as a whole. Here for the registers of a
//! function.

use qp_dataflow::{Direction, Graph, solve};

use crate::effects::Effects;
use crate::{Function, Root};

/// A set of registers or fields, one bit each.
pub(crate) type Bits = Vec<bool>;

/// For each instruction, and for the end: the registers whose values can be read from there on, before
/// they are assigned as a whole.
pub(super) fn live_registers(function: &Function) -> Vec<Bits> {
    let register = |root: Root| match root {
        Root::Register(register) => Some(register.index()),
        Root::Field(_) => None,
    };
    let mut effects: Vec<Effects<'_>> = function.effects().collect();
    effects.push(Effects::default());
    let ways = |it: &Effects<'_>| it.ways.iter().map(|way| way.to as usize).collect();
    let graph = Graph::new(effects.iter().map(ways).collect());
    let n_registers = function.registers.len();
    let reads = |it: &Effects<'_>| bits(n_registers, it.reads().into_iter().filter_map(register));
    live(&graph, effects.iter().map(reads).collect(), |pc, to| {
        effects[pc].overwritten(to as u32).and_then(register)
    })
}

/// The set of these out of so many.
pub(super) fn bits(length: usize, members: impl Iterator<Item = usize>) -> Bits {
    let mut bits = vec![false; length];
    members.for_each(|member| bits[member] = true);
    bits
}

/// What can be read from each node of a control graph on: `reads` there, or later unless it is overwritten on the
/// way from one node to the next.
pub(super) fn live(
    graph: &Graph,
    reads: Vec<Bits>,
    overwritten: impl Fn(usize, usize) -> Option<usize>,
) -> Vec<Bits> {
    solve(graph, Direction::Backward, reads, |after, before, live| {
        let mut live = live.clone();
        if let Some(dead) = overwritten(before, after) {
            live[dead] = false;
        }
        live
    })
}
