//! What a machine can do that others see, from where it rests.

use std::sync::Arc;

use qp_machines::{
    Condition, EarId, Effect, Guard, KindId, LocalId, MachineId, Move, Place, QueueId, Reception,
    Taken,
};

use crate::{Cap, Dialect, EventId, Expr, Instr, RoleId, StateId, Value};

use super::actors::{Actors, Message};
use super::concrete::{announced, carries, not_null};
use super::eval::Scope;
use super::events::{Verdict, react, verdict, wanted};
use super::failures::{CARDINALITY, Fault, NULL, PERMISSION, Stop, UNBOUND};
use super::local::{Local, Owner, Phase};
use super::plan::Plan;

/// The ear with which a state listens.
const STATE_EAR: EarId = EarId::from_raw(0);
/// The ear with which a receive listens.
const RECEIVE_EAR: EarId = EarId::from_raw(1);
/// From here on: ears that hear one event, for counting.
const COUNTING: u32 = 2;
/// The only kind of queue.
pub(super) const UNBOUNDED: KindId = KindId::from_raw(0);

/// A send whose parts are worked out and checked.
struct Sending {
    target: MachineId,
    role: RoleId,
    event: EventId,
    payload: Value,
}

impl Actors {
    /// What a machine can do, in source order.
    pub(super) fn moves_from(&mut self, id: LocalId) -> Vec<Move> {
        let plan = self.plan.clone();
        let local = self.locals.value(id).clone();
        match &local.phase {
            Phase::Halted => vec![],
            // Nothing that follows is of interest, but it must not look like a deadlock.
            Phase::Discarded => vec![Move::plain(Effect::Internal, id)],
            Phase::Failed(fault) => vec![self.failing(fault)],
            Phase::GaveUp(fault) => {
                let why = self.failures.intern((**fault).clone());
                vec![Move::plain(Effect::GiveUp { why }, id)]
            }
            Phase::Took => {
                let next = Local { phase: Phase::Running, ..local };
                self.on(&Move::plain(Effect::Internal, id), next)
            }
            Phase::Halting => {
                let next = Local { stack: Vec::new(), phase: Phase::Halted, ..local.clone() };
                let next = self.settle(next);
                vec![Move::plain(Effect::Close { queue: queue_of(local.owner) }, next)]
            }
            Phase::Running | Phase::Announced if local.is_at_queue() => self.dequeue(&local, id),
            Phase::Running | Phase::Announced => self.act(&plan, &local, id),
        }
    }

    /// What an ear does about a message.
    pub(super) fn hear(&mut self, id: LocalId, ear: EarId, message: &Message) -> Reception {
        let plan = self.plan.clone();
        let local = self.locals.value(id).clone();
        let event = message.event;
        match ear {
            STATE_EAR => match verdict(&plan, &local, event) {
                Verdict::Deferred => Reception::Skip,
                Verdict::Ignored if self.marks.events.contains(&event) => self.taken(event, local),
                Verdict::Ignored => Reception::Take(vec![Taken::plain(id)]),
                _ => {
                    let mut next = local;
                    let arrived = next.top();
                    self.visited.note_event(&plan, &next, event);
                    react(&*plan, &mut next, event, message.payload.clone(), arrived);
                    self.taken(event, next)
                }
            },
            RECEIVE_EAR => match received(&plan, local, event, &message.payload) {
                Some(next) => self.taken(event, next),
                None => Reception::Skip,
            },
            _ if event.raw() + COUNTING == ear.raw() => Reception::Take(vec![Taken::plain(id)]),
            _ => Reception::Skip,
        }
    }

    fn taken(&mut self, event: EventId, next: Local) -> Reception {
        if self.marks.events.contains(&event) {
            let next = self.settle(Local { phase: Phase::Took, ..next });
            return Reception::Take(vec![Taken::plain(next)]);
        }
        Reception::Take(self.settle_each(next).into_iter().map(Taken::plain).collect())
    }

    fn failing(&mut self, fault: &Fault) -> Move {
        let failure = self.failures.intern(fault.clone());
        Move::plain(Effect::Fail { failure }, LocalId::from_raw(0))
    }

    fn stopping(&mut self, stop: &Stop) -> Vec<Move> {
        match stop {
            Stop::Fails(fault) => vec![self.failing(fault)],
            Stop::GivesUp(fault) => {
                let why = self.failures.intern((**fault).clone());
                vec![Move::plain(Effect::GiveUp { why }, LocalId::from_raw(0))]
            }
        }
    }

    /// One move for each way to run on.
    fn on(&mut self, mv: &Move, next: Local) -> Vec<Move> {
        self.settle_each(next).into_iter().map(|next| Move { next, ..mv.clone() }).collect()
    }

    /// Listens to the queue; does what the state does about nothing, if there is nothing else.
    fn dequeue(&mut self, local: &Local, id: LocalId) -> Vec<Move> {
        let plan = self.plan.clone();
        let receive = Effect::Receive { queue: queue_of(local.owner), ear: STATE_EAR };
        let mut moves = vec![Move::plain(receive, id)];
        let idle = verdict(&plan, local, EventId::NULL);
        if matches!(idle, Verdict::Do(_) | Verdict::Goto(..) | Verdict::Push(_)) {
            let mut next = local.clone();
            self.visited.note_event(&plan, &next, EventId::NULL);
            react(&*plan, &mut next, EventId::NULL, Value::Null, local.top());
            moves.extend(self.when_idle(next));
        }
        moves
    }

    fn when_idle(&mut self, next: Local) -> Vec<Move> {
        let guards = vec![Guard::Idle];
        self.on(&Move { guards, ..Move::plain(Effect::Internal, LocalId::from_raw(0)) }, next)
    }

    /// Does what the instruction of the innermost call says, or runs on if nobody sees it.
    fn act(&mut self, plan: &Arc<Plan>, local: &Local, id: LocalId) -> Vec<Move> {
        let internal = Move::plain(Effect::Internal, id);
        let Some(frame) = local.frames.last() else { return self.on(&internal, local.clone()) };
        let code = &plan.function(frame.function).code;
        let scope = Scope::new(plan, local, frame);
        match code.get(frame.pc as usize) {
            Some(Instr::New { interface, arg, .. }) => self.create(&scope, *interface, arg, id),
            Some(Instr::Send { target, event, payload }) => {
                match sending(&scope, target, event, payload) {
                    Ok(sending) => self.send(plan, local, sending),
                    Err(stop) => self.stopping(&stop),
                }
            }
            Some(Instr::Announce { event, payload }) => match announced(&scope, event, payload) {
                Ok(Some((event, payload))) => {
                    let announce = self.shown(local.owner, event, payload);
                    self.on(&Move { announce, ..internal }, after(local))
                }
                Ok(None) | Err(_) => self.on(&internal, local.clone()),
            },
            Some(Instr::Receive(cases)) => {
                let receive = Effect::Receive { queue: queue_of(local.owner), ear: RECEIVE_EAR };
                let mut moves = vec![Move::plain(receive, id)];
                if cases.iter().any(|case| case.event == EventId::NULL) {
                    let next = received(plan, local.clone(), EventId::NULL, &Value::Null);
                    moves.extend(next.map(|next| self.when_idle(next)).unwrap_or_default());
                }
                moves
            }
            _ => self.on(&internal, local.clone()),
        }
    }

    /// The message that those who watch this machine are shown, if there are any.
    fn shown(
        &mut self,
        owner: Owner,
        event: EventId,
        payload: Value,
    ) -> Option<qp_machines::MessageId> {
        let Owner::Machine(role, _) = owner else { return None };
        let audience = self.plan.audience(role, event);
        (!audience.is_empty()).then(|| self.messages.intern(Message { event, payload, audience }))
    }

    fn send(&mut self, plan: &Arc<Plan>, local: &Local, sending: Sending) -> Vec<Move> {
        let Sending { target, role, event, payload } = sending;
        let mut announce = None;
        if local.phase != Phase::Announced {
            announce = self.shown(local.owner, event, payload.clone());
        }
        if announce.is_some() && plan.blueprint.dialect == Dialect::Current {
            let next = self.settle(Local { phase: Phase::Announced, ..local.clone() });
            return vec![Move { announce, ..Move::plain(Effect::Internal, next) }];
        }
        let queue = QueueId::from_raw(target.raw());
        let (mut moves, guards) = self.caps(plan, local, queue, role, event);
        let message = self.messages.intern(Message { event, payload, audience: Vec::new() });
        let effect = Effect::Send { queue, message, place: Place::Back };
        let mv = Move { guards, announce, ..Move::plain(effect, LocalId::from_raw(0)) };
        moves.extend(self.on(&mv, after(local)));
        moves
    }

    /// The failures of a send into a queue that holds too much, and the guards of the send itself.
    fn caps(
        &mut self,
        plan: &Plan,
        local: &Local,
        queue: QueueId,
        role: RoleId,
        event: EventId,
    ) -> (Vec<Move>, Vec<Guard>) {
        let ear = EarId::from_raw(event.raw() + COUNTING);
        let event_name = plan.event_name(event);
        let fewer = |cap: Cap| {
            let text = format!(
                "more than {} {event_name} in the queue of {}",
                cap.count,
                plan.role_name(role)
            );
            (cap, Condition::Fewer(ear, cap.count), text)
        };
        let below = |cap: Cap| {
            let text =
                format!("more than {} events in the queue of {}", cap.count, plan.role_name(role));
            (cap, Condition::LengthBelow(cap.count), text)
        };
        let of_event = plan.blueprint.events[event].cap.map(fewer);
        let of_machine = plan.blueprint.roles[role].cap.map(below);
        let (mut moves, mut guards) = (Vec::new(), Vec::new());
        for (cap, condition, text) in of_event.into_iter().chain(of_machine) {
            if !cap.assume {
                let mut broken: Vec<Guard> = guards.clone();
                broken.push(Guard::HoldsNot(queue, condition));
                let fault = Fault::new(CARDINALITY, text, span_of(plan, local));
                moves.push(Move { guards: broken, ..self.failing(&fault) });
            }
            guards.push(Guard::Holds(queue, condition));
        }
        (moves, guards)
    }

    fn create(&mut self, scope: &Scope<'_>, interface: u32, arg: &Expr, id: LocalId) -> Vec<Move> {
        let arg = match scope.eval(arg) {
            Ok(arg) => arg,
            Err(stop) => return self.stopping(&stop),
        };
        let Some(role) = created(scope.plan, scope.owner, interface) else {
            let text = "this test binds no machine to what is created here";
            return self.stopping(&Stop::fails(UNBOUND, text, scope.span));
        };
        let body = &scope.plan.blueprint.bodies[scope.plan.blueprint.roles[role].body];
        let arg = wanted(scope.plan, body.states[body.start].entry, arg);
        let seed = self.seeds.intern((role, arg));
        vec![Move::plain(Effect::Spawn { seed, queues: vec![UNBOUNDED] }, id)]
    }
}

/// The queue of a machine has its number.
pub(super) fn queue_of(owner: Owner) -> QueueId {
    match owner {
        Owner::Machine(_, machine) => QueueId::from_raw(machine.raw()),
        Owner::Spec(_) => unreachable!("bug in Queueproof: a spec has no queue"),
    }
}

/// The role that a machine creates for an interface.
pub(super) fn created(plan: &Plan, owner: Owner, interface: u32) -> Option<RoleId> {
    let Owner::Machine(role, _) = owner else { return None };
    plan.blueprint.roles[role].links.get(interface as usize).copied().flatten()
}

/// The local state behind an instruction that was done.
pub(super) fn after(local: &Local) -> Local {
    let mut next = Local { phase: Phase::Running, ..local.clone() };
    next.frames.last_mut().expect("an instruction belongs to a call").pc += 1;
    next
}

/// The place of the instruction of the innermost call, or of the state.
pub(super) fn span_of(plan: &Plan, local: &Local) -> qp_base::Span {
    let of_state = |state: &StateId| plan.body(local.owner).states[*state].span;
    match (&local.phase, local.frames.last()) {
        (Phase::Failed(fault) | Phase::GaveUp(fault), _) => fault.span,
        (_, Some(frame)) => Some(plan.span(frame.function, frame.pc)),
        (_, None) => local.stack.last().map(of_state),
    }
    .unwrap_or_else(|| match local.owner {
        Owner::Machine(role, _) => plan.blueprint.roles[role].span,
        Owner::Spec(spec) => plan.blueprint.specs[spec].span,
    })
}

/// The local state after a receive has got an event, if it waits for it.
fn received(plan: &Plan, mut local: Local, event: EventId, payload: &Value) -> Option<Local> {
    let frame = local.frames.last_mut()?;
    let instr = plan.function(frame.function).code.get(frame.pc as usize)?;
    let Instr::Receive(cases) = instr else { return None };
    let case = cases.iter().find(|case| case.event == event)?;
    if let Some(into) = case.into {
        frame.registers[into.index()] = payload.clone();
    }
    frame.pc = case.target;
    Some(local)
}

/// Works the parts of a send out and checks them, in the order in which P does.
fn sending(
    scope: &Scope<'_>,
    target: &Expr,
    event: &Expr,
    payload: &Expr,
) -> Result<Sending, Stop> {
    let (target, event) = (scope.eval(target)?, scope.eval(event)?);
    let payload = scope.eval(payload)?;
    let event = not_null(&event, "sent", scope.span)?;
    let name = scope.plan.event_name(event);
    let Value::Machine(target, role) = target else {
        let text = format!("event {name} is sent to null, which is not a machine");
        return Err(Stop::fails(NULL, text, scope.span));
    };
    let roles = &scope.plan.blueprint.roles;
    if let Owner::Machine(sender, _) = scope.owner
        && !permits(roles[sender].sends.as_ref(), event)
    {
        let text = format!("event {name} is not in the sends set of {}", roles[sender].name);
        return Err(Stop::fails(PERMISSION, text, scope.span));
    }
    if !permits(roles[role].receives.as_ref(), event) {
        let text = format!("event {name} is not in the receives set of {}", roles[role].name);
        return Err(Stop::fails(PERMISSION, text, scope.span));
    }
    carries(scope, event, &payload)?;
    Ok(Sending { target, role, event, payload })
}

fn permits(set: Option<&Vec<EventId>>, event: EventId) -> bool {
    set.is_none_or(|set| set.binary_search(&event).is_ok())
}
