//! What a machine does unseen, as far as it is known: one instruction, or one thing on the agenda.

use crate::effects::{Flow, Sink, Source};
use crate::reduce::Calls;
use crate::run::{
    self, Change, Domain, Evaluator, Failing, Message, Pick, Plan, Task, advance, values_of,
};
use crate::{
    Body, BodyId, Choice, EventId, Expr, Function, FunctionId, Instr, RegisterId, Root, Value,
};

use super::details::{Details, Var};
use super::partial::{Partial, implied, is_small, learn};
use super::place::{Abstract, Call, Cells, Phase, Place, Stop};
use super::points_to::PointsTo;
use super::shape::CopyId;

/// A free choice of more than this is not followed option by option.
const OPTIONS_MAX: u8 = 64;

/// How a place goes on.
pub(super) enum Advance {
    /// It did something that nobody sees.
    Went,
    /// So it does, and is then at one of these.
    Goes(Vec<Place>),
    /// It depends on a condition that is open: where it leads if it holds, and if not.
    Splits(Vec<Place>, Vec<Place>),
    /// It rests before something that others see.
    Rests,
    /// It rests, or it goes on unseen.
    MayRest(Place),
}

/// Steps of places.
pub(super) struct Stepper<'a> {
    pub(super) plan: &'a Plan,
    pub(super) points_to: &'a PointsTo<'a>,
    pub(super) details: &'a Details<'a>,
}

impl<'a> Stepper<'a> {
    pub(super) fn body_id(&self, copy: CopyId) -> BodyId {
        self.plan.blueprint.roles[self.points_to.copies[copy].role].body
    }

    pub(super) fn body(&self, copy: CopyId) -> &'a Body {
        &self.plan.blueprint.bodies[self.body_id(copy)]
    }

    /// A machine that is about to run the entry function of its start state.
    pub(super) fn newborn(&self, copy: CopyId) -> Place {
        let (id, body) = (self.body_id(copy), self.body(copy));
        let known = |(field, value): (_, &Value)| {
            let follows = self.details.follows(Var::Field(id, field));
            (follows && is_small(value)).then(|| value.clone())
        };
        Place {
            owner: copy,
            stack: vec![body.start],
            fields: body.fields.ids().zip(&self.plan.fields[id]).map(known).collect(),
            frames: Vec::new(),
            agenda: vec![Task::Enter(body.start, None)],
            phase: Phase::Running,
        }
    }

    /// The instruction of the innermost call.
    pub(super) fn instr(&self, place: &Place) -> Option<(&'a Instr, &'a Function)> {
        let call = place.call()?;
        let function = self.plan.function(call.function);
        function.code.get(call.pc as usize).map(|instr| (instr, function))
    }

    /// What expressions of the innermost call can see.
    pub(super) fn partial<'b>(&'b self, place: &'b Place, call: &'b Call) -> Partial<'b> {
        let role = self.points_to.copies[place.owner].role;
        Partial { plan: self.plan, role, fields: &place.fields, registers: &call.registers }
    }

    /// Whether an instruction only works on values: no way leads back to what is behind it without passing another
    /// one.
    pub(super) fn is_plain(&self, (function, pc): (FunctionId, u32)) -> bool {
        let function = self.plan.function(function);
        if pc as usize >= function.code.len() {
            return false;
        }
        let effects = function.effects_at(pc as usize);
        let stays = |flow: &Flow<'_>| {
            !matches!(flow.source, Source::Choice(_)) && !matches!(flow.sink, Sink::Result)
        };
        matches!(effects.ways[..], [way] if way.to == pc + 1)
            && !effects.flows.is_empty()
            && effects.flows.iter().all(stays)
            && effects.calls.is_none()
            && effects.leaves.is_none()
    }

    /// Does the next thing that nobody sees, if that is what comes next; or why that cannot be said.
    pub(super) fn advance(&self, place: &mut Place) -> Result<Advance, String> {
        Ok(match advance(self, place) {
            Ok(run::Advance::Went(_)) => Advance::Went,
            Ok(run::Advance::Paused) => Advance::Rests,
            Ok(run::Advance::Discarded) => Advance::Goes(vec![discarded(place)]),
            Ok(run::Advance::Forks(into, options)) => {
                let with = |option| {
                    let mut next = place.clone();
                    self.set(&mut next, Root::Register(into), option);
                    next
                };
                Advance::Goes(options.into_iter().map(with).collect())
            }
            Err(Stop::Fails) => Advance::Goes(Vec::new()),
            Err(Stop::Refused(why)) => return Err(why),
            Err(Stop::Unsure) => self.unsure(place),
        })
    }

    /// How a place goes on before an instruction that depends on what is not known.
    fn unsure(&self, place: &mut Place) -> Advance {
        let (Some(call), Some((instr, _))) = (place.call(), self.instr(place)) else {
            unreachable!("bug in Queueproof: only instructions depend on values")
        };
        match instr {
            Instr::Unless(condition, target) => {
                let next = |holds: bool| {
                    let next = place.clone().at(if holds { call.pc + 1 } else { *target });
                    vec![self.learn(next, condition, holds)]
                };
                Advance::Splits(next(true), next(false))
            }
            Instr::Assume(_) => {
                Advance::Splits(vec![place.clone().after()], vec![discarded(place)])
            }
            Instr::Assert { condition, .. } => {
                *place = self.learn(place.clone().after(), condition, true);
                Advance::Went
            }
            Instr::Announce { .. } => Advance::MayRest(place.clone().after()),
            Instr::Raise { event, payload } => {
                let payload = self.partial(place, call).value(payload);
                let handle = |event| Place {
                    frames: Vec::new(),
                    agenda: vec![Task::Handle { event, payload: payload.clone(), arrived: () }],
                    ..place.clone()
                };
                let events = self.points_to.events((place.owner, call.function), event);
                Advance::Goes(events.into_iter().map(handle).collect())
            }
            _ => unreachable!("bug in Queueproof: {instr:?} depends on no value"),
        }
    }

    /// A place where it is known whether a condition holds.
    fn learn(&self, mut place: Place, condition: &Expr, holds: bool) -> Place {
        if let Some((root, value)) = implied(condition, holds) {
            self.set(&mut place, root, Some(value));
        }
        place
    }

    /// Writes down what is known of a variable of the machine or of the innermost call, if it is followed.
    pub(super) fn set(&self, place: &mut Place, root: Root, value: Option<Value>) {
        let Some(call) = place.call() else { return };
        let var = Var::new(self.body_id(place.owner), call.function, root);
        learn(place, root, value.filter(|_| self.details.follows(var)));
    }

    /// What expressions of the instruction of a place can see.
    fn here<'b>(&'b self, place: &'b Place) -> (&'b Call, Partial<'b>) {
        let call = place.call().expect("there is a call");
        (call, self.partial(place, call))
    }
}

impl Evaluator<Abstract> for Stepper<'_> {
    fn plan(&self) -> &Plan {
        self.plan
    }

    fn body(&self, copy: CopyId) -> &Body {
        self.body(copy)
    }

    fn fault(&self, place: &Place, what: Failing<'_, Abstract>) -> Stop {
        let Failing::TooDeep(state) = what else { return Stop::Fails };
        let (name, max) = (&self.body(place.owner).states[state].name, Abstract::STACK_MAX);
        Stop::Refused(format!("states are pushed more than {max} deep, with `{name}`"))
    }

    fn eval(&self, place: &Place, expr: &Expr) -> Result<Option<Value>, Stop> {
        Ok(self.here(place).1.value(expr))
    }

    fn truth(&self, place: &Place, condition: &Expr) -> Result<bool, Stop> {
        self.here(place).1.truth(condition).ok_or(Stop::Unsure)
    }

    fn options(&self, place: &Place, (into, from): Pick<'_>) -> Result<Cells, Stop> {
        let (call, partial) = self.here(place);
        let options = match from {
            Choice::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
            Choice::Of(expr) => match partial.value(expr) {
                Some(Value::Int(n)) if (0..=i64::from(OPTIONS_MAX)).contains(&n) => {
                    Some((0..n.max(1)).map(Value::Int).collect())
                }
                _ => None,
            },
            Choice::Any(ty) => values_of(ty, usize::from(OPTIONS_MAX)),
        };
        let follows = self.details.follows(Var::Register(call.function, into));
        let known = options.filter(|it: &Vec<Value>| follows && it.iter().all(is_small));
        Ok(known.map_or_else(|| vec![None], |it| it.into_iter().map(Some).collect()))
    }

    fn raised(
        &self,
        place: &Place,
        (event, payload): Message<'_>,
    ) -> Result<(EventId, Option<Value>), Stop> {
        let (call, partial) = self.here(place);
        match self.points_to.events((place.owner, call.function), event)[..] {
            [event] => Ok((event, partial.value(payload))),
            _ => Err(Stop::Unsure),
        }
    }

    fn is_watched(&self, place: &Place, (event, _): Message<'_>) -> Result<bool, Stop> {
        let role = self.points_to.copies[place.owner].role;
        let events = self.points_to.events((place.owner, self.here(place).0.function), event);
        let is_seen = |&&event: &&EventId| !self.plan.audience(role, event).is_empty();
        match events.iter().filter(is_seen).count() {
            0 => Ok(false),
            seen if seen == events.len() => Ok(true),
            _ => Err(Stop::Unsure),
        }
    }

    fn change(
        &self,
        place: &mut Place,
        to: &crate::Place,
        change: Change<Option<Value>>,
    ) -> Result<(), Stop> {
        let value = match change {
            Change::Assign(value) if to.path.is_empty() => value,
            _ => None,
        };
        self.set(place, to.root, value);
        Ok(())
    }

    fn registers(&self, function: FunctionId) -> Cells {
        let ids = self.plan.function(function).registers.ids();
        let kept = |(id, value): (_, &Value)| self.kept((function, id), Some(value.clone()));
        ids.zip(&self.plan.registers[function]).map(kept).collect()
    }

    fn kept(
        &self,
        (function, register): (FunctionId, RegisterId),
        value: Option<Value>,
    ) -> Option<Value> {
        let follows = self.details.follows(Var::Register(function, register));
        value.filter(|value| follows && is_small(value))
    }

    /// A function that calls itself is not followed: if nobody sees what it does, only its results are not known.
    fn follows(&self, place: &mut Place, callee: FunctionId) -> Result<bool, Stop> {
        if place.frames.iter().all(|it| it.function != callee) {
            return Ok(true);
        }
        if !is_unseen(self.plan, callee) {
            let name = &self.plan.function(callee).name;
            return Err(Stop::Refused(format!("`{name}` calls itself")));
        }
        place.fields.fill(None);
        Ok(false)
    }

    fn arrival(&self, _: &Place) {}

    fn exits_unhandled(&self, _: CopyId) -> bool {
        true
    }
}

/// Whether a function only works on values, and so do those that it calls.
fn is_unseen(plan: &Plan, function: FunctionId) -> bool {
    let run = Calls::of(&plan.blueprint).run_from(std::iter::once(function));
    let mut effects = run.iter().flat_map(|&it| plan.function(it).effects());
    effects.all(|it| !it.is_seen() && it.leaves.is_none())
}

/// An assumption of the user does not hold.
fn discarded(place: &Place) -> Place {
    Place {
        fields: vec![None; place.fields.len()],
        frames: Vec::new(),
        agenda: Vec::new(),
        phase: Phase::Discarded,
        ..place.clone()
    }
}
