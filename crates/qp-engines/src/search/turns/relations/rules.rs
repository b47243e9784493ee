//! Ways down the trees as products: what is asked of each part, and what becomes of it.
//!
//! A way asks something of a few parts, each for itself, and a turn changes a few parts, each for itself. So a
//! turn is a product of relations between values before and after, which is what an event of a decision diagram is. Two
//! products that differ in one part only are one, with the union of both relations there: a message that is
//! put into a queue is one event, whatever the queue holds.

use qp_base::{Interner, Map};
use qp_diagrams::{Event, Touch};

use super::super::super::symbolic::filter::Filter;
use super::super::super::symbolic::order::Levels;
use super::super::Turns;
use super::super::slots::{LOOKS, N_MACHINES, N_QUEUES, NONE, Slots};
use super::super::woods::{Look, Way};
use super::condition::{Atom, Test};

/// What becomes of a part if a condition holds of it; nothing if it stays as it is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Clause {
    test: Test,
    becomes: Option<u32>,
}

/// What is asked of parts, and what becomes of them: the own part of the machine first, then the others in order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Product {
    parts: Vec<u32>,
    relations: Vec<u32>,
}

impl Product {
    pub(super) fn parts(&self) -> &[u32] {
        &self.parts
    }
}

/// All relations that products have.
#[derive(Default)]
pub(super) struct Rules {
    /// By part.
    all: Interner<usize, (u32, Vec<Clause>)>,
    /// For each relation that events have.
    lookups: Vec<Lookup>,
}

/// A relation, made fast.
#[derive(Default)]
struct Lookup {
    part: usize,
    exact: Map<u32, Vec<u32>>,
    others: Vec<Clause>,
}

/// What a way asks of parts.
fn tests(slots: &Slots, way: &Way<'_>) -> Vec<(u32, Test)> {
    let mut tests = vec![(slots.machine(way.machine) as u32, Test::Is(way.own))];
    for &(look, value) in way.looks {
        add_tests(slots, look, value, &mut tests);
    }
    tests
}

/// Adds what it means that a look comes to a value.
pub(super) fn add_tests(slots: &Slots, look: Look, value: u32, tests: &mut Vec<(u32, Test)>) {
    match look.at as usize {
        N_MACHINES => {
            let (n_machines, _) = slots.n_machines_queues();
            present(slots, value as usize, n_machines, |n| slots.machine(n), tests);
        }
        N_QUEUES => {
            let (_, n_queues) = slots.n_machines_queues();
            present(slots, value as usize, n_queues, |n| slots.queue(n), tests);
        }
        at => {
            let part = (at - LOOKS) as u32;
            if look.question == NONE {
                tests.retain(|(tested, _)| *tested != part);
                tests.push((part, Test::Is(value)));
            } else {
                add(tests, part, Atom::Answers(look.question, value));
            }
        }
    }
}

/// So many of the machines or queues exist: they come and go at the end.
fn present(
    slots: &Slots,
    wanted: usize,
    n_all: usize,
    part: impl Fn(usize) -> usize,
    tests: &mut Vec<(u32, Test)>,
) {
    if wanted > 0 && slots.absent(part(wanted - 1)) != NONE {
        add(tests, part(wanted - 1) as u32, Atom::Exists);
    }
    if wanted < n_all {
        add(tests, part(wanted) as u32, Atom::Absent);
    }
}

fn add(tests: &mut Vec<(u32, Test)>, part: u32, atom: Atom) {
    match tests.iter_mut().find(|(tested, _)| *tested == part) {
        Some((_, test)) => *test = std::mem::replace(test, Test::Any).and(atom),
        None => tests.push((part, Test::Any.and(atom))),
    }
}

impl Rules {
    /// Where a way leads to its leaf.
    pub(super) fn condition(&mut self, slots: &Slots, way: &Way<'_>) -> Product {
        self.change(slots, way, None, std::iter::empty())
    }

    /// What a turn does, with whoever holds after it where anybody ever does.
    pub(super) fn turn(
        &mut self,
        slots: &Slots,
        way: &Way<'_>,
        jump: u32,
        holder: Option<Test>,
    ) -> Product {
        let changes = way.changes(jump).iter().map(|change| (change.part, change.value));
        self.change(slots, way, holder.map(|test| (test, slots.nobody_holds())), changes)
    }

    /// Where a way leads to its leaf, with a condition on the holder and what it becomes, and what becomes of parts.
    pub(super) fn change(
        &mut self,
        slots: &Slots,
        way: &Way<'_>,
        holder: Option<(Test, u32)>,
        changes: impl Iterator<Item = (u32, u32)>,
    ) -> Product {
        let tests = tests(slots, way).into_iter().map(|(part, test)| (part, test, None));
        let holder = holder.map(|(test, after)| (Slots::holder() as u32, test, Some(after)));
        let mut clauses: Vec<(u32, Test, Option<u32>)> = tests.chain(holder).collect();
        for (changed, value) in changes {
            match clauses.iter_mut().find(|(part, ..)| *part == changed) {
                Some((.., becomes)) => *becomes = Some(value),
                None => clauses.push((changed, Test::Any, Some(value))),
            }
        }
        self.product(clauses)
    }

    fn product(&mut self, mut clauses: Vec<(u32, Test, Option<u32>)>) -> Product {
        clauses[1..].sort_unstable_by_key(|(part, ..)| *part);
        let parts = clauses.iter().map(|(part, ..)| *part).collect();
        let mut relation = |(part, test, becomes): (u32, Test, Option<u32>)| {
            // A value that becomes itself stays.
            let becomes = becomes.filter(|&value| test != Test::Is(value));
            self.all.intern((part, vec![Clause { test, becomes }])) as u32
        };
        let relations = clauses.into_iter().map(&mut relation).collect();
        Product { parts, relations }
    }

    /// Unites products with the same key that differ in one part only, as long as there are any. What was one
    /// product each is disjoint afterwards if it was before.
    pub(super) fn united<K: Clone + Eq + std::hash::Hash>(
        &mut self,
        mut all: Vec<(K, Product)>,
    ) -> Vec<(K, Product)> {
        let widest = all.iter().map(|(_, product)| product.parts.len()).max().unwrap_or(0);
        for _ in 0..3 {
            let before = all.len();
            // The own part comes last: contents of queues are more.
            for place in (0..widest).rev() {
                all = self.united_at(all, place);
            }
            if all.len() == before {
                break;
            }
        }
        all
    }

    fn united_at<K: Clone + Eq + std::hash::Hash>(
        &mut self,
        all: Vec<(K, Product)>,
        place: usize,
    ) -> Vec<(K, Product)> {
        let mut groups: Map<(K, Product), usize> = Map::default();
        let mut united: Vec<(K, Product, Vec<u32>)> = Vec::new();
        for (key, product) in all {
            if place >= product.parts.len() {
                united.push((key, product, Vec::new()));
                continue;
            }
            let mut rest = product.clone();
            rest.relations[place] = NONE;
            let group = *groups.entry((key.clone(), rest)).or_insert(united.len());
            if group == united.len() {
                united.push((key, product, Vec::new()));
            } else {
                united[group].2.push(product.relations[place]);
            }
        }
        let mut done = Vec::with_capacity(united.len());
        for (key, mut product, others) in united {
            if !others.is_empty() {
                product.relations[place] = self.union(product.relations[place], &others);
            }
            done.push((key, product));
        }
        done
    }

    fn union(&mut self, first: u32, others: &[u32]) -> u32 {
        let (part, mut clauses) = self.all.value(first as usize).clone();
        for &other in others {
            clauses.extend_from_slice(self.clauses(other));
        }
        clauses.sort_unstable();
        clauses.dedup();
        self.all.intern((part, clauses)) as u32
    }

    fn clauses(&self, relation: u32) -> &[Clause] {
        &self.all.value(relation as usize).1
    }

    /// Only where a product is possible.
    pub(super) fn narrow(
        &self,
        turns: &Turns,
        levels: &Levels,
        product: &Product,
        filter: &mut Filter,
    ) {
        for (&part, &relation) in product.parts.iter().zip(&product.relations) {
            let table = self.table(turns, part as usize, relation);
            filter.and(levels.level(part), table);
        }
    }

    /// Which values of a part a relation leads on from.
    fn table(&self, turns: &Turns, part: usize, relation: u32) -> Vec<u32> {
        let mut table = vec![0; turns.slots.n_values(part)];
        for clause in self.clauses(relation) {
            if let Test::Is(value) = clause.test {
                table[value as usize] = 1;
                continue;
            }
            for (wanted, holds) in table.iter_mut().zip(clause.test.table(turns, part)) {
                *wanted |= holds;
            }
        }
        table
    }

    /// Whether nothing is changed.
    pub(super) fn is_idle(&self, product: &Product) -> bool {
        let idle =
            |&relation: &u32| self.clauses(relation).iter().all(|clause| clause.becomes.is_none());
        product.relations.iter().all(idle)
    }

    /// A product as an event.
    pub(super) fn event(&mut self, levels: &Levels, product: &Product) -> Event {
        let mut touches = Vec::with_capacity(product.parts.len());
        for (&part, &relation) in product.parts.iter().zip(&product.relations) {
            self.look_up(part, relation);
            touches.push(Touch { level: levels.level(part), relation });
        }
        Event::new(touches)
    }

    fn look_up(&mut self, part: u32, relation: u32) {
        let number = relation as usize;
        if self.lookups.len() <= number {
            self.lookups.resize_with(number + 1, Lookup::default);
        }
        let lookup = &mut self.lookups[number];
        if !lookup.exact.is_empty() || !lookup.others.is_empty() {
            return;
        }
        lookup.part = part as usize;
        for clause in &self.all.value(number).1 {
            if let Test::Is(value) = clause.test {
                lookup.exact.entry(value).or_default().push(clause.becomes.unwrap_or(value));
            } else {
                lookup.others.push(clause.clone());
            }
        }
    }

    /// Appends what becomes of a value of a part.
    pub(super) fn next(&self, turns: &Turns, relation: u32, value: u32, found: &mut Vec<u32>) {
        let lookup = &self.lookups[relation as usize];
        if let Some(exact) = lookup.exact.get(&value) {
            found.extend_from_slice(exact);
        }
        let others = lookup.others.iter();
        let possible = others.filter(|it| it.test.holds(turns, lookup.part, value));
        found.extend(possible.map(|clause| clause.becomes.unwrap_or(value)));
    }

    pub(super) fn leads(&self, turns: &Turns, relation: u32, value: u32) -> bool {
        let lookup = &self.lookups[relation as usize];
        let holds = |it: &Clause| it.test.holds(turns, lookup.part, value);
        lookup.exact.contains_key(&value) || lookup.others.iter().any(holds)
    }
}
