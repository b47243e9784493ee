//! The face that engines see.

use std::sync::Arc;

use qp_base::{Budget, Span};
use qp_front_promela::spec::Label;
use qp_machines::{
    Assigned, ConditionId, Deed, DetailId, Failure, FailureId, LocalId, MachineId, MessageId,
    Names, Net, Outline, Program, QueueId, Site, Start, Turn, Uses, World,
};

use super::dead::Dead;
use super::visited::Visited;
use super::{Code, Processes};

impl Program for Processes {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn outline_mut(&mut self) -> &mut Outline {
        &mut self.outline
    }

    fn fork(&self) -> Box<dyn Program> {
        Box::new(Self { visited: Visited::default(), ..self.clone() })
    }

    fn heed(&mut self, budget: &Budget) {
        self.budget = budget.clone();
    }

    fn limit(&mut self, queue: QueueId, messages: u32) -> bool {
        self.give_room(queue, messages)
    }

    fn start(&mut self) -> Start {
        self.begin()
    }

    fn may_rest(&self, _: MachineId, local: LocalId) -> bool {
        let frame = self.frames.value(local);
        self.code.graphs[frame.proc].nodes[frame.node].may_rest
    }

    fn turns(&mut self, machine: MachineId, timeout: bool, world: &mut dyn World) -> Vec<Turn> {
        self.all_turns(machine, timeout, world)
    }

    fn uses(&mut self, machine: MachineId, world: &mut dyn World) -> Option<Uses> {
        self.uses_of(machine, world)
    }

    fn holds(&mut self, condition: ConditionId, world: &mut dyn World) -> bool {
        self.condition_holds(condition, world)
    }

    fn is_progress(&self, _: MachineId, local: LocalId) -> bool {
        self.is_labelled(local, Label::is_progress)
    }

    fn is_accepting(&self, _: MachineId, local: LocalId) -> bool {
        self.is_labelled(local, Label::is_accept)
    }

    fn net(&mut self, followed: &[DetailId]) -> Result<Net, String> {
        crate::net::net(&self.code, followed)
    }
}

impl Names for Processes {
    fn unvisited(&self) -> Option<Vec<Site>> {
        Some(self.visited.others(&self.code))
    }

    fn in_full(&self) -> Option<Box<dyn Program>> {
        if self.code.dead.is_empty() {
            return None;
        }
        let code = Code { dead: Dead::default(), ..(*self.code).clone() };
        Some(Box::new(Self { code: Arc::new(code), ..self.clone() }))
    }

    fn control_name(&self, _: MachineId, local: LocalId) -> String {
        let frame = self.frames.value(local);
        self.code.names[frame.proc][frame.node].clone()
    }

    fn control_span(&self, _: MachineId, local: LocalId) -> Span {
        let frame = self.frames.value(local);
        let node = &self.code.graphs[frame.proc].nodes[frame.node];
        node.edges.first().map_or(self.code.spec.procs[frame.proc].at, |edge| edge.at).span
    }

    fn action_span(&self, machine: MachineId, local: LocalId) -> Option<Span> {
        Some(self.control_span(machine, local))
    }

    fn deed(&self, _: MachineId, from: LocalId, to: LocalId, number: Option<u32>) -> Option<Deed> {
        self.statement(from, to, number)
    }

    fn assigned(&self, _: MachineId, from: LocalId, to: LocalId) -> Vec<Assigned> {
        self.changed_locals(from, to)
    }

    fn assigned_shared(&self, from: &[i32], to: &[i32]) -> Vec<Assigned> {
        self.changed_globals(from, to)
    }

    fn local_text(&self, _: MachineId, local: LocalId) -> String {
        self.frame_text(self.frames.value(local))
    }

    fn local_from_text(&mut self, _: MachineId, text: &str) -> Option<LocalId> {
        let frame = self.frame_from_text(text)?;
        Some(self.frames.intern(frame))
    }

    fn message_text(&self, message: MessageId) -> String {
        self.code.message_text(self.messages.value(message))
    }

    fn message_from_text(&mut self, text: &str) -> Option<MessageId> {
        let parts = self.parts_from_text(text)?;
        Some(self.messages.intern(parts))
    }

    fn store_text(&self, cells: &[i32]) -> String {
        self.globals_text(cells)
    }

    fn store_from_text(&mut self, text: &str) -> Option<Vec<i32>> {
        self.globals_from_text(text)
    }

    fn failure(&self, failure: FailureId) -> Failure {
        self.failures[failure].clone()
    }

    fn machine_name(&self, machine: MachineId, local: LocalId) -> Option<String> {
        let proc = self.frames.values().get(local.index())?.proc;
        Some(format!("{}({})", self.code.spec.procs[proc].name, machine.raw()))
    }
}

impl Processes {
    fn is_labelled(&self, local: LocalId, kind: fn(&Label) -> bool) -> bool {
        let frame = self.frames.value(local);
        let labels = &self.code.spec.procs[frame.proc].body.labels;
        let node = &self.code.graphs[frame.proc].nodes[frame.node];
        node.labels.iter().any(|&label| kind(&labels[label]))
    }
}
