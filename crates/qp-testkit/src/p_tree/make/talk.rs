//! Random statements that send, announce, create, receive or leave.

use std::rc::Rc;

use super::Maker;
use super::expressions::{binary, int};
use super::scope::Scope;
use super::statements::{Code, read, whole};
use crate::p_tree::tree::{Block, Case, Expr, Kind, Op, Type};

impl Maker {
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

    pub(super) fn receive(&mut self, scope: &mut Scope, most: usize, code: &mut Code) {
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
    pub(super) fn leave(&mut self, scope: &Scope, code: &mut Code) -> bool {
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
}
