//! A search that always ends where there are finitely many controls: what a control's queues can hold is one product,
//! and automata are blurred as they grow.

use std::collections::VecDeque;

use qp_automata::loops::Product;
use qp_automata::regular::Language;
use qp_base::{Budget, Set};
use qp_machines::Capacity;

use super::search::Found;
use super::world::{ControlId, Leap, Stop, World};

/// Everything that can be reached and possibly more: states of automata that accept the same words of up to `length`
/// letters are one.
pub(super) fn widen(
    world: &mut World,
    length: usize,
    work_max: u64,
    budget: &Budget,
) -> Result<Found, Stop> {
    let (control, product) = world.initial();
    let mut found = Found { over: true, ..Found::default() };
    found.rows.replace(control, product);
    let (mut jobs, mut waiting) = (VecDeque::from([control]), Set::default());
    waiting.insert(control);
    while let Some(control) = jobs.pop_front() {
        waiting.remove(&control);
        let product = found.rows.of(control)[0].clone();
        found.spend(&product, work_max, budget)?;
        for leap in world.leaps(control, &product)? {
            match leap {
                Leap::To { to, product, does, .. } => {
                    world.graph.add(control, does, to);
                    if join(world, &mut found, to, &product, length)? && waiting.insert(to) {
                        jobs.push_back(to);
                    }
                }
                Leap::Fails { property, part } => found.fail(property, control, part),
            }
        }
    }
    Ok(found)
}

/// Adds a product to what a control has; says whether something in it was new.
fn join(
    world: &mut World,
    found: &mut Found,
    control: ControlId,
    product: &Product,
    length: usize,
) -> Result<bool, Stop> {
    let Some(old) = found.rows.of(control).first() else {
        found.rows.replace(control, product.clone());
        return Ok(true);
    };
    if product.is_included_in(old) {
        return Ok(false);
    }
    let kinds = &world.config(control).kinds;
    let mut wider: Vec<Language> = Vec::with_capacity(old.0.len());
    for (place, (old, new)) in old.0.iter().zip(&product.0).enumerate() {
        let kind = world.system.program().outline().kinds[kinds[place]];
        wider.push(match kind.capacity {
            _ if new.is_included_in(old) => old.clone(),
            Capacity::Unbounded => {
                old.union(new, &world.automata)?.blurred(length, &world.automata)?
            }
            // There are finitely many contents, and none is longer than what fits.
            Capacity::Messages(_) | Capacity::Rendezvous => old.union(new, &world.automata)?,
        });
    }
    found.rows.replace(control, Product(wider));
    Ok(true)
}
