//! Formulas about queues, taken apart from front to back.

use std::collections::BTreeSet;

use qp_base::{Interner, Map, define_index};
use qp_machines::{MessageId, Qutl, Relation, Texts};

use crate::{Checked, wrong};

define_index!(FormulaId, "i", "A formula: what remains to be true of the rest of a content.");

/// A formula in which the order and number of equal parts mean nothing, so that taking it apart leads
/// to finitely many others.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Formula {
    /// All of these; without any, true.
    All(BTreeSet<Self>),
    /// One of these; without any, false.
    Any(BTreeSet<Self>),
    Not(Box<Self>),
    First(String),
    Count(String, Relation, u32),
    Next(Box<Self>),
    WeakNext(Box<Self>),
    Finally(Box<Self>),
    Globally(Box<Self>),
}

impl Formula {
    /// The same formula.
    pub(crate) fn of(formula: &Qutl) -> Self {
        let boxed = |f: &Qutl| Box::new(Self::of(f));
        match formula {
            Qutl::True => Self::constant(true),
            Qutl::False => Self::constant(false),
            Qutl::First(name) => Self::First(name.clone()),
            Qutl::Count(name, relation, n) => Self::Count(name.clone(), *relation, *n),
            Qutl::Next(f) => Self::Next(boxed(f)),
            Qutl::WeakNext(f) => Self::WeakNext(boxed(f)),
            Qutl::Finally(f) => Self::Finally(boxed(f)),
            Qutl::Globally(f) => Self::Globally(boxed(f)),
            Qutl::Not(f) => Self::not(Self::of(f)),
            Qutl::And(f, g) => Self::all([Self::of(f), Self::of(g)]),
            Qutl::Or(f, g) => Self::any([Self::of(f), Self::of(g)]),
            Qutl::Implies(f, g) => Self::any([Self::not(Self::of(f)), Self::of(g)]),
        }
    }

    /// What the rest of a content must satisfy if this is to be true of a message followed by the rest;
    /// `is` says whether the message has a name.
    pub(crate) fn after(&self, is: &impl Fn(&str) -> bool) -> Self {
        match self {
            Self::All(parts) => Self::all(parts.iter().map(|f| f.after(is))),
            Self::Any(parts) => Self::any(parts.iter().map(|f| f.after(is))),
            Self::Not(f) => Self::not(f.after(is)),
            Self::First(name) => Self::constant(is(name)),
            Self::Count(name, relation, n) if is(name) => match (n.checked_sub(1), relation) {
                (Some(n), _) => Self::Count(name.clone(), *relation, n),
                // There is one already, and whatever comes, the number is compared with 0.
                (None, Relation::Less | Relation::AtMost | Relation::Equal) => {
                    Self::constant(false)
                }
                (None, Relation::AtLeast | Relation::More) => Self::constant(true),
            },
            Self::Count(..) => self.clone(),
            Self::Next(f) | Self::WeakNext(f) => (**f).clone(),
            Self::Finally(f) => Self::any([f.after(is), self.clone()]),
            Self::Globally(f) => Self::all([f.after(is), self.clone()]),
        }
    }

    /// Whether it is true of the empty content.
    pub(crate) fn holds_of_nothing(&self) -> bool {
        match self {
            Self::All(parts) => parts.iter().all(Self::holds_of_nothing),
            Self::Any(parts) => parts.iter().any(Self::holds_of_nothing),
            Self::Not(f) => !f.holds_of_nothing(),
            Self::Count(_, relation, n) => relation.holds(0, *n),
            Self::First(_) | Self::Next(_) | Self::Finally(_) => false,
            Self::WeakNext(_) | Self::Globally(_) => true,
        }
    }

    pub(crate) fn all(formulas: impl IntoIterator<Item = Self>) -> Self {
        let mut parts = BTreeSet::new();
        for formula in formulas {
            match formula {
                Self::All(more) => parts.extend(more),
                other => {
                    parts.insert(other);
                }
            }
        }
        if parts.contains(&Self::constant(false)) {
            return Self::constant(false);
        }
        only(&parts).unwrap_or(Self::All(parts))
    }

    fn any(formulas: impl IntoIterator<Item = Self>) -> Self {
        let mut parts = BTreeSet::new();
        for formula in formulas {
            match formula {
                Self::Any(more) => parts.extend(more),
                other => {
                    parts.insert(other);
                }
            }
        }
        if parts.contains(&Self::constant(true)) {
            return Self::constant(true);
        }
        only(&parts).unwrap_or(Self::Any(parts))
    }

    fn not(formula: Self) -> Self {
        match formula {
            Self::All(parts) if parts.is_empty() => Self::constant(false),
            Self::Any(parts) if parts.is_empty() => Self::constant(true),
            other => Self::Not(Box::new(other)),
        }
    }

    fn n_parts(&self) -> usize {
        1 + match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().map(Self::n_parts).sum(),
            Self::Not(f)
            | Self::Next(f)
            | Self::WeakNext(f)
            | Self::Finally(f)
            | Self::Globally(f) => f.n_parts(),
            Self::First(_) | Self::Count(..) => 0,
        }
    }

    fn constant(truth: bool) -> Self {
        if truth { Self::All(BTreeSet::new()) } else { Self::Any(BTreeSet::new()) }
    }
}

/// The formula that stands alone, if one does.
fn only(parts: &BTreeSet<Formula>) -> Option<Formula> {
    parts.first().filter(|_| parts.len() == 1).cloned()
}

/// One formula may have this many parts, and all of them together that many: a file of one line may ask
/// for any number.
const PARTS_MAX: usize = 10_000;
const ALL_PARTS_MAX: usize = 1_000_000;

/// Formulas by number, with what was already worked out.
#[derive(Default)]
pub(crate) struct Formulas {
    known: Interner<FormulaId, Formula>,
    after: Map<(FormulaId, MessageId), FormulaId>,
    n_parts: usize,
}

impl Formulas {
    /// The number of a formula.
    pub(crate) fn number(&mut self, formula: Formula) -> Checked<FormulaId> {
        if let Some(known) = self.known.find(&formula) {
            return Ok(known);
        }
        let n_parts = formula.n_parts();
        self.n_parts += n_parts;
        if n_parts > PARTS_MAX || self.n_parts > ALL_PARTS_MAX {
            return wrong("the invariants are too large to be checked");
        }
        Ok(self.known.intern(formula))
    }

    /// What the rest of a content must satisfy if the formula is to be true of a message followed by
    /// the rest.
    pub(crate) fn after(
        &mut self,
        texts: Texts<'_>,
        formula: FormulaId,
        message: MessageId,
    ) -> Checked<FormulaId> {
        if let Some(&after) = self.after.get(&(formula, message)) {
            return Ok(after);
        }
        let text = texts(message);
        let after = self.known.value(formula).after(&|name| Qutl::names(name, &text));
        let after = self.number(after)?;
        self.after.insert((formula, message), after);
        Ok(after)
    }

    /// Whether a formula is true of the empty content.
    pub(crate) fn holds_of_nothing(&self, formula: FormulaId) -> bool {
        self.known.value(formula).holds_of_nothing()
    }
}
