//! A program written out: all local states that its machines can be in, whatever the order of messages.

use std::collections::BTreeSet;

use qp_base::Map;
use qp_machines::{
    Discipline, EarId, Effect, Guard, LocalId, MachineId, MessageId, Model, Moves, Place, QueueId,
    QueueKind, Reception, System,
};

use crate::translate::Untranslatable;
use crate::translate::met::{self, Birth, Met};

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
    /// Its local states. A machine that is there from the beginning begins in the first.
    pub(super) locals: Vec<Local>,
    /// The places of local states in which it can be created; none if it is there from the beginning.
    pub(super) births: BTreeSet<usize>,
}

/// A local state.
pub(super) struct Local {
    /// The control state that it shows.
    pub(super) control: String,
    pub(super) may_rest: bool,
    pub(super) progress: bool,
    pub(super) ways: Vec<Way>,
}

impl Local {
    /// Whether something here depends on more than the front of a queue: messages are taken from behind others,
    /// or it matters that none can be taken.
    fn looks_into(&self, id: QueueId) -> bool {
        let idle = self.ways.iter().any(|way| matches!(way.does, Does::Idle));
        self.ways.iter().any(|way| {
            matches!(&way.does, Does::Take { queue, skips, .. }
                if *queue == id && (idle || !skips.is_empty()))
        })
    }
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
    /// Goes on because nothing can be received.
    Idle,
    Send(QueueId, MessageId),
    Take {
        queue: QueueId,
        message: MessageId,
        skips: Vec<MessageId>,
    },
    /// Creates the machine with this number in this local state; how many there must be before, if it matters.
    Create {
        machine: usize,
        first: usize,
        only_at: Option<usize>,
    },
    Fail(String),
}

/// One queue.
pub(super) struct Queue {
    pub(super) name: String,
    pub(super) kind: QueueKind,
    /// Whether more is looked at than its front.
    pub(super) looked_into: bool,
    /// What can be in it.
    pub(super) messages: BTreeSet<MessageId>,
}

/// Writes a program out, or says what of it cannot be.
///
/// Machines that exist from the beginning are followed on their own, whatever the others do. Where machines are
/// created, who creates whom depends on what happens: then all configurations are visited in which no queue
/// holds more than `bound` messages.
pub(super) fn net(model: &Model, bound: u32) -> Result<Net, Untranslatable> {
    let mut system = model.system();
    if system.program_mut().as_moves().is_none() {
        return Err(Untranslatable::new("the model is written in Promela already"));
    }
    let met =
        (model.outline().language == "p").then(|| met::met(&mut system, bound)).transpose()?;
    let mut search = Search::new(&mut system, met);
    while search.grows()? {}
    search.finish()
}

/// The local states of a machine that were found so far.
struct Found {
    locals: Vec<LocalId>,
    places: Map<LocalId, usize>,
}

impl Found {
    fn new(first: impl IntoIterator<Item = LocalId>) -> Self {
        let mut found = Self { locals: Vec::new(), places: Map::default() };
        for local in first {
            found.place(local);
        }
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
    program: &'a mut dyn Moves,
    store: i32,
    names: Vec<String>,
    kinds: Vec<QueueKind>,
    found: Vec<Found>,
    /// What may be in each queue.
    sent: Vec<BTreeSet<MessageId>>,
    /// What was seen before: then there are no other local states.
    met: Option<Met>,
}

impl<'a> Search<'a> {
    fn new(system: &'a mut System, met: Option<Met>) -> Self {
        let program = system.program_mut().as_moves().expect("it says commands");
        let start = program.start();
        let outline = program.outline();
        let mut names: Vec<String> = outline.machines.iter().map(|it| it.name.clone()).collect();
        let mut kinds: Vec<QueueKind> = start.queues.iter().map(|&it| outline.kinds[it]).collect();
        let (mut found, mut sent): (Vec<Found>, _) =
            (start.locals.iter().map(|&it| Found::new([it])).collect(), Vec::new());
        if let Some(met) = &met {
            for (machine, locals) in met.locals.iter().enumerate() {
                let first = start.locals.get(machine).copied();
                let others = locals.iter().copied().filter(|local| Some(*local) != first);
                let all = Found::new(first.into_iter().chain(others));
                if machine < found.len() {
                    found[machine] = all;
                } else {
                    let name = program.machine_name(MachineId::new(machine), all.locals[0]);
                    names.push(name.unwrap_or_else(|| format!("machine_{machine}")));
                    found.push(all);
                }
            }
            kinds = met.kinds.iter().map(|&it| outline.kinds[it]).collect();
            sent.clone_from(&met.sent);
        }
        sent.resize(kinds.len(), BTreeSet::new());
        Self {
            store: start.cells.first().copied().unwrap_or(0),
            program,
            names,
            kinds,
            found,
            sent,
            met,
        }
    }

    /// The place of a local state; `None` if the machine never gets there.
    fn place(&mut self, machine: MachineId, local: LocalId) -> Option<usize> {
        let found = &mut self.found[machine.index()];
        match self.met {
            Some(_) => found.places.get(&local).copied(),
            None => Some(found.place(local)),
        }
    }

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
            let idle = mv.guards == [Guard::Idle] && mv.effect == Effect::Internal;
            if watched || mv.hold || !(mv.guards.is_empty() || idle) {
                let what = if watched { "spec machines" } else { "conditions on queues" };
                return Err(self.refused(machine, what));
            }
            let does = match mv.effect {
                Effect::Internal if idle => Does::Idle,
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
                Effect::Spawn { .. } => {
                    self.births(machine, local, &mut ways);
                    continue;
                }
                Effect::Exit { .. } | Effect::Close { .. } => {
                    return Err(self.refused(machine, "machines that end"));
                }
                Effect::GiveUp { .. } => {
                    return Err(self.refused(machine, "a step that cannot be run"));
                }
            };
            if let Some(target) = self.place(machine, mv.next) {
                ways.push(Way { does, target });
            }
        }
        Ok(ways)
    }

    /// All that was seen of a machine creating another in a local state.
    fn births(&self, machine: MachineId, local: LocalId, ways: &mut Vec<Way>) {
        let births = self.met.as_ref().and_then(|met| met.births.get(&(machine, local)));
        let births = births.into_iter().flatten();
        let several = births.clone().map(|birth| birth.child).collect::<BTreeSet<_>>().len() > 1;
        for &Birth { child, first, after } in births {
            let place = |machine: usize, local| self.found[machine].places.get(&local).copied();
            let (Some(first), Some(target)) = (place(child, first), place(machine.index(), after))
            else {
                continue;
            };
            let only_at = several.then_some(child);
            ways.push(Way { does: Does::Create { machine: child, first, only_at }, target });
        }
    }

    fn takes(
        &mut self,
        machine: MachineId,
        local: LocalId,
        (queue, ear): (QueueId, EarId),
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
                if let Some(target) = self.place(machine, way.next) {
                    let does = Does::Take { queue, message, skips: skips.clone() };
                    ways.push(Way { does, target });
                }
            }
        }
        Ok(())
    }

    fn refused(&self, machine: MachineId, what: &str) -> Untranslatable {
        let name = &self.names[machine.index()];
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
            machines.push(Machine {
                name: self.names[number].clone(),
                locals,
                births: BTreeSet::new(),
            });
        }
        let births = machines.iter().flat_map(|it| &it.locals).flat_map(|it| &it.ways);
        let births: Vec<(usize, usize)> = births
            .filter_map(|way| match way.does {
                Does::Create { machine, first, .. } => Some((machine, first)),
                _ => None,
            })
            .collect();
        for (machine, first) in births {
            machines[machine].births.insert(first);
        }
        let queues = self.queues(&machines);
        let all: BTreeSet<MessageId> = self.sent.iter().flatten().copied().collect();
        let messages = all.into_iter().map(|it| (it, self.program.message_text(it))).collect();
        Ok(Net { machines, queues, messages })
    }

    fn queues(&self, machines: &[Machine]) -> Vec<Queue> {
        let outline = self.program.outline();
        let looked_into = |id: QueueId| {
            machines.iter().flat_map(|it| &it.locals).any(|local| local.looks_into(id))
        };
        let queue = |number: usize| {
            let id = QueueId::new(number);
            let known = outline.queues.get(id).map(|info| info.name.clone());
            // A queue that is created belongs to a machine that is created.
            let name = known.or_else(|| self.names.get(number).cloned());
            let name = name.unwrap_or_else(|| format!("queue_{number}"));
            let name = match outline.discipline {
                Discipline::Mailbox => format!("to_{name}"),
                Discipline::PeerToPeer | Discipline::Channels => name.replace("->", "_to_"),
            };
            let (kind, messages) = (self.kinds[number], self.sent[number].clone());
            Queue { name, kind, looked_into: looked_into(id), messages }
        };
        (0..self.kinds.len()).map(queue).collect()
    }
}
