//! The game that shows a graph to be a core: whatever a run has done that the graph leaves out can be caught up with.
//!
//! A position is a node, with some machines that are *bound* to a transition (it is the next one that they take in the
//! run, and they wait with it), and some queues with several senders whose next message is *owed* by one of them. It is
//! won if the run is sure to be followed a step further from there. Docs: `docs/decisions/012-progress.md`.

use std::collections::VecDeque;

use qp_base::{Budget, Map};

use crate::stop::Stop;

use super::automata::{Automata, Deed, Status};
use super::evidence::Positions;
use super::graph::{Edge, Graph, possible};

/// Machines with the transitions that they are bound to, and queues with who owes the next message, in order.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Terms {
    pub(super) bound: Vec<(usize, usize)>,
    pub(super) owed: Vec<(usize, usize)>,
}

impl Terms {
    fn bound_to(&self, machine: usize) -> Option<usize> {
        self.bound.iter().find(|it| it.0 == machine).map(|it| it.1)
    }

    fn owes(&self, queue: usize) -> Option<usize> {
        self.owed.iter().find(|it| it.0 == queue).map(|it| it.1)
    }

    fn with_bound(&self, machine: usize, number: usize) -> Self {
        let mut more = self.clone();
        more.bound.retain(|it| it.0 != machine);
        more.bound.push((machine, number));
        more.bound.sort_unstable();
        more
    }

    fn with_owed(&self, queue: usize, machine: usize) -> Self {
        let mut more = self.clone();
        more.owed.push((queue, machine));
        more.owed.sort_unstable();
        more
    }
}

/// How a node is won: the distance, and the edge to follow; none if it is won at once.
pub(super) type Won = Map<usize, (u32, Option<usize>)>;

pub(super) struct Game<'a> {
    automata: &'a mut Automata,
    graph: &'a Graph,
    budget: &'a Budget,
    /// What is won, for all terms that were asked about.
    pub(super) won: Vec<(Terms, Won)>,
    places: Map<Terms, usize>,
    /// For each machine and local state: the nodes.
    nodes: Map<(usize, usize), Vec<usize>>,
    /// How many positions may still be looked at.
    left: u64,
}

/// Positions at the same node that must be won; none if that would not help.
type Needed = Option<Vec<Terms>>;

impl<'a> Game<'a> {
    pub(super) fn new(
        automata: &'a mut Automata,
        graph: &'a Graph,
        budget: &'a Budget,
        left: u64,
    ) -> Self {
        let mut nodes: Map<(usize, usize), Vec<usize>> = Map::default();
        for (node, scene) in graph.scenes.iter().enumerate() {
            for (machine, &local) in scene.locals.iter().enumerate() {
                nodes.entry((machine, local as usize)).or_default().push(node);
            }
        }
        Self { automata, graph, budget, won: Vec::new(), places: Map::default(), nodes, left }
    }

    /// How many positions may still be looked at.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// The positions by which every step that the graph leaves out is caught up with; none if one is not.
    pub(super) fn positions(&mut self) -> Result<Option<Positions>, Stop> {
        let mut todo = Vec::new();
        for node in 0..self.graph.scenes.len() {
            for (machine, number) in possible(self.automata, &self.graph.scenes[node]) {
                if self.graph.edge(node, machine, number).is_some() {
                    continue;
                }
                let mut terms = Terms::default().with_bound(machine, number);
                if let Some(queue) = self.shared_queue(machine, number) {
                    terms = terms.with_owed(queue, machine);
                }
                if !self.wins(node, &terms)? {
                    return Ok(None);
                }
                todo.push((terms, node));
            }
        }
        Ok(Some(self.gathered(todo)))
    }

    /// These positions, which are won, and all others because of which they are.
    fn gathered(&mut self, mut todo: Vec<(Terms, usize)>) -> Positions {
        let mut found: Vec<Won> = vec![Won::default(); self.won.len()];
        while let Some((terms, node)) = todo.pop() {
            let place = self.places[&terms];
            if found[place].contains_key(&node) {
                continue;
            }
            let (rank, followed) = self.won[place].1[&node];
            found[place].insert(node, (rank, followed));
            let needed = match followed {
                None => self.at_once(node, &terms),
                Some(number) => {
                    let edge = self.graph.edges[node][number];
                    todo.push((terms.clone(), edge.to));
                    self.by_edge(node, edge, &terms)
                }
            };
            todo.extend(needed.expect("it is won").into_iter().map(|terms| (terms, node)));
        }
        let all = self.won.iter().zip(found).filter(|(_, found)| !found.is_empty());
        let listed = |((terms, _), found): (&(Terms, Won), Won)| {
            let nodes = found.into_iter().map(|(node, (rank, edge))| (node, rank, edge));
            let mut nodes: Vec<(usize, u32, Option<usize>)> = nodes.collect();
            nodes.sort_unstable();
            (terms.clone(), nodes)
        };
        all.map(listed).collect()
    }

    /// The queue with several senders to which a transition sends.
    fn shared_queue(&self, machine: usize, number: usize) -> Option<usize> {
        match self.automata.transition(machine, number).deed {
            Deed::Send { queue, .. } if self.automata.is_shared(queue) => Some(queue),
            _ => None,
        }
    }

    fn wins(&mut self, node: usize, terms: &Terms) -> Result<bool, Stop> {
        let place = match self.places.get(terms) {
            Some(&place) => place,
            None => self.solve(terms)?,
        };
        Ok(self.won[place].1.contains_key(&node))
    }

    fn win_all(&mut self, node: usize, needed: &[Terms]) -> Result<bool, Stop> {
        for terms in needed {
            if !self.wins(node, terms)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Finds all nodes that are won on these terms, backwards from those that are won at once.
    fn solve(&mut self, terms: &Terms) -> Result<usize, Stop> {
        let nodes = self.nodes_on(terms);
        self.budget.ask()?;
        let cost = nodes.len() as u64 + 1;
        self.left = self.left.checked_sub(cost).ok_or(Stop::TooMuch)?;
        let mut won = Won::default();
        let mut todo = VecDeque::new();
        for &node in &nodes {
            if let Some(needed) = self.at_once(node, terms)
                && self.win_all(node, &needed)?
            {
                won.insert(node, (0, None));
                todo.push_back(node);
            }
        }
        while let Some(node) = todo.pop_front() {
            let distance = won[&node].0 + 1;
            for &(earlier, number) in &self.graph.before[node] {
                if won.contains_key(&earlier) || nodes.binary_search(&earlier).is_err() {
                    continue;
                }
                let edge = self.graph.edges[earlier][number];
                if let Some(needed) = self.by_edge(earlier, edge, terms)
                    && self.win_all(earlier, &needed)?
                {
                    won.insert(earlier, (distance, Some(number)));
                    todo.push_back(earlier);
                }
            }
        }
        let place = self.won.len();
        self.places.insert(terms.clone(), place);
        self.won.push((terms.clone(), won));
        Ok(place)
    }

    /// The nodes where all machines that are bound have the transition.
    fn nodes_on(&self, terms: &Terms) -> Vec<usize> {
        let at = |&(machine, number): &(usize, usize)| {
            (machine, self.automata.transition(machine, number).from)
        };
        let places: Vec<(usize, usize)> = terms.bound.iter().map(at).collect();
        let few = places.iter().filter_map(|place| self.nodes.get(place)).min_by_key(|it| it.len());
        let is_at = |node: &usize| {
            places.iter().all(|&(machine, local)| self.graph.scenes[*node].local(machine) == local)
        };
        few.into_iter().flatten().copied().filter(is_at).collect()
    }

    /// What must be won for a node to be won at once, because somebody can do what it is bound to, or never will.
    fn at_once(&mut self, node: usize, terms: &Terms) -> Needed {
        let mut best: Needed = None;
        for &(machine, number) in &terms.bound {
            if self.automata.status(&self.graph.scenes[node], machine, number) == Status::Never {
                return Some(Vec::new());
            }
            if self.graph.edge(node, machine, number).is_none() {
                continue;
            }
            match self.made(node, machine, number, terms) {
                Some(needed) if needed.is_empty() => return Some(needed),
                Some(needed) => best = Some(needed),
                None => {}
            }
        }
        best
    }

    /// What must be won so that somebody's next step, which has an edge, can be followed.
    fn made(&self, node: usize, machine: usize, number: usize, terms: &Terms) -> Needed {
        let Some(queue) = self.shared_queue(machine, number) else { return Some(Vec::new()) };
        match terms.owes(queue) {
            Some(debtor) => (debtor == machine).then(Vec::new),
            None => Some(self.by_rivals(node, queue, machine, terms)),
        }
    }

    /// The same terms with a queue owed by each of those who may send to it before a machine does.
    fn by_rivals(&self, node: usize, queue: usize, machine: usize, terms: &Terms) -> Vec<Terms> {
        let scene = &self.graph.scenes[node];
        let senders = self.automata.senders[queue].iter().copied();
        let may_send = |&rival: &usize| match terms.bound_to(rival) {
            Some(number) => {
                let transition = self.automata.transition(rival, number);
                matches!(transition.deed, Deed::Send { queue: to, .. } if to == queue)
                    || self.automata.may_send(rival, transition.to, queue)
            }
            None => self.automata.may_send(rival, scene.local(rival), queue),
        };
        let rivals = senders.filter(|&rival| rival != machine).filter(may_send);
        rivals.map(|rival| terms.with_owed(queue, rival)).collect()
    }

    /// What must be won so that an edge leads to where the node behind it is won, whatever its machine is to do next.
    fn by_edge(&mut self, node: usize, edge: Edge, terms: &Terms) -> Needed {
        if terms.bound_to(edge.machine).is_some() {
            return None;
        }
        let mut needed = self.made(node, edge.machine, edge.number, terms)?;
        for other in self.automata.leaving(&self.graph.scenes[node], edge.machine).to_vec() {
            if other == edge.number {
                continue;
            }
            let status = self.automata.status(&self.graph.scenes[node], edge.machine, other);
            if status == Status::Never {
                continue;
            }
            let bound = terms.with_bound(edge.machine, other);
            let has_edge = self.graph.edge(node, edge.machine, other).is_some();
            match self.made(node, edge.machine, other, &bound).filter(|_| has_edge) {
                Some(more) => needed.extend(more),
                None => needed.push(bound),
            }
        }
        Some(needed)
    }
}
