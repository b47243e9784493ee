//! The states and transitions that somebody has asked about.

use qp_base::{IndexVec, Set, Span};

use super::{Action, Automaton, State};
use crate::{Discipline, LocalId, MachineId, Outline, Site, SiteKind};

/// What was asked about. A send counts where its state does: that it always waits for room cannot be told here.
#[derive(Clone, Debug, Default)]
pub(super) struct Visited {
    states: Set<(MachineId, LocalId)>,
    /// Transitions, by their numbers.
    transitions: Set<(MachineId, LocalId, usize)>,
}

impl Visited {
    /// The machine is in the state.
    pub(super) fn stays(&mut self, machine: MachineId, local: LocalId, state: &State) {
        if !self.states.insert((machine, local)) {
            return;
        }
        let alone = |action: &Action| !matches!(action, Action::Receive(..));
        self.note(machine, local, state, alone);
    }

    /// The machine, in the state, comes upon a message: what this action says is done about it.
    pub(super) fn hears(
        &mut self,
        machine: MachineId,
        local: LocalId,
        state: &State,
        heard: &Action,
    ) {
        self.note(machine, local, state, |action| action == heard);
    }

    fn note(
        &mut self,
        machine: MachineId,
        local: LocalId,
        state: &State,
        happens: impl Fn(&Action) -> bool,
    ) {
        let numbered = state.transitions.iter().enumerate();
        let taken = numbered.filter(|(_, transition)| happens(&transition.action));
        self.transitions.extend(taken.map(|(number, _)| (machine, local, number)));
    }

    /// The states that nobody asked about, and the transitions of the others.
    pub(super) fn others(
        &self,
        outline: &Outline,
        machines: &IndexVec<MachineId, Automaton>,
    ) -> Vec<Site> {
        let mut sites = Vec::new();
        for (id, machine) in machines.iter_enumerated() {
            let mut add = |kind, name: String, span: Span| {
                let machine = outline.machines[id].name.clone();
                sites.push(Site { kind, machine, name, span });
            };
            for (local, state) in machine.states.iter_enumerated() {
                if !self.states.contains(&(id, local)) {
                    add(SiteKind::State, state.name.clone(), state.span);
                    continue;
                }
                for (number, transition) in state.transitions.iter().enumerate() {
                    if !self.transitions.contains(&(id, local, number)) {
                        let action = action_text(outline, &transition.action);
                        let name = format!("{action} in {}", state.name);
                        add(SiteKind::Transition, name, transition.span);
                    }
                }
            }
        }
        sites
    }
}

fn action_text(outline: &Outline, action: &Action) -> String {
    match action {
        Action::Internal => "step".to_owned(),
        Action::Send(queue, message) => {
            format!("send {} {}", outline.queues[*queue].name, outline.messages[*message])
        }
        Action::Receive(queue, message) => {
            let message = &outline.messages[*message];
            match outline.discipline {
                // A machine has one queue.
                Discipline::Mailbox => format!("recv {message}"),
                Discipline::PeerToPeer | Discipline::Channels => {
                    format!("recv {} {message}", outline.queues[*queue].name)
                }
            }
        }
        Action::Fail(_) => "fail".to_owned(),
    }
}
