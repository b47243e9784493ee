//! The walk over all instructions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use qp_base::IndexVec;
use qp_machines::{FlowNode, SlotId, Use, ValueFlow};

use crate::effects::{Change, Effects, Sink, Source};
use crate::reduce::{Calls, Control};
use crate::run::Plan;
use crate::{
    Blueprint, BodyId, Choice, Dialect, EventId, Expr, FunctionId, Instr, Op, Place, Root, Value,
};

use super::shape::{Shape, Slots};
use super::uses::{ADDED_MAX, Uses};

/// Where numbers are, and what is done with them.
#[derive(Debug)]
pub(crate) struct Sorted {
    pub(crate) flow: Arc<ValueFlow>,
    pub(crate) fields: IndexVec<BodyId, Vec<Shape>>,
    pub(crate) registers: IndexVec<FunctionId, Vec<Shape>>,
    pub(crate) payloads: IndexVec<EventId, Shape>,
    /// For each body: the node of its first state, the nodes of functions, and where states are entered.
    pub(crate) bodies: IndexVec<BodyId, Nodes>,
}

/// The nodes of a body.
#[derive(Debug)]
pub(crate) struct Nodes {
    /// The node in which the first state waits; the others follow.
    pub(crate) waiting: u32,
    pub(crate) starts: BTreeMap<FunctionId, u32>,
    /// For each state: where it is entered.
    pub(crate) enters: Vec<u32>,
}

/// The body and the function of an instruction.
pub(super) type Here = (BodyId, FunctionId);

/// Nodes, and slots that are used there.
type Places = Vec<(usize, SlotId)>;

/// The walk.
pub(crate) struct Facts<'a> {
    plan: &'a Plan,
    blueprint: &'a Blueprint,
    pub(super) uses: Uses,
    pub(super) fields: IndexVec<BodyId, Vec<Shape>>,
    pub(super) registers: IndexVec<FunctionId, Vec<Shape>>,
    payloads: IndexVec<EventId, Shape>,
    /// What functions return, by the first register that takes it.
    results: IndexVec<FunctionId, Option<Shape>>,
    /// Where events are sent that are not known.
    carried: Vec<usize>,
    /// Additions to a variable of a machine.
    steps: Vec<(usize, SlotId)>,
    /// Other assignments to such variables as a whole, and whether it is copied from somewhere.
    writes: Vec<(usize, SlotId, bool)>,
    /// Creations of machines.
    births: Vec<(usize, BodyId)>,
}

impl<'a> Facts<'a> {
    pub(crate) fn find(plan: &'a Plan) -> Sorted {
        let blueprint = &*plan.blueprint;
        let calls = Calls::of(blueprint);
        let mut slots = Slots::default();
        let shapes = |slots: &mut Slots, all: &[crate::Variable], owner: &str| -> Vec<Shape> {
            all.iter().map(|it| slots.variable(it, owner)).collect()
        };
        let fields = blueprint.bodies.iter();
        let fields = fields.map(|it| shapes(&mut slots, it.fields.as_slice(), &it.name)).collect();
        let payloads = blueprint.events.iter();
        let payloads = payloads.map(|it| slots.payload(it)).collect();
        let registers = blueprint.functions.iter();
        let registers: IndexVec<FunctionId, Vec<Shape>> =
            registers.map(|it| shapes(&mut slots, it.registers.as_slice(), &it.name)).collect();
        let mut results: IndexVec<FunctionId, Option<Shape>> =
            blueprint.functions.iter().map(|_| None).collect();
        for (id, function) in blueprint.functions.iter_enumerated() {
            for instr in &function.code {
                if let Instr::Call { function, into: Some(into), .. } = instr {
                    let shape = &registers[id][into.index()];
                    results[*function].get_or_insert_with(|| shape.clone());
                }
            }
        }
        let mut this = Self {
            plan,
            blueprint,
            uses: Uses::default(),
            fields,
            registers,
            payloads,
            results,
            carried: Vec::new(),
            steps: Vec::new(),
            writes: Vec::new(),
            births: Vec::new(),
        };
        let controls: Vec<Control<'_>> =
            blueprint.bodies.iter().map(|body| Control::of(blueprint, body, &calls)).collect();
        let bodies = this.number(&controls);
        for body in blueprint.bodies.ids() {
            this.body(body, &bodies);
        }
        this.finish(slots, bodies)
    }

    /// Numbers the nodes of all bodies.
    fn number(&mut self, controls: &[Control<'_>]) -> IndexVec<BodyId, Nodes> {
        let mut bodies = IndexVec::new();
        for (body, control) in self.blueprint.bodies.iter().zip(controls) {
            let offset = self.uses.nodes.len() as u32;
            let node = |it: usize| offset + it as u32;
            for next in &control.successors {
                let next = next.iter().map(|&to| node(to)).collect();
                self.uses.nodes.push(FlowNode { uses: Vec::new(), next });
            }
            bodies.push(Nodes {
                waiting: offset,
                starts: control.starts.iter().map(|(&it, &start)| (it, node(start))).collect(),
                enters: body.states.ids().map(|state| node(control.enters(state))).collect(),
            });
        }
        bodies
    }

    fn body(&mut self, body: BodyId, bodies: &IndexVec<BodyId, Nodes>) {
        let blueprint = self.blueprint;
        for (event, function) in blueprint.bodies[body].handed() {
            self.uses.at = bodies[body].starts[&function] as usize;
            let (payload, param) = (self.payloads[event].clone(), self.param(function));
            self.uses.join(&payload, &param);
        }
        for (&function, &start) in &bodies[body].starts {
            for pc in 0..blueprint.functions[function].code.len() {
                self.uses.at = start as usize + pc;
                if pc == 0 {
                    self.begin(function);
                }
                self.instr(body, function, pc, bodies);
            }
        }
    }

    /// The parameter of a function that takes a payload, if it does.
    fn param(&self, function: FunctionId) -> Shape {
        let takes = self.blueprint.functions[function].n_params > 0;
        if takes { self.registers[function][0].clone() } else { Shape::Const(Value::Null) }
    }

    /// What registers hold that are read before they are assigned.
    fn begin(&mut self, function: FunctionId) {
        let n_params = self.blueprint.functions[function].n_params;
        let unassigned = self.plan.liveness.unassigned(function).clone();
        for register in (n_params..unassigned.len()).filter(|&it| unassigned[it]) {
            let shape = self.registers[function][register].clone();
            self.uses.literal(&shape, &self.plan.registers[function][register]);
        }
    }

    fn instr(
        &mut self,
        body: BodyId,
        function: FunctionId,
        pc: usize,
        bodies: &IndexVec<BodyId, Nodes>,
    ) {
        let here = (body, function);
        let blueprint = self.blueprint;
        if let Instr::Assign { place: Place { root: Root::Field(field), path }, value } =
            &blueprint.functions[function].code[pc]
            && path.is_empty()
            && let Shape::Number(slot) = self.fields[body][field.index()]
        {
            return self.assign(here, slot, *field, value);
        }
        let Effects { flows, .. } = blueprint.functions[function].effects_at(pc);
        for flow in flows {
            let source = self.source(here, flow.source, &flow.sink);
            self.sink(here, &flow.sink, &source, bodies);
        }
    }

    /// A variable that holds a number is assigned as a whole.
    fn assign(&mut self, here: Here, slot: SlotId, field: crate::FieldId, value: &Expr) {
        let node = self.uses.at;
        if let Expr::Binary { op: Op::Add, left, right, .. } = value {
            let step = match (&**left, &**right) {
                (Expr::Field(it), Expr::Const(Value::Int(by)))
                | (Expr::Const(Value::Int(by)), Expr::Field(it)) => {
                    *it == field && (1..=ADDED_MAX).contains(by)
                }
                _ => false,
            };
            if step && self.adds() {
                self.steps.push((node, slot));
                return;
            }
        }
        let shape = self.expr(here, value);
        self.writes.push((node, slot, !matches!(shape, Shape::Const(_) | Shape::Opaque)));
        self.uses.join(&Shape::Number(slot), &shape);
    }

    /// Whether numbers are large enough to be added to.
    pub(super) fn adds(&self) -> bool {
        self.blueprint.dialect == Dialect::Current
    }

    fn source(&mut self, here: Here, source: Source<'_>, sink: &Sink<'_>) -> Shape {
        match source {
            Source::Expr(expr) => self.expr(here, expr),
            Source::Result(function) => self.results[function].clone().unwrap_or(Shape::Opaque),
            Source::Created(_) => Shape::Opaque,
            Source::Payload(event) => self.payloads[event].clone(),
            Source::Choice(choice) => self.choice(here, choice, sink),
        }
    }

    fn choice(&mut self, here: Here, choice: &Choice, sink: &Sink<'_>) -> Shape {
        let Choice::Of(expr) = choice else { return Shape::Opaque };
        let of = self.expr(here, expr);
        match of {
            Shape::Const(Value::Int(most)) => {
                if let Sink::Variable { root, path, .. } = sink
                    && let Shape::Number(slot) = self.place(here, *root, path)
                {
                    self.uses.constant(slot, most.max(1), Use::Choose);
                    return Shape::Number(slot);
                }
                Shape::Opaque
            }
            Shape::Seq(of) => *of,
            Shape::Set(_, ref item) => {
                self.uses.count(&of, Use::Size);
                (**item).clone()
            }
            Shape::Map(_, ref both) => {
                self.uses.count(&of, Use::Size);
                both.0.clone()
            }
            other => {
                self.uses.other(&other);
                Shape::Opaque
            }
        }
    }

    fn sink(
        &mut self,
        here: Here,
        sink: &Sink<'_>,
        value: &Shape,
        bodies: &IndexVec<BodyId, Nodes>,
    ) {
        match *sink {
            Sink::Variable { root, path, change } => {
                let place = self.place(here, root, path);
                self.change(&place, change, value);
            }
            Sink::Parameter(function, register) => {
                let register = self.registers[function][register.index()].clone();
                self.uses.join(&register, value);
            }
            Sink::Result => {
                if let Some(result) = self.results[here.1].clone() {
                    self.uses.join(&result, value);
                }
            }
            Sink::Newborn(interface) => self.create(here.0, interface, value, bodies),
            Sink::Mailbox { target, event } => {
                self.expr(here, target);
                self.carry(here, event, value);
            }
            Sink::Specs { event } | Sink::Raised { event } => self.carry(here, event, value),
            Sink::State(state) => {
                if let Some(entry) = self.blueprint.bodies[here.0].states[state].entry {
                    let param = self.param(entry);
                    self.uses.join(&param, value);
                }
            }
            Sink::Decision | Sink::Nothing => {}
        }
    }

    fn change(&mut self, place: &Shape, change: Change, value: &Shape) {
        match (change, place) {
            (Change::Assign, place) => self.uses.join(place, value),
            (Change::Key | Change::Remove, Shape::Seq(_)) => self.position(value),
            (Change::Key | Change::Remove, Shape::Map(_, of)) => self.look_up(&of.0, value),
            (Change::Remove | Change::Item, Shape::Set(_, of)) => self.look_up(of, value),
            (Change::Item, Shape::Seq(of)) => self.uses.join(of, value),
            (Change::Item, Shape::Map(_, of)) => self.uses.join(&of.1, value),
            (_, place) => {
                self.uses.other(place);
                self.uses.other(value);
            }
        }
    }

    fn create(
        &mut self,
        body: BodyId,
        interface: u32,
        arg: &Shape,
        bodies: &IndexVec<BodyId, Nodes>,
    ) {
        let blueprint = self.blueprint;
        let creators = blueprint.roles.iter().filter(|role| role.body == body);
        let links = creators.filter_map(|role| *role.links.get(interface as usize)?);
        for role in links.collect::<BTreeSet<_>>() {
            let id = blueprint.roles[role].body;
            let born = &blueprint.bodies[id];
            let first = self.plan.liveness.entering(self.plan, id, born.start);
            for (field, default) in self.plan.fields[id].iter().enumerate() {
                if first.as_ref().is_none_or(|live| live[field]) {
                    let shape = self.fields[id][field].clone();
                    self.uses.literal(&shape, default);
                }
            }
            if let Some(entry) = born.states[born.start].entry {
                let param = self.param(entry);
                self.uses.join(&param, arg);
            }
            let node = self.uses.at;
            self.uses.nodes[node].next.push(bodies[id].enters[born.start.index()]);
            self.births.push((node, id));
        }
    }

    /// A value goes with an event.
    fn carry(&mut self, here: Here, event: &Expr, value: &Shape) {
        if let Expr::Const(Value::Event(event)) = event {
            let payload = self.payloads[*event].clone();
            self.uses.join(&payload, value);
        } else {
            self.expr(here, event);
            // What an event that is not known carries is not followed.
            self.carried.push(self.uses.at);
            self.uses.other(value);
        }
    }

    fn finish(mut self, slots: Slots, bodies: IndexVec<BodyId, Nodes>) -> Sorted {
        // What is sent with an event that is not known may be sent with any that is somewhere a value.
        for &node in &self.carried {
            self.uses.at = node;
            for event in self.uses.loose.clone() {
                let payload = self.payloads[event].clone();
                self.uses.other(&payload);
            }
        }
        let is_copied = |slot: SlotId| self.writes.iter().any(|it| it.1 == slot && it.2);
        let (shifted, steps): (Places, Places) =
            self.steps.iter().partition(|step| is_copied(step.1));
        let generators: BTreeSet<SlotId> = steps.iter().map(|step| step.1).collect();
        let mut resets: Places = self.writes.iter().map(|it| (it.0, it.1)).collect();
        for &(node, body) in &self.births {
            let numbers = self.fields[body].iter().filter_map(|shape| match shape {
                Shape::Number(slot) => Some((node, *slot)),
                _ => None,
            });
            resets.extend(numbers);
        }
        resets.retain(|reset| generators.contains(&reset.1));
        for (all, it) in [(shifted, Use::Shift), (steps, Use::Step), (resets, Use::Reset)] {
            for (node, slot) in all {
                self.uses.at = node;
                self.uses.note(slot, it);
            }
        }
        let flow = ValueFlow {
            slots: slots.slots,
            n_classes: slots.n_classes,
            same: self.uses.same.into_iter().collect(),
            alike: self.uses.alike.into_iter().collect(),
            counted: self.uses.counted.into_iter().collect(),
            nodes: self.uses.nodes,
        };
        let (fields, registers, payloads) = (self.fields, self.registers, self.payloads);
        Sorted { flow: Arc::new(flow), fields, registers, payloads, bodies }
    }
}
