//! Reduced sets: that the machines whose steps are left out can wait.
//!
//! The rules and why they are enough are in `docs/decisions/006-reduction.md`.

use std::collections::{BTreeMap, BTreeSet};

use qp_claim::ReducedSet;
use qp_machines::{Capacity, Config, MachineId, QueueId, System, Turn, View};

use crate::Rejected;
use crate::rows::Rows;

/// Who uses the front (`false`) or the back (`true`) of each queue, in any row.
#[derive(Default)]
struct Users(BTreeMap<(QueueId, bool), BTreeSet<MachineId>>);

/// Checks the set: all steps from every row, or all steps of its one machine, lead to rows.
pub(crate) fn check(system: &mut System, reduced: &ReducedSet) -> Result<Rows, Rejected> {
    if !system.program().outline().whole {
        return Err(Rejected("only sets of turns are reduced".to_owned()));
    }
    if reduced.machines.len() != reduced.set.rows().count() {
        return Err(Rejected("not every row says whose steps are followed".to_owned()));
    }
    let rows = Rows::check(system, &reduced.set, |place| reduced.machines[place])?;
    let mut users = Users::default();
    rows.each(&reduced.set, |_, config| users.note(system, config))?;
    rows.each(&reduced.set, |place, config| {
        let Some(machine) = reduced.machines[place] else { return Ok(()) };
        let refused = |why| Rejected(format!("row {place} is more than {machine:?}: {why}"));
        let view = system.view(config, machine, false);
        users.may_go_first(system, config, machine, &view).map_err(refused)?;
        // So every row that leaves steps out leads on to one that does not.
        if !rows.edges(place).iter().any(|edge| edge.to as usize > place) {
            return Err(refused("it only leads back"));
        }
        Ok(())
    })?;
    Ok(rows)
}

impl Users {
    /// Notes who uses what in a configuration.
    fn note(&mut self, system: &mut System, config: &Config) -> Result<(), Rejected> {
        if config.holder.is_some() {
            return Err(Rejected("somebody goes on alone in a reduced set".to_owned()));
        }
        let mut any = false;
        for timeout in [false, true] {
            if any {
                break;
            }
            for machine in config.machines() {
                let view = system.view(config, machine, timeout);
                any |= !view.turns.is_empty();
                let named = view.uses.map(|uses| (uses.front, uses.back)).unwrap_or_default();
                let known = |q: &QueueId| named.0.contains(q) || named.1.contains(q);
                // Nobody knows what is done with a queue that is not named.
                let others: Vec<QueueId> = view.queues.into_iter().filter(|q| !known(q)).collect();
                let front = named.0.iter().chain(&others).map(|&queue| (queue, false));
                let back = named.1.iter().chain(&others).map(|&queue| (queue, true));
                for end in front.chain(back) {
                    self.0.entry(end).or_default().insert(machine);
                }
            }
        }
        Ok(())
    }

    /// Whether all turns of a machine stay as they are, whatever the others do, and the others do not notice.
    fn may_go_first(
        &self,
        system: &System,
        config: &Config,
        machine: MachineId,
        view: &View,
    ) -> Result<(), &'static str> {
        let uses = view.uses.as_ref().filter(|uses| uses.alone && !view.is_wide);
        let uses = uses.ok_or("it and others look at each other")?;
        let len = |queue: QueueId| system.words().len(config.word(queue));
        let exists = |queue: QueueId| queue.index() < config.words.len();
        let fits = |&queue: &QueueId| match system.kind(config, queue).capacity {
            Capacity::Unbounded => true,
            Capacity::Messages(n) => len(queue) < n as usize,
            Capacity::Rendezvous => false,
        };
        let fits = |queue: &QueueId| exists(*queue) && fits(queue);
        if uses.front.iter().any(|&queue| len(queue) == 0) || !uses.back.iter().all(fits) {
            return Err("others may let it do more");
        }
        let own = |queue, back| self.0.get(&(queue, back)).is_some_and(|users| users.len() == 1);
        let named = |queue: &QueueId| uses.front.contains(queue) || uses.back.contains(queue);
        if !uses.front.iter().all(|&queue| own(queue, false))
            || !uses.back.iter().all(|&queue| own(queue, true))
            || !view.queues.iter().all(named)
        {
            return Err("others use its queues in the same way");
        }
        let plain = |turn: &Turn| match turn {
            Turn::Does { after, .. } => {
                let counts = after.n_machines.is_none() && after.n_queues.is_none();
                let cells = after.cells.is_empty() && after.kinds.is_empty();
                let locals = after.locals.iter().all(|&(changed, _)| changed == machine);
                counts && cells && locals && after.holder.is_none()
            }
            Turn::Fails { .. } | Turn::GivesUp { .. } => false,
        };
        let moves = !view.turns.is_empty() && view.turns.iter().all(plain);
        moves.then_some(()).ok_or("it does more than to move")
    }
}
