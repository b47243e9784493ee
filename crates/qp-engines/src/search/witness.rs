//! Runs to configurations.

use qp_base::Budget;
use qp_claim::Trace;
use qp_machines::{Config, Event, Failure, Outcome, Property, Step, System};

use super::space::Space;
use super::visited::Places;
use super::{Halt, Search};

/// What a run should lead to.
pub(crate) enum Target<'a> {
    /// A configuration that violates the watched property with this bit.
    Bit(usize),
    /// One of these places of the main search.
    Places(&'a dyn Fn(u32) -> bool),
}

/// A shortest run, with queues as long as in `main`, to the target, which `found` (a place of `main`)
/// is known to be.
///
/// The main search may have met `found` late: it visits first what shorter queues allow. So a fresh
/// search looks again, breadth first. If the budget does not allow that, the way on which
/// `found` was met has to do.
pub(crate) fn shortest<const W: usize>(
    space: &mut Space,
    main: &Search<W>,
    jobs: usize,
    budget: &Budget,
    target: &Target<'_>,
    found: u32,
) -> Vec<Config> {
    if main.reduces() {
        // What was left out may be shorter, but looking there is what nobody wanted.
        return configs(space, main, found);
    }
    let initial = main.values(0);
    let mut fresh: Search<W> = Search::new(main.packing.clone(), &initial, main.bound, jobs);
    let places = match target {
        Target::Bit(_) => None,
        Target::Places(_) => Some(Places::of(&main.visited)),
    };
    let mut looked = 0;
    let mut reached = None;
    let halt = fresh.run(space, budget, |search| {
        reached = match target {
            Target::Bit(bit) => search.hits[*bit],
            Target::Places(is_one) => {
                let new = looked..search.visited.len() as u32;
                looked = new.end;
                new.into_iter().find(|&place| {
                    let key = &search.visited.keys()[place as usize];
                    places.as_ref().and_then(|places| places.find(key)).is_some_and(is_one)
                })
            }
        };
        reached.is_some()
    });
    match (halt, reached) {
        (Err(Halt::Enough), Some(place)) => configs(space, &fresh, place),
        _ => configs(space, main, found),
    }
}

/// The configurations on the way to a place.
pub(crate) fn configs<const W: usize>(
    space: &mut Space,
    search: &Search<W>,
    place: u32,
) -> Vec<Config> {
    search.path(place).into_iter().map(|place| space.config(&search.values(place))).collect()
}

/// The steps between consecutive configurations.
pub(crate) fn steps(space: &mut Space, configs: &[Config]) -> Vec<Outcome> {
    let system = space.system();
    configs
        .windows(2)
        .map(|pair| {
            let successors = system.successors(&pair[0]);
            let leads = |o: &Outcome| o.config == pair[1] && !is_end(o.event);
            successors.into_iter().find(leads).expect("the search only takes steps that exist")
        })
        .collect()
}

/// Whether a step leads nowhere.
fn is_end(event: Event) -> bool {
    matches!(event, Event::Failed { .. } | Event::GaveUp { .. })
}

/// The run through these configurations as choices. If the last one violates the property only because
/// a failure is possible there, the run goes on into it.
pub(crate) fn trace(space: &mut Space, configs: &[Config], property: Property) -> Trace {
    let mut choices: Vec<Step> = steps(space, configs).into_iter().map(|o| o.step).collect();
    let last = configs.last().expect("a run has a beginning");
    choices.extend(failure(space.system(), last, property));
    Trace::finite(choices)
}

/// The step into a failure that shows the violation, where there is no violation without it.
fn failure(system: &mut System, config: &Config, property: Property) -> Option<Step> {
    let here = match property {
        Property::Assert | Property::Divergence => false,
        Property::Unhandled => config.machines().any(|m| system.unhandled(config, m).is_some()),
        _ => true,
    };
    if here {
        return None;
    }
    let outcomes = system.successors(config);
    let violates = |o: &&Outcome| {
        matches!(o.event, Event::Failed { failure }
            if system.program().failure(failure).property == property)
    };
    Some(outcomes.iter().find(violates).expect("the configuration was marked as failing").step)
}

/// Why the interpreter gave up in a configuration in which it did.
pub(crate) fn why(system: &mut System, config: &Config) -> Failure {
    let why = system.successors(config).into_iter().find_map(|outcome| match outcome.event {
        Event::GaveUp { why } => Some(why),
        _ => None,
    });
    system.program().failure(why.expect("the configuration was noted for it"))
}
