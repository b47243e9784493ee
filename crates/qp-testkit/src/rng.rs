//! Random numbers that are the same everywhere: `SplitMix64`.

/// A stream of numbers; equal seeds give equal streams.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "there is something to choose from");
        (self.draw() % n as u64) as usize
    }

    /// Whether something happens that happens so often out of a hundred times.
    pub fn percent(&mut self, often: usize) -> bool {
        self.below(100) < often
    }
}
