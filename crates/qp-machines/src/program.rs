//! What a front end tells about a machine, one local state at a time.

use std::sync::Arc;

use qp_base::{Budget, Code, Span};

use crate::{
    ConditionId, DetailId, EarId, FailureId, KindId, LocalId, MachineId, MessageId, Net, Outline,
    Property, Prospects, QueueId, SeedId, Site, StoreId, Turn, Uses, Whereabouts, World,
};

/// An interpreter of the user's program: says what one machine can do in one local state.
///
/// The answers must depend on the arguments alone: a [`crate::System`] asks once and remembers.
/// Every method takes `&mut self` so that an interpreter may intern local states on the way.
///
/// `docs/decisions/001-lazy-machines.md` shows how P and Promela fit.
pub trait Program: Send {
    /// The names of things and the facts known before anything runs.
    fn outline(&self) -> &Outline;

    /// The same, to change what whoever runs the program decides.
    fn outline_mut(&mut self) -> &mut Outline;

    /// An independent copy, for another engine or thread.
    fn fork(&self) -> Box<dyn Program>;

    /// Whom to ask in the midst of a long step whether there is time left. Without any, the interpreter gives up
    /// there: nothing is known beyond that point.
    fn heed(&mut self, budget: &Budget) {
        let _ = budget;
    }

    /// The machines, queues and store that exist at the beginning.
    fn start(&mut self) -> Start;

    /// What `machine` can do in `local`, in source order. The order is part of the contract: traces
    /// name steps by it.
    fn moves(&mut self, machine: MachineId, local: LocalId, store: StoreId) -> Vec<Move>;

    /// What `machine`, listening with `ear`, does about `message` when the scan of the queue
    /// arrives at it.
    fn reception(
        &mut self,
        machine: MachineId,
        local: LocalId,
        store: StoreId,
        ear: EarId,
        message: MessageId,
    ) -> Reception;

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

    /// Whether a machine in this local state may rest for ever: it is finished, or the user said so.
    fn may_rest(&self, machine: MachineId, local: LocalId) -> bool;

    /// The control state that a local state shows to users; equal names are one control state.
    fn control_name(&self, machine: MachineId, local: LocalId) -> String;

    /// Where the control state is written in the user's text.
    fn control_span(&self, machine: MachineId, local: LocalId) -> Span;

    /// Where the next action is written, if the language has a place for it that says more than the
    /// control state's.
    fn action_span(&self, machine: MachineId, local: LocalId) -> Option<Span> {
        let _ = (machine, local);
        None
    }

    /// The statement that a machine carried out on its way from one local state to another, for languages that
    /// have statements. `number` is that of an [`crate::Act`]; without one, the step is a single statement.
    fn deed(
        &self,
        machine: MachineId,
        from: LocalId,
        to: LocalId,
        number: Option<u32>,
    ) -> Option<Deed> {
        let _ = (machine, from, to, number);
        None
    }

    /// The variables of a machine that differ in two of its local states, with what they hold in the second.
    fn assigned(&self, machine: MachineId, from: LocalId, to: LocalId) -> Vec<Assigned> {
        let _ = (machine, from, to);
        Vec::new()
    }

    /// The shared variables that differ, with what they hold in the second store.
    fn assigned_shared(&self, from: StoreId, to: StoreId) -> Vec<Assigned> {
        let _ = (from, to);
        Vec::new()
    }

    /// A text that names the local state completely, the same in every run of the same program.
    fn local_text(&self, machine: MachineId, local: LocalId) -> String;

    /// The local state named by [`Program::local_text`].
    fn local_from_text(&mut self, machine: MachineId, text: &str) -> Option<LocalId>;

    /// The message as the user would write it, payload included; names it completely.
    fn message_text(&self, message: MessageId) -> String;

    /// The same program with all values, if this one leaves out or forgets what decides about nothing: what one of the
    /// two can do, the other can do in the same steps, apart from choices of such values.
    fn in_full(&self) -> Option<Box<dyn Program>> {
        None
    }

    /// The message as it is shown to people: what the program does not keep of it is `..`.
    fn message_shown(&self, message: MessageId) -> String {
        self.message_text(message)
    }

    /// The message named by [`Program::message_text`].
    fn message_from_text(&mut self, text: &str) -> Option<MessageId>;

    /// The shared variables, completely. Programs without any have one store, named "".
    fn store_text(&self, store: StoreId) -> String {
        debug_assert_eq!(store, StoreId::NONE);
        String::new()
    }

    /// The store named by [`Program::store_text`].
    fn store_from_text(&mut self, text: &str) -> Option<StoreId> {
        text.is_empty().then_some(StoreId::NONE)
    }

    /// What went wrong.
    fn failure(&self, failure: FailureId) -> Failure {
        unreachable!("bug in Queueproof: {failure:?} cannot happen")
    }

    /// What those who watch make of an announced message: the store afterwards.
    fn observe(&mut self, store: StoreId, message: MessageId) -> Observed {
        unreachable!("bug in Queueproof: nobody watches {message:?} in {store:?}")
    }

    /// Everything that `machine` can do now, in source order, where steps are turns ([`Outline::whole`]);
    /// with `timeout`, nothing is possible without one.
    ///
    /// The answer must depend only on the arguments and on what `world` was asked for.
    fn turns(&mut self, machine: MachineId, timeout: bool, world: &mut dyn World) -> Vec<Turn> {
        let _ = (timeout, world);
        unreachable!("bug in Queueproof: {machine:?} takes no turns")
    }

    /// How a machine uses queues where it is now, where steps are turns; `None` where it may do anything with
    /// those that it looks at. What is said must be true of its turns, with and without a timeout, as long as
    /// everything that `world` was asked for by this and by [`Program::turns`] is the same, but for the contents
    /// of the queues that are named and for how many queues there are.
    fn uses(&mut self, machine: MachineId, world: &mut dyn World) -> Option<Uses> {
        let _ = (machine, world);
        None
    }

    /// The control flow of all machines, whatever their data, where steps are moves; `None` if it is not known.
    fn prospects(&mut self) -> Option<Arc<Prospects>> {
        None
    }

    /// Where a machine is in [`Program::prospects`]; `None` if that is not known.
    fn whereabouts(&mut self, machine: MachineId, local: LocalId) -> Option<Whereabouts> {
        let _ = (machine, local);
        None
    }

    /// The kind of a message in [`Program::prospects`].
    fn message_kind(&self, message: MessageId) -> u32 {
        message.raw()
    }

    /// Those who watch that see an announced message, by number; `None` if that is not known. What they make of it
    /// must depend on nobody else who watches.
    fn watchers(&self, message: MessageId) -> Option<Vec<u32>> {
        let _ = message;
        None
    }

    /// The shared variables one by one, where steps are turns.
    fn cells(&self, store: StoreId) -> Vec<i32> {
        debug_assert_eq!(store, StoreId::NONE);
        Vec::new()
    }

    /// The store in which the shared variables have these values, where steps are turns.
    fn store_of(&mut self, cells: &[i32]) -> StoreId {
        debug_assert!(cells.is_empty());
        StoreId::NONE
    }

    /// Whether a condition that the user wrote holds now. It must depend only on what `world` is asked for.
    fn holds(&mut self, condition: ConditionId, world: &mut dyn World) -> bool {
        let _ = world;
        unreachable!("bug in Queueproof: nobody wrote {condition:?}")
    }

    /// Whether the user marked this local state as progress.
    fn is_progress(&self, machine: MachineId, local: LocalId) -> bool {
        let _ = (machine, local);
        false
    }

    /// Whether the user marked this local state as one that no infinite run may pass again and again.
    fn is_accepting(&self, machine: MachineId, local: LocalId) -> bool {
        let _ = (machine, local);
        false
    }

    /// Control flow and numbers of messages of the whole program, or why there is none, in the user's words.
    ///
    /// Asked twice for the same details it gives the same net. With more of them it never has more runs.
    fn net(&mut self, followed: &[DetailId]) -> Result<Net, String> {
        let _ = followed;
        Err("models in this language are not taken apart into control flow".to_owned())
    }

    /// Lets no more than so many messages into a queue, whatever fitted before, and says whether that is possible.
    /// A queue that hands messages over stays as it is, and so does one that cannot be told apart from others.
    ///
    /// Only before anything runs.
    fn limit(&mut self, queue: QueueId, messages: u32) -> bool {
        let _ = (queue, messages);
        false
    }

    /// The name of a machine, where the outline has none: it was created at run time.
    fn machine_name(&self, machine: MachineId, local: LocalId) -> Option<String> {
        let _ = (machine, local);
        None
    }

    /// The places of the text to which nothing leads that it was asked about so far, in the order of the text; none
    /// if it does not keep track. Whoever has asked about everything that can happen, and perhaps about more, learns
    /// what never does. A fork begins anew.
    fn unvisited(&self) -> Option<Vec<Site>> {
        None
    }

    /// A variable whose values grew more than others while the program was asked: the likely reason why
    /// a search does not end.
    fn suspect(&self) -> Option<Suspect> {
        None
    }
}

/// What went wrong, in the user's words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The property that it violates: one of [`Outline::failing`].
    pub property: Property,
    /// The kind of failure.
    pub code: Code,
    /// One line, without the name of the machine.
    pub text: String,
    /// Where it happens.
    pub span: Option<Span>,
}

/// A statement that was carried out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deed {
    /// Where it is written.
    pub span: Span,
    /// The statement, as the user would write it.
    pub text: String,
}

/// A variable that has a new value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assigned {
    /// Its name; `a[2]` or `r.field` for a part of one.
    pub name: String,
    /// The value, as the user would write it.
    pub value: String,
}

/// What those who watch make of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Observed {
    /// They go on with this store.
    Store(StoreId),
    /// They find a failure: the run ends here.
    Failed(FailureId),
    /// The interpreter cannot say what they make of it: nothing is known beyond this point.
    GaveUp(FailureId),
}

/// A variable that may be the reason for an endless search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suspect {
    /// Its name, and what was seen: "`count` of Client, which took 4182 values".
    pub text: String,
    /// Where it is declared.
    pub span: Span,
}

/// The beginning of every run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Start {
    /// One local state per machine.
    pub locals: Vec<LocalId>,
    /// One kind per queue; all queues are empty.
    pub queues: Vec<KindId>,
    /// The shared variables.
    pub store: StoreId,
}

/// What makes two queues behave differently.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct QueueKind {
    /// How much fits.
    pub capacity: Capacity,
    /// What may get lost.
    pub loss: Loss,
}

impl QueueKind {
    /// Everything fits and nothing is lost.
    pub const UNBOUNDED: Self = Self { capacity: Capacity::Unbounded, loss: Loss::Never };
}

/// How much fits into a queue.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Capacity {
    /// Any number of messages.
    Unbounded,
    /// At most this many, at least one.
    Messages(u32),
    /// Nothing: sender and receiver move together.
    Rendezvous,
}

/// What a queue may lose.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Loss {
    /// Nothing: a send to a full queue waits.
    Never,
    /// A message sent to a full queue.
    WhenFull,
    /// Any message, at any time. Losing it when it is sent gives the same contents.
    Always,
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
    pub store: Option<StoreId>,
    /// What is shown to those who watch ([`Program::observe`]), in the same step.
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
    /// Listens to a queue; [`Program::reception`] says what happens with which message.
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
    /// Before the first message that [`Program::in_order`] puts behind it.
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
    pub store: Option<StoreId>,
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
