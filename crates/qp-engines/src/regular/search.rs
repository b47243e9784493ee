//! Loop-first search: cycles are taken any number of times at once, then single steps.

use std::collections::VecDeque;

use qp_automata::loops::{Closure, Product};
use qp_base::{Budget, Exhausted, Spent};
use qp_machines::Property;

use super::cycles::Graph;
use super::rows::Rows;
use super::world::{ControlId, Leap, Stop, World};

/// Rounds after which a language that is not repeated is taken to count them.
const ROUNDS_MAX: usize = 8;
/// So deep are cycles taken after cycles before single steps get their turn.
const DEPTH_MAX: u32 = 6;

/// How far a search may go.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    /// The longest cycles that are taken any number of times at once.
    pub(super) cycle_max: usize,
    /// States of automata that may be gone through.
    pub(super) work_max: u64,
}

/// What was found: exactly the configurations that can be reached, if the search came to its end.
#[derive(Default)]
pub(super) struct Found {
    pub(super) rows: Rows,
    /// Failures, with a part of a row in which they happen.
    pub(super) failures: Vec<(Property, ControlId, Product)>,
    /// States of automata that were gone through.
    pub(super) work: u64,
}

enum Job {
    /// Something that may be new.
    Arrive(ControlId, Product, u32),
    /// Single steps are to be taken.
    Step(ControlId, Product),
}

/// Searches everything that can be reached.
pub(super) fn search(world: &mut World, reach: Reach, budget: &Budget) -> Result<Found, Stop> {
    let (control, product) = world.initial()?;
    let mut search = Search {
        world,
        reach,
        budget,
        found: Found::default(),
        graph: Graph::default(),
        jobs: VecDeque::from([Job::Arrive(control, product, 0)]),
    };
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
    graph: Graph,
    jobs: VecDeque<Job>,
}

impl Search<'_> {
    fn take(&mut self, job: Job) -> Result<(), Stop> {
        match job {
            Job::Arrive(control, product, depth) => {
                self.found.spend(&product, self.reach.work_max, self.budget)?;
                let rows = &mut self.found.rows;
                if let Some(grown) = rows.add(control, product, &self.world.automata)? {
                    self.go_round(control, &grown, depth)?;
                    self.jobs.push_back(Job::Step(control, grown));
                }
            }
            // What has grown in the meantime has a turn of its own.
            Job::Step(control, product) => {
                if self.found.rows.of(control).contains(&product) {
                    self.found.spend(&product, self.reach.work_max, self.budget)?;
                    self.step(control, &product)?;
                }
            }
        }
        Ok(())
    }

    /// Takes every cycle any number of times. Where two queues count how often, it is left to single steps.
    fn go_round(&mut self, control: ControlId, product: &Product, depth: u32) -> Result<(), Stop> {
        let cycles = self.graph.cycles(control, self.reach.cycle_max, product.0.len());
        for effects in cycles {
            let closure = product.closure(&effects, ROUNDS_MAX, &self.world.automata);
            let closure = match closure {
                // A cycle is a help, not a duty.
                Err(Exhausted::States) => continue,
                other => other?,
            };
            let Closure::Exact(products) = closure else { continue };
            for wider in products.into_iter().filter(|wider| wider != product) {
                let job = Job::Arrive(control, wider, depth + 1);
                if depth < DEPTH_MAX {
                    self.jobs.push_front(job);
                } else {
                    self.jobs.push_back(job);
                }
            }
        }
        Ok(())
    }

    fn step(&mut self, control: ControlId, product: &Product) -> Result<(), Stop> {
        for leap in self.world.leaps(control, product)? {
            match leap {
                Leap::To { to, product, does } => {
                    self.graph.add(control, does, to);
                    self.jobs.push_back(Job::Arrive(to, product, 0));
                }
                Leap::Fails { property, part } => self.found.fail(property, control, part),
            }
        }
        Ok(())
    }
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
