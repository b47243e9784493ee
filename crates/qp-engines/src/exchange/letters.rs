//! Rounds of any number of messages, for mailboxes: letter by letter, without listing them.
//!
//! In a round, a machine that receives guesses where it will be when it has sent everything, and goes on from there
//! with what it receives; its sends must come to that place before the round ends. A mailbox delivers in the order of
//! sends, so a message is received when it is sent, or never. The rounds one after the other are a run.

use std::sync::Arc;

use qp_base::{Interner, Map};
use qp_machines::{LocalId, MachineId, MessageId, QueueId, Sending};

use crate::trail::Trail;

use super::deeds::{Chart, Deed, Does, Happens};
use super::world::{Stop, VectorId, World};

/// Everything that is reached.
pub(super) struct Letters {
    states: Trail<usize, State, Letter>,
    /// Where a machine can get to with sends alone.
    sending: Map<(MachineId, LocalId), Arc<[LocalId]>>,
    next: usize,
    max: usize,
}

/// A moment in a round.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State {
    /// Some vector with the same queues.
    like: VectorId,
    machines: Box<[Part]>,
    /// The first message that stays in each queue.
    heads: Box<[Option<MessageId>]>,
}

/// A machine in a round.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Part {
    /// Where it is with its sends.
    sends: LocalId,
    takes: Option<Takes>,
}

/// A machine that has received something in this round.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Takes {
    /// Where its sends must come to.
    guess: LocalId,
    /// Where it is with its receives.
    now: LocalId,
}

#[derive(Clone, Copy, Debug)]
enum Letter {
    /// Among sends.
    Now(Happens),
    /// A move among receives.
    MovesLater(MachineId, LocalId),
    /// The round ends.
    Ends,
}

/// Where a round may end.
pub(super) struct Boundary {
    pub(super) at: usize,
    pub(super) vector: VectorId,
    pub(super) heads: Vec<(QueueId, MessageId)>,
}

impl Letters {
    pub(super) fn new(world: &mut World, max: usize) -> Self {
        let mut letters = Self { states: Trail::new(), sending: Map::default(), next: 0, max };
        let heads: Box<[Option<MessageId>]> = vec![None; world.n_queues()].into();
        for like in world.first_vectors() {
            let locals = world.vector(like).locals.iter();
            let machines = locals.map(|&sends| Part { sends, takes: None }).collect();
            letters.states.begin(State { like, machines, heads: heads.clone() }, ());
        }
        letters
    }

    /// Looks on until another place is met where a round may end; nothing if there is none.
    pub(super) fn next(&mut self, world: &mut World) -> Result<Option<Boundary>, Stop> {
        while self.next < self.states.len() {
            world.pay(self.states.len(), self.states.len(), self.max)?;
            let at = self.next;
            self.next += 1;
            let state = self.states.value(at).clone();
            self.expand(world, at, &state)?;
            if state.machines.iter().all(|part| part.takes.is_none()) {
                let locals: Vec<LocalId> = state.machines.iter().map(|part| part.sends).collect();
                let vector = world.intern(state.like, &locals);
                let heads = state.heads.iter().enumerate();
                let heads = heads.filter_map(|(queue, head)| Some((QueueId::new(queue), (*head)?)));
                return Ok(Some(Boundary { at, vector, heads: heads.collect() }));
            }
        }
        Ok(None)
    }

    fn expand(&mut self, world: &mut World, at: usize, state: &State) -> Result<(), Stop> {
        for (machine, part) in state.machines.iter().enumerate() {
            // It shows which queues a machine reads, wherever it may be when it has sent everything.
            self.sending(world, machine.into(), part.sends)?;
        }
        for machine in (0..state.machines.len()).map(MachineId::new) {
            let part = state.machines[machine.index()];
            let acts = world.acts(machine, part.sends)?;
            for &next in &acts.internals {
                if self.may_go(world, machine, part, next)? {
                    let moves = Letter::Now(Happens::Moves(machine, next));
                    self.states.go(at, moves, state.sending(machine, next));
                }
            }
            for &send in &acts.sends {
                if self.may_go(world, machine, part, send.next)? {
                    self.send(world, at, state, machine, send)?;
                }
            }
            if let Some(Takes { guess, now }) = part.takes {
                for &next in &world.acts(machine, now)?.internals {
                    let after = state.taking(machine, Takes { guess, now: next });
                    self.states.go(at, Letter::MovesLater(machine, next), after);
                }
            }
        }
        let kept = |part: &Part| part.takes.is_none_or(|takes| takes.guess == part.sends);
        if state.machines.iter().all(kept) && state.machines.iter().any(|p| p.takes.is_some()) {
            self.states.go(at, Letter::Ends, state.ended());
        }
        Ok(())
    }

    /// Whether sends can still come to what was guessed.
    fn may_go(
        &mut self,
        world: &mut World,
        machine: MachineId,
        part: Part,
        next: LocalId,
    ) -> Result<bool, Stop> {
        match part.takes {
            None => Ok(true),
            Some(takes) => Ok(self.sending(world, machine, next)?.contains(&takes.guess)),
        }
    }

    fn send(
        &mut self,
        world: &mut World,
        at: usize,
        state: &State,
        machine: MachineId,
        send: Sending,
    ) -> Result<(), Stop> {
        let Sending { queue, message, next } = send;
        let sent = state.sending(machine, next);
        let mut stays = sent.clone();
        let is_open = stays.heads[queue.index()].is_none();
        stays.heads[queue.index()].get_or_insert(message);
        self.states.go(at, Letter::Now(Happens::Stays(machine, send)), stays);
        if !is_open {
            return Ok(());
        }
        let Some(reader) = world.manners.reader(queue) else { return Ok(()) };
        let Some(part) = sent.machines.get(reader.index()).copied() else { return Ok(()) };
        let guesses = if let Some(takes) = part.takes {
            vec![takes]
        } else {
            let guesses = self.sending(world, reader, part.sends)?;
            guesses.iter().map(|&guess| Takes { guess, now: guess }).collect()
        };
        for Takes { guess, now } in guesses {
            for &next in &world.hears(reader, now, queue, message)?.takes {
                let after = sent.taking(reader, Takes { guess, now: next });
                let taken = Happens::Taken(machine, send, (reader, next));
                self.states.go(at, Letter::Now(taken), after);
            }
        }
        Ok(())
    }

    /// Where a machine can get to with sends alone.
    fn sending(
        &mut self,
        world: &mut World,
        machine: MachineId,
        from: LocalId,
    ) -> Result<Arc<[LocalId]>, Stop> {
        if let Some(known) = self.sending.get(&(machine, from)) {
            return Ok(Arc::clone(known));
        }
        let mut seen: Interner<usize, LocalId> = Interner::new();
        seen.intern(from);
        let mut next = 0;
        while next < seen.len() {
            let acts = world.acts(machine, *seen.value(next))?;
            next += 1;
            let sends = acts.sends.iter().map(|send| send.next);
            for local in acts.internals.iter().copied().chain(sends) {
                seen.intern(local);
            }
            if seen.len() > self.max {
                return Err(Stop::TooMuch);
            }
        }
        let reached: Arc<[LocalId]> = seen.values().into();
        self.sending.insert((machine, from), Arc::clone(&reached));
        Ok(reached)
    }

    /// What happened on the way to the end of a round.
    pub(super) fn chart(&self, end: usize) -> Chart {
        // Beginnings come first, and in order.
        let (((), beginning), letters) = self.states.way(end);
        let mut chart = Chart::new(beginning);
        let mut later = Vec::new();
        for (_, letter) in letters {
            match letter {
                Letter::Now(happens) => later.extend(chart.tell(happens)),
                Letter::MovesLater(machine, next) => {
                    later.push(Deed { machine, next, does: Does::Moves });
                }
                Letter::Ends => later.drain(..).for_each(|deed| chart.push(deed)),
            }
        }
        chart
    }
}

impl State {
    fn sending(&self, machine: MachineId, next: LocalId) -> Self {
        let mut after = self.clone();
        after.machines[machine.index()].sends = next;
        after
    }

    fn taking(&self, machine: MachineId, takes: Takes) -> Self {
        let mut after = self.clone();
        after.machines[machine.index()].takes = Some(takes);
        after
    }

    fn ended(&self) -> Self {
        let mut after = self.clone();
        for part in &mut after.machines {
            if let Some(takes) = part.takes.take() {
                part.sends = takes.now;
            }
        }
        after
    }
}
