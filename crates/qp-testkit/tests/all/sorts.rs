//! Searches up to which numbers are held: small programs for each condition, random programs against a search of all
//! configurations, and tables that were tampered with.

#![allow(clippy::print_stdout, reason = "long runs say what they compared")]

mod cases;
mod random;

use qp_base::Budget;
use qp_check::{Referee, Ruling};
use qp_claim::Claim;
use qp_engines::{Answers, Engine, Sorts, Task, TaskLimits};
use qp_machines::{Model, Property, ValueFlow};

const FAILURES: [Property; 4] =
    [Property::Assert, Property::Unhandled, Property::Deadlock, Property::Divergence];

fn model(text: &str) -> Model {
    let (model, said) = qp_load::load("m.p", text);
    model.unwrap_or_else(|| panic!("{said:?}\n{text}"))
}

fn task(model: &Model, properties: &[Property]) -> Task {
    let limits = TaskLimits {
        bound_max: 8,
        exhaustive: true,
        small_max: 100_000,
        evidence_max: 100_000,
        ..TaskLimits::default()
    };
    let properties = properties.to_vec();
    Task { model: model.clone(), properties, invariants: Vec::new(), limits }
}

/// What the engine says, from what the program does with numbers or from what somebody makes of it.
fn answers(model: &Model, properties: &[Property], edit: &dyn Fn(&mut ValueFlow)) -> Answers {
    Sorts::misled(&task(model, properties), &Budget::states(1_500), edit)
}

fn searched(model: &Model, properties: &[Property], rows_max: u64) -> Answers {
    Sorts.run(task(model, properties), &Budget::states(rows_max))
}

/// What the engine claims.
fn word(claim: &Claim) -> &'static str {
    match claim {
        Claim::Holds(_) => "holds",
        Claim::Violated(_) => "violated",
        Claim::GaveUp(_) => "unknown",
    }
}

/// What the referee makes of a claim.
fn judged(model: &Model, property: Property, claim: &Claim) -> Result<&'static str, String> {
    let verdict = Referee::new(model, 1_000_000).check(property, claim);
    Ok(match verdict.map_err(|why| why.0)?.ruling() {
        Ruling::Proved(_) => "holds",
        Ruling::Violated { .. } => "violated",
        Ruling::Searched { .. } | Ruling::Unknown(_) => "unknown",
    })
}
