//! Why no run through a closed set is wrong: ranks for rows beside states of the automaton of wrong runs.
//!
//! What a run does in the end stays in one strongly connected component of the pairs. If one of them accepts, messages
//! are weighed: a weight for each queue and a number for each pair so that no step makes the sum greater. Steps that
//! make it smaller come to an end, so that only the others are left; among these the same is asked again.

use std::collections::BTreeMap;
use std::sync::Arc;

use qp_automata::loops::Op;
use qp_base::Budget;
use qp_claim::{ABSENT, RankedRegular, RegularSet, Stays, Weights};
use qp_lp::{Answer, BigInt, Domain, Problem, Relation, solve};
use qp_machines::{MachineId, QueueId};

use crate::graph::components_of;

use super::row_graph::{Pairs, RowGraph, Step};
use super::world::{Stop, World};

/// Components with more steps than this are not weighed.
const WEIGHED_MAX: usize = 600;
/// Steps of the simplex method for one component.
const PIVOTS_MAX: u64 = 3_000;

/// Ranks with reasons, if there are some for every pair.
pub(super) fn ranks(
    world: &mut World,
    graph: &RowGraph,
    pairs: &Pairs,
    set: &Arc<RegularSet>,
    budget: &Budget,
) -> Result<Option<RankedRegular>, Stop> {
    let mut ranking = Ranking {
        fair: world.system.program().outline().fair,
        world,
        graph,
        pairs,
        budget,
        ranks: vec![ABSENT; pairs.met.len()],
        potentials: vec![0; pairs.met.len()],
        reasons: Vec::new(),
        blocks: Vec::new(),
        weights: Vec::new(),
    };
    let next: Vec<Vec<usize>> =
        pairs.steps.iter().map(|steps| steps.iter().map(|step| step.to).collect()).collect();
    for members in grouped(&components_of(&next), |pair| pairs.met[pair]) {
        if !ranking.rank(&members)? {
            return Ok(None);
        }
    }
    Ok(Some(ranking.finish(set)))
}

/// The members of each component, those with the smallest number first.
fn grouped(of: &[u32], counts: impl Fn(usize) -> bool) -> Vec<Vec<usize>> {
    let mut groups = vec![Vec::new(); of.iter().max().map_or(0, |most| *most as usize + 1)];
    for (node, &component) in of.iter().enumerate().filter(|&(node, _)| counts(node)) {
        groups[component as usize].push(node);
    }
    groups.retain(|group| !group.is_empty());
    groups
}

struct Ranking<'a> {
    world: &'a mut World,
    graph: &'a RowGraph,
    pairs: &'a Pairs,
    budget: &'a Budget,
    fair: bool,
    ranks: Vec<u32>,
    potentials: Vec<u32>,
    reasons: Vec<Stays>,
    /// For each rank, its block.
    blocks: Vec<u32>,
    /// For each block.
    weights: Vec<Weights>,
}

impl Ranking<'_> {
    /// Ranks the pairs of a component, if there are reasons.
    fn rank(&mut self, members: &[usize]) -> Result<bool, Stop> {
        let steps = self.inner(members);
        let weights = if self.reason(members, &steps)?.is_some() {
            Weights::default()
        } else if let Some((weights, potentials)) = weigh(members, &steps, self.budget) {
            for (&pair, potential) in members.iter().zip(potentials) {
                self.potentials[pair] = potential;
            }
            weights
        } else {
            return Ok(false);
        };
        // What is left when steps that make the sum smaller have come to an end.
        let kept: Vec<(usize, Step)> = steps
            .into_iter()
            .filter(|(from, step)| self.change(&weights, *from, step) == 0)
            .collect();
        let place = |pair: usize| members.binary_search(&pair).expect("it is a step inside");
        let mut next = vec![Vec::new(); members.len()];
        for (from, step) in &kept {
            next[place(*from)].push(place(step.to));
        }
        let block = self.weights.len() as u32;
        for group in grouped(&components_of(&next), |_| true) {
            let group: Vec<usize> = group.into_iter().map(|at| members[at]).collect();
            let inside = |step: &&(usize, Step)| {
                group.binary_search(&step.0).is_ok() && group.binary_search(&step.1.to).is_ok()
            };
            let steps: Vec<(usize, Step)> = kept.iter().filter(inside).cloned().collect();
            let Some(reason) = self.reason(&group, &steps)? else { return Ok(false) };
            for pair in group {
                self.ranks[pair] = self.reasons.len() as u32;
            }
            self.reasons.push(reason);
            self.blocks.push(block);
        }
        self.weights.push(weights);
        Ok(true)
    }

    /// The steps among some pairs, which are in order.
    fn inner(&self, members: &[usize]) -> Vec<(usize, Step)> {
        let steps =
            |&from: &usize| self.pairs.steps[from].iter().map(move |step| (from, step.clone()));
        let all = members.iter().flat_map(steps);
        all.filter(|(_, step)| members.binary_search(&step.to).is_ok()).collect()
    }

    /// By how much a step inside a block changes the sum.
    fn change(&self, weights: &Weights, from: usize, step: &Step) -> i64 {
        let weight = |queue: QueueId| {
            let of = weights.0.iter().find(|(of, _)| *of == queue);
            of.map_or(0, |&(_, weight)| i64::from(weight))
        };
        let moved: i64 = traffic(step).iter().map(|&(queue, by)| by * weight(queue)).sum();
        moved + i64::from(self.potentials[step.to]) - i64::from(self.potentials[from])
    }

    /// Why no wrong run stays among some pairs with these steps.
    fn reason(
        &mut self,
        members: &[usize],
        steps: &[(usize, Step)],
    ) -> Result<Option<Stays>, Stop> {
        if steps.is_empty() {
            return Ok(Some(Stays::NoStep));
        }
        if !members.iter().any(|&pair| self.pairs.accepts(pair)) {
            return Ok(Some(Stays::NoneAccepts));
        }
        if !self.fair {
            return Ok(None);
        }
        let row = |&pair: &usize| pair / self.pairs.n_states;
        let machines = |row: usize| self.world.config(self.graph.rows[row].0).locals.len();
        let n_machines = members.iter().map(|pair| machines(row(pair))).min().unwrap_or(0);
        for machine in (0..n_machines).map(MachineId::new) {
            if steps.iter().any(|(_, step)| moves(step, machine)) {
                continue;
            }
            let mut able = true;
            for pair in members {
                let (control, product) = &self.graph.rows[row(pair)];
                able &= self.world.resting(*control, product, Some(machine))?.is_none();
            }
            if able {
                return Ok(Some(Stays::Waits(machine)));
            }
        }
        Ok(None)
    }

    fn finish(self, set: &Arc<RegularSet>) -> RankedRegular {
        let (n, n_rows) = (self.pairs.n_states, self.graph.rows.len());
        let columns = |of: &[u32]| -> Vec<Vec<u32>> {
            (0..n).map(|state| (0..n_rows).map(|row| of[row * n + state]).collect()).collect()
        };
        RankedRegular {
            set: set.clone(),
            automaton: None,
            ranks: columns(&self.ranks),
            potentials: columns(&self.potentials),
            reasons: self.reasons,
            blocks: self.blocks,
            weights: self.weights,
        }
    }
}

/// Whether a machine moves in a step.
fn moves(step: &Step, machine: MachineId) -> bool {
    step.by.as_ref().is_some_and(|by| by.movers.contains(&machine))
}

/// The queues whose lengths a step changes, in order, and by how much. Queues that are closed or go away only get
/// shorter, which is not counted.
fn traffic(step: &Step) -> Vec<(QueueId, i64)> {
    let mut traffic: BTreeMap<QueueId, i64> = BTreeMap::new();
    for &(queue, op) in step.by.iter().flat_map(|by| by.ops.iter()) {
        *traffic.entry(queue).or_default() += if matches!(op, Op::Put(_)) { 1 } else { -1 };
    }
    traffic.into_iter().filter(|&(_, by)| by != 0).collect()
}

/// Weights for queues and a number for each pair, so that no step makes the sum greater and as many as possible make it
/// smaller.
fn weigh(
    members: &[usize],
    steps: &[(usize, Step)],
    budget: &Budget,
) -> Option<(Weights, Vec<u32>)> {
    let place = |pair: usize| members.binary_search(&pair).expect("it is a step inside");
    let row = |(from, step): &(usize, Step)| (place(*from), place(step.to), traffic(step));
    let mut rows: Vec<_> = steps.iter().map(row).collect();
    rows.sort_unstable();
    rows.dedup();
    if rows.len() > WEIGHED_MAX {
        return None;
    }
    let mut problem = Problem::new();
    let potentials: Vec<_> =
        members.iter().map(|_| problem.variable(Domain::NonNegative)).collect();
    let mut queues: Vec<QueueId> =
        rows.iter().flat_map(|row| row.2.iter().map(|it| it.0)).collect();
    queues.sort_unstable();
    queues.dedup();
    let weights: Vec<_> = queues.iter().map(|_| problem.variable(Domain::NonNegative)).collect();
    let mut gains = Vec::new();
    for (from, to, traffic) in &rows {
        let (from, to) = (*from, *to);
        let gain = problem.variable(Domain::NonNegative);
        let mut terms = vec![(gain, 1)];
        if from != to {
            terms.extend([(potentials[to], 1), (potentials[from], -1)]);
        }
        for &(queue, by) in traffic {
            let at = queues.binary_search(&queue).expect("it is in the list");
            terms.push((weights[at], by));
        }
        problem.row(terms, Relation::AtMost, 0);
        problem.row(vec![(gain, 1)], Relation::AtMost, 1);
        gains.push((gain, 1));
    }
    problem.maximise(gains);
    let Answer::Optimal { point, .. } = solve(&problem, &budget.at_most(PIVOTS_MAX)) else {
        return None;
    };
    let numbers = point.smallest_integers();
    let small = |number: &BigInt| u32::try_from(number).ok();
    let numbers = numbers.iter().map(small).collect::<Option<Vec<u32>>>()?;
    let (potentials, rest) = numbers.split_at(members.len());
    let weights = queues.into_iter().zip(rest.iter().copied()).filter(|&(_, weight)| weight > 0);
    let weights: Vec<(QueueId, u32)> = weights.collect();
    (!weights.is_empty()).then(|| (Weights(weights), potentials.to_vec()))
}
