//! Contents of which only the beginning is told apart.
//!
//! A list stands for all contents that begin with its first `prefix` messages and go on with messages that first occur
//! in the order of the rest of the list, each of them in between as often as one likes once it has occurred.

use qp_machines::{Config, Event, MessageId, System};

use crate::{Checked, Send, rejected, send_of};

/// Every step of everything that a row stands for, with what it sends and the row afterwards.
///
/// What a machine finds when it looks through a queue for a message that it does not skip is the same in all contents
/// that a list stands for, and in the list itself. So the steps are those of the row.
pub(crate) fn steps(
    system: &mut System,
    config: &Config,
    prefix: usize,
) -> Checked<Vec<(Option<Send>, Config)>> {
    let mut found = Vec::new();
    for outcome in system.successors(config) {
        let send = send_of(&outcome);
        let (queue, lists) = match outcome.event {
            Event::Sent { queue, message } => {
                let list = system.words().messages(config.word(queue));
                (queue, vec![push(list, prefix, message)])
            }
            Event::Took { queue, position, kept: false, .. } => {
                let list = system.words().messages(config.word(queue));
                (queue, remove(&list, prefix, position as usize))
            }
            // The run ends here.
            Event::Failed { .. } => continue,
            Event::Handshake { .. } | Event::Ended | Event::GaveUp { .. } => {
                return rejected("a step does something that is not treated");
            }
            // It changes no queue, but for one that is closed.
            _ => {
                found.push((send, outcome.config));
                continue;
            }
        };
        for list in lists {
            let mut after = outcome.config.clone();
            after.words[queue.index()] = system.words_mut().intern(&list);
            found.push((send, after));
        }
    }
    Ok(found)
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
