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

use crate::graph::{Components, components};
use crate::search::Search;
use crate::search::space::{Space, Subject};
use crate::search::steps::each_expanded;

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
) -> Result<Eventually, Exhausted> {
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

impl Graph {
    fn write_down<const W: usize>(
        space: &mut Space,
        search: &Search<W>,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
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
        let (n, mut found) = (search.visited.len() as u32, Vec::new());
        each_expanded(space, search, budget, |space, expanded| {
            let target = |to: &Option<u32>| to.expect("the search is closed within its bound");
            graph.targets.extend(expanded.targets.iter().map(target));
            graph.starts.push(graph.targets.len() as u64);
            if expanded.is_cut {
                graph.subjects.push(EVERYTHING);
            } else {
                space.subjects(&search.values(expanded.place), &mut found);
                for &subject in &found {
                    graph.note(subject);
                }
            }
            graph.subject_starts.push(graph.subjects.len() as u64);
            graph.bytes(n)
        })?;
        Ok(graph)
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

    fn components(&self, budget: &Budget) -> Result<Components, Exhausted> {
        let n = self.starts.len() - 1;
        let next = |place: usize, edge: &mut u64| {
            *edge += 1;
            let at = self.starts[place] + *edge;
            (at <= self.starts[place + 1]).then(|| self.targets[at as usize - 1] as usize)
        };
        let spent = Spent { states: n as u64, bytes: 0 };
        let pause =
            |n_met: u32| if n_met.is_multiple_of(1 << 20) { budget.check(spent) } else { Ok(()) };
        components(n, 0..n, next, pause)
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

fn range<'a, T>(items: &'a [T], starts: &[u64], place: usize) -> &'a [T] {
    &items[starts[place] as usize..starts[place + 1] as usize]
}

fn bits_from(n: usize) -> u64 {
    if n >= 64 { u64::MAX } else { (1 << n) - 1 }
}
