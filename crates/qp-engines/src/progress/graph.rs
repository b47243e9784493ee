//! Finite graphs of real steps, among which a core is looked for.

use qp_base::{Budget, Map};

use crate::stop::Stop;

use super::automata::{Automata, Deed, Scene, Status};

/// A step from one node to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Edge {
    pub(super) machine: usize,
    /// Which transition of the machine.
    pub(super) number: usize,
    pub(super) to: usize,
}

/// Some configurations, and some of the steps between them. Several nodes may have the same configuration.
#[derive(Default)]
pub(super) struct Graph {
    pub(super) scenes: Vec<Scene>,
    pub(super) edges: Vec<Vec<Edge>>,
    /// For each node: the edges into it, by where they begin and their number there.
    pub(super) before: Vec<Vec<(usize, usize)>>,
}

/// What has to remain possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Goal {
    /// A machine that may not rest moves.
    Moves(usize),
    /// Something is taken from a queue that is not empty.
    Takes(usize),
    /// What has this number among what is to remain possible happens, unless it is so.
    Happens(usize),
}

/// Which steps a graph has: those that leave no queue longer than the bound, and of them all, or in each node those of
/// one machine, so that whoever can move has its turn in each round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Plan {
    pub(super) bound: usize,
    pub(super) in_rounds: bool,
    pub(super) nodes_max: usize,
}

impl Graph {
    pub(super) fn new(automata: &mut Automata, plan: Plan, budget: &Budget) -> Result<Self, Stop> {
        let start = (automata.start(), Vec::new());
        let mut graph = Self { scenes: vec![start.0.clone()], ..Self::default() };
        // Who still has to move in this round.
        let mut rounds = vec![start.1.clone()];
        let mut places = Map::from_iter([(start, 0)]);
        let mut at = 0;
        while at < graph.scenes.len() {
            budget.ask()?;
            let mut steps = steps_within(automata, &graph.scenes[at], plan.bound);
            let round = if plan.in_rounds {
                let round = next_round(automata, &rounds[at], &steps);
                steps.retain(|step| round.first() == Some(&step.0));
                round.get(1..).unwrap_or_default().to_vec()
            } else {
                Vec::new()
            };
            let mut edges = Vec::with_capacity(steps.len());
            for (machine, number) in steps {
                let after = automata.fire(&graph.scenes[at], machine, number);
                let new = graph.scenes.len();
                let to = *places.entry((after.clone(), round.clone())).or_insert(new);
                if to == new {
                    if new == plan.nodes_max {
                        return Err(Stop::TooMuch);
                    }
                    graph.scenes.push(after);
                    rounds.push(round.clone());
                }
                edges.push(Edge { machine, number, to });
            }
            graph.edges.push(edges);
            at += 1;
        }
        graph.before = vec![Vec::new(); graph.scenes.len()];
        for (node, edges) in graph.edges.iter().enumerate() {
            for (number, edge) in edges.iter().enumerate() {
                graph.before[edge.to].push((node, number));
            }
        }
        Ok(graph)
    }

    /// The edge of a transition.
    pub(super) fn edge(&self, node: usize, machine: usize, number: usize) -> Option<usize> {
        let wanted = |edge: &Edge| edge.machine == machine && edge.number == number;
        self.edges[node].iter().position(wanted)
    }

    /// Whether each node that needs a goal has a way to it.
    pub(super) fn reaches(&self, automata: &Automata, goal: Goal) -> bool {
        let can = self.reaching(automata, goal);
        self.scenes.iter().zip(can).all(|(scene, can)| can || !needs(automata, goal, scene))
    }

    /// Which nodes have a way to a goal.
    pub(super) fn reaching(&self, automata: &Automata, goal: Goal) -> Vec<bool> {
        let hit = |edge: &Edge| hits(automata, goal, edge.machine, edge.number);
        let hits = |node: usize| self.edges[node].iter().any(hit);
        let mut can: Vec<bool> = (0..self.scenes.len()).map(hits).collect();
        let mut todo: Vec<usize> = (0..can.len()).filter(|&node| can[node]).collect();
        while let Some(node) = todo.pop() {
            for &(earlier, _) in &self.before[node] {
                if !can[earlier] {
                    can[earlier] = true;
                    todo.push(earlier);
                }
            }
        }
        can
    }

    /// A shortest way to a node from the beginning, by machine and transition. Nodes are in the order of a search.
    pub(super) fn way(&self, mut node: usize) -> Vec<(usize, usize)> {
        let mut way = Vec::new();
        while node > 0 {
            let first = self.before[node].iter().min();
            let &(earlier, number) = first.expect("every node is reached");
            let edge = self.edges[earlier][number];
            way.push((edge.machine, edge.number));
            node = earlier;
        }
        way.reverse();
        way
    }
}

pub(super) fn needs(automata: &Automata, goal: Goal, scene: &Scene) -> bool {
    match goal {
        Goal::Moves(machine) => !automata.machines[machine].rests[scene.local(machine)],
        Goal::Takes(queue) => !automata.content(scene, queue).is_empty(),
        Goal::Happens(number) => !automata.is_there(number, |machine| scene.local(machine)),
    }
}

pub(super) fn hits(automata: &Automata, goal: Goal, machine: usize, number: usize) -> bool {
    match goal {
        Goal::Moves(mover) => machine == mover,
        Goal::Happens(wanted) => automata.comes_about(wanted, machine, number),
        Goal::Takes(queue) => {
            let deed = automata.transition(machine, number).deed;
            matches!(deed, Deed::Take { queue: from, .. } if from == queue)
        }
    }
}

/// The steps that leave no queue longer than the bound, by machine and transition.
fn steps_within(automata: &mut Automata, scene: &Scene, bound: usize) -> Vec<(usize, usize)> {
    let mut steps = possible(automata, scene);
    steps.retain(|&(machine, number)| match automata.transition(machine, number).deed {
        Deed::Send { queue, .. } => automata.content(scene, queue).len() < bound,
        Deed::Internal | Deed::Take { .. } => true,
    });
    steps
}

/// All steps, by machine and transition.
pub(super) fn possible(automata: &mut Automata, scene: &Scene) -> Vec<(usize, usize)> {
    let mut steps = Vec::new();
    for machine in 0..scene.locals.len() {
        for number in automata.leaving(scene, machine).to_vec() {
            if automata.status(scene, machine, number) == Status::On {
                steps.push((machine, number));
            }
        }
    }
    steps
}

/// Who moves in this round, the next one first: those that are left of the last one, or else all that can move, those
/// that receive before those that send.
fn next_round(automata: &Automata, left: &[usize], steps: &[(usize, usize)]) -> Vec<usize> {
    let can_move = |machine: &&usize| steps.iter().any(|step| step.0 == **machine);
    let left: Vec<usize> = left.iter().filter(can_move).copied().collect();
    if !left.is_empty() {
        return left;
    }
    let mut all: Vec<(bool, usize, usize)> = Vec::new();
    for own in steps.chunk_by(|a, b| a.0 == b.0) {
        let (machine, number) = own[0];
        let sends = matches!(automata.transition(machine, number).deed, Deed::Send { .. });
        all.push((sends, own.len(), machine));
    }
    all.sort_unstable();
    all.into_iter().map(|(.., machine)| machine).collect()
}
