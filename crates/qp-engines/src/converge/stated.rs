//! What users state about queues: which queues they mean, and whether it was ever seen to be false.

use std::collections::BTreeMap;

use qp_claim::QueueInvariant;
use qp_machines::{QueueId, Qutl, System, WordId};

use crate::{InvariantAnswer, Standing, Stated};

use super::explored::Seen;
use super::truth::COUNT_MAX;

/// What was stated, sorted out.
#[derive(Default)]
pub(super) struct Resolved {
    /// What may be true, queue by queue.
    pub(super) usable: Vec<QueueInvariant>,
    /// How each statement stands so far.
    pub(super) answers: Vec<InvariantAnswer>,
}

/// Finds the queues that statements are about, and compares the statements with everything seen.
pub(super) fn resolve(
    stated: &[Stated],
    seen: &BTreeMap<QueueId, Seen>,
    system: &System,
) -> Resolved {
    let mut resolved = Resolved::default();
    for Stated { about, formula } in stated {
        let meant: Vec<(QueueId, &Seen)> = seen
            .iter()
            .filter(|(_, seen)| seen.is(about))
            .map(|(&queue, seen)| (queue, seen))
            .collect();
        let holds = |seen: &Seen| seen.contents.iter().all(|&word| holds(system, formula, word));
        let standing = if meant.is_empty() {
            Standing::Unmatched
        } else if meant.iter().all(|(_, seen)| holds(seen)) {
            Standing::Open
        } else {
            Standing::False
        };
        if standing == Standing::Open && greatest(formula) <= COUNT_MAX {
            let invariant =
                |&(queue, _): &(QueueId, &Seen)| QueueInvariant { queue, formula: formula.clone() };
            resolved.usable.extend(meant.iter().map(invariant));
        }
        let (about, formula) = (about.clone(), formula.clone());
        resolved.answers.push(InvariantAnswer { about, formula, stated: true, standing });
    }
    resolved
}

/// Whether a formula is true of a content.
pub(super) fn holds(system: &System, formula: &Qutl, word: WordId) -> bool {
    formula.holds(&system.words().messages(word), &mut |name, message| {
        Qutl::names(name, &system.program().message_text(message))
    })
}

/// The greatest number that a formula counts to.
fn greatest(formula: &Qutl) -> u32 {
    match formula {
        Qutl::True | Qutl::False | Qutl::First(_) => 0,
        Qutl::Count(_, _, number) => *number,
        Qutl::Next(f) | Qutl::WeakNext(f) | Qutl::Finally(f) | Qutl::Globally(f) | Qutl::Not(f) => {
            greatest(f)
        }
        Qutl::And(f, g) | Qutl::Or(f, g) | Qutl::Implies(f, g) => greatest(f).max(greatest(g)),
    }
}
