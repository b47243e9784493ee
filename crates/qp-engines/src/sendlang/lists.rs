//! Contents of which only the first messages are told apart: behind them stands each message once, in the order in which
//! they first occur.

use qp_machines::MessageId;

/// What a content looks like with one more message at the back.
pub(super) fn push(list: &[MessageId], prefix: usize, message: MessageId) -> Vec<MessageId> {
    let mut longer = list.to_vec();
    let known = list.len() >= prefix && list[prefix..].contains(&message);
    if !known {
        longer.push(message);
    }
    longer
}

/// What a content may look like once the first message was taken that looks like the one at `position`.
pub(super) fn take(list: &[MessageId], prefix: usize, position: usize) -> Vec<Vec<MessageId>> {
    let (front, back) = list.split_at(prefix.min(list.len()));
    let mut rest: Vec<MessageId> = Vec::with_capacity(list.len());
    // What may occur again, and behind what.
    let (again, at) = if position < front.len() {
        rest.extend(front.iter().enumerate().filter(|&(i, _)| i != position).map(|(_, &m)| m));
        rest.extend(back);
        let Some(&moved) = back.first() else { return vec![rest] };
        (moved, prefix)
    } else {
        rest.extend(list.iter().enumerate().filter(|&(i, _)| i != position).map(|(_, &m)| m));
        (list[position], position)
    };
    let mut all = vec![rest.clone()];
    for at in at..=rest.len() {
        let mut longer = rest.clone();
        longer.insert(at, again);
        all.push(longer);
    }
    all
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn look(content: &[MessageId], prefix: usize) -> Vec<MessageId> {
        content.iter().fold(Vec::new(), |list, &message| push(&list, prefix, message))
    }

    /// All contents over three messages up to length six: what is left of them looks like one of what `take` says, and
    /// nothing else is said.
    #[test]
    fn taking_is_the_best_that_can_be_said() {
        let mut contents: Vec<Vec<MessageId>> = vec![Vec::new()];
        let mut done = 0;
        while contents[done].len() < 6 {
            for message in 0..3 {
                let mut longer = contents[done].clone();
                longer.push(MessageId::from_raw(message));
                contents.push(longer);
            }
            done += 1;
        }
        for prefix in 0..3 {
            let views: BTreeSet<Vec<MessageId>> =
                contents.iter().map(|content| look(content, prefix)).collect();
            for view in views.iter().filter(|view| view.len() < 4) {
                for position in 0..view.len() {
                    let alike = contents.iter().filter(|content| look(content, prefix) == *view);
                    let left = alike.map(|content| {
                        let mut left = content.clone();
                        // Behind the prefix, the first of its kind is taken.
                        let at = if position < prefix {
                            position
                        } else {
                            let behind = content[prefix..].iter();
                            let mut behind = behind.enumerate();
                            prefix + behind.find(|(_, m)| **m == view[position]).unwrap().0
                        };
                        left.remove(at);
                        look(&left, prefix)
                    });
                    let left: BTreeSet<Vec<MessageId>> = left.collect();
                    let said: BTreeSet<Vec<MessageId>> =
                        take(view, prefix, position).into_iter().collect();
                    assert_eq!(said, left, "{view:?} at {position} with {prefix}");
                }
            }
        }
    }
}
