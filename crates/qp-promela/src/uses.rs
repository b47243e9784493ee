//! What of the language a model uses.

use qp_base::IndexVec;
use qp_front_promela::spec::{Expr, ExprKind, FormulaKind, Init, Match, Place, ProcId, Spec, Step};

use crate::graph::{Act, Graph};

/// Calls `look` for every expression in a model, those inside of others included.
pub(crate) fn each(spec: &Spec, graphs: &IndexVec<ProcId, Graph>, look: &mut dyn FnMut(&Expr)) {
    let claims = spec.claims.iter().map(|claim| &claim.body);
    for variable in spec.globals.iter().chain(claims.flat_map(|body| body.locals.iter())) {
        init(&variable.init, look);
    }
    for proc in &spec.procs {
        proc.body.locals.iter().for_each(|local| init(&local.init, look));
        proc.provided.iter().for_each(|provided| expr(provided, look));
    }
    for edge in graphs.iter().flat_map(|it| it.nodes.iter()).flat_map(|node| &node.edges) {
        act(&edge.act, look);
    }
    for it in &spec.formulas {
        formula(&it.formula, look);
    }
}

fn init(init: &Init, look: &mut dyn FnMut(&Expr)) {
    if let Init::Value(value) = init {
        expr(value, look);
    }
}

fn formula(it: &FormulaKind, look: &mut dyn FnMut(&Expr)) {
    match it {
        FormulaKind::Now(value) => expr(value, look),
        FormulaKind::Not(inner)
        | FormulaKind::Always(inner)
        | FormulaKind::Eventually(inner)
        | FormulaKind::Next(inner) => formula(inner, look),
        FormulaKind::And(left, right)
        | FormulaKind::Or(left, right)
        | FormulaKind::Implies(left, right)
        | FormulaKind::Iff(left, right)
        | FormulaKind::Temporal(_, left, right) => {
            formula(left, look);
            formula(right, look);
        }
    }
}

/// Calls `look` for every expression of a basic statement.
pub(crate) fn act(act: &Act, look: &mut dyn FnMut(&Expr)) {
    match act {
        Act::Jump | Act::Else | Act::Declare(_) | Act::End | Act::DStep(_) => {}
        Act::Condition(value) | Act::Assert(value) => expr(value, look),
        Act::Assign(target, value) => {
            place(target, look);
            expr(value, look);
        }
        Act::Add(target, _) => place(target, look),
        Act::Send { channel, args, .. } => {
            place(channel, look);
            args.iter().for_each(|arg| expr(arg, look));
        }
        Act::Receive { channel, args, .. } => {
            place(channel, look);
            args.iter().for_each(|arg| part(arg, look));
        }
        Act::Print(values) => values.iter().for_each(|value| expr(value, look)),
        Act::Run { into, args, .. } => {
            into.iter().for_each(|target| place(target, look));
            args.iter().for_each(|arg| expr(arg, look));
        }
        Act::SetPriority(pid, value) => {
            expr(pid, look);
            expr(value, look);
        }
    }
}

fn part(part: &Match, look: &mut dyn FnMut(&Expr)) {
    match part {
        Match::Constant(value) | Match::Eval(value) => expr(value, look),
        Match::Bind(target) => place(target, look),
        Match::Any => {}
    }
}

/// Calls `look` for an expression and everything inside of it.
pub(crate) fn expr(value: &Expr, look: &mut dyn FnMut(&Expr)) {
    look(value);
    match &value.kind {
        ExprKind::Number(_)
        | ExprKind::Mtype(..)
        | ExprKind::Timeout
        | ExprKind::NonProgress
        | ExprKind::Pid
        | ExprKind::ProcessCount
        | ExprKind::Last
        | ExprKind::Priority => {}
        ExprKind::Load(target) | ExprKind::Len(target) | ExprKind::Probe(_, target) => {
            place(target, look);
        }
        ExprKind::Unary(_, inner)
        | ExprKind::Enabled(inner)
        | ExprKind::PcValue(inner)
        | ExprKind::GetPriority(inner) => expr(inner, look),
        ExprKind::Binary(_, left, right) => {
            expr(left, look);
            expr(right, look);
        }
        ExprKind::Conditional(condition, yes, no) => {
            [condition, yes, no].into_iter().for_each(|it| expr(it, look));
        }
        ExprKind::Run { args, .. } => args.iter().for_each(|arg| expr(arg, look)),
        ExprKind::Poll { channel, args, .. } => {
            place(channel, look);
            args.iter().for_each(|arg| part(arg, look));
        }
        ExprKind::RemoteLabel { pid, .. } => pid.iter().for_each(|pid| expr(pid, look)),
        ExprKind::RemoteVar { pid, place: target, .. } => {
            pid.iter().for_each(|pid| expr(pid, look));
            place(target, look);
        }
    }
}

fn place(place: &Place, look: &mut dyn FnMut(&Expr)) {
    for step in &place.steps {
        if let Step::Index(index) = step {
            expr(index, look);
        }
    }
}
