//! Writes a network in our language and in Promela, so that both tools count the same system.

use std::fmt::Write;

use super::network::{Action, Machine, Network};

/// The network as a `.cfsm` file. Queues are unbounded: the bound belongs to the search.
pub fn cfsm(network: &Network) -> String {
    let mut out = String::from("queues mailbox;\n");
    for machine in &network.machines {
        writeln!(out, "machine {} {{", machine.name).expect("writing to a string succeeds");
        for (index, state) in machine.states.iter().enumerate() {
            let init = if index == 0 { "init " } else { "" };
            let options = state.moves.iter().map(|(action, target)| {
                format!("{} -> {}", cfsm_action(action), machine.states[*target].name)
            });
            let options = options.collect::<Vec<_>>().join("\n      | ");
            writeln!(out, "    {init}{}: {options}", state.name)
                .expect("writing to a string succeeds");
        }
        out.push_str("}\n");
    }
    out
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
    let mut out = String::new();
    for mailbox in mailboxes.iter().filter(|mailbox| !mailbox.messages.is_empty()) {
        writeln!(out, "/* {}: {} */", mailbox.owner, mailbox.messages.join(" "))
            .expect("writing to a string succeeds");
        writeln!(out, "chan q_{} = [{bound}] of {{ byte }};", mailbox.owner)
            .expect("writing to a string succeeds");
    }
    for machine in &network.machines {
        out.push_str(&proctype(machine, &mailboxes));
    }
    out
}

fn proctype(machine: &Machine, mailboxes: &[Mailbox]) -> String {
    let find = |owner: &str| {
        mailboxes.iter().find(|mailbox| mailbox.owner == owner).expect("sends go to machines")
    };
    let mut out = format!("active proctype {}()\n{{\n", machine.name);
    for state in &machine.states {
        if state.moves.is_empty() {
            writeln!(out, "{}:\tfalse;", state.name).expect("writing to a string succeeds");
            continue;
        }
        writeln!(out, "{}:\tif", state.name).expect("writing to a string succeeds");
        for (action, target) in &state.moves {
            let statement = match action {
                Action::Send { to, message } => format!("q_{to}!{}", find(to).number(message)),
                Action::Receive(message) => {
                    format!("q_{0}?{1}", machine.name, find(&machine.name).number(message))
                }
                Action::Internal => "true".to_owned(),
            };
            writeln!(out, "\t:: {statement} -> goto {}", machine.states[*target].name)
                .expect("writing to a string succeeds");
        }
        out.push_str("\tfi;\n");
    }
    out.push_str("\tskip\n}\n");
    out
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
