//! Runs, recomputed from their choices.

use qp_machines::{Config, Outcome, Step, System};

use crate::Rejected;

/// A run with its configurations.
#[derive(Clone, Debug)]
pub struct Run {
    /// Where it begins.
    pub initial: Config,
    /// Its steps, each with the configuration afterwards.
    pub outcomes: Vec<Outcome>,
}

impl Run {
    /// The configuration after the first `n` steps.
    pub fn after(&self, n: usize) -> &Config {
        if n == 0 { &self.initial } else { &self.outcomes[n - 1].config }
    }

    /// The last configuration.
    pub fn last(&self) -> &Config {
        self.after(self.outcomes.len())
    }
}

/// Takes these steps one after the other.
pub fn replay(system: &mut System, steps: &[Step]) -> Result<Run, Rejected> {
    let mut run = Run { initial: system.initial(), outcomes: Vec::with_capacity(steps.len()) };
    for (number, &step) in steps.iter().enumerate() {
        let outcome = system.fire(run.last(), step).ok_or_else(|| {
            let Step { machine, choice } = step;
            let number = number + 1;
            Rejected(format!("step {number} ({}.{choice}) is not possible", machine.raw()))
        })?;
        run.outcomes.push(outcome);
    }
    Ok(run)
}
