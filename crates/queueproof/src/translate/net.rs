//! A program written out: all local states that its machines can be in, whatever the order of messages.

use std::collections::BTreeSet;

use qp_base::Map;
use qp_machines::{
    Discipline, Effect, LocalId, MachineId, MessageId, Place, Program, QueueId, QueueKind,
    Reception, StoreId,
};

use crate::translate::Untranslatable;

/// Beyond this nobody wants to read the result, and other tools do not get through it.
const LOCALS_MAX: usize = 20_000;

/// A program written out.
pub(super) struct Net {
    pub(super) machines: Vec<Machine>,
    pub(super) queues: Vec<Queue>,
    /// Every message that is sent, with its text.
    pub(super) messages: Vec<(MessageId, String)>,
}

/// One machine.
pub(super) struct Machine {
    pub(super) name: String,
    /// Its local states; it begins in the first.
    pub(super) locals: Vec<Local>,
}

/// A local state.
pub(super) struct Local {
    /// The control state that it shows.
    pub(super) control: String,
    pub(super) may_rest: bool,
    pub(super) progress: bool,
    pub(super) ways: Vec<Way>,
}

/// One thing that a machine can do.
pub(super) struct Way {
    pub(super) does: Does,
    /// The place of the local state afterwards.
    pub(super) target: usize,
}

/// What it does.
pub(super) enum Does {
    Nothing,
    Send(QueueId, MessageId),
    Take { queue: QueueId, message: MessageId, skips: Vec<MessageId> },
    Fail(String),
}

/// One queue.
pub(super) struct Queue {
    pub(super) name: String,
    pub(super) kind: QueueKind,
    /// Whether messages are taken from behind others.
    pub(super) skipped: bool,
    /// What can be in it.
    pub(super) messages: BTreeSet<MessageId>,
}

/// Writes a program out, or says what of it cannot be.
pub(super) fn net(program: &mut dyn Program) -> Result<Net, Untranslatable> {
    if program.outline().whole || program.outline().language == "promela" {
        return Err(Untranslatable::new("the model is written in Promela already"));
    }
    let start = program.start();
    let mut search = Search {
        sent: vec![BTreeSet::new(); start.queues.len()],
        found: start.locals.iter().map(|&local| Found::new(local)).collect(),
        program,
        store: start.store,
    };
    while search.grows()? {}
    search.finish()
}

/// The local states of a machine that were found so far.
struct Found {
    locals: Vec<LocalId>,
    places: Map<LocalId, usize>,
}

impl Found {
    fn new(first: LocalId) -> Self {
        let mut found = Self { locals: Vec::new(), places: Map::default() };
        found.place(first);
        found
    }

    fn place(&mut self, local: LocalId) -> usize {
        *self.places.entry(local).or_insert_with(|| {
            self.locals.push(local);
            self.locals.len() - 1
        })
    }
}

struct Search<'a> {
    program: &'a mut dyn Program,
    store: StoreId,
    found: Vec<Found>,
    /// What may be in each queue.
    sent: Vec<BTreeSet<MessageId>>,
}

impl Search<'_> {
    /// Looks at every local state once; whether anything new came of it.
    fn grows(&mut self) -> Result<bool, Untranslatable> {
        let size = |search: &Self| {
            let locals: usize = search.found.iter().map(|found| found.locals.len()).sum();
            (locals, search.sent.iter().map(BTreeSet::len).sum::<usize>())
        };
        let before = size(self);
        for machine in 0..self.found.len() {
            let mut at = 0;
            while at < self.found[machine].locals.len() {
                self.ways(MachineId::new(machine), at)?;
                at += 1;
            }
        }
        let after = size(self);
        if after.0 > LOCALS_MAX {
            let message = format!("its machines have more than {LOCALS_MAX} local states");
            return Err(Untranslatable::new(message));
        }
        Ok(after != before)
    }

    /// Everything that a machine can do in a local state, with what was sent so far.
    fn ways(&mut self, machine: MachineId, at: usize) -> Result<Vec<Way>, Untranslatable> {
        let local = self.found[machine.index()].locals[at];
        let mut ways = Vec::new();
        for mv in self.program.moves(machine, local, self.store) {
            let watched = mv.store.is_some() || mv.announce.is_some();
            if watched || mv.hold || !mv.guards.is_empty() {
                let what = if watched { "spec machines" } else { "conditions on queues" };
                return Err(self.refused(machine, what));
            }
            let does = match mv.effect {
                Effect::Internal => Does::Nothing,
                Effect::Send { queue, message, place: Place::Back } => {
                    self.sent[queue.index()].insert(message);
                    Does::Send(queue, message)
                }
                Effect::Receive { queue, ear } => {
                    self.takes(machine, local, (queue, ear), &mut ways)?;
                    continue;
                }
                Effect::Fail { failure } => {
                    let text = self.program.failure(failure).text;
                    ways.push(Way { does: Does::Fail(text), target: at });
                    continue;
                }
                Effect::Send { place: Place::Sorted, .. } => {
                    return Err(self.refused(machine, "sorted sends"));
                }
                Effect::Spawn { .. } => return Err(self.refused(machine, "creating machines")),
                Effect::Exit { .. } | Effect::Close { .. } => {
                    return Err(self.refused(machine, "machines that end"));
                }
                Effect::GiveUp { .. } => {
                    return Err(self.refused(machine, "a step that cannot be run"));
                }
            };
            let target = self.found[machine.index()].place(mv.next);
            ways.push(Way { does, target });
        }
        Ok(ways)
    }

    fn takes(
        &mut self,
        machine: MachineId,
        local: LocalId,
        (queue, ear): (QueueId, qp_machines::EarId),
        ways: &mut Vec<Way>,
    ) -> Result<(), Untranslatable> {
        let messages: Vec<MessageId> = self.sent[queue.index()].iter().copied().collect();
        let mut skips = Vec::new();
        let mut taken = Vec::new();
        for &message in &messages {
            match self.program.reception(machine, local, self.store, ear, message) {
                Reception::Take(all) => taken.push((message, all)),
                Reception::Skip => skips.push(message),
                Reception::Refuse | Reception::Crash => {}
            }
        }
        for (message, all) in taken {
            for way in all {
                if way.store.is_some() || way.hold || way.keep {
                    return Err(self.refused(machine, "receives that do more than to take"));
                }
                let target = self.found[machine.index()].place(way.next);
                let does = Does::Take { queue, message, skips: skips.clone() };
                ways.push(Way { does, target });
            }
        }
        Ok(())
    }

    fn refused(&self, machine: MachineId, what: &str) -> Untranslatable {
        let name = &self.program.outline().machines[machine].name;
        Untranslatable::new(format!("{what} cannot be translated yet (in {name})"))
    }

    fn finish(mut self) -> Result<Net, Untranslatable> {
        let mut machines = Vec::new();
        for number in 0..self.found.len() {
            let machine = MachineId::new(number);
            let mut locals = Vec::new();
            for at in 0..self.found[number].locals.len() {
                let ways = self.ways(machine, at)?;
                let local = self.found[number].locals[at];
                locals.push(Local {
                    control: self.program.control_name(machine, local),
                    may_rest: self.program.may_rest(machine, local),
                    progress: self.program.is_progress(machine, local),
                    ways,
                });
            }
            let name = self.program.outline().machines[machine].name.clone();
            machines.push(Machine { name, locals });
        }
        let queues = self.queues(&machines);
        let all: BTreeSet<MessageId> = self.sent.iter().flatten().copied().collect();
        let messages = all.into_iter().map(|it| (it, self.program.message_text(it))).collect();
        Ok(Net { machines, queues, messages })
    }

    fn queues(&self, machines: &[Machine]) -> Vec<Queue> {
        let outline = self.program.outline();
        let skipped = |id: QueueId| {
            let ways = machines.iter().flat_map(|it| &it.locals).flat_map(|it| &it.ways);
            ways.into_iter().any(|way| {
                matches!(&way.does, Does::Take { queue, skips, .. } if *queue == id && !skips.is_empty())
            })
        };
        let queue = |(id, info): (QueueId, &qp_machines::QueueInfo)| {
            let name = match outline.discipline {
                Discipline::Mailbox => format!("to_{}", info.name),
                Discipline::PeerToPeer | Discipline::Channels => info.name.replace("->", "_to_"),
            };
            let kind = outline.kinds[info.kind];
            let messages = self.sent[id.index()].clone();
            Queue { name, kind, skipped: skipped(id), messages }
        };
        outline.queues.iter_enumerated().map(queue).collect()
    }
}
