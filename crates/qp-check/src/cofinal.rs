//! Cofinal cores: that a finite graph of real steps is one into which every run can be extended.
//!
//! The proof is in `docs/decisions/012-progress.md`; W1 and W2 below are its rules. Nothing is searched for: every entry
//! is looked at once. The automata in the evidence are compared with what the program says about each local state, and
//! in every node with the one step function.

mod won;

use std::collections::BTreeMap;

use qp_claim::{Core, CoreDeed};
use qp_machines::{Property, System};

use crate::automata::{Automata, Scene};
use crate::backwards::Backwards;
use crate::{Checked, Refusal, wrong};

use self::won::Positions;

/// The graph, with the edge of each transition of each node.
struct Graph {
    scenes: Vec<Scene>,
    /// For each node, by machine and transition: the number of the edge, and where it leads.
    edges: Vec<BTreeMap<(u32, u32), (u32, u32)>>,
}

/// Checks that a core proves a property.
pub(crate) fn check(system: &mut System, property: Property, core: &Core) -> Checked<()> {
    let automata = Automata::read(system, &core.machines, &core.messages)?;
    let graph = Graph::read(&automata, core)?;
    let positions = Positions::read(&automata, core)?;
    for (node, scene) in graph.scenes.iter().enumerate() {
        system.go_on()?;
        let steps = automata.steps(scene);
        automata.compare(system, scene, &steps)?;
        for (machine, transition) in steps {
            let has_edge = graph.edges[node].contains_key(&(machine, transition));
            if !has_edge && !positions.catch_up(&automata, node, machine, transition) {
                return wrong(format!("node {node}: a step of machine {machine} is left out"));
            }
        }
    }
    positions.check(system, &automata, &graph, core)?;
    let passes_over = core.machines.iter().any(|machine| !machine.skips.is_empty());
    let fails = system.program().outline().failing.contains(&Property::Unhandled);
    match property {
        Property::Stuck | Property::Deadlock => all_can_move(system, &automata, &graph),
        Property::Orphan if !passes_over => all_is_taken(&automata, &graph),
        // Who is at a loss never moves again: either it may not rest, or what it is at a loss about is never taken.
        Property::Unhandled if !passes_over && !fails => {
            all_can_move(system, &automata, &graph)?;
            all_is_taken(&automata, &graph)
        }
        Property::Possible(number) => all_can_happen(system, &automata, &graph, number),
        // The local states are all that control flow may come to.
        Property::Assert | Property::Divergence if !automata.may_fail() => Ok(()),
        _ => wrong("a core does not prove this property"),
    }
}

impl Graph {
    /// Follows the edges from the beginning.
    fn read(automata: &Automata, core: &Core) -> Checked<Self> {
        let mut graph = Self { scenes: vec![automata.start()], edges: vec![BTreeMap::new()] };
        for (number, edge) in core.edges.iter().enumerate() {
            let no_step = || Refusal::from(format!("edge {number} is not a step"));
            let scene = graph.scenes.get(edge.from as usize).ok_or_else(no_step)?;
            let after = automata.fire(scene, edge.machine, edge.transition).ok_or_else(no_step)?;
            match graph.scenes.get(edge.to as usize) {
                Some(there) if *there == after => {}
                None if edge.to as usize == graph.scenes.len() => {
                    graph.scenes.push(after);
                    graph.edges.push(BTreeMap::new());
                }
                _ => return Err(no_step()),
            }
            let of_node = &mut graph.edges[edge.from as usize];
            if of_node.insert((edge.machine, edge.transition), (number as u32, edge.to)).is_some() {
                return wrong(format!("edge {number} is there twice"));
            }
        }
        Ok(graph)
    }

    /// Checks that whoever needs a step of a kind has a way to one.
    fn check_goal(
        &self,
        needs: impl Fn(&Scene) -> bool,
        hits: impl Fn(u32, u32) -> bool,
    ) -> Checked<()> {
        let pairs = self.edges.iter().enumerate();
        let pairs =
            pairs.flat_map(|(from, edges)| edges.values().map(move |it| (from, it.1 as usize)));
        let can = Backwards::new(self.scenes.len(), pairs).reach(|node| {
            self.edges[node].keys().any(|&(machine, transition)| hits(machine, transition))
        });
        let left = (0..self.scenes.len()).find(|&it| !can[it] && needs(&self.scenes[it]));
        left.map_or(Ok(()), |node| wrong(format!("node {node} has no way on")))
    }
}

/// Every machine that may not rest has a way to move.
fn all_can_move(system: &System, automata: &Automata, graph: &Graph) -> Checked<()> {
    (0..automata.n_machines()).try_for_each(|number| {
        let needs =
            |scene: &Scene| !automata.may_rest(system, number, scene.locals[number as usize]);
        graph.check_goal(needs, |machine, _| machine == number)
    })
}

/// Whatever is to remain possible is so, or has a way to a step by which it comes about.
fn all_can_happen(
    system: &System,
    automata: &Automata,
    graph: &Graph,
    number: usize,
) -> Checked<()> {
    let needs = |scene: &Scene| !automata.is_there(system, number, &scene.locals);
    let hits = |machine, transition| automata.comes_about(system, number, machine, transition);
    graph.check_goal(needs, hits)
}

/// Every queue that is not empty has a way to something that is taken from it.
fn all_is_taken(automata: &Automata, graph: &Graph) -> Checked<()> {
    (0..automata.n_queues()).try_for_each(|number| {
        let needs = |scene: &Scene| !scene.queues[number as usize].is_empty();
        let hits = |machine, transition| {
            let deed = automata.transition(machine, transition).deed;
            matches!(deed, CoreDeed::Take(queue, _) if queue == number)
        };
        graph.check_goal(needs, hits)
    })
}
