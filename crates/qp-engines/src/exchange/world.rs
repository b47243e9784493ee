//! A program seen as machines that send and receive: local states, and what machines do in them.

use std::sync::Arc;

use qp_base::{Budget, Exhausted, Interner, Map, Spent, define_index};
use qp_claim::Reason;
use qp_machines::{
    Capacity, Config, EarId, Effect, KindId, LocalId, Loss, MachineId, MessageId, Model, Move,
    Place, Property, QueueId, Reception, Step, StoreId, System, Taken,
};

use super::manners::{Manner, Manners};

define_index!(VectorId, "v", "where all machines are");

/// More machines do not fit into a word of bits.
pub(super) const MACHINES_MAX: usize = 64;

/// A set of machines, machine 0 the lowest bit.
pub(super) type Machines = u64;

/// The set of one machine.
pub(super) fn bit(machine: MachineId) -> Machines {
    1 << machine.index()
}

/// Where all machines are.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Vector {
    /// The queues that exist: a place in [`World::shapes`].
    pub(super) shape: u32,
    /// One local state per machine.
    pub(super) locals: Box<[LocalId]>,
}

/// Where exchanges begin: everything is empty, and all machines are there.
#[derive(Clone, Debug)]
pub(super) struct Beginning {
    /// The configuration.
    pub(super) config: Config,
    /// The steps that lead there.
    pub(super) steps: Vec<Step>,
}

/// What a machine can do in a local state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Acts {
    /// Where it can go without anybody seeing it.
    pub(super) internals: Vec<LocalId>,
    /// What it can send.
    pub(super) sends: Vec<Sending>,
    /// What it listens to.
    pub(super) ears: Vec<(QueueId, EarId)>,
    /// The properties that it can violate at once.
    pub(super) fails: Vec<Property>,
}

impl Acts {
    /// Whether it can do something without a message.
    pub(super) fn can_go_on(&self) -> bool {
        !self.internals.is_empty() || !self.sends.is_empty() || !self.fails.is_empty()
    }
}

/// A send.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sending {
    pub(super) queue: QueueId,
    pub(super) message: MessageId,
    pub(super) next: LocalId,
}

/// What a machine that listens to a queue makes of a message at its front.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Hears {
    /// Where it goes on if it takes the message.
    pub(super) takes: Vec<LocalId>,
    /// Whether it may leave the message where it is and look at the next one.
    pub(super) skips: bool,
    /// Whether there is no right thing to do.
    pub(super) crashes: bool,
}

/// A system with what was learnt about its machines.
pub(super) struct World {
    pub(super) system: System,
    pub(super) beginnings: Vec<Beginning>,
    pub(super) manners: Manners,
    /// Whether machines were created.
    pub(super) created: bool,
    /// The kinds of queues of beginnings, each once.
    pub(super) shapes: Vec<Vec<KindId>>,
    pub(super) store: StoreId,
    vectors: Interner<VectorId, Vector>,
    acts: Map<(MachineId, LocalId), Arc<Acts>>,
    hears: Map<(MachineId, LocalId, QueueId, MessageId), Arc<Hears>>,
    budget: Budget,
    /// How many things were looked at.
    spent: u64,
}

/// Why the engine cannot go on.
#[derive(Clone, Debug)]
pub(super) enum Stop {
    Exhausted(Exhausted),
    /// So many were looked at, and this engine looks at no more.
    TooMuch,
    /// Because of what the model does, in the user's words.
    Outside(String),
    /// The interpreter gave up.
    Program(Reason),
    /// Queues are used in another manner than was assumed: begin anew.
    Manner,
}

impl From<Exhausted> for Stop {
    fn from(exhausted: Exhausted) -> Self {
        Self::Exhausted(exhausted)
    }
}

impl Stop {
    pub(super) fn outside(because: &str) -> Self {
        Self::Outside(because.to_owned())
    }

    pub(super) fn reason(&self) -> Reason {
        match self {
            &Self::Exhausted(exhausted) => Reason::Budget { exhausted, bound: 0, suspect: None },
            Self::TooMuch => {
                Reason::Budget { exhausted: Exhausted::States, bound: 0, suspect: None }
            }
            Self::Outside(because) => Reason::OutsideFragment { because: because.clone() },
            Self::Program(reason) => reason.clone(),
            Self::Manner => unreachable!("bug in Queueproof: manners change more than once"),
        }
    }
}

impl World {
    /// Lets machines be created, and nothing else happen.
    pub(super) fn new(model: &Model, budget: &Budget) -> Result<Self, Stop> {
        let mut system = model.system();
        let initial = system.initial();
        let mut world = Self {
            system,
            beginnings: Vec::new(),
            manners: Manners::default(),
            created: false,
            shapes: Vec::new(),
            store: initial.store,
            vectors: Interner::new(),
            acts: Map::default(),
            hears: Map::default(),
            budget: budget.clone(),
            spent: 0,
        };
        world.begin(initial)?;
        Ok(world)
    }

    /// Asks whether to go on, having looked at so many things.
    pub(super) fn spend(&mut self, states: usize) -> Result<(), Stop> {
        self.spent = states as u64;
        self.pause()
    }

    /// Asks whether to go on, in the midst of something.
    pub(super) fn pause(&self) -> Result<(), Stop> {
        Ok(self.budget.check(Spent { states: self.spent, bytes: 0 })?)
    }

    /// How queues are used, as far as is known.
    pub(super) fn manner(&self) -> Manner {
        self.manners.manner()
    }

    /// The vectors in which runs begin, in the order of the beginnings.
    pub(super) fn first_vectors(&mut self) -> Vec<VectorId> {
        let mut firsts = Vec::new();
        for beginning in &self.beginnings {
            let kinds = &beginning.config.kinds;
            let known = self.shapes.iter().position(|shape| shape == kinds);
            let shape = known.unwrap_or_else(|| {
                self.shapes.push(kinds.clone());
                self.shapes.len() - 1
            });
            let locals = beginning.config.locals.clone().into();
            firsts.push(self.vectors.intern(Vector { shape: shape as u32, locals }));
        }
        firsts
    }

    /// The vector with these local states and the queues of another one.
    pub(super) fn intern(&mut self, like: VectorId, locals: &[LocalId]) -> VectorId {
        let shape = self.vector(like).shape;
        self.vectors.intern(Vector { shape, locals: locals.into() })
    }

    pub(super) fn vector(&self, id: VectorId) -> &Vector {
        self.vectors.value(id)
    }

    /// How many machines there are in a vector.
    pub(super) fn n_machines(&self, id: VectorId) -> usize {
        self.vector(id).locals.len()
    }

    /// How many queues there are at most.
    pub(super) fn n_queues(&self) -> usize {
        self.beginnings.iter().map(|it| it.config.words.len()).max().unwrap_or(0)
    }

    /// The vector with one machine elsewhere.
    pub(super) fn moved(&mut self, id: VectorId, machine: MachineId, next: LocalId) -> VectorId {
        let mut vector = self.vector(id).clone();
        vector.locals[machine.index()] = next;
        self.vectors.intern(vector)
    }

    /// What a machine can do in a local state.
    pub(super) fn acts(&mut self, machine: MachineId, local: LocalId) -> Result<Arc<Acts>, Stop> {
        if let Some(acts) = self.acts.get(&(machine, local)) {
            return Ok(Arc::clone(acts));
        }
        let assumed = self.manner();
        let mut acts = Acts::default();
        for mv in self.system.moves(machine, local, self.store).iter() {
            plain(mv)?;
            self.learn(machine, mv, &mut acts)?;
        }
        let acts = Arc::new(acts);
        self.acts.insert((machine, local), Arc::clone(&acts));
        if self.manner() == assumed { Ok(acts) } else { Err(Stop::Manner) }
    }

    /// Asks all machines what they can do, so that it is known who reads which queue.
    pub(super) fn ask_all(&mut self, vector: VectorId) -> Result<(), Stop> {
        for machine in (0..self.n_machines(vector)).map(MachineId::new) {
            let local = self.vector(vector).locals[machine.index()];
            self.acts(machine, local)?;
        }
        Ok(())
    }

    /// What a machine makes of a message at the front of a queue.
    pub(super) fn hears(
        &mut self,
        machine: MachineId,
        local: LocalId,
        queue: QueueId,
        message: MessageId,
    ) -> Result<Arc<Hears>, Stop> {
        let key = (machine, local, queue, message);
        if let Some(hears) = self.hears.get(&key) {
            return Ok(Arc::clone(hears));
        }
        let acts = self.acts(machine, local)?;
        let (mut hears, mut others) = (Hears::default(), 0);
        for &(_, ear) in acts.ears.iter().filter(|(at, _)| *at == queue) {
            let program = self.system.program_mut();
            match program.reception(machine, local, self.store, ear, message) {
                Reception::Take(ways) => {
                    others += 1;
                    for way in ways {
                        hears.takes.push(self.plainly_taken(&way)?);
                    }
                }
                Reception::Skip => hears.skips = true,
                Reception::Refuse => others += 1,
                Reception::Crash => hears.crashes = true,
            }
        }
        hears.crashes &= others == 0 && !hears.skips;
        let hears = Arc::new(hears);
        self.hears.insert(key, Arc::clone(&hears));
        Ok(hears)
    }

    /// What the reader of a queue makes of a message at its front, if there is one who listens.
    pub(super) fn reader_hears(
        &mut self,
        vector: VectorId,
        queue: QueueId,
        message: MessageId,
    ) -> Result<Arc<Hears>, Stop> {
        let Some(machine) = self.manners.reader(queue) else { return Ok(Arc::default()) };
        match self.vector(vector).locals.get(machine.index()).copied() {
            Some(local) => self.hears(machine, local, queue, message),
            None => Ok(Arc::default()),
        }
    }

    fn plainly_taken(&self, way: &Taken) -> Result<LocalId, Stop> {
        if way.store.is_some_and(|store| store != self.store) {
            return Err(Stop::outside("steps change what other machines or specifications see"));
        }
        if way.hold {
            return Err(Stop::outside("a machine goes on alone as long as it can"));
        }
        if way.keep {
            return Err(Stop::outside("messages are read and stay in their queue"));
        }
        Ok(way.next)
    }

    fn learn(&mut self, machine: MachineId, mv: &Move, acts: &mut Acts) -> Result<(), Stop> {
        match mv.effect {
            Effect::Internal => acts.internals.push(mv.next),
            Effect::Send { place: Place::Sorted, .. } => {
                return Err(Stop::outside("messages are sorted into queues"));
            }
            Effect::Send { queue, message, place: Place::Back } => {
                self.roomy(queue)?;
                self.manners.writes(machine, queue)?;
                acts.sends.push(Sending { queue, message, next: mv.next });
            }
            Effect::Receive { queue, ear } => {
                self.roomy(queue)?;
                self.manners.reads(machine, queue)?;
                acts.ears.push((queue, ear));
            }
            Effect::Spawn { .. } => {
                return Err(Stop::outside("machines are created after messages were exchanged"));
            }
            Effect::Exit { .. } => return Err(Stop::outside("machines end and are gone")),
            Effect::Close { .. } => return Err(Stop::outside("queues are closed")),
            Effect::Fail { failure } => {
                acts.fails.push(self.system.program().failure(failure).property);
            }
            Effect::GiveUp { why } => {
                let failure = self.system.program().failure(why);
                let reason = Reason::Program { text: failure.text, span: failure.span };
                return Err(Stop::Program(reason));
            }
        }
        Ok(())
    }

    /// Refuses a queue that loses messages or has a capacity.
    fn roomy(&self, queue: QueueId) -> Result<(), Stop> {
        let outline = self.system.program().outline();
        let kinds = self.beginnings.iter().filter_map(|it| it.config.kinds.get(queue.index()));
        for &kind in kinds {
            let kind = outline.kinds[kind];
            let because = match (kind.capacity, kind.loss) {
                (Capacity::Unbounded, Loss::Never) => continue,
                (Capacity::Unbounded, Loss::WhenFull | Loss::Always) => "queues may lose messages",
                (Capacity::Messages(_), _) => "queues have a capacity",
                (Capacity::Rendezvous, _) => "messages are handed over without a queue",
            };
            return Err(Stop::outside(because));
        }
        Ok(())
    }
}

/// Refuses moves that exchanges say nothing about.
pub(super) fn plain(mv: &Move) -> Result<(), Stop> {
    if !mv.guards.is_empty() {
        return Err(Stop::outside("a step depends on more than the machine that takes it"));
    }
    if mv.store.is_some() || mv.announce.is_some() {
        return Err(Stop::outside("steps change what other machines or specifications see"));
    }
    if mv.hold {
        return Err(Stop::outside("a machine goes on alone as long as it can"));
    }
    Ok(())
}
