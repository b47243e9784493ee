//! One model through the engine and the referee, without the façade.

use std::collections::BTreeSet;

use qp_base::Budget;
use qp_check::{Referee, Ruling};
use qp_claim::{Claim, read_certificate, write_certificate};
use qp_engines::{Engine, Explore, Task, TaskLimits};
use qp_machines::{Config, Event, Model, Property};

/// The answers about a model.
pub struct Judged {
    /// States and transitions at the last bound.
    pub counts: (u64, u64),
    /// Verdicts by property, as words; a violation with the length of its run.
    pub words: Vec<(Property, String)>,
    /// For each queue that was met.
    pub queues: Vec<String>,
}

/// Runs the bounded search on these properties and has every claim checked. Evidence that is refused
/// is an error.
pub fn judge(model: &Model, properties: &[Property], bound_max: u32) -> Result<Judged, String> {
    let limits = TaskLimits {
        bound_max,
        exhaustive: true,
        queues: true,
        small_max: 10_000,
        evidence_max: 10_000,
        ..TaskLimits::default()
    };
    let task = Task {
        model: model.clone(),
        properties: properties.to_vec(),
        invariants: Vec::new(),
        limits,
    };
    let answers = Explore.run(task, &Budget::states(100_000));
    let last = answers.bounds.last().ok_or("nothing was explored")?;
    let mut judged =
        Judged { counts: (last.states, last.transitions), words: Vec::new(), queues: Vec::new() };
    let outline = model.outline();
    for answer in &answers.claims {
        let word = word(model, answer.property, &answer.claim)
            .map_err(|problem| format!("{}: {problem}", answer.property.id(outline)))?;
        judged.words.push((answer.property, word));
    }
    for answer in &answers.queues {
        let property = match answer.claim {
            Claim::Holds(_) => Property::Length(answer.queue, answer.longest),
            Claim::Violated(_) | Claim::GaveUp(_) => Property::Bounded,
        };
        let word = word(model, property, &answer.claim)
            .map_err(|problem| format!("{:?}: {problem}", answer.queue))?;
        judged.queues.push(format!("{word} {}", answer.longest));
    }
    Ok(judged)
}

fn word(model: &Model, property: Property, claim: &Claim) -> Result<String, String> {
    let mut referee = Referee::new(model, 10_000);
    let verdict = referee.check(property, &through_text(claim)?).map_err(|rejected| rejected.0)?;
    Ok(match verdict.ruling() {
        Ruling::Proved(_) => "proved".to_owned(),
        Ruling::Violated { run, .. } => format!("violated in {}", run.outcomes.len()),
        Ruling::Searched { .. } | Ruling::Unknown(_) => "unknown".to_owned(),
    })
}

/// A proof as somebody else would get it: from its file.
pub fn through_text(claim: &Claim) -> Result<Claim, String> {
    let Claim::Holds(proof) = claim else { return Ok(claim.clone()) };
    let file = qp_claim::CertificateFile {
        model: String::new(),
        switches: Vec::new(),
        hash: String::new(),
        properties: Vec::new(),
        proof: proof.clone(),
    };
    let read = read_certificate(&write_certificate(&file)).map_err(|error| error.0)?;
    if read.proof != *proof {
        return Err("the set changed in its file".to_owned());
    }
    Ok(Claim::Holds(read.proof))
}

/// How many configurations and steps there are, by following the one step function blindly.
pub fn count(model: &Model) -> (u64, u64) {
    let mut system = model.system();
    let mut seen: BTreeSet<Config> = BTreeSet::new();
    let (mut todo, mut n_transitions) = (vec![system.initial()], 0);
    while let Some(config) = todo.pop() {
        if !seen.insert(config.clone()) {
            continue;
        }
        for outcome in system.successors(&config) {
            if !matches!(outcome.event, Event::Failed { .. } | Event::GaveUp { .. }) {
                n_transitions += 1;
                todo.push(outcome.config);
            }
        }
    }
    (seen.len() as u64, n_transitions)
}
