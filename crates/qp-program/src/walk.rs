//! Visiting every expression of a piece of code.

use crate::{Choice, Expr, Instr, Place, Projection};

impl Place {
    /// Every expression inside, outer ones first.
    pub(crate) fn for_each_expr<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        for step in &self.path {
            match step {
                Projection::Part(_) => {}
                Projection::Index(index, _) => index.for_each(visit),
            }
        }
    }
}

impl Instr {
    /// Every expression inside, outer ones first.
    pub(crate) fn for_each_expr<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match self {
            Self::Assign { place, value } | Self::Add { place, value } => {
                place.for_each_expr(visit);
                value.for_each(visit);
            }
            Self::Insert { place, key, value } => {
                place.for_each_expr(visit);
                key.for_each(visit);
                value.for_each(visit);
            }
            Self::Remove { place, key } => {
                place.for_each_expr(visit);
                key.for_each(visit);
            }
            Self::Evaluate(expr) | Self::Unless(expr, _) | Self::Assume(expr) => {
                expr.for_each(visit);
            }
            Self::Call { args, .. } => args.iter().for_each(|arg| arg.for_each(visit)),
            Self::Return(value) => value.iter().for_each(|value| value.for_each(visit)),
            Self::Choose { from, .. } => match from {
                Choice::Of(expr) => expr.for_each(visit),
                Choice::Bool | Choice::Any(_) => {}
            },
            Self::New { arg, .. } => arg.for_each(visit),
            Self::Send { target, event, payload } => {
                target.for_each(visit);
                event.for_each(visit);
                payload.for_each(visit);
            }
            Self::Announce { event, payload } | Self::Raise { event, payload } => {
                event.for_each(visit);
                payload.for_each(visit);
            }
            Self::Goto { payload, .. } => payload.for_each(visit),
            Self::Assert { condition, message } => {
                condition.for_each(visit);
                if let Some(message) = message {
                    message.for_each(visit);
                }
            }
            Self::Jump(_) | Self::Pop | Self::Receive(_) => {}
        }
    }
}

impl Expr {
    /// This expression and every one inside, outer ones first.
    pub(crate) fn for_each<'a>(&'a self, visit: &mut dyn FnMut(&'a Self)) {
        self.walk(&mut |expr| {
            visit(expr);
            true
        });
    }

    /// This expression and those inside, outer ones first; `visit` says whether to look inside.
    pub(crate) fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Self) -> bool) {
        if !visit(self) {
            return;
        }
        match self {
            Self::Const(_) | Self::Register(_) | Self::Field(_) | Self::This => {}
            Self::Not(e)
            | Self::Negate(e)
            | Self::Part(e, _)
            | Self::Keys(e)
            | Self::Values(e)
            | Self::Size(e)
            | Self::Cast { value: e, .. }
            | Self::ToInt(e)
            | Self::ToFloat(e) => e.walk(visit),
            Self::And(a, b)
            | Self::Or(a, b)
            | Self::Binary { left: a, right: b, .. }
            | Self::Index { of: a, index: b, .. }
            | Self::Contains { item: a, of: b } => {
                a.walk(visit);
                b.walk(visit);
            }
            Self::Tuple(parts) | Self::Record(_, parts) | Self::Format(_, parts) => {
                for part in parts {
                    part.walk(visit);
                }
            }
        }
    }
}
