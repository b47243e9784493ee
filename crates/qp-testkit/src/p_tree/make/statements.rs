//! Random statements.

use std::rc::Rc;

use super::Maker;
use super::expressions::{binary, int};
use super::scope::{Scope, variable_type};
use crate::p_tree::tree::{Block, Case, Expr, Kind, Op, Part, Place, Stmt, Type};

/// Statements in the making.
pub(super) type Code = Vec<Rc<Stmt>>;

pub(super) fn whole(name: &str) -> Place {
    Place { name: name.to_owned(), parts: Vec::new() }
}

fn read(name: &str) -> Rc<Expr> {
    Rc::new(Expr::Var(name.to_owned()))
}

impl Maker {
    pub(super) fn stmt(&mut self, kind: Kind) -> Rc<Stmt> {
        self.n_stmts += 1;
        Rc::new(Stmt { id: self.n_stmts, kind })
    }

    /// Some statements, at most so many besides those inside of them.
    pub(super) fn block(&mut self, scope: &mut Scope, most: usize) -> Code {
        let mut code = Code::new();
        for _ in 0..=self.rng.below(most) {
            let ends = self.statement(scope, most / 2, &mut code);
            if ends {
                break;
            }
        }
        code
    }

    fn inner(&mut self, scope: &mut Scope, most: usize) -> Block {
        Rc::new(self.block(scope, most.max(1)))
    }

    /// Adds a statement; whether nothing can follow it.
    fn statement(&mut self, scope: &mut Scope, most: usize, code: &mut Code) -> bool {
        match self.rng.below(100) {
            0..22 => self.assign(scope, code),
            22..30 => self.assign_part(scope, code),
            30..40 => self.collect(scope, code),
            40..50 if most > 0 => {
                let condition = self.expr(&Type::Bool, scope, 2);
                let then = self.inner(scope, most);
                let has_other = self.rng.percent(40);
                let other = if has_other { self.inner(scope, most) } else { Block::default() };
                code.push(self.stmt(Kind::If(condition, then, other)));
            }
            50..54 if most > 0 => self.count(scope, most, code),
            54..58 if most > 0 => self.foreach(scope, most, code),
            58..71 => self.talk(scope, code),
            71..74 => self.call_statement(scope, code),
            74..86 => self.check(scope, code),
            86..90 if scope.may_wait && self.rng.percent(50) => self.receive(scope, most, code),
            90..96 => return self.leave(scope, code),
            96..98 => return self.jump(scope, code),
            _ => self.assign(scope, code),
        }
        false
    }

    fn fitted(&mut self, kind: &Type, scope: &Scope) -> Rc<Expr> {
        let value = self.expr(kind, scope, 3);
        if *kind == Type::Int && self.rng.percent(85) && !matches!(*value, Expr::Int(_)) {
            return binary(Op::Rem, value, int(3));
        }
        value
    }

    pub(super) fn assign(&mut self, scope: &Scope, code: &mut Code) {
        let all = scope.assignable(|_| true);
        let Some((name, kind)) = self.pick(&all) else { return };
        let mut value = self.fitted(&kind, scope);
        if *value == Expr::Var(name.clone()) && kind == Type::Int {
            value = binary(Op::Rem, binary(Op::Add, value, int(1)), int(3));
        }
        code.push(self.stmt(Kind::Assign(whole(&name), value)));
    }

    /// Changes a part of a variable. Whether its keys are worked out before or after the value, nobody says: they
    /// can neither fail nor change anything.
    fn assign_part(&mut self, scope: &Scope, code: &mut Code) {
        let all = scope.assignable(|it| {
            matches!(it, Type::Tuple(_) | Type::Named(_) | Type::Seq(_) | Type::Map(..))
        });
        let Some((name, mut kind)) = self.pick(&all) else { return };
        let mut place = whole(&name);
        loop {
            let (part, inside) = match kind.clone() {
                Type::Tuple(kinds) => {
                    let at = self.rng.below(kinds.len());
                    (Part::Item(at), kinds[at].clone())
                }
                Type::Named(fields) => {
                    let (field, inside) = self.pick(&fields).expect("there are fields");
                    (Part::Field(field), inside)
                }
                Type::Seq(of) if self.dares() => (Part::At(self.leaf(&Type::Int, scope)), *of),
                Type::Map(key, of) if place.parts.is_empty() || self.dares() => {
                    (Part::At(self.leaf(&key, scope)), *of)
                }
                _ => break,
            };
            place.parts.push(part);
            kind = inside;
            if self.rng.percent(40) {
                break;
            }
        }
        let value = self.fitted(&kind, scope);
        code.push(self.stmt(Kind::Assign(place, value)));
    }

    /// Adds to or removes from a collection, mostly so that it stays small.
    fn collect(&mut self, scope: &Scope, code: &mut Code) {
        let all = scope.assignable(|it| matches!(it, Type::Seq(_) | Type::Set(_) | Type::Map(..)));
        let Some((name, kind)) = self.pick(&all) else { return };
        let (place, size) = (whole(&name), Rc::new(Expr::Sizeof(read(&name))));
        if self.rng.percent(30) {
            let what = match &kind {
                Type::Set(of) | Type::Map(of, _) => self.expr(of, scope, 1),
                _ if self.dares() => self.expr(&Type::Int, scope, 1),
                _ => int(0),
            };
            let remove = self.stmt(Kind::Remove(place, what));
            let some = binary(Op::Greater, size, int(0));
            return self.guarded(some, vec![remove], code);
        }
        let add = match kind {
            Type::Seq(of) => {
                let at = if self.dares() { self.expr(&Type::Int, scope, 1) } else { size.clone() };
                Kind::Insert(place, at, self.fitted(&of, scope))
            }
            Type::Set(of) => Kind::Add(place, self.fitted(&of, scope)),
            Type::Map(key, of) if self.dares() => {
                let at = self.fitted(&key, scope);
                Kind::Insert(place, at, self.fitted(&of, scope))
            }
            Type::Map(key, of) => {
                let at = Part::At(self.leaf(&key, scope));
                Kind::Assign(Place { name, parts: vec![at] }, self.fitted(&of, scope))
            }
            _ => return,
        };
        let add = self.stmt(add);
        self.guarded(binary(Op::Less, size, int(2)), vec![add], code);
    }

    fn guarded(&mut self, condition: Rc<Expr>, then: Code, code: &mut Code) {
        if !self.careful && self.rng.percent(12) {
            return code.extend(then);
        }
        code.push(self.stmt(Kind::If(condition, Rc::new(then), Block::default())));
    }

    fn local(&mut self, scope: &mut Scope, kind: Type) -> String {
        self.n_names += 1;
        let name = format!("v{}", self.n_names);
        scope.locals.push((name.clone(), kind.clone()));
        scope.variables.push((name.clone(), kind));
        name
    }

    /// A loop with a counter.
    fn count(&mut self, scope: &mut Scope, most: usize, code: &mut Code) {
        let name = self.local(scope, Type::Int);
        scope.kept.push(name.clone());
        code.push(self.stmt(Kind::Assign(whole(&name), int(0))));
        let next = binary(Op::Add, read(&name), int(1));
        let step = self.stmt(Kind::Assign(whole(&name), next));
        let outer = std::mem::replace(&mut scope.in_loop, true);
        let mut body = vec![step];
        body.extend(self.block(scope, most));
        scope.in_loop = outer;
        let mut condition = binary(Op::Less, read(&name), int(1 + self.rng.below(3)));
        if self.rng.percent(20) {
            condition = binary(Op::And, condition, self.expr(&Type::Bool, scope, 1));
        }
        code.push(self.stmt(Kind::While(condition, Rc::new(body))));
    }

    /// A loop over a sequence; over a set or a map only with a sum, as their order is not known.
    fn foreach(&mut self, scope: &mut Scope, most: usize, code: &mut Code) {
        let all = scope.that(|it| matches!(it, Type::Seq(_)));
        if let Some((list, Type::Seq(of))) = self.pick(&all)
            && self.rng.percent(70)
        {
            let name = self.local(scope, (*of).clone());
            let outer = std::mem::replace(&mut scope.in_loop, true);
            let body = self.inner(scope, most);
            scope.in_loop = outer;
            code.push(self.stmt(Kind::Foreach(name, read(&list), body)));
            return;
        }
        let number = Box::new(Type::Int);
        let all = scope.that(|it| matches!(it, Type::Set(of) | Type::Map(of, _) if *of == number));
        let sums = scope.assignable(|it| *it == Type::Int);
        let (Some((list, kind)), Some((sum, _))) = (self.pick(&all), self.pick(&sums)) else {
            return;
        };
        let name = self.local(scope, Type::Int);
        scope.kept.push(name.clone());
        let is_map = matches!(kind, Type::Map(..));
        let list = match self.rng.below(2) {
            0 if is_map => Rc::new(Expr::Keys(read(&list))),
            1 if is_map => Rc::new(Expr::Values(read(&list))),
            _ => read(&list),
        };
        let add = self.stmt(Kind::Assign(whole(&sum), binary(Op::Add, read(&sum), read(&name))));
        code.push(self.stmt(Kind::Foreach(name, list, Rc::new(vec![add]))));
        let small = binary(Op::Rem, read(&sum), int(4));
        code.push(self.stmt(Kind::Assign(whole(&sum), small)));
    }

    fn payload(&mut self, kind: Option<&Type>, scope: &Scope) -> Option<Rc<Expr>> {
        kind.map(|it| self.fitted(it, scope))
    }

    /// Sends, announces or creates, mostly while there is fuel.
    pub(super) fn talk(&mut self, scope: &Scope, code: &mut Code) {
        if scope.is_spec {
            return self.assign(scope, code);
        }
        let (event, payload) = self.any_event(scope);
        let payload = self.payload(payload.as_ref(), scope);
        let what = self.rng.below(100);
        let act = match what {
            0..8 => Kind::Announce(event, payload),
            8..11 => self.creation(scope),
            _ => {
                let target = match self.rng.below(100) {
                    0..55 if scope.has_peer => read("peer"),
                    0..75 => Rc::new(Expr::This),
                    _ => self.expr(&Type::Machine, scope, 1),
                };
                Kind::Send(target, event, payload)
            }
        };
        let act = self.stmt(act);
        let has_fuel = scope.variables.iter().any(|it| it.0 == "fuel");
        if what < 8 || !has_fuel || self.rng.percent(15) {
            return code.push(act);
        }
        let less = binary(Op::Sub, read("fuel"), int(1));
        let burn = self.stmt(Kind::Assign(whole("fuel"), less));
        let fuel = binary(Op::Greater, read("fuel"), int(0));
        code.push(self.stmt(Kind::If(fuel, Rc::new(vec![burn, act]), Block::default())));
    }

    /// An event by name or by variable, and what it carries.
    fn any_event(&mut self, scope: &Scope) -> (Rc<Expr>, Option<Type>) {
        let events = self.events.clone();
        match (self.pick(&events), self.rng.below(100)) {
            (_, 0..4) => (Rc::new(Expr::Event("halt".to_owned())), None),
            (_, 4..12) if !self.careful => {
                let mut event = self.expr(&Type::Event, scope, 1);
                // `null` itself is refused by readers, a variable that holds it is not.
                if *event == Expr::Null {
                    event = Rc::new(Expr::Event("halt".to_owned()));
                }
                (event, None)
            }
            (Some((name, payload)), _) => (Rc::new(Expr::Event(name)), payload),
            (None, _) => (Rc::new(Expr::Event("halt".to_owned())), None),
        }
    }

    fn creation(&mut self, scope: &Scope) -> Kind {
        let last = self.starts.len() - 1;
        let (machine, kind) = self.starts[1 + self.rng.below(last)].clone();
        let kind = kind.expect("only the main machine is given nothing");
        let arguments = self.arguments(&kind, scope);
        let all = scope.assignable(|it| *it == Type::Machine);
        match self.pick(&all) {
            Some((name, _)) if self.rng.percent(60) => {
                Kind::Assign(whole(&name), Rc::new(Expr::New(machine, arguments)))
            }
            _ => Kind::New(machine, arguments),
        }
    }

    /// The arguments of a creation: several of them are one tuple.
    pub(super) fn arguments(&mut self, kind: &Type, scope: &Scope) -> Vec<Rc<Expr>> {
        match kind {
            Type::Tuple(kinds) => kinds.iter().map(|it| self.fitted(it, scope)).collect(),
            other => vec![self.fitted(other, scope)],
        }
    }

    fn call_statement(&mut self, scope: &Scope, code: &mut Code) {
        let fits = scope.callable.iter().filter(|it| it.result.is_none());
        let fits = fits.filter(|it| !(scope.is_spec && it.acts || it.leaves && !scope.may_leave));
        let fits: Vec<_> = fits.cloned().collect();
        let Some(callable) = self.pick(&fits) else { return };
        let arguments = callable.parameters.iter().map(|it| self.fitted(it, scope)).collect();
        code.push(self.stmt(Kind::Call(callable.name, arguments)));
    }

    /// An assertion: one that holds, one that may not, or one that only some runs get to.
    fn check(&mut self, scope: &Scope, code: &mut Code) {
        if self.probes && !scope.is_spec {
            let asked = self.expr(&Type::Bool, scope, 3);
            let check = self.stmt(Kind::Assert(asked));
            let probe = Kind::If(Rc::new(Expr::Dollar), Rc::new(vec![check]), Block::default());
            return code.push(self.stmt(probe));
        }
        let sure = self.careful || self.rng.percent(70);
        let asked = if sure {
            let big = int(60 + self.rng.below(9));
            binary(Op::Less, self.expr(&Type::Int, scope, 1), big)
        } else {
            let unlikely = int(2 + self.rng.below(4));
            binary(Op::Unequal, self.expr(&Type::Int, scope, 2), unlikely)
        };
        code.push(self.stmt(Kind::Assert(asked)));
    }

    fn receive(&mut self, scope: &mut Scope, most: usize, code: &mut Code) {
        let mut events = self.events.clone();
        let mut cases = Vec::new();
        for _ in 0..=self.rng.below(2) {
            if events.is_empty() {
                break;
            }
            let (name, payload) = events.remove(self.rng.below(events.len()));
            let mut names = vec![name];
            if let Some(at) = events.iter().position(|it| it.1 == payload)
                && self.rng.percent(25)
            {
                names.push(events.remove(at).0);
            }
            cases.push(self.case(names, payload, scope, most));
        }
        if self.rng.percent(10) {
            cases.push(self.case(vec!["halt".to_owned()], None, scope, most));
        }
        code.push(self.stmt(Kind::Receive(Rc::new(cases))));
    }

    fn case(
        &mut self,
        events: Vec<String>,
        payload: Option<Type>,
        scope: &mut Scope,
        most: usize,
    ) -> Case {
        let n_before = scope.variables.len();
        let parameter = payload.map(|kind| {
            self.n_names += 1;
            (format!("c{}", self.n_names), kind)
        });
        let (loops, returns) = (scope.in_loop, scope.may_return);
        // Where these would lead from inside a case is not said anywhere.
        (scope.in_loop, scope.may_return) = (false, false);
        scope.variables.extend(parameter.clone());
        let code = self.inner(scope, most);
        (scope.in_loop, scope.may_return) = (loops, returns);
        if let Some((name, _)) = &parameter {
            scope.variables.retain(|it| it.0 != *name);
        }
        debug_assert!(scope.variables.len() >= n_before, "only the parameter is gone");
        Case { events, parameter, code }
    }

    /// Goes to another state, or raises an event; whether it does.
    fn leave(&mut self, scope: &Scope, code: &mut Code) -> bool {
        if !scope.may_leave {
            self.assign(scope, code);
            return false;
        }
        let kind = if self.rng.percent(60) {
            let (state, kind) = self.pick(&scope.states.clone()).expect("there are states");
            Kind::Goto(state, self.payload(kind.as_ref(), scope))
        } else {
            let (event, payload) = self.any_event(scope);
            if scope.is_spec && *event == Expr::Event("halt".to_owned()) {
                return false;
            }
            Kind::Raise(event, self.payload(payload.as_ref(), scope))
        };
        let leave = self.stmt(kind);
        if self.rng.percent(70) {
            let condition = self.expr(&Type::Bool, scope, 2);
            code.push(self.stmt(Kind::If(condition, Rc::new(vec![leave]), Block::default())));
            return false;
        }
        code.push(leave);
        true
    }

    /// Leaves a loop, its body or the function.
    fn jump(&mut self, scope: &Scope, code: &mut Code) -> bool {
        let kind = match self.rng.below(3) {
            0 if scope.in_loop => Kind::Break,
            1 if scope.in_loop => Kind::Continue,
            _ if scope.may_return => Kind::Return(None),
            _ => return false,
        };
        code.push(self.stmt(kind));
        true
    }

    /// A variable of a function.
    pub(super) fn any_local(&mut self, scope: &mut Scope) {
        let kind = variable_type(&mut self.rng);
        self.local(scope, kind);
    }
}
