//! Where runs begin, once all machines are there.

use std::collections::BTreeSet;

use qp_machines::{Config, Event, LocalId, MachineId, System};

use crate::exchanges::peers::commands;
use crate::{Checked, Refusal, wrong};

/// So many configurations are passed in set-up at most.
const CONFIGURATIONS_MAX: usize = 100_000;

/// Where runs begin, and what is before.
#[derive(Default)]
pub(crate) struct Setup {
    pub(crate) beginnings: BTreeSet<Config>,
    /// The local states that machines pass before.
    pub(crate) passed: BTreeSet<(MachineId, LocalId)>,
    /// So many machines may be there when another one is created.
    pub(crate) n_early: usize,
}

impl Setup {
    /// Sets machines up, in every order.
    pub(crate) fn new(system: &mut System) -> Checked<Self> {
        let initial = system.initial();
        let alone = Self { beginnings: [initial.clone()].into(), ..Self::default() };
        let mut setup = Self::default();
        let (mut level, mut seen) = (BTreeSet::from([initial]), BTreeSet::new());
        let mut n_levels = 0;
        while !level.is_empty() {
            seen.extend(level.iter().cloned());
            n_levels += 1;
            // More levels than configurations: some level had nothing new, so nothing new will come.
            if n_levels > seen.len() {
                return if setup.n_early > 0 { wrong("set-up may never end") } else { Ok(alone) };
            }
            if seen.len() > CONFIGURATIONS_MAX {
                return Err(Refusal::TooLarge);
            }
            let mut next = BTreeSet::new();
            for config in level {
                setup.go_on(system, &config, &mut next)?;
            }
            level = next;
        }
        Ok(if setup.n_early > 0 { setup } else { alone })
    }

    /// Collects where steps of set-up lead, those of machines that can only move by themselves or create others.
    fn go_on(
        &mut self,
        system: &mut System,
        config: &Config,
        next: &mut BTreeSet<Config>,
    ) -> Checked<()> {
        let mut ended = true;
        for machine in config.machines() {
            if !commands(system, config, machine)?.is_quiet() {
                continue;
            }
            for outcome in system.outcomes(config, machine, false) {
                ended = false;
                self.passed.insert((machine, config.local(machine)));
                if outcome.events().any(|event| matches!(event, Event::Created { .. })) {
                    self.n_early = self.n_early.max(config.locals.len());
                }
                next.insert(outcome.config);
            }
        }
        if ended {
            self.beginnings.insert(config.clone());
        }
        Ok(())
    }
}
