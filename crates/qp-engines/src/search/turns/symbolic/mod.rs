//! The set of all configurations within a bound as a decision diagram, for machines whose steps are turns.
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

mod eventual;
mod judge;
mod learn;
mod levels;
mod rules;
mod runs;
mod sieve;
#[cfg(test)]
mod tests;

use num_bigint::BigUint;
use qp_base::{Budget, Exhausted, Spent};
use qp_diagrams::{Diagrams, EventId, Events, Limits, Moves, Set};

use self::levels::orders;
use self::rules::{Product, Relations};
use self::sieve::{Holders, RELEASED, Sieve, Test};
use super::super::drawn::Drawn;
use super::super::symbolic::order::Levels;
use super::super::symbolic::{Effort, LEVELS_MAX, Obstacle, obstacle};
use super::Turns;
use super::slots::{NONE, Slots};
use super::woods::{Way, Woods};

/// Work of an attempt that is made to learn who looks at whom.
const LEARNING_WORK: u64 = 20_000;

/// Work of the first attempt with each order of levels.
const FIRST_WORK: u64 = 200_000;

/// Making a turn an event takes as long as so many results of diagrams.
const WORK_PER_TURN: u64 = 8;

/// A set of configurations, closed under all turns within a bound.
pub(crate) struct TurnSet {
    diagrams: Diagrams,
    levels: Levels,
    relations: Relations,
    /// Turns without timeout, and releases.
    events: Events,
    /// The same, and behind them turns with a timeout.
    all_events: Events,
    /// Which events are turns of which machine with a timeout.
    timeouts: Vec<(usize, EventId)>,
    /// The set, with twins. This and all other sets are held.
    set: Set,
    /// The part of it of which it is known that nobody goes a new way.
    looked: Set,
    /// The configurations in which nobody can do anything without a timeout.
    still: Set,
    /// The part of them of which it is known that nobody goes a new way with a timeout.
    looked_still: Set,
    initial: Vec<u32>,
    limits: Limits,
    pub(crate) bound: u32,
}

impl TurnSet {
    /// Closes the set of the initial configuration under all turns within the bound. Several orders of levels are
    /// tried, with more and more work, until one of them gets through.
    pub(crate) fn explore(
        turns: &mut Turns,
        initial: &[u32],
        bound: u32,
        budget: &Budget,
        effort: Effort,
    ) -> Result<Self, Obstacle> {
        let (mut left, mut allowance, mut n_orders) = (effort.work_max, LEARNING_WORK, 1);
        loop {
            // Whoever gave up has learnt more about who looks at whom.
            for levels in orders(turns, effort.order).into_iter().take(n_orders) {
                let work_max = allowance.min(left);
                let mut set = Self::begin(turns, levels, initial, effort.tiny)?;
                let some = Effort { work_max, ..effort };
                match set.close(turns, bound, budget, some) {
                    Err(Obstacle::TooMuch) => left = left.saturating_sub(work_max),
                    Err(exhausted @ Obstacle::Exhausted(_)) => return Err(exhausted),
                    Ok(()) => return Ok(set),
                }
                if left == 0 || set.is_full(effort) {
                    return Err(Obstacle::TooMuch);
                }
            }
            allowance = if n_orders == 1 { FIRST_WORK } else { allowance.saturating_mul(4) };
            n_orders = usize::MAX;
        }
    }

    /// Whether there are too many nodes or levels, rather than too little work was allowed.
    fn is_full(&self, effort: Effort) -> bool {
        self.diagrams.n_nodes() >= effort.nodes_max / 8 * 7 || self.levels.len() >= LEVELS_MAX
    }

    fn begin(
        turns: &Turns,
        mut levels: Levels,
        initial: &[u32],
        tiny: bool,
    ) -> Result<Self, Obstacle> {
        let mut initial = initial.to_vec();
        // Whoever is there now and was not in the beginning did not exist then.
        initial.resize(turns.slots.n_parts(), 0);
        if initial.len() > LEVELS_MAX {
            return Err(Obstacle::TooMuch);
        }
        while levels.len() < initial.len() {
            levels.push();
        }
        let limits = Limits { nodes_max: usize::MAX >> 1, work_max: u64::MAX };
        let mut diagrams = if tiny { Diagrams::tiny(limits) } else { Diagrams::new(limits) };
        let initial = levels.by_level(&initial);
        let set = diagrams.single(&initial).map_err(|_| Obstacle::TooMuch)?;
        diagrams.hold(set);
        for _ in 0..3 {
            diagrams.hold(Set::EMPTY);
        }
        Ok(Self {
            diagrams,
            levels,
            relations: Relations::default(),
            events: Events::default(),
            all_events: Events::default(),
            timeouts: Vec::new(),
            set,
            looked: Set::EMPTY,
            still: Set::EMPTY,
            looked_still: Set::EMPTY,
            initial,
            limits,
            bound: 0,
        })
    }

    /// Closes the set under all turns within this bound.
    pub(crate) fn close(
        &mut self,
        turns: &mut Turns,
        bound: u32,
        budget: &Budget,
        effort: Effort,
    ) -> Result<(), Obstacle> {
        self.allow(effort);
        assert!(bound >= self.bound, "bounds are raised");
        self.bound = bound;
        loop {
            self.make_room(turns)?;
            self.rebuild(turns);
            self.saturate(turns, budget)?;
            if self.learn(turns, budget)? || self.learn_timeouts(turns, budget)? {
                continue;
            }
            if !self.time_out(turns, budget)? {
                return Ok(());
            }
        }
    }

    /// What may be spent from now on.
    pub(crate) fn allow(&mut self, effort: Effort) {
        let work_max = self.diagrams.work().saturating_add(effort.work_max);
        self.limits = Limits { nodes_max: effort.nodes_max, work_max };
        self.diagrams.limit(self.limits);
    }

    /// Accounts for work that is not that of diagrams.
    fn spend(&mut self, work: u64) {
        self.limits.work_max = self.limits.work_max.saturating_sub(work);
        self.diagrams.limit(self.limits);
    }

    /// Adds levels for machines and queues that were created since.
    fn make_room(&mut self, turns: &Turns) -> Result<(), Obstacle> {
        while self.levels.len() < turns.slots.n_parts() {
            let level = self.levels.len();
            if level >= LEVELS_MAX {
                return Err(Obstacle::TooMuch);
            }
            self.levels.push();
            self.initial.push(0);
            for which in 0..4 {
                let old = *self.held(which);
                let lifted = self.diagrams.lift(old, level, 0);
                self.replace(which, lifted.map_err(|abort| obstacle(abort, None))?);
            }
        }
        Ok(())
    }

    /// One of the sets that are always held.
    fn held(&mut self, which: usize) -> &mut Set {
        [&mut self.set, &mut self.looked, &mut self.still, &mut self.looked_still]
            .into_iter()
            .nth(which)
            .expect("there are four")
    }

    fn replace(&mut self, which: usize, set: Set) {
        self.diagrams.hold(set);
        let old = std::mem::replace(self.held(which), set);
        self.diagrams.release(old);
    }

    /// Makes events of everything that is known.
    fn rebuild(&mut self, turns: &Turns) {
        let (slots, woods, bound) = (&turns.slots, &turns.woods, self.bound);
        let mut relations = Relations::default();
        let mut products: Vec<(Option<usize>, Product)> = Vec::new();
        woods.each_way(|way| {
            let holder = holder_test(slots, way);
            for (_, jump) in way.jumps().filter(|&(grown, _)| grown <= bound) {
                let product = relations.turn(slots, way, jump, holder.clone());
                if !relations.is_idle(&product) {
                    products.push((way.timeout.then_some(way.machine), product));
                }
            }
            let held = slots.holder_of(way.machine);
            if !way.any() && !way.timeout && held != NONE {
                let change = (held, held | RELEASED);
                products.push((None, relations.release(slots, way, change)));
            }
        });
        self.spend(products.len() as u64 * WORK_PER_TURN);
        self.relations = relations;
        self.events = Events::default();
        let united = self.relations.united(products);
        for (_, product) in united.iter().filter(|(machine, _)| machine.is_none()) {
            self.events.add(self.relations.event(&self.levels, product));
        }
        self.all_events = self.events.clone();
        self.timeouts.clear();
        for (machine, product) in &united {
            let Some(machine) = *machine else { continue };
            let event = self.relations.event(&self.levels, product);
            let known = self.all_events.len();
            let id = self.all_events.add(event);
            // An event that is the same with and without a timeout has one number.
            debug_assert!(id.0 as usize <= known);
            self.timeouts.push((machine, id));
        }
        self.diagrams.forget_moves();
    }

    fn saturate(&mut self, turns: &Turns, budget: &Budget) -> Result<(), Obstacle> {
        let Self { diagrams, relations, events, set, .. } = self;
        let mut course = Course { turns, relations, budget, exhausted: None };
        let closed = diagrams.saturate(*set, events, &mut course);
        let closed = closed.map_err(|abort| obstacle(abort, course.exhausted))?;
        self.replace(0, closed);
        Ok(())
    }

    /// Adds what turns with a timeout make of the configurations in which nothing else is possible; says
    /// whether that is anything new.
    fn time_out(&mut self, turns: &Turns, budget: &Budget) -> Result<bool, Obstacle> {
        let mut all = self.diagrams.hold(self.set);
        for (machine, event) in self.timeouts.clone() {
            let from = self.may_time_out(turns, machine)?;
            let Self { diagrams, relations, all_events, .. } = self;
            let mut course = Course { turns, relations, budget, exhausted: None };
            let image = diagrams.image(from, event, all_events, &mut course);
            let image = image.map_err(|abort| obstacle(abort, course.exhausted))?;
            self.join(&mut all, image)?;
        }
        let is_new = all != self.set;
        self.replace(0, all);
        self.diagrams.release(all);
        Ok(is_new)
    }

    /// The configurations in which a machine may take a turn with a timeout.
    fn may_time_out(&mut self, turns: &Turns, machine: usize) -> Result<Set, Obstacle> {
        let slots = &turns.slots;
        if slots.n_values(Slots::holder()) == 1 || self.still.is_empty() {
            return Ok(self.still);
        }
        let mut from = self.diagrams.hold(self.still);
        for other in (0..slots.n_machines_queues().0).filter(|&other| other != machine) {
            let held = slots.holder_of(other);
            if held == NONE {
                continue;
            }
            // Whoever goes on alone and can do something with a timeout is the only one to do so.
            let moves = |way: &Way<'_>| way.timeout && way.machine == other && way.any();
            for product in self.conditions(turns, moves) {
                let mut sieve = self.sieve().only(Holders::Is(held));
                self.narrow(turns, &product, &mut sieve);
                let alone = self.restricted(from, &sieve)?;
                self.subtract(&mut from, alone)?;
            }
        }
        self.diagrams.release(from);
        Ok(from)
    }

    /// Where ways of a kind lead to their leaves, as few products.
    fn conditions(&mut self, turns: &Turns, wanted: impl Fn(&Way<'_>) -> bool) -> Vec<Product> {
        let all = self.cases(turns, |way| wanted(way).then_some(()));
        all.into_iter().map(|((), product)| product).collect()
    }

    /// The same for several kinds at once.
    fn cases<K: Clone + Eq + std::hash::Hash>(
        &mut self,
        turns: &Turns,
        kind: impl Fn(&Way<'_>) -> Option<K>,
    ) -> Vec<(K, Product)> {
        let mut products = Vec::new();
        turns.woods.each_way(|way| {
            if let Some(kind) = kind(way) {
                products.push((kind, self.relations.condition(&turns.slots, way)));
            }
        });
        self.spend(products.len() as u64 * WORK_PER_TURN);
        self.relations.united(products)
    }

    fn sieve(&self) -> Sieve {
        Sieve::new(self.levels.len(), self.levels.level(Slots::holder() as u32))
    }

    /// A sieve for where a machine may take a turn without a timeout.
    fn sieve_for(&self, turns: &Turns, machine: usize) -> Sieve {
        let (own, nobody) = (turns.slots.holder_of(machine), turns.slots.nobody_holds());
        self.sieve().only(Holders::May { own, nobody })
    }

    fn narrow(&self, turns: &Turns, product: &Product, sieve: &mut Sieve) {
        self.relations.narrow((&turns.slots, &turns.woods), &self.levels, product, sieve);
    }

    fn restricted(&mut self, set: Set, sieve: &Sieve) -> Result<Set, Obstacle> {
        let wanted = |level: usize, value: u32| sieve.holds(level, value);
        self.diagrams.restrict(set, wanted).map_err(|abort| obstacle(abort, None))
    }

    /// Without twins.
    fn without_twins(&mut self, set: Set) -> Result<Set, Obstacle> {
        let sieve = self.sieve().only(Holders::Real);
        self.restricted(set, &sieve)
    }

    /// The configurations whose twins are in a set, and those that are in it themselves.
    fn originals(&mut self, set: Set) -> Result<Set, Obstacle> {
        let holder = self.levels.level(Slots::holder() as u32);
        let original =
            |level: usize, value: u32| if level == holder { value & !RELEASED } else { value };
        self.diagrams.relabel(set, original).map_err(|abort| obstacle(abort, None))
    }

    /// Makes a held set larger.
    fn join(&mut self, held: &mut Set, more: Set) -> Result<(), Obstacle> {
        let joined = self.diagrams.union(*held, more).map_err(|abort| obstacle(abort, None))?;
        self.diagrams.hold(joined);
        self.diagrams.release(*held);
        *held = joined;
        Ok(())
    }

    /// Makes a held set smaller.
    fn subtract(&mut self, held: &mut Set, less: Set) -> Result<(), Obstacle> {
        let left = self.diagrams.difference(*held, less).map_err(|abort| obstacle(abort, None))?;
        self.diagrams.hold(left);
        self.diagrams.release(*held);
        *held = left;
        Ok(())
    }

    /// Gives up a set that is held.
    pub(crate) fn release(&mut self, set: Set) {
        self.diagrams.release(set);
    }

    /// How many configurations there are.
    pub(crate) fn count(&self) -> BigUint {
        let sieve = self.sieve().only(Holders::Real);
        self.diagrams.weigh(self.set, |level, value| u64::from(sieve.holds(level, value)))
    }

    /// Nodes of the diagram of the set.
    pub(crate) fn size(&self) -> usize {
        self.diagrams.size(self.set)
    }

    /// The diagram, level by level from the highest: the part that stands there, and the nodes.
    pub(crate) fn drawn(&mut self) -> Result<Vec<Drawn>, Obstacle> {
        let set = self.without_twins(self.set)?;
        let nodes = self.diagrams.nodes(set).into_iter();
        let parts = (0..self.levels.len()).rev().map(|level| self.levels.part(level));
        Ok(parts.zip(nodes).collect())
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.diagrams.bytes()
    }

    /// Calls `f` with the values of the parts of every configuration, in a fixed order.
    pub(crate) fn each(&self, mut f: impl FnMut(&[u32])) {
        let sieve = self.sieve().only(Holders::Real);
        let holder = self.levels.level(Slots::holder() as u32);
        self.diagrams.each(self.set, |tuple| {
            if sieve.holds(holder, tuple[holder]) {
                f(&self.levels.by_part(tuple));
            }
            true
        });
    }
}

/// Who must hold for a turn, where anybody ever does.
fn holder_test(slots: &Slots, way: &Way<'_>) -> Option<Test> {
    let held = slots.n_values(Slots::holder()) > 1;
    let test = if way.timeout { Test::Any } else { Test::May(slots.holder_of(way.machine)) };
    held.then_some(test)
}

/// What diagrams need to know of turns.
struct Course<'a> {
    turns: &'a Turns,
    relations: &'a Relations,
    budget: &'a Budget,
    exhausted: Option<Exhausted>,
}

impl Course<'_> {
    fn known(&self) -> (&Slots, &Woods) {
        (&self.turns.slots, &self.turns.woods)
    }
}

impl Moves for Course<'_> {
    fn meet(&mut self, _: usize, _: u32, _: &mut Events) {}

    fn next(&mut self, relation: u32, value: u32, found: &mut Vec<u32>) {
        self.relations.next(self.known(), relation, value, found);
    }

    fn leads(&mut self, relation: u32, value: u32) -> bool {
        self.relations.leads(self.known(), relation, value)
    }

    fn may_go_on(&mut self, n_nodes: usize, bytes: u64) -> bool {
        let spent = Spent { states: n_nodes as u64, bytes: bytes + self.turns.bytes() };
        self.exhausted = self.budget.check(spent).err();
        self.exhausted.is_none()
    }
}
