//! Rays of random systems and of models of the corpus, and the runs that are found for them.

use std::path::Path;

use qp_base::Budget;
use qp_claim::{Claim, Shape, Trace};
use qp_lp::BigInt;
use qp_machines::{ArcId, CounterId, DetailId, Model, Net, Property, QueueId};
use qp_promela::{Channels, Granularity};
use qp_testkit::compare::loaded;
use qp_testkit::promela::ours::model_with;
use qp_testkit::rng::Rng;
use qp_testkit::{make, pump};

use super::super::cases::{Settled, settle};
use super::super::inequalities::{Inequalities, Most};
use super::{growth, livelock};
use crate::{Engine, Explore, Task, TaskLimits};

type Ray = Vec<(ArcId, BigInt)>;

/// The net that follows everything.
fn net_of(model: &Model) -> Net {
    let mut system = model.system();
    let mut net =
        |followed: &[DetailId]| system.program_mut().net(followed).expect("the language has nets");
    let all: Vec<DetailId> = net(&[]).details.ids().collect();
    net(&all)
}

/// The queues that counting does not bound, with their rays.
fn growing(model: &Model, net: &Net) -> Vec<(QueueId, Ray)> {
    let budget = Budget::states(100_000);
    let mut inequalities = Inequalities::of_runs(net);
    let queues = (0..model.outline().queues.len()).map(QueueId::new);
    let ray = |queue: QueueId| {
        let counters = net.counters.iter_enumerated();
        let counted: Vec<CounterId> =
            counters.filter(|(_, it)| it.counts.is_in(queue)).map(|(id, _)| id).collect();
        match inequalities.most_of(&counted, &budget) {
            Ok(Most::Grows(ray)) => Some((queue, ray)),
            Ok(Most::Bound { .. } | Most::Nothing) | Err(_) => None,
        }
    };
    queues.filter_map(ray).collect()
}

fn ray_without_progress(net: &Net) -> Option<Ray> {
    match settle(net, &Budget::states(100_000)).0 {
        Settled::Open(ray) => Some(ray),
        _ => None,
    }
}

fn grows(model: &Model, net: &Net, (queue, ray): &(QueueId, Ray)) -> Option<Trace> {
    let found = growth(model, net, ray, *queue, &Budget::states(1_000_000))?;
    assert!(matches!(found.shape, Shape::Pump { queue: it, .. } if it == *queue), "{found:?}");
    assert_eq!(pump::judged(model, Property::Bounded, &found), Ok(()), "{found:?}");
    assert_eq!(pump::turns(&mut model.system(), &found, 25), Ok(()), "{found:?}");
    Some(found)
}

fn circles(model: &Model, net: &Net, ray: &Ray) -> Option<Trace> {
    let found = livelock(model, net, ray, &Budget::states(1_000_000))?;
    assert!(!matches!(found.shape, Shape::Finite), "{found:?}");
    assert_eq!(pump::judged(model, Property::Livelock, &found), Ok(()), "{found:?}");
    if matches!(found.shape, Shape::Pump { .. }) {
        assert_eq!(pump::turns(&mut model.system(), &found, 25), Ok(()), "{found:?}");
    }
    Some(found)
}

#[test]
fn queues_of_random_systems_that_grow() {
    let (mut n_rays, mut n_found) = (0, 0);
    for seed in 0..60 {
        let Ok(loaded) = loaded(&make::net(seed)) else { continue };
        let net = net_of(&loaded.model);
        for ray in growing(&loaded.model, &net) {
            n_rays += 1;
            let found = grows(&loaded.model, &net, &ray).is_some();
            n_found += usize::from(found);
            let missed = !found && searched(&loaded.model, Property::Bounded, Some(ray.0));
            assert!(!missed, "seed {seed}: {:?}", ray.0);
        }
    }
    println!("{n_found} of {n_rays} rays");
    assert!(n_found > 40, "{n_found} of {n_rays}");
}

#[test]
fn random_systems_that_run_without_progress() {
    let (mut n_rays, mut n_found) = (0, 0);
    for seed in 0..120 {
        let mut rng = Rng::new(seed ^ 0xf10);
        let mut mark = |line: &str| match line.strip_prefix("    ") {
            Some(rest) if !rest.starts_with(' ') && rng.percent(50) => {
                format!("    progress {rest}\n")
            }
            _ => format!("{line}\n"),
        };
        let text: String = make::net(seed).text().lines().map(&mut mark).collect();
        let Ok(loaded) = queueproof::load("random.cfsm", text.as_bytes()) else { continue };
        let net = net_of(&loaded.model);
        if !loaded.model.outline().has_progress {
            continue;
        }
        let Some(ray) = ray_without_progress(&net) else { continue };
        n_rays += 1;
        let found = circles(&loaded.model, &net, &ray).is_some();
        n_found += usize::from(found);
        let missed = !found && searched(&loaded.model, Property::Livelock, None);
        assert!(!missed, "seed {seed}");
    }
    println!("{n_found} of {n_rays} rays");
    assert!(n_found > 3, "{n_found} of {n_rays}");
}

/// Whether a search of everything with short queues finds such a run.
fn searched(model: &Model, property: Property, queue: Option<QueueId>) -> bool {
    let limits = TaskLimits {
        bound_max: 4,
        queues: true,
        small_max: 10_000,
        evidence_max: 10_000,
        ..TaskLimits::default()
    };
    let (model, properties) = (model.clone(), vec![property]);
    let task = Task { model, properties, invariants: Vec::new(), limits };
    let answers = Explore.run(task, &Budget::states(50_000));
    let of_queue = answers.queues.iter().filter(|it| Some(it.queue) == queue).map(|it| &it.claim);
    let claims = answers.claims.iter().filter(|_| queue.is_none()).map(|it| &it.claim);
    claims.chain(of_queue).any(|claim| matches!(claim, Claim::Violated(_)))
}

fn corpus(name: &str, granularity: Granularity) -> Model {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/promela");
    let text = std::fs::read_to_string(root.join(name)).expect("the corpus is there");
    model_with(&text, granularity, Channels::Unbounded).expect("it is a model")
}

/// The names of the queues that were found to grow, and of those left open.
fn told(name: &str) -> [String; 2] {
    let model = corpus(name, Granularity::Visible);
    let net = net_of(&model);
    let mut told = [Vec::new(), Vec::new()];
    for ray in growing(&model, &net) {
        let found = grows(&model, &net, &ray).is_some();
        told[usize::from(!found)].push(model.outline().queue_text(ray.0));
    }
    told.map(|names| names.join(" "))
}

#[test]
fn every_pipe_between_coroutines_grows() {
    assert_eq!(told("conway.pml"), ["cards pipe lines", ""]);
}

/// There is one update at a time, and the net that follows the flag knows that.
#[test]
fn inputs_and_views_of_users_grow() {
    assert_eq!(told("mvcc_2.pml"), ["inputs to_view[0] to_view[1]", ""]);
}

#[test]
fn calls_for_an_elevator_grow() {
    assert_eq!(told("elevator_bug.pml"), ["calls door", ""]);
}
