//! The compiled steps of machines that meet only through queues, and the inner loop of the search.
//!
//! Everything here is read only while threads expand.

mod plain;
mod special;

use qp_base::Map;
use qp_machines::QueueId;

use super::marks::{Ends, Marks, Watch};
use super::packing::Key;
use super::parts::{
    CompiledStep, Deed, GATE, NONE, Part, Queue, SKIPPED, SPECIAL, UNKNOWN, Watchers,
};
use super::space::{Keys, Output, Subject, Window};

pub(crate) use self::plain::Plain;
use self::plain::Room;
use self::special::Fate;

/// All parts with what is known about them.
pub(crate) struct Tables {
    pub(crate) watch: Watch,
    /// What those say who do not exist: nothing that is named of them holds.
    pub(crate) nobody: Marks,
    pub(crate) parts: Vec<Part>,
    pub(crate) queues: Vec<Queue>,
    pub(crate) watchers: Option<Watchers>,
    /// For each machine: its part.
    pub(crate) part_of: Vec<u32>,
    /// How many machines there are from the beginning.
    pub(crate) n_initial: usize,
    /// What creating comes to, by part, special step and number of machines: the creator's value
    /// afterwards, and that of the new machine.
    pub(crate) births: Map<(u32, u32, u32), (u32, u32)>,
    /// The same again, for systems that need only some of it.
    pub(crate) plain: Plain,
}

/// An entry that a batch found missing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Missing {
    Steps { part: u32, value: u32 },
    Input { queue: u32, value: u32, letter: u32 },
    Answer { queue: u32, value: u32, gate: u32 },
    Watched { value: u32, letter: u32 },
    Birth { part: u32, special: u32, n_machines: u32 },
}

/// A configuration that is being expanded.
struct Scene<'a, const W: usize> {
    keys: &'a Keys<'a, W>,
    place: u32,
    values: &'a [u32],
    window: Window,
}

/// What becomes of a message.
enum Sent {
    Goes,
    /// There is no room, it belongs to a smaller bound, or it is not known what comes of it.
    Rests,
    /// The bound is met.
    Cut,
}

impl Tables {
    /// Expands configurations with the tables as they are, up to the first for which something is missing.
    /// Says how many those were.
    pub(crate) fn expand_known<const W: usize>(
        &self,
        keys: &Keys<'_, W>,
        places: &[u32],
        window: Window,
        output: &mut Output<W>,
        missing: &mut Vec<Missing>,
    ) -> usize {
        let (mut room, mut values) = (Room::default(), Vec::new());
        let is_plain = self.plain.serves(window);
        for (done, &place) in places.iter().enumerate() {
            if is_plain {
                self.expand_plain(keys, place, &mut room, output, missing);
            } else {
                keys.packing.unpack(&keys.all[place as usize], &mut values);
                let scene = Scene { keys, place, values: &values, window };
                self.expand_one(&scene, output, missing);
                if !missing.is_empty() {
                    output.take_back(place);
                }
            }
            if !missing.is_empty() {
                return done;
            }
        }
        places.len()
    }

    #[inline]
    fn expand_one<const W: usize>(
        &self,
        scene: &Scene<'_, W>,
        output: &mut Output<W>,
        missing: &mut Vec<Missing>,
    ) {
        let (mut marks, watching) = (Marks::NEUTRAL, !self.watch.properties().is_empty());
        let (before, mut cut, mut ends) = (output.candidates.len(), false, Ends::NONE);
        for ((number, part), &value) in self.parts.iter().enumerate().zip(scene.values) {
            let Some((steps, own)) = part.compiled(value) else {
                missing.push(Missing::Steps { part: number as u32, value });
                continue;
            };
            if watching {
                marks.join(own);
            }
            let came = self.take_steps(scene, (number, value), steps, output, missing);
            ends.join(came.0);
            cut |= came.1;
        }
        let &Scene { place, window, .. } = scene;
        if cut {
            output.blocked.push(place);
        }
        if window.from == 0 {
            let can_step = cut || output.candidates.len() > before;
            self.note(place, watching.then_some(marks), ends, can_step, output);
        }
    }

    /// Takes the steps of one part; says what those come to that lead nowhere, and whether the bound has
    /// cut any.
    #[inline]
    fn take_steps<const W: usize>(
        &self,
        scene: &Scene<'_, W>,
        (number, value): (usize, u32),
        steps: &[CompiledStep],
        output: &mut Output<W>,
        missing: &mut Vec<Missing>,
    ) -> (Ends, bool) {
        let &Scene { keys, place, values, window } = scene;
        let (key, field) = (&keys.all[place as usize], keys.packing.field(number));
        let (mut cut, mut ends) = (false, Ends::NONE);
        let mut steps = steps.iter();
        while let Some(step) = steps.next() {
            let mut next = *key;
            if step.target >= SPECIAL {
                if step.target == NONE {
                    if window.from > 0 {
                        continue;
                    }
                } else if step.target >= GATE {
                    let open = self.is_open(values, step);
                    if open != Ok(true) {
                        missing.extend(open.err());
                        steps.next();
                    }
                    continue;
                } else {
                    let came = self.take_special(scene, number, step.target, output, missing);
                    ends.join(came.0);
                    cut |= came.1;
                    continue;
                }
            } else {
                match self.send(scene, number, step, &mut next, missing) {
                    Sent::Goes => {}
                    Sent::Rests => continue,
                    Sent::Cut => {
                        cut = true;
                        output.stall(step.target, place);
                        continue;
                    }
                }
            }
            field.replace(&mut next, value, step.next);
            output.candidates.push(next, place);
        }
        (ends, cut)
    }

    /// Puts the message of a step into its queue.
    #[inline]
    fn send<const W: usize>(
        &self,
        scene: &Scene<'_, W>,
        number: usize,
        step: &CompiledStep,
        next: &mut Key<W>,
        missing: &mut Vec<Missing>,
    ) -> Sent {
        let &Scene { keys, values, window, .. } = scene;
        let queue = &self.queues[step.target as usize];
        let there = values[queue.part as usize];
        let len = queue.lens[there as usize];
        if len >= queue.capacity || len < window.from {
            return Sent::Rests;
        }
        if len >= window.bound {
            return Sent::Cut;
        }
        // A message to oneself is part of the own value already.
        if queue.part as usize != number {
            let after = queue.inputs.get(there, step.letter);
            if after == NONE {
                let (queue, letter) = (step.target, step.letter);
                missing.push(Missing::Input { queue, value: there, letter });
                return Sent::Rests;
            }
            keys.packing.field(queue.part as usize).replace(next, there, after);
        }
        Sent::Goes
    }

    /// Notes what is to be said about a configuration: with `marks`, if anybody watches for something.
    #[inline]
    fn note<const W: usize>(
        &self,
        place: u32,
        marks: Option<Marks>,
        ends: Ends,
        can_step: bool,
        output: &mut Output<W>,
    ) {
        if ends.has(Ends::GAVE_UP) {
            output.gave_up.push(place);
        }
        let Some(mut marks) = marks else { return };
        marks.ends.join(ends);
        marks.join(&self.nobody);
        let hits = self.watch.hits(&marks, can_step);
        if hits != 0 {
            output.hits.push((place, hits));
        }
    }

    /// The answer to the question that a gate asks.
    #[inline]
    fn is_open(&self, values: &[u32], gate: &CompiledStep) -> Result<bool, Missing> {
        let (queue, gate) = (gate.target & !GATE, gate.letter);
        let home = &self.queues[queue as usize];
        let value = values[home.part as usize];
        match home.answers.get(value, gate) {
            NONE => Err(Missing::Answer { queue, value, gate }),
            answer => Ok(answer == 1),
        }
    }

    /// How many machines exist: they are created in order and never end.
    pub(crate) fn n_machines(&self, values: &[u32]) -> usize {
        let created = &self.part_of[self.n_initial..];
        let exists = |&&part: &&u32| {
            let value = values.get(part as usize);
            value.is_some_and(|&value| !self.parts[part as usize].is_absent(value))
        };
        self.n_initial + created.iter().take_while(exists).count()
    }

    /// Only values that were expanded count: the others may never have been reached.
    pub(crate) fn longest(&self, longest: &mut [u32]) {
        for (longest, queue) in longest.iter_mut().zip(&self.queues) {
            let ranges = &self.parts[queue.part as usize].ranges;
            for (range, &len) in ranges.iter().zip(&queue.lens) {
                if *range != UNKNOWN {
                    *longest = (*longest).max(len);
                }
            }
        }
    }

    pub(crate) fn subjects(&self, values: &[u32], found: &mut Vec<Subject>) {
        for (part, &value) in self.parts.iter().zip(values) {
            let Some(machine) = part.machine else { continue };
            let (steps, marks) = part.compiled(value).expect("it was expanded before");
            let mut moves = marks.ends.any();
            let mut steps = steps.iter();
            while let Some(step) = steps.next() {
                if step.target >= GATE && step.target != NONE {
                    if self.is_open(values, step) != Ok(true) {
                        steps.next();
                    }
                    continue;
                }
                let is_special = step.target >= SPECIAL && step.target != NONE;
                let special = is_special.then(|| part.special(step.target));
                let step = match special.map(|special| (self.fate(values, special), special.deed)) {
                    None => *step,
                    Some((Fate::Goes(_), Deed::Step(step))) => step,
                    Some((Fate::Missing(_), _)) => unreachable!("it was expanded before"),
                    Some((Fate::Goes(_), Deed::Wait)) => continue,
                    Some(
                        (Fate::Fails(_), _) | (Fate::Goes(_), Deed::End(_) | Deed::Create { .. }),
                    ) => {
                        moves = true;
                        continue;
                    }
                };
                moves |= step.target == NONE || {
                    let (len, capacity) = self.room(step.target, values);
                    len < capacity
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

    /// How long a queue is, and how much fits.
    fn room(&self, queue: u32, values: &[u32]) -> (u32, u32) {
        let queue = &self.queues[queue as usize];
        (queue.lens[values[queue.part as usize] as usize], queue.capacity)
    }
}
