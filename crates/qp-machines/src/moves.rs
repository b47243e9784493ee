//! Guarded commands: how a language says its steps if each of them does one thing.
//!
//! `step.rs` gives them their meaning, as turns. Searches whose tables are compiled read them as they are.
//!
//! What such a program shares beside queues is one thing that only it understands. In a configuration it is one shared
//! variable, with the program's own number for it: the `store` here.

use std::sync::Arc;

use crate::{
    CommandMemo, EarId, FailureId, KindId, LocalId, MachineId, MessageId, Program, Prospects,
    QueueId, SeedId, Whereabouts,
};

/// What one machine can do in one local state.
pub trait Moves: Program {
    /// What `machine` can do in `local`, in source order. The order is part of the contract: traces
    /// name steps by it.
    fn moves(&mut self, machine: MachineId, local: LocalId, store: i32) -> Vec<Move>;

    /// What `machine`, listening with `ear`, does about `message` when the scan of the queue
    /// arrives at it.
    fn reception(
        &mut self,
        machine: MachineId,
        local: LocalId,
        store: i32,
        ear: EarId,
        message: MessageId,
    ) -> Reception;

    /// Where to remember what was said, if it is worth while.
    fn memo(&mut self) -> Option<&mut CommandMemo> {
        None
    }

    /// Whether all commands are *local*: beside its own local state and the queues that only it reads, a command of a
    /// machine depends on one other queue at most, the one that it sends to or that its guards are about. Then tables can
    /// be compiled of them. What the outline says about queues is not repeated here. In particular:
    ///
    /// * queues are closed by their readers alone; those that are created are read by the machine that is created with
    ///   them, the n-th machine has the same kinds of queues whoever it is, and machines do not end;
    /// * sends go to the back, nobody goes on alone, and a queue that may lose messages is never closed;
    /// * no guard is [`Guard::Else`] or [`Guard::Timeout`], and receives announce nothing.
    fn are_local(&self) -> bool {
        false
    }

    /// Whether what an ear takes depends on the message alone, whoever listens in whatever state: so
    /// [`Condition::Fewer`] counts the same for all. Engines then ask less often.
    fn hears_alike(&self, ear: EarId) -> bool {
        let _ = ear;
        false
    }

    /// The first local state of a machine that was just created.
    fn born(&mut self, seed: SeedId, machine: MachineId, first_queue: QueueId) -> LocalId {
        unreachable!("bug in Queueproof: {seed:?} of {machine:?} {first_queue:?} is never created")
    }

    /// The creator's local state once it knows whom it created.
    fn resume(&mut self, local: LocalId, child: MachineId, first_queue: QueueId) -> LocalId {
        let _ = (child, first_queue);
        local
    }

    /// Whether `earlier` stays in front of `later` in a queue that is kept sorted.
    fn in_order(&self, earlier: MessageId, later: MessageId) -> bool {
        earlier <= later
    }

    /// What those who watch make of an announced message: the store afterwards.
    fn observe(&mut self, store: i32, message: MessageId) -> Observed {
        unreachable!("bug in Queueproof: nobody watches {message:?} in {store:?}")
    }

    /// The control flow of all machines, whatever their data; `None` if it is not known.
    fn prospects(&mut self) -> Option<Arc<Prospects>> {
        None
    }

    /// Where a machine is in [`Moves::prospects`]; `None` if that is not known.
    fn whereabouts(&mut self, machine: MachineId, local: LocalId) -> Option<Whereabouts> {
        let _ = (machine, local);
        None
    }

    /// The kind of a message in [`Moves::prospects`].
    fn message_kind(&self, message: MessageId) -> u32 {
        message.raw()
    }

    /// Those who watch that see an announced message, by number; `None` if that is not known. What they make of it
    /// must depend on nobody else who watches.
    fn watchers(&self, message: MessageId) -> Option<Vec<u32>> {
        let _ = message;
        None
    }
}

/// What those who watch make of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Observed {
    /// They go on with this store.
    Store(i32),
    /// They find a failure: the run ends here.
    Failed(FailureId),
    /// The interpreter cannot say what they make of it: nothing is known beyond this point.
    GaveUp(FailureId),
}

/// One thing a machine can do in a local state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// All of these must hold.
    pub guards: Vec<Guard>,
    /// What it does to the world.
    pub effect: Effect,
    /// The local state afterwards (for [`Effect::Receive`], see [`Taken`] instead).
    pub next: LocalId,
    /// The shared variables afterwards, where they change.
    pub store: Option<i32>,
    /// What is shown to those who watch ([`Moves::observe`]), in the same step.
    pub announce: Option<MessageId>,
    /// Whether the machine goes on alone as long as it can (an atomic sequence).
    pub hold: bool,
}

impl Move {
    /// A move without guards that changes nothing shared.
    pub fn plain(effect: Effect, next: LocalId) -> Self {
        Self { guards: Vec::new(), effect, next, store: None, announce: None, hold: false }
    }
}

/// What a move does to the world.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing that others see.
    Internal,
    /// Sends one message.
    Send {
        /// Where to.
        queue: QueueId,
        /// What.
        message: MessageId,
        /// Where in the queue it goes.
        place: Place,
    },
    /// Listens to a queue; [`Moves::reception`] says what happens with which message.
    Receive {
        /// Where.
        queue: QueueId,
        /// How.
        ear: EarId,
    },
    /// Creates a machine, and queues that belong to it.
    Spawn {
        /// Which.
        seed: SeedId,
        /// The kinds of its queues.
        queues: Vec<KindId>,
    },
    /// Ends the machine that was created last, and the queues created with it. Others wait.
    Exit {
        /// How many queues end with it.
        queues: u32,
    },
    /// Empties a queue for ever; what is sent to it later is discarded.
    Close {
        /// Which.
        queue: QueueId,
    },
    /// Runs into a failure: the run ends here.
    Fail {
        /// Which.
        failure: FailureId,
    },
    /// The interpreter cannot say what comes next: nothing is known beyond this point.
    GiveUp {
        /// Why.
        why: FailureId,
    },
}

/// Where in the queue a message goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// At the back.
    Back,
    /// Before the first message that [`Moves::in_order`] puts behind it.
    Sorted,
}

/// A condition on queues or on what else can happen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Guard {
    /// A condition on one queue holds.
    Holds(QueueId, Condition),
    /// A condition on one queue does not hold.
    HoldsNot(QueueId, Condition),
    /// This machine can receive nothing.
    Idle,
    /// This machine has no other move.
    Else,
    /// No machine has a move that does not wait for this.
    Timeout,
}

/// A condition on one queue.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Condition {
    /// It has no message.
    Empty,
    /// No more fits.
    Full,
    /// It has fewer messages than this.
    LengthBelow(u32),
    /// This ear would take a message from it.
    Ready(EarId),
    /// It has fewer messages than this that the ear would take.
    Fewer(EarId, u32),
}

/// What a machine does about a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reception {
    /// Takes it, in one of these ways; never empty.
    Take(Vec<Taken>),
    /// Leaves it where it is and looks at the next one (deferred; not matched by `??`).
    Skip,
    /// Waits: it blocks the queue for this ear.
    Refuse,
    /// There is no right thing to do: the message is unhandled.
    Crash,
}

/// One way of taking a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Taken {
    /// The local state afterwards.
    pub next: LocalId,
    /// The shared variables afterwards, where they change.
    pub store: Option<i32>,
    /// Whether the machine goes on alone as long as it can.
    pub hold: bool,
    /// Whether the message stays in the queue (a copy was taken).
    pub keep: bool,
}

impl Taken {
    /// Takes the message out and changes nothing shared.
    pub fn plain(next: LocalId) -> Self {
        Self { next, store: None, hold: false, keep: false }
    }
}
