//! Fast expansion of machines that meet only through queues.
//!
//! What a machine can do depends on its own part, apart from room in a queue, a question about one other
//! queue, and what those who watch say. So its steps are worked out once per value of the part, by the
//! one step function, and replayed from a table ever after: a step that touches no foreign queue
//! replaces one number in the key, a send replaces two. What depends on something else has small tables
//! of its own, for the same reason.
//!
//! Threads only read the tables. Where one comes to a configuration that needs an entry which is not there yet, it
//! stops, and the rest of its share is expanded afterwards by one thread that makes what is missing. So entries
//! are made in the order of the configurations that need them, and numbers do not depend on threads.

mod pieces;
mod steps;

use std::borrow::Cow;

use qp_base::{Interner, Map};
use qp_machines::{
    Capacity, Config, Event, MachineId, Move, Observed, QueueId, QueueKind, System, WordId,
};

use super::Halt;
use super::marks::{Ends, Marks, Watch};
use super::parts::{Deed, FAILS, Gate, Inputs, NONE, Part, Queue, UNKNOWN, Value, Watchers};
use super::space::{Keys, Output, Subject, Window};
use super::tables::{Missing, Plain, Tables};
use super::threads::{is_worth_threads, on_slices, slices};

pub(crate) struct Compiled {
    system: System,
    /// A configuration in which every machine that was ever met exists: stands in for whatever a part does
    /// not look at. All queues are empty.
    base: Config,
    tables: Tables,
}

impl Compiled {
    pub(crate) fn new(mut system: System, watch: Watch) -> Self {
        let base = system.initial();
        let outline = system.program().outline();
        let mut parts: Vec<Part> = base.machines().map(|m| Part::new(Some(m))).collect();
        let n_initial = parts.len();
        let mut queues = Vec::new();
        for (queue, info) in outline.queues.iter_enumerated() {
            assert!(info.readers.len() <= 1, "queues have one reader at most");
            let part = info.readers.first().map_or(parts.len(), |reader| reader.index());
            if part == parts.len() {
                parts.push(Part::new(None));
            }
            queues.push(Queue::new(part, capacity(outline.kinds[info.kind])));
            parts[part].queues.push(queue);
        }
        let watchers = outline.store_is_watched.then(|| {
            parts.push(Part::new(None));
            let (part, letters) = (parts.len() as u32 - 1, Interner::new());
            Watchers { part, letters, inputs: Inputs::default(), failures: Vec::new() }
        });
        let part_of = (0..n_initial as u32).collect();
        let births = Map::default();
        let nobody = Marks::NEUTRAL;
        let plain = Plain::new();
        let tables =
            Tables { watch, nobody, parts, queues, watchers, part_of, n_initial, births, plain };
        let mut compiled = Self { system, base, tables };
        compiled.mark_nobody();
        compiled
    }

    pub(crate) fn system(&mut self) -> &mut System {
        &mut self.system
    }

    pub(super) fn tables(&self) -> &Tables {
        &self.tables
    }

    pub(crate) fn counts(&self) -> Vec<usize> {
        self.tables.parts.iter().map(|part| part.values.len()).collect()
    }

    /// The greatest numbers of machines and queues that any configuration has had.
    pub(crate) fn n_machines_queues(&self) -> (usize, usize) {
        (self.base.locals.len(), self.base.words.len())
    }

    pub(crate) fn bytes(&self) -> u64 {
        let parts = &self.tables.parts;
        let n_values = |part: u32| parts[part as usize].values.len();
        let queues = self.tables.queues.iter();
        let inputs: u64 = queues.map(|queue| queue.bytes(n_values(queue.part))).sum();
        let watchers = self.tables.watchers.iter();
        let watched: u64 = watchers.map(|w| w.inputs.bytes(n_values(w.part))).sum();
        let births = self.tables.births.len() as u64 * 24;
        let plain = self.tables.plain.bytes();
        parts.iter().map(Part::bytes).sum::<u64>() + inputs + watched + births + plain
    }

    pub(crate) fn values(&mut self, config: &Config) -> Vec<u32> {
        (0..self.tables.parts.len()).map(|part| self.intern(part, config)).collect()
    }

    /// What a value of a part is: the contents of its queues, and a number for everything else.
    pub(crate) fn part(&self, part: usize, value: u32) -> (u64, Vec<WordId>) {
        match self.tables.parts[part].values.value(value as usize) {
            Value::Absent => (u64::MAX, Vec::new()),
            Value::Present { local, words } => (u64::from(local.raw()), words.to_vec()),
            Value::Store(store) => (u64::from(store.raw()), Vec::new()),
        }
    }

    pub(crate) fn queues(&self, part: usize) -> Vec<QueueId> {
        self.tables.parts[part].queues.clone()
    }

    pub(crate) fn config(&self, values: &[u32]) -> Config {
        let mut config = self.base.clone();
        for (part, &value) in self.tables.parts.iter().zip(values) {
            part.write(value, &mut config);
        }
        self.leave(&mut config, self.tables.n_machines(values));
        config
    }

    /// How many queues there are in the configuration with these parts.
    pub(crate) fn n_queues(&self, values: &[u32]) -> usize {
        self.n_queues_of(self.tables.n_machines(values))
    }

    /// How many queues there are when there are so many machines.
    fn n_queues_of(&self, n_machines: usize) -> usize {
        let later = self.tables.part_of[n_machines..].iter();
        let mut queues = later.filter_map(|&part| self.tables.parts[part as usize].queues.first());
        queues.next().map_or(self.base.words.len(), |queue| queue.index())
    }

    /// Takes away all machines but the first ones, with their queues.
    fn leave(&self, config: &mut Config, n_machines: usize) {
        let n_queues = self.n_queues_of(n_machines);
        config.locals.truncate(n_machines);
        config.words.truncate(n_queues);
        config.kinds.truncate(n_queues);
    }

    /// Watching something else changes the marks: they are made anew from the values.
    pub(crate) fn watch(&mut self, watch: Watch) {
        self.tables.watch = watch;
        self.mark_nobody();
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

    pub(crate) fn expand<const W: usize>(
        &mut self,
        keys: &Keys<'_, W>,
        places: &[u32],
        window: Window,
        jobs: usize,
        output: &mut Output<W>,
    ) -> Result<(), Halt> {
        self.tables.prepare_plain(keys.packing, window.bound);
        if !is_worth_threads(places, jobs) {
            return self.expand_slice(keys, places, window, output);
        }
        let tables = &self.tables;
        let reach = on_slices(places, jobs, output, |places, output| {
            tables.expand_known(keys, places, window, output, &mut Vec::new())
        });
        for (number, (done, slice)) in reach.into_iter().zip(slices(places, jobs)).enumerate() {
            self.expand_slice(keys, &slice[done..], window, &mut output.others[number])?;
        }
        output.gather();
        Ok(())
    }

    /// Expands on one thread, and makes whatever is missing.
    fn expand_slice<const W: usize>(
        &mut self,
        keys: &Keys<'_, W>,
        places: &[u32],
        window: Window,
        output: &mut Output<W>,
    ) -> Result<(), Halt> {
        let (mut rest, mut missing) = (places, Vec::new());
        loop {
            let done = self.tables.expand_known(keys, rest, window, output, &mut missing);
            rest = &rest[done..];
            if rest.is_empty() {
                return Ok(());
            }
            missing.sort_unstable();
            missing.dedup();
            for entry in missing.drain(..) {
                self.system.budget().ask()?;
                self.supply(entry);
            }
            if !keys.packing.fits(&self.counts()) {
                return Err(Halt::TooNarrow);
            }
            self.tables.prepare_plain(keys.packing, window.bound);
        }
    }

    pub(crate) fn longest(&self, longest: &mut [u32]) {
        self.tables.longest(longest);
    }

    pub(crate) fn subjects(&self, values: &[u32], found: &mut Vec<Subject>) {
        self.tables.subjects(values, found);
    }

    fn intern(&mut self, part: usize, config: &Config) -> u32 {
        let value = self.tables.parts[part].read(config);
        self.intern_value(part, value)
    }

    fn intern_value(&mut self, part: usize, value: Value) -> u32 {
        let part = &mut self.tables.parts[part];
        let (id, known) = (part.values.intern(value), part.ranges.len());
        if id == known {
            let words: &[WordId] = match part.values.value(id) {
                Value::Present { words, .. } => words,
                Value::Absent | Value::Store(_) => &[],
            };
            for (number, &queue) in part.queues.iter().enumerate() {
                let len = words.get(number).map_or(0, |&word| self.system.words().len(word));
                self.tables.queues[queue.index()].lens.push(len as u32);
            }
            part.ranges.push(UNKNOWN);
            part.marks.push(Marks::NEUTRAL);
        }
        id as u32
    }

    /// Makes an entry that is missing.
    pub(super) fn supply(&mut self, missing: Missing) {
        match missing {
            Missing::Steps { part, value } => {
                self.compile(part as usize, value);
                self.tables.note_steps(part, value);
            }
            Missing::Input { queue, value, letter } => {
                let after = self.put(queue, value, letter);
                self.tables.queues[queue as usize].inputs.set(value, letter, after);
                self.tables.note_input(queue, value, letter);
            }
            Missing::Answer { queue, value, gate } => self.answer(queue as usize, value, gate),
            Missing::Watched { value, letter } => self.observe(value, letter),
            Missing::Birth { part, special, n_machines } => self.bear(part, special, n_machines),
        }
    }

    /// What becomes of a value when a letter is put into a queue of its part.
    fn put(&mut self, queue: u32, value: u32, letter: u32) -> u32 {
        let home = &self.tables.queues[queue as usize];
        let (part, message) = (home.part as usize, *home.letters.value(letter as usize));
        let queue = QueueId::from_raw(queue);
        let mut after = self.tables.parts[part].values.value(value as usize).clone();
        if after == Value::Absent {
            // Only whoever blurs things asks this; any machine that exists stands in for it.
            after = self.tables.parts[part].read(&self.base);
        }
        let Value::Present { words, .. } = &mut after else {
            unreachable!("bug in Queueproof: the store is not a queue")
        };
        let place = self.tables.parts[part].queues.iter().position(|&other| other == queue);
        let word = &mut words[place.expect("a queue belongs to its part")];
        // What is sent to a closed queue is gone.
        if *word != WordId::CLOSED {
            *word = self.system.append(queue, *word, message);
        }
        self.intern_value(part, after)
    }

    /// A configuration in which one part is what `value` says, and everything else exists.
    pub(super) fn with(&self, part: usize, value: u32) -> Config {
        let mut config = self.base.clone();
        self.tables.parts[part].write(value, &mut config);
        config
    }

    fn answer(&mut self, queue: usize, value: u32, gate: u32) {
        let home = &self.tables.queues[queue];
        let Gate { guards, asker } = home.gates.value(gate as usize).clone();
        let mut config = self.with(home.part as usize, value);
        let (machine, local) = asker.unwrap_or((MachineId::from_raw(0), config.locals[0]));
        config.locals[machine.index()] = local;
        let open = self.system.allowed(&config, machine, &guards, false);
        self.tables.queues[queue].answers.set(value, gate, u32::from(open));
    }

    fn observe(&mut self, value: u32, letter: u32) {
        let watchers = self.tables.watchers.as_mut().expect("something was announced");
        let (part, message) = (watchers.part as usize, *watchers.letters.value(letter as usize));
        let Value::Store(store) = *self.tables.parts[part].values.value(value as usize) else {
            unreachable!("bug in Queueproof: the store is not a store")
        };
        let observed = self.system.observe(store, message).expect("commands announce");
        let after = match observed {
            Observed::Store(cell) => {
                let store = self.system.store_of(&[cell]);
                self.intern_value(part, Value::Store(store))
            }
            ended @ (Observed::Failed(_) | Observed::GaveUp(_)) => {
                let event = match ended {
                    Observed::Failed(failure) => Event::Failed { failure },
                    Observed::GaveUp(why) => Event::GaveUp { why },
                    Observed::Store(_) => unreachable!("bug in Queueproof: that is the other arm"),
                };
                let ends = Ends::of(self.system.program(), event).expect("a failure is an end");
                let failures = &mut watchers.failures;
                let known = failures.iter().position(|&other| other == ends);
                let number = known.unwrap_or(failures.len());
                if number == failures.len() {
                    failures.push(ends);
                }
                FAILS | number as u32
            }
        };
        let watchers = self.tables.watchers.as_mut().expect("it was just there");
        watchers.inputs.set(value, letter, after);
    }

    /// Works out what creating a machine comes to where there are so many.
    fn bear(&mut self, part: u32, special: u32, n_machines: u32) {
        let home = &self.tables.parts[part as usize];
        let Deed::Create { value, number } = home.specials[special as usize].deed else {
            unreachable!("bug in Queueproof: this step creates nothing")
        };
        let machine = home.machine.expect("machines are created by machines");
        let mut config = self.with(part as usize, value);
        self.leave(&mut config, n_machines as usize);
        let moves = self.system.moves(machine, config.local(machine), config.store);
        let moves = moves.expect("it has this one");
        let turns = self.system.performed(&config, machine, &bare(&moves[number as usize]));
        let found = turns.first().map(|turn| self.system.played(&config, turn));
        let Some((Event::Created { machine: child }, after)) = &found else {
            unreachable!("bug in Queueproof: creating came to {found:?}")
        };
        if child.index() == self.base.locals.len() {
            self.add_part(*child, after);
        }
        let queues = config.words.len()..after.words.len();
        assert!(
            self.base.kinds[queues.clone()] == after.kinds[queues],
            "bug in Queueproof: a program that is said to be local creates different queues"
        );
        let next = self.intern(part as usize, after);
        let home = self.tables.part_of[child.index()] as usize;
        let born = self.intern(home, after);
        self.tables.births.insert((part, special, n_machines), (next, born));
    }

    /// A part for a machine that was never there before. In all old configurations it is absent.
    fn add_part(&mut self, machine: MachineId, config: &Config) {
        let number = self.tables.parts.len();
        let mut part = Part::new(Some(machine));
        let kinds = &self.system.program().outline().kinds;
        for queue in self.base.words.len()..config.words.len() {
            let capacity = capacity(kinds[config.kinds[queue]]);
            self.tables.queues.push(Queue::new(number, capacity));
            part.queues.push(QueueId::new(queue));
        }
        self.tables.parts.push(part);
        self.tables.part_of.push(number as u32);
        self.base.locals.push(config.local(machine));
        self.base.kinds.extend(&config.kinds[self.base.words.len()..]);
        self.base.words.resize(self.base.kinds.len(), WordId::EMPTY);
        let absent = self.intern_value(number, Value::Absent);
        assert_eq!(absent, 0, "keys that are made wider have zeros in new places");
        self.mark_nobody();
    }

    fn marks(&mut self, part: usize, value: u32) -> Marks {
        let config = self.with(part, value);
        self.marks_in(&config, part, value)
    }

    /// The marks of a part in a configuration in which it is what `value` says.
    fn marks_in(&mut self, config: &Config, part: usize, value: u32) -> Marks {
        let part = &self.tables.parts[part];
        if part.is_absent(value) {
            return self.tables.watch.absence(part.machine.as_slice(), &part.queues);
        }
        let machines = part.machine.as_slice();
        let mut marks = self.tables.watch.marks(&mut self.system, config, machines, &part.queues);
        if machines.iter().any(|&machine| self.system.unhandled(config, machine).is_some()) {
            marks.ends = Ends::AT_A_LOSS;
        }
        marks
    }

    /// Bad situations may name machines that were never met.
    fn mark_nobody(&mut self) {
        self.tables.nobody = Marks::NEUTRAL;
        self.tables.watch.without_absent(&mut self.tables.nobody, &self.base);
    }
}

/// A move without its conditions and without what it announces: those are looked at apart.
fn bare(mv: &Move) -> Cow<'_, Move> {
    if mv.guards.is_empty() && mv.announce.is_none() {
        return Cow::Borrowed(mv);
    }
    Cow::Owned(Move { guards: Vec::new(), announce: None, ..mv.clone() })
}

fn capacity(kind: QueueKind) -> u32 {
    match kind.capacity {
        Capacity::Unbounded => NONE,
        Capacity::Messages(n) => n,
        Capacity::Rendezvous => unreachable!("bug in Queueproof: a rendezvous is not local"),
    }
}
