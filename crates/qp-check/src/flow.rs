//! Weighed nets: why counting messages is enough.

use qp_claim::{Flow, Weighing};
use qp_machines::{Arc, Counter, Counts, DetailId, Net, Property, System};

use crate::Rejected;

/// Checks that a weighing of the model's net proves the property.
///
/// A configuration weighs the potentials of the spots where machines are, and the values of counters times
/// their weights, so never less than 0. Handshakes weigh nothing: their values do not change.
pub(crate) fn check(system: &mut System, property: Property, flow: &Flow) -> Result<(), Rejected> {
    let n_queues = system.program().outline().queues.len();
    let followed: Vec<DetailId> = flow.followed.iter().map(|&id| DetailId::from_raw(id)).collect();
    let net = system.program_mut().net(&followed).map_err(Rejected)?;
    let scales = flow.weighings.iter().map(|weighing| Scales::read(&net, weighing));
    let scales = scales.collect::<Result<Vec<Scales<'_>>, Rejected>>()?;
    match property {
        Property::Length(queue, bound) if queue.index() < n_queues => {
            let mut heavy = scales.iter().filter(|scales| scales.weighs(|c| c.counts.is_in(queue)));
            let proves =
                heavy.any(|scales| scales.never_heavier() && scales.first_is_at_most(bound));
            let name = system.program().outline().queue_text(queue);
            let what = format!("that {name} holds at most {bound}");
            proves.then_some(()).ok_or_else(|| refused(&what))
        }
        // A queue has a greatest length if there are only so many messages of each kind.
        Property::Bounded => {
            let sound: Vec<&Scales<'_>> = scales.iter().filter(|s| s.never_heavier()).collect();
            let limited = |counter: &&Counter| match counter.counts {
                Counts::Messages(_) => {
                    sound.iter().any(|s| s.weighs(|c| std::ptr::eq(c, *counter)))
                }
                Counts::Handshakes(_) | Counts::Machines | Counts::Number => true,
            };
            match net.counters.iter().find(|counter| !limited(counter)) {
                None => Ok(()),
                Some(counter) => Err(refused(&format!("a greatest number of {}", counter.name))),
            }
        }
        // Every infinite run takes steps with progress again and again, so marked states are visited.
        Property::Livelock => {
            let proves = scales.iter().any(Scales::lighter_without_progress);
            proves.then_some(()).ok_or_else(|| refused("progress"))
        }
        _ => Err(Rejected("weighing the net does not prove this property".to_owned())),
    }
}

fn refused(what: &str) -> Rejected {
    Rejected(format!("no weighing proves {what}"))
}

/// A weighing, read.
struct Scales<'a> {
    net: &'a Net,
    denominator: i128,
    potentials: Vec<i128>,
    weights: Vec<i128>,
    factors: Vec<i128>,
    /// How much each arc adds to facts, each times its factor.
    allowed: Vec<Option<i128>>,
}

impl<'a> Scales<'a> {
    fn read(net: &'a Net, weighing: &Weighing) -> Result<Self, Rejected> {
        let denominator = i128::from(weighing.denominator);
        let potentials = spread(&weighing.potentials, net.spots.len())?;
        let weights = spread(&weighing.weights, net.counters.len())?;
        let factors = spread(&weighing.factors, net.facts.len())?;
        let free = |counter: &Counter| matches!(counter.counts, Counts::Handshakes(_));
        let owed = net.counters.iter().zip(&weights).filter(|(counter, _)| !free(counter));
        let mut numbers = potentials.iter().chain(&factors).chain(owed.map(|(_, weight)| weight));
        if denominator < 1 || numbers.any(|&number| number < 0) {
            return Err(Rejected("a weighing has a negative number".to_owned()));
        }
        let mut allowed = vec![Some(0); net.arcs.len()];
        for (fact, &factor) in net.facts.iter().zip(&factors) {
            for &(arc, times) in &fact.terms {
                let sum = &mut allowed[arc.index()];
                *sum = sum.and_then(|sum| add(sum, factor, i128::from(times)));
            }
        }
        Ok(Self { net, denominator, potentials, weights, factors, allowed })
    }

    /// Whether each of these counters weighs at least as much as it counts.
    fn weighs(&self, chosen: impl Fn(&Counter) -> bool) -> bool {
        let mut counters = self.net.counters.iter().zip(&self.weights);
        counters.all(|(counter, &weight)| weight >= self.denominator || !chosen(counter))
    }

    /// Whether no step makes configurations heavier, apart from what facts allow.
    fn never_heavier(&self) -> bool {
        self.each_arc(|_| true, 0)
    }

    /// Whether every step without progress makes configurations lighter by 1, apart from what facts allow.
    fn lighter_without_progress(&self) -> bool {
        self.each_arc(|arc| !arc.progress, -self.denominator)
    }

    fn each_arc(&self, chosen: impl Fn(&Arc) -> bool, most: i128) -> bool {
        let mut arcs = self.net.arcs.iter().zip(&self.allowed).filter(|(arc, _)| chosen(arc));
        arcs.all(|(arc, allowed)| {
            let added = allowed.and_then(|allowed| self.added(arc)?.checked_sub(allowed));
            added.is_some_and(|added| added <= most)
        })
    }

    /// How much heavier an arc makes a configuration; `None` if the numbers are too large.
    fn added(&self, arc: &Arc) -> Option<i128> {
        let potential = |spot: Option<_>| spot.map_or(0, |spot| self.potentials[usize::from(spot)]);
        let moved = potential(arc.to) - potential(arc.from);
        let mut effects = arc.effects.iter();
        effects.try_fold(moved, |sum, &(counter, by)| {
            add(sum, self.weights[counter.index()], i128::from(by))
        })
    }

    /// Whether no configuration ever weighs more than this: the first one does not, with all that facts
    /// allow.
    fn first_is_at_most(&self, bound: u32) -> bool {
        let net = self.net;
        let spots = net.spots.iter().zip(&self.potentials);
        let spots = spots.map(|(spot, &potential)| (potential, i128::from(spot.initial)));
        let counters = net.counters.iter().zip(&self.weights);
        let counters = counters.filter(|(c, _)| !matches!(c.counts, Counts::Handshakes(_)));
        let counters = counters.map(|(counter, &weight)| (weight, i128::from(counter.initial)));
        let facts = net.facts.iter().zip(&self.factors);
        let facts = facts.map(|(fact, &factor)| (factor, i128::from(fact.at_most)));
        let mut parts = spots.chain(counters).chain(facts);
        let weight = parts.try_fold(0, |sum: i128, (each, times)| add(sum, each, times));
        let above = (i128::from(bound) + 1) * self.denominator;
        weight.is_some_and(|weight| weight < above)
    }
}

fn add(sum: i128, each: i128, times: i128) -> Option<i128> {
    each.checked_mul(times).and_then(|product| sum.checked_add(product))
}

/// Numbers in their places, 0 where there are none.
fn spread(listed: &[(u32, i64)], places: usize) -> Result<Vec<i128>, Rejected> {
    let mut numbers = vec![0; places];
    for &(place, number) in listed {
        let known = numbers.get_mut(place as usize);
        *known.ok_or_else(|| Rejected(format!("the net has no number {place}")))? =
            i128::from(number);
    }
    Ok(numbers)
}
