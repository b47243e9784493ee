//! How many tuples there are.
//!
//! Whoever counts a set in many ways lays it out once. Then a sum whose weights are one at most levels looks only
//! at the nodes between the highest and the lowest of the others: what is below and above was counted before.

use std::cell::OnceCell;
use std::ops::{Range, RangeInclusive};

use num_bigint::BigUint;
use qp_base::Map;

use crate::store::{Diagrams, Set, UNIT};

/// A set that is to be counted in several ways.
pub struct Census {
    graph: Graph,
    /// As long as numbers are small.
    small: Option<Sums<u128>>,
    large: OnceCell<Sums<BigUint>>,
}

/// The nodes of a set, each before those that it leads to; the last one is the tuple without values.
struct Graph {
    /// For each level: the nodes there.
    layers: Vec<Range<usize>>,
    arcs: Vec<(u32, u32)>,
    /// For each node: its first arc.
    starts: Vec<usize>,
    is_empty: bool,
}

/// For each node: how many tuples there are below it, and how many ways lead to it.
struct Sums<N> {
    below: Vec<N>,
    above: Vec<N>,
}

impl Diagrams {
    /// How many tuples are in a set.
    pub fn count(&self, set: Set) -> BigUint {
        self.census(set).count()
    }

    /// The sum over all tuples of the product of the weights of their values, by level and value.
    pub fn weigh(&self, set: Set, weight: impl Fn(usize, u32) -> u64) -> BigUint {
        let census = self.census(set);
        match census.graph.layers.len() {
            0 => census.count(),
            n_levels => census.weigh(0..=n_levels - 1, weight),
        }
    }

    /// A set laid out for counting.
    pub fn census(&self, set: Set) -> Census {
        let nodes = self.below(set);
        let mut places = Map::default();
        places.insert(UNIT, nodes.len() as u32);
        places.extend(nodes.iter().copied().zip(0..));
        let n_levels = nodes.first().map_or(0, |&top| self.level(top) as usize + 1);
        let mut layers = vec![0..0; n_levels];
        let (mut arcs, mut starts) = (Vec::new(), vec![0]);
        for (place, &node) in nodes.iter().enumerate() {
            arcs.extend(self.arcs(node).iter().map(|&(value, child)| (value, places[&child])));
            starts.push(arcs.len());
            let layer = &mut layers[self.level(node) as usize];
            *layer = if layer.end == 0 { place } else { layer.start }..place + 1;
        }
        let graph = Graph { layers, arcs, starts, is_empty: set.is_empty() };
        Census { small: Sums::of(&graph), large: OnceCell::new(), graph }
    }
}

impl Census {
    /// How many tuples there are.
    pub fn count(&self) -> BigUint {
        match &self.small {
            _ if self.graph.is_empty => BigUint::ZERO,
            Some(sums) => BigUint::from(sums.below[0]),
            None => self.large().below[0].clone(),
        }
    }

    /// The sum over all tuples of the product of the weights of their values, by level and value: only for the levels
    /// in this range, all of which exist. Elsewhere weights are one.
    pub fn weigh(
        &self,
        levels: RangeInclusive<usize>,
        weight: impl Fn(usize, u32) -> u64,
    ) -> BigUint {
        if self.graph.is_empty {
            return BigUint::ZERO;
        }
        let small = self.small.as_ref();
        match small.and_then(|sums| sums.weigh(&self.graph, levels.clone(), &weight)) {
            Some(sum) => BigUint::from(sum),
            None => self.large().weigh(&self.graph, levels, &weight).expect("it has no limit"),
        }
    }

    fn large(&self) -> &Sums<BigUint> {
        self.large.get_or_init(|| Sums::of(&self.graph).expect("it has no limit"))
    }
}

impl Graph {
    fn arcs(&self, place: usize) -> &[(u32, u32)] {
        &self.arcs[self.starts[place]..self.starts[place + 1]]
    }

    fn n_nodes(&self) -> usize {
        self.starts.len() - 1
    }
}

/// Numbers that can be added up; nothing where they become too large.
trait Number: Clone {
    const ZERO: Self;
    fn one() -> Self;
    fn plus(&mut self, other: &Self) -> Option<()>;
    fn times(&self, other: &Self) -> Option<Self>;
    fn times_small(&self, factor: u64) -> Option<Self>;
}

impl Number for u128 {
    const ZERO: Self = 0;

    fn one() -> Self {
        1
    }

    fn plus(&mut self, other: &Self) -> Option<()> {
        *self = self.checked_add(*other)?;
        Some(())
    }

    fn times(&self, other: &Self) -> Option<Self> {
        self.checked_mul(*other)
    }

    fn times_small(&self, factor: u64) -> Option<Self> {
        self.checked_mul(u128::from(factor))
    }
}

impl Number for BigUint {
    const ZERO: Self = Self::ZERO;

    fn one() -> Self {
        Self::from(1_u32)
    }

    fn plus(&mut self, other: &Self) -> Option<()> {
        *self += other;
        Some(())
    }

    fn times(&self, other: &Self) -> Option<Self> {
        Some(self * other)
    }

    fn times_small(&self, factor: u64) -> Option<Self> {
        Some(self * factor)
    }
}

impl<N: Number> Sums<N> {
    fn of(graph: &Graph) -> Option<Self> {
        let n = graph.n_nodes();
        let (mut below, mut above) = (vec![N::ZERO; n + 1], vec![N::ZERO; n + 1]);
        below[n] = N::one();
        for place in (0..n).rev() {
            let mut sum = N::ZERO;
            for &(_, child) in graph.arcs(place) {
                sum.plus(&below[child as usize])?;
            }
            below[place] = sum;
        }
        above[0] = N::one();
        for place in 0..n {
            let ways = above[place].clone();
            for &(_, child) in graph.arcs(place) {
                above[child as usize].plus(&ways)?;
            }
        }
        Some(Self { below, above })
    }

    fn weigh(
        &self,
        graph: &Graph,
        levels: RangeInclusive<usize>,
        weight: &impl Fn(usize, u32) -> u64,
    ) -> Option<N> {
        let (low, high) = levels.into_inner();
        // The nodes of the highest of these levels come first.
        let first = graph.layers[high].start;
        let mut sums = vec![N::ZERO; graph.layers[low].end - first];
        for level in low..=high {
            for place in graph.layers[level].clone() {
                let mut sum = N::ZERO;
                for &(value, child) in graph.arcs(place) {
                    let child = child as usize;
                    let below =
                        if level == low { &self.below[child] } else { &sums[child - first] };
                    match weight(level, value) {
                        0 => {}
                        1 => sum.plus(below)?,
                        weight => sum.plus(&below.times_small(weight)?)?,
                    }
                }
                sums[place - first] = sum;
            }
        }
        let mut total = N::ZERO;
        for place in graph.layers[high].clone() {
            total.plus(&sums[place - first].times(&self.above[place])?)?;
        }
        Some(total)
    }
}
