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

    /// The run to a configuration. Each owner tells the steps that it knows, and whom to ask next.
    pub(super) fn run_to(
        &mut self,
        front: &Front,
        (_, worker, place): Found,
        property: Option<Property>,
    ) -> Result<Vec<Step>, Lost> {
        let mut backwards: Vec<Step> = Vec::new();
        let (mut owner, mut place, mut first) = (worker as usize, place, true);
        loop {
            let mut packet = Vec::new();
            if owner == self.net.index() {
                let (steps, next) = self.known_steps(front, place, property.filter(|_| first))?;
                put(&mut packet, steps.len() as u64);
                for step in steps {
                    put(&mut packet, u64::from(step.machine.raw()));
                    put(&mut packet, u64::from(step.choice));
                }
                let (next, place) = next.map_or((0, 0), |(worker, place)| (worker + 1, place));
                put(&mut packet, u64::from(next));
                put(&mut packet, u64::from(place));
            }
            let told = self.tell_all(&packet, |_, bytes| read_steps(bytes))?;
            let (steps, next) = told.into_iter().nth(owner).ok_or_else(garbled)?;
            backwards.extend(steps);
            let Some((worker, at)) = next else { break };
            (owner, place, first) = (worker as usize, at, false);
        }
        backwards.reverse();
        Ok(backwards)
    }

    /// The steps to a place here, backwards, as far as they are known here.
    #[expect(clippy::type_complexity, reason = "steps, and worker and place to ask next")]
    fn known_steps(
        &mut self,
        front: &Front,
        mut place: u32,
        property: Option<Property>,
    ) -> Result<(Vec<Step>, Option<(u32, u32)>), Lost> {
        let mut steps = Vec::new();
        if place as usize >= front.rows.len() {
            return Err(garbled());
        }
        if let Some(property) = property {
            let config = self.shard.shapes.config(front.rows.row(place));
            steps.extend(self.shard.last_step(&config, property));
        }
        while let Some((step, worker, before)) = front.origin(place) {
            steps.push(step);
            if worker as usize != self.net.index() {
                return Ok((steps, Some((worker, before))));
            }
            place = before;
        }
        Ok((steps, None))
    }
}

/// What a worker tells of a run: steps, backwards, and worker and place to ask next. Who knows nothing of it
/// tells nothing.
#[expect(clippy::type_complexity, reason = "steps, and worker and place to ask next")]
fn read_steps(bytes: &[u8]) -> Result<(Vec<Step>, Option<(u32, u32)>), Garbled> {
    let mut bytes = Bytes(bytes);
    let mut steps = Vec::new();
    if bytes.is_empty() {
        return Ok((steps, None));
    }
    for _ in 0..bytes.count()? {
        let machine = MachineId::from_raw(bytes.small()?);
        steps.push(Step { machine, choice: bytes.small()? });
    }
    let (next, place) = (bytes.small()?, bytes.small()?);
    Ok((steps, next.checked_sub(1).map(|worker| (worker, place))))
}
