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

use std::ops::Range;

use qp_base::{Map, Set};
use qp_claim::{ClosedSet, ListSet};
use qp_machines::{
    Atom, Config, Event, MachineId, Outcome, Pattern, Property, QueueId, System, Texts, WordId,
};

use self::contents::Contents;
use crate::Rejected;
use crate::faults::fault;
use crate::rows::{Rows, leads_out};

/// A set of lists that was checked.
pub(crate) struct Lists {
    rows: Rows,
    contents: Contents,
    /// The steps of all rows, in order.
    steps: Vec<(MachineId, Event)>,
    /// Which of the steps are those of a row; nothing for a row that stands for no configuration.
    spans: Vec<Option<Range<usize>>>,
}

impl Lists {
    /// Checks the set: every step from everything that a row stands for leads to something that a row
    /// stands for, and so does the beginning.
    pub(crate) fn check(system: &mut System, lists: &ListSet) -> Result<Self, Rejected> {
        let rows = Rows::read(system, &lists.set)?;
        let mut contents = Contents::new(system.words(), lists, rows.contents())?;
        let (mut steps, mut spans) = (Vec::new(), Vec::new());
        rows.each(&lists.set, |_, config| {
            system.go_on()?;
            if !is_possible(system, &mut contents, config)? {
                spans.push(None);
                return Ok(());
            }
            let from = steps.len();
            let mut domain = domain::Lists::new(&mut contents);
            let outcomes = system.successors_over(config, &mut domain);
            domain.end()?;
            for outcome in outcomes {
                let step = outcome.step;
                if matches!(outcome.event, Event::GaveUp { .. }) {
                    return Err(Rejected(format!("nobody knows what {step:?} leads to")));
                }
                steps.push((step.machine, outcome.event));
                rows.place(&outcome.config).ok_or_else(|| leads_out(step))?;
            }
            spans.push(Some(from..steps.len()));
            Ok(())
        })?;
        Ok(Self { rows, contents, steps, spans })
    }

    /// Checks that nothing that a row stands for violates the property.
    pub(crate) fn prove(
        &mut self,
        system: &mut System,
        property: Property,
        set: &ClosedSet,
    ) -> Result<(), Rejected> {
        match property {
            Property::Assert | Property::Unhandled | Property::Deadlock | Property::Divergence => {
                self.rows.each(set, |place, config| {
                    let Some(span) = self.spans[place].clone() else { return Ok(()) };
                    match fault(system, property, config, self.steps[span].iter().copied()) {
                        Some(finding) => Err(Rejected(format!("the set has a fault: {finding:?}"))),
                        None => Ok(()),
                    }
                })
            }
            Property::Reach(number) => self.check_bad(system, number, set),
            Property::Length(queue, bound) => {
                self.check_lengths(system, set, Some(queue), Some(bound))
            }
            Property::Bounded => self.check_lengths(system, set, None, None),
            Property::Stuck
            | Property::Orphan
            | Property::Livelock
            | Property::Accept
            | Property::Live
            | Property::Ltl(_)
            | Property::Sync
            | Property::Sendlang => {
                Err(Rejected("a set of lists does not prove this property".to_owned()))
            }
        }
    }

    /// No row stands for a configuration in the bad situation. Each condition on a queue may be met by a
    /// content of its own: more than can happen, never less.
    fn check_bad(
        &mut self,
        system: &System,
        number: usize,
        set: &ClosedSet,
    ) -> Result<(), Rejected> {
        let bad = &system.program().outline().bad[number];
        let mut known = Map::default();
        let texts: Texts<'_> = &|message| system.program().message_text(message);
        let Self { rows, contents, spans, .. } = self;
        let mut may_hold = |config: &Config, atom: &Atom, place: (usize, usize)| match atom {
            Atom::Control(..) => Ok::<_, Rejected>(atom.holds(system, config)),
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
        rows.each(set, |place, config| {
            if spans[place].is_none() {
                return Ok(());
            }
            for (i, case) in bad.cases.iter().enumerate() {
                let mut holds = true;
                for (j, atom) in case.iter().enumerate() {
                    holds = holds && may_hold(config, atom, (i, j))?;
                }
                if holds {
                    return Err(Rejected(format!("the set has a fault: bad situation {number}")));
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
        set: &ClosedSet,
        queue: Option<QueueId>,
        bound: Option<u32>,
    ) -> Result<(), Rejected> {
        let most = bound.unwrap_or(LENGTH_MAX).min(LENGTH_MAX);
        let mut longer = vec![Pattern::Any; most as usize + 1];
        longer.push(Pattern::Star(Box::new(Pattern::Any)));
        let texts: Texts<'_> = &|message| system.program().message_text(message);
        let (longer, mut short) = (Pattern::Sequence(longer), Set::default());
        let Self { rows, contents, spans, .. } = self;
        rows.each(set, |place, config| {
            if spans[place].is_none() {
                return Ok(());
            }
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
                    return Err(Rejected(format!("{each:?} may have more messages")));
                }
            }
            Ok(())
        })
    }
}

/// How contents are told apart in covers of what comes after a configuration: messages at the front, and up to how many
/// of one kind are counted behind them.
pub(crate) const SIGHTS: [(u32, u32); 5] = [(1, 0), (2, 0), (1, 1), (2, 1), (3, 0)];

/// What comes after a configuration, up to how contents look.
pub(crate) struct Cover {
    contents: Contents,
    first: Config,
    /// Whether every question about contents had one answer.
    is_sure: bool,
}

impl Cover {
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
        let mut domain = domain::Lists::new(&mut self.contents);
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
fn is_possible(
    system: &System,
    contents: &mut Contents,
    config: &Config,
) -> Result<bool, Rejected> {
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
