//! The machines that are created before anything else happens.

use qp_base::{IndexVec, Interner, define_index};
use qp_machines::{Config, Event, Outcome, Step};

use super::world::{Beginning, MACHINES_MAX, Stop, World, refuse_sharing};

define_index!(MomentId, "t", "a moment at which machines are still being created");

/// More moments than this are not looked at.
const MOMENTS_MAX: usize = 20_000;

impl World {
    /// Runs machines that can only move by themselves and create others, in every order, until there is none left.
    /// That can come before everything else without changing what machines send and receive. Where nobody is
    /// created, runs begin where they begin.
    pub(super) fn begin(&mut self, initial: Config) -> Result<(), Stop> {
        let creation = match self.create(&initial) {
            Ok(creation) => creation,
            Err(NotDone::Never) => Creation::default(),
            Err(NotDone::Stop(stop)) => return Err(stop),
        };
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

    fn create(&mut self, initial: &Config) -> Result<Creation, NotDone> {
        let mut moments: Interner<MomentId, Config> = Interner::new();
        let mut ways: IndexVec<MomentId, Option<(MomentId, Step)>> = IndexVec::new();
        let mut edges: Vec<(MomentId, MomentId)> = Vec::new();
        let mut creation = Creation::default();
        moments.intern(initial.clone());
        ways.push(None);
        let mut next = 0;
        while next < moments.len() {
            let at = MomentId::new(next);
            next += 1;
            self.pause().map_err(NotDone::Stop)?;
            let config = moments.value(at).clone();
            let outcomes = self.creations(&config).map_err(NotDone::Stop)?;
            if outcomes.is_empty() {
                let config = config.clone();
                creation.ends.push(Beginning { steps: steps_to(&ways, at), config });
            }
            for outcome in outcomes {
                if outcome.events().any(|event| matches!(event, Event::Created { .. })) {
                    creation.created = true;
                    creation.n_early = creation.n_early.max(config.locals.len());
                }
                if outcome.config.locals.len() > MACHINES_MAX {
                    return Err(creation.or("there are more than 64 machines"));
                }
                let to = moments.intern(outcome.config);
                if to.index() == ways.len() {
                    ways.push(Some((at, outcome.step)));
                }
                edges.push((at, to));
            }
            if moments.len() > MOMENTS_MAX {
                let because = "there are too many ways in which machines are created";
                return Err(creation.or(because));
            }
        }
        if creation.created && has_cycle(moments.len(), &edges) {
            return Err(creation.or("machines may never be done with creating others"));
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
    fn or(self, because: &str) -> NotDone {
        if self.created { NotDone::Stop(Stop::outside(because)) } else { NotDone::Never }
    }
}

enum NotDone {
    /// Nobody was created.
    Never,
    Stop(Stop),
}

fn steps_to(ways: &IndexVec<MomentId, Option<(MomentId, Step)>>, end: MomentId) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut at = end;
    while let Some((before, step)) = ways[at] {
        steps.push(step);
        at = before;
    }
    steps.reverse();
    steps
}

/// Whether some moment comes back.
fn has_cycle(n: usize, edges: &[(MomentId, MomentId)]) -> bool {
    let mut before = vec![0_usize; n];
    for (_, to) in edges {
        before[to.index()] += 1;
    }
    let mut todo: Vec<usize> = (0..n).filter(|&at| before[at] == 0).collect();
    let mut done = 0;
    let mut sorted = edges.to_vec();
    sorted.sort_unstable();
    while let Some(at) = todo.pop() {
        done += 1;
        let first = sorted.partition_point(|(from, _)| from.index() < at);
        for (_, to) in sorted[first..].iter().take_while(|(from, _)| from.index() == at) {
            before[to.index()] -= 1;
            if before[to.index()] == 0 {
                todo.push(to.index());
            }
        }
    }
    done < n
}
