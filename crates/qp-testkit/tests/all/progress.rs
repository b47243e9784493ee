//! Progress where queues grow, on random systems: the engine and the referee against plain searches far beyond the
//! core, and evidence that was changed, or is about another system, against the referee.

#![allow(clippy::print_stdout, reason = "long runs say what they compared")]

use std::sync::Arc;

use qp_base::Budget;
use qp_check::{Finding, Referee, Ruling};
use qp_claim::{Claim, Core, Proof};
use qp_engines::{Engine, Progress, Task, TaskLimits};
use qp_machines::{Event, MachineId, Model, Property};
use qp_testkit::growing::{Found, Kind, far, model, neighbour, random_text, search};
use qp_testkit::judge::through_text;
use qp_testkit::rng::Rng;

const PROPERTIES: [Property; 4] =
    [Property::Stuck, Property::Orphan, Property::Deadlock, Property::Unhandled];

fn claims(model: &Model) -> Vec<(Property, Claim)> {
    let limits =
        TaskLimits { bound_max: 4, small_max: 100, evidence_max: 100_000, ..TaskLimits::default() };
    let properties = PROPERTIES.to_vec();
    let task = Task { model: model.clone(), properties, invariants: Vec::new(), limits };
    let answers = Progress.run(task, &Budget::states(4_000));
    answers.claims.into_iter().map(|answer| (answer.property, answer.claim)).collect()
}

/// Checks that nothing that was found missing behind a run happens there, as far as a plain search goes.
fn check_violation(model: &Model, ruling: &Ruling) -> bool {
    let Ruling::Violated { trace, finding, .. } = ruling else { return false };
    let mut system = model.system();
    let last = qp_check::replay(&mut system, &trace.steps).expect("it was just replayed");
    let bounds = [6, 5, 4, 3, 2, 1].into_iter();
    let mut searches = bounds.filter_map(|it| search(&mut system, last.last().clone(), it, 4_000));
    let Some(searched) = searches.next() else { return false };
    let hit = |&(mover, event, _): &(MachineId, Event, usize)| match *finding {
        Finding::Stuck { machine } => mover == machine,
        Finding::Orphan { queue } => {
            matches!(event, Event::Took { queue: from, .. } if from == queue)
        }
        _ => panic!("something else was found: {finding:?}"),
    };
    assert!(!searched.steps.iter().flatten().any(hit), "{finding:?}");
    searched.cut.contains(&true)
}

fn is_accepted(model: &Model, property: Property, claim: &Claim) -> bool {
    let verdict = Referee::new(model, 100_000).check(property, claim);
    verdict.is_ok_and(|verdict| matches!(verdict.ruling(), Ruling::Proved(_)))
}

/// How many systems are tried of each kind: more if somebody asks for it.
fn n_seeds(usual: u64) -> u64 {
    std::env::var("QP_PROGRESS_SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(usual)
}

fn compare(kind: Kind, usual: u64, least: usize) {
    let (mut n_proved, mut n_growing, mut n_violated) = (0, 0, 0);
    for seed in 0..n_seeds(usual) {
        let text = random_text(&mut Rng::new(seed), kind);
        let Some(model) = model(&text) else { continue };
        let (proved, others): (Vec<_>, Vec<_>) =
            claims(&model).into_iter().partition(|it| matches!(it.1, Claim::Holds(_)));
        // Covers take their time.
        for (property, claim) in others.into_iter().filter(|_| seed % 4 == 0) {
            let verdict = Referee::new(&model, 10_000).check(property, &claim);
            let verdict = verdict.unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
            n_violated += usize::from(check_violation(&model, verdict.ruling()));
        }
        if proved.is_empty() {
            continue;
        }
        let mut system = model.system();
        let Some((searched, bound)) = far(&mut system, 4_000) else { continue };
        let grows = searched.cut.contains(&true);
        if let Some((_, claim)) = proved.first() {
            let fails = |it: &(MachineId, Event, usize)| matches!(it.1, Event::Failed { .. });
            let fails = searched.steps.iter().flatten().any(fails);
            assert!(!fails || !is_accepted(&model, Property::Assert, claim), "seed {seed}\n{text}");
        }
        for (property, claim) in proved {
            let claim = through_text(&claim).expect("it can be written and read");
            let verdict = Referee::new(&model, 100_000).check(property, &claim);
            let verdict = verdict.unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
            assert!(matches!(verdict.ruling(), Ruling::Proved(_)), "seed {seed}\n{text}");
            let found = searched.judge(&mut system, property, bound.saturating_sub(4));
            assert_eq!(found, Found::Nothing, "seed {seed}, {property:?}, bound {bound}\n{text}");
            n_proved += 1;
            n_growing += usize::from(grows);
        }
    }
    println!(
        "{n_proved} proved, {n_growing} of growing systems, {n_violated} violated in growing ones"
    );
    assert!(n_growing >= least, "{n_proved} proved, {n_growing} of growing systems");
    assert!(kind.defers || n_violated >= least, "{n_violated} violated in growing systems");
}

#[test]
fn pairs_agree_with_plain_searches() {
    compare(Kind { pairs: true, defers: false, capacities: false }, 400, 15);
}

#[test]
fn mailboxes_agree_with_plain_searches() {
    compare(Kind { pairs: false, defers: false, capacities: false }, 400, 20);
}

#[test]
fn deferred_messages_agree_with_plain_searches() {
    compare(Kind { pairs: false, defers: true, capacities: false }, 400, 20);
}

#[test]
fn capacities_agree_with_plain_searches() {
    compare(Kind { pairs: true, defers: false, capacities: true }, 200, 5);
    compare(Kind { pairs: false, defers: true, capacities: true }, 200, 5);
}

/// Without who owes the next message of a mailbox, this would be proved: `b` may be first, and is then taken.
const MAILBOX: &str = "machine P0 { init S0: send P2 b -> E  E: }
machine P1 { init S0: send P2 a -> E  E: }
machine P2 { init S0: recv b -> S1  S1: recv a -> E  E: }";

#[test]
fn in_mailboxes_it_matters_who_sends_first() {
    let model = model(MAILBOX).expect("it is a model");
    for (property, claim) in claims(&model) {
        match property {
            Property::Stuck | Property::Orphan => {
                let verdict = Referee::new(&model, 100).check(property, &claim).expect("it is so");
                assert!(matches!(verdict.ruling(), Ruling::Violated { .. }), "{property:?}");
            }
            _ => assert!(matches!(claim, Claim::GaveUp(_)), "{property:?} {claim:?}"),
        }
    }
}

/// One place of a core changed.
fn mutate(core: &Core, rng: &mut Rng) -> Core {
    let mut changed = core.clone();
    let n_won = changed.won.len();
    match rng.below(9) {
        0 if !changed.edges.is_empty() => {
            let at = rng.below(changed.edges.len());
            changed.edges.remove(at);
        }
        1 if !changed.edges.is_empty() => {
            let (at, n_nodes) = (rng.below(changed.edges.len()), core.n_nodes());
            changed.edges[at].to = rng.below(n_nodes) as u32;
        }
        2 if n_won > 0 => {
            changed.won.remove(rng.below(n_won));
        }
        3 if n_won > 0 => {
            let nodes = &mut changed.won[rng.below(n_won)].nodes;
            let at = rng.below(nodes.len());
            nodes.remove(at);
        }
        4 if n_won > 0 => {
            let nodes = &mut changed.won[rng.below(n_won)].nodes;
            let at = rng.below(nodes.len());
            nodes[at].1 = rng.below(4) as u32;
        }
        5 if n_won > 0 => {
            let nodes = &mut changed.won[rng.below(n_won)].nodes;
            let at = rng.below(nodes.len());
            nodes[at].2 = if rng.percent(50) { None } else { Some(rng.below(8) as u32) };
        }
        6 if n_won > 0 => changed.won[rng.below(n_won)].owed.clear(),
        7 => {
            let machine = rng.below(changed.machines.len());
            let transitions = &mut changed.machines[machine].transitions;
            if !transitions.is_empty() {
                let at = rng.below(transitions.len());
                transitions.remove(at);
            }
        }
        _ => {
            let machine = rng.below(changed.machines.len());
            changed.machines[machine].skips.clear();
        }
    }
    changed
}

/// Evidence that was changed, about the system itself and about one that differs a little, is accepted only where a
/// plain search finds nothing wrong.
#[test]
fn changed_cores_prove_nothing_false() {
    let (mut n_tried, mut n_accepted, mut n_false) = (0, 0, 0);
    for seed in 0..n_seeds(200) {
        let rng = &mut Rng::new(seed);
        let defers = seed % 3 == 0;
        let kind = Kind { pairs: seed % 2 == 0, defers, capacities: seed % 5 == 0 };
        let text = random_text(rng, kind);
        let Some(own) = model(&text) else { continue };
        let cores = claims(&own).into_iter().filter_map(|(_, claim)| match claim {
            Claim::Holds(Proof::Core(core)) => Some(core),
            _ => None,
        });
        let Some(core) = cores.last() else { continue };
        for _ in 0..4 {
            let Some(other) = model(&neighbour(&text, rng)) else { continue };
            let mut system = other.system();
            let Some((searched, _)) = far(&mut system, 1_500) else { continue };
            for _ in 0..6 {
                let mut changed = (*core).clone();
                for _ in 0..rng.below(3) {
                    changed = mutate(&changed, rng);
                }
                let claim = Claim::Holds(Proof::Core(Arc::new(changed)));
                for property in PROPERTIES {
                    n_tried += 1;
                    let found = searched.judge(&mut system, property, 0);
                    n_false += usize::from(found == Found::Refuted);
                    if is_accepted(&other, property, &claim) {
                        n_accepted += 1;
                        assert_ne!(found, Found::Refuted, "seed {seed}, {property:?}\n{text}");
                    }
                }
            }
        }
    }
    assert!(n_tried > 2_000 && n_false > 500, "{n_tried} tried, {n_false} false");
    assert!(n_accepted > 10, "{n_accepted} accepted: nothing was tested");
}
