//! The compiled steps of machines with plain moves, and the inner loop of the search.
//!
//! Everything here is read only while threads expand.

use qp_base::{Interner, Map};
use qp_machines::{Config, LocalId, MachineId, MessageId, QueueId, WordId};

use super::marks::{Marks, Watch};
use super::space::{Keys, Output, Subject, Window};

/// All parts with what is known about them.
pub(super) struct Tables {
    pub(super) watch: Watch,
    pub(super) parts: Vec<Part>,
    pub(super) queues: Vec<Queue>,
}

/// A queue, as far as the inner loop needs it.
pub(super) struct Queue {
    /// The part it belongs to.
    pub(super) part: u32,
    /// How much fits; [`NONE`] for any number.
    pub(super) capacity: u32,
    /// For each value of the part: how long the queue is.
    pub(super) lens: Vec<u32>,
    /// What can be put into it.
    pub(super) letters: Interner<usize, MessageId>,
    pub(super) inputs: Inputs,
}

pub(super) struct Part {
    pub(super) machine: Option<MachineId>,
    pub(super) queues: Vec<QueueId>,
    pub(super) values: Interner<usize, Value>,
    /// For each value: its steps as a range, or [`UNKNOWN`].
    pub(super) ranges: Vec<(u32, u32)>,
    pub(super) steps: Vec<CompiledStep>,
    pub(super) marks: Vec<Marks>,
}

/// A machine's local state and the contents of its queues.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Value {
    pub(super) local: LocalId,
    pub(super) words: Box<[WordId]>,
}

/// A step, as numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct CompiledStep {
    /// The value of the machine's own part afterwards.
    pub(super) next: u32,
    /// The queue that is sent to, or [`NONE`].
    pub(super) target: u32,
    /// The letter for that queue.
    pub(super) letter: u32,
    /// The queue that is taken from, or [`NONE`]; with the top bit if messages were skipped.
    pub(super) takes: u32,
}

pub(super) const NONE: u32 = u32::MAX;
pub(super) const UNKNOWN: (u32, u32) = (NONE, NONE);
pub(super) const SKIPPED: u32 = 1 << 31;

/// An entry that a batch found missing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Missing {
    Steps { part: u32, value: u32 },
    Input { queue: u32, value: u32, letter: u32 },
}

impl Tables {
    /// Expands with the tables as they are, on several threads; returns what was missing.
    pub(super) fn expand_once<const W: usize>(
        &self,
        keys: &Keys<'_, W>,
        places: &[u32],
        window: Window,
        jobs: usize,
        output: &mut Output<W>,
    ) -> Vec<Missing> {
        // Starting threads costs more than expanding this many configurations.
        const WORTH_A_THREAD: usize = 2048;
        if jobs == 1 || places.len() < WORTH_A_THREAD {
            return self.expand_part(keys, places, window, output);
        }
        let mut others = std::mem::take(&mut output.others);
        others.resize_with(jobs, || Output::new(jobs));
        let missing = std::thread::scope(|scope| {
            let slices = places.chunks(places.len().div_ceil(jobs)).zip(&mut others);
            let threads: Vec<_> = slices
                .map(|(slice, part)| scope.spawn(|| self.expand_part(keys, slice, window, part)))
                .collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, Vec<Missing>>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            threads.into_iter().flat_map(join).collect()
        });
        for part in &mut others {
            output.take_over(part);
        }
        output.others = others;
        missing
    }

    fn expand_part<const W: usize>(
        &self,
        keys: &Keys<'_, W>,
        places: &[u32],
        window: Window,
        output: &mut Output<W>,
    ) -> Vec<Missing> {
        let (mut missing, mut values) = (Vec::new(), Vec::new());
        for &place in places {
            keys.packing.unpack(&keys.keys[place as usize], &mut values);
            self.expand_one(keys, place, &values, window, output, &mut missing);
        }
        missing
    }

    #[inline]
    fn expand_one<const W: usize>(
        &self,
        keys: &Keys<'_, W>,
        place: u32,
        values: &[u32],
        window: Window,
        output: &mut Output<W>,
        missing: &mut Vec<Missing>,
    ) {
        let key = &keys.keys[place as usize];
        let (mut marks, watching) = (Marks::NEUTRAL, !self.watch.properties().is_empty());
        let (before, mut cut) = (output.candidates.len(), false);
        for ((number, part), &value) in self.parts.iter().enumerate().zip(values) {
            let Some((steps, own)) = part.compiled(value) else {
                missing.push(Missing::Steps { part: number as u32, value });
                continue;
            };
            if watching {
                marks.join(own);
            }
            let field = keys.packing.field(number);
            for step in steps {
                let mut next = *key;
                if step.target == NONE {
                    if window.from > 0 {
                        continue;
                    }
                } else {
                    let queue = &self.queues[step.target as usize];
                    let there = values[queue.part as usize];
                    let len = queue.lens[there as usize];
                    if len >= queue.capacity || len < window.from {
                        continue;
                    }
                    if len >= window.bound {
                        cut = true;
                        output.stall(step.target, place);
                        continue;
                    }
                    // A message to oneself is part of the own value already.
                    if queue.part as usize != number {
                        let after = queue.inputs.get(there, step.letter);
                        if after == NONE {
                            let (queue, letter) = (step.target, step.letter);
                            missing.push(Missing::Input { queue, value: there, letter });
                            continue;
                        }
                        let field = keys.packing.field(queue.part as usize);
                        field.replace(&mut next, there, after);
                    }
                }
                field.replace(&mut next, value, step.next);
                output.candidates.push(next, place);
            }
        }
        if cut {
            output.blocked.push(place);
        }
        if watching && window.from == 0 {
            let hits = self.watch.hits(&marks, cut || output.candidates.len() > before);
            if hits != 0 {
                output.hits.push((place, hits));
            }
        }
    }

    /// Only values that were expanded count: the others may never have been reached.
    pub(super) fn longest(&self, longest: &mut [u32]) {
        for (longest, queue) in longest.iter_mut().zip(&self.queues) {
            let ranges = &self.parts[queue.part as usize].ranges;
            for (range, &len) in ranges.iter().zip(&queue.lens) {
                if *range != UNKNOWN {
                    *longest = (*longest).max(len);
                }
            }
        }
    }

    pub(super) fn subjects(&self, values: &[u32], found: &mut Vec<Subject>) {
        for (part, &value) in self.parts.iter().zip(values) {
            let Some(machine) = part.machine else { continue };
            let (steps, marks) = part.compiled(value).expect("it was expanded before");
            let mut moves = marks.ends.any();
            for step in steps {
                moves |= step.target == NONE || {
                    let queue = &self.queues[step.target as usize];
                    queue.lens[values[queue.part as usize] as usize] < queue.capacity
                };
                if step.takes != NONE {
                    let queue = QueueId::from_raw(step.takes & !SKIPPED);
                    let skipped = step.takes & SKIPPED != 0;
                    found.push(if skipped { Subject::Skipped } else { Subject::Taken }(queue));
                }
            }
            if moves {
                found.push(Subject::Moves(machine));
            }
        }
    }
}

impl Part {
    pub(super) fn new(machine: Option<MachineId>) -> Self {
        Self {
            machine,
            queues: Vec::new(),
            values: Interner::new(),
            ranges: Vec::new(),
            steps: Vec::new(),
            marks: Vec::new(),
        }
    }

    #[inline]
    pub(super) fn compiled(&self, value: u32) -> Option<(&[CompiledStep], &Marks)> {
        let (start, end) = self.ranges[value as usize];
        (start != NONE)
            .then(|| (&self.steps[start as usize..end as usize], &self.marks[value as usize]))
    }

    pub(super) fn write(&self, value: u32, config: &mut Config) {
        let value = self.values.value(value as usize);
        if let Some(machine) = self.machine {
            config.locals[machine.index()] = value.local;
        }
        for (&queue, &word) in self.queues.iter().zip(&value.words) {
            config.words[queue.index()] = word;
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        let per_value = 64 + 8 * self.queues.len() + size_of::<Marks>();
        (self.values.len() * per_value + self.steps.len() * size_of::<CompiledStep>()) as u64
    }
}

/// What the part of a queue becomes when a letter is put into the queue.
///
/// The first letters of a queue, which are nearly always all of them, have a table; the rest a map.
#[derive(Default)]
pub(super) struct Inputs {
    stride: usize,
    table: Vec<u32>,
    rest: Map<(u32, u32), u32>,
}

const STRIDE_MAX: usize = 32;

impl Inputs {
    /// [`NONE`] if it is not known yet.
    #[inline]
    pub(super) fn get(&self, value: u32, letter: u32) -> u32 {
        let place = value as usize * self.stride + letter as usize;
        if (letter as usize) < self.stride {
            self.table.get(place).copied().unwrap_or(NONE)
        } else {
            self.rest.get(&(value, letter)).copied().unwrap_or(NONE)
        }
    }

    pub(super) fn set(&mut self, value: u32, letter: u32, after: u32) {
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
    pub(super) fn bytes(&self, n_values: usize) -> u64 {
        (n_values * self.stride * 4 + self.rest.len() * 16) as u64
    }
}
