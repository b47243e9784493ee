//! Machines with mailboxes as plain tables, and the expansion of local data into control states.

use std::collections::HashMap;

/// A system in which each machine has one mailbox, named like the machine.
pub struct Network {
    /// The machines, in the order in which they are written.
    pub machines: Vec<Machine>,
}

/// A machine; its first control state is the initial one.
pub struct Machine {
    /// The name, which is also that of its mailbox.
    pub name: String,
    /// The control states.
    pub states: Vec<State>,
}

/// A control state.
pub struct State {
    /// The name, unique in the machine.
    pub name: String,
    /// What can be done here and the index of the control state it leads to. No pair occurs twice.
    pub moves: Vec<(Action, usize)>,
}

/// What a machine does in one step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Appends a message to the mailbox of a machine.
    Send {
        /// The machine that owns the mailbox.
        to: String,
        /// The message, with its values.
        message: String,
    },
    /// Takes a message from the front of the machine's own mailbox.
    Receive(String),
    /// Touches no mailbox.
    Internal,
}

/// The action that sends `message` to the machine `to`.
pub(super) fn send(to: &str, message: &str) -> Action {
    Action::Send { to: to.to_owned(), message: message.to_owned() }
}

/// The action that receives `message`.
pub(super) fn receive(message: &str) -> Action {
    Action::Receive(message.to_owned())
}

/// A local state: a place in the program and the values of the variables. A variable that is dead at
/// the place must be 0, or equal behaviour would be counted twice.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Local<const N: usize> {
    pub(super) place: &'static str,
    pub(super) data: [usize; N],
}

/// The local state at `place` with the values `data`.
pub(super) fn at<const N: usize>(place: &'static str, data: [usize; N]) -> Local<N> {
    Local { place, data }
}

impl<const N: usize> Local<N> {
    fn name(&self) -> String {
        self.data.iter().fold(self.place.to_owned(), |name, value| format!("{name}_{value}"))
    }
}

impl Machine {
    /// Expands the local states that `steps` reaches from `initial`, whatever is received, in
    /// breadth-first order.
    pub(super) fn expand<const N: usize>(
        name: String,
        initial: Local<N>,
        steps: impl Fn(&Local<N>) -> Vec<(Action, Local<N>)>,
    ) -> Self {
        let mut index = HashMap::from([(initial.clone(), 0)]);
        let mut locals = vec![initial];
        let mut states: Vec<State> = Vec::new();
        while let Some(local) = locals.get(states.len()).cloned() {
            let mut moves = Vec::new();
            for (action, next) in steps(&local) {
                let target = *index.entry(next.clone()).or_insert_with(|| {
                    locals.push(next);
                    locals.len() - 1
                });
                if !moves.contains(&(action.clone(), target)) {
                    moves.push((action, target));
                }
            }
            states.push(State { name: local.name(), moves });
        }
        Self { name, states }
    }

    /// A machine without local data, given by its transitions; it starts where the first one does.
    pub(super) fn fixed(
        name: String,
        transitions: &[(&'static str, Action, &'static str)],
    ) -> Self {
        Self::expand(name, at(transitions[0].0, []), |local| {
            let from_here = transitions.iter().filter(|(from, ..)| *from == local.place);
            from_here.map(|(_, action, to)| (action.clone(), at(to, []))).collect()
        })
    }
}
