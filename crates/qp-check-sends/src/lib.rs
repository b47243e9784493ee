//! The part of the referee that checks what is said about sequences of sends.
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
mod rows;

use qp_machines::{
    Condition, Config, Effect, Event, Guard, MachineId, MessageId, Move, Outcome, Place, QueueId,
    QueueKind, System,
};

pub use family::check_family;
pub use pairs::check_pairs;

/// What was checked, or why it does not stand up.
type Checked<T> = Result<T, String>;

/// A send: who, what and where to.
pub(crate) type Send = (MachineId, QueueId, MessageId);

pub(crate) fn rejected<T>(why: impl Into<String>) -> Checked<T> {
    Err(why.into())
}

/// Only where machines meet through queues alone is a queue that is full nothing but a reason to wait.
pub(crate) fn check_program(system: &System) -> Checked<()> {
    let outline = system.program().outline();
    if outline.whole || !outline.local {
        return rejected("machines meet otherwise than through queues that one of them reads");
    }
    Ok(())
}

/// Checks that whatever happens in a configuration does not depend on how much fits into queues, nor on how many
/// messages there are.
pub(crate) fn check_moves(system: &mut System, config: &Config) -> Checked<()> {
    if config.queues().any(|queue| system.kind(config, queue) != QueueKind::UNBOUNDED) {
        return rejected("a queue has a capacity or loses messages");
    }
    if config.holder.is_some() {
        return rejected("a machine goes on alone");
    }
    for machine in config.machines() {
        let moves = system.moves(machine, config.local(machine), config.store);
        if moves.iter().any(is_odd) {
            return rejected("a move depends on how many messages there are, or sorts one in");
        }
    }
    Ok(())
}

fn is_odd(mv: &Move) -> bool {
    let counts = |guard: &Guard| match guard {
        Guard::Holds(_, condition) | Guard::HoldsNot(_, condition) => {
            !matches!(condition, Condition::Empty | Condition::Ready(_))
        }
        Guard::Idle => false,
        Guard::Else | Guard::Timeout => true,
    };
    let sorted = matches!(mv.effect, Effect::Send { place: Place::Sorted, .. });
    mv.guards.iter().any(counts) || sorted || mv.hold
}

/// What a step sends; `None` if nothing.
pub(crate) fn send_of(outcome: &Outcome) -> Option<Send> {
    match outcome.event {
        Event::Sent { queue, message } | Event::Lost { queue, message } => {
            Some((outcome.step.machine, queue, message))
        }
        _ => None,
    }
}
