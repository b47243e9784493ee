//! What can still happen: machines that can never move again, messages that are never received.
//!
//! "Can still" is a question about all continuations. The graph of visited configurations is written
//! down once and cut into strongly connected components; what can happen from a component is what
//! happens in it and what can happen from those it leads to, which one pass in reverse order
//! collects. A configuration in which a send was cut, or in which the interpreter does not know on,
//! may do anything: it counts as if everything
//! could still happen there, so what is found is real even if the search was not complete.

use qp_base::{Budget, Exhausted, Spent};
use qp_machines::{MachineId, QueueId};

use crate::search::space::{Keys, Output, Space, Subject, Window};
use crate::search::visited::Places;
use crate::search::{Halt, Search};

/// The configurations from which something never happens again.
pub(super) struct Eventually {
    /// For each place: whether some machine that may not rest can never move again.
    pub(super) stuck: Vec<bool>,
    /// For each place: whether some queued message can never be received.
    pub(super) orphan: Vec<bool>,
    /// Whether messages are taken from behind others: then "some message is always taken" does not
    /// mean that every message is.
    pub(super) skips: bool,
}

/// Looks at all visited configurations.
pub(super) fn eventually<const W: usize>(
    space: &mut Space,
    search: &Search<W>,
    budget: &Budget,
) -> Result<Eventually, Halt> {
    let graph = Graph::write_down(space, search, budget)?;
    let components = graph.components(budget)?;
    let n = search.visited.len();
    let mut found =
        Eventually { stuck: vec![false; n], orphan: vec![false; n], skips: graph.skips };
    // Subjects are treated 64 at a time, so that what can happen is one word per component.
    for first in (0..graph.n_subjects()).step_by(64) {
        let possible = graph.possible(&components, first as u32);
        let wanted = bits_from(graph.n_subjects() - first);
        for place in 0..n {
            let missing = wanted & !possible[components.of[place] as usize];
            if missing != 0 {
                graph.accuse(
                    space,
                    &search.values(place as u32),
                    first,
                    missing,
                    place,
                    &mut found,
                );
            }
        }
    }
    Ok(found)
}

/// The steps between visited configurations, and who can do something where.
struct Graph {
    n_machines: usize,
    n_queues: usize,
    /// The successors of place `i` are `targets[starts[i]..starts[i + 1]]`.
    starts: Vec<u64>,
    targets: Vec<u32>,
    /// The same for subjects: machines, then queues. `EVERYTHING` where a send was cut.
    subject_starts: Vec<u64>,
    subjects: Vec<u32>,
    skips: bool,
}

const EVERYTHING: u32 = u32::MAX;

/// Components, numbered so that a component leads only to components with smaller numbers.
struct Components {
    of: Vec<u32>,
    count: usize,
}

impl Graph {
    fn write_down<const W: usize>(
        space: &mut Space,
        search: &Search<W>,
        budget: &Budget,
    ) -> Result<Self, Halt> {
        // Machines and queues that are created at run time count too; where one does not exist, nobody
        // is accused.
        let (n_machines, n_queues) = space.n_machines_queues();
        let mut graph = Self {
            n_machines,
            n_queues,
            starts: vec![0],
            targets: Vec::new(),
            subject_starts: vec![0],
            subjects: Vec::new(),
            skips: false,
        };
        let (n, mut output) = (search.visited.len() as u32, Output::new(1));
        // The map is made in one go, so it is asked for before.
        let bytes = search.bytes() + space.bytes() + Places::<W>::bytes_for(n as usize);
        budget.check(Spent { states: u64::from(n), bytes })?;
        let index = Places::of(&search.visited);
        let places: Vec<u32> = (0..n).collect();
        for batch in places.chunks(2_048) {
            let packing = &search.packing;
            let keys = Keys { all: search.visited.keys(), packing, firsts: None };
            let window = Window { bound: search.bound, from: 0 };
            // On one thread: the order of the candidates is that of the places.
            space.expand(&keys, batch, window, 1, &mut output)?;
            graph.add(space, search, &index, batch, &output);
            let bytes = search.bytes() + space.bytes() + graph.bytes(n) + index.bytes();
            budget.check(Spent { states: u64::from(n), bytes })?;
        }
        Ok(graph)
    }

    fn add<const W: usize>(
        &mut self,
        space: &mut Space,
        search: &Search<W>,
        places: &Places<W>,
        batch: &[u32],
        output: &Output<W>,
    ) {
        let mut candidates = output.candidates.all().peekable();
        let mut blocked = output.blocked.iter().peekable();
        let mut gave_up = output.gave_up.iter().peekable();
        let mut found = Vec::new();
        for &place in batch {
            while let Some((_, key)) = candidates.next_if(|c| c.0 == place) {
                let target = places.find(key);
                self.targets.push(target.expect("the search is closed within its bound"));
            }
            self.starts.push(self.targets.len() as u64);
            let cut = blocked.next_if(|b| **b == place).is_some();
            if gave_up.next_if(|g| **g == place).is_some() || cut {
                self.subjects.push(EVERYTHING);
            } else {
                space.subjects(&search.values(place), &mut found);
                for subject in &found {
                    self.note(*subject);
                }
            }
            self.subject_starts.push(self.subjects.len() as u64);
        }
    }

    fn note(&mut self, subject: Subject) {
        let number = match subject {
            Subject::Moves(machine) => machine.index(),
            Subject::Taken(queue) | Subject::Skipped(queue) => {
                self.skips |= matches!(subject, Subject::Skipped(_));
                self.n_machines + queue.index()
            }
        };
        debug_assert!(number < self.n_subjects());
        self.subjects.push(number as u32);
    }

    fn n_subjects(&self) -> usize {
        self.n_machines + self.n_queues
    }

    fn bytes(&self, n_places: u32) -> u64 {
        (self.targets.len() + self.subjects.len()) as u64 * 4 + u64::from(n_places) * 40
    }

    /// Tarjan's algorithm with an explicit stack.
    fn components(&self, budget: &Budget) -> Result<Components, Exhausted> {
        const NEW: u32 = u32::MAX;
        let n = self.starts.len() - 1;
        let (mut order, mut low, mut of) = (vec![NEW; n], vec![0_u32; n], vec![NEW; n]);
        let (mut open, mut calls, mut next, mut count) = (Vec::new(), Vec::new(), 0_u32, 0);
        for root in 0..n {
            if order[root] == NEW {
                calls.push((root, self.starts[root]));
            }
            while let Some((place, edge)) = calls.pop() {
                if edge == self.starts[place] && order[place] == NEW {
                    (order[place], low[place]) = (next, next);
                    next += 1;
                    open.push(place);
                    if next.is_multiple_of(1 << 20) {
                        budget.check(Spent { states: n as u64, bytes: 0 })?;
                    }
                }
                if edge > self.starts[place] {
                    let child = self.targets[edge as usize - 1] as usize;
                    low[place] = low[place].min(low[child]);
                }
                let mut edge = edge;
                let mut descend = None;
                while edge < self.starts[place + 1] && descend.is_none() {
                    let child = self.targets[edge as usize] as usize;
                    edge += 1;
                    if order[child] == NEW {
                        descend = Some(child);
                    } else if of[child] == NEW {
                        low[place] = low[place].min(order[child]);
                    }
                }
                if let Some(child) = descend {
                    calls.push((place, edge));
                    calls.push((child, self.starts[child]));
                } else if low[place] == order[place] {
                    close(&mut open, place, &mut of, &mut low, count);
                    count += 1;
                }
            }
        }
        Ok(Components { of, count: count as usize })
    }

    /// For each component: which of the 64 subjects from `first` on can still do something.
    fn possible(&self, components: &Components, first: u32) -> Vec<u64> {
        let mut possible = vec![0_u64; components.count];
        let mut by_component: Vec<u32> = (0..components.of.len() as u32).collect();
        by_component.sort_by_key(|&place| components.of[place as usize]);
        for place in by_component {
            let place = place as usize;
            let mut word = 0;
            for &subject in range(&self.subjects, &self.subject_starts, place) {
                if subject == EVERYTHING {
                    word = u64::MAX;
                } else if (first..first + 64).contains(&subject) {
                    word |= 1 << (subject - first);
                }
            }
            for &target in range(&self.targets, &self.starts, place) {
                word |= possible[components.of[target as usize] as usize];
            }
            possible[components.of[place] as usize] |= word;
        }
        possible
    }

    /// Decides whether what can never happen again from here is a fault.
    fn accuse(
        &self,
        space: &mut Space,
        values: &[u32],
        first: usize,
        missing: u64,
        place: usize,
        found: &mut Eventually,
    ) {
        let config = space.config(values);
        let system = space.system();
        for subject in (0..64).filter(|bit| missing >> bit & 1 == 1).map(|bit| first + bit) {
            if subject < self.n_machines {
                let machine = MachineId::new(subject);
                let local = config.locals.get(subject);
                found.stuck[place] |=
                    local.is_some_and(|&local| !system.program().may_rest(machine, local));
            } else {
                let queue = QueueId::new(subject - self.n_machines);
                let word = config.words.get(queue.index());
                found.orphan[place] |= word.is_some_and(|&word| !system.words().is_empty(word));
            }
        }
    }
}

/// Takes a finished component off the stack. `low` becomes harmless for those that look at it later.
fn close(open: &mut Vec<usize>, root: usize, of: &mut [u32], low: &mut [u32], number: u32) {
    loop {
        let place = open.pop().expect("the root of a component is on the stack");
        of[place] = number;
        low[place] = u32::MAX;
        if place == root {
            return;
        }
    }
}

fn range<'a, T>(items: &'a [T], starts: &[u64], place: usize) -> &'a [T] {
    &items[starts[place] as usize..starts[place + 1] as usize]
}

fn bits_from(n: usize) -> u64 {
    if n >= 64 { u64::MAX } else { (1 << n) - 1 }
}
