//! Who uses which end of which queue, and which machines may go first because of it.
//!
//! A machine may go first where all its turns stay as they are whatever others do, and others do not notice:
//! then its steps are enough (`docs/decisions/006-reduction.md`). That it is the only one to use an end of a
//! queue is taken for granted until somebody else is seen to use it: then the search begins again, with
//! what was learnt.

use std::collections::{BTreeMap, BTreeSet};

use qp_machines::{Capacity, KindId, MachineId, Outline, QueueId, Turn, Uses};

use super::slots::{LOOKS, N_QUEUES, NONE, Slot, Slots};
use super::woods::Look;

/// An end of a queue.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum End {
    Front(QueueId),
    Back(QueueId),
}

#[derive(Default)]
pub(super) struct Ledger {
    users: BTreeMap<End, BTreeSet<MachineId>>,
    /// The ends of which it was taken for granted that only one machine uses them.
    relied: BTreeSet<End>,
    /// Whether anybody may go first.
    goes_first: bool,
    /// Whether somebody was seen to go on alone. Nobody goes first then.
    is_held: bool,
    /// Whether something that was taken for granted is not so.
    is_wrong: bool,
}

/// What a machine was seen to do.
pub(super) struct Seen<'a> {
    pub(super) machine: MachineId,
    pub(super) timeout: bool,
    pub(super) uses: Option<Uses>,
    pub(super) turns: &'a [Turn],
    /// What it looked at, with the values.
    pub(super) path: &'a [(Look, u32)],
}

impl Ledger {
    pub(super) fn is_wrong(&self) -> bool {
        self.is_wrong
    }

    /// Takes nothing for granted that was wrong.
    pub(super) fn begin_again(&mut self) {
        self.relied.clear();
        self.goes_first = false;
        self.is_wrong = false;
    }

    /// Notes what a machine was seen to do, and says whether it may go first.
    pub(super) fn note(&mut self, slots: &Slots, outline: &Outline, seen: &Seen<'_>) -> bool {
        let (queues, is_wide) = looked_at(slots, seen.path);
        let named = seen.uses.as_ref().map_or_else(Vec::new, ends);
        let is_named = |queue: QueueId| {
            named.contains(&End::Front(queue)) || named.contains(&End::Back(queue))
        };
        let others = queues.iter().filter(|&&queue| !is_named(queue));
        let others = others.flat_map(|&queue| [End::Front(queue), End::Back(queue)]);
        for end in named.iter().copied().chain(others) {
            let users = self.users.entry(end).or_default();
            users.insert(seen.machine);
            self.is_wrong |= users.len() > 1 && self.relied.contains(&end);
        }
        self.is_held |= seen.turns.iter().any(holds);
        self.is_wrong |= self.is_held && self.goes_first;
        let stays = |end: &End| stays(slots, outline, seen.path, *end);
        let first = seen.uses.as_ref().is_some_and(|uses| uses.alone)
            && !seen.timeout
            && !is_wide
            && !self.is_held
            && queues.iter().all(|&queue| is_named(queue))
            && !seen.turns.is_empty()
            && seen.turns.iter().all(|turn| turn.is_plain(seen.machine))
            && named.iter().all(|end| self.users[end].len() == 1 && stays(end));
        if first {
            self.goes_first = true;
            self.relied.extend(named);
        }
        first
    }
}

fn ends(uses: &Uses) -> Vec<End> {
    let front = uses.front.iter().map(|&queue| End::Front(queue));
    front.chain(uses.back.iter().map(|&queue| End::Back(queue))).collect()
}

/// The queues that were looked at, and whether anything else was but how many there are.
fn looked_at(slots: &Slots, path: &[(Look, u32)]) -> (Vec<QueueId>, bool) {
    let (mut queues, mut is_wide) = (Vec::new(), false);
    for (look, _) in path {
        match look.at as usize {
            N_QUEUES => {}
            at if at < LOOKS => is_wide = true,
            at => match slots.slot(at - LOOKS) {
                Slot::Queue(queue) => queues.push(queue),
                Slot::Holder | Slot::Cell(_) | Slot::Machine(_) => is_wide = true,
            },
        }
    }
    (queues, is_wide)
}

/// Whether what a machine finds at an end of a queue stays there as long as it is the only one to use it.
fn stays(slots: &Slots, outline: &Outline, path: &[(Look, u32)], end: End) -> bool {
    let (End::Front(queue) | End::Back(queue)) = end;
    let part = slots.queue(queue.index());
    let at = Look { at: (part + LOOKS) as u32, question: NONE };
    let Some(&(_, value)) = path.iter().find(|(look, _)| *look == at) else { return false };
    let len = slots.len(part, value);
    let kind = KindId::from_raw(slots.raw(part, value).1);
    match (end, outline.kinds[kind].capacity) {
        (End::Front(_), _) => len > 0,
        (End::Back(_), Capacity::Unbounded) => true,
        (End::Back(_), Capacity::Messages(n)) => len < n,
        (End::Back(_), Capacity::Rendezvous) => false,
    }
}

fn holds(turn: &Turn) -> bool {
    matches!(turn, Turn::Does { after, .. } if after.holder.is_some())
}
