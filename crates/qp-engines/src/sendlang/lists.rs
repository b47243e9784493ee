//! Contents of which only the first messages are told apart: behind them stands each message once, in the order in which
//! they first occur.

use crate::lists::Look;
use qp_machines::{Content, MessageId, QueueDomain, Texts, WordId, Words};

/// More questions about one step to which a list has no answer are not followed.
const OPEN_MAX: usize = 10;

/// Lists as contents. A question about lengths to which a list has no answer is answered both ways, one after the other.
pub(super) struct Lists {
    look: Look,
    /// The answers to such questions, in order.
    answers: Vec<bool>,
    asked: usize,
    /// Whether messages were sorted in.
    pub(super) sorts: bool,
}

impl Lists {
    pub(super) fn new(prefix: u32) -> Self {
        Self { look: Look { prefix, counted: 0 }, answers: Vec::new(), asked: 0, sorts: false }
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

    /// Whether a list stands for one content only.
    fn is_known(&self, words: &Words, word: WordId) -> bool {
        words.len(word) <= self.look.prefix as usize
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
        if self.is_known(words, word) || n == 0 || n >= limit as usize {
            return n < limit as usize;
        }
        self.guess()
    }

    fn shorter(&mut self, words: &mut Words, (_, word): Content, limit: u32) -> bool {
        let n = words.len(word);
        let is_known = self.is_known(words, word) || n >= limit as usize;
        if is_known { n < limit as usize } else { self.guess() }
    }

    fn push(&mut self, words: &mut Words, of: Content, message: MessageId, _: Texts<'_>) -> WordId {
        let list = self.look.of(&words.messages(of.1));
        words.intern(&self.look.append(&list, message).representative())
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
        let lists = self.look.take(&self.look.of(&words.messages(word)), position as usize);
        lists.iter().map(|list| words.intern(&list.representative())).collect()
    }
}
