//! From where each configuration was first reached.

/// For each place in order of discovery: the place from which it was found.
///
/// Configurations are expanded in order, so these numbers only ever rise, by one on average, except where a
/// search goes back to resume what a smaller bound has cut. So a byte for each says how much it rises.
#[derive(Debug, Default)]
pub(crate) struct Parents {
    rises: Vec<u8>,
    /// Every [`STRIDE`]th number in full: where counting begins.
    anchors: Vec<u32>,
    /// What does not fit a byte: the place and the number in full.
    leaps: Vec<(u32, u32)>,
    last: u32,
}

const STRIDE: usize = 64;
const LEAP: u8 = u8::MAX;

impl Parents {
    pub(crate) fn push(&mut self, parent: u32) {
        let place = self.rises.len();
        let rise = parent.checked_sub(self.last).and_then(|rise| u8::try_from(rise).ok());
        let rise = if place.is_multiple_of(STRIDE) {
            self.anchors.push(parent);
            0
        } else {
            rise.filter(|&rise| rise != LEAP).unwrap_or_else(|| {
                self.leaps.push((place as u32, parent));
                LEAP
            })
        };
        self.rises.push(rise);
        self.last = parent;
    }

    pub(crate) fn reserve(&mut self, more: usize) {
        super::visited::reserve(&mut self.rises, more);
    }

    pub(crate) fn get(&self, place: u32) -> u32 {
        let anchor = place as usize / STRIDE;
        let mut parent = self.anchors[anchor];
        for near in anchor * STRIDE + 1..=place as usize {
            parent = match self.rises[near] {
                LEAP => {
                    let leap = self.leaps.binary_search_by_key(&(near as u32), |leap| leap.0);
                    self.leaps[leap.expect("what does not fit is kept apart")].1
                }
                rise => parent + u32::from(rise),
            };
        }
        parent
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.rises.len() + self.anchors.len() * 4 + self.leaps.len() * 8) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_great_rises_and_falls_are_remembered() {
        let mut given: Vec<u32> = (0..1000).map(|i| i * i / 7).collect();
        given.extend([254, 508, 763, 1018, 1272, 4_000_000_000, 5, 5, 5]);
        given.extend((0..300).map(|i| i / 3));
        let mut parents = Parents::default();
        for &parent in &given {
            parents.push(parent);
        }
        let got: Vec<u32> = (0..given.len() as u32).map(|place| parents.get(place)).collect();
        assert_eq!(got, given);
        assert!(parents.bytes() < given.len() as u64 * 9);
    }
}
