//! Rounds of one message: it is received as soon as it is sent, or never.

use std::collections::{BTreeMap, BTreeSet};

use qp_machines::{Config, MessageId, Sending};

use crate::exchanges::peers::Peers;
use crate::exchanges::{Spot, bit, has};
use crate::{Checked, wrong};

/// A row that was read: where machines are, the heads of queues, and the message that is watched.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct State {
    pub(crate) row: usize,
    pub(crate) heads: Vec<Option<MessageId>>,
    pub(crate) watched: Option<Watched>,
}

/// The head of a queue, and what has happened because of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Watched {
    pub(crate) queue: usize,
    pub(crate) acted: u64,
    pub(crate) into: u64,
}

/// A message that is sent: who sends it to which queue, and whether it is received.
#[derive(Clone, Copy)]
struct Sent {
    sender: usize,
    queue: usize,
    is_received: bool,
}

/// Checks that the states contain the beginnings, are closed, and have no violation.
pub(crate) fn check(
    peers: &mut Peers<'_>,
    beginnings: &BTreeSet<Config>,
    states: &BTreeSet<State>,
) -> Checked<BTreeSet<Spot>> {
    for config in beginnings {
        let row = peers.find(config)?;
        let heads = vec![None; peers.readers.len()];
        if !states.contains(&State { row, heads, watched: None }) {
            return wrong("a beginning is missing");
        }
    }
    for state in states {
        check_watched(peers, state)?;
        check_closed(peers, states, state)?;
    }
    Ok(spots(peers, states))
}

fn check_watched(peers: &mut Peers<'_>, state: &State) -> Checked<()> {
    let Some(watched) = state.watched else { return Ok(()) };
    let head = state.heads.get(watched.queue).copied().flatten();
    let reader = peers.readers.get(watched.queue).copied().flatten();
    let (Some(head), Some(reader)) = (head, reader) else {
        return wrong("what is watched is no head that somebody reads");
    };
    let config = peers.rows[state.row].clone();
    let takes = !peers.takes(&config, watched.queue, head)?.is_empty();
    if takes && has(watched.acted, reader) {
        return wrong("a message may come too late to be received at once");
    }
    Ok(())
}

fn check_closed(peers: &mut Peers<'_>, states: &BTreeSet<State>, state: &State) -> Checked<()> {
    let config = peers.rows[state.row].clone();
    for machine in 0..config.locals.len() {
        let acts = peers.acts(&config, machine)?;
        let mut after = config.clone();
        for &next in &acts.internals {
            after.locals[machine] = next;
            expect(peers, states, &after, state.clone())?;
        }
        for &Sending { queue, message, next } in &acts.sends {
            let queue = queue.index();
            after.locals[machine] = next;
            let mut sent = Sent { sender: machine, queue, is_received: false };
            for left in leave(peers, state, sent, message) {
                expect(peers, states, &after, left)?;
            }
            let (None, Some(reader)) = (state.heads[queue], peers.readers[queue]) else {
                continue;
            };
            sent.is_received = true;
            let mut taken = state.clone();
            taken.watched = taken.watched.map(|watched| follow(peers, watched, sent));
            let mut later = after.clone();
            for next in peers.takes(&after, queue, message)? {
                later.locals[reader] = next;
                expect(peers, states, &later, taken.clone())?;
            }
        }
    }
    Ok(())
}

/// What becomes of a state when a message is sent and stays where it is.
fn leave(peers: &Peers<'_>, state: &State, sent: Sent, message: MessageId) -> Vec<State> {
    let mut left = state.clone();
    left.watched = left.watched.map(|watched| follow(peers, watched, sent));
    let is_first = left.heads[sent.queue].is_none();
    left.heads[sent.queue].get_or_insert(message);
    let mut all = vec![left.clone()];
    if let (true, None, Some(reader)) = (is_first, left.watched, peers.readers[sent.queue]) {
        let into = if peers.is_mailbox { bit(reader) } else { 0 };
        left.watched = Some(Watched { queue: sent.queue, acted: bit(sent.sender), into });
        all.push(left);
    }
    all
}

fn follow(peers: &Peers<'_>, mut watched: Watched, sent: Sent) -> Watched {
    let reader = peers.readers[sent.queue].map_or(0, bit);
    let receiver = if sent.is_received { reader } else { 0 };
    let acting = bit(sent.sender) | receiver;
    if watched.acted & acting != 0 || watched.into & reader != 0 {
        watched.acted |= acting;
        watched.into |= if peers.is_mailbox { receiver } else { 0 };
    }
    watched
}

fn expect(
    peers: &mut Peers<'_>,
    states: &BTreeSet<State>,
    config: &Config,
    mut state: State,
) -> Checked<()> {
    peers.spend(1 + state.heads.len())?;
    state.row = peers.find(config)?;
    if states.contains(&state) { Ok(()) } else { wrong("a step leads out of the rows") }
}

/// What may be first in queues. In a mailbox, that is every head that it has in a row in which its reader is in the
/// same local state.
fn spots(peers: &Peers<'_>, states: &BTreeSet<State>) -> BTreeSet<Spot> {
    let local = |state: &State, queue: usize| {
        peers.readers[queue].filter(|_| peers.is_mailbox).map(|m| peers.rows[state.row].locals[m])
    };
    let mut wide: BTreeMap<_, BTreeSet<MessageId>> = BTreeMap::new();
    for state in states {
        for (queue, head) in state.heads.iter().enumerate() {
            if let Some((head, local)) = head.zip(local(state, queue)) {
                wide.entry((queue, local)).or_default().insert(head);
            }
        }
    }
    let possible = |state: &State, queue: usize, head: MessageId| match local(state, queue) {
        Some(local) => wide[&(queue, local)].iter().copied().collect(),
        None => vec![head],
    };
    let spot = |state: &State| {
        let heads = state.heads.iter().enumerate();
        let heads = heads.filter_map(|(queue, &head)| Some((queue, possible(state, queue, head?))));
        Spot { row: state.row, heads: heads.collect() }
    };
    states.iter().map(spot).collect()
}
