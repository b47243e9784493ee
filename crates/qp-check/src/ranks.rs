//! Ranks: why no infinite run through a closed set is wrong.

use qp_automata::Buchi;
use qp_claim::{ABSENT, RankedSet, Stays};
use qp_machines::{Config, Event, Letter, MachineId, Property, System};

use crate::Rejected;
use crate::rows::{Edge, Rows};

/// Checks that ranks never rise along a step, and that the reason for each rank holds. The rows were
/// checked before.
pub(crate) fn check(
    system: &mut System,
    property: Property,
    ranked: &RankedSet,
    rows: &Rows,
) -> Result<(), Rejected> {
    let no_automaton = || Rejected("ranks do not prove this property".to_owned());
    let wrong = system.program().outline().wrong_runs(property).ok_or_else(no_automaton)?;
    let full = ranked.ranks.iter().all(|ranks| ranks.len() == ranked.set.len());
    if ranked.ranks.len() != wrong.states.len() || !full {
        return Err(Rejected("the ranks are not those of the rows and the automaton".to_owned()));
    }
    let initial = system.initial();
    let initial = rows.place(&initial).expect("the rows contain the beginning");
    let pairs = Pairs { ranked, wrong: &wrong, fair: system.program().outline().fair };
    for &state in &wrong.start {
        pairs.rank(initial as usize, state)?;
    }
    rows.each(&ranked.set, |place, config| {
        system.go_on()?;
        let edges = rows.edges(place);
        (0..wrong.states.len())
            .filter(|&state| ranked.ranks[state][place] != ABSENT)
            .try_for_each(|state| pairs.check(system, (place, state), config, edges))
    })
}

struct Pairs<'a> {
    ranked: &'a RankedSet,
    wrong: &'a Buchi<Letter>,
    fair: bool,
}

impl Pairs<'_> {
    fn rank(&self, place: usize, state: usize) -> Result<u32, Rejected> {
        match self.ranked.ranks[state][place] {
            ABSENT => Err(Rejected(format!("row {place} has no rank with state {state}"))),
            rank => Ok(rank),
        }
    }

    /// Checks one pair: its rank has a reason that is true of it, and of all its steps.
    fn check(
        &self,
        system: &mut System,
        (place, state): (usize, usize),
        config: &Config,
        edges: &[Edge],
    ) -> Result<(), Rejected> {
        let rank = self.rank(place, state)?;
        let reason = self.ranked.reasons.get(rank as usize);
        let reason = *reason.ok_or_else(|| Rejected(format!("rank {rank} has no reason")))?;
        // Who only answers others cannot move by itself.
        let able = |machine| edges.iter().any(|edge| edge.others.first() == Some(&machine));
        let holds = match reason {
            Stays::NoneAccepts => !self.wrong.states[state].accepting,
            Stays::NoStep => true,
            Stays::Waits(machine) => self.fair && able(machine),
        };
        if !holds {
            return Err(Rejected(format!("row {place}, state {state}: not {reason:?}")));
        }
        for edge in edges.iter().filter(|edge| !matches!(edge.event, Event::Failed { .. })) {
            let own = |machine| edge.moves(machine);
            for next in self.read(system, state, config, Some(edge.event)) {
                self.step((rank, reason), (edge.to as usize, next), own)?;
            }
        }
        // A run that has ended stays where it is.
        if edges.is_empty() {
            for next in self.read(system, state, config, None) {
                self.step((rank, reason), (place, next), |_| false)?;
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
        let edges = self.wrong.states[state].edges.iter();
        edges.filter(|edge| edge.when.iter().all(&mut holds)).map(|edge| edge.to).collect()
    }

    /// Checks one step from a pair with this rank: `own` says whose it is.
    fn step(
        &self,
        (rank, reason): (u32, Stays),
        (place, state): (usize, usize),
        own: impl Fn(MachineId) -> bool,
    ) -> Result<(), Rejected> {
        let next = self.rank(place, state)?;
        let stays = match reason {
            Stays::NoneAccepts => true,
            Stays::NoStep => false,
            Stays::Waits(machine) => !own(machine),
        };
        if next > rank || next == rank && !stays {
            return Err(Rejected(format!("a step leads from rank {rank} to rank {next}")));
        }
        Ok(())
    }
}
