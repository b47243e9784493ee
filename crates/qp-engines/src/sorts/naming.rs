//! Names for numbers that may be exchanged: by where they occur, so that configurations that differ in such numbers
//! alone get the same ones.

use std::collections::BTreeMap;

use qp_machines::{SlotId, Term};

use super::apply::renamed;
use super::kinds::Cell;

/// So many orders of numbers that look alike are tried.
const ORDERS_MAX: usize = 24;

/// Numbers of a sort that may be exchanged, and where their names begin.
pub(super) struct Free {
    pub(super) sort: usize,
    pub(super) names: Cell,
    pub(super) numbers: Vec<i64>,
}

/// What each number of each sort becomes.
pub(super) type Renaming = Vec<BTreeMap<i64, i64>>;

/// What naming looks at.
pub(super) struct Naming<'a> {
    /// The sort of a slot.
    pub(super) sort: &'a dyn Fn(SlotId) -> usize,
    /// The first name of a sort from a number on, and what comes behind it.
    pub(super) next: &'a dyn Fn(usize, Cell) -> (i64, Cell),
    /// All parts of the configuration, in order.
    pub(super) terms: &'a [Vec<Term>],
}

impl Naming<'_> {
    /// Names all free numbers; the others are named already.
    pub(super) fn name(&self, fixed: Renaming, free: &[Free]) -> Renaming {
        let colours = self.colours(&fixed, free);
        // For each class of free numbers: those of the same colour, in the order of colours.
        let mut groups: Vec<(usize, Vec<i64>)> = Vec::new();
        let mut orders = 1_usize;
        for (number, class) in free.iter().enumerate() {
            let mut numbers = class.numbers.clone();
            let colour = |it: &i64| (colours[&(class.sort, *it)], *it);
            numbers.sort_unstable_by_key(colour);
            for group in numbers.chunk_by(|a, b| colour(a).0 == colour(b).0) {
                for n in 2..=group.len() {
                    orders = orders.saturating_mul(n);
                }
                groups.push((number, group.to_vec()));
            }
        }
        if orders == 1 || orders > ORDERS_MAX {
            return self.named(fixed, free, &groups);
        }
        let all = all_orders(&groups).into_iter().map(|groups| {
            let renaming = self.named(fixed.clone(), free, &groups);
            (self.result(&renaming), renaming)
        });
        all.min_by(|a, b| a.0.cmp(&b.0)).map(|(_, renaming)| renaming).unwrap_or_default()
    }

    /// Gives names in the order of the groups.
    fn named(&self, mut to: Renaming, free: &[Free], groups: &[(usize, Vec<i64>)]) -> Renaming {
        let mut names: Vec<Cell> = free.iter().map(|class| class.names).collect();
        for (class, numbers) in groups {
            let sort = free[*class].sort;
            for &number in numbers {
                let (name, rest) = (self.next)(sort, names[*class]);
                names[*class] = rest;
                to[sort].insert(number, name);
            }
        }
        to
    }

    fn result(&self, to: &Renaming) -> Vec<Term> {
        let name = |slot, number| to[(self.sort)(slot)].get(&number).copied().unwrap_or(number);
        let terms = self.terms.iter().flatten();
        terms.map(|term| renamed(term, &name, &|_, _| true)).collect()
    }

    /// Colours that tell numbers apart by where they stand and beside what, and not by which they are.
    fn colours(&self, fixed: &Renaming, free: &[Free]) -> BTreeMap<(usize, i64), u64> {
        let mut colours = BTreeMap::new();
        for (number, class) in free.iter().enumerate() {
            colours.extend(class.numbers.iter().map(|&it| ((class.sort, it), number as u64)));
        }
        let mut n_colours = 0;
        loop {
            let mut look = Look { naming: self, fixed, colours: &colours, found: BTreeMap::new() };
            for (place, term) in self.terms.iter().flatten().enumerate() {
                look.walk(term, mix(1, place as u64));
            }
            let mut next: BTreeMap<(usize, i64), u64> = BTreeMap::new();
            for (key, colour) in &colours {
                next.insert(*key, mix(*colour, look.found.get(key).copied().unwrap_or(0)));
            }
            let mut distinct: Vec<u64> = next.values().copied().collect();
            distinct.sort_unstable();
            distinct.dedup();
            if distinct.len() <= n_colours {
                return colours;
            }
            n_colours = distinct.len();
            colours = next;
        }
    }
}

struct Look<'a> {
    naming: &'a Naming<'a>,
    fixed: &'a Renaming,
    colours: &'a BTreeMap<(usize, i64), u64>,
    /// For each free number: where it was met.
    found: BTreeMap<(usize, i64), u64>,
}

impl Look<'_> {
    fn walk(&mut self, term: &Term, at: u64) {
        match term {
            Term::Number(slot, number) => {
                let key = ((self.naming.sort)(*slot), *number);
                if self.colours.contains_key(&key) {
                    let found = self.found.entry(key).or_default();
                    *found = found.wrapping_add(mix(at, 2));
                }
            }
            Term::Atom(_) => {}
            Term::Tuple(_, terms) => {
                for (place, term) in terms.iter().enumerate() {
                    self.walk(term, mix(at, place as u64));
                }
            }
            Term::Set(_, items) => {
                for item in items {
                    let hash = self.hash(item);
                    self.walk(item, mix(at, hash));
                }
            }
            Term::Map(_, entries) => {
                for (key, value) in entries {
                    let entry = mix(at, mix(self.hash(key), self.hash(value)));
                    self.walk(key, mix(entry, 3));
                    self.walk(value, mix(entry, 4));
                }
            }
        }
    }

    /// The same for terms that differ in free numbers of the same colours.
    fn hash(&self, term: &Term) -> u64 {
        match term {
            Term::Number(slot, number) => {
                let sort = (self.naming.sort)(*slot);
                if let Some(&colour) = self.colours.get(&(sort, *number)) {
                    return mix(5, colour);
                }
                let name = self.fixed[sort].get(number).copied().unwrap_or(*number);
                mix(6, name.cast_unsigned())
            }
            Term::Atom(atom) => mix(7, u64::from(*atom)),
            Term::Tuple(kind, terms) => {
                let begin = mix(8, u64::from(*kind));
                terms.iter().fold(begin, |hash, term| mix(hash, self.hash(term)))
            }
            Term::Set(_, items) => {
                let all = items.iter().map(|item| mix(9, self.hash(item)));
                all.fold(9, u64::wrapping_add)
            }
            Term::Map(_, entries) => {
                let all = entries.iter().map(|(key, value)| mix(self.hash(key), self.hash(value)));
                all.fold(10, u64::wrapping_add)
            }
        }
    }
}

/// A number that depends on both (the finaliser of `splitmix64`).
fn mix(a: u64, b: u64) -> u64 {
    let mut it = a.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(b ^ 0xd1b5_4a32_d192_ed03);
    it = (it ^ it >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    it = (it ^ it >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    it ^ it >> 31
}

/// All ways to order the numbers of each group.
fn all_orders(groups: &[(usize, Vec<i64>)]) -> Vec<Vec<(usize, Vec<i64>)>> {
    let mut all = vec![Vec::new()];
    for (class, numbers) in groups {
        let orders = permutations(numbers);
        let longer = |done: &Vec<(usize, Vec<i64>)>| {
            let with = |order: &Vec<i64>| [&done[..], &[(*class, order.clone())]].concat();
            orders.iter().map(with).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

fn permutations(numbers: &[i64]) -> Vec<Vec<i64>> {
    if numbers.len() <= 1 {
        return vec![numbers.to_vec()];
    }
    let mut all = Vec::new();
    for first in 0..numbers.len() {
        let mut rest = numbers.to_vec();
        let first = rest.remove(first);
        all.extend(permutations(&rest).into_iter().map(|rest| [&[first], &rest[..]].concat()));
    }
    all
}
