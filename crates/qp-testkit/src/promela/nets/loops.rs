//! Runs that come back to where they were, and so can go on for ever: what their nets say of them.
//!
//! Several ways through a net may fit to a loop, and only one of them is what happens. So all that is asked for is
//! one way on which every dependency holds.

use std::collections::BTreeSet;

use qp_machines::{ArcId, Config, DetailId, Event, Model, Net, Outcome, System};

use super::{Follower, Index, WAYS_MAX, Way};
use crate::rng::Rng;

/// What was looked at.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Loops {
    /// How many loops there were.
    pub found: usize,
    /// On how many of them everything happens of which a dependency speaks.
    pub telling: usize,
}

/// Looks at loops of random runs in the nets that follow nothing, some details, and everything: what was found, or a
/// dependency that does not hold.
pub fn follow_loops(model: &Model, runs: usize, steps: usize, seed: u64) -> Result<Loops, String> {
    let mut rng = Rng::new(seed);
    let coarse = model.system().program_mut().net(&[])?;
    let all: Vec<DetailId> = coarse.details.ids().collect();
    let mut loops = Loops::default();
    for share in [0, 2, 1] {
        let mut wanted: Vec<DetailId> = all.clone();
        wanted.retain(|_| share > 0 && rng.below(share) == 0);
        let mut system = model.system();
        let net = system.program_mut().net(&wanted)?;
        if net.dependencies.is_empty() {
            continue;
        }
        let index = Index::new(&net);
        for _ in 0..runs {
            walk(&index, &mut system, steps, (&mut rng, &mut loops))
                .map_err(|it| format!("{it}, if {wanted:?} are followed"))?;
        }
    }
    Ok(loops)
}

/// One random run.
fn walk(
    index: &Index<'_>,
    system: &mut System,
    steps: usize,
    (rng, loops): (&mut Rng, &mut Loops),
) -> Result<(), String> {
    let mut config = system.initial();
    let mut follower = Follower::new(index, system, &config);
    let mut path: Vec<(BTreeSet<Way>, Outcome)> = Vec::new();
    let mut seen: Vec<Config> = Vec::new();
    for _ in 0..steps {
        if let Some(from) = seen.iter().position(|it| *it == config) {
            check(index, system, &path[from..], loops)?;
            // Every loop is looked at once.
            seen.clear();
            path.clear();
        }
        seen.push(config.clone());
        let mut outcomes = system.successors(&config);
        outcomes.retain(|it| !matches!(it.event, Event::Failed { .. } | Event::GaveUp { .. }));
        if outcomes.is_empty() {
            break;
        }
        let outcome = outcomes.swap_remove(rng.below(outcomes.len()));
        let before = follower.ways.clone();
        follower.take(system, &outcome)?;
        if follower.ways.len() > WAYS_MAX {
            break;
        }
        config = outcome.config.clone();
        path.push((before, outcome));
    }
    Ok(())
}

/// Looks at one loop.
fn check(
    index: &Index<'_>,
    system: &System,
    path: &[(BTreeSet<Way>, Outcome)],
    loops: &mut Loops,
) -> Result<(), String> {
    let Some((ways, _)) = path.first() else { return Ok(()) };
    let made = || Some(BTreeSet::new());
    let ways = ways.iter().map(|way| Way { made: made(), ..way.clone() }).collect();
    let n_queues = system.program().outline().queues.len();
    let mut follower = Follower { index, n_queues, ways };
    for (_, outcome) in path {
        follower.take(system, outcome)?;
        if follower.ways.len() > WAYS_MAX {
            return Ok(());
        }
    }
    let ways: Vec<&BTreeSet<ArcId>> =
        follower.ways.iter().filter_map(|it| it.made.as_ref()).collect();
    loops.found += 1;
    let Some(made) = ways.iter().find(|made| broken(index.net, made).is_none()) else {
        let why = ways.first().and_then(|made| broken(index.net, made)).unwrap_or_default();
        let texts = path.iter().map(|(_, it)| format!("{:?} {:?}", it.step, it.event));
        return Err(format!("a loop goes on although {why}: {:?}", texts.collect::<Vec<_>>()));
    };
    let tells = |arcs: &Vec<Vec<ArcId>>| arcs.iter().all(|arcs| any(made, arcs));
    loops.telling += usize::from(index.net.dependencies.iter().any(|it| tells(&it.all)));
    Ok(())
}

/// A dependency that does not hold if these steps are made again and again.
fn broken(net: &Net, made: &BTreeSet<ArcId>) -> Option<String> {
    let breaks = |all: &[Vec<ArcId>]| all.iter().all(|arcs| any(made, arcs));
    let mut all = net.dependencies.iter();
    all.find(|it| breaks(&it.all) && !any(made, &it.on)).map(|it| it.because.clone())
}

fn any(made: &BTreeSet<ArcId>, arcs: &[ArcId]) -> bool {
    arcs.iter().any(|arc| made.contains(arc))
}
