//! What is said about sequences of sends.
//!
//! L is the set of all finite sequences of sends of a program, `L_k` of those that it can make while no queue ever holds
//! more than k messages; for k = 0, every message is received in the very step after its send. A *send* is who sends
//! what to which queue. `L_0` ⊆ `L_1` ⊆ ... ⊆ L, because each is made by fewer runs of the same program.
//!
//! Two claims are checked, and neither says anything about how a run ends: that short queues allow the same sends does
//! not mean that they block nowhere else.
//!
//! # `L_k` = L ([`check_pairs`])
//! The evidence has pairs of a row and a set of configurations with short queues. A row stands for every configuration
//! that agrees with it but for queues, which hold the first messages of the row exactly, and behind them anything whose
//! messages first occur in the order of the row. It is checked that
//!
//! * the row of the beginning has a pair whose set can be reached with short queues without sending;
//! * for each pair and each step of what the row stands for that sends nothing, the row afterwards has a pair whose set
//!   is reached from the set of the first without sending;
//! * the same for steps that send, with sets that are reached by the same send; and no set is empty.
//!
//! By induction on a run: after its sends, some pair has a row that stands for where the run is and a set all of which
//! short queues reach by the same sends. The set is not empty, so the sends are in `L_k`.
//!
//! # `L_k` ≠ L for every k ([`check_family`])
//! The evidence is a run: a stem, a cycle that is taken several times, and a tail, with sends u, v, ..., v and w. It is
//! checked that the cycle can be taken any number of times more, so that u vⁿ w is in L for every large n
//! ([`mod@family`]), and that whoever reads one queue cannot keep up ([`mod@backlog`]): so vⁿ leaves more and more
//! messages in it, in every run that makes these sends, and none is left for long n if queues hold k messages. The proof in
//! full is in `docs/decisions`.

mod backlog;
mod family;
mod lists;
mod pairs;

use qp_machines::{Config, Event, Loss, MachineId, MessageId, QueueId, System};

use crate::{Checked, wrong};

pub(crate) use family::check_family;
pub(crate) use pairs::check_pairs;

/// A send: who, what and where to.
pub(crate) type Send = (MachineId, QueueId, MessageId);

/// Checks that queues lose nothing, and that nobody goes on alone.
pub(crate) fn check_row(system: &System, config: &Config) -> Checked<()> {
    if config.queues().any(|queue| system.kind(config, queue).loss != Loss::Never) {
        return wrong("a queue loses messages");
    }
    if config.holder.is_some() { wrong("a machine goes on alone") } else { Ok(()) }
}

/// What a machine sends in a step in which this happens; a message that is handed over is sent, too.
pub(crate) fn send_of(
    machine: MachineId,
    events: impl Iterator<Item = Event>,
) -> Checked<Option<Send>> {
    let mut sends = events.filter_map(|event| match event {
        Event::Sent { queue, message }
        | Event::Lost { queue, message }
        | Event::Handshake { queue, message, .. } => Some((machine, queue, message)),
        _ => None,
    });
    let first = sends.next();
    if sends.next().is_some() { wrong("a step sends several messages") } else { Ok(first) }
}
