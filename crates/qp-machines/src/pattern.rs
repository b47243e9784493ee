//! Regular expressions over queue contents.

use crate::MessageId;

/// A set of queue contents, as a regular expression over messages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// The empty content.
    Empty,
    /// Any one message.
    Any,
    /// One of these messages.
    One(Vec<MessageId>),
    /// One after the other.
    Sequence(Vec<Self>),
    /// One of these.
    Choice(Vec<Self>),
    /// Any number of times, zero included.
    Star(Box<Self>),
}

impl Pattern {
    /// Whether the content is in the set. Takes time proportional to content times pattern.
    pub fn matches(&self, content: &[MessageId]) -> bool {
        let matcher = Matcher::new(self);
        let end = content.iter().fold(matcher.start(), |now, &m| matcher.step(&now, m));
        matcher.accepts(&end)
    }

    /// Adds the links that lead from the returned node to `to`. Recursion is as deep as the
    /// pattern is nested; parsers limit that.
    fn compile(&self, links: &mut Vec<Link>, to: usize) -> usize {
        if links.is_empty() {
            links.push(Link::Split(Vec::new()));
        }
        let mut add_link = |link| {
            links.push(link);
            links.len() - 1
        };
        match self {
            Self::Empty => to,
            Self::Any => add_link(Link::Message(None, to)),
            Self::One(messages) => add_link(Link::Message(Some(messages.clone()), to)),
            Self::Sequence(parts) => parts.iter().rev().fold(to, |to, p| p.compile(links, to)),
            Self::Choice(parts) => {
                let starts = parts.iter().map(|p| p.compile(links, to)).collect();
                links.push(Link::Split(starts));
                links.len() - 1
            }
            Self::Star(part) => {
                let turn = add_link(Link::Split(Vec::new()));
                let start = part.compile(links, turn);
                links[turn] = Link::Split(vec![start, to]);
                turn
            }
        }
    }
}

/// A pattern, ready to be matched one message after the other.
pub struct Matcher {
    links: Vec<Link>,
    start: usize,
}

/// How far a pattern has been matched. Equal states match the same contents from here on.
pub type Matched = Vec<usize>;

impl Matcher {
    /// Makes a pattern ready.
    pub fn new(pattern: &Pattern) -> Self {
        let mut links = Vec::new();
        let start = pattern.compile(&mut links, ACCEPT);
        Self { links, start }
    }

    /// Before the first message.
    pub fn start(&self) -> Matched {
        let mut now = Vec::new();
        add(&self.links, self.start, &mut now);
        now.sort_unstable();
        now
    }

    /// After one more message.
    pub fn step(&self, now: &Matched, message: MessageId) -> Matched {
        let mut next = Vec::new();
        for &node in now {
            if let Link::Message(of, to) = &self.links[node]
                && of.as_ref().is_none_or(|of| of.contains(&message))
            {
                add(&self.links, *to, &mut next);
            }
        }
        next.sort_unstable();
        next
    }

    /// Whether the content up to here is in the set.
    pub fn accepts(&self, now: &Matched) -> bool {
        now.contains(&ACCEPT)
    }
}

/// The node that means "matched".
const ACCEPT: usize = 0;

enum Link {
    /// Goes on to the node after one of the messages (any message for `None`).
    Message(Option<Vec<MessageId>>, usize),
    /// Goes on to all of the nodes at once.
    Split(Vec<usize>),
}

/// Adds a node and all that it goes on to without a message.
fn add(links: &[Link], node: usize, now: &mut Vec<usize>) {
    let mut todo = vec![node];
    while let Some(node) = todo.pop() {
        if now.contains(&node) {
            continue;
        }
        now.push(node);
        if let Link::Split(to) = &links[node] {
            todo.extend(to);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(a: u32) -> Pattern {
        Pattern::One(vec![MessageId::from_raw(a)])
    }

    #[test]
    fn matches_what_it_says() {
        let word = |letters: &[u32]| letters.iter().map(|&a| MessageId::from_raw(a)).collect();
        let check = |pattern: &Pattern, letters: &[u32], expect: bool| {
            let content: Vec<MessageId> = word(letters);
            assert_eq!(pattern.matches(&content), expect, "{pattern:?} on {letters:?}");
        };
        let ab_star = Pattern::Star(Box::new(Pattern::Sequence(vec![one(0), one(1)])));
        check(&ab_star, &[], true);
        check(&ab_star, &[0, 1, 0, 1], true);
        check(&ab_star, &[0, 1, 0], false);
        let last_is_b = Pattern::Sequence(vec![Pattern::Star(Box::new(Pattern::Any)), one(1)]);
        check(&last_is_b, &[0, 0, 1], true);
        check(&last_is_b, &[1, 0], false);
        let choice = Pattern::Choice(vec![one(0), Pattern::Empty]);
        check(&choice, &[], true);
        check(&choice, &[0], true);
        check(&choice, &[0, 0], false);
        check(&Pattern::Choice(vec![]), &[], false);
        let nested = Pattern::Star(Box::new(Pattern::Star(Box::new(one(0)))));
        check(&nested, &[0, 0], true);
    }
}
