//! Cores and rows as evidence.

use qp_claim::{Core, CoreDeed, CoreEdge, CoreMachine, CoreTransition, LagSet, Won};
use qp_machines::{MachineId, System};

use super::automata::{Automata, Automaton, Deed, Transition};
use super::game::Terms;
use super::graph::{Edge, Graph};
use super::lag::LagRows;

/// The positions that matter: nodes with ranks and edges, by terms.
pub(super) type Positions = Vec<(Terms, Vec<(usize, u32, Option<usize>)>)>;

/// Writes a core down.
pub(super) fn core(
    system: &System,
    automata: &Automata,
    graph: &Graph,
    positions: &Positions,
) -> Core {
    let mut starts = Vec::with_capacity(graph.edges.len());
    let mut edges = Vec::new();
    for (from, leaving) in graph.edges.iter().enumerate() {
        starts.push(edges.len());
        edges.extend(leaving.iter().map(|it| edge(from, it)));
    }
    let pair = |&(a, b): &(usize, usize)| (a as u32, b as u32);
    let won = positions.iter().map(|(terms, nodes)| {
        let node = |&(node, rank, edge): &(usize, u32, Option<usize>)| {
            (node as u32, rank, edge.map(|number| (starts[node] + number) as u32))
        };
        Won {
            bound: terms.bound.iter().map(pair).collect(),
            owed: terms.owed.iter().map(pair).collect(),
            nodes: nodes.iter().map(node).collect(),
        }
    });
    Core {
        machines: machines(system, automata),
        messages: messages(system, automata),
        won: won.collect(),
        edges,
    }
}

/// Writes rows down.
pub(super) fn lag_set(system: &System, automata: &Automata, rows: &LagRows) -> LagSet {
    LagSet {
        machines: machines(system, automata),
        messages: messages(system, automata),
        prefixes: rows.prefixes.iter().map(|&it| it as u32).collect(),
        contents: rows.contents.values().to_vec(),
        rows: rows.rows.values().iter().map(|row| row.to_vec()).collect(),
    }
}

fn machines(system: &System, automata: &Automata) -> Vec<CoreMachine> {
    let all = automata.machines.iter().enumerate();
    all.map(|(number, it)| machine(system, MachineId::new(number), it)).collect()
}

fn messages(system: &System, automata: &Automata) -> Vec<String> {
    automata.letters.iter().map(|&letter| system.program().message_text(letter)).collect()
}

fn edge(from: usize, edge: &Edge) -> CoreEdge {
    CoreEdge {
        from: from as u32,
        machine: edge.machine as u32,
        transition: edge.number as u32,
        to: edge.to as u32,
    }
}

fn machine(system: &System, machine: MachineId, automaton: &Automaton) -> CoreMachine {
    let text = |&local: &qp_machines::LocalId| system.program().local_text(machine, local);
    let transition = |it: &Transition| CoreTransition {
        from: it.from as u32,
        deed: match it.deed {
            Deed::Internal => CoreDeed::Internal,
            Deed::Send { queue, letter } => CoreDeed::Send(queue as u32, letter as u32),
            Deed::Take { queue, letter } => CoreDeed::Take(queue as u32, letter as u32),
        },
        to: it.to as u32,
    };
    let skip = |&(local, queue, letter): &(usize, usize, usize)| {
        (local as u32, queue as u32, letter as u32)
    };
    CoreMachine {
        locals: automaton.locals.values().iter().map(text).collect(),
        transitions: automaton.transitions.iter().map(transition).collect(),
        skips: automaton.skips.iter().map(skip).collect(),
    }
}
