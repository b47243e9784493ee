//! Points-to analysis (Andersen 1994): which machines and events variables, payloads and results may hold.
//!
//! The order of statements is forgotten: a variable may hold at any time whatever is ever assigned to it. All
//! machines that are created by one statement of one copy are a copy. One that would be created by its like
//! belongs to a copy of all such machines, so there are only finitely many.

use qp_base::{IndexVec, Interner, Map};
use qp_dataflow::{Direction, Worklist, fixpoint};

use crate::effects::{Change, Flow, Sink, Source};
use crate::run::Plan;
use crate::{
    Body, Choice, EventId, Expr, FieldId, FunctionId, Projection, RegisterId, RoleId, Root,
};

use super::shape::{CopyId, Shape};

/// A program with more copies than this is not taken apart.
const COPIES_MAX: usize = 400;

/// A machine, or all machines that are created by one statement of another copy.
#[derive(Clone, Debug)]
pub(super) struct Copy {
    pub(super) role: RoleId,
    /// Who creates it; nobody if it is there from the start, or if many may.
    pub(super) creator: Option<CopyId>,
    /// Whether it is a machine that is there from the start.
    pub(super) first: bool,
}

/// Where a shape is kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Spot {
    Field(CopyId, FieldId),
    Register(CopyId, FunctionId, RegisterId),
    Result(CopyId, FunctionId),
    /// What messages in the mailbox carry.
    Mail(CopyId, EventId),
    /// What the machine hands to itself.
    Raised(CopyId, EventId),
}

/// Something that moves values, for one copy.
#[derive(Clone, Copy)]
enum Rule<'a> {
    Handed(EventId, FunctionId),
    Flow(FunctionId, u32, Flow<'a>),
}

/// Who may be meant where.
pub(super) struct PointsTo<'a> {
    plan: &'a Plan,
    pub(super) copies: IndexVec<CopyId, Copy>,
    created: Map<(CopyId, FunctionId, u32, RoleId), CopyId>,
    /// For each kind of machine: all those that are created by their like.
    crowds: Map<RoleId, CopyId>,
    spots: Interner<usize, Spot>,
    /// What each spot may hold.
    shapes: Vec<Shape>,
    /// For each copy: the events that may be in its mailbox, in order.
    pub(super) mail: IndexVec<CopyId, Vec<EventId>>,
}

impl<'a> PointsTo<'a> {
    /// Finds out, or says why not.
    pub(super) fn find(plan: &'a Plan) -> Result<Self, String> {
        let main = Copy { role: plan.blueprint.main, creator: None, first: true };
        let mut points_to = Self {
            plan,
            copies: vec![main].into(),
            created: Map::default(),
            crowds: Map::default(),
            spots: Interner::new(),
            shapes: Vec::new(),
            mail: IndexVec::default(),
        };
        let (mut rules, mut n_visited) = (Vec::new(), 0);
        while n_visited < points_to.copies.len() {
            points_to.add_rules(CopyId::new(n_visited), &mut rules);
            n_visited += 1;
        }
        if points_to.copies.len() > COPIES_MAX {
            return Err("machines are created in too many places".to_owned());
        }
        points_to.mail = points_to.copies.iter().map(|_| Vec::new()).collect();
        fixpoint(0..rules.len(), Direction::Forward, |number, worklist| {
            let (copy, rule) = rules[number];
            let mut solver = Solver { points_to: &mut points_to, worklist };
            match rule {
                Rule::Handed(event, function) => solver.hand(copy, event, function),
                Rule::Flow(function, pc, flow) => solver.flow((copy, function), pc, flow),
            }
        });
        Ok(points_to)
    }

    /// Adds what moves values in a copy, and the copies that it creates.
    fn add_rules(&mut self, copy: CopyId, rules: &mut Vec<(CopyId, Rule<'a>)>) {
        let plan = self.plan;
        let body = plan.blueprint.roles[self.copies[copy].role].body;
        let handed = plan.blueprint.bodies[body].handed();
        rules.extend(handed.map(|(event, function)| (copy, Rule::Handed(event, function))));
        for &function in &plan.functions[body] {
            for (pc, effects) in plan.function(function).effects().enumerate() {
                for flow in effects.flows {
                    let at = (function, pc as u32);
                    if let Sink::Newborn(interface) = flow.sink
                        && let Some(role) = self.link(copy, interface)
                    {
                        self.birth(copy, at, role);
                    }
                    rules.push((copy, Rule::Flow(at.0, at.1, flow)));
                }
            }
        }
    }

    /// The copies that an expression may mean, in a call of a function by a copy.
    pub(super) fn machines(&self, at: (CopyId, FunctionId), expr: &Expr) -> Vec<CopyId> {
        self.shape(at, expr).machines.into_iter().collect()
    }

    /// The events that an expression may mean; `null` is none.
    pub(super) fn events(&self, at: (CopyId, FunctionId), expr: &Expr) -> Vec<EventId> {
        self.shape(at, expr).named_events()
    }

    /// The copy that an instruction of a copy creates, if a machine is bound to what it names.
    pub(super) fn created(
        &self,
        copy: CopyId,
        (function, pc): (FunctionId, u32),
        interface: u32,
    ) -> Option<CopyId> {
        let role = self.link(copy, interface)?;
        self.created.get(&(copy, function, pc, role)).copied()
    }

    /// Whether a machine of one copy may send an event to one of another.
    pub(super) fn permits(&self, from: CopyId, to: CopyId, event: EventId) -> bool {
        let roles = &self.plan.blueprint.roles;
        let is_in = |set: &Option<Vec<EventId>>| set.as_ref().is_none_or(|it| it.contains(&event));
        is_in(&roles[self.copies[from].role].sends) && is_in(&roles[self.copies[to].role].receives)
    }

    fn link(&self, copy: CopyId, interface: u32) -> Option<RoleId> {
        let role = &self.plan.blueprint.roles[self.copies[copy].role];
        role.links.get(interface as usize).copied().flatten()
    }

    /// Adds the copy of machines that are created by an instruction.
    fn birth(&mut self, copy: CopyId, (function, pc): (FunctionId, u32), role: RoleId) {
        let mut above = Some(copy);
        while let Some(id) = above.filter(|&id| self.copies[id].role != role) {
            above = self.copies[id].creator;
        }
        let crowd = above.and_then(|_| self.crowds.get(&role).copied());
        let child = crowd.unwrap_or_else(|| {
            let creator = above.is_none().then_some(copy);
            self.copies.push(Copy { role, creator, first: false })
        });
        if above.is_some() {
            self.crowds.insert(role, child);
        }
        self.created.insert((copy, function, pc, role), child);
    }

    fn body(&self, copy: CopyId) -> &'a Body {
        let blueprint = &self.plan.blueprint;
        &blueprint.bodies[blueprint.roles[self.copies[copy].role].body]
    }

    fn shape(&self, at: (CopyId, FunctionId), expr: &Expr) -> Shape {
        let read = |spot| self.spots.find(&spot).map(|cell| self.shapes[cell].clone());
        shape(at, expr, &mut |spot| read(spot).unwrap_or_default())
    }
}

/// One rule that is being applied.
struct Solver<'a, 'b> {
    points_to: &'b mut PointsTo<'a>,
    worklist: &'b mut Worklist,
}

impl Solver<'_, '_> {
    fn cell(&mut self, spot: Spot) -> usize {
        let cell = self.points_to.spots.intern(spot);
        self.points_to.shapes.resize(self.points_to.spots.len(), Shape::default());
        cell
    }

    fn at(&mut self, spot: Spot) -> Shape {
        let cell = self.cell(spot);
        self.worklist.read(cell);
        self.points_to.shapes[cell].clone()
    }

    fn add(&mut self, spot: Spot, shape: &Shape) {
        let cell = self.cell(spot);
        if self.points_to.shapes[cell].join(shape) {
            self.worklist.changed(cell);
        }
    }

    fn shape(&mut self, at: (CopyId, FunctionId), expr: &Expr) -> Shape {
        shape(at, expr, &mut |spot| self.at(spot))
    }

    fn events(&mut self, at: (CopyId, FunctionId), expr: &Expr) -> Vec<EventId> {
        self.shape(at, expr).named_events()
    }

    /// Hands the payload of an event to a function.
    fn hand(&mut self, copy: CopyId, event: EventId, function: FunctionId) {
        let mut payload = self.at(Spot::Mail(copy, event));
        payload.join(&self.at(Spot::Raised(copy, event)));
        self.pass(copy, Some(function), &payload);
    }

    /// Hands a payload to a function, if it takes one.
    fn pass(&mut self, copy: CopyId, function: Option<FunctionId>, payload: &Shape) {
        let Some(function) = function else { return };
        if self.points_to.plan.function(function).n_params > 0 {
            self.add(Spot::Register(copy, function, RegisterId::from_raw(0)), payload);
        }
    }

    fn flow(&mut self, at: (CopyId, FunctionId), pc: u32, flow: Flow<'_>) {
        let (copy, function) = at;
        let Some(value) = self.source(at, pc, flow.source) else { return };
        match flow.sink {
            Sink::Variable { root, path, change } => self.change(at, (root, path), change, value),
            Sink::Parameter(callee, register) => {
                self.add(Spot::Register(copy, callee, register), &value);
            }
            Sink::Result => self.add(Spot::Result(copy, function), &value),
            Sink::Newborn(interface) => {
                if let Some(child) = self.points_to.created(copy, (function, pc), interface) {
                    let body = self.points_to.body(child);
                    self.pass(child, body.states[body.start].entry, &value);
                }
            }
            Sink::Mailbox { target, event } => self.send(at, target, event, &value),
            Sink::Raised { event } => {
                for event in self.events(at, event) {
                    self.add(Spot::Raised(copy, event), &value);
                }
            }
            Sink::State(state) => {
                self.pass(copy, self.points_to.body(copy).states[state].entry, &value);
            }
            Sink::Specs { .. } | Sink::Decision | Sink::Nothing => {}
        }
    }

    /// What comes from a source; nothing if no machine is bound to what is created.
    fn source(&mut self, at: (CopyId, FunctionId), pc: u32, source: Source<'_>) -> Option<Shape> {
        Some(match source {
            Source::Expr(expr) => self.shape(at, expr),
            Source::Result(callee) => self.at(Spot::Result(at.0, callee)),
            Source::Choice(Choice::Of(expr)) => {
                let from = self.shape(at, expr);
                let mut option = from.item();
                option.join(&from.key());
                option
            }
            Source::Choice(Choice::Bool | Choice::Any(_)) => Shape::default(),
            Source::Created(interface) => {
                Shape::machine(self.points_to.created(at.0, (at.1, pc), interface)?)
            }
            Source::Payload(event) => self.at(Spot::Mail(at.0, event)),
        })
    }

    fn send(&mut self, at: (CopyId, FunctionId), target: &Expr, event: &Expr, payload: &Shape) {
        let targets = self.shape(at, target).machines;
        let events = self.events(at, event);
        for target in targets {
            for &event in &events {
                if !self.points_to.permits(at.0, target, event) {
                    continue;
                }
                self.add(Spot::Mail(target, event), payload);
                let mail = &mut self.points_to.mail[target];
                if let Err(place) = mail.binary_search(&event) {
                    mail.insert(place, event);
                }
            }
        }
    }

    /// Allows a value at a place of a variable: the way into it is gone backwards.
    fn change(
        &mut self,
        at: (CopyId, FunctionId),
        (root, path): (Root, &[Projection]),
        change: Change,
        value: Shape,
    ) {
        let mut whole = match change {
            Change::Assign => value,
            Change::Key => Shape::keyed(value),
            Change::Item => Shape::collection(value),
            Change::Remove => return,
        };
        for step in path.iter().rev() {
            let mut outer = Shape::default();
            match step {
                Projection::Part(number) => outer.join_part(*number, &whole),
                Projection::Index(key, _) => {
                    let key = self.shape(at, key);
                    let is_plain = key == Shape::default();
                    outer.join_entry((!is_plain).then_some(&key), &whole)
                }
            };
            whole = outer;
        }
        let spot = match root {
            Root::Field(field) => Spot::Field(at.0, field),
            Root::Register(register) => Spot::Register(at.0, at.1, register),
        };
        self.add(spot, &whole);
    }
}

/// What an expression may be, in a call of a function by a copy.
fn shape(at: (CopyId, FunctionId), expr: &Expr, read: &mut dyn FnMut(Spot) -> Shape) -> Shape {
    let mut inner = |expr: &Expr| shape(at, expr, read);
    match expr {
        Expr::Const(value) => Shape::of_value(value),
        Expr::Register(register) => read(Spot::Register(at.0, at.1, *register)),
        Expr::Field(field) => read(Spot::Field(at.0, *field)),
        Expr::This => Shape::machine(at.0),
        Expr::Tuple(parts) | Expr::Record(_, parts) => {
            Shape::tuple(parts.iter().map(inner).collect())
        }
        Expr::Part(of, number) => inner(of).part(*number),
        Expr::Index { of, .. } => inner(of).item(),
        Expr::Keys(of) => Shape::collection(inner(of).key()),
        Expr::Values(of) => Shape::collection(inner(of).item()),
        Expr::Cast { value: e, .. } | Expr::ToInt(e) | Expr::ToFloat(e) => inner(e),
        // Numbers, truths and texts.
        _ => Shape::default(),
    }
}
