//! Pumps, by turning them.

use qp_check::Referee;
use qp_claim::{Claim, Shape, Trace, read_trace};
use qp_machines::{Config, Model, Outcome, Property, System};
use queueproof::Loaded;

/// Turns the loop of a saved pump twenty times: the queue must get longer each time. Other runs are
/// left alone.
pub fn goes_on(loaded: &Loaded, text: &str) -> Result<(), String> {
    let file = read_trace(text, loaded.model.outline()).map_err(|error| error.0)?;
    match file.trace.shape {
        Shape::Pump { .. } => turns(&mut loaded.model.system(), &file.trace, 20),
        Shape::Finite | Shape::Lasso { .. } | Shape::Family { .. } => Ok(()),
    }
}

/// Turns the loop of a pump so often: each step must be possible again, and the queue gets as much longer each time
/// as the first time.
pub fn turns(system: &mut System, trace: &Trace, n: usize) -> Result<(), String> {
    let Shape::Pump { from, queue } = trace.shape else { return Err("no pump".to_owned()) };
    let mut configs = vec![system.initial()];
    let mut outcomes = Vec::new();
    for &step in &trace.steps {
        let outcome =
            system.fire(&configs[outcomes.len()], step).ok_or("the run does not exist")?;
        configs.push(outcome.config.clone());
        outcomes.push(outcome);
    }
    let length = |system: &System, config: &Config| system.words().len(config.word(queue));
    let (Some(start), Some(end)) = (configs.get(from), configs.last()) else {
        return Err("the loop begins behind the run".to_owned());
    };
    let (first, mut before) = (length(system, start), length(system, end));
    let (more, mut config) = (before.saturating_sub(first), end.clone());
    for turn in 2..=n {
        for wanted in &outcomes[from..] {
            let mut next = system.successors(&config).into_iter();
            let next = next.find(|now| is_again(now, wanted));
            config = next.ok_or(format!("the loop stops in turn {turn}"))?.config;
        }
        let now = length(system, &config);
        if more == 0 || now != before + more {
            return Err(format!("the queue gets from {before} to {now} messages in turn {turn}"));
        }
        before = now;
    }
    Ok(())
}

/// Whether a step is one that was taken before. Choices are numbers among what is possible now, so the same step may
/// have another number.
fn is_again(now: &Outcome, wanted: &Outcome) -> bool {
    let (now_at, then_at) = (&now.config, &wanted.config);
    now.step.machine == wanted.step.machine
        && now.events().eq(wanted.events())
        && (&now_at.locals, &now_at.kinds) == (&then_at.locals, &then_at.kinds)
        && (now_at.store, now_at.holder) == (then_at.store, then_at.holder)
}

/// What the referee says about a run.
pub fn judged(model: &Model, property: Property, trace: &Trace) -> Result<(), String> {
    let verdict = Referee::new(model, 10_000).check(property, &Claim::Violated(trace.clone()));
    verdict.map(|_| ()).map_err(|rejected| rejected.0)
}
