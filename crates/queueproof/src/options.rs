//! What a run may spend and what it is asked. The one place where such numbers are chosen.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use qp_base::{Budget, Limits, Resident};
use qp_engines::{Lists, Order, Sets, Stated, TaskLimits};
use qp_machines::{Outline, Property};

use crate::Loaded;

/// Configurations of the first look, after which proofs for every queue length are tried.
///
/// Less than a second of searching. Most models that have few configurations have fewer, and then the
/// search is the cheapest proof; beyond it, numbers usually double with every queue length.
pub(crate) const LOOK_STATES_MAX: u64 = 500_000;

/// Configurations of all searches that try capacities of queues, together: a fraction of a second.
pub(crate) const CAPACITY_STATES_MAX: u64 = 200_000;

/// Configurations from which on decision diagrams are tried: a few hundredths of a second of searching.
pub(crate) const DIAGRAMS_FROM: usize = 20_000;

/// What a run may spend and what it is asked.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Options {
    /// Ids of the properties to check; empty for those every model has.
    pub properties: Vec<String>,
    /// Names of the engines to use; empty for all.
    pub engines: Vec<String>,
    /// Wall-clock limit; `None` for none.
    pub time: Option<Duration>,
    /// Bytes for the engines' sets.
    pub memory_bytes: u64,
    /// Configurations that an engine may visit.
    pub states_max: u64,
    /// The first bound on queue lengths that is explored.
    pub bound_first: u32,
    /// The last one.
    pub bound_max: u32,
    /// Whether a search may go beyond that, up to a bound that was shown for all queues.
    pub bound_rises: bool,
    /// Threads of one engine.
    pub jobs: usize,
    /// Go on after everything is answered, for complete counts.
    pub exhaustive: bool,
    /// Check nothing, only count.
    pub count_only: bool,
    /// Sets with more configurations than this do not count as evidence.
    pub evidence_max: usize,
    /// Steps of all random runs together.
    pub walk_steps_max: u64,
    /// What somebody says about queues.
    pub invariants: Vec<Stated>,
    /// How contents of queues are blurred, for the engines that do so.
    pub lists: Lists,
    /// How sets of configurations are kept.
    pub sets: Sets,
    /// The order of levels of decision diagrams.
    pub order: Order,
    /// Leave out orders of steps that do not matter, where the language allows it: fewer configurations. Then
    /// only failures and deadlocks are looked for, unless `properties` asks for more: that needs everything.
    pub reduce: bool,
    /// Reads what the whole process holds, so that the limit on memory is about that.
    pub resident: Option<Resident>,
    /// Set to stop the run early.
    pub cancelled: Arc<AtomicBool>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            properties: Vec::new(),
            engines: Vec::new(),
            // Long enough for most models, short enough that nobody takes it for a hang.
            time: Some(Duration::from_mins(1)),
            memory_bytes: 4 << 30,
            // Ten to twenty seconds of searching: so that on a machine of any speed the answer is
            // cut by the same number and not by the clock.
            states_max: 20_000_000,
            bound_first: 1,
            // A proof by exhaustion rarely needs more; growing queues would use any number up.
            bound_max: 8,
            bound_rises: true,
            jobs: std::thread::available_parallelism().map_or(1, usize::from).min(16),
            exhaustive: false,
            count_only: false,
            // The referee takes a few microseconds for each.
            evidence_max: 1_000_000,
            // Five to ten seconds of a program with much data: a step takes five to ten microseconds.
            walk_steps_max: 1_000_000,
            invariants: Vec::new(),
            lists: Lists::default(),
            sets: Sets::Auto { from: DIAGRAMS_FROM },
            order: Order::Auto,
            reduce: false,
            resident: None,
            cancelled: Arc::new(AtomicBool::new(false)),
        }
    }
}

/// A property id that the model does not have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownProperty {
    /// What was asked for.
    pub id: String,
    /// What there is.
    pub known: Vec<String>,
}

impl fmt::Display for UnknownProperty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no property {}; there are {}", self.id, self.known.join(", "))
    }
}

impl std::error::Error for UnknownProperty {}

impl Options {
    /// Starts the clock.
    pub fn budget(&self) -> Budget {
        let limits = Limits {
            time: self.time,
            memory_bytes: self.memory_bytes,
            states_max: self.states_max,
        };
        Budget::start(limits, self.cancelled.clone()).gauged(self.resident)
    }

    pub(crate) fn task_limits(&self) -> TaskLimits {
        TaskLimits {
            bound_first: self.bound_first.max(1),
            bound_max: self.bound_max.max(self.bound_first).max(1),
            jobs: self.jobs.max(1),
            exhaustive: self.exhaustive,
            queues: !self.count_only,
            // A few hundredths of a second.
            small_max: 50_000,
            evidence_max: self.evidence_max,
            walk_steps_max: self.walk_steps_max,
            lists: self.lists,
            sets: self.sets,
            order: self.order,
            reduce: self.reduce,
        }
    }

    /// What is said about queues, in the model and beside it.
    pub(crate) fn stated<'a>(&'a self, loaded: &'a Loaded) -> impl Iterator<Item = &'a Stated> {
        loaded.invariants.iter().chain(&self.invariants)
    }

    /// The properties to check. Questions that are not about right and wrong (`bounded`, `sync`,
    /// `sendlang`) are answered when asked for.
    pub fn selected(&self, outline: &Outline) -> Result<Vec<Property>, UnknownProperty> {
        if self.count_only {
            return Ok(Vec::new());
        }
        if !self.properties.is_empty() {
            let find = |id: &String| {
                Property::from_id(id, outline)
                    .ok_or_else(|| UnknownProperty { id: id.clone(), known: known(outline) })
            };
            let mut found = Vec::new();
            for property in self.properties.iter().map(find) {
                let property = property?;
                if !found.contains(&property) {
                    found.push(property);
                }
            }
            return Ok(found);
        }
        let mut selected = vec![Property::Assert, Property::Unhandled, Property::Deadlock];
        // P calls neither of the two an error: machines wait for ever, and messages stay deferred.
        let is_p = outline.language == "p";
        if !is_p {
            selected.extend([Property::Stuck, Property::Orphan]);
        }
        if is_p || !Property::Divergence.is_void(outline) {
            selected.push(Property::Divergence);
        }
        selected.extend((0..outline.bad.len()).map(Property::Reach));
        selected.extend((0..outline.ltl.len()).map(Property::Ltl));
        if outline.has_progress {
            selected.push(Property::Livelock);
        }
        if outline.has_accepting {
            selected.push(Property::Accept);
        }
        if self.reduce && outline.whole {
            selected.retain(|property| property.survives_reduction());
        }
        Ok(selected)
    }

    /// Whether orders of steps are left out when these properties are asked.
    pub(crate) fn leaves_out(&self, outline: &Outline, properties: &[Property]) -> bool {
        let survive = properties.iter().all(|property| property.survives_reduction());
        self.reduce && outline.whole && survive
    }
}

fn known(outline: &Outline) -> Vec<String> {
    let fixed = [
        Property::Assert,
        Property::Unhandled,
        Property::Deadlock,
        Property::Stuck,
        Property::Orphan,
        Property::Bounded,
        Property::Divergence,
        Property::Livelock,
        Property::Accept,
        Property::Live,
        Property::Sync,
        Property::Sendlang,
    ];
    let reach = (0..outline.bad.len()).map(Property::Reach);
    let ltl = (0..outline.ltl.len()).map(Property::Ltl);
    fixed.into_iter().chain(reach).chain(ltl).map(|property| property.id(outline)).collect()
}
