//! What is odd about a model that is otherwise right. Few kinds, each usually a slip.

use qp_base::{Complaints, Map, Set, Span};
use qp_machines::{
    Action, Automata, Automaton, LocalId, MachineId, MessageId, Program, QueueId, Transition,
};

use crate::codes;
use crate::names::quoted;

/// How many names a message lists.
const NAMES_MAX: usize = 5;

pub(crate) fn look_at(automata: &Automata, complaints: &mut Complaints) {
    one_sided_messages(automata, complaints);
    for (id, machine) in automata.machines().iter_enumerated() {
        unreachable_states(automata, id, machine, complaints);
        silent_machine(automata, id, machine, complaints);
    }
}

fn transitions(machine: &Automaton) -> impl Iterator<Item = &Transition> {
    machine.states.iter().flat_map(|state| &state.transitions)
}

/// Messages that one side knows and the other does not: mostly a misspelt name.
fn one_sided_messages(automata: &Automata, complaints: &mut Complaints) {
    let mut users: Map<(QueueId, MessageId), [bool; 2]> = Map::default();
    for transition in automata.machines().iter().flat_map(transitions) {
        match transition.action {
            Action::Send(queue, message) => users.entry((queue, message)).or_default()[0] = true,
            Action::Receive(queue, message) => users.entry((queue, message)).or_default()[1] = true,
            Action::Internal | Action::Fail(_) => {}
        }
    }
    let outline = automata.outline();
    for transition in automata.machines().iter().flat_map(transitions) {
        let (queue, message, does, never, help) = match transition.action {
            Action::Send(queue, message) => {
                (queue, message, "sent to", "received from it", "it stays in the queue for ever")
            }
            Action::Receive(queue, message) => {
                (queue, message, "received from", "sent to it", "this receive never happens")
            }
            Action::Internal | Action::Fail(_) => continue,
        };
        // The entry is removed, so that each message of each queue is reported once.
        if matches!(users.get(&(queue, message)), None | Some([true, true])) {
            continue;
        }
        users.remove(&(queue, message));
        let name = quoted(&outline.messages[message]);
        let at = quoted(&outline.queues[queue].name);
        let text = format!("{name} is {does} queue {at}, but never {never}");
        let help = format!("{help}; is the name spelt the same on both sides?");
        complaints.warning(codes::ONE_SIDED, text, transition.span, help);
    }
}

/// States that the machine's own transitions do not lead to: one message per machine.
fn unreachable_states(
    automata: &Automata,
    id: MachineId,
    machine: &Automaton,
    complaints: &mut Complaints,
) {
    let mut seen: Set<LocalId> = Set::default();
    let mut todo = vec![machine.initial];
    while let Some(local) = todo.pop() {
        if seen.insert(local) {
            todo.extend(machine.states[local].transitions.iter().map(|t| t.target));
        }
    }
    // The unnamed states inside a chain are not worth a word of their own.
    let lost: Vec<(String, Span)> = machine
        .states
        .iter_enumerated()
        .filter(|(local, state)| !seen.contains(local) && !state.name.contains('/'))
        .map(|(_, state)| (quoted(&state.name), state.span))
        .collect();
    let Some((_, span)) = lost.first() else { return };
    let mut names: Vec<&str> = lost.iter().take(NAMES_MAX).map(|(name, _)| &**name).collect();
    if lost.len() > NAMES_MAX {
        names.push("...");
    }
    let states = if lost.len() == 1 { "state" } else { "states" };
    let name = quoted(&automata.outline().machines[id].name);
    let text = format!("machine {name} never reaches {states} {}", names.join(", "));
    let help = "let some `-> State` lead there, or remove it";
    complaints.warning(codes::UNREACHABLE, text, *span, help);
}

/// A machine that has nothing to do with the others.
fn silent_machine(
    automata: &Automata,
    id: MachineId,
    machine: &Automaton,
    complaints: &mut Complaints,
) {
    let talks = |t: &Transition| matches!(t.action, Action::Send(..) | Action::Receive(..));
    if automata.machines().len() == 1 || transitions(machine).any(talks) {
        return;
    }
    let info = &automata.outline().machines[id];
    let text = format!("machine {} never sends or receives", quoted(&info.name));
    let help = "it has no part in what the others do; is something missing?";
    complaints.warning(codes::SILENT, text, info.span, help);
}
