//! Parts of configurations, taken apart and put together.

use std::sync::Arc;

use qp_base::{Interner, Map};
use qp_machines::{Apart, Part, Term, ValueFlow, Values};

use crate::run::{Actors, Carried, Local, Phase, Plan, Store, Task};
use crate::{BodyId, StateId, Value};

use super::facts::{Facts, Nodes, Sorted};
use super::shape::{Atoms, Shape};

/// What is known about numbers in a program, from when it is asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    sorted: Option<Arc<Sorted>>,
    atoms: Atoms,
    shapes: Interner<usize, Rest>,
    known: Map<Part, Option<Apart>>,
}

/// A part without the values that can still be read.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Rest {
    Local(Local),
    Message(Carried),
    Store(Store),
}

/// A value in a local state, message or store, with its shape.
type Visit<'v> = dyn FnMut(&Shape, &mut Value) + 'v;

impl Sorted {
    /// Where a machine is, and every value that it can still read; nothing if it is not known where it is.
    fn local(&self, plan: &Plan, local: &mut Local, visit: &mut Visit<'_>) -> Option<Vec<u32>> {
        match local.phase {
            Phase::Running | Phase::Announced => {}
            // A step of its own, which is not in the control flow.
            Phase::Took => return None,
            Phase::Halting
            | Phase::Halted
            | Phase::Discarded
            | Phase::Failed(_)
            | Phase::GaveUp(_) => return Some(Vec::new()),
        }
        let body = plan.body_id(local.owner);
        let nodes = &self.bodies[body];
        let node = match (local.frames.last(), &local.agenda[..]) {
            (Some(frame), _) => nodes.starts.get(&frame.function)? + frame.pc,
            (None, [Task::Enter(state, _)]) => nodes.enters[state.index()],
            (None, []) => nodes.waits(*local.stack.last()?),
            (None, _) => return None,
        };
        let kept = plan.liveness.kept(plan, body, local);
        self.fields(body, &kept.fields, &mut local.fields, visit);
        for (frame, live) in local.frames.iter_mut().zip(&kept.registers) {
            let shapes = &self.registers[frame.function];
            for ((value, shape), live) in frame.registers.iter_mut().zip(shapes).zip(live) {
                if *live {
                    visit(shape, value);
                }
            }
        }
        for task in &mut local.agenda {
            self.task(plan, body, task, visit);
        }
        Some(vec![node])
    }

    fn fields(&self, body: BodyId, live: &[bool], values: &mut [Value], visit: &mut Visit<'_>) {
        for ((value, shape), live) in values.iter_mut().zip(&self.fields[body]).zip(live) {
            if *live {
                visit(shape, value);
            }
        }
    }

    fn task(&self, plan: &Plan, body: BodyId, task: &mut Task, visit: &mut Visit<'_>) {
        let states = &plan.blueprint.bodies[body].states;
        let (shape, value) = match task {
            Task::Call(function, value) => (self.param(plan, Some(*function)), value),
            Task::Enter(state, value) | Task::Push(state, value) => {
                (self.param(plan, states[*state].entry), value)
            }
            Task::Handle { event, payload, .. } => (&self.payloads[*event], payload),
            Task::Exit | Task::Drop | Task::Halt | Task::Fail(_) => return,
        };
        visit(shape, value);
    }

    /// The parameter of a function that takes nothing or the payload.
    fn param(&self, plan: &Plan, function: Option<crate::FunctionId>) -> &Shape {
        match function {
            Some(it) if plan.function(it).n_params > 0 => &self.registers[it][0],
            _ => &Shape::Opaque,
        }
    }

    /// The same of the specs.
    fn store(&self, plan: &Plan, store: &mut Store, visit: &mut Visit<'_>) -> Vec<u32> {
        let mut nodes = Vec::new();
        for (spec, watch) in plan.blueprint.specs.iter().zip(store) {
            let Some(&state) = watch.stack.last() else { continue };
            nodes.push(self.bodies[spec.body].waits(state));
            let live = plan.liveness.waiting(spec.body, state);
            self.fields(spec.body, live, &mut watch.fields, visit);
        }
        nodes
    }
}

impl Nodes {
    fn waits(&self, state: StateId) -> u32 {
        self.waiting + state.raw()
    }
}

impl Actors {
    /// Calls `visit` with every value of a part that can still be read. Says what is left, and where it is.
    fn visit(
        &self,
        sorted: &Sorted,
        part: Part,
        visit: &mut Visit<'_>,
    ) -> Option<(Rest, Vec<u32>)> {
        Some(match part {
            Part::Local(_, local) => {
                let mut local = self.locals.value(local).clone();
                let nodes = sorted.local(&self.plan, &mut local, visit)?;
                (Rest::Local(local), nodes)
            }
            Part::Message(message) => {
                let mut message = self.messages.value(message).clone();
                visit(&sorted.payloads[message.event], &mut message.payload);
                (Rest::Message(message), Vec::new())
            }
            Part::Store(store) => {
                let mut store = self.stores.value(store.cast_unsigned() as usize).clone();
                let nodes = sorted.store(&self.plan, &mut store, visit);
                (Rest::Store(store), nodes)
            }
        })
    }

    fn sorted(&mut self) -> Arc<Sorted> {
        let plan = &self.plan;
        self.parts.sorted.get_or_insert_with(|| Arc::new(Facts::find(plan))).clone()
    }
}

impl Values for Actors {
    fn value_flow(&mut self) -> Arc<ValueFlow> {
        self.sorted().flow.clone()
    }

    fn apart(&mut self, part: Part) -> Option<Apart> {
        if let Some(known) = self.parts.known.get(&part) {
            return known.clone();
        }
        let sorted = self.sorted();
        let (mut atoms, mut terms) = (std::mem::take(&mut self.parts.atoms), Vec::new());
        let rest = self.visit(&sorted, part, &mut |shape, value| {
            terms.push(atoms.term(shape, value));
            *value = Value::Null;
        });
        self.parts.atoms = atoms;
        let apart = rest.map(|(rest, nodes)| {
            let shape = self.parts.shapes.intern(rest) as u32;
            Apart { shape, nodes, terms: terms.into() }
        });
        self.parts.known.insert(part, apart.clone());
        apart
    }

    fn with_terms(&mut self, part: Part, terms: &[Term]) -> Part {
        let sorted = self.sorted();
        let mut terms = terms.iter();
        let atoms = &self.parts.atoms;
        let whole = self.visit(&sorted, part, &mut |_, value| {
            if let Some(term) = terms.next() {
                *value = atoms.value(term);
            }
        });
        match (whole.map(|it| it.0), part) {
            (Some(Rest::Local(local)), Part::Local(machine, _)) => {
                Part::Local(machine, self.locals.intern(local))
            }
            (Some(Rest::Message(message)), _) => Part::Message(self.messages.intern(message)),
            (Some(Rest::Store(store)), _) => Part::Store(self.cell(store)),
            _ => part,
        }
    }
}
