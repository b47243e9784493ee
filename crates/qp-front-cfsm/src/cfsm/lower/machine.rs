//! Machines: chains of actions become transitions through unnamed states.

use qp_base::{Diagnostic, IndexVec, Span};
use qp_machines::{
    Action, Atom, Automaton, Bad, LocalId, MachineId, State as ControlState, Transition,
};

use crate::codes;
use crate::names::{did_you_mean, quoted};

use super::super::ast::{self, Machine, Name, State, Steps};
use super::Lowering;

/// The states of one machine: the named ones first, in the order of the text.
type States = IndexVec<LocalId, ControlState>;

impl<'t> Lowering<'_, 't> {
    pub(super) fn machine(&mut self, id: MachineId, machine: &Machine<'t>) {
        let mut states: States = machine.states.iter().map(|state| self.outside(state)).collect();
        for (state, local) in machine.states.iter().zip(0..) {
            let mut unnamed = 0;
            for steps in &state.options {
                self.steps(id, LocalId::from_raw(local), steps, &mut states, &mut unnamed);
            }
            if state.bad {
                self.bad_state(id, machine, state);
            }
        }
        let initial = self.initial(machine);
        if states.is_empty() {
            // Already reported; the numbers of the other machines must not change.
            states.push(ControlState::default());
        }
        self.draft.add(Automaton { states, initial });
    }

    /// A state without its transitions.
    fn outside(&mut self, state: &State<'t>) -> ControlState {
        ControlState {
            name: state.name.text.to_owned(),
            span: state.name.span,
            end: state.end,
            progress: state.progress,
            deferred: state.deferred.iter().map(|m| self.draft.message(&m.text)).collect(),
            transitions: Vec::new(),
        }
    }

    fn bad_state(&mut self, id: MachineId, machine: &Machine<'t>, state: &State<'t>) {
        self.draft.outline.bad.push(Bad {
            name: format!("{}.{}", machine.name.text, state.name.text),
            span: state.name.span,
            cases: vec![vec![Atom::Control(id, vec![state.name.text.to_owned()])]],
        });
    }

    /// One option. `unnamed` counts the states inside chains that leave the same named state.
    fn steps(
        &mut self,
        id: MachineId,
        from: LocalId,
        steps: &Steps<'t>,
        states: &mut States,
        unnamed: &mut u32,
    ) {
        let target = match steps.target {
            Some(name) => self.state_named(id, name),
            None => Some(from),
        };
        let mut here = from;
        for (i, (action, span)) in steps.actions.iter().enumerate() {
            let lowered = self.action(id, action, *span);
            let next = if i + 1 < steps.actions.len() {
                *unnamed += 1;
                let name = format!("{}/{unnamed}", states[from].name);
                states.push(ControlState { name, span: *span, ..ControlState::default() })
            } else if matches!(lowered, Some(Action::Fail(_))) {
                here
            } else {
                let Some(target) = target else { return };
                target
            };
            let Some(action) = lowered else { return };
            states[here].transitions.push(Transition { action, target: next, span: *span });
            here = next;
        }
    }

    fn action(&mut self, id: MachineId, action: &ast::Action<'t>, span: Span) -> Option<Action> {
        match action {
            ast::Action::Send(name, message) => {
                let message = self.draft.message(&message.text);
                Some(Action::Send(self.target_queue(id, *name)?, message))
            }
            ast::Action::Receive(name, message) => {
                let message = self.draft.message(&message.text);
                Some(Action::Receive(self.source_queue(id, *name, span)?, message))
            }
            ast::Action::Internal => Some(Action::Internal),
            ast::Action::Fail(text) => Some(Action::Fail((*text).to_owned())),
        }
    }

    pub(super) fn state_named(&mut self, id: MachineId, name: Name<'t>) -> Option<LocalId> {
        let found = self.states[id].get(name.text).copied();
        if found.is_none() {
            // The map has no order, and the nearest name must not depend on one.
            let mut names: Vec<(LocalId, &str)> =
                self.states[id].iter().map(|(name, local)| (*local, *name)).collect();
            names.sort_unstable();
            let names = names.into_iter().map(|(_, name)| name);
            let help = did_you_mean(name.text, names, "declare it in the machine: `Name: ...`");
            let machine = quoted(&self.draft.outline.machines[id].name);
            let message = format!("machine {machine} has no state {}", quoted(name.text));
            self.complaints.error(codes::UNKNOWN, message, name.span, help);
        }
        found
    }

    fn initial(&mut self, machine: &Machine<'t>) -> LocalId {
        let mut marked = machine.states.iter().enumerate().filter(|(_, state)| state.init);
        let (first, second) = (marked.next(), marked.next());
        let name = quoted(machine.name.text);
        match (first, second) {
            (None, _) => {
                let message = format!("machine {name} has no initial state");
                let help = "write `init` before the state it begins in";
                self.complaints.error(codes::INITIAL, message, machine.name.span, help);
            }
            (Some((_, first)), Some((_, second))) => {
                let message = format!("machine {name} has two initial states");
                self.complaints.push(
                    Diagnostic::error(codes::INITIAL, message, second.name.span)
                        .also(first.name.span, "the first is here")
                        .help(
                            "keep one `init`; an `internal` step can lead to either of two states",
                        ),
                );
            }
            (Some(_), None) => {}
        }
        LocalId::new(first.map_or(0, |(i, _)| i))
    }
}
