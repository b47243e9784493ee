//! Ranks: why no infinite run through a set with languages is wrong.
//!
//! Every run goes from row to row, and the automaton of wrong runs from state to state with it: a run is in some row at
//! every moment, and here every step is followed to every row that has something of what comes of it. A run that
//! has ended stays in its row.

use qp_claim::{ABSENT, RankedRegular, Stays};
use qp_machines::{Config, Event, Letter, MachineId, Property, System, Turn};

use crate::languages::automaton::Automaton;
use crate::languages::parts::{self, Case};
use crate::languages::{Checked, Rows, Steps, meets, rejected, steps};

/// A state of the automaton of wrong runs: whether it accepts, and where it goes on if these letters have these values.
type State = (bool, Vec<(Vec<(Letter, bool)>, usize)>);

/// Checks that sums and ranks never rise along a step, and that the reason for each rank holds. The rows were checked
/// before.
pub(crate) fn check(
    system: &mut System,
    property: Property,
    ranked: &RankedRegular,
    rows: &Rows,
) -> Checked<()> {
    let Some(wrong) = system.program().outline().wrong_runs(property) else {
        return rejected("ranks do not prove this property");
    };
    let mut states: Vec<State> = Vec::new();
    for state in wrong.states {
        let looks = |(letter, _): &(Letter, bool)| matches!(letter, Letter::Holds(_));
        if state.edges.iter().flat_map(|edge| &edge.when).any(looks) {
            return rejected("a condition may look at more than where machines are");
        }
        let edges = state.edges.into_iter().map(|edge| (edge.when, edge.to)).collect();
        states.push((state.accepting, edges));
    }
    let pairs = Pairs { ranked, states, fair: system.program().outline().fair };
    pairs.check_form()?;
    let initial = system.initial();
    let empty = vec![Automaton::word(&[])?; initial.words.len()];
    let mut begins = false;
    for row in rows.get(&initial).into_iter().flatten() {
        begins |= meets(row, &empty)?
            && wrong.start.iter().all(|&state| pairs.rank(row.place, state).is_ok());
    }
    if !begins {
        return rejected("no row with the beginning has ranks");
    }
    rows.values().flatten().try_for_each(|row| pairs.check(system, rows, row))
}

struct Pairs<'a> {
    ranked: &'a RankedRegular,
    states: Vec<State>,
    fair: bool,
}

/// A step of a row: who moves, the rows to which it leads, and by how much each queue gets longer at most.
struct Leads {
    movers: Vec<MachineId>,
    rows: Vec<usize>,
    longer: Vec<i64>,
}

impl Pairs<'_> {
    /// There is a rank and a number for each pair, and a reason and a block for each rank.
    fn check_form(&self) -> Checked<()> {
        let RankedRegular { set, ranks, potentials, reasons, blocks, weights } = self.ranked;
        let n_rows = set.set.len();
        let full = |columns: &[Vec<u32>]| {
            columns.len() == self.states.len()
                && columns.iter().all(|column| column.len() == n_rows)
        };
        let named = |&rank: &u32| rank == ABSENT || (rank as usize) < reasons.len();
        if !full(ranks) || !full(potentials) || !ranks.iter().flatten().all(named) {
            return rejected("the ranks are not those of the rows and the automaton");
        }
        let weighed = |&block: &u32| (block as usize) < weights.len();
        if blocks.len() != reasons.len() || !blocks.iter().all(weighed) {
            return rejected("the blocks are not those of the ranks");
        }
        Ok(())
    }

    fn rank(&self, place: usize, state: usize) -> Checked<usize> {
        match self.ranked.ranks[state][place] {
            ABSENT => rejected(format!("row {place} has no rank with state {state}")),
            rank => Ok(rank as usize),
        }
    }

    /// Checks the pairs of a row: the reasons of their ranks are true of them, and of all their steps.
    fn check(&self, system: &mut System, rows: &Rows, row: &Case) -> Checked<()> {
        let ranked = |&state: &usize| self.ranked.ranks[state][row.place] != ABSENT;
        let states: Vec<usize> = (0..self.states.len()).filter(ranked).collect();
        if states.is_empty() {
            return Ok(());
        }
        for &state in &states {
            let reason = self.ranked.reasons[self.rank(row.place, state)?];
            let holds = match reason {
                Stays::NoneAccepts => !self.states[state].0,
                Stays::NoStep => true,
                Stays::Waits(machine) => self.fair && is_able(system, row, machine)?,
            };
            if !holds {
                return rejected(format!("row {}, state {state}: not {reason:?}", row.place));
            }
        }
        let Steps { taken, may_end, .. } = steps(system, row)?;
        for ((machine, _), is) in taken {
            let event = is.turn.acts().first().map_or(Event::Internal, |act| act.event);
            let mut to =
                Leads { movers: movers(machine, &is.turn), rows: Vec::new(), longer: is.longer };
            for next in rows.get(&is.config).into_iter().flatten() {
                if meets(next, &is.languages)? {
                    to.rows.push(next.place);
                }
            }
            for &state in &states {
                for next in self.read(system, state, &row.config, Some(event)) {
                    self.step((row.place, state), next, &to)?;
                }
            }
        }
        if may_end {
            let stay = Leads { movers: Vec::new(), rows: vec![row.place], longer: Vec::new() };
            for &state in &states {
                for next in self.read(system, state, &row.config, None) {
                    self.step((row.place, state), next, &stay)?;
                }
            }
        }
        Ok(())
    }

    /// The states of the automaton after reading where machines are and what happens.
    fn read(
        &self,
        system: &mut System,
        state: usize,
        config: &Config,
        event: Option<Event>,
    ) -> Vec<usize> {
        let mut holds =
            |(letter, value): &(Letter, bool)| system.reads(letter, config, event) == *value;
        let edges = self.states[state].1.iter();
        edges.filter(|(when, _)| when.iter().all(&mut holds)).map(|&(_, to)| to).collect()
    }

    /// Checks a step from a pair to the rows where it leads, with the next state.
    fn step(&self, (place, state): (usize, usize), next: usize, to: &Leads) -> Checked<()> {
        let RankedRegular { potentials, reasons, blocks, weights, .. } = self.ranked;
        let rank = self.rank(place, state)?;
        for &row in &to.rows {
            let after = self.rank(row, next)?;
            if blocks[after] < blocks[rank] {
                continue;
            }
            let weights = weights[blocks[rank] as usize].0.iter();
            let moved: i64 = weights
                .map(|&(queue, weight)| {
                    to.longer.get(queue.index()).copied().unwrap_or(0) * i64::from(weight)
                })
                .sum();
            let change =
                moved + i64::from(potentials[next][row]) - i64::from(potentials[state][place]);
            let stays = match reasons[rank] {
                Stays::NoneAccepts => true,
                Stays::NoStep => false,
                Stays::Waits(machine) => !to.movers.contains(&machine),
            };
            let keeps = change == 0 && (after < rank || after == rank && stays);
            if blocks[after] > blocks[rank] || !(change < 0 || keeps) {
                return rejected(format!("a step leads from rank {rank} to rank {after}"));
            }
        }
        Ok(())
    }
}

/// Whether a machine can move in everything that a row stands for. Nobody else can where one goes on alone.
fn is_able(system: &mut System, row: &Case, machine: MachineId) -> Checked<bool> {
    let is_kept = row.config.holder.is_some_and(|holder| holder != machine);
    if is_kept || machine.index() >= row.config.locals.len() {
        return Ok(false);
    }
    let cases = parts::turns(system, row, machine, false)?;
    Ok(cases.iter().all(|(_, turns)| !turns.is_empty()))
}

/// Who moves in a step.
fn movers(machine: MachineId, turn: &Turn) -> Vec<MachineId> {
    let partner = |event| match event {
        Event::Handshake { receiver, .. } => Some(receiver),
        _ => None,
    };
    let acts = turn.acts().iter().flat_map(|act| [Some(act.machine), partner(act.event)]);
    acts.flatten().chain([machine]).collect()
}
