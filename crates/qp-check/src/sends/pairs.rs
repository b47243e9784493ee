//! That short queues allow every sequence of sends.

use std::collections::{BTreeMap, BTreeSet};

use qp_claim::{ListSet, SendPairs};
use qp_machines::{Config, Event, Outcome, System};

use crate::lists::Contents;
use crate::rows::Rows;
use crate::sends::{Send, check_row, lists, send_of};
use crate::{Checked, wrong};

/// Checks that pairs show what they are for: with queues of length [`SendPairs::bound`] every sequence of sends is
/// possible that is possible with queues of any length.
pub(crate) fn check_pairs(system: &mut System, proof: &SendPairs) -> Checked<()> {
    let outer = Rows::read(system, &proof.outer)?;
    let inner = Rows::read(system, &proof.inner)?;
    let short = Short::new(system, &inner, proof.bound as usize)?;
    let pairs = Pairs::read(proof, outer.len(), &short)?;
    let lists = ListSet { prefix: proof.prefix, ..ListSet::default() };
    let mut contents = Contents::new(system.words(), &lists, outer.contents())?;
    let start = system.initial();
    let row = outer.place(&start).ok_or("the beginning is missing")?;
    let first = inner.place(&start).ok_or("the beginning is missing")?;
    pairs.check_covered(row, &short.closure([first]))?;
    outer.each(|row, config| {
        system.go_on()?;
        check_row(system, config)?;
        let Some(sets) = pairs.by_row.get(&row) else { return Ok(()) };
        for (send, after) in lists::steps(system, &mut contents, config)? {
            let row = outer.place(&after).ok_or("a step leads out of the rows")?;
            for &set in sets {
                let from = &pairs.closed[set as usize];
                let reached = send.map_or_else(|| from.clone(), |send| short.post(from, send));
                pairs.check_covered(row, &reached)?;
            }
        }
        Ok(())
    })
}

/// What short queues can do between the rows of a set, with what is sent; what leads elsewhere is left out.
struct Short(Vec<Vec<(Option<Send>, usize)>>);

impl Short {
    fn new(system: &mut System, rows: &Rows, bound: usize) -> Checked<Self> {
        let mut all = Vec::new();
        rows.each(|_, config| {
            system.go_on()?;
            check_row(system, config)?;
            let mut edges = Vec::new();
            for outcome in system.successors(config).into_iter().filter(|it| !it.is_end()) {
                let send = send_of(outcome.step.machine, outcome.events())?;
                for after in room(system, outcome, bound) {
                    edges.extend(rows.place(&after).map(|place| (send, place)));
                }
            }
            all.push(edges);
            Ok(())
        })?;
        Ok(Self(all))
    }

    /// What is reached without sending.
    fn closure(&self, from: impl IntoIterator<Item = usize>) -> BTreeSet<usize> {
        let mut todo: Vec<usize> = from.into_iter().collect();
        let mut reached: BTreeSet<usize> = todo.iter().copied().collect();
        while let Some(row) = todo.pop() {
            for &(send, next) in &self.0[row] {
                if send.is_none() && reached.insert(next) {
                    todo.push(next);
                }
            }
        }
        reached
    }

    /// What is reached by one send, and then without sending.
    fn post(&self, from: &BTreeSet<usize>, send: Send) -> BTreeSet<usize> {
        let edges = from.iter().flat_map(|&row| &self.0[row]);
        self.closure(edges.filter(|edge| edge.0 == Some(send)).map(|edge| edge.1))
    }
}

/// What a step leads to if there is room for what it puts into queues: with queues of length 0, somebody takes it at
/// once, and sends nothing then.
fn room(system: &mut System, outcome: Outcome, bound: usize) -> Vec<Config> {
    let put = outcome.events().find_map(|event| match event {
        Event::Sent { queue, message } => Some((queue, message)),
        _ => None,
    });
    let after = outcome.config;
    if let (Some((queue, message)), 0) = (put, bound) {
        let took = Event::Took { queue, message, position: 0, kept: false };
        let sends = |it: &Outcome| send_of(it.step.machine, it.events());
        let takes = |next: &Outcome| next.event == took && sends(next) == Ok(None);
        let next = system.successors(&after).into_iter().filter(takes);
        return next.map(|outcome| outcome.config).collect();
    }
    let fits = after.words.iter().all(|&word| system.words().len(word) <= bound);
    if fits { vec![after] } else { Vec::new() }
}

/// The pairs.
struct Pairs<'a> {
    /// For each row, the sets that it is paired with.
    by_row: BTreeMap<usize, Vec<u32>>,
    /// The sets.
    sets: &'a [Vec<u32>],
    /// The sets with everything that they reach without sending.
    closed: Vec<BTreeSet<usize>>,
}

impl<'a> Pairs<'a> {
    fn read(proof: &'a SendPairs, n_rows: usize, short: &Short) -> Checked<Self> {
        let mut by_row: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        for &(row, set) in &proof.pairs {
            if row as usize >= n_rows || set as usize >= proof.sets.len() {
                return wrong("a pair has a row or a set that is not there");
            }
            by_row.entry(row as usize).or_default().push(set);
        }
        let mut closed = Vec::new();
        for set in &proof.sets {
            if set.is_empty() || set.iter().any(|&row| row as usize >= short.0.len()) {
                return wrong("a set is empty, or has a row that is not there");
            }
            closed.push(short.closure(set.iter().map(|&row| row as usize)));
        }
        Ok(Self { by_row, sets: &proof.sets, closed })
    }

    /// Checks that a row has a pair with nothing in its set but what was reached.
    fn check_covered(&self, row: usize, reached: &BTreeSet<usize>) -> Checked<()> {
        let fits = |&set: &u32| {
            self.sets[set as usize].iter().all(|&row| reached.contains(&(row as usize)))
        };
        let covered = self.by_row.get(&row).is_some_and(|sets| sets.iter().any(fits));
        let why = "short queues do not allow a send that long ones allow";
        if covered { Ok(()) } else { wrong(why) }
    }
}
