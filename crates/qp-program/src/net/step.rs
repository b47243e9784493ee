//! What a machine does unseen, as far as it is known: one instruction, or one thing on the agenda.

use crate::effects::{Flow, Sink, Source};
use crate::reduce::Calls;
use crate::run::{Plan, Verdict, values_of, verdict_of};
use crate::{
    Body, BodyId, Choice, EventId, Expr, Function, FunctionId, Instr, RegisterId, Root, StateId,
    Value,
};

use super::details::{Details, Var};
use super::guess::{Guess, implied, is_small, learn};
use super::place::{Call, Cells, Phase, Place, Task};
use super::shape::CopyId;
use super::whom::Whom;

/// A free choice of more than this is not followed option by option.
const OPTIONS_MAX: u8 = 64;
/// States may be pushed this deeply.
const STACK_MAX: usize = 8;

/// How a place goes on.
pub(super) enum Advance {
    /// It does something that nobody sees.
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
    pub(super) whom: &'a Whom<'a>,
    pub(super) details: &'a Details<'a>,
}

impl<'a> Stepper<'a> {
    pub(super) fn body_id(&self, copy: CopyId) -> BodyId {
        self.plan.blueprint.roles[self.whom.copies[copy].role].body
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
            copy,
            stack: vec![body.start],
            fields: body.fields.ids().zip(&self.plan.fields[id]).map(known).collect(),
            calls: Vec::new(),
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
    pub(super) fn guess<'b>(&'b self, place: &'b Place, call: &'b Call) -> Guess<'b> {
        let role = self.whom.copies[place.copy].role;
        Guess { plan: self.plan, role, fields: &place.fields, registers: &call.registers }
    }

    /// Puts on the agenda what the top state does about an event. Deferred and ignored ones are dropped.
    pub(super) fn react(&self, place: &mut Place, event: EventId, payload: Option<Value>) {
        let body = self.body(place.copy);
        let entry = |state: StateId| body.states[state].entry;
        match verdict_of(body, &place.stack, event) {
            Verdict::Deferred | Verdict::Ignored => {}
            Verdict::Do(function) => {
                let payload = self.wanted(Some(function), payload);
                place.agenda.push(Task::Call(function, payload));
            }
            Verdict::Goto(state, with) => {
                let entered = self.wanted(entry(state), payload.clone());
                place.agenda.push(Task::Enter(state, entered));
                if let Some(with) = with {
                    place.agenda.push(Task::Call(with, self.wanted(Some(with), payload)));
                }
                place.agenda.push(Task::Exit);
            }
            Verdict::Push(state) => {
                place.agenda.push(Task::Push(state, self.wanted(entry(state), payload)));
            }
            Verdict::Leave => {
                if place.stack.len() > 1 {
                    place.agenda.push(Task::Handle(event, payload));
                    place.agenda.push(Task::Drop);
                } else if event == EventId::HALT {
                    place.agenda.push(Task::Halt);
                } else {
                    place.agenda.push(Task::Fail);
                }
                place.agenda.push(Task::Exit);
            }
        }
    }

    /// Whether the next instruction only works on values: no way leads back to what is behind it without passing
    /// another one.
    pub(super) fn is_plain(&self, place: &Place) -> bool {
        let Some((call, (_, function))) = place.call().zip(self.instr(place)) else { return false };
        let effects = function.effects_at(call.pc as usize);
        let stays = |flow: &Flow<'_>| {
            !matches!(flow.source, Source::Choice(_)) && !matches!(flow.sink, Sink::Result)
        };
        matches!(effects.ways[..], [way] if way.to == call.pc + 1)
            && !effects.flows.is_empty()
            && effects.flows.iter().all(stays)
            && effects.calls.is_none()
            && effects.leaves.is_none()
    }

    /// Does the next thing that nobody sees, if that is what comes next; or why that cannot be said.
    pub(super) fn advance(&self, place: &Place) -> Result<Advance, String> {
        if place.phase != Phase::Running {
            return Ok(Advance::Rests);
        }
        let Some(call) = place.call() else {
            let mut next = place.clone();
            let Some(task) = next.agenda.pop() else { return Ok(Advance::Rests) };
            let next = self.perform(next, task)?;
            return Ok(Advance::Goes(next.into_iter().collect()));
        };
        let Some((instr, _)) = self.instr(place) else {
            return Ok(Advance::Goes(vec![self.give_back(place.clone(), None)]));
        };
        match instr {
            Instr::New { .. } | Instr::Send { .. } | Instr::Receive(_) => Ok(Advance::Rests),
            Instr::Announce { event, .. } => Ok(self.announce(place, call, event)),
            Instr::Unless(condition, target) => {
                let next = |holds: bool| if holds { call.pc + 1 } else { *target };
                Ok(self.branch(place, call, condition, next))
            }
            Instr::Assume(condition) => Ok(match self.guess(place, call).truth(condition) {
                Some(true) => Advance::Goes(vec![place.clone().after()]),
                Some(false) => Advance::Goes(vec![discarded(place)]),
                None => Advance::Splits(vec![place.clone().after()], vec![discarded(place)]),
            }),
            _ => self.go(place, call, instr).map(Advance::Goes),
        }
    }

    /// A condition, of which something may be learnt.
    fn branch(
        &self,
        place: &Place,
        call: &Call,
        condition: &Expr,
        next: impl Fn(bool) -> u32,
    ) -> Advance {
        if let Some(holds) = self.guess(place, call).truth(condition) {
            return Advance::Goes(vec![place.clone().at(next(holds))]);
        }
        let when = |holds: bool| {
            let mut place = place.clone().at(next(holds));
            if let Some((root, value)) = implied(condition, holds) {
                self.set(&mut place, root, Some(value));
            }
            vec![place]
        };
        Advance::Splits(when(true), when(false))
    }

    fn announce(&self, place: &Place, call: &Call, event: &Expr) -> Advance {
        let role = self.whom.copies[place.copy].role;
        let events = self.whom.events((place.copy, call.function), event);
        let is_seen = |&event: &EventId| !self.plan.audience(role, event).is_empty();
        let seen = events.iter().filter(|event| is_seen(event)).count();
        match seen {
            0 => Advance::Goes(vec![place.clone().after()]),
            _ if seen == events.len() => Advance::Rests,
            _ => Advance::MayRest(place.clone().after()),
        }
    }

    fn go(&self, place: &Place, call: &Call, instr: &Instr) -> Result<Vec<Place>, String> {
        let guess = self.guess(place, call);
        let mut next = place.clone();
        Ok(vec![match instr {
            Instr::Assign { place: to, value } => {
                let value = guess.value(value).filter(|_| to.path.is_empty());
                self.set(&mut next, to.root, value);
                next.after()
            }
            Instr::Insert { place: to, .. }
            | Instr::Add { place: to, .. }
            | Instr::Remove { place: to, .. } => {
                self.set(&mut next, to.root, None);
                next.after()
            }
            Instr::Evaluate(_) => next.after(),
            Instr::Assert { condition, .. } => {
                if guess.truth(condition) == Some(false) {
                    return Ok(Vec::new());
                }
                if let Some((root, value)) = implied(condition, true) {
                    self.set(&mut next, root, Some(value));
                }
                next.after()
            }
            Instr::Jump(target) => next.at(*target),
            Instr::Choose { into, from } => return Ok(self.choose(place, call, *into, from)),
            Instr::Call { function, args, into } => {
                if place.calls.iter().any(|it| it.function == *function) {
                    return self.call_again(next, *function, *into).map(|next| vec![next]);
                }
                let args = args.iter().map(|arg| guess.value(arg)).collect();
                next.calls.push(self.call(*function, args));
                next
            }
            Instr::Return(value) => {
                let value = value.as_ref().and_then(|value| guess.value(value));
                self.give_back(next, value)
            }
            Instr::Raise { event, payload } => {
                let payload = guess.value(payload);
                let events = self.whom.events((place.copy, call.function), event);
                let handle = |event| abandon(place, vec![Task::Handle(event, payload.clone())]);
                return Ok(events.into_iter().map(handle).collect());
            }
            Instr::Goto { state, payload } => {
                let entry = self.body(place.copy).states[*state].entry;
                let payload = self.wanted(entry, guess.value(payload));
                abandon(place, vec![Task::Enter(*state, payload), Task::Exit])
            }
            Instr::Pop if place.stack.len() > 1 => abandon(place, vec![Task::Drop, Task::Exit]),
            Instr::Pop => abandon(place, vec![Task::Fail, Task::Exit]),
            Instr::New { .. }
            | Instr::Send { .. }
            | Instr::Receive(_)
            | Instr::Announce { .. }
            | Instr::Unless(..)
            | Instr::Assume(_) => {
                unreachable!("bug in Queueproof: {instr:?} is not done unseen")
            }
        }])
    }

    /// A function that calls itself: if nobody sees what it does, only its results are not known.
    fn call_again(
        &self,
        mut place: Place,
        function: FunctionId,
        into: Option<RegisterId>,
    ) -> Result<Place, String> {
        if !is_unseen(self.plan, function) {
            let name = &self.plan.function(function).name;
            return Err(format!("`{name}` calls itself"));
        }
        place.fields.fill(None);
        if let Some(into) = into {
            self.set(&mut place, Root::Register(into), None);
        }
        Ok(place.after())
    }

    fn choose(&self, place: &Place, call: &Call, into: RegisterId, from: &Choice) -> Vec<Place> {
        let options = match from {
            Choice::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
            Choice::Of(expr) => match self.guess(place, call).value(expr) {
                Some(Value::Int(n)) if (0..=i64::from(OPTIONS_MAX)).contains(&n) => {
                    Some((0..n.max(1)).map(Value::Int).collect())
                }
                _ => None,
            },
            Choice::Any(ty) => values_of(ty, usize::from(OPTIONS_MAX)),
        };
        let follows = self.details.follows(Var::Register(call.function, into));
        let known = options.filter(|it: &Vec<Value>| follows && it.iter().all(is_small));
        let options: Cells =
            known.map_or_else(|| vec![None], |it| it.into_iter().map(Some).collect());
        let next = |option| {
            let mut next = place.clone().after();
            self.set(&mut next, Root::Register(into), option);
            next
        };
        options.into_iter().map(next).collect()
    }

    /// Does a thing on the agenda; nothing if the run ends with it.
    fn perform(&self, mut place: Place, task: Task) -> Result<Option<Place>, String> {
        let states = &self.body(place.copy).states;
        match task {
            Task::Exit => {
                let exit = states[place.top()].exit;
                self.enter(&mut place, exit, None);
            }
            Task::Call(function, payload) => self.enter(&mut place, Some(function), payload),
            Task::Enter(state, payload) => {
                place.stack.pop();
                place.stack.push(state);
                self.enter(&mut place, states[state].entry, payload);
            }
            Task::Push(state, _) if place.stack.len() >= STACK_MAX => {
                let name = &states[state].name;
                return Err(format!("states are pushed more than {STACK_MAX} deep, with `{name}`"));
            }
            Task::Push(state, payload) => {
                place.stack.push(state);
                self.enter(&mut place, states[state].entry, payload);
            }
            Task::Drop => {
                place.stack.pop();
            }
            Task::Handle(event, payload) => self.react(&mut place, event, payload),
            Task::Halt => {
                place.agenda.clear();
                place.fields.fill(None);
                place.phase = Phase::Halting;
            }
            Task::Fail => return Ok(None),
        }
        Ok(Some(place))
    }

    fn enter(&self, place: &mut Place, function: Option<FunctionId>, payload: Option<Value>) {
        let Some(function) = function else { return };
        let args = if self.plan.function(function).n_params > 0 { vec![payload] } else { vec![] };
        place.calls.push(self.call(function, args));
    }

    fn call(&self, function: FunctionId, args: Cells) -> Call {
        let ids = self.plan.function(function).registers.ids();
        let defaults = self.plan.registers[function].iter().map(|it| Some(it.clone()));
        let given = args.len();
        let first = args.into_iter().chain(defaults.skip(given));
        let known = |(register, value): (RegisterId, Option<Value>)| {
            let follows = self.details.follows(Var::Register(function, register));
            value.filter(|value| follows && is_small(value))
        };
        Call { function, pc: 0, registers: ids.zip(first).map(known).collect() }
    }

    /// Ends the innermost call and hands the value to the caller, which waits at its call instruction.
    fn give_back(&self, mut place: Place, value: Option<Value>) -> Place {
        place.calls.pop();
        let Some((instr, _)) = self.instr(&place) else { return place };
        if let Instr::Call { into: Some(into), .. } = instr {
            self.set(&mut place, Root::Register(*into), value);
        }
        place.after()
    }

    /// Writes down what is known of a variable of the machine or of the innermost call, if it is followed.
    pub(super) fn set(&self, place: &mut Place, root: Root, value: Option<Value>) {
        let var = match (root, place.call()) {
            (Root::Field(field), _) => Var::Field(self.body_id(place.copy), field),
            (Root::Register(register), Some(call)) => Var::Register(call.function, register),
            (Root::Register(_), None) => return,
        };
        learn(place, root, value.filter(|_| self.details.follows(var)));
    }

    /// What is known of a payload to a function that takes nothing or the payload.
    fn wanted(&self, function: Option<FunctionId>, payload: Option<Value>) -> Option<Value> {
        let function = function.filter(|&it| self.plan.function(it).n_params > 0)?;
        let var = Var::Register(function, RegisterId::from_raw(0));
        payload.filter(|_| self.details.follows(var))
    }
}

/// Whether a function only works on values, and so do those that it calls.
fn is_unseen(plan: &Plan, function: FunctionId) -> bool {
    let run = Calls::of(&plan.blueprint).run_from(std::iter::once(function));
    let mut effects = run.iter().flat_map(|&it| plan.function(it).effects());
    effects.all(|it| !it.is_seen() && it.leaves.is_none())
}

/// Drops the calls and does these things instead, the last one first.
fn abandon(place: &Place, agenda: Vec<Task>) -> Place {
    Place { calls: Vec::new(), agenda, ..place.clone() }
}

/// An assumption of the user does not hold.
fn discarded(place: &Place) -> Place {
    Place {
        fields: vec![None; place.fields.len()],
        calls: Vec::new(),
        agenda: Vec::new(),
        phase: Phase::Discarded,
        ..place.clone()
    }
}
