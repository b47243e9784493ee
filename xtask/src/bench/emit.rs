//! Writes a network in our language and in Promela, so that both tools count the same system.

use super::network::{Action, Machine, Network};

/// The network as a `.cfsm` file. Queues are unbounded: the bound belongs to the search.
pub fn cfsm(network: &Network) -> String {
    let mut lines = vec!["queues mailbox;".to_owned()];
    for machine in &network.machines {
        lines.push(format!("machine {} {{", machine.name));
        for (index, state) in machine.states.iter().enumerate() {
            let init = if index == 0 { "init " } else { "" };
            let options = state.moves.iter().map(|(action, target)| {
                format!("{} -> {}", cfsm_action(action), machine.states[*target].name)
            });
            let options = options.collect::<Vec<_>>().join("\n      | ");
            lines.push(format!("    {init}{}: {options}", state.name));
        }
        lines.push("}".to_owned());
    }
    lines.join("\n") + "\n"
}

fn cfsm_action(action: &Action) -> String {
    match action {
        Action::Send { to, message } => format!("send {to} {message}"),
        Action::Receive(message) => format!("recv {message}"),
        Action::Internal => "internal".to_owned(),
    }
}

/// The network in Promela with mailboxes of capacity `bound`.
///
/// Each control state is a label in front of one choice whose options are single statements followed by
/// a jump. SPIN gives jumps no state of their own, so its stored states without reduction are exactly
/// the configurations of the network (`spin -a -o2`, to keep it from resetting variables it thinks dead).
pub fn promela(network: &Network, bound: usize) -> String {
    let mailboxes: Vec<Mailbox> =
        network.machines.iter().map(|owner| Mailbox::of(network, owner)).collect();
    let mut lines = Vec::new();
    for mailbox in mailboxes.iter().filter(|mailbox| !mailbox.messages.is_empty()) {
        lines.push(format!("/* {}: {} */", mailbox.owner, mailbox.messages.join(" ")));
        lines.push(format!("chan q_{} = [{bound}] of {{ byte }};", mailbox.owner));
    }
    for machine in &network.machines {
        lines.push(format!("active proctype {}()\n{{", machine.name));
        lines.extend(labels(machine, &mailboxes));
        lines.push("\tskip\n}".to_owned());
    }
    lines.join("\n") + "\n"
}

/// The control states of a machine, one label each.
fn labels(machine: &Machine, mailboxes: &[Mailbox]) -> Vec<String> {
    let number = |owner: &str, message: &str| {
        let mailbox = mailboxes.iter().find(|mailbox| mailbox.owner == owner);
        mailbox.expect("sends go to machines").number(message)
    };
    let mut lines = Vec::new();
    for state in &machine.states {
        if state.moves.is_empty() {
            lines.push(format!("{}:\tfalse;", state.name));
            continue;
        }
        lines.push(format!("{}:\tif", state.name));
        for (action, target) in &state.moves {
            let own = &machine.name;
            let statement = match action {
                Action::Send { to, message } => format!("q_{to}!{}", number(to, message)),
                Action::Receive(message) => format!("q_{own}?{}", number(own, message)),
                Action::Internal => "true".to_owned(),
            };
            lines.push(format!("\t:: {statement} -> goto {}", machine.states[*target].name));
        }
        lines.push("\tfi;".to_owned());
    }
    lines
}

/// The messages that may stand in one mailbox; Promela knows them by their position, from 1.
struct Mailbox<'a> {
    owner: &'a str,
    messages: Vec<&'a str>,
}

impl<'a> Mailbox<'a> {
    fn of(network: &'a Network, owner: &'a Machine) -> Self {
        let mut messages: Vec<&str> = Vec::new();
        for machine in &network.machines {
            for (action, _) in machine.states.iter().flat_map(|state| &state.moves) {
                match action {
                    Action::Send { to, message } if *to == owner.name => messages.push(message),
                    Action::Receive(message) if machine.name == owner.name => {
                        messages.push(message);
                    }
                    _ => {}
                }
            }
        }
        messages.sort_unstable();
        messages.dedup();
        assert!(messages.len() < 256, "a Promela byte can tell 255 messages apart");
        Self { owner: &owner.name, messages }
    }

    fn number(&self, message: &str) -> usize {
        1 + self.messages.binary_search(&message).expect("the mailbox lists every message")
    }
}
