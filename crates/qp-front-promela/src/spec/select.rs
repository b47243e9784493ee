//! What SPIN makes of `select`.

use qp_base::IndexVec;

use crate::at::{At, Expansion, ExpansionId, ExpansionKind};

use super::{Expr, ExprKind};

/// SPIN makes a choice of a `select` between numbers that are at most this far apart.
const CHOICE_MAX: i32 = 32;

/// What SPIN makes of a `select`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// A choice with one assignment for each value.
    Choice,
    /// `i = from; do :: i < to -> i++ :: break od`, as if it were written so: labels before it name the
    /// assignment.
    Written,
    /// The same, but labels before it name the loop.
    Loop,
}

/// What SPIN makes of `select (index : from .. to)`. It looks at characters: outside of inlines, a name of
/// letters and digits and limits of digits are replaced in the text.
pub fn selection(
    expansions: &IndexVec<ExpansionId, Expansion>,
    index: &str,
    (from, to): (&Expr, &Expr),
    at: At,
) -> Selection {
    let (&ExprKind::Number(low), &ExprKind::Number(high)) = (&from.kind, &to.kind) else {
        return Selection::Loop;
    };
    let parent = |&id: &ExpansionId| expansions[id].parent;
    let is_inlined = std::iter::successors(at.expansion, parent)
        .any(|id| expansions[id].kind == ExpansionKind::Inline);
    let is_plain = index.chars().all(|it| it.is_ascii_alphanumeric());
    if is_inlined || !is_plain || low < 0 || high < low {
        return Selection::Loop;
    }
    if high - low <= CHOICE_MAX { Selection::Choice } else { Selection::Written }
}
