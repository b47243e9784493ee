//! Violations: a configuration from which something never happens again, although queues may grow behind it.
//!
//! Everything that comes after it is covered by rows in which a queue is the first few messages and, behind them, which
//! messages occur in which order for the first time (the list abstraction of Liu, Wahl and Lal 2019). If no row has a
//! step that would help, there is none.

use std::collections::BTreeSet;

use crate::lists::{List, Look};

use super::automata::{Automata, Deed, Scene};
use super::graph::{Goal, Graph, hits, needs};

/// Configurations that are looked at for one goal.
const TRIES: usize = 40;
/// Rows that cover what comes after one of them.
const ROWS_MAX: usize = 3_000;
/// How many messages at the front are told apart.
const PREFIXES: [u32; 3] = [1, 2, 3];

/// A node of a graph from which a goal is never reached that it needs. At most `left` rows are looked at.
pub(super) fn victim(
    automata: &Automata,
    graph: &Graph,
    goal: Goal,
    left: &mut usize,
) -> Option<usize> {
    let can = graph.reaching(automata, goal);
    let is_bad = |&node: &usize| !can[node] && needs(automata, goal, &graph.scenes[node]);
    let suspects = (0..graph.scenes.len()).filter(is_bad).take(TRIES);
    suspects.into_iter().find(|&node| {
        let scene = &graph.scenes[node];
        let mut looks = PREFIXES.iter().map(|&prefix| Look { prefix, counted: 0 });
        looks.any(|look| is_lost(automata, scene, goal, (look, left)))
    })
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    locals: Vec<usize>,
    queues: Vec<List<usize>>,
}

/// Whether no run from a scene reaches a goal.
fn is_lost(
    automata: &Automata,
    scene: &Scene,
    goal: Goal,
    (look, left): (Look, &mut usize),
) -> bool {
    let queue = |number| look.of(automata.content(scene, number));
    let queues = (0..scene.n_queues()).map(queue).collect();
    let locals = scene.locals.iter().map(|&local| local as usize).collect();
    let first = Row { locals, queues };
    let mut seen = BTreeSet::from([first.clone()]);
    let mut todo = vec![first];
    while let Some(row) = todo.pop() {
        if let Goal::Moves(machine) = goal
            && automata.machines[machine].fails[row.locals[machine]]
        {
            return false;
        }
        for machine in 0..row.locals.len() {
            for &number in &automata.machines[machine].leaving[row.locals[machine]] {
                let after = rows_after(automata, &row, machine, number, look);
                if !after.is_empty() && hits(automata, goal, machine, number) {
                    return false;
                }
                for row in after {
                    if seen.insert(row.clone()) {
                        todo.push(row);
                    }
                }
            }
        }
        let Some(fewer) = left.checked_sub(1).filter(|_| seen.len() <= ROWS_MAX) else {
            return false;
        };
        *left = fewer;
    }
    true
}

/// Every row that a transition may lead to; none if it is not possible.
fn rows_after(
    automata: &Automata,
    row: &Row,
    machine: usize,
    number: usize,
    look: Look,
) -> Vec<Row> {
    let transition = automata.transition(machine, number);
    let mut after = row.clone();
    after.locals[machine] = transition.to;
    match transition.deed {
        Deed::Internal => vec![after],
        Deed::Send { queue, letter } => {
            look.push(&mut after.queues[queue], letter);
            vec![after]
        }
        Deed::Take { queue, letter } => {
            if row.queues[queue].front.first() != Some(&letter) {
                return Vec::new();
            }
            let with = |content: List<usize>| {
                let mut after = after.clone();
                after.queues[queue] = content;
                after
            };
            look.take(&row.queues[queue], 0).into_iter().map(with).collect()
        }
    }
}
