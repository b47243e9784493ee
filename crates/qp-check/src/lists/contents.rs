//! Questions about all contents that look like one of a set, each answered once.

use std::collections::BTreeMap;

use qp_base::{Map, Set};
use qp_claim::ListSet;
use qp_machines::{KindId, Matched, Matcher, MessageId, Pattern, QueueId, Texts, WordId, Words};

use super::formulas::{Formula, FormulaId, Formulas};
use super::looks::{Look, Sight};
use crate::{Checked, Refusal, wrong};

/// The contents of a set, and what is claimed of queues.
pub(crate) struct Contents {
    sight: Sight,
    formulas: Formulas,
    /// What is claimed of each queue of which something is claimed.
    claimed: Map<QueueId, FormulaId>,
    /// What is claimed of all others: nothing.
    nothing: FormulaId,
    /// What each content of the set looks like.
    looks: Map<WordId, Look>,
    /// The one content that looks like this: that of the set, if it has one.
    words: Map<Look, WordId>,
    possible: Map<(FormulaId, WordId), bool>,
    left: Map<(FormulaId, WordId, u32), Vec<WordId>>,
    sent: Map<(FormulaId, WordId, WordId), WordId>,
}

/// A content that is read from front to back together with what is left of it.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Taking {
    /// What is left, up to here, looks like this.
    left: Look,
    /// Whether the message was met that is taken.
    taken: bool,
    /// What is claimed of the whole, as far as it concerns the rest.
    whole_claim: FormulaId,
    /// What is claimed of what is left, as far as it concerns the rest.
    left_claim: FormulaId,
}

impl Contents {
    /// Checks that no two contents of the set look alike, and that what is claimed of queues is true of
    /// empty ones.
    pub(crate) fn new(
        interned: &Words,
        lists: &ListSet,
        contents: &[(WordId, KindId)],
    ) -> Checked<Self> {
        let sight = Sight { prefix: lists.prefix, counted: lists.counted };
        let (mut looks, mut words) = (Map::default(), Map::default());
        looks.insert(WordId::CLOSED, Look::default());
        // New queues are empty, whatever the rows hold.
        looks.insert(WordId::EMPTY, Look::default());
        words.insert(Look::default(), WordId::EMPTY);
        for &(word, _) in contents.iter().filter(|(word, _)| *word != WordId::CLOSED) {
            let look = sight.look(&interned.messages(word));
            if *words.entry(look.clone()).or_insert(word) != word {
                return wrong("two contents of the set look alike");
            }
            looks.insert(word, look);
        }
        let mut formulas = Formulas::default();
        let nothing = formulas.number(Formula::all([]))?;
        let mut by_queue: BTreeMap<QueueId, Vec<Formula>> = BTreeMap::new();
        for invariant in &lists.invariants {
            by_queue.entry(invariant.queue).or_default().push(Formula::of(&invariant.formula));
        }
        let mut claimed = Map::default();
        for (queue, all) in by_queue {
            let all = Formula::all(all);
            if !all.holds_of_nothing() {
                return wrong("an invariant is not true of the empty queue");
            }
            claimed.insert(queue, formulas.number(all)?);
        }
        let (possible, left, sent) = (Map::default(), Map::default(), Map::default());
        Ok(Self { sight, formulas, claimed, nothing, looks, words, possible, left, sent })
    }

    /// How much is told apart.
    pub(crate) fn sight(&self) -> Sight {
        self.sight
    }

    /// What a content of the set looks like.
    pub(crate) fn look(&self, word: WordId) -> &Look {
        &self.looks[&word]
    }

    /// Whether some content that looks like this one satisfies what is claimed of the queue.
    pub(crate) fn is_possible(
        &mut self,
        texts: Texts<'_>,
        queue: QueueId,
        word: WordId,
    ) -> Checked<bool> {
        let claim = self.claim(queue);
        if claim == self.nothing || word == WordId::CLOSED {
            return Ok(true);
        }
        if let Some(&known) = self.possible.get(&(claim, word)) {
            return Ok(known);
        }
        let ends = self.ends(texts, claim, word)?;
        let possible = ends.into_iter().any(|end| self.formulas.holds_of_nothing(end));
        self.possible.insert((claim, word), possible);
        Ok(possible)
    }

    /// The content that looks like `after`, which is `before` with one more message. What is
    /// claimed of the queue must stay true.
    pub(crate) fn sent(
        &mut self,
        (words, texts): (&Words, Texts<'_>),
        queue: QueueId,
        (before, after): (WordId, WordId),
        message: MessageId,
    ) -> Checked<WordId> {
        let claim = self.claim(queue);
        if let Some(&known) = self.sent.get(&(claim, before, after)) {
            return Ok(known);
        }
        if claim != self.nothing {
            self.check_send((words, texts), claim, (before, after), message)?;
        }
        let look = self.sight.look(&words.messages(after));
        let word = *self.words.entry(look.clone()).or_insert(after);
        self.looks.entry(word).or_insert(look);
        self.sent.insert((claim, before, after), word);
        Ok(word)
    }

    /// The contents that look like what may be left once the message at `position` was taken.
    /// What is claimed of the queue must stay true.
    ///
    /// In all contents that look like this one, what is taken is the first message of its kind, and only
    /// messages of the kinds that stand before it here stand before it there.
    pub(crate) fn left(
        &mut self,
        (words, texts): (&mut Words, Texts<'_>),
        queue: QueueId,
        word: WordId,
        position: u32,
    ) -> Checked<Vec<WordId>> {
        let claim = self.claim(queue);
        if let Some(known) = self.left.get(&(claim, word, position)) {
            return Ok(known.clone());
        }
        let content = words.messages(word);
        let (passed, taken) = (&content[..position as usize], content[position as usize]);
        let start =
            Taking { left: Look::default(), taken: false, whole_claim: claim, left_claim: claim };
        let (sight, formulas) = (self.sight, &mut self.formulas);
        let ends = sight.read_all(&self.looks[&word], start, |state, message| {
            let mut next = state.clone();
            next.whole_claim = formulas.after(texts, state.whole_claim, message)?;
            if !state.taken && message == taken {
                next.taken = true;
                return Ok(Some(next));
            }
            if !state.taken && !passed.contains(&message) {
                return Ok(None);
            }
            next.left_claim = formulas.after(texts, state.left_claim, message)?;
            sight.append(&mut next.left, message);
            Ok(Some(next))
        })?;
        let left = self.claimed_ends(words, ends)?;
        self.left.insert((claim, word, position), left.clone());
        Ok(left)
    }

    /// Whether some content that looks like this one matches and satisfies what is claimed of the queue.
    pub(crate) fn matches(
        &mut self,
        texts: Texts<'_>,
        queue: QueueId,
        word: WordId,
        pattern: &Pattern,
    ) -> Checked<bool> {
        if word == WordId::CLOSED {
            return Ok(pattern.matches(&[]));
        }
        let (claim, matcher) = (self.claim(queue), Matcher::new(pattern));
        let start: (FormulaId, Matched) = (claim, matcher.start());
        let formulas = &mut self.formulas;
        let ends = self.sight.read_all(&self.looks[&word], start, |(claim, now), message| {
            let claim = formulas.after(texts, *claim, message)?;
            Ok(Some((claim, matcher.step(now, message))))
        })?;
        Ok(ends
            .iter()
            .any(|(claim, now)| self.formulas.holds_of_nothing(*claim) && matcher.accepts(now)))
    }

    /// The content that stands for all that look like a word.
    pub(crate) fn representative(&mut self, words: &mut Words, word: WordId) -> WordId {
        let look = self.sight.look(&words.messages(word));
        self.word(words, look)
    }

    /// The content that looks like this: that of the set, if it has one. Others come up in the midst of steps.
    fn word(&mut self, words: &mut Words, look: Look) -> WordId {
        let word = *self.words.entry(look).or_insert_with_key(|look| words.intern(&look.content()));
        if !self.looks.contains_key(&word) {
            self.looks.insert(word, self.sight.look(&words.messages(word)));
        }
        word
    }

    fn claim(&self, queue: QueueId) -> FormulaId {
        self.claimed.get(&queue).copied().unwrap_or(self.nothing)
    }

    /// What remains of a claim behind the contents that look like this one.
    fn ends(
        &mut self,
        texts: Texts<'_>,
        claim: FormulaId,
        word: WordId,
    ) -> Checked<Vec<FormulaId>> {
        let formulas = &mut self.formulas;
        self.sight.read_all(&self.looks[&word], claim, |claim, message| {
            formulas.after(texts, *claim, message).map(Some)
        })
    }

    /// Whether a claim that is true of a content is still true once the message is sent.
    fn check_send(
        &mut self,
        (words, texts): (&Words, Texts<'_>),
        claim: FormulaId,
        (before, after): (WordId, WordId),
        message: MessageId,
    ) -> Checked<()> {
        let broken = Refusal::from("sending a message breaks an invariant");
        if self.looks[&before].is_all_front() {
            // The message may have been sorted in: there is only one content to look at.
            let stays = !self.is_true((words, texts), claim, before)?
                || self.is_true((words, texts), claim, after)?;
            return if stays { Ok(()) } else { Err(broken) };
        }
        for end in self.ends(texts, claim, before)? {
            let longer = self.formulas.after(texts, end, message)?;
            if self.formulas.holds_of_nothing(end) && !self.formulas.holds_of_nothing(longer) {
                return Err(broken);
            }
        }
        Ok(())
    }

    /// Whether a claim is true of one content.
    fn is_true(
        &mut self,
        (words, texts): (&Words, Texts<'_>),
        claim: FormulaId,
        word: WordId,
    ) -> Checked<bool> {
        let mut end = claim;
        for message in words.messages(word) {
            end = self.formulas.after(texts, end, message)?;
        }
        Ok(self.formulas.holds_of_nothing(end))
    }

    /// The contents for what is left of those that satisfy the claim.
    fn claimed_ends(&mut self, words: &mut Words, ends: Vec<Taking>) -> Checked<Vec<WordId>> {
        let (mut left, mut seen) = (Vec::new(), Set::default());
        for end in ends {
            if !self.formulas.holds_of_nothing(end.whole_claim) {
                continue;
            }
            if !self.formulas.holds_of_nothing(end.left_claim) {
                return wrong("taking a message breaks an invariant");
            }
            let word = self.word(words, end.left);
            if seen.insert(word) {
                left.push(word);
            }
        }
        Ok(left)
    }
}
