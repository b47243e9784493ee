//! Whether the search with cycles is bound to come to an end, said before it begins.
//!
//! Theorem 9 of *The power of QDDs*: a search that takes every simple cycle any number of times at once, and then
//! single steps, breadth first, ends if no cycle has two queues that count how often it is taken, and if every cycle
//! is better done before each step of the other cycles of its component than after it. Both are asked of the graph of
//! controls, in which a receive is possible whenever somebody can send the message.

use std::collections::VecDeque;

use qp_automata::loops::{Effect, Op, Product};
use qp_automata::regular::{Language, Letter, Letters};
use qp_base::{Budget, Exhausted, Set, Spent};
use qp_claim::Reason;
use qp_machines::{Event, MachineId, Model, QueueId};

use crate::graph::components_of;

use super::asks::has_content;
use super::cycles::effects;
use super::world::{By, ControlId, Does, Leap, Stop, World, nothing};

/// Graphs with more controls than this are given up.
const CONTROLS_MAX: usize = 4_000;
/// So many simple cycles are looked at, and so many steps are followed to find them.
const CYCLES_MAX: usize = 400;
const STEPS_MAX: usize = 200_000;

/// Whether a search is bound to come to an end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// It is, if all simple cycles are taken.
    Guaranteed {
        /// How many simple cycles there are.
        cycles: usize,
        /// The length of the longest.
        longest: usize,
    },
    /// Nothing is known, because two queues count how often a cycle is taken.
    Counts {
        /// The cycle.
        cycle: Vec<CycleStep>,
        /// The queues.
        queues: [QueueId; 2],
    },
    /// Nothing is known, because it makes a difference in which order these are taken.
    InTheWay {
        /// A cycle.
        cycle: Vec<CycleStep>,
        /// Another one.
        other: Vec<CycleStep>,
        /// The step of the other one that the first cycle does not precede favourably.
        step: CycleStep,
    },
    /// Nothing is known, because a step on a cycle depends on more than the front of a queue, or changes what exists.
    Depends {
        /// The step.
        step: CycleStep,
    },
}

/// A step on a cycle, without what queues hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CycleStep {
    /// Who moves.
    pub machine: MachineId,
    /// Where it is before.
    pub control: String,
    /// What is sent or received: whether it is sent, the message, and the queue.
    pub message: Option<(bool, String, QueueId)>,
}

/// Finds out whether the search for what queues can hold is bound to come to an end.
pub fn ending(model: &Model, budget: &Budget) -> Result<Ending, Reason> {
    let mut world = World::new(model, budget);
    let graph = Graph::new(&mut world, budget).map_err(|stop| stop.reason())?;
    graph.judge(&world).map_err(|stop| stop.reason())
}

/// Steps between controls that are possible with some contents.
struct Graph {
    edges: Vec<Edge>,
    /// For each control, its edges.
    from: Vec<Vec<usize>>,
    /// For each queue, what can be in it.
    letters: Vec<Vec<Letter>>,
}

#[derive(Clone, PartialEq, Eq)]
struct Edge {
    from: ControlId,
    to: ControlId,
    does: Does,
    by: By,
}

impl Graph {
    /// Follows every step with queues that hold any messages that somebody can send, until there are no more.
    fn new(world: &mut World, budget: &Budget) -> Result<Self, Stop> {
        let (first, _) = world.initial();
        let mut letters: Vec<Vec<Letter>> = Vec::new();
        loop {
            let before = letters.clone();
            let mut graph = Self { edges: Vec::new(), from: Vec::new(), letters: Vec::new() };
            let (mut met, mut jobs) = (Set::default(), VecDeque::from([first]));
            met.insert(first);
            while let Some(control) = jobs.pop_front() {
                budget.check(Spent { states: met.len() as u64, bytes: 0 })?;
                if met.len() > CONTROLS_MAX {
                    return Err(Exhausted::States.into());
                }
                for edge in edges(world, control, &before)? {
                    for &(queue, op) in edge.does.ops.iter() {
                        if let Op::Put(letter) = op {
                            note(&mut letters, queue, letter);
                        }
                    }
                    if met.insert(edge.to) {
                        jobs.push_back(edge.to);
                    }
                    graph.add(edge);
                }
            }
            if letters == before {
                graph.letters = letters;
                return Ok(graph);
            }
        }
    }

    fn add(&mut self, edge: Edge) {
        let n = self.from.len().max(edge.from.index().max(edge.to.index()) + 1);
        self.from.resize(n, Vec::new());
        let known = self.from[edge.from.index()].iter().any(|&at| self.edges[at] == edge);
        if !known {
            self.from[edge.from.index()].push(self.edges.len());
            self.edges.push(edge);
        }
    }

    /// Applies the criterion to each component.
    fn judge(&self, world: &World) -> Result<Ending, Stop> {
        let to = |edges: &Vec<usize>| edges.iter().map(|&at| self.edges[at].to.index()).collect();
        let next: Vec<Vec<usize>> = self.from.iter().map(to).collect();
        let of = components_of(&next);
        let inside = |edge: &Edge| of[edge.from.index()] == of[edge.to.index()];
        if let Some(edge) = self.edges.iter().find(|edge| inside(edge) && !edge.does.is_plain) {
            return Ok(Ending::Depends { step: told(world, edge) });
        }
        let cycles = self.cycles(&of)?;
        for cycle in &cycles {
            if let Some(queues) = self.counting(cycle) {
                return Ok(Ending::Counts { cycle: self.told(world, cycle), queues });
            }
        }
        for cycle in &cycles {
            for other in &cycles {
                let component = |cycle: &[usize]| of[self.edges[cycle[0]].from.index()];
                if cycle == other || component(cycle) != component(other) {
                    continue;
                }
                if let Some((cycle, step)) = self.in_the_way(cycle, other) {
                    let step = told(world, &self.edges[step]);
                    let (cycle, other) = (self.told(world, &cycle), self.told(world, other));
                    return Ok(Ending::InTheWay { cycle, other, step });
                }
            }
        }
        let longest = cycles.iter().map(Vec::len).max().unwrap_or(0);
        Ok(Ending::Guaranteed { cycles: cycles.len(), longest })
    }

    /// All simple cycles, each once: from the control with the smallest number on.
    fn cycles(&self, of: &[u32]) -> Result<Vec<Vec<usize>>, Stop> {
        let (mut cycles, mut steps) = (Vec::new(), 0);
        for home in 0..self.from.len() {
            // The way so far: edges, and for each control on it how many of its edges were tried.
            let (mut way, mut tried): (Vec<usize>, Vec<(usize, usize)>) =
                (Vec::new(), vec![(home, 0)]);
            while let Some((here, number)) = tried.pop() {
                let Some(&at) = self.from[here].get(number) else {
                    way.pop();
                    continue;
                };
                tried.push((here, number + 1));
                steps += 1;
                let to = self.edges[at].to.index();
                if to == home {
                    cycles.push(way.iter().copied().chain([at]).collect());
                } else if to > home
                    && of[to] == of[home]
                    && tried.iter().all(|&(control, _)| control != to)
                {
                    way.push(at);
                    tried.push((to, 0));
                }
                if steps > STEPS_MAX || cycles.len() > CYCLES_MAX {
                    return Err(Stop::outside("there are too many cycles of steps to look at"));
                }
            }
        }
        Ok(cycles)
    }

    fn effects(&self, cycle: &[usize]) -> Vec<Effect> {
        let done = cycle.iter().flat_map(|&at| self.edges[at].does.ops.iter());
        effects(done, self.letters.len())
    }

    /// Two queues that tell how often a cycle was taken.
    fn counting(&self, cycle: &[usize]) -> Option<[QueueId; 2]> {
        let effects = self.effects(cycle);
        let counts = |queue: &usize| {
            let (put, taken) = (effects[*queue].put().len(), effects[*queue].taken().len());
            if self.letters[*queue].len() > 1 { put > 0 } else { put > taken }
        };
        let mut counting = (0..effects.len()).filter(counts).map(QueueId::new);
        Some([counting.next()?, counting.next()?])
    }

    /// The cycle, from some control of it on, and a step of another cycle that it does not precede favourably.
    fn in_the_way(&self, cycle: &[usize], other: &[usize]) -> Option<(Vec<usize>, usize)> {
        for turned in 0..cycle.len() {
            let cycle = [&cycle[turned..], &cycle[..turned]].concat();
            let home = self.edges[cycle[0]].from;
            let at = other.iter().position(|&at| self.edges[at].from == home);
            let does = |edges: &[usize]| -> Vec<(QueueId, Op)> {
                let all = edges.iter().flat_map(|&at| self.edges[at].does.ops.iter());
                all.copied().collect()
            };
            // A cycle that does the same from here on is the same to the search.
            let same = |at: usize| does(&[&other[at..], &other[..at]].concat()) == does(&cycle);
            if at.is_some_and(same) {
                continue;
            }
            let whole = self.effects(&cycle);
            let late = other.iter().find(|&&at| {
                let mut ops = self.edges[at].does.ops.iter();
                ops.any(|&(queue, op)| {
                    !whole[queue.index()].precedes_favourably(&Effect::of(&[op]))
                })
            });
            if let Some(&step) = late {
                return Some((cycle, step));
            }
        }
        None
    }

    fn told(&self, world: &World, cycle: &[usize]) -> Vec<CycleStep> {
        cycle.iter().map(|&at| told(world, &self.edges[at])).collect()
    }
}

fn note(letters: &mut Vec<Vec<Letter>>, queue: QueueId, letter: Letter) {
    if letters.len() <= queue.index() {
        letters.resize(queue.index() + 1, Vec::new());
    }
    if !letters[queue.index()].contains(&letter) {
        letters[queue.index()].push(letter);
    }
}

/// The steps of a control with queues that hold any of these letters.
fn edges(
    world: &mut World,
    control: ControlId,
    letters: &[Vec<Letter>],
) -> Result<Vec<Edge>, Stop> {
    let config = world.config(control).clone();
    let any = |queue: QueueId| match letters.get(queue.index()) {
        Some(letters) if has_content(&config, queue) => {
            Language::all(&Letters::only(letters.iter().copied()))
        }
        _ => nothing(),
    };
    let product = Product(config.queues().map(any).collect());
    let mut edges = Vec::new();
    for leap in world.leaps(control, &product)? {
        if let Leap::To { to, does, by, .. } = leap {
            edges.push(Edge { from: control, to, does, by });
        }
    }
    Ok(edges)
}

/// A step in words.
fn told(world: &World, edge: &Edge) -> CycleStep {
    let (program, By { machine, event, .. }) = (world.system.program(), edge.by.clone());
    let control = program.control_name(machine, world.config(edge.from).local(machine));
    let message = match event {
        Event::Sent { queue, message }
        | Event::Lost { queue, message }
        | Event::Handshake { queue, message, .. } => {
            Some((true, program.message_text(message), queue))
        }
        Event::Took { queue, message, .. } => Some((false, program.message_text(message), queue)),
        _ => None,
    };
    CycleStep { machine, control, message }
}
