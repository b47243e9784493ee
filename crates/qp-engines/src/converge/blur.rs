//! A system whose queues are told apart as lists.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use qp_base::Map;
use qp_claim::QueueInvariant;
use qp_machines::{
    Content, Matched, Matcher, MessageId, Pattern, QueueDomain, QueueId, Texts, WordId, Words,
    insert_word,
};

use super::possible::{Is, ListTable, Reader, appending, taking};
use super::truth::{Naming, Truth};
use crate::lists::{List, Look};

/// Contents of queues as lists, with what is known of them.
pub(super) struct Lists {
    look: Look,
    invariants: Vec<QueueInvariant>,
    naming: Naming,
    table: ListTable,
    /// What is known of a queue in which only these messages occur.
    readers: Map<(QueueId, Vec<MessageId>), Reader>,
    /// What representatives look like.
    looks: Map<WordId, List>,
    pushed: Map<(Option<QueueId>, WordId, MessageId), WordId>,
    removed: Map<(Option<QueueId>, WordId, usize), Vec<WordId>>,
    notes: Arc<Mutex<Notes>>,
}

/// What came up on the way.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Notes {
    /// Invariants that a step may break, by number.
    pub(super) broken: BTreeSet<usize>,
    /// Something depends on more of a content than is told apart.
    pub(super) doubt: Option<Doubt>,
    /// There are more beginnings of one list than the checker can look at.
    pub(super) too_wide: bool,
}

/// So many messages in all beginnings of one list are as much as the checker looks at without complaint.
const WIDE: u64 = 500_000;

/// What depends on more of a content than is told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Doubt {
    /// Whether there are fewer than so many messages.
    Counts { limit: u32 },
    /// Where a message belongs that is sorted in.
    Sorts,
}

impl Doubt {
    /// In the user's words.
    pub(super) fn text(self) -> String {
        match self {
            Self::Counts { limit } => format!(
                "the model asks whether there are fewer than {limit} messages in a queue that may hold any number"
            ),
            Self::Sorts => "messages are sorted into queues (!!), not put at their back".to_owned(),
        }
    }
}

impl Lists {
    /// Everything else is asked of the notes, which stay with the caller.
    pub(super) fn new(
        look: Look,
        invariants: Vec<QueueInvariant>,
        notes: Arc<Mutex<Notes>>,
    ) -> Self {
        Self {
            look,
            invariants,
            naming: Naming::default(),
            table: ListTable::new(look),
            readers: Map::default(),
            looks: Map::default(),
            pushed: Map::default(),
            removed: Map::default(),
            notes,
        }
    }

    fn list(&mut self, words: &Words, word: WordId) -> List {
        let look = self.look;
        self.looks.entry(word).or_insert_with(|| look.of(&words.messages(word))).clone()
    }

    fn word(&mut self, words: &mut Words, list: &List) -> WordId {
        let beginnings = u64::from(self.look.many()).saturating_pow(list.tail.len() as u32);
        if beginnings.saturating_mul(list.letters().len() as u64 + 1) > WIDE {
            lock(&self.notes).too_wide = true;
        }
        let word = words.intern(&list.representative());
        self.looks.entry(word).or_insert_with(|| list.clone());
        word
    }

    /// Queues about which nothing is known have their answers in common.
    fn key(&self, queue: QueueId) -> Option<QueueId> {
        self.invariants.iter().any(|invariant| invariant.queue == queue).then_some(queue)
    }

    /// Follows contents of a queue of which something is known and in which only the messages of a list occur, and notes
    /// the invariants that `follow` breaks.
    fn follow<T>(
        &mut self,
        texts: Texts<'_>,
        (queue, list): (QueueId, &List),
        follow: impl FnOnce(&mut ListTable, &mut Reader, &mut Is<'_>) -> (T, BTreeSet<usize>),
    ) -> Option<T> {
        let (letters, naming) = (list.letters(), &mut self.naming);
        let known = self.readers.remove(&(queue, letters.clone()));
        let mut reader = known.unwrap_or_else(|| {
            let mut truth = Truth::default();
            for (number, invariant) in self.invariants.iter().enumerate() {
                if invariant.queue == queue {
                    let mut occurs =
                        |name: &str| letters.iter().any(|&letter| naming.is(texts, name, letter));
                    truth.add(&invariant.formula, number, &mut occurs);
                }
            }
            Reader::new(truth)
        });
        let found = (!reader.is_trivial()).then(|| {
            let mut is = |name: &str, message| naming.is(texts, name, message);
            let (found, broken) = follow(&mut self.table, &mut reader, &mut is);
            if !broken.is_empty() {
                lock(&self.notes).broken.extend(broken);
            }
            found
        });
        self.readers.insert((queue, letters), reader);
        found
    }

    fn doubt(&self, doubt: Doubt) {
        lock(&self.notes).doubt.get_or_insert(doubt);
    }
}

/// Nobody panics while holding the notes.
pub(super) fn lock(notes: &Mutex<Notes>) -> MutexGuard<'_, Notes> {
    notes.lock().unwrap_or_else(PoisonError::into_inner)
}

impl QueueDomain for Lists {
    fn push(
        &mut self,
        words: &mut Words,
        (queue, word): Content,
        message: MessageId,
        texts: Texts<'_>,
    ) -> WordId {
        let key = (self.key(queue), word, message);
        if let Some(&known) = self.pushed.get(&key) {
            return known;
        }
        let list = self.list(words, word);
        let longer = self.look.append(&list, message);
        if key.0.is_some() {
            self.follow(texts, (queue, &longer), |table, reader, is| {
                ((), appending(table, reader, &list, message, is))
            });
        }
        let after = self.word(words, &longer);
        self.pushed.insert(key, after);
        after
    }

    fn remove(
        &mut self,
        words: &mut Words,
        (queue, word): Content,
        position: u32,
        texts: Texts<'_>,
    ) -> Vec<WordId> {
        let position = position as usize;
        let key = (self.key(queue), word, position);
        if let Some(known) = self.removed.get(&key) {
            return known.clone();
        }
        let list = self.list(words, word);
        let mut left = self.look.take(&list, position);
        if key.0.is_some() {
            let possible = self.follow(texts, (queue, &list), |table, reader, is| {
                taking(table, reader, (&list, position), left.clone(), is)
            });
            left = possible.unwrap_or(left);
        }
        let after: Vec<WordId> = left.iter().map(|list| self.word(words, list)).collect();
        self.removed.insert(key, after.clone());
        after
    }

    fn fewer(
        &mut self,
        words: &mut Words,
        (_, word): Content,
        limit: u32,
        counts: &mut dyn FnMut(MessageId) -> bool,
    ) -> bool {
        let mut counted = words.messages(word);
        counted.retain(|&message| counts(message));
        // The representative is a shortest content: the others have as many at least.
        if counted.len() as u64 >= u64::from(limit) {
            return false;
        }
        let list = self.list(words, word);
        let many = |&(message, count): &(MessageId, u32)| {
            count == self.look.many() && counted.contains(&message)
        };
        if list.tail.iter().any(many) {
            self.doubt(Doubt::Counts { limit });
        }
        true
    }

    fn shorter(&mut self, words: &mut Words, content: Content, limit: u32) -> bool {
        // Contents that look alike are all empty, or none of them is.
        if limit <= 1 {
            return words.len(content.1) < limit as usize;
        }
        self.fewer(words, content, limit, &mut |_| true)
    }

    fn insert(
        &mut self,
        words: &mut Words,
        (queue, word): Content,
        message: MessageId,
        behind: &dyn Fn(MessageId) -> bool,
        _: Texts<'_>,
    ) -> WordId {
        // Only where the whole content stands at the front is it known where the message belongs.
        if !self.list(words, word).tail.is_empty() || self.key(queue).is_some() {
            self.doubt(Doubt::Sorts);
        }
        let longer = insert_word(words, word, message, behind);
        let list = self.list(words, longer);
        self.word(words, &list)
    }

    fn matches(&self, words: &Words, word: WordId, pattern: &Pattern) -> bool {
        some_match(self.look, &self.look.of(&words.messages(word)), pattern)
    }
}

/// Whether some content that looks like this matches.
fn some_match(look: Look, list: &List, pattern: &Pattern) -> bool {
    let matcher = Matcher::new(pattern);
    let (letters, parts) = (list.letters(), beginnings(look, list));
    let mut seen: BTreeSet<(List, Matched)> = BTreeSet::new();
    let mut todo = vec![(List::default(), matcher.start())];
    while let Some((part, matched)) = todo.pop() {
        if part == *list && matcher.accepts(&matched) {
            return true;
        }
        for &letter in &letters {
            let next = (look.append(&part, letter), matcher.step(&matched, letter));
            if parts.contains(&next.0) && seen.insert(next.clone()) {
                todo.push(next);
            }
        }
    }
    false
}

/// What the beginnings of contents look like that look like this.
fn beginnings(look: Look, list: &List) -> BTreeSet<List> {
    let mut found = BTreeSet::from([list.clone()]);
    let mut todo = vec![list.clone()];
    while let Some(list) = todo.pop() {
        for (_, before) in look.before(&list) {
            if found.insert(before.clone()) {
                todo.push(before);
            }
        }
    }
    found
}
