//! What a process does about a message.

use qp_front_promela::At;
use qp_machines::{
    Failure, LocalId, MachineId, MessageId, Property, QueueId, Reception, StoreId, Taken,
};

use super::eval::Stop;
use super::value::{NUMBER_MAX, number};
use super::{Ear, Frame, Processes};
use crate::codes;
use crate::graph::Act;

impl Processes {
    pub(super) fn hear(
        &mut self,
        machine: MachineId,
        local: LocalId,
        store: StoreId,
        ear: &Ear,
        message: MessageId,
    ) -> Reception {
        let parts: Vec<i32> =
            self.messages.value(message).iter().map(|part| part.value()).collect();
        let (code, frame) = (self.code.clone(), self.frames.value(local).clone());
        let (proc, node, index) = match ear {
            Ear::Poll(wanted) if wanted.matches(&parts) => {
                return Reception::Take(vec![Taken::plain(local)]);
            }
            Ear::Poll(wanted) => return passed_over(wanted.random),
            &Ear::Receive(proc, node, index) => (proc, node, index),
        };
        let edge = &code.graphs[proc].nodes[node].edges[index];
        let Act::Receive { random, keep, args, .. } = &edge.act else {
            unreachable!("bug in Queueproof: an ear of what does not receive")
        };
        if frame.proc != proc {
            return Reception::Refuse;
        }
        let rows = (frame.cells.clone(), self.stores.value(store).clone());
        let mut moment = code.moment(proc, number(machine.index()), rows, Some(&[]));
        match moment.wanted(*random, args) {
            Ok(wanted) if wanted.matches(&parts) => {}
            Ok(_) | Err(_) => return passed_over(*random),
        }
        let bound = moment.take(args, &parts, edge.at);
        let trouble = match bound {
            Err(Stop::Fail(failure)) => Some(self.failure_id(*failure)),
            Err(Stop::Ask(_) | Stop::Unknown) | Ok(()) => None,
        };
        let (cells, after) = (moment.scene.locals, self.stores.intern(moment.scene.globals));
        let next = Frame { node: edge.target, cells, trouble, ..frame };
        Reception::Take(vec![Taken {
            next: self.frames.intern(next),
            store: (after != store).then_some(after),
            hold: edge.holds,
            keep: *keep,
        }])
    }

    /// The creator's state once it knows the number of the new process.
    pub(super) fn created(
        &mut self,
        local: LocalId,
        child: MachineId,
        first_queue: QueueId,
    ) -> LocalId {
        let mut frame = self.frames.value(local).clone();
        if let Some(pending) = frame.pending.take() {
            frame.cells[pending.index] =
                self.code.cut(pending.ty, pending.in_array, number(child.index()));
        }
        // The new process fails as well, but whoever creates must not go on for ever.
        if child.index() >= NUMBER_MAX || first_queue.index() >= NUMBER_MAX {
            let at = self.code.spec.procs[frame.proc].at;
            frame.trouble = Some(self.failure_id(too_many(at)));
        }
        self.frames.intern(frame)
    }
}

/// The failure of whoever is created, or creates, past the greatest number.
pub(super) fn too_many(at: At) -> Failure {
    let text = "there are more than 255 processes or channels".to_owned();
    Failure { property: Property::Assert, code: codes::TOO_MANY, text, span: Some(at.span) }
}

fn passed_over(random: bool) -> Reception {
    if random { Reception::Skip } else { Reception::Refuse }
}
