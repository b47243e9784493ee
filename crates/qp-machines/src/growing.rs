//! Contents of which only the beginning is known: queues that grow while a loop is repeated.
//!
//! In the next turn of a loop a queue that grows holds what it holds now, and then more. A step is the same in every turn
//! if it is there whatever the answers are to questions that the beginning does not decide. So it is asked for again
//! and again, with each answer that is possible.

use crate::domain::{Content, Heed, QueueDomain, Scan, Texts, scan_word};
use crate::{Config, MessageId, Outcome, QueueId, System, WordId, Words};

/// So many ways in which questions can be answered are tried.
const WAYS_MAX: usize = 256;

/// A queue that grows, with the messages that may come behind what it holds.
pub type Growth = (QueueId, Vec<MessageId>);

impl System {
    /// Whether a step that is possible in `config` without a timeout is possible, and does the same, whatever comes
    /// behind the contents of the queues that grow. `false` where that cannot be said.
    pub fn persists(&mut self, config: &Config, outcome: &Outcome, grow: &[Growth]) -> bool {
        let machine = outcome.step.machine;
        let same = |now: &Outcome| {
            let grows = |queue: QueueId| grow.iter().any(|(it, _)| *it == queue);
            let mut after = now.config.clone();
            for queue in after.queues().filter(|&queue| grows(queue)) {
                after.words[queue.index()] = outcome.config.word(queue);
            }
            (now.event, &now.acts, &after) == (outcome.event, &outcome.acts, &outcome.config)
        };
        let mut answers = Vec::new();
        for _ in 0..WAYS_MAX {
            let mut domain = Growing { grow, answers, asked: 0, sorts: false };
            let outcomes = self.outcomes_over(config, machine, false, &mut domain);
            if domain.sorts || !outcomes.iter().any(same) {
                return false;
            }
            answers = domain.answers;
            answers.truncate(domain.asked);
            if !next_way(&mut answers) {
                return true;
            }
        }
        false
    }
}

/// Goes on to the next way of answering: the last question that has another answer gets it.
fn next_way(answers: &mut Vec<(usize, usize)>) -> bool {
    while let Some((answer, n)) = answers.pop() {
        if answer + 1 < n {
            answers.push((answer + 1, n));
            return true;
        }
    }
    false
}

/// Contents that are told apart, but for what comes behind them in queues that grow.
struct Growing<'a> {
    grow: &'a [Growth],
    /// Which of how many answers is given to each question that is open, in the order in which they are asked.
    answers: Vec<(usize, usize)>,
    asked: usize,
    /// Whether a message is sorted into a queue that grows.
    sorts: bool,
}

impl<'a> Growing<'a> {
    fn more(&self, queue: QueueId) -> Option<&'a [MessageId]> {
        self.grow.iter().find(|(it, _)| *it == queue).map(|(_, more)| &more[..])
    }

    /// The answer to a question that has so many.
    fn choose(&mut self, n: usize) -> usize {
        if self.asked == self.answers.len() {
            self.answers.push((0, n));
        }
        self.asked += 1;
        self.answers[self.asked - 1].0
    }
}

impl QueueDomain for Growing<'_> {
    fn scan(
        &mut self,
        words: &mut Words,
        (queue, word): Content,
        heed: &mut dyn FnMut(MessageId) -> Heed,
    ) -> Scan {
        let scan = scan_word(words, word, heed);
        let Some(more) = self.more(queue).filter(|_| scan == Scan::Exhausted) else { return scan };
        let position = words.len(word) as u32;
        let mut possible = vec![scan];
        possible.extend(more.iter().filter_map(|&message| match heed(message) {
            Heed::Take => Some(Scan::Takes { position, message }),
            Heed::Stop => Some(Scan::Stops(message)),
            Heed::Skip => None,
        }));
        possible[self.choose(possible.len())]
    }

    fn fewer(
        &mut self,
        words: &mut Words,
        (queue, word): Content,
        limit: u32,
        counts: &mut dyn FnMut(MessageId) -> bool,
    ) -> bool {
        let present = words.messages(word).into_iter().filter(|&message| counts(message)).count();
        let fewer = present < limit as usize;
        let may_grow = self.more(queue).is_some_and(|more| more.iter().any(|&it| counts(it)));
        if fewer && may_grow { self.choose(2) == 0 } else { fewer }
    }

    fn shorter(&mut self, words: &mut Words, content: Content, limit: u32) -> bool {
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
        self.sorts |= self.more(queue).is_some();
        crate::insert_word(words, word, message, behind)
    }

    fn remove(
        &mut self,
        words: &mut Words,
        (_, word): Content,
        position: u32,
        _: Texts<'_>,
    ) -> Vec<WordId> {
        // What comes behind is not written down, so nothing is missing when it is taken.
        let is_there = (position as usize) < words.len(word);
        vec![if is_there { words.remove(word, position as usize) } else { word }]
    }
}
