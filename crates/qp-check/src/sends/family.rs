//! Runs with a cycle that can be taken any number of times before they end.
//!
//! The run is replayed with as many turns as it has, so what is left is to show that there are such runs with more turns.
//! Every turn does the same: the same machines move, send and take the same messages and come to the same local
//! states. A queue that holds the same after a turn as before it does so at each moment of each turn. Any other must
//! *grow*: each turn sends more to it than it takes, and what it holds before the first turn followed by endlessly many
//! of the words that a turn sends to it is endlessly many of the words that a turn takes from it (unless it takes
//! nothing). So whatever a turn takes is at the front when it is taken, in every turn, and what such a queue holds after
//! n + 1 turns begins with what it holds after n.
//!
//! The tail takes from such a queue no more than what was in it when the tail began, so it finds the same messages however
//! many turns were before. No step depends on anything but the local state of who moves and the first message of a
//! queue that is not empty: none of the moves has a guard.

use qp_claim::Shape;
use qp_machines::{Config, Event, Outcome, QueueId, QueueKind, System};

use crate::sends::{Send, backlog, send_of};
use crate::{Checked, Run, pump, wrong};

/// Checks that no length of queues is enough for all sends of a run and of those that take its cycle more often.
pub(crate) fn check_family(system: &mut System, shape: Shape, run: &Run) -> Checked<QueueId> {
    // Who reads which queue must be known for all that is ever created.
    if !system.is_local() {
        return wrong("machines meet otherwise than through queues that one of them reads");
    }
    let Shape::Family { from, until, turns, queue } = shape else {
        return wrong("the run has no cycle before its end");
    };
    let steps = run.outcomes.len();
    if turns == 0 || from >= until || until > steps || !(until - from).is_multiple_of(turns) {
        return wrong("the cycle has no steps, or is not taken as often as it is said");
    }
    let length = (until - from) / turns;
    for number in from..steps {
        check_step(system, run, number)?;
    }
    check_turns(run, from, until, length)?;
    let (start, end) = (run.after(from), run.after(from + length));
    for each in start.queues().filter(|&each| start.word(each) != end.word(each)) {
        pump::grows(system, run, from..from + length, each)?;
        // The tail must take nothing that was sent behind the last turn.
        let (taken, _) = pump::traffic(system, run, until..steps, each)?;
        if taken.len() > system.words().len(run.after(until).word(each)) {
            return wrong("the end of the run takes more than the cycle leaves");
        }
    }
    let send = |it: &Outcome| send_of(it.step.machine, it.events()).transpose();
    let sends = |steps: &[Outcome]| steps.iter().filter_map(send).collect::<Checked<Vec<Send>>>();
    let (cycle, tail) = (&run.outcomes[from..from + length], &run.outcomes[until..]);
    let words = [sends(&run.outcomes[..from])?, sends(cycle)?, sends(tail)?];
    backlog::check(system, &words, queue)?;
    Ok(queue)
}

/// Checks that a step of the cycle or of the tail needs no more than a first message.
fn check_step(system: &mut System, run: &Run, number: usize) -> Checked<()> {
    let (config, outcome) = (run.after(number), &run.outcomes[number]);
    if config.queues().any(|queue| system.kind(config, queue) != QueueKind::UNBOUNDED) {
        return wrong("a queue has a capacity or loses messages");
    }
    // The program names the ends of queues that the machine uses, so no condition is asked of them.
    if system.uses(config, outcome.step.machine).is_none() {
        return wrong("a step of the cycle or behind it depends on a condition");
    }
    match outcome.event {
        Event::Internal
        | Event::Announced { .. }
        | Event::Sent { .. }
        | Event::Took { position: 0, kept: false, .. } => Ok(()),
        _ => wrong("a step of the cycle or behind it does more than send and take"),
    }
}

/// Checks that all turns do the same, and lead back to where they began but for queues.
fn check_turns(run: &Run, from: usize, until: usize, length: usize) -> Checked<()> {
    let rest = |config: &Config| {
        (config.locals.clone(), config.kinds.clone(), config.store, config.holder)
    };
    if rest(run.after(from)) != rest(run.after(from + length)) {
        return wrong("the cycle does not come back to the same local states");
    }
    for number in from + length..until {
        let (first, again) = (&run.outcomes[number - length], &run.outcomes[number]);
        let same = first.step.machine == again.step.machine
            && first.event == again.event
            && rest(&first.config) == rest(&again.config);
        if !same {
            return wrong("two turns of the cycle are not the same");
        }
    }
    Ok(())
}
