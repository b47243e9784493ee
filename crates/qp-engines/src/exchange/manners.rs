//! Who shares queues with whom, as far as machines have shown it.

use qp_base::Map;
use qp_machines::{MachineId, QueueId};

use super::world::{Machines, Stop, bit};

/// How queues are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Manner {
    /// One queue for each ordered pair of machines.
    Pairs,
    /// One queue for each machine that receives.
    Mailboxes,
}

/// Who writes and reads which queue.
#[derive(Clone, Debug, Default)]
pub(super) struct Manners {
    /// By queue.
    readers: Vec<Option<MachineId>>,
    writers: Map<QueueId, Machines>,
    /// What a machine reads that reads one queue only.
    reads: Map<MachineId, QueueId>,
    /// By the machines that write it, and the one that reads it.
    pairs: Map<(Machines, MachineId), QueueId>,
    /// Whether some machine reads several queues.
    no_mailboxes: bool,
    /// Whether several machines write one queue, or one machine writes several that another one reads.
    no_pairs: bool,
}

impl Manners {
    pub(super) fn manner(&self) -> Manner {
        if self.no_pairs { Manner::Mailboxes } else { Manner::Pairs }
    }

    /// The machine that reads a queue, if one does.
    pub(super) fn reader(&self, queue: QueueId) -> Option<MachineId> {
        self.readers.get(queue.index()).copied().flatten()
    }

    pub(super) fn reads(&mut self, machine: MachineId, queue: QueueId) -> Result<(), Stop> {
        if queue.index() >= self.readers.len() {
            self.readers.resize(queue.index() + 1, None);
        }
        if *self.readers[queue.index()].get_or_insert(machine) != machine {
            return Err(Stop::outside("several machines receive from one queue"));
        }
        self.no_mailboxes |= *self.reads.entry(machine).or_insert(queue) != queue;
        self.pair(queue)
    }

    pub(super) fn writes(&mut self, machine: MachineId, queue: QueueId) -> Result<(), Stop> {
        let writers = self.writers.entry(queue).or_insert(0);
        *writers |= bit(machine);
        self.no_pairs |= writers.count_ones() > 1;
        self.pair(queue)
    }

    fn pair(&mut self, queue: QueueId) -> Result<(), Stop> {
        if let (Some(&from), Some(to)) = (self.writers.get(&queue), self.reader(queue)) {
            if from & bit(to) != 0 {
                return Err(Stop::outside("a machine sends to itself"));
            }
            self.no_pairs |= *self.pairs.entry((from, to)).or_insert(queue) != queue;
        }
        if self.no_pairs && self.no_mailboxes {
            let because = "queues are neither mailboxes, one for each receiver, nor one for each \
                           sender and receiver";
            return Err(Stop::outside(because));
        }
        Ok(())
    }
}
