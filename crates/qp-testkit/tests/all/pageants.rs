//! Programs whose steps are turns: the fast way to expand them against the one step function.

use std::collections::{BTreeMap, BTreeSet};

use qp_base::Budget;
use qp_check::{Referee, Ruling};
use qp_claim::Claim;
use qp_engines::{Answers, Converge, Engine, Explore, Figures, Roam, Task, TaskLimits};
use qp_machines::{Config, Event, Model, Property, System};
use qp_testkit::pageant::Pageant;

const PROPERTIES: [Property; 8] = [
    Property::Assert,
    Property::Divergence,
    Property::Deadlock,
    Property::Stuck,
    Property::Orphan,
    Property::Bounded,
    Property::Reach(0),
    Property::Reach(1),
];

const BOUND_MAX: u32 = 3;
const STATES_MAX: u64 = 3_000;

/// What a search came to.
#[derive(PartialEq, Eq, Debug)]
struct Found {
    met: (u64, u64),
    bounds: Vec<Figures>,
    words: Vec<String>,
    queues: Vec<String>,
}

fn task(model: &Model, bound_max: u32, jobs: usize) -> Task {
    let limits = TaskLimits {
        bound_max,
        jobs,
        exhaustive: true,
        queues: true,
        small_max: 100_000,
        evidence_max: 100_000,
        walks: queueproof::Walks { steps_max: 2_000, ..queueproof::Walks::NONE },
        ..TaskLimits::default()
    };
    let (model, properties) = (model.clone(), PROPERTIES.to_vec());
    Task { model, properties, invariants: Vec::new(), limits }
}

/// What the referee says about every claim.
fn rulings(model: &Model, answers: &Answers) -> (Vec<String>, Vec<String>) {
    let mut referee = Referee::new(model, 1_000_000);
    let mut word = |property, claim: &Claim| {
        let verdict = referee.check(property, claim);
        let verdict = verdict.unwrap_or_else(|rejected| panic!("{property:?}: {rejected}"));
        match verdict.ruling() {
            Ruling::Proved(_) => "proved".to_owned(),
            Ruling::Violated { run, .. } => format!("violated in {}", run.outcomes.len()),
            Ruling::Searched { .. } => "searched".to_owned(),
            Ruling::Unknown(reason) => format!("unknown: {reason:?}"),
        }
    };
    let words = answers.claims.iter().map(|answer| word(answer.property, &answer.claim)).collect();
    let queue = |answer: &qp_engines::QueueAnswer| {
        let property = match answer.claim {
            Claim::Holds(_) => Property::Length(answer.queue, answer.longest),
            Claim::Violated(_) | Claim::GaveUp(_) => Property::Bounded,
        };
        format!("{} {} {}", word(property, &answer.claim), answer.longest, answer.met.len())
    };
    (words, answers.queues.iter().map(queue).collect())
}

fn found(model: &Model, bound_max: u32, jobs: usize, states: u64) -> Found {
    let answers = Explore.run(task(model, bound_max, jobs), &Budget::states(states));
    let figure = |name| answers.detail.iter().find(|d| d.0 == name).map_or(0, |d| d.1);
    let met = (figure("states"), figure("transitions"));
    let (words, queues) = rulings(model, &answers);
    Found { met, bounds: answers.bounds, words, queues }
}

/// What following the one step function blindly comes to, breadth first.
struct Brute {
    states: u64,
    transitions: u64,
    /// The length of a shortest run to a violation, by property.
    depths: BTreeMap<Property, usize>,
}

/// `None` if there are many configurations.
fn brute(model: &Model, bound: usize) -> Option<Brute> {
    let mut system = model.system();
    let initial = system.initial();
    let mut seen = BTreeSet::from([initial.clone()]);
    let (mut level, mut depth) = (vec![initial], 0);
    let (mut transitions, mut depths) = (0, BTreeMap::new());
    while !level.is_empty() {
        let mut next = Vec::new();
        for config in level {
            let outcomes = system.successors(&config);
            for (property, more) in faults(&system, &config, &outcomes) {
                depths.entry(property).or_insert(depth + more);
            }
            for outcome in outcomes {
                let ends = matches!(outcome.event, Event::Failed { .. } | Event::GaveUp { .. });
                if ends || is_cut(&system, &config, &outcome.config, bound) {
                    continue;
                }
                transitions += 1;
                if seen.insert(outcome.config.clone()) {
                    next.push(outcome.config);
                }
            }
        }
        if seen.len() as u64 > STATES_MAX {
            return None;
        }
        (level, depth) = (next, depth + 1);
    }
    Some(Brute { states: seen.len() as u64, transitions, depths })
}

fn is_cut(system: &System, before: &Config, after: &Config, bound: usize) -> bool {
    after.queues().any(|queue| {
        let len = |config: &Config| {
            config.words.get(queue.index()).map_or(0, |&word| system.words().len(word))
        };
        len(after) > len(before) && len(after) > bound
    })
}

/// What a configuration violates, and how many steps it takes to show it.
fn faults(
    system: &System,
    config: &Config,
    outcomes: &[qp_machines::Outcome],
) -> Vec<(Property, usize)> {
    let program = system.program();
    let mut faults = Vec::new();
    for outcome in outcomes {
        if let Event::Failed { failure } = outcome.event {
            faults.push((program.failure(failure).property, 1));
        }
    }
    let rests = |machine| program.may_rest(machine, config.local(machine));
    if outcomes.is_empty() && !config.machines().all(rests) {
        faults.push((Property::Deadlock, 0));
    }
    for (number, bad) in program.outline().bad.iter().enumerate() {
        if bad.holds(system, config) {
            faults.push((Property::Reach(number), 0));
        }
    }
    faults
}

#[test]
fn the_fast_way_finds_what_the_step_function_says() {
    let mut words: BTreeMap<String, usize> = BTreeMap::new();
    let (mut n_counted, mut n_raised) = (0, 0);
    for seed in 0..1200 {
        let model = Pageant::new(seed, seed % 2 == 0).model();
        let fast = found(&model, BOUND_MAX, 1, STATES_MAX);
        for figures in &fast.bounds {
            let Some(brute) = brute(&model, figures.bound as usize) else { continue };
            let counts = (brute.states, brute.transitions);
            assert_eq!((figures.states, figures.transitions), counts, "seed {seed} {figures:?}");
            n_counted += 1;
            if *figures == fast.bounds[0] {
                for (property, depth) in brute.depths {
                    let number = PROPERTIES.iter().position(|&p| p == property).unwrap();
                    let expected = format!("violated in {depth}");
                    assert_eq!(fast.words[number], expected, "seed {seed} {property:?}");
                }
            }
        }
        n_raised += usize::from(fast.bounds.len() > 1);
        for (property, word) in PROPERTIES.iter().zip(&fast.words) {
            let word = word.split([' ', ':']).next().unwrap_or_default();
            *words.entry(format!("{property:?} {word}")).or_default() += 1;
        }
    }
    println!("{n_counted} counted, {n_raised} with several bounds; {words:?}");
    assert!(n_counted > 800 && n_raised > 100, "the test is not vacuous");
    for property in PROPERTIES {
        for word in ["proved", "violated", "unknown"] {
            let n = words.get(&format!("{property:?} {word}")).copied().unwrap_or(0);
            let never = property == Property::Bounded && word == "violated";
            assert!(n > 4 || never, "{property:?} is {word} {n} times");
        }
    }
}

/// Threads are started only where there is enough for them to do, so these are larger.
#[test]
fn threads_do_not_change_what_is_found() {
    const LARGE: u64 = 30_000;
    const LONG: u32 = 8;
    let mut n_large = 0;
    for seed in 0..2000 {
        let model = Pageant::new(seed, false).model();
        let one = found(&model, LONG, 1, LARGE);
        if one.met.0 < LARGE / 4 {
            continue;
        }
        n_large += 1;
        assert_eq!(found(&model, LONG, 2, LARGE), one, "seed {seed} on two threads");
    }
    println!("{n_large} large ones");
    assert!(n_large >= 3, "the test is not vacuous");
}

/// Where all queues have capacities, longer queues need not be tried one by one.
#[test]
fn the_search_begins_at_the_greatest_capacity() {
    for seed in 0..50 {
        let model = Pageant::new(seed, true).model();
        let found = found(&model, BOUND_MAX, 1, STATES_MAX);
        assert!(found.bounds.iter().all(|figures| figures.bound == 2), "seed {seed}");
        assert!(found.bounds.len() <= 1, "seed {seed}");
    }
}

#[test]
fn other_engines_say_nothing_wrong() {
    let (mut n_violated, mut n_proved) = (0, 0);
    for seed in 0..200 {
        let model = Pageant::new(seed, true).model();
        let exact = found(&model, BOUND_MAX, 1, STATES_MAX);
        let budget = Budget::states(STATES_MAX);
        let roam = rulings(&model, &Roam.run(task(&model, BOUND_MAX, 1), &budget)).0;
        for (roamed, exact) in roam.iter().zip(&exact.words) {
            if roamed.starts_with("violated") {
                assert!(!exact.starts_with("proved"), "seed {seed}");
                n_violated += 1;
            }
        }
        let converge = rulings(&model, &Converge.run(task(&model, BOUND_MAX, 1), &budget)).0;
        for (listed, exact) in converge.iter().zip(&exact.words) {
            let both = [listed, exact].map(|word| word.split(' ').next());
            assert!(both != [Some("proved"), Some("violated")], "seed {seed}");
            assert!(both != [Some("violated"), Some("proved")], "seed {seed}");
            n_proved += usize::from(listed.starts_with("proved"));
        }
    }
    assert!(n_violated > 50 && n_proved > 50, "vacuous: {n_violated} and {n_proved}");
}
