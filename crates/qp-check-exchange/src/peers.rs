//! The machines of a program, and what they can do.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use qp_base::Map;
use qp_machines::{
    Config, EarId, Effect, FailureId, LocalId, MachineId, MessageId, Move, Place, QueueKind,
    Reception, System,
};

use crate::{Checked, Refusal, wrong};

/// So many small steps at most, because no evidence may take for ever.
const WORK_MAX: u64 = 2_000_000_000;

/// As many as a word has bits.
const MACHINES_MAX: usize = 64;

/// What a machine can do in a local state.
#[derive(Default)]
pub(crate) struct Acts {
    /// Where internal moves lead.
    pub(crate) internal: Vec<LocalId>,
    /// The queue, what is sent, and where the machine is then.
    pub(crate) sends: Vec<(usize, MessageId, LocalId)>,
    /// The queues it listens to, and how.
    pub(crate) ears: Vec<(usize, EarId)>,
    /// What it can run into.
    pub(crate) fails: Vec<FailureId>,
}

/// A program with the vectors of local states that a set is about.
pub(crate) struct Peers<'a> {
    pub(crate) system: &'a mut System,
    /// The vectors: configurations with empty queues.
    pub(crate) rows: Vec<Config>,
    places: Map<Config, usize>,
    acts: BTreeMap<(MachineId, LocalId), Arc<Acts>>,
    /// For each queue, who reads it.
    pub(crate) readers: Vec<Option<usize>>,
    /// Whether a queue may have several writers.
    pub(crate) is_mailbox: bool,
    work: u64,
}

impl<'a> Peers<'a> {
    /// The machines in these rows, if they keep to a discipline.
    pub(crate) fn new(system: &'a mut System, rows: Vec<Config>) -> Checked<Self> {
        if system.program().outline().whole {
            return wrong("steps are turns");
        }
        let size = |row: &Config| (row.locals.len(), row.words.len());
        let (n_machines, n_queues) = rows.first().map_or((0, 0), size);
        if rows.iter().any(|row| size(row) != (n_machines, n_queues)) {
            return wrong("vectors differ in their machines or queues");
        }
        if n_machines > MACHINES_MAX {
            return wrong("there are more than 64 machines");
        }
        let places = rows.iter().cloned().zip(0..).collect();
        let (acts, readers) = (BTreeMap::new(), vec![None; n_queues]);
        let mut peers =
            Self { system, rows, places, acts, readers, is_mailbox: false, work: WORK_MAX };
        peers.learn_discipline()?;
        Ok(peers)
    }

    /// Counts work, and refuses too much of it.
    pub(crate) fn spend(&mut self, work: usize) -> Checked<()> {
        let left = self.work.checked_sub(work as u64);
        self.work = left.ok_or(Refusal::TooLarge)?;
        self.system.go_on().map_err(Refusal::Wrong)
    }

    /// The row with this vector, if the set has it.
    fn place(&self, config: &Config) -> Option<usize> {
        self.places.get(config).copied()
    }

    /// The row with this vector, which the set must have.
    pub(crate) fn find(&mut self, config: &Config) -> Checked<usize> {
        self.spend(1 + config.locals.len())?;
        let row = self.place(config);
        row.map_or_else(|| wrong("a vector that is reached is missing"), Ok)
    }

    /// What a machine can do.
    pub(crate) fn acts(&mut self, config: &Config, machine: usize) -> Checked<Arc<Acts>> {
        let machine = MachineId::new(machine);
        let local = config.local(machine);
        let acts = if let Some(acts) = self.acts.get(&(machine, local)) {
            acts.clone()
        } else {
            let moves = self.system.moves(machine, local, config.store);
            let acts = Arc::new(read(&moves)?);
            self.acts.insert((machine, local), acts.clone());
            acts
        };
        let kinds = &self.system.program().outline().kinds;
        let named = acts.sends.iter().map(|send| send.0).chain(acts.ears.iter().map(|ear| ear.0));
        for queue in named {
            let kind = config.kinds.get(queue).and_then(|&kind| kinds.get(kind));
            if kind != Some(&QueueKind::UNBOUNDED) {
                return wrong(format!("queue {queue} does not hold any number of messages"));
            }
        }
        Ok(acts)
    }

    /// What a machine does about a message where it is.
    pub(crate) fn reception(
        &mut self,
        config: &Config,
        machine: usize,
        ear: EarId,
        message: MessageId,
    ) -> Reception {
        let machine = MachineId::new(machine);
        let local = config.local(machine);
        self.system.program_mut().reception(machine, local, config.store, ear, message)
    }

    /// Where the reader of a queue is after it has taken a message.
    pub(crate) fn takes(
        &mut self,
        config: &Config,
        queue: usize,
        message: MessageId,
    ) -> Checked<Vec<LocalId>> {
        let mut taken = Vec::new();
        let Some(reader) = self.readers[queue] else { return Ok(taken) };
        let acts = self.acts(config, reader)?;
        for &(_, ear) in acts.ears.iter().filter(|ear| ear.0 == queue) {
            let Reception::Take(ways) = self.reception(config, reader, ear, message) else {
                continue;
            };
            for way in ways {
                if way.keep || way.hold || way.store.is_some_and(|store| store != config.store) {
                    return wrong("a message is taken with more than a change of the local state");
                }
                taken.push(way.next);
            }
        }
        Ok(taken)
    }

    fn learn_discipline(&mut self) -> Checked<()> {
        let mut writers = vec![BTreeSet::new(); self.readers.len()];
        for row in 0..self.rows.len() {
            let config = self.rows[row].clone();
            for machine in 0..config.locals.len() {
                self.spend(1)?;
                let acts = self.acts(&config, machine)?;
                writers_of(&acts, machine, &mut writers);
                for &(queue, _) in &acts.ears {
                    if *self.readers[queue].get_or_insert(machine) != machine {
                        return wrong(format!("queue {queue} has several readers"));
                    }
                }
            }
        }
        let (mut reading, mut pairs) = (BTreeSet::new(), BTreeSet::new());
        let (mut mailbox, mut peer_to_peer) = (true, true);
        for (&reader, writers) in self.readers.iter().zip(&writers) {
            let Some(reader) = reader else {
                peer_to_peer &= writers.len() < 2;
                continue;
            };
            if writers.contains(&reader) {
                return wrong("a machine sends to itself");
            }
            mailbox &= reading.insert(reader);
            peer_to_peer &= writers.len() < 2;
            peer_to_peer &= writers.first().is_none_or(|&writer| pairs.insert((writer, reader)));
        }
        self.is_mailbox = !peer_to_peer;
        if mailbox || peer_to_peer { Ok(()) } else { wrong("queues are shared by several pairs") }
    }
}

/// Whether a move does nothing but its effect.
pub(crate) fn is_plain(mv: &Move) -> bool {
    mv.guards.is_empty() && mv.store.is_none() && mv.announce.is_none() && !mv.hold
}

fn read(moves: &[Move]) -> Checked<Acts> {
    let mut acts = Acts::default();
    for mv in moves {
        if !is_plain(mv) {
            return wrong("a move has a guard, holds, announces or changes the store");
        }
        match mv.effect {
            Effect::Internal => acts.internal.push(mv.next),
            Effect::Send { queue, message, place: Place::Back } => {
                acts.sends.push((queue.index(), message, mv.next));
            }
            Effect::Receive { queue, ear } => acts.ears.push((queue.index(), ear)),
            Effect::Fail { failure } => acts.fails.push(failure),
            Effect::Send { place: Place::Sorted, .. } => return wrong("a queue is kept sorted"),
            Effect::Spawn { .. } => return wrong("machines are created after set-up"),
            Effect::Exit { .. } | Effect::Close { .. } => return wrong("queues are closed"),
            Effect::GiveUp { .. } => return wrong("nobody knows what a move leads to"),
        }
    }
    Ok(acts)
}

fn writers_of(acts: &Acts, machine: usize, writers: &mut [BTreeSet<usize>]) {
    for &(queue, ..) in &acts.sends {
        writers[queue].insert(machine);
    }
}
