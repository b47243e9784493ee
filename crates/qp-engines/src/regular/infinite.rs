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
use super::world::{Stop, World};

/// What is not too much for this engine: a limit of its own is no reason to stop.
pub(super) fn unless_large<T>(
    found: Result<T, impl Into<Stop>>,
    budget: &Budget,
) -> Result<Option<T>, Stop> {
    let stop = match found {
        Ok(found) => return Ok(Some(found)),
        Err(stop) => stop.into(),
    };
    budget.check(qp_base::Spent::default())?;
    if matches!(stop, Stop::Exhausted(Exhausted::States)) { Ok(None) } else { Err(stop) }
}

/// What can be said about a property of infinite runs: a proof, or, if asked for, a run that violates it.
pub(super) fn claim(
    world: &mut World,
    graph: &RowGraph,
    property: Property,
    evidence: Option<&Arc<RegularSet>>,
    with_runs: bool,
    budget: &Budget,
) -> Result<Option<Claim>, Stop> {
    let Some(wrong) = automaton(world, property) else { return Ok(None) };
    let pairs = Pairs::new(world, graph, &wrong);
    if let Some(set) = evidence {
        let ranked = unless_large(ranks(world, graph, &pairs, set, budget), budget)?;
        if let Some(mut ranked) = ranked.flatten() {
            ranked.automaton = world.system.program().outline().translated(property);
            return Ok(Some(Claim::Holds(Proof::RankedRegular(Arc::new(ranked)))));
        }
    }
    if !with_runs {
        return Ok(None);
    }
    let circles = unless_large(circles(graph, &pairs, &world.automata), budget)?;
    let ends = graph.has_ends();
    let Some(circles) = circles.filter(|circles| ends || !circles.is_empty()) else {
        return Ok(None);
    };
    let mut runs = endless(world, &circles, &wrong, &Wanted::Wrong, budget)?.into_iter();
    Ok(runs.next().map(|(_, trace)| Claim::Violated(trace)))
}

/// For each of these queues a run that makes it grow, if one was found.
pub(super) fn growth(
    world: &mut World,
    graph: &RowGraph,
    queues: &[QueueId],
    budget: &Budget,
) -> Result<Vec<(QueueId, Trace)>, Stop> {
    let any = anything();
    let pairs = Pairs::new(world, graph, &any);
    let circles = unless_large(circles(graph, &pairs, &world.automata), budget)?;
    let Some(circles) = circles.filter(|circles| !circles.is_empty()) else {
        return Ok(Vec::new());
    };
    let runs = endless(world, &circles, &any, &Wanted::Growth(queues), budget)?;
    Ok(runs.into_iter().filter_map(|(queue, trace)| Some((queue?, trace))).collect())
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
