//! What a front end tells: the program behind a model, asked lazily.
//!
//! A front end builds no transition system. It answers one question about steps ([`Program::turns`]), and says how runs
//! begin ([`Program::start`]). Everything else here is what may be known before anything runs. How a program tells of
//! itself, for reports and files, is in [`Names`]. A language whose steps do one thing each may say them as guarded
//! commands ([`Moves`]) and have its turns made of them ([`crate::turns_of_commands`]).
//!
//! # A step, by example
//!
//! ```text
//! chan q = [1] of { byte };
//! active proctype P() { q!1 }
//! active proctype Q() { byte x; q?x }
//! ```
//!
//! Whoever wants to know what `P` can do hands over a [`World`]: a configuration that is read part by part. The program
//! asks it where `P` is (`local`), what `q` holds (`word`) and whether there are fewer messages than fit (`shorter`),
//! then has a message put at the back (`push`), and answers with one [`Turn`]: what happens (`P` sends 1 to `q`) and
//! what is different afterwards (the local state of `P`, the content of `q`). Nothing else was read. So `P` and `q` are
//! the *footprint* of the step: in every configuration in which they are the same, the step is the same, and nobody
//! asks again. That is what searches, decision diagrams and the reduction of orders live on; none of it is declared.
//!
//! Of `Q` the program asks whether the first message in `q` matches (`scan`), and what is left behind it (`remove`).
//! The contents that it is handed need not be words: a [`crate::QueueDomain`] answers for lists, for languages, or for
//! whatever an engine has in their place. So one interpreter serves all engines, and an engine refuses the steps that
//! ask more of a content than it knows, not the language.

use qp_base::Budget;

use crate::{
    ConditionId, DetailId, KindId, LocalId, MachineId, Moves, Names, Net, Outline, QueueId, Turn,
    Uses, Values, World,
};

/// The program of a model: says what its machines can do.
///
/// The answers must depend on the arguments alone, and on what a [`World`] was asked for: a [`crate::System`] asks once
/// and remembers. Every method takes `&mut self` that may intern local states on the way.
///
/// `docs/decisions/001-lazy-machines.md` shows how P and Promela fit.
pub trait Program: Names + Send {
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

    /// The machines, queues and shared variables that exist at the beginning.
    fn start(&mut self) -> Start;

    /// Everything that `machine` can do now, in source order; with `timeout`, nothing is possible without one.
    ///
    /// The answer must depend only on the arguments and on what `world` was asked for.
    fn turns(&mut self, machine: MachineId, timeout: bool, world: &mut dyn World) -> Vec<Turn>;

    /// The program as one that says guarded commands, if it does. Then some questions can be answered for each command
    /// alone: which message nobody handles, what others must leave alone.
    fn as_moves(&mut self) -> Option<&mut dyn Moves> {
        None
    }

    /// Whether a condition that the user wrote holds now. It must depend only on what `world` is asked for.
    fn holds(&mut self, condition: ConditionId, world: &mut dyn World) -> bool {
        let _ = world;
        unreachable!("bug in Queueproof: nobody wrote {condition:?}")
    }

    /// How a machine uses queues where it is now; `None` where it may do anything with those that it looks at. What is
    /// said must be true of its turns, with and without a timeout, as long as everything that `world` was asked for by
    /// this and by [`Program::turns`] is the same, but for the contents of the queues that are named and for how many
    /// queues there are.
    fn uses(&mut self, machine: MachineId, world: &mut dyn World) -> Option<Uses> {
        self.as_moves()?.used(machine, world)
    }

    /// Whether a machine in this local state may rest for ever: it is finished, or the user said so.
    fn may_rest(&self, machine: MachineId, local: LocalId) -> bool;

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

    /// Lets no more than so many messages into a queue, whatever fitted before, and says whether that is possible.
    /// A queue that hands messages over stays as it is, and so does one that cannot be told apart from others.
    ///
    /// Only before anything runs.
    fn limit(&mut self, queue: QueueId, messages: u32) -> bool {
        let _ = (queue, messages);
        false
    }

    /// Control flow and numbers of messages of the whole program, or why there is none, in the user's words.
    ///
    /// Asked twice for the same details it gives the same net. With more of them it never has more runs.
    fn net(&mut self, followed: &[DetailId]) -> Result<Net, String> {
        let _ = followed;
        Err("models in this language are not taken apart into control flow".to_owned())
    }

    /// The program as one that says what it does with numbers, if it does.
    fn as_values(&mut self) -> Option<&mut dyn Values> {
        None
    }
}

/// The beginning of every run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Start {
    /// One local state per machine.
    pub locals: Vec<LocalId>,
    /// One kind per queue; all queues are empty.
    pub queues: Vec<KindId>,
    /// The shared variables: as many as [`Outline::n_cells`] says.
    pub cells: Vec<i32>,
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
