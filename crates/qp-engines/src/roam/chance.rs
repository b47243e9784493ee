//! Random numbers that are the same everywhere: `SplitMix64`.

pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The numbers of one of many schedules: whoever draws it again draws the same ones.
    pub(super) fn of(seed: u64, number: u64) -> Self {
        let start = Self(seed).draw() ^ number;
        Self(Self(start).draw())
    }

    pub(super) fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub(super) fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "there is something to choose from");
        (self.draw() % n as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_draw_equal_numbers_and_all_of_them() {
        let draw = |seed| {
            let mut chance = Chance::new(seed);
            (0..100).map(|_| chance.below(5)).collect::<Vec<usize>>()
        };
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
        assert!((0..5).all(|number| draw(7).contains(&number)));
    }

    #[test]
    fn schedules_differ_by_seed_and_by_number() {
        let mut firsts = Vec::new();
        for (seed, number) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 1), (1, 2)] {
            firsts.push(Chance::of(seed, number).draw());
        }
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), 6);
    }
}
