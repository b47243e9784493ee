//! Runs with all their values.
//!
//! What a program does not read is left out before it is searched, so a run of what is searched says less than
//! happened. Here the same run is looked for in the program with everything in it. That program may have more
//! choices, of values that nobody reads: any of them will do. If the run is not found, the chart has `..` where values
//! are not known.

use qp_check::{Finding, Run};
use qp_machines::{Config, Event, MessageId, Outcome, System};

use crate::Loaded;

/// Configurations that are looked into beyond one for each step. Few runs need any.
const DETOURS_MAX: usize = 10_000;

/// A run of the program of which nothing is left out.
pub(crate) struct InFull {
    pub(crate) system: System,
    pub(crate) run: Run,
}

impl InFull {
    /// The same run, step by step, if the program may leave something out.
    pub(crate) fn of(loaded: &Loaded, system: &System, run: &Run) -> Option<Self> {
        let mut full = System::new(loaded.model.program.in_full()?);
        let initial = full.initial();
        let mut left = DETOURS_MAX + run.outcomes.len();
        // For each step that was taken: the ways to take it that were not tried, and the last of them is the one.
        let mut ways: Vec<Vec<Outcome>> = Vec::new();
        while ways.len() < run.outcomes.len() {
            left = left.checked_sub(1)?;
            let at = ways.last().and_then(|ways| ways.last()).map_or(&initial, |way| &way.config);
            let same = Same { shown: system, step: &run.outcomes[ways.len()] };
            let mut next = same.ways(&mut full, &at.clone());
            next.reverse();
            ways.push(next);
            while ways.last().is_some_and(Vec::is_empty) {
                ways.pop();
                ways.last_mut()?.pop();
            }
        }
        let outcomes = ways.into_iter().filter_map(|mut ways| ways.pop()).collect();
        Some(Self { system: full, run: Run { initial, outcomes } })
    }

    /// What was found at the end of the run, with the numbers of this program.
    pub(crate) fn finding(&self, system: &System, run: &Run, finding: Finding) -> Option<Finding> {
        match finding {
            Finding::Failed { machine, .. } => match self.run.outcomes.last()?.event {
                Event::Failed { failure } => Some(Finding::Failed { machine, failure }),
                _ => None,
            },
            Finding::Unhandled { machine, queue, message } => {
                let messages = system.words().messages(run.last().word(queue));
                let place = messages.iter().position(|&it| it == message)?;
                let messages = self.system.words().messages(self.run.last().word(queue));
                let message = *messages.get(place)?;
                Some(Finding::Unhandled { machine, queue, message })
            }
            Finding::Crosses { .. } => None,
            other => Some(other),
        }
    }
}

/// A step to be taken again.
struct Same<'a> {
    shown: &'a System,
    step: &'a Outcome,
}

impl Same<'_> {
    /// The ways to take it. A machine that chooses a value that nobody reads may need a step of its own before.
    fn ways(&self, full: &mut System, config: &Config) -> Vec<Outcome> {
        let machine = self.step.step.machine;
        let mut steps = full.successors(config);
        steps.retain(|way| way.step.machine == machine);
        let chosen: Vec<Config> = steps
            .iter()
            .filter(|way| way.event == Event::Internal)
            .map(|way| way.config.clone())
            .collect();
        let mut ways: Vec<Outcome> = steps.into_iter().filter(|way| self.is(full, way)).collect();
        if ways.is_empty() {
            let behind: Vec<Outcome> =
                chosen.iter().flat_map(|config| full.successors(config)).collect();
            let mine = behind.into_iter().filter(|way| way.step.machine == machine);
            ways = mine.filter(|way| self.is(full, way)).collect();
        }
        ways
    }

    /// Whether the same happens, as far as it can be told.
    fn is(&self, full: &System, way: &Outcome) -> bool {
        let (shown, step) = (self.shown.program(), self.step);
        let failed = |system: &System, it| system.program().failure(it).text;
        let message = |a, b| self.is_message(full, a, b);
        let same = match (step.event, way.event) {
            (Event::Announced { message: a }, Event::Announced { message: b }) => message(a, b),
            (Event::Sent { queue, message: a }, Event::Sent { queue: other, message: b })
            | (Event::Lost { queue, message: a }, Event::Lost { queue: other, message: b }) => {
                queue == other && message(a, b)
            }
            (Event::Took { queue, message: a, position, kept }, other) => {
                matches!(other, Event::Took { queue: at, message: b, position: n, kept: k }
                    if (at, n, k) == (queue, position, kept) && message(a, b))
            }
            (Event::Failed { failure: a }, Event::Failed { failure: b })
            | (Event::GaveUp { why: a }, Event::GaveUp { why: b }) => {
                failed(self.shown, a) == failed(full, b)
            }
            (one, other) => one == other,
        };
        let (a, b) = (&step.config, &way.config);
        let controls = || {
            let mut machines = a.machines();
            machines.all(|machine| {
                let control = shown.control_name(machine, a.local(machine));
                control == full.program().control_name(machine, b.local(machine))
            })
        };
        same && a.locals.len() == b.locals.len() && controls()
    }

    /// Whether a message is the one that is shown, `..` standing for anything.
    fn is_message(&self, full: &System, shown: MessageId, message: MessageId) -> bool {
        let shown = self.shown.program().message_shown(shown);
        stands_for(&shown, &full.program().message_shown(message))
    }
}

/// Whether a text with `..` in it stands for another.
fn stands_for(shown: &str, text: &str) -> bool {
    let Some((first, behind)) = shown.split_once("..") else { return shown == text };
    let Some(rest) = text.strip_prefix(first) else { return false };
    let (middle, last) = behind.rsplit_once("..").unwrap_or(("", behind));
    let Some(rest) = rest.strip_suffix(last) else { return false };
    let mut parts = middle.split("..");
    parts.try_fold(rest, |rest, part| Some(&rest[rest.find(part)? + part.len()..])).is_some()
}

#[cfg(test)]
mod tests {
    use super::stands_for;

    #[test]
    fn two_dots_stand_for_anything() {
        for text in ["eA(n = 2, m = 7)", "eA(n = 2, m = (7, 8))"] {
            assert!(stands_for("eA(n = 2, m = ..)", text));
            assert!(stands_for("eA(..)", text));
        }
        assert!(stands_for("eA(.., ..) for S", "eA(1, 2) for S"));
        assert!(stands_for("eA", "eA"));
        assert!(!stands_for("eA", "eAB"));
        assert!(!stands_for("eA(n = 2, m = ..)", "eA(n = 3, m = 7)"));
        assert!(!stands_for("eA(..) for S", "eA(1)"));
        assert!(!stands_for("eA(..)", "eB(1)"));
    }
}
