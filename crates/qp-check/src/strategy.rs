//! Strategies on rows: why something can always still happen.
//!
//! In each row of a stage the strategy names a step that everything in the row has. Whichever row it leads to, that is one
//! where an earlier stage goes on, or one of the same stage, and then what queues hold, weighed, and the number of the
//! row have together become less. They are never negative, so an earlier stage is reached, and before the first the
//! goal. `docs/decisions/016-ranks.md` has the proof.

use std::collections::BTreeMap;

use qp_claim::{CoreDeed, Rank, RankStage, RankStep};
use qp_machines::{Property, System};

use crate::cover::{Choice, Choices};
use crate::{Checked, wrong};

/// Checks that strategies prove a property. The rows were checked before.
pub(crate) fn check(
    rows: &mut dyn Choices,
    system: &System,
    property: Property,
    rank: &Rank,
) -> Checked<()> {
    for goal in rows.goals(system, property)? {
        system.go_on()?;
        let of_goal = rank.goals.iter().find(|it| it.goal == goal);
        let stages = of_goal.map_or(&[][..], |it| &it.stages);
        let hits = |row: usize| {
            rows.choices(row)
                .iter()
                .any(|choice| choice.is_sure && rows.is_hit(system, goal, choice))
        };
        let mut won: Vec<bool> = (0..rows.n_rows()).map(hits).collect();
        for stage in stages {
            check_stage(rows, stage, &mut won)?;
        }
        for (row, won) in won.into_iter().enumerate() {
            if !won && rows.needs(system, goal, row) {
                return wrong(format!("row {row} has no way to {goal:?}"));
            }
        }
    }
    Ok(())
}

/// Checks that a stage leads to what is won, and adds its rows to that.
fn check_stage(rows: &dyn Choices, stage: &RankStage, won: &mut [bool]) -> Checked<()> {
    let weight = |queue: u32, letter: u32| -> i64 {
        let of_message = stage.weights.iter().find(|it| (it.0, it.1) == (queue, letter));
        of_message.map_or(0, |it| i64::from(it.2))
    };
    let steps: BTreeMap<u32, &RankStep> = stage.steps.iter().map(|it| (it.row, it)).collect();
    for step in &stage.steps {
        let no_step = || wrong(format!("row {} of a strategy has no such step", step.row));
        if step.row as usize >= rows.n_rows() {
            return no_step();
        }
        let is_it = |choice: &&Choice| {
            (choice.machine, choice.transition) == (step.machine, step.transition)
        };
        let mut choices = rows.choices(step.row as usize).iter();
        let Some(choice) = choices.find(is_it).filter(|choice| choice.is_sure) else {
            return no_step();
        };
        let change = match choice.deed {
            CoreDeed::Internal => 0,
            CoreDeed::Send(queue, letter) => weight(queue, letter),
            CoreDeed::Take(queue, letter) => -weight(queue, letter),
        };
        let before = i64::from(steps[&step.row].potential);
        for &to in &choice.rows {
            let falls = |later: &&RankStep| i64::from(later.potential) + change < before;
            if !won[to] && !steps.get(&(to as u32)).is_some_and(falls) {
                return wrong(format!("a strategy does not get further in row {}", step.row));
            }
        }
    }
    for &row in steps.keys() {
        won[row as usize] = true;
    }
    Ok(())
}
