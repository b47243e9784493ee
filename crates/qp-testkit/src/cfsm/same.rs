//! Configurations and steps as texts: what the reference met, and what the one step function leads to.

use std::collections::{BTreeMap, BTreeSet};

use qp_machines::{Config, Event, Model, Outcome, System};

use crate::net::Net;
use crate::reference::{Deed, Moment, Reached, Result};

/// For each configuration its steps, sorted: who moves, what happens, and where it leads.
type Steps = BTreeMap<String, Vec<String>>;

/// Whether both meet the same configurations with the same steps while no queue holds more than `bound`. An error says
/// what differs.
pub fn compare(
    net: &Net,
    reached: &Reached,
    model: &Model,
    bound: usize,
) -> std::result::Result<(), String> {
    let (expected, found) = (expected(net, reached), found(model, bound));
    let all: BTreeSet<&String> = expected.keys().chain(found.keys()).collect();
    for config in all {
        let (expected, found) = (expected.get(config), found.get(config));
        if expected != found {
            return Err(format!(
                "bound {bound}, {config}: expected {expected:#?}, found {found:#?}"
            ));
        }
    }
    Ok(())
}

fn expected(net: &Net, reached: &Reached) -> Steps {
    let name = |machine: usize| net.machines[machine].name.clone();
    let texts: Vec<String> = reached.moments.iter().map(|moment| shown(net, moment)).collect();
    let steps = |number: usize| {
        let mut steps: Vec<String> = Vec::new();
        for step in &reached.steps[number] {
            let movers: Vec<String> = step.movers.iter().map(|&machine| name(machine)).collect();
            let to = match step.result {
                Result::To(to) => &texts[to],
                Result::Cut => "cut",
                Result::Failure => "failure",
            };
            steps.push(format!("{} {} {to}", movers.join("+"), deed(net, step.deed)));
        }
        steps.sort();
        steps
    };
    texts.iter().enumerate().map(|(number, text)| (text.clone(), steps(number))).collect()
}

fn shown(net: &Net, (places, contents): &Moment) -> String {
    let place = |(machine, place): (usize, &usize)| {
        let machine = &net.machines[machine];
        format!("{}@{}", machine.name, machine.states[*place].name)
    };
    let mut parts: Vec<String> = places.iter().enumerate().map(place).collect();
    let mut queues: Vec<String> = Vec::new();
    for (queue, content) in net.queues.iter().zip(contents).filter(|(_, it)| !it.is_empty()) {
        let content: Vec<&str> = content.iter().map(|&m| net.messages[m].as_str()).collect();
        queues.push(format!("{}: {}", queue.name, content.join(" ")));
    }
    parts.extend(queues);
    // Declarations may come in any order.
    parts.sort();
    parts.join(", ")
}

fn deed(net: &Net, deed: Deed) -> String {
    let both = |queue: usize, message: usize| {
        format!("{} {}", net.queues[queue].name, net.messages[message])
    };
    match deed {
        Deed::Internal => "internal".to_owned(),
        Deed::Failed => "fails".to_owned(),
        Deed::Sent { queue, message } => format!("sends {}", both(queue, message)),
        Deed::Lost { queue, message } => format!("loses {}", both(queue, message)),
        Deed::Took { queue, message, at } => format!("takes {} at {at}", both(queue, message)),
        Deed::Met { queue, message } => format!("hands over {}", both(queue, message)),
    }
}

fn found(model: &Model, bound: usize) -> Steps {
    let mut system = model.system();
    let mut todo = vec![system.initial()];
    let mut all = Steps::new();
    while let Some(config) = todo.pop() {
        let text = config_text(&system, &config);
        if all.contains_key(&text) {
            continue;
        }
        let mut steps = Vec::new();
        for outcome in system.successors(&config) {
            let to = match outcome.event {
                Event::Failed { .. } => "failure".to_owned(),
                Event::Sent { queue, .. } if system.words().len(config.word(queue)) >= bound => {
                    "cut".to_owned()
                }
                _ => {
                    todo.push(outcome.config.clone());
                    config_text(&system, &outcome.config)
                }
            };
            let movers: Vec<String> = outcome
                .movers()
                .iter()
                .map(|&machine| system.program().outline().machines[machine].name.clone())
                .collect();
            steps.push(format!("{} {} {to}", movers.join("+"), event(&system, &outcome)));
        }
        steps.sort();
        all.insert(text, steps);
    }
    all
}

fn config_text(system: &System, config: &Config) -> String {
    let (program, outline) = (system.program(), system.program().outline());
    let place = |machine| {
        let local = program.local_text(machine, config.local(machine));
        format!("{}@{local}", outline.machines[machine].name)
    };
    let mut parts: Vec<String> = config.machines().map(place).collect();
    let mut queues: Vec<String> = Vec::new();
    for queue in config.queues() {
        let messages = system.words().messages(config.word(queue)).into_iter();
        let content: Vec<String> = messages.map(|m| program.message_text(m)).collect();
        if !content.is_empty() {
            queues.push(format!("{}: {}", outline.queues[queue].name, content.join(" ")));
        }
    }
    parts.extend(queues);
    // Declarations may come in any order.
    parts.sort();
    parts.join(", ")
}

fn event(system: &System, outcome: &Outcome) -> String {
    let both = |queue, message| {
        let program = system.program();
        format!("{} {}", program.outline().queues[queue].name, program.message_text(message))
    };
    match outcome.event {
        Event::Internal => "internal".to_owned(),
        Event::Failed { .. } => "fails".to_owned(),
        Event::Sent { queue, message } => format!("sends {}", both(queue, message)),
        Event::Lost { queue, message } => format!("loses {}", both(queue, message)),
        Event::Took { queue, message, position, .. } => {
            format!("takes {} at {position}", both(queue, message))
        }
        Event::Handshake { queue, message, .. } => format!("hands over {}", both(queue, message)),
        other => format!("{other:?}"),
    }
}
