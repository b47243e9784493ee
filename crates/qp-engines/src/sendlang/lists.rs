//! Contents of which only the first messages are told apart: behind them stands each message once, in the order in which
//! they first occur.

use qp_machines::{Content, MessageId, QueueDomain, Texts, WordId, Words};

/// More questions about one step to which a list has no answer are not followed.
const OPEN_MAX: usize = 10;

/// Lists as contents. A question about lengths to which a list has no answer is answered both ways, one after the other.
pub(super) struct Lists {
    prefix: usize,
    /// The answers to such questions, in order.
    answers: Vec<bool>,
    asked: usize,
    /// Whether messages were sorted in.
    pub(super) sorts: bool,
}

impl Lists {
    pub(super) fn new(prefix: usize) -> Self {
        Self { prefix, answers: Vec::new(), asked: 0, sorts: false }
    }

    /// Whether lists had an answer to everything.
    pub(super) fn is_certain(&self) -> bool {
        self.answers.is_empty()
    }

    /// Gets ready for the next answers, and says whether there are any left; an error if there are too many.
    pub(super) fn ask_again(&mut self) -> Result<bool, ()> {
        let too_many = self.asked > OPEN_MAX;
        self.answers.truncate(self.asked);
        self.asked = 0;
        while self.answers.last() == Some(&false) {
            self.answers.pop();
        }
        match self.answers.last_mut() {
            _ if too_many => Err(()),
            None => Ok(false),
            Some(last) => {
                *last = false;
                Ok(true)
            }
        }
    }

    fn guess(&mut self) -> bool {
        self.asked += 1;
        if self.answers.len() < self.asked {
            self.answers.push(true);
        }
        self.answers[self.asked - 1]
    }
}

impl QueueDomain for Lists {
    fn fewer(
        &mut self,
        words: &mut Words,
        (_, word): Content,
        limit: u32,
        counts: &mut dyn FnMut(MessageId) -> bool,
    ) -> bool {
        let n = words.messages(word).into_iter().filter(|&message| counts(message)).count();
        if words.len(word) <= self.prefix || n == 0 || n >= limit as usize {
            return n < limit as usize;
        }
        self.guess()
    }

    fn shorter(&mut self, words: &mut Words, (_, word): Content, limit: u32) -> bool {
        let n = words.len(word);
        if n <= self.prefix || n >= limit as usize { n < limit as usize } else { self.guess() }
    }

    fn push(&mut self, words: &mut Words, of: Content, message: MessageId, _: Texts<'_>) -> WordId {
        let list = push(&words.messages(of.1), self.prefix, message);
        words.intern(&list)
    }

    fn insert(
        &mut self,
        _: &mut Words,
        (_, word): Content,
        _: MessageId,
        _: &dyn Fn(MessageId) -> bool,
        _: Texts<'_>,
    ) -> WordId {
        self.sorts = true;
        word
    }

    fn remove(
        &mut self,
        words: &mut Words,
        (_, word): Content,
        position: u32,
        _: Texts<'_>,
    ) -> Vec<WordId> {
        let lists = take(&words.messages(word), self.prefix, position as usize);
        lists.iter().map(|list| words.intern(list)).collect()
    }
}

/// What a content looks like with one more message at the back.
pub(super) fn push(list: &[MessageId], prefix: usize, message: MessageId) -> Vec<MessageId> {
    let mut longer = list.to_vec();
    let known = list.len() >= prefix && list[prefix..].contains(&message);
    if !known {
        longer.push(message);
    }
    longer
}

/// What a content may look like once the first message was taken that looks like the one at `position`.
pub(super) fn take(list: &[MessageId], prefix: usize, position: usize) -> Vec<Vec<MessageId>> {
    let (front, back) = list.split_at(prefix.min(list.len()));
    let mut rest: Vec<MessageId> = Vec::with_capacity(list.len());
    // What may occur again, and behind what.
    let (again, at) = if position < front.len() {
        rest.extend(front.iter().enumerate().filter(|&(i, _)| i != position).map(|(_, &m)| m));
        rest.extend(back);
        let Some(&moved) = back.first() else { return vec![rest] };
        (moved, prefix)
    } else {
        rest.extend(list.iter().enumerate().filter(|&(i, _)| i != position).map(|(_, &m)| m));
        (list[position], position)
    };
    let mut all = vec![rest.clone()];
    for at in at..=rest.len() {
        let mut longer = rest.clone();
        longer.insert(at, again);
        all.push(longer);
    }
    all
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn look(content: &[MessageId], prefix: usize) -> Vec<MessageId> {
        content.iter().fold(Vec::new(), |list, &message| push(&list, prefix, message))
    }

    /// All contents over three messages up to length six: what is left of them looks like one of what `take` says, and
    /// nothing else is said.
    #[test]
    fn taking_is_the_best_that_can_be_said() {
        let mut contents: Vec<Vec<MessageId>> = vec![Vec::new()];
        let mut done = 0;
        while contents[done].len() < 6 {
            for message in 0..3 {
                let mut longer = contents[done].clone();
                longer.push(MessageId::from_raw(message));
                contents.push(longer);
            }
            done += 1;
        }
        for prefix in 0..3 {
            let views: BTreeSet<Vec<MessageId>> =
                contents.iter().map(|content| look(content, prefix)).collect();
            for view in views.iter().filter(|view| view.len() < 4) {
                for position in 0..view.len() {
                    let alike = contents.iter().filter(|content| look(content, prefix) == *view);
                    let left = alike.map(|content| {
                        let mut left = content.clone();
                        // Behind the prefix, the first of its kind is taken.
                        let at = if position < prefix {
                            position
                        } else {
                            let behind = content[prefix..].iter();
                            let mut behind = behind.enumerate();
                            prefix + behind.find(|(_, m)| **m == view[position]).unwrap().0
                        };
                        left.remove(at);
                        look(&left, prefix)
                    });
                    let left: BTreeSet<Vec<MessageId>> = left.collect();
                    let said: BTreeSet<Vec<MessageId>> =
                        take(view, prefix, position).into_iter().collect();
                    assert_eq!(said, left, "{view:?} at {position} with {prefix}");
                }
            }
        }
    }
}
