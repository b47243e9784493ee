//! The part of the search that one worker does: it owns the configurations whose fingerprints are its own.

use qp_engines::{Piece, Stepper, Steps, TooWide};
use qp_machines::{Bad, Config, Event, Failure, Model, Outcome, Property, Step};

use crate::bytes::Garbled;
use crate::front::Front;
use crate::prints::Prints;
use crate::rows::trimmed;
use crate::wire::{Origin, Reader, Writer};

/// Packets are sent when they are longer than this: large enough to be worth sending, small enough for
/// others to begin early.
const PACKET: usize = 1 << 15;

/// How long queues may get.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    /// Sends to queues that hold this many messages are cut.
    pub(crate) bound: u32,
    /// Only what the bound before has cut is taken; 0 if everything is.
    pub(crate) from: u32,
}

/// What one worker knows apart from what it has visited.
pub(crate) struct Shard {
    pub(crate) stepper: Stepper,
    pub(crate) prints: Prints,
    writer: Writer,
    readers: Vec<Reader>,
    index: usize,
    peers: usize,
    bad: Vec<Bad>,
    /// What is looked for, and whether it still is.
    pub(crate) watched: Vec<(Property, bool)>,
    /// For each bit of the stepper: the number of the property in `watched`.
    bits: Vec<usize>,
    /// Bad situations for which the stepper has no bits.
    unmarked: Vec<(usize, usize)>,
    /// Packets that are ready to be sent.
    ready: Vec<(usize, Vec<u8>)>,
    steps: Steps,
}

impl Shard {
    pub(crate) fn new(model: &Model, index: usize, peers: usize, properties: &[Property]) -> Self {
        let single = |property: &&Property| {
            matches!(
                property,
                Property::Assert
                    | Property::Unhandled
                    | Property::Deadlock
                    | Property::Divergence
                    | Property::Reach(_)
            )
        };
        let asked: Vec<Property> = properties.iter().filter(single).copied().collect();
        let mut stepper = Stepper::new(model, &asked);
        let mut prints = Prints::default();
        prints.learn(&mut stepper);
        let number = |property: &Property| asked.iter().position(|other| other == property);
        let bits = stepper.watched().iter().filter_map(number).collect();
        let unmarked = asked.iter().enumerate().filter_map(|(number, property)| match *property {
            Property::Reach(bad) if !stepper.watched().contains(property) => Some((number, bad)),
            _ => None,
        });
        Self {
            bits,
            unmarked: unmarked.collect(),
            stepper,
            prints,
            writer: Writer::new(peers),
            readers: (0..peers).map(|_| Reader::default()).collect(),
            index,
            peers,
            bad: model.outline().bad.clone(),
            watched: asked.into_iter().map(|property| (property, true)).collect(),
            ready: Vec::new(),
            steps: Steps::default(),
        }
    }

    /// Puts the initial configuration where it belongs.
    pub(crate) fn begin(&mut self, front: &mut Front) {
        let print = self.prints.of(&[]);
        if self.owner(print) == self.index {
            front.add(&self.prints, &[], print, Front::NOWHERE);
        }
    }

    /// Visits the steps of some configurations.
    pub(crate) fn expand(
        &mut self,
        front: &mut Front,
        places: &[u32],
        window: Window,
    ) -> Result<(), TooWide> {
        let rows = places.iter().map(|&place| front.rows.row(place));
        self.stepper.expand(rows, (window.bound, window.from), &mut self.steps)?;
        self.prints.learn(&mut self.stepper);
        let print = |&place: &u32| self.prints.of(front.rows.row(place));
        let prints: Vec<u64> = places.iter().map(print).collect();
        let steps = std::mem::take(&mut self.steps);
        front.transitions += steps.from.len() as u64;
        for (row, &from) in steps.rows.chunks_exact(steps.width.max(1)).zip(&steps.from) {
            let (place, before) = (places[from as usize], prints[from as usize]);
            let print = self.prints.after(before, front.rows.row(place), row);
            let origin = Origin { print: before as u32, worker: self.index as u32, place };
            self.offer(front, trimmed(row), print, origin);
        }
        front.blocked.extend(steps.cut.iter().map(|&from| places[from as usize]));
        front.stalls.extend(&steps.stalled);
        if let Some(&from) = steps.gave_up.first() {
            front.gave_up.get_or_insert(places[from as usize]);
        }
        for &(from, bits) in &steps.violating {
            let (place, print) = (places[from as usize], prints[from as usize]);
            for (bit, &number) in self.bits.iter().enumerate() {
                if bits >> bit & 1 == 1 && self.watched[number].1 {
                    front.hit(number, print, place);
                }
            }
        }
        self.steps = steps;
        if window.from == 0 && !self.unmarked.is_empty() {
            self.look_for_bad(front, places, &prints);
        }
        Ok(())
    }

    /// Packets that are large enough to be sent.
    pub(crate) fn ready(&mut self) -> Vec<(usize, Vec<u8>)> {
        std::mem::take(&mut self.ready)
    }

    /// All packets, large or not.
    pub(crate) fn rest(&mut self) -> Vec<(usize, Vec<u8>)> {
        let mut packets = self.ready();
        for to in 0..self.peers {
            packets.extend(self.writer.take(to).map(|packet| (to, packet)));
        }
        packets
    }

    /// Reads a packet of configurations that this worker owns.
    pub(crate) fn receive(
        &mut self,
        front: &mut Front,
        from: usize,
        packet: &[u8],
    ) -> Result<(), Garbled> {
        let arrived = self.readers[from].read(&mut self.stepper, from as u32, packet)?;
        self.prints.learn(&mut self.stepper);
        for (row, origin) in arrived.rows() {
            if !self.prints.is_sound(row) {
                return Err(Garbled);
            }
            front.add(&self.prints, row, self.prints.of(row), origin);
        }
        Ok(())
    }

    /// Writes everything that was visited for one worker.
    pub(crate) fn hand_over(&mut self, front: &Front, to: usize) -> Vec<(usize, Vec<u8>)> {
        let mut packets = Vec::new();
        for place in 0..front.rows.len() as u32 {
            let row = front.rows.row(place);
            let length = self.writer.state(&mut self.stepper, to, row, Front::NOWHERE);
            if length > PACKET {
                packets.extend(self.writer.take(to).map(|packet| (to, packet)));
            }
        }
        packets.extend(self.writer.take(to).map(|packet| (to, packet)));
        packets
    }

    /// A configuration as a packet that anybody can read, whatever was read before.
    pub(crate) fn alone(&mut self, row: &[u32]) -> Vec<u8> {
        let mut writer = Writer::new(1);
        writer.state(&mut self.stepper, 0, row, Front::NOWHERE);
        writer.take(0).unwrap_or_default()
    }

    /// The configuration in a packet of [`Shard::alone`].
    pub(crate) fn read_alone(&mut self, packet: &[u8]) -> Result<Config, Garbled> {
        let arrived = Reader::default().read(&mut self.stepper, 0, packet)?;
        self.prints.learn(&mut self.stepper);
        let (row, _) = arrived.rows().next().ok_or(Garbled)?;
        if !self.prints.is_sound(row) {
            return Err(Garbled);
        }
        Ok(self.stepper.config(row))
    }

    /// The step from one configuration to another, if there is one.
    pub(crate) fn step(&mut self, before: &Config, after: &Config) -> Option<Step> {
        let leads = |outcome: &Outcome| {
            let ends = matches!(outcome.event, Event::Failed { .. } | Event::GaveUp { .. });
            outcome.config == *after && !ends
        };
        let outcomes = self.stepper.system().successors(before);
        outcomes.into_iter().find(leads).map(|outcome| outcome.step)
    }

    /// The step into a failure that shows a violation, where there is no violation without it.
    pub(crate) fn last_step(&mut self, config: &Config, property: Property) -> Option<Step> {
        let system = self.stepper.system();
        let here = match property {
            Property::Assert | Property::Divergence => false,
            Property::Unhandled => {
                config.machines().any(|machine| system.unhandled(config, machine).is_some())
            }
            _ => true,
        };
        if here {
            return None;
        }
        let outcomes = system.successors(config);
        let violates = |outcome: &&Outcome| match outcome.event {
            Event::Failed { failure } => system.program().failure(failure).property == property,
            _ => false,
        };
        outcomes.iter().find(violates).map(|outcome| outcome.step)
    }

    /// Why the interpreter gave up in a configuration, if it did.
    pub(crate) fn why(&mut self, config: &Config) -> Option<Failure> {
        let system = self.stepper.system();
        let why = system.successors(config).into_iter().find_map(|it| match it.event {
            Event::GaveUp { why } => Some(why),
            _ => None,
        });
        why.map(|why| system.program().failure(why))
    }

    /// For each queue: the greatest length in any configuration that was visited.
    pub(crate) fn longest(&mut self, front: &Front) -> Vec<u32> {
        let counts = self.stepper.counts();
        let mut met: Vec<Vec<bool>> = counts.iter().map(|&count| vec![false; count]).collect();
        for place in 0..front.rows.len() as u32 {
            let row = front.rows.row(place);
            for (part, met) in met.iter_mut().enumerate() {
                met[row.get(part).map_or(0, |&value| value as usize)] = true;
            }
        }
        let mut longest = Vec::new();
        for (part, met) in met.iter().enumerate() {
            for value in (0..met.len()).filter(|&value| met[value]) {
                for piece in self.stepper.pieces(part, value as u32) {
                    let Piece::Queue(queue, _, word) = piece else { continue };
                    if longest.len() <= queue.index() {
                        longest.resize(queue.index() + 1, 0);
                    }
                    let length = self.stepper.system().words().len(word) as u32;
                    longest[queue.index()] = length.max(longest[queue.index()]);
                }
            }
        }
        longest
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        let readers: u64 = self.readers.iter().map(Reader::bytes).sum();
        self.stepper.bytes() + self.prints.bytes() + self.writer.bytes() + readers
    }

    fn owner(&self, print: u64) -> usize {
        (print % self.peers as u64) as usize
    }

    /// Brings a configuration to its owner.
    fn offer(&mut self, front: &mut Front, row: &[u32], print: u64, origin: Origin) {
        let owner = self.owner(print);
        if owner == self.index {
            front.add(&self.prints, row, print, origin);
        } else if front.is_not_sent(row)
            && self.writer.state(&mut self.stepper, owner, row, origin) > PACKET
        {
            self.ready.extend(self.writer.take(owner).map(|packet| (owner, packet)));
        }
    }

    /// Looks for bad situations that the stepper does not watch.
    fn look_for_bad(&mut self, front: &mut Front, places: &[u32], prints: &[u64]) {
        for (&place, &print) in places.iter().zip(prints) {
            let config = self.stepper.config(front.rows.row(place));
            for &(number, bad) in &self.unmarked {
                if self.watched[number].1 && self.bad[bad].holds(self.stepper.system(), &config) {
                    front.hit(number, print, place);
                }
            }
        }
    }
}
