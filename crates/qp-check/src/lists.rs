//! Sets in which contents that look alike are one: that what all of them can do leads to rows.
//!
//! A row stands for every configuration whose contents look like those of the row and satisfy what is
//! claimed of the queues. All of these can do what the row's own configuration can do, if they agree on
//! every condition that counts messages; that is checked here. So the steps are those of the plain step
//! function, but what a step leaves in a queue is worked out for all contents that look alike.

mod contents;
mod formulas;
mod looks;

use std::ops::Range;

use qp_base::{Map, Set};
use qp_claim::{ClosedSet, ListSet};
use qp_machines::{
    Atom, Capacity, Condition, Config, Effect, Event, Guard, MachineId, MessageId, Outcome,
    Pattern, Place, Property, QueueId, Reception, StoreId, System, WordId,
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
        if system.program().outline().whole {
            return Err(Rejected("a turn may look at all of a queue".to_owned()));
        }
        let rows = Rows::read(system, &lists.set)?;
        let mut contents = Contents::new(system, lists, rows.contents())?;
        check_capacities(system, &rows, &contents)?;
        let (mut steps, mut spans) = (Vec::new(), Vec::new());
        rows.each(&lists.set, |_, config| {
            system.go_on()?;
            if !is_possible(system, &mut contents, config)? {
                spans.push(None);
                return Ok(());
            }
            check_agreement(system, &contents, config)?;
            let from = steps.len();
            for outcome in system.successors(config) {
                let step = outcome.step;
                steps.push((step.machine, outcome.event));
                for after in results(system, &mut contents, config, outcome)? {
                    rows.place(&after).ok_or_else(|| leads_out(step))?;
                }
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
        let Self { rows, contents, spans, .. } = self;
        let mut may_hold = |config: &Config, atom: &Atom, place: (usize, usize)| match atom {
            Atom::Control(..) => Ok::<_, Rejected>(atom.holds(system, config)),
            Atom::Content(queue, pattern) => {
                let Some(&word) = config.words.get(queue.index()) else { return Ok(false) };
                if let Some(&known) = known.get(&(place, word)) {
                    return Ok(known);
                }
                let matches = contents.matches(system, *queue, word, pattern)?;
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
                    None => !contents.matches(system, each, word, &longer)?,
                };
                if !fits {
                    return Err(Rejected(format!("{each:?} may have more messages")));
                }
            }
            Ok(())
        })
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
        if !contents.is_possible(system, queue, config.word(queue))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What a step of a row leads to, for everything that the row stands for.
fn results(
    system: &System,
    contents: &mut Contents,
    config: &Config,
    outcome: Outcome,
) -> Result<Vec<Config>, Rejected> {
    let Outcome { step, event, config: after, .. } = outcome;
    let with = |queue: QueueId, word| {
        let mut after = after.clone();
        after.words[queue.index()] = word;
        after
    };
    match event {
        Event::Sent { queue, message } => {
            let change = (config.word(queue), after.word(queue));
            Ok(vec![with(queue, contents.sent(system, queue, change, message)?)])
        }
        Event::Took { queue, position, kept: false, .. } => {
            let left = contents.left(system, queue, config.word(queue), position)?;
            Ok(left.into_iter().map(|word| with(queue, word)).collect())
        }
        Event::GaveUp { .. } => Err(Rejected(format!("nobody knows what {step:?} leads to"))),
        Event::Took { kept: true, .. }
        | Event::Internal
        | Event::Announced { .. }
        | Event::Lost { .. }
        | Event::Handshake { .. }
        | Event::Created { .. }
        | Event::Ended
        | Event::Closed { .. }
        | Event::Failed { .. } => Ok(vec![after]),
    }
}

/// Contents that look alike must agree on whether more fits.
fn check_capacities(system: &System, rows: &Rows, contents: &Contents) -> Result<(), Rejected> {
    for &(word, kind) in rows.contents() {
        if let Capacity::Messages(n) = system.program().outline().kinds[kind].capacity
            && !agree(contents, word, n, |_| true)
        {
            let text = "a queue with a capacity has contents of different lengths that look alike";
            return Err(Rejected(text.to_owned()));
        }
    }
    Ok(())
}

/// What the machines of a row can do must be the same for all contents that look alike.
fn check_agreement(
    system: &mut System,
    contents: &Contents,
    config: &Config,
) -> Result<(), Rejected> {
    for machine in config.machines() {
        for mv in system.moves(machine, config.local(machine), config.store).iter() {
            // A condition that all contents fail settles the move, whatever the others say.
            let (mut settled, mut differ) = (false, false);
            for guard in &mv.guards {
                let (Guard::Holds(queue, asked) | Guard::HoldsNot(queue, asked)) = *guard else {
                    continue;
                };
                let agree = agree_on(system, contents, config, machine, (queue, asked));
                let guard = std::slice::from_ref(guard);
                settled |= agree && !system.allowed(config, machine, guard, true);
                differ |= !agree;
            }
            if differ && !settled {
                let text = "a condition counts messages that the set does not count";
                return Err(Rejected(text.to_owned()));
            }
            if let Effect::Send { queue, place: Place::Sorted, .. } = mv.effect
                && !contents.look(config.word(queue)).is_all_front()
            {
                let text = "a message is sorted into a queue of which only the front is known";
                return Err(Rejected(text.to_owned()));
            }
        }
    }
    Ok(())
}

/// Whether contents that look alike agree on a condition of a machine.
fn agree_on(
    system: &mut System,
    contents: &Contents,
    config: &Config,
    machine: MachineId,
    (queue, condition): (QueueId, Condition),
) -> bool {
    let word = config.word(queue);
    match condition {
        // All have the same kinds of messages in the same order, or none at all; and capacities are
        // looked at for the whole set.
        Condition::Empty | Condition::Ready(_) | Condition::Full => true,
        Condition::LengthBelow(n) => agree(contents, word, n, |_| true),
        Condition::Fewer(ear, n) => {
            let watched = system.program().outline().store_is_watched;
            let store = if watched { StoreId::NONE } else { config.store };
            let program = system.program_mut();
            agree(contents, word, n, |message| {
                let local = config.local(machine);
                let reception = program.reception(machine, local, store, ear, message);
                matches!(reception, Reception::Take(_))
            })
        }
    }
}

/// Whether contents that look alike agree on whether they have fewer than `limit` messages of those
/// that count.
fn agree(
    contents: &Contents,
    word: WordId,
    limit: u32,
    mut counts: impl FnMut(MessageId) -> bool,
) -> bool {
    let look = contents.look(word);
    contents.sight().number(look, &mut counts).is_some()
        || look.at_least(counts) >= u64::from(limit)
}
