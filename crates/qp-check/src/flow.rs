//! Checks evidence that weighs nets: why counting messages is enough.
//!
//! It looks once at each arc of the net that the
//! program gives, and solves nothing.
//!
//! Absent on purpose: linear programs, and anything else by which weights are found.

use qp_claim::{Case, Flow, Weighing};
use qp_machines::{
    Arc, ArcId, Counter, Counts, DetailId, MachineId, Net, Property, SpotId, System,
};

use crate::{Checked, Refusal, wrong};

/// Cases may lie inside of each other as deep as there are cases.
const CASES_MAX: usize = 1_000;

/// Checks that a weighing of the model's net proves the property.
///
/// A configuration weighs the potentials of the spots where machines are, and the values of counters times
/// their weights, so never less than 0. Handshakes weigh nothing: their values do not change.
pub(crate) fn check(system: &mut System, property: Property, flow: &Flow) -> Checked<()> {
    let n_queues = system.program().outline().queues.len();
    let followed: Vec<DetailId> = flow.followed.iter().map(|&id| DetailId::from_raw(id)).collect();
    let net = system.program_mut().net(&followed)?;
    let scales = flow.weighings.iter().map(|weighing| Scales::read(&net, weighing));
    let scales = scales.collect::<Checked<Vec<Scales<'_>>>>()?;
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
            let left: Vec<bool> = net.arcs.iter().map(|arc| !arc.progress).collect();
            if flow.cases.len() > CASES_MAX {
                return wrong("there are too many cases");
            }
            let mut cases = flow.cases.iter();
            check_case(&net, &mut cases, &Situation { musts: vec![left.clone()], left })?;
            match cases.next() {
                None => Ok(()),
                Some(_) => wrong("there are more cases than there should be"),
            }
        }
        _ => wrong("weighing the net does not prove this property"),
    }
}

fn refused(what: &str) -> Refusal {
    format!("no weighing proves {what}").into()
}

/// What an infinite run does from some moment on.
#[derive(Clone)]
struct Situation {
    /// The arcs that it may take.
    left: Vec<bool>,
    /// Of each of these it takes some again and again.
    musts: Vec<Vec<bool>>,
}

impl Situation {
    fn without(&self, gone: impl Fn(ArcId) -> bool) -> Self {
        let left = self.left.iter().enumerate();
        let left = left.map(|(arc, &left)| left && !gone(ArcId::new(arc))).collect();
        Self { left, musts: self.musts.clone() }
    }

    fn with(&self, must: impl Fn(ArcId) -> bool) -> Self {
        let mut next = self.clone();
        next.musts.push((0..self.left.len()).map(|arc| must(ArcId::new(arc))).collect());
        next
    }
}

/// Checks that no run is in this situation, by the next case and those into which it falls.
fn check_case<'c>(
    net: &Net,
    cases: &mut impl Iterator<Item = &'c Case>,
    now: &Situation,
) -> Checked<()> {
    let case = cases.next().ok_or("a case is missing")?;
    let inner = match case {
        // Weights are multiples of one fraction, so they cannot get smaller again and again.
        Case::Closed(weighing) => {
            let scales = Scales::read(net, weighing)?;
            let lighter = |must: &Vec<bool>| {
                scales.adds_at_most(|arc| now.left[arc.index()] && must[arc.index()], -1)
            };
            let never_heavier = scales.adds_at_most(|arc| now.left[arc.index()], 0);
            let proves = never_heavier && now.musts.iter().any(lighter);
            return proves.then_some(()).ok_or_else(|| refused("progress"));
        }
        Case::Order { counter } => by_order(net, now, *counter)?,
        Case::Apart { machine, spots } => by_place(net, now, *machine, spots)?,
        Case::Depends { dependency } => {
            let known = net.dependencies.get(*dependency as usize);
            let known = known.ok_or("the net has no such dependency")?;
            let never = |arcs: &Vec<ArcId>| now.without(|arc| arcs.contains(&arc));
            let again = now.with(|arc| known.on.contains(&arc));
            known.all.iter().map(never).chain([again]).collect()
        }
    };
    inner.iter().try_for_each(|situation| check_case(net, cases, situation))
}

/// In a queue that is kept in order, what is never taken stops everything that comes after it.
fn by_order(net: &Net, now: &Situation, counter: u32) -> Checked<Vec<Situation>> {
    let queue = match net.counters.as_slice().get(counter as usize).map(|it| it.counts) {
        Some(Counts::Messages(queue)) if net.in_order.contains(&queue) => queue,
        _ => return wrong("the order of such messages is not known"),
    };
    let adds = |arc: ArcId, sign: i64, all: bool| {
        net.arcs[arc].effects.iter().any(|&(id, by)| {
            let mine = id.raw() == counter || all && net.counters[id].counts.is_in(queue);
            mine && by.signum() == sign
        })
    };
    let gone = now.without(|arc| adds(arc, 1, false));
    Ok(vec![gone, now.with(|arc| adds(arc, -1, false)), now.without(|arc| adds(arc, -1, true))])
}

/// A machine is at some of its spots from some moment on, or never again, or leaves them again and again.
fn by_place(net: &Net, now: &Situation, machine: u32, spots: &[u32]) -> Checked<Vec<Situation>> {
    let is_mine = |spot: SpotId| net.spots[spot].machine.map(MachineId::raw) == Some(machine);
    let mine = |arc: ArcId| net.arcs[arc].from.is_some_and(is_mine);
    let at_first = net.spots.iter_enumerated().filter(|(id, _)| is_mine(*id));
    let at_first: u64 = at_first.map(|(_, spot)| u64::from(spot.initial)).sum();
    let enters = |arc: ArcId| net.arcs[arc].to.is_some_and(is_mine) && !mine(arc);
    if at_first != 1 || net.arcs.ids().any(enters) {
        return wrong("there may be more than one machine at these spots");
    }
    let inside =
        |spot: Option<SpotId>| spot.is_some_and(|it| is_mine(it) && spots.contains(&it.raw()));
    let ends = |arc: ArcId| (inside(net.arcs[arc].from), inside(net.arcs[arc].to));
    Ok(vec![
        now.without(|arc| mine(arc) && ends(arc) != (false, false)),
        now.without(|arc| mine(arc) && ends(arc) != (true, true)),
        now.with(|arc| mine(arc) && ends(arc) == (true, false)),
    ])
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
    fn read(net: &'a Net, weighing: &Weighing) -> Checked<Self> {
        let denominator = i128::from(weighing.denominator);
        let potentials = spread(&weighing.potentials, net.spots.len())?;
        let weights = spread(&weighing.weights, net.counters.len())?;
        let factors = spread(&weighing.factors, net.facts.len())?;
        let free = |counter: &Counter| matches!(counter.counts, Counts::Handshakes(_));
        let owed = net.counters.iter().zip(&weights).filter(|(counter, _)| !free(counter));
        let mut numbers = potentials.iter().chain(&factors).chain(owed.map(|(_, weight)| weight));
        if denominator < 1 || numbers.any(|&number| number < 0) {
            return wrong("a weighing has a negative number");
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
        self.adds_at_most(|_| true, 0)
    }

    /// Whether each of these steps makes configurations heavier by at most so much, apart from what facts allow.
    fn adds_at_most(&self, chosen: impl Fn(ArcId) -> bool, most: i128) -> bool {
        let mut arcs = self.net.arcs.iter_enumerated().filter(|(id, _)| chosen(*id));
        arcs.all(|(id, arc)| {
            let allowed = self.allowed[id.index()];
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
fn spread(listed: &[(u32, i64)], places: usize) -> Checked<Vec<i128>> {
    let mut numbers = vec![0; places];
    for &(place, number) in listed {
        let known = numbers.get_mut(place as usize);
        *known.ok_or_else(|| format!("the net has no number {place}"))? = i128::from(number);
    }
    Ok(numbers)
}
