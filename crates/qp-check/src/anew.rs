//! A complete search, checked by searching again.
//!
//! The evidence is nothing but the claim that so many configurations are all there are. The referee begins at the
//! beginning, asks the one step function, and keeps what it has met in a set of its own. It shares no code with the
//! search that it checks. Why this is enough, and what it costs: `docs/decisions/011-searching-again.md`.

mod eventually;
mod expand;
mod memo;
mod parts;
mod set;

use std::ops::Range;

use qp_base::Exhausted;
use qp_machines::{Config, Property, System};

use crate::cover::Cover;
use crate::faults::Finding;
use crate::invariant::{self, Question};
use crate::{Checked, Refusal, wrong};
use expand::{BadCases, Expander, Facts, Output, bad_cases, note_truth};
use memo::{Memo, SIZE_MAX};
use parts::Parts;
use set::{Place, SHARDS, Set, hash};

/// So many rows are expanded before their successors are put into the set.
const BATCH: usize = 1 << 17;
/// Threads are not worth starting for fewer rows.
const FEW: usize = 1 << 12;
/// What cannot fit into the memory that there may be is looked at so far, and no further: whoever claims it of few
/// configurations, or of any that are wrong soon, is refused.
const LOOK: u64 = 1 << 20;
/// A row and its entry in the table take at least so many bytes.
const ROW_BYTES_MIN: u64 = 12;

/// Goes on unless a limit was met.
fn go_on(system: &System, rows: u64, bytes: u64) -> Checked<()> {
    let patience = system.patience();
    let met = patience.go_on_by(rows).and_then(|()| patience.afford(bytes)).err();
    let exhausted = met.and_then(|_| patience.exhausted());
    exhausted.map_or(Ok(()), |exhausted| Err(Refusal::Exhausted(exhausted)))
}

/// Everything that can be reached, as far as it was searched.
pub(crate) struct Anew {
    parts: Parts,
    memo: Memo,
    bad: BadCases,
    losses: bool,
    set: Set,
    facts: Facts,
    jobs: usize,
    /// How the search ended.
    pub(crate) end: Checked<()>,
    /// Why the rows are gone, if they are.
    forgotten: Option<Exhausted>,
}

impl Anew {
    /// Knows one configuration.
    pub(crate) fn new(system: &mut System, from: &Config, jobs: usize) -> Self {
        let (mut parts, row) = Parts::new(system, from);
        let mut bad = bad_cases(system, &mut parts);
        note_truth(system, &parts, &mut bad);
        let losses = system.program_mut().as_moves().is_some();
        let mut set = Set::new(parts.layout.width);
        set.insert(&row);
        let (memo, facts) = (Memo::new(SIZE_MAX), Facts::default());
        let (jobs, end, forgotten) = (jobs.max(1), Ok(()), None);
        Self { parts, memo, bad, losses, set, facts, jobs, end, forgotten }
    }

    /// Searches on until there are no more configurations. There must be as many as were claimed.
    pub(crate) fn search(&mut self, system: &mut System, claimed: u64) {
        self.end = self.visit(system, claimed);
    }

    fn visit(&mut self, system: &mut System, claimed: u64) -> Checked<()> {
        let other = |n: u64, more| {
            let than = format!("configurations than the {claimed} that are claimed");
            wrong(format!("the search has {more} {than}: {n}"))
        };
        let needed = claimed.saturating_mul(ROW_BYTES_MIN);
        let mut outputs: Vec<Output> = (0..self.jobs).map(|_| Output::new()).collect();
        loop {
            let batch = self.batch();
            let n_rows: usize = batch.iter().map(Range::len).sum();
            if n_rows == 0 {
                break;
            }
            let is_large = self.set.len() > LOOK;
            go_on(system, n_rows as u64, if is_large { needed } else { 0 }.max(self.set.bytes()))?;
            self.step(system, &batch, n_rows, &mut outputs)?;
            if self.set.len() > claimed {
                return other(self.set.len(), "more");
            }
        }
        if self.set.len() < claimed {
            return other(self.set.len(), "fewer");
        }
        Ok(())
    }

    /// For each shard: the rows that are next.
    fn batch(&self) -> Vec<Range<usize>> {
        let next = |shard: &set::Shard| shard.done..shard.len().min(shard.done + BATCH / SHARDS);
        self.set.shards.iter().map(next).collect()
    }

    /// Expands some rows, and puts what comes of them into the set.
    fn step(
        &mut self,
        system: &mut System,
        batch: &[Range<usize>],
        n_rows: usize,
        outputs: &mut [Output],
    ) -> Checked<()> {
        let jobs = if n_rows < FEW { 1 } else { self.jobs };
        self.expand(batch, &mut outputs[..jobs]);
        let mut late = Output::new();
        let missing: Vec<Place> =
            outputs[..jobs].iter_mut().flat_map(|it| it.missing.drain(..)).collect();
        let mut fits = true;
        for place in missing {
            go_on(system, 0, 0)?;
            self.learn(system, place);
            fits &= self.parts.fits();
            if fits {
                // At once, before somebody forgets it again.
                self.expander().expand(&self.set, [place].into_iter(), &mut late);
            }
        }
        if !fits {
            // What was expanded is narrower than the rows are now, so it is expanded once more.
            self.widen();
            return Ok(());
        }
        assert!(late.missing.is_empty(), "bug in Queueproof: a row was left out");
        let all: Vec<&Output> = outputs[..jobs].iter().chain([&late]).collect();
        for output in &all {
            self.facts.add(&output.facts);
        }
        if self.facts.gave_up {
            // The interpreter may have given up because the time was up.
            go_on(system, 0, 0)?;
            return wrong("nobody knows what some step leads to");
        }
        insert(&mut self.set, &all, jobs);
        for (shard, rows) in self.set.shards.iter_mut().zip(batch) {
            shard.done = rows.end;
        }
        Ok(())
    }

    fn expander(&self) -> Expander<'_> {
        Expander { parts: &self.parts, memo: &self.memo, bad: &self.bad, losses: self.losses }
    }

    /// Expands rows side by side: each thread has shards of its own, in order.
    fn expand(&self, batch: &[Range<usize>], outputs: &mut [Output]) {
        let (expander, set) = (self.expander(), &self.set);
        let places = move |shards: Range<usize>| {
            shards.flat_map(move |shard| {
                batch[shard].clone().map(move |row| (shard as u32, row as u32))
            })
        };
        let jobs = outputs.len();
        let share = |job: usize| job * SHARDS / jobs..(job + 1) * SHARDS / jobs;
        side_by_side(outputs.iter_mut().enumerate(), |(job, output)| {
            output.clear();
            expander.expand(set, places(share(job)), output);
        });
    }

    /// Asks everything that has to be known to expand a row.
    fn learn(&mut self, system: &mut System, place: Place) {
        let row = self.set.row(place).to_vec();
        while let Some(who) = self.expander().missing(&row) {
            self.memo.ask(system, &mut self.parts, who, &row);
        }
        note_truth(system, &self.parts, &mut self.bad);
    }

    /// Gives all numbers fields into which they fit.
    fn widen(&mut self) {
        let old = self.parts.layout.clone();
        let new = self.parts.fitting();
        let widen = |row: &[u64], wide: &mut [u64]| {
            for (from, to) in old.fields.iter().zip(&new.fields) {
                to.put(wide, from.get(row));
            }
        };
        self.set = self.set.widened(new.width, widen);
        self.parts.layout = new;
    }

    /// Checks that a property holds: first that nothing was met that violates it, however far the search came, and then
    /// that the search came to its end.
    pub(crate) fn prove(&mut self, system: &mut System, property: Property) -> Checked<()> {
        invariant::check(self, system, property)?;
        self.end.clone()
    }

    /// What was seen that a question asks about.
    fn fault(&self, system: &System, question: Question) -> Option<Finding> {
        let Question::Longer(queue, bound) = question else { return self.facts.fault(question) };
        let lengths = self.parts.contents(queue).map(|word| system.words().len(word) as u32);
        let messages = lengths.max().filter(|&messages| messages > bound)?;
        Some(Finding::Long { queue, messages })
    }

    /// Makes room. What was seen is still known.
    pub(crate) fn forget_rows(&mut self, why: Exhausted) {
        (self.set, self.memo) = (Set::new(self.set.width), Memo::new(SIZE_MAX));
        self.forgotten = Some(why);
    }
}

/// What was seen counts. Whether that is everything, the end of the search says.
impl Cover for Anew {
    fn never(&mut self, system: &mut System, question: Question) -> Checked<()> {
        if matches!(question, Question::Crosses | Question::Beyond) {
            return wrong("a complete search alone does not prove this property");
        }
        if let Some(finding) = self.fault(system, question) {
            return wrong(format!("the search meets a fault: {finding:?}"));
        }
        // A finite set is a bound.
        if !matches!(question, Question::Stuck | Question::Orphan) {
            return Ok(());
        }
        self.end.clone()?;
        match self.forgotten {
            Some(why) => Err(Refusal::Exhausted(why)),
            None => eventually::check(self, system, question),
        }
    }
}

/// Puts rows into the set, side by side: each thread has shards of its own.
fn insert(set: &mut Set, outputs: &[&Output], jobs: usize) {
    let width = set.width;
    let mut rest = &mut set.shards[..];
    let mut shares = Vec::new();
    for job in 0..jobs {
        let (from, to) = (job * SHARDS / jobs, (job + 1) * SHARDS / jobs);
        let (share, others) = rest.split_at_mut(to - from);
        shares.push((from, share));
        rest = others;
    }
    side_by_side(shares.into_iter(), |(from, share)| {
        for (shard, number) in share.iter_mut().zip(from..) {
            for row in outputs.iter().flat_map(|output| output.rows[number].chunks_exact(width)) {
                shard.insert(row, hash(row));
            }
        }
    });
}

/// How many threads can run at the same time, for [`crate::Referee::with_jobs`].
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Calls `f` for each item, the first one here and the others in threads of their own.
fn side_by_side<T: Send>(mut items: impl Iterator<Item = T>, f: impl Fn(T) + Sync) {
    let Some(first) = items.next() else { return };
    std::thread::scope(|scope| {
        for item in items {
            let f = &f;
            scope.spawn(move || f(item));
        }
        f(first);
    });
}

#[cfg(test)]
mod tests;
