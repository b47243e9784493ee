//! Proofs by rows: for each view of queues, what it shows by itself, and what strategies show.

use std::sync::Arc;

use qp_base::Budget;
use qp_claim::{Claim, LagSet, Proof, Rank, RankGoal, RankedGoal};
use qp_machines::Property;

use super::automata::Automata;
use super::lag::LagRows;
use super::rank::Ranking;
use super::views::views;
use super::{Conduct, evidence};
use crate::stop::Stop;
use crate::{Answer, Figures};

/// Rows of one view.
const ROWS_MAX: usize = 20_000;

impl Conduct {
    /// Looks for rows with strategies for what is still open.
    pub(super) fn look_for_ranks(
        &mut self,
        automata: &mut Automata,
        budget: &Budget,
    ) -> Result<(), Stop> {
        for view in views(automata, budget)? {
            if self.open.is_empty() {
                break;
            }
            match LagRows::new(automata, view, ROWS_MAX, budget) {
                Err(Stop::TooMuch) => {}
                rows => self.try_rows(automata, &rows?, budget)?,
            }
        }
        Ok(())
    }

    fn try_rows(
        &mut self,
        automata: &Automata,
        rows: &LagRows,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let set = Arc::new(evidence::lag_set(&self.system, automata, rows));
        let ranking = Ranking::new(automata, rows);
        for property in self.open.clone() {
            let mut goals = Vec::new();
            for goal in goals_of(property, automata) {
                match ranking.strategy(goal, budget)? {
                    Ok(strategy) => goals.push(strategy),
                    Err(_) => break,
                }
            }
            if goals.len() == goals_of(property, automata).len() {
                self.claim(property, &set, goals);
            }
        }
        Ok(())
    }

    fn claim(&mut self, property: Property, set: &Arc<LagSet>, goals: Vec<RankedGoal>) {
        let figures = Figures { bound: 0, states: set.rows.len() as u64, transitions: 0 };
        let rank = Rank { goals, set: set.clone() };
        let claim = Claim::Holds(Proof::Rank(Arc::new(rank)));
        self.answers.claims.push(Answer { property, claim, figures });
        self.answers.detail.push(("rank rows", set.rows.len() as u64));
        self.open.retain(|&it| it != property);
    }
}

/// What must always still be possible for a property to hold.
fn goals_of(property: Property, automata: &Automata) -> Vec<RankGoal> {
    let moves = (0..automata.machines.len()).map(|it| RankGoal::Moves(it as u32));
    let mut takes = Vec::new();
    for queue in 0..automata.capacities.len() {
        if automata.passes_over(queue) {
            let sent = |letter: &usize| automata.is_sent(queue, *letter);
            let letters = (0..automata.letters.len()).filter(sent);
            takes.extend(letters.map(|letter| RankGoal::Finds(queue as u32, letter as u32)));
        } else {
            takes.push(RankGoal::Takes(queue as u32));
        }
    }
    match property {
        Property::Stuck | Property::Deadlock => moves.collect(),
        Property::Orphan => takes,
        _ => moves.chain(takes).collect(),
    }
}
