//! One search of a cluster: bound after bound, level after level, in step with all other workers.
//!
//! A level is two rounds. In the first, every worker takes the steps of its configurations and sends each
//! result to its owner. In the second, all tell all how things stand; so all decide the same.
//!
//! Parents stay with the owners. A run is put together by asking them one after the other.

mod ending;
mod runs;

use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

use qp_base::{Budget, Exhausted, Spent};
use qp_engines::Schedule;
use qp_machines::{Model, Property};

use crate::bytes::Garbled;
use crate::front::Front;
use crate::net::Net;
use crate::question::{Counts, Findings, Lost, Question, Tally};
use crate::shard::{Shard, Window};
use crate::status::{Status, Total};

/// Searches as one worker of a cluster. `tally` always says how far all of them have got.
pub fn conduct<N: Net>(
    net: N,
    model: &Model,
    question: &Question,
    budget: &Budget,
    tally: &Mutex<Tally>,
) -> Result<Findings, Lost> {
    let shard = Shard::new(model, net.index(), net.peers(), &question.properties);
    let findings = Findings { n_processes: net.peers(), ..Findings::default() };
    let schedule = question.schedule.within(model);
    Conduct { net, shard, question, schedule, budget, tally, findings, states_before: 0 }.run()
}

struct Conduct<'a, N> {
    net: N,
    shard: Shard,
    question: &'a Question,
    schedule: Schedule,
    budget: &'a Budget,
    tally: &'a Mutex<Tally>,
    findings: Findings,
    /// Configurations of all workers when the level began.
    states_before: u64,
}

/// How a search of one bound ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// Everything was visited.
    Through,
    /// There is nothing left to find.
    Enough,
    Spent(Exhausted),
}

/// Where a violation was met: fingerprint, worker, place.
type Found = (u64, u32, u32);

/// How many configurations are expanded before others are heard.
const BATCH: usize = 512;

impl<N: Net> Conduct<'_, N> {
    fn run(mut self) -> Result<Findings, Lost> {
        let mut front = Front::default();
        self.shard.begin(&mut front);
        let mut window = Window { bound: self.schedule.first, from: 0 };
        loop {
            self.budget.progress().bound.store(window.bound, Ordering::Relaxed);
            let mut found = vec![None; self.shard.watched.len()];
            let (total, end) = self.levels(&mut front, window, &mut found, false)?;
            let counts = counts(window.bound, &total);
            if let End::Spent(spent) = end {
                self.findings.spent = Some(spent);
            } else if end == End::Through {
                self.findings.tally.bounds.push(counts);
            }
            self.publish(counts);
            self.report(&front, window, &found, counts)?;
            let over = !total.sum.blocked && end == End::Through;
            self.findings.complete = over && !total.sum.gave_up;
            (self.findings.n_machines, self.findings.bytes) =
                (total.sum.n_machines, total.sum.bytes);
            let settled = self.is_settled() && !self.schedule.is_small(total.sum.states);
            let next = self.schedule.next(window.bound, over, settled);
            let Some(bound) = next.filter(|_| end == End::Through) else {
                return self.finish(&front, &total);
            };
            window = Window { bound, from: window.bound };
            front.stalls.clear();
        }
    }

    fn is_settled(&self) -> bool {
        let answered = |property: &Property| {
            self.findings.violations.iter().any(|violation| violation.property == *property)
        };
        self.question.properties.iter().all(answered)
    }

    /// Visits everything within the bound. `found` is where each watched property was first violated; with
    /// `once`, that is all that is wanted.
    fn levels(
        &mut self,
        front: &mut Front,
        window: Window,
        found: &mut [Option<Found>],
        once: bool,
    ) -> Result<(Total, End), Lost> {
        let mut level = window;
        loop {
            let mut places = front.next_level();
            if level.from > 0 {
                places = std::mem::take(&mut front.blocked);
            }
            let spent = self.expand(front, &places, level)?;
            let total = self.agree(front, spent)?;
            for &(number, print, worker, place) in &total.hits {
                let first = found.get_mut(number).ok_or_else(garbled)?;
                first.get_or_insert((print, worker, place));
            }
            if !once {
                self.publish(counts(window.bound, &total));
            }
            let open =
                |(number, &(_, open)): (usize, &(Property, bool))| open && found[number].is_none();
            let none_open = !self.shard.watched.iter().enumerate().any(open);
            let all_watched = self.question.properties.len() == self.shard.watched.len();
            let may_stop = all_watched && self.schedule.may_leave(total.sum.states);
            let asked = !self.shard.watched.is_empty();
            if let Some(spent) = total.sum.spent {
                return Ok((total, End::Spent(spent)));
            } else if none_open && asked && (once || may_stop) {
                return Ok((total, End::Enough));
            } else if total.sum.waiting == 0 {
                return Ok((total, End::Through));
            }
            level.from = 0;
        }
    }

    /// The first round of a level. Says which limit was met on the way, if one was.
    fn expand(
        &mut self,
        front: &mut Front,
        places: &[u32],
        window: Window,
    ) -> Result<Option<Exhausted>, Lost> {
        let before = front.rows.len() as u64;
        let mut spent = None;
        for batch in places.chunks(BATCH) {
            let too_wide = self.shard.expand(front, batch, window).is_err();
            for (to, packet) in self.shard.ready() {
                self.net.send(to, packet);
            }
            self.net.step();
            self.hear(front)?;
            let states = self.states_before + (front.rows.len() as u64 - before);
            let bytes = front.bytes() + self.shard.bytes();
            spent = self.budget.check(Spent { states, bytes }).err();
            // There is no room for it, however much memory there is.
            spent = spent.or(too_wide.then_some(Exhausted::Memory));
            if spent.is_some() {
                break;
            }
        }
        for (to, packet) in self.shard.rest() {
            self.net.send(to, packet);
        }
        self.net.end_round();
        while !self.net.is_settled() {
            self.hear(front)?;
            self.wait()?;
        }
        self.hear(front)?;
        Ok(spent)
    }

    /// Reads what has arrived in the first round of a level.
    fn hear(&mut self, front: &mut Front) -> Result<(), Lost> {
        for (from, packet) in self.net.take() {
            self.shard.receive(front, from, &packet).map_err(|_| says_nonsense(from))?;
        }
        Ok(())
    }

    /// The second round of a level: all tell all how things stand.
    fn agree(&mut self, front: &Front, spent: Option<Exhausted>) -> Result<Total, Lost> {
        let bytes = front.bytes() + self.shard.bytes();
        let mine = Status {
            states: front.rows.len() as u64,
            transitions: front.transitions,
            waiting: front.n_waiting() as u64,
            bytes,
            n_machines: front.n_machines,
            blocked: !front.blocked.is_empty(),
            gave_up: front.gave_up.is_some(),
            spent,
            hits: front.hits.clone(),
        };
        let read = |_: &mut Self, bytes: &[u8]| Status::read(bytes);
        let statuses = self.tell_all(&mine.write(), read)?;
        let mut total = Total::of(&statuses);
        self.states_before = total.sum.states;
        // The number of configurations is everybody's, so that all stop for the same reason.
        if total.sum.spent.is_none() && total.sum.states > self.budget.limits().states_max {
            total.sum.spent = Some(Exhausted::States);
        }
        Ok(total)
    }

    /// Tells all the same, and reads what each has said.
    fn tell_all<T>(
        &mut self,
        packet: &[u8],
        read: impl Fn(&mut Self, &[u8]) -> Result<T, Garbled>,
    ) -> Result<Vec<T>, Lost> {
        let n_peers = self.net.peers();
        for to in 0..n_peers {
            self.net.send(to, packet.to_vec());
        }
        self.net.end_round();
        let mut said: Vec<Option<T>> = (0..n_peers).map(|_| None).collect();
        loop {
            let settled = self.net.is_settled();
            for (from, packet) in self.net.take() {
                said[from] = Some(read(self, &packet).map_err(|_| says_nonsense(from))?);
            }
            if settled {
                break;
            }
            self.wait()?;
        }
        let silent = said.iter().position(Option::is_none);
        let said: Vec<T> = said.into_iter().flatten().collect();
        silent.map_or(Ok(said), |from| Err(says_nonsense(from)))
    }

    /// Waits for others. Everybody keeps the same limits, so nobody should be much later than this worker.
    fn wait(&mut self) -> Result<(), Lost> {
        let spent =
            Spent { states: self.states_before.min(self.budget.limits().states_max), bytes: 0 };
        let late = self.budget.check(spent).is_err();
        self.net.wait(late)
    }

    fn publish(&mut self, now: Counts) {
        self.findings.tally.now = now;
        let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        tally.clone_from(&self.findings.tally);
    }
}

fn counts(bound: u32, total: &Total) -> Counts {
    Counts { bound, states: total.sum.states, transitions: total.sum.transitions }
}

fn says_nonsense(from: usize) -> Lost {
    Lost(format!("process {from} sent something that is not understood here"))
}

fn garbled() -> Lost {
    Lost("a process sent something that is not understood here".to_owned())
}
