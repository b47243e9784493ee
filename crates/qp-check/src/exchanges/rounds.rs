//! Rounds: some sends, then some of their receives.

use std::collections::BTreeSet;

use qp_machines::{Config, LocalId, MessageId, Sending};

use crate::exchanges::bit;
use crate::exchanges::peers::Peers;
use crate::{Checked, Refusal};

/// So many points inside the rounds from one vector are looked at, at most.
const POINTS_MAX: usize = 200_000;

/// A round that is possible from a vector of local states.
pub(crate) struct Round {
    /// Where machines are afterwards.
    pub(crate) after: Config,
    /// What is sent.
    pub(crate) messages: Vec<Message>,
}

/// A message of a round.
#[derive(Clone, Copy)]
pub(crate) struct Message {
    pub(crate) sender: usize,
    pub(crate) queue: usize,
    pub(crate) reader: Option<usize>,
    pub(crate) what: MessageId,
    /// How many sends of the sender come before.
    sent: usize,
    /// How many receives of the reader come before, if it is received.
    received: Option<usize>,
}

impl Message {
    pub(crate) fn is_received(&self) -> bool {
        self.received.is_some()
    }

    /// Who receives it in the round, as a set.
    pub(crate) fn receiver(&self) -> u64 {
        self.reader.filter(|_| self.is_received()).map_or(0, bit)
    }

    /// The machines with an action of it.
    pub(crate) fn acting(&self) -> u64 {
        bit(self.sender) | self.receiver()
    }

    /// Whether an action of it comes before an action of another one on one machine.
    fn conflicts(&self, other: &Self) -> bool {
        let sends = self.sender == other.sender && self.sent < other.sent;
        // Every machine sends before it receives.
        let crosses = other.receiver() == bit(self.sender);
        sends || crosses || self.is_received_before(other)
    }

    fn is_received_before(&self, other: &Self) -> bool {
        let alike = self.reader == other.reader;
        alike && self.received.zip(other.received).is_some_and(|(one, two)| one < two)
    }

    /// Whether it must be sent before another one of the round, for mailboxes.
    pub(crate) fn is_forced_before(&self, other: &Self) -> bool {
        let sends = self.sender == other.sender && self.sent < other.sent;
        let alike = self.queue == other.queue && self.is_received();
        sends || alike && (!other.is_received() || self.is_received_before(other))
    }
}

impl Round {
    /// What conflict edges lead to from some messages; backwards, what leads to them.
    pub(crate) fn closure(&self, from: impl Fn(usize) -> bool, backwards: bool) -> Vec<bool> {
        let edge = |v: usize, w: usize| {
            let (v, w) = if backwards { (w, v) } else { (v, w) };
            self.messages[v].conflicts(&self.messages[w])
        };
        reachable((0..self.messages.len()).map(from).collect(), edge)
    }

    /// Whether a message has an action on one of these machines.
    pub(crate) fn acts_on(&self, v: usize, machines: u64) -> bool {
        self.messages[v].acting() & machines != 0
    }

    /// The machines with an action.
    pub(crate) fn acting(&self) -> u64 {
        self.messages.iter().fold(0, |all, message| all | message.acting())
    }
}

/// Everything that edges lead to, with where they begin.
pub(crate) fn reachable(mut from: Vec<bool>, edge: impl Fn(usize, usize) -> bool) -> Vec<bool> {
    let mut todo: Vec<usize> = (0..from.len()).filter(|&node| from[node]).collect();
    while let Some(node) = todo.pop() {
        for (next, is_found) in from.iter_mut().enumerate() {
            if !*is_found && edge(node, next) {
                *is_found = true;
                todo.push(next);
            }
        }
    }
    from
}

/// A send: by whom, and how many sends of the same machine come before.
type Send = (usize, usize);

/// Where a round leads, and what is sent and received by each machine.
type Bare = (Vec<LocalId>, Vec<Vec<(usize, MessageId)>>, Vec<Vec<Send>>);

/// A point inside a round.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Point {
    locals: Vec<LocalId>,
    /// For each machine, what it has sent.
    sends: Vec<Vec<(usize, MessageId)>>,
    /// For each machine, what it has received.
    receives: Vec<Vec<Send>>,
    /// For each queue, what is in it.
    queues: Vec<Vec<Send>>,
}

/// All rounds of up to so many sends that are possible from a vector.
pub(crate) fn rounds(peers: &mut Peers<'_>, config: &Config, sends: u32) -> Checked<Vec<Round>> {
    let n_machines = config.locals.len();
    let start = Point {
        locals: config.locals.clone(),
        sends: vec![Vec::new(); n_machines],
        receives: vec![Vec::new(); n_machines],
        queues: vec![Vec::new(); config.words.len()],
    };
    let sent = explore(peers, config, vec![start], |peers, config, point, found| {
        let n_sent: usize = point.sends.iter().map(Vec::len).sum();
        let more = n_sent < sends as usize;
        if more { send(peers, config, point, found) } else { Ok(()) }
    })?;
    let sent = sent.into_iter().filter(|point| point.sends.iter().any(|sends| !sends.is_empty()));
    let all = explore(peers, config, sent.collect(), receive)?;
    // The order in which different machines send to one mailbox shows only in what is received.
    let bare = |point: Point| (point.locals, point.sends, point.receives);
    let all: BTreeSet<Bare> = all.into_iter().map(bare).collect();
    let round = |(locals, sends, receives): &Bare| round(peers, config, locals, sends, receives);
    Ok(all.iter().map(round).collect())
}

/// Every point that is reached by internal moves and by what `more` finds.
fn explore(
    peers: &mut Peers<'_>,
    config: &Config,
    mut todo: Vec<Point>,
    more: impl Fn(&mut Peers<'_>, &Config, &Point, &mut Vec<Point>) -> Checked<()>,
) -> Checked<BTreeSet<Point>> {
    let (mut seen, mut config) = (BTreeSet::new(), config.clone());
    while let Some(point) = todo.pop() {
        peers.spend(10 + 10 * config.locals.len() + config.words.len())?;
        if seen.contains(&point) {
            continue;
        }
        if seen.len() == POINTS_MAX {
            return Err(Refusal::TooLarge);
        }
        config.locals.clone_from(&point.locals);
        for machine in 0..config.locals.len() {
            for &next in &peers.acts(&config, machine)?.internals {
                let mut after = point.clone();
                after.locals[machine] = next;
                todo.push(after);
            }
        }
        more(peers, &config, &point, &mut todo)?;
        seen.insert(point);
    }
    Ok(seen)
}

fn send(
    peers: &mut Peers<'_>,
    config: &Config,
    point: &Point,
    found: &mut Vec<Point>,
) -> Checked<()> {
    for machine in 0..config.locals.len() {
        for &Sending { queue, message, next } in &peers.acts(config, machine)?.sends {
            let queue = queue.index();
            let mut after = point.clone();
            after.locals[machine] = next;
            after.queues[queue].push((machine, point.sends[machine].len()));
            after.sends[machine].push((queue, message));
            found.push(after);
        }
    }
    Ok(())
}

fn receive(
    peers: &mut Peers<'_>,
    config: &Config,
    point: &Point,
    found: &mut Vec<Point>,
) -> Checked<()> {
    for queue in 0..point.queues.len() {
        let first = point.queues[queue].first().copied();
        let (Some(first), Some(reader)) = (first, peers.readers[queue]) else { continue };
        let (_, message) = point.sends[first.0][first.1];
        for next in peers.takes(config, queue, message)? {
            let mut after = point.clone();
            after.locals[reader] = next;
            after.queues[queue].remove(0);
            after.receives[reader].push(first);
            found.push(after);
        }
    }
    Ok(())
}

fn round(
    peers: &Peers<'_>,
    config: &Config,
    locals: &[LocalId],
    sends: &[Vec<(usize, MessageId)>],
    receives: &[Vec<Send>],
) -> Round {
    let mut messages = Vec::new();
    for (sender, sends) in sends.iter().enumerate() {
        for (sent, &(queue, what)) in sends.iter().enumerate() {
            let reader = peers.readers[queue];
            let place =
                |reader: usize| receives[reader].iter().position(|&it| it == (sender, sent));
            let received = reader.and_then(place);
            messages.push(Message { sender, queue, reader, what, sent, received });
        }
    }
    Round { after: Config { locals: locals.to_vec(), ..config.clone() }, messages }
}
