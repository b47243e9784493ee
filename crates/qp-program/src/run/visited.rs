//! The states, handlers and code that runs have come to.

use qp_base::{Set, Span};
use qp_machines::{Site, SiteKind};

use crate::{Body, BodyId, EventId, Function, FunctionId, Handler, Instr, StateId};

use super::local::{Local, Task};
use super::plan::Plan;

/// What was passed while steps were worked out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Visited {
    states: Set<(BodyId, StateId)>,
    handlers: Set<(BodyId, StateId, EventId)>,
    /// For each function, by number: its instructions, if it was called.
    code: Vec<Vec<bool>>,
}

impl Visited {
    /// Whatever comes next in a local state is about to be done.
    pub(crate) fn note(&mut self, plan: &Plan, local: &Local) {
        if let Some(frame) = local.frames.last() {
            // Running off the end is no instruction.
            let instr = self.code.get_mut(frame.function.index());
            match instr.and_then(|code| code.get_mut(frame.pc as usize)) {
                Some(instr) => *instr = true,
                None => self.call(plan, frame.function, frame.pc as usize),
            }
            return;
        }
        match local.agenda.last() {
            Some(Task::Enter(state, _) | Task::Push(state, _)) => {
                self.states.insert((plan.body_id(local.owner), *state));
            }
            Some(Task::Handle { event, .. }) => self.note_event(plan, local, *event),
            Some(Task::Exit | Task::Call(..) | Task::Drop | Task::Halt | Task::Fail(_)) | None => {}
        }
    }

    /// The first instruction of a function that was not called before.
    fn call(&mut self, plan: &Plan, function: FunctionId, pc: usize) {
        if self.code.is_empty() {
            self.code.resize(plan.blueprint.functions.len(), Vec::new());
        }
        let code = &mut self.code[function.index()];
        code.resize(plan.function(function).code.len(), false);
        if let Some(instr) = code.get_mut(pc) {
            *instr = true;
        }
    }

    /// The nearest state that says anything about an event is about to handle it.
    pub(crate) fn note_event(&mut self, plan: &Plan, local: &Local, event: EventId) {
        let body = plan.body_id(local.owner);
        let states = &plan.blueprint.bodies[body].states;
        let mut stack = local.stack.iter().rev();
        if let Some(&state) = stack.find(|&&state| handler(&states[state].handlers, event)) {
            self.handlers.insert((body, state, event));
        }
    }

    /// What was not passed: machines, states of those that were, handlers of those, and code beside code that was.
    pub(crate) fn others(&self, plan: &Plan) -> Vec<Site> {
        let blueprint = &plan.blueprint;
        let roles = blueprint.roles.iter().map(|role| (role.body, role.span));
        let specs = blueprint.specs.iter().map(|spec| (spec.body, spec.span));
        let (mut sites, mut known) = (Vec::new(), Set::default());
        for (id, span) in roles.chain(specs) {
            let body = &blueprint.bodies[id];
            if !known.insert(id) {
                continue;
            }
            if self.states.contains(&(id, body.start)) {
                self.other_states(plan, id, body, &mut sites);
            } else {
                sites.push(site(SiteKind::Machine, &body.name, body.name.clone(), span));
            }
        }
        for (id, function) in blueprint.functions.iter_enumerated() {
            self.other_code(plan, id, function, &mut sites);
        }
        sites.sort_by_key(|site| site.span.start);
        sites
    }

    fn other_states(&self, plan: &Plan, id: BodyId, body: &Body, sites: &mut Vec<Site>) {
        for (number, state) in body.states.iter_enumerated() {
            if !self.states.contains(&(id, number)) {
                sites.push(site(SiteKind::State, &body.name, state.name.clone(), state.span));
                continue;
            }
            for (event, handler) in &state.handlers {
                let span = match handler {
                    // Nobody expects every one of them to be of use.
                    Handler::Defer | Handler::Ignore => continue,
                    Handler::Do(function) | Handler::Goto(_, Some(function)) => {
                        plan.function(*function).span
                    }
                    Handler::Goto(_, None) | Handler::Push(_) => state.span,
                };
                if !self.handlers.contains(&(id, number, *event)) {
                    let name = format!("on {} in {}", plan.event_name(*event), state.name);
                    sites.push(site(SiteKind::Handler, &body.name, name, span));
                }
            }
        }
    }

    /// Where code begins that was not run, in functions that were.
    fn other_code(&self, plan: &Plan, id: FunctionId, function: &Function, sites: &mut Vec<Site>) {
        let Some(run) = self.code.get(id.index()).filter(|run| run.contains(&true)) else { return };
        let mut bodies = plan.functions.iter_enumerated().filter(|(_, all)| all.contains(&id));
        let machine = match (bodies.next(), bodies.next()) {
            (Some((body, _)), None) => plan.blueprint.bodies[body].name.as_str(),
            _ => "",
        };
        let written: Set<Span> = function
            .spans
            .iter()
            .zip(run)
            .filter(|(_, run)| **run)
            .map(|(span, _)| *span)
            .collect();
        let mut before = true;
        for ((instr, &now), &span) in function.code.iter().zip(run).zip(&function.spans) {
            // Jumps are not written, and what is written once may be several instructions.
            if matches!(instr, Instr::Jump(_)) || !now && written.contains(&span) {
                continue;
            }
            if before && !now {
                let name = format!("in {}", function.name);
                sites.push(site(SiteKind::Statement, machine, name, span));
            }
            before = now;
        }
    }
}

fn handler(handlers: &[(EventId, Handler)], event: EventId) -> bool {
    handlers.binary_search_by_key(&event, |handler| handler.0).is_ok()
}

fn site(kind: SiteKind, machine: &str, name: String, span: Span) -> Site {
    Site { kind, machine: machine.to_owned(), name, span }
}
