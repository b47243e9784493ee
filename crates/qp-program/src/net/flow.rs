//! All places that machines may reach, and the steps between them.

use std::collections::{BTreeMap, BTreeSet};

use qp_base::{Interner, Map, Set, Span};
use qp_dataflow::{Direction, Graph, reach};
use qp_machines::{SpotId, TestId};

use crate::run::{Verdict, react, verdict_of};
use crate::{Dialect, EventId, Expr, FunctionId, Instr, RoleId, Root, Value};

use super::details::Var;
use super::place::{Call, Phase, Place};
use super::shape::CopyId;
use super::step::{Advance, Stepper};

/// More places of one kind of machine than this are not told apart.
const SPOTS_MAX: usize = 3_000;
/// A variable with more values than this is not followed.
const VALUES_MAX: usize = 128;
/// A net with more steps than this is of no use.
const ARCS_MAX: usize = 200_000;
/// What is done unseen in one step may pass so many places.
const NODES_MAX: usize = 20_000;

/// All tries together may pass so many places before nothing is followed any more.
const WORK_MAX: usize = 150_000;

/// Why it has to be tried again with less, or not at all.
pub(super) enum Forget {
    /// It takes too long to find out what has to be forgotten.
    Details,
    /// A variable has too many values, or makes too many places.
    Variable(Var, String),
    /// There is no net.
    Everything(String),
}

/// What a step does to what is counted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Effect {
    Nothing,
    Puts(CopyId, EventId),
    Takes(CopyId, EventId),
    Starts(CopyId),
}

/// A step between places; to nowhere if the machine ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Step {
    pub(super) from: SpotId,
    pub(super) to: Option<SpotId>,
    pub(super) effect: Effect,
}

/// A condition that is left open.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Condition {
    pub(super) function: FunctionId,
    pub(super) pc: u32,
}

/// What was found so far.
pub(super) struct Flow<'a> {
    pub(super) stepper: Stepper<'a>,
    /// The events that are marked as progress.
    marks: &'a BTreeSet<EventId>,
    pub(super) spots: Interner<SpotId, Place>,
    pub(super) steps: BTreeMap<Step, (BTreeSet<TestId>, Span)>,
    pub(super) conditions: Interner<TestId, Condition>,
    /// How many places each kind of machine has.
    n_spots: Map<RoleId, usize>,
    /// What was met of each variable.
    values: Map<Var, Set<Value>>,
    todo: Vec<SpotId>,
    /// Where each copy begins.
    pub(super) starts: Vec<SpotId>,
    /// How many places all tries have passed.
    work: &'a mut usize,
}

/// A place from which a machine runs on unseen, after this step.
struct Leap {
    effect: Effect,
    to: Place,
    /// Whether it may be seen there, before it runs on.
    seen: bool,
}

impl<'a> Flow<'a> {
    /// Follows all copies.
    pub(super) fn find(
        stepper: Stepper<'a>,
        marks: &'a BTreeSet<EventId>,
        work: &'a mut usize,
    ) -> Result<Self, Forget> {
        let mut flow = Self {
            stepper,
            marks,
            spots: Interner::new(),
            steps: BTreeMap::new(),
            conditions: Interner::new(),
            n_spots: Map::default(),
            values: Map::default(),
            todo: Vec::new(),
            starts: Vec::new(),
            work,
        };
        for copy in flow.stepper.points_to.copies.ids() {
            let start = flow.stepper.newborn(copy);
            let start = flow.spot(start)?;
            flow.starts.push(start);
        }
        while let Some(spot) = flow.todo.pop() {
            flow.follow(spot)?;
        }
        Ok(flow)
    }

    /// Whether a machine that is here is seen here: otherwise it may have run on already.
    pub(super) fn is_rest(&self, place: &Place) -> bool {
        match self.stepper.advance(&mut place.clone()) {
            Ok(Advance::Rests | Advance::MayRest(_)) => true,
            Ok(Advance::Went | Advance::Goes(_) | Advance::Splits(..)) | Err(_) => false,
        }
    }

    fn spot(&mut self, mut place: Place) -> Result<SpotId, Forget> {
        self.forget(&mut place);
        self.note(&place)?;
        let before = self.spots.len();
        let role = self.stepper.points_to.copies[place.owner].role;
        let id = self.spots.intern(place);
        if self.spots.len() > before {
            self.todo.push(id);
            let n = self.n_spots.entry(role).or_default();
            *n += 1;
            if *n > SPOTS_MAX {
                return Err(self.too_large("it would make too many places"));
            }
        }
        Ok(id)
    }

    /// Nothing needs to be known of what is never looked at again.
    fn forget(&self, place: &mut Place) {
        let (plan, body) = (self.stepper.plan, self.stepper.body_id(place.owner));
        plan.liveness.forget(plan, body, place);
    }

    /// Counts the values of variables.
    fn note(&mut self, place: &Place) -> Result<(), Forget> {
        let body = self.stepper.body_id(place.owner);
        for (var, value) in place.known(body) {
            let met = self.values.entry(var).or_default();
            if !met.contains(value) {
                met.insert(value.clone());
                if met.len() > VALUES_MAX {
                    let why = format!("it has more than {VALUES_MAX} values");
                    return Err(Forget::Variable(var, why));
                }
            }
        }
        Ok(())
    }

    /// What has to be forgotten to make the net smaller: the variable with the most values.
    fn too_large(&self, why: &str) -> Forget {
        let many = self.values.iter().filter(|(_, met)| met.len() > 1);
        if let Some((var, _)) = many.max_by_key(|(var, met)| (met.len(), **var)) {
            return Forget::Variable(*var, why.to_owned());
        }
        let why = "the program is too large to be taken apart into control flow";
        Forget::Everything(why.to_owned())
    }

    fn follow(&mut self, from: SpotId) -> Result<(), Forget> {
        let place = self.spots.value(from).clone();
        let span = self.span(&place);
        match place.phase {
            Phase::Halting => {
                return self.step(Step { from, to: None, effect: Effect::Nothing }, span);
            }
            Phase::Discarded => {
                return self.step(Step { from, to: Some(from), effect: Effect::Nothing }, span);
            }
            Phase::Took => {
                let to = Place { phase: Phase::Running, ..place };
                let leap = Leap { effect: Effect::Nothing, to, seen: false };
                return self.leap(from, leap, span);
            }
            Phase::Failed => return Ok(()),
            Phase::Running | Phase::Announced(_) => {}
        }
        let leaps = if place.is_at_queue() { self.listen(&place) } else { self.act(&place) };
        leaps.into_iter().try_for_each(|leap| self.leap(from, leap, span))
    }

    /// What a machine does about what is in its queue, or about nothing.
    fn listen(&self, place: &Place) -> Vec<Leap> {
        let (copy, body) = (place.owner, self.stepper.body(place.owner));
        let mut leaps = Vec::new();
        for &event in &self.stepper.points_to.mail[copy] {
            let mut to = place.clone();
            match verdict_of(body, &place.stack, event) {
                Verdict::Deferred => continue,
                Verdict::Ignored => {}
                _ => react(&self.stepper, &mut to, event, None, ()),
            }
            leaps.push(self.taken(event, to));
        }
        let idle = verdict_of(body, &place.stack, EventId::NULL);
        if matches!(idle, Verdict::Do(_) | Verdict::Goto(..) | Verdict::Push(_)) {
            let mut to = place.clone();
            react(&self.stepper, &mut to, EventId::NULL, None, ());
            leaps.push(Leap { effect: Effect::Nothing, to, seen: false });
        }
        leaps
    }

    fn taken(&self, event: EventId, mut to: Place) -> Leap {
        if self.marks.contains(&event) {
            to.phase = Phase::Took;
        }
        Leap { effect: Effect::Takes(to.owner, event), to, seen: false }
    }

    /// What a machine does that others see.
    fn act(&self, place: &Place) -> Vec<Leap> {
        let on = |to: Place| vec![Leap { effect: Effect::Nothing, to, seen: false }];
        if !self.is_rest(place) {
            return on(place.clone());
        }
        let (Some(call), Some((instr, _))) = (place.call(), self.stepper.instr(place)) else {
            return Vec::new();
        };
        match instr {
            Instr::New { interface, into, .. } => {
                let at = (call.function, call.pc);
                let Some(child) = self.stepper.points_to.created(place.owner, at, *interface)
                else {
                    return Vec::new();
                };
                let mut to = place.clone();
                if let Some(into) = into {
                    self.stepper.set(&mut to, Root::Register(*into), None);
                }
                vec![Leap { effect: Effect::Starts(child), to: to.after(), seen: true }]
            }
            Instr::Send { target, event, .. } => self.send(place, call, (target, event)),
            Instr::Announce { .. } => on(place.clone().after()),
            Instr::Receive(cases) => {
                let mail = &self.stepper.points_to.mail[place.owner];
                let mut leaps = Vec::new();
                for (number, case) in cases.iter().enumerate() {
                    let is_first = cases[..number].iter().all(|it| it.event != case.event);
                    let mut to = place.clone();
                    if let Some(into) = case.into {
                        self.stepper.set(&mut to, Root::Register(into), None);
                    }
                    let to = to.at(case.target);
                    if is_first && case.event == EventId::NULL {
                        leaps.extend(on(to));
                    } else if is_first && mail.contains(&case.event) {
                        leaps.push(self.taken(case.event, to));
                    }
                }
                leaps
            }
            _ => on(place.clone()),
        }
    }

    fn send(&self, place: &Place, call: &Call, (target, event): (&Expr, &Expr)) -> Vec<Leap> {
        let Stepper { plan, points_to, .. } = self.stepper;
        let at = (place.owner, call.function);
        let role = points_to.copies[place.owner].role;
        let mut leaps = Vec::new();
        for event in points_to.events(at, event) {
            let announced = match place.phase {
                Phase::Announced(it) if it != event => continue,
                Phase::Announced(_) => true,
                _ => {
                    plan.blueprint.dialect == Dialect::Y2018
                        || plan.audience(role, event).is_empty()
                }
            };
            let targets = points_to.machines(at, target);
            let targets =
                targets.into_iter().filter(|&it| points_to.permits(place.owner, it, event));
            if announced {
                leaps.extend(targets.map(|it| {
                    let effect = Effect::Puts(it, event);
                    Leap { effect, to: place.clone().after(), seen: false }
                }));
            } else if targets.count() > 0 {
                let to = Place { phase: Phase::Announced(event), ..place.clone() };
                leaps.push(Leap { effect: Effect::Nothing, to, seen: false });
            }
        }
        leaps
    }

    /// A step, and what is done unseen afterwards.
    fn leap(&mut self, from: SpotId, leap: Leap, span: Span) -> Result<(), Forget> {
        let Leap { effect, to, seen } = leap;
        if seen && !self.is_rest(&to) {
            let to = Some(self.spot(to)?);
            return self.step(Step { from, to, effect }, span);
        }
        let mut ends = self.run_on(to.clone())?;
        if ends.is_empty() {
            ends.push((failed(&to), BTreeSet::new()));
        }
        for (to, tests) in ends {
            let to = Some(self.spot(to)?);
            let step = Step { from, to, effect };
            self.step(step, span)?;
            if let Some((known, _)) = self.steps.get_mut(&step) {
                known.extend(tests);
            }
        }
        Ok(())
    }

    fn step(&mut self, step: Step, span: Span) -> Result<(), Forget> {
        self.steps.entry(step).or_insert_with(|| (BTreeSet::new(), span));
        if self.steps.len() > ARCS_MAX {
            return Err(self.too_large("it would make too many steps"));
        }
        Ok(())
    }

    /// All places at which a machine may next rest, each with the open conditions that decide about it.
    fn run_on(&mut self, first: Place) -> Result<Vec<(Place, BTreeSet<TestId>)>, Forget> {
        let mut nodes: Interner<usize, Place> = Interner::new();
        let mut before: Vec<Vec<usize>> = Vec::new();
        let mut rests: Interner<usize, Place> = Interner::new();
        let mut resting: Vec<Vec<usize>> = Vec::new();
        let mut rest = |mut place: Place, node: usize, flow: &Self| {
            flow.forget(&mut place);
            let id = rests.intern(place);
            resting.resize(resting.len().max(id + 1), Vec::new());
            resting[id].push(node);
        };
        let mut splits: Vec<(TestId, Vec<usize>, Vec<usize>)> = Vec::new();
        let (mut open, mut next) = (vec![nodes.intern(first)], 0);
        before.push(Vec::new());
        while let Some(&node) = open.get(next) {
            next += 1;
            self.spend()?;
            let (place, advance) = self.straight_on(nodes.value(node).clone())?;
            let (test, ways) = match advance {
                Advance::Rests => {
                    rest(place, node, self);
                    continue;
                }
                Advance::MayRest(on) => {
                    rest(place, node, self);
                    (None, vec![vec![on]])
                }
                Advance::Went => (None, vec![vec![place]]),
                Advance::Goes(on) => (None, vec![on]),
                Advance::Splits(yes, no) => {
                    let condition =
                        place.call().map(|it| Condition { function: it.function, pc: it.pc });
                    (condition.map(|it| self.conditions.intern(it)), vec![yes, no])
                }
            };
            let mut met = Vec::new();
            for way in ways {
                let mut ids = Vec::new();
                for place in way {
                    let id = nodes.intern(place);
                    if id == before.len() {
                        before.push(Vec::new());
                        open.push(id);
                        self.note(nodes.value(id))?;
                    }
                    before[id].push(node);
                    ids.push(id);
                }
                met.push(ids);
            }
            if let (Some(test), [yes, no]) = (test, &met[..]) {
                splits.push((test, yes.clone(), no.clone()));
            }
            if nodes.len() > NODES_MAX {
                return Err(self.too_large("it would make a step too long"));
            }
        }
        let backwards = Graph::new(before);
        let found = rests.values().iter().zip(&resting).map(|(place, goals)| {
            let leads = reach(&backwards, Direction::Forward, goals.iter().copied());
            let any = |ids: &[usize]| ids.iter().any(|&id| leads[id]);
            let decides = splits.iter().filter(|(_, yes, no)| any(yes) != any(no));
            (place.clone(), decides.map(|(test, ..)| *test).collect())
        });
        Ok(found.collect())
    }

    /// Goes on as long as there is one way and nothing that others can come back to, which need not be
    /// remembered.
    fn straight_on(&self, mut place: Place) -> Result<(Place, Advance), Forget> {
        loop {
            let at = place.call().map(|call| (call.function, call.pc));
            match self.stepper.advance(&mut place).map_err(Forget::Everything)? {
                Advance::Went if at.is_some_and(|at| self.stepper.is_plain(at)) => {}
                advance => return Ok((place, advance)),
            }
        }
    }

    fn spend(&mut self) -> Result<(), Forget> {
        *self.work += 1;
        let is_tired = *self.work > WORK_MAX && self.stepper.details.follows_any();
        if is_tired { Err(Forget::Details) } else { Ok(()) }
    }

    /// Where the next thing that a machine does is written.
    pub(super) fn span(&self, place: &Place) -> Span {
        match place.call() {
            Some(call) => self.stepper.plan.span(call.function, call.pc),
            None => self.stepper.body(place.owner).states[place.top()].span,
        }
    }
}

/// There is no other way than to fail. A machine that may also fail is as good as one that stays at the end of
/// another way.
fn failed(place: &Place) -> Place {
    Place {
        stack: place.stack[..1].to_vec(),
        fields: vec![None; place.fields.len()],
        frames: Vec::new(),
        agenda: Vec::new(),
        phase: Phase::Failed,
        ..place.clone()
    }
}
