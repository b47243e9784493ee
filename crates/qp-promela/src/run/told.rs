//! What users are told about a step: the statements, and the variables that have new values.

use qp_front_promela::spec::{Spec, Ty, Variable};
use qp_machines::{Assigned, Deed, LocalId};

use super::value::as_channel;
use super::{Frame, Processes};
use crate::graph::{Edge, deed_text};
use crate::net::add_cells;

impl Processes {
    /// The statement of this number, or the one that leads from one place to the other.
    pub(super) fn statement(
        &self,
        from: LocalId,
        to: LocalId,
        number: Option<u32>,
    ) -> Option<Deed> {
        let (from, to) = (self.frames.value(from), self.frames.value(to));
        let edge = self.edge(from, to, number)?;
        let body = &self.code.spec.procs[from.proc].body;
        Some(Deed { span: edge.at.span, text: deed_text(&self.code.spec, body, edge) })
    }

    fn edge(&self, from: &Frame, to: &Frame, number: Option<u32>) -> Option<&Edge> {
        let nodes = &self.code.graphs[from.proc].nodes;
        let mut here = nodes[from.node].edges.iter();
        if number.is_none() {
            return here.find(|it| from.proc == to.proc && it.target == to.node);
        }
        // What leaves an `unless` stands at many places, and is the same statement at each.
        let mut all = here.chain(nodes.iter().flat_map(|node| &node.edges));
        all.find(|it| it.number == number)
    }

    /// The variables of a process that differ.
    pub(super) fn changed_locals(&self, from: LocalId, to: LocalId) -> Vec<Assigned> {
        let (from, to) = (self.frames.value(from), self.frames.value(to));
        if from.proc != to.proc {
            return Vec::new();
        }
        let locals = &self.code.spec.procs[from.proc].body.locals;
        // What was reset was not assigned.
        let mut before = from.cells.clone();
        for &cell in self.code.dead.at(to.proc, to.node) {
            before[cell] = to.cells[cell];
        }
        self.changed(locals.iter(), &before, &to.cells)
    }

    /// The shared variables that differ.
    pub(super) fn changed_globals(&self, from: &[i32], to: &[i32]) -> Vec<Assigned> {
        self.changed(self.code.spec.globals.iter(), from, to)
    }

    fn changed<'a>(
        &self,
        variables: impl Iterator<Item = &'a Variable>,
        from: &[i32],
        to: &[i32],
    ) -> Vec<Assigned> {
        let (mut found, mut first) = (Vec::new(), 0);
        for variable in variables {
            let cells = first..first + self.code.spec.variable_cells(variable);
            first = cells.end;
            let (Some(old), Some(new)) = (from.get(cells.clone()), to.get(cells)) else { break };
            if old == new {
                continue;
            }
            let parts = parts(&self.code.spec, variable);
            for ((name, ty), (old, &new)) in parts.into_iter().zip(old.iter().zip(new)) {
                if *old != new {
                    found.push(Assigned { name, value: self.value_text(ty, new) });
                }
            }
        }
        found
    }

    /// A value as the user would write it; a channel by its name.
    fn value_text(&self, ty: Ty, value: i32) -> String {
        let name = match ty {
            Ty::Mtype(set) => self.code.spec.mtypes[set].name_of(value).map(str::to_owned),
            Ty::Chan => as_channel(value).map(|(queue, _)| self.outline.queue_text(queue)),
            _ => None,
        };
        name.unwrap_or_else(|| value.to_string())
    }
}

/// The cells of a variable in order, with their names.
fn parts(spec: &Spec, variable: &Variable) -> Vec<(String, Ty)> {
    let mut names = Vec::new();
    add_cells(spec, &variable.name, (variable.ty, variable.len), &mut names);
    names
}
