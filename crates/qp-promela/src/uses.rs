//! What of the language a model uses.

use qp_front_promela::spec::{
    Block, Body, Expr, ExprKind, FormulaKind, Init, Match, Place, Proc, Spec, Step, StmtKind,
};

/// Calls `look` for every expression in a model, those inside of others included.
pub(crate) fn each(spec: &Spec, look: &mut dyn FnMut(&Expr)) {
    for variable in &spec.globals {
        init(&variable.init, look);
    }
    each_of_processes(spec, look);
    let claims = spec.claims.iter().map(|claim| &claim.body);
    let traces = spec.traces.iter().map(|trace| &trace.body);
    claims.chain(traces).for_each(|it| body(it, look));
    for it in &spec.formulas {
        formula(&it.formula, look);
    }
}

/// The same for what processes do: demands on runs are left out.
pub(crate) fn each_of_processes(spec: &Spec, look: &mut dyn FnMut(&Expr)) {
    spec.procs.iter().for_each(|proc| each_of_process(proc, look));
}

/// The same for one proctype.
pub(crate) fn each_of_process(proc: &Proc, look: &mut dyn FnMut(&Expr)) {
    if let Some(provided) = &proc.provided {
        expr(provided, look);
    }
    body(&proc.body, look);
}

fn body(body: &Body, look: &mut dyn FnMut(&Expr)) {
    for local in &body.locals {
        init(&local.init, look);
    }
    block(&body.block, look);
}

fn block(it: &Block, look: &mut dyn FnMut(&Expr)) {
    for statement in &it.stmts {
        stmt(&statement.kind, look);
    }
}

fn stmt(kind: &StmtKind, look: &mut dyn FnMut(&Expr)) {
    match kind {
        StmtKind::Assign(target, value) => {
            place(target, look);
            expr(value, look);
        }
        StmtKind::Increment(target) | StmtKind::Decrement(target) => place(target, look),
        StmtKind::Condition(value) | StmtKind::Assert(value) | StmtKind::Printm(value) => {
            expr(value, look);
        }
        StmtKind::Send { channel, args, .. } => {
            place(channel, look);
            for arg in args {
                expr(arg, look);
            }
        }
        StmtKind::Receive { channel, args, .. } => {
            place(channel, look);
            for arg in args {
                part(arg, look);
            }
        }
        StmtKind::Printf { args, .. } => args.iter().for_each(|arg| expr(arg, look)),
        StmtKind::For { index, from, to, .. } | StmtKind::Select { index, from, to } => {
            place(index, look);
            expr(from, look);
            expr(to, look);
        }
        StmtKind::ForMessages { message, channel, .. } => {
            message.iter().chain([channel]).for_each(|it| place(it, look));
        }
        StmtKind::SetPriority(pid, value) => {
            expr(pid, look);
            expr(value, look);
        }
        _ => {}
    }
    kind.blocks().into_iter().for_each(|it| block(it, look));
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

/// Calls `look` for every expression in what a part of a message must be.
pub(crate) fn part(part: &Match, look: &mut dyn FnMut(&Expr)) {
    match part {
        Match::Constant(value) | Match::Eval(value) => expr(value, look),
        Match::Bind(target) => place(target, look),
        Match::Any => {}
    }
}

/// Calls `look` for an expression and those inside of it.
pub(crate) fn expr(value: &Expr, look: &mut dyn FnMut(&Expr)) {
    look(value);
    match &value.kind {
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
            for it in [condition, yes, no] {
                expr(it, look);
            }
        }
        ExprKind::Run { args, .. } => args.iter().for_each(|arg| expr(arg, look)),
        ExprKind::Poll { channel, args, .. } => {
            place(channel, look);
            for arg in args {
                part(arg, look);
            }
        }
        ExprKind::RemoteLabel { pid, .. } => pid.iter().for_each(|pid| expr(pid, look)),
        ExprKind::RemoteVar { pid, place: target, .. } => {
            if let Some(pid) = pid {
                expr(pid, look);
            }
            place(target, look);
        }
        _ => {}
    }
}

/// Calls `look` for every expression in the indices of a place.
pub(crate) fn place(place: &Place, look: &mut dyn FnMut(&Expr)) {
    for index in indices(place) {
        expr(index, look);
    }
}

/// The indices of a place.
pub(crate) fn indices(place: &Place) -> impl Iterator<Item = &Expr> {
    place.steps.iter().filter_map(|step| match step {
        Step::Index(index) => Some(index),
        Step::Field(_) => None,
    })
}
