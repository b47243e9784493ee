//! Fast expansion of machines with plain moves.
//!
//! A part is a machine together with the queues that only it reads. What the machine can do depends on
//! its own part alone, so its steps are worked out once per value of the part, by the one step
//! function, and replayed from a table ever after: a step that touches no foreign queue replaces
//! one number in the key, a send replaces two.
//!
//! Threads only read the tables. A batch that needs an entry which is not there yet is expanded again
//! after the missing entries were made, in a fixed order: so numbers do not depend on threads.

use qp_base::Interner;
use qp_machines::{Capacity, Config, Event, LocalId, Outcome, System};

use super::marks::{Ends, Marks, Watch};
use super::space::{Keys, Output, Subject, TooNarrow, Window};
use super::tables::{
    CompiledStep, Inputs, Missing, NONE, Part, Queue, SKIPPED, Tables, UNKNOWN, Value,
};

pub(super) struct Plain {
    system: System,
    /// The initial configuration: stands in for whatever a part does not look at.
    base: Config,
    tables: Tables,
}

impl Plain {
    pub(super) fn new(mut system: System, watch: Watch) -> Self {
        let base = system.initial();
        let outline = system.program().outline();
        let mut parts: Vec<Part> = base.machines().map(|m| Part::new(Some(m))).collect();
        let mut queues = Vec::new();
        for (queue, info) in outline.queues.iter_enumerated() {
            assert!(info.readers.len() <= 1, "plain systems have one reader per queue");
            let part = info.readers.first().map_or(parts.len(), |reader| reader.index());
            if part == parts.len() {
                parts.push(Part::new(None));
            }
            let capacity = match outline.kinds[info.kind].capacity {
                Capacity::Unbounded => NONE,
                Capacity::Messages(n) => n,
                Capacity::Rendezvous => unreachable!("bug in Queueproof: rendezvous is not plain"),
            };
            queues.push(Queue {
                part: part as u32,
                capacity,
                lens: Vec::new(),
                letters: Interner::new(),
                inputs: Inputs::default(),
            });
            parts[part].queues.push(queue);
        }
        Self { system, base, tables: Tables { watch, parts, queues } }
    }

    pub(super) fn system(&mut self) -> &mut System {
        &mut self.system
    }

    pub(super) fn counts(&self) -> Vec<usize> {
        self.tables.parts.iter().map(|part| part.values.len()).collect()
    }

    pub(super) fn bytes(&self) -> u64 {
        let parts = &self.tables.parts;
        let n_values = |part: u32| parts[part as usize].values.len();
        let queues = self.tables.queues.iter();
        let inputs: u64 = queues.map(|queue| queue.inputs.bytes(n_values(queue.part))).sum();
        self.tables.parts.iter().map(Part::bytes).sum::<u64>() + inputs
    }

    pub(super) fn values(&mut self, config: &Config) -> Vec<u32> {
        (0..self.tables.parts.len()).map(|part| self.intern(part, config)).collect()
    }

    pub(super) fn config(&self, values: &[u32]) -> Config {
        let mut config = self.base.clone();
        for (part, &value) in self.tables.parts.iter().zip(values) {
            part.write(value, &mut config);
        }
        config
    }

    /// Watching something else changes the marks: they are made anew from the values.
    pub(super) fn watch(&mut self, watch: Watch) {
        self.tables.watch = watch;
        for part in 0..self.tables.parts.len() {
            for value in 0..self.tables.parts[part].ranges.len() {
                if self.tables.parts[part].ranges[value] != UNKNOWN {
                    let ends = self.tables.parts[part].marks[value].ends;
                    let marks = self.marks(part, value as u32);
                    self.tables.parts[part].marks[value] = Marks { ends, ..marks };
                }
            }
        }
    }

    pub(super) fn expand<const W: usize>(
        &mut self,
        keys: &Keys<'_, W>,
        places: &[u32],
        window: Window,
        jobs: usize,
        output: &mut Output<W>,
    ) -> Result<(), TooNarrow> {
        loop {
            let mut missing = self.tables.expand_once(keys, places, window, jobs, output);
            if missing.is_empty() {
                return Ok(());
            }
            missing.sort_unstable();
            missing.dedup();
            for entry in missing {
                self.supply(entry);
            }
            if !keys.packing.fits(&self.counts()) {
                return Err(TooNarrow);
            }
            output.clear();
        }
    }

    pub(super) fn longest(&self, longest: &mut [u32]) {
        self.tables.longest(longest);
    }

    pub(super) fn subjects(&self, values: &[u32], found: &mut Vec<Subject>) {
        self.tables.subjects(values, found);
    }

    fn intern(&mut self, part: usize, config: &Config) -> u32 {
        let part = &mut self.tables.parts[part];
        let value = Value {
            local: part.machine.map_or(LocalId::from_raw(0), |machine| config.local(machine)),
            words: part.queues.iter().map(|&queue| config.word(queue)).collect(),
        };
        let (id, known) = (part.values.intern(value), part.ranges.len());
        if id == known {
            for &queue in &part.queues {
                let len = self.system.words().len(config.word(queue)) as u32;
                self.tables.queues[queue.index()].lens.push(len);
            }
            part.ranges.push(UNKNOWN);
            part.marks.push(Marks::NEUTRAL);
        }
        id as u32
    }

    fn supply(&mut self, missing: Missing) {
        match missing {
            Missing::Steps { part, value } => self.compile(part as usize, value),
            Missing::Input { queue, value, letter } => {
                let home = &self.tables.queues[queue as usize];
                let (part, message) = (home.part as usize, *home.letters.value(letter as usize));
                let mut config = self.base.clone();
                self.tables.parts[part].write(value, &mut config);
                let word = &mut config.words[queue as usize];
                *word = self.system.words_mut().push(*word, message);
                let after = self.intern(part, &config);
                self.tables.queues[queue as usize].inputs.set(value, letter, after);
            }
        }
    }

    /// Works out the steps and marks of one value of one part.
    fn compile(&mut self, part: usize, value: u32) {
        debug_assert_eq!(self.tables.parts[part].ranges[value as usize], UNKNOWN);
        let mut marks = self.marks(part, value);
        let mut config = self.base.clone();
        self.tables.parts[part].write(value, &mut config);
        let start = self.tables.parts[part].steps.len() as u32;
        if let Some(machine) = self.tables.parts[part].machine {
            for outcome in self.system.outcomes(&config, machine, false) {
                if let Some(ends) = Ends::of(self.system.program(), outcome.event) {
                    marks.ends.join(ends);
                    continue;
                }
                let step = self.compile_step(part, &outcome);
                self.tables.parts[part].steps.push(step);
            }
        }
        let end = self.tables.parts[part].steps.len() as u32;
        self.tables.parts[part].ranges[value as usize] = (start, end);
        self.tables.parts[part].marks[value as usize] = marks;
    }

    fn compile_step(&mut self, part: usize, outcome: &Outcome) -> CompiledStep {
        let next = self.intern(part, &outcome.config);
        let (mut target, mut letter, mut takes) = (NONE, 0, NONE);
        match outcome.event {
            Event::Internal | Event::Announced { .. } | Event::Lost { .. } => {}
            Event::Sent { queue, message } => {
                target = queue.raw();
                letter = self.tables.queues[queue.index()].letters.intern(message) as u32;
            }
            Event::Took { queue, position, .. } => {
                takes = queue.raw() | if position > 0 { SKIPPED } else { 0 };
            }
            Event::Handshake { .. }
            | Event::Created { .. }
            | Event::Ended
            | Event::Closed { .. }
            | Event::Failed { .. }
            | Event::GaveUp { .. } => {
                unreachable!("bug in Queueproof: {:?} in a plain system", outcome.event)
            }
        }
        CompiledStep { next, target, letter, takes }
    }

    fn marks(&mut self, part: usize, value: u32) -> Marks {
        let mut config = self.base.clone();
        let part = &self.tables.parts[part];
        part.write(value, &mut config);
        self.tables.watch.marks(&mut self.system, &config, part.machine.as_slice(), &part.queues)
    }
}
