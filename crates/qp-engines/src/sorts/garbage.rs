//! Entries of collections that nobody can ask for any more.

use qp_base::Set;
use qp_machines::{ClassId, Term};

use super::apply::numbers;
use super::kinds::{Kind, Sort};
use super::tables::Tables;

/// Which numbers somebody can still name.
pub(super) struct Held<'a> {
    tables: &'a Tables,
    sorts: &'a [Sort],
    /// For each sort: the least number that can still be generated.
    low: &'a [Option<i64>],
    found: Set<(usize, i64)>,
}

impl<'a> Held<'a> {
    /// A number is held if it is a constant or can be generated, or if it stands somewhere else than as a key of a
    /// collection that forgets; what is in an entry counts only if its key is held.
    pub(super) fn find(
        tables: &'a Tables,
        sorts: &'a [Sort],
        low: &'a [Option<i64>],
        terms: &[&[Term]],
    ) -> Self {
        let mut this = Self { tables, sorts, low, found: Set::default() };
        loop {
            let before = this.found.len();
            terms.iter().copied().flatten().for_each(|term| this.look(term));
            if this.found.len() == before {
                return this;
            }
        }
    }

    fn look(&mut self, term: &Term) {
        match term {
            Term::Number(slot, number) => {
                self.found.insert((self.tables.sort(*slot), *number));
            }
            Term::Atom(_) => {}
            Term::Tuple(_, terms) => terms.iter().for_each(|term| self.look(term)),
            Term::Set(class, items) => {
                for item in items {
                    if !self.is_judged(*class, item) {
                        self.look(item);
                    }
                }
            }
            Term::Map(class, entries) => {
                for (key, value) in entries {
                    let judged = self.is_judged(*class, key);
                    if !judged {
                        self.look(key);
                    }
                    if !judged || self.is_key_held(key) {
                        self.look(value);
                    }
                }
            }
        }
    }

    /// Whether an entry with this key or element stays.
    pub(super) fn keeps(&self, class: ClassId, key: &Term) -> bool {
        !self.is_judged(class, key) || self.is_key_held(key)
    }

    /// Whether entries are dropped whose key is not held.
    fn is_judged(&self, class: ClassId, key: &Term) -> bool {
        let mut any = false;
        numbers(key, &mut |slot, _| any |= self.is_judging(self.tables.sort(slot)));
        any && self.tables.forgets(class)
    }

    fn is_judging(&self, sort: usize) -> bool {
        let Sort { kind, resets, .. } = self.sorts[sort];
        matches!(kind, Kind::Names | Kind::Ranks | Kind::Cells) && !resets
    }

    fn is_key_held(&self, key: &Term) -> bool {
        let mut all = true;
        numbers(key, &mut |slot, number| {
            let sort = self.tables.sort(slot);
            let is_held = !self.sorts[sort].is_above(number)
                || self.low[sort].is_some_and(|low| number >= low)
                || self.found.contains(&(sort, number));
            all &= is_held || !self.is_judging(sort);
        });
        all
    }
}
