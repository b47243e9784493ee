//! Intervals of values: what a value may be, and what a condition says about variables.

use qp_front_promela::spec::{
    BinaryOp, Expr, ExprKind, GlobalId, LocalId, Place, Ty, UnaryOp, Var,
};

/// All numbers from one to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Interval {
    pub(super) lo: i64,
    pub(super) hi: i64,
}

impl Interval {
    pub(super) const ANY: Self = Self { lo: i32::MIN as i64, hi: i32::MAX as i64 };
    pub(super) const TRUTH: Self = Self { lo: 0, hi: 1 };

    pub(super) fn one(value: i64) -> Self {
        Self { lo: value, hi: value }
    }

    /// What a variable of a type may hold.
    pub(super) fn of(ty: Ty, in_array: bool) -> Self {
        let (lo, hi) = match ty {
            Ty::Bit | Ty::Bool if !in_array => (0, 1),
            Ty::Bit | Ty::Bool | Ty::Byte | Ty::Pid | Ty::Mtype(_) | Ty::Chan => (0, 255),
            Ty::Short => (i64::from(i16::MIN), i64::from(i16::MAX)),
            Ty::Unsigned(bits) => (0, (1 << bits) - 1),
            Ty::Int | Ty::Record(_) => return Self::ANY,
        };
        Self { lo, hi }
    }

    pub(super) fn join(self, other: Self) -> Self {
        Self { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    pub(super) fn meet(self, other: Self) -> Option<Self> {
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        (lo <= hi).then_some(Self { lo, hi })
    }

    pub(super) fn contains(self, other: Self) -> bool {
        self.lo <= other.lo && other.hi <= self.hi
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self { lo: self.lo + other.lo, hi: self.hi + other.hi }
    }

    pub(super) fn minus(self, other: Self) -> Self {
        Self { lo: self.lo - other.hi, hi: self.hi - other.lo }
    }

    /// What is left of the values where only these fit: if some do not, it may be anything that fits.
    pub(super) fn within(self, bounds: Self) -> Self {
        if bounds.contains(self) { self } else { bounds }
    }

    fn excludes_zero(self) -> bool {
        self.lo > 0 || self.hi < 0
    }
}

/// What single variables may hold at a node. Arrays and records are not told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Ranges {
    pub(super) locals: Vec<Interval>,
    pub(super) globals: Vec<Interval>,
}

impl Ranges {
    pub(super) fn local(&mut self, id: LocalId) -> &mut Interval {
        &mut self.locals[id.index()]
    }

    pub(super) fn global(&mut self, id: GlobalId) -> &mut Interval {
        &mut self.globals[id.index()]
    }

    /// The variable that a place is, if it is a single one.
    pub(super) fn cell(&mut self, place: &Place) -> Option<&mut Interval> {
        match place.var {
            _ if !place.steps.is_empty() || place.len.is_some() => None,
            Var::Local(id) => Some(self.local(id)),
            Var::Global(id) => Some(self.global(id)),
            Var::Scratch => None,
        }
    }

    /// What a value may be.
    pub(super) fn value(&mut self, value: &Expr) -> Interval {
        match &value.kind {
            &ExprKind::Number(number) | &ExprKind::Mtype(_, number) => {
                Interval::one(i64::from(number))
            }
            ExprKind::Load(place) => {
                let any = Interval::of(place.ty, true);
                self.cell(place).map_or(any, |it| *it)
            }
            ExprKind::Unary(UnaryOp::Not, inner) => match self.value(inner) {
                Interval { lo: 0, hi: 0 } => Interval::one(1),
                it if it.excludes_zero() => Interval::one(0),
                _ => Interval::TRUTH,
            },
            ExprKind::Unary(UnaryOp::Negate, inner) => {
                Interval::one(0).minus(self.value(inner)).within(Interval::ANY)
            }
            ExprKind::Binary(op, left, right) => {
                let (a, b) = (self.value(left), self.value(right));
                binary(*op, a, b)
            }
            ExprKind::Conditional(_, yes, no) => self.value(yes).join(self.value(no)),
            ExprKind::Poll { .. } | ExprKind::Probe(..) | ExprKind::Timeout => Interval::TRUTH,
            ExprKind::Pid | ExprKind::Run { .. } => Interval { lo: 0, hi: 255 },
            _ => Interval::ANY,
        }
    }

    /// The same if a condition holds or not; `None` if that cannot be.
    pub(super) fn where_is(&self, value: &Expr, truth: bool) -> Option<Self> {
        match &value.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.where_is(inner, !truth),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let decides = *op == BinaryOp::Or;
                let both = |it: &Self| it.where_is(right, truth);
                let other = self.where_is(left, !decides).as_ref().and_then(both);
                if truth == decides { join(self.where_is(left, truth), other) } else { other }
            }
            ExprKind::Binary(op, left, right) if is_order(*op) => {
                let op = if truth { *op } else { opposite(*op) };
                self.ordered(op, left, right)
            }
            _ => {
                let mut same = self.clone();
                let found = same.value(value);
                let zero = Interval::one(0);
                if truth && found == zero || !truth && found.excludes_zero() {
                    return None;
                }
                if let ExprKind::Load(place) = &value.kind
                    && let Some(cell) = same.cell(place)
                {
                    *cell = if truth { without(*cell, 0)? } else { cell.meet(zero)? };
                }
                Some(same)
            }
        }
    }

    fn ordered(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Self> {
        let mut next = self.clone();
        let (a, b) = (next.value(left), next.value(right));
        for (value, op, other) in [(left, op, b), (right, op.mirrored(), a)] {
            let before = next.value(value);
            let after = limited(before, op, other)?;
            if let ExprKind::Load(place) = &value.kind
                && let Some(cell) = next.cell(place)
            {
                *cell = after;
            }
        }
        Some(next)
    }
}

/// What holds in one of two cases.
pub(super) fn join(left: Option<Ranges>, right: Option<Ranges>) -> Option<Ranges> {
    let (Some(mut left), Some(right)) = (left.clone(), right.clone()) else {
        return left.or(right);
    };
    let own = left.locals.iter_mut().zip(&right.locals);
    let shared = left.globals.iter_mut().zip(&right.globals);
    for (it, other) in own.chain(shared) {
        *it = it.join(*other);
    }
    Some(left)
}

/// The values that are so related to one of others.
fn limited(it: Interval, op: BinaryOp, other: Interval) -> Option<Interval> {
    match op {
        BinaryOp::Less => it.meet(Interval { lo: i64::MIN, hi: other.hi - 1 }),
        BinaryOp::LessEqual => it.meet(Interval { lo: i64::MIN, hi: other.hi }),
        BinaryOp::Greater => it.meet(Interval { lo: other.lo + 1, hi: i64::MAX }),
        BinaryOp::GreaterEqual => it.meet(Interval { lo: other.lo, hi: i64::MAX }),
        BinaryOp::Equal => it.meet(other),
        BinaryOp::NotEqual if other.lo == other.hi => without(it, other.lo),
        _ => Some(it),
    }
}

fn without(it: Interval, value: i64) -> Option<Interval> {
    let lo = it.lo + i64::from(it.lo == value);
    let hi = it.hi - i64::from(it.hi == value);
    (lo <= hi).then_some(Interval { lo, hi })
}

fn is_order(op: BinaryOp) -> bool {
    use BinaryOp::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    matches!(op, Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual)
}

fn opposite(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Less => BinaryOp::GreaterEqual,
        BinaryOp::LessEqual => BinaryOp::Greater,
        BinaryOp::Greater => BinaryOp::LessEqual,
        BinaryOp::GreaterEqual => BinaryOp::Less,
        BinaryOp::Equal => BinaryOp::NotEqual,
        BinaryOp::NotEqual => BinaryOp::Equal,
        other => other,
    }
}

fn binary(op: BinaryOp, a: Interval, b: Interval) -> Interval {
    match op {
        BinaryOp::Add => a.plus(b).within(Interval::ANY),
        BinaryOp::Subtract => a.minus(b).within(Interval::ANY),
        BinaryOp::Multiply => {
            let all = [a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi];
            let (lo, hi) =
                all.iter().fold((all[0], all[0]), |(lo, hi), &it| (lo.min(it), hi.max(it)));
            Interval { lo, hi }.within(Interval::ANY)
        }
        BinaryOp::Divide if b.lo == b.hi && b.lo > 0 => {
            Interval { lo: a.lo / b.lo, hi: a.hi / b.lo }
        }
        BinaryOp::Remainder if b.lo > 0 => {
            let most = b.hi - 1;
            let lo = if a.lo >= 0 { 0 } else { -most };
            Interval { lo, hi: if a.lo >= 0 { a.hi.min(most) } else { most } }
        }
        BinaryOp::BitAnd if a.lo >= 0 && b.lo >= 0 => Interval { lo: 0, hi: a.hi.min(b.hi) },
        BinaryOp::And | BinaryOp::Or => Interval::TRUTH,
        _ if is_order(op) => match (limited(a, op, b), limited(a, opposite(op), b)) {
            (None, _) => Interval::one(0),
            (_, None) => Interval::one(1),
            _ => Interval::TRUTH,
        },
        _ => Interval::ANY,
    }
}
