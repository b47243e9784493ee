//! A program as its front end hands it over: one test case, linked, typed and flattened.
//!
//! Plain data. Functions are lists of instructions with jumps; an expression has no effect, so calls,
//! free choices and creation are instructions of their own, which put their result into a register.

use std::cmp::Ordering;
use std::sync::Arc;

use qp_base::{IndexVec, Span};

use crate::{
    BodyId, EventId, FieldId, FunctionId, RegisterId, RoleId, SpecId, StateId, Type, Value,
};

/// A whole program.
#[derive(Clone, Debug)]
pub struct Blueprint {
    /// The language it was written in, for reports.
    pub language: &'static str,
    /// Which rules apply where the dialects differ.
    pub dialect: Dialect,
    /// All events; the first two are [`EventId::NULL`] and [`EventId::HALT`].
    pub events: IndexVec<EventId, EventInfo>,
    /// All functions and handlers.
    pub functions: IndexVec<FunctionId, Function>,
    /// The states and variables of machines and specs.
    pub bodies: IndexVec<BodyId, Body>,
    /// What can be created.
    pub roles: IndexVec<RoleId, Role>,
    /// What watches.
    pub specs: IndexVec<SpecId, Spec>,
    /// What the program begins with: one machine in this role, created without argument.
    pub main: RoleId,
}

/// Where the languages of 2018 and of today differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// Whole numbers have 32 bits; specs see a message after it was put into the queue, in the same
    /// step.
    Y2018,
    /// Whole numbers have 64 bits; specs see a message before it is put into the queue, and others may
    /// move in between.
    Current,
}

/// An event.
#[derive(Clone, Debug)]
pub struct EventInfo {
    /// The user's name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// What it carries: [`Type::Null`] for nothing.
    pub payload: Type,
    /// How many of it a queue may hold.
    pub cap: Option<Cap>,
}

/// A bound on what a queue holds, stated by the user.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cap {
    /// Whether sends wait at the bound (`assume`) instead of failing (`assert`).
    pub assume: bool,
    /// The bound.
    pub count: u32,
    /// Where it is stated.
    pub span: Span,
}

/// A kind of machine that can be created.
#[derive(Clone, Debug)]
pub struct Role {
    /// The name under which it is created.
    pub name: String,
    /// Where its machine is declared.
    pub span: Span,
    /// What it does.
    pub body: BodyId,
    /// What may be sent to it, if that is restricted; sorted.
    pub receives: Option<Vec<EventId>>,
    /// What it may send, if that is restricted; sorted.
    pub sends: Option<Vec<EventId>>,
    /// For each interface that code may create, by its number in [`Instr::New`]: the role that is made
    /// when this role creates it. `None` where the test case binds nothing.
    pub links: Vec<Option<RoleId>>,
    /// The specs that see what it sends and announces.
    pub watchers: Vec<SpecId>,
    /// How much its queue may hold.
    pub cap: Option<Cap>,
}

/// Something that watches.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The user's name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// What it does.
    pub body: BodyId,
    /// What it looks at; sorted.
    pub observes: Vec<EventId>,
}

/// The states and variables of a machine or spec.
#[derive(Clone, Debug)]
pub struct Body {
    /// The user's name.
    pub name: String,
    /// Its variables.
    pub fields: IndexVec<FieldId, Variable>,
    /// Its states.
    pub states: IndexVec<StateId, State>,
    /// Where it begins.
    pub start: StateId,
}

/// A variable, parameter or temporary.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The user's name; empty for a temporary.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Its type.
    pub ty: Type,
}

/// A state.
#[derive(Clone, Debug)]
pub struct State {
    /// The user's name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// How urgent it is to leave it.
    pub temperature: Temperature,
    /// What runs when it is entered: takes nothing or the payload.
    pub entry: Option<FunctionId>,
    /// What runs when it is left: takes nothing.
    pub exit: Option<FunctionId>,
    /// What it does about events; sorted by event.
    pub handlers: Vec<(EventId, Handler)>,
}

/// How urgent it is for a spec to leave a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Temperature {
    /// It must be left.
    Hot,
    /// Neither.
    Warm,
    /// Nothing is open.
    Cold,
}

/// What a state does about an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Handler {
    /// Leaves it in the queue.
    Defer,
    /// Throws it away.
    Ignore,
    /// Runs a function, which takes nothing or the payload.
    Do(FunctionId),
    /// Exit of this state, then the function, then entry of that state; both take nothing or the
    /// payload.
    Goto(StateId, Option<FunctionId>),
    /// Keeps this state below that one.
    Push(StateId),
}

/// A function or handler.
#[derive(Clone, Debug)]
pub struct Function {
    /// The user's name; for a handler, what it belongs to: `entry of Init`, `on ePing in Wait`.
    pub name: String,
    /// Where it is written.
    pub span: Span,
    /// How many of the registers are parameters; they come first.
    pub n_params: usize,
    /// Parameters, local variables, temporaries.
    pub registers: IndexVec<RegisterId, Variable>,
    /// What it does. Running off the end returns `null`.
    pub code: Vec<Instr>,
    /// For each instruction: where it is written.
    pub spans: Vec<Span>,
}

/// The number of an instruction, as the target of a jump. May be one past the last.
pub type Target = u32;

/// An instruction.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the fields are named as in the texts above them")]
pub enum Instr {
    /// `place = value`.
    Assign { place: Place, value: Expr },
    /// `place += (key, value)`: inserts into a sequence at a position, or into a map under a new key.
    Insert { place: Place, key: Expr, value: Expr },
    /// `place += (value)`: adds to a set.
    Add { place: Place, value: Expr },
    /// `place -= key`: removes a position of a sequence, an element of a set, a key of a map.
    Remove { place: Place, key: Expr },
    /// Works the value out, for the sake of what can go wrong.
    Evaluate(Expr),
    /// Goes on there.
    Jump(Target),
    /// Goes on there unless the condition holds.
    Unless(Expr, Target),
    /// Calls a function.
    Call { function: FunctionId, args: Vec<Expr>, into: Option<RegisterId> },
    /// Returns.
    Return(Option<Expr>),
    /// Picks freely.
    Choose { into: RegisterId, from: Choice },
    /// Creates a machine.
    New { interface: u32, arg: Expr, into: Option<RegisterId> },
    /// Sends.
    Send { target: Expr, event: Expr, payload: Expr },
    /// Lets the specs see an event.
    Announce { event: Expr, payload: Expr },
    /// Abandons the calls and handles the event next.
    Raise { event: Expr, payload: Expr },
    /// Abandons the calls and changes the state.
    Goto { state: StateId, payload: Expr },
    /// Abandons the calls and goes back to the state below.
    Pop,
    /// Waits for one of the events, puts its payload into the register and goes on at the target.
    Receive(Vec<ReceiveCase>),
    /// Fails with the message unless the condition holds.
    Assert { condition: Expr, message: Option<Expr> },
    /// This run is of no interest unless the condition holds.
    Assume(Expr),
}

/// One case of [`Instr::Receive`].
#[derive(Clone, Debug)]
pub struct ReceiveCase {
    /// What is waited for.
    pub event: EventId,
    /// Where its payload goes.
    pub into: Option<RegisterId>,
    /// Where it goes on.
    pub target: Target,
}

/// What is picked from.
#[derive(Clone, Debug)]
pub enum Choice {
    /// `true` or `false`.
    Bool,
    /// A number from 0 up to this, exclusively; or an element of a sequence or set; or a key of a map.
    Of(Expr),
    /// Any value of a type that has finitely many.
    Any(Type),
}

/// Where something is stored: a variable, and a way into its value.
#[derive(Clone, Debug)]
pub struct Place {
    /// The variable.
    pub root: Root,
    /// The way.
    pub path: Vec<Projection>,
}

/// A variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Root {
    /// Of the function.
    Register(RegisterId),
    /// Of the machine.
    Field(FieldId),
}

/// One step into a value.
#[derive(Clone, Debug)]
pub enum Projection {
    /// A field of a tuple or record, by position.
    Part(u32),
    /// An entry of a sequence or map.
    Index(Expr, Span),
}

/// An expression. Evaluating it changes nothing; where it can go wrong it has a place.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the fields are named as in the texts above them")]
pub enum Expr {
    /// Always the same.
    Const(Value),
    /// A variable of the function.
    Register(RegisterId),
    /// A variable of the machine.
    Field(FieldId),
    /// The machine itself.
    This,
    /// `!e`.
    Not(Box<Self>),
    /// `-e`.
    Negate(Box<Self>),
    /// `a && b`; the second is not looked at if the first is false.
    And(Box<Self>, Box<Self>),
    /// `a || b`; the second is not looked at if the first is true.
    Or(Box<Self>, Box<Self>),
    /// Arithmetic and comparison. Operands have the same type.
    Binary { op: Op, left: Box<Self>, right: Box<Self>, span: Span },
    /// A tuple.
    Tuple(Vec<Self>),
    /// A tuple with named fields.
    Record(Arc<[String]>, Vec<Self>),
    /// A field of a tuple or record, by position.
    Part(Box<Self>, u32),
    /// An entry of a sequence, set or map.
    Index { of: Box<Self>, index: Box<Self>, span: Span },
    /// The keys of a map, as a sequence.
    Keys(Box<Self>),
    /// The values of a map, as a sequence.
    Values(Box<Self>),
    /// How many entries a collection has.
    Size(Box<Self>),
    /// Whether a collection has the element or key.
    Contains { item: Box<Self>, of: Box<Self> },
    /// Fails unless the value has the type.
    Cast { value: Box<Self>, ty: Type, span: Span },
    /// The number of an enumeration's element, or a floating-point number without its fraction.
    ToInt(Box<Self>),
    /// A whole number as a floating-point number.
    ToFloat(Box<Self>),
    /// Texts with values in between: one more text than values.
    Format(Vec<String>, Vec<Self>),
}

/// An operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say what they are")]
pub enum Op {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

impl Op {
    /// As the user writes it.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::Equal => "==",
            Self::NotEqual => "!=",
        }
    }

    /// What it says of two values in this order; nothing if it does not compare.
    pub const fn compares(self, order: Ordering) -> Option<bool> {
        Some(match self {
            Self::Less => order.is_lt(),
            Self::LessEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterEqual => order.is_ge(),
            Self::Equal => order.is_eq(),
            Self::NotEqual => order.is_ne(),
            Self::Add | Self::Subtract | Self::Multiply | Self::Divide | Self::Remainder => {
                return None;
            }
        })
    }
}
