//! Loop-first search: cycles are taken any number of times at once, then single steps.

use std::collections::VecDeque;

use qp_automata::loops::{Closure, Effect, Product};
use qp_automata::regular::Language;
use qp_base::{Budget, Exhausted, Set, Spent};
use qp_machines::Property;

use super::joint::beside;
use super::refine::widen;
use super::rounds::{can_grow, grown};
use super::rows::{Rows, as_one, size};
use super::ways::{WayId, Ways};
use super::world::{ControlId, Leap, Stop, World};

/// So deep are cycles taken after cycles before single steps get their turn.
const DEPTH_MAX: u32 = 6;
/// A control with more products than this goes on for ever, as far as one can see.
const PRODUCTS_MAX: usize = 40;

/// So many rounds are tried: each takes as long as many steps.
const ROUNDS_MAX: u32 = 100;

/// How far a search may go.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    /// The longest cycles that are taken any number of times at once.
    pub(super) cycle_max: usize,
    /// States of automata that may be gone through.
    pub(super) work_max: u64,
    /// Whether queues need not agree about how often a cycle was taken where two of them tell: then more may be found
    /// than can be reached.
    pub(super) loose: bool,
    /// Whether cycles of any length are taken, too, on which a control was met again, and cycles after cycles.
    pub(super) long: bool,
}

/// What was found by a search that came to its end: exactly the configurations that can be reached, or those and others.
#[derive(Default)]
pub(super) struct Found {
    pub(super) rows: Rows,
    /// Failures, with a part of a row in which they happen.
    pub(super) failures: Vec<(Property, ControlId, Product)>,
    /// States of automata that were gone through.
    pub(super) work: u64,
    /// Whether there may be more in it than can be reached.
    pub(super) over: bool,
}

enum Job {
    /// Something that may be new, where a way leads to, after so many cycles.
    Arrive(WayId, Product, u32),
    /// Single steps are to be taken.
    Step(WayId, Product),
}

/// States of automata that may be gone through to get to know the graph of controls.
pub(super) const LOOK_WORK_MAX: u64 = 4_000;

/// Gets to know the steps between controls, so that cycles can be taken when a control is met for the first time.
pub(super) fn look_ahead(world: &mut World, budget: &Budget) -> Result<(), Stop> {
    match widen(world, 1, LOOK_WORK_MAX, budget) {
        Ok(_) | Err(Stop::Exhausted(Exhausted::States)) => Ok(()),
        Err(stop) => Err(stop),
    }
}

/// Searches everything that can be reached.
pub(super) fn search(world: &mut World, reach: Reach, budget: &Budget) -> Result<Found, Stop> {
    let (control, product) = world.initial();
    let mut search = Search {
        world,
        reach,
        budget,
        found: Found::default(),
        ways: Ways::default(),
        arrived: Set::default(),
        jobs: VecDeque::new(),
        rounds: 0,
    };
    let way = search.ways.begin(control);
    search.jobs.push_back(Job::Arrive(way, product, 0));
    while let Some(job) = search.jobs.pop_front() {
        search.take(job)?;
    }
    Ok(search.found)
}

struct Search<'a> {
    world: &'a mut World,
    reach: Reach,
    budget: &'a Budget,
    found: Found,
    ways: Ways,
    /// What was looked at before.
    arrived: Set<(ControlId, Product)>,
    jobs: VecDeque<Job>,
    /// How many rounds were tried.
    rounds: u32,
}

impl Search<'_> {
    fn take(&mut self, job: Job) -> Result<(), Stop> {
        match job {
            Job::Arrive(way, product, depth) => {
                let control = self.ways.end(way);
                if !self.arrived.insert((control, product.clone())) {
                    return Ok(());
                }
                self.found.spend(&product, self.reach.work_max, self.budget)?;
                let rows = &mut self.found.rows;
                if let Some(grown) = rows.add(control, product, &self.world.automata)? {
                    if self.found.rows.of(control).len() > PRODUCTS_MAX {
                        return Err(Stop::Exhausted(Exhausted::States));
                    }
                    self.go_round(way, &grown, depth)?;
                    self.jobs.push_back(Job::Step(way, grown));
                }
            }
            // What has grown in the meantime has a turn of its own.
            Job::Step(way, product) => {
                if self.found.rows.of(self.ways.end(way)).contains(&product) {
                    self.found.spend(&product, self.reach.work_max, self.budget)?;
                    self.step(way, &product)?;
                }
            }
        }
        Ok(())
    }

    /// Takes every cycle any number of times.
    fn go_round(&mut self, way: WayId, product: &Product, depth: u32) -> Result<(), Stop> {
        self.world.renew_graph()?;
        let (control, n_queues) = (self.ways.end(way), product.0.len());
        let cycles = self.world.graph.cycles(control, self.reach.cycle_max, n_queues);
        let joint = cycles.joint(product, &self.world.automata);
        // What has all of this in it goes round itself.
        if let Some(wider) = tried(joint.map(|wider| (wider != *product).then_some(wider)))? {
            self.jobs.push_front(Job::Arrive(way, wider, depth));
            return Ok(());
        }
        let long = if self.reach.long { self.ways.cycles(way, n_queues) } else { Vec::new() };
        let new = |effects: &Vec<Effect>| !cycles.others.contains(effects);
        let long: Vec<Vec<Effect>> = long.into_iter().filter(new).collect();
        let World { automata, memo, .. } = &mut *self.world;
        let pairs = if self.reach.long { &cycles.pairs[..] } else { &[] };
        let together = cycles.all.iter().chain(pairs).chain(&long);
        let mut wider = tried(beside(together, product, memo, automata))?;
        if wider.is_none() && self.reach.long {
            wider = self.grown(way, product)?;
        }
        if let Some(wider) = wider {
            self.jobs.push_front(Job::Arrive(way, wider, depth));
            return Ok(());
        }
        let others: Vec<&Vec<Effect>> = cycles.others.iter().chain(&long).collect();
        self.go_each(way, product, depth, &others)
    }

    /// What comes of taking the round on which a control was met again any number of times, if that leads to more.
    fn grown(&mut self, way: WayId, product: &Product) -> Result<Option<Product>, Exhausted> {
        let Some(round) = self.ways.last_round(way) else { return Ok(None) };
        if self.rounds >= ROUNDS_MAX || !can_grow(&round, product.0.len()) {
            return Ok(None);
        }
        self.rounds += 1;
        tried(grown(self.world, &round, product, self.reach.cycle_max))
    }

    /// Takes each of some cycles any number of times. If there are some that make one larger product of it, then only
    /// the one that makes the simplest: what comes of the others is simpler, too, if it comes of that.
    fn go_each(
        &mut self,
        way: WayId,
        product: &Product,
        depth: u32,
        cycles: &[&Vec<Effect>],
    ) -> Result<(), Stop> {
        let (mut all, mut best): (Vec<Product>, Option<Product>) = (Vec::new(), None);
        for effects in cycles {
            let products = match self.round(product, effects) {
                // A cycle is a help, not a duty.
                Err(Exhausted::States) if self.found.work <= self.reach.work_max => continue,
                other => other?,
            };
            let one = as_one(&products, &self.world.automata);
            match one.filter(|one| product.is_included_in(one) && one != product) {
                Some(one) if best.as_ref().is_none_or(|best| size(&one) < size(best)) => {
                    best = Some(one);
                }
                Some(_) => {}
                None => all.extend(products),
            }
        }
        match best {
            Some(best) => self.come(way, best, product, depth),
            None => all.into_iter().for_each(|wider| self.come(way, wider, product, depth)),
        }
        Ok(())
    }

    /// Notes what came of a product by going round.
    fn come(&mut self, way: WayId, wider: Product, product: &Product, depth: u32) {
        if wider == *product {
            return;
        }
        let job = Job::Arrive(way, wider, depth + 1);
        if depth < DEPTH_MAX {
            self.jobs.push_front(job);
        } else {
            self.jobs.push_back(job);
        }
    }

    /// What becomes of a product when a cycle is taken any number of times; nothing where that is not known.
    fn round(&mut self, product: &Product, effects: &[Effect]) -> Result<Vec<Product>, Exhausted> {
        let possible = |(language, effect): (&Language, &Effect)| {
            language.has_prefix(&effect.taken()[..effect.demand()])
        };
        if !product.0.iter().zip(effects).all(possible) {
            return Ok(Vec::new());
        }
        // Queues that the cycle does not touch stay as they are.
        let touched = |place: &usize| effects[*place] != Effect::default();
        let places: Vec<usize> = (0..effects.len()).filter(touched).collect();
        let part = Product(places.iter().map(|&place| product.0[place].clone()).collect());
        let done: Vec<Effect> = places.iter().map(|&place| effects[place].clone()).collect();
        self.found.spend(&part, self.reach.work_max, self.budget)?;
        let World { automata, memo, .. } = &mut *self.world;
        let parts = match memo.closure(part.clone(), done.clone(), automata)? {
            Closure::Exact(parts) => parts,
            Closure::Counting(..) if self.reach.loose => {
                self.found.over = true;
                vec![part.closure_of_each(&done, automata)?]
            }
            Closure::Counting(..) => Vec::new(),
        };
        let whole = |part: Product| {
            let mut whole = product.clone();
            for (&place, language) in places.iter().zip(part.0) {
                whole.0[place] = language;
            }
            whole
        };
        Ok(parts.into_iter().map(whole).collect())
    }

    fn step(&mut self, way: WayId, product: &Product) -> Result<(), Stop> {
        let control = self.ways.end(way);
        let version = self.world.version;
        let leaps = self.world.leaps(control, product)?;
        if version < self.world.version {
            self.ways.doubt();
        }
        for leap in leaps {
            match leap {
                Leap::To { to, product, does, .. } => {
                    self.world.graph.add(control, &does, to);
                    let on = self.ways.go_on(way, does, to);
                    self.jobs.push_back(Job::Arrive(on, product, 0));
                }
                Leap::Fails { property, part } => self.found.fail(property, control, part),
            }
        }
        Ok(())
    }
}

/// What was found where that was not too much: a cycle is a help, not a duty.
fn tried<T>(found: Result<Option<T>, Exhausted>) -> Result<Option<T>, Exhausted> {
    if found.as_ref().is_err_and(|it| *it == Exhausted::States) { Ok(None) } else { found }
}

impl Found {
    /// Notes a failure, one for each control.
    pub(super) fn fail(&mut self, property: Property, control: ControlId, part: Product) {
        let known = self.failures.iter().any(|(p, c, _)| *p == property && *c == control);
        if !known {
            self.failures.push((property, control, part));
        }
    }

    /// Pays for a product.
    pub(super) fn spend(
        &mut self,
        product: &Product,
        work_max: u64,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        self.work += product.0.iter().map(|l| l.dfa().states().len() as u64).sum::<u64>();
        budget.check(Spent { states: self.work, bytes: 0 })?;
        if self.work > work_max { Err(Exhausted::States) } else { Ok(()) }
    }
}
