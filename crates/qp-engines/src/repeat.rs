//! Runs that go on for ever by repeating their last steps.

use qp_claim::{Shape, Trace};
use qp_machines::{Config, MachineId, Outcome, QueueId, System};

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
    let mut waits = |config: &Config, machine: MachineId| match start == end {
        true => system.successors(config).iter().all(|outcome| outcome.step.machine != machine),
        false => system.never_moves(config, machine),
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
