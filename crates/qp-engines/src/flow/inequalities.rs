//! The linear programs: what every run satisfies, arc by arc.

use qp_base::{Budget, Exhausted};
use qp_claim::Weighing;
use qp_lp::{Answer, BigInt, Domain, Problem, Ratio, Relation, Simplex, Term, VariableId, Vector};
use qp_machines::{Arc, ArcId, CounterId, Counts, Net};

/// Arcs that are taken for ever, each so often compared with the others.
pub(super) type Ray = Vec<(ArcId, BigInt)>;

/// What is to be made as large as possible.
pub(super) enum Most {
    /// It has a largest value.
    Bound {
        /// That value.
        value: Ratio,
        /// What proves it; `None` if its numbers are too large to be handed over.
        weighing: Option<Weighing>,
    },
    /// It grows along these arcs.
    Grows(Ray),
    /// The facts contradict each other.
    Nothing,
}

/// The inequalities of a net. Rows: spots, then counters, then facts, then what is taken again and again.
pub(super) struct Inequalities<'a> {
    net: &'a Net,
    /// The arcs that variables stand for.
    arcs: Vec<ArcId>,
    /// How often the rarest of what is taken again and again is taken.
    rarest: Option<VariableId>,
    simplex: Simplex,
}

impl<'a> Inequalities<'a> {
    /// What every run from the beginning satisfies.
    pub(super) fn of_runs(net: &'a Net) -> Self {
        Self::new(net, |_| true, 1, &[])
    }

    /// What every loop satisfies that takes only arcs that are `left`, and some arc of each of `musts`. It begins
    /// nowhere, so constants are 0.
    pub(super) fn of_loops(net: &'a Net, left: &[bool], musts: &[Vec<bool>]) -> Self {
        Self::new(net, |id| left[id.index()], 0, musts)
    }

    fn new(
        net: &'a Net,
        chosen: impl Fn(ArcId) -> bool,
        constants: i64,
        musts: &[Vec<bool>],
    ) -> Self {
        let mut problem = Problem::new();
        let mut variables: Vec<Option<VariableId>> = vec![None; net.arcs.len()];
        let arcs: Vec<ArcId> = net.arcs.ids().filter(|&id| chosen(id)).collect();
        for &id in &arcs {
            variables[id.index()] = Some(problem.variable(Domain::NonNegative));
        }
        flows(&mut problem, net, &variables, constants);
        counts(&mut problem, net, &variables, constants);
        let taken = |terms: &[(ArcId, i64)]| -> Vec<Term> {
            terms.iter().filter_map(|&(arc, by)| Some((variables[arc.index()]?, by))).collect()
        };
        for fact in &net.facts {
            problem.row(taken(&fact.terms), Relation::AtMost, constants * fact.at_most);
        }
        let rarest = (!musts.is_empty()).then(|| problem.variable(Domain::NonNegative));
        for must in musts {
            let some: Vec<(ArcId, i64)> =
                net.arcs.ids().filter(|id| must[id.index()]).map(|id| (id, -1)).collect();
            let mut terms = taken(&some);
            terms.extend(rarest.map(|rarest| (rarest, 1)));
            problem.row(terms, Relation::AtMost, 0);
        }
        Self { net, arcs, rarest, simplex: Simplex::new(problem) }
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
        let terms = self.arcs.iter().enumerate();
        let terms = terms.map(|(place, &id)| (VariableId::new(place), gain(&self.net.arcs[id])));
        let terms: Vec<Term> = terms.filter(|&(_, gain)| gain != 0).collect();
        let at_first = counted.iter().map(|&id| i64::from(self.net.counters[id].initial)).sum();
        self.maximise(terms, counted, at_first, budget)
    }

    /// Whether everything that is taken again and again can be.
    pub(super) fn again(&mut self, budget: &Budget) -> Result<Most, Exhausted> {
        let terms = self.rarest.map(|rarest| (rarest, 1)).into_iter().collect();
        self.maximise(terms, &[], 0, budget)
    }

    fn maximise(
        &mut self,
        terms: Vec<Term>,
        counted: &[CounterId],
        at_first: i64,
        budget: &Budget,
    ) -> Result<Most, Exhausted> {
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
        let (weights, rest) = rest.split_at(self.net.counters.len());
        Some(Weighing {
            denominator: i64::try_from(&factors.denominator).ok()?,
            potentials: listed(potentials)?,
            weights: listed(weights)?,
            factors: listed(&rest[..self.net.facts.len()])?,
        })
    }
}

/// A spot is left at most as often as it was entered, and once more for each machine that began there.
fn flows(problem: &mut Problem, net: &Net, variables: &[Option<VariableId>], constants: i64) {
    let mut spots: Vec<Vec<Term>> = vec![Vec::new(); net.spots.len()];
    for (arc, variable) in net.arcs.iter().zip(variables) {
        let Some(variable) = *variable else { continue };
        if let Some(from) = arc.from {
            spots[from.index()].push((variable, 1));
        }
        if let Some(to) = arc.to {
            spots[to.index()].push((variable, -1));
        }
    }
    for (spot, terms) in net.spots.iter().zip(spots) {
        problem.row(terms, Relation::AtMost, constants * i64::from(spot.initial));
    }
}

/// No more is taken than there is; of what is handed over, exactly as much as is sent.
fn counts(problem: &mut Problem, net: &Net, variables: &[Option<VariableId>], constants: i64) {
    let mut counters: Vec<Vec<Term>> = vec![Vec::new(); net.counters.len()];
    for (arc, variable) in net.arcs.iter().zip(variables) {
        let Some(variable) = *variable else { continue };
        for &(counter, by) in &arc.effects {
            counters[counter.index()].push((variable, -by));
        }
    }
    for (counter, terms) in net.counters.iter().zip(counters) {
        match counter.counts {
            Counts::Handshakes(_) => problem.row(terms, Relation::Equal, 0),
            Counts::Messages(_) | Counts::Machines | Counts::Number => {
                problem.row(terms, Relation::AtMost, constants * i64::from(counter.initial))
            }
        };
    }
}

/// All that are not 0, with their places.
fn listed(numbers: &[BigInt]) -> Option<Vec<(u32, i64)>> {
    let used = numbers.iter().zip(0..).filter(|(number, _)| **number != BigInt::ZERO);
    used.map(|(number, place)| Some((place, i64::try_from(number).ok()?))).collect()
}
