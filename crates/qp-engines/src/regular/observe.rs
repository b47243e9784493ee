//! Questions about contents of queues, and which contents have which answer: a partition into regular languages.
//!
//! Steps ask two things: what comes first when somebody looks through a content from the front, and whether there are
//! fewer messages than a limit. A step that does several things may ask about a content that it has changed itself.
//! What it did is a row of small machines through which every message goes on its way to whoever asks: one that takes a
//! message away lets pass those before it, and one that puts a message at the back adds it behind the last. So
//! the answer is always that of a deterministic automaton that reads the content as it was.

use std::sync::Arc;

use qp_automata::loops::Op;
use qp_automata::regular::{Builder, Language, Letter, Letters, StateId};
use qp_base::{Budget, Exhausted, Interner, Map, Spent};

use super::memo::Memory;

/// All contents that a queue can have.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Range {
    /// The letters that may be in it.
    pub(super) letters: Arc<[Letter]>,
    /// How many fit.
    pub(super) most: Option<u32>,
}

/// One thing that was done to a content.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Touch {
    /// A letter came to the back.
    Put(Letter),
    /// A letter was taken: the first that is not among these.
    Take(Letter, Letters),
}

impl Touch {
    /// The same at the front of a queue.
    pub(super) fn op(&self) -> Op {
        match *self {
            Self::Put(letter) => Op::Put(letter),
            Self::Take(letter, _) => Op::Take(letter),
        }
    }
}

/// A question about a content.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Question {
    /// What is the first letter that is taken, or that stops whoever looks? All others are passed over. Those that stop
    /// may be told apart.
    First { taken: Vec<Letter>, stopping: Vec<Letter>, apart: bool },
    /// Are there fewer than this of these letters?
    Fewer(Letters, u32),
}

/// What is answered. Steps that go on until something is found come to an end with the least answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Reply {
    Exhausted,
    Stops(Letter),
    Takes(Letter),
    Fewer,
    Enough,
}

impl Question {
    /// What is known after one more letter; in the beginning, 0.
    fn read(&self, known: u32, letter: Letter) -> u32 {
        match self {
            Self::First { taken, stopping, apart } => {
                let find = |letters: &[Letter]| letters.iter().position(|&it| it == letter);
                match (known, find(taken), find(stopping)) {
                    (0, Some(at), _) => 1 + at as u32,
                    (0, None, Some(at)) => (1 + taken.len() + if *apart { at } else { 0 }) as u32,
                    _ => known,
                }
            }
            Self::Fewer(counted, limit) => {
                known + u32::from(known < *limit && counted.contains(letter))
            }
        }
    }

    /// The answer if nothing comes any more.
    fn reply(&self, known: u32) -> Reply {
        match self {
            Self::First { taken, stopping, .. } => match (known as usize).checked_sub(1) {
                None => Reply::Exhausted,
                Some(at) if at < taken.len() => Reply::Takes(taken[at]),
                Some(at) => Reply::Stops(stopping[at - taken.len()]),
            },
            Self::Fewer(_, limit) if known < *limit => Reply::Fewer,
            Self::Fewer(..) => Reply::Enough,
        }
    }
}

/// Somebody who reads a content: how many letters came if that matters, which messages were taken, and what is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Reader {
    length: u32,
    gone: u64,
    known: u32,
}

impl Reader {
    /// Lets a letter through what was done from some time on.
    fn hear(&mut self, letter: Letter, touches: &[Touch], from: usize, question: &Question) {
        for (at, touch) in touches.iter().enumerate().skip(from) {
            if let Touch::Take(_, before) = touch
                && self.gone >> at & 1 == 0
                && !before.contains(letter)
            {
                self.gone |= 1 << at;
                return;
            }
        }
        self.known = question.read(self.known, letter);
    }

    /// The answer if the content ends here.
    fn reply(mut self, touches: &[Touch], question: &Question) -> Reply {
        for (at, touch) in touches.iter().enumerate() {
            if let &Touch::Put(letter) = touch {
                self.hear(letter, touches, at + 1, question);
            }
        }
        question.reply(self.known)
    }
}

/// More than this is not done to one queue in one step.
pub(super) const TOUCHES_MAX: usize = 60;

/// The contents of a range by the answer to a question about what became of them.
fn partition(
    range: &Range,
    touches: &[Touch],
    question: &Question,
    automata: &Budget,
) -> Result<Vec<(Reply, Language)>, Exhausted> {
    let first = Reader { length: 0, gone: 0, known: 0 };
    let (mut numbers, mut readers) = (Map::default(), vec![first]);
    numbers.insert(first, 0);
    let mut edges: Vec<(usize, Letter, usize)> = Vec::new();
    let mut next = 0;
    while let Some(&reader) = readers.get(next) {
        automata.check(Spent { states: readers.len() as u64, bytes: 0 })?;
        let letters = if range.most == Some(reader.length) { &[][..] } else { &range.letters };
        for &letter in letters {
            let mut after = reader;
            after.length += u32::from(range.most.is_some());
            after.hear(letter, touches, 0, question);
            let to = *numbers.entry(after).or_insert(readers.len());
            if to == readers.len() {
                readers.push(after);
            }
            edges.push((next, letter, to));
        }
        next += 1;
    }
    let replies: Vec<Reply> =
        readers.iter().map(|reader| reader.reply(touches, question)).collect();
    let mut kinds = replies.clone();
    kinds.sort_unstable();
    kinds.dedup();
    let language = |reply: Reply| {
        let mut builder = Builder::new();
        let mut states = vec![builder.start()];
        states.extend((1..readers.len()).map(|_| builder.state()));
        for &(from, letter, to) in &edges {
            builder.edge(states[from], letter, states[to]);
        }
        let accepting = |(_, own): &(&StateId, &Reply)| **own == reply;
        for (&state, _) in states.iter().zip(&replies).filter(accepting) {
            builder.accept(state);
        }
        Ok((reply, Language::from_nfa(&builder.build(), automata)?))
    };
    kinds.into_iter().map(language).collect()
}

/// The answer for a content that was made of nothing.
pub(super) fn reply_of(touches: &[Touch], question: &Question) -> Reply {
    Reader { length: 0, gone: 0, known: 0 }.reply(touches, question)
}

/// Answers that were worked out before.
#[derive(Default)]
pub(super) struct Patterns {
    known: Memory<(Range, Vec<Touch>, Question), Parts>,
    /// What was taken, by the position that steps are told.
    takes: Interner<usize, (Letter, Letters)>,
}

type Parts = Arc<[(Reply, Language)]>;

impl Patterns {
    /// The contents of a range by the answer to a question about what became of them, with the least answer first.
    pub(super) fn parts(
        &mut self,
        range: &Range,
        touches: &[Touch],
        question: Question,
        automata: &Budget,
    ) -> Result<Parts, Exhausted> {
        let question = (range.clone(), touches.to_vec(), question);
        self.known.get(question, |(range, touches, question)| {
            Ok(partition(range, touches, question, automata)?.into())
        })
    }

    /// All contents of a range.
    pub(super) fn all(&mut self, range: &Range, automata: &Budget) -> Result<Language, Exhausted> {
        let parts = self.parts(range, &[], Question::Fewer(Letters::all(), 0), automata)?;
        Ok(parts[0].1.clone())
    }

    /// The number of a way to take a letter that need not be in front; that is 0.
    pub(super) fn position(&mut self, letter: Letter, before: Letters) -> u32 {
        self.takes.intern((letter, before)) as u32 + 1
    }

    /// The way to take a letter with this number.
    pub(super) fn take(&self, position: u32) -> Option<Touch> {
        let (letter, before) = self.takes.value(position.checked_sub(1)? as usize).clone();
        Some(Touch::Take(letter, before))
    }
}
