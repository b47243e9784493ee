//! Values that can be computed without seeing the whole configuration.

use qp_front_promela::spec::{BinaryOp, Expr, ExprKind, Match, Place, Step, Ty, Var};

use crate::graph::Act;

/// Looks for values that need more than variables and simple questions about channels.
pub(super) struct Values {
    /// Whether nothing was found.
    pub(super) fit: bool,
    /// Whether channels can be asked here.
    pub(super) queues: bool,
}

impl Values {
    pub(super) fn act(&mut self, act: &Act) {
        match act {
            Act::Jump | Act::Else | Act::Declare(_) | Act::End => {}
            Act::DStep(_) | Act::Block | Act::SetPriority(..) => self.fit = false,
            Act::Condition(value) | Act::Assert(value) => self.value(value),
            Act::Assign(place, value) => {
                self.place(place);
                self.value(value);
                if (place.ty == Ty::Chan) != is_channel(value) && !is_zero(value) {
                    self.fit = false;
                }
            }
            Act::Add(place, _) => {
                self.place(place);
                if place.ty == Ty::Chan {
                    self.fit = false;
                }
            }
            Act::Send { channel, args, .. } => {
                self.place(channel);
                self.values(args);
            }
            Act::Receive { channel, args, .. } => {
                self.place(channel);
                let queues = std::mem::replace(&mut self.queues, false);
                self.parts(args);
                self.queues = queues;
            }
            Act::Print(values) => self.values(values),
            Act::Run { into, args, priority, .. } => {
                if priority.is_some() {
                    self.fit = false;
                }
                if let Some(place) = into {
                    self.place(place);
                    if matches!(place.var, Var::Global(_)) {
                        self.fit = false;
                    }
                }
                self.values(args);
            }
        }
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

    fn values(&mut self, values: &[Expr]) {
        for value in values {
            self.value(value);
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
        for step in &place.steps {
            if let Step::Index(index) = step {
                self.number(index);
                self.value(index);
            }
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
