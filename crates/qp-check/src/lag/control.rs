//! Where the control flow of a sender may come to, and what it sends on the way.

use std::collections::{BTreeMap, BTreeSet};

use qp_claim::CoreDeed;

use crate::automata::Automata;

/// A local state of a machine.
type At = (u32, u32);

/// What was worked out so far.
#[derive(Default)]
pub(super) struct Control {
    /// From a local state, without a send to a queue.
    quietly: BTreeMap<(At, u32), BTreeSet<u32>>,
    /// From a local state, in any way.
    anyhow: BTreeMap<At, BTreeSet<u32>>,
}

impl Control {
    /// Whether a machine may come from one local state to another without a send to a queue.
    pub(super) fn comes_quietly(
        &mut self,
        automata: &Automata,
        from: At,
        queue: u32,
        to: u32,
    ) -> bool {
        self.quietly(automata, from, queue).contains(&to)
    }

    /// The same with at least one such send.
    pub(super) fn comes_with_sends(
        &mut self,
        automata: &Automata,
        from: At,
        queue: u32,
        to: u32,
    ) -> bool {
        let next = self.next(automata, from, queue);
        next.into_iter().any(|(_, then)| self.comes(automata, (from.0, then), to))
    }

    /// The next sends to a queue, each with the local state after it.
    pub(super) fn next(
        &mut self,
        automata: &Automata,
        from: At,
        queue: u32,
    ) -> BTreeSet<(u32, u32)> {
        let mut next = BTreeSet::new();
        for &local in self.quietly(automata, from, queue) {
            for transition in automata.leaving_from(from.0, local) {
                let it = automata.transition(from.0, transition);
                if let CoreDeed::Send(to, letter) = it.deed
                    && to == queue
                {
                    next.insert((letter, it.to));
                }
            }
        }
        next
    }

    /// Whether a machine may send a message to a queue on a way from one local state to another.
    pub(super) fn sends(
        &mut self,
        automata: &Automata,
        from: At,
        (queue, letter): (u32, u32),
        to: u32,
    ) -> bool {
        let deed = CoreDeed::Send(queue, letter);
        let before = self.anyhow(automata, from).clone();
        before.into_iter().any(|local| {
            automata.leaving_from(from.0, local).into_iter().any(|transition| {
                let it = automata.transition(from.0, transition);
                it.deed == deed && self.comes(automata, (from.0, it.to), to)
            })
        })
    }

    fn comes(&mut self, automata: &Automata, from: At, to: u32) -> bool {
        self.anyhow(automata, from).contains(&to)
    }

    fn anyhow(&mut self, automata: &Automata, from: At) -> &BTreeSet<u32> {
        self.anyhow.entry(from).or_insert_with(|| closure(automata, from, |_| true))
    }

    fn quietly(&mut self, automata: &Automata, from: At, queue: u32) -> &BTreeSet<u32> {
        self.quietly.entry((from, queue)).or_insert_with(|| {
            closure(automata, from, |deed| !matches!(deed, CoreDeed::Send(to, _) if to == queue))
        })
    }
}

/// All local states that a machine comes to by transitions of a kind.
fn closure(
    automata: &Automata,
    (machine, local): At,
    follows: impl Fn(CoreDeed) -> bool,
) -> BTreeSet<u32> {
    let (mut found, mut todo) = (BTreeSet::from([local]), vec![local]);
    while let Some(local) = todo.pop() {
        for transition in automata.leaving_from(machine, local) {
            let it = automata.transition(machine, transition);
            if follows(it.deed) && found.insert(it.to) {
                todo.push(it.to);
            }
        }
    }
    found
}
