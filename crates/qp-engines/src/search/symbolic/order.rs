//! The order of levels: which part is above which.
//!
//! An event costs as much as there are levels between the highest and the lowest one that it touches, and what
//! lies between two parts that know of each other has to remember what they know. So parts that talk to each other
//! should be close: the sum of the distances of all pairs is made small, each as often as there are different things that
//! they say to each other. That says nothing about up and down, and where one part talks to all others (a hub) it says
//! little at all: there it is mostly best to have the hub above the others. Parts that are always the same are
//! lowest: they only ask for something, and what is asked for happens lower down then. Which of a few orders is best is
//! found out where queues are shorter, or, if there is no such place, by trying.

use qp_base::Set;

use super::super::compiled::Compiled;
use super::super::parts::{Deed, GATE, NONE, SPECIAL};
use crate::Order;

/// Which part is at which level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Levels {
    /// From the lowest level.
    parts: Vec<u32>,
    levels: Vec<usize>,
}

impl Levels {
    pub(crate) fn new(parts: Vec<u32>) -> Self {
        let mut levels = vec![0; parts.len()];
        for (level, &part) in parts.iter().enumerate() {
            levels[part as usize] = level;
        }
        Self { parts, levels }
    }

    pub(crate) fn len(&self) -> usize {
        self.parts.len()
    }

    pub(crate) fn part(&self, level: usize) -> usize {
        self.parts[level] as usize
    }

    pub(crate) fn level(&self, part: u32) -> usize {
        self.levels[part as usize]
    }

    /// A new part is above all others.
    pub(crate) fn push(&mut self) {
        self.levels.push(self.parts.len());
        self.parts.push(self.parts.len() as u32);
    }

    /// A tuple, which goes from the lowest level to the highest, by parts.
    pub(crate) fn by_part(&self, tuple: &[u32]) -> Vec<u32> {
        self.levels.iter().map(|&level| tuple[level]).collect()
    }

    /// The values of all parts as a tuple.
    pub(crate) fn by_level(&self, values: &[u32]) -> Vec<u32> {
        self.parts.iter().map(|&part| values[part as usize]).collect()
    }
}

/// How many different things parts say to each other, as far as is known.
pub(crate) struct Talk {
    weights: Vec<Vec<u32>>,
    /// For each part: how many values it has.
    n_values: Vec<usize>,
}

/// Parts with fewer values have little to remember.
pub(crate) const SMALL: usize = 4;

/// The orders to try, the most promising first.
pub(super) fn candidates(compiled: &Compiled, order: Order) -> Vec<Levels> {
    let auto = [Order::Hub, Order::Close, Order::Reverse, Order::Model];
    Talk::of(compiled).orders(order, auto)
}

impl Talk {
    /// Parts with this many values each that have not talked to each other.
    pub(crate) fn new(n_values: Vec<usize>) -> Self {
        Self { weights: vec![vec![0; n_values.len()]; n_values.len()], n_values }
    }

    /// The orders to try: all those of `auto` if none is asked for.
    pub(crate) fn orders(&self, order: Order, auto: [Order; 4]) -> Vec<Levels> {
        let mut orders = Vec::new();
        let one = [order];
        for wanted in if order == Order::Auto { &auto[..] } else { &one } {
            let levels = Levels::new(match wanted {
                Order::Hub => self.hub(),
                Order::Close => self.close(),
                Order::Reverse => self.reverse(),
                Order::Model | Order::Auto => self.model(),
            });
            if !orders.contains(&levels) {
                orders.push(levels);
            }
        }
        orders
    }

    fn of(compiled: &Compiled) -> Self {
        let tables = compiled.tables();
        let n_values = tables.parts.iter().map(|part| part.values.len()).collect();
        let (mut talk, mut heard) = (Self::new(n_values), Set::default());
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
        talk
    }

    /// Those who talk to each other are close.
    fn close(&self) -> Vec<u32> {
        self.above(|part| self.n_values[part as usize] == 1, |rest| self.closest(rest))
    }

    fn reverse(&self) -> Vec<u32> {
        let reversed = |rest: &[u32]| self.closest(rest).into_iter().rev().collect();
        self.above(|part| self.n_values[part as usize] == 1, reversed)
    }

    /// The order of the model.
    fn model(&self) -> Vec<u32> {
        self.above(|part| self.n_values[part as usize] == 1, <[u32]>::to_vec)
    }

    /// Groups of parts that have to do with each other, each with its hub on top; small parts below all of them.
    fn hub(&self) -> Vec<u32> {
        self.above(
            |part| self.n_values[part as usize] < SMALL,
            |rest| {
                let groups = self.groups(self.closest(rest)).into_iter();
                groups.flat_map(|group| self.with_hub_on_top(group)).collect()
            },
        )
    }

    /// The parts that are said to be low, those that are always the same first, and then the others as they are arranged.
    fn above(
        &self,
        is_low: impl Fn(u32) -> bool,
        arrange: impl Fn(&[u32]) -> Vec<u32>,
    ) -> Vec<u32> {
        let all = 0..self.weights.len() as u32;
        let (mut low, rest): (Vec<u32>, Vec<u32>) = all.partition(|&part| is_low(part));
        low.sort_by_key(|&part| (self.n_values[part as usize] > 1, part));
        low.extend(arrange(&rest));
        low
    }

    /// Splits parts into groups that say nothing to each other; those of a group stay in order.
    fn groups(&self, mut parts: Vec<u32>) -> Vec<Vec<u32>> {
        let mut groups = Vec::new();
        while let Some(&first) = parts.first() {
            let mut group = vec![first];
            let mut looked = 0;
            while looked < group.len() {
                let bonds = &self.weights[group[looked] as usize];
                let more = |part: &&u32| bonds[**part as usize] > 0 && !group.contains(part);
                let more: Vec<u32> = parts.iter().filter(more).copied().collect();
                group.extend(more);
                looked += 1;
            }
            let (mine, others) = parts.iter().partition(|part| group.contains(part));
            groups.push(mine);
            parts = others;
        }
        groups
    }

    /// A hub talks far more than all others.
    fn with_hub_on_top(&self, mut group: Vec<u32>) -> Vec<u32> {
        let degree = |part: u32| -> u32 {
            group.iter().map(|&other| self.weights[part as usize][other as usize]).sum()
        };
        let mut degrees: Vec<(u32, u32)> = group.iter().map(|&part| (degree(part), part)).collect();
        degrees.sort_unstable();
        if let &[.., (second, _), (first, hub)] = &degrees[..]
            && first >= second + second / 2
        {
            group.retain(|&part| part != hub);
            group.push(hub);
        }
        group
    }

    /// Two parts have one thing more to say to each other.
    fn meet(&mut self, a: usize, b: usize) {
        self.add(a, b, 1);
    }

    /// Two parts have more to say to each other.
    pub(crate) fn add(&mut self, a: usize, b: usize, weight: u32) {
        if a != b {
            self.weights[a][b] += weight;
            self.weights[b][a] += weight;
        }
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
    fn closest(&self, parts: &[u32]) -> Vec<u32> {
        let mut order = self.grown(parts);
        let n = order.len();
        if n > 64 {
            return order;
        }
        let mut cost = self.cost(&order);
        for _ in 0..4 {
            let before = cost;
            for from in 0..n {
                let (best, now) = self.best_place(&order, from, cost);
                if now < cost {
                    let part = order.remove(from);
                    order.insert(best, part);
                    cost = now;
                }
            }
            if cost == before {
                break;
            }
        }
        order
    }

    /// Where a part would be best, and the cost then: it is moved from place to place past one other part at a time.
    fn best_place(&self, order: &[u32], from: usize, cost: u64) -> (usize, u64) {
        let (mut order, mut now, mut best) = (order.to_vec(), cost, (from, cost));
        let pass = |order: &mut Vec<u32>, low: usize, now: &mut u64| {
            // Only the distances of these two to all others change, by one.
            let (a, b) = (order[low] as usize, order[low + 1] as usize);
            let sum = |part: usize, others: &[u32]| -> i64 {
                others.iter().map(|&other| i64::from(self.weights[part][other as usize])).sum()
            };
            let (below, above) = (&order[..low], &order[low + 2..]);
            let change = sum(a, below) - sum(a, above) + sum(b, above) - sum(b, below);
            *now = now.wrapping_add_signed(change);
            order.swap(low, low + 1);
        };
        for low in from..order.len().saturating_sub(1) {
            pass(&mut order, low, &mut now);
            if now < best.1 {
                best = (low + 1, now);
            }
        }
        for low in (from..order.len().saturating_sub(1)).rev() {
            pass(&mut order, low, &mut now);
        }
        for low in (0..from).rev() {
            pass(&mut order, low, &mut now);
            if now < best.1 {
                best = (low, now);
            }
        }
        best
    }

    /// An order that is grown part by part: next comes who talks most to those that are there.
    fn grown(&self, parts: &[u32]) -> Vec<u32> {
        let n = self.weights.len();
        let degree = |part: u32| -> u32 {
            parts.iter().map(|&other| self.weights[part as usize][other as usize]).sum()
        };
        // For each part: how much it has to say to those that are there.
        let mut there = vec![0; n];
        let degrees: Vec<u32> = (0..n as u32).map(degree).collect();
        let mut order: Vec<u32> = Vec::new();
        let mut left = parts.to_vec();
        while !left.is_empty() {
            let bonds = |part: u32| -> (u32, u32) {
                let (there, degree) = (there[part as usize], degrees[part as usize]);
                (there, if there == 0 { 0 } else { u32::MAX - (degree - there) })
            };
            let best = (0..left.len()).max_by_key(|&at| (bonds(left[at]), std::cmp::Reverse(at)));
            let part = left.remove(best.expect("something is left"));
            for (there, weight) in there.iter_mut().zip(&self.weights[part as usize]) {
                *there += weight;
            }
            order.push(part);
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn talk(n: usize, pairs: &[(usize, usize)]) -> Talk {
        let mut talk = Talk::new(vec![9; n]);
        for &(a, b) in pairs {
            talk.meet(a, b);
        }
        talk
    }

    #[test]
    fn a_chain_is_laid_out_as_a_chain() {
        let chain = talk(5, &[(3, 1), (1, 4), (4, 0), (0, 2)]);
        let order = chain.closest(&[0, 1, 2, 3, 4]);
        assert_eq!(chain.cost(&order), 4, "{order:?}");
    }

    #[test]
    fn a_hub_is_in_the_middle() {
        let star = talk(5, &[(0, 1), (0, 2), (0, 3), (0, 4)]);
        let order = star.closest(&[0, 1, 2, 3, 4]);
        assert_eq!(star.cost(&order), 6, "{order:?}");
        assert_eq!(order[2], 0);
    }

    #[test]
    fn hubs_are_above_their_groups_and_small_parts_below_all() {
        let mut lifts = talk(7, &[(0, 1), (0, 2), (3, 4), (3, 5), (6, 0), (6, 3)]);
        lifts.n_values[6] = 1;
        let order = lifts.hub();
        assert_eq!(order[0], 6);
        assert_eq!((order[3], order[6]), (0, 3), "{order:?}");
    }

    #[test]
    fn where_all_talk_alike_there_is_no_hub() {
        let ring = talk(4, &[(0, 1), (1, 2), (2, 3), (3, 0)]);
        assert_eq!(ring.hub(), ring.close());
    }

    #[test]
    fn moving_a_part_changes_the_cost_as_it_is_worked_out() {
        let some = talk(6, &[(0, 3), (0, 3), (1, 5), (2, 4), (4, 5), (1, 2), (0, 5)]);
        let order = [3, 1, 4, 0, 2, 5];
        for from in 0..order.len() {
            let (best, cost) = some.best_place(&order, from, some.cost(&order));
            let mut moved = order.to_vec();
            let part = moved.remove(from);
            moved.insert(best, part);
            assert_eq!(some.cost(&moved), cost);
        }
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
