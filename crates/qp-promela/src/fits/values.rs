//! Values that can be computed without seeing the whole configuration.

use qp_front_promela::spec::{BinaryOp, Expr, ExprKind, Match, Place, Ty, Var};

use crate::effects::{Guard, Source, Write};
use crate::graph::Act;
use crate::uses;

/// Looks for values that need more than variables and simple questions about channels.
pub(super) struct Values {
    /// Whether nothing was found.
    pub(super) fit: bool,
    /// Whether channels can be asked here.
    pub(super) queues: bool,
}

impl Values {
    pub(super) fn act(&mut self, act: &Act) {
        let effects = act.effects();
        effects.each_value(&mut |value| self.value(value));
        effects.indices().for_each(|index| self.number(index));
        if let Some((_, args)) = effects.receives {
            let queues = std::mem::replace(&mut self.queues, false);
            self.parts(args);
            self.queues = queues;
        }
        for Write { place, source } in effects.writes {
            self.fit &= match source {
                Source::Value(value) => {
                    (place.ty == Ty::Chan) == is_channel(value) || is_zero(value)
                }
                Source::First(_) => !matches!(place.ty, Ty::Record(_)),
                Source::Sum(_) => place.ty != Ty::Chan,
                Source::Part(_) => true,
                Source::Child => !matches!(place.var, Var::Global(_)),
            };
        }
        let sets_priority =
            matches!(act, Act::SetPriority(..) | Act::Run { priority: Some(_), .. });
        self.fit &= !sets_priority && !matches!(effects.guard, Guard::Opens(_) | Guard::Never);
    }

    pub(super) fn value(&mut self, value: &Expr) {
        match &value.kind {
            ExprKind::Number(_) | ExprKind::Mtype(..) | ExprKind::Pid => {}
            ExprKind::Load(place) => self.place(place),
            ExprKind::Unary(_, operand) => {
                self.number(operand);
                self.value(operand);
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::Conditional(condition, yes, no) => {
                for part in [condition, yes, no] {
                    self.value(part);
                }
            }
            ExprKind::Probe(_, channel) if self.queues => self.place(channel),
            ExprKind::Poll { channel, args, .. } if self.queues => {
                self.place(channel);
                let queues = std::mem::replace(&mut self.queues, false);
                self.parts(args);
                self.queues = queues;
            }
            ExprKind::Timeout if self.queues => {}
            ExprKind::Probe(..)
            | ExprKind::Poll { .. }
            | ExprKind::Timeout
            | ExprKind::Len(_)
            | ExprKind::Run { .. }
            | ExprKind::Enabled(_)
            | ExprKind::PcValue(_)
            | ExprKind::GetPriority(_)
            | ExprKind::NonProgress
            | ExprKind::ProcessCount
            | ExprKind::Last
            | ExprKind::Priority
            | ExprKind::RemoteLabel { .. }
            | ExprKind::RemoteVar { .. } => self.fit = false,
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) {
        let is_len = |value: &Expr| matches!(value.kind, ExprKind::Len(_));
        if self.queues && compares(op) && is_len(left) != is_len(right) {
            for side in [left, right] {
                match &side.kind {
                    ExprKind::Len(channel) => self.place(channel),
                    _ => self.value(side),
                }
            }
            return;
        }
        let alike = is_channel(left) == is_channel(right) || is_zero(left) || is_zero(right);
        if !matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) || !alike {
            self.number(left);
            self.number(right);
        }
        self.value(left);
        self.value(right);
    }

    fn number(&mut self, value: &Expr) {
        if is_channel(value) {
            self.fit = false;
        }
    }

    fn parts(&mut self, parts: &[Match]) {
        for part in parts {
            self.part(part);
        }
    }

    fn part(&mut self, part: &Match) {
        match part {
            Match::Constant(value) | Match::Eval(value) => self.value(value),
            Match::Bind(place) => self.place(place),
            Match::Any => {}
        }
    }

    fn place(&mut self, place: &Place) {
        for index in uses::indices(place) {
            self.number(index);
            self.value(index);
        }
    }
}

/// Whether the value of an expression is a channel.
pub(crate) fn is_channel(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Load(place) => place.ty == Ty::Chan,
        ExprKind::Conditional(_, yes, no) => is_channel(yes) || is_channel(no),
        _ => false,
    }
}

fn is_zero(value: &Expr) -> bool {
    matches!(value.kind, ExprKind::Number(0))
}

/// Whether an operator compares two numbers.
pub(crate) fn compares(op: BinaryOp) -> bool {
    use BinaryOp::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    matches!(op, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
}
