//! Rounds of exchanges: what the engine claims about random systems, against the referee and the plain step function.

use qp_base::Budget;
use qp_check::Referee;
use qp_claim::{Claim, Proof, Rounds};
use qp_engines::{Engine, Exchange, Lists, Sets, Task, TaskLimits};
use qp_machines::{Model, Property};
use qp_testkit::brute::reach;
use qp_testkit::compare::loaded;
use qp_testkit::judge::through_text;
use qp_testkit::lazy::Lazy;
use qp_testkit::make;
use qp_testkit::net::{Act, Loss, Net, Size};

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
    let limits = TaskLimits {
        bound_first: 1,
        bound_max: 2,
        jobs: 1,
        exhaustive: false,
        queues: false,
        small_max: 1_000,
        evidence_max: 3_000,
        walk_steps_max: 0,
        lists: Lists::default(),
        sets: Sets::Explicit,
        order: qp_engines::Order::default(),
        reduce: false,
    };
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
