//! A compact form of bodies, for comparing.

use crate::Spec;
use crate::spec::{Block, Body, FormulaKind, Stmt, StmtKind, TemporalOp};

/// The statements of a body on one line.
pub(super) fn block(spec: &Spec, body: &Body) -> String {
    stmts(spec, body, &body.block)
}

fn stmts(spec: &Spec, body: &Body, block: &Block) -> String {
    let all: Vec<String> = block.stmts.iter().map(|stmt| one(spec, body, stmt)).collect();
    all.join("; ")
}

fn one(spec: &Spec, body: &Body, stmt: &Stmt) -> String {
    let labels = stmt.labels.iter().map(|&label| body.labels[label].name.clone());
    let labels: String = labels.flat_map(|name| [name, ": ".to_owned()]).collect();
    let inner = |block: &Block| stmts(spec, body, block);
    let options = |options: &[Block]| {
        let all: Vec<String> =
            options.iter().map(|option| format!(":: {}", inner(option))).collect();
        all.join(" ")
    };
    let step = spec.show_step(body, stmt);
    let text = match &stmt.kind {
        StmtKind::Declare(local) => {
            let late = if body.locals[*local].late { "late " } else { "" };
            format!("{late}{:?} {step}", body.locals[*local].ty)
        }
        StmtKind::If(all) => format!("if {} fi", options(all)),
        StmtKind::Do(all) => format!("do {} od", options(all)),
        StmtKind::Atomic(block) | StmtKind::DStep(block) => {
            format!("{step} {{ {} }}", inner(block))
        }
        StmtKind::Block(block) => format!("{{ {} }}", inner(block)),
        StmtKind::Unless(block, escape) => format!("<{} unless {}>", inner(block), inner(escape)),
        StmtKind::For { body, .. } => format!("{step} {{ {} }}", inner(body)),
        StmtKind::ForMessages { message, body: inside, .. } => {
            let message: Vec<String> =
                message.iter().map(|place| spec.show_place(Some(body), place)).collect();
            format!("{step} as {} {{ {} }}", message.join(","), inner(inside))
        }
        _ => step,
    };
    format!("{labels}{text}")
}

/// A formula with all its parentheses.
pub(super) fn formula(spec: &Spec, it: &FormulaKind) -> String {
    let (left, sign, right) = match it {
        FormulaKind::Now(value) => return spec.show(None, value),
        FormulaKind::Not(inside) => (None, "!", inside),
        FormulaKind::Always(inside) => (None, "[]", inside),
        FormulaKind::Eventually(inside) => (None, "<>", inside),
        FormulaKind::Next(inside) => (None, "X ", inside),
        FormulaKind::And(left, right) => (Some(left), " && ", right),
        FormulaKind::Or(left, right) => (Some(left), " || ", right),
        FormulaKind::Implies(left, right) => (Some(left), " -> ", right),
        FormulaKind::Iff(left, right) => (Some(left), " <-> ", right),
        FormulaKind::Temporal(TemporalOp::Until, left, right) => (Some(left), " U ", right),
        FormulaKind::Temporal(TemporalOp::WeakUntil, left, right) => (Some(left), " W ", right),
        FormulaKind::Temporal(TemporalOp::Release, left, right) => (Some(left), " V ", right),
    };
    let right = formula(spec, right);
    match left {
        Some(left) => format!("({}{sign}{right})", formula(spec, left)),
        None => format!("{sign}{right}"),
    }
}
