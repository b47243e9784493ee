//! The order of levels: which part is above which.
//!
//! An event costs as much as there are levels between the highest and the lowest one that it touches, and what
//! lies between two parts that know of each other has to remember what they know. So parts that talk to each other
//! should be close: the sum of the distances of all pairs is made small, each as often as there are different things that
//! they say to each other. That says nothing about
//! up and down, and where one part talks to all others (a hub) it says little at all; so a few orders are tried, each
//! with little work, until one of them gets through.

use qp_base::Set;

use super::super::compiled::Compiled;
use super::super::parts::{Deed, GATE, NONE, SPECIAL};

/// Which part is at which level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::search) struct Levels {
    /// From the lowest level.
    parts: Vec<u32>,
    levels: Vec<usize>,
}

impl Levels {
    pub(in crate::search) fn new(parts: Vec<u32>) -> Self {
        let mut levels = vec![0; parts.len()];
        for (level, &part) in parts.iter().enumerate() {
            levels[part as usize] = level;
        }
        Self { parts, levels }
    }

    pub(in crate::search) fn len(&self) -> usize {
        self.parts.len()
    }

    pub(in crate::search) fn part(&self, level: usize) -> usize {
        self.parts[level] as usize
    }

    pub(in crate::search) fn level(&self, part: u32) -> usize {
        self.levels[part as usize]
    }

    /// A new part is above all others.
    pub(in crate::search) fn push(&mut self) {
        self.levels.push(self.parts.len());
        self.parts.push(self.parts.len() as u32);
    }

    /// A tuple, which goes from the lowest level to the highest, by parts.
    pub(in crate::search) fn by_part(&self, tuple: &[u32]) -> Vec<u32> {
        self.levels.iter().map(|&level| tuple[level]).collect()
    }

    /// The values of all parts as a tuple.
    pub(in crate::search) fn by_level(&self, values: &[u32]) -> Vec<u32> {
        self.parts.iter().map(|&part| values[part as usize]).collect()
    }
}

/// How many different things parts say to each other, as far as is known.
pub(in crate::search) struct Talk {
    weights: Vec<Vec<u32>>,
}

/// The orders to try, the most promising first.
pub(super) fn candidates(compiled: &Compiled) -> Vec<Levels> {
    orders(&Talk::of(compiled))
}

/// The orders to try for parts that talk to each other like this, the most promising first.
pub(in crate::search) fn orders(talk: &Talk) -> Vec<Levels> {
    let n = talk.weights.len() as u32;
    let close = talk.closest();
    let reverse: Vec<u32> = close.iter().rev().copied().collect();
    let mut hub_up = close.clone();
    let hub = (0..n).max_by_key(|&part| (talk.degree(part), std::cmp::Reverse(part)));
    hub_up.retain(|&part| Some(part) != hub);
    hub_up.extend(hub);
    let declared: Vec<u32> = (0..n).collect();
    let mut orders = Vec::new();
    for order in [close, hub_up, reverse, declared] {
        let levels = Levels::new(order);
        if !orders.contains(&levels) {
            orders.push(levels);
        }
    }
    orders
}

impl Talk {
    /// So many parts that have not talked to each other.
    pub(in crate::search) fn new(n_parts: usize) -> Self {
        Self { weights: vec![vec![0; n_parts]; n_parts] }
    }

    fn of(compiled: &Compiled) -> Self {
        let tables = compiled.tables();
        let n = tables.parts.len();
        let (mut talk, mut heard) = (Self { weights: vec![vec![0; n]; n] }, Set::default());
        let mut say = |from: usize, queue: u32, letter: u32| {
            if heard.insert((from, queue, letter)) {
                talk.meet(from, tables.queues[queue as usize].part as usize);
            }
        };
        for (number, part) in tables.parts.iter().enumerate() {
            let special = part.specials.iter().filter_map(|special| match special.deed {
                Deed::Step(step) => Some(step),
                Deed::End(_) | Deed::Wait | Deed::Create { .. } => None,
            });
            for step in part.steps.iter().copied().chain(special) {
                if step.target < SPECIAL {
                    say(number, step.target, step.letter);
                } else if step.target != NONE && step.target >= GATE {
                    say(number, step.target & !GATE, NONE - step.letter);
                }
            }
        }
        if let Some(watchers) = &tables.watchers {
            for (number, part) in tables.parts.iter().enumerate() {
                if part.specials.iter().any(|special| special.announces.is_some()) {
                    talk.meet(number, watchers.part as usize);
                }
            }
        }
        // Who is always the same knows nothing of others.
        for (number, part) in tables.parts.iter().enumerate() {
            if part.values.len() == 1 {
                talk.weights[number].fill(0);
                talk.weights.iter_mut().for_each(|weights| weights[number] = 0);
            }
        }
        talk
    }

    /// Two parts have one thing more to say to each other.
    fn meet(&mut self, a: usize, b: usize) {
        self.add(a, b, 1);
    }

    /// Two parts have more to say to each other.
    pub(in crate::search) fn add(&mut self, a: usize, b: usize, weight: u32) {
        if a != b {
            self.weights[a][b] += weight;
            self.weights[b][a] += weight;
        }
    }

    fn degree(&self, part: u32) -> u32 {
        self.weights[part as usize].iter().sum()
    }

    /// The sum of the distances of all parts that talk to each other.
    fn cost(&self, order: &[u32]) -> u64 {
        let mut cost = 0;
        for (i, &a) in order.iter().enumerate() {
            for (j, &b) in order.iter().enumerate().skip(i + 1) {
                cost += u64::from(self.weights[a as usize][b as usize]) * (j - i) as u64;
            }
        }
        cost
    }

    /// An order in which those who talk to each other are close: parts are moved as long as it helps.
    fn closest(&self) -> Vec<u32> {
        let mut order = self.grown();
        let n = order.len();
        if n > 64 {
            return order;
        }
        let mut cost = self.cost(&order);
        for _ in 0..4 {
            let before = cost;
            for from in 0..n {
                for to in 0..n {
                    let mut moved = order.clone();
                    let part = moved.remove(from);
                    moved.insert(to, part);
                    let now = self.cost(&moved);
                    if now < cost {
                        (order, cost) = (moved, now);
                    }
                }
            }
            if cost == before {
                break;
            }
        }
        order
    }

    /// An order that is grown part by part: next comes who talks most to those that are there.
    fn grown(&self) -> Vec<u32> {
        let n = self.weights.len() as u32;
        let mut order: Vec<u32> = Vec::new();
        let mut left: Vec<u32> = (0..n).collect();
        while !left.is_empty() {
            let bonds = |part: u32| -> (u32, u32) {
                let there = order.iter().map(|&other| self.weights[part as usize][other as usize]);
                let there = there.sum();
                (there, if there == 0 { 0 } else { u32::MAX - (self.degree(part) - there) })
            };
            let best = (0..left.len()).max_by_key(|&at| (bonds(left[at]), std::cmp::Reverse(at)));
            order.push(left.remove(best.expect("something is left")));
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn talk(n: usize, pairs: &[(usize, usize)]) -> Talk {
        let mut talk = Talk { weights: vec![vec![0; n]; n] };
        for &(a, b) in pairs {
            talk.meet(a, b);
        }
        talk
    }

    #[test]
    fn a_chain_is_laid_out_as_a_chain() {
        let chain = talk(5, &[(3, 1), (1, 4), (4, 0), (0, 2)]);
        let order = chain.closest();
        assert_eq!(chain.cost(&order), 4, "{order:?}");
    }

    #[test]
    fn a_hub_is_in_the_middle() {
        let star = talk(5, &[(0, 1), (0, 2), (0, 3), (0, 4)]);
        let order = star.closest();
        assert_eq!(star.cost(&order), 6, "{order:?}");
        assert_eq!(order[2], 0);
    }

    #[test]
    fn tuples_and_parts_are_permutations_of_each_other() {
        let mut levels = Levels::new(vec![2, 0, 1]);
        levels.push();
        assert_eq!(levels.by_part(&[20, 0, 10, 30]), [0, 10, 20, 30]);
        assert_eq!(levels.by_level(&[0, 10, 20, 30]), [20, 0, 10, 30]);
        assert_eq!((levels.part(0), levels.level(2)), (2, 0));
    }
}
