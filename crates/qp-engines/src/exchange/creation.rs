//! The machines that are created before anything else happens.

use qp_base::{IndexVec, Interner, define_index};
use qp_machines::{Config, Effect, Event, Outcome, Step};

use super::world::{Beginning, MACHINES_MAX, Stop, World, plain};

define_index!(MomentId, "t", "a moment at which machines are still being created");

/// More moments than this are not looked at.
const MOMENTS_MAX: usize = 20_000;

impl World {
    /// Runs machines that can only move by themselves and create others, in every order, until there is none left.
    /// That can come before everything else without changing what machines send and receive. Where nobody is
    /// created, runs begin where they begin.
    pub(super) fn begin(&mut self, initial: Config) -> Result<(), Stop> {
        let (ends, created) = match self.create(&initial) {
            Ok(creation) => (creation.ends, creation.created),
            Err(NotDone::Never) => (Vec::new(), false),
            Err(NotDone::Stop(stop)) => return Err(stop),
        };
        self.created = created;
        self.beginnings =
            if created { ends } else { vec![Beginning { config: initial, steps: Vec::new() }] };
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
                creation.ends.push(Beginning { steps: steps_to(&ways, at), config });
            }
            for outcome in outcomes {
                creation.created |= matches!(outcome.event, Event::Created { .. });
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
            let moves = self.system.moves(machine, config.local(machine), config.store);
            let quiet = |effect: &Effect| matches!(effect, Effect::Internal | Effect::Spawn { .. });
            if moves.iter().all(|mv| quiet(&mv.effect)) {
                moves.iter().try_for_each(plain)?;
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
