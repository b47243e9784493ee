//! What workers tell each other between levels, and what it comes to.

use qp_base::Exhausted;

use crate::bytes::{Bytes, Garbled, put};

/// How things stand with one worker.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Status {
    pub(crate) states: u64,
    pub(crate) transitions: u64,
    /// How many configurations the next level has.
    pub(crate) waiting: u64,
    pub(crate) bytes: u64,
    pub(crate) n_machines: u32,
    /// Whether a send was cut.
    pub(crate) blocked: bool,
    /// Whether the interpreter gave up somewhere.
    pub(crate) gave_up: bool,
    pub(crate) spent: Option<Exhausted>,
    /// What was violated in this level: number of the property, fingerprint, place.
    pub(crate) hits: Vec<(usize, u64, u32)>,
}

impl Status {
    pub(crate) fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let flags = u64::from(self.blocked) | u64::from(self.gave_up) << 1;
        let spent = self.spent.map_or(0, |spent| 1 + rank(spent) as u64);
        for number in [self.states, self.transitions, self.waiting, self.bytes] {
            put(&mut bytes, number);
        }
        for number in [u64::from(self.n_machines), flags, spent, self.hits.len() as u64] {
            put(&mut bytes, number);
        }
        for &(number, print, place) in &self.hits {
            put(&mut bytes, number as u64);
            put(&mut bytes, print);
            put(&mut bytes, u64::from(place));
        }
        bytes
    }

    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Garbled> {
        let mut bytes = Bytes(bytes);
        let mut status = Self {
            states: bytes.number()?,
            transitions: bytes.number()?,
            waiting: bytes.number()?,
            bytes: bytes.number()?,
            n_machines: bytes.small()?,
            ..Self::default()
        };
        let flags = bytes.number()?;
        (status.blocked, status.gave_up) = (flags & 1 == 1, flags & 2 == 2);
        status.spent = match bytes.number()?.checked_sub(1) {
            None => None,
            Some(rank) => Some(*RANKED.get(rank as usize).ok_or(Garbled)?),
        };
        for _ in 0..bytes.count()? {
            status.hits.push((bytes.count()?, bytes.number()?, bytes.small()?));
        }
        if bytes.is_empty() { Ok(status) } else { Err(Garbled) }
    }
}

/// Limits in the order in which they are told if several processes met different ones.
const RANKED: [Exhausted; 4] =
    [Exhausted::States, Exhausted::Memory, Exhausted::Time, Exhausted::Cancelled];

fn rank(spent: Exhausted) -> usize {
    RANKED.iter().position(|&it| it == spent).expect("every limit has a rank")
}

/// How things stand with all workers together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Total {
    /// The sums; of limits the last one counts. Its hits are not used.
    pub(crate) sum: Status,
    /// What was violated in this level: number of the property, fingerprint, worker, place; the least of each.
    pub(crate) hits: Vec<(usize, u64, u32, u32)>,
}

impl Total {
    /// What the statuses of all workers come to.
    pub(crate) fn of(statuses: &[Status]) -> Self {
        let mut total = Self::default();
        for (worker, status) in statuses.iter().enumerate() {
            let sum = &mut total.sum;
            sum.states += status.states;
            sum.transitions += status.transitions;
            sum.waiting += status.waiting;
            sum.bytes += status.bytes;
            sum.n_machines = sum.n_machines.max(status.n_machines);
            sum.blocked |= status.blocked;
            sum.gave_up |= status.gave_up;
            sum.spent = [sum.spent, status.spent].into_iter().flatten().max_by_key(|&it| rank(it));
            for &(number, print, place) in &status.hits {
                total.hits.push((number, print, worker as u32, place));
            }
        }
        total.hits.sort_unstable();
        total.hits.dedup_by_key(|hit| hit.0);
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one() -> Status {
        Status {
            states: 300,
            transitions: 1000,
            waiting: 7,
            bytes: 1 << 40,
            n_machines: 5,
            blocked: true,
            gave_up: false,
            spent: Some(Exhausted::Memory),
            hits: vec![(0, u64::MAX, 12), (2, 3, 4)],
        }
    }

    #[test]
    fn a_status_is_read_as_it_was_written() {
        for status in [Status::default(), one(), Status { gave_up: true, spent: None, ..one() }] {
            assert_eq!(Status::read(&status.write()), Ok(status));
        }
        let bytes = one().write();
        for end in 0..bytes.len() {
            assert_eq!(Status::read(&bytes[..end]), Err(Garbled), "{end}");
        }
    }

    #[test]
    fn of_several_hits_the_least_fingerprint_counts() {
        let other = Status { hits: vec![(0, 5, 1)], spent: None, ..one() };
        let total = Total::of(&[one(), other]);
        assert_eq!(total.hits, [(0, 5, 1, 1), (2, 3, 0, 4)]);
        assert_eq!((total.sum.states, total.sum.spent), (600, Some(Exhausted::Memory)));
    }
}
