//! The text of values and statements, for messages and traces.

use super::{
    Body, Expr, ExprKind, Match, Place, ProcId, Spec, Step, Stmt, StmtKind, Ty, UnaryOp, Var,
};

impl Spec {
    /// The text of a value that stands in a body. Values of claims and formulas stand in none.
    pub fn show(&self, body: Option<&Body>, expr: &Expr) -> String {
        Printer { spec: self, body }.expr(expr)
    }

    /// The text of a place that stands in a body.
    pub fn show_place(&self, body: Option<&Body>, place: &Place) -> String {
        Printer { spec: self, body }.place(place)
    }

    /// The text of what the parts of a message must be, or where they go.
    pub fn show_matches(&self, body: Option<&Body>, args: &[Match]) -> String {
        Printer { spec: self, body }.matches(args)
    }

    /// The text of one statement. Of those that have statements inside it is only the keyword.
    pub fn show_step(&self, body: &Body, stmt: &Stmt) -> String {
        Printer { spec: self, body: Some(body) }.step(stmt)
    }
}

struct Printer<'s> {
    spec: &'s Spec,
    body: Option<&'s Body>,
}

impl Printer<'_> {
    fn expr(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Number(value) => value.to_string(),
            ExprKind::Mtype(set, value) => {
                let name = self.spec.mtypes[*set].name_of(*value);
                name.map_or_else(|| value.to_string(), str::to_owned)
            }
            ExprKind::Load(place) => self.place(place),
            ExprKind::Unary(op, operand) => format!("{}{}", unary(*op), self.expr(operand)),
            ExprKind::Binary(op, left, right) => {
                format!("({}{}{})", self.expr(left), op.sign(), self.expr(right))
            }
            ExprKind::Conditional(condition, yes, no) => {
                format!("({} -> {} : {})", self.expr(condition), self.expr(yes), self.expr(no))
            }
            ExprKind::Run { proc, args, .. } => {
                format!("run {}({})", self.spec.procs[*proc].name, self.exprs(args))
            }
            ExprKind::Len(place) => format!("len({})", self.place(place)),
            ExprKind::Probe(probe, place) => {
                format!("{}({})", probe.name(), self.place(place))
            }
            ExprKind::Poll { channel, random, args } => {
                let sign = if *random { "??" } else { "?" };
                format!("{}{sign}[{}]", self.place(channel), self.matches(args))
            }
            ExprKind::Enabled(pid) => format!("enabled({})", self.expr(pid)),
            ExprKind::PcValue(pid) => format!("pc_value({})", self.expr(pid)),
            ExprKind::GetPriority(pid) => format!("get_priority({})", self.expr(pid)),
            ExprKind::Timeout => "timeout".to_owned(),
            ExprKind::NonProgress => "np_".to_owned(),
            ExprKind::Pid => "_pid".to_owned(),
            ExprKind::ProcessCount => "_nr_pr".to_owned(),
            ExprKind::Last => "_last".to_owned(),
            ExprKind::Priority => "_priority".to_owned(),
            ExprKind::RemoteLabel { proc, pid, label } => {
                let label = &self.spec.procs[*proc].body.labels[*label].name;
                format!("{}@{label}", self.remote(*proc, pid.as_deref()))
            }
            ExprKind::RemoteVar { proc, pid, place } => {
                let place = self.spec.show_place(Some(&self.spec.procs[*proc].body), place);
                format!("{}:{place}", self.remote(*proc, pid.as_deref()))
            }
        }
    }

    fn remote(&self, proc: ProcId, pid: Option<&Expr>) -> String {
        let pid = pid.map_or_else(String::new, |pid| format!("[{}]", self.expr(pid)));
        format!("{}{pid}", self.spec.procs[proc].name)
    }

    fn exprs(&self, exprs: &[Expr]) -> String {
        exprs.iter().map(|it| self.expr(it)).collect::<Vec<_>>().join(",")
    }

    fn matches(&self, args: &[Match]) -> String {
        let shown = |arg: &Match| match arg {
            Match::Constant(value) => self.expr(value),
            Match::Eval(value) => format!("eval({})", self.expr(value)),
            Match::Bind(place) => self.place(place),
            Match::Any => "_".to_owned(),
        };
        args.iter().map(shown).collect::<Vec<_>>().join(",")
    }

    fn place(&self, place: &Place) -> String {
        let variable = match place.var {
            Var::Global(id) => self.spec.globals.get(id),
            Var::Local(id) => self.body.and_then(|body| body.locals.get(id)),
            Var::Scratch => None,
        };
        let mut shown = variable.map_or("_", |variable| &variable.name).to_owned();
        let mut ty = variable.map(|variable| variable.ty);
        for step in &place.steps {
            shown = match (step, ty) {
                (Step::Index(index), _) => format!("{shown}[{}]", self.expr(index)),
                (Step::Field(number), Some(Ty::Record(record))) => {
                    let field = &self.spec.records[record].fields[*number];
                    ty = Some(field.ty);
                    format!("{shown}.{}", field.name)
                }
                (Step::Field(_), _) => return shown,
            };
        }
        shown
    }

    fn step(&self, stmt: &Stmt) -> String {
        match &stmt.kind {
            StmtKind::Declare(local) => {
                let variable = self.body.and_then(|body| body.locals.get(*local));
                variable.map_or_else(String::new, |variable| variable.name.clone())
            }
            StmtKind::Assign(place, value) => {
                format!("{} = {}", self.place(place), self.expr(value))
            }
            StmtKind::Increment(place) => format!("{}++", self.place(place)),
            StmtKind::Decrement(place) => format!("{}--", self.place(place)),
            StmtKind::Condition(value) => self.expr(value),
            StmtKind::Send { channel, sorted, args } => {
                let sign = if *sorted { "!!" } else { "!" };
                format!("{}{sign}{}", self.place(channel), self.exprs(args))
            }
            StmtKind::Receive { channel, random, keep, args } => {
                let sign = if *random { "??" } else { "?" };
                let args = self.matches(args);
                let args = if *keep { format!("<{args}>") } else { args };
                format!("{}{sign}{args}", self.place(channel))
            }
            StmtKind::Goto(label) => {
                let label = self.body.and_then(|body| body.labels.get(*label));
                format!("goto {}", label.map_or("", |label| &label.name))
            }
            StmtKind::Assert(value) => format!("assert({})", self.expr(value)),
            StmtKind::Printf { format, args } => {
                let comma = if args.is_empty() { "" } else { "," };
                format!("printf(\"{format}\"{comma}{})", self.exprs(args))
            }
            StmtKind::Printm(value) => format!("printm({})", self.expr(value)),
            StmtKind::For { index, from, to, .. } => {
                format!("for ({} : {} .. {})", self.place(index), self.expr(from), self.expr(to))
            }
            StmtKind::Select { index, from, to } => {
                format!("select ({} : {} .. {})", self.place(index), self.expr(from), self.expr(to))
            }
            StmtKind::ForMessages { channel, .. } => {
                format!("for messages of({})", self.place(channel))
            }
            StmtKind::SetPriority(pid, value) => {
                format!("set_priority({},{})", self.expr(pid), self.expr(value))
            }
            StmtKind::Else => "else".to_owned(),
            StmtKind::If(_) => "if".to_owned(),
            StmtKind::Do(_) => "do".to_owned(),
            StmtKind::Atomic(_) => "atomic".to_owned(),
            StmtKind::DStep(_) => "d_step".to_owned(),
            StmtKind::Block(_) => "{}".to_owned(),
            StmtKind::Unless(..) => "unless".to_owned(),
            StmtKind::Break => "break".to_owned(),
        }
    }
}

fn unary(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Not => "!",
        UnaryOp::Complement => "~",
        UnaryOp::Negate => "-",
    }
}
