//! What machines and specs do about events: which one is taken, who handles it, and how states are left.

use std::rc::Rc;

use super::process::{Next, Process, Site, Task};
use super::tree::{Case, Function, Handler, Program};
use super::value::{Fault, Value};

fn case_of<'c>(cases: &'c [Case], event: &str) -> Option<&'c Case> {
    cases.iter().find(|it| it.events.iter().any(|it| it == event))
}

impl Process {
    fn push_exit(&mut self, program: &Program) {
        let exit = self.machine(program).state(&self.state).exit.clone();
        self.tasks.extend(exit.map(|it| Task::Run(it, Value::Null)));
    }

    /// What is done first comes last.
    pub fn push_goto(
        &mut self,
        to: String,
        with: Option<Rc<Function>>,
        payload: Value,
        program: &Program,
    ) {
        self.tasks.push(Task::Enter(to, payload.clone()));
        self.tasks.extend(with.map(|it| Task::Run(it, payload)));
        self.push_exit(program);
    }

    pub(super) fn handle(&mut self, event: String, payload: Value, program: &Program) {
        match self.machine(program).state(&self.state).handler(&event) {
            Some(Handler::Defer | Handler::Ignore) => {}
            Some(Handler::Do(function)) => self.tasks.push(Task::Run(function.clone(), payload)),
            Some(Handler::Goto(to, with)) => {
                self.push_goto(to.clone(), with.clone(), payload, program);
            }
            None => {
                self.tasks.push(Task::Unhandled(event));
                // Machines leave their state before they say so, specs do not.
                if !self.is_spec {
                    self.push_exit(program);
                }
            }
        }
    }

    pub(super) fn unhandled(&mut self, event: String) -> Next {
        if event == "halt" {
            self.abandon();
            self.mailbox.clear();
            self.halted = true;
            return Next::Stops;
        }
        Next::Fails((Fault::Unhandled, Site::State(self.name.clone(), self.state.clone(), event)))
    }

    /// Whether anything in the mailbox can be taken, and its position.
    pub fn ready(&self, program: &Program) -> Option<usize> {
        let wants = |event: &str| {
            if let Some(Task::Wait(cases)) = self.tasks.last() {
                // Whoever waits can be halted all the same.
                return event == "halt" || case_of(cases, event).is_some();
            }
            let state = self.machine(program).state(&self.state);
            !matches!(state.handler(event), Some(Handler::Defer | Handler::Ignore))
        };
        self.mailbox.iter().position(|it| wants(&it.0))
    }

    /// Whether the state says what to do when there is nothing to take.
    pub fn minds_nothing(&self, program: &Program) -> bool {
        self.machine(program).state(&self.state).handler("null").is_some()
    }

    /// Begins what is to be done when there is nothing to take; what is ignored is gone then.
    pub fn mind_nothing(&mut self, program: &Program) {
        let state = self.machine(program).state(&self.state);
        self.mailbox.retain(|it| !matches!(state.handler(&it.0), Some(Handler::Ignore)));
        self.tasks.push(Task::Handle("null".to_owned(), Value::Null));
    }

    /// Takes an event out of the mailbox and begins what is to be done about it.
    pub fn take(&mut self, position: usize, program: &Program) {
        let (event, payload) = self.mailbox.remove(position);
        if let Some(Task::Wait(cases)) = self.tasks.last().cloned() {
            self.tasks.pop();
            let Some(case) = case_of(&cases, &event) else {
                self.abandon();
                return self.tasks.push(Task::Handle(event, payload));
            };
            if let Some((name, _)) = &case.parameter {
                self.frames.last_mut().expect("a function runs").insert(name.clone(), payload);
                self.tasks.push(Task::Forget(name.clone()));
            }
            self.push_block(&case.code);
            return;
        }
        // What is ignored and lay before it is gone, what is deferred stays.
        let state = self.machine(program).state(&self.state);
        let mut at = 0;
        self.mailbox.retain(|it| {
            at += 1;
            at > position || !matches!(state.handler(&it.0), Some(Handler::Ignore))
        });
        self.tasks.push(Task::Handle(event, payload));
    }
}
