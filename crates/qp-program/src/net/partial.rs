//! Partial evaluation (Jones, Gomard and Sestoft 1993): expressions of which not everything is known.

use qp_base::Span;
use qp_machines::MachineId;

use crate::run::{Owner, Plan, Scope};
use crate::{Expr, Op, RoleId, Root, Value};

use super::place::{Cells, Place};

/// What an expression can see.
pub(super) struct Partial<'a> {
    pub(super) plan: &'a Plan,
    pub(super) role: RoleId,
    pub(super) fields: &'a Cells,
    pub(super) registers: &'a Cells,
}

impl Partial<'_> {
    /// The value of an expression, if it is known and small. Where working it out fails, nothing is known: the
    /// run ends there.
    pub(super) fn value(&self, expr: &Expr) -> Option<Value> {
        let value = match expr {
            Expr::Const(value) => Some(value.clone()),
            Expr::Register(register) => self.registers[register.index()].clone(),
            Expr::Field(field) => self.fields[field.index()].clone(),
            Expr::And(a, b) => self.both(a, b, false),
            Expr::Or(a, b) => self.both(a, b, true),
            Expr::Not(e) => self.compute(&Expr::Not(self.constant(e)?)),
            Expr::Negate(e) => self.compute(&Expr::Negate(self.constant(e)?)),
            Expr::ToInt(e) => self.compute(&Expr::ToInt(self.constant(e)?)),
            Expr::Binary { op, left, right, span } => {
                let (left, right) = (self.constant(left)?, self.constant(right)?);
                self.compute(&Expr::Binary { op: *op, left, right, span: *span })
            }
            Expr::Cast { value, ty, span } => {
                let value = self.constant(value)?;
                self.compute(&Expr::Cast { value, ty: ty.clone(), span: *span })
            }
            Expr::This
            | Expr::Tuple(_)
            | Expr::Record(..)
            | Expr::Part(..)
            | Expr::Index { .. }
            | Expr::Keys(_)
            | Expr::Values(_)
            | Expr::Size(_)
            | Expr::Contains { .. }
            | Expr::ToFloat(_)
            | Expr::Format(..) => None,
        };
        value.filter(is_small)
    }

    /// Whether a condition holds, if that is known.
    pub(super) fn truth(&self, condition: &Expr) -> Option<bool> {
        self.value(condition).map(|value| value == Value::Bool(true))
    }

    /// A connective of which one side may decide alone.
    fn both(&self, a: &Expr, b: &Expr, decides: bool) -> Option<Value> {
        let (a, b) = (self.truth(a), self.truth(b));
        if a == Some(decides) || b == Some(decides) {
            return Some(Value::Bool(decides));
        }
        a.and(b).map(|_| Value::Bool(!decides))
    }

    fn constant(&self, expr: &Expr) -> Option<Box<Expr>> {
        self.value(expr).map(|value| Box::new(Expr::Const(value)))
    }

    /// Works out an expression without variables, by the rules of the dialect.
    fn compute(&self, expr: &Expr) -> Option<Value> {
        let owner = Owner::Machine(self.role, MachineId::from_raw(0));
        let span = Span::default();
        let scope = Scope { plan: self.plan, owner, fields: &[], registers: &[], span };
        scope.eval(expr).ok()
    }
}

/// Whether a value may be told apart from others.
pub(super) fn is_small(value: &Value) -> bool {
    matches!(value, Value::Bool(_) | Value::Int(_) | Value::Enum(..))
}

/// What a condition says about a variable when it holds or not: a value that it must have then.
pub(super) fn implied(condition: &Expr, holds: bool) -> Option<(Root, Value)> {
    match condition {
        Expr::Register(_) | Expr::Field(_) => Some((condition.variable()?, Value::Bool(holds))),
        Expr::Not(inner) => implied(inner, !holds),
        Expr::Binary { op, left, right, .. } => {
            let equal = matches!((op, holds), (Op::Equal, true) | (Op::NotEqual, false));
            match (&**left, &**right) {
                (it, Expr::Const(value)) | (Expr::Const(value), it) if equal && is_small(value) => {
                    Some((it.variable()?, value.clone()))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// Writes down what is known of a variable now.
pub(super) fn learn(place: &mut Place, root: Root, value: Option<Value>) {
    match root {
        Root::Field(field) => place.fields[field.index()] = value,
        Root::Register(register) => {
            if let Some(call) = place.frames.last_mut() {
                call.registers[register.index()] = value;
            }
        }
    }
}
