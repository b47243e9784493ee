//! Bounds and progress by counting messages, on random systems: the engine against a search of everything with
//! short queues, and forged evidence against the referee.

use std::sync::Arc;

use qp_base::Budget;
use qp_check::{Referee, Ruling};
use qp_claim::{Case, Claim, Flow, Proof, Reason, Shape, Weighing};
use qp_engines::{Answers, Engine, Explore, Flow as FlowEngine, Task, TaskLimits};
use qp_machines::{Counts, Model, Property, QueueId};
use qp_testkit::compare::loaded;
use qp_testkit::judge::through_text;
use qp_testkit::make;
use qp_testkit::net::{Loss, Net, Size};
use qp_testkit::reference::Reached;
use qp_testkit::rng::Rng;
use queueproof::load;

const SYSTEMS: u64 = 1200;
const CONFIGURATIONS_MAX: usize = 3_000;

fn ask(engine: &dyn Engine, model: &Model, properties: &[Property]) -> Answers {
    let limits = TaskLimits {
        bound_max: 4,
        queues: true,
        small_max: 10_000,
        evidence_max: 10_000,
        ..TaskLimits::default()
    };
    let (model, properties) = (model.clone(), properties.to_vec());
    let task = Task { model, properties, invariants: Vec::new(), limits };
    // Long searches for runs would not make the answers more right.
    engine.run(task, &Budget::states(if engine.name() == "flow" { 1_000 } else { 20_000 }))
}

fn is_accepted(model: &Model, property: Property, claim: &Claim) -> bool {
    let verdict = Referee::new(model, 10_000).check(property, claim);
    verdict.is_ok_and(|verdict| matches!(verdict.ruling(), Ruling::Proved(_)))
}

/// The bounds that the engine gives, each accepted as it stands in its file: numbers of queues of the system, and
/// bounds.
fn proved_bounds(net: &Net, model: &Model, seed: u64) -> (Vec<(usize, u32)>, Option<Arc<Flow>>) {
    let answers = ask(&FlowEngine, model, &[Property::Bounded]);
    let (mut bounds, mut flow) = (Vec::new(), None);
    for answer in &answers.queues {
        let Claim::Holds(Proof::Flow(proof)) = &answer.claim else { continue };
        let property = Property::Length(answer.queue, answer.bound);
        let claim = through_text(&answer.claim).expect("it can be written");
        assert!(is_accepted(model, property, &claim), "seed {seed}: {property:?}");
        let name = model.outline().queue_text(answer.queue);
        let number = net.queues.iter().position(|queue| queue.name == name);
        bounds.push((number.expect("it is one of the system"), answer.bound));
        flow = Some(proof.clone());
    }
    let claim = &answers.claims[0].claim;
    let all = bounds.len() == model.outline().queues.len();
    assert_eq!(matches!(claim, Claim::Holds(_)), all, "seed {seed}: {claim:?}");
    if all {
        assert!(is_accepted(model, Property::Bounded, claim), "seed {seed}");
    }
    (bounds, flow)
}

#[test]
fn no_queue_gets_longer_than_its_bound() {
    let (mut n_bounds, mut n_exact, mut n_odd) = (0, 0, 0);
    for seed in 0..SYSTEMS {
        let net = make::net(seed);
        let Ok(loaded) = loaded(&net) else { continue };
        let (bounds, _) = proved_bounds(&net, &loaded.model, seed);
        let far = bounds.iter().map(|&(_, bound)| bound as usize + 1).max().unwrap_or(1).min(4);
        let Some(reached) = Reached::explore(&net, far, CONFIGURATIONS_MAX) else { continue };
        for (queue, bound) in bounds {
            let longest = reached.longest(queue);
            assert!(longest <= bound as usize, "seed {seed}: {longest} > {bound} in {queue}");
            let plain = net.queues[queue].size == Size::Unbounded;
            n_bounds += usize::from(plain && longest > 0);
            n_exact += usize::from(plain && longest > 0 && longest == bound as usize);
            let odd = !plain || net.queues[queue].loss != Loss::Nothing;
            n_odd += usize::from(odd && longest > 0);
        }
    }
    assert!(n_bounds > 50 && n_exact > 40 && n_odd > 100, "{n_bounds}, {n_exact}, {n_odd}");
}

#[test]
fn a_queue_that_is_seen_to_grow_is_never_proved() {
    let mut n_growing = 0;
    for seed in 0..SYSTEMS / 3 {
        let net = make::net(seed);
        let Ok(loaded) = loaded(&net) else { continue };
        let model = &loaded.model;
        let (bounds, _) = proved_bounds(&net, model, seed);
        for answer in ask(&Explore, model, &[]).queues {
            if !matches!(answer.claim, Claim::Violated(_)) {
                continue;
            }
            let name = model.outline().queue_text(answer.queue);
            n_growing += 1;
            let proved = bounds.iter().any(|&(queue, _)| net.queues[queue].name == name);
            assert!(!proved, "seed {seed}: {name} grows");
        }
    }
    assert!(n_growing > 50, "{n_growing}");
}

/// The system with random marks of progress.
fn marked(net: &Net, seed: u64) -> Option<Model> {
    let mut rng = Rng::new(seed ^ 0xf10);
    let line = |line: &str| match line.strip_prefix("    ").filter(|rest| !rest.starts_with(' ')) {
        Some(rest) if rng.percent(50) => format!("    progress {rest}\n"),
        _ => format!("{line}\n"),
    };
    let text: String = net.text().lines().map(line).collect();
    load("random.cfsm", text.as_bytes()).ok().map(|loaded| loaded.model)
}

#[test]
fn no_run_without_progress_exists_where_progress_is_proved() {
    let (mut n_proved, mut n_open, mut n_wrong, mut n_split) = (0, 0, 0, 0);
    let (mut n_found, mut n_growing) = (0, 0);
    for seed in 0..SYSTEMS {
        let Some(model) = marked(&make::net(seed), seed) else { continue };
        if Property::Livelock.is_void(model.outline()) {
            continue;
        }
        let answers = ask(&FlowEngine, &model, &[Property::Livelock]);
        let claim = through_text(&answers.claims[0].claim).expect("it can be written");
        let searched = ask(&Explore, &model, &[Property::Livelock]);
        let wrong = matches!(searched.claims[0].claim, Claim::Violated(_));
        n_wrong += usize::from(wrong);
        match claim {
            Claim::Holds(ref proof) => {
                assert!(!wrong, "seed {seed}");
                n_split += usize::from(n_cases(proof) > 1);
                assert!(is_accepted(&model, Property::Livelock, &claim), "seed {seed}");
                n_proved += 1;
            }
            Claim::GaveUp(_) => n_open += 1,
            Claim::Violated(ref trace) => {
                n_growing += usize::from(matches!(trace.shape, Shape::Pump { .. }));
                let ruling = Referee::new(&model, 10_000).check(Property::Livelock, &claim);
                let ruling = ruling.expect("a run that was found can be replayed");
                assert!(matches!(ruling.ruling(), Ruling::Violated { .. }), "seed {seed}");
                n_found += 1;
            }
        }
    }
    let counts = [n_proved, n_open, n_wrong, n_split, n_found, n_growing];
    assert!(n_proved > 100 && n_open > 20 && n_wrong > 50, "{counts:?}");
    assert!(n_split > 0 && n_found > 50 && n_growing > 20, "{counts:?}");
}

fn n_cases(proof: &Proof) -> usize {
    match proof {
        Proof::Flow(flow) => flow.cases.len(),
        _ => 0,
    }
}

/// A tree of cases that may be right or not.
fn made_up(model: &Model, rng: &mut Rng) -> Flow {
    let net = model.system().program_mut().net(&[]).expect("automata have one");
    let mut cases = Vec::new();
    let mut open = 1;
    while open > 0 {
        open -= 1;
        let (counter, machine) = (rng.below(4) as u32, rng.below(3) as u32);
        let spots: Vec<u32> = (0..net.spots.len() as u32).filter(|_| rng.percent(40)).collect();
        let (case, inner) = match rng.below(4) {
            _ if cases.len() > 8 => (Case::Closed(weights(&net, rng)), 0),
            0 => (Case::Order { counter }, 3),
            1 => (Case::Apart { machine, spots }, 3),
            2 => (Case::Depends { dependency: counter }, 2),
            _ => (Case::Closed(weights(&net, rng)), 0),
        };
        cases.push(case);
        open += inner;
    }
    Flow { followed: Vec::new(), weighings: Vec::new(), cases }
}

fn weights(net: &qp_machines::Net, rng: &mut Rng) -> Weighing {
    let mut some = |n: usize| (0..n as u32).map(|id| (id, [0, 1, 2, 3][rng.below(4)])).collect();
    let (potentials, weights) = (some(net.spots.len()), some(net.counters.len()));
    Weighing { denominator: 1, potentials, weights, factors: Vec::new() }
}

#[test]
fn made_up_cases_prove_nothing_false() {
    let (mut rng, mut n_refused, mut n_accepted) = (Rng::new(11), 0, 0);
    for seed in 0..SYSTEMS {
        let Some(model) = marked(&make::net(seed), seed) else { continue };
        if Property::Livelock.is_void(model.outline()) {
            continue;
        }
        let searched = ask(&Explore, &model, &[Property::Livelock]);
        let wrong = matches!(searched.claims[0].claim, Claim::Violated(_));
        for _ in 0..30 {
            let claim = Claim::Holds(Proof::Flow(Arc::new(made_up(&model, &mut rng))));
            let accepted = is_accepted(&model, Property::Livelock, &claim);
            assert!(!(accepted && wrong), "seed {seed}: {claim:?}");
            n_refused += usize::from(!accepted);
            n_accepted += usize::from(accepted);
        }
    }
    assert!(n_refused > 1_000 && n_accepted > 100, "{n_refused}, {n_accepted}");
}

/// A weighing with a few changed numbers.
fn forged(weighing: &Weighing, rng: &mut Rng) -> Weighing {
    let mut it = weighing.clone();
    for _ in 0..=rng.below(3) {
        let step = [-2, -1, 1, 2, 1_000_000][rng.below(5)];
        let list = match rng.below(4) {
            0 => {
                it.denominator += step;
                continue;
            }
            1 => &mut it.potentials,
            2 => &mut it.weights,
            _ => &mut it.factors,
        };
        match rng.below(3) {
            0 if !list.is_empty() => drop(list.remove(rng.below(list.len()))),
            1 => list.push((rng.below(6) as u32, step)),
            _ => {
                let n = list.len();
                if let Some((_, number)) = list.get_mut(rng.below(n.max(1))) {
                    *number += step;
                }
            }
        }
    }
    it
}

#[test]
fn forged_weighings_prove_nothing_false() {
    let (mut rng, mut n_refused) = (Rng::new(7), 0);
    for seed in 0..SYSTEMS / 3 {
        let net = make::net(seed);
        let Ok(loaded) = loaded(&net) else { continue };
        let model = &loaded.model;
        let (_, Some(flow)) = proved_bounds(&net, model, seed) else { continue };
        let Some(reached) = Reached::explore(&net, 2, CONFIGURATIONS_MAX) else { continue };
        for (number, queue) in net.queues.iter().enumerate() {
            let Some(id) = model.outline().queue_from_text(&queue.name) else { continue };
            let longest = reached.longest(number) as u32;
            if longest == 0 {
                continue;
            }
            for _ in 0..10 {
                let weighings = flow.weighings.iter().map(|it| forged(it, &mut rng)).collect();
                let claim =
                    Claim::Holds(Proof::Flow(Arc::new(Flow { weighings, ..Flow::default() })));
                let property = Property::Length(id, longest - 1);
                assert!(
                    !is_accepted(model, property, &claim),
                    "seed {seed}: {property:?} {claim:?}"
                );
                n_refused += 1;
            }
        }
    }
    assert!(n_refused > 1_000, "{n_refused}");
}

#[test]
fn the_example_of_the_paper_has_its_exact_bounds() {
    let text = include_str!("../../../../corpus/cfsm/client_server_ts.cfsm");
    let model = load("client_server_ts.cfsm", text.as_bytes()).expect("it is a model").model;
    let answers = ask(&FlowEngine, &model, &[Property::Bounded]);
    let bound = |name: &str| {
        let queue = model.outline().queue_from_text(name);
        let answer = answers.queues.iter().find(|answer| Some(answer.queue) == queue)?;
        matches!(answer.claim, Claim::Holds(_)).then_some(answer.bound)
    };
    assert_eq!(["ts0", "ts1", "tc0", "tc1"].map(bound), [2, 2, 1, 1].map(Some));
    assert!(answers.detail.contains(&("total", 3)), "{:?}", answers.detail);
}

#[test]
fn rounds_that_may_grow_are_told() {
    // What is left in the queue is soon at its front, so the round is taken once. Counting does not see that.
    let text = "machine A { init S: send B go -> T T: }
                machine B { init S: recv go -> send B left -> send B go -> S }";
    let model = load("m.cfsm", text.as_bytes()).expect("it is a model").model;
    let answers = ask(&FlowEngine, &model, &[Property::Bounded]);
    let Claim::GaveUp(Reason::Rounds { what, rounds }) = &answers.claims[0].claim else {
        panic!("{:?}", answers.claims)
    };
    assert_eq!(what, "counting messages does not rule out that B grows for ever");
    let told: Vec<String> = rounds
        .iter()
        .map(|round| {
            let steps: Vec<&str> = round.steps.iter().map(|(text, _)| text.as_str()).collect();
            format!("{} {}: {}", round.times, round.from, steps.join(", "))
        })
        .collect();
    assert_eq!(told, ["1 B.S: receive B go, send B left, send B go"]);
}

/// Whether the engine shows that there is progress again and again, in more than one case, and is believed.
fn is_split(text: &str) -> bool {
    let model = load("m.cfsm", text.as_bytes()).expect("it is a model").model;
    let claim = ask(&FlowEngine, &model, &[Property::Livelock]).claims.remove(0).claim;
    let Claim::Holds(proof) = &claim else { return false };
    assert!(is_accepted(&model, Property::Livelock, &claim));
    n_cases(proof) > 1
}

#[test]
fn the_order_of_messages_stops_a_round() {
    // Each round leaves a message that nobody takes, and would take one behind it.
    let text = "machine A { init P: send B go -> S progress S: recv never -> S }
                machine B { init S: recv go -> send B left -> send B go -> S | internal -> E E: }";
    assert!(is_split(text));
    // What is deferred lets others pass.
    assert!(!is_split(&text.replace("init S: recv go", "init S: defer left | recv go")));
}

#[test]
fn a_machine_does_not_go_back_where_no_way_leads() {
    let text = "queues channels; channel up, down;
                machine A { init S: recv up m -> send down m -> S | internal -> T
                            T: recv down m -> send up m -> T }
                machine B { init S: send up m -> P progress P: }";
    assert!(is_split(text));
}

#[test]
fn the_net_has_what_the_graphs_lead_to() {
    let text =
        "queues channels; channel full 2; channel meet rendezvous; channel air unbounded lossy;
        machine A { init S: send full a -> send meet b -> T
                    T: send air c -> P | fail \"no\"
                    progress P: recv full a -> S
                    Nowhere: send full z -> S }
        machine B { init S: recv meet b -> S | recv air c -> S }";
    let loaded = load("m.cfsm", text.as_bytes()).map_err(|refused| refused.diagnostics);
    let model = loaded.expect("it is a model").model;
    let net = model.system().program_mut().net(&[]).expect("automata have one");
    let spots: Vec<&str> = net.spots.iter().map(|spot| spot.name.as_str()).collect();
    assert_eq!(spots, ["A.S", "A.T", "A.P", "A.S/1", "B.S"]);
    let arcs = net.arcs.iter().map(|arc| (arc.text.as_str(), arc.effects.len(), arc.progress));
    let expected = [
        ("send full a", 1, false),
        ("send air c, which is lost", 0, true),
        ("send air c", 1, true),
        ("receive full a", 1, true),
        ("send meet b", 1, false),
        ("receive meet b", 1, false),
        ("receive air c", 1, false),
    ];
    assert_eq!(arcs.collect::<Vec<_>>(), expected);
    let handshakes = net.counters.iter().filter(|c| matches!(c.counts, Counts::Handshakes(_)));
    assert_eq!(handshakes.map(|counter| counter.name.as_str()).collect::<Vec<_>>(), ["b"]);
    let facts = net.facts.iter().map(|fact| (fact.terms.len(), fact.at_most, &*fact.because));
    assert_eq!(facts.collect::<Vec<_>>(), [(2, 2, "full holds at most 2")]);
}

/// A sender that waits for an answer, and the only weighing that proves that its queue is short.
fn one_at_a_time() -> (Model, Weighing) {
    let text = "machine A { init S: send B ask -> T T: recv ok -> S }
                machine B { init S: recv ask -> T T: send A ok -> S }";
    let model = load("m.cfsm", text.as_bytes()).expect("it is a model").model;
    // Spots are A.S, A.T, B.S, B.T; counters are `ask` and `ok`.
    let (potentials, weights) = (vec![(0, 1), (3, 1)], vec![(0, 1), (1, 1)]);
    (model, Weighing { denominator: 1, potentials, weights, factors: Vec::new() })
}

fn accepts(model: &Model, property: Property, weighing: Weighing) -> bool {
    let cases = vec![Case::Closed(weighing.clone())];
    let flow = Arc::new(Flow { weighings: vec![weighing], cases, followed: Vec::new() });
    is_accepted(model, property, &Claim::Holds(Proof::Flow(flow)))
}

#[test]
fn each_number_of_a_weighing_matters() {
    let (model, right) = one_at_a_time();
    let property = Property::Length(QueueId::new(1), 1);
    assert!(accepts(&model, property, right.clone()));
    assert!(accepts(&model, Property::Bounded, right.clone()));
    assert!(!accepts(&model, Property::Length(QueueId::new(1), 0), right.clone()));
    assert!(
        !accepts(&model, Property::Livelock, right.clone()),
        "a step leaves the weight as it is"
    );
    assert!(!accepts(&model, Property::Deadlock, right.clone()));
    let changes: [fn(&mut Weighing); 9] = [
        |it| it.denominator = 0,
        |it| it.denominator = -1,
        |it| it.denominator = 2,
        |it| it.potentials[0].1 = 0,
        |it| it.potentials[1].1 = -1,
        |it| it.weights[0].1 = 0,
        |it| it.weights[1].1 = 0,
        |it| it.weights.push((2, 1)),
        |it| it.factors.push((0, 1)),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut it = right.clone();
        change(&mut it);
        assert!(!accepts(&model, property, it), "change {number}");
    }
}

#[test]
fn numbers_too_large_to_add_up_are_refused() {
    let (model, mut it) = one_at_a_time();
    it.potentials[0].1 = i64::MAX;
    it.weights[0].1 = i64::MIN;
    assert!(!accepts(&model, Property::Bounded, it));
}
