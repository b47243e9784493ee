//! Parts of a configuration: what is stored as one number.
//!
//! A part is a machine together with the queues that only it reads, a queue that nobody reads, or the
//! store. What a machine can do depends on its own part, apart from the queue that it sends to or asks
//! about; what is announced depends on the store.

use qp_base::{Interner, Map};
use qp_machines::{After, Config, Guard, LocalId, MachineId, MessageId, QueueId, StoreId, WordId};

use super::marks::{Ends, Marks};

pub(crate) struct Part {
    pub(crate) machine: Option<MachineId>,
    pub(crate) queues: Vec<QueueId>,
    pub(crate) values: Interner<usize, Value>,
    /// For each value: its steps as a range, or [`UNKNOWN`].
    pub(crate) ranges: Vec<(u32, u32)>,
    pub(crate) steps: Vec<CompiledStep>,
    /// Steps that depend on more than the own part and room in a queue.
    pub(crate) specials: Vec<Special>,
    pub(crate) marks: Vec<Marks>,
}

/// What a part can be.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Value {
    /// The machine does not exist yet.
    Absent,
    /// A machine's local state and the contents of its queues.
    Present { local: LocalId, words: Box<[WordId]> },
    /// The shared variables.
    Store(StoreId),
}

/// A step, as numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CompiledStep {
    /// The value of the machine's own part afterwards.
    pub(crate) next: u32,
    /// The queue that is sent to, or [`NONE`]; with [`SPECIAL`], the number of a special step; with
    /// [`GATE`] as well, a queue of another part: the next step can only be taken if the question with
    /// the number `letter` about it is answered with yes.
    pub(crate) target: u32,
    /// The letter for that queue.
    pub(crate) letter: u32,
    /// The queue that is taken from, or [`NONE`]; with the top bit if messages were skipped.
    pub(crate) takes: u32,
}

/// A step that depends on more: it happens if nobody who watches fails.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Special {
    /// What is announced: a letter for those who watch.
    pub(crate) announces: Option<u32>,
    pub(crate) deed: Deed,
}

/// What a special step does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Deed {
    /// What any step can do. It is not special itself.
    Step(CompiledStep),
    /// It leads nowhere.
    End(Ends),
    /// Nothing, because there is no room for a message to oneself; but it is announced first.
    Wait,
    /// The move with this number, in this value of the part, creates a machine: what comes of it depends
    /// on how many there are.
    Create { value: u32, number: u32 },
}

pub(crate) const NONE: u32 = u32::MAX;
pub(crate) const UNKNOWN: (u32, u32) = (NONE, NONE);
pub(crate) const SKIPPED: u32 = 1 << 31;
pub(crate) const SPECIAL: u32 = 1 << 31;
pub(crate) const GATE: u32 = SPECIAL | 1 << 30;

/// A queue, as far as the inner loop needs it.
pub(crate) struct Queue {
    /// The part it belongs to.
    pub(crate) part: u32,
    /// How much fits; [`NONE`] for any number.
    pub(crate) capacity: u32,
    /// For each value of the part: how long the queue is.
    pub(crate) lens: Vec<u32>,
    /// What can be put into it.
    pub(crate) letters: Interner<usize, MessageId>,
    /// What the part becomes when a letter is put into the queue.
    pub(crate) inputs: Inputs,
    /// What is asked about it by machines that do not read it.
    pub(crate) gates: Interner<usize, Gate>,
    /// Whether the answer is yes: 1, or no: 0.
    pub(crate) answers: Inputs,
}

/// Conditions on one queue.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Gate {
    pub(crate) guards: Vec<Guard>,
    /// Who asks, if the answer depends on what it would take.
    pub(crate) asker: Option<(MachineId, LocalId)>,
}

/// Those who watch: the store with what announcing does to it.
pub(crate) struct Watchers {
    /// The part that is the store.
    pub(crate) part: u32,
    pub(crate) letters: Interner<usize, MessageId>,
    /// What the store becomes; with [`FAILS`], what kind of failure is found.
    pub(crate) inputs: Inputs,
    pub(crate) failures: Vec<Ends>,
}

pub(crate) const FAILS: u32 = 1 << 31;

impl Part {
    pub(crate) fn new(machine: Option<MachineId>) -> Self {
        Self {
            machine,
            queues: Vec::new(),
            values: Interner::new(),
            ranges: Vec::new(),
            steps: Vec::new(),
            specials: Vec::new(),
            marks: Vec::new(),
        }
    }

    #[inline]
    pub(crate) fn compiled(&self, value: u32) -> Option<(&[CompiledStep], &Marks)> {
        let (start, end) = self.ranges[value as usize];
        (start != NONE)
            .then(|| (&self.steps[start as usize..end as usize], &self.marks[value as usize]))
    }

    /// The special step behind a target, if it is one.
    #[inline]
    pub(crate) fn special(&self, target: u32) -> &Special {
        &self.specials[(target & !SPECIAL) as usize]
    }

    /// What the part is in a configuration.
    pub(crate) fn read(&self, config: &Config) -> Value {
        let Some(machine) = self.machine else {
            return if self.queues.is_empty() {
                Value::Store(config.store)
            } else {
                Value::Present { local: LocalId::from_raw(0), words: self.words(config) }
            };
        };
        match config.locals.get(machine.index()) {
            Some(&local) => Value::Present { local, words: self.words(config) },
            None => Value::Absent,
        }
    }

    fn words(&self, config: &Config) -> Box<[WordId]> {
        self.queues.iter().map(|&queue| config.word(queue)).collect()
    }

    /// Makes the part of a configuration in which everything exists what `value` says; an absent
    /// machine stays as it is.
    pub(crate) fn write(&self, value: u32, config: &mut Config) {
        match self.values.value(value as usize) {
            Value::Absent => {}
            Value::Store(store) => config.store = *store,
            Value::Present { local, words } => {
                if let Some(machine) = self.machine {
                    config.locals[machine.index()] = *local;
                }
                for (&queue, &word) in self.queues.iter().zip(words) {
                    config.words[queue.index()] = word;
                }
            }
        }
    }

    /// What becomes of a value by a step that changes nothing else but, perhaps, foreign queues.
    pub(crate) fn after(&self, value: u32, after: &After) -> Value {
        let mut next = self.values.value(value as usize).clone();
        if let Value::Present { local, words } = &mut next {
            let own = after.locals.iter().find(|&&(machine, _)| self.machine == Some(machine));
            *local = own.map_or(*local, |&(_, local)| local);
            for &(queue, word) in &after.words {
                if let Some(place) = self.queues.iter().position(|&own| own == queue) {
                    words[place] = word;
                }
            }
        }
        next
    }

    pub(crate) fn is_absent(&self, value: u32) -> bool {
        *self.values.value(value as usize) == Value::Absent
    }

    pub(crate) fn bytes(&self) -> u64 {
        let per_value = 64 + 8 * self.queues.len() + size_of::<Marks>();
        let steps = self.steps.len() * size_of::<CompiledStep>();
        let specials = self.specials.len() * size_of::<Special>();
        (self.values.len() * per_value + steps + specials) as u64
    }
}

impl Queue {
    pub(crate) fn new(part: usize, capacity: u32) -> Self {
        Self {
            part: part as u32,
            capacity,
            lens: Vec::new(),
            letters: Interner::new(),
            inputs: Inputs::default(),
            gates: Interner::new(),
            answers: Inputs::default(),
        }
    }

    /// Bytes of its tables when the part has this many values.
    pub(crate) fn bytes(&self, n_values: usize) -> u64 {
        self.inputs.bytes(n_values) + self.answers.bytes(n_values)
    }
}

/// What becomes of a value when a letter arrives.
///
/// The first letters, which are nearly always all of them, have a table; the rest a map.
#[derive(Default)]
pub(crate) struct Inputs {
    stride: usize,
    table: Vec<u32>,
    rest: Map<(u32, u32), u32>,
}

pub(crate) const STRIDE_MAX: usize = 32;

impl Inputs {
    /// [`NONE`] if it is not known yet.
    #[inline]
    pub(crate) fn get(&self, value: u32, letter: u32) -> u32 {
        let place = value as usize * self.stride + letter as usize;
        if (letter as usize) < self.stride {
            self.table.get(place).copied().unwrap_or(NONE)
        } else {
            self.rest.get(&(value, letter)).copied().unwrap_or(NONE)
        }
    }

    /// The values and letters of which it is known what comes of them.
    pub(crate) fn all(&self) -> impl Iterator<Item = (u32, u32)> {
        let known = (0..).zip(&self.table).filter(|&(_, &after)| after != NONE);
        let stride = self.stride.max(1) as u32;
        known
            .map(move |(place, _)| (place / stride, place % stride))
            .chain(self.rest.keys().copied())
    }

    pub(crate) fn set(&mut self, value: u32, letter: u32, after: u32) {
        if letter as usize >= STRIDE_MAX {
            self.rest.insert((value, letter), after);
            return;
        }
        if letter as usize >= self.stride {
            self.widen((letter as usize + 1).next_power_of_two());
        }
        let place = value as usize * self.stride + letter as usize;
        if place >= self.table.len() {
            self.table.resize((value as usize + 1) * self.stride, NONE);
        }
        self.table[place] = after;
    }

    fn widen(&mut self, stride: usize) {
        let mut table = Vec::new();
        for row in self.table.chunks_exact(self.stride.max(1)) {
            table.extend_from_slice(row);
            table.resize(table.len() + stride - self.stride, NONE);
        }
        (self.table, self.stride) = (table, stride);
    }

    /// Bytes in use when the part has this many values.
    pub(crate) fn bytes(&self, n_values: usize) -> u64 {
        (n_values * self.stride * 4 + self.rest.len() * 16) as u64
    }
}
