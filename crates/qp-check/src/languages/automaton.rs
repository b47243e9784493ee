//! Languages: deterministic automata over messages, made by naive constructions.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use qp_machines::{Matcher, MessageId, Pattern};

use super::{Checked, within_limit};

/// What a queue may hold.
pub(crate) type Language = Arc<Automaton>;

/// A set of messages.
pub(crate) type Letters = BTreeSet<MessageId>;

/// One thing that was done to a content.
#[derive(Clone, PartialEq)]
pub(crate) enum Done {
    /// A message came to the back.
    Put(MessageId),
    /// A message was taken: the first that is not among these.
    Took(MessageId, Letters),
}

/// A question about a content.
pub(crate) enum Question {
    /// Which message is the first that is not among these?
    FirstBut(Letters),
    /// Are there so many of these?
    AtLeast(u32, Letters),
}

/// A message, or whether it is so.
pub(crate) type Answer = (Option<MessageId>, bool);

/// Somebody who reads a content message by message, as it is after all that was done to it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Reader {
    /// The things done that have taken their message.
    gone: BTreeSet<usize>,
    first: Option<MessageId>,
    count: u32,
}

impl Reader {
    /// Reads a message that was there when so many things had been done.
    fn read(&self, message: MessageId, done: &[Done], from: usize, question: &Question) -> Self {
        let mut next = self.clone();
        for (at, done) in done.iter().enumerate().skip(from) {
            if let Done::Took(_, passed) = done
                && !self.gone.contains(&at)
                && !passed.contains(&message)
            {
                next.gone.insert(at);
                return next;
            }
        }
        match question {
            Question::FirstBut(passed) if !passed.contains(&message) => {
                next.first = self.first.or(Some(message));
            }
            Question::AtLeast(limit, counted) if counted.contains(&message) => {
                next.count = (self.count + 1).min(*limit);
            }
            _ => {}
        }
        next
    }

    /// The answer if the content ends here.
    fn answer(&self, done: &[Done], question: &Question) -> Answer {
        let mut last = self.clone();
        for (at, it) in done.iter().enumerate() {
            if let &Done::Put(message) = it {
                last = last.read(message, done, at + 1, question);
            }
        }
        let enough = matches!(question, Question::AtLeast(limit, _) if last.count >= *limit);
        (last.first, enough)
    }
}

/// A set of contents. State 0 is the initial one.
///
/// Only [`Automaton::build`] makes one: it is the smallest for its language, every state is on the way to an
/// accepting one, and states are numbered in the order in which they are met. So equal languages are equal values.
/// The one for no content at all has a single state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Automaton {
    accepting: Vec<bool>,
    /// In the order of messages.
    steps: Vec<Vec<(MessageId, u32)>>,
}

impl Automaton {
    /// The automaton with all states that steps lead to. No state may have two steps with one message.
    pub(crate) fn build<S: Clone + Ord>(
        start: S,
        accepts: impl Fn(&S) -> bool,
        steps: impl Fn(&S) -> Vec<(MessageId, S)>,
    ) -> Checked<Language> {
        let mut places = BTreeMap::from([(start.clone(), 0)]);
        let mut states = vec![start];
        let mut raw = Self { accepting: Vec::new(), steps: Vec::new() };
        while let Some(state) = states.get(raw.steps.len()).cloned() {
            let mut out = steps(&state);
            out.sort();
            let mut number = |(message, next): (MessageId, S)| {
                let to = *places.entry(next.clone()).or_insert(states.len() as u32);
                if to as usize == states.len() {
                    states.push(next);
                }
                (message, to)
            };
            raw.steps.push(out.into_iter().map(&mut number).collect());
            raw.accepting.push(accepts(&state));
            within_limit(states.len())?;
        }
        Ok(Arc::new(raw.smallest()))
    }

    /// The content of these messages alone.
    pub(crate) fn word(word: &[MessageId]) -> Checked<Language> {
        let next = |&at: &usize| word.get(at).map(|&message| (message, at + 1));
        Self::build(0, |&at| at == word.len(), |at| next(at).into_iter().collect())
    }

    /// Whether there is no content at all.
    pub(crate) fn is_none(&self) -> bool {
        self.steps[0].is_empty() && !self.accepting[0]
    }

    /// The messages that occur.
    pub(crate) fn letters(&self) -> Letters {
        self.steps.iter().flatten().map(|&(message, _)| message).collect()
    }

    /// The length of the longest content, if there is one.
    pub(crate) fn longest(&self) -> Option<usize> {
        let mut layer = BTreeSet::from([0]);
        (0..self.steps.len()).find(|_| {
            layer = layer.iter().flat_map(|&state| self.out(state)).map(|&(_, to)| to).collect();
            layer.is_empty()
        })
    }

    /// Every content with one more message at the back.
    pub(crate) fn append(&self, last: MessageId) -> Checked<Language> {
        let mut letters = self.letters();
        letters.insert(last);
        // What goes on with the same message is told apart from what ends with it.
        let steps = |&(state, _): &(Option<u32>, bool)| {
            let ends = |m| m == last && state.is_some_and(|state| self.accepts(state));
            let next = |m| (state.and_then(|state| self.step(state, m)), ends(m));
            letters.iter().map(|&m| (m, next(m))).collect()
        };
        Self::build((Some(0), false), |&(_, ends)| ends, steps)
    }

    /// Every content that has the message, without the first of them.
    pub(crate) fn remove(&self, message: MessageId) -> Checked<Language> {
        // Where the content stands as long as the message has not come, and where it can stand if it has.
        let missing = |state: Option<u32>, mut gone: BTreeSet<u32>| {
            gone.extend(state.and_then(|state| self.step(state, message)));
            (state, gone)
        };
        let steps = |(state, gone): &(Option<u32>, BTreeSet<u32>)| {
            let step = |letter: MessageId| {
                let state = state.filter(|_| letter != message);
                let gone = gone.iter().filter_map(|&gone| self.step(gone, letter)).collect();
                (letter, missing(state.and_then(|state| self.step(state, letter)), gone))
            };
            self.letters().into_iter().map(step).collect()
        };
        let accepts = |(_, gone): &(_, BTreeSet<u32>)| gone.iter().any(|&gone| self.accepts(gone));
        Self::build(missing(Some(0), BTreeSet::new()), accepts, steps)
    }

    /// The contents that are in the other one too, or those that are not.
    pub(crate) fn agree(&self, other: &Self, too: bool) -> Checked<Language> {
        let steps = |&(state, at): &(u32, Option<u32>)| {
            let follow = |message| at.and_then(|at| other.step(at, message));
            self.out(state).iter().map(|&(message, to)| (message, (to, follow(message)))).collect()
        };
        let is_in = |at: Option<u32>| at.is_some_and(|at| other.accepts(at));
        Self::build((0, Some(0)), |&(state, at)| self.accepts(state) && is_in(at) == too, steps)
    }

    /// The contents that match.
    pub(crate) fn matching(&self, pattern: &Pattern) -> Checked<Language> {
        let matcher = Matcher::new(pattern);
        let steps = |(state, now): &(u32, _)| {
            let step = |&(message, to)| (message, (to, matcher.step(now, message)));
            self.out(*state).iter().map(step).collect()
        };
        let accepts = |(state, now): &(u32, _)| self.accepts(*state) && matcher.accepts(now);
        Self::build((0, matcher.start()), accepts, steps)
    }

    /// The contents by the answer to a question about what is left of them once all this was done; the least answer
    /// first.
    pub(crate) fn split(
        &self,
        done: &[Done],
        question: &Question,
    ) -> Checked<Vec<(Answer, Language)>> {
        let steps = |(state, reader): &(u32, Reader)| {
            let step = |&(message, to)| (message, (to, reader.read(message, done, 0, question)));
            self.out(*state).iter().map(step).collect()
        };
        let answers = RefCell::new(BTreeSet::new());
        let note = |(state, reader): &(u32, Reader)| {
            if self.accepts(*state) {
                answers.borrow_mut().insert(reader.answer(done, question));
            }
            false
        };
        Self::build((0, Reader::default()), note, steps)?;
        let part = |answer: Answer| {
            let accepts = |(state, reader): &(u32, Reader)| {
                self.accepts(*state) && reader.answer(done, question) == answer
            };
            Ok((answer, Self::build((0, Reader::default()), accepts, steps)?))
        };
        answers.into_inner().into_iter().map(part).collect()
    }

    fn accepts(&self, state: u32) -> bool {
        self.accepting[state as usize]
    }

    fn out(&self, state: u32) -> &[(MessageId, u32)] {
        &self.steps[state as usize]
    }

    fn step(&self, state: u32, message: MessageId) -> Option<u32> {
        self.out(state).iter().find(|step| step.0 == message).map(|&(_, to)| to)
    }

    /// Leaves out what leads nowhere, and makes one state of those that accept the same.
    fn smallest(mut self) -> Self {
        let live = self.live();
        for steps in &mut self.steps {
            steps.retain(|&(_, to)| live[to as usize]);
        }
        let mut classes: Vec<u32> = self.accepting.iter().map(|&accepts| accepts.into()).collect();
        loop {
            let (mut seen, mut finer) = (BTreeMap::new(), vec![0; classes.len()]);
            let mut least = Self { accepting: Vec::new(), steps: Vec::new() };
            for state in (0..classes.len()).filter(|&state| live[state] || state == 0) {
                let class = |&(message, to): &(MessageId, u32)| (message, classes[to as usize]);
                let steps: Vec<_> = self.steps[state].iter().map(class).collect();
                let new = seen.len() as u32;
                finer[state] = *seen.entry((classes[state], steps.clone())).or_insert(new);
                if finer[state] == new {
                    least.accepting.push(self.accepting[state]);
                    least.steps.push(steps);
                }
            }
            // Once nothing is split any more, the next round numbers classes as this one did.
            if classes == finer {
                return least;
            }
            classes = finer;
        }
    }

    /// The states from which a content is accepted.
    fn live(&self) -> Vec<bool> {
        let mut live = self.accepting.clone();
        loop {
            let before = live.clone();
            for state in (0..live.len()).rev() {
                live[state] |= self.steps[state].iter().any(|&(_, to)| live[to as usize]);
            }
            if live == before {
                return live;
            }
        }
    }
}
