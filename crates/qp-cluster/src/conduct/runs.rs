//! Runs, put together by asking the owners of configurations one after the other.

use qp_machines::{MachineId, Property, Step};

use super::{Conduct, Found, garbled};
use crate::bytes::{Bytes, Garbled, put};
use crate::front::Front;
use crate::net::Net;
use crate::question::{Counts, Lost, Violation};
use crate::shard::Window;

impl<N: Net> Conduct<'_, N> {
    /// Turns where properties were first violated into shortest runs.
    pub(super) fn report(
        &mut self,
        front: &Front,
        window: Window,
        found: &[Option<Found>],
        counts: Counts,
    ) -> Result<(), Lost> {
        if found.iter().all(Option::is_none) {
            return Ok(());
        }
        // What shorter queues allow was visited first. So the way on which something was met need not be a
        // shortest one, unless this was the first bound: then a fresh search looks again.
        let mut again = (window.from > 0).then(Front::default);
        let mut met = vec![None; found.len()];
        if let Some(again) = &mut again {
            let wanted = found.iter().zip(&mut self.shard.watched);
            wanted.for_each(|(found, (_, open))| *open &= found.is_some());
            self.shard.begin(again);
            self.states_before = 0;
            let window = Window { from: 0, ..window };
            self.levels(again, window, &mut met, true)?;
            self.states_before = counts.states;
            let open =
                |property| !self.findings.violations.iter().any(|it| it.property == property);
            let watched = self.shard.watched.iter().map(|&(p, _)| (p, open(p))).collect();
            self.shard.watched = watched;
        }
        for (number, found) in found.iter().enumerate() {
            let Some(found) = *found else { continue };
            let (property, _) = self.shard.watched[number];
            let steps = match (&again, met[number]) {
                (Some(again), Some(met)) => self.run_to(again, met, Some(property))?,
                _ => self.run_to(front, found, Some(property))?,
            };
            self.findings.violations.push(Violation { property, steps, counts });
            self.shard.watched[number].1 = false;
        }
        Ok(())
    }

    /// The run to a configuration. Each owner tells the steps that it knows, whom to ask next, and the first
    /// configuration of its steps: who is asked next knows the step to it.
    pub(super) fn run_to(
        &mut self,
        front: &Front,
        (_, worker, place): Found,
        property: Option<Property>,
    ) -> Result<Vec<Step>, Lost> {
        let mut backwards: Vec<Step> = Vec::new();
        let (mut owner, mut place, mut after) = (worker as usize, place, None);
        loop {
            let mut packet = Vec::new();
            if owner == self.net.index() {
                let known = self.known_steps(front, place, after.as_deref(), property)?;
                known.write(&mut packet);
            }
            let told = self.tell_all(&packet, |_, bytes| Known::read(bytes))?;
            let known = told.into_iter().nth(owner).ok_or_else(garbled)?;
            backwards.extend(known.steps);
            let Some((worker, at)) = known.next else { break };
            (owner, place, after) = (worker as usize, at, Some(known.first));
        }
        backwards.reverse();
        Ok(backwards)
    }

    /// The steps through a place here, as far as they are known here. After it comes the configuration in
    /// the packet `after`, or nothing but what shows the violation.
    fn known_steps(
        &mut self,
        front: &Front,
        mut place: u32,
        after: Option<&[u8]>,
        property: Option<Property>,
    ) -> Result<Known, Lost> {
        let mut known = Known::default();
        if place as usize >= front.rows.len() {
            return Err(garbled());
        }
        let mut config = self.shard.stepper.config(front.rows.row(place));
        if let Some(after) = after {
            let after = self.shard.read_alone(after).map_err(|_| garbled())?;
            known.steps.push(self.shard.step(&config, &after).ok_or_else(garbled)?);
        } else if let Some(property) = property {
            known.steps.extend(self.shard.last_step(&config, property));
        }
        while let Some((worker, before)) = front.origin(place) {
            if worker as usize != self.net.index() {
                known.first = self.shard.alone(front.rows.row(place));
                known.next = Some((worker, before));
                break;
            }
            let earlier = self.shard.stepper.config(front.rows.row(before));
            known.steps.push(self.shard.step(&earlier, &config).ok_or_else(garbled)?);
            (place, config) = (before, earlier);
        }
        Ok(known)
    }
}

/// What a worker tells of a run. Who knows nothing of it tells nothing.
#[derive(Default)]
struct Known {
    /// Backwards.
    steps: Vec<Step>,
    /// Worker and place to ask next.
    next: Option<(u32, u32)>,
    /// The configuration to which that one knows the step, as a packet of its own.
    first: Vec<u8>,
}

impl Known {
    fn write(&self, packet: &mut Vec<u8>) {
        put(packet, self.steps.len() as u64);
        for step in &self.steps {
            put(packet, u64::from(step.machine.raw()));
            put(packet, u64::from(step.choice));
        }
        let (next, place) = self.next.map_or((0, 0), |(worker, place)| (worker + 1, place));
        put(packet, u64::from(next));
        put(packet, u64::from(place));
        packet.extend_from_slice(&self.first);
    }

    fn read(bytes: &[u8]) -> Result<Self, Garbled> {
        let mut known = Self::default();
        let mut bytes = Bytes(bytes);
        if bytes.is_empty() {
            return Ok(known);
        }
        for _ in 0..bytes.count()? {
            let machine = MachineId::from_raw(bytes.small()?);
            known.steps.push(Step { machine, choice: bytes.small()? });
        }
        let (next, place) = (bytes.small()?, bytes.small()?);
        known.next = next.checked_sub(1).map(|worker| (worker, place));
        known.first = bytes.0.to_vec();
        Ok(known)
    }
}
