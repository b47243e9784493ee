//! P programs as trees: what can be said, and nothing about what it means.
//!
//! There is no reader. Programs are made by `make`, printed by `print` and run by `run`.

use std::rc::Rc;

/// The one enumeration of every program: names and numbers.
pub const COLOURS: [(&str, i64); 3] = [("RED", 2), ("GREEN", 1), ("BLUE", 5)];

/// A type.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "these are the types of P")]
pub enum Type {
    Int,
    Bool,
    Colour,
    Machine,
    Event,
    Any,
    Tuple(Vec<Type>),
    Named(Vec<(String, Type)>),
    Seq(Box<Type>),
    Set(Box<Type>),
    Map(Box<Type>, Box<Type>),
}

/// An operator between two values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "these are the operators of P")]
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Equal,
    Unequal,
    And,
    Or,
    In,
}

/// An expression.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "these are the expressions of P")]
pub enum Expr {
    Int(i64),
    Bool(bool),
    Colour(usize),
    Null,
    This,
    /// An event by its name; `halt` is one.
    Event(String),
    /// A variable of the function, or else of the machine.
    Var(String),
    Field(Rc<Expr>, String),
    Item(Rc<Expr>, usize),
    Index(Rc<Expr>, Rc<Expr>),
    Tuple(Vec<Rc<Expr>>),
    Named(Vec<(String, Rc<Expr>)>),
    Not(Rc<Expr>),
    Minus(Rc<Expr>),
    Binary(Op, Rc<Expr>, Rc<Expr>),
    Sizeof(Rc<Expr>),
    Keys(Rc<Expr>),
    Values(Rc<Expr>),
    Default(Type),
    Cast(Rc<Expr>, Type),
    ToInt(Rc<Expr>),
    /// `$`.
    Dollar,
    Choose(Rc<Expr>),
    Call(String, Vec<Rc<Expr>>),
    New(String, Vec<Rc<Expr>>),
}

/// One part of the way from a variable to what is changed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "these are the parts of values in P")]
pub enum Part {
    Field(String),
    Item(usize),
    At(Rc<Expr>),
}

/// What can be changed: a variable, or a part of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct Place {
    pub name: String,
    pub parts: Vec<Part>,
}

/// Statements in a row.
pub type Block = Rc<Vec<Rc<Stmt>>>;

/// A statement with its number, which is different from that of every other statement.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct Stmt {
    pub id: usize,
    pub kind: Kind,
}

/// What a statement does.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "these are the statements of P")]
pub enum Kind {
    Assign(Place, Rc<Expr>),
    /// `place += (key, value)` for sequences and maps.
    Insert(Place, Rc<Expr>, Rc<Expr>),
    /// `place += (value)` for sets.
    Add(Place, Rc<Expr>),
    /// `place -= (value)`.
    Remove(Place, Rc<Expr>),
    If(Rc<Expr>, Block, Block),
    While(Rc<Expr>, Block),
    Foreach(String, Rc<Expr>, Block),
    Break,
    Continue,
    Return(Option<Rc<Expr>>),
    Send(Rc<Expr>, Rc<Expr>, Option<Rc<Expr>>),
    Announce(Rc<Expr>, Option<Rc<Expr>>),
    Raise(Rc<Expr>, Option<Rc<Expr>>),
    Goto(String, Option<Rc<Expr>>),
    New(String, Vec<Rc<Expr>>),
    Call(String, Vec<Rc<Expr>>),
    Assert(Rc<Expr>),
    Receive(Rc<Vec<Case>>),
}

/// One case of a `receive`; its code sees the variables of the function around it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct Case {
    pub events: Vec<String>,
    pub parameter: Option<(String, Type)>,
    pub code: Block,
}

/// A function, or the code of an entry, an exit or a handler.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct Function {
    /// Nothing for code that is written where it is used.
    pub name: Option<String>,
    pub parameters: Vec<(String, Type)>,
    pub result: Option<Type>,
    pub locals: Vec<(String, Type)>,
    pub code: Block,
}

/// What a state does about an event.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "these are the handlers of P")]
pub enum Handler {
    Defer,
    Ignore,
    Do(Rc<Function>),
    Goto(String, Option<Rc<Function>>),
}

/// A state.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct State {
    pub name: String,
    pub entry: Option<Rc<Function>>,
    pub exit: Option<Rc<Function>>,
    pub handlers: Vec<(String, Handler)>,
}

/// A machine or a spec; it begins in its first state.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct Machine {
    pub name: String,
    pub fields: Vec<(String, Type)>,
    /// Those that are called by name, by code or by states.
    pub functions: Vec<Rc<Function>>,
    pub states: Vec<State>,
    /// The events that a spec observes; empty for machines.
    pub observes: Vec<String>,
}

/// An event with the type of its payload.
pub type Event = (String, Option<Type>);

/// A program: the first machine is the main one, and all specs are attached.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct Program {
    pub events: Vec<Event>,
    pub functions: Vec<Rc<Function>>,
    pub machines: Vec<Machine>,
    pub specs: Vec<Machine>,
}

impl Machine {
    /// The state of a name.
    pub fn state(&self, name: &str) -> &State {
        self.states.iter().find(|it| it.name == name).expect("the state is declared")
    }
}

impl State {
    /// What the state says about an event.
    pub fn handler(&self, event: &str) -> Option<&Handler> {
        self.handlers.iter().find(|it| it.0 == event).map(|it| &it.1)
    }
}

impl Program {
    /// The machine of a name.
    pub fn machine(&self, name: &str) -> &Machine {
        self.machines.iter().find(|it| it.name == name).expect("the machine is declared")
    }

    /// The function that a machine means by a name.
    pub fn function<'p>(&'p self, machine: &'p Machine, name: &str) -> &'p Rc<Function> {
        let mut all = machine.functions.iter().chain(&self.functions);
        all.find(|it| it.name.as_deref() == Some(name)).expect("the function is declared")
    }
}
