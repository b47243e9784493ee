//! What a search needs of whatever carries its packets.

use crate::question::Lost;

/// Carries packets between workers, round by round.
///
/// Packets from one worker to another arrive in the order in which they were sent.
pub trait Net {
    /// The number of this worker.
    fn index(&self) -> usize;

    /// How many workers there are.
    fn peers(&self) -> usize;

    /// Sends a packet in the round under way; to this worker itself, too.
    fn send(&mut self, to: usize, packet: Vec<u8>);

    /// Says that this worker has sent everything of the round under way.
    fn end_round(&mut self);

    /// Whether everything that anybody has sent in the round has arrived. The next round begins with the first
    /// yes.
    fn is_settled(&mut self) -> bool;

    /// What has arrived and belongs to the round under way, or to the one that has just settled: sender and
    /// packet.
    fn take(&mut self) -> Vec<(usize, Vec<u8>)>;

    /// Lets others go on while there is work here.
    fn step(&mut self);

    /// Waits a moment for others. With `late`, they should have been heard of already.
    fn wait(&mut self, late: bool) -> Result<(), Lost>;
}

/// The net of a worker that is alone.
#[derive(Default)]
pub struct Alone {
    arrived: Vec<(usize, Vec<u8>)>,
}

impl Net for Alone {
    fn index(&self) -> usize {
        0
    }

    fn peers(&self) -> usize {
        1
    }

    fn send(&mut self, _: usize, packet: Vec<u8>) {
        self.arrived.push((0, packet));
    }

    fn end_round(&mut self) {}

    fn is_settled(&mut self) -> bool {
        true
    }

    fn take(&mut self) -> Vec<(usize, Vec<u8>)> {
        std::mem::take(&mut self.arrived)
    }

    fn step(&mut self) {}

    fn wait(&mut self, _: bool) -> Result<(), Lost> {
        Ok(())
    }
}
