//! Machines that create each other, ask about each other's queues and are watched: the fast way to expand
//! them against the one step function.

use std::collections::{BTreeMap, BTreeSet};

use qp_base::Budget;
use qp_check::{Referee, Ruling};
use qp_claim::{ABSENT, Claim, ClosedSet};
use qp_engines::{Answers, Engine, Explore, Figures, Task, TaskLimits};
use qp_machines::{Config, Event, Model, Property};
use qp_testkit::crowd::Crowd;

const PROPERTIES: [Property; 9] = [
    Property::Assert,
    Property::Unhandled,
    Property::Divergence,
    Property::Deadlock,
    Property::Stuck,
    Property::Orphan,
    Property::Bounded,
    Property::Reach(0),
    Property::Reach(1),
];

const BOUND_MAX: u32 = 2;
const STATES_MAX: u64 = 4_000;

/// What a search came to.
#[derive(PartialEq, Eq, Debug)]
struct Found {
    /// Configurations and steps that were met, also where a limit cut the search.
    met: (u64, u64),
    bounds: Vec<Figures>,
    words: Vec<String>,
    queues: Vec<String>,
    rows: Option<BTreeSet<Vec<String>>>,
}

fn explore(model: &Model, jobs: usize, states: u64) -> Answers {
    let limits = TaskLimits {
        bound_max: BOUND_MAX,
        jobs,
        exhaustive: true,
        queues: true,
        small_max: 10_000,
        evidence_max: 10_000,
        ..TaskLimits::default()
    };
    let task = Task {
        model: model.clone(),
        properties: PROPERTIES.to_vec(),
        invariants: Vec::new(),
        limits,
    };
    Explore.run(task, &Budget::states(states))
}

/// Has every claim checked.
fn found(model: &Model, jobs: usize, states: u64) -> Found {
    let answers = explore(model, jobs, states);
    let mut referee = Referee::new(model, 100_000);
    let mut rows = None;
    let mut word = |property, claim: &Claim| {
        let verdict = referee.check(property, claim);
        let verdict = verdict.unwrap_or_else(|rejected| panic!("{property:?}: {rejected}"));
        match verdict.ruling() {
            Ruling::Proved(proof) => {
                // Large sets are not listed: the referee has searched them again.
                rows = rows.take().or_else(|| proof.set().map(texts));
                "proved".to_owned()
            }
            Ruling::Violated { run, .. } => format!("violated in {}", run.outcomes.len()),
            Ruling::Searched { .. } => "searched".to_owned(),
            Ruling::Unknown(reason) => format!("unknown: {reason:?}"),
        }
    };
    let words = answers.claims.iter().map(|answer| word(answer.property, &answer.claim));
    let words = words.collect();
    let queue = |answer: &qp_engines::QueueAnswer| {
        let property = match answer.claim {
            Claim::Holds(_) => Property::Length(answer.queue, answer.longest),
            Claim::Violated(_) | Claim::GaveUp(_) => Property::Bounded,
        };
        let (word, met) = (word(property, &answer.claim), answer.met.len());
        // Where a limit cuts a search, the last configurations may count or not.
        let longest = if word == "proved" { answer.longest } else { 0 };
        format!("{word} {longest} {met}")
    };
    let queues = answers.queues.iter().map(queue).collect();
    let figure = |name| answers.detail.iter().find(|d| d.0 == name).map_or(0, |d| d.1);
    let met = (figure("states"), figure("transitions"));
    Found { met, bounds: answers.bounds, words, queues, rows }
}

/// The rows of a set, written out.
fn texts(set: &ClosedSet) -> BTreeSet<Vec<String>> {
    let row = |row: &[u32]| {
        let (locals, rest) = row.split_at(set.locals.len());
        let (contents, rest) = rest.split_at(set.n_queues);
        let exists = |cell: &&u32| **cell != ABSENT;
        let local = |(cell, texts): (&u32, &Vec<String>)| texts.get(*cell as usize).cloned();
        let content = |cell: &u32| {
            let content = &set.contents[*cell as usize];
            let letters = content.messages.as_ref();
            let text = |&letter: &u32| set.messages[letter as usize].clone();
            format!("{:?}", letters.map(|letters| letters.iter().map(text).collect::<Vec<_>>()))
        };
        let locals = locals.iter().zip(&set.locals).filter_map(local);
        let contents = contents.iter().filter(exists).map(content);
        let store = set.stores[rest[0] as usize].clone();
        locals.chain(contents).chain([store]).collect()
    };
    set.rows().map(row).collect()
}

/// Configurations and steps at a bound, by following the one step function blindly; `None` if there
/// are many.
fn count(model: &Model, bound: usize) -> Option<(u64, u64)> {
    let mut system = model.system();
    let mut seen: BTreeSet<Config> = BTreeSet::new();
    let (mut todo, mut n_transitions) = (vec![system.initial()], 0);
    while let Some(config) = todo.pop() {
        if seen.len() as u64 > STATES_MAX {
            return None;
        }
        if !seen.insert(config.clone()) {
            continue;
        }
        for outcome in system.successors(&config) {
            let cut = match outcome.event {
                Event::Sent { queue, .. } => system.words().len(config.word(queue)) >= bound,
                Event::Failed { .. } | Event::GaveUp { .. } => true,
                _ => false,
            };
            if !cut {
                n_transitions += 1;
                todo.push(outcome.config);
            }
        }
    }
    Some((seen.len() as u64, n_transitions))
}

#[test]
fn the_fast_way_finds_what_the_step_function_says() {
    let mut words: BTreeMap<String, usize> = BTreeMap::new();
    let (mut n_counted, mut n_created, mut n_sets) = (0, 0, 0);
    for seed in 0..600 {
        let slow = found(&Crowd::new(seed, false).model(), 1, STATES_MAX);
        let model = Crowd::new(seed, true).model();
        let fast = found(&model, 1, STATES_MAX);
        assert_eq!(fast, slow, "seed {seed}");
        for figures in &fast.bounds {
            if let Some(counts) = count(&model, figures.bound as usize) {
                assert_eq!(counts, (figures.states, figures.transitions), "seed {seed}");
                n_counted += 1;
            }
        }
        n_created += usize::from(fast.queues.len() > model.outline().queues.len());
        n_sets += usize::from(fast.rows.is_some());
        for (property, word) in PROPERTIES.iter().zip(&fast.words) {
            let word = word.split([' ', ':']).next().unwrap_or_default();
            *words.entry(format!("{property:?} {word}")).or_default() += 1;
        }
    }
    println!("{n_counted} counted, {n_created} with creation, {n_sets} closed sets; {words:?}");
    assert!(n_counted > 600 && n_created > 400 && n_sets > 100, "the test is not vacuous");
    for property in PROPERTIES {
        for word in ["proved", "violated", "unknown"] {
            let n = words.get(&format!("{property:?} {word}")).copied().unwrap_or(0);
            assert!(n > 4, "{property:?} is {word} {n} times");
        }
    }
}

/// Threads are started only where there is enough for them to do, so these are larger.
#[test]
fn neither_way_nor_threads_change_what_is_found() {
    const LARGE: u64 = 30_000;
    let mut n_large = 0;
    for seed in 0..60 {
        let model = Crowd::new(seed, true).model();
        let one = found(&model, 1, LARGE);
        if one.met.0 < LARGE / 2 {
            continue;
        }
        n_large += 1;
        assert_eq!(found(&model, 2, LARGE), one, "seed {seed} on two threads");
        let slow = found(&Crowd::new(seed, false).model(), 1, LARGE);
        assert_eq!(slow, one, "seed {seed} step by step");
    }
    println!("{n_large} large ones");
    assert!(n_large >= 3, "the test is not vacuous");
}
