//! When a `d_step` can begin.
//!
//! SPIN's verifier tests this before the sequence, and then takes the sequence. Mostly that is whether its first
//! statement is possible. Where it begins with a choice, only conditions, sends, receives and `else` are tested,
//! and only where they are the first statement of an option, or of the options of a choice that is: if one of
//! them is possible the sequence begins, with whatever option comes first, and if there are none it always does.

use qp_front_promela::spec::{Block, Stmt, StmtKind};

/// Whether a sequence begins with `else`, so that it waits for what stands before it; and the numbers of the
/// statements one of which must be possible. With none of them it can always begin.
pub(super) fn opening(block: &Block) -> (bool, Vec<u32>) {
    let mut numbers = Vec::new();
    let Some(stmt) = first(block) else { return (false, numbers) };
    match &stmt.kind {
        StmtKind::Block(inner) | StmtKind::Atomic(inner) | StmtKind::DStep(inner) => {
            return opening(inner);
        }
        StmtKind::Else => return (true, numbers),
        StmtKind::If(options) | StmtKind::Do(options) => collect(options, &mut numbers),
        StmtKind::Condition(_) | StmtKind::Send { .. } | StmtKind::Receive { .. } => {
            numbers.push(stmt.number);
        }
        _ => {}
    }
    (false, numbers)
}

/// What is tested of a choice.
fn collect(options: &[Block], numbers: &mut Vec<u32>) {
    for stmt in options.iter().filter_map(first) {
        match &stmt.kind {
            StmtKind::Block(inner) | StmtKind::Atomic(inner) | StmtKind::DStep(inner) => {
                if let Some(StmtKind::If(options)) = first(inner).map(|stmt| &stmt.kind) {
                    collect(options, numbers);
                }
            }
            StmtKind::If(options) => collect(options, numbers),
            StmtKind::Else
            | StmtKind::Condition(_)
            | StmtKind::Send { .. }
            | StmtKind::Receive { .. } => numbers.push(stmt.number),
            _ => {}
        }
    }
}

/// Such an option is the last one, wherever it stands.
pub(super) fn begins_with_else(block: &Block) -> bool {
    first(block).is_some_and(|stmt| matches!(stmt.kind, StmtKind::Else))
}

fn first(block: &Block) -> Option<&Stmt> {
    block.stmts.iter().find(|stmt| !matches!(stmt.kind, StmtKind::Declare(_)))
}
