//! What can be followed: variables with few values, where they are changed, and what conditions look at.

use std::collections::BTreeSet;

use qp_base::{IndexVec, Map, Set, Span};
use qp_machines::{Detail, DetailId, Following};

use crate::effects::{Change, Effects, Sink, Source};
use crate::run::Plan;
use crate::{BodyId, Expr, FieldId, FunctionId, RegisterId, Root, Type, Variable};

use super::texts::Texts;

/// A variable of a machine or of a call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Var {
    Field(BodyId, FieldId),
    Register(FunctionId, RegisterId),
}

impl Var {
    /// The variable that a root is in a function of a machine.
    pub(super) fn new(body: BodyId, function: FunctionId, root: Root) -> Self {
        match root {
            Root::Field(field) => Self::Field(body, field),
            Root::Register(register) => Self::Register(function, register),
        }
    }
}

/// Everything that can be followed, and what is.
pub(super) struct Details<'a> {
    plan: &'a Plan,
    list: IndexVec<DetailId, Var>,
    numbers: Map<Var, DetailId>,
    asked: BTreeSet<DetailId>,
    /// Temporaries whose values are told apart.
    temporaries: Set<Var>,
    /// What is not followed although it was asked for, or although it is a temporary, and why.
    refused: Map<Var, String>,
}

impl<'a> Details<'a> {
    pub(super) fn new(plan: &'a Plan, followed: &[DetailId]) -> Self {
        let list: IndexVec<DetailId, Var> = variables(plan).into();
        let numbers = list.iter_enumerated().map(|(id, &var)| (var, id)).collect();
        let asked = followed.iter().copied().collect();
        let temporaries = temporaries(plan);
        Self { plan, list, numbers, asked, temporaries, refused: Map::default() }
    }

    /// Nothing is followed, not even temporaries.
    pub(super) fn blind(plan: &'a Plan) -> Self {
        Self { temporaries: Set::default(), ..Self::new(plan, &[]) }
    }

    /// Whether the values of a variable are told apart. Those of temporaries always are, since they are soon
    /// forgotten.
    pub(super) fn follows(&self, var: Var) -> bool {
        let wanted = match self.numbers.get(&var) {
            Some(id) => self.asked.contains(id),
            None => self.temporaries.contains(&var),
        };
        wanted && !self.refused.contains_key(&var)
    }

    /// Whether anything is followed because it was asked for.
    pub(super) fn follows_any(&self) -> bool {
        self.list.iter().any(|&var| self.follows(var))
    }

    /// Stops following everything that was asked for.
    pub(super) fn refuse_all(&mut self) {
        for var in self.list.iter().copied().filter(|&var| self.follows(var)).collect::<Vec<_>>() {
            self.refuse(var, "together with others it would make too many places".to_owned());
        }
    }

    /// Stops following a variable.
    pub(super) fn refuse(&mut self, var: Var, why: String) {
        self.refused.insert(var, why);
    }

    /// The details that would have to be followed to decide a condition: variables that it looks at, or if those
    /// are followed already, those that decide about their values.
    pub(super) fn reads(&self, function: FunctionId, condition: &Expr) -> Vec<DetailId> {
        let body = self.body_of(function);
        let mut seen = BTreeSet::new();
        let mut level = BTreeSet::new();
        self.look(function, body, condition, &mut level);
        loop {
            let found: Vec<DetailId> = level
                .iter()
                .filter(|it| !self.follows(**it))
                .filter_map(|it| self.numbers.get(it).copied())
                .collect();
            if !found.is_empty() {
                return found;
            }
            let mut next = BTreeSet::new();
            for var in &level {
                if seen.insert(*var) {
                    self.look_at_writes(*var, &mut next);
                }
            }
            level = next.into_iter().filter(|it| !seen.contains(it)).collect();
            if level.is_empty() {
                return Vec::new();
            }
        }
    }

    /// For a net.
    pub(super) fn describe(&self, told: Texts<'_>) -> IndexVec<DetailId, Detail> {
        let describe = |(id, &var): (DetailId, &Var)| {
            let declared = declared(self.plan, var);
            let following = match self.refused.get(&var) {
                _ if !self.asked.contains(&id) => Following::No,
                Some(why) => Following::Refused(why.clone()),
                None => Following::Yes("its values are told apart".to_owned()),
            };
            Detail {
                name: self.name(var),
                span: declared.span,
                shared: false,
                following,
                writes: self.writes(var, told),
            }
        };
        self.list.iter_enumerated().map(describe).collect()
    }

    /// The name of a variable, for people.
    pub(super) fn name(&self, var: Var) -> String {
        let name = &declared(self.plan, var).name;
        match var {
            Var::Field(body, _) => format!("{}.{name}", self.plan.blueprint.bodies[body].name),
            Var::Register(function, _) => {
                let of = &self.plan.function(function).name;
                match self.body_of(function) {
                    Some(body) => {
                        format!("{}: {name} in {of}", self.plan.blueprint.bodies[body].name)
                    }
                    None => format!("{name} in {of}"),
                }
            }
        }
    }

    /// The only kind of machine in which a function runs.
    fn body_of(&self, function: FunctionId) -> Option<BodyId> {
        let bodies = bodies(self.plan);
        let mut bodies =
            bodies.into_iter().filter(|&it| self.plan.functions[it].contains(&function));
        let body = bodies.next();
        body.filter(|_| bodies.next().is_none())
    }

    /// The variables that an expression looks at; behind temporaries, those from which they come.
    fn look(
        &self,
        function: FunctionId,
        body: Option<BodyId>,
        expr: &Expr,
        found: &mut BTreeSet<Var>,
    ) {
        expr.for_each(&mut |expr| match expr {
            Expr::Register(register) => {
                let var = Var::Register(function, *register);
                let is_new = found.insert(var);
                if is_new && declared(self.plan, var).name.is_empty() {
                    self.look_at_writes(var, found);
                }
            }
            Expr::Field(field) => {
                let all = bodies(self.plan);
                let of = all.into_iter().filter(|&it| body.is_none_or(|body| body == it));
                found
                    .extend(of.filter(|&it| self.has(it, *field)).map(|it| Var::Field(it, *field)));
            }
            _ => {}
        });
    }

    fn has(&self, body: BodyId, field: FieldId) -> bool {
        field.index() < self.plan.blueprint.bodies[body].fields.len()
    }

    /// The variables that decide about the values of another.
    fn look_at_writes(&self, var: Var, found: &mut BTreeSet<Var>) {
        for (function, pc) in self.sites(var) {
            let body = self.body_of(function);
            for flow in self.plan.function(function).effects_at(pc).flows {
                match (flow.source, flow.sink) {
                    (Source::Expr(value), Sink::Variable { change: Change::Assign, .. }) => {
                        self.look(function, body, value, found);
                    }
                    (Source::Result(callee), _) => {
                        let flows = self.plan.function(callee).effects().flat_map(|it| it.flows);
                        for flow in flows {
                            if let (Source::Expr(value), Sink::Result) = (flow.source, flow.sink) {
                                self.look(callee, self.body_of(callee), value, found);
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// Where a variable is changed.
    fn sites(&self, var: Var) -> Vec<(FunctionId, usize)> {
        let (root, functions): (Root, Vec<FunctionId>) = match var {
            Var::Field(body, field) => {
                (Root::Field(field), self.plan.functions[body].iter().copied().collect())
            }
            Var::Register(function, register) => (Root::Register(register), vec![function]),
        };
        let mut found = Vec::new();
        for function in functions {
            for (pc, effects) in self.plan.function(function).effects().enumerate() {
                if effects.changes().any(|it| it == root) {
                    found.push((function, pc));
                }
            }
        }
        found
    }

    fn writes(&self, var: Var, told: Texts<'_>) -> Vec<(String, Span)> {
        let told = |(function, pc): (FunctionId, usize)| {
            (told.instr(function, pc), self.plan.span(function, pc as u32))
        };
        let mut writes: Vec<(String, Span)> = self.sites(var).into_iter().map(told).collect();
        // Every call has variables of its own.
        if let Var::Register(function, _) = var {
            let called = self.plan.function(function);
            writes.push((format!("call of {}", called.name), called.span));
        }
        writes
    }
}

/// How a variable is declared.
pub(super) fn declared(plan: &Plan, var: Var) -> &Variable {
    match var {
        Var::Field(body, field) => &plan.blueprint.bodies[body].fields[field],
        Var::Register(function, register) => &plan.function(function).registers[register],
    }
}

/// Whether values of the type may be told apart one by one.
pub(super) fn is_small(ty: &Type) -> bool {
    matches!(ty, Type::Bool | Type::Int | Type::Enum(_))
}

/// What machines do, without those who only watch.
fn bodies(plan: &Plan) -> BTreeSet<BodyId> {
    plan.blueprint.roles.iter().map(|role| role.body).collect()
}

/// All variables that can be followed: those with a name and small values that anything looks at.
fn variables(plan: &Plan) -> Vec<Var> {
    let mut found = BTreeSet::new();
    for body in bodies(plan) {
        for &function in &plan.functions[body] {
            let var = |expr: &Expr| Some(Var::new(body, function, expr.variable()?));
            for effects in plan.function(function).effects() {
                effects.for_each_expr(&mut |expr| found.extend(var(expr)));
            }
        }
    }
    let is_followable = |var: &Var| {
        let declared = declared(plan, *var);
        !declared.name.is_empty() && is_small(&declared.ty)
    };
    found.into_iter().filter(is_followable).collect()
}

/// All temporaries with small values, but for those that count.
fn temporaries(plan: &Plan) -> Set<Var> {
    let mut found = Set::default();
    for (id, function) in plan.blueprint.functions.iter_enumerated() {
        let counters: BTreeSet<Root> = function.effects().flat_map(|it| counters(&it)).collect();
        for (register, declared) in function.registers.iter_enumerated() {
            let counts = counters.contains(&Root::Register(register));
            if declared.name.is_empty() && is_small(&declared.ty) && !counts {
                found.insert(Var::Register(id, register));
            }
        }
    }
    found
}

/// The variables that are assigned a value which is worked out from them.
fn counters(effects: &Effects<'_>) -> Vec<Root> {
    let mut found = Vec::new();
    for flow in &effects.flows {
        let (Source::Expr(value), Sink::Variable { root, change: Change::Assign, .. }) =
            (flow.source, flow.sink)
        else {
            continue;
        };
        value.for_each(&mut |it| found.extend(it.variable().filter(|it| *it == root)));
    }
    found
}
