//! A program seen as machines that send and receive: local states, and what machines do in them.

use std::sync::Arc;

use qp_base::{Budget, Interner, Map, Spent, define_index};
use qp_machines::{
    Commands, Config, Hearing, KindId, LocalId, MachineId, MessageId, Model, QueueId, Step,
    StoreId, System,
};

pub(super) use crate::stop::Stop;

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

/// A system with what was learnt about its machines.
pub(super) struct World {
    pub(super) system: System,
    pub(super) beginnings: Vec<Beginning>,
    pub(super) manners: Manners,
    /// The beginning with most machines and queues.
    pub(super) fullest: usize,
    /// Whether machines were created.
    pub(super) created: bool,
    /// So many machines may be there while others are still to be created.
    pub(super) n_early: usize,
    /// The kinds of queues of beginnings, each once.
    pub(super) shapes: Interner<usize, Vec<KindId>>,
    pub(super) store: StoreId,
    vectors: Interner<VectorId, Vector>,
    acts: Map<(MachineId, LocalId), Arc<Commands>>,
    hears: Map<(MachineId, LocalId, QueueId, MessageId), Arc<Hearing>>,
    budget: Budget,
    /// How many things were looked at.
    spent: u64,
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
            fullest: 0,
            created: false,
            n_early: 0,
            shapes: Interner::new(),
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

    /// The same with so many rows of some kind, of which there are to be no more than `max`.
    pub(super) fn pay(&mut self, states: usize, rows: usize, max: usize) -> Result<(), Stop> {
        self.spend(states)?;
        if rows > max { Err(Stop::TooMuch) } else { Ok(()) }
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
            let shape = self.shapes.intern(beginning.config.kinds.clone());
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

    /// All machines of a vector, each with its local state.
    pub(super) fn places(&self, id: VectorId) -> Vec<(MachineId, LocalId)> {
        let locals = self.vector(id).locals.iter().enumerate();
        locals.map(|(machine, &local)| (MachineId::new(machine), local)).collect()
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
    pub(super) fn acts(
        &mut self,
        machine: MachineId,
        local: LocalId,
    ) -> Result<Arc<Commands>, Stop> {
        if let Some(acts) = self.acts.get(&(machine, local)) {
            return Ok(Arc::clone(acts));
        }
        let assumed = self.manner();
        let like = &self.beginnings[self.fullest].config;
        let acts = self.system.commands(like, machine, local);
        let acts = Arc::new(acts.map_err(|beyond| Stop::beyond(&self.system, beyond))?);
        self.learn(machine, &acts)?;
        self.acts.insert((machine, local), Arc::clone(&acts));
        if self.manner() == assumed { Ok(acts) } else { Err(Stop::Anew) }
    }

    /// Asks all machines what they can do, so that it is known who reads which queue.
    pub(super) fn ask_all(&mut self, vector: VectorId) -> Result<(), Stop> {
        for (machine, local) in self.places(vector) {
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
    ) -> Result<Arc<Hearing>, Stop> {
        let key = (machine, local, queue, message);
        if let Some(hears) = self.hears.get(&key) {
            return Ok(Arc::clone(hears));
        }
        let mut hears = Hearing::default();
        if self.acts(machine, local)?.listens.contains(&queue) {
            let like = &self.beginnings[self.fullest].config;
            let heard = self.system.hearing(like, (machine, local), (queue, message));
            hears = heard.map_err(|beyond| Stop::beyond(&self.system, beyond))?;
            refuse_sharing(hears.shares.as_ref())?;
        }
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
    ) -> Result<Arc<Hearing>, Stop> {
        let Some(machine) = self.manners.reader(queue) else { return Ok(Arc::default()) };
        match self.vector(vector).locals.get(machine.index()).copied() {
            Some(local) => self.hears(machine, local, queue, message),
            None => Ok(Arc::default()),
        }
    }

    /// Notes who uses which queue, and refuses what exchanges say nothing about.
    fn learn(&mut self, machine: MachineId, acts: &Commands) -> Result<(), Stop> {
        refuse_sharing(acts.shares.as_ref())?;
        if acts.creates {
            return Err(Stop::outside("machines are created after messages were exchanged"));
        }
        // Its number would be given to the next one. The first machine ends when all others are gone.
        if acts.ends && (1..self.n_early).contains(&machine.index()) {
            return Err(Stop::outside("machines end while others are still created"));
        }
        for send in &acts.sends {
            self.is_limited(send.queue)?;
            self.manners.writes(machine, send.queue)?;
        }
        for &queue in &acts.listens {
            self.is_limited(queue)?;
            self.manners.reads(machine, queue)?;
        }
        Ok(())
    }

    /// Whether a queue may be full; one that loses messages or hands them over is refused.
    pub(super) fn is_limited(&self, queue: QueueId) -> Result<bool, Stop> {
        let mut limited = false;
        for beginning in &self.beginnings {
            limited |= self.system.is_limited(&beginning.config, queue).map_err(Stop::outside)?;
        }
        Ok(limited)
    }
}

pub(super) fn refuse_sharing(shares: Option<&String>) -> Result<(), Stop> {
    shares.map_or(Ok(()), |because| Err(Stop::outside(because)))
}
