//! Steps that depend on more than the own part and room in a queue: what those who watch say to what is
//! announced, and how many machines there are.

use super::super::marks::Ends;
use super::super::packing::Key;
use super::super::parts::{CompiledStep, Deed, FAILS, NONE, SPECIAL, Special};
use super::super::space::{Output, Window};
use super::{Missing, Scene, Tables};

/// Whether a special step can be taken.
pub(super) enum Fate {
    Missing(Missing),
    /// Those who watch fail.
    Fails(Ends),
    /// It can, as far as those who watch are concerned; the store afterwards.
    Goes(Option<u32>),
}

impl Tables {
    /// Takes a special step of a part; says what it comes to if it leads nowhere, and whether the bound
    /// has cut it.
    #[inline(never)]
    pub(super) fn take_special<const W: usize>(
        &self,
        scene: &Scene<'_, W>,
        number: usize,
        target: u32,
        output: &mut Output<W>,
        missing: &mut Vec<Missing>,
    ) -> (Ends, bool) {
        let &Scene { keys, place, values, window } = scene;
        let special = self.parts[number].special(target);
        let store = match self.fate(values, special) {
            Fate::Goes(store) => store,
            Fate::Fails(ends) => return (ends, false),
            Fate::Missing(entry) => {
                missing.push(entry);
                return (Ends::NONE, false);
            }
        };
        let mut next = keys.all[place as usize];
        if let (Some(store), Some(watchers)) = (store, &self.watchers) {
            let part = watchers.part as usize;
            keys.packing.field(part).replace(&mut next, values[part], store);
        }
        let done = match special.deed {
            Deed::End(ends) => return (ends, false),
            Deed::Wait => return (Ends::NONE, false),
            Deed::Step(step) => {
                if step.target != NONE && window.cuts(self.room(step.target, values)) {
                    output.stall(step.target, place);
                    return (Ends::NONE, true);
                }
                self.take(scene, number, step, &mut next)
            }
            Deed::Create { .. } if window.from > 0 => Ok(false),
            Deed::Create { .. } => self.create(scene, number, target & !SPECIAL, &mut next),
        };
        match done {
            Ok(true) => output.candidates.push(next, place),
            Ok(false) => {}
            Err(entry) => missing.push(entry),
        }
        (Ends::NONE, false)
    }

    /// Takes a step that is not cut; says whether it is to be taken now.
    fn take<const W: usize>(
        &self,
        scene: &Scene<'_, W>,
        number: usize,
        step: CompiledStep,
        next: &mut Key<W>,
    ) -> Result<bool, Missing> {
        let &Scene { keys, values, window, .. } = scene;
        if step.target == NONE {
            if window.from > 0 {
                return Ok(false);
            }
        } else {
            let queue = &self.queues[step.target as usize];
            let there = values[queue.part as usize];
            let len = queue.lens[there as usize];
            if len >= queue.capacity || len < window.from {
                return Ok(false);
            }
            if queue.part as usize != number {
                let letter = step.letter;
                let after = queue.inputs.get(there, letter);
                if after == NONE {
                    return Err(Missing::Input { queue: step.target, value: there, letter });
                }
                keys.packing.field(queue.part as usize).replace(next, there, after);
            }
        }
        keys.packing.field(number).replace(next, values[number], step.next);
        Ok(true)
    }

    fn create<const W: usize>(
        &self,
        scene: &Scene<'_, W>,
        number: usize,
        special: u32,
        next: &mut Key<W>,
    ) -> Result<bool, Missing> {
        let &Scene { keys, values, .. } = scene;
        let n_machines = self.n_machines(values) as u32;
        let part = number as u32;
        let born = self.births.get(&(part, special, n_machines));
        let &(after, child) = born.ok_or(Missing::Birth { part, special, n_machines })?;
        let home = self.part_of[n_machines as usize] as usize;
        keys.packing.field(home).replace(next, values[home], child);
        keys.packing.field(number).replace(next, values[number], after);
        Ok(true)
    }

    /// What those who watch make of a step.
    pub(super) fn fate(&self, values: &[u32], special: &Special) -> Fate {
        let (Some(letter), Some(watchers)) = (special.announces, &self.watchers) else {
            return Fate::Goes(None);
        };
        let value = values[watchers.part as usize];
        match watchers.inputs.get(value, letter) {
            NONE => Fate::Missing(Missing::Watched { value, letter }),
            after if after >= FAILS => Fate::Fails(watchers.failures[(after & !FAILS) as usize]),
            after => Fate::Goes(Some(after)),
        }
    }
}

impl Window {
    /// Whether a send into a queue of this length, into which so much fits, is cut.
    fn cuts(self, (len, capacity): (u32, u32)) -> bool {
        len < capacity && len >= self.from && len >= self.bound
    }
}
