//! Conditions on the values of single parts.

use super::super::super::symbolic::filter::{TWIN, table};
use super::super::Turns;
use super::super::slots::{NONE, Slots};

/// A condition on the value of a part.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Test {
    Any,
    Is(u32),
    /// One of these.
    In(Vec<u32>),
    /// All of these.
    All(Vec<Atom>),
    /// Of the holder: the machine that has this value as the holder may take a turn. [`NONE`] if it never held.
    May(u32),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Atom {
    Exists,
    Absent,
    /// A question is answered like this.
    Answers(u32, u32),
}

impl Test {
    /// This, and one thing more. To know a value is to know everything.
    pub(super) fn and(self, atom: Atom) -> Self {
        match self {
            Self::Any => Self::All(vec![atom]),
            Self::All(mut atoms) => {
                if let Err(place) = atoms.binary_search(&atom) {
                    atoms.insert(place, atom);
                }
                Self::All(atoms)
            }
            Self::Is(_) | Self::In(_) | Self::May(_) => self,
        }
    }

    pub(super) fn holds(&self, turns: &Turns, part: usize, value: u32) -> bool {
        match self {
            Self::Any => true,
            Self::Is(wanted) => value == *wanted,
            Self::In(wanted) => wanted.contains(&value),
            Self::All(atoms) => atoms.iter().all(|atom| match *atom {
                Atom::Exists => value != turns.slots.absent(part),
                Atom::Absent => value == turns.slots.absent(part),
                Atom::Answers(question, answer) => {
                    turns.woods.answer_to(question, value) == Some(answer)
                }
            }),
            Self::May(own) => may(&turns.slots, *own, value),
        }
    }

    /// The values of a part of which it holds.
    pub(super) fn table(&self, turns: &Turns, part: usize) -> Vec<u32> {
        table(turns.slots.n_values(part), |value| self.holds(turns, part, value))
    }
}

/// Whether the machine that has the value `own` as the holder may take a turn without timeout.
pub(super) fn may(slots: &Slots, own: u32, holder: u32) -> bool {
    if holder & TWIN != 0 {
        // Who was released can do nothing, and is not asked again.
        return holder & !TWIN != own;
    }
    holder == slots.nobody_holds() || (holder == own && own != NONE)
}
