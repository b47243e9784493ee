//! Visiting every expression of a piece of code.

use crate::{Expr, Projection, Root};

impl Projection {
    /// Every expression on a way into a value, outer ones first.
    pub(crate) fn for_each_expr<'a>(path: &'a [Self], visit: &mut dyn FnMut(&'a Expr)) {
        for step in path {
            match step {
                Self::Part(_) => {}
                Self::Index(index, _) => index.for_each(visit),
            }
        }
    }
}

impl Expr {
    /// The variable that the expression is.
    pub(crate) fn variable(&self) -> Option<Root> {
        match self {
            Self::Register(register) => Some(Root::Register(*register)),
            Self::Field(field) => Some(Root::Field(*field)),
            _ => None,
        }
    }

    /// This expression and every one inside, outer ones first.
    pub fn for_each<'a>(&'a self, visit: &mut dyn FnMut(&'a Self)) {
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
