//! What contents of queues look like: a beginning and a list (the list abstraction of Liu, Wahl and Lal 2019).

use qp_machines::MessageId;

/// How much is told apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Look {
    /// How many messages at the front are kept as they are.
    pub(crate) prefix: u32,
    /// Up to how many messages of one kind are counted behind them.
    pub(crate) counted: u32,
}

/// What many contents look like.
///
/// Behind the front, messages stand in the order of their first occurrence, each with how often it
/// occurs; [`Look::many`] stands for that number or more. There is a tail only behind a full front.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct List<L = MessageId> {
    pub(crate) front: Vec<L>,
    pub(crate) tail: Vec<(L, u32)>,
}

impl<L> Default for List<L> {
    fn default() -> Self {
        Self { front: Vec::new(), tail: Vec::new() }
    }
}

impl Look {
    /// The count that stands for itself and everything above.
    pub(crate) fn many(self) -> u32 {
        self.counted + 1
    }

    /// What a content looks like.
    pub(crate) fn of<L: Copy + Eq>(self, content: &[L]) -> List<L> {
        let mut list = List::default();
        for &message in content {
            self.push(&mut list, message);
        }
        list
    }

    /// With one more message at the back.
    pub(crate) fn append(self, list: &List, message: MessageId) -> List {
        let mut list = list.clone();
        self.push(&mut list, message);
        list
    }

    /// Adds a message at the back.
    pub(crate) fn push<L: Copy + Eq>(self, list: &mut List<L>, message: L) {
        if list.front.len() < self.prefix as usize {
            list.front.push(message);
        } else if let Some(known) = list.tail.iter_mut().find(|known| known.0 == message) {
            known.1 = (known.1 + 1).min(self.many());
        } else {
            list.tail.push((message, 1));
        }
    }

    /// What contents may look like once the message at `position` of the representative was taken.
    ///
    /// From the front, the first message of the tail moves up into it; from the tail, the message itself
    /// is gone. In both cases the tail has one of them less, and the next one, if there is one, may come
    /// anywhere later.
    pub(crate) fn take<L: Copy + Eq>(self, list: &List<L>, position: usize) -> Vec<List<L>> {
        let mut front = list.front.clone();
        if position < front.len() {
            front.remove(position);
            let Some(&(next, _)) = list.tail.first() else {
                return vec![List { front, tail: Vec::new() }];
            };
            front.push(next);
            return self.one_less(&front, &list.tail, 0);
        }
        self.one_less(&front, &list.tail, position - front.len())
    }

    /// What a list may be with one message less of the kind that stands at `at` in the tail.
    fn one_less<L: Copy>(self, front: &[L], tail: &[(L, u32)], at: usize) -> Vec<List<L>> {
        let (message, count) = tail[at];
        let mut rest = tail.to_vec();
        rest.remove(at);
        let mut found = Vec::new();
        let left = if count == self.many() { count - 1..=count } else { count - 1..=count - 1 };
        for left in left {
            if left == 0 {
                found.push(List { front: front.to_vec(), tail: rest.clone() });
                continue;
            }
            for place in at..=rest.len() {
                let mut tail = rest.clone();
                tail.insert(place, (message, left));
                found.push(List { front: front.to_vec(), tail });
            }
        }
        found
    }

    /// What contents looked like before a message was appended, with that message.
    pub(crate) fn before(self, list: &List) -> Vec<(MessageId, List)> {
        if list.tail.is_empty() {
            let mut shorter = list.clone();
            return shorter.front.pop().map(|message| (message, shorter)).into_iter().collect();
        }
        let mut found = Vec::new();
        for (at, &(message, count)) in list.tail.iter().enumerate() {
            if count == self.many() {
                found.push((message, list.clone()));
            }
            let mut fewer = list.clone();
            if count > 1 {
                fewer.tail[at].1 = count - 1;
                found.push((message, fewer));
            } else if at + 1 == list.tail.len() {
                fewer.tail.pop();
                found.push((message, fewer));
            }
        }
        found
    }
}

impl List {
    /// A shortest content that looks like this: messages are met in it in the same order as in all others.
    pub(crate) fn representative(&self) -> Vec<MessageId> {
        let mut content = self.front.clone();
        content.extend(self.tail.iter().map(|&(message, _)| message));
        let copies = self.tail.iter().flat_map(|&(message, n)| (1..n).map(move |_| message));
        content.extend(copies);
        content
    }

    /// Every message that occurs, once, in order of first occurrence.
    pub(crate) fn letters(&self) -> Vec<MessageId> {
        let mut letters: Vec<MessageId> = Vec::new();
        let tail = self.tail.iter().map(|&(message, _)| message);
        for message in self.front.iter().copied().chain(tail) {
            if !letters.contains(&message) {
                letters.push(message);
            }
        }
        letters
    }

    /// The greatest number of messages, if there is one: `most` says how many of a kind there can be, where that is
    /// known.
    pub(crate) fn longest(
        &self,
        look: Look,
        most: impl Fn(MessageId) -> Option<u32>,
    ) -> Option<u32> {
        let number = |&(message, count): &(MessageId, u32)| {
            if count < look.many() { Some(count) } else { most(message) }
        };
        let tail: Option<Vec<u32>> = self.tail.iter().map(number).collect();
        tail?.into_iter().try_fold(self.front.len() as u32, u32::checked_add)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    fn contents(n_letters: u32, longest: usize) -> Vec<Vec<MessageId>> {
        let mut all: Vec<Vec<MessageId>> = vec![Vec::new()];
        let mut from = 0;
        for _ in 0..longest {
            let to = all.len();
            for at in from..to {
                for letter in 0..n_letters {
                    let mut content = all[at].clone();
                    content.push(MessageId::from_raw(letter));
                    all.push(content);
                }
            }
            from = to;
        }
        all
    }

    const LOOKS: [(u32, u32); 8] = [(0, 0), (1, 0), (2, 0), (0, 1), (0, 2), (1, 1), (2, 1), (1, 2)];

    /// Against all contents that are long enough to show every case.
    #[test]
    fn taking_leaves_exactly_what_it_leaves_in_contents_that_look_alike() {
        for (prefix, counted) in LOOKS {
            let look = Look { prefix, counted };
            let n_letters = if counted > 1 { 2 } else { 3 };
            let longest = if n_letters == 2 { 10 } else { 8 };
            let skip_sets: Vec<Vec<u32>> = vec![vec![], vec![0], vec![1], vec![0, 1]];
            for skipped in skip_sets {
                let skips = |m: &MessageId| skipped.contains(&m.raw());
                let mut seen: BTreeMap<List, BTreeSet<List>> = BTreeMap::new();
                for content in contents(n_letters, longest) {
                    let Some(at) = content.iter().position(|m| !skips(m)) else { continue };
                    let mut rest = content.clone();
                    rest.remove(at);
                    seen.entry(look.of(&content)).or_default().insert(look.of(&rest));
                }
                let short = longest as u32 - 2;
                for (list, left) in seen {
                    let content = list.representative();
                    assert_eq!(look.of(&content), list);
                    if content.len() as u32 > short.saturating_sub(list.tail.len() as u32 * 2) {
                        continue;
                    }
                    let at = content.iter().position(|m| !skips(m)).expect("as in the others");
                    let taken: BTreeSet<List> = look.take(&list, at).into_iter().collect();
                    assert_eq!(taken, left, "{look:?} {list:?} without {at}");
                }
            }
        }
    }

    #[test]
    fn before_undoes_append() {
        for (prefix, counted) in LOOKS {
            let look = Look { prefix, counted };
            let mut after: BTreeMap<List, BTreeSet<(MessageId, List)>> = BTreeMap::new();
            let mut lists = BTreeSet::new();
            for content in contents(3, 6) {
                let list = look.of(&content);
                for letter in (0..3).map(MessageId::from_raw) {
                    let longer = look.append(&list, letter);
                    after.entry(longer).or_default().insert((letter, list.clone()));
                }
                lists.insert(list);
            }
            for list in lists {
                let before: BTreeSet<_> = look.before(&list).into_iter().collect();
                let expected = after.remove(&list).unwrap_or_default();
                assert_eq!(before, expected, "{look:?} {list:?}");
            }
        }
    }
}
