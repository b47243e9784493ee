//! Who may be meant: which machines and events variables, payloads and results may hold.
//!
//! The order of statements is forgotten: a variable may hold at any time whatever is ever assigned to it. All
//! machines that are created by one statement of one copy are a copy. One that would be created by its like
//! belongs to a copy of all such machines, so there are only finitely many.

use qp_base::{IndexVec, Map};

use crate::run::Plan;
use crate::{
    Choice, EventId, Expr, FieldId, FunctionId, Handler, Instr, Place, Projection, RegisterId,
    RoleId, Root, StateId,
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

/// Who may be meant where.
pub(super) struct Whom<'a> {
    plan: &'a Plan,
    pub(super) copies: IndexVec<CopyId, Copy>,
    created: Map<(CopyId, FunctionId, u32, RoleId), CopyId>,
    /// For each kind of machine: all those that are created by their like.
    crowds: Map<RoleId, CopyId>,
    shapes: Map<Spot, Shape>,
    /// For each copy: the events that may be in its mailbox, in order.
    pub(super) mail: IndexVec<CopyId, Vec<EventId>>,
    changed: bool,
}

impl<'a> Whom<'a> {
    /// Finds out, or says why not.
    pub(super) fn find(plan: &'a Plan) -> Result<Self, String> {
        let main = Copy { role: plan.blueprint.main, creator: None, first: true };
        let mut whom = Self {
            plan,
            copies: vec![main].into(),
            created: Map::default(),
            crowds: Map::default(),
            shapes: Map::default(),
            mail: vec![Vec::new()].into(),
            changed: true,
        };
        while std::mem::take(&mut whom.changed) {
            let mut copy = CopyId::from_raw(0);
            while copy.index() < whom.copies.len() {
                whom.visit(copy);
                copy = CopyId::from_raw(copy.raw() + 1);
            }
            if whom.copies.len() > COPIES_MAX {
                return Err("machines are created in too many places".to_owned());
            }
        }
        Ok(whom)
    }

    /// The copies that an expression may mean, in a call of a function by a copy.
    pub(super) fn machines(&self, at: (CopyId, FunctionId), expr: &Expr) -> Vec<CopyId> {
        self.shape(at, expr).machines.into_iter().collect()
    }

    /// The events that an expression may mean; `null` is none.
    pub(super) fn events(&self, at: (CopyId, FunctionId), expr: &Expr) -> Vec<EventId> {
        let events = self.shape(at, expr).events.into_iter();
        events.filter(|&it| it != EventId::NULL).collect()
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

    fn visit(&mut self, copy: CopyId) {
        let plan = self.plan;
        let body = plan.blueprint.roles[self.copies[copy].role].body;
        for state in plan.blueprint.bodies[body].states.ids() {
            self.handlers(copy, state);
        }
        for &function in &plan.functions[body] {
            for (pc, instr) in plan.function(function).code.iter().enumerate() {
                self.instr((copy, function), pc as u32, instr);
            }
        }
    }

    /// Hands payloads to the functions of a state.
    fn handlers(&mut self, copy: CopyId, state: StateId) {
        let plan = self.plan;
        let body = &plan.blueprint.bodies[plan.blueprint.roles[self.copies[copy].role].body];
        for &(event, handler) in &body.states[state].handlers {
            let payload = self.payload(copy, event);
            match handler {
                Handler::Defer | Handler::Ignore => {}
                Handler::Do(function) => self.pass(copy, Some(function), &payload),
                Handler::Goto(state, with) => {
                    self.pass(copy, with, &payload);
                    self.pass(copy, body.states[state].entry, &payload);
                }
                Handler::Push(state) => self.pass(copy, body.states[state].entry, &payload),
            }
        }
    }

    fn payload(&self, copy: CopyId, event: EventId) -> Shape {
        let mut payload = self.at(Spot::Mail(copy, event));
        payload.join(&self.at(Spot::Raised(copy, event)));
        payload
    }

    /// Hands a payload to a function, if it takes one.
    fn pass(&mut self, copy: CopyId, function: Option<FunctionId>, payload: &Shape) {
        let Some(function) = function else { return };
        if self.plan.function(function).n_params > 0 {
            self.add(Spot::Register(copy, function, RegisterId::from_raw(0)), payload);
        }
    }

    fn instr(&mut self, at: (CopyId, FunctionId), pc: u32, instr: &Instr) {
        let (copy, function) = at;
        match instr {
            Instr::Assign { place, value } => {
                let value = self.shape(at, value);
                self.change(at, place, value);
            }
            Instr::Insert { place, key, value } => {
                let mut entry = Shape::default();
                entry.join_entry(Some(&self.shape(at, key)), &self.shape(at, value));
                self.change(at, place, entry);
            }
            Instr::Add { place, value } => {
                let entry = Shape::collection(self.shape(at, value));
                self.change(at, place, entry);
            }
            Instr::Call { function: callee, args, into } => {
                for (register, arg) in self.plan.function(*callee).registers.ids().zip(args) {
                    let arg = self.shape(at, arg);
                    self.add(Spot::Register(copy, *callee, register), &arg);
                }
                let result = self.at(Spot::Result(copy, *callee));
                self.set(at, *into, &result);
            }
            Instr::Return(Some(value)) => {
                let value = self.shape(at, value);
                self.add(Spot::Result(copy, function), &value);
            }
            Instr::Choose { into, from: Choice::Of(expr) } => {
                let from = self.shape(at, expr);
                let mut option = from.item();
                option.join(&from.key());
                self.set(at, Some(*into), &option);
            }
            Instr::New { interface, arg, into } => self.create(at, pc, (*interface, arg, *into)),
            Instr::Send { target, event, payload } => self.send(at, target, (event, payload)),
            Instr::Raise { event, payload } => {
                let payload = self.shape(at, payload);
                for event in self.events(at, event) {
                    self.add(Spot::Raised(copy, event), &payload);
                }
            }
            Instr::Goto { state, payload } => {
                let payload = self.shape(at, payload);
                let role = &self.plan.blueprint.roles[self.copies[copy].role];
                let body = &self.plan.blueprint.bodies[role.body];
                self.pass(copy, body.states[*state].entry, &payload);
            }
            Instr::Receive(cases) => {
                for case in cases {
                    let payload = self.at(Spot::Mail(copy, case.event));
                    self.set(at, case.into, &payload);
                }
            }
            Instr::Remove { .. }
            | Instr::Evaluate(_)
            | Instr::Jump(_)
            | Instr::Unless(..)
            | Instr::Return(None)
            | Instr::Choose { from: Choice::Bool | Choice::Any(_), .. }
            | Instr::Announce { .. }
            | Instr::Pop
            | Instr::Assert { .. }
            | Instr::Assume(_) => {}
        }
    }

    fn send(&mut self, at: (CopyId, FunctionId), target: &Expr, (event, payload): (&Expr, &Expr)) {
        let payload = self.shape(at, payload);
        for target in self.machines(at, target) {
            for event in self.events(at, event) {
                if !self.permits(at.0, target, event) {
                    continue;
                }
                self.add(Spot::Mail(target, event), &payload);
                if let Err(place) = self.mail[target].binary_search(&event) {
                    self.mail[target].insert(place, event);
                    self.changed = true;
                }
            }
        }
    }

    fn create(
        &mut self,
        at: (CopyId, FunctionId),
        pc: u32,
        (interface, arg, into): (u32, &Expr, Option<RegisterId>),
    ) {
        let Some(role) = self.link(at.0, interface) else { return };
        let arg = self.shape(at, arg);
        let child = match self.created.get(&(at.0, at.1, pc, role)) {
            Some(&child) => child,
            None => self.birth(at, pc, role),
        };
        let body = &self.plan.blueprint.bodies[self.plan.blueprint.roles[role].body];
        self.pass(child, body.states[body.start].entry, &arg);
        self.set(at, into, &Shape::machine(child));
    }

    /// The copy of machines that are created by an instruction for the first time.
    fn birth(&mut self, (copy, function): (CopyId, FunctionId), pc: u32, role: RoleId) -> CopyId {
        self.changed = true;
        let mut above = Some(copy);
        while let Some(id) = above.filter(|&id| self.copies[id].role != role) {
            above = self.copies[id].creator;
        }
        let crowd = above.and_then(|_| self.crowds.get(&role).copied());
        let child = crowd.unwrap_or_else(|| {
            self.mail.push(Vec::new());
            let creator = above.is_none().then_some(copy);
            self.copies.push(Copy { role, creator, first: false })
        });
        if above.is_some() {
            self.crowds.insert(role, child);
        }
        self.created.insert((copy, function, pc, role), child);
        child
    }

    fn at(&self, spot: Spot) -> Shape {
        self.shapes.get(&spot).cloned().unwrap_or_default()
    }

    fn add(&mut self, spot: Spot, shape: &Shape) {
        self.changed |= self.shapes.entry(spot).or_default().join(shape);
    }

    fn set(
        &mut self,
        (copy, function): (CopyId, FunctionId),
        into: Option<RegisterId>,
        it: &Shape,
    ) {
        if let Some(into) = into {
            self.add(Spot::Register(copy, function, into), it);
        }
    }

    /// Allows a value at a place of a variable: the way into it is gone backwards.
    fn change(&mut self, at: (CopyId, FunctionId), place: &Place, value: Shape) {
        let wrap = |inner: Shape, step: &Projection| {
            let mut outer = Shape::default();
            match step {
                Projection::Part(number) => outer.join_part(*number, &inner),
                Projection::Index(key, _) => {
                    let key = self.shape(at, key);
                    let is_plain = key == Shape::default();
                    outer.join_entry((!is_plain).then_some(&key), &inner)
                }
            };
            outer
        };
        let whole = place.path.iter().rev().fold(value, wrap);
        let spot = match place.root {
            Root::Field(field) => Spot::Field(at.0, field),
            Root::Register(register) => Spot::Register(at.0, at.1, register),
        };
        self.add(spot, &whole);
    }

    fn shape(&self, at: (CopyId, FunctionId), expr: &Expr) -> Shape {
        let all = |exprs: &[Expr]| exprs.iter().map(|it| self.shape(at, it)).collect();
        match expr {
            Expr::Const(value) => Shape::of_value(value),
            Expr::Register(register) => self.at(Spot::Register(at.0, at.1, *register)),
            Expr::Field(field) => self.at(Spot::Field(at.0, *field)),
            Expr::This => Shape::machine(at.0),
            Expr::Tuple(parts) | Expr::Record(_, parts) => Shape::tuple(all(parts)),
            Expr::Part(of, number) => self.shape(at, of).part(*number),
            Expr::Index { of, .. } => self.shape(at, of).item(),
            Expr::Keys(of) => Shape::collection(self.shape(at, of).key()),
            Expr::Values(of) => Shape::collection(self.shape(at, of).item()),
            Expr::Cast { value: e, .. } | Expr::ToInt(e) | Expr::ToFloat(e) => self.shape(at, e),
            Expr::Not(_)
            | Expr::Negate(_)
            | Expr::And(..)
            | Expr::Or(..)
            | Expr::Binary { .. }
            | Expr::Size(_)
            | Expr::Contains { .. }
            | Expr::Format(..) => Shape::default(),
        }
    }
}
