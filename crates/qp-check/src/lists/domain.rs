//! What steps find in contents of which many look alike, and what they leave.
//!
//! A row stands for every content that looks like its own, so a question about a content must have the same answer for
//! all of them. Scans do: in contents that look alike messages occur for the first time in the same order. Numbers of
//! messages need not; where they do not, the step is refused.

use qp_machines::{Content, MessageId, Pattern, QueueDomain, Texts, WordId, Words, insert_word};

use super::contents::Contents;
use crate::{Checked, Refusal, wrong};

/// Contents up to how they look, while the steps of rows are worked out.
pub(crate) struct Looking<'a> {
    contents: &'a mut Contents,
    /// The answers to questions that have none, in order, as far as they are given.
    given: &'a [bool],
    /// How many such questions there were.
    asked: usize,
    /// Why a step cannot be checked.
    refused: Option<Refusal>,
}

impl<'a> Looking<'a> {
    pub(crate) fn new(contents: &'a mut Contents, given: &'a [bool]) -> Self {
        Self { contents, given, asked: 0, refused: None }
    }

    /// How many questions there were that contents which look alike answer differently.
    pub(crate) fn asked(self) -> Checked<usize> {
        self.refused.map_or(Ok(self.asked), Err)
    }

    /// Whether everything that was asked had one answer.
    pub(super) fn end(self) -> Checked<()> {
        match self.asked()? {
            0 => Ok(()),
            _ => wrong("a step counts messages that the set does not count"),
        }
    }

    fn refuse(&mut self, why: impl Into<Refusal>) {
        self.refused.get_or_insert(why.into());
    }
}

impl QueueDomain for Looking<'_> {
    fn fewer(
        &mut self,
        _: &mut Words,
        (_, word): Content,
        limit: u32,
        counts: &mut dyn FnMut(MessageId) -> bool,
    ) -> bool {
        let look = self.contents.look(word);
        let least = look.at_least(&mut *counts);
        if least < u64::from(limit) && self.contents.sight().number(look, counts).is_none() {
            self.asked += 1;
            return self.given.get(self.asked - 1).copied().unwrap_or(true);
        }
        least < u64::from(limit)
    }

    fn shorter(&mut self, words: &mut Words, content: Content, limit: u32) -> bool {
        // Of contents that look alike all are empty, or none is.
        if limit <= 1 {
            return words.len(content.1) < limit as usize;
        }
        self.fewer(words, content, limit, &mut |_| true)
    }

    fn push(
        &mut self,
        words: &mut Words,
        (queue, word): Content,
        message: MessageId,
        texts: Texts<'_>,
    ) -> WordId {
        let longer = words.push(word, message);
        let sent = self.contents.sent((words, texts), queue, (word, longer), message);
        sent.unwrap_or_else(|why| {
            self.refuse(why);
            word
        })
    }

    fn insert(
        &mut self,
        words: &mut Words,
        (queue, word): Content,
        message: MessageId,
        behind: &dyn Fn(MessageId) -> bool,
        texts: Texts<'_>,
    ) -> WordId {
        if !self.contents.look(word).is_all_front() {
            self.refuse("a message is sorted into a queue of which only the front is known");
            return word;
        }
        let longer = insert_word(words, word, message, behind);
        let sent = self.contents.sent((words, texts), queue, (word, longer), message);
        sent.unwrap_or_else(|why| {
            self.refuse(why);
            word
        })
    }

    fn remove(
        &mut self,
        words: &mut Words,
        (queue, word): Content,
        position: u32,
        texts: Texts<'_>,
    ) -> Vec<WordId> {
        let left = self.contents.left((words, texts), queue, word, position);
        left.unwrap_or_else(|why| {
            self.refuse(why);
            vec![word]
        })
    }

    fn matches(&self, _: &Words, _: WordId, pattern: &Pattern) -> bool {
        unreachable!("bug in Queueproof: no step matches {pattern:?}")
    }
}
