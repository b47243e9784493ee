//! Contents of which only the beginning is told apart.
//!
//! A list stands for all contents that begin with its first `prefix` messages and go on with messages that first occur
//! in the order of the rest of the list, each of them in between as often as one likes once it has occurred.

use qp_machines::{
    Config, Content, MachineId, MessageId, QueueDomain, System, Texts, Turn, WordId, Words,
};

use crate::{Checked, Send, rejected, sends_in};

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
    let mut found = Vec::new();
    for timeout in [false, true] {
        let mut is_sure = false;
        for machine in config.machines() {
            is_sure |= steps_of(system, (config, machine, timeout), prefix, &mut found)?;
        }
        if is_sure {
            break;
        }
    }
    Ok(found)
}

/// Adds the steps of one machine, and returns whether it can move for certain.
fn steps_of(
    system: &mut System,
    (config, machine, timeout): (&Config, MachineId, bool),
    prefix: usize,
    found: &mut Vec<(Option<Send>, Config)>,
) -> Checked<bool> {
    let mut is_sure = false;
    let mut todo = vec![Vec::new()];
    while let Some(answers) = todo.pop() {
        let mut lists = Lists { prefix, given: answers.clone(), asked: 0, sorts: false };
        let turns = system.turns_with(config, machine, timeout, &mut lists);
        if lists.sorts || answers.len() > OPEN_MAX {
            return rejected("a queue is kept sorted, or too many answers are tried");
        }
        if lists.asked > answers.len() {
            todo.extend([true, false].map(|answer| [&answers[..], &[answer]].concat()));
            continue;
        }
        is_sure |= answers.is_empty() && !turns.is_empty();
        for turn in &turns {
            match turn {
                Turn::Does { acts, .. } => {
                    found.push((sends_in(acts)?, system.played(config, turn).1));
                }
                // The run ends here.
                Turn::Fails { .. } => {}
                Turn::GivesUp { .. } => return rejected("nobody knows what a step leads to"),
            }
        }
    }
    Ok(is_sure)
}

/// Lists as contents.
struct Lists {
    prefix: usize,
    /// The answers to questions that a list leaves open, in order, as far as they are given.
    given: Vec<bool>,
    /// How many such questions there were.
    asked: usize,
    sorts: bool,
}

impl Lists {
    fn answer(&mut self) -> bool {
        self.asked += 1;
        self.given.get(self.asked - 1).copied().unwrap_or(true)
    }
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
        let is_exact = list.len() <= self.prefix || n == 0;
        if is_exact || n >= limit as usize { n < limit as usize } else { self.answer() }
    }

    fn shorter(&mut self, words: &mut Words, of: Content, limit: u32) -> bool {
        self.fewer(words, of, limit, &mut |_| true)
    }

    fn push(&mut self, words: &mut Words, of: Content, message: MessageId, _: Texts<'_>) -> WordId {
        let list = push(words.messages(of.1), self.prefix, message);
        words.intern(&list)
    }

    fn insert(
        &mut self,
        _: &mut Words,
        of: Content,
        _: MessageId,
        _: &dyn Fn(MessageId) -> bool,
        _: Texts<'_>,
    ) -> WordId {
        self.sorts = true;
        of.1
    }

    fn remove(&mut self, words: &mut Words, of: Content, at: u32, _: Texts<'_>) -> Vec<WordId> {
        let lists = remove(&words.messages(of.1), self.prefix, at as usize);
        lists.iter().map(|list| words.intern(list)).collect()
    }
}

/// The list with one more message at the back.
fn push(mut list: Vec<MessageId>, prefix: usize, message: MessageId) -> Vec<MessageId> {
    if list.len() < prefix || !list[prefix..].contains(&message) {
        list.push(message);
    }
    list
}

/// What may be left once the first message at `position` of the list is taken.
fn remove(list: &[MessageId], prefix: usize, position: usize) -> Vec<Vec<MessageId>> {
    let mut left = list.to_vec();
    // The message that may occur once more: what was taken from behind the prefix, or what moves up into it.
    let again = if position >= prefix {
        Some(left.remove(position))
    } else {
        left.remove(position);
        left.get(prefix - 1).copied()
    };
    let Some(again) = again else { return vec![left] };
    let from = position.max(prefix);
    let mut all: Vec<Vec<MessageId>> = (from..=left.len())
        .map(|at| {
            let mut longer = left.clone();
            longer.insert(at, again);
            longer
        })
        .collect();
    all.push(left);
    all
}
