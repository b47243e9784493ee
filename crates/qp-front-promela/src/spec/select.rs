//! What SPIN makes of `select`.

use qp_base::IndexVec;

use crate::at::{At, Expansion, ExpansionId, ExpansionKind};

use super::{Expr, ExprKind};

/// SPIN makes a choice of a `select` between numbers that are at most this far apart.
const CHOICE_MAX: i32 = 32;

/// Whether SPIN makes of `select (index : from .. to)` a choice with one assignment for each value, not a loop
/// that counts. It looks at characters: the name must be of letters and digits, the limits of digits.
pub fn makes_choice(
    expansions: &IndexVec<ExpansionId, Expansion>,
    index: &str,
    (from, to): (&Expr, &Expr),
    at: At,
) -> bool {
    let (&ExprKind::Number(low), &ExprKind::Number(high)) = (&from.kind, &to.kind) else {
        return false;
    };
    let parent = |&id: &ExpansionId| expansions[id].parent;
    let is_inlined = std::iter::successors(at.expansion, parent)
        .any(|id| expansions[id].kind == ExpansionKind::Inline);
    let near = 0 <= low && low <= high && high - low <= CHOICE_MAX;
    near && !is_inlined && index.chars().all(|it| it.is_ascii_alphanumeric())
}
