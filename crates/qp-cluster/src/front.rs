//! What one worker has visited in one search.

use std::collections::BTreeSet;

use qp_machines::QueueId;

use crate::prints::Prints;
use crate::rows::Rows;
use crate::wire::Origin;

/// How many of the configurations that were sent last are remembered, so that they are not sent again.
const SENT_MAX: usize = 1 << 16;

/// The configurations of one search that one worker owns.
#[derive(Default)]
pub(crate) struct Front {
    pub(crate) rows: Rows,
    /// For each row: how it was met.
    origins: Vec<Parent>,
    /// The number of rows when the level under way began, and the keys of the origins of those added since.
    level_start: usize,
    level_prints: Vec<u32>,
    /// What was added in the level under way, with fingerprints.
    fresh: Vec<(u64, u32)>,
    sent: Rows,
    /// Steps to configurations within the bound.
    pub(crate) transitions: u64,
    /// Configurations in which a send was cut.
    pub(crate) blocked: Vec<u32>,
    /// The queues to which sends were cut.
    pub(crate) stalls: BTreeSet<QueueId>,
    /// A configuration in which the interpreter gave up.
    pub(crate) gave_up: Option<u32>,
    /// What was violated in the level under way: number of the property, fingerprint, place.
    pub(crate) hits: Vec<(usize, u64, u32)>,
    pub(crate) n_machines: u32,
    level: u32,
    widest: Option<Widest>,
}

/// A configuration with the most queues: of several, one that was met early, whoever was faster.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Widest {
    /// How many queues are missing to the greatest number that there is.
    missing: u32,
    level: u32,
    pub(crate) print: u64,
    pub(crate) place: u32,
}

impl Widest {
    pub(crate) fn new(n_queues: u32, level: u32, print: u64, place: u32) -> Self {
        Self { missing: u32::MAX - n_queues, level, print, place }
    }

    /// The numbers that it is made of, as [`Widest::new`] takes them.
    pub(crate) fn numbers(self) -> [u64; 4] {
        let n_queues = u32::MAX - self.missing;
        [u64::from(n_queues), u64::from(self.level), self.print, u64::from(self.place)]
    }
}

/// How a configuration was met. Who is nowhere began here.
#[derive(Clone, Copy)]
struct Parent {
    worker: u32,
    place: u32,
}

impl Front {
    /// The origin of the initial configuration.
    pub(crate) const NOWHERE: Origin = Origin { print: 0, worker: u32::MAX, place: 0 };

    /// Begins a level, and gives what the last one has added, in an order that does not depend on who was
    /// faster.
    pub(crate) fn next_level(&mut self) -> Vec<u32> {
        let mut fresh = std::mem::take(&mut self.fresh);
        fresh.sort_unstable();
        self.level += 1;
        self.level_start = self.rows.len();
        self.level_prints.clear();
        self.hits.clear();
        fresh.into_iter().map(|(_, place)| place).collect()
    }

    /// How many configurations the next level has.
    pub(crate) fn n_waiting(&self) -> usize {
        self.fresh.len()
    }

    /// Adds a configuration. Of several ways to meet it in one level the least one counts.
    pub(crate) fn add(&mut self, prints: &Prints, row: &[u32], print: u64, origin: Origin) {
        let (place, new) = self.rows.add(row);
        let parent = Parent { worker: origin.worker, place: origin.place };
        if new {
            self.origins.push(parent);
            self.level_prints.push(origin.print);
            self.fresh.push((print, place));
            let (n_machines, n_queues) = prints.n_machines_queues(row);
            self.n_machines = self.n_machines.max(n_machines);
            let wide = Widest::new(n_queues, self.level, print, place);
            self.widest = Some(self.widest.map_or(wide, |widest| widest.min(wide)));
        } else if let Some(in_level) = (place as usize).checked_sub(self.level_start) {
            let known = self.origins[place as usize];
            let old = (self.level_prints[in_level], known.worker, known.place);
            if (origin.print, origin.worker, origin.place) < old {
                self.origins[place as usize] = parent;
                self.level_prints[in_level] = origin.print;
            }
        }
    }

    /// Whether a configuration was not sent lately. From now on it was.
    pub(crate) fn is_not_sent(&mut self, row: &[u32]) -> bool {
        if self.sent.len() >= SENT_MAX {
            self.sent.clear();
        }
        self.sent.add(row).1
    }

    /// Notes a violation.
    pub(crate) fn hit(&mut self, number: usize, print: u64, place: u32) {
        match self.hits.iter_mut().find(|(known, ..)| *known == number) {
            Some(known) => *known = (*known).min((number, print, place)),
            None => self.hits.push((number, print, place)),
        }
    }

    /// From where a configuration was met: worker and place; nothing where runs begin.
    pub(crate) fn origin(&self, place: u32) -> Option<(u32, u32)> {
        let Parent { worker, place } = self.origins[place as usize];
        (worker != u32::MAX).then_some((worker, place))
    }

    /// A configuration with the most queues, if there is any.
    pub(crate) fn widest(&self) -> Option<Widest> {
        self.widest
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        let lists = self.origins.capacity() * 8 + self.fresh.capacity() * 16;
        let lists = lists + self.blocked.capacity() * 4 + self.level_prints.capacity() * 4;
        self.rows.bytes() + self.sent.bytes() + lists as u64
    }
}
