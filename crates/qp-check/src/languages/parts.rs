//! Contents of queues as languages, for the meaning of steps.
//!
//! Who is asked here answers for all contents of a case at once. If there are several answers, one of them is given, the
//! case goes on without the contents that have another one, and those are asked anew from the beginning.

use qp_machines::{
    Config, Content as Named, Heed, MachineId, MessageId, Plain, QueueDomain, QueueId, Scan,
    System, Texts, Turn, WordId, Words,
};

use super::automaton::{Automaton, Done, Language, Letters, Question};
use super::within_limit;
use crate::{Checked, Refusal, wrong};

/// A set of configurations that agree but for what is in queues.
#[derive(Clone)]
pub(crate) struct Case {
    /// The number of its row.
    pub(crate) place: usize,
    /// One of them: its open queues are empty.
    pub(crate) config: Config,
    /// What each queue may hold; only the empty content if it is closed.
    pub(crate) languages: Vec<Language>,
}

/// Numbers of contents begin here: those that stand for themselves are smaller.
const FIRST: u32 = 1 << 30;

/// The cases into which a case falls by what is asked about its contents, each with what was found.
pub(crate) fn ask<T>(
    system: &mut System,
    case: &Case,
    mut ask: impl FnMut(&mut System, &mut Plain<'_>, &mut Probe) -> Checked<T>,
) -> Checked<Vec<(Case, T)>> {
    let (mut todo, mut found) = (vec![case.languages.clone()], Vec::new());
    let cells = system.cells(case.config.store);
    // Contents that steps begin with are numbered by their queues.
    let mut config = case.config.clone();
    for (word, number) in config.words.iter_mut().zip(FIRST..) {
        *word = if *word == WordId::CLOSED { *word } else { WordId::from_raw(number) };
    }
    while let Some(languages) = todo.pop() {
        system.go_on()?;
        let mut view = Plain { config: &config, cells: &cells };
        let mut probe = Probe::new(languages);
        let answer = ask(system, &mut view, &mut probe);
        if let Some(why) = probe.refused {
            return Err(why);
        }
        let languages = probe.languages;
        found.push((Case { languages, ..case.clone() }, answer?));
        todo.extend(probe.others);
        within_limit(todo.len() + found.len())?;
    }
    Ok(found)
}

/// The same for everything that a machine can do.
pub(crate) fn turns(
    system: &mut System,
    case: &Case,
    machine: MachineId,
    timeout: bool,
) -> Checked<Vec<(Case, Vec<Followed>)>> {
    ask(system, case, |system, view, probe| {
        let turns = system.turns_over(machine, timeout, view, probe);
        let refused = probe.refused.is_some();
        let followed = turns.into_iter().filter(|_| !refused);
        followed.map(|turn| probe.follow(system, &case.config, turn)).collect()
    })
}

/// A step of a case: where it leads, what queues may hold there, and by how much each of them gets longer.
pub(crate) struct Followed {
    pub(crate) turn: Turn,
    pub(crate) config: Config,
    pub(crate) languages: Vec<Language>,
    pub(crate) longer: Vec<i64>,
}

/// A content in the middle of a step.
#[derive(Clone, PartialEq)]
struct Content {
    queue: usize,
    /// Whether it was empty when the step began, or what its case says.
    is_new: bool,
    done: Vec<Done>,
    /// Whether a message was sorted into it, which is not followed.
    is_sorted: bool,
}

/// Somebody who is asked about the contents of a case.
pub(crate) struct Probe {
    languages: Vec<Language>,
    others: Vec<Vec<Language>>,
    /// By number: first what queues hold when the step begins.
    contents: Vec<Content>,
    /// What was taken that need not be in front, by the position that steps are told, with what stood before it.
    takes: Vec<(MessageId, Letters)>,
    refused: Option<Refusal>,
}

impl Probe {
    fn new(languages: Vec<Language>) -> Self {
        let content = |queue| Content { queue, is_new: false, done: Vec::new(), is_sorted: false };
        let contents = (0..languages.len()).map(content).collect();
        Self { languages, others: Vec::new(), contents, takes: Vec::new(), refused: None }
    }

    fn content(&self, (queue, word): Named) -> Content {
        match word.raw().checked_sub(FIRST) {
            Some(number) => self.contents[number as usize].clone(),
            None => {
                Content { queue: queue.index(), is_new: true, done: Vec::new(), is_sorted: false }
            }
        }
    }

    fn number(&mut self, content: Content) -> WordId {
        if let Err(why) = within_limit(self.contents.len() * content.done.len()) {
            self.refuse(why);
            return WordId::EMPTY;
        }
        let known = self.contents.iter().position(|it| *it == content);
        let number = known.unwrap_or_else(|| {
            self.contents.push(content);
            self.contents.len() - 1
        });
        WordId::from_raw(FIRST + number as u32)
    }

    /// What the content was when the step began.
    fn base(&self, content: &Content) -> Checked<Language> {
        if content.is_new {
            Automaton::word(&[])
        } else {
            Ok(self.languages[content.queue].clone())
        }
    }

    /// The messages that may be in a content.
    fn letters(&self, content: &Content) -> Letters {
        let mut letters = self.base(content).map_or_else(|_| Letters::new(), |it| it.letters());
        letters.extend(content.done.iter().filter_map(|done| match done {
            &Done::Put(message) => Some(message),
            Done::Took(..) => None,
        }));
        letters
    }

    /// The least answer that some contents have; the others are put aside.
    fn answer(&mut self, content: &Content, question: &Question) -> (Option<MessageId>, bool) {
        let split = self.base(content).and_then(|it| it.split(&content.done, question));
        let mut parts = match split {
            Ok(parts) if !content.is_sorted => parts.into_iter(),
            Ok(_) => return self.refuse("a step looks at a queue that it keeps sorted"),
            Err(why) => return self.refuse(why),
        };
        let Some((answer, first)) = parts.next() else {
            return self.refuse("a queue has no content");
        };
        for (_, other) in parts {
            let mut languages = self.languages.clone();
            languages[content.queue] = other;
            self.others.push(languages);
        }
        if !content.is_new {
            self.languages[content.queue] = first;
        }
        answer
    }

    fn refuse(&mut self, why: impl Into<Refusal>) -> (Option<MessageId>, bool) {
        self.refused.get_or_insert(why.into());
        (None, false)
    }

    /// What a step makes of the case.
    fn follow(&self, system: &mut System, before: &Config, turn: Turn) -> Checked<Followed> {
        let (_, mut config) = system.played(before, &turn);
        let mut longer = vec![0; config.words.len()];
        let mut languages = self.languages.clone();
        languages.resize(config.words.len(), Automaton::word(&[])?);
        let mut is_changed = false;
        for (queue, word) in config.words.iter_mut().enumerate() {
            if *word == WordId::CLOSED {
                languages[queue] = Automaton::word(&[])?;
                continue;
            }
            if word.raw() >= FIRST {
                let content = self.content((QueueId::new(queue), *word));
                if content.is_sorted {
                    return wrong("a queue is kept sorted");
                }
                languages[queue] = self.base(&content)?;
                for done in &content.done {
                    is_changed = true;
                    (languages[queue], longer[queue]) = match done {
                        Done::Put(message) => {
                            (languages[queue].append(*message)?, longer[queue] + 1)
                        }
                        Done::Took(message, _) => {
                            (languages[queue].remove(*message)?, longer[queue] - 1)
                        }
                    };
                }
            }
            *word = WordId::EMPTY;
        }
        // Where a sequence is interrupted that repeats itself depends on contents.
        if config.holder.is_some() && turn.acts().len() > 1 && is_changed {
            return wrong("a sequence that goes on alone is interrupted after it changed queues");
        }
        Ok(Followed { turn, config, languages, longer })
    }
}

impl QueueDomain for Probe {
    fn scan(
        &mut self,
        _: &mut Words,
        content: Named,
        heed: &mut dyn FnMut(MessageId) -> Heed,
    ) -> Scan {
        let content = self.content(content);
        let (mut taken, mut passed) = (Letters::new(), Letters::new());
        for message in self.letters(&content) {
            match heed(message) {
                Heed::Take => taken.insert(message),
                Heed::Skip => passed.insert(message),
                Heed::Stop => false,
            };
        }
        match self.answer(&content, &Question::FirstBut(passed.clone())).0 {
            None => Scan::Exhausted,
            Some(message) if !taken.contains(&message) => Scan::Stops(message),
            Some(message) if passed.is_empty() => Scan::Takes { position: 0, message },
            Some(message) => {
                self.takes.push((message, passed));
                Scan::Takes { position: self.takes.len() as u32, message }
            }
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
        let counted = self.letters(&content).into_iter().filter(|&message| counts(message));
        let question = Question::AtLeast(limit, counted.collect());
        !self.answer(&content, &question).1
    }

    fn shorter(&mut self, words: &mut Words, content: Named, limit: u32) -> bool {
        self.fewer(words, content, limit, &mut |_| true)
    }

    fn push(&mut self, _: &mut Words, content: Named, message: MessageId, _: Texts<'_>) -> WordId {
        let mut content = self.content(content);
        content.done.push(Done::Put(message));
        self.number(content)
    }

    fn insert(
        &mut self,
        _: &mut Words,
        content: Named,
        _: MessageId,
        _: &dyn Fn(MessageId) -> bool,
        _: Texts<'_>,
    ) -> WordId {
        let mut content = self.content(content);
        content.is_sorted = true;
        self.number(content)
    }

    fn remove(&mut self, _: &mut Words, content: Named, at: u32, _: Texts<'_>) -> Vec<WordId> {
        let mut content = self.content(content);
        let took = match at.checked_sub(1) {
            None => self.answer(&content, &Question::FirstBut(Letters::new())).0,
            Some(at) => Some(self.takes[at as usize].0),
        };
        let passed =
            at.checked_sub(1).map_or_else(Letters::new, |at| self.takes[at as usize].1.clone());
        match took {
            Some(message) => content.done.push(Done::Took(message, passed)),
            None => drop(self.refuse("a message is taken that is not there")),
        }
        vec![self.number(content)]
    }
}
