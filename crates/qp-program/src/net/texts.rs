//! Instructions and expressions as the user would write them.

use crate::run::Plan;
use crate::{BodyId, Choice, Expr, FunctionId, Instr, Place, Projection, RegisterId, Root};

/// Longer texts are cut off.
const LONG: usize = 80;
/// Temporaries are looked behind only this far.
const DEPTH_MAX: u32 = 8;

/// Writes instructions and expressions of a program.
#[derive(Clone, Copy)]
pub(super) struct Texts<'a> {
    plan: &'a Plan,
}

impl<'a> Texts<'a> {
    pub(super) fn new(plan: &'a Plan) -> Self {
        Self { plan }
    }

    /// An instruction that changes something.
    pub(super) fn instr(self, function: FunctionId, pc: usize) -> String {
        let at = In { plan: self.plan, function, body: self.body(function), depth: 0 };
        let text = match &self.plan.function(function).code[pc] {
            Instr::Assign { place, value } => format!("{} = {}", at.place(place), at.expr(value)),
            Instr::Insert { place, key, value } => {
                format!("{} += ({}, {})", at.place(place), at.expr(key), at.expr(value))
            }
            Instr::Add { place, value } => format!("{} += ({})", at.place(place), at.expr(value)),
            Instr::Remove { place, key } => format!("{} -= ({})", at.place(place), at.expr(key)),
            Instr::Receive(_) => "receive".to_owned(),
            Instr::Call { into: Some(into), .. }
            | Instr::New { into: Some(into), .. }
            | Instr::Choose { into, .. } => {
                let name = &self.plan.function(function).registers[*into].name;
                format!("{name} = {}", at.made(pc))
            }
            _ => at.made(pc),
        };
        cut(text)
    }

    /// An expression.
    pub(super) fn expr(self, function: FunctionId, expr: &Expr) -> String {
        let at = In { plan: self.plan, function, body: self.body(function), depth: 0 };
        cut(at.expr(expr))
    }

    fn body(self, function: FunctionId) -> Option<BodyId> {
        let bodies = &self.plan.blueprint.bodies;
        bodies.ids().find(|&body| self.plan.functions[body].contains(&function))
    }
}

#[derive(Clone, Copy)]
struct In<'a> {
    plan: &'a Plan,
    function: FunctionId,
    body: Option<BodyId>,
    depth: u32,
}

impl In<'_> {
    fn place(&self, place: &Place) -> String {
        let root = match place.root {
            Root::Register(register) => self.expr(&Expr::Register(register)),
            Root::Field(field) => self.expr(&Expr::Field(field)),
        };
        place.path.iter().fold(root, |text, step| match step {
            Projection::Part(number) => format!("{text}.{number}"),
            Projection::Index(index, _) => format!("{text}[{}]", self.expr(index)),
        })
    }

    /// What an instruction puts into a register.
    fn made(&self, pc: usize) -> String {
        match &self.plan.function(self.function).code[pc] {
            Instr::Call { function, args, .. } => {
                format!("{}({})", self.plan.function(*function).name, self.list(args))
            }
            Instr::Choose { from: Choice::Bool, .. } => "$".to_owned(),
            Instr::Choose { from: Choice::Of(expr), .. } => format!("choose({})", self.expr(expr)),
            Instr::Choose { from: Choice::Any(_), .. } => "any value".to_owned(),
            Instr::Assign { value, .. } => self.expr(value),
            _ => "...".to_owned(),
        }
    }

    fn register(&self, register: RegisterId) -> String {
        let function = self.plan.function(self.function);
        let name = &function.registers[register].name;
        if !name.is_empty() {
            return name.clone();
        }
        let makes = |instr: &Instr| match instr {
            Instr::Call { into, .. } => *into == Some(register),
            Instr::Choose { into, .. } => *into == register,
            Instr::Assign { place, .. } => {
                place.root == Root::Register(register) && place.path.is_empty()
            }
            _ => false,
        };
        let mut made = (0..function.code.len()).filter(|&pc| makes(&function.code[pc]));
        match (made.next(), made.next()) {
            (Some(pc), None) if self.depth < DEPTH_MAX => {
                Self { depth: self.depth + 1, ..*self }.made(pc)
            }
            _ => "...".to_owned(),
        }
    }

    fn list(&self, exprs: &[Expr]) -> String {
        exprs.iter().map(|it| self.expr(it)).collect::<Vec<_>>().join(", ")
    }

    fn inner(&self, expr: &Expr) -> String {
        let text = self.expr(expr);
        match expr {
            Expr::Binary { .. } | Expr::And(..) | Expr::Or(..) | Expr::Contains { .. } => {
                format!("({text})")
            }
            _ => text,
        }
    }

    fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Const(value) => self.plan.value_text(value),
            Expr::Register(register) => self.register(*register),
            Expr::Field(field) => {
                let fields = self.body.map(|body| &self.plan.blueprint.bodies[body].fields);
                let field = fields.and_then(|fields| fields.get(*field));
                field.map_or_else(|| "...".to_owned(), |field| field.name.clone())
            }
            Expr::This => "this".to_owned(),
            Expr::Not(e) => format!("!{}", self.inner(e)),
            Expr::Negate(e) => format!("-{}", self.inner(e)),
            Expr::And(a, b) => format!("{} && {}", self.inner(a), self.inner(b)),
            Expr::Or(a, b) => format!("{} || {}", self.inner(a), self.inner(b)),
            Expr::Binary { op, left, right, .. } => {
                format!("{} {} {}", self.inner(left), op.sign(), self.inner(right))
            }
            Expr::Tuple(parts) | Expr::Record(_, parts) => format!("({})", self.list(parts)),
            Expr::Part(of, number) => format!("{}.{number}", self.inner(of)),
            Expr::Index { of, index, .. } => format!("{}[{}]", self.inner(of), self.expr(index)),
            Expr::Keys(of) => format!("keys({})", self.expr(of)),
            Expr::Values(of) => format!("values({})", self.expr(of)),
            Expr::Size(of) => format!("sizeof({})", self.expr(of)),
            Expr::Contains { item, of } => format!("{} in {}", self.inner(item), self.inner(of)),
            Expr::Cast { value: e, .. } | Expr::ToInt(e) | Expr::ToFloat(e) => self.inner(e),
            Expr::Format(..) => "format(...)".to_owned(),
        }
    }
}

fn cut(text: String) -> String {
    match text.char_indices().nth(LONG) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}
