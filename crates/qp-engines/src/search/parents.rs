//! From where each configuration was first reached.
//!
//! Configurations are expanded in order, so the parent of the next one that is discovered is nearly always the same or a
//! little later: half a byte says how much. Where it is not, nine halves do. Every so often the parent itself is noted,
//! so that nobody has to read from the beginning. That makes less than a byte for each, where a plain number takes four.

/// How many parents are read at most to find one.
const STRIDE: usize = 64;
/// The half that says that the parent itself follows, in eight halves.
const WHOLE: u8 = 15;

/// The parents of configurations, in order of discovery.
#[derive(Default)]
pub(crate) struct Parents {
    /// Differences, two in each byte.
    halves: Vec<u8>,
    n_halves: usize,
    /// For each stride: the parent before its first one.
    before: Vec<u32>,
    /// For each stride: where its differences begin.
    starts: Vec<usize>,
    len: usize,
    last: u32,
}

impl Parents {
    /// Adds the parent of the next configuration.
    pub(crate) fn push(&mut self, parent: u32) {
        if self.len.is_multiple_of(STRIDE) {
            self.before.push(self.last);
            self.starts.push(self.n_halves);
        }
        match parent.checked_sub(self.last) {
            Some(more) if more < u32::from(WHOLE) => self.put(more as u8),
            _ => {
                self.put(WHOLE);
                (0..8).for_each(|number| self.put((parent >> (4 * number)) as u8 & 15));
            }
        }
        self.last = parent;
        self.len += 1;
    }

    fn put(&mut self, half: u8) {
        if self.n_halves.is_multiple_of(2) {
            self.halves.push(half);
        } else if let Some(byte) = self.halves.last_mut() {
            *byte |= half << 4;
        }
        self.n_halves += 1;
    }

    /// The parent of the configuration with this number, which must be there.
    pub(crate) fn get(&self, number: u32) -> u32 {
        let number = number as usize;
        let (mut parent, mut at) = (self.before[number / STRIDE], self.starts[number / STRIDE]);
        let mut next = || {
            let half = self.halves[at / 2] >> (4 * (at % 2)) & 15;
            at += 1;
            half
        };
        for _ in 0..=number % STRIDE {
            parent = match next() {
                WHOLE => {
                    (0..8).fold(0, |parent, number| parent | u32::from(next()) << (4 * number))
                }
                more => parent + u32::from(more),
            };
        }
        parent
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        (self.halves.len() + self.before.len() * 12) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_is_found_again() {
        // Small steps, steps that just fit and just do not, long ones, and back to the beginning.
        let steps = [0, 1, 0, 3, 14, 15, 0, 16, 1000, 70_000, 2];
        let mut all = vec![0];
        for round in 0..200_u32 {
            let last = if round % 50 == 49 { 0 } else { all[all.len() - 1] };
            all.push(last + steps[round as usize % steps.len()]);
        }
        all.push(u32::MAX);
        let mut parents = Parents::default();
        for &parent in &all {
            parents.push(parent);
        }
        for (number, &parent) in all.iter().enumerate() {
            assert_eq!(parents.get(number as u32), parent, "number {number}");
        }
    }

    #[test]
    fn neighbours_take_less_than_a_byte() {
        let mut parents = Parents::default();
        (0..64_000).for_each(|number| parents.push(number / 3));
        assert_eq!(parents.bytes(), 64_000 / 2 + 1_000 * 12);
    }
}
