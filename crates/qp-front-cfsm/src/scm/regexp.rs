//! Contents of all channels at once, taken apart into contents of each.

use qp_base::{Complaints, Diagnostic, Map};
use qp_machines::{MessageId, Pattern};

use crate::codes;
use crate::names::{did_you_mean, quoted};

use super::ast::{Regexp, Word};

/// Writing out the choices around separators multiplies them.
const CASES_MAX: usize = 1000;
const NODES_MAX: usize = 100_000;

/// One way to satisfy an expression: a pattern for each piece between separators. Never empty.
pub(super) type Pieces = Vec<Pattern>;

/// Takes an expression apart at its separators.
pub(super) struct Splitter<'a, 't> {
    pub(super) messages: &'a Map<&'t str, MessageId>,
    /// The messages in order, for suggestions.
    pub(super) alphabet: &'a [Word<'t>],
    pub(super) complaints: &'a mut Complaints,
    /// Nodes of patterns made so far, for the whole text.
    pub(super) nodes: usize,
}

/// Too many cases or nodes; reported once, by the caller.
#[derive(Debug)]
pub(super) struct TooLarge;

impl<'t> Splitter<'_, 't> {
    pub(super) fn split(&mut self, regexp: &Regexp<'t>) -> Result<Vec<Pieces>, TooLarge> {
        match regexp {
            Regexp::Empty => Ok(vec![vec![Pattern::Empty]]),
            Regexp::Separator => Ok(vec![vec![Pattern::Empty, Pattern::Empty]]),
            Regexp::Message(word) => {
                let message = self.message(*word);
                Ok(vec![vec![Pattern::One(message.into_iter().collect())]])
            }
            Regexp::Sequence(parts) => self.sequence(parts),
            Regexp::Choice(parts) => self.choice(parts),
            Regexp::Star(part, span) | Regexp::Plus(part, span) => {
                if has_separator(part) {
                    let message = "`#` is repeated, but the number of channels is fixed";
                    let error = Diagnostic::error(codes::SEPARATORS, message, *span);
                    let help = "write the contents of each channel between its own `#`";
                    self.complaints.push(error.help(help));
                    return Ok(Vec::new());
                }
                let inside = self.one(part)?;
                let star = Pattern::Star(Box::new(inside.clone()));
                let pattern = if matches!(regexp, Regexp::Plus(..)) {
                    self.spend(size(&inside))?;
                    Pattern::Sequence(vec![inside, star])
                } else {
                    star
                };
                Ok(vec![vec![pattern]])
            }
        }
    }

    /// An expression without separators is one pattern.
    fn one(&mut self, regexp: &Regexp<'t>) -> Result<Pattern, TooLarge> {
        let mut ways: Vec<Pattern> = self.split(regexp)?.into_iter().flatten().collect();
        match ways.pop() {
            Some(only) if ways.is_empty() => Ok(only),
            last => {
                ways.extend(last);
                Ok(Pattern::Choice(ways))
            }
        }
    }

    fn choice(&mut self, parts: &[Regexp<'t>]) -> Result<Vec<Pieces>, TooLarge> {
        if let [only] = parts {
            return self.split(only);
        }
        let mut all = Vec::new();
        let mut plain = Vec::new();
        for part in parts {
            if has_separator(part) {
                all.extend(self.split(part)?);
            } else {
                plain.push(self.one(part)?);
            }
        }
        if !plain.is_empty() {
            all.push(vec![Pattern::Choice(plain)]);
        }
        if all.len() > CASES_MAX { Err(TooLarge) } else { Ok(all) }
    }

    /// Every way of the left with every way of the right; the pieces that meet are joined.
    fn sequence(&mut self, parts: &[Regexp<'t>]) -> Result<Vec<Pieces>, TooLarge> {
        let mut all: Vec<Pieces> = vec![vec![Pattern::Empty]];
        for part in parts {
            let ways = self.split(part)?;
            if all.len() * ways.len() > CASES_MAX {
                return Err(TooLarge);
            }
            if let ([left], [right]) = (&mut *all, &*ways) {
                join(left, right);
                continue;
            }
            let mut next = Vec::new();
            for left in &all {
                for right in &ways {
                    let mut joined = left.clone();
                    join(&mut joined, right);
                    self.spend(joined.iter().map(size).sum())?;
                    next.push(joined);
                }
            }
            all = next;
        }
        Ok(all)
    }

    /// Takes from the allowance for the whole text.
    pub(super) fn spend(&mut self, nodes: usize) -> Result<(), TooLarge> {
        self.nodes = self.nodes.saturating_add(nodes);
        if self.nodes > NODES_MAX { Err(TooLarge) } else { Ok(()) }
    }

    fn message(&mut self, word: Word<'t>) -> Option<MessageId> {
        let found = self.messages.get(word.text).copied();
        if found.is_none() {
            unknown_message(word, self.alphabet, self.complaints);
        }
        found
    }
}

pub(super) fn unknown_message(word: Word<'_>, alphabet: &[Word<'_>], complaints: &mut Complaints) {
    let names = alphabet.iter().map(|word| word.text);
    let help = did_you_mean(word.text, names, "declare it: `parameters : real name ;`");
    let text = format!("there is no message {}", quoted(word.text));
    complaints.error(codes::UNKNOWN, text, word.span, help);
}

/// Appends pieces: the last one on the left and the first one on the right are one piece.
fn join(left: &mut Pieces, right: &[Pattern]) {
    let [first, rest @ ..] = right else { return };
    match left.pop() {
        None | Some(Pattern::Empty) => left.push(first.clone()),
        Some(last) if *first == Pattern::Empty => left.push(last),
        Some(Pattern::Sequence(mut parts)) => {
            parts.push(first.clone());
            left.push(Pattern::Sequence(parts));
        }
        Some(last) => left.push(Pattern::Sequence(vec![last, first.clone()])),
    }
    left.extend_from_slice(rest);
}

fn has_separator(regexp: &Regexp<'_>) -> bool {
    match regexp {
        Regexp::Separator => true,
        Regexp::Empty | Regexp::Message(_) => false,
        Regexp::Sequence(parts) | Regexp::Choice(parts) => parts.iter().any(has_separator),
        Regexp::Star(part, _) | Regexp::Plus(part, _) => has_separator(part),
    }
}

fn size(pattern: &Pattern) -> usize {
    match pattern {
        Pattern::Empty | Pattern::Any | Pattern::One(_) => 1,
        Pattern::Sequence(parts) | Pattern::Choice(parts) => {
            1 + parts.iter().map(size).sum::<usize>()
        }
        Pattern::Star(part) => 1 + size(part),
    }
}
