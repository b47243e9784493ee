//! The control flow of automata: every state of every machine is a stage.

use qp_base::IndexVec;

use crate::{
    Capacity, Doing, LocalId, Loss, MachineId, Mailbox, Outline, Prospects, Reach, Stage, StageId,
};

use super::{Action, Automaton, State};

type Machines = IndexVec<MachineId, Automaton>;

/// The stage of a state.
pub(super) fn stage(machines: &Machines, machine: MachineId, local: LocalId) -> StageId {
    let before = machines.iter().take(machine.index()).map(|it| it.states.len());
    StageId::new(before.sum::<usize>() + local.index())
}

/// All stages.
pub(super) fn of(outline: &Outline, machines: &Machines) -> Prospects {
    let mut stages = IndexVec::default();
    for (machine, automaton) in machines.iter_enumerated() {
        let first = stages.len();
        for state in &automaton.states {
            stages.push(stage_of(outline, machine, first, state));
        }
    }
    Prospects { stages }
}

fn stage_of(outline: &Outline, machine: MachineId, first: usize, state: &State) -> Stage {
    let mut found = Stage { class: machine.raw(), ..Stage::default() };
    for transition in &state.transitions {
        let to = Some(StageId::new(first + transition.target.index()));
        let (doing, queue) = match transition.action {
            Action::Internal => (Doing::Nothing, None),
            Action::Fail(_) => continue,
            Action::Send(queue, message) => {
                found.reaches.push(Reach::Back(Mailbox::Queue(queue)));
                (Doing::Puts(Mailbox::Queue(queue), message.raw()), Some(queue))
            }
            Action::Receive(queue, message) => {
                found.reaches.push(Reach::Front(Mailbox::Queue(queue)));
                (Doing::Takes(Mailbox::Queue(queue), message.raw()), Some(queue))
            }
        };
        if let Some(queue) = queue {
            let kind = outline.kinds[outline.queues[queue].kind];
            if kind.capacity == Capacity::Rendezvous {
                found.reaches.push(Reach::Everything);
            }
            if kind.loss == Loss::WhenFull {
                found.reaches.push(Reach::Front(Mailbox::Queue(queue)));
            }
        }
        found.ways.push((doing, to));
    }
    found.reaches.sort_unstable();
    found.reaches.dedup();
    found
}
