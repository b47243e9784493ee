//! The machines of a program, and what they can do.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use qp_base::Map;
use qp_machines::{
    Beyond, Commands, Config, Hearing, LocalId, MachineId, MessageId, QueueId, System,
};

use crate::{Checked, Refusal, wrong};

/// So many small steps at most, because no evidence may take for ever.
const WORK_MAX: u64 = 2_000_000_000;

/// As many as a word has bits.
const MACHINES_MAX: usize = 64;

/// A program with the vectors of local states that a set is about.
pub(crate) struct Peers<'a> {
    pub(crate) system: &'a mut System,
    /// The vectors: configurations with empty queues.
    pub(crate) rows: Vec<Config>,
    places: Map<Config, usize>,
    acts: BTreeMap<(MachineId, LocalId), Arc<Commands>>,
    /// So many machines may be there while others are still to be created.
    n_early: usize,
    /// For each queue, who reads it.
    pub(crate) readers: Vec<Option<usize>>,
    /// Whether a queue may have several writers.
    pub(crate) is_mailbox: bool,
    work: u64,
}

impl<'a> Peers<'a> {
    /// The machines in these rows, if they keep to a discipline.
    pub(crate) fn new(system: &'a mut System, rows: Vec<Config>, n_early: usize) -> Checked<Self> {
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
        let (is_mailbox, work) = (false, WORK_MAX);
        let mut peers = Self { system, rows, places, acts, n_early, readers, is_mailbox, work };
        peers.learn_discipline()?;
        Ok(peers)
    }

    /// Counts work, and refuses too much of it.
    pub(crate) fn spend(&mut self, work: usize) -> Checked<()> {
        let left = self.work.checked_sub(work as u64);
        self.work = left.ok_or(Refusal::TooLarge)?;
        Ok(self.system.go_on()?)
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
    pub(crate) fn acts(&mut self, config: &Config, machine: usize) -> Checked<Arc<Commands>> {
        let machine = MachineId::new(machine);
        let local = config.local(machine);
        let acts = if let Some(acts) = self.acts.get(&(machine, local)) {
            acts.clone()
        } else {
            let acts = commands(self.system, config, machine)?;
            if acts.creates || acts.ends && (1..self.n_early).contains(&machine.index()) {
                return wrong("machines are created after set-up, or end before it is over");
            }
            self.acts.insert((machine, local), Arc::new(acts));
            self.acts[&(machine, local)].clone()
        };
        let sends = acts.sends.iter().map(|send| send.queue);
        for queue in sends.chain(acts.listens.iter().copied()) {
            if config.kinds.get(queue.index()).is_none() {
                return wrong("a queue is used that is not there");
            }
            self.is_limited(config, queue)?;
        }
        Ok(acts)
    }

    /// Whether a queue may be full. Queues that lose messages or hand them over are refused.
    pub(crate) fn is_limited(&self, config: &Config, queue: QueueId) -> Checked<bool> {
        self.system.is_limited(config, queue).or_else(wrong)
    }

    /// What a machine makes of a message at the front of a queue.
    pub(crate) fn hearing(
        &mut self,
        config: &Config,
        machine: usize,
        front: (usize, MessageId),
    ) -> Checked<Hearing> {
        let queue = QueueId::new(front.0);
        if !self.acts(config, machine)?.listens.contains(&queue) {
            return Ok(Hearing::default());
        }
        let machine = MachineId::new(machine);
        let at = (machine, config.local(machine));
        let hearing = self.system.hearing(config, at, (queue, front.1)).or_else(beyond)?;
        hearing.shares.clone().map_or(Ok(hearing), wrong)
    }

    /// Where the reader of a queue is after it has taken a message.
    pub(crate) fn takes(
        &mut self,
        config: &Config,
        queue: usize,
        message: MessageId,
    ) -> Checked<Vec<LocalId>> {
        let Some(reader) = self.readers[queue] else { return Ok(Vec::new()) };
        Ok(self.hearing(config, reader, (queue, message))?.takes)
    }

    fn learn_discipline(&mut self) -> Checked<()> {
        let (mut readers, mut writers) = (BTreeSet::new(), BTreeSet::new());
        for row in 0..self.rows.len() {
            let config = self.rows[row].clone();
            for machine in config.machines() {
                self.spend(1)?;
                let acts = self.acts(&config, machine.index())?;
                writers.extend(acts.sends.iter().map(|send| (send.queue, machine)));
                readers.extend(acts.listens.iter().map(|&queue| (queue, machine)));
            }
        }
        self.is_mailbox = is_mailbox(&readers, &writers)?;
        for (queue, machine) in readers {
            self.readers[queue.index()] = Some(machine.index());
        }
        Ok(())
    }
}

/// Whether queues are mailboxes, or belong to one pair of machines each; refuses what is neither.
pub(crate) fn is_mailbox(
    readers: &BTreeSet<(QueueId, MachineId)>,
    writers: &BTreeSet<(QueueId, MachineId)>,
) -> Checked<bool> {
    let read: BTreeSet<QueueId> = readers.iter().map(|it| it.0).collect();
    let written: BTreeSet<QueueId> = writers.iter().map(|it| it.0).collect();
    let reading: BTreeSet<MachineId> = readers.iter().map(|it| it.1).collect();
    if read.len() < readers.len() || !readers.is_disjoint(writers) {
        return wrong("a queue has several readers, or one that sends to itself");
    }
    let mut pairs = BTreeSet::new();
    let mut is_new = |&(queue, reader): &(QueueId, MachineId)| {
        let writer = writers.iter().find(|it| it.0 == queue);
        writer.is_none_or(|&(_, writer)| pairs.insert((writer, reader)))
    };
    if written.len() == writers.len() && readers.iter().all(&mut is_new) {
        return Ok(false);
    }
    if reading.len() < readers.len() {
        return wrong("queues are shared by several pairs of machines");
    }
    Ok(true)
}

/// What a machine can do without a message, if it shares nothing but queues.
pub(crate) fn commands(
    system: &mut System,
    config: &Config,
    machine: MachineId,
) -> Checked<Commands> {
    let acts = system.commands(config, machine, config.local(machine)).or_else(beyond)?;
    acts.shares.clone().map_or(Ok(acts), wrong)
}

fn beyond<T>(why: Beyond) -> Checked<T> {
    match why {
        Beyond::Step(why) => wrong(why),
        Beyond::GivesUp(_) => wrong("nobody knows what a step leads to"),
    }
}
