//! Rules about what a function does, also through the functions it calls.

use std::collections::VecDeque;

use qp_base::{Complaints, Diagnostic, IndexVec, Span};
use qp_program::FunctionId;

use crate::ast::{ExprKind, Stmt, StmtKind};
use crate::codes;
use crate::types::Ty;
use crate::world::World;

/// Something a function does that is not allowed everywhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Deed {
    /// `goto` and `pop`.
    Goes,
    Raises,
    /// `send` and `announce`.
    Sends,
    Creates,
    Receives,
    Chooses,
}

const DEEDS: [Deed; 6] =
    [Deed::Goes, Deed::Raises, Deed::Sends, Deed::Creates, Deed::Receives, Deed::Chooses];

/// What a function does, and where.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    deeds: [Option<Span>; DEEDS.len()],
    /// The functions it calls, with the places of the calls.
    pub(crate) callees: Vec<(FunctionId, Span)>,
    /// Whether the order of a set's or map's entries can matter to it.
    pub(crate) fixed_order: bool,
    /// Whether it converts a machine to an interface.
    pub(crate) narrows: bool,
}

impl Facts {
    /// Remembers the first place where it does this.
    pub(crate) fn note(&mut self, deed: Deed, span: Span) {
        self.deeds[deed as usize].get_or_insert(span);
    }
}

/// Checks what functions do, themselves and through others.
pub(crate) fn check(world: &World<'_>, facts: &IndexVec<FunctionId, Facts>, out: &mut Complaints) {
    let reach: Vec<IndexVec<FunctionId, Option<Span>>> =
        DEEDS.iter().map(|&deed| spread(facts, deed)).collect();
    for (id, function) in world.functions.iter_enumerated() {
        if function.exit_of.is_some() || function.with_of.is_some() {
            between_states(world, &reach, id, out);
        }
        let spec = function.owner.filter(|&owner| world.machines[owner].is_spec());
        if let Some(spec) = spec {
            let name = &world.machines[spec].ast.name.text;
            calls_of_spec(world, facts, &reach, id, name, out);
        }
    }
    for function in &world.functions {
        always_returns(function, out);
    }
}

/// For each function that does it, or calls one that does: where.
fn spread(facts: &IndexVec<FunctionId, Facts>, deed: Deed) -> IndexVec<FunctionId, Option<Span>> {
    let mut callers: IndexVec<FunctionId, Vec<(FunctionId, Span)>> =
        facts.iter().map(|_| Vec::new()).collect();
    for (caller, fact) in facts.iter_enumerated() {
        for &(callee, span) in &fact.callees {
            callers[callee].push((caller, span));
        }
    }
    let mut found: IndexVec<FunctionId, Option<Span>> =
        facts.iter().map(|fact| fact.deeds[deed as usize]).collect();
    let mut todo: VecDeque<FunctionId> =
        found.iter_enumerated().filter(|it| it.1.is_some()).map(|it| it.0).collect();
    while let Some(callee) = todo.pop_front() {
        for &(caller, span) in &callers[callee] {
            if found[caller].is_none() {
                found[caller] = Some(span);
                todo.push_back(caller);
            }
        }
    }
    found
}

/// A function that runs between two states cannot choose a third one.
fn between_states(
    world: &World<'_>,
    reach: &[IndexVec<FunctionId, Option<Span>>],
    id: FunctionId,
    out: &mut Complaints,
) {
    let function = &world.functions[id];
    let goes = reach[Deed::Goes as usize][id].map(|span| (span, "change the state"));
    let raises = reach[Deed::Raises as usize][id].map(|span| (span, "raise an event"));
    let Some((span, what)) = goes.or(raises) else { return };
    let (role, used) = match (function.exit_of, function.with_of) {
        (Some(used), _) => ("an exit function", used),
        (None, Some(used)) => ("the function of a transition", used),
        (None, None) => return,
    };
    let message = format!("{role} cannot {what}");
    let diagnostic = Diagnostic::error(codes::IN_TRANSITION, message, span);
    let diagnostic = if function.inline {
        diagnostic
    } else {
        diagnostic.also(used, format!("`{}` is used here", function.name))
    };
    out.push(diagnostic.help("the next state is decided already; decide in a handler instead"));
}

/// What a spec calls must not do what a spec must not do.
fn calls_of_spec(
    world: &World<'_>,
    facts: &IndexVec<FunctionId, Facts>,
    reach: &[IndexVec<FunctionId, Option<Span>>],
    id: FunctionId,
    spec: &str,
    out: &mut Complaints,
) {
    let refused = [
        (Deed::Sends, "sends"),
        (Deed::Creates, "creates machines"),
        (Deed::Receives, "receives"),
        (Deed::Chooses, "chooses freely"),
    ];
    for &(callee, span) in &facts[id].callees {
        let function = &world.functions[callee];
        // What belongs to the spec is complained about where it is written.
        if function.owner.is_some() {
            continue;
        }
        let found = refused
            .iter()
            .find_map(|&(deed, what)| reach[deed as usize][callee].map(|place| (place, what)));
        if let Some((place, what)) = found {
            let message =
                format!("`{}` {what}, so the spec `{spec}` cannot call it", function.name);
            out.push(
                Diagnostic::error(codes::IN_SPEC, message, span)
                    .also(place, "here")
                    .help("a spec only watches: what it sees decides what it does"),
            );
        }
    }
}

fn always_returns(function: &crate::world::Function<'_>, out: &mut Complaints) {
    let Some(body) = function.body else { return };
    if matches!(function.returns.bare(), Ty::Null | Ty::Error) || body.stmts.iter().any(returns) {
        return;
    }
    let message = format!("`{}` does not always return a value", function.name);
    out.push(
        Diagnostic::error(codes::NO_RETURN, message, function.span)
            .label(format!("must return `{}`", function.returns))
            .help("end it with `return ...;`, or with `assert false;` where it cannot get to"),
    );
}

/// Whether the end of the statement is never reached.
fn returns(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Block(stmts) => stmts.iter().any(returns),
        StmtKind::If { then, otherwise, .. } => {
            returns(then) && otherwise.as_deref().is_some_and(returns)
        }
        StmtKind::Return(_) | StmtKind::Goto { .. } | StmtKind::Raise { .. } | StmtKind::Pop => {
            true
        }
        StmtKind::Assert { condition, .. } | StmtKind::Assume { condition, .. } => {
            matches!(condition.kind, ExprKind::Bool(false))
        }
        StmtKind::Receive(cases) => cases.iter().all(|case| case.body.stmts.iter().any(returns)),
        _ => false,
    }
}
