//! Turns as relations of decision diagrams.
//!
//! Levels are the parts: the holder, every shared variable, machine and queue. A way down a tree asks something of
//! single parts and changes single parts, so turns are events. Which ways there are is not known beforehand:
//! the set is closed under the turns that are known, then it is asked for configurations in which somebody goes
//! a new way, the program is asked there, and so on until nobody does. Nothing that is asked lies outside the set.
//!
//! Two things depend on what others cannot do. If whoever goes on alone has to wait, others may take turns: each such
//! configuration gets a twin in which that is written down, and turns of others start there. And if nobody can do
//! anything, turns with a timeout are tried: those configurations are worked out once the set is closed under
//! everything else, and what such turns make of them is added to the set.

mod condition;
mod learn;
mod rules;
#[cfg(test)]
mod tests;

use qp_base::Budget;
use qp_diagrams::{EventId, Events, Set};

use self::condition::{Test, may};
use self::rules::{Product, Rules};
use super::super::marks::{Ends, Watch};
use super::super::space::{Space, Subject};
use super::super::symbolic::Obstacle;
use super::super::symbolic::filter::{Filter, TWIN, table};
use super::super::symbolic::order::{Levels, SMALL, Talk};
use super::super::symbolic::source::{Case, Kind, Look, Scene, Source, wrong_space};
use super::super::symbolic::store::Store;
use super::Turns;
use super::slots::{NONE, Slot, Slots};
use super::woods::Way;
use crate::Order;

/// How much a turn says about who should be close to whom, to be shared by all pairs.
const TALK: u32 = 144;

/// Work of an attempt that is made to learn who looks at whom.
const LEARNING_WORK: u64 = 20_000;

/// Work of the first attempt with each order of levels.
const FIRST_WORK: u64 = 200_000;

/// Making a turn an event takes as long as so many results of diagrams.
const WORK_PER_TURN: u64 = 8;

/// What is known of turns, with the parts of a set that were looked at. All sets are held.
#[derive(Default)]
pub(crate) struct Trees {
    rules: Rules,
    /// How many events are turns without timeout, or releases.
    n_ordinary: u32,
    /// Which events are turns of which machine with a timeout.
    timeouts: Vec<(EventId, usize)>,
    /// The part of the set of which it is known that nobody goes a new way.
    looked: Set,
    /// The configurations in which nobody can do anything without a timeout.
    still: Set,
    /// The part of them of which it is known that nobody goes a new way with a timeout.
    looked_still: Set,
}

impl Source for Trees {
    /// At the bottom, where they are in nobody's way, are the holder, whom everybody asks, and what never changes.
    fn orders(&self, space: &mut Space, order: Order) -> Vec<Levels> {
        let Turns { slots, woods, .. } = turns(space);
        let (mut rules, mut products) = (Rules::default(), Vec::new());
        woods.each_way(|way| {
            for (_, jump) in way.jumps() {
                products.push(((), rules.turn(slots, way, jump, None)));
            }
        });
        let lives = |part: usize| part != Slots::holder() && slots.n_values(part) > 1;
        let n_values = (0..slots.n_parts()).map(|part| if lives(part) { SMALL } else { 1 });
        let mut talk = Talk::new(n_values.collect());
        for ((), product) in rules.united(products) {
            let parts = product.parts().iter().map(|&part| part as usize);
            let touched: Vec<usize> = parts.filter(|&part| lives(part)).collect();
            let n = touched.len() as u32;
            for (place, &a) in touched.iter().enumerate() {
                // A turn that touches many parts says little about any two of them.
                let weight = TALK / (n * n);
                touched[place + 1..].iter().for_each(|&b| talk.add(a, b, weight));
            }
        }
        talk.orders(order, [Order::Close, Order::Hub, Order::Reverse, Order::Model])
    }

    fn trial_work(&self) -> Option<u64> {
        None
    }

    fn allowance(&self, round: u32, rank: usize) -> Option<u64> {
        match round {
            1 => (rank == 0).then_some(LEARNING_WORK),
            _ => Some(FIRST_WORK.saturating_mul(4_u64.saturating_pow(round - 2))),
        }
    }

    fn prepare(&mut self, store: &mut Store, space: &mut Space) -> Result<(), Obstacle> {
        let turns = turns(space);
        while store.levels.len() < turns.slots.n_parts() {
            let Self { looked, still, looked_still, .. } = self;
            store.add_level(&mut [looked, still, looked_still])?;
        }
        self.rebuild(store, turns);
        Ok(())
    }

    fn meet(&mut self, _: &mut Scene<'_>, _: usize, _: u32, _: &mut Events) -> bool {
        false
    }

    fn next(&mut self, scene: &mut Scene<'_>, relation: u32, value: u32, found: &mut Vec<u32>) {
        self.rules.next(turns(scene.space), relation, value, found);
    }

    fn leads(&mut self, scene: &mut Scene<'_>, relation: u32, value: u32) -> bool {
        self.rules.leads(turns(scene.space), relation, value)
    }

    fn grow(
        &mut self,
        store: &mut Store,
        space: &mut Space,
        budget: &Budget,
    ) -> Result<bool, Obstacle> {
        let turns = turns(space);
        if self.learn(store, turns, budget)? || self.learn_timeouts(store, turns, budget)? {
            return Ok(true);
        }
        self.time_out(store, space, budget)
    }

    fn happenings(&self, _: &Events) -> Vec<(EventId, Option<usize>)> {
        let ordinary = (0..self.n_ordinary).map(|event| (EventId(event), None));
        let timeouts = self.timeouts.iter().map(|&(event, machine)| (event, Some(machine)));
        ordinary.chain(timeouts).collect()
    }

    fn may_time_out(
        &mut self,
        store: &mut Store,
        space: &mut Space,
        machine: usize,
    ) -> Result<Set, Obstacle> {
        let turns = turns(space);
        if !store.twins || self.still.is_empty() {
            return Ok(self.still);
        }
        let mut from = store.hold(self.still);
        for other in (0..turns.slots.n_machines_queues().0).filter(|&other| other != machine) {
            let held = turns.slots.holder_of(other);
            if held == NONE {
                continue;
            }
            // Whoever goes on alone and can do something with a timeout is the only one to do so.
            let moves = |way: &Way<'_>| way.timeout && way.machine == other && way.any();
            for mut filter in self.conditions(store, turns, moves) {
                filter.and(holder(store), Test::Is(held).table(turns, Slots::holder()));
                let alone = store.restricted(from, &filter)?;
                store.subtract(&mut from, alone)?;
            }
        }
        store.release(from);
        Ok(from)
    }

    fn cases(&mut self, store: &mut Store, space: &mut Space, kind: Kind) -> Vec<Case> {
        let (turns, bound) = (turns(space), store.bound);
        let products = self.products(store, turns, |way| {
            let n = weight(turns, way, kind, bound);
            (n > 0).then_some((way.timeout, way.machine, n))
        });
        let mut cases = Vec::new();
        for ((timeout, machine, n), product) in products {
            let mut filter = for_whom(store, turns, (machine, timeout));
            self.rules.narrow(turns, &store.levels, &product, &mut filter);
            filter.times(store.levels.level(turns.slots.machine(machine) as u32), n);
            cases.push(Case { filter, timeout: timeout.then_some(machine) });
        }
        cases
    }

    fn still(&mut self, store: &mut Store, space: &mut Space) -> Result<Set, Obstacle> {
        let able = self.conditions(store, turns(space), |way| way.timeout && way.any());
        store.outside(self.still, able)
    }

    fn table(&self, space: &mut Space, part: usize, look: Look) -> Vec<u32> {
        let slots = &turns(space).slots;
        table(slots.n_values(part), |value| match look {
            Look::Marked(mark) => slots.marks_of(part, value).all & mark != 0,
            Look::Unmarked(mark) => slots.marks_of(part, value).all & mark == 0,
            Look::Longer(_, len) => slots.len(part, value) > len,
            Look::Exists => value != slots.absent(part),
        })
    }

    fn part_of(&self, space: &mut Space, queue: usize) -> Option<usize> {
        let slots = &turns(space).slots;
        (queue < slots.n_machines_queues().1).then(|| slots.queue(queue))
    }

    fn watch<'a>(&self, space: &'a mut Space) -> (&'a Watch, u128) {
        let slots = &turns(space).slots;
        (slots.watch(), slots.nobody().all)
    }

    fn successors(&mut self, store: &Store, space: &mut Space, values: &[u32]) -> Vec<Vec<u32>> {
        let turns = turns(space);
        turns.woods.successors(&turns.slots, &turns.looks(values), store.bound)
    }
}

impl Trees {
    /// Makes events of everything that is known.
    fn rebuild(&mut self, store: &mut Store, turns: &Turns) {
        let (slots, bound, mut rules) = (&turns.slots, store.bound, Rules::default());
        let mut products: Vec<(Option<usize>, Product)> = Vec::new();
        store.twins = slots.n_values(Slots::holder()) > 1;
        turns.woods.each_way(|way| {
            let held = slots.holder_of(way.machine);
            let test = if way.timeout { Test::Any } else { Test::May(held) };
            let holder = store.twins.then_some(test);
            for (_, jump) in way.jumps().filter(|&(grown, _)| grown <= bound) {
                let product = rules.turn(slots, way, jump, holder.clone());
                if !rules.is_idle(&product) {
                    products.push((way.timeout.then_some(way.machine), product));
                }
            }
            if !way.any() && !way.timeout && held != NONE {
                // Whoever holds can do nothing: then others may.
                let released = Some((Test::Is(held), held | TWIN));
                products.push((None, rules.change(slots, way, released, std::iter::empty())));
            }
        });
        store.spend(products.len() as u64 * WORK_PER_TURN);
        let united = rules.united(products);
        store.events = Events::default();
        for (_, product) in united.iter().filter(|(machine, _)| machine.is_none()) {
            store.events.add(rules.event(&store.levels, product));
        }
        self.n_ordinary = store.events.len() as u32;
        self.timeouts.clear();
        for (machine, product) in &united {
            let Some(machine) = *machine else { continue };
            let event = store.events.add_apart(rules.event(&store.levels, product));
            self.timeouts.push((event, machine));
        }
        self.rules = rules;
        store.diagrams.forget_moves();
    }

    /// Adds what turns with a timeout make of the configurations in which nothing else is possible; says
    /// whether that is anything new.
    fn time_out(
        &mut self,
        store: &mut Store,
        space: &mut Space,
        budget: &Budget,
    ) -> Result<bool, Obstacle> {
        let mut all = store.hold(store.set);
        for (event, machine) in self.timeouts.clone() {
            let from = self.may_time_out(store, space, machine)?;
            let image = store.fire(self, space, budget, |diagrams, events, moves| {
                diagrams.image(from, event, events, moves)
            })?;
            store.join(&mut all, image)?;
        }
        let is_new = all != store.set;
        store.set_to(all);
        store.release(all);
        Ok(is_new)
    }

    /// Where ways of a kind lead to their leaves, whoever holds.
    fn conditions(
        &mut self,
        store: &mut Store,
        turns: &Turns,
        wanted: impl Fn(&Way<'_>) -> bool,
    ) -> Vec<Filter> {
        let mut filters = Vec::new();
        for ((), product) in self.products(store, turns, |way| wanted(way).then_some(())) {
            let mut filter = store.filter();
            self.rules.narrow(turns, &store.levels, &product, &mut filter);
            filters.push(filter);
        }
        filters
    }

    /// Where ways lead to their leaves, as few products for each kind.
    fn products<K: Clone + Eq + std::hash::Hash>(
        &mut self,
        store: &mut Store,
        turns: &Turns,
        kind: impl Fn(&Way<'_>) -> Option<K>,
    ) -> Vec<(K, Product)> {
        let mut products = Vec::new();
        turns.woods.each_way(|way| {
            if let Some(kind) = kind(way) {
                products.push((kind, self.rules.condition(&turns.slots, way)));
            }
        });
        store.spend(products.len() as u64 * WORK_PER_TURN);
        self.rules.united(products)
    }
}

/// How often what a machine does where a way leads is of a kind.
fn weight(turns: &Turns, way: &Way<'_>, kind: Kind, bound: u32) -> u32 {
    let does = |what: &dyn Fn(Subject) -> bool| {
        way.jumps().any(|(_, jump)| way.subjects(jump).iter().any(|&subject| what(subject)))
    };
    let is_cut = |queue: usize| {
        let mut growths = way.jumps().flat_map(|(_, jump)| way.growths(jump));
        growths.any(|&(grown, len)| grown as usize == queue && len > bound)
    };
    let is_so = match kind {
        Kind::Steps => return way.jumps().filter(|&(grown, _)| grown <= bound).count() as u32,
        Kind::Cut(queue) => is_cut(queue),
        Kind::Ends(ends) => way.ends().has(ends),
        Kind::Acts(None) => way.any(),
        Kind::Acts(Some(part)) => match turns.slots.slot(part) {
            Slot::Machine(machine) => {
                let acts = way.machine == machine.index() && way.any();
                acts || does(&|it| it == Subject::Moves(machine))
            }
            Slot::Holder | Slot::Cell(_) | Slot::Queue(_) => false,
        },
        Kind::Takes(queue) => does(&|it| match it {
            Subject::Taken(from) | Subject::Skipped(from) => from.index() == queue,
            Subject::Moves(_) => false,
        }),
        Kind::Skips => does(&|it| matches!(it, Subject::Skipped(_))),
        Kind::Open => way.ends().has(Ends::GAVE_UP) || way.jumps().any(|(grown, _)| grown > bound),
    };
    u32::from(is_so)
}

/// Where a machine may take a turn, as far as the holder is concerned: with a timeout others have to be asked.
fn for_whom(store: &Store, turns: &Turns, (machine, timeout): (usize, bool)) -> Filter {
    let (slots, n_values) = (&turns.slots, turns.slots.n_values(Slots::holder()));
    if timeout {
        return store.filter();
    }
    let own = slots.holder_of(machine);
    let twins = table(n_values, |value| may(slots, own, value | TWIN));
    let mut filter = store.filter().only_twins(twins);
    filter.and(holder(store), table(n_values, |value| may(slots, own, value)));
    filter
}

impl Turns {
    /// Raises `longest` to the greatest length of each queue that it has with one of these values of parts.
    pub(crate) fn longest_of(&self, values: &[Vec<u32>], longest: &mut [u32]) {
        for (queue, longest) in longest.iter_mut().enumerate() {
            let part = self.slots.queue(queue);
            for &value in values.get(part).into_iter().flatten() {
                *longest = (*longest).max(self.slots.len(part, value));
            }
        }
    }
}

fn holder(store: &Store) -> usize {
    store.levels.level(Slots::holder() as u32)
}

fn turns(space: &mut Space) -> &mut Turns {
    match space {
        Space::Turns(turns) => turns,
        Space::Compiled(_) => wrong_space(),
    }
}
