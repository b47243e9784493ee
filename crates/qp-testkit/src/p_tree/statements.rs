//! What the statements of P do.

use std::rc::Rc;

use super::process::{Next, Operand, Process, Site, Task, at_end, in_turn};
use super::tree::{Expr, Kind, Part, Place, Program, Stmt};
use super::value::{Fault, Value};

/// The keys of a place, which are worked out before anything else of its statement.
fn keys(place: &Place) -> Vec<Rc<Expr>> {
    let key = |part: &Part| match part {
        Part::At(key) => Some(key.clone()),
        Part::Field(_) | Part::Item(_) => None,
    };
    place.parts.iter().filter_map(key).collect()
}

/// What the payload of several arguments is: all of them together.
pub(super) fn together(mut values: Vec<Value>) -> Value {
    match values.len() {
        0 => Value::Null,
        1 => values.remove(0),
        _ => Value::Tuple(values),
    }
}

/// What is worked out for a statement before it is done.
fn parts(kind: &Kind) -> Vec<Operand> {
    match kind {
        Kind::Assign(place, value) | Kind::Add(place, value) | Kind::Remove(place, value) => {
            at_end(keys(place).iter().chain([value]))
        }
        Kind::Insert(place, key, value) => {
            let mut all = at_end(keys(place).iter().chain([key]));
            all.extend(in_turn([value]));
            all
        }
        Kind::Return(value) | Kind::Goto(_, value) => at_end(value),
        Kind::Send(target, event, payload) => in_turn([target, event].into_iter().chain(payload)),
        Kind::Announce(event, payload) | Kind::Raise(event, payload) => {
            at_end([event].into_iter().chain(payload))
        }
        Kind::New(_, arguments) | Kind::Call(_, arguments) => in_turn(arguments),
        Kind::Assert(condition) => at_end([condition]),
        other => unreachable!("{other:?} has no end of its own"),
    }
}

/// The event and what it carries.
fn event(mut values: Vec<Value>) -> Result<(String, Value), Fault> {
    match values.remove(0) {
        Value::Event(name) => Ok((name, together(values))),
        Value::Null => Err(Fault::Null),
        other => panic!("{other:?} is no event"),
    }
}

impl Process {
    /// Begins a statement: says what has to be worked out for it.
    pub(super) fn begin(&mut self, stmt: &Rc<Stmt>) {
        match &stmt.kind {
            Kind::If(condition, then, otherwise) => {
                self.tasks.push(Task::Branch(then.clone(), otherwise.clone()));
                self.tasks.push(Task::Eval(condition.clone(), stmt.id));
            }
            Kind::While(..) => self.tasks.push(Task::Loop(stmt.clone())),
            Kind::Foreach(name, list, body) => {
                self.tasks.push(Task::Begin(name.clone(), body.clone()));
                self.tasks.push(Task::Eval(list.clone(), stmt.id));
            }
            Kind::Receive(cases) => self.tasks.push(Task::Wait(cases.clone())),
            Kind::Break => self.leave_body(true),
            Kind::Continue => self.leave_body(false),
            simple => {
                self.tasks.push(Task::Finish(stmt.clone()));
                self.push_all(&parts(simple), stmt.id);
            }
        }
    }

    /// Ends a statement for which everything was worked out.
    pub(super) fn finish(&mut self, stmt: &Stmt, program: &Program) -> Next {
        match self.finished(stmt, program) {
            Ok(next) => next,
            Err(fault) => Next::Fails((fault, Site::Stmt(stmt.id))),
        }
    }

    fn finished(&mut self, stmt: &Stmt, program: &Program) -> Result<Next, Fault> {
        if let Kind::Call(name, arguments) = &stmt.kind {
            let function = program.function(self.machine(program), name);
            self.tasks.push(Task::Call(function.clone(), arguments.len()));
            return Ok(Next::Goes);
        }
        let mut values = self.operands(&parts(&stmt.kind));
        let mut pop = || values.pop().expect("the value was worked out");
        match &stmt.kind {
            Kind::Assign(place, _) => {
                let value = pop();
                self.assign(place, values, value)?;
            }
            Kind::Insert(place, ..) => {
                let (value, key) = (pop(), pop());
                self.part(place, &values)?.insert(key, value)?;
            }
            Kind::Add(place, _) => {
                let value = pop();
                let Value::Set(set) = self.part(place, &values)? else { panic!("it is no set") };
                set.insert(value);
            }
            Kind::Remove(place, _) => {
                let what = pop();
                self.part(place, &values)?.remove(&what)?;
            }
            Kind::Return(_) => {
                self.values.extend(values);
                self.leave_function();
            }
            Kind::Send(..) => return self.send(values),
            Kind::Announce(..) => {
                let (event, payload) = event(values)?;
                return Ok(Next::Announces(event, payload));
            }
            Kind::Raise(..) => {
                let (event, payload) = event(values)?;
                self.abandon();
                self.tasks.push(Task::Handle(event, payload));
            }
            Kind::Goto(state, _) => {
                self.abandon();
                self.push_goto(state.clone(), None, together(values), program);
            }
            Kind::New(machine, _) => {
                self.tasks.push(Task::Create(machine.clone(), together(values), false));
            }
            Kind::Assert(_) if !pop().bool() => return Err(Fault::Assert),
            _ => {}
        }
        Ok(Next::Goes)
    }

    fn assign(&mut self, place: &Place, mut keys: Vec<Value>, value: Value) -> Result<(), Fault> {
        if let Some((Part::At(_), before)) = place.parts.split_last() {
            let last = keys.pop().expect("each key was worked out");
            let before = Place { name: place.name.clone(), parts: before.to_vec() };
            return self.part(&before, &keys)?.put(last, value);
        }
        *self.part(place, &keys)? = value;
        Ok(())
    }

    /// Specs see the event first; then others may go before it is put into the mailbox.
    fn send(&mut self, mut values: Vec<Value>) -> Result<Next, Fault> {
        let target = values.remove(0);
        let (event, payload) = event(values)?;
        let Value::Machine(target) = target else { return Err(Fault::Null) };
        self.tasks.push(Task::Put(target, event.clone(), payload.clone()));
        Ok(Next::Announces(event, payload))
    }
}
