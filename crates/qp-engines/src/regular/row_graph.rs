//! The rows of a closed set as a finite graph that every run follows, and the automaton of wrong runs beside it.

use qp_automata::Buchi;
use qp_automata::loops::Product;
use qp_base::{Budget, Exhausted, Spent};
use qp_machines::{Event, Letter};

use super::search::Found;
use super::world::{By, ControlId, Leap, Stop, World};

/// Larger graphs are given up.
const STEPS_MAX: usize = 20_000;

/// The rows of a set and the steps between them. A step leads from a row to every row that has something of what comes
/// of it.
pub(super) struct RowGraph {
    pub(super) rows: Vec<(ControlId, Product)>,
    /// A row that has the beginning.
    pub(super) first: usize,
    /// For each row. Where nothing can happen in some of its configurations, it stays as it is.
    pub(super) steps: Vec<Vec<Step>>,
}

/// A step between rows, or between pairs of a row and a state of an automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Step {
    /// Who does what; nothing where a run has ended.
    pub(super) by: Option<By>,
    pub(super) to: usize,
}

impl RowGraph {
    /// Takes every step of every row once more.
    pub(super) fn new(world: &mut World, found: &Found, budget: &Budget) -> Result<Self, Stop> {
        let rows: Vec<(ControlId, Product)> =
            found.rows.iter().map(|(control, product)| (control, product.clone())).collect();
        let (control, product) = world.initial();
        let begins =
            |(of, row): &(ControlId, Product)| *of == control && product.is_included_in(row);
        let first = rows.iter().position(begins).expect("a closed set has the beginning");
        let mut graph = Self { rows, first, steps: Vec::new() };
        let mut n_steps = 0;
        for (number, (control, product)) in graph.rows.iter().enumerate() {
            budget.check(Spent::default())?;
            let mut steps = Vec::new();
            for leap in world.leaps(*control, product)? {
                let Leap::To { to, product, by, .. } = leap else { continue };
                for row in rows_with(&graph.rows, to, &product, &world.automata)? {
                    let step = Step { by: Some(by.clone()), to: row };
                    if !steps.contains(&step) {
                        steps.push(step);
                    }
                }
            }
            n_steps += steps.len();
            if n_steps > STEPS_MAX {
                return Err(Exhausted::States.into());
            }
            if world.resting(*control, product, None)?.is_some() {
                steps.push(Step { by: None, to: number });
            }
            graph.steps.push(steps);
        }
        Ok(graph)
    }

    /// Whether some run has an end.
    pub(super) fn has_ends(&self) -> bool {
        self.steps.iter().flatten().any(|step| step.by.is_none())
    }
}

/// The rows of a control that have something in common with a product.
fn rows_with(
    rows: &[(ControlId, Product)],
    control: ControlId,
    product: &Product,
    automata: &Budget,
) -> Result<Vec<usize>, Exhausted> {
    let mut with = Vec::new();
    for (number, (of, row)) in rows.iter().enumerate() {
        if *of == control && !row.intersection(product, automata)?.is_empty() {
            with.push(number);
        }
    }
    Ok(with)
}

/// Pairs of a row and a state of the automaton of wrong runs that can be met together. Pairs are numbered
/// `row * states + state`.
pub(super) struct Pairs {
    pub(super) n_states: usize,
    /// For each state, whether it accepts.
    pub(super) accepting: Vec<bool>,
    /// For each pair, whether it can be met.
    pub(super) met: Vec<bool>,
    /// For each pair: what happens, and the pair it leads to. Nothing happens where a run has ended.
    pub(super) steps: Vec<Vec<Step>>,
}

impl Pairs {
    /// Reads every step with the automaton, from the row on in which every run begins.
    pub(super) fn new(world: &mut World, graph: &RowGraph, wrong: &Buchi<Letter>) -> Self {
        let n_states = wrong.states.len();
        let n_pairs = graph.rows.len() * n_states;
        let mut pairs = Self {
            n_states,
            accepting: wrong.states.iter().map(|state| state.accepting).collect(),
            met: vec![false; n_pairs],
            steps: vec![Vec::new(); n_pairs],
        };
        let mut todo: Vec<usize> =
            wrong.start.iter().map(|&state| graph.first * n_states + state).collect();
        while let Some(pair) = todo.pop() {
            if std::mem::replace(&mut pairs.met[pair], true) {
                continue;
            }
            let (row, state) = (pair / n_states, pair % n_states);
            let mut found = Vec::new();
            for Step { by, to } in &graph.steps[row] {
                let event = by.as_ref().map(|by| by.event);
                for next in read(world, wrong, state, graph.rows[row].0, event) {
                    found.push(Step { by: by.clone(), to: to * n_states + next });
                }
            }
            todo.extend(found.iter().map(|step| step.to));
            pairs.steps[pair] = found;
        }
        pairs
    }

    /// Whether the automaton accepts in a pair.
    pub(super) fn accepts(&self, pair: usize) -> bool {
        self.accepting[pair % self.n_states]
    }
}

/// The states of the automaton after reading what is true of a control and of what happens there.
pub(super) fn read(
    world: &mut World,
    wrong: &Buchi<Letter>,
    state: usize,
    control: ControlId,
    event: Option<Event>,
) -> Vec<usize> {
    let config = world.config(control).clone();
    let mut holds =
        |(letter, value): &(Letter, bool)| world.system.reads(letter, &config, event) == *value;
    let edges = wrong.states[state].edges.iter();
    let mut next: Vec<usize> =
        edges.filter(|edge| edge.when.iter().all(&mut holds)).map(|edge| edge.to).collect();
    next.sort_unstable();
    next.dedup();
    next
}
