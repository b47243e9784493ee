//! Where a model can notice how much fits into a channel: places whose meaning changes when channels are read
//! as unbounded.

use qp_base::Diagnostic;
use qp_front_promela::At;
use qp_front_promela::spec::{
    Block, Body, Expr, ExprKind, Init, Place, Probe, Spec, Stmt, StmtKind, Var,
};

use crate::{codes, uses};

/// Beyond these, places are only counted.
const SHOWN_MAX: usize = 5;

/// Warnings about the places where a model tests how much fits into a channel: with unbounded channels they
/// mean something else. The first few of them, in the order of the text.
pub fn capacity_tests(spec: &Spec) -> Vec<Diagnostic> {
    let mut places = Vec::new();
    for proc in &spec.procs {
        let mut search = Search { spec, body: &proc.body, places: &mut places };
        uses::each_of_process(proc, &mut |it| search.value(it));
        search.block(&proc.body.block);
    }
    places.sort_by_key(|(at, _)| (at.span.start, at.span.end));
    places.dedup();
    let more = places.len().saturating_sub(SHOWN_MAX);
    places.truncate(SHOWN_MAX);
    let mut warnings: Vec<Diagnostic> = places.into_iter().map(warning).collect();
    if let Some(last) = warnings.pop() {
        let help = match more {
            0 => "read the channels with `--channels declared` to keep its meaning".to_owned(),
            n => format!("`--channels declared` keeps the meaning of this and of {n} more places"),
        };
        warnings.push(last.help(help));
    }
    warnings
}

fn warning((at, what): (At, &'static str)) -> Diagnostic {
    let message = format!("{what}, and channels are read as unbounded");
    Diagnostic::warning(codes::TESTS_CAPACITY, message, at.span)
}

/// Looks through one body.
struct Search<'a> {
    spec: &'a Spec,
    body: &'a Body,
    places: &'a mut Vec<(At, &'static str)>,
}

impl Search<'_> {
    fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            if let StmtKind::If(options) | StmtKind::Do(options) = &stmt.kind {
                self.options(options);
            }
            stmt.kind.blocks().into_iter().for_each(|block| self.block(block));
        }
    }

    /// A send that never waits is never passed over for `else` or `timeout`.
    fn options(&mut self, options: &[Block]) {
        let mut firsts = Vec::new();
        for option in options {
            first(option, &mut firsts);
        }
        let sends = firsts.iter().any(|stmt| {
            matches!(&stmt.kind, StmtKind::Send { channel, .. } if !self.is_rendezvous(channel))
        });
        if !sends {
            return;
        }
        for stmt in firsts {
            match &stmt.kind {
                StmtKind::Else => {
                    self.places.push((stmt.at, "`else` beside a send waits for a full channel"));
                }
                StmtKind::Condition(value) if mentions_timeout(value) => {
                    self.places.push((stmt.at, "`timeout` beside a send waits for a full channel"));
                }
                _ => {}
            }
        }
    }

    fn value(&mut self, value: &Expr) {
        let (channel, what) = match &value.kind {
            ExprKind::Len(channel) => (channel, "`len` tests how much a channel holds"),
            ExprKind::Probe(Probe::Full, channel) => (channel, "`full` tests how much fits"),
            ExprKind::Probe(Probe::Nfull, channel) => (channel, "`nfull` tests how much fits"),
            _ => return,
        };
        if !self.is_rendezvous(channel) {
            self.places.push((value.at, what));
        }
    }

    /// Whether a channel is known to hold nothing, however it is read.
    fn is_rendezvous(&self, channel: &Place) -> bool {
        let init = match channel.var {
            Var::Global(id) => &self.spec.globals[id].init,
            Var::Local(id) => &self.body.locals[id].init,
            Var::Scratch => return false,
        };
        matches!(init, Init::Channel(shape) if self.spec.shapes[*shape].capacity == 0)
    }
}

/// The statements that an option can begin with.
fn first<'a>(block: &'a Block, found: &mut Vec<&'a Stmt>) {
    let Some(stmt) = block.stmts.first() else { return };
    match &stmt.kind {
        StmtKind::If(_)
        | StmtKind::Do(_)
        | StmtKind::Atomic(_)
        | StmtKind::DStep(_)
        | StmtKind::Block(_) => {
            stmt.kind.blocks().into_iter().for_each(|block| first(block, found));
        }
        _ => found.push(stmt),
    }
}

fn mentions_timeout(value: &Expr) -> bool {
    let mut found = false;
    uses::expr(value, &mut |it| found |= matches!(it.kind, ExprKind::Timeout));
    found
}

#[cfg(test)]
mod tests {
    use qp_front_promela::{NoFiles, Options, read};

    use super::*;

    /// The texts at the places that are warned about.
    fn check(text: &str, expect: &[&str]) {
        let read = read("a.pml", text, &NoFiles, &Options::default());
        let spec = read.spec.unwrap_or_else(|| panic!("{text}: {:?}", read.diagnostics));
        let warnings = capacity_tests(&spec);
        let found: Vec<&str> = warnings.iter().map(|it| &text[it.primary.span.range()]).collect();
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn tests_of_capacities_are_found_where_they_stand() {
        check("chan q = [2] of { byte }; init { full(q) }", &["full(q)"]);
        check("chan q = [2] of { byte }; init { if :: nfull(q) :: else fi }", &["nfull(q)"]);
        check("chan q = [2] of { byte }; byte x; init { x = 3 - len(q) }", &["len(q)"]);
        check("chan q = [2] of { byte }; init { if :: q!1 :: else fi }", &["else"]);
        check("chan q = [2] of { byte }; init { do :: q!1 :: timeout -> break od }", &["timeout"]);
    }

    #[test]
    fn what_capacities_do_not_change_is_left_alone() {
        check("chan q = [2] of { byte }; init { if :: q?1 :: else fi; empty(q); timeout }", &[]);
        check("chan q = [0] of { byte }; init { if :: q!1 :: else fi; full(q) }", &[]);
    }

    #[test]
    fn only_the_first_places_are_shown() {
        let text = "chan q = [1] of { byte }; init { full(q); full(q); full(q); full(q); full(q); full(q) }";
        let read = read("a.pml", text, &NoFiles, &Options::default());
        let warnings = capacity_tests(&read.spec.expect("it is a model"));
        assert_eq!(warnings.len(), 5);
        let help = warnings[4].help.as_deref().unwrap_or_default();
        assert!(help.contains("1 more"), "{help}");
    }
}
