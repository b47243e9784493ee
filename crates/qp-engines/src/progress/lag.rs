//! Lag rows: a queue is its first messages and, behind them, what its senders sent since some local state.
//!
//! The rest of a queue is related to where its senders are now: what one of them sent is what it sends on some way of its
//! control flow from the local state of the row to the present one. Nothing has to be guessed about languages, and
//! messages that come later are unfolded from the sender's automaton. `docs/decisions/016-ranks.md` has the proofs.

use std::collections::BTreeSet;

use qp_base::{Budget, Interner, Map};
use qp_claim::LagContent;

use crate::stop::Stop;

use super::automata::{Automata, Deed};

/// Messages in front of a queue that are told apart because the reader passes over all before them.
const FRONT_MAX: usize = 16;

/// A step that a row has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Post {
    pub(super) machine: usize,
    pub(super) number: usize,
    /// Whether everything that the row stands for has it.
    pub(super) is_sure: bool,
    /// The rows to which it leads.
    pub(super) rows: Vec<usize>,
}

/// Rows that cover everything that can be reached, and all their steps.
pub(super) struct LagRows {
    pub(super) prefixes: Vec<usize>,
    pub(super) contents: Interner<usize, LagContent>,
    /// Local states of all machines, then contents of all queues.
    pub(super) rows: Interner<usize, Box<[u32]>>,
    pub(super) posts: Vec<Vec<Post>>,
    /// For each row: those with a step to it.
    pub(super) before: Vec<Vec<usize>>,
}

impl LagRows {
    /// All rows that are met from the beginning, with so many messages of each queue told apart in front.
    pub(super) fn new(
        automata: &Automata,
        prefixes: Vec<usize>,
        most: usize,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let (n_machines, n_queues) = (automata.machines.len(), prefixes.len());
        let mut all = Self {
            prefixes,
            contents: Interner::new(),
            rows: Interner::new(),
            posts: Vec::new(),
            before: Vec::new(),
        };
        all.contents.intern(LagContent::default());
        all.rows.intern(vec![0; n_machines + n_queues].into());
        let mut paths = Paths::new(automata);
        while all.posts.len() < all.rows.len() {
            budget.ask()?;
            let row = all.rows.value(all.posts.len()).clone();
            let mut posts = Vec::new();
            for machine in 0..n_machines {
                for &number in &automata.machines[machine].leaving[row[machine] as usize] {
                    posts.extend(all.post(&mut paths, &row, machine, number)?);
                }
            }
            all.posts.push(posts);
            if all.rows.len() > most {
                return Err(Stop::TooMuch);
            }
        }
        all.before = vec![Vec::new(); all.rows.len()];
        for (from, posts) in all.posts.iter().enumerate() {
            for &to in posts.iter().flat_map(|post| &post.rows) {
                if all.before[to].last() != Some(&from) {
                    all.before[to].push(from);
                }
            }
        }
        Ok(all)
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn local(&self, row: usize, machine: usize) -> usize {
        self.rows.value(row)[machine] as usize
    }

    pub(super) fn content(&self, automata: &Automata, row: usize, queue: usize) -> &LagContent {
        self.contents.value(self.rows.value(row)[automata.machines.len() + queue] as usize)
    }

    /// The queues that are not always seen in full.
    pub(super) fn growing(&self, automata: &Automata) -> Vec<usize> {
        let first = automata.machines.len();
        let mut grows = vec![false; self.prefixes.len()];
        for row in self.rows.values() {
            for (queue, grows) in grows.iter_mut().enumerate() {
                *grows |= !self.contents.value(row[first + queue] as usize).behind.is_empty();
            }
        }
        (0..grows.len()).filter(|&queue| grows[queue]).collect()
    }

    /// What a transition does to a row; nothing if nothing that the row stands for has it.
    fn post(
        &mut self,
        paths: &mut Paths<'_>,
        row: &[u32],
        machine: usize,
        number: usize,
    ) -> Result<Option<Post>, Stop> {
        let automata = paths.automata;
        let transition = *automata.transition(machine, number);
        let at = |queue: usize| automata.machines.len() + queue;
        let mut after: Box<[u32]> = row.into();
        after[machine] = transition.to as u32;
        let mut is_sure = true;
        match transition.deed {
            Deed::Internal => {}
            Deed::Send { queue, letter } => {
                let mut content = self.contents.value(row[at(queue)] as usize).clone();
                let capacity = automata.capacities[queue];
                if content.front.len() + content.behind.len() >= capacity {
                    return Ok(None);
                }
                is_sure = content.behind.is_empty() || capacity == usize::MAX;
                if content.behind.is_empty() && content.front.len() < self.prefixes[queue] {
                    content.front.push(letter as u32);
                } else if !content.behind.iter().any(|it| it.0 as usize == machine) {
                    content.behind.push((machine as u32, transition.from as u32));
                    content.behind.sort_unstable();
                }
                after[at(queue)] = self.contents.intern(content) as u32;
            }
            Deed::Take { queue, letter } => {
                let mut content = self.contents.value(row[at(queue)] as usize).clone();
                let skips = &automata.machines[machine].skips;
                let is_seen = |it: &u32| !skips.contains(&(transition.from, queue, *it as usize));
                let Some(place) = content.front.iter().position(is_seen) else { return Ok(None) };
                if content.front[place] as usize != letter {
                    return Ok(None);
                }
                content.front.remove(place);
                after[at(queue)] = self.contents.intern(content) as u32;
            }
        }
        let mut cases = vec![after];
        let sent = match transition.deed {
            Deed::Send { queue, .. } => Some(queue),
            Deed::Internal | Deed::Take { .. } => None,
        };
        let is_moved =
            |&queue: &usize| automata.readers[queue] == Some(machine) || sent == Some(queue);
        for queue in (0..self.prefixes.len()).filter(is_moved) {
            let mut unfolded = Vec::new();
            for case in cases {
                let content = self.contents.value(case[at(queue)] as usize).clone();
                for content in self.unfold(paths, &case, queue, content)? {
                    let mut case = case.clone();
                    case[at(queue)] = self.contents.intern(content) as u32;
                    unfolded.push(case);
                }
            }
            cases = unfolded;
        }
        let mut rows: Vec<usize> = cases.into_iter().map(|case| self.rows.intern(case)).collect();
        rows.sort_unstable();
        rows.dedup();
        Ok(Some(Post { machine, number, is_sure, rows }))
    }

    /// All that a content may be if enough messages in front are to be seen: the prefix, and one that is not passed over.
    fn unfold(
        &self,
        paths: &mut Paths<'_>,
        row: &[u32],
        queue: usize,
        content: LagContent,
    ) -> Result<Vec<LagContent>, Stop> {
        let automata = paths.automata;
        let (mut found, mut todo) = (BTreeSet::new(), vec![content]);
        while let Some(content) = todo.pop() {
            let is_seen = automata.readers[queue].is_none_or(|reader| {
                let skips = &automata.machines[reader].skips;
                let local = row[reader] as usize;
                content.front.iter().any(|&it| !skips.contains(&(local, queue, it as usize)))
            });
            let is_full = content.front.len() >= self.prefixes[queue] && is_seen;
            if is_full || content.behind.is_empty() {
                found.insert(content);
                continue;
            }
            if content.front.len() == FRONT_MAX {
                return Err(Stop::TooMuch);
            }
            for (place, &(sender, since)) in content.behind.iter().enumerate() {
                let now = row[sender as usize] as usize;
                for (letter, then) in paths.next(sender as usize, queue, since as usize) {
                    let ways = paths.ways(sender as usize, queue, then);
                    let mut shorter = content.clone();
                    shorter.front.push(letter as u32);
                    if ways.loud.contains(&now) {
                        let mut more = shorter.clone();
                        more.behind[place].1 = then as u32;
                        todo.push(more);
                    }
                    if ways.quiet.contains(&now) {
                        shorter.behind.remove(place);
                        todo.push(shorter);
                    }
                }
            }
        }
        Ok(found.into_iter().collect())
    }
}

/// Where control flow of a sender may come to from a local state.
#[derive(Clone, Default)]
struct Ways {
    /// Without a send to the queue.
    quiet: BTreeSet<usize>,
    /// With one.
    loud: BTreeSet<usize>,
    /// The next sends to it, each with the local state after it.
    next: BTreeSet<(usize, usize)>,
}

/// The ways of all senders, worked out when they are asked for.
struct Paths<'a> {
    automata: &'a Automata,
    known: Map<(usize, usize, usize), Ways>,
}

impl<'a> Paths<'a> {
    fn new(automata: &'a Automata) -> Self {
        Self { automata, known: Map::default() }
    }

    fn next(&mut self, sender: usize, queue: usize, local: usize) -> BTreeSet<(usize, usize)> {
        self.ways(sender, queue, local).next.clone()
    }

    fn ways(&mut self, sender: usize, queue: usize, local: usize) -> &Ways {
        let machine = &self.automata.machines[sender];
        self.known.entry((sender, queue, local)).or_insert_with(|| {
            let mut ways = Ways::default();
            let mut todo = vec![local];
            while let Some(local) = todo.pop() {
                if !ways.quiet.insert(local) {
                    continue;
                }
                for &number in &machine.leaving[local] {
                    let transition = machine.transitions[number];
                    match transition.deed {
                        Deed::Send { queue: to, letter } if to == queue => {
                            ways.next.insert((letter, transition.to));
                        }
                        _ => todo.push(transition.to),
                    }
                }
            }
            todo.extend(ways.next.iter().map(|it| it.1));
            while let Some(local) = todo.pop() {
                if ways.loud.insert(local) {
                    let leaving = machine.leaving[local].iter();
                    todo.extend(leaving.map(|&number| machine.transitions[number].to));
                }
            }
            ways
        })
    }
}
