//! The text of values and statements, for messages and traces.

use std::fmt::Write as _;

use super::{
    BinaryOp, Body, Expr, ExprKind, FormulaKind, Match, MtypeId, Place, Probe, Spec, Step, Stmt,
    StmtKind, TemporalOp, UnaryOp, Var,
};

impl Spec {
    /// The text of a value that stands in a body. Values of claims and formulas stand in none.
    pub fn show(&self, body: Option<&Body>, expr: &Expr) -> String {
        let mut shown = String::new();
        Printer { spec: self, body, out: &mut shown }.expr(expr);
        shown
    }

    /// The text of a place that stands in a body.
    pub fn show_place(&self, body: Option<&Body>, place: &Place) -> String {
        let mut shown = String::new();
        Printer { spec: self, body, out: &mut shown }.place(place);
        shown
    }

    /// The text of one statement. Of those that have statements inside it is only the keyword.
    pub fn show_step(&self, body: &Body, stmt: &Stmt) -> String {
        let mut shown = String::new();
        Printer { spec: self, body: Some(body), out: &mut shown }.step(stmt);
        shown
    }

    /// The text of a formula.
    pub fn show_formula(&self, formula: &FormulaKind) -> String {
        let mut shown = String::new();
        Printer { spec: self, body: None, out: &mut shown }.formula(formula);
        shown
    }
}

struct Printer<'s> {
    spec: &'s Spec,
    body: Option<&'s Body>,
    out: &'s mut String,
}

impl Printer<'_> {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Number(value) => {
                let _ = write!(self.out, "{value}");
            }
            ExprKind::Mtype(set, value) => self.mtype(*set, *value),
            ExprKind::Load(place) => self.place(place),
            ExprKind::Unary(op, operand) => {
                self.put(unary(*op));
                self.expr(operand);
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::Conditional(condition, yes, no) => {
                self.put("(");
                self.expr(condition);
                self.put(" -> ");
                self.expr(yes);
                self.put(" : ");
                self.expr(no);
                self.put(")");
            }
            ExprKind::Run { proc, args, .. } => {
                self.put("run ");
                self.put(&self.spec.procs[*proc].name);
                self.put("(");
                self.exprs(args);
                self.put(")");
            }
            ExprKind::Len(place) => self.about("len", place),
            ExprKind::Probe(probe, place) => self.about(probe_name(*probe), place),
            ExprKind::Poll { channel, random, args } => {
                self.place(channel);
                self.put(if *random { "??[" } else { "?[" });
                self.matches(args);
                self.put("]");
            }
            ExprKind::Enabled(pid) => self.call("enabled", pid),
            ExprKind::PcValue(pid) => self.call("pc_value", pid),
            ExprKind::GetPriority(pid) => self.call("get_priority", pid),
            ExprKind::Timeout => self.put("timeout"),
            ExprKind::NonProgress => self.put("np_"),
            ExprKind::Pid => self.put("_pid"),
            ExprKind::ProcessCount => self.put("_nr_pr"),
            ExprKind::Last => self.put("_last"),
            ExprKind::Priority => self.put("_priority"),
            ExprKind::RemoteLabel { proc, pid, label } => {
                self.remote(*proc, pid.as_deref());
                self.put("@");
                self.put(&self.spec.procs[*proc].body.labels[*label].name);
            }
            ExprKind::RemoteVar { proc, pid, place } => {
                self.remote(*proc, pid.as_deref());
                self.put(":");
                let body = Some(&self.spec.procs[*proc].body);
                Printer { spec: self.spec, body, out: self.out }.place(place);
            }
        }
    }

    fn mtype(&mut self, set: MtypeId, value: i32) {
        match self.spec.mtypes[set].name_of(value) {
            Some(name) => self.out.push_str(name),
            None => {
                let _ = write!(self.out, "{value}");
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) {
        self.put("(");
        self.expr(left);
        self.put(binary(op));
        self.expr(right);
        self.put(")");
    }

    fn remote(&mut self, proc: super::ProcId, pid: Option<&Expr>) {
        self.put(&self.spec.procs[proc].name);
        if let Some(pid) = pid {
            self.put("[");
            self.expr(pid);
            self.put("]");
        }
    }

    fn about(&mut self, function: &str, place: &Place) {
        self.put(function);
        self.put("(");
        self.place(place);
        self.put(")");
    }

    fn call(&mut self, function: &str, argument: &Expr) {
        self.put(function);
        self.put("(");
        self.expr(argument);
        self.put(")");
    }

    fn exprs(&mut self, exprs: &[Expr]) {
        for (number, expr) in exprs.iter().enumerate() {
            self.put(if number > 0 { "," } else { "" });
            self.expr(expr);
        }
    }

    fn matches(&mut self, args: &[Match]) {
        for (number, arg) in args.iter().enumerate() {
            self.put(if number > 0 { "," } else { "" });
            match arg {
                Match::Constant(value) => self.expr(value),
                Match::Eval(value) => self.call("eval", value),
                Match::Bind(place) => self.place(place),
                Match::Any => self.put("_"),
            }
        }
    }

    fn place(&mut self, place: &Place) {
        let spec = self.spec;
        let variable = match place.var {
            Var::Global(id) => spec.globals.get(id),
            Var::Local(id) => self.body.and_then(|body| body.locals.get(id)),
            Var::Scratch => None,
        };
        self.put(variable.map_or("_", |variable| &variable.name));
        let mut ty = variable.map(|variable| variable.ty);
        for step in &place.steps {
            match step {
                Step::Index(index) => {
                    self.put("[");
                    self.expr(index);
                    self.put("]");
                }
                Step::Field(number) => {
                    let Some(super::Ty::Record(record)) = ty else { return };
                    let field = &spec.records[record].fields[*number];
                    self.put(".");
                    self.put(&field.name);
                    ty = Some(field.ty);
                }
            }
        }
    }

    fn step(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Declare(local) => {
                let variable = self.body.and_then(|body| body.locals.get(*local));
                self.put(variable.map_or("", |variable| &variable.name));
            }
            StmtKind::Assign(place, value) => {
                self.place(place);
                self.put(" = ");
                self.expr(value);
            }
            StmtKind::Increment(place) => {
                self.place(place);
                self.put("++");
            }
            StmtKind::Decrement(place) => {
                self.place(place);
                self.put("--");
            }
            StmtKind::Condition(value) => self.expr(value),
            StmtKind::Send { channel, sorted, args } => {
                self.place(channel);
                self.put(if *sorted { "!!" } else { "!" });
                self.exprs(args);
            }
            StmtKind::Receive { channel, random, keep, args } => {
                self.place(channel);
                self.put(if *random { "??" } else { "?" });
                self.put(if *keep { "<" } else { "" });
                self.matches(args);
                self.put(if *keep { ">" } else { "" });
            }
            StmtKind::Goto(label) => {
                self.put("goto ");
                let label = self.body.and_then(|body| body.labels.get(*label));
                self.put(label.map_or("", |label| &label.name));
            }
            StmtKind::Assert(value) => self.call("assert", value),
            StmtKind::Printf { format, args } => {
                let _ = write!(self.out, "printf(\"{format}\"");
                self.put(if args.is_empty() { "" } else { "," });
                self.exprs(args);
                self.put(")");
            }
            StmtKind::Printm(value) => self.call("printm", value),
            StmtKind::For { index, from, to, .. } => self.range("for", index, from, to),
            StmtKind::Select { index, from, to } => self.range("select", index, from, to),
            StmtKind::ForMessages { channel, .. } => self.about("for messages of", channel),
            StmtKind::SetPriority(pid, value) => {
                self.put("set_priority(");
                self.expr(pid);
                self.put(",");
                self.expr(value);
                self.put(")");
            }
            StmtKind::Else => self.put("else"),
            StmtKind::If(_) => self.put("if"),
            StmtKind::Do(_) => self.put("do"),
            StmtKind::Atomic(_) => self.put("atomic"),
            StmtKind::DStep(_) => self.put("d_step"),
            StmtKind::Block(_) => self.put("{}"),
            StmtKind::Unless(..) => self.put("unless"),
            StmtKind::Break => self.put("break"),
        }
    }

    fn range(&mut self, word: &str, index: &Place, from: &Expr, to: &Expr) {
        self.put(word);
        self.put(" (");
        self.place(index);
        self.put(" : ");
        self.expr(from);
        self.put(" .. ");
        self.expr(to);
        self.put(")");
    }

    fn formula(&mut self, formula: &FormulaKind) {
        let (left, sign, right) = match formula {
            FormulaKind::Now(value) => return self.expr(value),
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
        let Some(left) = left else {
            self.put(sign);
            return self.formula(right);
        };
        self.put("(");
        self.formula(left);
        self.put(sign);
        self.formula(right);
        self.put(")");
    }
}

fn unary(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Not => "!",
        UnaryOp::Complement => "~",
        UnaryOp::Negate => "-",
    }
}

fn binary(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "%",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitXor => "^",
        BinaryOp::BitOr => "|",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
    }
}

fn probe_name(probe: Probe) -> &'static str {
    match probe {
        Probe::Empty => "empty",
        Probe::Nempty => "nempty",
        Probe::Full => "full",
        Probe::Nfull => "nfull",
    }
}
