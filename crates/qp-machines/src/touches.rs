//! What the steps of machines touch, where steps are commands: for those who leave some orders of steps out.
//!
//! Why these are enough is in `docs/decisions/006-reduction.md`.

use crate::view::tidy;
use crate::{
    Capacity, Effect, Guard, Loss, MachineId, Move, Moves, Outline, Place, QueueId, QueueKind,
    Scan, Touch, Turn, View, World,
};

/// What is gathered about the moves of a machine.
struct Gathered {
    /// What it needs to stay as it is; worth nothing if something else matters too.
    needs: Vec<Touch>,
    touches: Vec<Touch>,
    /// Whether it depends on what is not named here.
    is_wide: bool,
    waits: bool,
}

impl Gathered {
    fn both(&mut self, touch: Touch) {
        self.needs.push(touch);
        self.touches.push(touch);
    }

    fn ends(&mut self, queue: QueueId) {
        self.both(Touch::Front(queue));
        self.both(Touch::Back(queue));
    }
}

impl dyn Moves + '_ {
    /// What the turns of a machine need and touch.
    pub(crate) fn touched(
        &mut self,
        machine: MachineId,
        turns: Vec<Turn>,
        world: &mut dyn World,
    ) -> View {
        let outline = self.outline();
        let is_rendezvous = |kind: &QueueKind| kind.capacity == Capacity::Rendezvous;
        // Whoever hands over a message asks everybody where they are, and a shared store is read by all.
        let is_wide = outline.kinds.iter().any(is_rendezvous) || !outline.hides_store();
        let mut found = Gathered { needs: Vec::new(), touches: Vec::new(), is_wide, waits: true };
        let mover = self.mover(machine, world);
        let moves = self.commands_in(machine, mover.local, mover.store);
        for mv in moves.iter() {
            guards_touch(&moves, mv, &mut found);
            self.effect_touches(machine, mv, world, &mut found);
            if let Effect::Receive { queue, ear } = mv.effect
                && matches!(self.scan(mover, queue, ear, world), Scan::Exhausted)
            {
                // What is put behind may let it do more.
                found.needs.push(Touch::Back(queue));
            }
        }
        if moves.iter().any(|mv| mv.guards.contains(&Guard::Else)) {
            // Whether the others are possible decides about it.
            found.touches.extend(found.needs.clone());
        }
        let goes_on = |turn: &Turn| match turn {
            Turn::Does { after, .. } => after.holder.is_some(),
            Turn::Fails { .. } | Turn::GivesUp { .. } => false,
        };
        let leads = turns.iter().any(|turn| matches!(turn, Turn::Does { .. }));
        let is_wide = found.is_wide || !leads || turns.iter().any(goes_on);
        let needs = (!is_wide).then(|| tidy(found.needs));
        View { turns, needs, touches: tidy(found.touches), waits: found.waits }
    }

    fn effect_touches(
        &mut self,
        machine: MachineId,
        mv: &Move,
        world: &mut dyn World,
        found: &mut Gathered,
    ) {
        found.is_wide |= mv.hold || mv.store.is_some();
        found.waits &= matches!(mv.effect, Effect::Receive { .. });
        if let Some(message) = mv.announce {
            match self.watchers(message) {
                Some(all) => all.into_iter().for_each(|it| found.both(Touch::Watcher(it))),
                None => found.is_wide = true,
            }
        }
        match mv.effect {
            Effect::Internal | Effect::Fail { .. } | Effect::GiveUp { .. } => {}
            Effect::Send { queue, place: Place::Sorted, .. } => found.ends(queue),
            Effect::Send { queue, .. } => {
                found.both(Touch::Back(queue));
                if self.loses_when_full(queue, world) {
                    found.both(Touch::Front(queue));
                } else if !has_room(self.outline(), queue, world) {
                    found.needs.push(Touch::Front(queue));
                }
            }
            Effect::Receive { queue, .. } | Effect::Close { queue } => {
                found.both(Touch::Front(queue));
            }
            Effect::Spawn { .. } => found.both(Touch::Numbers),
            Effect::Exit { queues } => {
                // Its queues go with it, whoever puts something into them.
                found.is_wide = true;
                found.touches.push(Touch::Numbers);
                if machine.index() + 1 == world.n_machines() {
                    let n_queues = world.n_queues();
                    let gone = n_queues - queues as usize..n_queues;
                    gone.map(QueueId::new).for_each(|queue| found.ends(queue));
                }
            }
        }
    }

    fn loses_when_full(&self, queue: QueueId, world: &mut dyn World) -> bool {
        queue.index() < world.n_queues()
            && self.outline().kinds[world.kind(queue)].loss == Loss::WhenFull
    }
}

/// Whether one more message fits into a queue.
pub(crate) fn has_room(outline: &Outline, queue: QueueId, world: &mut dyn World) -> bool {
    if queue.index() >= world.n_queues() {
        return false;
    }
    match outline.kinds[world.kind(queue)].capacity {
        Capacity::Unbounded => true,
        Capacity::Messages(n) => {
            let word = world.word(queue);
            world.shorter(queue, word, n)
        }
        Capacity::Rendezvous => false,
    }
}

fn guards_touch(moves: &[Move], mv: &Move, found: &mut Gathered) {
    for guard in &mv.guards {
        found.waits = false;
        match *guard {
            Guard::Holds(queue, _) | Guard::HoldsNot(queue, _) => found.ends(queue),
            Guard::Idle => {
                for other in moves {
                    if let Effect::Receive { queue, .. } = other.effect {
                        found.ends(queue);
                    }
                }
            }
            // Not before nobody can move, and what decides about the others is named with them.
            Guard::Timeout | Guard::Else => {}
        }
    }
}
