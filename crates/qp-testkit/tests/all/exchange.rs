//! Rounds of exchanges: what the engine claims about random systems, against the referee and the plain step function.

use std::fmt::Write as _;

use qp_base::Budget;
use qp_check::Referee;
use qp_claim::{Claim, Proof, Rounds};
use qp_engines::{Engine, Exchange, Task, TaskLimits};
use qp_machines::{Model, Property};
use qp_promela::Granularity;
use qp_testkit::brute::reach;
use qp_testkit::compare::loaded;
use qp_testkit::judge::through_text;
use qp_testkit::lazy::Lazy;
use qp_testkit::make;
use qp_testkit::net::{Act, Loss, Net, Size};
use qp_testkit::pageant::Pageant;
use qp_testkit::promela::{self, make::Wanted};

/// What was claimed in all cases together.
#[derive(Default, Debug)]
struct Tally {
    /// Rounds of one message, and of more.
    singles: usize,
    rounds: usize,
    violated: usize,
    /// Runs that no rounds are enough for.
    crossed: usize,
    open: usize,
}

fn properties(model: &Model) -> Vec<Property> {
    let mut all = vec![Property::Assert, Property::Unhandled, Property::Deadlock, Property::Sync];
    all.extend((0..model.outline().bad.len()).map(Property::Reach));
    all
}

fn claims(model: &Model) -> Vec<(Property, Claim)> {
    let limits =
        TaskLimits { bound_max: 2, small_max: 1_000, evidence_max: 3_000, ..TaskLimits::default() };
    let properties = properties(model);
    let task = Task { model: model.clone(), properties, invariants: Vec::new(), limits };
    let answers = Exchange.run(task, &Budget::states(20_000));
    answers.claims.into_iter().map(|answer| (answer.property, answer.claim)).collect()
}

/// Every claim is accepted, and none that holds is violated while queues are short.
fn judge(name: &str, model: &Model, tally: &mut Tally) {
    let short = reach(&mut model.system(), &properties(model), 3, 3_000);
    let mut referee = Referee::new(model, 100_000);
    for (property, claim) in claims(model) {
        match &claim {
            Claim::GaveUp(_) => {
                tally.open += 1;
                continue;
            }
            Claim::Violated(_) if property == Property::Sync => tally.crossed += 1,
            Claim::Violated(_) => tally.violated += 1,
            Claim::Holds(Proof::Exchange(set)) => {
                assert!(!short.violated.contains(&property), "{name}: {property:?} is violated");
                match set.rounds {
                    Rounds::Single(_) => tally.singles += 1,
                    Rounds::UpTo { .. } => tally.rounds += 1,
                }
            }
            Claim::Holds(proof) => panic!("{name}: {}", proof.extent()),
        }
        let claim = through_text(&claim).expect("it can be written");
        if let Err(rejected) = referee.check(property, &claim) {
            panic!("{name}: {property:?} is refused: {rejected}");
        }
    }
}

/// The same system with queues that hold everything, and machines that do not send to themselves.
fn plain(mut net: Net) -> Net {
    for queue in &mut net.queues {
        (queue.size, queue.loss) = (Size::Unbounded, Loss::Nothing);
    }
    for (number, machine) in net.machines.iter_mut().enumerate() {
        for state in &mut machine.states {
            state
                .edges
                .retain(|edge| !matches!(edge.act, Act::Send { queue, .. } if queue == number));
        }
    }
    net
}

#[test]
fn the_referee_accepts_what_is_claimed_of_random_systems() {
    let mut tally = Tally::default();
    for seed in 0..1_500 {
        let net = plain(make::net(seed));
        let Ok(loaded) = loaded(&net) else { continue };
        judge(&format!("seed {seed}\n{}", net.text()), &loaded.model, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.singles > 500 && tally.violated > 300, "{tally:?}");
}

#[test]
fn the_referee_accepts_what_is_claimed_of_lazy_machines() {
    let mut tally = Tally::default();
    for seed in 0..400 {
        let model = Lazy::new(seed).model();
        judge(&format!("lazy {seed}"), &model, &mut tally);
    }
    println!("{tally:?}");
}

/// The same system with queues that are soon full.
fn short(net: Net) -> Net {
    let mut net = plain(net);
    for (number, queue) in net.queues.iter_mut().enumerate() {
        queue.size = Size::Messages(1 + number % 2);
    }
    net
}

#[test]
fn full_queues_block_and_prove_nothing_wrong() {
    let mut tally = Tally::default();
    for seed in 0..1_500 {
        let net = short(make::net(seed));
        let Ok(loaded) = loaded(&net) else { continue };
        judge(&format!("seed {seed}\n{}", net.text()), &loaded.model, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.singles > 500 && tally.violated > 300, "{tally:?}");
}

/// The system as processes with channels that are soon full. Those that stand in a state without edges end; if
/// `created`, the first process starts the others, at once or one by one.
fn processes(net: &Net, created: Option<bool>) -> String {
    let mut text = String::new();
    for number in 0..net.queues.len() {
        let _ = writeln!(text, "chan q{number} = [{}] of {{ byte }};", 1 + number % 2);
    }
    let active = if created.is_none() { "active " } else { "" };
    for (number, machine) in net.machines.iter().enumerate() {
        let _ = writeln!(text, "{active}proctype P{number}() {{\n goto S0;");
        for (at, state) in machine.states.iter().enumerate() {
            let label = if state.end { "end" } else { "S" };
            let _ = writeln!(text, "S{at}: {label}{at}x:");
            let edges = state.edges.iter().map(|edge| match edge.act {
                Act::Internal => format!(":: skip -> goto S{}", edge.to),
                Act::Send { queue, message } => {
                    format!(":: q{queue}!{message} -> goto S{}", edge.to)
                }
                Act::Receive { queue, message } => {
                    format!(":: q{queue}?{message} -> goto S{}", edge.to)
                }
                Act::Fail => ":: assert(false)".to_owned(),
            });
            let edges: Vec<String> = edges.collect();
            let all = if edges.is_empty() { "goto done".to_owned() } else { edges.join("\n") };
            let _ = writeln!(
                text,
                "{}",
                if edges.is_empty() { all } else { format!("if\n{all}\nfi;") }
            );
        }
        text.push_str("done: skip }\n");
    }
    if let Some(at_once) = created {
        let runs: Vec<String> =
            (0..net.machines.len()).map(|number| format!("run P{number}()")).collect();
        let runs = runs.join("; ");
        let runs = if at_once { format!("atomic {{ {runs} }}") } else { runs };
        let _ = writeln!(text, "init {{ {runs} }}");
    }
    text
}

#[test]
fn the_referee_accepts_what_is_claimed_of_processes_that_end() {
    for created in [None, Some(true), Some(false)] {
        let mut tally = Tally::default();
        for seed in 0..700 {
            let text = processes(&plain(make::net(seed)), created);
            let model = promela::ours::model(&text, Granularity::Visible);
            let model = model.unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
            judge(&format!("seed {seed}\n{text}"), &model, &mut tally);
        }
        println!("{created:?}: {tally:?}");
        assert!(tally.singles > 100 && tally.violated > 50, "{tally:?}");
    }
}

#[test]
fn the_referee_accepts_what_is_claimed_of_pageants() {
    let mut tally = Tally::default();
    for seed in 0..1_000 {
        judge(&format!("open {seed}"), &Pageant::discreet(seed, false).model(), &mut tally);
        judge(&format!("closed {seed}"), &Pageant::discreet(seed, true).model(), &mut tally);
    }
    println!("{tally:?}");
}

#[test]
fn the_referee_accepts_what_is_claimed_of_random_processes() {
    let mut tally = Tally::default();
    for seed in 0..1_500 {
        let text = promela::make::model(seed, Wanted::Safety);
        let Ok(model) = promela::ours::model(&text, Granularity::Visible) else { continue };
        judge(&format!("seed {seed}\n{text}"), &model, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.singles > 10 && tally.violated > 10, "{tally:?}");
}
