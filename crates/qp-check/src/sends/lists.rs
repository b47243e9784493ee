//! Contents of which only the beginning is told apart.
//!
//! A list stands for all contents that begin with its first `prefix` messages and go on with messages that first occur
//! in the order of the rest of the list, each of them in between as often as one likes once it has occurred.

use qp_machines::{
    Config, Content, MachineId, MessageId, QueueDomain, System, Texts, Turn, WordId, Words,
};

use crate::sends::{Checked, Send, rejected, send_of};

/// More questions about one step to which a list has no answer are refused.
const OPEN_MAX: usize = 10;

/// Every step of everything that a row stands for, with what it sends and the row afterwards.
///
/// What a machine finds when it looks through a queue for a message that it does not skip is the same in all contents
/// that a list stands for, and in the list itself. Whether there are fewer messages than some number may differ: then
/// both answers are tried. What waits until nothing else is possible does so while somebody can move whatever the
/// answers are.
pub(crate) fn steps(
    system: &mut System,
    config: &Config,
    prefix: usize,
) -> Checked<Vec<(Option<Send>, Config)>> {
    let (mut found, mut is_sure) = (Vec::new(), false);
    for timeout in [false, true] {
        if is_sure {
            break;
        }
        let mut todo: Vec<(MachineId, Vec<bool>)> = Vec::new();
        todo.extend(config.machines().map(|machine| (machine, Vec::new())));
        while let Some((machine, given)) = todo.pop() {
            let mut lists = Lists { prefix, given, asked: 0 };
            let turns = system.turns_with(config, machine, timeout, &mut lists);
            if lists.asked > OPEN_MAX {
                return rejected("a queue is kept sorted, or a step asks too much of lengths");
            }
            if lists.asked > lists.given.len() {
                let answers = |answer| (machine, [&lists.given[..], &[answer]].concat());
                todo.extend([true, false].map(answers));
                continue;
            }
            is_sure |= lists.given.is_empty() && !turns.is_empty();
            for turn in &turns {
                match turn {
                    Turn::Does { acts, .. } => {
                        let send = send_of(machine, acts.iter().map(|act| act.event))?;
                        found.push((send, system.played(config, turn).1));
                    }
                    // The run ends here.
                    Turn::Fails { .. } => {}
                    Turn::GivesUp { .. } => return rejected("nobody knows what a step leads to"),
                }
            }
        }
    }
    Ok(found)
}

/// Lists as contents.
struct Lists {
    prefix: usize,
    /// The answers to questions that a list leaves open, in order, as far as they are given.
    given: Vec<bool>,
    /// How many such questions there were.
    asked: usize,
}

impl QueueDomain for Lists {
    fn fewer(
        &mut self,
        words: &mut Words,
        (_, word): Content,
        limit: u32,
        counts: &mut dyn FnMut(MessageId) -> bool,
    ) -> bool {
        let list = words.messages(word);
        let n = list.iter().filter(|&&message| counts(message)).count();
        // Each message behind the prefix may be there more than once.
        if list.len() <= self.prefix || n == 0 || n >= limit as usize {
            return n < limit as usize;
        }
        self.asked += 1;
        self.given.get(self.asked - 1).copied().unwrap_or(true)
    }

    fn shorter(&mut self, words: &mut Words, of: Content, limit: u32) -> bool {
        self.fewer(words, of, limit, &mut |_| true)
    }

    fn push(&mut self, words: &mut Words, of: Content, message: MessageId, _: Texts<'_>) -> WordId {
        let list = words.messages(of.1);
        let is_known = list.len() >= self.prefix && list[self.prefix..].contains(&message);
        if is_known { of.1 } else { words.push(of.1, message) }
    }

    fn insert(
        &mut self,
        _: &mut Words,
        of: Content,
        _: MessageId,
        _: &dyn Fn(MessageId) -> bool,
        _: Texts<'_>,
    ) -> WordId {
        self.asked = OPEN_MAX + 1;
        of.1
    }

    /// What may be left once the first message at this position of the list is taken.
    fn remove(&mut self, words: &mut Words, of: Content, at: u32, _: Texts<'_>) -> Vec<WordId> {
        let (mut left, at) = (words.messages(of.1), at as usize);
        let taken = left.remove(at);
        let mut all = vec![words.intern(&left)];
        // What may occur once more: what was taken from behind the prefix, or what moves up into it.
        let again = if at < self.prefix { left.get(self.prefix - 1).copied() } else { Some(taken) };
        for place in again.map_or(0..0, |_| at.max(self.prefix)..left.len() + 1) {
            let longer = [&left[..place], again.as_slice(), &left[place..]].concat();
            all.push(words.intern(&longer));
        }
        all
    }
}
