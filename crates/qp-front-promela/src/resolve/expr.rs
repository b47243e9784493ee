//! Values.

use crate::ast::{self, Binary, Ident, Part, Unary};
use crate::at::At;
use crate::codes;
use crate::names::{did_you_mean, quoted};
use crate::spec::{BinaryOp, Expr, ExprKind, Place, ProcId, Ty, UnaryOp, Var};

use super::body::BodyKind;
use super::{Meaning, Resolver, Run};

/// Something has no meaning, and the user was told.
struct Reported;

/// What an expression may contain, by where it stands.
#[derive(Clone, Copy)]
pub(super) struct Allowed {
    /// `empty` and the like, which may only be combined by `&&` and `||`.
    pub(super) probe: bool,
    /// `run`, which changes something.
    pub(super) run: bool,
}

impl Allowed {
    /// A value that is only looked at.
    pub(super) const VALUE: Self = Self { probe: false, run: false };
    /// A condition that is only looked at.
    pub(super) const CONDITION: Self = Self { probe: true, run: false };
    /// What a statement of its own may be.
    pub(super) const STATEMENT: Self = Self { probe: true, run: true };

    fn inside(self) -> Self {
        Self { probe: false, ..self }
    }
}

impl Resolver<'_, '_> {
    /// The value of a statement that is no condition.
    pub(super) fn full(&mut self, expr: &ast::Expr) -> Option<Expr> {
        self.run_seen = false;
        self.expr(expr, Allowed::STATEMENT)
    }

    /// A value that a variable gets. Only there SPIN minds that one calculates with channels.
    pub(super) fn assigned(&mut self, expr: &ast::Expr) -> Option<Expr> {
        self.is_assigned = true;
        let value = self.full(expr);
        self.is_assigned = false;
        value
    }

    /// A statement that waits. In it `run` can only stand alone, because it would be tried several times.
    pub(super) fn condition(&mut self, expr: &ast::Expr) -> Option<Expr> {
        match expr.kind {
            ast::ExprKind::Run { .. } => self.full(expr),
            _ => self.expr(expr, Allowed::CONDITION),
        }
    }

    /// The condition of `provided`.
    pub(super) fn provided(&mut self, expr: &ast::Expr) -> Option<Expr> {
        self.expr(expr, Allowed::CONDITION)
    }

    pub(super) fn expr(&mut self, expr: &ast::Expr, allowed: Allowed) -> Option<Expr> {
        let at = expr.at;
        let kind = match &expr.kind {
            ast::ExprKind::Number(value) => ExprKind::Number(*value),
            ast::ExprKind::Ref(reference) => self.load(reference)?,
            ast::ExprKind::Unary(op, operand) => {
                let op = self.unary(*op, at)?;
                let operand = self.expr(operand, allowed.inside())?;
                match op {
                    UnaryOp::Not => self.check_value(&operand),
                    _ => self.check_number(&operand),
                }
                ExprKind::Unary(op, Box::new(operand))
            }
            ast::ExprKind::Binary(op, left, right) => self.binary(*op, left, right, allowed, at)?,
            ast::ExprKind::Conditional(condition, yes, no) => {
                let condition = self.expr(condition, allowed.inside());
                let yes = self.expr(yes, allowed.inside());
                let no = self.expr(no, allowed.inside());
                ExprKind::Conditional(Box::new(condition?), Box::new(yes?), Box::new(no?))
            }
            ast::ExprKind::Run { name, args, priority } => {
                self.run(name, args, priority.as_deref(), allowed, at)?
            }
            ast::ExprKind::Len(channel) => ExprKind::Len(self.channel(channel)?),
            ast::ExprKind::Probe(probe, channel) => {
                let channel = self.channel(channel)?;
                if !allowed.probe {
                    self.probe_inside(at);
                }
                ExprKind::Probe(*probe, channel)
            }
            ast::ExprKind::Poll { channel, random, args } => {
                let channel = self.channel(channel)?;
                let args = self.receive_args(&channel, args, at)?;
                ExprKind::Poll { channel, random: *random, args }
            }
            ast::ExprKind::Enabled(pid) => ExprKind::Enabled(self.boxed(pid)?),
            ast::ExprKind::PcValue(pid) => ExprKind::PcValue(self.boxed(pid)?),
            ast::ExprKind::GetPriority(pid) => ExprKind::GetPriority(self.boxed(pid)?),
            ast::ExprKind::Timeout => ExprKind::Timeout,
            ast::ExprKind::NonProgress => self.non_progress(at),
            ast::ExprKind::RemoteLabel { proc, pid, label } => {
                self.remote_label(proc, pid.as_deref(), label)?
            }
            ast::ExprKind::RemoteVar { proc, pid, var } => {
                self.remote_var(proc, pid.as_deref(), var)?
            }
        };
        Some(Expr { kind, at })
    }

    fn boxed(&mut self, expr: &ast::Expr) -> Option<Box<Expr>> {
        self.expr(expr, Allowed::VALUE).map(Box::new)
    }

    /// What a name stands for as a value.
    fn load(&mut self, reference: &ast::Ref) -> Option<ExprKind> {
        let [part] = reference.parts.as_slice() else {
            return self.cell(reference).map(ExprKind::Load);
        };
        if part.index.is_some() {
            return self.cell(reference).map(ExprKind::Load);
        }
        match self.meaning(&part.name.text) {
            Some(Meaning::Mtype(set, value)) => Some(ExprKind::Mtype(set, value)),
            Some(_) => self.cell(reference).map(ExprKind::Load),
            None => match &*part.name.text {
                "_pid" => Some(ExprKind::Pid),
                "_nr_pr" => Some(ExprKind::ProcessCount),
                "_last" => Some(ExprKind::Last),
                "_priority" => Some(ExprKind::Priority),
                // A trace does not care what is sent there.
                "_" if self.kind() == Some(BodyKind::Trace) => {
                    self.target(reference).map(ExprKind::Load)
                }
                "_" => {
                    let help = "what is assigned to `_` is forgotten";
                    self.refused(codes::PREDEFINED, "`_` has no value", reference.at, help)
                }
                _ => self.cell(reference).map(ExprKind::Load),
            },
        }
    }

    /// What can be assigned to.
    pub(super) fn target(&mut self, reference: &ast::Ref) -> Option<Place> {
        if let [part] = reference.parts.as_slice()
            && self.meaning(&part.name.text).is_none()
        {
            match &*part.name.text {
                "_" => {
                    let (var, steps, at) = (Var::Scratch, Vec::new(), reference.at);
                    return Some(Place { var, steps, ty: Ty::Int, len: None, at });
                }
                name @ ("_pid" | "_nr_pr" | "_last" | "_priority") => {
                    let message = format!("`{name}` cannot be changed here");
                    let help = format!(
                        "it can only be read; to compare a part of a message with it, write `eval({name})`"
                    );
                    return self.refused(codes::PREDEFINED, message, reference.at, &help);
                }
                _ => {}
            }
        }
        self.cell(reference)
    }

    fn unary(&mut self, op: Unary, at: At) -> Option<UnaryOp> {
        match op {
            Unary::Value(op) => Some(op),
            Unary::Always | Unary::Eventually | Unary::Next => {
                self.temporal_inside(at);
                None
            }
        }
    }

    fn binary(
        &mut self,
        op: Binary,
        left: &ast::Expr,
        right: &ast::Expr,
        allowed: Allowed,
        at: At,
    ) -> Option<ExprKind> {
        let Binary::Value(op) = op else {
            self.temporal_inside(at);
            return None;
        };
        let joins = matches!(op, BinaryOp::And | BinaryOp::Or);
        let inside = if joins { allowed } else { allowed.inside() };
        let left = self.expr(left, inside);
        let right = self.expr(right, inside);
        let (left, right) = (left?, right?);
        let compares = matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
        for operand in [&left, &right] {
            if joins || compares {
                self.check_value(operand);
            } else {
                self.check_number(operand);
            }
        }
        Some(ExprKind::Binary(op, Box::new(left), Box::new(right)))
    }

    fn check_number(&mut self, value: &Expr) {
        if self.is_assigned && is_channel(value) {
            self.channel_arithmetic(value.at);
        }
    }

    /// A channel as a part of a value that is assigned. What it means is plain, but SPIN does not read on.
    fn check_value(&mut self, value: &Expr) {
        if self.is_assigned && is_channel(value) {
            let message = "SPIN does not take a channel inside of a value that is assigned";
            let help =
                "compare channels in a condition: `if :: a == b -> x = 1 :: else -> x = 0 fi`";
            self.warning(codes::CHANNEL_VALUE, message, value.at, help);
        }
    }

    pub(super) fn channel_arithmetic(&mut self, at: At) {
        let help = "channels can be compared, assigned, sent and handed over; `len(c)` is a number";
        self.error(codes::CHANNEL_ARITHMETIC, "one cannot calculate with a channel", at, help);
    }

    fn probe_inside(&mut self, at: At) {
        let message = "this can only be combined with `&&` and `||`";
        let help =
            "instead of a negation use `nempty`, `empty`, `nfull` or `full`; or compare `len(c)`";
        self.error(codes::PROBE, message, at, help);
    }

    fn temporal_inside(&mut self, at: At) {
        let message = "an operator about time is inside of a value";
        let help = "put parentheses around the value, as in `[] (a == b)`";
        self.error(codes::TEMPORAL, message, at, help);
    }

    fn non_progress(&mut self, at: At) -> ExprKind {
        if self.kind() != Some(BodyKind::Claim) && !self.in_formula {
            let help = "it is for `never` claims and formulas";
            self.error(codes::CLAIM_ONLY, "`np_` is not for processes", at, help);
        }
        ExprKind::NonProgress
    }

    fn run(
        &mut self,
        name: &Ident,
        args: &[ast::Expr],
        priority: Option<&ast::Expr>,
        allowed: Allowed,
        at: At,
    ) -> Option<ExprKind> {
        let proc = self.proc_named(name);
        let args: Option<Vec<Vec<Expr>>> = args.iter().map(|arg| self.flat_arg(arg)).collect();
        let args = args?.into_iter().flatten().collect::<Vec<Expr>>();
        if !allowed.run || std::mem::replace(&mut self.run_seen, true) {
            let message = "`run` cannot stand here";
            let help = "use it alone, or as in `x = run p()`";
            self.error(codes::RUN_PLACE, message, at, help);
        }
        let proc = proc?;
        if self.spec.procs[proc].is_init {
            self.error(codes::WRONG_KIND, "`init` cannot be started", name.at, "");
        }
        self.runs.push(Run { proc, args: args.len(), at });
        let priority = match priority {
            None => None,
            Some(priority) => self.constant(priority, "a priority"),
        };
        Some(ExprKind::Run { proc, args, priority })
    }

    fn proc_named(&mut self, name: &Ident) -> Option<ProcId> {
        if let Some(&id) = self.procs.get(&name.text) {
            return Some(id);
        }
        let known = self.procs.keys().map(|known| &**known);
        let help = did_you_mean(&name.text, known, "declare it with `proctype`");
        let message = format!("there is no process {}", quoted(&name.text));
        self.refused(codes::UNKNOWN, message, name.at, &help)
    }

    fn remote_label(
        &mut self,
        proc: &Ident,
        pid: Option<&ast::Expr>,
        label: &Ident,
    ) -> Option<ExprKind> {
        let id = self.proc_named(proc)?;
        let pid = self.remote_pid(pid).ok()?;
        let found = self.labels.get(&(id, label.text.to_string())).copied();
        let Some(number) = found.or_else(|| self.own_label(id, &label.text)) else {
            let labels = &self.spec.procs[id].body.labels;
            let known = labels.iter().map(|it| it.name.as_str());
            let help =
                did_you_mean(&label.text, known, "write it before a statement of the process");
            let message =
                format!("the process {} has no label {}", quoted(&proc.text), quoted(&label.text));
            return self.refused(codes::LABEL, message, label.at, &help);
        };
        self.keep_label(id, number);
        Some(ExprKind::RemoteLabel { proc: id, pid, label: number })
    }

    fn remote_var(
        &mut self,
        proc: &Ident,
        pid: Option<&ast::Expr>,
        var: &Part,
    ) -> Option<ExprKind> {
        let id = self.proc_named(proc)?;
        let pid = self.remote_pid(pid).ok()?;
        let found = self.locals.get(&(id, var.name.text.to_string()));
        let Some(&local) = found else {
            let locals = &self.spec.procs[id].body.locals;
            let known = locals.iter().map(|it| it.name.as_str());
            let help = did_you_mean(&var.name.text, known, "only its local variables can be seen");
            let message = format!(
                "the process {} has no variable {}",
                quoted(&proc.text),
                quoted(&var.name.text)
            );
            return self.refused(codes::UNKNOWN, message, var.name.at, &help);
        };
        let variable = &self.spec.procs[id].body.locals[local];
        let (ty, len, at) = (variable.ty, variable.len, var.name.at);
        let mut place = Place { var: Var::Local(local), steps: Vec::new(), ty, len, at };
        self.index(&mut place, var)?;
        if place.len.is_some() {
            let message = format!("the array {} needs an index", quoted(&var.name.text));
            return self.refused(codes::INDEX, message, var.name.at, "write `p[pid]:a[i]`");
        }
        if let Ty::Record(_) = place.ty {
            self.whole_record(&place);
            return None;
        }
        Some(ExprKind::RemoteVar { proc: id, pid, place })
    }

    fn remote_pid(&mut self, pid: Option<&ast::Expr>) -> Result<Option<Box<Expr>>, Reported> {
        pid.map_or(Ok(None), |pid| self.boxed(pid).map(Some).ok_or(Reported))
    }
}

fn is_channel(value: &Expr) -> bool {
    matches!(&value.kind, ExprKind::Load(place) if place.ty == Ty::Chan)
}
