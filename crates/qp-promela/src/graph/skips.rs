//! Steps that SPIN leaves out: in an option, every `skip` that directly follows another one or something that is
//! printed.

use qp_front_promela::spec::{Block, ExprKind, Stmt, StmtKind};

/// An option as SPIN keeps it. The first and the last statement always stay, and so do labels.
pub(super) fn without_repeated(option: &Block) -> Block {
    let last = option.stmts.len().saturating_sub(1);
    let mut run = 0;
    let mut stmts = Vec::with_capacity(option.stmts.len());
    for (index, stmt) in option.stmts.iter().enumerate() {
        let nothing = if stmt.labels.is_empty() { Nothing::of(stmt) } else { Nothing::No };
        run = if nothing == Nothing::No { 0 } else { run + 1 };
        if nothing != Nothing::Skips || run < 2 || index == last {
            stmts.push(stmt.clone());
        }
    }
    Block { stmts }
}

/// Whether a statement changes nothing.
#[derive(PartialEq, Eq)]
enum Nothing {
    Skips,
    Prints,
    No,
}

impl Nothing {
    fn of(stmt: &Stmt) -> Self {
        match &stmt.kind {
            StmtKind::Condition(value) if matches!(value.kind, ExprKind::Number(1)) => Self::Skips,
            StmtKind::Printf { .. } | StmtKind::Printm(_) => Self::Prints,
            _ => Self::No,
        }
    }
}

#[cfg(test)]
mod tests {
    use qp_front_promela::spec::StmtKind;
    use qp_front_promela::{NoFiles, Options, read};

    use super::without_repeated;

    /// How many statements of the only option are kept, as `pan -d` of SPIN 6.5.2 shows them.
    fn check(option: &str, kept: usize) {
        let text = format!("byte x; init {{ if :: {option} fi }}");
        let spec =
            read("model.pml", &text, &NoFiles, &Options::default()).spec.expect("it is right");
        let StmtKind::If(options) = &spec.procs.as_slice()[0].body.block.stmts[0].kind else {
            panic!("the model begins with a choice");
        };
        assert_eq!(without_repeated(&options[0]).stmts.len(), kept, "{option}");
    }

    #[test]
    fn a_skip_behind_a_skip_is_no_step() {
        check("x = 1; skip; skip; skip; x = 2", 3);
        check("skip; skip; x = 2", 2);
    }

    #[test]
    fn a_skip_behind_what_is_printed_is_no_step() {
        check("x = 1; printf(\"a\"); skip; printf(\"b\"); x = 2", 4);
    }

    #[test]
    fn the_last_one_and_labelled_ones_stay() {
        check("x = 1; skip; skip", 3);
        check("x = 1; skip; l: skip; skip; x = 2", 5);
    }
}
