//! Ranks: why no infinite run through a cover is wrong.
//!
//! Every run goes from row to row, and the automaton of wrong runs from state to state with it: a run is in some row at
//! every moment, and every step is followed to every row that has something of what comes of it. A run that has ended
//! stays in its row.

use qp_automata::Buchi;
use qp_claim::{ABSENT, RankedRegular, RankedSet, RankedSorted, Stays};
use qp_machines::{Config, Event, Letter, Property, Says, System};

use crate::cover::{Leads, Runs};
use crate::{Checked, heat, tableau, wrong};

/// Ranks as evidence has them.
pub(crate) struct Ranks<'a> {
    /// What the formula was translated to.
    automaton: Option<&'a Buchi<u32>>,
    pub(crate) columns: &'a [Vec<u32>],
    pub(crate) reasons: &'a [Stays],
    /// Blocks, and sums that never rise in them.
    weighed: Option<&'a RankedRegular>,
}

impl<'a> From<&'a RankedSet> for Ranks<'a> {
    fn from(set: &'a RankedSet) -> Self {
        let automaton = set.automaton.as_ref();
        Self { automaton, columns: &set.ranks, reasons: &set.reasons, weighed: None }
    }
}

impl<'a> From<&'a RankedSorted> for Ranks<'a> {
    fn from(set: &'a RankedSorted) -> Self {
        Self { automaton: None, columns: &set.ranks, reasons: &set.reasons, weighed: None }
    }
}

impl<'a> From<&'a RankedRegular> for Ranks<'a> {
    fn from(set: &'a RankedRegular) -> Self {
        let automaton = set.automaton.as_ref();
        Self { automaton, columns: &set.ranks, reasons: &set.reasons, weighed: Some(set) }
    }
}

/// Checks that sums and ranks never rise along a step, and that the reason for each rank holds. The rows were checked
/// before.
pub(crate) fn check(
    runs: &dyn Runs,
    system: &mut System,
    property: Property,
    ranks: Ranks<'_>,
) -> Checked<()> {
    if let Some(heat) = property.heat(system.program().outline())
        && runs.is_exact()
    {
        return heat::check(runs, system, heat, &ranks);
    }
    let automaton = match (system.program().outline().says(property), ranks.automaton) {
        (Some(Says::Formula(formula)), Some(automaton)) => tableau::check(&formula, automaton)?,
        (Some(Says::Never(automaton)), None) => automaton,
        (Some(_), _) => return wrong("a formula has an automaton in the evidence, and only it"),
        (None, _) => return wrong("ranks do not prove this property"),
    };
    let mut letters =
        automaton.states.iter().flat_map(|state| &state.edges).flat_map(|it| &it.when);
    if !runs.is_exact() && letters.any(|(letter, _)| matches!(letter, Letter::Holds(_))) {
        return wrong("a condition may look at more than where machines are");
    }
    let pairs = Pairs { runs, ranks, automaton, fair: system.program().outline().fair };
    pairs.check_form()?;
    let begins = |place: &usize| {
        pairs.automaton.start.iter().all(|&state| pairs.rank(*place, state).is_ok())
    };
    if !runs.beginnings(system)?.iter().any(begins) {
        return wrong("no row with the beginning has ranks");
    }
    (0..runs.n_rows()).try_for_each(|place| pairs.check(system, place))
}

struct Pairs<'a> {
    runs: &'a dyn Runs,
    ranks: Ranks<'a>,
    automaton: Buchi<Letter>,
    fair: bool,
}

impl Pairs<'_> {
    /// There is a rank for each pair, and a reason for each rank; with sums, also a number and a block.
    fn check_form(&self) -> Checked<()> {
        let Ranks { columns: ranks, reasons, weighed, .. } = self.ranks;
        let full = |columns: &[Vec<u32>]| {
            columns.len() == self.automaton.states.len()
                && columns.iter().all(|column| column.len() == self.runs.n_rows())
        };
        let named = |&rank: &u32| rank == ABSENT || (rank as usize) < reasons.len();
        if !full(ranks) || !ranks.iter().flatten().all(named) {
            return wrong("the ranks are not those of the rows and the automaton");
        }
        let Some(RankedRegular { potentials, blocks, weights, .. }) = weighed else {
            return Ok(());
        };
        let weighed = |&block: &u32| (block as usize) < weights.len();
        if !full(potentials) || blocks.len() != reasons.len() || !blocks.iter().all(weighed) {
            return wrong("the blocks are not those of the ranks");
        }
        Ok(())
    }

    fn rank(&self, place: usize, state: usize) -> Checked<usize> {
        match self.ranks.columns[state][place] {
            ABSENT => wrong(format!("row {place} has no rank with state {state}")),
            rank => Ok(rank as usize),
        }
    }

    /// Checks the pairs of a row: the reasons of their ranks are true of them, and of all their steps.
    fn check(&self, system: &mut System, place: usize) -> Checked<()> {
        system.go_on()?;
        let ranked = |&state: &usize| self.ranks.columns[state][place] != ABSENT;
        let states: Vec<usize> = (0..self.automaton.states.len()).filter(ranked).collect();
        let Some(config) = self.runs.config(place)?.filter(|_| !states.is_empty()) else {
            return Ok(());
        };
        for &state in &states {
            let reason = self.ranks.reasons[self.rank(place, state)?];
            let holds = match reason {
                Stays::NoneAccepts => !self.automaton.states[state].accepting,
                Stays::NoStep => true,
                Stays::Waits(machine) => self.fair && self.runs.is_able(system, place, machine)?,
            };
            if !holds {
                return wrong(format!("row {place}, state {state}: not {reason:?}"));
            }
        }
        for to in self.runs.steps(system, place)? {
            for &state in &states {
                for next in self.read(system, state, &config, to.event) {
                    self.step((place, state), next, &to)?;
                }
            }
        }
        Ok(())
    }

    /// The states of the automaton after reading a configuration and what happens in it.
    fn read(
        &self,
        system: &mut System,
        state: usize,
        config: &Config,
        event: Option<Event>,
    ) -> Vec<usize> {
        let mut holds =
            |(letter, value): &(Letter, bool)| system.reads(letter, config, event) == *value;
        let edges = self.automaton.states[state].edges.iter();
        edges.filter(|edge| edge.when.iter().all(&mut holds)).map(|edge| edge.to).collect()
    }

    /// Checks a step from a pair to the rows where it leads, with the next state.
    fn step(&self, (place, state): (usize, usize), next: usize, to: &Leads) -> Checked<()> {
        let rank = self.rank(place, state)?;
        for &row in &to.rows {
            let after = self.rank(row, next)?;
            let (fall, change) = self.ranks.weighed.map_or((0, 0), |it| {
                let potential = |state: usize, place: usize| i64::from(it.potentials[state][place]);
                let fall = i64::from(it.blocks[rank]) - i64::from(it.blocks[after]);
                (fall, moved(it, rank, to) + potential(next, row) - potential(state, place))
            });
            let stays = match self.ranks.reasons[rank] {
                Stays::NoneAccepts => true,
                Stays::NoStep => false,
                Stays::Waits(machine) => !to.movers.contains(&machine),
            };
            let keeps = change == 0 && (after < rank || after == rank && stays);
            if fall < 0 || fall == 0 && !(change < 0 || keeps) {
                return wrong(format!("a step leads from rank {rank} to rank {after}"));
            }
        }
        Ok(())
    }
}

/// By how much a step changes the weights of queues in the block of a rank.
fn moved(ranked: &RankedRegular, rank: usize, to: &Leads) -> i64 {
    let longer = |queue: usize| to.longer.get(queue).copied().unwrap_or(0);
    let weights = ranked.weights[ranked.blocks[rank] as usize].0.iter();
    weights.map(|&(queue, weight)| longer(queue.index()) * i64::from(weight)).sum()
}
