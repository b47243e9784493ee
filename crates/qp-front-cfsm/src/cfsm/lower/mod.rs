//! From what is written to what it means: names become numbers.

pub(super) mod formula;
mod machine;
mod property;
mod queue;

use qp_base::{Complaints, Diagnostic, IndexVec, Map, Span};
use qp_machines::{Automata, Discipline, LocalId, MachineId, QueueId, QueueKind};

use crate::codes;
use crate::draft::Draft;
use crate::names::{did_you_mean, quoted};

use super::ast::{File, Name};

/// Resolves all names.
pub(crate) fn lower(file: &File<'_>, complaints: &mut Complaints) -> Option<Automata> {
    let discipline = file.disciplines.first().map_or(Discipline::Mailbox, |(d, _)| *d);
    let mut lowering = Lowering {
        draft: Draft::new("cfsm", discipline),
        complaints,
        default_kind: file.capacities.first().map_or(QueueKind::UNBOUNDED, |size| size.kind),
        machines: Map::default(),
        states: IndexVec::new(),
        channels: Map::default(),
        sizes: Map::default(),
    };
    lowering.once(file);
    lowering.declare_machines(file);
    lowering.declare_queues(file);
    for (machine, id) in file.machines.iter().zip(0..) {
        lowering.machine(MachineId::from_raw(id), machine);
    }
    for bad in &file.bad {
        lowering.bad(bad);
    }
    for ltl in &file.ltl {
        lowering.ltl(ltl);
    }
    lowering.unique("bad situation", file.bad.iter().map(|bad| bad.name));
    lowering.unique("formula", file.ltl.iter().map(|ltl| ltl.name));
    lowering.draft.finish(lowering.complaints)
}

struct Lowering<'c, 't> {
    draft: Draft,
    complaints: &'c mut Complaints,
    default_kind: QueueKind,
    machines: Map<&'t str, MachineId>,
    /// The named states of each machine. Machines with the same name have one entry each.
    states: IndexVec<MachineId, Map<&'t str, LocalId>>,
    channels: Map<&'t str, QueueId>,
    /// Peer-to-peer queues met so far, by sender and receiver.
    /// Sizes given to single queues, by sender (of a pair) and receiver.
    sizes: Map<(Option<MachineId>, MachineId), QueueKind>,
}

impl<'t> Lowering<'_, 't> {
    /// Reports a second declaration of what can be said only once.
    fn once(&mut self, file: &File<'t>) {
        let queues: Vec<Span> = file.disciplines.iter().map(|(_, span)| *span).collect();
        let capacities: Vec<Span> = file.capacities.iter().map(|size| size.span).collect();
        for (what, spans) in [("queues", queues), ("capacity", capacities)] {
            if let [first, second, ..] = *spans {
                let message = format!("`{what}` is declared twice");
                self.complaints.push(
                    Diagnostic::error(codes::TWICE, message, second)
                        .also(first, "first declared here")
                        .help("it holds for the whole text; keep one"),
                );
            }
        }
    }

    fn declare_machines(&mut self, file: &File<'t>) {
        for machine in &file.machines {
            let id = self.draft.declare(machine.name.text, machine.name.span);
            self.machines.entry(machine.name.text).or_insert(id);
            let states = machine.states.iter().enumerate();
            // The first of two states with the same name wins; the second is reported below.
            let states = states.rev().map(|(i, state)| (state.name.text, LocalId::new(i)));
            self.states.push(states.collect());
            self.unique("state", machine.states.iter().map(|state| state.name));
        }
        self.unique("machine", file.machines.iter().map(|machine| machine.name));
    }

    /// Reports names that occur twice.
    fn unique(&mut self, what: &str, names: impl Iterator<Item = Name<'t>>) {
        let mut seen: Map<&str, Span> = Map::default();
        for name in names {
            if let Some(&first) = seen.get(name.text) {
                let message = format!("{what} {} is declared twice", quoted(name.text));
                self.complaints.push(
                    Diagnostic::error(codes::TWICE, message, name.span)
                        .also(first, "first declared here")
                        .help("give one of them another name"),
                );
            } else {
                seen.insert(name.text, name.span);
            }
        }
    }

    fn machine_named(&mut self, name: Name<'t>) -> Option<MachineId> {
        let found = self.machines.get(name.text).copied();
        if found.is_none() {
            let machines = self.draft.outline.machines.iter().map(|m| m.name.as_str());
            let help = did_you_mean(name.text, machines, "declare it: `machine Name { ... }`");
            self.unknown("machine", name, help);
        }
        found
    }

    fn unknown(&mut self, what: &str, name: Name<'_>, help: String) {
        let message = format!("there is no {what} {}", quoted(name.text));
        self.complaints.error(codes::UNKNOWN, message, name.span, help);
    }
}
