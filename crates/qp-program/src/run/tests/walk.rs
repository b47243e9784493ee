//! Following runs, and checking texts on the way.

use std::collections::BTreeSet;

use qp_machines::{Config, Event, LocalId, MachineId, Outcome, System};

/// What a step did, in one line: the machine, then what happened.
pub(crate) fn line(system: &System, outcome: &Outcome) -> String {
    let program = system.program();
    let message = |message| program.message_text(message);
    let what = match outcome.event {
        Event::Internal | Event::Announced { .. } => "internal".to_owned(),
        Event::Sent { queue, message: m } => format!("sent {} to {}", message(m), queue.raw()),
        Event::Lost { queue, message: m } => format!("lost {} to {}", message(m), queue.raw()),
        Event::Took { message: m, position, .. } => format!("took {} at {position}", message(m)),
        Event::Created { machine } => format!("created {}", machine.raw()),
        Event::Closed { .. } => "closed".to_owned(),
        Event::Failed { failure } => {
            let failure = program.failure(failure);
            format!("failed {}: {}", failure.code, failure.text)
        }
        Event::GaveUp { why } => {
            let why = program.failure(why);
            format!("gave up {}: {}", why.code, why.text)
        }
        Event::Handshake { .. } | Event::Ended => unreachable!(),
    };
    format!("{} {what}", outcome.step.machine.raw())
}

/// The lines of all steps that are possible.
pub(crate) fn lines(system: &mut System, config: &Config) -> Vec<String> {
    let outcomes = system.successors(config);
    outcomes.iter().map(|outcome| line(system, outcome)).collect()
}

/// Takes the first step again and again, up to a failure or `most` steps.
pub(crate) fn run(system: &mut System, most: usize) -> (Vec<String>, Config) {
    run_by(system, &vec![None; most])
}

/// Takes the first step of each of these machines in turn.
pub(crate) fn run_machines(system: &mut System, machines: &[u32]) -> (Vec<String>, Config) {
    let machines: Vec<_> = machines.iter().copied().map(Some).collect();
    run_by(system, &machines)
}

fn run_by(system: &mut System, machines: &[Option<u32>]) -> (Vec<String>, Config) {
    let mut config = system.initial();
    let mut lines = Vec::new();
    for machine in machines {
        let mut outcomes = system.successors(&config).into_iter();
        let chosen =
            outcomes.find(|it| machine.is_none_or(|machine| it.step.machine.raw() == machine));
        let Some(outcome) = chosen else { break };
        lines.push(line(system, &outcome));
        let ended = matches!(outcome.event, Event::Failed { .. } | Event::GaveUp { .. });
        config = outcome.config;
        if ended {
            break;
        }
    }
    (lines, config)
}

/// What a walk over all configurations saw.
pub(crate) struct Seen {
    pub(crate) n_configs: usize,
    pub(crate) locals: BTreeSet<(MachineId, LocalId)>,
    /// Failures and give-ups, as lines.
    pub(crate) ends: BTreeSet<String>,
    pub(crate) complete: bool,
}

/// Visits every configuration, at most `most`, and reads every text back.
pub(crate) fn walk(system: &mut System, most: usize) -> Seen {
    let first = system.initial();
    let (mut known, mut open) = (BTreeSet::from([first.clone()]), vec![first]);
    let mut seen =
        Seen { n_configs: 0, locals: BTreeSet::new(), ends: BTreeSet::new(), complete: true };
    while let Some(config) = open.pop() {
        seen.n_configs += 1;
        check_texts(system, &config);
        seen.locals.extend(config.machines().map(|machine| (machine, config.local(machine))));
        for outcome in system.successors(&config) {
            if matches!(outcome.event, Event::Failed { .. } | Event::GaveUp { .. }) {
                seen.ends.insert(line(system, &outcome));
            } else if known.len() >= most {
                seen.complete = false;
            } else if known.insert(outcome.config.clone()) {
                open.push(outcome.config);
            }
        }
    }
    seen
}

/// Every text of a configuration names what it was made of.
fn check_texts(system: &mut System, config: &Config) {
    for machine in config.machines() {
        let local = config.local(machine);
        let text = system.program().local_text(machine, local);
        let read = system.program_mut().local_from_text(machine, &text);
        assert_eq!(read, Some(local), "{text}");
    }
    for queue in config.queues() {
        for message in system.words().messages(config.word(queue)) {
            let text = system.program().message_text(message);
            assert_eq!(system.program_mut().message_from_text(&text), Some(message), "{text}");
        }
    }
    let text = system.store_text(config.store);
    assert_eq!(system.store_from_text(&text), Some(config.store), "{text}");
}
