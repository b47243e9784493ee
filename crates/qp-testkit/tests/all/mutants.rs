//! Evidence from the corpus, broken: the referee must refuse what is not true any more.

use std::collections::BTreeSet;
use std::sync::Arc;

use qp_check::{Referee, Ruling, Verdict};
use qp_claim::{Claim, ClosedSet, Proof, Shape, Trace, TraceFile, read_certificate, read_trace};
use qp_machines::{Config, Event, Property, QueueId, System};
use qp_testkit::corpus::{Case, cases};
use qp_testkit::infinite;
use qp_testkit::mutate::{self, said};
use qp_testkit::pump;
use qp_testkit::rng::Rng;
use queueproof::{Checked, VerdictWord};

const CONFIGURATIONS_MAX: usize = 2_000;

#[test]
fn no_broken_set_is_accepted() {
    let mut rng = Rng::new(37);
    let (mut n_sets, mut n_mutants, mut still_true) = (0, 0, Vec::new());
    for (case, checked) in checked_cases() {
        let Some(set) = certificate(&checked) else { continue };
        if set.len() > CONFIGURATIONS_MAX {
            continue;
        }
        n_sets += 1;
        // The set of the engine is exactly what is reachable: whatever lacks one of its
        // configurations proves nothing.
        let original = said(&set);
        assert_eq!(original.len(), set.len(), "{}: a row twice", case.name);
        for mutant in mutate::sets(&set, &mut rng, if set.len() > 200 { 8 } else { 50 }) {
            n_mutants += 1;
            let whole = said(&mutant.it).is_superset(&original);
            // `bounded` asks least of a set: it has to be closed and to contain the beginning.
            let accepted = accepts(&case, Property::Bounded, &mutant.it);
            assert!(!accepted || whole, "{}: accepted although {}", case.name, mutant.what);
            if accepted {
                still_true.push(format!("{}: {}", case.name, mutant.what));
            }
        }
    }
    println!("{n_sets} sets, {n_mutants} mutants, {} still true", still_true.len());
    assert!(n_sets > 50 && n_mutants > 10_000, "{n_sets} sets, {n_mutants} mutants");
    // The only ones that may pass: exchanging the names of two things that the model treats alike.
    let symmetric = |what: &String| what.contains("swapped");
    assert!(still_true.iter().all(symmetric), "{still_true:#?}");
}

#[test]
fn no_set_proves_what_is_violated() {
    let mut n_wrong = 0;
    for (case, checked) in checked_cases() {
        let Some(set) = certificate(&checked) else { continue };
        let outline = case.loaded.model.outline();
        let property = |id: &str| Property::from_id(id, outline).expect("the report has it");
        let violated =
            checked.report.properties.iter().filter(|p| p.verdict == VerdictWord::Violated);
        let mut wrong: Vec<Property> = violated.map(|p| property(&p.id)).collect();
        wrong.extend((0..outline.ltl.len()).map(Property::Ltl));
        wrong.extend([Property::Sync, Property::Sendlang, Property::Livelock, Property::Live]);
        for found in &checked.report.queues {
            // A queue that is created at run time has no name that a property could use.
            let queue = outline.queues.iter().position(|queue| queue.name == found.name);
            let Some(queue) = queue.map(QueueId::new) else { continue };
            wrong.extend(found.longest_seen.checked_sub(1).map(|n| Property::Length(queue, n)));
        }
        for property in wrong {
            let id = property.id(outline);
            assert!(!accepts(&case, property, &set), "{}: {id} was accepted", case.name);
            n_wrong += 1;
        }
    }
    assert!(n_wrong > 400, "{n_wrong}");
}

#[test]
fn no_broken_run_is_accepted() {
    let mut rng = Rng::new(73);
    let (mut n_mutants, mut n_true, mut n_pumps, mut n_lassos) = (0, 0, 0, 0);
    for (case, checked) in checked_cases() {
        let outline = case.loaded.model.outline();
        let runs = checked.artifacts.iter().filter(|a| a.name.starts_with("traces/"));
        for artifact in runs.filter(|artifact| !artifact.is_trail()) {
            let file = read_trace(&artifact.text, outline).expect("it was just written");
            n_pumps += usize::from(matches!(file.trace.shape, Shape::Pump { .. }));
            n_lassos += usize::from(matches!(file.trace.shape, Shape::Lasso { .. }));
            let property = Property::from_id(&file.property, outline).expect("the model has it");
            for mutant in mutate::traces(&file.trace, outline.queues.len(), &mut rng) {
                n_mutants += 1;
                let mut referee = Referee::new(&case.loaded.model, 20_000);
                let verdict = referee.check(property, &Claim::Violated(mutant.it.clone()));
                if !matches!(verdict.as_ref().map(Verdict::ruling), Ok(Ruling::Violated { .. })) {
                    continue;
                }
                n_true += 1;
                let fine = is_true(&case, property, &file, &mutant.it);
                assert!(fine, "{} {}: accepted although {}", case.name, artifact.name, mutant.what);
            }
        }
    }
    println!("{n_mutants} mutants, {n_true} still true, {n_pumps} of pumps");
    assert!(n_mutants > 3_000 && n_pumps > 20 && n_lassos > 3, "{n_mutants} {n_pumps} {n_lassos}");
}

fn checked_cases() -> impl Iterator<Item = (Case, Checked)> {
    cases().into_iter().flatten().map(|case| {
        let checked = case.check(&[], 2);
        (case, checked)
    })
}

/// The rows of the first certificate, if it has any.
fn certificate(checked: &Checked) -> Option<ClosedSet> {
    let artifact = checked.artifacts.iter().find(|a| a.name == "certificate.json")?;
    read_certificate(&artifact.text).expect("it was just written").proof.set().cloned()
}

fn accepts(case: &Case, property: Property, set: &ClosedSet) -> bool {
    let claim = Claim::Holds(Proof::Closed(Arc::new(set.clone())));
    Referee::new(&case.loaded.model, usize::MAX).check(property, &claim).is_ok()
}

/// Whether a broken run happens to violate the property too, told without the referee: loops are evaluated, pumps turned
/// twenty times, other runs are taken step by step to their end.
fn is_true(case: &Case, property: Property, file: &TraceFile, trace: &Trace) -> bool {
    if let Shape::Lasso { from } = trace.shape {
        return infinite::is_wrong(&case.loaded.model, property, &trace.steps, from);
    }
    if trace.shape != Shape::Finite {
        let file = TraceFile { trace: trace.clone(), ..file.clone() };
        let text = qp_claim::write_trace(&file, case.loaded.model.outline());
        return pump::goes_on(&case.loaded, &text).is_ok();
    }
    let mut system = case.loaded.model.system();
    let (mut config, mut failed) = (system.initial(), None);
    for &step in &trace.steps {
        let Some(outcome) = system.fire(&config, step) else { return false };
        assert_eq!(failed, None, "a run goes on after a failure");
        if let Event::Failed { failure } = outcome.event {
            failed = Some(system.program().failure(failure).property);
        }
        config = outcome.config;
    }
    match property {
        Property::Assert | Property::Divergence => failed == Some(property),
        Property::Deadlock => {
            let rests = |m| system.program().may_rest(m, config.local(m));
            failed.is_none()
                && !config.machines().all(rests)
                && system.successors(&config).is_empty()
        }
        Property::Unhandled => {
            failed == Some(property)
                || config.machines().any(|m| system.unhandled(&config, m).is_some())
        }
        Property::Reach(n) => case.loaded.model.outline().bad[n].holds(&system, &config),
        Property::Stuck | Property::Orphan => never_again(&mut system, property, &config),
        _ => false,
    }
}

/// Everything reachable is written down first, then each machine or queue is asked about. Where queues grow there is no
/// end of it: then what comes first is.
fn never_again(system: &mut System, property: Property, config: &Config) -> bool {
    let (mut all, mut seen, mut next) = (vec![config.clone()], BTreeSet::new(), 0);
    let (mut moved, mut taken) = (BTreeSet::new(), BTreeSet::new());
    while next < all.len() && next < 3_000 {
        for outcome in system.successors(&all[next].clone()) {
            moved.insert(outcome.step.machine);
            match outcome.event {
                Event::Took { queue, .. } => {
                    taken.insert(queue);
                }
                Event::Handshake { receiver, .. } => {
                    moved.insert(receiver);
                }
                _ => {}
            }
            if seen.insert(outcome.config.clone()) {
                all.push(outcome.config);
            }
        }
        next += 1;
    }
    if property == Property::Stuck {
        let rests = |m| system.program().may_rest(m, config.local(m));
        config.machines().any(|m| !rests(m) && !moved.contains(&m))
    } else {
        config.queues().any(|q| system.words().len(config.word(q)) > 0 && !taken.contains(&q))
    }
}
