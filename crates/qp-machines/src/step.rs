//! The meaning of moves: guarded commands over a configuration that is read part by part.
//!
//! This is the only place in the project that says what sending and receiving mean. A step is what comes of it: the
//! differences it makes ([`After`]), and behind it a footprint, if whoever asks records what is read ([`Reads`]).

use std::sync::Arc;

use crate::reads::{Plain, Reads, STORE, store};
use crate::{
    Act, After, Capacity, CellId, Condition, Config, EarId, Effect, Event, Guard, LocalId, Loss,
    MachineId, MessageId, Move, Observed, Pattern, Place, QueueId, QueueKind, Reception, StoreId,
    System, Taken, Turn, WordId,
};

/// What a scan of a queue comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Scan {
    Takes {
        position: usize,
        message: MessageId,
        ways: Arc<Reception>,
    },
    Crashes(MessageId),
    Waits,
    /// Every message was skipped, or there is none.
    Exhausted,
}

/// Somebody who takes a step.
#[derive(Clone, Copy)]
pub(crate) struct Mover {
    pub(crate) machine: MachineId,
    pub(crate) local: LocalId,
    /// The shared variables as far as machines see them.
    pub(crate) store: StoreId,
}

impl System {
    /// Everything that a machine can do whose steps are moves.
    pub(crate) fn moved<R: Reads>(
        &mut self,
        machine: MachineId,
        timeout: bool,
        reads: &mut R,
    ) -> Vec<Turn> {
        let mover = self.mover(machine, reads);
        let moves = self.moves(machine, mover.local, mover.store);
        let mut found = Vec::new();
        if self.blur.is_some() {
            self.doubt_all(mover, &moves, reads);
        }
        for waits in [false, true] {
            let now = |mv: &&Move| mv.guards.contains(&Guard::Else) == waits;
            for mv in moves.iter().filter(now) {
                if self.open(mover, &mv.guards, timeout, reads) {
                    self.performed(mover, mv, reads, &mut found);
                }
            }
            if !found.is_empty() {
                break;
            }
        }
        found
    }

    pub(crate) fn mover<R: Reads>(&self, machine: MachineId, reads: &mut R) -> Mover {
        let outline = self.program.outline();
        let is_blind = outline.store_is_watched || outline.storeless;
        let store = if is_blind { StoreId::NONE } else { store(reads) };
        Mover { machine, local: reads.local(machine), store }
    }

    /// The message at which a waiting machine is at a loss: it can do nothing but receive, and every
    /// queue it listens to has come to a message that it has no right to ignore.
    pub(crate) fn at_a_loss<R: Reads>(
        &mut self,
        machine: MachineId,
        reads: &mut R,
    ) -> Option<(QueueId, MessageId)> {
        let mover = self.mover(machine, reads);
        let mut first = None;
        for mv in self.moves(machine, mover.local, mover.store).iter() {
            let Effect::Receive { queue, ear } = mv.effect else { return None };
            let Scan::Crashes(message) = self.scan(mover, queue, ear, reads) else { return None };
            first = first.or(Some((queue, message)));
        }
        first
    }

    /// Whether all of these guards of a machine hold; with `timeout`, nothing else is possible.
    pub fn allowed(
        &mut self,
        config: &Config,
        machine: MachineId,
        guards: &[Guard],
        timeout: bool,
    ) -> bool {
        let mut reads = Plain::of(config);
        let mover = self.mover(machine, &mut reads);
        self.open(mover, guards, timeout, &mut reads)
    }

    fn open<R: Reads>(
        &mut self,
        mover: Mover,
        guards: &[Guard],
        timeout: bool,
        reads: &mut R,
    ) -> bool {
        guards.iter().all(|guard| match *guard {
            Guard::Holds(queue, condition) => self.holds(mover, queue, condition, reads),
            Guard::HoldsNot(queue, condition) => !self.holds(mover, queue, condition, reads),
            Guard::Idle => self.idle(mover, reads),
            Guard::Else => true,
            Guard::Timeout => timeout,
        })
    }

    fn holds<R: Reads>(
        &mut self,
        mover: Mover,
        queue: QueueId,
        condition: Condition,
        reads: &mut R,
    ) -> bool {
        self.doubt(mover, queue, condition, reads);
        let word = reads.word(queue);
        let len = self.words.len(word);
        match condition {
            Condition::Empty => len == 0,
            Condition::Full => {
                let capacity = self.kind_of(queue, reads).capacity;
                matches!(capacity, Capacity::Messages(n) if len >= n as usize)
            }
            Condition::LengthBelow(n) => len < n as usize,
            Condition::Ready(ear) => {
                matches!(self.scan(mover, queue, ear, reads), Scan::Takes { .. })
            }
            Condition::Fewer(ear, n) => {
                let messages = self.words.messages(word).into_iter();
                let takes =
                    |message| matches!(*self.reception(mover, ear, message), Reception::Take(_));
                messages.map(takes).filter(|&takes| takes).count() < n as usize
            }
        }
    }

    fn kind_of<R: Reads>(&self, queue: QueueId, reads: &mut R) -> QueueKind {
        self.program.outline().kinds[reads.kind(queue)]
    }

    /// Tells the blur about everything that moves may ask of contents, whether they get to it or not.
    fn doubt_all<R: Reads>(&mut self, mover: Mover, moves: &[Move], reads: &mut R) {
        for mv in moves {
            for guard in &mv.guards {
                if let Guard::Holds(queue, condition) | Guard::HoldsNot(queue, condition) = *guard {
                    self.doubt(mover, queue, condition, reads);
                }
            }
            if let Effect::Send { queue, place: Place::Sorted, .. } = mv.effect
                && let Some(blur) = &mut self.blur
            {
                blur.sorts(&self.words, (queue, reads.word(queue)));
            }
        }
    }

    /// Tells the blur about a condition that counts messages.
    fn doubt<R: Reads>(
        &mut self,
        mover: Mover,
        queue: QueueId,
        condition: Condition,
        reads: &mut R,
    ) {
        let Some(mut blur) = self.blur.take() else { return };
        let word = reads.word(queue);
        let messages = self.words.messages(word);
        let (limit, counted) = match condition {
            Condition::Empty | Condition::Ready(_) => (0, Vec::new()),
            Condition::LengthBelow(n) => (n, messages),
            Condition::Full => match self.kind_of(queue, reads).capacity {
                Capacity::Messages(n) => (n, messages),
                Capacity::Unbounded | Capacity::Rendezvous => (0, Vec::new()),
            },
            Condition::Fewer(ear, n) => {
                let takes = |&message: &MessageId| {
                    matches!(*self.reception(mover, ear, message), Reception::Take(_))
                };
                (n, messages.into_iter().filter(takes).collect())
            }
        };
        if limit > 0 {
            blur.counts(&self.words, queue, word, &counted, limit);
        }
        self.blur = Some(blur);
    }

    /// Whether no receive of the machine is possible.
    fn idle<R: Reads>(&mut self, mover: Mover, reads: &mut R) -> bool {
        let moves = self.moves(mover.machine, mover.local, mover.store);
        !moves.iter().any(|mv| {
            matches!(mv.effect, Effect::Receive { queue, ear }
                if matches!(self.scan(mover, queue, ear, reads), Scan::Takes { .. }))
        })
    }

    /// Adds everything that can come of a move whose guards hold.
    pub fn perform(
        &mut self,
        config: &Config,
        machine: MachineId,
        mv: &Move,
        found: &mut Vec<(Event, Config)>,
    ) {
        let mut reads = Plain::of(config);
        let mover = self.mover(machine, &mut reads);
        let mut turns = Vec::new();
        self.performed(mover, mv, &mut reads, &mut turns);
        found.extend(turns.iter().map(|turn| self.played(config, turn)));
    }

    fn performed<R: Reads>(
        &mut self,
        mover: Mover,
        mv: &Move,
        reads: &mut R,
        found: &mut Vec<Turn>,
    ) {
        let machine = mover.machine;
        let mut after = After { locals: vec![(machine, mv.next)], ..After::default() };
        after.cells.extend(mv.store.map(shared));
        after.holder = mv.hold.then_some(machine);
        if let Some(message) = mv.announce {
            match self.observe(store(reads), message) {
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
                self.send(mover, (queue, message, place), &after, reads, found);
            }
            Effect::Receive { queue, ear } => self.receive(mover, queue, ear, reads, found),
            Effect::Spawn { seed, ref queues } => {
                let n_machines = reads.n_machines();
                let (child, first) = (MachineId::new(n_machines), QueueId::new(reads.n_queues()));
                let special = &self.program.outline().created;
                let created = (first.index()..).map(QueueId::new).zip(queues);
                let kind = |(queue, kind)| (queue, *special.get(&queue).unwrap_or(kind));
                after.kinds = created.map(kind).collect();
                (after.n_machines, after.n_queues) =
                    (Some(n_machines + 1), Some(first.index() + queues.len()));
                let parent = self.program.resume(mv.next, child, first);
                let born = self.program.born(seed, child, first);
                after.locals = vec![(machine, parent), (child, born)];
                found.push(does(machine, Event::Created { machine: child }, after));
            }
            Effect::Exit { queues } => {
                if machine.index() + 1 == reads.n_machines() {
                    after.locals.clear();
                    let left = reads.n_queues() - queues as usize;
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
    pub fn observe(&mut self, store: StoreId, message: MessageId) -> Observed {
        let program = &mut self.program;
        *self
            .observations
            .entry((store, message))
            .or_insert_with(|| program.observe(store, message))
    }

    /// A send: `after` is what is different when the sender has moved and the message is gone.
    fn send<R: Reads>(
        &mut self,
        mover: Mover,
        (queue, message, place): (QueueId, MessageId, Place),
        after: &After,
        reads: &mut R,
        found: &mut Vec<Turn>,
    ) {
        let word = reads.word(queue);
        if word == WordId::CLOSED {
            return found.push(does(mover.machine, Event::Lost { queue, message }, after.clone()));
        }
        let kind = self.kind_of(queue, reads);
        let room = match kind.capacity {
            Capacity::Unbounded => true,
            Capacity::Messages(n) => self.words.len(word) < n as usize,
            Capacity::Rendezvous => {
                return self.handshake(mover, (queue, message), after, reads, found);
            }
        };
        if room {
            let mut sent = after.clone();
            sent.words.push((queue, self.insert(queue, word, message, place)));
            found.push(does(mover.machine, Event::Sent { queue, message }, sent));
        }
        let lost = match kind.loss {
            Loss::Never => false,
            Loss::WhenFull => !room,
            Loss::Always => true,
        };
        if lost {
            found.push(does(mover.machine, Event::Lost { queue, message }, after.clone()));
        }
    }

    /// The content of a queue with one more message at the back.
    pub fn append(&mut self, queue: QueueId, word: WordId, message: MessageId) -> WordId {
        match &mut self.blur {
            None => self.words.push(word, message),
            Some(blur) => blur.push(&mut self.words, &*self.program, (queue, word), message),
        }
    }

    fn insert(&mut self, queue: QueueId, word: WordId, message: MessageId, place: Place) -> WordId {
        match place {
            Place::Back => self.append(queue, word, message),
            Place::Sorted => {
                let mut messages = self.words.messages(word);
                let behind = |&m: &MessageId| !self.program.in_order(m, message);
                let at = messages.iter().position(behind).unwrap_or(messages.len());
                messages.insert(at, message);
                let longer = self.words.intern(&messages);
                match &mut self.blur {
                    None => longer,
                    Some(blur) => blur.sorted(&mut self.words, longer),
                }
            }
        }
    }

    /// A rendezvous with every other machine that takes the message now.
    fn handshake<R: Reads>(
        &mut self,
        mover: Mover,
        (queue, message): (QueueId, MessageId),
        after: &After,
        reads: &mut R,
        found: &mut Vec<Turn>,
    ) {
        for receiver in (0..reads.n_machines()).map(MachineId::new) {
            if receiver == mover.machine || !self.listens(receiver, queue, mover.store, reads) {
                continue;
            }
            let other = self.mover(receiver, reads);
            let moves = self.moves(receiver, other.local, other.store);
            for mv in moves.iter() {
                let Effect::Receive { queue: at, ear } = mv.effect else { continue };
                if at != queue || !self.open(other, &mv.guards, false, reads) {
                    continue;
                }
                let reception = self.reception(other, ear, message);
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
    fn listens<R: Reads>(
        &mut self,
        machine: MachineId,
        queue: QueueId,
        store: StoreId,
        reads: &mut R,
    ) -> bool {
        let question = u64::from(store.raw()) << 32 | u64::from(queue.raw());
        let mut answer = |local| {
            let moves = self.moves(machine, local, store);
            let mut effects = moves.iter().map(|mv| &mv.effect);
            u32::from(
                effects.any(|it| matches!(it, Effect::Receive { queue: at, .. } if *at == queue)),
            )
        };
        reads.about(machine, question, &mut answer) != 0
    }

    fn receive<R: Reads>(
        &mut self,
        mover: Mover,
        queue: QueueId,
        ear: EarId,
        reads: &mut R,
        found: &mut Vec<Turn>,
    ) {
        let Scan::Takes { position, message, ways } = self.scan(mover, queue, ear, reads) else {
            return;
        };
        let Reception::Take(ways) = &*ways else {
            unreachable!("bug in Queueproof: a scan takes what is not taken")
        };
        let machine = mover.machine;
        for &Taken { next, store, hold, keep } in ways {
            let mut after = After { locals: vec![(machine, next)], ..After::default() };
            after.cells.extend(store.map(shared));
            after.holder = hold.then_some(machine);
            let event = Event::Took { queue, message, position: position as u32, kept: keep };
            if keep {
                found.push(does(machine, event, after));
                continue;
            }
            for rest in self.remove(queue, reads.word(queue), position) {
                let mut after = after.clone();
                after.words.push((queue, rest));
                found.push(does(machine, event, after));
            }
        }
    }

    /// What a queue may hold once the message at `position` was taken.
    fn remove(&mut self, queue: QueueId, word: WordId, position: usize) -> Vec<WordId> {
        match &mut self.blur {
            None => vec![self.words.remove(word, position)],
            Some(blur) => blur.remove(&mut self.words, &*self.program, (queue, word), position),
        }
    }

    /// Whether the content of a queue, or one that looks like it, matches.
    pub fn may_match(&self, word: WordId, pattern: &Pattern) -> bool {
        match &self.blur {
            None => pattern.matches(&self.words.messages(word)),
            Some(blur) => blur.matches(&self.words, word, pattern),
        }
    }

    /// Looks through a queue from the front: the first message that is not skipped decides.
    pub(crate) fn scan<R: Reads>(
        &mut self,
        mover: Mover,
        queue: QueueId,
        ear: EarId,
        reads: &mut R,
    ) -> Scan {
        let word = reads.word(queue);
        for (position, message) in self.words.messages(word).into_iter().enumerate() {
            let ways = self.reception(mover, ear, message);
            match &*ways {
                Reception::Take(_) => return Scan::Takes { position, message, ways },
                Reception::Skip => {}
                Reception::Refuse => return Scan::Waits,
                Reception::Crash => return Scan::Crashes(message),
            }
        }
        Scan::Exhausted
    }

    fn reception(&mut self, mover: Mover, ear: EarId, message: MessageId) -> Arc<Reception> {
        let Mover { machine, local, store } = mover;
        let program = &mut self.program;
        self.receptions
            .entry((machine, local, store, ear, message))
            .or_insert_with(|| Arc::new(program.reception(machine, local, store, ear, message)))
            .clone()
    }
}

/// A step in which one thing happens.
fn does(machine: MachineId, event: Event, after: After) -> Turn {
    Turn::Does { acts: vec![Act { machine, event, statement: None }], after }
}

fn shared(store: StoreId) -> (CellId, i32) {
    (STORE, store.raw().cast_signed())
}
