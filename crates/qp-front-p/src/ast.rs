//! What was written, as a tree with places. Names are texts here; nothing is resolved.
//!
//! One tree for both dialects: today's P and the P of 2018. What only one of them has says so.

use qp_base::Span;
use qp_program::Op;

/// A name at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Ident {
    /// The name.
    pub(crate) text: String,
    /// Where it is written.
    pub(crate) span: Span,
}

/// One file.
#[derive(Clone, Debug, Default)]
pub(crate) struct File {
    /// Its declarations, in order.
    pub(crate) decls: Vec<Decl>,
}

/// A declaration at the top of a file.
#[derive(Clone, Debug)]
pub(crate) enum Decl {
    /// `type T = …;`, or `type T;` for a foreign type.
    Type { name: Ident, ty: Option<Type> },
    /// `enum E { A, B }` or `enum E { A = 1, B = 2 }`.
    Enum { name: Ident, elements: Vec<(Ident, Option<Literal>)> },
    /// `event E: T;`, in 2018 also `event E assert 3 : T;`.
    Event { name: Ident, cap: Option<Cap>, payload: Option<Type> },
    /// `eventset S = { E, F };`.
    EventSet { name: Ident, events: Vec<Ident> },
    /// `interface I(T) receives E, F;`.
    Interface { name: Ident, arg: Option<Type>, receives: Option<Vec<Ident>> },
    /// `machine`, `spec` or `scenario`.
    Machine(Machine),
    /// `fun`, also `pure`.
    Function(Function),
    /// `module M = …;`.
    Module { name: Ident, expr: ModuleExpr },
    /// `test …;` or `implementation …;`.
    Test(Test),
    /// `param x, y: int;`.
    Param { names: Vec<Ident>, ty: Type },
    /// Something for P's deductive verifier only: `invariant`, `axiom`, `Lemma`, `Proof`, ….
    Verifier { what: &'static str, span: Span },
}

/// `assert 3` or `assume 3` behind the name of an event or a machine (2018).
#[derive(Clone, Debug)]
pub(crate) struct Cap {
    /// Whether it prunes runs (`assume`) instead of failing (`assert`).
    pub(crate) assume: bool,
    /// How many.
    pub(crate) count: u32,
    /// All of it.
    pub(crate) span: Span,
}

/// A number as it is written, with its sign; too large ones are reported by the parser.
#[derive(Clone, Debug)]
pub(crate) struct Literal {
    /// Its value.
    pub(crate) value: i64,
    /// Where it is written.
    pub(crate) span: Span,
}

/// A machine, spec or scenario.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    /// Which of the three.
    pub(crate) kind: MachineKind,
    /// Its name.
    pub(crate) name: Ident,
    /// Bound on its queue (2018).
    pub(crate) cap: Option<Cap>,
    /// `receives …;` clauses: `None` without any.
    pub(crate) receives: Option<Vec<Ident>>,
    /// `sends …;` clauses: `None` without any.
    pub(crate) sends: Option<Vec<Ident>>,
    /// What a spec observes.
    pub(crate) observes: Vec<Ident>,
    /// Its variables.
    pub(crate) vars: Vec<Var>,
    /// Its functions.
    pub(crate) functions: Vec<Function>,
    /// Its states.
    pub(crate) states: Vec<State>,
    /// From the keyword to the closing brace.
    pub(crate) span: Span,
}

/// What a machine is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MachineKind {
    /// An ordinary one.
    Machine,
    /// A monitor.
    Spec,
    /// A coverage monitor (3.1): it never fails a run.
    Scenario,
}

/// `var a, b: T;`: one entry per name. Also parameters.
#[derive(Clone, Debug)]
pub(crate) struct Var {
    /// Its name.
    pub(crate) name: Ident,
    /// Its type.
    pub(crate) ty: Type,
}

/// A state.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// Whether it is marked `start`.
    pub(crate) start: bool,
    /// `hot` or `cold`.
    pub(crate) temperature: Option<Temperature>,
    /// Its name.
    pub(crate) name: Ident,
    /// What it says, in order.
    pub(crate) items: Vec<StateItem>,
    /// From the first word to the closing brace.
    pub(crate) span: Span,
}

/// How urgent it is for a spec to leave a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Temperature {
    /// It must be left.
    Hot,
    /// Nothing is open.
    Cold,
}

/// One line of a state.
#[derive(Clone, Debug)]
pub(crate) enum StateItem {
    /// `entry …`.
    Entry { handler: Handler, span: Span },
    /// `exit …`.
    Exit { handler: Handler, span: Span },
    /// `defer E, F;`.
    Defer(Vec<Ident>),
    /// `ignore E, F;`.
    Ignore(Vec<Ident>),
    /// `on E, F do …`. `null` and `halt` are names here.
    Do { events: Vec<Ident>, handler: Handler },
    /// `on E, F goto S [with …]`.
    Goto { events: Vec<Ident>, state: Ident, with: Option<Handler> },
    /// `on E, F push S;` (2018).
    Push { events: Vec<Ident>, state: Ident },
}

/// What runs: a function by name, or a body of its own.
#[derive(Clone, Debug)]
pub(crate) enum Handler {
    /// The name of a function.
    Named(Ident),
    /// `(x: T) { … }` or `{ … }`.
    Inline { param: Option<Var>, body: Body },
}

/// Local variables and statements between braces.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    /// Variables, declared first.
    pub(crate) vars: Vec<Var>,
    /// Statements.
    pub(crate) stmts: Vec<Stmt>,
    /// From brace to brace.
    pub(crate) span: Span,
}

/// A function.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// Its name.
    pub(crate) name: Ident,
    /// Its parameters.
    pub(crate) params: Vec<Var>,
    /// What it returns.
    pub(crate) returns: Option<Type>,
    /// Its body; none for a foreign function.
    pub(crate) body: Option<Body>,
    /// Whether it is declared with `pure`, for the verifier.
    pub(crate) pure: bool,
    /// From the keyword to its end.
    pub(crate) span: Span,
}

/// A statement at a place.
#[derive(Clone, Debug)]
pub(crate) struct Stmt {
    /// What it does.
    pub(crate) kind: StmtKind,
    /// All of it.
    pub(crate) span: Span,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub(crate) enum StmtKind {
    /// `{ … }`.
    Block(Vec<Stmt>),
    /// `assert e, message;`.
    Assert { condition: Expr, message: Option<Expr> },
    /// `assume e, message;`.
    Assume { condition: Expr, message: Option<Expr> },
    /// `print e;`.
    Print(Expr),
    /// `return e;`.
    Return(Option<Expr>),
    /// `break;`.
    Break,
    /// `continue;`.
    Continue,
    /// `x = e;`. The left side is an expression of names, fields and indices.
    Assign { place: Expr, value: Expr },
    /// `x += (k, e);`.
    Insert { place: Expr, key: Expr, value: Expr },
    /// `x += (e);`.
    Add { place: Expr, value: Expr },
    /// `x -= e;`.
    Remove { place: Expr, key: Expr },
    /// `while (e) …`.
    While { condition: Expr, body: Box<Stmt> },
    /// `foreach (x in e) …`.
    Foreach { item: Ident, collection: Expr, body: Box<Stmt> },
    /// `if (e) … else …`.
    If { condition: Expr, then: Box<Stmt>, otherwise: Option<Box<Stmt>> },
    /// `new M(e, …);`.
    New { interface: Ident, args: Vec<Expr> },
    /// `f(e, …);`.
    Call { function: Ident, args: Vec<Expr> },
    /// `raise e, e…;`.
    Raise { event: Expr, args: Vec<Expr> },
    /// `send m, e, e…;`.
    Send { target: Expr, event: Expr, args: Vec<Expr> },
    /// `announce e, e…;`.
    Announce { event: Expr, args: Vec<Expr> },
    /// `goto S, e…;`.
    Goto { state: Ident, args: Vec<Expr> },
    /// `pop;` (2018).
    Pop,
    /// `receive { case E: (x: T) { … } … }`.
    Receive(Vec<ReceiveCase>),
    /// `;`.
    Nothing,
}

/// `case E, F: (x: T) { … }`.
#[derive(Clone, Debug)]
pub(crate) struct ReceiveCase {
    /// The events; `null` and `halt` are names here.
    pub(crate) events: Vec<Ident>,
    /// The payload.
    pub(crate) param: Option<Var>,
    /// What to do.
    pub(crate) body: Body,
    /// All of it.
    pub(crate) span: Span,
}

/// An expression at a place.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    /// What it is.
    pub(crate) kind: ExprKind,
    /// All of it, with its parentheses.
    pub(crate) span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    /// A name: variable, event, enum element. `halt` is a name too.
    Name(String),
    /// `this`.
    This,
    /// `null`.
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// `42`.
    Int(i64),
    /// `1.5`, `float(1, 2)`.
    Float(f64),
    /// `"text"`, with escapes resolved.
    Text(String),
    /// `format("…{0}…", e, …)`.
    Format { text: String, args: Vec<Expr> },
    /// `$`.
    Nondet,
    /// `$$`.
    FairNondet,
    /// `choose()`, `choose(e)`.
    Choose(Option<Box<Expr>>),
    /// `(a, b)`, `(a,)`.
    Tuple(Vec<Expr>),
    /// `(x = a, y = b)`, `(x = a,)`.
    NamedTuple(Vec<(Ident, Expr)>),
    /// `e.x`.
    Field(Box<Expr>, Ident),
    /// `e.0`.
    Position(Box<Expr>, Literal),
    /// `e[i]`.
    Index(Box<Expr>, Box<Expr>),
    /// `keys(e)`.
    Keys(Box<Expr>),
    /// `values(e)`.
    Values(Box<Expr>),
    /// `sizeof(e)`.
    Sizeof(Box<Expr>),
    /// `default(T)`.
    Default(Type),
    /// `new M(e, …)`.
    New { interface: Ident, args: Vec<Expr> },
    /// `f(e, …)`.
    Call { function: Ident, args: Vec<Expr> },
    /// `-e`, `!e`.
    Unary(UnaryOp, Box<Expr>),
    /// `a + b`, ….
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `e as T`.
    Cast(Box<Expr>, Type),
    /// `e to T`.
    Coerce(Box<Expr>, Type),
    /// Something for P's deductive verifier only: `forall`, `inflight`, ….
    Verifier(&'static str),
    /// What could not be read; an error was reported.
    Broken,
}

/// An operator with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UnaryOp {
    Negate,
    Not,
}

/// An operator with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BinaryOp {
    /// One that needs both values.
    Value(Op),
    In,
    And,
    Or,
    /// `==>`.
    Implies,
    /// `<==>`.
    Iff,
}

/// A type at a place.
#[derive(Clone, Debug)]
pub(crate) struct Type {
    /// What it is.
    pub(crate) kind: TypeKind,
    /// All of it.
    pub(crate) span: Span,
}

/// What a type is.
#[derive(Clone, Debug)]
pub(crate) enum TypeKind {
    Bool,
    Int,
    Float,
    String,
    Event,
    Machine,
    Data,
    Any,
    Seq(Box<Type>),
    Set(Box<Type>),
    Map(Box<Type>, Box<Type>),
    Tuple(Vec<Type>),
    NamedTuple(Vec<(Ident, Type)>),
    /// A typedef, enum, machine, interface or foreign type.
    Named(String),
}

/// A module.
#[derive(Clone, Debug)]
pub(crate) struct ModuleExpr {
    /// What it is.
    pub(crate) kind: ModuleKind,
    /// All of it.
    pub(crate) span: Span,
}

/// What a module is.
#[derive(Clone, Debug)]
pub(crate) enum ModuleKind {
    /// `{ M, Impl -> I }`.
    Bindings(Vec<Binding>),
    /// The name of a module.
    Named(String),
    /// `union a, b` (also `(union a, b)`).
    Union(Vec<ModuleExpr>),
    /// `compose a, b`.
    Compose(Vec<ModuleExpr>),
    /// `hidee E, F in m`.
    HideEvents(Vec<Ident>, Box<ModuleExpr>),
    /// `hidei I in m`.
    HideInterfaces(Vec<Ident>, Box<ModuleExpr>),
    /// `assert S, T in m`.
    Assert(Vec<Ident>, Box<ModuleExpr>),
    /// `rename I to J in m`.
    Rename { old: Ident, new: Ident, of: Box<ModuleExpr> },
    /// `main M in m`.
    Main(Ident, Box<ModuleExpr>),
}

/// `M`, or `Impl -> I`.
#[derive(Clone, Debug)]
pub(crate) struct Binding {
    /// The machine.
    pub(crate) machine: Ident,
    /// The interface it implements; its own name if there is none.
    pub(crate) interface: Option<Ident>,
}

/// A test case or an implementation.
#[derive(Clone, Debug)]
pub(crate) struct Test {
    /// Its name.
    pub(crate) name: Ident,
    /// `[main = M]`, or `main M in` of the old form.
    pub(crate) main: Option<Ident>,
    /// Whether the main machine is written in the old form (2018).
    pub(crate) old_form: bool,
    /// What it runs.
    pub(crate) module: ModuleExpr,
    /// What it must refine: `refines …`.
    pub(crate) refines: Option<ModuleExpr>,
    /// `param (x in [1, 2])`.
    pub(crate) params: Vec<(Ident, Vec<ParamValue>)>,
    /// `assume e`.
    pub(crate) assume: Option<Expr>,
    /// `pairwise` is 2, `(n wise)` is n.
    pub(crate) wise: Option<Literal>,
    /// Whether it is an `implementation` and no test.
    pub(crate) implementation: bool,
    /// All of it.
    pub(crate) span: Span,
}

/// A value of a test parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ParamValue {
    Bool(bool),
    Int(i64),
}

impl Expr {
    /// The expressions of which it is made, from left to right.
    pub(crate) fn parts(&self) -> Vec<&Self> {
        match &self.kind {
            ExprKind::Format { args, .. }
            | ExprKind::Tuple(args)
            | ExprKind::New { args, .. }
            | ExprKind::Call { args, .. } => args.iter().collect(),
            ExprKind::NamedTuple(fields) => fields.iter().map(|(_, e)| e).collect(),
            ExprKind::Field(of, _)
            | ExprKind::Position(of, _)
            | ExprKind::Keys(of)
            | ExprKind::Values(of)
            | ExprKind::Sizeof(of)
            | ExprKind::Unary(_, of)
            | ExprKind::Cast(of, _)
            | ExprKind::Coerce(of, _)
            | ExprKind::Choose(Some(of)) => vec![of],
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => vec![a, b],
            _ => Vec::new(),
        }
    }
}

impl StmtKind {
    /// The expressions of which it is made, from left to right; those of statements inside are not among them.
    pub(crate) fn exprs(&self) -> Vec<&Expr> {
        match self {
            Self::Assert { condition, message } | Self::Assume { condition, message } => {
                std::iter::once(condition).chain(message).collect()
            }
            Self::Print(e)
            | Self::While { condition: e, .. }
            | Self::Foreach { collection: e, .. }
            | Self::If { condition: e, .. } => vec![e],
            Self::Return(e) => e.iter().collect(),
            Self::Assign { place, value } | Self::Add { place, value } => vec![place, value],
            Self::Insert { place, key, value } => vec![place, key, value],
            Self::Remove { place, key } => vec![place, key],
            Self::New { args, .. } | Self::Call { args, .. } | Self::Goto { args, .. } => {
                args.iter().collect()
            }
            Self::Raise { event, args } | Self::Announce { event, args } => {
                std::iter::once(event).chain(args).collect()
            }
            Self::Send { target, event, args } => [target, event].into_iter().chain(args).collect(),
            _ => Vec::new(),
        }
    }

    /// The statements inside of it.
    pub(crate) fn inner(&self) -> Vec<&Stmt> {
        match self {
            Self::Block(stmts) => stmts.iter().collect(),
            Self::While { body, .. } | Self::Foreach { body, .. } => vec![body],
            Self::If { then, otherwise, .. } => {
                std::iter::once(&**then).chain(otherwise.as_deref()).collect()
            }
            Self::Receive(cases) => cases.iter().flat_map(|case| &case.body.stmts).collect(),
            _ => Vec::new(),
        }
    }
}

impl StateItem {
    /// What it runs.
    pub(crate) fn handler(&self) -> Option<&Handler> {
        match self {
            Self::Entry { handler, .. } | Self::Exit { handler, .. } | Self::Do { handler, .. } => {
                Some(handler)
            }
            Self::Goto { with, .. } => with.as_ref(),
            Self::Push { .. } | Self::Defer(_) | Self::Ignore(_) => None,
        }
    }
}
