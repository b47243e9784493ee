//! Reduced sets: that the machines whose steps are left out can wait.
//!
//! The rules and why they are enough are in `docs/decisions/006-reduction.md`.

use std::collections::{BTreeMap, BTreeSet};

use qp_claim::ReducedSet;
use qp_machines::{Config, MachineId, QueueId, System};

use crate::Rejected;
use crate::rows::Rows;

/// Who uses the front (`false`) or the back (`true`) of each queue, in any row.
#[derive(Default)]
struct Users(BTreeMap<(QueueId, bool), BTreeSet<MachineId>>);

/// Checks the set: all steps from every row, or all steps of its one machine, lead to rows.
pub(crate) fn check(system: &mut System, reduced: &ReducedSet) -> Result<Rows, Rejected> {
    if reduced.machines.len() != reduced.set.rows().count() {
        return Err(Rejected("not every row says whose steps are followed".to_owned()));
    }
    let rows = Rows::check(system, &reduced.set, |place| reduced.machines[place])?;
    let mut users = Users::default();
    rows.each(&reduced.set, |_, config| users.note(system, config))?;
    rows.each(&reduced.set, |place, config| {
        let Some(machine) = reduced.machines[place] else { return Ok(()) };
        // So every row that leaves steps out leads on to one that does not.
        let leads_on = rows.edges(place).iter().any(|edge| edge.to as usize > place);
        let why = match users.objection(system, config, machine) {
            None if leads_on => return Ok(()),
            why => why.unwrap_or("it only leads back"),
        };
        Err(Rejected(format!("row {place} is more than {machine:?}: {why}")))
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
                let front = view.front.into_iter().map(|queue| (queue, false));
                for end in front.chain(view.back.into_iter().map(|queue| (queue, true))) {
                    self.0.entry(end).or_default().insert(machine);
                }
            }
        }
        Ok(())
    }

    /// Why the turns of a machine may not stay as they are whatever the others do, or others may notice.
    fn objection(
        &self,
        system: &mut System,
        config: &Config,
        machine: MachineId,
    ) -> Option<&'static str> {
        let view = system.view(config, machine, false);
        if !view.is_named() || !view.uses.as_ref().is_some_and(|uses| uses.alone) {
            return Some("it and others look at each other");
        }
        let exists = |&queue: &QueueId| queue.index() < config.words.len();
        let full = |&queue: &QueueId| system.words().len(config.word(queue)) > 0;
        let room = |queue: &QueueId| exists(queue) && system.has_room(config, *queue);
        if !view.front.iter().all(full) || !view.back.iter().all(room) {
            return Some("others may let it do more");
        }
        let shared = |queue, back| self.0.get(&(queue, back)).is_none_or(|users| users.len() > 1);
        if view.front.iter().any(|&queue| shared(queue, false))
            || view.back.iter().any(|&queue| shared(queue, true))
        {
            return Some("others use its queues in the same way");
        }
        let moves = !view.turns.is_empty() && view.turns.iter().all(|turn| turn.is_plain(machine));
        (!moves).then_some("it does more than to move")
    }
}
