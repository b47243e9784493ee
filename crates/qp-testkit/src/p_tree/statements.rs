//! What the statements of P do.

use std::rc::Rc;

use super::process::{Next, Process, Site, Task};
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
fn together(mut values: Vec<Value>) -> Value {
    match values.len() {
        0 => Value::Null,
        1 => values.remove(0),
        _ => Value::Tuple(values),
    }
}

impl Process {
    /// Begins a statement: says what has to be worked out for it.
    pub(super) fn begin(&mut self, stmt: &Rc<Stmt>) {
        let parts: Vec<Rc<Expr>> = match &stmt.kind {
            Kind::Assign(place, value) | Kind::Add(place, value) | Kind::Remove(place, value) => {
                keys(place).into_iter().chain([value.clone()]).collect()
            }
            Kind::Insert(place, key, value) => {
                keys(place).into_iter().chain([key.clone(), value.clone()]).collect()
            }
            Kind::If(condition, then, otherwise) => {
                self.tasks.push(Task::Branch(then.clone(), otherwise.clone()));
                self.tasks.push(Task::Eval(condition.clone(), stmt.id));
                return;
            }
            Kind::While(..) => return self.tasks.push(Task::Loop(stmt.clone())),
            Kind::Foreach(name, list, body) => {
                self.tasks.push(Task::Begin(name.clone(), body.clone()));
                self.tasks.push(Task::Eval(list.clone(), stmt.id));
                return;
            }
            Kind::Receive(cases) => return self.tasks.push(Task::Wait(cases.clone())),
            Kind::Break => return self.leave_body(true),
            Kind::Continue => return self.leave_body(false),
            Kind::Return(value) => value.iter().cloned().collect(),
            Kind::Send(target, event, payload) => {
                [target, event].into_iter().chain(payload).cloned().collect()
            }
            Kind::Announce(event, payload) | Kind::Raise(event, payload) => {
                [event].into_iter().chain(payload).cloned().collect()
            }
            Kind::Goto(_, payload) => payload.iter().cloned().collect(),
            Kind::New(_, arguments) | Kind::Call(_, arguments) => arguments.clone(),
            Kind::Assert(condition) => vec![condition.clone()],
        };
        self.tasks.push(Task::Finish(stmt.clone()));
        self.push_all(&parts, stmt.id);
    }

    /// Ends a statement for which everything was worked out.
    pub(super) fn finish(&mut self, stmt: &Stmt, program: &Program) -> Next {
        match self.finished(stmt, program) {
            Ok(next) => next,
            Err(fault) => Next::Fails((fault, Site::Stmt(stmt.id))),
        }
    }

    fn finished(&mut self, stmt: &Stmt, program: &Program) -> Result<Next, Fault> {
        match &stmt.kind {
            Kind::Assign(place, _) => {
                let value = self.pop();
                self.assign(place, value)?;
            }
            Kind::Insert(place, ..) => {
                let (value, key) = (self.pop(), self.pop());
                let keys = self.pop_all(keys(place).len());
                self.part(place, &keys)?.insert(key, value)?;
            }
            Kind::Add(place, _) => {
                let value = self.pop();
                let keys = self.pop_all(keys(place).len());
                let Value::Set(set) = self.part(place, &keys)? else { panic!("it is no set") };
                set.insert(value);
            }
            Kind::Remove(place, _) => {
                let what = self.pop();
                let keys = self.pop_all(keys(place).len());
                self.part(place, &keys)?.remove(&what)?;
            }
            // A result stays on the stack.
            Kind::Return(_) => self.leave_function(),
            Kind::Send(_, _, payload) => return self.send(payload.is_some()),
            Kind::Announce(_, payload) => {
                let (event, payload) = self.event(payload.is_some())?;
                return Ok(Next::Announces(event, payload));
            }
            Kind::Raise(_, payload) => {
                let (event, payload) = self.event(payload.is_some())?;
                self.abandon();
                self.tasks.push(Task::Handle(event, payload));
            }
            Kind::Goto(state, payload) => {
                let payload = self.pop_all(usize::from(payload.is_some()));
                self.abandon();
                self.push_goto(state.clone(), None, together(payload), program);
            }
            Kind::New(machine, arguments) => {
                let payload = together(self.pop_all(arguments.len()));
                self.tasks.push(Task::Create(machine.clone(), payload, false));
            }
            Kind::Call(name, _) => {
                let function = program.function(self.machine(program), name);
                self.tasks.push(Task::Call(function.clone()));
            }
            Kind::Assert(_) => {
                if !self.pop().bool() {
                    return Err(Fault::Assert);
                }
            }
            other => unreachable!("{other:?} has no end of its own"),
        }
        Ok(Next::Goes)
    }

    fn assign(&mut self, place: &Place, value: Value) -> Result<(), Fault> {
        let mut keys = self.pop_all(keys(place).len());
        if let Some((Part::At(_), before)) = place.parts.split_last() {
            let last = keys.pop().expect("each key was worked out");
            let before = Place { name: place.name.clone(), parts: before.to_vec() };
            return self.part(&before, &keys)?.put(last, value);
        }
        *self.part(place, &keys)? = value;
        Ok(())
    }

    /// The event and the payload on the stack.
    fn event(&mut self, has_payload: bool) -> Result<(String, Value), Fault> {
        let payload = if has_payload { self.pop() } else { Value::Null };
        match self.pop() {
            Value::Event(name) => Ok((name, payload)),
            Value::Null => Err(Fault::Null),
            other => panic!("{other:?} is no event"),
        }
    }

    /// Specs see the event first; then others may go before it is put into the mailbox.
    fn send(&mut self, has_payload: bool) -> Result<Next, Fault> {
        let (event, payload) = self.event(has_payload)?;
        let Value::Machine(target) = self.pop() else { return Err(Fault::Null) };
        self.tasks.push(Task::Put(target, event.clone(), payload.clone()));
        Ok(Next::Announces(event, payload))
    }

    /// Creates a machine; the arguments are on the stack.
    pub(super) fn create(&mut self, machine: &str, n: usize) {
        let payload = together(self.pop_all(n));
        self.tasks.push(Task::Create(machine.to_owned(), payload, true));
    }
}
