//! Conditions on the values of single parts, and sets that are sieved by them.

use super::super::slots::{NONE, Slots};
use super::super::woods::Woods;

/// Marks a value of the holder: whoever holds can do nothing, so others may take turns. Sets have such a twin of
/// each configuration in which that is so.
pub(super) const RELEASED: u32 = 1 << 31;

/// A condition on the value of a part.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Test {
    Any,
    Is(u32),
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
            Self::Is(_) | Self::May(_) => self,
        }
    }

    pub(super) fn holds(&self, slots: &Slots, woods: &Woods, part: usize, value: u32) -> bool {
        match self {
            Self::Any => true,
            Self::Is(wanted) => value == *wanted,
            Self::All(atoms) => atoms.iter().all(|atom| match *atom {
                Atom::Exists => value != slots.absent(part),
                Atom::Absent => value == slots.absent(part),
                Atom::Answers(question, answer) => woods.answer_to(question, value) == Some(answer),
            }),
            Self::May(own) => may(slots, *own, value),
        }
    }
}

/// Whether the machine that has the value `own` as the holder may take a turn without timeout.
pub(super) fn may(slots: &Slots, own: u32, holder: u32) -> bool {
    if holder & RELEASED != 0 {
        // Who was released can do nothing, and is not asked again.
        return holder & !RELEASED != own;
    }
    holder == slots.nobody_holds() || (holder == own && own != NONE)
}

/// For each level: the values that are wanted there, if not all are.
#[derive(Clone)]
pub(super) struct Sieve {
    wanted: Vec<Option<Vec<bool>>>,
    /// The level of the holder, and which of its values are wanted.
    holder: (usize, Holders),
}

/// Which values of the holder are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Holders {
    All,
    /// No twins.
    Real,
    /// Those with which the machine may take a turn that has this value as the holder; nobody has the other value.
    May {
        own: u32,
        nobody: u32,
    },
    Is(u32),
}

impl Sieve {
    pub(super) fn new(n_levels: usize, holder: usize) -> Self {
        Self { wanted: vec![None; n_levels], holder: (holder, Holders::All) }
    }

    pub(super) fn only(mut self, holders: Holders) -> Self {
        self.holder.1 = holders;
        self
    }

    pub(super) fn and(&mut self, level: usize, table: Vec<bool>) {
        match &mut self.wanted[level] {
            None => self.wanted[level] = Some(table),
            Some(old) => {
                for (value, wanted) in old.iter_mut().enumerate() {
                    *wanted &= table.get(value).is_some_and(|&wanted| wanted);
                }
            }
        }
    }

    pub(super) fn holds(&self, level: usize, value: u32) -> bool {
        if level == self.holder.0 {
            return match self.holder.1 {
                Holders::All => true,
                Holders::Real => value & RELEASED == 0,
                Holders::May { own, nobody } => {
                    if value & RELEASED == 0 {
                        value == nobody || value == own
                    } else {
                        value & !RELEASED != own
                    }
                }
                Holders::Is(wanted) => value == wanted,
            };
        }
        let Some(table) = &self.wanted[level] else { return true };
        table.get(value as usize).is_some_and(|&wanted| wanted)
    }
}
