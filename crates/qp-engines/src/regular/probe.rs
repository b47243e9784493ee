//! Contents of queues as languages, for the meaning of steps: a part of all contents that is made smaller as it is asked.
//!
//! A question that does not have the same answer for all contents of the part makes the part smaller: one answer is
//! given, and the contents with other answers are put aside, to be asked anew from the beginning. The steps that are
//! found in the end are those of every content that is left.

use qp_automata::loops::Op;
use qp_automata::regular::{Language, Letter, Letters};
use qp_base::{Budget, Interner};
use qp_machines::{
    Content as Named, FailureId, Heed, MessageId, QueueDomain, QueueId, Scan, Texts, Turn, WordId,
    Words,
};

use super::observe::{Patterns, Question, Range, Reply, TOUCHES_MAX, Touch, reply_of};
use super::world::{Stop, message};

/// For each queue a language; nothing for all contents.
pub(super) type Part = Vec<Option<Language>>;

/// Numbers of contents begin here: those that stand for themselves are smaller.
const FIRST: u32 = 1 << 30;
/// A step in which there are more contents than this is not followed.
const CONTENTS_MAX: usize = 200;
/// More messages than this are not counted: an automaton that counts has a state for each.
pub(super) const COUNTED_MAX: u32 = 1_000;
/// Nor are more than this where there is no limit: whoever asks for a length would go on for ever.
const ENDLESS_MAX: u32 = 40;

/// A content in the middle of a step.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Touched {
    pub(super) queue: QueueId,
    /// Whether the step made the queue, so that it was empty. Otherwise it was what the part says.
    pub(super) is_new: bool,
    pub(super) touches: Vec<Touch>,
    /// Whether something was done that nobody can follow here.
    is_sorted: bool,
}

impl Touched {
    /// What was done, as if all of it were done at the ends of the queue.
    pub(super) fn ops(&self) -> impl Iterator<Item = (QueueId, Op)> + '_ {
        self.touches.iter().map(|touch| (self.queue, touch.op()))
    }
}

/// One thing that a machine can do in a part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Deed {
    /// The step; of contents, it says only which queues are closed.
    Leads {
        turn: Turn,
        touched: Vec<Touched>,
    },
    Fails(FailureId),
    GivesUp(FailureId),
    /// What it does is not followed.
    Refused(String),
}

/// The number that stands for what a queue holds when a step begins.
pub(super) fn held(queue: QueueId) -> WordId {
    WordId::from_raw(FIRST + queue.raw())
}

/// A part of all contents, and who asks about it.
pub(super) struct Probe<'a> {
    patterns: &'a mut Patterns,
    ranges: &'a [Range],
    automata: &'a Budget,
    /// Whether messages that stop somebody who looks are told apart.
    apart: bool,
    pub(super) part: Part,
    /// What was put aside.
    pub(super) others: Vec<Part>,
    /// By number: first what queues held in the beginning.
    contents: Interner<usize, Touched>,
    /// Why there is no answer.
    pub(super) stop: Option<Stop>,
}

impl<'a> Probe<'a> {
    pub(super) fn new(
        patterns: &'a mut Patterns,
        ranges: &'a [Range],
        automata: &'a Budget,
        apart: bool,
        part: Part,
    ) -> Self {
        let content = |queue| Touched {
            queue: QueueId::new(queue),
            is_new: false,
            touches: Vec::new(),
            is_sorted: false,
        };
        let mut contents = Interner::new();
        for queue in 0..ranges.len() {
            contents.intern(content(queue));
        }
        let (others, stop) = (Vec::new(), None);
        Self { patterns, ranges, automata, apart, part, others, contents, stop }
    }

    fn content(&self, (queue, word): Named) -> Touched {
        match word.raw().checked_sub(FIRST) {
            Some(number) => self.contents.value(number as usize).clone(),
            None => Touched { queue, is_new: true, touches: Vec::new(), is_sorted: false },
        }
    }

    /// The number of a content to which one more thing was done.
    fn touched(&mut self, mut content: Touched, touch: Option<Touch>) -> WordId {
        content.is_sorted |= touch.is_none();
        content.touches.extend(touch);
        if content.touches.len() > TOUCHES_MAX || self.contents.len() > CONTENTS_MAX {
            self.stop(Stop::outside("one step does too much to queues to be followed"));
        }
        if self.stop.is_some() {
            // Nobody uses what comes of it, and what does not change comes to an end soon.
            return if content.is_new { WordId::EMPTY } else { held(content.queue) };
        }
        WordId::from_raw(FIRST + self.contents.intern(content) as u32)
    }

    fn stop(&mut self, stop: Stop) {
        self.stop.get_or_insert(stop);
    }

    /// The letters that somebody may meet in a content.
    fn letters(&self, content: &Touched) -> Vec<Letter> {
        let mut letters: Vec<Letter> = match self.ranges.get(content.queue.index()) {
            Some(range) if !content.is_new => range.letters.to_vec(),
            _ => Vec::new(),
        };
        for touch in &content.touches {
            if let &Touch::Put(letter) = touch
                && !letters.contains(&letter)
            {
                letters.push(letter);
            }
        }
        letters
    }

    /// Answers a question, and makes the part smaller if there are several answers.
    fn reply(&mut self, content: &Touched, question: Question) -> Option<Reply> {
        if content.is_sorted {
            self.stop(Stop::outside("a step looks at a queue into which it has sorted a message"));
        }
        if self.stop.is_some() {
            return None;
        }
        if content.is_new {
            return Some(reply_of(&content.touches, &question));
        }
        match self.divided(content, question) {
            Ok(mut replies) => {
                // There is something in every part.
                let others = replies.split_off(1);
                let (reply, language) = replies.pop()?;
                let queue = content.queue.index();
                if !others.is_empty() {
                    let other = |(_, language)| {
                        let mut part = self.part.clone();
                        part[queue] = Some(language);
                        part
                    };
                    self.others.extend(others.into_iter().map(other));
                    self.part[queue] = Some(language);
                }
                Some(reply)
            }
            Err(stop) => {
                self.stop(stop);
                None
            }
        }
    }

    /// What takes the first message of a content.
    fn front(&mut self, content: &Touched) -> Option<Touch> {
        let (taken, stopping) = (self.letters(content), Vec::new());
        let question = Question::First { taken, stopping, apart: false };
        if let Some(Reply::Takes(letter)) = self.reply(content, question) {
            return Some(Touch::Take(letter, Letters::none()));
        }
        self.stop(Stop::outside("a message is taken that is not there"));
        None
    }

    /// The contents of the part by their answers.
    fn divided(
        &mut self,
        content: &Touched,
        question: Question,
    ) -> Result<Vec<(Reply, Language)>, Stop> {
        let queue = content.queue.index();
        let range = &self.ranges[queue];
        let limit = if let Question::Fewer(_, limit) = question { limit } else { 0 };
        if range.most.is_none() && limit > ENDLESS_MAX {
            return Err(Stop::outside("a step counts the messages of a queue that has no limit"));
        }
        if limit.max(range.most.unwrap_or(0)) > COUNTED_MAX {
            return Err(Stop::outside(format!(
                "a queue has room for more than {COUNTED_MAX} messages, and automata count them one by one"
            )));
        }
        let parts = self.patterns.parts(range, &content.touches, question, self.automata)?;
        let mut found = Vec::new();
        for (reply, pattern) in parts.iter() {
            let language = match &self.part[queue] {
                None => pattern.clone(),
                Some(part) => part.intersection(pattern, self.automata)?,
            };
            if !language.is_empty() {
                found.push((*reply, language));
            }
        }
        Ok(found)
    }

    /// A step as it is for everything that is left in the part.
    pub(super) fn deed(&self, turn: Turn) -> Deed {
        let (acts, mut after) = match turn {
            Turn::Does { acts, after } => (acts, after),
            Turn::Fails { failure, .. } => return Deed::Fails(failure),
            Turn::GivesUp { why } => return Deed::GivesUp(why),
        };
        let mut touched = Vec::new();
        for (queue, word) in std::mem::take(&mut after.words) {
            if word == WordId::CLOSED {
                after.words.push((queue, word));
            } else {
                touched.push(self.content((queue, word)));
            }
        }
        let refused = |because: &str| Deed::Refused(because.to_owned());
        if touched.iter().any(|content| content.is_sorted) {
            return refused("messages are sorted into a queue");
        }
        // A sequence is interrupted where it repeats itself, and that depends on contents.
        if after.holder.is_some() && acts.len() > 1 && !touched.is_empty() {
            return refused(
                "a sequence that goes on alone is interrupted after it has changed queues",
            );
        }
        Deed::Leads { turn: Turn::Does { acts, after }, touched }
    }
}

impl QueueDomain for Probe<'_> {
    fn scan(
        &mut self,
        _: &mut Words,
        content: Named,
        heed: &mut dyn FnMut(MessageId) -> Heed,
    ) -> Scan {
        let content = self.content(content);
        let [mut taken, mut stopping, mut skipped] = [const { Vec::new() }; 3];
        for letter in self.letters(&content) {
            match heed(message(letter)) {
                Heed::Take => taken.push(letter),
                Heed::Stop => stopping.push(letter),
                Heed::Skip => skipped.push(letter),
            }
        }
        let apart = self.apart;
        match self.reply(&content, Question::First { taken, stopping, apart }) {
            Some(Reply::Takes(letter)) if skipped.is_empty() => {
                Scan::Takes { position: 0, message: message(letter) }
            }
            Some(Reply::Takes(letter)) => {
                let position = self.patterns.position(letter, Letters::only(skipped));
                Scan::Takes { position, message: message(letter) }
            }
            Some(Reply::Stops(letter)) => Scan::Stops(message(letter)),
            _ => Scan::Exhausted,
        }
    }

    fn fewer(
        &mut self,
        _: &mut Words,
        content: Named,
        limit: u32,
        counts: &mut dyn FnMut(MessageId) -> bool,
    ) -> bool {
        let content = self.content(content);
        let mut counted = self.letters(&content);
        counted.retain(|&letter| counts(message(letter)));
        let question = Question::Fewer(Letters::only(counted), limit);
        self.reply(&content, question) != Some(Reply::Enough)
    }

    fn shorter(&mut self, _: &mut Words, content: Named, limit: u32) -> bool {
        let content = self.content(content);
        self.reply(&content, Question::Fewer(Letters::all(), limit)) != Some(Reply::Enough)
    }

    fn push(&mut self, _: &mut Words, content: Named, message: MessageId, _: Texts<'_>) -> WordId {
        let touch = Touch::Put(Letter::from_raw(message.raw()));
        self.touched(self.content(content), Some(touch))
    }

    fn insert(
        &mut self,
        _: &mut Words,
        content: Named,
        _: MessageId,
        _: &dyn Fn(MessageId) -> bool,
        _: Texts<'_>,
    ) -> WordId {
        self.touched(self.content(content), None)
    }

    fn remove(&mut self, _: &mut Words, content: Named, at: u32, _: Texts<'_>) -> Vec<WordId> {
        let content = self.content(content);
        let touch = self.patterns.take(at).or_else(|| self.front(&content));
        vec![touch.map_or(WordId::EMPTY, |touch| self.touched(content, Some(touch)))]
    }
}
