//! The only run of a deterministic network.
//!
//! Kahn ("The semantics of a simple language for parallel programming", 1974): if every machine is
//! deterministic and every mailbox has one sender, all runs make the same moves in another order. What
//! one run does not do, none does, whatever the capacity of the mailboxes. Without this the table of a
//! leader election has thirty times more rows, and gcc needs minutes for SPIN's verifier.

use std::collections::{HashMap, VecDeque};

use super::network::{Action, Machine, State};

/// Runs the machines with unbounded mailboxes until nothing moves, and removes every move that was not made.
///
/// The mailboxes must have one sender each; that the machines are deterministic is asserted.
pub(super) fn keep_one_run(machines: &mut [Machine]) {
    let position: HashMap<String, usize> =
        machines.iter().enumerate().map(|(index, machine)| (machine.name.clone(), index)).collect();
    let mut mailboxes: Vec<VecDeque<String>> = vec![VecDeque::new(); machines.len()];
    let mut at = vec![0; machines.len()];
    let mut used: Vec<Vec<(usize, usize)>> = vec![Vec::new(); machines.len()];
    let mut progress = true;
    while progress {
        progress = false;
        for (index, machine) in machines.iter().enumerate() {
            let moves = &machine.states[at[index]].moves;
            let possible = moves.iter().position(|(action, _)| match action {
                Action::Receive(message) => mailboxes[index].front() == Some(message),
                Action::Send { .. } => {
                    assert_eq!(moves.len(), 1, "a deterministic machine has no choice");
                    true
                }
                Action::Internal => unreachable!("the theorem is used without internal moves"),
            });
            let Some(choice) = possible else { continue };
            match &moves[choice].0 {
                Action::Send { to, message } => mailboxes[position[to]].push_back(message.clone()),
                _ => drop(mailboxes[index].pop_front()),
            }
            used[index].push((at[index], choice));
            at[index] = moves[choice].1;
            progress = true;
        }
    }
    for (machine, used) in machines.iter_mut().zip(&used) {
        machine.keep(used);
    }
}

impl Machine {
    /// Keeps the given moves (control state and position among its moves), and the control states they touch.
    fn keep(&mut self, used: &[(usize, usize)]) {
        let mut new_index = HashMap::from([(0, 0)]);
        let mut states = vec![State { name: self.states[0].name.clone(), moves: Vec::new() }];
        for &(from, choice) in used {
            let (action, target) = &self.states[from].moves[choice];
            let target = *new_index.entry(*target).or_insert_with(|| {
                states.push(State { name: self.states[*target].name.clone(), moves: Vec::new() });
                states.len() - 1
            });
            let step = (action.clone(), target);
            let moves = &mut states[new_index[&from]].moves;
            if !moves.contains(&step) {
                moves.push(step);
            }
        }
        self.states = states;
    }
}
