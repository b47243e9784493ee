//! Which steps of a run fit a ray.
//!
//! A step of a run says which machine does what with which queue, and so does an arc. That is all that is compared: a
//! step that fits need not be the arc's own, and then the loop has to close without it. What is said of places serves
//! only to try the likely steps first.

use std::collections::{BTreeMap, BTreeSet};

use qp_base::Span;
use qp_lp::BigInt;
use qp_machines::{Act, ArcId, Config, Counts, Event, MachineId, Net, Outcome, QueueId, System};

/// What a machine does with queues.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Deed {
    Puts(QueueId),
    Takes(QueueId),
    Hands(QueueId),
    IsHanded(QueueId),
}

/// A machine, or all of those that are created at run time together.
type Doer = Option<MachineId>;

/// How often the steps of a way did what the ray does.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Used {
    deeds: BTreeMap<(Doer, Deed), u64>,
    steps: u64,
}

pub(super) struct Guide {
    /// How often the ray does what.
    deeds: BTreeMap<(Doer, Deed), u64>,
    /// Where each machine of the ray passes.
    spans: BTreeMap<Doer, BTreeSet<Span>>,
    /// The number of its steps.
    total: u64,
}

/// A loop may be so many turns of the ray.
const TURNS_MAX: u64 = 4;

/// Rays with greater numbers are not followed to their end.
const STEPS_MAX: u64 = 1_000;

impl Guide {
    pub(super) fn new(net: &Net, ray: &[(ArcId, BigInt)]) -> Self {
        let mut guide = Self { deeds: BTreeMap::new(), spans: BTreeMap::new(), total: 0 };
        for (id, times) in ray {
            let times = u64::try_from(times).unwrap_or(STEPS_MAX).min(STEPS_MAX);
            let arc = &net.arcs[*id];
            let doer = arc.from.or(arc.to).and_then(|spot| net.spots[spot].machine);
            guide.total = (guide.total + times).min(STEPS_MAX);
            let spans = guide.spans.entry(doer).or_default();
            spans.extend(arc.from.map(|spot| net.spots[spot].span));
            for &(counter, by) in &arc.effects {
                let deed = match (net.counters[counter].counts, by > 0) {
                    (Counts::Messages(queue), true) => Deed::Puts(queue),
                    (Counts::Messages(queue), false) => Deed::Takes(queue),
                    (Counts::Handshakes(queue), true) => Deed::Hands(queue),
                    (Counts::Handshakes(queue), false) => Deed::IsHanded(queue),
                    (Counts::Machines | Counts::Number, _) => continue,
                };
                *guide.deeds.entry((doer, deed)).or_default() += times * by.unsigned_abs();
            }
        }
        guide
    }

    /// Whether each machine of the ray is where the ray passes.
    pub(super) fn passes(&self, system: &System, config: &Config) -> bool {
        self.spans.keys().flatten().all(|&machine| self.is_on(system, config, machine))
    }

    fn is_on(&self, system: &System, config: &Config, machine: MachineId) -> bool {
        let spans = self.spans.get(&Some(machine));
        let Some(&local) = config.locals.get(machine.index()) else { return false };
        let here = system.program().control_span(machine, local);
        spans.is_some_and(|spans| spans.contains(&here))
    }

    /// What a way that has used so much has used after this step, if the step fits.
    pub(super) fn fits(&self, used: &Used, outcome: &Outcome) -> Option<Used> {
        if outcome.is_end() || used.steps >= self.total.saturating_mul(TURNS_MAX) {
            return None;
        }
        let mut now = Used { steps: used.steps + 1, ..used.clone() };
        for &Act { machine, event, .. } in &outcome.acts {
            match event {
                Event::Sent { queue, .. } => self.add(&mut now, machine, Deed::Puts(queue))?,
                Event::Took { queue, kept: false, .. } => {
                    self.add(&mut now, machine, Deed::Takes(queue))?;
                }
                Event::Handshake { queue, receiver, .. } => {
                    self.add(&mut now, machine, Deed::Hands(queue))?;
                    self.add(&mut now, receiver, Deed::IsHanded(queue))?;
                }
                Event::Internal
                | Event::Announced { .. }
                | Event::Lost { .. }
                | Event::Took { .. }
                | Event::Created { .. }
                | Event::Ended => {
                    let known = |doer: &Doer| self.spans.contains_key(doer);
                    [Some(machine), None].iter().find(|doer| known(doer))?;
                }
                Event::Closed { .. } | Event::Failed { .. } | Event::GaveUp { .. } => return None,
            }
        }
        Some(now)
    }

    /// Notes a deed; `None` if the ray does not do it, or not so often.
    fn add(&self, used: &mut Used, machine: MachineId, deed: Deed) -> Option<()> {
        let (key, &most) = [Some(machine), None]
            .into_iter()
            .find_map(|doer| self.deeds.get_key_value(&(doer, deed)))?;
        let n = used.deeds.entry(*key).or_default();
        *n += 1;
        (*n <= most.saturating_mul(TURNS_MAX)).then_some(())
    }

    /// How far a way is from being one more turn of the ray: deeds that are missing or too many, and machines that have
    /// left it. Less with each turn that it has made.
    pub(super) fn distance(&self, system: &System, config: &Config, used: &Used) -> i64 {
        let of = |key| used.deeds.get(key).copied().unwrap_or(0);
        let turns = self.deeds.iter().map(|(key, &wanted)| of(key) / wanted.max(1)).min();
        let turns = turns.unwrap_or(0).min(TURNS_MAX - 1);
        let off = |(key, &wanted): (_, &u64)| of(key).abs_diff(wanted * (turns + 1));
        let missing: u64 = self.deeds.iter().map(off).sum();
        let made: u64 = self.deeds.values().map(|&wanted| wanted * turns).sum();
        let machines = self.spans.keys().flatten();
        let astray = machines.filter(|&&machine| !self.is_on(system, config, machine)).count();
        missing.saturating_add(astray as u64).cast_signed() - made.cast_signed()
    }
}
