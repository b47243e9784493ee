//! Leaves steps out of a run.
//!
//! Without a step, those behind it may be possible no longer, or have other numbers: they are found again
//! by their machine and by what happens, and left out too if nothing like them is possible.

use qp_machines::{Config, Event, MachineId, Outcome, Property, Step, System};

use crate::runs::{failing, is_violated};

/// So many steps that are possible cost as much as taking another one.
const WIDE: usize = 64;

/// A shorter run that violates the property, or the same one. Takes at most `allowance` steps to find
/// it, and stops when it may not go on.
pub(super) fn shorten(
    system: &mut System,
    property: Property,
    run: &[Step],
    allowance: &mut u64,
    go_on: &dyn Fn() -> bool,
) -> Vec<Step> {
    let mut shortener = Shortener { system, property, allowance, go_on };
    let Some(mut run) = shortener.exact(run) else {
        unreachable!("bug in Queueproof: a run cannot be taken again")
    };
    let mut size = run.len().next_power_of_two() / 2;
    while size > 0 {
        let mut shorter = false;
        let mut end = run.len();
        while end > 0 {
            if *shortener.allowance == 0 || !go_on() {
                return run.into_iter().map(|taken| taken.step).collect();
            }
            let start = end.saturating_sub(size);
            if let Some(new) = shortener.without(&run, start, end) {
                shorter = true;
                run = new;
            }
            end = start.min(run.len());
        }
        if !shorter || size > 1 {
            size /= 2;
        }
    }
    run.into_iter().map(|taken| taken.step).collect()
}

struct Shortener<'a> {
    system: &'a mut System,
    property: Property,
    allowance: &'a mut u64,
    go_on: &'a dyn Fn() -> bool,
}

/// A step with where it was taken.
#[derive(Clone)]
struct Taken {
    before: Config,
    step: Step,
    event: Event,
}

impl Shortener<'_> {
    fn exact(&mut self, run: &[Step]) -> Option<Vec<Taken>> {
        let mut config = self.system.initial();
        let mut taken = Vec::with_capacity(run.len());
        for &step in run {
            let Outcome { event, config: after, .. } = self.system.fire(&config, step)?;
            taken.push(Taken { before: config, step, event });
            config = after;
        }
        Some(taken)
    }

    /// The run without some steps, and without those that are not possible then, if it is shorter and
    /// violates the property still.
    fn without(&mut self, run: &[Taken], start: usize, end: usize) -> Option<Vec<Taken>> {
        let mut config = run[start].before.clone();
        let mut taken = run[..start].to_vec();
        for old in &run[end..] {
            let outcomes = self.possible(&config, old.step.machine);
            let n_wide = outcomes.len() / WIDE;
            *self.allowance = self.allowance.saturating_sub(1 + n_wide as u64);
            if n_wide > 0 && !(self.go_on)() {
                return None;
            }
            if let Some(Outcome { step, event, .. }) = self.failure(&outcomes) {
                taken.push(Taken { before: config, step: *step, event: *event });
                return Some(taken);
            }
            let Some(Outcome { step, event, config: after, .. }) = alike(outcomes, old) else {
                continue;
            };
            taken.push(Taken { before: config, step, event });
            config = after;
        }
        is_violated(self.system, &config, self.property).then_some(taken)
    }

    /// The steps of a machine.
    fn possible(&mut self, config: &Config, machine: MachineId) -> Vec<Outcome> {
        if machine.index() >= config.locals.len() {
            return Vec::new();
        }
        if config.holder.is_none_or(|holder| holder == machine) {
            let outcomes = self.system.outcomes(config, machine, false);
            if !outcomes.is_empty() || self.system.outcomes(config, machine, true).is_empty() {
                return outcomes;
            }
        }
        let mut all = self.system.successors(config);
        all.retain(|outcome| outcome.step.machine == machine);
        all
    }

    fn failure<'o>(&self, outcomes: &'o [Outcome]) -> Option<&'o Outcome> {
        outcomes.iter().find(|o| failing(self.system, o.event) == Some(self.property))
    }
}

/// The step that is most like an old one.
fn alike(mut outcomes: Vec<Outcome>, old: &Taken) -> Option<Outcome> {
    outcomes.retain(|outcome| !outcome.is_end());
    let kind = std::mem::discriminant(&old.event);
    let likeness = |outcome: &Outcome| {
        let same_event = outcome.event == old.event;
        let same_kind = std::mem::discriminant(&outcome.event) == kind;
        let same_choice = outcome.step.choice == old.step.choice;
        same_kind.then_some((same_event, same_choice))
    };
    let likenesses = outcomes.iter().map(likeness);
    let (place, likeness) = likenesses.enumerate().rev().max_by_key(|(_, likeness)| *likeness)?;
    likeness.map(|_| outcomes.swap_remove(place))
}
