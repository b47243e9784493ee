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

use qp_claim::{Shape, Trace};
use qp_machines::{Config, Event, MessageId, Outcome, QueueId, QueueKind, System};

use crate::sends::{Checked, Send, backlog, rejected, send_of};

/// Checks that no length of queues is enough for all sends of a run and of those that take its cycle more often.
pub(crate) fn check_family(system: &mut System, trace: &Trace) -> Result<QueueId, String> {
    // Who reads which queue must be known for all that is ever created.
    if !system.is_local() {
        return rejected("machines meet otherwise than through queues that one of them reads");
    }
    let Shape::Family { from, until, turns, queue } = trace.shape else {
        return rejected("the run has no cycle before its end");
    };
    let run = Replayed::new(system, trace)?;
    let steps = trace.steps.len();
    if turns == 0 || from >= until || until > steps || !(until - from).is_multiple_of(turns) {
        return rejected("the cycle has no steps, or is not taken as often as it is said");
    }
    let length = (until - from) / turns;
    for number in from..steps {
        run.check_step(system, number)?;
    }
    run.check_turns(from, until, length)?;
    let (start, end) = (run.before(from), run.before(from + length));
    for each in start.queues().filter(|&each| start.word(each) != end.word(each)) {
        run.check_growth(system, (from, from + length), until, each)?;
    }
    let send = |it: &Outcome| send_of(it.step.machine, it.events()).transpose();
    let sends = |steps: &[Outcome]| steps.iter().filter_map(send).collect::<Checked<Vec<Send>>>();
    let (cycle, tail) = (&run.outcomes[from..from + length], &run.outcomes[until..]);
    let words = [sends(&run.outcomes[..from])?, sends(cycle)?, sends(tail)?];
    backlog::check(system, &words, queue)?;
    Ok(queue)
}

/// A run with its configurations.
struct Replayed {
    initial: Config,
    outcomes: Vec<Outcome>,
}

impl Replayed {
    fn new(system: &mut System, trace: &Trace) -> Checked<Self> {
        let mut run = Self { initial: system.initial(), outcomes: Vec::new() };
        for (number, &step) in trace.steps.iter().enumerate() {
            let next = system.fire(run.before(number), step);
            run.outcomes.push(next.ok_or_else(|| format!("step {number} is not possible"))?);
        }
        Ok(run)
    }

    /// The configuration before a step.
    fn before(&self, number: usize) -> &Config {
        if number == 0 { &self.initial } else { &self.outcomes[number - 1].config }
    }

    /// Checks that a step of the cycle or of the tail needs no more than a first message.
    fn check_step(&self, system: &mut System, number: usize) -> Checked<()> {
        let (config, outcome) = (self.before(number), &self.outcomes[number]);
        if config.queues().any(|queue| system.kind(config, queue) != QueueKind::UNBOUNDED) {
            return rejected("a queue has a capacity or loses messages");
        }
        // The program names the ends of queues that the machine uses, so no condition is asked of them.
        if system.uses(config, outcome.step.machine).is_none() {
            return rejected("a step of the cycle or behind it depends on a condition");
        }
        match outcome.event {
            Event::Internal
            | Event::Announced { .. }
            | Event::Sent { .. }
            | Event::Took { position: 0, kept: false, .. } => Ok(()),
            _ => rejected("a step of the cycle or behind it does more than send and take"),
        }
    }

    /// Checks that all turns do the same, and lead back to where they began but for queues.
    fn check_turns(&self, from: usize, until: usize, length: usize) -> Checked<()> {
        let rest = |config: &Config| {
            (config.locals.clone(), config.kinds.clone(), config.store, config.holder)
        };
        if rest(self.before(from)) != rest(self.before(from + length)) {
            return rejected("the cycle does not come back to the same local states");
        }
        for number in from + length..until {
            let (first, again) = (&self.outcomes[number - length], &self.outcomes[number]);
            let same = first.step.machine == again.step.machine
                && first.event == again.event
                && rest(&first.config) == rest(&again.config);
            if !same {
                return rejected("two turns of the cycle are not the same");
            }
        }
        Ok(())
    }

    /// Checks that a queue grows in each turn, that what is taken from it keeps being there, and that the tail takes
    /// nothing that was sent behind the last turn.
    fn check_growth(
        &self,
        system: &System,
        (from, end): (usize, usize),
        until: usize,
        queue: QueueId,
    ) -> Checked<()> {
        let (taken, sent) = self.traffic(from, end, queue);
        if sent.len() <= taken.len() {
            return rejected("the cycle takes as much from a queue as it sends to it");
        }
        let content = system.words().messages(self.before(from).word(queue));
        // Two periodic words that agree this far are equal (Fine and Wilf).
        let far = content.len() + taken.len() + sent.len();
        let offered = content.iter().chain(sent.iter().cycle());
        let differs = |(offered, taken)| offered != taken;
        if offered.zip(taken.iter().cycle()).take(far).any(differs) {
            return rejected("what the cycle takes is not there for ever");
        }
        let (taken, _) = self.traffic(until, self.outcomes.len(), queue);
        if taken.len() > system.words().len(self.before(until).word(queue)) {
            return rejected("the end of the run takes more than the cycle leaves");
        }
        Ok(())
    }

    /// What steps take from a queue and send to it.
    fn traffic(&self, from: usize, end: usize, queue: QueueId) -> (Vec<MessageId>, Vec<MessageId>) {
        let (mut taken, mut sent) = (Vec::new(), Vec::new());
        for outcome in &self.outcomes[from..end] {
            match outcome.event {
                Event::Took { queue: at, message, .. } if at == queue => taken.push(message),
                Event::Sent { queue: at, message } if at == queue => sent.push(message),
                _ => {}
            }
        }
        (taken, sent)
    }
}
