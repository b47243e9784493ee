//! The walk over all instructions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use qp_base::IndexVec;
use qp_machines::{FlowNode, SlotId, Use, ValueFlow};

use crate::effects::{Change, Effects, Sink, Source};
use crate::reduce::{Calls, Control};
use crate::run::Plan;
use crate::{
    Blueprint, BodyId, Choice, Dialect, EventId, Expr, FunctionId, Instr, Op, Place, Projection,
    Root, Value,
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

/// The walk.
pub(crate) struct Facts<'a> {
    plan: &'a Plan,
    blueprint: &'a Blueprint,
    uses: Uses,
    fields: IndexVec<BodyId, Vec<Shape>>,
    registers: IndexVec<FunctionId, Vec<Shape>>,
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
    fn assign(
        &mut self,
        here: (BodyId, FunctionId),
        slot: SlotId,
        field: crate::FieldId,
        value: &Expr,
    ) {
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
    fn adds(&self) -> bool {
        self.blueprint.dialect == Dialect::Current
    }

    fn source(&mut self, here: (BodyId, FunctionId), source: Source<'_>, sink: &Sink<'_>) -> Shape {
        match source {
            Source::Expr(expr) => self.expr(here, expr),
            Source::Result(function) => self.results[function].clone().unwrap_or(Shape::Opaque),
            Source::Created(_) => Shape::Opaque,
            Source::Payload(event) => self.payloads[event].clone(),
            Source::Choice(choice) => self.choice(here, choice, sink),
        }
    }

    fn choice(&mut self, here: (BodyId, FunctionId), choice: &Choice, sink: &Sink<'_>) -> Shape {
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
        here: (BodyId, FunctionId),
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

    /// A value is a position in a sequence.
    fn position(&mut self, value: &Shape) {
        if !matches!(value, Shape::Const(_)) {
            self.uses.other(value);
        }
    }

    /// A value is a key or an element.
    fn look_up(&mut self, key: &Shape, value: &Shape) {
        self.uses.join(key, value);
        self.uses.equal(key);
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
    fn carry(&mut self, here: (BodyId, FunctionId), event: &Expr, value: &Shape) {
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

    fn place(&mut self, here: (BodyId, FunctionId), root: Root, path: &[Projection]) -> Shape {
        let mut shape = match root {
            Root::Register(register) => self.registers[here.1][register.index()].clone(),
            Root::Field(field) => self.fields[here.0][field.index()].clone(),
        };
        for step in path {
            shape = match step {
                Projection::Part(number) => part(shape, *number),
                Projection::Index(index, _) => {
                    let index = self.expr(here, index);
                    self.entry(shape, &index)
                }
            };
        }
        shape
    }

    /// An entry of a collection.
    fn entry(&mut self, of: Shape, index: &Shape) -> Shape {
        match of {
            Shape::Seq(item) => {
                self.position(index);
                *item
            }
            Shape::Set(_, ref item) => {
                self.position(index);
                self.uses.count(&of, Use::Walk);
                (**item).clone()
            }
            Shape::Map(_, both) => {
                self.look_up(&both.0, index);
                both.1
            }
            of => {
                self.uses.other(&of);
                self.position(index);
                Shape::Opaque
            }
        }
    }

    fn expr(&mut self, here: (BodyId, FunctionId), expr: &Expr) -> Shape {
        match expr {
            Expr::Const(value) => {
                loose_events(value, &mut self.uses.loose);
                Shape::Const(value.clone())
            }
            Expr::Register(register) => self.registers[here.1][register.index()].clone(),
            Expr::Field(field) => self.fields[here.0][field.index()].clone(),
            Expr::This => Shape::Opaque,
            Expr::Not(e) => {
                self.expr(here, e);
                Shape::Opaque
            }
            Expr::Negate(e) => match self.expr(here, e) {
                Shape::Const(Value::Int(number)) if number.abs_diff(0) < 1 << 62 => {
                    Shape::Const(Value::Int(-number))
                }
                of => {
                    self.uses.other(&of);
                    Shape::Opaque
                }
            },
            Expr::And(a, b) | Expr::Or(a, b) => {
                self.expr(here, a);
                self.expr(here, b);
                Shape::Opaque
            }
            Expr::Binary { op, left, right, .. } => {
                let (left, right) = (self.expr(here, left), self.expr(here, right));
                self.binary(*op, left, right)
            }
            Expr::Tuple(parts) | Expr::Record(_, parts) => {
                Shape::Tuple(parts.iter().map(|it| self.expr(here, it)).collect())
            }
            Expr::Part(of, number) => part(self.expr(here, of), *number),
            Expr::Index { of, index, .. } => {
                let (of, index) = (self.expr(here, of), self.expr(here, index));
                self.entry(of, &index)
            }
            Expr::Keys(of) => self.listed(here, of, |both| both.0),
            Expr::Values(of) => self.listed(here, of, |both| both.1),
            Expr::Size(of) => {
                let of = self.expr(here, of);
                self.uses.count(&of, Use::Size);
                Shape::Opaque
            }
            Expr::Contains { item, of } => {
                let (item, of) = (self.expr(here, item), self.expr(here, of));
                match &of {
                    Shape::Seq(key) | Shape::Set(_, key) => self.look_up(key, &item),
                    Shape::Map(_, both) => self.look_up(&both.0, &item),
                    _ => {
                        self.uses.other(&of);
                        self.uses.other(&item);
                    }
                }
                Shape::Opaque
            }
            Expr::Cast { value, .. } => self.expr(here, value),
            Expr::ToInt(e) | Expr::ToFloat(e) => {
                let of = self.expr(here, e);
                self.uses.other(&of);
                Shape::Opaque
            }
            Expr::Format(_, values) => {
                Shape::Text(values.iter().map(|it| self.expr(here, it)).collect())
            }
        }
    }

    /// The keys or values of a map, in the order of the keys.
    fn listed(
        &mut self,
        here: (BodyId, FunctionId),
        of: &Expr,
        which: fn((Shape, Shape)) -> Shape,
    ) -> Shape {
        let of = self.expr(here, of);
        self.uses.count(&of, Use::Walk);
        match of {
            Shape::Map(_, both) => Shape::Seq(Box::new(which(*both))),
            of => {
                self.uses.other(&of);
                Shape::Opaque
            }
        }
    }

    fn binary(&mut self, op: Op, left: Shape, right: Shape) -> Shape {
        match (op, left, right) {
            (Op::Equal | Op::NotEqual, left, right) => {
                self.uses.join(&left, &right);
                for side in [&left, &right] {
                    // A single number that is compared with a constant is not compared with another one.
                    let plain = matches!(left, Shape::Const(_)) || matches!(right, Shape::Const(_));
                    if !(plain && matches!(side, Shape::Number(_))) {
                        self.uses.equal(side);
                    }
                }
            }
            (Op::Less | Op::GreaterEqual, Shape::Number(it), Shape::Const(Value::Int(than)))
            | (Op::Greater | Op::LessEqual, Shape::Const(Value::Int(than)), Shape::Number(it)) => {
                self.uses.constant(it, than, Use::Cut);
            }
            (Op::LessEqual | Op::Greater, Shape::Number(it), Shape::Const(Value::Int(than)))
            | (Op::GreaterEqual | Op::Less, Shape::Const(Value::Int(than)), Shape::Number(it)) => {
                self.uses.constant(it, than.saturating_add(1), Use::Cut);
            }
            (
                Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual,
                Shape::Number(a),
                Shape::Number(b),
            ) => {
                self.uses.join(&Shape::Number(a), &Shape::Number(b));
                self.uses.note(a, Use::Order);
            }
            (Op::Add, Shape::Number(to), Shape::Const(Value::Int(by)))
            | (Op::Add, Shape::Const(Value::Int(by)), Shape::Number(to)) => {
                return self.shift(to, by);
            }
            (Op::Subtract, Shape::Number(to), Shape::Const(Value::Int(by))) => {
                return self.shift(to, by.saturating_neg());
            }
            (_, left, right) => {
                self.uses.other(&left);
                self.uses.other(&right);
            }
        }
        Shape::Opaque
    }

    fn shift(&mut self, slot: SlotId, by: i64) -> Shape {
        if !self.adds() || !(-ADDED_MAX..=ADDED_MAX).contains(&by) {
            self.uses.note(slot, Use::Other);
            return Shape::Opaque;
        }
        match by {
            0 => {}
            1.. => self.uses.note(slot, Use::Shift),
            _ => self.uses.note(slot, Use::Back),
        }
        Shape::Number(slot)
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
        let (shifted, steps): (Vec<(usize, SlotId)>, Vec<(usize, SlotId)>) =
            self.steps.iter().partition(|step| is_copied(step.1));
        let generators: BTreeSet<SlotId> = steps.iter().map(|step| step.1).collect();
        let mut resets: Vec<(usize, SlotId)> = self.writes.iter().map(|it| (it.0, it.1)).collect();
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

fn part(of: Shape, number: u32) -> Shape {
    match of {
        Shape::Tuple(mut parts) if (number as usize) < parts.len() => {
            parts.swap_remove(number as usize)
        }
        Shape::Const(Value::Tuple(values) | Value::Record(_, values)) => {
            values.get(number as usize).cloned().map_or(Shape::Opaque, Shape::Const)
        }
        _ => Shape::Opaque,
    }
}

fn loose_events(value: &Value, found: &mut BTreeSet<EventId>) {
    if let Value::Event(event) = value {
        found.insert(*event);
    }
    value.inner().for_each(|value| loose_events(value, found));
}
