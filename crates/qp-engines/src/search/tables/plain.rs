//! The fast way through systems whose steps are all plain: a step changes the own part, and may put a letter into
//! a queue of another part if there is room.
//!
//! Which steps a configuration has, and which of them have room, cannot be foretold; a processor that
//! guesses is wrong every other time, which costs more than the step. So nothing is decided here: the steps of
//! all parts are first listed, then all of them are taken, and those without room are overwritten by the next.

use super::super::marks::{Ends, Marks};
use super::super::parts::{CompiledStep, NONE, Queue, SPECIAL, STRIDE_MAX};
use super::super::space::{Keys, Output, Window};
use super::{Missing, Tables};

/// What is known about parts, laid out for the inner loop.
pub(crate) struct Plain {
    /// Whether all steps so far are plain.
    is_all: bool,
    /// The queue length at which sends are cut in `queues`.
    bound: u32,
    /// For each part and value: its steps.
    ranges: Vec<Vec<Range>>,
    steps: Vec<Step>,
    /// No queue at all, then all queues.
    queues: Vec<Sends>,
}

/// Steps that stand together; [`UNKNOWN`] if they are not known yet.
#[derive(Clone, Copy)]
struct Range {
    start: u32,
    n: u32,
}

const UNKNOWN: Range = Range { start: 0, n: NONE };

#[derive(Clone, Copy)]
struct Step {
    part: u32,
    /// The bits of the part that change.
    change: u32,
    /// Which of `queues`, and the letter for it.
    queue: u32,
    letter: u32,
}

/// Sends to one queue.
struct Sends {
    part: u32,
    /// How many letters there are; more than any step has.
    stride: u32,
    /// For each value of the part and letter: the bits that change, or [`NONE`] if it cannot be sent now or
    /// what comes of it is not known. For no queue a single zero, with a stride of zero.
    changes: Vec<u32>,
}

/// Room for the steps of one configuration.
#[derive(Default)]
pub(super) struct Room {
    values: Vec<u32>,
    steps: Vec<u32>,
    unsent: Vec<u32>,
}

/// Letters from here on are not plain: tables would get too large.
const FEW: u32 = STRIDE_MAX as u32;

/// Steps are listed this many at a time, most values have fewer.
const AT_ONCE: usize = 4;

impl Plain {
    pub(crate) fn new() -> Self {
        let nobody = Sends { part: 0, stride: 0, changes: vec![0] };
        let (ranges, steps) = (Vec::new(), Vec::new());
        Self { is_all: true, bound: 0, ranges, steps, queues: vec![nobody] }
    }

    /// Takes the steps of one value over.
    fn add_steps(&mut self, part: usize, value: u32, steps: &[CompiledStep]) {
        if self.ranges.len() <= part {
            self.ranges.resize_with(part + 1, Vec::new);
        }
        let start = self.steps.len() as u32;
        for step in steps {
            let mut queue = 0;
            if step.target != NONE {
                queue = step.target + 1;
                self.queues[queue as usize].widen(step.letter);
            }
            let (part, change) = (part as u32, value ^ step.next);
            self.steps.push(Step { part, change, queue, letter: step.letter });
        }
        let ranges = &mut self.ranges[part];
        if ranges.len() <= value as usize {
            ranges.resize(value as usize + 1, UNKNOWN);
        }
        ranges[value as usize] = Range { start, n: steps.len() as u32 };
    }

    #[inline]
    fn range(&self, part: usize, value: u32) -> Range {
        let ranges = self.ranges.get(part).map_or(&[][..], |ranges| ranges);
        ranges.get(value as usize).copied().unwrap_or(UNKNOWN)
    }

    /// Whether configurations can be expanded this way.
    pub(super) fn serves(&self, window: Window) -> bool {
        self.is_all && window.from == 0 && window.bound == self.bound
    }

    pub(crate) fn bytes(&self) -> u64 {
        let ranges: usize = self.ranges.iter().map(Vec::len).sum();
        let changes: usize = self.queues.iter().map(|queue| queue.changes.len()).sum();
        (self.steps.len() * size_of::<Step>() + ranges * 8 + changes * 4) as u64
    }
}

impl Sends {
    fn new(queue: &Queue) -> Self {
        Self { part: queue.part, stride: 1, changes: Vec::new() }
    }

    /// Makes room for a letter.
    fn widen(&mut self, letter: u32) {
        if letter < self.stride {
            return;
        }
        let (old, new) = (self.stride as usize, (letter as usize + 1).next_power_of_two());
        let mut changes = Vec::new();
        for row in self.changes.chunks_exact(old.max(1)) {
            changes.extend_from_slice(row);
            changes.resize(changes.len() + new - old, NONE);
        }
        (self.changes, self.stride) = (changes, new as u32);
    }

    fn set(&mut self, value: u32, letter: u32, change: u32) {
        self.widen(letter);
        let place = (value * self.stride + letter) as usize;
        if place >= self.changes.len() {
            self.changes.resize(((value + 1) * self.stride) as usize, NONE);
        }
        self.changes[place] = change;
    }

    #[inline]
    fn get(&self, value: u32, letter: u32) -> u32 {
        let place = value as usize * self.stride as usize + letter as usize;
        self.changes.get(place).copied().unwrap_or(NONE)
    }
}

impl Tables {
    /// Prepares the fast way for sends that are cut at this bound.
    pub(crate) fn prepare_plain(&mut self, bound: u32) {
        if self.plain.bound != bound && self.plain.is_all {
            self.plain.bound = bound;
            self.plain.queues.truncate(1);
            self.plain.queues.extend(self.queues.iter().map(Sends::new));
            for step in &self.plain.steps {
                self.plain.queues[step.queue as usize].widen(step.letter);
            }
            for queue in 0..self.queues.len() as u32 {
                let known: Vec<_> = self.queues[queue as usize].inputs.all().collect();
                known.into_iter().for_each(|(value, letter)| self.note_input(queue, value, letter));
            }
        }
    }

    /// Takes over the steps of a value that were just made.
    pub(crate) fn note_steps(&mut self, part: u32, value: u32) {
        let home = &self.parts[part as usize];
        let Some((steps, _)) = home.compiled(value).filter(|_| self.plain.is_all) else { return };
        let is_plain = |step: &CompiledStep| {
            let foreign = || self.queues[step.target as usize].part != part;
            step.target == NONE || (step.target < SPECIAL && step.letter < FEW && foreign())
        };
        if steps.iter().all(is_plain) {
            let known = self.plain.queues.len() - 1;
            self.plain.queues.extend(self.queues[known..].iter().map(Sends::new));
            self.plain.add_steps(part as usize, value, steps);
        } else {
            self.plain = Plain { is_all: false, ..Plain::new() };
        }
    }

    /// Takes over what comes of a letter, if there is room for it.
    pub(crate) fn note_input(&mut self, queue: u32, value: u32, letter: u32) {
        let home = &self.queues[queue as usize];
        let has_room = home.lens[value as usize] < home.capacity.min(self.plain.bound);
        if has_room && letter < FEW && self.plain.is_all {
            let change = value ^ home.inputs.get(value, letter);
            self.plain.queues[queue as usize + 1].set(value, letter, change);
        }
    }

    /// Expands one configuration, unless something is missing.
    #[inline]
    pub(super) fn expand_plain<const W: usize>(
        &self,
        keys: &Keys<'_, W>,
        place: u32,
        room: &mut Room,
        output: &mut Output<W>,
        missing: &mut Vec<Missing>,
    ) {
        let (key, plain) = (&keys.all[place as usize], &self.plain);
        let n = self.list_steps(keys, key, room, missing);
        if !missing.is_empty() {
            return;
        }
        let next = output.candidates.room(n);
        if room.unsent.len() < n {
            room.unsent.resize(n, 0);
        }
        let (values, unsent) = (&room.values[..], &mut room.unsent[..]);
        let (mut n_next, mut n_unsent) = (0, 0);
        for &number in &room.steps[..n] {
            let step = &plain.steps[number as usize];
            let queue = &plain.queues[step.queue as usize];
            let change = queue.get(values[queue.part as usize], step.letter);
            let mut key = *key;
            keys.packing.field(step.part as usize).change(&mut key, step.change);
            keys.packing.field(queue.part as usize).change(&mut key, change);
            next[n_next] = key;
            n_next += usize::from(change != NONE);
            unsent[n_unsent] = number;
            n_unsent += usize::from(change == NONE);
        }
        let unsent = &unsent[..n_unsent];
        let cut = n_unsent > 0 && self.cuts(values, unsent, missing);
        if !missing.is_empty() {
            return;
        }
        output.candidates.keep(n_next, place);
        if cut {
            self.note_cuts(place, values, unsent, output);
        }
        if !self.watch.properties().is_empty() {
            self.note_values(place, values, cut || n_next > 0, output);
        }
    }

    /// Lists the steps of all parts; says how many there are.
    #[inline]
    fn list_steps<const W: usize>(
        &self,
        keys: &Keys<'_, W>,
        key: &[u64; W],
        room: &mut Room,
        missing: &mut Vec<Missing>,
    ) -> usize {
        let mut n = 0;
        room.values.clear();
        keys.packing.append(key, &mut room.values);
        if room.steps.len() < room.values.len() * AT_ONCE {
            room.steps.resize(room.values.len() * AT_ONCE, 0);
        }
        for (part, &value) in room.values.iter().enumerate() {
            let range = self.plain.range(part, value);
            if range.n as usize > AT_ONCE {
                if range.n == NONE {
                    missing.push(Missing::Steps { part: part as u32, value });
                    continue;
                }
                let needed = n + range.n as usize + (room.values.len() - part) * AT_ONCE;
                room.steps.resize(room.steps.len().max(needed), 0);
                let steps = &mut room.steps[n..n + range.n as usize];
                steps.iter_mut().zip(range.start..).for_each(|(step, number)| *step = number);
            } else {
                let first = range.start;
                let four = [first, first + 1, first + 2, first + 3];
                room.steps[n..n + AT_ONCE].copy_from_slice(&four);
            }
            n += range.n as usize;
        }
        n
    }

    /// Looks at the steps that could not be taken; says whether the bound has cut one.
    fn cuts(&self, values: &[u32], unsent: &[u32], missing: &mut Vec<Missing>) -> bool {
        let mut cut = false;
        for &number in unsent {
            let step = &self.plain.steps[number as usize];
            let queue = step.queue - 1;
            let (len, capacity) = self.room(queue, values);
            if len < capacity.min(self.plain.bound) {
                let value = values[self.queues[queue as usize].part as usize];
                missing.push(Missing::Input { queue, value, letter: step.letter });
            }
            cut |= len < capacity;
        }
        cut
    }

    fn note_cuts<const W: usize>(
        &self,
        place: u32,
        values: &[u32],
        unsent: &[u32],
        output: &mut Output<W>,
    ) {
        output.blocked.push(place);
        for &number in unsent {
            let queue = self.plain.steps[number as usize].queue - 1;
            let (len, capacity) = self.room(queue, values);
            if len < capacity {
                output.stall(queue, place);
            }
        }
    }

    fn note_values<const W: usize>(
        &self,
        place: u32,
        values: &[u32],
        can_step: bool,
        output: &mut Output<W>,
    ) {
        let mut marks = Marks::NEUTRAL;
        for (part, &value) in self.parts.iter().zip(values) {
            marks.join(&part.marks[value as usize]);
        }
        self.note(place, Some(marks), Ends::NONE, can_step, output);
    }
}
