//! Where runs begin, once all machines are there.

use std::collections::BTreeSet;

use qp_machines::{Config, Effect, Event, LocalId, MachineId, Move, System};

use crate::peers::is_plain;
use crate::{Checked, Refusal, wrong};

/// So many configurations are passed in set-up at most.
const CONFIGURATIONS_MAX: usize = 100_000;

/// Where runs begin, and what is before.
#[derive(Default)]
pub(crate) struct Setup {
    pub(crate) beginnings: BTreeSet<Config>,
    /// The local states that machines pass before.
    pub(crate) passed: BTreeSet<(MachineId, LocalId)>,
}

impl Setup {
    /// Sets machines up, in every order.
    pub(crate) fn new(system: &mut System) -> Checked<Self> {
        let initial = system.initial();
        let alone = Self { beginnings: [initial.clone()].into(), ..Self::default() };
        let (mut setup, mut creates) = (Self::default(), false);
        let (mut level, mut seen) = (BTreeSet::from([initial]), BTreeSet::new());
        let mut n_levels = 0;
        while !level.is_empty() {
            seen.extend(level.iter().cloned());
            n_levels += 1;
            // More levels than configurations: some level had nothing new, so nothing new will come.
            if n_levels > seen.len() {
                return if creates { wrong("set-up may never end") } else { Ok(alone) };
            }
            if seen.len() > CONFIGURATIONS_MAX {
                return Err(Refusal::TooLarge);
            }
            let mut next = BTreeSet::new();
            for config in level {
                creates |= setup.go_on(system, &config, &mut next);
            }
            level = next;
        }
        Ok(if creates { setup } else { alone })
    }

    /// Collects where moves of set-up lead, and returns whether one of them creates a machine.
    fn go_on(&mut self, system: &mut System, config: &Config, next: &mut BTreeSet<Config>) -> bool {
        let (mut ended, mut creates) = (true, false);
        for machine in config.machines() {
            if is_set_up(system, config, machine) {
                ended = false;
                self.passed.insert((machine, config.local(machine)));
                for outcome in system.outcomes(config, machine, false) {
                    creates |= matches!(outcome.event, Event::Created { .. });
                    next.insert(outcome.config);
                }
            }
        }
        if ended {
            self.beginnings.insert(config.clone());
        }
        creates
    }
}

/// Whether a machine has moves, and all of them belong to set-up.
fn is_set_up(system: &mut System, config: &Config, machine: MachineId) -> bool {
    let moves = system.moves(machine, config.local(machine), config.store);
    let belongs =
        |mv: &Move| is_plain(mv) && matches!(mv.effect, Effect::Internal | Effect::Spawn { .. });
    !moves.is_empty() && moves.iter().all(belongs)
}
