//! Runs without progress, case by case.
//!
//! Which arcs does an infinite run take again and again? At first nothing is known but that they are some, without
//! progress among them. If counting allows that, a solution is looked at: where no run can do what it says, because
//! of the order of messages, because one machine cannot be at two places, or because of a dependency, the question
//! falls into cases, none of which has that solution. So a tree grows, until every case is closed or one
//! remains in which nothing is wrong with the solution.

use std::collections::BTreeSet;

use qp_base::{Budget, Exhausted};
use qp_claim::Case;
use qp_machines::{ArcId, Counts, MachineId, Net, QueueId, SpotId};

use super::inequalities::{Inequalities, Most, Ray};

/// More cases than this are not looked at.
const CASES_MAX: u64 = 300;

/// What came of all cases.
pub(super) enum Settled {
    /// There is no run without progress, for these reasons.
    Free(Vec<Case>),
    /// Nothing is known to be wrong with this.
    Open(Ray),
    /// The numbers of a reason are too large.
    TooLarge,
    /// There are too many cases; this was found in the last one.
    TooMany(Ray),
    /// A limit was met.
    Spent(Exhausted),
}

/// Looks at all cases. The second is how many linear programs that took.
pub(super) fn settle(net: &Net, budget: &Budget) -> (Settled, u64) {
    let left: Vec<bool> = net.arcs.iter().map(|arc| !arc.progress).collect();
    let mut cases = Cases { net, budget, found: Vec::new(), programs: 0 };
    let settled = match cases.look(&Situation { musts: vec![left.clone()], left }) {
        Ok(()) => Settled::Free(cases.found),
        Err(stopped) => stopped,
    };
    (settled, cases.programs)
}

/// What a run does from some moment on.
#[derive(Clone)]
struct Situation {
    /// The arcs that it may take.
    left: Vec<bool>,
    /// Of each of these it takes some again and again.
    musts: Vec<Vec<bool>>,
}

impl Situation {
    fn without(&self, gone: impl Fn(ArcId) -> bool) -> Self {
        let mut next = self.clone();
        for (index, left) in next.left.iter_mut().enumerate() {
            *left &= !gone(ArcId::new(index));
        }
        next
    }

    fn with(&self, must: impl Fn(ArcId) -> bool) -> Self {
        let mut next = self.clone();
        next.musts.push((0..self.left.len()).map(|index| must(ArcId::new(index))).collect());
        next
    }
}

struct Cases<'a> {
    net: &'a Net,
    budget: &'a Budget,
    found: Vec<Case>,
    programs: u64,
}

impl Cases<'_> {
    fn look(&mut self, situation: &Situation) -> Result<(), Settled> {
        self.programs += 1;
        let mut inequalities = Inequalities::of_loops(self.net, &situation.left, &situation.musts);
        let ray = match inequalities.again(self.budget).map_err(Settled::Spent)? {
            Most::Bound { weighing: Some(weighing), .. } => {
                self.found.push(Case::Closed(weighing));
                return Ok(());
            }
            Most::Bound { weighing: None, .. } | Most::Nothing => return Err(Settled::TooLarge),
            Most::Grows(ray) if self.programs >= CASES_MAX => return Err(Settled::TooMany(ray)),
            Most::Grows(ray) => ray,
        };
        let taken: BTreeSet<ArcId> = ray.iter().map(|&(arc, _)| arc).collect();
        let Some((case, situations)) = self.split(situation, &taken) else {
            return Err(Settled::Open(ray));
        };
        self.found.push(case);
        situations.iter().try_for_each(|situation| self.look(situation))
    }

    /// The cases into which a situation falls, if no run takes exactly these arcs again and again.
    fn split(
        &self,
        situation: &Situation,
        taken: &BTreeSet<ArcId>,
    ) -> Option<(Case, Vec<Situation>)> {
        self.depends(situation, taken)
            .or_else(|| self.order(situation, taken))
            .or_else(|| self.apart(situation, taken))
    }

    fn depends(
        &self,
        situation: &Situation,
        taken: &BTreeSet<ArcId>,
    ) -> Option<(Case, Vec<Situation>)> {
        let any = |arcs: &[ArcId]| arcs.iter().any(|arc| taken.contains(arc));
        let mut all = self.net.dependencies.iter().zip(0..);
        let (dependency, number) =
            all.find(|(it, _)| it.all.iter().all(|arcs| any(arcs)) && !any(&it.on))?;
        let never = |arcs: &Vec<ArcId>| situation.without(|arc| arcs.contains(&arc));
        let mut situations: Vec<Situation> = dependency.all.iter().map(never).collect();
        situations.push(situation.with(|arc| dependency.on.contains(&arc)));
        Some((Case::Depends { dependency: number }, situations))
    }

    /// A message that nobody takes is in the way of all that come after it.
    fn order(
        &self,
        situation: &Situation,
        taken: &BTreeSet<ArcId>,
    ) -> Option<(Case, Vec<Situation>)> {
        let net = self.net;
        let adds = |arc: ArcId, chosen: &dyn Fn(usize) -> bool, sign: i64| {
            net.arcs[arc].effects.iter().any(|&(id, by)| chosen(id.index()) && by * sign > 0)
        };
        let waits = |counter: usize, queue: QueueId| {
            let any = |chosen: &dyn Fn(usize) -> bool, sign| {
                taken.iter().any(|&arc| adds(arc, chosen, sign))
            };
            let mine = |id: usize| id == counter;
            any(&mine, 1) && !any(&mine, -1) && any(&|id| is_in(net, id, queue), -1)
        };
        let kept = net.counters.iter_enumerated().filter_map(|(id, counter)| {
            let Counts::Messages(queue) = counter.counts else { return None };
            net.in_order.contains(&queue).then_some((id.index(), queue))
        });
        let (counter, queue) = kept.into_iter().find(|&(id, queue)| waits(id, queue))?;
        let mine = |id: usize| id == counter;
        let situations = vec![
            situation.without(|arc| adds(arc, &mine, 1)),
            situation.with(|arc| adds(arc, &mine, -1)),
            situation.without(|arc| adds(arc, &|id| is_in(net, id, queue), -1)),
        ];
        Some((Case::Order { counter: u32::try_from(counter).ok()? }, situations))
    }

    /// One machine that goes round in two circles goes from one to the other.
    fn apart(
        &self,
        situation: &Situation,
        taken: &BTreeSet<ArcId>,
    ) -> Option<(Case, Vec<Situation>)> {
        let net = self.net;
        let machines: BTreeSet<MachineId> =
            taken.iter().filter_map(|&arc| mover(net, arc)).collect();
        let found = machines.into_iter().find_map(|machine| {
            let mine = taken.iter().copied().filter(|&arc| mover(net, arc) == Some(machine));
            let part = one_part(net, &mine.collect::<Vec<ArcId>>())?;
            is_one(net, machine).then_some((machine, part))
        });
        let (machine, part) = found?;
        let inside = |spot: Option<SpotId>| spot.is_some_and(|spot| part.contains(&spot));
        let mine = |arc: ArcId| mover(net, arc) == Some(machine);
        let ends = |arc: ArcId| (inside(net.arcs[arc].from), inside(net.arcs[arc].to));
        let situations = vec![
            situation.without(|arc| mine(arc) && ends(arc) != (false, false)),
            situation.without(|arc| mine(arc) && ends(arc) != (true, true)),
            situation.with(|arc| mine(arc) && ends(arc) == (true, false)),
        ];
        let spots = part.iter().map(|spot| spot.raw()).collect();
        Some((Case::Apart { machine: machine.raw(), spots }, situations))
    }
}

fn is_in(net: &Net, counter: usize, queue: QueueId) -> bool {
    net.counters.as_slice()[counter].counts.is_in(queue)
}

/// The machine that takes an arc, if it exists from the beginning.
fn mover(net: &Net, arc: ArcId) -> Option<MachineId> {
    net.arcs[arc].from.and_then(|spot| net.spots[spot].machine)
}

/// Whether there is just one machine at the spots of this one, and no other comes there.
fn is_one(net: &Net, machine: MachineId) -> bool {
    let mine = |spot: SpotId| net.spots[spot].machine == Some(machine);
    let spots = net.spots.iter_enumerated().filter(|(id, _)| mine(*id));
    let initial: u64 = spots.map(|(_, spot)| u64::from(spot.initial)).sum();
    let comes = |from: Option<SpotId>, to: SpotId| mine(to) && !from.is_some_and(mine);
    initial == 1 && !net.arcs.iter().any(|arc| arc.to.is_some_and(|to| comes(arc.from, to)))
}

/// The spots of one part of a flow, if it has several parts that do not touch.
fn one_part(net: &Net, arcs: &[ArcId]) -> Option<BTreeSet<SpotId>> {
    let ends = |arc: ArcId| [net.arcs[arc].from, net.arcs[arc].to].into_iter().flatten();
    let mut part: BTreeSet<SpotId> = arcs.iter().take(1).flat_map(|&arc| ends(arc)).collect();
    loop {
        let before = part.len();
        for &arc in arcs {
            if ends(arc).any(|spot| part.contains(&spot)) {
                part.extend(ends(arc));
            }
        }
        if part.len() == before {
            break;
        }
    }
    arcs.iter().any(|&arc| !ends(arc).any(|spot| part.contains(&spot))).then_some(part)
}
