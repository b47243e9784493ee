//! Findings and reasons in the user's words.

use qp_base::{Code, Exhausted, Span};
use qp_check::{Finding, Run};
use qp_claim::Reason;
use qp_machines::{Config, MachineId, Outline, Property, QueueId, System};

use crate::Loaded;
use crate::report::Location;

/// A finding or a reason, ready for a report.
pub(crate) struct Saying {
    pub(crate) code: Code,
    pub(crate) message: String,
    pub(crate) span: Option<Span>,
    /// The machine it is about, if it is about one.
    pub(crate) machine: Option<MachineId>,
}

/// What is wrong at the end of a run.
pub(crate) fn finding(system: &System, run: &Run, finding: Finding) -> Saying {
    let outline = system.program().outline();
    let config = run.last();
    let at = |machine| place(system, config, machine);
    match finding {
        Finding::Failed { machine, failure } => {
            // The failing step leaves the configuration as it is.
            let text = system.program().failure_text(failure);
            let message = format!("{} fails: {text}", at(machine).0);
            Saying { code: Code(1002), message, span: at(machine).1, machine: Some(machine) }
        }
        Finding::Unhandled { machine, queue, message } => {
            let text = system.program().message_text(message);
            let first = system.words().messages(config.word(queue)).first() == Some(&message);
            let which = if first { "the first message" } else { "the first message not deferred" };
            let owner = queue_phrase(outline, queue, machine);
            let message = format!("{} and cannot receive {text}, {which} {owner}", at(machine).0);
            Saying { code: Code(1001), message, span: at(machine).1, machine: Some(machine) }
        }
        Finding::Deadlock { machine } => {
            let waiting =
                config.machines().filter(|&m| !system.program().may_rest(m, config.local(m)));
            let list: Vec<String> = waiting.map(|m| at(m).0).collect();
            let message = format!("nothing can move: {}", list.join(", "));
            Saying { code: Code(1003), message, span: at(machine).1, machine: None }
        }
        Finding::Stuck { machine } => {
            let message = format!("{} and can never move again", at(machine).0);
            Saying { code: Code(1004), message, span: at(machine).1, machine: Some(machine) }
        }
        Finding::Orphan { queue } => {
            let messages = system.words().messages(config.word(queue));
            let text = messages.first().map(|&m| system.program().message_text(m));
            let name = queue_name(outline, queue);
            let text = text.unwrap_or_default();
            let message = format!("{text}, in the queue {name}, can never be received");
            let machine = reader(outline, queue);
            Saying { code: Code(1005), message, span: queue_span(outline, queue), machine }
        }
        Finding::Bad { number } => {
            let bad = &outline.bad[number];
            let message = format!("the bad situation {} is reached", bad.name);
            Saying { code: Code(1006), message, span: Some(bad.span), machine: None }
        }
        Finding::Long { queue, messages } => {
            let name = queue_name(outline, queue);
            let message = format!("the queue {name} holds {messages} messages");
            let machine = reader(outline, queue);
            Saying { code: Code(2001), message, span: queue_span(outline, queue), machine }
        }
        Finding::Grows { queue } => {
            let name = queue_name(outline, queue);
            let message = format!("the queue {name} grows for ever: no capacity is enough");
            let machine = reader(outline, queue);
            Saying { code: Code(2001), message, span: queue_span(outline, queue), machine }
        }
    }
}

/// "Server is in Granted", and where that is written.
fn place(system: &System, config: &Config, machine: MachineId) -> (String, Option<Span>) {
    let Some(&local) = config.locals.get(machine.index()) else {
        return (format!("{} has ended", machine_name(system.program().outline(), machine)), None);
    };
    let control = system.program().control_name(machine, local);
    let name = machine_name(system.program().outline(), machine);
    (format!("{name} is in {control}"), Some(system.program().control_span(machine, local)))
}

pub(crate) fn machine_name(outline: &Outline, machine: MachineId) -> String {
    let created = || format!("machine{}", machine.index());
    outline.machines.get(machine).map_or_else(created, |info| info.name.clone())
}

pub(crate) fn queue_name(outline: &Outline, queue: QueueId) -> String {
    let created = || format!("queue{}", queue.index());
    outline.queues.get(queue).map_or_else(created, |info| info.name.clone())
}

fn queue_span(outline: &Outline, queue: QueueId) -> Option<Span> {
    outline.queues.get(queue).map(|info| info.span)
}

pub(crate) fn reader(outline: &Outline, queue: QueueId) -> Option<MachineId> {
    match outline.queues.get(queue)?.readers[..] {
        [reader] => Some(reader),
        _ => None,
    }
}

fn queue_phrase(outline: &Outline, queue: QueueId, machine: MachineId) -> String {
    let name = queue_name(outline, queue);
    if name == machine_name(outline, machine) {
        "in its queue".to_owned()
    } else {
        format!("in the queue {name}")
    }
}

/// How far it got, in a few words, for a reason that says more.
pub(crate) fn gist(property: Property, reason: &Reason) -> Option<String> {
    match reason {
        Reason::BoundReached { bound, .. } | Reason::Budget { bound, .. } => {
            Some(nothing_up_to(property, *bound))
        }
        Reason::NotThisProperty
        | Reason::EvidenceTooLarge { .. }
        | Reason::OutsideFragment { .. } => None,
    }
}

/// Why there is no answer: code and one line.
pub(crate) fn reason(outline: &Outline, property: Property, reason: &Reason) -> (Code, String) {
    match reason {
        Reason::BoundReached { bound, queues } => {
            let names: Vec<String> = queues.iter().map(|&q| queue_name(outline, q)).collect();
            let longer = match names.len() {
                0 => String::new(),
                1 => format!("; the queue {} can grow longer", names[0]),
                _ => format!("; the queues {} can grow longer", names.join(", ")),
            };
            let nothing = nothing_up_to(property, *bound);
            (Code(3001), format!("{nothing}{longer}"))
        }
        Reason::Budget { exhausted, bound } => {
            let what = match exhausted {
                Exhausted::Time => "the time is up",
                Exhausted::Memory => "the memory limit is met",
                Exhausted::States => "the limit on configurations is met",
                Exhausted::Cancelled => "interrupted",
            };
            (Code(3002), format!("{what}; {}", nothing_up_to(property, *bound)))
        }
        Reason::NotThisProperty => (Code(3003), "no engine of this version answers it".to_owned()),
        Reason::EvidenceTooLarge { configurations } => {
            let text = format!(
                "the evidence has {configurations} configurations, too many to be re-checked"
            );
            (Code(3004), text)
        }
        Reason::OutsideFragment { because } => (Code(3005), because.clone()),
    }
}

fn nothing_up_to(property: Property, bound: u32) -> String {
    match (property, bound) {
        (_, 0) => "no queue length was explored completely".to_owned(),
        (Property::Bounded | Property::Length(..), _) => {
            format!("no bound found up to queue length {bound}")
        }
        _ => format!("no violation up to queue length {bound}"),
    }
}

/// A place in the user's text.
pub(crate) fn location(loaded: &Loaded, span: Span) -> Location {
    let (start, end) = (loaded.source.place(span.start), loaded.source.place(span.end));
    Location {
        file: loaded.source.file(span.start).name.to_owned(),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
    }
}
