//! How configurations are expanded: the interface between the search and the two ways of doing it.

use qp_machines::{Config, Event, MachineId, QueueId, System, WordId};

use super::compiled::Compiled;
use super::lanes::Lanes;
use super::marks::Watch;
use super::packing::{Key, Packing};
use super::stepper::Piece;
use super::turns::Turns;
use super::{Halt, Search};

/// A way of expanding configurations that are stored as small numbers, one per part.
pub(crate) enum Space {
    /// Machines that meet only through queues: steps are compiled once per machine and queue content.
    Compiled(Box<Compiled>),
    /// Anything else: what steps read is remembered, with what comes of it.
    Turns(Box<Turns>),
}

/// What part of the steps to take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    /// Sends into queues that hold this many messages are cut.
    pub(crate) bound: u32,
    /// Only sends into queues that hold at least this many messages; 0 for all steps.
    pub(crate) from: u32,
}

/// In the place of the number of a set of machines: all of them.
pub(crate) const ALL: u32 = u32::MAX;

/// How many configurations are remembered for each queue at which sends were cut: enough for those
/// who look for loops.
pub(crate) const FEW: usize = 4;

/// What the expansion of a batch of configurations came to.
pub(crate) struct Output<const W: usize> {
    /// All successors, in order.
    pub(crate) candidates: Lanes<W>,
    /// Configurations in which a send was cut by the bound.
    pub(crate) blocked: Vec<u32>,
    /// For each queue: a few configurations in which a send to it was cut.
    pub(crate) stalls: Vec<Vec<u32>>,
    /// Configurations in which the interpreter gave up.
    pub(crate) gave_up: Vec<u32>,
    /// Configurations that violate something, with the bits of what.
    pub(crate) hits: Vec<(u32, u64)>,
    /// Configurations of which only the turns of some machines were taken, with the number of their set.
    pub(crate) reduced: Vec<(u32, u32)>,
    /// What other threads have found: their candidates come after the own ones.
    pub(crate) others: Vec<Self>,
}

impl<const W: usize> Output<W> {
    /// For a search with this many threads.
    pub(crate) fn new(jobs: usize) -> Self {
        Self {
            candidates: Lanes::new(jobs),
            blocked: Vec::new(),
            stalls: Vec::new(),
            gave_up: Vec::new(),
            hits: Vec::new(),
            reduced: Vec::new(),
            others: Vec::new(),
        }
    }

    /// The candidates of all threads, in order.
    pub(crate) fn parts(&self) -> Vec<&Lanes<W>> {
        [&self.candidates].into_iter().chain(self.others.iter().map(|it| &it.candidates)).collect()
    }

    pub(crate) fn clear(&mut self) {
        self.others.iter_mut().for_each(Self::clear);
        self.candidates.clear();
        self.blocked.clear();
        self.stalls.clear();
        self.gave_up.clear();
        self.hits.clear();
        self.reduced.clear();
    }

    /// Takes over what other threads have found, but for their candidates.
    pub(crate) fn gather(&mut self) {
        let mut others = std::mem::take(&mut self.others);
        for other in &mut others {
            self.take_over(other);
        }
        self.others = others;
    }

    fn take_over(&mut self, other: &mut Self) {
        self.blocked.append(&mut other.blocked);
        for (queue, places) in other.stalls.drain(..).enumerate() {
            for place in places {
                self.stall(queue as u32, place);
            }
        }
        self.gave_up.append(&mut other.gave_up);
        self.hits.append(&mut other.hits);
        self.reduced.append(&mut other.reduced);
    }

    /// Takes back what was found of the configuration that was expanded last.
    pub(crate) fn take_back(&mut self, place: u32) {
        self.candidates.take_back(place);
        self.blocked.retain(|&other| other != place);
        self.stalls.iter_mut().for_each(|places| places.retain(|&other| other != place));
        self.gave_up.retain(|&other| other != place);
        self.hits.retain(|&(other, _)| other != place);
        self.reduced.retain(|&(other, _)| other != place);
    }

    /// Notes a cut send. A few configurations per queue are enough for those who look for loops.
    #[inline]
    pub(crate) fn stall(&mut self, queue: u32, place: u32) {
        if let Some(places) = self.stalls.get_mut(queue as usize) {
            if places.len() < FEW {
                places.push(place);
            }
        } else {
            self.stalls.resize(queue as usize + 1, Vec::new());
            self.stalls[queue as usize].push(place);
        }
    }
}

/// Something of which one may ask whether it will ever happen again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Subject {
    /// The machine moves.
    Moves(MachineId),
    /// A message is taken from the queue.
    Taken(QueueId),
    /// A message is taken from the queue that is not the first one.
    Skipped(QueueId),
}

impl Subject {
    /// What an event is about, apart from the machine that does it.
    pub(crate) fn of(event: Event) -> Option<Self> {
        match event {
            Event::Took { queue, position: 0, kept: false, .. } | Event::Closed { queue } => {
                Some(Self::Taken(queue))
            }
            Event::Took { queue, kept: false, .. } => Some(Self::Skipped(queue)),
            Event::Handshake { receiver, .. } => Some(Self::Moves(receiver)),
            Event::Took { kept: true, .. }
            | Event::Internal
            | Event::Announced { .. }
            | Event::Sent { .. }
            | Event::Lost { .. }
            | Event::Created { .. }
            | Event::Ended
            | Event::Failed { .. }
            | Event::GaveUp { .. } => None,
        }
    }
}

/// The searched set, as far as expanding needs it.
pub(crate) struct Keys<'a, const W: usize> {
    pub(crate) all: &'a [Key<W>],
    pub(crate) packing: &'a Packing,
    /// For each of them that was expanded before: the number of the set of machines that goes first, or [`ALL`], if
    /// some orders of steps are left out.
    pub(crate) firsts: Option<&'a [u32]>,
}

impl Space {
    pub(crate) fn new(mut system: System, watch: Watch) -> Self {
        if system.is_local() {
            Self::Compiled(Box::new(Compiled::new(system, watch)))
        } else {
            Self::by_footprints(system, watch)
        }
    }

    /// For those who want to leave orders of steps out, whatever the system is.
    pub(crate) fn by_footprints(system: System, watch: Watch) -> Self {
        Self::Turns(Box::new(Turns::new(system, watch)))
    }

    /// Leaves some orders of steps out from now on, if it can: says whether it does.
    pub(crate) fn reduce(&mut self) -> bool {
        match self {
            Self::Turns(turns) => turns.reduce(),
            Self::Compiled(_) => return false,
        }
        true
    }

    /// Whether orders were left out that matter: then the search has to begin again.
    pub(crate) fn must_begin_again(&self) -> bool {
        matches!(self, Self::Turns(turns) if turns.must_begin_again())
    }

    /// Remembers which orders matter.
    pub(crate) fn begin_again(&mut self) {
        if let Self::Turns(turns) = self {
            turns.begin_again();
        }
    }

    /// The machines of a set that goes first somewhere.
    pub(crate) fn set(&self, set: u32) -> &[u32] {
        match self {
            Self::Turns(turns) => turns.set(set),
            Self::Compiled(_) => &[],
        }
    }

    /// Which machines can move in a configuration that was expanded, also if that is cut.
    pub(crate) fn can_move(&self, values: &[u32], bound: u32) -> Vec<u32> {
        match self {
            Self::Turns(turns) => turns.can_move(values, bound),
            Self::Compiled(_) => Vec::new(),
        }
    }

    /// The number of a set that goes first in a configuration, with one more machine; nothing if that is all.
    pub(crate) fn with(&mut self, values: &[u32], bound: u32, more: (u32, u32)) -> Option<u32> {
        match self {
            Self::Turns(turns) => turns.with(values, bound, more),
            Self::Compiled(_) => None,
        }
    }

    /// How many values each part has so far.
    pub(crate) fn counts(&self) -> Vec<usize> {
        match self {
            Self::Compiled(compiled) => compiled.counts(),
            Self::Turns(turns) => turns.counts(),
        }
    }

    /// What a value of a part says.
    pub(crate) fn pieces(&self, part: usize, value: u32) -> Vec<Piece> {
        match self {
            Self::Compiled(compiled) => compiled.pieces(part, value),
            Self::Turns(turns) => turns.pieces(part, value),
        }
    }

    /// The parts of a configuration.
    pub(crate) fn values(&mut self, config: &Config) -> Vec<u32> {
        match self {
            Self::Compiled(compiled) => compiled.values(config),
            Self::Turns(turns) => turns.values(config),
        }
    }

    /// What a value of a part is: the contents of its queues, and a number for everything else.
    pub(crate) fn part(&self, part: usize, value: u32) -> (u64, Vec<WordId>) {
        match self {
            Self::Compiled(compiled) => compiled.part(part, value),
            Self::Turns(turns) => turns.part(part, value),
        }
    }

    /// The queues of a part, in the order in which [`Space::part`] gives their contents.
    pub(crate) fn queues(&self, part: usize) -> Vec<QueueId> {
        match self {
            Self::Compiled(compiled) => compiled.queues(part),
            Self::Turns(turns) => turns.queues(part),
        }
    }

    /// The configuration with these parts.
    pub(crate) fn config(&mut self, values: &[u32]) -> Config {
        match self {
            Self::Compiled(compiled) => compiled.config(values),
            Self::Turns(turns) => turns.config(values),
        }
    }

    pub(crate) fn system(&mut self) -> &mut System {
        match self {
            Self::Compiled(compiled) => compiled.system(),
            Self::Turns(turns) => turns.system(),
        }
    }

    /// The greatest numbers of machines and queues that any configuration has had.
    pub(crate) fn n_machines_queues(&mut self) -> (usize, usize) {
        match self {
            Self::Compiled(compiled) => compiled.n_machines_queues(),
            Self::Turns(turns) => turns.n_machines_queues(),
        }
    }

    /// How many queues there are in the configuration with these parts.
    pub(crate) fn n_queues(&self, values: &[u32]) -> usize {
        match self {
            Self::Compiled(compiled) => compiled.n_queues(values),
            Self::Turns(turns) => turns.n_queues(values),
        }
    }

    /// Raises `longest` to the greatest length of each queue in any visited configuration.
    pub(crate) fn longest<const W: usize>(&mut self, search: &Search<W>, longest: &mut [u32]) {
        match self {
            Self::Compiled(compiled) => compiled.longest(longest),
            Self::Turns(turns) => turns.longest(search, longest),
        }
    }

    /// Watches something else from now on.
    pub(crate) fn watch(&mut self, watch: Watch) {
        match self {
            Self::Compiled(compiled) => compiled.watch(watch),
            Self::Turns(turns) => turns.watch(watch),
        }
    }

    /// Bytes held by the tables of parts and steps.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Compiled(compiled) => compiled.bytes(),
            Self::Turns(turns) => turns.bytes(),
        }
    }

    /// Who can do something in the configuration with these parts: every machine that can move, and
    /// every queue from which a message can be taken. Sends that only a bound would cut count.
    pub(crate) fn subjects(&mut self, values: &[u32], found: &mut Vec<Subject>) {
        found.clear();
        match self {
            Self::Compiled(compiled) => compiled.subjects(values, found),
            Self::Turns(turns) => turns.subjects(values, found),
        }
    }

    /// Expands the configurations at `places`, in order.
    pub(crate) fn expand<const W: usize>(
        &mut self,
        keys: &Keys<'_, W>,
        places: &[u32],
        window: Window,
        jobs: usize,
        output: &mut Output<W>,
    ) -> Result<(), Halt> {
        output.clear();
        match self {
            Self::Compiled(compiled) => compiled.expand(keys, places, window, jobs, output),
            Self::Turns(turns) => turns.expand(keys, places, window, jobs, output),
        }
    }
}
