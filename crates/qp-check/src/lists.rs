//! Sets in which contents that look alike are one: that what all of them can do leads to rows.
//!
//! A row stands for every configuration whose contents look like those of the row and satisfy what is
//! claimed of the queues. All of these can do what the row's own configuration can do, if they agree on
//! every question about contents; the domain of `domain.rs` sees to that, and works out what a step leaves in a queue
//! for all contents that look alike. What a step is, the one step function says, for every language.

mod contents;
mod domain;
mod formulas;
mod looks;

use qp_base::{Map, Set};
use qp_claim::ListSet;
use qp_machines::{Atom, Config, Outcome, Pattern, QueueId, System, Texts, WordId};

pub(crate) use self::contents::Contents;
pub(crate) use self::domain::Looking;
use crate::cover::Cover;
use crate::invariant::Question;
use crate::rows::Rows;
use crate::{Checked, wrong};

/// A set of lists that was checked.
pub(crate) struct Lists {
    rows: Rows,
    contents: Contents,
}

impl Lists {
    /// Checks the set: every step from everything that a row stands for leads to something that a row
    /// stands for, and so does the beginning.
    pub(crate) fn check(system: &mut System, lists: &ListSet) -> Checked<Self> {
        let mut rows = Rows::read(system, &lists.set)?;
        let mut contents = Contents::new(system.words(), lists, rows.contents())?;
        rows.close(system, |system, _, config| {
            if !is_possible(system, &mut contents, config)? {
                return Ok(None);
            }
            let mut domain = Looking::new(&mut contents, &[]);
            let outcomes = system.successors_over(config, &mut domain);
            domain.end().map(|()| Some(outcomes))
        })?;
        Ok(Self { rows, contents })
    }

    /// No row stands for a configuration in the bad situation. Each condition on a queue may be met by a
    /// content of its own: more than can happen, never less.
    fn check_bad(&mut self, system: &System, number: usize) -> Checked<()> {
        let bad = &system.program().outline().bad[number];
        let mut known = Map::default();
        let texts: Texts<'_> = &|message| system.program().message_text(message);
        let Self { rows, contents } = self;
        let mut may_hold = |config: &Config, atom: &Atom, place: (usize, usize)| match atom {
            Atom::Control(..) => Checked::Ok(atom.holds(system, config)),
            Atom::Content(queue, pattern) => {
                let Some(&word) = config.words.get(queue.index()) else { return Ok(false) };
                if let Some(&known) = known.get(&(place, word)) {
                    return Ok(known);
                }
                let matches = contents.matches(texts, *queue, word, pattern)?;
                known.insert((place, word), matches);
                Ok(matches)
            }
        };
        rows.each(|_, config| {
            for (i, case) in bad.cases.iter().enumerate() {
                let mut holds = true;
                for (j, atom) in case.iter().enumerate() {
                    holds = holds && may_hold(config, atom, (i, j))?;
                }
                if holds {
                    return wrong(format!("the set has a fault: bad situation {number}"));
                }
            }
            Ok(())
        })
    }

    /// No content of one queue, or of all, has more than `bound` messages: all that look like it have equally many and
    /// not more, or what is claimed of the queue lets none be longer.
    fn check_lengths(
        &mut self,
        system: &System,
        queue: Option<QueueId>,
        bound: Option<u32>,
    ) -> Checked<()> {
        let most = bound.unwrap_or(LENGTH_MAX).min(LENGTH_MAX);
        let mut longer = vec![Pattern::Any; most as usize + 1];
        longer.push(Pattern::Star(Box::new(Pattern::Any)));
        let texts: Texts<'_> = &|message| system.program().message_text(message);
        let (longer, mut short) = (Pattern::Sequence(longer), Set::default());
        let Self { rows, contents } = self;
        rows.each(|_, config| {
            for each in config.queues().filter(|&each| queue.is_none_or(|queue| each == queue)) {
                let word = config.word(each);
                if !short.insert((each, word)) {
                    continue;
                }
                let fits = match contents.sight().number(contents.look(word), |_| true) {
                    Some(length) => bound.is_none_or(|bound| length <= u64::from(bound)),
                    None => !contents.matches(texts, each, word, &longer)?,
                };
                if !fits {
                    return wrong(format!("{each:?} may have more messages"));
                }
            }
            Ok(())
        })
    }
}

impl Cover for Lists {
    fn never(&mut self, system: &mut System, question: Question) -> Checked<()> {
        match question {
            // All configurations that a row stands for can do what its own can do.
            Question::Fails(_) | Question::Lost | Question::Dead => {
                self.rows.never(system, question)
            }
            Question::Bad(number) => self.check_bad(system, number),
            Question::Longer(queue, bound) => self.check_lengths(system, Some(queue), Some(bound)),
            Question::Unbounded => self.check_lengths(system, None, None),
            _ => wrong("a set of lists does not prove this property"),
        }
    }
}

/// How contents are told apart in covers of what comes after a configuration: messages at the front, and up to how many
/// of one kind are counted behind them.
pub(crate) const SIGHTS: [(u32, u32); 5] = [(1, 0), (2, 0), (1, 1), (2, 1), (3, 0)];

/// What comes after a configuration, up to how contents look.
pub(crate) struct Behind {
    contents: Contents,
    first: Config,
    /// Whether every question about contents had one answer.
    is_sure: bool,
}

impl Behind {
    pub(crate) fn new(
        system: &mut System,
        config: &Config,
        (prefix, counted): (u32, u32),
    ) -> Option<Self> {
        let lists = ListSet { prefix, counted, ..ListSet::default() };
        let mut contents = Contents::new(system.words(), &lists, &[]).ok()?;
        let mut first = config.clone();
        for word in first.words.iter_mut().filter(|word| **word != WordId::CLOSED) {
            *word = contents.representative(system.words_mut(), *word);
        }
        Some(Self { contents, first, is_sure: true })
    }

    /// The configuration that stands for where it begins.
    pub(crate) fn first(&self) -> &Config {
        &self.first
    }

    /// All steps of everything that a configuration stands for.
    pub(crate) fn steps(&mut self, system: &mut System, config: &Config) -> Vec<Outcome> {
        let mut domain = Looking::new(&mut self.contents, &[]);
        let outcomes = system.successors_over(config, &mut domain);
        self.is_sure &= domain.end().is_ok();
        outcomes
    }

    pub(crate) fn is_sure(&self) -> bool {
        self.is_sure
    }
}

/// The greatest length of a queue that is shown by what is claimed of it.
const LENGTH_MAX: u32 = 100;

/// A row stands for no configuration if what is claimed of a queue is true of none of its contents.
fn is_possible(system: &System, contents: &mut Contents, config: &Config) -> Checked<bool> {
    for queue in config.queues() {
        if !contents.is_possible(
            &|it| system.program().message_text(it),
            queue,
            config.word(queue),
        )? {
            return Ok(false);
        }
    }
    Ok(true)
}
