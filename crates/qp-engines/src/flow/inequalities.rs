//! The linear programs: what every run satisfies, arc by arc.

use qp_base::{Budget, Exhausted};
use qp_claim::Weighing;
use qp_lp::{Answer, BigInt, Domain, Problem, Ratio, Relation, Simplex, Term, VariableId, Vector};
use qp_machines::{Arc, ArcId, CounterId, Counts, Net};

/// What is to be made as large as possible.
pub(super) enum Most {
    /// It has a largest value.
    Bound {
        /// That value.
        value: Ratio,
        /// What proves it; `None` if its numbers are too large to be handed over.
        weighing: Option<Weighing>,
    },
    /// It grows along these arcs, each taken so often.
    Grows(Vec<(ArcId, BigInt)>),
    /// The facts contradict each other.
    Nothing,
}

/// The inequalities of a net. Rows: spots, then counters, then facts.
pub(super) struct Inequalities<'a> {
    net: &'a Net,
    /// The arcs that variables stand for.
    arcs: Vec<ArcId>,
    simplex: Simplex,
}

impl<'a> Inequalities<'a> {
    /// What every run from the beginning satisfies.
    pub(super) fn of_runs(net: &'a Net) -> Self {
        Self::new(net, |_| true, 1)
    }

    /// What every loop of arcs without progress satisfies: it begins nowhere, so constants are 0.
    pub(super) fn without_progress(net: &'a Net) -> Self {
        Self::new(net, |arc| !arc.progress, 0)
    }

    fn new(net: &'a Net, chosen: impl Fn(&Arc) -> bool, constants: i64) -> Self {
        let mut problem = Problem::new();
        let mut variables: Vec<Option<VariableId>> = vec![None; net.arcs.len()];
        let (mut spots, mut counters) =
            (vec![Vec::new(); net.spots.len()], vec![Vec::new(); net.counters.len()]);
        let mut arcs = Vec::new();
        for (id, arc) in net.arcs.iter_enumerated().filter(|(_, arc)| chosen(arc)) {
            let variable = problem.variable(Domain::NonNegative);
            variables[id.index()] = Some(variable);
            arcs.push(id);
            if let Some(from) = arc.from {
                spots[from.index()].push((variable, 1));
            }
            if let Some(to) = arc.to {
                spots[to.index()].push((variable, -1));
            }
            for &(counter, by) in &arc.effects {
                counters[counter.index()].push((variable, -by));
            }
        }
        for (spot, terms) in net.spots.iter().zip(spots) {
            problem.row(terms, Relation::AtMost, constants * i64::from(spot.initial));
        }
        for (counter, terms) in net.counters.iter().zip(counters) {
            match counter.counts {
                Counts::Handshakes(_) => problem.row(terms, Relation::Equal, 0),
                Counts::Messages(_) | Counts::Machines | Counts::Number => {
                    problem.row(terms, Relation::AtMost, constants * i64::from(counter.initial))
                }
            };
        }
        for fact in &net.facts {
            let known = fact.terms.iter();
            let terms = known.filter_map(|&(arc, by)| Some((variables[arc.index()]?, by)));
            problem.row(terms.collect(), Relation::AtMost, constants * fact.at_most);
        }
        Self { net, arcs, simplex: Simplex::new(problem) }
    }

    /// The greatest number of everything that these counters count together.
    pub(super) fn most_of(
        &mut self,
        counted: &[CounterId],
        budget: &Budget,
    ) -> Result<Most, Exhausted> {
        let gain = |arc: &Arc| -> i64 {
            let mine = arc.effects.iter().filter(|(counter, _)| counted.contains(counter));
            mine.map(|&(_, by)| by).sum()
        };
        let at_first = counted.iter().map(|&id| i64::from(self.net.counters[id].initial)).sum();
        self.maximise(gain, counted, at_first, budget)
    }

    /// The greatest number of steps.
    pub(super) fn most_steps(&mut self, budget: &Budget) -> Result<Most, Exhausted> {
        self.maximise(|_| 1, &[], 0, budget)
    }

    fn maximise(
        &mut self,
        gain: impl Fn(&Arc) -> i64,
        counted: &[CounterId],
        at_first: i64,
        budget: &Budget,
    ) -> Result<Most, Exhausted> {
        let terms = self.arcs.iter().enumerate();
        let terms = terms.map(|(place, &id)| (VariableId::new(place), gain(&self.net.arcs[id])));
        let terms: Vec<Term> = terms.filter(|&(_, gain)| gain != 0).collect();
        match self.simplex.maximise(terms, budget) {
            Answer::Optimal { value, factors, .. } => {
                let first = BigInt::from(at_first) * value.denominator();
                let value = Ratio::new(value.numerator() + first, value.denominator().clone());
                Ok(Most::Bound { value, weighing: self.weighing(&factors, counted) })
            }
            Answer::Unbounded { ray, .. } => {
                let times = self.arcs.iter().copied().zip(ray.smallest_integers());
                Ok(Most::Grows(times.filter(|(_, times)| *times != BigInt::ZERO).collect()))
            }
            Answer::Infeasible { .. } => Ok(Most::Nothing),
            Answer::Unknown(exhausted) => Err(exhausted),
        }
    }

    /// What the factors of the rows say about spots, counters and facts. What is maximised counts itself, so
    /// its counters weigh 1 more.
    fn weighing(&self, factors: &Vector, counted: &[CounterId]) -> Option<Weighing> {
        let mut numbers = factors.numerators.clone();
        let n_spots = self.net.spots.len();
        for counter in counted {
            numbers[n_spots + counter.index()] += &factors.denominator;
        }
        let (potentials, rest) = numbers.split_at(n_spots);
        let (weights, factors_of_facts) = rest.split_at(self.net.counters.len());
        Some(Weighing {
            denominator: i64::try_from(&factors.denominator).ok()?,
            potentials: listed(potentials)?,
            weights: listed(weights)?,
            factors: listed(factors_of_facts)?,
        })
    }
}

/// All that are not 0, with their places.
fn listed(numbers: &[BigInt]) -> Option<Vec<(u32, i64)>> {
    let used = numbers.iter().zip(0..).filter(|(number, _)| **number != BigInt::ZERO);
    used.map(|(number, place)| Some((place, i64::try_from(number).ok()?))).collect()
}
