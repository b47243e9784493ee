//! `never` claims as automata.
//!
//! A state for every place of the claim, and two more: one that is reached when an assertion of the claim
//! fails, which is as wrong as coming to its end, and none for the inside of `atomic`: what is written there
//! is read together.

use qp_automata::{Buchi, Edge, State};
use qp_base::Diagnostic;
use qp_front_promela::At;
use qp_front_promela::spec::{Claim, Expr, ExprKind};
use qp_machines::Letter;

use super::Conditions;
use crate::codes;
use crate::effects::Guard;
use crate::graph::{self, Act, Graph, NodeId};

/// Longer sequences inside of `atomic` are cut: what follows is read one step later.
const DEPTH_MAX: usize = 16;

/// The automaton of a claim, unless it does more than to look.
pub(super) fn automaton(
    claim: &Claim,
    conditions: &mut Conditions,
    said: &mut Vec<Diagnostic>,
) -> Option<Buchi<Letter>> {
    let before = said.len();
    let graph = graph::of_body(conditions.spec, &claim.body, claim.at, said);
    if let Some(local) = claim.body.locals.iter().next() {
        said.push(refused("a variable of a `never` claim", local.at));
    }
    let mut reader = Reader { graph: &graph, conditions, said };
    let mut states = Vec::new();
    for (id, node) in graph.nodes.iter_enumerated() {
        let ends = node.edges.iter().any(|edge| matches!(edge.act, Act::End));
        let accepts = node.labels.iter().any(|&label| claim.body.labels[label].is_accept());
        let edges = if ends {
            vec![Edge { when: Vec::new(), to: id.index() }]
        } else {
            reader.edges(id, 0)
        };
        states.push(State { accepting: ends || accepts, edges });
    }
    let wrong = Edge { when: Vec::new(), to: states.len() };
    states.push(State { accepting: true, edges: vec![wrong] });
    let start = vec![graph.start.index()];
    (said.len() == before).then_some(Buchi { start, states })
}

fn refused(what: &str, at: At) -> Diagnostic {
    let message = format!("{what} cannot be run yet");
    Diagnostic::error(codes::NOT_YET, message, at.span)
        .help("a claim is followed beside the model: it can look, but not remember or change")
}

struct Reader<'a, 'b> {
    graph: &'a Graph,
    conditions: &'a mut Conditions<'b>,
    said: &'a mut Vec<Diagnostic>,
}

type When = Vec<(Letter, bool)>;

impl Reader<'_, '_> {
    /// Everything that can be read at a place.
    fn edges(&mut self, id: NodeId, depth: usize) -> Vec<Edge<Letter>> {
        let node = &self.graph.nodes[id];
        let mut found = Vec::new();
        for edge in &node.edges {
            let effects = edge.act.effects();
            let when = match effects.guard {
                Guard::Holds(value) => self.when(value, true),
                Guard::Otherwise => self.otherwise(id),
                Guard::Never => None,
                Guard::Opens(entry) => {
                    self.arrive(Vec::new(), entry, depth, &mut found);
                    None
                }
                Guard::Free if effects.writes.is_empty() => match effects.asserts {
                    Some(value) => {
                        let (failed, wrong) = (self.when(value, false), self.graph.nodes.len());
                        found.extend(failed.map(|when| Edge { when, to: wrong }));
                        self.when(value, true)
                    }
                    None => Some(Vec::new()),
                },
                Guard::Free | Guard::Room | Guard::Message | Guard::Processes => {
                    self.said.push(refused("this statement of a `never` claim", edge.at));
                    None
                }
            };
            if let Some(when) = when {
                self.arrive(when, edge.target, depth, &mut found);
            }
        }
        found
    }

    /// Goes on from where an edge leads: what is inside of `atomic` is read at once, as far as it can be.
    fn arrive(&mut self, when: When, at: NodeId, depth: usize, found: &mut Vec<Edge<Letter>>) {
        let node = &self.graph.nodes[at];
        if !(node.held || node.inside.is_some()) || depth >= DEPTH_MAX {
            return found.push(Edge { when, to: at.index() });
        }
        for edge in self.edges(at, depth + 1) {
            let when = when.iter().chain(&edge.when).cloned().collect();
            found.push(Edge { when, to: edge.to });
        }
        if let Some(stuck) = self.otherwise(at) {
            let when = when.into_iter().chain(stuck).collect();
            found.push(Edge { when, to: at.index() });
        }
    }

    /// What must be for a condition to have a value; `None` if it never has it.
    fn when(&mut self, value: &Expr, holds: bool) -> Option<When> {
        match value.kind {
            ExprKind::Number(number) => ((number != 0) == holds).then(Vec::new),
            _ => Some(vec![(self.conditions.letter(value), holds)]),
        }
    }

    /// What must be for no edge but `else` to be possible; `None` if one always is.
    fn otherwise(&mut self, id: NodeId) -> Option<When> {
        let mut all = Vec::new();
        for edge in &self.graph.nodes[id].edges {
            match edge.act.effects().guard {
                Guard::Otherwise => {}
                Guard::Holds(value) => all.extend(self.when(value, false)?),
                _ => return None,
            }
        }
        Some(all)
    }
}
