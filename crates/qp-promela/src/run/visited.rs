//! The statements that processes have come to.

use qp_base::{Set, Span};
use qp_front_promela::spec::{Proc, ProcId};
use qp_machines::{Site, SiteKind};

use super::Code;
use crate::graph::{Act, Edge, Graph, NodeId, act_text};

/// The control states in which some process was, or which it passed, while turns were worked out.
#[derive(Clone, Debug, Default)]
pub(super) struct Visited {
    nodes: Set<(ProcId, NodeId)>,
}

impl Visited {
    /// Some process is here.
    pub(super) fn note(&mut self, proc: ProcId, node: NodeId) {
        self.nodes.insert((proc, node));
    }

    /// What no process came to: proctypes that never run, and statements of those that do.
    pub(super) fn others(&self, code: &Code) -> Vec<Site> {
        let mut sites = Vec::new();
        for (id, proc) in code.spec.procs.iter_enumerated() {
            let graph = &code.graphs[id];
            if self.nodes.contains(&(id, graph.start)) {
                sites.extend(self.statements(code, (id, proc), graph));
            } else {
                sites.push(site(SiteKind::Machine, proc, proc.name.clone(), proc.at.span));
            }
        }
        sites
    }

    /// The statements of a proctype that no process came to. Statements are told apart by their numbers: the first
    /// one of an option stands at the head of its choice as well.
    fn statements(&self, code: &Code, (id, proc): (ProcId, &Proc), graph: &Graph) -> Vec<Site> {
        let mut met: Set<u32> = Set::default();
        for (node, it) in graph.nodes.iter_enumerated() {
            if self.nodes.contains(&(id, node)) {
                met.extend(it.edges.iter().filter_map(|edge| edge.number));
            }
        }
        let mut edges: Vec<&Edge> = graph.nodes.iter().flat_map(|node| &node.edges).collect();
        // Where a process ends, and jumps, say nothing that their neighbours do not.
        edges.retain(|edge| !matches!(edge.act, Act::End | Act::Jump | Act::Block));
        edges.retain(|edge| edge.number.is_some_and(|number| met.insert(number)));
        edges.sort_by_key(|edge| (edge.at.span.start, edge.number));
        let text = |edge: &Edge| act_text(&code.spec, &proc.body, &edge.act);
        let statement = |edge: &Edge| site(SiteKind::Statement, proc, text(edge), edge.at.span);
        edges.into_iter().map(statement).collect()
    }
}

fn site(kind: SiteKind, proc: &Proc, name: String, span: Span) -> Site {
    Site { kind, machine: proc.name.clone(), name, span }
}
