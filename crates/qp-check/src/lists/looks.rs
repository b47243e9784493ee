//! What the content of a queue looks like, by definition.

use std::hash::Hash;

use qp_base::Set;
use qp_machines::MessageId;

use crate::{Checked, wrong};

/// How much of a content is told apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sight {
    /// So many messages at the front.
    pub(crate) prefix: u32,
    /// Behind them, up to so many messages of one kind are counted.
    pub(crate) counted: u32,
}

/// A question about all contents that look alike is not answered if more than this is to be remembered,
/// counted in messages of what beginnings of contents look like: a set from a file may ask for any amount.
const REMEMBERED_MAX: usize = 4_000_000;

/// What a content looks like.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Look {
    /// The first messages.
    front: Vec<MessageId>,
    /// The messages behind those, in the order in which they first occur there, with how often:
    /// one more than what is counted stands for anything more.
    behind: Vec<(MessageId, u64)>,
}

impl Sight {
    /// What a content looks like.
    pub(crate) fn look(self, content: &[MessageId]) -> Look {
        let mut look = Look::default();
        for &message in content {
            self.append(&mut look, message);
        }
        look
    }

    /// What a content looks like once a message is appended: that depends on nothing but what it
    /// looked like.
    pub(crate) fn append(self, look: &mut Look, message: MessageId) {
        if look.front.len() < self.prefix as usize {
            look.front.push(message);
        } else if let Some((_, n)) = look.behind.iter_mut().find(|(known, _)| *known == message) {
            *n = (*n + 1).min(u64::from(self.counted) + 1);
        } else {
            look.behind.push((message, 1));
        }
    }

    /// How many messages of those that count the contents that look like this have, if all have equally
    /// many.
    pub(crate) fn number(
        self,
        look: &Look,
        mut counts: impl FnMut(MessageId) -> bool,
    ) -> Option<u64> {
        let more = u64::from(self.counted) + 1;
        let vague = look.behind.iter().any(|&(message, n)| n == more && counts(message));
        (!vague).then(|| look.at_least(counts))
    }

    /// Everything that reading a content from front to back can come to, whichever of those that look
    /// like `target`. `read` says what one more message makes of a state, if there is such a content.
    pub(crate) fn read_all<S: Clone + Eq + Hash>(
        self,
        target: &Look,
        start: S,
        mut read: impl FnMut(&S, MessageId) -> Checked<Option<S>>,
    ) -> Checked<Vec<S>> {
        let start = (Look::default(), start);
        let mut seen: Set<(Look, S)> = Set::default();
        seen.insert(start.clone());
        let (mut todo, mut ends, mut remembered) = (vec![start], Vec::new(), 0);
        while let Some((look, state)) = todo.pop() {
            for message in target.messages() {
                let mut longer = look.clone();
                self.append(&mut longer, message);
                if !longer.may_become(target) {
                    continue;
                }
                let Some(next) = read(&state, message)? else { continue };
                let next = (longer, next);
                if seen.insert(next.clone()) {
                    remembered += 1 + next.0.front.len() + next.0.behind.len();
                    todo.push(next);
                }
            }
            if remembered > REMEMBERED_MAX {
                return wrong("a queue has too many contents that look alike");
            }
            if look == *target {
                ends.push(state);
            }
        }
        Ok(ends)
    }
}

impl Look {
    /// A shortest content that looks like this.
    pub(crate) fn content(&self) -> Vec<MessageId> {
        let behind = self.behind.iter().flat_map(|&(message, n)| (0..n).map(move |_| message));
        self.front.iter().copied().chain(behind).collect()
    }

    /// How many messages of those that count every content has that looks like this.
    pub(crate) fn at_least(&self, mut counts: impl FnMut(MessageId) -> bool) -> u64 {
        let front = self.front.iter().filter(|&&message| counts(message)).count() as u64;
        let behind = self.behind.iter().filter(|&&(message, _)| counts(message));
        front + behind.map(|&(_, n)| n).sum::<u64>()
    }

    /// Whether only one content looks like this because all of it is at the front.
    pub(crate) fn is_all_front(&self) -> bool {
        self.behind.is_empty()
    }

    /// The messages, each once.
    fn messages(&self) -> Vec<MessageId> {
        let behind = self.behind.iter().map(|&(message, _)| message);
        let mut messages: Vec<MessageId> = self.front.iter().copied().chain(behind).collect();
        messages.sort_unstable();
        messages.dedup();
        messages
    }

    /// Whether appending can lead from here to `target`. It only ever adds to the front, adds to the
    /// order behind it, and counts up.
    fn may_become(&self, target: &Self) -> bool {
        let counts_up = |(a, b): (&(MessageId, u64), &(MessageId, u64))| a.0 == b.0 && a.1 <= b.1;
        target.front.starts_with(&self.front)
            && self.behind.len() <= target.behind.len()
            && self.behind.iter().zip(&target.behind).all(counts_up)
    }
}
