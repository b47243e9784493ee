//! The format of KMC (`.fsm`) and `ChorGram` (`.fsa`): one automaton per machine, peer to peer.

mod parser;

use qp_base::{Complaints, IndexVec, Map};
use qp_machines::{
    Action, Automata, Automaton, Discipline, LocalId, MachineId, QueueKind, State, Transition,
};

use crate::codes;
use crate::draft::Draft;
use crate::names::{did_you_mean, quoted};

use parser::{Edge, Machine, Word};

/// Reads a text.
pub(crate) fn read(text: &str) -> (Option<Automata>, Complaints) {
    let (machines, mut complaints) = parser::parse(text);
    if complaints.has_errors() {
        return (None, complaints);
    }
    let mut lowering = Lowering {
        draft: Draft::new("fsa", Discipline::PeerToPeer),
        complaints: &mut complaints,
        names: Map::default(),
    };
    lowering.declare(&machines);
    for (machine, id) in machines.iter().zip(0..) {
        lowering.machine(MachineId::from_raw(id), machine);
    }
    let automata = lowering.draft.finish(lowering.complaints);
    (automata, complaints)
}

struct Lowering<'c, 't> {
    draft: Draft,
    complaints: &'c mut Complaints,
    names: Map<&'t str, MachineId>,
}

impl<'t> Lowering<'_, 't> {
    /// A machine without a name is called by its number.
    fn declare(&mut self, machines: &[Machine<'t>]) {
        for (i, machine) in machines.iter().enumerate() {
            let Some(name) = machine.name else {
                self.draft.declare(&i.to_string(), machine.span);
                continue;
            };
            let id = self.draft.declare(name.text, name.span);
            let unnamed = |i: usize| machines.get(i).is_some_and(|other| other.name.is_none());
            let taken =
                self.names.insert(name.text, id).is_some() || name.text.parse().is_ok_and(unnamed);
            if taken {
                let message = format!("machine {} is declared twice", quoted(name.text));
                let help = "give one of them another name; a machine without a name is called by its number";
                self.complaints.error(codes::TWICE, message, name.span, help);
            }
        }
    }

    fn machine(&mut self, id: MachineId, machine: &Machine<'t>) {
        let mut states: IndexVec<LocalId, State> = IndexVec::new();
        let mut known: Map<&str, LocalId> = Map::default();
        let mut state = |states: &mut IndexVec<LocalId, State>, word: Word<'t>| {
            *known.entry(word.text).or_insert_with(|| {
                let name = word.text.to_owned();
                states.push(State { name, span: word.span, ..State::default() })
            })
        };
        for edge in &machine.edges {
            let (from, target) = (state(&mut states, edge.from), state(&mut states, edge.to));
            let Some(peer) = self.peer(edge.peer) else { continue };
            let action = self.action(id, peer, edge);
            states[from].transitions.push(Transition { action, target, span: edge.span });
        }
        let initial = state(&mut states, machine.marking);
        self.draft.add(Automaton { states, initial });
    }

    fn action(&mut self, id: MachineId, peer: MachineId, edge: &Edge<'t>) -> Action {
        let message = self.draft.message(&edge.message);
        if edge.sends {
            Action::Send(self.draft.pair(id, peer, QueueKind::UNBOUNDED), message)
        } else {
            Action::Receive(self.draft.pair(peer, id, QueueKind::UNBOUNDED), message)
        }
    }

    /// A machine by name or, if no machine has this name, by number.
    fn peer(&mut self, word: Word<'t>) -> Option<MachineId> {
        let machines = &self.draft.outline.machines;
        let number = word.text.parse().ok().filter(|&i: &usize| i < machines.len());
        let found = self.names.get(word.text).copied().or(number.map(MachineId::new));
        if found.is_none() {
            let names = machines.iter().map(|m| m.name.as_str());
            let otherwise = "machines are numbered from 0 in the order of the text";
            let help = did_you_mean(word.text, names, otherwise);
            let message = format!("there is no machine {}", quoted(word.text));
            self.complaints.error(codes::UNKNOWN, message, word.span, help);
        }
        found
    }
}
