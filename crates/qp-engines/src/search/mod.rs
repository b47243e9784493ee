//! Breadth-first search of the configurations whose queues hold at most `bound` messages.
//!
//! Raising the bound resumes from the sends that it cut and repeats nothing. Batches are expanded and
//! added in the order of discovery, so the numbering, and with it everything that is reported, is
//! that of a plain one-by-one search whatever the number of threads.

pub(crate) mod any;
pub(crate) mod bounded;
pub(crate) mod compiled;
pub(crate) mod drawn;
pub(crate) mod evidence;
mod flags;
mod followed;
pub(crate) mod growth;
mod lanes;
pub(crate) mod marks;
pub(crate) mod packing;
mod parents;
mod parts;
pub(crate) mod sets;
pub(crate) mod space;
pub(crate) mod stepper;
pub(crate) mod steps;
pub(crate) mod symbolic;
mod tables;
mod threads;
mod turns;
pub(crate) mod visited;
pub(crate) mod witness;

use qp_base::{Budget, Exhausted, Spent};

use self::flags::Flags;
use self::lanes::Lanes;
use self::packing::Packing;
use self::space::{ALL, FEW, Keys, Output, Space, Window};
use self::visited::Visited;

pub(crate) struct Search<const W: usize> {
    pub(crate) packing: Packing,
    pub(crate) visited: Visited<W>,
    /// The queue length at which sends are cut.
    pub(crate) bound: u32,
    /// Steps between visited configurations.
    pub(crate) transitions: u64,
    /// Configurations in which a send was cut.
    pub(crate) blocked: Flags,
    /// For each queue: a few configurations in which a send to it was cut.
    pub(crate) stalls: Vec<Vec<u32>>,
    /// The first configuration in which the interpreter gave up.
    pub(crate) gave_up: Option<u32>,
    /// For each watched property: the first configuration that violates it.
    pub(crate) hits: [Option<u32>; 64],
    /// For each configuration that was expanded: the number of the set of machines that goes first, or [`ALL`]; if some
    /// orders of steps are left out.
    pub(crate) firsts: Option<Vec<u32>>,
    /// Whether nobody is left out for ever, as far as orders of steps are.
    is_fair: bool,
    /// Configurations before this place were expanded.
    pub(crate) expanded: usize,
    /// Configurations to resume, where the previous bound cut a send: those before `resumed_end`, of which
    /// those before `resumed_to` were resumed.
    resumed: Flags,
    resumed_to: usize,
    resumed_end: usize,
    resumed_bound: u32,
    /// Where the round under way ends.
    round_to: Option<usize>,
    /// How many configurations there were when it began.
    round_len: usize,
    output: Output<W>,
    jobs: usize,
}

/// Why a search stopped before its end.
pub(crate) enum Halt {
    Exhausted(Exhausted),
    TooNarrow,
    /// The caller wanted no more.
    Enough,
    /// Orders of steps were left out that matter.
    BeginAgain,
}

impl From<Exhausted> for Halt {
    fn from(exhausted: Exhausted) -> Self {
        Self::Exhausted(exhausted)
    }
}

impl<const W: usize> Search<W> {
    /// A search that has met nothing but the configuration with these parts.
    pub(crate) fn new(packing: Packing, initial: &[u32], bound: u32, jobs: usize) -> Self {
        let mut visited = Visited::new();
        let mut first = Lanes::new(1);
        first.push(packing.pack(initial), 0);
        visited.add(&[&first], 1);
        Self {
            packing,
            visited,
            bound,
            transitions: 0,
            blocked: Flags::default(),
            stalls: Vec::new(),
            gave_up: None,
            hits: [None; 64],
            firsts: None,
            is_fair: true,
            expanded: 0,
            resumed: Flags::default(),
            resumed_to: 0,
            resumed_end: 0,
            resumed_bound: 0,
            round_to: None,
            round_len: 1,
            output: Output::new(jobs),
            jobs,
        }
    }

    /// Leaves some orders of steps out: for searches that have only begun.
    pub(crate) fn reduce(&mut self) {
        self.firsts = Some(Vec::new());
        self.is_fair = false;
    }

    /// Whether it leaves some orders of steps out.
    pub(crate) fn reduces(&self) -> bool {
        self.firsts.is_some()
    }

    /// Whether every configuration was met, at any queue length: nothing was ever cut, and the
    /// interpreter always knew on.
    pub(crate) fn is_complete(&self) -> bool {
        self.is_over() && self.gave_up.is_none()
    }

    /// Whether a greater bound would show nothing more.
    pub(crate) fn is_over(&self) -> bool {
        self.blocked.is_empty() && self.is_through()
    }

    /// Whether everything within the bound was met.
    pub(crate) fn is_through(&self) -> bool {
        self.resumed_to == self.resumed_end && self.expanded == self.visited.len() && self.is_fair
    }

    /// Whether everything that was cut by the bound before was gone on with.
    pub(crate) fn is_level(&self) -> bool {
        self.resumed_to == self.resumed_end
    }

    /// How many are visited and were not expanded yet.
    pub(crate) fn waiting(&self) -> usize {
        self.visited.len() - self.expanded
    }

    /// Allows longer queues from now on.
    pub(crate) fn raise(&mut self, bound: u32) {
        assert!(bound > self.bound && self.expanded == self.visited.len(), "one bound at a time");
        self.resumed = std::mem::take(&mut self.blocked);
        self.resumed_to = 0;
        self.resumed_end = self.visited.len();
        self.resumed_bound = self.bound;
        self.bound = bound;
        self.is_fair = self.firsts.is_none();
        self.stalls.clear();
    }

    /// Goes on until everything within the bound was met. After each batch `enough` is asked.
    pub(crate) fn run(
        &mut self,
        space: &mut Space,
        budget: &Budget,
        mut enough: impl FnMut(&Self) -> bool,
    ) -> Result<(), Halt> {
        loop {
            // Limits are looked at between rounds, whose ends must not depend on the number of threads:
            // a search that a limit cuts would stop elsewhere. So a round that was interrupted to
            // make keys wider is finished first.
            if self.round_to.is_none() {
                self.round_len = self.visited.len();
                let bytes = self.bytes() + space.bytes();
                budget.check(Spent { states: self.visited.len() as u64, bytes })?;
                if enough(self) {
                    return Err(Halt::Enough);
                }
            }
            let any = self.round(space)?;
            self.round_to = None;
            if !any {
                return Ok(());
            }
        }
    }

    /// Expands the next configurations; says whether there were any. Threads need large batches to be
    /// worth starting, a single one is served best from the cache.
    fn round(&mut self, space: &mut Space) -> Result<bool, Halt> {
        const MOST: usize = 16_384;
        let resumes = self.resumed_to < self.resumed_end;
        let (start, end, from) = if resumes {
            (self.resumed_to, self.resumed_end, self.resumed_bound)
        } else {
            (self.expanded, self.visited.len(), 0)
        };
        let round = (self.visited.len() / 8).clamp(64, MOST);
        let end = *self.round_to.get_or_insert(end.min(start + round));
        let batch = if self.jobs == 1 { 1_024 } else { MOST };
        let mut places = Vec::new();
        for first in (start..end).step_by(batch) {
            let last = end.min(first + batch);
            places.clear();
            places.extend(first as u32..last as u32);
            if resumes {
                places.retain(|&place| self.resumed.contains(place));
            }
            let (packing, firsts) = (&self.packing, self.firsts.as_deref());
            let keys = Keys { all: self.visited.keys(), packing, firsts };
            let window = Window { bound: self.bound, from };
            space.expand(&keys, &places, window, self.jobs, &mut self.output)?;
            if space.must_begin_again() {
                return Err(Halt::BeginAgain);
            }
            self.commit(last - first, from);
        }
        Ok(start < end)
    }

    fn commit(&mut self, n_places: usize, from: u32) {
        if from > 0 {
            self.resumed_to += n_places;
        } else {
            self.expanded += n_places;
        }
        self.gather();
    }

    /// Takes over what was found. Configurations that were expanded before have the sets that they were expanded with.
    fn gather(&mut self) {
        if let Some(firsts) = &mut self.firsts {
            firsts.resize(self.expanded, ALL);
            for &(place, set) in &self.output.reduced {
                firsts[place as usize] = set;
            }
        }
        let parts = self.output.parts();
        self.visited.add(&parts, self.jobs);
        self.transitions += parts.iter().map(|part| part.len() as u64).sum::<u64>();
        for &place in &self.output.blocked {
            self.blocked.insert(place);
        }
        self.gave_up = self.gave_up.or(self.output.gave_up.first().copied());
        for &(place, bits) in &self.output.hits {
            for (bit, hit) in self.hits.iter_mut().enumerate() {
                if bits >> bit & 1 == 1 && hit.is_none() {
                    *hit = Some(place);
                }
            }
        }
        for (queue, places) in self.output.stalls.drain(..).enumerate() {
            if self.stalls.len() <= queue {
                self.stalls.resize(queue + 1, Vec::new());
            }
            self.stalls[queue].extend(places);
            self.stalls[queue].truncate(FEW);
        }
    }

    /// The values of the parts of a visited configuration.
    pub(crate) fn values(&self, place: u32) -> Vec<u32> {
        let mut values = Vec::new();
        self.packing.unpack(&self.visited.keys()[place as usize], &mut values);
        values
    }

    /// The places on the way to a configuration, from the initial one to itself.
    pub(crate) fn path(&self, place: u32) -> Vec<u32> {
        let mut path = vec![place];
        while path[path.len() - 1] != 0 {
            path.push(self.visited.parent(path[path.len() - 1]));
        }
        path.reverse();
        path
    }

    pub(crate) fn bytes(&self) -> u64 {
        let firsts = self.firsts.as_ref().map_or(0, |firsts| firsts.len() as u64 * 4);
        self.visited.bytes() + self.blocked.bytes() + self.resumed.bytes() + firsts
    }

    /// A packing for parts with these many values each. When keys get wider, batches of different sizes
    /// are under way on different numbers of threads: so what they have found is not looked at.
    pub(crate) fn wider_packing(&self, counts: &[usize]) -> Packing {
        const SAMPLE: usize = 1 << 15;
        if self.reduces() {
            // In one order of steps there may be a new machine in every round, so this must be quick.
            return Packing::for_counts(counts);
        }
        let known = &self.visited.keys()[..self.round_len];
        let sample = &known[known.len().saturating_sub(SAMPLE)..];
        Packing::with_lowest(counts, self.packing.best_lowest(sample))
    }

    /// The same search with wider keys. Parts that were added since are absent in old ones.
    pub(crate) fn widen<const V: usize>(self, packing: Packing, n_parts: usize) -> Search<V> {
        assert!(packing.n_words() <= V);
        let old = &self.packing;
        let mut values = Vec::with_capacity(n_parts);
        let visited = self.visited.rewrite(|key| {
            old.unpack(key, &mut values);
            values.resize(n_parts, 0);
            packing.pack(&values)
        });
        Search {
            packing,
            firsts: self.firsts,
            is_fair: self.is_fair,
            visited,
            bound: self.bound,
            transitions: self.transitions,
            blocked: self.blocked,
            stalls: self.stalls,
            gave_up: self.gave_up,
            hits: self.hits,
            expanded: self.expanded,
            resumed: self.resumed,
            resumed_to: self.resumed_to,
            resumed_end: self.resumed_end,
            resumed_bound: self.resumed_bound,
            round_to: self.round_to,
            round_len: self.round_len,
            output: Output::new(self.jobs),
            jobs: self.jobs,
        }
    }
}
