//! Rounds of exchanges: whether every run can be told as rounds of a few sends followed by their receives.
//!
//! # Question
//! Is there a number k such that every run has the same message sequence chart as rounds in which up to k messages are
//! sent and then some of them received? If so, where can machines get to, at any queue length? The rounds one after
//! the other need not be a run: this is the weak notion of the papers, and with mailboxes the least k may be smaller
//! than in the strong one.
//!
//! # Fragment
//! Machines of every language that share nothing but queues, one for each receiver (mailboxes) or one for each sender and
//! receiver (peer-to-peer), with at most one reader each; no machine that sends to itself. What a step reads is its
//! machine's local state, variables that never change, the first message of a queue and whether there is room in another;
//! what it does is to send one message to the back, to take one from the front, or neither. Steps that read or do more are
//! refused, with their place. Queues lose nothing; those with a capacity are treated as unlimited, but a send to one that
//! is not empty may wait. Machines may be created before anything else happens, and end if nobody is created afterwards.
//! Properties `sync`, `assert`, `unhandled`, `reach` and `deadlock`.
//!
//! # Theorem
//! A chart is made of rounds of k messages if and only if each strongly connected component of its conflict graph has
//! at most k messages, and no receive comes before a send of the same component on any machine (Di Giusto, Laversa
//! and Lozes, `FoSSaCS` 2020, after Bouajjani, Enea, Ji and Qadeer, CAV 2018, who counted cycles). If that is so for all
//! charts, machines get to the same vectors of local states in rounds as in all runs.
//!
//! # Algorithm
//! 1. First try rounds of one message that is received as soon as it is sent, or never. Watch one message that is not
//!    received: if its receiver acts because of it and could still receive it, this is not all there is.
//! 2. Otherwise, for k = 1, 2, 3, ...: list all exchanges of up to k messages for each vector of local states; keep
//!    between them which machines have done something that must come after a message that stays in its queue.
//! 3. Mark one message that stays, and count what lies between it and its receiver. If that message can be received
//!    and k messages are not enough, take the next k; if no number is enough, that is the answer.
//! 4. With mailboxes, if no k was found, look for what is wrong in rounds of any number of messages, letter by letter.
//! 5. What is wrong where rounds lead to is put in an order in which queues allow it, and replayed.
//!
//! # Certificate
//! The vectors of local states, what is reached between rounds, and what is reached with a message marked: all closed
//! under every round. For a violation, a run.
//!
//! # Limits
//! Rounds of up to 5 messages, while there are not too many of them; up to 64 machines. Whether a larger k is enough is
//! then open.
//!
//! # What it never does
//! It never counts cycles in place of components, and never calls anything violated without having replayed a run. It
//! does not say how long queues get.

mod books;
mod conduct;
mod creation;
mod deeds;
mod evidence;
mod exchanges;
mod letters;
mod manners;
mod shape;
mod single;
#[cfg(test)]
mod tests;
mod watches;
mod world;
mod wrong;

use qp_base::Budget;
use qp_machines::Property;

use crate::{Answers, Engine, Task, Turn};

/// The engine `exchange`.
pub struct Exchange;

impl Engine for Exchange {
    fn name(&self) -> &'static str {
        "exchange"
    }

    fn summary(&self) -> &'static str {
        "whether every run can be told as rounds of a few sends and their receives, and what that leads to"
    }

    fn treats(&self, property: Property) -> bool {
        treats(property)
    }

    fn turn(&self) -> Turn {
        Turn::Second
    }

    fn run(&self, task: Task, budget: &Budget) -> Answers {
        conduct::run(&task, budget)
    }
}

fn treats(property: Property) -> bool {
    matches!(
        property,
        Property::Sync
            | Property::Assert
            | Property::Unhandled
            | Property::Deadlock
            | Property::Reach(_)
    )
}
