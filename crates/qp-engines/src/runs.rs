//! Real runs: whether they end in a violation, how long queues get in them, whether they can go on for ever.

use qp_claim::{Shape, Trace};
use qp_machines::{Config, Event, MachineId, Outcome, Property, QueueId, Step, System};

use crate::search::growth::{comes_back, last_loop};

/// The run that goes on for ever with the steps behind `from`, if it can, and is fair where that matters: they lead back to
/// the same configuration, or leave more in queues each time. `outcomes[i]` leads from `configs[i]` to the next one.
pub(crate) fn repeated(
    system: &mut System,
    configs: &[Config],
    outcomes: &[Outcome],
    from: usize,
    fair: bool,
) -> Option<Trace> {
    let (start, end, cycle) = (&configs[from], configs.last()?, &outcomes[from..]);
    let n_machines = cycle.iter().map(|outcome| outcome.config.locals.len()).max().unwrap_or(0);
    // With longer queues, those who wait may be able to move.
    let mut waits = |config: &Config, machine: MachineId| {
        if start == end {
            let outcomes = system.successors(config);
            return outcomes.iter().all(|outcome| outcome.step.machine != machine);
        }
        system.never_moves(config, machine)
    };
    let mut is_served = |machine: MachineId| {
        let moves = |outcome: &Outcome| outcome.movers().contains(&machine);
        cycle.iter().any(|outcome| moves(outcome) || waits(&outcome.config, machine))
    };
    if fair && !(0..n_machines).map(MachineId::new).all(&mut is_served) {
        return None;
    }
    if start == end {
        let steps = outcomes.iter().map(|outcome| outcome.step).collect();
        return Some(Trace { steps, shape: Shape::Lasso { from } });
    }
    let grows = |queue: &QueueId| start.word(*queue) != end.word(*queue);
    let queue = start.queues().find(grows).filter(|_| comes_back(start, end))?;
    last_loop(system, configs, outcomes, from, queue)
}

/// The configurations of a run that begins here.
pub(crate) fn configs(start: &Config, outcomes: &[Outcome]) -> Vec<Config> {
    let after = outcomes.iter().map(|outcome| outcome.config.clone());
    std::iter::once(start.clone()).chain(after).collect()
}

/// The property that a step violates, if it is a failure.
pub(crate) fn failing(system: &System, event: Event) -> Option<Property> {
    match event {
        Event::Failed { failure } => Some(system.program().failure(failure).property),
        _ => None,
    }
}

/// Whether a configuration violates a property, without a step into a failure.
pub(crate) fn is_violated(system: &mut System, config: &Config, property: Property) -> bool {
    match property {
        Property::Unhandled => config.machines().any(|m| system.unhandled(config, m).is_some()),
        Property::Deadlock => !may_all_rest(system, config) && system.successors(config).is_empty(),
        Property::Reach(number) => system.program().outline().bad[number].holds(system, config),
        _ => false,
    }
}

/// Whether every machine may rest where it is.
pub(crate) fn may_all_rest(system: &System, config: &Config) -> bool {
    config.machines().all(|machine| system.program().may_rest(machine, config.local(machine)))
}

/// The most messages that a queue holds on a run.
pub(crate) fn longest_queue(system: &mut System, run: &[Step]) -> u32 {
    let (mut config, mut longest) = (system.initial(), 0);
    for &step in run {
        let Some(outcome) = system.fire(&config, step) else { break };
        config = outcome.config;
        let lengths = config.words.iter().map(|&word| system.words().len(word));
        longest = lengths.fold(longest, usize::max);
    }
    longest as u32
}
