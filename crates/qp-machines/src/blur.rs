//! Queue contents that are not told apart.

use crate::{MessageId, Pattern, Program, QueueId, WordId, Words};

/// A coarser view of queue contents: many contents look like one, their representative.
///
/// The messages of a representative must be met in the same order, when a queue is looked through for the
/// first message that is not skipped, as those of every content that looks like it. What else depends
/// on the content is asked here.
pub trait Blur: Send {
    /// What the content of a queue looks like with one more message at the back.
    fn push(
        &mut self,
        words: &mut Words,
        program: &dyn Program,
        content: (QueueId, WordId),
        message: MessageId,
    ) -> WordId;

    /// What the content of a queue may look like once the message at `position` of the representative was
    /// taken.
    fn remove(
        &mut self,
        words: &mut Words,
        program: &dyn Program,
        content: (QueueId, WordId),
        position: usize,
    ) -> Vec<WordId>;

    /// Somebody asks whether there are fewer than `limit` messages in a queue, of those that are in
    /// `counted`: the ones of the representative that count.
    fn counts(
        &mut self,
        words: &Words,
        queue: QueueId,
        word: WordId,
        counted: &[MessageId],
        limit: u32,
    );

    /// Somebody may put a message somewhere else than at the back of this content.
    fn sorts(&mut self, words: &Words, content: (QueueId, WordId));

    /// What a content looks like into which a message was sorted.
    fn sorted(&mut self, words: &mut Words, longer: WordId) -> WordId;

    /// Whether some content that looks like this one matches.
    fn matches(&self, words: &Words, word: WordId, pattern: &Pattern) -> bool;
}
