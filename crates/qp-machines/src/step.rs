//! The meaning of guarded commands over a configuration that is read part by part: turns.
//!
//! This is the only place in the project that says what sending and receiving mean for languages that say commands. A
//! step is what comes of it: the differences it makes ([`After`]), and behind it a footprint, if whoever asks records
//! what is read ([`Reads`]). What contents of queues are is for others to say ([`crate::QueueDomain`]).
//!
//! [`Reads`]: crate::Reads

use std::sync::Arc;

use qp_base::Map;

use crate::reads::STORE;
use crate::{
    Act, After, Capacity, CellId, Condition, EarId, Effect, Event, Guard, Heed, LocalId, Loss,
    MachineId, MessageId, Move, Moves, Observed, Place, QueueId, QueueKind, Reception, Scan, Taken,
    Turn, Uses, WordId, World,
};

/// Everything that a machine can do whose steps are guarded commands: what such a program answers to
/// [`crate::Program::turns`].
pub fn turns_of_commands(
    program: &mut dyn Moves,
    machine: MachineId,
    timeout: bool,
    world: &mut dyn World,
) -> Vec<Turn> {
    program.moved(machine, timeout, world)
}

/// The commands that a program has said so far. A copy has none: whoever copies a program asks it anew.
#[derive(Default, Debug)]
pub struct CommandMemo {
    moves: Map<(MachineId, LocalId, i32), Arc<[Move]>>,
    receptions: Map<(MachineId, LocalId, i32, EarId, MessageId), Arc<Reception>>,
    observations: Map<(i32, MessageId), Observed>,
}

impl Clone for CommandMemo {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Somebody who takes a step.
#[derive(Clone, Copy)]
pub(crate) struct Mover {
    pub(crate) machine: MachineId,
    pub(crate) local: LocalId,
    /// What is shared, as far as machines see it.
    pub(crate) store: i32,
}

impl dyn Moves + '_ {
    /// What a machine can do in a local state.
    pub(crate) fn commands_in(
        &mut self,
        machine: MachineId,
        local: LocalId,
        store: i32,
    ) -> Arc<[Move]> {
        let store = if self.outline().hides_store() { 0 } else { store };
        let key = (machine, local, store);
        if let Some(known) = self.memo().and_then(|memo| memo.moves.get(&key)) {
            return known.clone();
        }
        let moves: Arc<[Move]> = self.moves(machine, local, store).into();
        self.memo().map(|memo| memo.moves.insert(key, moves.clone()));
        moves
    }

    fn moved(&mut self, machine: MachineId, timeout: bool, world: &mut dyn World) -> Vec<Turn> {
        let mover = self.mover(machine, world);
        let moves = self.commands_in(machine, mover.local, mover.store);
        let mut found = Vec::new();
        for waits in [false, true] {
            let now = |mv: &&Move| mv.guards.contains(&Guard::Else) == waits;
            for mv in moves.iter().filter(now) {
                if self.open(mover, &mv.guards, timeout, world) {
                    self.performed(mover, mv, world, &mut found);
                }
            }
            if !found.is_empty() {
                break;
            }
        }
        found
    }

    /// What comes of one move of a machine that has no others to wait for.
    pub(crate) fn moved_alone(
        &mut self,
        machine: MachineId,
        number: usize,
        timeout: bool,
        world: &mut dyn World,
    ) -> Vec<Turn> {
        let mover = self.mover(machine, world);
        let moves = self.commands_in(machine, mover.local, mover.store);
        let mut found = Vec::new();
        if let Some(mv) = moves.get(number)
            && self.open(mover, &mv.guards, timeout, world)
        {
            self.performed(mover, mv, world, &mut found);
        }
        found
    }

    /// How many moves a machine has, if none of them waits for others of them.
    pub(crate) fn n_alone(&mut self, machine: MachineId, world: &mut dyn World) -> Option<usize> {
        let mover = self.mover(machine, world);
        let moves = self.commands_in(machine, mover.local, mover.store);
        let waits = moves.iter().any(|mv| mv.guards.contains(&Guard::Else));
        (!waits).then_some(moves.len())
    }

    pub(crate) fn mover(&self, machine: MachineId, world: &mut dyn World) -> Mover {
        let store = if self.outline().hides_store() { 0 } else { world.cell(STORE) };
        Mover { machine, local: world.local(machine), store }
    }

    /// How a machine whose steps are moves uses queues; `None` where a move asks for more than to take a message or
    /// to put one at the back.
    pub(crate) fn used(&mut self, machine: MachineId, world: &mut dyn World) -> Option<Uses> {
        let mover = self.mover(machine, world);
        let is_rendezvous = |kind: &QueueKind| kind.capacity == Capacity::Rendezvous;
        // Whoever hands over a message asks everybody where they are.
        let alone = !self.outline().kinds.iter().any(is_rendezvous);
        let mut uses = Uses { alone, single: true, ..Uses::default() };
        for mv in self.commands_in(machine, mover.local, mover.store).iter() {
            if !mv.guards.is_empty() {
                return None;
            }
            match mv.effect {
                Effect::Send { queue, place: Place::Back, .. } => uses.back.push(queue),
                Effect::Receive { queue, ear } => {
                    uses.front.push(queue);
                    // While it finds nothing to decide about, what is put behind may let it do more.
                    uses.alone &= !matches!(self.scan(mover, queue, ear, world), Scan::Exhausted);
                }
                // Its queues go with it, whoever puts something into them.
                Effect::Exit { queues } if machine.index() + 1 == world.n_machines() => {
                    let n_queues = world.n_queues();
                    let gone = (n_queues - queues as usize..n_queues).map(QueueId::new);
                    uses.front.extend(gone.clone());
                    uses.back.extend(gone);
                }
                Effect::Internal
                | Effect::Spawn { .. }
                | Effect::Exit { .. }
                | Effect::Fail { .. }
                | Effect::GiveUp { .. } => {}
                Effect::Send { place: Place::Sorted, .. } | Effect::Close { .. } => return None,
            }
        }
        Some(uses)
    }

    /// The message at which a waiting machine is at a loss: it can do nothing but receive, and every
    /// queue it listens to has come to a message that it has no right to ignore.
    pub(crate) fn at_a_loss(
        &mut self,
        machine: MachineId,
        world: &mut dyn World,
    ) -> Option<(QueueId, MessageId)> {
        let mover = self.mover(machine, world);
        let mut first = None;
        for mv in self.commands_in(machine, mover.local, mover.store).iter() {
            let Effect::Receive { queue, ear } = mv.effect else { return None };
            let Scan::Stops(message) = self.scan(mover, queue, ear, world) else { return None };
            if *self.reacts(mover, ear, message) != Reception::Crash {
                return None;
            }
            first = first.or(Some((queue, message)));
        }
        first
    }

    pub(crate) fn open(
        &mut self,
        mover: Mover,
        guards: &[Guard],
        timeout: bool,
        world: &mut dyn World,
    ) -> bool {
        guards.iter().all(|guard| match *guard {
            Guard::Holds(queue, condition) => self.condition_holds(mover, queue, condition, world),
            Guard::HoldsNot(queue, condition) => {
                !self.condition_holds(mover, queue, condition, world)
            }
            Guard::Idle => self.idle(mover, world),
            Guard::Else => true,
            Guard::Timeout => timeout,
        })
    }

    fn condition_holds(
        &mut self,
        mover: Mover,
        queue: QueueId,
        condition: Condition,
        world: &mut dyn World,
    ) -> bool {
        let word = world.word(queue);
        match condition {
            Condition::Empty => world.shorter(queue, word, 1),
            Condition::Full => match self.kind_of(queue, world).capacity {
                Capacity::Messages(n) => !world.shorter(queue, word, n),
                Capacity::Unbounded | Capacity::Rendezvous => false,
            },
            Condition::LengthBelow(n) => world.shorter(queue, word, n),
            Condition::Ready(ear) => {
                matches!(self.scan(mover, queue, ear, world), Scan::Takes { .. })
            }
            Condition::Fewer(ear, n) => world.fewer(queue, word, n, &mut |message| {
                matches!(*self.reacts(mover, ear, message), Reception::Take(_))
            }),
        }
    }

    fn kind_of(&self, queue: QueueId, world: &mut dyn World) -> QueueKind {
        self.outline().kinds[world.kind(queue)]
    }

    /// Whether no receive of the machine is possible.
    fn idle(&mut self, mover: Mover, world: &mut dyn World) -> bool {
        let moves = self.commands_in(mover.machine, mover.local, mover.store);
        !moves.iter().any(|mv| {
            matches!(mv.effect, Effect::Receive { queue, ear }
                if matches!(self.scan(mover, queue, ear, world), Scan::Takes { .. }))
        })
    }

    pub(crate) fn performed(
        &mut self,
        mover: Mover,
        mv: &Move,
        world: &mut dyn World,
        found: &mut Vec<Turn>,
    ) {
        let machine = mover.machine;
        let mut after = After { locals: vec![(machine, mv.next)], ..After::default() };
        after.cells.extend(mv.store.map(shared));
        after.holder = mv.hold.then_some(machine);
        if let Some(message) = mv.announce {
            match self.observed(world.cell(STORE), message) {
                Observed::Store(store) => after.cells = vec![shared(store)],
                Observed::Failed(failure) => {
                    return found.push(Turn::Fails { acts: Vec::new(), failure });
                }
                Observed::GaveUp(why) => return found.push(Turn::GivesUp { why }),
            }
        }
        match mv.effect {
            Effect::Internal => {
                let announced = |message| Event::Announced { message };
                let event = mv.announce.map_or(Event::Internal, announced);
                found.push(does(machine, event, after));
            }
            Effect::Send { queue, message, place } => {
                self.send(mover, (queue, message, place), after, world, found);
            }
            Effect::Receive { queue, ear } => self.receive(mover, queue, ear, world, found),
            Effect::Spawn { seed, ref queues } => {
                let n_machines = world.n_machines();
                let (child, first) = (MachineId::new(n_machines), QueueId::new(world.n_queues()));
                let special = &self.outline().created;
                let created = (first.index()..).map(QueueId::new).zip(queues);
                let kind = |(queue, kind)| (queue, *special.get(&queue).unwrap_or(kind));
                after.kinds = created.map(kind).collect();
                (after.n_machines, after.n_queues) =
                    (Some(n_machines + 1), Some(first.index() + queues.len()));
                let parent = self.resume(mv.next, child, first);
                let born = self.born(seed, child, first);
                after.locals = vec![(machine, parent), (child, born)];
                found.push(does(machine, Event::Created { machine: child }, after));
            }
            Effect::Exit { queues } => {
                if machine.index() + 1 == world.n_machines() {
                    after.locals.clear();
                    let left = world.n_queues().saturating_sub(queues as usize);
                    (after.n_machines, after.n_queues) = (Some(machine.index()), Some(left));
                    after.holder = None;
                    found.push(does(machine, Event::Ended, after));
                }
            }
            Effect::Close { queue } => {
                after.words.push((queue, WordId::CLOSED));
                found.push(does(machine, Event::Closed { queue }, after));
            }
            Effect::Fail { failure } => found.push(Turn::Fails { acts: Vec::new(), failure }),
            Effect::GiveUp { why } => found.push(Turn::GivesUp { why }),
        }
    }

    /// What those who watch make of a message.
    pub(crate) fn observed(&mut self, store: i32, message: MessageId) -> Observed {
        let key = (store, message);
        if let Some(&known) = self.memo().and_then(|memo| memo.observations.get(&key)) {
            return known;
        }
        let observed = self.observe(store, message);
        self.memo().map(|memo| memo.observations.insert(key, observed));
        observed
    }

    /// A send: `after` is what is different when the sender has moved and the message is gone.
    fn send(
        &mut self,
        mover: Mover,
        (queue, message, place): (QueueId, MessageId, Place),
        mut after: After,
        world: &mut dyn World,
        found: &mut Vec<Turn>,
    ) {
        let word = world.word(queue);
        if word == WordId::CLOSED {
            return found.push(does(mover.machine, Event::Lost { queue, message }, after));
        }
        let kind = self.kind_of(queue, world);
        let room = match kind.capacity {
            Capacity::Unbounded => true,
            Capacity::Messages(n) => world.shorter(queue, word, n),
            Capacity::Rendezvous => {
                return self.handshake(mover, (queue, message), &after, world, found);
            }
        };
        let lost = match kind.loss {
            Loss::Never => false,
            Loss::WhenFull => !room,
            Loss::Always => true,
        };
        let lost = lost.then(|| after.clone());
        if room {
            after.words.push((queue, self.put((queue, word), message, place, world)));
            found.push(does(mover.machine, Event::Sent { queue, message }, after));
        }
        let lose = |after| does(mover.machine, Event::Lost { queue, message }, after);
        found.extend(lost.map(lose));
    }

    /// A content with one more message.
    fn put(
        &self,
        (queue, word): (QueueId, WordId),
        message: MessageId,
        place: Place,
        world: &mut dyn World,
    ) -> WordId {
        let texts = |it| self.message_text(it);
        match place {
            Place::Back => world.push(queue, word, message, &texts),
            Place::Sorted => {
                let behind = |other| !self.in_order(other, message);
                world.insert(queue, word, message, &behind, &texts)
            }
        }
    }

    /// A rendezvous with every other machine that takes the message now.
    fn handshake(
        &mut self,
        mover: Mover,
        (queue, message): (QueueId, MessageId),
        after: &After,
        world: &mut dyn World,
        found: &mut Vec<Turn>,
    ) {
        for receiver in (0..world.n_machines()).map(MachineId::new) {
            if receiver == mover.machine || !self.listens(receiver, queue, mover.store, world) {
                continue;
            }
            let other = self.mover(receiver, world);
            let moves = self.commands_in(receiver, other.local, other.store);
            for mv in moves.iter() {
                let Effect::Receive { queue: at, ear } = mv.effect else { continue };
                if at != queue || !self.open(other, &mv.guards, false, world) {
                    continue;
                }
                let reception = self.reacts(other, ear, message);
                let Reception::Take(ways) = &*reception else { continue };
                for way in ways {
                    let mut met = after.clone();
                    met.locals.push((receiver, way.next));
                    met.cells.extend(way.store.map(shared));
                    met.holder = way.hold.then_some(receiver).or(after.holder);
                    let event = Event::Handshake { queue, message, receiver };
                    found.push(does(mover.machine, event, met));
                }
            }
        }
    }

    /// Whether a machine may take something from a queue, whatever that is: a smaller read than where it is.
    fn listens(
        &mut self,
        machine: MachineId,
        queue: QueueId,
        store: i32,
        world: &mut dyn World,
    ) -> bool {
        let question = u64::from(store.cast_unsigned()) << 32 | u64::from(queue.raw());
        let mut answer = |local| {
            let moves = self.commands_in(machine, local, store);
            let mut effects = moves.iter().map(|mv| &mv.effect);
            u32::from(
                effects.any(|it| matches!(it, Effect::Receive { queue: at, .. } if *at == queue)),
            )
        };
        world.about(machine, question, &mut answer) != 0
    }

    fn receive(
        &mut self,
        mover: Mover,
        queue: QueueId,
        ear: EarId,
        world: &mut dyn World,
        found: &mut Vec<Turn>,
    ) {
        let Scan::Takes { position, message } = self.scan(mover, queue, ear, world) else {
            return;
        };
        let ways = self.reacts(mover, ear, message);
        let Reception::Take(ways) = &*ways else {
            unreachable!("bug in Queueproof: a scan takes what is not taken")
        };
        let machine = mover.machine;
        for &Taken { next, store, hold, keep } in ways {
            let mut after = After { locals: vec![(machine, next)], ..After::default() };
            after.cells.extend(store.map(shared));
            after.holder = hold.then_some(machine);
            let event = Event::Took { queue, message, position, kept: keep };
            if keep {
                found.push(does(machine, event, after));
                continue;
            }
            let word = world.word(queue);
            for rest in world.remove(queue, word, position, &|it| self.message_text(it)) {
                let mut after = after.clone();
                after.words.push((queue, rest));
                found.push(does(machine, event, after));
            }
        }
    }

    /// Looks through a queue from the front: the first message that is not skipped decides.
    pub(crate) fn scan(
        &mut self,
        mover: Mover,
        queue: QueueId,
        ear: EarId,
        world: &mut dyn World,
    ) -> Scan {
        let word = world.word(queue);
        world.scan(queue, word, &mut |message| match *self.reacts(mover, ear, message) {
            Reception::Take(_) => Heed::Take,
            Reception::Skip => Heed::Skip,
            Reception::Refuse | Reception::Crash => Heed::Stop,
        })
    }

    fn reacts(&mut self, mover: Mover, ear: EarId, message: MessageId) -> Arc<Reception> {
        let Mover { machine, local, store } = mover;
        let key = (machine, local, store, ear, message);
        if let Some(known) = self.memo().and_then(|memo| memo.receptions.get(&key)) {
            return known.clone();
        }
        let reception = Arc::new(self.reception(machine, local, store, ear, message));
        self.memo().map(|memo| memo.receptions.insert(key, reception.clone()));
        reception
    }
}

/// A step in which one thing happens.
fn does(machine: MachineId, event: Event, after: After) -> Turn {
    Turn::Does { acts: vec![Act { machine, event, statement: None }], after }
}

fn shared(store: i32) -> (CellId, i32) {
    (STORE, store)
}
