//! Sets of configurations as decision diagrams against sets that are kept one by one: the same counts, verdicts, runs
//! and lengths, also with tables that forget nearly everything and collect all the time.

use qp_base::Budget;
use qp_check::{Referee, Ruling};
use qp_claim::Claim;
use qp_engines::{Answers, Engine, Explore, Figures, Order, Sets, Task, TaskLimits};
use qp_machines::{Model, Property, QueueId};
use qp_promela::{Channels, Granularity};
use qp_testkit::compare::loaded;
use qp_testkit::corpus::cases;
use qp_testkit::crowd::Crowd;
use qp_testkit::net::Sharing;
use qp_testkit::pageant::Pageant;
use qp_testkit::promela::make::{Wanted, model as promela_text};
use qp_testkit::promela::ours::model_with;
use qp_testkit::{make, tiny};

/// What a search came to.
#[derive(PartialEq, Eq, Debug)]
struct Found {
    bounds: Vec<Figures>,
    words: Vec<String>,
    queues: Vec<String>,
}

fn explore(model: &Model, bound_max: u32, sets: Sets) -> Answers {
    explore_in(model, bound_max, sets, Order::Auto)
}

fn explore_in(model: &Model, bound_max: u32, sets: Sets, order: Order) -> Answers {
    let limits = TaskLimits {
        bound_max,
        exhaustive: true,
        queues: true,
        small_max: 10_000,
        evidence_max: 20_000,
        sets,
        order,
        ..TaskLimits::default()
    };
    let mut properties = vec![
        Property::Assert,
        Property::Unhandled,
        Property::Divergence,
        Property::Deadlock,
        Property::Stuck,
        Property::Orphan,
        Property::Length(QueueId::from_raw(0), 1),
    ];
    properties.extend((0..model.outline().bad.len()).map(Property::Reach));
    let task = Task { model: model.clone(), properties, invariants: Vec::new(), limits };
    Explore.run(task, &Budget::states(20_000))
}

/// Has every claim checked.
fn found(model: &Model, answers: &Answers) -> Found {
    let mut referee = Referee::new(model, 100_000);
    let mut word = |property, claim: &Claim| {
        let verdict = referee.check(property, claim);
        let verdict = verdict.unwrap_or_else(|rejected| panic!("{property:?}: {rejected}"));
        match verdict.ruling() {
            Ruling::Proved(_) => "proved".to_owned(),
            Ruling::Violated { run, .. } => format!("violated in {}", run.outcomes.len()),
            // To be sure that nothing happens again takes the referee long after some of the shortest runs.
            Ruling::Searched { .. } => "searched".to_owned(),
            Ruling::Unknown(reason) => match claim {
                Claim::Violated(trace) => format!("violated in {}", trace.steps.len()),
                Claim::Holds(_) | Claim::GaveUp(_) => format!("unknown: {reason:?}"),
            },
        }
    };
    let words = answers.claims.iter().map(|answer| {
        let mut word = word(answer.property, &answer.claim);
        // Whoever keeps configurations one by one looks for no shorter run to a long queue.
        if matches!(answer.property, Property::Length(..)) && word.starts_with("violated") {
            word = "violated".to_owned();
        }
        format!("{:?} {word} {:?}", answer.property, answer.figures)
    });
    let words = words.collect();
    let queue = |answer: &qp_engines::QueueAnswer| {
        // Which loop is found depends on the run on which it is looked for.
        let word = match answer.claim {
            Claim::Holds(_) => word(Property::Length(answer.queue, answer.longest), &answer.claim),
            Claim::Violated(_) => {
                word(Property::Bounded, &answer.claim);
                "open".to_owned()
            }
            Claim::GaveUp(_) => "open".to_owned(),
        };
        format!("{word} {}", answer.longest)
    };
    let queues = answers.queues.iter().map(queue).collect();
    Found { bounds: answers.bounds.clone(), words, queues }
}

/// Compares the ways to keep sets; says whether diagrams were used.
fn compare(name: &str, model: &Model, bound_max: u32, kinds: &[Sets]) -> bool {
    let plain = explore(model, bound_max, Sets::Explicit);
    if plain.spent.is_some() {
        return false;
    }
    let expected = found(model, &plain);
    let mut used = false;
    for &sets in kinds {
        let answers = explore(model, bound_max, sets);
        assert_eq!(found(model, &answers), expected, "{name} with {sets:?}");
        used |= answers.detail.iter().any(|(name, _)| *name == "nodes");
    }
    used
}

const BOTH: [Sets; 2] = [Sets::Symbolic, Sets::Forgetful];
/// Goes over in the middle, and mostly back again because diagrams of small sets are too much work.
const OVER: [Sets; 2] = [
    Sets::Auto { from: 30, fewer_from: usize::MAX },
    Sets::Auto { from: 500, fewer_from: usize::MAX },
];

#[test]
fn random_systems() {
    let mut n_used = 0;
    for seed in 0..2_500 {
        let net = make::net(seed);
        let model = loaded(&net).expect("random systems are well-formed").model;
        let kinds = if seed % 5 == 0 { &BOTH[..] } else { &BOTH[..1] };
        let name = format!("seed {seed}\n{}", net.text());
        n_used += usize::from(compare(&name, &model, 3, kinds));
        compare(&name, &model, 3, &OVER[..=usize::from(seed % 3 == 0)]);
    }
    assert!(n_used > 1_000, "{n_used}");
}

#[test]
fn every_order_of_levels_gives_the_same_answers() {
    let orders = [Order::Auto, Order::Hub, Order::Close, Order::Reverse, Order::Model];
    let mut n_used = 0;
    for seed in 0..300 {
        let (model, name) = if seed % 3 == 0 {
            (Crowd::new(seed, true).model(), format!("crowd {seed}"))
        } else {
            let net = make::net(10_000 + seed);
            let model = loaded(&net).expect("random systems are well-formed").model;
            (model, format!("seed {seed}\n{}", net.text()))
        };
        let plain = explore(&model, 2, Sets::Explicit);
        if plain.spent.is_some() {
            continue;
        }
        let expected = found(&model, &plain);
        for order in orders {
            let answers = explore_in(&model, 2, Sets::Symbolic, order);
            assert_eq!(found(&model, &answers), expected, "{name} with {order:?}");
            n_used += usize::from(answers.detail.iter().any(|(name, _)| *name == "nodes"));
        }
    }
    assert!(n_used > 500, "{n_used}");
}

#[test]
fn tiny_systems() {
    let all = [tiny::choices(0), tiny::choices(1)];
    let mut n_compared = 0;
    for (number, sharing) in
        [Sharing::Pairs, Sharing::Mailbox, Sharing::Channels].iter().enumerate()
    {
        let pairs = (0..all[0].len()).flat_map(|a| (0..all[1].len()).map(move |b| [a, b]));
        let least = pairs.filter(|&choices| tiny::is_least(choices, &all));
        for choices in least.skip(number).step_by(5) {
            let net = tiny::net(*sharing, [&all[0][choices[0]], &all[1][choices[1]]]);
            let model = loaded(&net).expect("tiny systems are well-formed").model;
            let used = compare(&net.text(), &model, 2, &BOTH[..1]);
            n_compared += usize::from(used);
        }
    }
    assert!(n_compared > 5_000, "{n_compared}");
}

#[test]
fn machines_that_create_each_other_ask_and_are_watched() {
    let mut n_used = 0;
    for seed in 0..400 {
        let model = Crowd::new(seed, true).model();
        let kinds = if seed % 10 == 0 { &BOTH[..] } else { &BOTH[..1] };
        n_used += usize::from(compare(&format!("crowd {seed}"), &model, 2, kinds));
    }
    assert!(n_used > 150, "{n_used}");
}

#[test]
fn machines_whose_steps_are_turns() {
    let mut n_used = 0;
    for seed in 0..1_500 {
        let pageant = if seed % 4 == 3 { Pageant::discreet } else { Pageant::new };
        let model = pageant(seed, seed % 3 == 0).model();
        let kinds = if seed % 5 == 0 { &BOTH[..] } else { &BOTH[..1] };
        let name = format!("pageant {seed}");
        n_used += usize::from(compare(&name, &model, 3, kinds));
        if seed % 3 == 0 {
            compare(&name, &model, 3, &OVER);
        }
    }
    assert!(n_used > 500, "{n_used}");
}

#[test]
fn random_promela_models() {
    let (mut n_used, mut n_models) = (0, 0);
    for seed in 0..300 {
        let text = promela_text(seed, Wanted::Safety);
        let channels = if seed % 3 == 0 { Channels::Unbounded } else { Channels::Declared };
        let Ok(model) = model_with(&text, Granularity::Statement, channels) else { continue };
        n_models += 1;
        let kinds = if seed % 10 == 0 { &BOTH[..] } else { &BOTH[..1] };
        n_used += usize::from(compare(&format!("model {seed}\n{text}"), &model, 2, kinds));
    }
    assert!(n_used > 100, "{n_used} of {n_models}");
}

fn promela(text: &str) -> Model {
    model_with(text, Granularity::Statement, Channels::Declared).expect("it is a model")
}

#[test]
fn processes_that_know_nothing_of_each_other_are_counted_exactly() {
    let text = "byte n[20]; active [20] proctype p() { do :: n[_pid] = (n[_pid] + 1) % 7 od }";
    let answers = explore(&promela(text), 1, Sets::Symbolic);
    let states = 7_u64.pow(20);
    assert!(states > 10_u64.pow(15));
    assert_eq!(answers.bounds, [Figures { bound: 1, states, transitions: 20 * states }]);
}

/// A ring of processes that make, take and pass on messages.
fn ring(n: usize) -> Model {
    promela(&format!(
        "chan q[{n}] = [2] of {{ bit }};
         active [{n}] proctype node() {{
             bit b;
             do
             :: q[_pid]?b; q[(_pid + 1) % {n}]!b
             :: q[(_pid + 1) % {n}]!1
             od
         }}"
    ))
}

#[test]
fn a_ring_of_processes_is_counted_exactly() {
    for n in 2..5 {
        assert!(compare(&format!("ring of {n}"), &ring(n), 2, &BOTH), "{n}");
    }
    let answers = explore(&ring(24), 2, Sets::Symbolic);
    let [exact] = &answers.exact[..] else { panic!("{:?}", answers.exact) };
    assert_eq!(exact.states, "31072530494315457702880");
    assert_eq!(exact.transitions, "825142536747731886087072");
}

#[test]
fn the_corpus() {
    let mut n_used = 0;
    for case in cases() {
        let case = case.expect("the corpus is well-formed");
        let used = compare(&case.name, &case.loaded.model, 2, &BOTH[..1]);
        n_used += usize::from(used);
    }
    assert!(n_used > 20, "{n_used}");
}
