//! The part of the search that one worker does: it owns the configurations whose fingerprints are its own.

use qp_machines::{
    Bad, Config, Event, Model, Outcome, Program, Property, QueueId, Step, System, WordId,
};

use crate::bytes::Garbled;
use crate::front::Front;
use crate::prints::Prints;
use crate::rows::Shapes;
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
    pub(crate) system: System,
    pub(crate) shapes: Shapes,
    prints: Prints,
    writer: Writer,
    readers: Vec<Reader>,
    index: usize,
    peers: usize,
    bad: Vec<Bad>,
    /// What is looked for, and whether it still is.
    pub(crate) watched: Vec<(Property, bool)>,
    /// Packets that are ready to be sent.
    ready: Vec<(usize, Vec<u8>)>,
    row: Vec<u32>,
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
        Self {
            system: model.system(),
            shapes: Shapes::default(),
            prints: Prints::default(),
            writer: Writer::new(peers),
            readers: (0..peers).map(|_| Reader::default()).collect(),
            index,
            peers,
            bad: model.outline().bad.clone(),
            watched: properties.iter().filter(single).map(|&property| (property, true)).collect(),
            ready: Vec::new(),
            row: Vec::new(),
        }
    }

    /// Puts the initial configuration where it belongs.
    pub(crate) fn begin(&mut self, front: &mut Front) {
        let initial = self.system.initial();
        self.shapes.write(&initial, &mut self.row);
        let print = self.print();
        if self.owner(print) == self.index {
            front.add(&self.system, &self.shapes, &self.row, print, Front::NOWHERE);
        }
    }

    /// Visits the steps of one configuration.
    pub(crate) fn expand(&mut self, front: &mut Front, place: u32, window: Window) {
        let config = self.shapes.config(front.rows.row(place));
        self.row.clear();
        self.row.extend_from_slice(front.rows.row(place));
        let print = self.print();
        let outcomes = self.system.successors(&config);
        let can_step = !outcomes.is_empty();
        let (mut cut, mut failures) = (false, Vec::new());
        for outcome in outcomes {
            match self.admit(&config, &outcome, window) {
                Admit::Yes => {
                    let worker = self.index as u32;
                    let origin = Origin { print: print as u32, step: outcome.step, worker, place };
                    front.transitions += 1;
                    self.offer(front, &outcome.config, origin);
                }
                Admit::Cut(queues) => {
                    cut = true;
                    front.stalls.extend(queues);
                }
                Admit::Fails(property) => failures.push(property),
                Admit::GivesUp => {
                    front.gave_up.get_or_insert(place);
                }
                Admit::No => {}
            }
        }
        if cut {
            front.blocked.push(place);
        }
        if window.from == 0 {
            for number in 0..self.watched.len() {
                if self.violates(number, &config, can_step, &failures) {
                    front.hit(number, print, place);
                }
            }
        }
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
        let prints = &mut self.prints;
        let known = (&mut self.system, &mut self.shapes);
        self.readers[from].read(known, from as u32, packet, |system, shapes, row, origin| {
            let print = prints.of(system, &shapes.cells(row));
            front.add(system, shapes, row, print, origin);
        })
    }

    /// Writes everything that was visited for one worker.
    pub(crate) fn hand_over(&mut self, front: &Front, to: usize) -> Vec<(usize, Vec<u8>)> {
        let mut packets = Vec::new();
        for place in 0..front.rows.len() as u32 {
            let known = (&self.system, &self.shapes);
            let length = self.writer.state(known, to, front.rows.row(place), Front::NOWHERE);
            if length > PACKET {
                packets.extend(self.writer.take(to).map(|packet| (to, packet)));
            }
        }
        packets.extend(self.writer.take(to).map(|packet| (to, packet)));
        packets
    }

    /// The fingerprint of a row.
    pub(crate) fn print_of(&mut self, row: &[u32]) -> u64 {
        self.prints.of(&self.system, &self.shapes.cells(row))
    }

    /// The step into a failure that shows a violation, where there is no violation without it.
    pub(crate) fn last_step(&mut self, config: &Config, property: Property) -> Option<Step> {
        let here = match property {
            Property::Assert | Property::Divergence => false,
            Property::Unhandled => self.is_at_a_loss(config),
            _ => true,
        };
        if here {
            return None;
        }
        let outcomes = self.system.successors(config);
        let violates = |outcome: &&Outcome| match outcome.event {
            Event::Failed { failure } => {
                self.system.program().failure(failure).property == property
            }
            _ => false,
        };
        outcomes.iter().find(violates).map(|outcome| outcome.step)
    }

    /// Why the interpreter gave up in a configuration, if it did.
    pub(crate) fn why(&mut self, config: &Config) -> Option<qp_machines::Failure> {
        let why = self.system.successors(config).into_iter().find_map(|it| match it.event {
            Event::GaveUp { why } => Some(why),
            _ => None,
        });
        why.map(|why| self.system.program().failure(why))
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        // A content takes a node, an entry in a table and its fingerprint.
        let contents = self.system.words().count() as u64 * 64;
        let readers: u64 = self.readers.iter().map(Reader::bytes).sum();
        contents + self.writer.bytes() + readers
    }

    fn print(&mut self) -> u64 {
        self.prints.of(&self.system, &self.shapes.cells(&self.row))
    }

    fn owner(&self, print: u64) -> usize {
        (print % self.peers as u64) as usize
    }

    /// Brings a configuration to its owner.
    fn offer(&mut self, front: &mut Front, config: &Config, origin: Origin) {
        self.shapes.write(config, &mut self.row);
        let print = self.print();
        let owner = self.owner(print);
        if owner == self.index {
            front.add(&self.system, &self.shapes, &self.row, print, origin);
        } else if front.is_not_sent(&self.row) {
            let known = (&self.system, &self.shapes);
            if self.writer.state(known, owner, &self.row, origin) > PACKET {
                self.ready.extend(self.writer.take(owner).map(|packet| (owner, packet)));
            }
        }
    }

    fn violates(
        &mut self,
        number: usize,
        config: &Config,
        can_step: bool,
        failures: &[Property],
    ) -> bool {
        let (property, open) = self.watched[number];
        let program = self.system.program();
        open && match property {
            Property::Assert | Property::Divergence => failures.contains(&property),
            Property::Unhandled => failures.contains(&property) || self.is_at_a_loss(config),
            Property::Deadlock => {
                !can_step && !config.machines().all(|m| program.may_rest(m, config.local(m)))
            }
            Property::Reach(number) => self.bad[number].holds(&self.system, config),
            _ => false,
        }
    }

    fn is_at_a_loss(&mut self, config: &Config) -> bool {
        config.machines().any(|machine| self.system.unhandled(config, machine).is_some())
    }

    fn admit(&self, config: &Config, outcome: &Outcome, window: Window) -> Admit {
        let program: &dyn Program = self.system.program();
        match outcome.event {
            Event::Failed { failure } => Admit::Fails(program.failure(failure).property),
            Event::GaveUp { .. } => Admit::GivesUp,
            _ if program.outline().whole => self.admit_turn(config, &outcome.config, window),
            Event::Sent { queue, .. } => {
                let length = self.length(config.word(queue));
                if length < window.from {
                    Admit::No
                } else if length >= window.bound {
                    Admit::Cut(vec![queue])
                } else {
                    Admit::Yes
                }
            }
            _ if window.from > 0 => Admit::No,
            _ => Admit::Yes,
        }
    }

    /// A turn may put messages into several queues: the one that gets longest counts.
    fn admit_turn(&self, before: &Config, after: &Config, window: Window) -> Admit {
        let length = |config: &Config, queue: QueueId| {
            config.words.get(queue.index()).map_or(0, |&word| self.length(word))
        };
        let mut grown: Vec<QueueId> =
            after.queues().filter(|&queue| length(after, queue) > length(before, queue)).collect();
        let longest = grown.iter().map(|&queue| length(after, queue)).max().unwrap_or(0);
        if longest > window.bound {
            grown.retain(|&queue| length(after, queue) > window.bound);
            Admit::Cut(grown)
        } else if longest > window.from || window.from == 0 {
            Admit::Yes
        } else {
            Admit::No
        }
    }

    fn length(&self, word: WordId) -> u32 {
        self.system.words().len(word) as u32
    }
}

/// What becomes of a step.
enum Admit {
    Yes,
    No,
    Cut(Vec<QueueId>),
    Fails(Property),
    GivesUp,
}
