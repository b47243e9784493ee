//! Infinite runs through a set of rows: that none is wrong, or one that is, and queues that grow.

use std::sync::Arc;

use qp_automata::{Buchi, Edge, State};
use qp_base::{Budget, Exhausted};
use qp_claim::{Claim, Proof, RegularSet, Trace};
use qp_machines::{Letter, Property, QueueId};

use super::circles::circles;
use super::endless::{Wanted, endless};
use super::ranks::ranks;
use super::row_graph::{Pairs, RowGraph};
use super::search::Found;
use super::world::{Stop, World};

/// A set of rows, seen as a graph that every run follows.
pub(super) struct Infinite {
    graph: RowGraph,
}

impl Infinite {
    /// Draws the graph, unless it is too large.
    pub(super) fn new(
        world: &mut World,
        found: &Found,
        budget: &Budget,
    ) -> Result<Option<Self>, Stop> {
        match RowGraph::new(world, found, budget) {
            Ok(graph) => Ok(Some(Self { graph })),
            Err(stop) => skipped(stop, budget).map(|()| None),
        }
    }

    /// What can be said about a property of infinite runs: a proof, or, if asked for, a run that violates it.
    pub(super) fn claim(
        &self,
        world: &mut World,
        property: Property,
        evidence: Option<&Arc<RegularSet>>,
        with_runs: bool,
        budget: &Budget,
    ) -> Result<Option<Claim>, Stop> {
        let Some(wrong) = automaton(world, property) else { return Ok(None) };
        let pairs = Pairs::new(world, &self.graph, &wrong);
        if let Some(set) = evidence {
            match ranks(world, &self.graph, &pairs, set, budget) {
                Ok(Some(ranked)) => {
                    return Ok(Some(Claim::Holds(Proof::RankedRegular(Arc::new(ranked)))));
                }
                Ok(None) => {}
                Err(stop) => skipped(stop, budget)?,
            }
        }
        if !with_runs {
            return Ok(None);
        }
        let circles = match circles(&self.graph, &pairs, &world.automata) {
            Ok(circles) => circles,
            Err(exhausted) => return skipped(exhausted.into(), budget).map(|()| None),
        };
        if circles.is_empty() && !self.graph.ends.contains(&true) {
            return Ok(None);
        }
        let mut runs = endless(world, &circles, &wrong, &Wanted::Wrong, budget)?.into_iter();
        Ok(runs.next().map(|(_, trace)| Claim::Violated(trace)))
    }

    /// For each of these queues a run that makes it grow, if one was found.
    pub(super) fn growth(
        &self,
        world: &mut World,
        queues: &[QueueId],
        budget: &Budget,
    ) -> Result<Vec<(QueueId, Trace)>, Stop> {
        let any = anything();
        let pairs = Pairs::new(world, &self.graph, &any);
        let circles = match circles(&self.graph, &pairs, &world.automata) {
            Ok(circles) => circles,
            Err(exhausted) => return skipped(exhausted.into(), budget).map(|()| Vec::new()),
        };
        if circles.is_empty() {
            return Ok(Vec::new());
        }
        let runs = endless(world, &circles, &any, &Wanted::Growth(queues), budget)?;
        Ok(runs.into_iter().filter_map(|(queue, trace)| Some((queue?, trace))).collect())
    }
}

/// A limit of this engine is no reason to stop.
fn skipped(stop: Stop, budget: &Budget) -> Result<(), Stop> {
    budget.check(qp_base::Spent::default())?;
    match stop {
        Stop::Exhausted(Exhausted::States) => Ok(()),
        stop => Err(stop),
    }
}

/// The automaton of the runs that violate a property, if it is about where machines are and what happens.
fn automaton(world: &World, property: Property) -> Option<Buchi<Letter>> {
    let wrong = world.system.program().outline().wrong_runs(property)?;
    let edges = wrong.states.iter().flat_map(|state| &state.edges);
    let looks = |(letter, _): &(Letter, bool)| matches!(letter, Letter::Holds(_));
    (!edges.flat_map(|edge| &edge.when).any(looks)).then_some(wrong)
}

/// The automaton that accepts every run.
fn anything() -> Buchi<Letter> {
    let edges = vec![Edge { when: Vec::new(), to: 0 }];
    Buchi { start: vec![0], states: vec![State { accepting: true, edges }] }
}
