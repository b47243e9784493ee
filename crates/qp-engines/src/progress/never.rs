//! Violations: a configuration from which something never happens again, although queues may grow behind it.
//!
//! Everything that comes after it is covered by rows in which a queue is the first few messages and, behind them, which
//! messages occur in which order for the first time (the list abstraction of Liu, Wahl and Lal 2019). If no row has a
//! step that would help, there is none.

use std::collections::BTreeSet;

use super::automata::{Automata, Deed, Scene};
use super::graph::{Goal, Graph, hits, needs};

/// Configurations that are looked at for one goal.
const TRIES: usize = 40;
/// Rows that cover what comes after one of them.
const ROWS_MAX: usize = 3_000;
/// How many messages at the front are told apart.
const PREFIXES: [usize; 3] = [1, 2, 3];

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
        PREFIXES.iter().any(|&prefix| is_lost(automata, scene, goal, (prefix, left)))
    })
}

/// A queue: the first messages, and those behind them in the order in which they first occur.
type Content = (Vec<usize>, Vec<usize>);

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    locals: Vec<usize>,
    queues: Vec<Content>,
}

/// Whether no run from a scene reaches a goal.
fn is_lost(
    automata: &Automata,
    scene: &Scene,
    goal: Goal,
    (prefix, left): (usize, &mut usize),
) -> bool {
    let mut queues = vec![(Vec::new(), Vec::new()); scene.n_queues()];
    for (number, queue) in queues.iter_mut().enumerate() {
        for &letter in automata.content(scene, number) {
            push(queue, letter, prefix);
        }
    }
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
                let after = rows_after(automata, &row, machine, number, prefix);
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
    prefix: usize,
) -> Vec<Row> {
    let transition = automata.transition(machine, number);
    let mut after = row.clone();
    after.locals[machine] = transition.to;
    match transition.deed {
        Deed::Internal => vec![after],
        Deed::Send { queue, letter } => {
            push(&mut after.queues[queue], letter, prefix);
            vec![after]
        }
        Deed::Take { queue, letter } => {
            if row.queues[queue].0.first() != Some(&letter) {
                return Vec::new();
            }
            let with = |content: Content| {
                let mut after = after.clone();
                after.queues[queue] = content;
                after
            };
            popped(&row.queues[queue]).into_iter().map(with).collect()
        }
    }
}

fn push((front, behind): &mut Content, letter: usize, prefix: usize) {
    if behind.is_empty() && front.len() < prefix {
        front.push(letter);
    } else if !behind.contains(&letter) {
        behind.push(letter);
    }
}

/// What a content may look like without its first message.
fn popped((front, behind): &Content) -> Vec<Content> {
    let mut front = front[1..].to_vec();
    let Some((&next, rest)) = behind.split_first() else { return vec![(front, Vec::new())] };
    front.push(next);
    let mut all = vec![(front.clone(), rest.to_vec())];
    // It may occur again, anywhere among the others.
    for place in 0..=rest.len() {
        let mut behind = rest.to_vec();
        behind.insert(place, next);
        all.push((front.clone(), behind));
    }
    all
}
