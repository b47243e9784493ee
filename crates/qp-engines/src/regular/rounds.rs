//! Rounds on which machines do more than a cycle says, such as reading a queue until something comes: one queue only
//! grows, and the others can hold afterwards what they held before.
//!
//! A cycle takes the same messages each time. Where a machine reads on until it finds an answer, there is no such cycle.
//! But if all contents of a row lead, step by step and with smaller cycles in between, to a row that has at least the
//! same contents in all queues but one, and something was put into that one and nothing else was done to it, then
//! the same can be done again, and again.

use qp_automata::loops::{Effect, Op, Product};
use qp_automata::regular::{Language, Word};
use qp_base::Exhausted;

use super::joint::beside;
use super::world::{ControlId, Does, World};

/// So often smaller cycles are taken one after the other.
const CLOSURES_MAX: usize = 6;

/// Longer rounds are not tried.
const LENGTH_MAX: usize = 40;

/// A round: what each step does, and where it leads. The last one leads to where the round begins.
pub(super) type Round = Vec<(Does, ControlId)>;

/// What becomes of a product when a round is taken any number of times; nothing if that is not known. Everything in it
/// can be reached.
pub(super) fn grown(
    world: &mut World,
    round: &Round,
    product: &Product,
    cycle_max: usize,
) -> Result<Option<Product>, Exhausted> {
    for place in 0..product.0.len() {
        let Some(put) = put_only(round, place) else { continue };
        if leads_back(world, round, product, place, cycle_max)? {
            let again = Language::word(&put).star(&world.automata)?;
            let mut wider = product.clone();
            wider.0[place] = wider.0[place].concat(&again, &world.automata)?;
            return Ok((wider != *product).then_some(wider));
        }
    }
    Ok(None)
}

/// Whether it is worth trying a round: it is not too long, and there is a queue on which it puts something and from
/// which it takes nothing.
pub(super) fn can_grow(round: &Round, n_queues: usize) -> bool {
    round.len() <= LENGTH_MAX && (0..n_queues).any(|place| put_only(round, place).is_some())
}

/// What a round puts into a queue, if it does nothing else to it.
fn put_only(round: &Round, place: usize) -> Option<Word> {
    let mut put = Word::new();
    for (does, _) in round {
        if !does.is_plain {
            return None;
        }
        for (_, op) in does.ops.iter().filter(|(queue, _)| queue.index() == place) {
            let Op::Put(letter) = op else { return None };
            put.push(*letter);
        }
    }
    (!put.is_empty()).then_some(put)
}

/// Whether a round ends with at least what it began with in all queues but one.
fn leads_back(
    world: &mut World,
    round: &Round,
    product: &Product,
    place: usize,
    cycle_max: usize,
) -> Result<bool, Exhausted> {
    let mut now = product.clone();
    for (does, to) in round {
        for (queue, op) in does.ops.iter() {
            let language = &mut now.0[queue.index()];
            *language = world.memo.image(&Effect::of(&[*op]), language, &world.automata)?;
            if language.is_empty() {
                return Ok(false);
            }
        }
        now = closed(world, *to, now, place, cycle_max)?;
    }
    let mut others = (0..now.0.len()).filter(|&other| other != place);
    Ok(others.all(|other| product.0[other].is_included_in(&now.0[other])))
}

/// Takes the cycles of a control that do not touch a queue, as far as they make one product.
fn closed(
    world: &mut World,
    control: ControlId,
    product: Product,
    place: usize,
    cycle_max: usize,
) -> Result<Product, Exhausted> {
    let mut now = product;
    let cycles = world.graph.cycles(control, cycle_max, now.0.len());
    for _ in 0..CLOSURES_MAX {
        let kept = now.0[place].clone();
        let mut wider = cycles.joint(&now, &world.automata)?;
        wider.0[place] = kept;
        let World { automata, memo, .. } = &mut *world;
        let untouched = |effects: &&Vec<Effect>| effects[place] == Effect::default();
        let more = beside(cycles.all.iter().filter(untouched), &wider, memo, automata)?;
        let next = more.unwrap_or(wider);
        if next == now {
            break;
        }
        now = next;
    }
    Ok(now)
}
