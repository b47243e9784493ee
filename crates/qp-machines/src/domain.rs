//! Queue domains: what the content of a queue is to whoever takes steps.
//!
//! The meaning of a step ([`crate::System::turns_over`]) never looks at contents itself. It asks three questions about
//! them and does three things to them, and a *domain* in the sense of abstract interpretation (Cousot and Cousot 1977)
//! answers: words for a search, lists for `converge`, languages for `regular`, and the referee's own for its checks.
//! So sending and receiving mean the same everywhere, whatever a content is.
//!
//! A content is a [`WordId`]. In a domain that does not tell all contents apart it is the number of a representative.

use crate::{MessageId, Pattern, QueueId, WordId, Words};

/// What somebody does about a message who looks through a queue from the front.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Heed {
    /// Takes it.
    Take,
    /// Leaves it where it is and looks at the next one.
    Skip,
    /// Looks no further.
    Stop,
}

/// What looking through a queue comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scan {
    /// This message is taken.
    Takes {
        /// Where it stands; 0 is the front.
        position: u32,
        /// Which.
        message: MessageId,
    },
    /// This message is in the way.
    Stops(MessageId),
    /// Every message was skipped, or there is none.
    Exhausted,
}

/// The text of a message, for domains in which something is known about messages by their names.
pub type Texts<'a> = &'a dyn Fn(MessageId) -> String;

/// The content of a queue.
pub type Content = (QueueId, WordId);

/// What contents of queues are, and what happens to them. What is said here is what it is for words: a domain of its
/// own must answer for every word that a content stands for, or keep in mind that it could not.
pub trait QueueDomain: Send {
    /// Looks through a content from the front: the first message that is not skipped decides.
    fn scan(
        &mut self,
        words: &mut Words,
        (_, word): Content,
        heed: &mut dyn FnMut(MessageId) -> Heed,
    ) -> Scan {
        scan_word(words, word, heed)
    }

    /// Whether a content has fewer than `limit` messages of those that count.
    fn fewer(
        &mut self,
        words: &mut Words,
        (_, word): Content,
        limit: u32,
        counts: &mut dyn FnMut(MessageId) -> bool,
    ) -> bool {
        words.messages(word).into_iter().filter(|&message| counts(message)).count() < limit as usize
    }

    /// Whether a content has fewer than `limit` messages.
    fn shorter(&mut self, words: &mut Words, (_, word): Content, limit: u32) -> bool {
        words.len(word) < limit as usize
    }

    /// A content with one more message at the back.
    fn push(
        &mut self,
        words: &mut Words,
        (_, word): Content,
        message: MessageId,
        texts: Texts<'_>,
    ) -> WordId {
        let _ = texts;
        words.push(word, message)
    }

    /// A content with one more message in front of the first of those that belong behind it.
    fn insert(
        &mut self,
        words: &mut Words,
        (_, word): Content,
        message: MessageId,
        behind: &dyn Fn(MessageId) -> bool,
        texts: Texts<'_>,
    ) -> WordId {
        let _ = texts;
        insert_word(words, word, message, behind)
    }

    /// What may be left of a content once the message at `position` was taken; never nothing.
    fn remove(
        &mut self,
        words: &mut Words,
        (_, word): Content,
        position: u32,
        texts: Texts<'_>,
    ) -> Vec<WordId> {
        let _ = texts;
        vec![words.remove(word, position as usize)]
    }

    /// Whether a content, or one that looks like it, matches.
    fn matches(&self, words: &Words, word: WordId, pattern: &Pattern) -> bool {
        pattern.matches(&words.messages(word))
    }
}

/// All contents are told apart.
#[derive(Clone, Copy, Debug)]
pub struct Exact;

impl QueueDomain for Exact {}

/// Looks through a word.
pub fn scan_word(words: &Words, word: WordId, heed: &mut dyn FnMut(MessageId) -> Heed) -> Scan {
    for (position, message) in words.messages(word).into_iter().enumerate() {
        match heed(message) {
            Heed::Take => return Scan::Takes { position: position as u32, message },
            Heed::Stop => return Scan::Stops(message),
            Heed::Skip => {}
        }
    }
    Scan::Exhausted
}

/// Sorts a message into a word.
pub fn insert_word(
    words: &mut Words,
    word: WordId,
    message: MessageId,
    behind: &dyn Fn(MessageId) -> bool,
) -> WordId {
    let mut messages = words.messages(word);
    let at = messages.iter().position(|&other| behind(other)).unwrap_or(messages.len());
    messages.insert(at, message);
    words.intern(&messages)
}
