//! One machine or spec with everything it has yet to do, and its smallest steps.
//!
//! What is left to do is a stack of tasks, what was worked out on the way is a stack of values, and each function
//! that runs has its variables. All of it is plain data: two processes that are equal behave alike.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::tree::{Block, Case, Expr, Function, Kind, Machine, Op, Place, Program, Stmt};
use super::value::{Fault, Value};

/// Variables by name.
pub type Variables = BTreeMap<String, Value>;

/// Something that is left to do.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Task {
    /// Runs a statement.
    Do(Rc<Stmt>),
    /// Works an expression out for the statement of a number.
    Eval(Rc<Expr>, usize),
    /// Makes the value of an expression from those of its parts, which lie on the stack.
    Apply(Rc<Expr>, usize),
    /// Looks at the second operand of `&&` or `||`, if that is needed.
    Second(Op, Rc<Expr>, usize),
    /// Ends a simple statement, whose values lie on the stack.
    Finish(Rc<Stmt>),
    /// Goes one of two ways.
    Branch(Block, Block),
    /// Tests the condition of a `while`, which is this statement.
    Loop(Rc<Stmt>),
    /// Goes into the body, or leaves the loop.
    Body(Block),
    /// Begins a `foreach` over the value on the stack.
    Begin(String, Block),
    /// Goes on with the elements of a `foreach` that are left.
    Each(String, Vec<Value>, Block),
    /// Calls a function with these arguments, whose values lie on the stack.
    Call(Rc<Function>, usize),
    /// Ends a function.
    Leave,
    /// Waits inside a `receive`.
    Wait(Rc<Vec<Case>>),
    /// Takes the variable of a case away.
    Forget(String),
    /// Puts an event, which the specs have seen, into the mailbox of a machine.
    Put(usize, String, Value),
    /// Creates a machine; whether anybody wants to know which.
    Create(String, Value, bool),
    /// Does about an event what the state says.
    Handle(String, Value),
    /// Runs code of a state, with the payload if it asks for one.
    Run(Rc<Function>, Value),
    /// Is in a state from now on, and runs its entry.
    Enter(String, Value),
    /// Has nobody to handle an event, and has left its state.
    Unhandled(String),
}

/// Where something goes wrong.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Site {
    /// In the statement of a number.
    Stmt(usize),
    /// In a state of a machine, at an event.
    State(String, String, String),
}

/// Something that goes wrong.
pub type Failure = (Fault, Site);

/// What a smallest step came to.
pub enum Next {
    /// It goes on.
    Goes,
    /// One of these values comes onto the stack, and it goes on.
    Splits(Vec<Value>),
    /// Specs see an event, and then it goes on.
    Announces(String, Value),
    /// The run ends here.
    Fails(Failure),
    /// Others may go first: at a send, a creation or a `receive`, with nothing to do, or halted.
    Stops,
}

/// A machine or a spec that runs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct Process {
    pub name: String,
    pub number: usize,
    pub is_spec: bool,
    pub fields: Variables,
    pub state: String,
    pub mailbox: Vec<(String, Value)>,
    pub halted: bool,
    /// What is left to do; the next is the last.
    pub tasks: Vec<Task>,
    /// What was worked out; the latest is the last.
    pub values: Vec<Value>,
    /// The variables of the functions that run; the innermost is the last.
    pub frames: Vec<Variables>,
}

fn defaults(list: &[(String, super::tree::Type)]) -> Variables {
    list.iter().map(|it| (it.0.clone(), Value::default_of(&it.1))).collect()
}

/// Something that is worked out for something else.
///
/// P's compiler puts aside whatever is more than a variable or a constant. A variable is read in its turn where
/// values are put together or sent, and otherwise by the operator, after what other operands did to it. The
/// description of the language does not say.
#[derive(Clone)]
pub enum Operand {
    /// Its value is taken in its turn.
    InTurn(Rc<Expr>),
    /// If it is a variable, it is read at the end.
    AtEnd(Rc<Expr>),
}

/// Values that are taken in their turn.
pub fn in_turn<'e>(all: impl IntoIterator<Item = &'e Rc<Expr>>) -> Vec<Operand> {
    all.into_iter().cloned().map(Operand::InTurn).collect()
}

/// Values of which variables are read at the end.
pub fn at_end<'e>(all: impl IntoIterator<Item = &'e Rc<Expr>>) -> Vec<Operand> {
    all.into_iter().cloned().map(Operand::AtEnd).collect()
}

impl Operand {
    /// What is put aside in its turn.
    fn aside(&self) -> Option<&Rc<Expr>> {
        match self {
            Self::AtEnd(expr) if matches!(**expr, Expr::Var(_)) => None,
            Self::AtEnd(expr) | Self::InTurn(expr) => Some(expr),
        }
    }
}

impl Process {
    /// A machine or spec that has yet to enter its first state.
    pub fn new(machine: &Machine, number: usize, payload: Value) -> Self {
        let first = machine.states[0].name.clone();
        Self {
            name: machine.name.clone(),
            number,
            is_spec: !machine.observes.is_empty(),
            fields: defaults(&machine.fields),
            state: first.clone(),
            mailbox: Vec::new(),
            halted: false,
            tasks: vec![Task::Enter(first, payload)],
            values: Vec::new(),
            frames: Vec::new(),
        }
    }

    /// What the process was declared as.
    pub fn machine<'p>(&self, program: &'p Program) -> &'p Machine {
        let all = if self.is_spec { &program.specs } else { &program.machines };
        all.iter().find(|it| it.name == self.name).expect("it is declared")
    }

    /// The latest value.
    pub fn pop(&mut self) -> Value {
        self.values.pop().expect("the value was worked out")
    }

    /// The values of expressions that were worked out.
    pub fn operands(&mut self, all: &[Operand]) -> Vec<Value> {
        let n_aside = all.iter().filter(|it| it.aside().is_some()).count();
        let mut aside = self.values.split_off(self.values.len() - n_aside).into_iter();
        let value = |it: &Operand| match it {
            Operand::AtEnd(expr) => match &**expr {
                Expr::Var(name) => self.variable(name).clone(),
                _ => aside.next().expect("the value was worked out"),
            },
            Operand::InTurn(_) => aside.next().expect("the value was worked out"),
        };
        all.iter().map(value).collect()
    }

    /// The variable of a name: of the innermost function, or else of the machine.
    pub fn variable(&mut self, name: &str) -> &mut Value {
        let local = self.frames.last_mut().and_then(|it| it.get_mut(name));
        local.or(self.fields.get_mut(name)).expect("the variable is declared")
    }

    /// Statements come next, and then the rest.
    pub fn push_block(&mut self, block: &Block) {
        self.tasks.extend(block.iter().rev().map(|it| Task::Do(it.clone())));
    }

    /// Expressions are worked out next, the first one first.
    pub fn push_all(&mut self, all: &[Operand], id: usize) {
        let aside = all.iter().rev().filter_map(Operand::aside);
        self.tasks.extend(aside.map(|it| Task::Eval(it.clone(), id)));
    }

    /// Takes the smallest step.
    pub fn step(&mut self, program: &Program) -> Next {
        let Some(task) = self.tasks.pop() else { return Next::Stops };
        match task {
            Task::Put(..) | Task::Create(..) | Task::Wait(_) => {
                self.tasks.push(task);
                return Next::Stops;
            }
            Task::Do(stmt) => self.begin(&stmt),
            Task::Eval(expr, id) => return self.eval(&expr, id, program),
            Task::Apply(expr, id) => return self.apply(&expr, id),
            Task::Second(op, right, id) => self.second(op, right, id),
            Task::Finish(stmt) => return self.finish(&stmt, program),
            Task::Branch(then, otherwise) => {
                let way = if self.pop().bool() { then } else { otherwise };
                self.push_block(&way);
            }
            Task::Loop(stmt) => self.test(&stmt),
            Task::Body(body) => {
                if self.pop().bool() {
                    self.push_block(&body);
                } else {
                    self.tasks.pop();
                }
            }
            Task::Begin(name, body) => {
                let elements = self.pop().elements();
                self.tasks.push(Task::Each(name, elements, body));
            }
            Task::Each(name, elements, body) => self.each(name, elements, &body),
            Task::Call(function, n_arguments) => {
                let values = self.values.split_off(self.values.len() - n_arguments);
                self.call(&function, values);
            }
            Task::Leave => {
                self.frames.pop();
            }
            Task::Forget(name) => {
                let frame = self.frames.last_mut().expect("a function runs");
                frame.remove(&name);
            }
            Task::Handle(event, payload) => self.handle(event, payload, program),
            Task::Run(function, payload) => {
                let n = function.parameters.len();
                self.call(&function, std::iter::repeat_n(payload, n).collect());
            }
            Task::Enter(state, payload) => {
                self.state = state;
                let entry = self.machine(program).state(&self.state).entry.clone();
                self.tasks.extend(entry.map(|it| Task::Run(it, payload)));
            }
            Task::Unhandled(event) => return self.unhandled(event),
        }
        Next::Goes
    }

    fn test(&mut self, stmt: &Rc<Stmt>) {
        let Kind::While(condition, body) = &stmt.kind else { unreachable!("it is a loop") };
        self.tasks.push(Task::Loop(stmt.clone()));
        self.tasks.push(Task::Body(body.clone()));
        self.tasks.push(Task::Eval(condition.clone(), stmt.id));
    }

    fn each(&mut self, name: String, mut elements: Vec<Value>, body: &Block) {
        if elements.is_empty() {
            return;
        }
        *self.variable(&name) = elements.remove(0);
        self.tasks.push(Task::Each(name, elements, body.clone()));
        self.push_block(body);
    }

    fn call(&mut self, function: &Rc<Function>, values: Vec<Value>) {
        let mut frame = defaults(&function.locals);
        let names = function.parameters.iter().map(|it| it.0.clone());
        frame.extend(names.zip(values));
        self.frames.push(frame);
        self.tasks.push(Task::Leave);
        self.push_block(&function.code);
    }

    /// Leaves the innermost loop, or only what is left of its body.
    pub fn leave_body(&mut self, leaves_loop: bool) {
        while !matches!(self.tasks.last(), Some(Task::Loop(_) | Task::Each(..))) {
            self.tasks.pop().expect("a loop is around it");
        }
        if leaves_loop {
            self.tasks.pop();
        }
    }

    /// Leaves the innermost function.
    pub fn leave_function(&mut self) {
        while !matches!(self.tasks.last(), Some(Task::Leave)) {
            self.tasks.pop().expect("a function is around it");
        }
    }

    /// Forgets everything that it was about to do.
    pub fn abandon(&mut self) {
        self.tasks.clear();
        self.values.clear();
        self.frames.clear();
    }

    /// The part of a variable that a place means; the keys on the way are given.
    pub fn part(&mut self, place: &Place, keys: &[Value]) -> Result<&mut Value, Fault> {
        use super::tree::Part;
        let mut keys = keys.iter();
        let mut found = self.variable(&place.name);
        for part in &place.parts {
            found = match part {
                Part::Field(name) => {
                    let Value::Named(fields) = found else { panic!("it has no fields") };
                    let field = fields.iter_mut().find(|it| it.0 == *name);
                    &mut field.expect("the field is declared").1
                }
                Part::Item(number) => {
                    let Value::Tuple(items) = found else { panic!("it is no tuple") };
                    &mut items[*number]
                }
                Part::At(_) => found.at_mut(keys.next().expect("each key was worked out"))?,
            };
        }
        Ok(found)
    }
}
