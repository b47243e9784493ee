//! The machines that are created before anything else happens.

use qp_base::define_index;
use qp_machines::{Config, Event, Outcome, Step};

use crate::trail::Trail;

use super::world::{Beginning, MACHINES_MAX, Stop, World, refuse_sharing};

define_index!(MomentId, "t", "a moment at which machines are still being created");

/// More moments than this are not looked at.
const MOMENTS_MAX: usize = 20_000;

impl World {
    /// Runs machines that can only move by themselves and create others, in every order, until there is none left.
    /// That can come before everything else without changing what machines send and receive. Where nobody is
    /// created, runs begin where they begin.
    pub(super) fn begin(&mut self, initial: Config) -> Result<(), Stop> {
        let creation = self.create(&initial)?;
        (self.created, self.n_early) = (creation.created, creation.n_early);
        let alone = Beginning { config: initial, steps: Vec::new() };
        self.beginnings = if self.created { creation.ends } else { vec![alone] };
        let sizes =
            self.beginnings.iter().map(|it| (it.config.locals.len(), it.config.words.len()));
        self.fullest = sizes.enumerate().max_by_key(|it| it.1).map_or(0, |it| it.0);
        if self.beginnings.iter().any(|it| it.config.locals.len() > MACHINES_MAX) {
            return Err(Stop::outside("there are more than 64 machines"));
        }
        Ok(())
    }

    fn create(&mut self, initial: &Config) -> Result<Creation, Stop> {
        let mut moments: Trail<MomentId, Config, Step> = Trail::new();
        let mut edges: Vec<(usize, usize)> = Vec::new();
        let mut creation = Creation::default();
        moments.begin(initial.clone(), ());
        let mut next = 0;
        while next < moments.len() {
            let at = MomentId::new(next);
            next += 1;
            self.pause()?;
            let config = moments.value(at).clone();
            let outcomes = self.creations(&config)?;
            if outcomes.is_empty() {
                let config = config.clone();
                creation.ends.push(Beginning { steps: moments.steps(at), config });
            }
            for outcome in outcomes {
                if outcome.events().any(|event| matches!(event, Event::Created { .. })) {
                    creation.created = true;
                    creation.n_early = creation.n_early.max(config.locals.len());
                }
                if outcome.config.locals.len() > MACHINES_MAX {
                    return creation.or("there are more than 64 machines");
                }
                let to = moments.go(at, outcome.step, outcome.config);
                edges.push((at.index(), to.index()));
            }
            if moments.len() > MOMENTS_MAX {
                let because = "there are too many ways in which machines are created";
                return creation.or(because);
            }
        }
        if creation.created && crate::graph::sorted(moments.len(), &edges).is_none() {
            return creation.or("machines may never be done with creating others");
        }
        Ok(creation)
    }

    /// The steps of machines that can only move by themselves or create others.
    fn creations(&mut self, config: &Config) -> Result<Vec<Outcome>, Stop> {
        let mut outcomes = Vec::new();
        for machine in config.machines() {
            let acts = self.system.commands(config, machine, config.local(machine));
            let acts = acts.map_err(|beyond| Stop::beyond(&self.system, beyond))?;
            refuse_sharing(acts.shares.as_ref())?;
            if acts.is_quiet() {
                outcomes.extend(self.system.outcomes(config, machine, false));
            }
        }
        Ok(outcomes)
    }
}

#[derive(Default)]
struct Creation {
    ends: Vec<Beginning>,
    created: bool,
    /// So many machines may be there when another one is created.
    n_early: usize,
}

impl Creation {
    /// What is in the way matters only if machines are created at all.
    fn or(self, because: &str) -> Result<Self, Stop> {
        if self.created { Err(Stop::outside(because)) } else { Ok(Self::default()) }
    }
}
