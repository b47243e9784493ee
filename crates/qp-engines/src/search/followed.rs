//! That nobody is left out for ever, where orders of steps are left out.
//!
//! For each configuration and each machine that can move there, some configuration that is reached from it over steps
//! that were followed must let the machine go first. It is looked at when nothing is left to expand; where it is not
//! so, one more machine goes first, and the search goes on.

use qp_base::{Budget, Spent};

use super::space::{ALL, Keys, Output, Space, Window};
use super::visited::Places;
use super::{Halt, Search};

/// The steps that were followed, and who goes first from each configuration on.
struct Graph {
    /// The successors of place `i` are `targets[starts[i]..starts[i + 1]]`.
    starts: Vec<usize>,
    targets: Vec<u32>,
    /// The same for predecessors.
    before_starts: Vec<usize>,
    before: Vec<u32>,
    /// How many words of 64 bits a set of machines has.
    width: usize,
    /// For each place: the machines that can move.
    can: Vec<u64>,
    /// For each place: the machines that go first there or further on.
    on: Vec<u64>,
}

impl<const W: usize> Search<W> {
    /// Lets more machines go first where one is left out for ever, and follows their steps. Says whether there was
    /// such a place: then the search has to go on.
    pub(crate) fn follow_more(&mut self, space: &mut Space, budget: &Budget) -> Result<bool, Halt> {
        let is_full = |firsts: &Vec<u32>| firsts.iter().all(|&set| set == ALL);
        if self.firsts.as_ref().is_none_or(is_full) {
            self.is_fair = true;
            return Ok(false);
        }
        let mut graph = Graph::write_down(space, self, budget)?;
        graph.spread((0..self.visited.len() as u32).rev().collect());
        let mut more = Vec::new();
        for place in (0..self.visited.len() as u32).rev() {
            if let Some(set) = self.widened_set(space, &mut graph, place) {
                more.push((place, set));
            }
        }
        if space.must_begin_again() {
            return Err(Halt::BeginAgain);
        }
        more.reverse();
        for batch in more.chunks(1_024) {
            self.expand_again(space, batch)?;
        }
        self.is_fair = more.is_empty();
        Ok(!self.is_fair)
    }

    /// The set that has to go first in a configuration so that nobody is left out from there on, if it is another one.
    fn widened_set(&self, space: &mut Space, graph: &mut Graph, place: u32) -> Option<u32> {
        let old = self.firsts.as_ref()?[place as usize];
        let (values, mut set) = (self.values(place), old);
        while let Some(machine) = graph.missing(place) {
            set = space.with(&values, self.bound, (set, machine)).unwrap_or(ALL);
            if set == ALL {
                graph.add(place, &space.can_move(&values, self.bound));
            } else {
                graph.add(place, space.set(set));
            }
            graph.spread(graph.before(place).to_vec());
        }
        (set != old).then_some(set)
    }

    /// Follows more steps of configurations.
    fn expand_again(&mut self, space: &mut Space, more: &[(u32, u32)]) -> Result<(), Halt> {
        let Some(firsts) = &mut self.firsts else { return Ok(()) };
        let places: Vec<u32> = more.iter().map(|&(place, _)| place).collect();
        let old: Vec<u32> = places.iter().map(|&place| firsts[place as usize]).collect();
        for &(place, set) in more {
            firsts[place as usize] = set;
        }
        let keys =
            Keys { all: self.visited.keys(), packing: &self.packing, firsts: Some(&firsts[..]) };
        let window = Window { bound: self.bound, from: 0 };
        let done = space.expand(&keys, &places, window, 1, &mut self.output);
        if done.is_err() {
            places.iter().zip(old).for_each(|(&place, set)| firsts[place as usize] = set);
        } else {
            self.gather();
        }
        done
    }
}

impl Graph {
    fn write_down<const W: usize>(
        space: &mut Space,
        search: &Search<W>,
        budget: &Budget,
    ) -> Result<Self, Halt> {
        let (n, width) = (search.visited.len(), space.n_machines_queues().0.div_ceil(64));
        let bytes = search.bytes() + space.bytes() + Places::<W>::bytes_for(n);
        budget.check(Spent { states: n as u64, bytes })?;
        let index = Places::of(&search.visited);
        let mut graph = Self {
            starts: vec![0],
            targets: Vec::new(),
            before_starts: Vec::new(),
            before: Vec::new(),
            width,
            can: vec![0; n * width],
            on: vec![0; n * width],
        };
        let (places, mut output): (Vec<u32>, _) = ((0..n as u32).collect(), Output::new(1));
        for batch in places.chunks(2_048) {
            let (packing, firsts) = (&search.packing, search.firsts.as_deref());
            let keys = Keys { all: search.visited.keys(), packing, firsts };
            let window = Window { bound: search.bound, from: 0 };
            space.expand(&keys, batch, window, 1, &mut output)?;
            let mut candidates = output.candidates.all().peekable();
            for &place in batch {
                while let Some((_, key)) = candidates.next_if(|it| it.0 == place) {
                    let target = index.find(key);
                    graph.targets.push(target.expect("the search is closed within its bound"));
                }
                graph.starts.push(graph.targets.len());
                graph.note(space, search, place);
            }
            budget.check(Spent { states: n as u64, bytes: bytes + graph.bytes() })?;
        }
        graph.turn_round();
        Ok(graph)
    }

    fn bytes(&self) -> u64 {
        (self.targets.len() * 8 + (self.can.len() + self.starts.len()) * 16) as u64
    }

    /// Notes who can move and who goes first in a configuration.
    fn note<const W: usize>(&mut self, space: &Space, search: &Search<W>, place: u32) {
        let can = space.can_move(&search.values(place), search.bound);
        let set = search.firsts.as_ref().map_or(ALL, |firsts| firsts[place as usize]);
        let start = place as usize * self.width;
        for &machine in &can {
            self.can[start + machine as usize / 64] |= 1 << (machine % 64);
        }
        self.add(place, if set == ALL { &can } else { space.set(set) });
    }

    fn add(&mut self, place: u32, machines: &[u32]) {
        for &machine in machines {
            self.on[place as usize * self.width + machine as usize / 64] |= 1 << (machine % 64);
        }
    }

    /// Writes the predecessors down.
    fn turn_round(&mut self) {
        let n = self.starts.len() - 1;
        let mut counts = vec![0; n + 1];
        self.targets.iter().for_each(|&to| counts[to as usize + 1] += 1);
        for place in 0..n {
            counts[place + 1] += counts[place];
        }
        self.before_starts.clone_from(&counts);
        self.before = vec![0; self.targets.len()];
        for place in 0..n {
            for &to in &self.targets[self.starts[place]..self.starts[place + 1]] {
                self.before[counts[to as usize]] = place as u32;
                counts[to as usize] += 1;
            }
        }
    }

    fn before(&self, place: u32) -> &[u32] {
        let place = place as usize;
        &self.before[self.before_starts[place]..self.before_starts[place + 1]]
    }

    /// Adds to these places what their successors have, and goes on wherever that makes a difference.
    fn spread(&mut self, mut open: Vec<u32>) {
        open.reverse();
        while let Some(place) = open.pop() {
            let (at, mut changed) = (place as usize, false);
            for number in self.starts[at]..self.starts[at + 1] {
                let to = self.targets[number] as usize;
                for word in 0..self.width {
                    let more = self.on[to * self.width + word];
                    let here = &mut self.on[at * self.width + word];
                    changed |= more & !*here != 0;
                    *here |= more;
                }
            }
            if changed {
                open.extend_from_slice(self.before(place));
            }
        }
    }

    /// A machine that can move in a configuration and goes first neither there nor further on.
    fn missing(&self, place: u32) -> Option<u32> {
        let start = place as usize * self.width;
        (0..self.width).find_map(|word| {
            let missing = self.can[start + word] & !self.on[start + word];
            (missing != 0).then(|| word as u32 * 64 + missing.trailing_zeros())
        })
    }
}
