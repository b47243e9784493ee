//! Which of the two dialects a program is written in.

use qp_base::{Complaints, Span};
use qp_program::Dialect;

use crate::ast::{Body, Decl, File, Handler, Machine, StateItem, Stmt, StmtKind, Test};
use crate::codes;

/// The dialect to read by: what was asked for, or the older one if the program uses what only that has.
pub(crate) fn choose(
    text: &str,
    files: &[File],
    asked: Option<Dialect>,
    out: &mut Complaints,
) -> Dialect {
    let old = old_words(text, files);
    match asked {
        Some(Dialect::Y2018) => Dialect::Y2018,
        None if !old.is_empty() => Dialect::Y2018,
        None => Dialect::Current,
        Some(Dialect::Current) => {
            for (what, span) in old {
                let message = format!("{what} is not part of today's P");
                let help = "read the program as one of 2018: `--dialect 2018`";
                out.error(codes::DIALECT, message, span, help);
            }
            Dialect::Current
        }
    }
}

/// Everything that only the P of 2018 has.
fn old_words(text: &str, files: &[File]) -> Vec<(&'static str, Span)> {
    let mut found = Vec::new();
    for decl in files.iter().flat_map(|file| &file.decls) {
        match decl {
            Decl::Event { cap: Some(cap), .. } => found.push(("a bound on an event", cap.span)),
            Decl::Machine(machine) => in_machine(machine, &mut found),
            Decl::Function(function) => {
                function.body.iter().for_each(|body| in_body(body, &mut found));
            }
            Decl::Test(test) if is_old_test(text, test) => {
                found.push(("a test with `main ... in`", test.name.span));
            }
            _ => {}
        }
    }
    found
}

/// Whether the main machine stands behind the colon: `test T: main M in …`.
fn is_old_test(text: &str, test: &Test) -> bool {
    let main = test.main.as_ref().map_or(test.name.span, |main| main.span);
    let before = text.get(test.name.span.end as usize..main.start as usize);
    before.is_some_and(|before| !before.contains('['))
}

fn in_machine(machine: &Machine, found: &mut Vec<(&'static str, Span)>) {
    if let Some(cap) = &machine.cap {
        found.push(("a bound on a machine's queue", cap.span));
    }
    for body in machine.functions.iter().filter_map(|function| function.body.as_ref()) {
        in_body(body, found);
    }
    for item in machine.states.iter().flat_map(|state| &state.items) {
        if let StateItem::Push { state, .. } = item {
            found.push(("`push`", state.span));
        }
        if let Some(Handler::Inline { body, .. }) = item.handler() {
            in_body(body, found);
        }
    }
}

fn in_body(body: &Body, found: &mut Vec<(&'static str, Span)>) {
    for stmt in &body.stmts {
        in_stmt(stmt, found);
    }
}

fn in_stmt(stmt: &Stmt, found: &mut Vec<(&'static str, Span)>) {
    if let StmtKind::Pop = stmt.kind {
        found.push(("`pop`", stmt.span));
    }
    stmt.kind.inner().into_iter().for_each(|stmt| in_stmt(stmt, found));
}
