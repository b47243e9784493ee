//! Which part is at which level: those that turns touch together should be close.

use super::super::super::symbolic::order::{self, Levels, Talk};
use super::super::Turns;
use super::super::slots::Slots;
use super::rules::Relations;
use crate::Order;

/// How much a turn says about who should be close to whom, to be shared by all pairs.
const TALK: u32 = 144;

/// The orders of levels to try. At the bottom, where they are in nobody's way, are the holder, whom everybody asks,
/// and what never changes.
pub(super) fn orders(turns: &Turns, order: Order) -> Vec<Levels> {
    let slots = &turns.slots;
    let (mut relations, mut products) = (Relations::default(), Vec::new());
    turns.woods.each_way(|way| {
        for (_, jump) in way.jumps() {
            products.push(((), relations.turn(slots, way, jump, None)));
        }
    });
    let lives = |part: u32| part as usize != Slots::holder() && slots.n_values(part as usize) > 1;
    let parts = 0..slots.n_parts() as u32;
    let (living, mut fixed): (Vec<u32>, Vec<u32>) = parts.partition(|&part| lives(part));
    fixed.sort_by_key(|&part| part as usize != Slots::holder());
    let mut talk = Talk::new(living.len());
    for ((), product) in relations.united(products) {
        let number = |part: &u32| living.binary_search(part).ok();
        let touched: Vec<usize> = product.parts().iter().filter_map(number).collect();
        let n = touched.len() as u32;
        for (place, &a) in touched.iter().enumerate() {
            // A turn that touches many parts says little about any two of them.
            let weight = TALK / (n * n);
            touched[place + 1..].iter().for_each(|&b| talk.add(a, b, weight));
        }
    }
    let whole = |levels: Levels| {
        let parts = (0..levels.len()).map(|level| living[levels.part(level)]);
        Levels::new(fixed.iter().copied().chain(parts).collect())
    };
    let wanted = match order {
        Order::Auto => vec![Order::Close, Order::Hub, Order::Reverse, Order::Model],
        one => vec![one],
    };
    let mut orders: Vec<Levels> = Vec::new();
    for levels in wanted.into_iter().flat_map(|order| order::orders(&talk, order)).map(whole) {
        if !orders.contains(&levels) {
            orders.push(levels);
        }
    }
    orders
}
