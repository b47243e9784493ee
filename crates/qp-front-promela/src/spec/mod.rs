//! What a model says, with every name resolved: declarations, bodies of processes, claims and formulas.
//!
//! Everything that can be counted has a number of its own type. Places ([`At`]) lead back to what the
//! user wrote.

mod declared;
mod expr;
mod formula;
mod layout;
mod numbers;
mod print;
mod select;
mod stmt;

use qp_base::{IndexVec, Source, define_index};

pub use declared::{Field, Init, Label, MtypeSet, Record, Scope, Shape, Ty, Variable, Visibility};
pub use expr::{BinaryOp, Expr, ExprKind, Match, Place, Probe, Step, UnaryOp, Var};
pub use formula::{Formula, FormulaKind, TemporalOp};
pub use layout::Cell;
pub use select::{Selection, selection};
pub use stmt::{Block, Stmt, StmtKind};

use crate::at::{At, Expansion, ExpansionId};

define_index!(MtypeId, "mtype", "A set of symbolic names.");
define_index!(RecordId, "record", "A `typedef`.");
define_index!(ShapeId, "shape", "What a declared channel carries.");
define_index!(GlobalId, "g", "A global variable.");
define_index!(LocalId, "l", "A parameter or local variable of a body.");
define_index!(ProcId, "p", "A `proctype`, or `init`.");
define_index!(LabelId, "label", "A label of a body.");
define_index!(ScopeId, "scope", "A block of a body.");

/// A model.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The sets of symbolic names. The first one is that of plain `mtype`, which may be empty.
    pub mtypes: IndexVec<MtypeId, MtypeSet>,
    /// The `typedef`s, each after those that it uses.
    pub records: IndexVec<RecordId, Record>,
    /// What the channels carry that are created by declarations.
    pub shapes: IndexVec<ShapeId, Shape>,
    /// The global variables in the order of their declarations.
    pub globals: IndexVec<GlobalId, Variable>,
    /// The processes that can run, in the order of the text. Those that are active start in this order.
    pub procs: IndexVec<ProcId, Proc>,
    /// The `never` claims.
    pub claims: Vec<Claim>,
    /// The `trace` and `notrace` assertions.
    pub traces: Vec<Trace>,
    /// The `ltl` formulas.
    pub formulas: Vec<Formula>,
    /// All uses of macros and inlines that places refer to.
    pub expansions: IndexVec<ExpansionId, Expansion>,
    /// The main file and all that it includes, for lines of statements.
    pub source: Source,
}

/// A `proctype`, or `init`.
#[derive(Clone, Debug)]
pub struct Proc {
    /// Its name; that of `init` is `init`.
    pub name: String,
    /// Where its name stands.
    pub at: At,
    /// Whether it is `init`.
    pub is_init: bool,
    /// How many of them run from the start.
    pub active: u32,
    /// How many of the first locals are parameters.
    pub params: usize,
    /// The priority of those that run from the start.
    pub priority: Option<i32>,
    /// What must hold for any step of it. It uses global variables and `_pid` only.
    pub provided: Option<Expr>,
    /// What it does.
    pub body: Body,
}

/// A `never` claim.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its name, or `never_0` and so on, as SPIN counts them.
    pub name: String,
    /// Where it stands.
    pub at: At,
    /// Its number among the bodies of processes, claims and traces, in the order of the text. With it SPIN
    /// names the claim in its trails.
    pub number: u32,
    /// What it follows.
    pub body: Body,
}

/// A `trace` or `notrace` assertion.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Whether it is `notrace`: to match all of it is an error.
    pub forbidden: bool,
    /// Where it stands.
    pub at: At,
    /// The sends and receives that it follows.
    pub body: Body,
}

/// Statements with the variables and labels that they use.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// Parameters and local variables of all blocks, in the order of their declarations.
    pub locals: IndexVec<LocalId, Variable>,
    /// The blocks that variables belong to. The first is the whole body.
    pub scopes: IndexVec<ScopeId, Scope>,
    /// The labels in the order in which they stand.
    pub labels: IndexVec<LabelId, Label>,
    /// The channels that only this process receives from, as it promises with `xr`.
    pub only_receives: Vec<Place>,
    /// The channels that only this process sends to, as it promises with `xs`.
    pub only_sends: Vec<Place>,
    /// The statements.
    pub block: Block,
    /// SPIN's number of the end: the step with which a process dies.
    pub end_number: u32,
}
