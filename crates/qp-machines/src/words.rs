//! Queue contents as small numbers.

use qp_base::Map;

use crate::{MessageId, WordId};

/// All queue contents met so far, as one shared trie.
///
/// A node is a content; its parent is the content without the last message. Appending is one table
/// look-up, and removing a message is remembered too, so that work per content is done once
/// however many configurations share it.
#[derive(Clone, Debug)]
pub struct Words {
    nodes: Vec<Node>,
    pushed: Map<(WordId, MessageId), WordId>,
    removed: Map<(WordId, u32), WordId>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    parent: WordId,
    last: MessageId,
    len: u32,
}

impl Words {
    /// Only the empty and the closed content.
    pub fn new() -> Self {
        let none = Node { parent: WordId::EMPTY, last: MessageId::from_raw(0), len: 0 };
        Self { nodes: vec![none, none], pushed: Map::default(), removed: Map::default() }
    }

    /// How many messages a content has.
    pub fn len(&self, word: WordId) -> usize {
        self.nodes[word.index()].len as usize
    }

    /// Whether a content has no message.
    pub fn is_empty(&self, word: WordId) -> bool {
        self.len(word) == 0
    }

    /// The content with one more message at the back.
    pub fn push(&mut self, word: WordId, message: MessageId) -> WordId {
        debug_assert!(word != WordId::CLOSED, "nothing is stored in a closed queue");
        let len = self.nodes[word.index()].len + 1;
        let nodes = &mut self.nodes;
        *self.pushed.entry((word, message)).or_insert_with(|| {
            nodes.push(Node { parent: word, last: message, len });
            WordId::new(nodes.len() - 1)
        })
    }

    /// The content without the message at `position`, counted from the front.
    pub fn remove(&mut self, word: WordId, position: usize) -> WordId {
        assert!(position < self.len(word), "a message is removed that is not there");
        let position = position as u32;
        // Contents grow at the back, so what comes before the last message was mostly asked about before.
        let (mut at, mut behind) = (word, Vec::new());
        let mut rest = loop {
            if let Some(&rest) = self.removed.get(&(at, position)) {
                break rest;
            }
            let node = self.nodes[at.index()];
            if node.len == position + 1 {
                break node.parent;
            }
            behind.push(at);
            at = node.parent;
        };
        for longer in behind.into_iter().rev() {
            rest = self.push(rest, self.nodes[longer.index()].last);
            self.removed.insert((longer, position), rest);
        }
        rest
    }

    /// The content with these messages, front first.
    pub fn intern(&mut self, messages: &[MessageId]) -> WordId {
        messages.iter().fold(WordId::EMPTY, |word, &message| self.push(word, message))
    }

    /// The messages of a content, front first.
    pub fn messages(&self, mut word: WordId) -> Vec<MessageId> {
        let mut messages = Vec::with_capacity(self.len(word));
        while !self.is_empty(word) {
            let node = self.nodes[word.index()];
            messages.push(node.last);
            word = node.parent;
        }
        messages.reverse();
        messages
    }

    /// How many contents were met.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }
}

impl Default for Words {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All contents over three letters up to length five: interning is injective, and removal
    /// agrees with removal from a vector.
    #[test]
    fn agrees_with_vectors_on_all_short_contents() {
        let mut words = Words::new();
        let mut all: Vec<Vec<MessageId>> = vec![vec![]];
        for i in 0.. {
            if i == all.len() || all[i].len() == 5 {
                break;
            }
            for a in 0..3 {
                let mut longer = all[i].clone();
                longer.push(MessageId::from_raw(a));
                all.push(longer);
            }
        }
        assert!(all.len() > 300);
        let mut seen = std::collections::BTreeSet::new();
        for content in &all {
            let word = words.intern(content);
            assert!(seen.insert(word), "two contents share a number");
            assert_eq!(words.messages(word), *content);
            for position in 0..content.len() {
                let mut rest = content.clone();
                rest.remove(position);
                let removed = words.remove(word, position);
                assert_eq!(words.messages(removed), rest);
                assert_eq!(words.remove(word, position), removed, "remembered differently");
            }
        }
    }
}
