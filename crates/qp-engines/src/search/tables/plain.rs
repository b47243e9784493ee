//! The fast way through systems whose steps are all plain: a step changes the own part, and may put a letter into
//! a queue of another part if there is room.
//!
//! Which steps a configuration has, and which of them have room, cannot be foretold; a processor that
//! guesses is wrong every other time, which costs more than the step. So nothing is decided here: the steps of
//! all parts are first listed, then all of them are taken, and those without room are overwritten by the next.
//!
//! Tables are laid out for one packing and one bound, so that a step is two changes of bits: its own, and one that is
//! looked up by what the queue holds. They are laid out anew when either changes or something no longer fits.

use super::super::marks::{Ends, Marks};
use super::super::packing::{Field, Packing};
use super::super::parts::{CompiledStep, NONE, SPECIAL, STRIDE_MAX};
use super::super::space::{Keys, Output, Window};
use super::{Missing, Tables};

/// What is known about parts, laid out for the inner loop.
pub(crate) struct Plain {
    /// Whether all steps so far are plain.
    is_all: bool,
    /// Whether something came up for which there is no room.
    is_stale: bool,
    /// The queue length at which sends are cut, and the packing.
    bound: u32,
    fields: Vec<Field>,
    /// For each part and value: its steps.
    ranges: Vec<Vec<Range>>,
    steps: Vec<Step>,
    /// For each step: the queue and the letter.
    sends: Vec<(u32, u32)>,
    /// For each queue: where its part of `changes` is.
    regions: Vec<Region>,
    /// For each queue, value of its part and letter: the bits of the part that change, or [`NONE`] if the letter
    /// cannot be sent now or what comes of it is not known. First comes a zero, for steps that send nothing.
    changes: Vec<u32>,
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
    /// The bits of the key that change in the own part.
    change: u64,
    /// The part of the queue; with `start` and `stride`, where `changes` has what becomes of it.
    part: u32,
    start: u32,
    stride: u16,
    shift: u8,
    /// The words of the key where the two parts are.
    own_word: u8,
    word: u8,
}

#[derive(Clone, Copy)]
struct Region {
    start: u32,
    stride: u32,
    n_values: u32,
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
        Self {
            is_all: true,
            is_stale: true,
            bound: 0,
            fields: Vec::new(),
            ranges: Vec::new(),
            steps: Vec::new(),
            sends: Vec::new(),
            regions: Vec::new(),
            changes: vec![0],
        }
    }

    /// For systems that have other steps as well.
    fn never() -> Self {
        Self { is_all: false, ..Self::new() }
    }

    /// Takes the steps of one value over; there must be room for their letters.
    fn add_steps(&mut self, part: usize, value: u32, steps: &[CompiledStep], homes: &[u32]) {
        let start = self.steps.len() as u32;
        let own = self.fields[part];
        for (step, &home) in steps.iter().zip(homes) {
            let (own_word, change) = own.place(value ^ step.next);
            let own_word = own_word as u8;
            let mut it = Step { change, part: 0, start: 0, stride: 0, shift: 0, own_word, word: 0 };
            if step.target != NONE {
                let (region, field) =
                    (self.regions[step.target as usize], self.fields[home as usize]);
                (it.part, it.start) = (home, region.start + step.letter);
                it.stride = region.stride as u16;
                (it.word, it.shift) = (field.place(0).0 as u8, field.shift() as u8);
            }
            self.steps.push(it);
            self.sends.push((step.target, step.letter));
        }
        let ranges = &mut self.ranges[part];
        if ranges.len() <= value as usize {
            ranges.resize(value as usize + 1, UNKNOWN);
        }
        ranges[value as usize] = Range { start, n: steps.len() as u32 };
    }

    #[inline]
    fn range(&self, part: usize, value: u32) -> Range {
        self.ranges[part].get(value as usize).copied().unwrap_or(UNKNOWN)
    }

    /// Whether configurations can be expanded this way.
    pub(super) fn serves(&self, window: Window) -> bool {
        self.is_all && window.from == 0
    }

    pub(crate) fn bytes(&self) -> u64 {
        let ranges: usize = self.ranges.iter().map(Vec::len).sum();
        let steps = self.steps.len() * (size_of::<Step>() + 8);
        (steps + ranges * 8 + self.changes.len() * 4) as u64
    }
}

impl Tables {
    /// Prepares the fast way for keys that are packed like this and sends that are cut at this bound.
    pub(crate) fn prepare_plain(&mut self, packing: &Packing, bound: u32) {
        let plain = &self.plain;
        if !plain.is_all {
            return;
        }
        let has_room = |(queue, region): (&super::Queue, &Region)| {
            let n_values = self.parts[queue.part as usize].values.len();
            n_values <= region.n_values as usize && queue.letters.len() <= region.stride as usize
        };
        let fits = !plain.is_stale
            && plain.bound == bound
            && plain.fields == packing.fields()
            && plain.regions.len() == self.queues.len()
            && self.queues.iter().zip(&plain.regions).all(has_room);
        if !fits {
            self.lay_out(packing, bound);
        }
    }

    fn lay_out(&mut self, packing: &Packing, bound: u32) {
        let mut plain = Plain::new();
        (plain.is_stale, plain.bound) = (false, bound);
        plain.fields = packing.fields().to_vec();
        plain.ranges = self.parts.iter().map(|_| Vec::new()).collect();
        let mut start = 1;
        for queue in &self.queues {
            let n_values = self.parts[queue.part as usize].values.len().next_power_of_two().max(16);
            let stride = queue.letters.len().next_power_of_two().max(2);
            let Ok(after) = u32::try_from(start as usize + n_values * stride) else {
                self.plain = Plain::never();
                return;
            };
            let (n_values, stride) = (n_values as u32, stride as u32);
            plain.regions.push(Region { start, stride, n_values });
            start = after;
        }
        plain.changes.resize(start as usize, NONE);
        self.plain = plain;
        for part in 0..self.parts.len() as u32 {
            for value in 0..self.parts[part as usize].ranges.len() as u32 {
                self.note_steps(part, value);
            }
        }
        for queue in 0..self.queues.len() as u32 {
            let known: Vec<_> = self.queues[queue as usize].inputs.all().collect();
            for (value, letter) in known {
                self.note_input(queue, value, letter);
            }
        }
    }

    /// Takes over the steps of a value, if they are known.
    pub(crate) fn note_steps(&mut self, part: u32, value: u32) {
        let home = &self.parts[part as usize];
        let Some((steps, _)) = home.compiled(value).filter(|_| self.plain.is_all) else { return };
        let homes: Vec<u32> = steps
            .iter()
            .map(|step| self.queues.get(step.target as usize).map_or(NONE, |queue| queue.part))
            .collect();
        let is_plain = |(step, &home): (&CompiledStep, &u32)| {
            step.target == NONE || (step.target < SPECIAL && step.letter < FEW && home != part)
        };
        if !steps.iter().zip(&homes).all(is_plain) {
            self.plain = Plain::never();
            return;
        }
        let has_room = |step: &CompiledStep| {
            let region = self.plain.regions.get(step.target as usize);
            step.target == NONE || region.is_some_and(|region| step.letter < region.stride)
        };
        if self.plain.ranges.len() <= part as usize || !steps.iter().all(has_room) {
            self.plain.is_stale = true;
            return;
        }
        self.plain.add_steps(part as usize, value, steps, &homes);
    }

    /// Takes over what comes of a letter, if it can be sent.
    pub(crate) fn note_input(&mut self, queue: u32, value: u32, letter: u32) {
        let (home, plain) = (&self.queues[queue as usize], &mut self.plain);
        let Some(region) = plain.regions.get(queue as usize) else { return };
        let fits = value < region.n_values && letter < region.stride;
        if fits && home.lens[value as usize] < home.capacity.min(plain.bound) {
            let place = region.start + value * region.stride + letter;
            plain.changes[place as usize] = value ^ home.inputs.get(value, letter);
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
            let row = values[step.part as usize] * u32::from(step.stride);
            let change = plain.changes[(step.start + row) as usize];
            let mut key = *key;
            key[word::<W>(step.own_word)] ^= step.change;
            key[word::<W>(step.word)] ^= u64::from(change) << step.shift;
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
            let (queue, letter) = self.plain.sends[number as usize];
            let (len, capacity) = self.room(queue, values);
            if len < capacity.min(self.plain.bound) {
                let value = values[self.queues[queue as usize].part as usize];
                missing.push(Missing::Input { queue, value, letter });
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
            let (queue, _) = self.plain.sends[number as usize];
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

/// Keys of one word need no look at which one.
#[inline]
fn word<const W: usize>(number: u8) -> usize {
    if W == 1 { 0 } else { number as usize }
}
