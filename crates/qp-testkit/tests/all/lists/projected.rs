//! What is reachable with short queues, projected: if the referee accepts it, longer queues must show
//! nothing new.

use std::collections::BTreeSet;
use std::sync::Arc;

use qp_check::Referee;
use qp_claim::{Claim, ClosedSet, ListSet, Proof, read_certificate};
use qp_machines::{Model, Property, QueueId, Qutl};
use qp_testkit::corpus::cases;
use qp_testkit::net::Sharing;
use qp_testkit::rng::Rng;
use qp_testkit::{compare, make, mutate, tiny};

use super::sets::{Row, as_they_look, is_closed, lists, reached, verdict};

const PRECISIONS: [(u32, u32); 5] = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1)];

/// How often what happened.
#[derive(Default, Debug)]
struct Tally {
    refused: usize,
    accepted: usize,
    /// Accepted although longer queues are possible.
    grows: usize,
    /// Accepted because of invariants only.
    by_invariants: usize,
}

/// Checks what is reachable up to a bound in all precisions; two more must then show nothing new.
fn check(model: &Model, bound: usize, rng: &mut Rng, tally: &mut Tally) {
    let Some(long) = reached(model, bound + 2) else { return };
    let Some(short) = reached(model, bound) else { return };
    let invariants = invariants(model, &short, rng);
    let invariants: Vec<(u32, &str)> = invariants.iter().map(|(q, f)| (*q, f.as_str())).collect();
    for precision in PRECISIONS {
        let rows = as_they_look(&short, precision);
        let plain = is_closed(model, &lists(&rows, precision, &[]));
        let claimed = is_closed(model, &lists(&rows, precision, &invariants));
        if plain || claimed {
            let all = as_they_look(&long, precision);
            assert_eq!(rows, all, "{precision:?} {bound} {plain} {invariants:?}");
        }
        if claimed {
            assert_eq!(broken(&long, &invariants), None, "{precision:?} {bound}");
        }
        tally.refused += usize::from(!plain && !claimed);
        tally.accepted += usize::from(plain || claimed);
        tally.by_invariants += usize::from(!plain && claimed);
        tally.grows += usize::from((plain || claimed) && long.len() > short.len());
        if plain {
            let mut fewer = rows.clone();
            fewer.remove(rng.below(rows.len()));
            let set = lists(&fewer, precision, &[]);
            assert!(verdict(model, Property::Assert, &set).is_err(), "{precision:?}: row left out");
        }
    }
}

/// Some formulas that are true of everything that was reached.
fn invariants(model: &Model, rows: &BTreeSet<Row>, rng: &mut Rng) -> Vec<(u32, String)> {
    let messages = &model.outline().messages;
    let mut name = || messages[rng.below(messages.len().max(1)).into()].clone();
    let mut found = Vec::new();
    for queue in 0..model.outline().queues.len() as u32 {
        if messages.is_empty() {
            break;
        }
        for shape in 0..8 {
            let (a, b) = (name(), name());
            let formula = match shape {
                0 => format!("#{a} <= 1"),
                1 => format!("#{a} <= 2"),
                2 => format!("G({a} => G !{b})"),
                3 => format!("G({a} => !X F {a})"),
                4 => format!("G({a} => W {b})"),
                5 => format!("!X {a}"),
                6 => format!("F {a} => F {b}"),
                _ => format!("W G {a}"),
            };
            if broken(rows, &[(queue, &formula)]).is_none() {
                found.push((queue, formula));
            }
        }
    }
    found
}

/// An invariant that is not true of some content.
fn broken<'f>(rows: &BTreeSet<Row>, invariants: &[(u32, &'f str)]) -> Option<&'f str> {
    let holds = |queue: u32, formula: &Qutl| {
        rows.iter().filter_map(|row| row.queues.get(queue as usize)?.1.as_ref()).all(|content| {
            let content: Vec<&String> = content.iter().collect();
            formula.holds(&content, &mut |name, text: &String| Qutl::names(name, text))
        })
    };
    let is_broken = |(queue, text): &&(u32, &str)| {
        !holds(*queue, &Qutl::parse(text, 0).expect("the test writes formulas"))
    };
    invariants.iter().find(is_broken).map(|invariant| invariant.1)
}

#[test]
fn tiny_systems_show_nothing_new_once_accepted() {
    let all = [tiny::choices(0), tiny::choices(1)];
    let systems = (0..all[0].len()).flat_map(|a| (0..all[1].len()).map(move |b| [a, b]));
    let (mut rng, mut tally) = (Rng::new(11), Tally::default());
    let least = systems.filter(|&choices| tiny::is_least(choices, &all)).enumerate();
    for (number, choices) in least.filter(|(number, _)| number % 23 == 0) {
        let sharing = [Sharing::Pairs, Sharing::Mailbox, Sharing::Channels][number % 3];
        let net = tiny::net(sharing, [&all[0][choices[0]], &all[1][choices[1]]]);
        let loaded = compare::loaded(&net).unwrap();
        for bound in 1..4 {
            check(&loaded.model, bound, &mut rng, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.refused > 300 && tally.accepted > 1_000, "{tally:?}");
    assert!(tally.grows > 300 && tally.by_invariants > 10, "{tally:?}");
}

#[test]
fn random_systems_show_nothing_new_once_accepted() {
    let (mut rng, mut tally) = (Rng::new(5), Tally::default());
    for seed in 0..400 {
        let loaded = compare::loaded(&make::net(seed)).unwrap();
        for bound in [1, 2] {
            check(&loaded.model, bound, &mut rng, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.refused > 100 && tally.accepted > 300, "{tally:?}");
    assert!(tally.grows > 30 && tally.by_invariants > 5, "{tally:?}");
}

#[test]
fn models_of_the_corpus_show_nothing_new_once_accepted() {
    let (mut rng, mut tally) = (Rng::new(7), Tally::default());
    for case in cases().into_iter().flatten() {
        for bound in [1, 2] {
            check(&case.loaded.model, bound, &mut rng, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.refused > 100 && tally.accepted > 300, "{tally:?}");
    assert!(tally.grows > 30, "{tally:?}");
}

/// Where everything is told apart, a set of lists is a closed set: broken or not, the answers are the same.
#[test]
fn a_set_in_which_everything_is_told_apart_is_a_closed_set() {
    let (mut rng, mut n_accepted, mut n_refused) = (Rng::new(3), 0, 0);
    for case in cases().into_iter().flatten() {
        // Lists are for programs that are said move by move.
        if case.loaded.model.system().program_mut().as_moves().is_none() {
            continue;
        }
        let checked = case.check(&[], 2);
        let artifact = checked.artifacts.iter().find(|a| a.name == "certificate.json");
        let Some(artifact) = artifact else { continue };
        let set = read_certificate(&artifact.text).expect("it was just written").proof;
        let Some(set) = set.set() else { continue };
        if set.len() > 500 {
            continue;
        }
        let mut sets: Vec<ClosedSet> =
            mutate::sets(set, &mut rng, 3).into_iter().map(|mutant| mutant.it).collect();
        sets.push(set.clone());
        let model = &case.loaded.model;
        let accepts = |property, proof| {
            Referee::new(model, 1_000).check(property, &Claim::Holds(proof)).is_ok()
        };
        for set in sets {
            let lists = ListSet { set: set.clone(), prefix: u32::MAX, ..ListSet::default() };
            let (closed, lists) = (Proof::Closed(Arc::new(set)), Proof::Lists(Arc::new(lists)));
            for property in questions(model) {
                let accepted = accepts(property, closed.clone());
                let name = &case.name;
                assert_eq!(accepts(property, lists.clone()), accepted, "{name} {property:?}");
                n_accepted += usize::from(accepted);
                n_refused += usize::from(!accepted);
            }
        }
    }
    assert!(n_accepted > 500 && n_refused > 5_000, "{n_accepted} {n_refused}");
}

/// What both kinds of sets can prove.
fn questions(model: &Model) -> Vec<Property> {
    let mut all = vec![
        Property::Assert,
        Property::Unhandled,
        Property::Deadlock,
        Property::Divergence,
        Property::Bounded,
    ];
    all.extend((0..model.outline().bad.len()).map(Property::Reach));
    let queues = (0..model.outline().queues.len()).map(QueueId::new);
    all.extend(queues.flat_map(|queue| [1, 3].map(|n| Property::Length(queue, n))));
    all
}
