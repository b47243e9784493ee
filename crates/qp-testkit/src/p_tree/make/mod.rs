//! Random programs: well-typed, small, and with something of everything.
//!
//! Half of them are careful: they handle every event and look before they divide, so that many of them are right.
//! Some ask questions instead: assertions that a run may or may not get to, so that one that fails does not hide
//! what comes behind it.

mod expressions;
mod scope;
mod statements;
mod talk;

use std::rc::Rc;

use super::tree::{Event, Expr, Function, Handler, Kind, Machine, Op, Program, State, Type};
use crate::rng::Rng;
use expressions::{binary, int};
use scope::{Callable, Scope, payload_type, start_type, variable_type};
use statements::{Code, whole};

/// What a program is made with.
pub(crate) struct Maker {
    rng: Rng,
    n_stmts: usize,
    n_names: usize,
    careful: bool,
    probes: bool,
    events: Vec<Event>,
    /// The machines, and what each is given when it is created.
    starts: Vec<(String, Option<Type>)>,
    global: Vec<Callable>,
}

/// The program of a seed.
pub fn program(seed: u64) -> Program {
    let mut rng = Rng::new(seed);
    let (careful, probes) = (rng.percent(50), rng.percent(40));
    let n_events = 2 + rng.below(3);
    let events = (0..n_events).map(|n| (format!("e{n}"), payload_type(&mut rng))).collect();
    let mut starts = vec![("Main".to_owned(), None)];
    for n in 1..2 + rng.below(2) {
        starts.push((format!("M{n}"), Some(start_type(&mut rng))));
    }
    let global = Vec::new();
    let maker = Maker { rng, n_stmts: 0, n_names: 0, careful, probes, events, starts, global };
    maker.program()
}

impl Maker {
    fn program(mut self) -> Program {
        let scope = Scope::default();
        let mut functions = Vec::new();
        for (name, result) in [("Twice", Type::Int), ("Same", Type::Bool)] {
            let parameters = vec![(format!("a{name}"), Type::Int), (format!("b{name}"), Type::Int)];
            functions.push(self.valued(name, parameters, result, &scope, true));
            self.global.push(callable(functions.last().expect("one was made"), false, false));
        }
        let machines = (0..self.starts.len()).map(|number| self.machine(number)).collect();
        let n_specs = [0, 0, 1, 1, 2][self.rng.below(5)];
        let specs = (0..n_specs).map(|number| self.spec(number)).collect();
        Program { events: self.events, functions, machines, specs }
    }

    fn machine(&mut self, number: usize) -> Machine {
        let (name, given) = self.starts[number].clone();
        let mut fields = vec![("peer".to_owned(), Type::Machine), ("fuel".to_owned(), Type::Int)];
        self.add_fields(&mut fields, 2, 4);
        let mut scope = Scope { variables: fields.clone(), has_peer: true, ..Scope::default() };
        scope.kept = vec!["peer".to_owned(), "fuel".to_owned()];
        scope.callable = self.global.clone();
        scope.states = self.state_names(given.clone());
        let mut functions = self.machine_functions(&mut scope);
        let mut states = Vec::new();
        for at in 0..scope.states.len() {
            states.push(self.state(at, &scope, &mut functions));
        }
        let entry = self.start_entry(number, given, &scope);
        states[0].entry = Some(Rc::new(entry));
        Machine { name, fields, functions, states, observes: Vec::new() }
    }

    /// Fields of several types; some have the same, so that values are copied from one to another.
    fn add_fields(&mut self, fields: &mut Vec<(String, Type)>, least: usize, more: usize) {
        let mut last = Type::Int;
        for n in 0..least + self.rng.below(more) {
            if !self.rng.percent(35) {
                last = variable_type(&mut self.rng);
            }
            fields.push((format!("f{n}"), last.clone()));
        }
    }

    fn state_names(&mut self, given: Option<Type>) -> Vec<(String, Option<Type>)> {
        let mut states = vec![("S0".to_owned(), given)];
        for n in 1..2 + self.rng.below(3) {
            let kind = if self.rng.percent(65) { None } else { payload_type(&mut self.rng) };
            states.push((format!("S{n}"), kind));
        }
        states
    }

    /// A function with a value, one that acts, and sometimes one that calls itself.
    fn machine_functions(&mut self, scope: &mut Scope) -> Vec<Rc<Function>> {
        let mut functions = Vec::new();
        let parameters = vec![("x".to_owned(), Type::Int)];
        functions.push(self.valued("Value", parameters, Type::Int, scope, false));
        scope.callable.push(callable(&functions[0], false, true));
        let leaves = self.rng.percent(40);
        let inner = Scope { may_leave: leaves, may_wait: true, may_return: true, ..scope.clone() };
        let kind = variable_type(&mut self.rng);
        let acts = self.function(Some("Act"), vec![("y".to_owned(), kind)], inner, 4);
        scope.callable.push(callable(&acts, leaves, true));
        functions.push(Rc::new(acts));
        if self.rng.percent(35) {
            let down = self.down(scope);
            // It is not called with just any number: it would not end for great ones.
            functions.push(down);
            scope.callable.push(Callable {
                name: "Down".to_owned(),
                parameters: vec![Type::Bool],
                result: Some(Type::Int),
                leaves: false,
                acts: true,
            });
            let start = Expr::Call("DownFrom".to_owned(), vec![int(1 + self.rng.below(3))]);
            let back = self.stmt(Kind::Return(Some(Rc::new(start))));
            functions.push(Rc::new(Function {
                name: Some("Down".to_owned()),
                parameters: vec![("z".to_owned(), Type::Bool)],
                result: Some(Type::Int),
                locals: Vec::new(),
                code: Rc::new(vec![back]),
            }));
        }
        functions
    }

    /// A function that calls itself with a smaller number.
    fn down(&mut self, scope: &Scope) -> Rc<Function> {
        let n = || Rc::new(Expr::Var("n".to_owned()));
        let stop = self.stmt(Kind::Return(Some(int(0))));
        let is_done = binary(Op::AtMost, n(), int(0));
        let mut inner = Scope { may_wait: true, ..scope.clone() };
        inner.variables.push(("n".to_owned(), Type::Int));
        inner.kept.push("n".to_owned());
        let mut code = vec![self.stmt(Kind::If(is_done, Rc::new(vec![stop]), Rc::default()))];
        code.extend(self.block(&mut inner, 2));
        let again = Expr::Call("DownFrom".to_owned(), vec![binary(Op::Sub, n(), int(1))]);
        let sum = binary(Op::Add, Rc::new(again), self.expr(&Type::Int, &inner, 1));
        code.push(self.stmt(Kind::Return(Some(sum))));
        Rc::new(Function {
            name: Some("DownFrom".to_owned()),
            parameters: vec![("n".to_owned(), Type::Int)],
            result: Some(Type::Int),
            locals: inner.locals,
            code: Rc::new(code),
        })
    }

    /// A function that ends with its value.
    fn valued(
        &mut self,
        name: &str,
        parameters: Vec<(String, Type)>,
        result: Type,
        scope: &Scope,
        is_pure: bool,
    ) -> Rc<Function> {
        let mut inner = Scope { is_spec: is_pure, may_wait: false, ..scope.clone() };
        inner.variables.extend(parameters.clone());
        self.any_local(&mut inner);
        let mut code = self.block(&mut inner, 3);
        let value = self.expr(&result, &inner, 2);
        code.push(self.stmt(Kind::Return(Some(value))));
        let (name, locals) = (Some(name.to_owned()), inner.locals);
        Rc::new(Function { name, parameters, result: Some(result), locals, code: Rc::new(code) })
    }

    /// A function without a value.
    fn function(
        &mut self,
        name: Option<&str>,
        parameters: Vec<(String, Type)>,
        mut scope: Scope,
        most: usize,
    ) -> Function {
        scope.variables.extend(parameters.clone());
        if self.rng.percent(40) {
            self.any_local(&mut scope);
        }
        let code = Rc::new(self.block(&mut scope, most));
        let name = name.map(str::to_owned);
        Function { name, parameters, result: None, locals: scope.locals, code }
    }

    fn state(&mut self, at: usize, scope: &Scope, functions: &mut Vec<Rc<Function>>) -> State {
        let (name, given) = scope.states[at].clone();
        let busy = Scope { may_leave: true, may_wait: true, may_return: true, ..scope.clone() };
        let busy = if scope.is_spec { Scope { may_wait: false, ..busy } } else { busy };
        let quiet = Scope { may_return: true, ..scope.clone() };
        let parameters: Vec<_> = given.into_iter().map(|it| ("p".to_owned(), it)).collect();
        let has_entry = !parameters.is_empty() || self.rng.percent(55);
        let entry = has_entry.then(|| Rc::new(self.function(None, parameters, busy.clone(), 3)));
        let exit = self
            .rng
            .percent(25)
            .then(|| Rc::new(self.function(None, Vec::new(), quiet.clone(), 2)));
        let mut state = State { name, entry, exit, handlers: Vec::new() };
        for (event, payload) in self.handled() {
            let handler = self.handler(payload.as_ref(), &busy, &quiet, functions);
            state.handlers.extend(handler.map(|it| (event, it)));
        }
        if !scope.is_spec && self.rng.percent(6) {
            let handler = self.handler(None, &busy, &quiet, functions);
            let does = |it: &Handler| !matches!(it, Handler::Defer | Handler::Ignore);
            state.handlers.extend(handler.filter(does).map(|it| ("null".to_owned(), it)));
        }
        state
    }

    /// The events for which a state may have handlers.
    fn handled(&mut self) -> Vec<Event> {
        let mut events = self.events.clone();
        if self.rng.percent(15) {
            events.push(("halt".to_owned(), None));
        }
        events
    }

    fn handler(
        &mut self,
        payload: Option<&Type>,
        busy: &Scope,
        quiet: &Scope,
        functions: &mut Vec<Rc<Function>>,
    ) -> Option<Handler> {
        let parameters = |maker: &mut Self| -> Vec<(String, Type)> {
            let given = payload.filter(|_| maker.rng.percent(75));
            given.into_iter().map(|it| ("p".to_owned(), it.clone())).collect()
        };
        let targets: Vec<_> = busy
            .states
            .iter()
            .filter(|it| it.1.is_none() || it.1.as_ref() == payload)
            .cloned()
            .collect();
        Some(match self.rng.below(100) {
            0..10 if !self.careful => return None,
            0..22 if !busy.is_spec => Handler::Defer,
            0..34 => Handler::Ignore,
            34..60 if !targets.is_empty() => {
                let (to, _) = self.pick(&targets).expect("there are some");
                let with = self.rng.percent(35).then(|| {
                    let parameters = parameters(self);
                    Rc::new(self.function(None, parameters, quiet.clone(), 2))
                });
                Handler::Goto(to, with)
            }
            _ => {
                let parameters = parameters(self);
                self.n_names += 1;
                let name = self.rng.percent(20).then(|| format!("Named{}", self.n_names));
                let function = Rc::new(self.function(name.as_deref(), parameters, busy.clone(), 4));
                functions.extend(name.map(|_| function.clone()));
                Handler::Do(function)
            }
        })
    }

    /// The first thing a machine does: it learns whom to send to, and the main machine creates the others.
    fn start_entry(&mut self, number: usize, given: Option<Type>, scope: &Scope) -> Function {
        let mut code = Code::new();
        let fuel = int(1 + self.rng.below(3));
        code.push(self.stmt(Kind::Assign(whole("fuel"), fuel)));
        let p = Rc::new(Expr::Var("p".to_owned()));
        let peer = match &given {
            None => None,
            Some(Type::Machine) => Some(p),
            Some(Type::Tuple(_)) => Some(Rc::new(Expr::Item(p, 0))),
            Some(_) => Some(Rc::new(Expr::Field(p, "who".to_owned()))),
        };
        if let Some(peer) = peer {
            code.push(self.stmt(Kind::Assign(whole("peer"), peer)));
        }
        if number == 0 {
            let others = self.starts[1..].to_vec();
            for (machine, kind) in others {
                let kind = kind.expect("only the main machine is given nothing");
                let arguments = self.first_arguments(&kind, scope);
                let new = Rc::new(Expr::New(machine, arguments));
                code.push(self.stmt(Kind::Assign(whole("peer"), new)));
            }
        }
        let parameters: Vec<_> = given.into_iter().map(|it| ("p".to_owned(), it)).collect();
        let busy = Scope { may_leave: true, may_wait: true, may_return: true, ..scope.clone() };
        for _ in 0..self.rng.below(if number == 0 { 4 } else { 2 }) {
            self.talk(scope, &mut code);
        }
        let function = self.function(None, parameters, busy, 4);
        code.extend(function.code.iter().cloned());
        Function { code: Rc::new(code), ..function }
    }

    /// What the main machine gives to those it creates: mostly itself.
    fn first_arguments(&mut self, kind: &Type, scope: &Scope) -> Vec<Rc<Expr>> {
        let who = if self.careful || self.rng.percent(75) {
            Rc::new(Expr::This)
        } else {
            self.expr(&Type::Machine, scope, 1)
        };
        let number = self.expr(&Type::Int, scope, 1);
        match kind {
            Type::Machine => vec![who],
            Type::Tuple(_) => vec![who, number],
            _ => {
                let fields = vec![("who".to_owned(), who), ("n".to_owned(), number)];
                vec![Rc::new(Expr::Named(fields))]
            }
        }
    }

    fn spec(&mut self, number: usize) -> Machine {
        let mut fields = Vec::new();
        self.add_fields(&mut fields, 1, 3);
        let mut observes: Vec<String> = self.events.iter().map(|it| it.0.clone()).collect();
        if self.rng.percent(50) {
            observes.remove(self.rng.below(observes.len()));
        }
        let mut scope = Scope { variables: fields.clone(), is_spec: true, ..Scope::default() };
        scope.callable = self.global.clone();
        scope.states = self.state_names(None);
        scope.states.truncate(3);
        let mut functions = Vec::new();
        let mut states = Vec::new();
        for at in 0..scope.states.len() {
            let mut state = self.state(at, &scope, &mut functions);
            state.handlers.retain(|it| it.0 != "halt");
            states.push(state);
        }
        Machine { name: format!("Spec{number}"), fields, functions, states, observes }
    }
}

fn callable(function: &Function, leaves: bool, acts: bool) -> Callable {
    Callable {
        name: function.name.clone().expect("it has a name"),
        parameters: function.parameters.iter().map(|it| it.1.clone()).collect(),
        result: function.result.clone(),
        leaves,
        acts,
    }
}
