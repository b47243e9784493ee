//! Cofinal cores in files.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{CORE, CertificateFile, FileError, Head, read_body, write_body};
use crate::{Core, CoreDeed, CoreEdge, CoreMachine, CoreTransition, Proof, Won};

#[derive(Serialize, Deserialize)]
struct Body {
    machines: Vec<RawMachine>,
    messages: Vec<String>,
    /// Node, machine, transition, node.
    edges: Vec<(u32, u32, u32, u32)>,
    won: Vec<RawWon>,
}

#[derive(Serialize, Deserialize)]
struct RawMachine {
    locals: Vec<String>,
    /// Local state, what is done, local state.
    transitions: Vec<(u32, RawDeed, u32)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    skips: Vec<(u32, u32, u32)>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RawDeed {
    Internal,
    Send(u32, u32),
    Take(u32, u32),
}

#[derive(Serialize, Deserialize)]
struct RawWon {
    bound: Vec<(u32, u32)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    owed: Vec<(u32, u32)>,
    nodes: Vec<(u32, u32, Option<u32>)>,
}

pub(super) fn write(file: &CertificateFile, core: &Core) -> String {
    let raw = Body {
        machines: core.machines.iter().map(raw_machine).collect(),
        messages: core.messages.clone(),
        edges: core.edges.iter().map(|it| (it.from, it.machine, it.transition, it.to)).collect(),
        won: core.won.iter().map(raw_won).collect(),
    };
    write_body(file, CORE, &raw)
}

pub(super) fn read(text: &str) -> Result<CertificateFile, FileError> {
    let (head, raw): (Head, Body) = read_body(text)?;
    let edge = |(from, machine, transition, to)| CoreEdge { from, machine, transition, to };
    let core = Core {
        machines: raw.machines.into_iter().map(machine).collect(),
        messages: raw.messages,
        edges: raw.edges.into_iter().map(edge).collect(),
        won: raw.won.into_iter().map(won).collect(),
    };
    Ok(head.about(Proof::Core(Arc::new(core))))
}

fn raw_machine(machine: &CoreMachine) -> RawMachine {
    let deed = |deed| match deed {
        CoreDeed::Internal => RawDeed::Internal,
        CoreDeed::Send(queue, message) => RawDeed::Send(queue, message),
        CoreDeed::Take(queue, message) => RawDeed::Take(queue, message),
    };
    let raw = |it: &CoreTransition| (it.from, deed(it.deed), it.to);
    RawMachine {
        locals: machine.locals.clone(),
        transitions: machine.transitions.iter().map(raw).collect(),
        skips: machine.skips.clone(),
    }
}

fn machine(raw: RawMachine) -> CoreMachine {
    let deed = |deed| match deed {
        RawDeed::Internal => CoreDeed::Internal,
        RawDeed::Send(queue, message) => CoreDeed::Send(queue, message),
        RawDeed::Take(queue, message) => CoreDeed::Take(queue, message),
    };
    let transition = |(from, it, to)| CoreTransition { from, deed: deed(it), to };
    CoreMachine {
        locals: raw.locals,
        transitions: raw.transitions.into_iter().map(transition).collect(),
        skips: raw.skips,
    }
}

fn raw_won(won: &Won) -> RawWon {
    let Won { bound, owed, nodes } = won.clone();
    RawWon { bound, owed, nodes }
}

fn won(raw: RawWon) -> Won {
    let RawWon { bound, owed, nodes } = raw;
    Won { bound, owed, nodes }
}
