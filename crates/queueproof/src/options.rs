//! What a run may spend and what it is asked. The one place where such numbers are chosen.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use qp_base::{Budget, Limits, Resident};
use qp_engines::{Lists, Order, Sets, Stated, TaskLimits, Walks};
use qp_machines::{Outline, Property};

use crate::Loaded;

/// Configurations of the first look, after which proofs for every queue length are tried.
///
/// Less than a second of searching. Most models that have few configurations have fewer, and then the
/// search is the cheapest proof; beyond it, numbers usually double with every queue length.
pub(crate) const LOOK_STATES_MAX: u64 = 500_000;

/// Configurations of a glance, after which those are asked for whom the model is made: a few hundredths of a second.
pub(crate) const GLANCE_STATES_MAX: u64 = 10_000;
/// What these look at then, before others go on: a second or two.
pub(crate) const EARLY_STATES_MAX: u64 = 40_000;

/// Steps of random runs before the first look goes on: a tenth of a second, up to half a second of a program with much data.
pub(crate) const WALK_STEPS_FIRST: u64 = 20_000;

/// Steps of random runs by the end of the first look. They run beside it, and take less time than it.
pub(crate) const WALK_STEPS_LOOK: u64 = 60_000;

/// Configurations of all searches that try capacities of queues, together: a fraction of a second.
pub(crate) const CAPACITY_STATES_MAX: u64 = 200_000;

/// Configurations from which on decision diagrams are tried: a few hundredths of a second of searching.
pub(crate) const DIAGRAMS_FROM: usize = 20_000;

/// Configurations from which on orders of steps are left out where that is allowed. Smaller sets are explored and
/// checked in a few tenths of a second with all of them, and then it is known how long queues get and what is never
/// reached.
const FEWER_FROM: usize = 100_000;

/// What a run may spend and what it is asked.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Options {
    /// Ids of the properties to check, or `all`; empty for what the language calls errors.
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
    /// Whether only what was checked again counts as a proof, and not what a complete search says alone.
    pub certified: bool,
    /// Random runs.
    pub walks: Walks,
    /// What somebody says about queues.
    pub invariants: Vec<Stated>,
    /// How contents of queues are blurred, for the engines that do so.
    pub lists: Lists,
    /// How sets of configurations are kept.
    pub sets: Sets,
    /// The order of levels of decision diagrams.
    pub order: Order,
    /// Leave out orders of steps that do not matter from the start: fewer configurations. Then only failures and
    /// deadlocks are looked for, unless `properties` asks for more: that needs everything. Large sets are reduced anyway
    /// where nothing else is open, unless `sets` says otherwise.
    pub reduce: bool,
    /// Whether configurations may be searched up to which numbers they hold, where that does not matter.
    pub sorts: bool,
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
            certified: false,
            // Five to ten seconds of a program with much data: a step takes five to ten microseconds.
            walks: Walks { steps_max: 1_000_000, ..Walks::NONE },
            invariants: Vec::new(),
            lists: Lists::default(),
            sets: Sets::Auto { from: DIAGRAMS_FROM, fewer_from: FEWER_FROM },
            order: Order::Auto,
            reduce: false,
            sorts: true,
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
            // A queue of a few dozen messages; each length costs as much again.
            bound_far: if self.bound_rises { 64 } else { 0 },
            jobs: self.jobs.max(1),
            exhaustive: self.exhaustive,
            queues: !self.count_only,
            // A few hundredths of a second.
            small_max: 50_000,
            evidence_max: self.evidence_max,
            walks: self.walks,
            lists: self.lists,
            // Whoever wants complete counts wants every order.
            sets: if self.exhaustive { self.sets.with_all_orders() } else { self.sets },
            order: self.order,
            reduce: self.reduce,
        }
    }

    /// What is said about queues, in the model and beside it.
    pub(crate) fn stated<'a>(&'a self, loaded: &'a Loaded) -> impl Iterator<Item = &'a Stated> {
        loaded.invariants.iter().chain(&self.invariants)
    }

    /// What is wrong with the names in what is said about queues beside the model, if something is.
    pub fn unknown_name(&self, outline: &Outline) -> Option<String> {
        self.invariants.iter().find_map(|Stated { about, formula }| {
            let (message, help) = qp_load::unknown_name(outline, about, formula)?;
            Some(format!("--invariant '{about}: {formula}': {message}; {help}"))
        })
    }

    /// The properties to check. `all` stands for everything that applies and is about right and wrong; other
    /// questions (`bounded`, `sync`, `sendlang`) are answered when asked for by name.
    pub fn selected(&self, outline: &Outline) -> Result<Vec<Property>, UnknownProperty> {
        if self.count_only {
            return Ok(Vec::new());
        }
        if self.properties.is_empty() {
            let mut usual = usual(outline);
            if self.reduce {
                usual.retain(|property| property.survives_reduction());
            }
            return Ok(usual);
        }
        let mut found = Vec::new();
        for id in &self.properties {
            let unknown = || UnknownProperty { id: id.clone(), known: known(outline) };
            let meant = match id.as_str() {
                ALL => every(outline),
                LIVE if !live(outline).is_empty() => live(outline),
                id => vec![Property::from_id(id, outline).ok_or_else(unknown)?],
            };
            for property in meant {
                if !found.contains(&property) {
                    found.push(property);
                }
            }
        }
        Ok(found)
    }

    /// What applies to a model and is not asked because nobody named a property.
    pub(crate) fn not_asked(&self, outline: &Outline) -> Vec<Property> {
        if self.count_only || self.reduce || !self.properties.is_empty() {
            return Vec::new();
        }
        let usual = usual(outline);
        every(outline).into_iter().filter(|property| !usual.contains(property)).collect()
    }

    /// Whether orders of steps are left out when these properties are asked.
    pub(crate) fn leaves_out(&self, properties: &[Property]) -> bool {
        let survive = properties.iter().all(|property| property.survives_reduction());
        self.reduce && survive
    }
}

/// In the place of an id: every property that applies.
const ALL: &str = "all";

/// In the place of an id: every spec that must not stay hot.
const LIVE: &str = "live";

/// What is asked of a model unless somebody says what to ask.
fn usual(outline: &Outline) -> Vec<Property> {
    let mut usual = every(outline);
    match outline.language {
        // P calls neither of the two an error: machines wait for ever, and messages stay deferred.
        "p" => usual.retain(|it| ![Property::Stuck, Property::Orphan].contains(it)),
        // SPIN asks neither, and a message that nobody wants is not an error there.
        "promela" => usual
            .retain(|it| ![Property::Stuck, Property::Orphan, Property::Unhandled].contains(it)),
        _ => {}
    }
    usual
}

/// Everything that applies to a model and is about right and wrong.
fn every(outline: &Outline) -> Vec<Property> {
    let moments =
        [Property::Unhandled, Property::Deadlock, Property::Stuck, Property::Orphan].into_iter();
    let mut every = vec![Property::Assert];
    every.extend(moments.filter(|property| !property.is_void(outline)));
    // That a P program has nothing of the kind is worth a line.
    if outline.language == "p" || !Property::Divergence.is_void(outline) {
        every.push(Property::Divergence);
    }
    every.extend((0..outline.bad.len()).map(Property::Reach));
    every.extend((0..outline.possible.len()).map(Property::Possible));
    every.extend((0..outline.ltl.len()).map(Property::Ltl));
    let infinite = [Property::Livelock, Property::Accept];
    every.extend(infinite.into_iter().filter(|property| !property.is_void(outline)));
    every
}

/// The specs that must not stay hot.
fn live(outline: &Outline) -> Vec<Property> {
    let ltl = (0..outline.ltl.len()).map(Property::Ltl);
    ltl.filter(|property| property.is_live(outline)).collect()
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
    let possible = (0..outline.possible.len()).map(Property::Possible);
    let ltl = (0..outline.ltl.len()).map(Property::Ltl);
    let ids = fixed
        .into_iter()
        .chain(reach)
        .chain(possible)
        .chain(ltl)
        .map(|property| property.id(outline));
    ids.chain([ALL.to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load;

    fn asked(name: &str, text: &str, properties: &[&str]) -> (Vec<String>, Vec<String>) {
        let loaded = load(name, text.as_bytes()).expect("it is a model");
        let outline = loaded.model.outline();
        let properties = properties.iter().map(|&id| id.to_owned()).collect();
        let options = Options { properties, ..Options::default() };
        let ids = |list: Vec<Property>| list.iter().map(|it| it.id(outline)).collect();
        let selected = options.selected(outline).expect("they are all known");
        (ids(selected), ids(options.not_asked(outline)))
    }

    const SPIN: &str = "byte x; ltl p { [] (x < 3) } init { accept: progress: x++ }";

    #[test]
    fn a_promela_model_is_asked_what_spin_asks() {
        let (ids, left) = asked("m.pml", SPIN, &[]);
        assert_eq!(ids, ["assert", "deadlock", "ltl:p", "livelock", "accept"]);
        assert!(left.contains(&"stuck".to_owned()) && left.contains(&"orphan".to_owned()));
    }

    #[test]
    fn all_is_everything_that_applies() {
        let (ids, left) = asked("m.pml", SPIN, &["bounded", "all", "stuck"]);
        assert_eq!(ids[0], "bounded");
        for id in ["assert", "deadlock", "stuck", "orphan", "ltl:p", "livelock", "accept"] {
            assert_eq!(ids.iter().filter(|it| *it == id).count(), 1, "{id} in {ids:?}");
        }
        assert_eq!(left, Vec::<String>::new());
    }

    #[test]
    fn automata_are_asked_everything() {
        let text = "machine A { init S: }";
        let usual = asked("m.cfsm", text, &[]);
        assert_eq!(usual.0, asked("m.cfsm", text, &["all"]).0);
        assert_eq!(usual.1, Vec::<String>::new());
    }
}
