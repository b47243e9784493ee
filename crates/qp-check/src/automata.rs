//! Machines as automata, as evidence has them: compared with the program, and what they do.

use std::collections::{BTreeMap, BTreeSet};

use qp_claim::{CoreDeed, CoreMachine, CoreTransition};
use qp_machines::{
    Beyond, Capacity, Config, Event, LocalId, MachineId, MessageId, QueueId, System, WordId,
};

use crate::tables::{cells, read};
use crate::{Checked, Refusal, wrong};

/// Where machines are, and what queues hold: numbers of the evidence.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Scene {
    pub(crate) locals: Vec<u32>,
    pub(crate) queues: Vec<Vec<u32>>,
}

/// All machines, as the evidence has them.
pub(crate) struct Automata {
    initial: Config,
    machines: Vec<Machine>,
    messages: Vec<MessageId>,
    /// For each queue: how much fits, and who sends to it.
    capacities: Vec<usize>,
    senders: Vec<BTreeSet<u32>>,
    /// Who takes from each queue.
    readers: BTreeMap<u32, u32>,
    /// Whether a machine can run into a failure in any of its local states, whatever message it finds there.
    may_fail: bool,
}

struct Machine {
    locals: Vec<LocalId>,
    transitions: Vec<CoreTransition>,
    skips: BTreeSet<(u32, u32, u32)>,
    /// For each local state and queue: what is sent to it from there on, and what of that may be the first.
    sends: BTreeMap<(u32, u32), Sends>,
    /// The local states in which it can move by running into a failure.
    fails: BTreeSet<u32>,
}

/// What the program says about a local state: transitions, what is passed over, whether it can fail, and whether it can
/// if there is a message.
struct Said {
    transitions: BTreeSet<(CoreDeed, u32)>,
    skips: BTreeSet<(u32, u32, u32)>,
    fails: bool,
    may_fail: bool,
}

#[derive(Default)]
struct Sends {
    first: BTreeSet<u32>,
    ever: BTreeSet<u32>,
}

/// Whether a transition can be taken, or be the next one that its machine takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    Possible,
    Waits,
    Never,
}

impl Automata {
    pub(crate) fn read(
        system: &mut System,
        listed: &[CoreMachine],
        messages: &[String],
    ) -> Checked<Self> {
        let initial = system.initial();
        if initial.holder.is_some() || listed.len() != initial.locals.len() {
            return wrong("the machines are not those of the beginning");
        }
        let mut capacities = Vec::new();
        for queue in initial.queues() {
            system.is_limited(&initial, queue)?;
            capacities.push(match system.kind(&initial, queue).capacity {
                Capacity::Messages(n) => n as usize,
                Capacity::Unbounded | Capacity::Rendezvous => usize::MAX,
            });
        }
        let program = system.program_mut();
        let messages = read(messages, |text| program.message_from_text(text))?;
        cells(&messages)?;
        let mut machines = Vec::new();
        for (number, machine) in listed.iter().enumerate() {
            let id = MachineId::new(number);
            let locals = read(&machine.locals, |text| program.local_from_text(id, text))?;
            cells(&locals)?;
            if locals.first() != initial.locals.get(number) {
                return wrong(format!("machine {number} begins somewhere else"));
            }
            check_numbers(machine, (locals.len(), capacities.len(), messages.len()))?;
            let transitions = machine.transitions.clone();
            let skips = machine.skips.iter().copied().collect();
            let (sends, fails) = (BTreeMap::new(), BTreeSet::new());
            machines.push(Machine { locals, transitions, skips, sends, fails });
        }
        let senders = vec![BTreeSet::new(); capacities.len()];
        let may_fail = false;
        let readers = BTreeMap::new();
        let mut automata =
            Self { initial, machines, messages, capacities, senders, readers, may_fail };
        automata.check_queues()?;
        automata.check_program(system)?;
        automata.machines.iter_mut().for_each(Machine::look_ahead);
        Ok(automata)
    }

    /// Notes who sends, and checks that nobody shares a queue as a reader.
    fn check_queues(&mut self) -> Checked<()> {
        for (machine, number) in self.machines.iter().zip(0..) {
            for transition in &machine.transitions {
                match transition.deed {
                    CoreDeed::Internal => {}
                    CoreDeed::Send(queue, _) => {
                        self.senders[queue as usize].insert(number);
                    }
                    CoreDeed::Take(queue, _) => {
                        if *self.readers.entry(queue).or_insert(number) != number {
                            return wrong(format!("queue {queue} has several readers"));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Checks that the automata have what the program says: neither more nor less.
    fn check_program(&mut self, system: &mut System) -> Checked<()> {
        for number in 0..self.n_machines() {
            for local in 0..self.machines[number as usize].locals.len() as u32 {
                system.go_on()?;
                let Said { transitions, skips, fails, may_fail } =
                    self.said(system, number, local)?;
                self.may_fail |= may_fail;
                let machine = &mut self.machines[number as usize];
                if fails {
                    machine.fails.insert(local);
                }
                let own = machine.transitions.iter().filter(|it| it.from == local);
                let listed: Vec<(CoreDeed, u32)> = own.map(|it| (it.deed, it.to)).collect();
                let mut sorted = listed.clone();
                sorted.sort_unstable();
                let is_same = sorted.iter().eq(transitions.iter());
                let range = (local, 0, 0)..=(local, u32::MAX, u32::MAX);
                if !is_same || !machine.skips.range(range).eq(skips.iter()) {
                    let why = "can do something else";
                    return wrong(format!("machine {number} {why} in local state {local}"));
                }
            }
        }
        Ok(())
    }

    /// What the program says that a machine can do in a local state, if no message comes that nobody sends.
    fn said(&self, system: &mut System, number: u32, local: u32) -> Checked<Said> {
        let at =
            (MachineId::from_raw(number), self.machines[number as usize].locals[local as usize]);
        let beyond = |why: Beyond| Refusal::from(format!("a step is no command: {why:?}"));
        let commands = system.commands(&self.initial, at.0, at.1).map_err(beyond)?;
        if commands.creates || commands.ends || commands.shares.is_some() {
            return wrong(format!("machine {number} does more than send and receive"));
        }
        let fails = !commands.fails.is_empty();
        let (mut transitions, mut skips, mut may_fail) = (BTreeSet::new(), BTreeSet::new(), fails);
        for next in commands.internals {
            transitions.insert((CoreDeed::Internal, self.local(number, next)?));
        }
        for sending in commands.sends {
            let message = self.messages.iter().position(|&it| it == sending.message);
            let Some(message) = message else { return wrong("a message is not listed") };
            let deed = CoreDeed::Send(sending.queue.raw(), message as u32);
            transitions.insert((deed, self.local(number, sending.next)?));
        }
        for queue in commands.listens {
            for letter in self.sent(queue)? {
                let front = (queue, self.messages[letter as usize]);
                let hearing = system.hearing(&self.initial, at, front).map_err(beyond)?;
                if hearing.shares.is_some() || hearing.skips && !hearing.takes.is_empty() {
                    return wrong(format!("machine {number} does more than receive"));
                }
                may_fail |= hearing.fails;
                if hearing.skips {
                    skips.insert((local, queue.raw(), letter));
                }
                for next in hearing.takes {
                    let deed = CoreDeed::Take(queue.raw(), letter);
                    transitions.insert((deed, self.local(number, next)?));
                }
            }
        }
        Ok(Said { transitions, skips, fails, may_fail })
    }

    /// The messages that somebody sends to a queue.
    fn sent(&self, queue: QueueId) -> Checked<BTreeSet<u32>> {
        let Some(senders) = self.senders.get(queue.index()) else {
            return wrong("a machine listens to a queue that is not there");
        };
        let all = senders.iter().flat_map(|&it| &self.machines[it as usize].transitions);
        Ok(all
            .filter_map(|transition| match transition.deed {
                CoreDeed::Send(to, letter) if to == queue.raw() => Some(letter),
                _ => None,
            })
            .collect())
    }

    fn local(&self, number: u32, local: LocalId) -> Checked<u32> {
        let locals = &self.machines[number as usize].locals;
        match locals.iter().position(|&it| it == local) {
            Some(place) => Ok(place as u32),
            None => wrong(format!("machine {number} has a local state that is not listed")),
        }
    }

    pub(crate) fn n_machines(&self) -> u32 {
        self.machines.len() as u32
    }

    pub(crate) fn may_fail(&self) -> bool {
        self.may_fail
    }

    pub(crate) fn n_queues(&self) -> u32 {
        self.capacities.len() as u32
    }

    pub(crate) fn start(&self) -> Scene {
        let queues = vec![Vec::new(); self.capacities.len()];
        Scene { locals: vec![0; self.machines.len()], queues }
    }

    pub(crate) fn has(&self, machine: u32, transition: u32) -> bool {
        let machine = self.machines.get(machine as usize);
        machine.is_some_and(|it| (transition as usize) < it.transitions.len())
    }

    pub(crate) fn transition(&self, machine: u32, transition: u32) -> &CoreTransition {
        &self.machines[machine as usize].transitions[transition as usize]
    }

    /// The transitions that a machine has where it is.
    pub(crate) fn leaving(&self, scene: &Scene, machine: u32) -> impl Iterator<Item = u32> {
        self.leaving_from(machine, scene.locals[machine as usize]).into_iter()
    }

    pub(crate) fn leaving_from(&self, machine: u32, local: u32) -> Vec<u32> {
        let all = self.machines[machine as usize].transitions.iter().zip(0..);
        all.filter(|(it, _)| it.from == local).map(|(_, number)| number).collect()
    }

    pub(crate) fn has_local(&self, machine: u32, local: u32) -> bool {
        (local as usize) < self.machines[machine as usize].locals.len()
    }

    pub(crate) fn has_letter(&self, letter: u32) -> bool {
        (letter as usize) < self.messages.len()
    }

    pub(crate) fn capacity(&self, queue: u32) -> usize {
        self.capacities[queue as usize]
    }

    /// Whether a queue has a capacity.
    pub(crate) fn is_limited(&self) -> bool {
        self.capacities.iter().any(|&it| it != usize::MAX)
    }

    pub(crate) fn reader(&self, queue: u32) -> Option<u32> {
        self.readers.get(&queue).copied()
    }

    /// Whether a machine passes over a message in a local state: local state, queue, message.
    pub(crate) fn skips(&self, machine: u32, skip: (u32, u32, u32)) -> bool {
        self.machines[machine as usize].skips.contains(&skip)
    }

    /// Whether messages are passed over in a queue.
    pub(crate) fn passed_over(&self, queue: u32) -> bool {
        self.machines.iter().any(|machine| machine.skips.iter().any(|skip| skip.1 == queue))
    }

    /// Whether messages are passed over anywhere.
    pub(crate) fn passes_over(&self) -> bool {
        self.machines.iter().any(|machine| !machine.skips.is_empty())
    }

    /// The messages that somebody sends to a queue.
    pub(crate) fn letters(&self, queue: u32) -> Vec<u32> {
        let sent = self.sent(QueueId::from_raw(queue));
        sent.map(|all| all.into_iter().collect()).unwrap_or_default()
    }

    pub(crate) fn message(&self, letter: u32) -> MessageId {
        self.messages[letter as usize]
    }

    pub(crate) fn local_id(&self, machine: usize, local: u32) -> LocalId {
        self.machines[machine].locals[local as usize]
    }

    pub(crate) fn initial(&self) -> &Config {
        &self.initial
    }

    /// The queue with several senders to which a transition sends.
    pub(crate) fn shared_queue(&self, machine: u32, transition: u32) -> Option<u32> {
        match self.transition(machine, transition).deed {
            CoreDeed::Send(queue, _) if self.senders[queue as usize].len() > 1 => Some(queue),
            _ => None,
        }
    }

    pub(crate) fn senders(&self, queue: u32) -> Option<&BTreeSet<u32>> {
        self.senders.get(queue as usize)
    }

    /// Whether a machine may send to a queue from a local state on.
    pub(crate) fn may_send(&self, machine: u32, local: u32, queue: u32) -> bool {
        let sends = self.machines[machine as usize].sends.get(&(local, queue));
        sends.is_some_and(|sends| !sends.ever.is_empty())
    }

    /// Whether what is to remain possible is so where machines are.
    pub(crate) fn is_there(&self, system: &System, number: usize, locals: &[u32]) -> bool {
        let wanted = &system.program().outline().possible[number];
        locals.iter().enumerate().any(|(machine, &local)| {
            let id = MachineId::new(machine);
            wanted.is_there(system.program(), id, self.local_id(machine, local))
        })
    }

    /// Whether it comes about by a transition.
    pub(crate) fn comes_about(
        &self,
        system: &System,
        number: usize,
        machine: u32,
        transition: u32,
    ) -> bool {
        let wanted = &system.program().outline().possible[number];
        let it = self.transition(machine, transition);
        let to = self.local_id(machine as usize, it.to);
        let is_received = match it.deed {
            CoreDeed::Take(_, letter) => wanted.is_received(system.program(), self.message(letter)),
            CoreDeed::Internal | CoreDeed::Send(..) => false,
        };
        is_received || wanted.is_there(system.program(), MachineId::from_raw(machine), to)
    }

    /// Whether a machine can run into a failure where it is.
    pub(crate) fn fails(&self, machine: u32, at: u32) -> bool {
        self.machines[machine as usize].fails.contains(&at)
    }

    /// Whether a machine may rest where it is, or moves there by running into a failure.
    pub(crate) fn may_rest(&self, system: &System, machine: u32, at: u32) -> bool {
        let local = self.machines[machine as usize].locals[at as usize];
        self.fails(machine, at) || system.program().may_rest(MachineId::from_raw(machine), local)
    }

    /// What a machine looks at in a queue: the first message that it does not pass over, and its place.
    fn front(&self, scene: &Scene, machine: u32, queue: u32) -> Option<(usize, u32)> {
        let (local, skips) =
            (scene.locals[machine as usize], &self.machines[machine as usize].skips);
        let messages = scene.queues[queue as usize].iter().copied().enumerate();
        messages.into_iter().find(|&(_, letter)| !skips.contains(&(local, queue, letter)))
    }

    pub(crate) fn status(&self, scene: &Scene, machine: u32, transition: u32) -> Status {
        let (queue, letter) = match self.transition(machine, transition).deed {
            CoreDeed::Internal => return Status::Possible,
            CoreDeed::Send(queue, _) => {
                let full = scene.queues[queue as usize].len() >= self.capacities[queue as usize];
                return if full { Status::Waits } else { Status::Possible };
            }
            CoreDeed::Take(queue, letter) => (queue, letter),
        };
        if let Some((_, first)) = self.front(scene, machine, queue) {
            return if first == letter { Status::Possible } else { Status::Never };
        }
        // Whoever passes messages over may find one that is not the first to come.
        let local = scene.locals[machine as usize];
        let range = (local, queue, 0)..=(local, queue, u32::MAX);
        let passes_over = self.machines[machine as usize].skips.range(range).next().is_some();
        let may_come = self.senders[queue as usize].iter().any(|&sender| {
            let at = (scene.locals[sender as usize], queue);
            let sends = self.machines[sender as usize].sends.get(&at);
            sends.is_some_and(|it| if passes_over { &it.ever } else { &it.first }.contains(&letter))
        });
        if may_come { Status::Waits } else { Status::Never }
    }

    /// The scene after a transition; none if it is not possible.
    pub(crate) fn fire(&self, scene: &Scene, machine: u32, transition: u32) -> Option<Scene> {
        let it = self.machines.get(machine as usize)?.transitions.get(transition as usize)?;
        let is_there = scene.locals[machine as usize] == it.from;
        if !is_there || self.status(scene, machine, transition) != Status::Possible {
            return None;
        }
        let mut after = scene.clone();
        after.locals[machine as usize] = it.to;
        match it.deed {
            CoreDeed::Internal => {}
            CoreDeed::Send(queue, letter) => after.queues[queue as usize].push(letter),
            CoreDeed::Take(queue, _) => {
                let (place, _) = self.front(scene, machine, queue)?;
                after.queues[queue as usize].remove(place);
            }
        }
        Some(after)
    }

    /// All steps of a scene, by machine and transition.
    pub(crate) fn steps(&self, scene: &Scene) -> Vec<(u32, u32)> {
        let mut steps = Vec::new();
        for machine in 0..self.n_machines() {
            let own = self.leaving(scene, machine);
            let possible = |it: &u32| self.status(scene, machine, *it) == Status::Possible;
            steps.extend(own.filter(possible).map(|it| (machine, it)));
        }
        steps
    }

    /// Checks that the one step function sees the same steps.
    pub(crate) fn compare(
        &self,
        system: &mut System,
        scene: &Scene,
        steps: &[(u32, u32)],
    ) -> Checked<()> {
        let config = self.config(system, scene);
        let mut real = BTreeSet::new();
        for outcome in system.successors(&config) {
            if matches!(outcome.event, Event::GaveUp { .. }) {
                return wrong("nobody knows what a step leads to");
            }
            if !is_end(outcome.event) {
                real.insert((outcome.step.machine.raw(), outcome.config));
            }
        }
        let mut ours = BTreeSet::new();
        for &(machine, transition) in steps {
            let after = self.fire(scene, machine, transition);
            ours.insert((machine, self.config(system, &after.expect("it is possible"))));
        }
        if real == ours { Ok(()) } else { wrong("the automata have other steps") }
    }

    /// The configuration that a scene is.
    pub(crate) fn config(&self, system: &mut System, scene: &Scene) -> Config {
        let mut config = self.initial.clone();
        for (number, (machine, &local)) in self.machines.iter().zip(&scene.locals).enumerate() {
            config.locals[number] = machine.locals[local as usize];
        }
        for (word, content) in config.words.iter_mut().zip(&scene.queues) {
            *word = WordId::EMPTY;
            for &letter in content {
                *word = system.words_mut().push(*word, self.messages[letter as usize]);
            }
        }
        config
    }
}

impl Machine {
    /// Works out what is sent from each local state on, one queue after the other, until nothing changes.
    fn look_ahead(&mut self) {
        loop {
            let mut changed = false;
            for transition in &self.transitions {
                let later: Vec<u32> = match transition.deed {
                    CoreDeed::Send(queue, letter) => {
                        let sends = self.sends.entry((transition.from, queue)).or_default();
                        changed |= sends.first.insert(letter);
                        changed |= sends.ever.insert(letter);
                        vec![queue]
                    }
                    CoreDeed::Internal | CoreDeed::Take(..) => Vec::new(),
                };
                let range = (transition.to, 0)..=(transition.to, u32::MAX);
                let after = self.sends.range(range);
                let after: Vec<(u32, BTreeSet<u32>, BTreeSet<u32>)> = after
                    .map(|(&(_, queue), it)| (queue, it.first.clone(), it.ever.clone()))
                    .collect();
                for (queue, first, ever) in after {
                    let sends = self.sends.entry((transition.from, queue)).or_default();
                    let before = (sends.first.len(), sends.ever.len());
                    sends.ever.extend(ever);
                    if !later.contains(&queue) {
                        sends.first.extend(first);
                    }
                    changed |= before != (sends.first.len(), sends.ever.len());
                }
            }
            if !changed {
                return;
            }
        }
    }
}

/// Checks that all numbers of a machine stand for something.
fn check_numbers(
    machine: &CoreMachine,
    (n_locals, n_queues, n_messages): (usize, usize, usize),
) -> Checked<()> {
    let is_local = |local: u32| (local as usize) < n_locals;
    let is_letter =
        |queue: u32, letter: u32| (queue as usize) < n_queues && (letter as usize) < n_messages;
    let is_right = |it: &CoreTransition| {
        let deed = match it.deed {
            CoreDeed::Internal => true,
            CoreDeed::Send(queue, letter) | CoreDeed::Take(queue, letter) => {
                is_letter(queue, letter)
            }
        };
        deed && is_local(it.from) && is_local(it.to)
    };
    let skips = machine.skips.iter().all(|&(at, queue, it)| is_local(at) && is_letter(queue, it));
    if skips && machine.transitions.iter().all(is_right) {
        Ok(())
    } else {
        wrong("a number stands for nothing")
    }
}

/// Whether the run ends with this, so that there is no configuration behind it.
fn is_end(event: Event) -> bool {
    matches!(event, Event::Failed { .. })
}
