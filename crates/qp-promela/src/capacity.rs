//! Where a model can notice how much fits into a channel: places whose meaning changes when channels are read
//! as unbounded.

use qp_base::Diagnostic;
use qp_front_promela::At;
use qp_front_promela::spec::{
    Block, Body, Expr, ExprKind, Init, Match, Place, Probe, Spec, Step, Stmt, StmtKind, Var,
};

use crate::codes;

/// Beyond these, places are only counted.
const SHOWN_MAX: usize = 5;

/// Warnings about the places where a model tests how much fits into a channel: with unbounded channels they
/// mean something else. The first few of them, in the order of the text.
pub fn capacity_tests(spec: &Spec) -> Vec<Diagnostic> {
    let mut places = Vec::new();
    for proc in &spec.procs {
        let mut search = Search { spec, body: &proc.body, places: &mut places };
        if let Some(provided) = &proc.provided {
            search.value(provided);
        }
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
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Declare(_)
            | StmtKind::Else
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Increment(_)
            | StmtKind::Decrement(_) => {}
            StmtKind::Assign(place, value) => {
                self.place(place);
                self.value(value);
            }
            StmtKind::Condition(value) | StmtKind::Assert(value) | StmtKind::Printm(value) => {
                self.value(value);
            }
            StmtKind::Send { args, .. } | StmtKind::Printf { args, .. } => {
                for arg in args {
                    self.value(arg);
                }
            }
            StmtKind::Receive { args, .. } => {
                for arg in args {
                    self.matched(arg);
                }
            }
            StmtKind::If(options) | StmtKind::Do(options) => {
                self.options(options);
                for option in options {
                    self.block(option);
                }
            }
            StmtKind::Atomic(block) | StmtKind::DStep(block) | StmtKind::Block(block) => {
                self.block(block);
            }
            StmtKind::Unless(first, second) => {
                self.block(first);
                self.block(second);
            }
            StmtKind::For { from, to, body, .. } => {
                self.value(from);
                self.value(to);
                self.block(body);
            }
            StmtKind::ForMessages { body, .. } => self.block(body),
            StmtKind::Select { from, to, .. } => {
                self.value(from);
                self.value(to);
            }
            StmtKind::SetPriority(pid, priority) => {
                self.value(pid);
                self.value(priority);
            }
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

    fn matched(&mut self, arg: &Match) {
        match arg {
            Match::Constant(value) | Match::Eval(value) => self.value(value),
            Match::Bind(place) => self.place(place),
            Match::Any => {}
        }
    }

    fn place(&mut self, place: &Place) {
        for step in &place.steps {
            if let Step::Index(value) = step {
                self.value(value);
            }
        }
    }

    fn value(&mut self, value: &Expr) {
        match &value.kind {
            ExprKind::Len(channel) if !self.is_rendezvous(channel) => {
                self.places.push((value.at, "`len` tests how much a channel holds"));
            }
            ExprKind::Probe(Probe::Full, channel) if !self.is_rendezvous(channel) => {
                self.places.push((value.at, "`full` tests how much fits"));
            }
            ExprKind::Probe(Probe::Nfull, channel) if !self.is_rendezvous(channel) => {
                self.places.push((value.at, "`nfull` tests how much fits"));
            }
            _ => parts(value, &mut |part| self.value(part)),
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
        StmtKind::If(options) | StmtKind::Do(options) => {
            for option in options {
                first(option, found);
            }
        }
        StmtKind::Atomic(block) | StmtKind::DStep(block) | StmtKind::Block(block) => {
            first(block, found);
        }
        _ => found.push(stmt),
    }
}

fn mentions_timeout(value: &Expr) -> bool {
    let mut found = matches!(value.kind, ExprKind::Timeout);
    parts(value, &mut |part| found |= mentions_timeout(part));
    found
}

/// Calls `look` with every value that a value is made of.
fn parts(value: &Expr, look: &mut dyn FnMut(&Expr)) {
    match &value.kind {
        ExprKind::Unary(_, one)
        | ExprKind::Enabled(one)
        | ExprKind::PcValue(one)
        | ExprKind::GetPriority(one) => look(one),
        ExprKind::Binary(_, left, right) => {
            look(left);
            look(right);
        }
        ExprKind::Conditional(condition, yes, no) => {
            look(condition);
            look(yes);
            look(no);
        }
        ExprKind::Run { args, .. } => args.iter().for_each(look),
        ExprKind::Load(place)
        | ExprKind::Len(place)
        | ExprKind::Probe(_, place)
        | ExprKind::Poll { channel: place, .. } => {
            for step in &place.steps {
                if let Step::Index(index) = step {
                    look(index);
                }
            }
        }
        ExprKind::RemoteLabel { pid, .. } | ExprKind::RemoteVar { pid, .. } => {
            if let Some(pid) = pid {
                look(pid);
            }
        }
        ExprKind::Number(_)
        | ExprKind::Mtype(..)
        | ExprKind::Timeout
        | ExprKind::NonProgress
        | ExprKind::Pid
        | ExprKind::ProcessCount
        | ExprKind::Last
        | ExprKind::Priority => {}
    }
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
