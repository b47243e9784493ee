//! Pumps, by turning them.

use qp_claim::{Shape, read_trace};
use qp_machines::Outcome;
use queueproof::Loaded;

/// Turns the loop of a saved pump twenty times: the queue must get longer each time. Other runs are
/// left alone.
pub fn goes_on(loaded: &Loaded, text: &str) -> Result<(), String> {
    let file = read_trace(text, loaded.model.outline()).map_err(|error| error.0)?;
    let Shape::Pump { from, queue } = file.trace.shape else { return Ok(()) };
    let mut system = loaded.model.system();
    let mut config = system.initial();
    let mut events = Vec::new();
    for &step in &file.trace.steps {
        let outcome = system.fire(&config, step).ok_or("the run does not exist")?;
        events.push((step.machine, outcome.event, outcome.config.locals.clone()));
        config = outcome.config;
    }
    let mut longest = system.words().len(config.word(queue));
    for turn in 2..=20 {
        // Choices are numbers among what is possible now, so the same step may have another number.
        for (machine, event, locals) in &events[from..] {
            let same = |outcome: &Outcome| {
                outcome.step.machine == *machine
                    && outcome.event == *event
                    && outcome.config.locals == *locals
            };
            let next = system.successors(&config).into_iter().find(same);
            config = next.ok_or(format!("the loop stops in turn {turn}"))?.config;
        }
        let now = system.words().len(config.word(queue));
        if now <= longest {
            return Err(format!("the queue does not get longer in turn {turn}"));
        }
        longest = now;
    }
    Ok(())
}
