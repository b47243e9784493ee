//! What is written, before names mean anything. Inlines are expanded already.

use std::sync::Arc;

use crate::at::{At, Expansions};

/// A whole model.
pub(crate) struct Model {
    pub(crate) units: Vec<Unit>,
    pub(crate) expansions: Expansions,
}

#[derive(Clone, Debug)]
pub(crate) struct Ident {
    pub(crate) text: Arc<str>,
    pub(crate) at: At,
}

pub(crate) enum Unit {
    Mtype { set: Option<Ident>, names: Vec<Ident>, at: At },
    Vars(Vars),
    Typedef { name: Ident, fields: Vec<Vars> },
    Proc(Box<Proc>),
    Never { name: Option<Ident>, body: Vec<Stmt>, at: At },
    Trace { forbidden: bool, body: Vec<Stmt>, at: At },
    Ltl { name: Option<Ident>, formula: Expr, at: At },
}

pub(crate) struct Proc {
    pub(crate) kind: ProcKind,
    pub(crate) name: Ident,
    pub(crate) params: Vec<Vars>,
    pub(crate) priority: Option<Expr>,
    pub(crate) provided: Option<Expr>,
    pub(crate) body: Vec<Stmt>,
}

pub(crate) enum ProcKind {
    Init,
    Proctype(Active),
}

/// How many of a process run from the start.
pub(crate) enum Active {
    None,
    One,
    Some(Expr),
}

/// One declaration of variables.
pub(crate) struct Vars {
    pub(crate) visibility: Visibility,
    pub(crate) ty: TypeName,
    pub(crate) declarators: Vec<Declarator>,
    pub(crate) at: At,
}

pub(crate) struct TypeName {
    pub(crate) kind: TypeKind,
    pub(crate) at: At,
}

pub(crate) enum TypeKind {
    Bit,
    Bool,
    Byte,
    Pid,
    Short,
    Int,
    Unsigned,
    Chan,
    Mtype(Option<Ident>),
    User(Ident),
}

pub(crate) struct Declarator {
    pub(crate) name: Ident,
    pub(crate) width: Option<Expr>,
    pub(crate) size: Option<Expr>,
    pub(crate) init: Init,
}

pub(crate) enum Init {
    None,
    Value(Expr),
    List(Vec<Expr>),
    Channel { capacity: Expr, fields: Vec<TypeName>, at: At },
}

pub(crate) struct Stmt {
    pub(crate) labels: Vec<Ident>,
    pub(crate) kind: StmtKind,
    pub(crate) at: At,
}

pub(crate) enum StmtKind {
    Vars(Vars),
    Exclusive { sends: bool, channels: Vec<Ref> },
    Assign(Ref, Expr),
    Increment(Ref),
    Decrement(Ref),
    Condition(Expr),
    Else,
    Send { channel: Ref, sorted: bool, args: Vec<Expr> },
    Receive { channel: Ref, random: bool, keep: bool, args: Vec<Arg> },
    If(Vec<Vec<Stmt>>),
    Do(Vec<Vec<Stmt>>),
    Atomic(Vec<Stmt>),
    DStep(Vec<Stmt>),
    Block(Vec<Stmt>),
    Unless(Box<Stmt>, Box<Stmt>),
    Goto(Ident),
    Break,
    Assert(Expr),
    Printf(Arc<str>, Vec<Expr>),
    Printm(Expr),
    For { index: Ref, from: Expr, to: Expr, body: Vec<Stmt> },
    ForIn { index: Ref, of: Ref, body: Vec<Stmt> },
    Select { index: Ref, from: Expr, to: Expr },
    SetPriority(Expr, Expr),
}

/// An argument of a receive.
pub(crate) enum Arg {
    Ref(Ref),
    Number(i32, At),
    Eval(Expr),
}

/// A variable, with fields and indices.
pub(crate) struct Ref {
    pub(crate) parts: Vec<Part>,
    pub(crate) at: At,
}

pub(crate) struct Part {
    pub(crate) name: Ident,
    pub(crate) index: Option<Box<Expr>>,
}

pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) at: At,
}

pub(crate) enum ExprKind {
    Number(i32),
    Ref(Ref),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Run { name: Ident, args: Vec<Expr>, priority: Option<Box<Expr>> },
    Len(Ref),
    Probe(Probe, Ref),
    Poll { channel: Ref, random: bool, args: Vec<Arg> },
    Enabled(Box<Expr>),
    PcValue(Box<Expr>),
    GetPriority(Box<Expr>),
    Timeout,
    NonProgress,
    RemoteLabel { proc: Ident, pid: Option<Box<Expr>>, label: Ident },
    RemoteVar { proc: Ident, pid: Option<Box<Expr>>, var: Part },
}

pub(crate) use crate::spec::{Probe, Visibility};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unary {
    Value(crate::spec::UnaryOp),
    Always,
    Eventually,
    Next,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binary {
    Value(crate::spec::BinaryOp),
    Implies,
    Iff,
    Until,
    WeakUntil,
    Release,
}
