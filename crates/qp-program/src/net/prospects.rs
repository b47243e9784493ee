//! The control flow of a program without its data, for those who ask what machines may still do.
//!
//! It is the flow of a net in which no value is known. Machines are told apart by their roles alone, because a local
//! state does not say who created it: a machine is at the place of each copy with its role.

use qp_base::{Interner, Map};
use qp_machines::{Doing, Mailbox, Prospects, Reach, SpotId, Stage, StageId, Whereabouts};

use crate::run::{Frame, Local, Owner, Phase as Doings, Plan, Task, Verdict, verdict_of};
use crate::{EventId, Instr, Marks, RoleId};

use super::details::Details;
use super::flow::{Effect, Flow};
use super::place::{Phase, Place, Stop};
use super::points_to::PointsTo;
use super::shape::CopyId;
use super::step::Stepper;

/// The stages of a program, and where they are found.
#[derive(Debug)]
pub(crate) struct Stages {
    pub(crate) prospects: std::sync::Arc<Prospects>,
    spots: Interner<SpotId, Place>,
    copies: Map<RoleId, Vec<CopyId>>,
}

impl Stages {
    /// Follows the program; nothing if that is too much.
    pub(crate) fn find(plan: &Plan, marks: &Marks) -> Option<Self> {
        let points_to = PointsTo::find(plan).ok()?;
        let details = Details::blind(plan);
        let mut work = 0;
        let stepper = Stepper { plan, points_to: &points_to, details: &details };
        let flow = Flow::find(stepper, &marks.events, &mut work).ok()?;
        let places = flow.spots.values().iter();
        let mut prospects = Prospects { stages: places.map(|place| stage(&flow, place)).collect() };
        let role = |copy: CopyId| points_to.copies[copy].role.raw();
        for step in flow.steps.keys() {
            let to = step.to.map(|to| StageId::from_raw(to.raw()));
            let doing = match step.effect {
                Effect::Nothing => Doing::Nothing,
                Effect::Puts(copy, event) => Doing::Puts(Mailbox::Of(role(copy)), event.raw()),
                Effect::Takes(_, event) => Doing::Takes(Mailbox::Own, event.raw()),
                Effect::Starts(copy) => {
                    Doing::Starts(StageId::from_raw(flow.starts[copy.index()].raw()))
                }
            };
            prospects.stages[StageId::from_raw(step.from.raw())].ways.push((doing, to));
        }
        let mut copies: Map<RoleId, Vec<CopyId>> = Map::default();
        for (id, copy) in points_to.copies.iter_enumerated() {
            copies.entry(copy.role).or_default().push(id);
        }
        let prospects = std::sync::Arc::new(prospects);
        Some(Self { prospects, spots: flow.spots, copies })
    }

    /// Where a machine is.
    pub(crate) fn of(&self, local: &Local) -> Option<Whereabouts> {
        let Owner::Machine(role, _) = local.owner else { return None };
        let class = role.raw();
        let is_over = |phase: &Doings| {
            matches!(
                phase,
                Doings::Halted | Doings::Failed(_) | Doings::GaveUp(_) | Doings::Discarded
            )
        };
        if is_over(&local.phase) {
            return Some(Whereabouts { class, stages: Vec::new() });
        }
        let spot = |&copy: &CopyId| {
            let spot = self.spots.find(&place(copy, local))?;
            Some(StageId::from_raw(spot.raw()))
        };
        // A copy that never comes to this place is not the machine.
        let stages: Vec<StageId> = self.copies.get(&role)?.iter().filter_map(spot).collect();
        (!stages.is_empty()).then_some(Whereabouts { class, stages })
    }
}

/// A local state without its values.
fn place(owner: CopyId, local: &Local) -> Place {
    let frame = |frame: &Frame| Frame {
        function: frame.function,
        pc: frame.pc,
        registers: vec![None; frame.registers.len()],
    };
    let task = |task: &Task| match *task {
        Task::Exit => Task::Exit,
        Task::Call(function, _) => Task::Call(function, None),
        Task::Enter(state, _) => Task::Enter(state, None),
        Task::Push(state, _) => Task::Push(state, None),
        Task::Drop => Task::Drop,
        Task::Handle { event, .. } => Task::Handle { event, payload: None, arrived: () },
        Task::Halt => Task::Halt,
        Task::Fail(_) => Task::Fail(Stop::Fails),
    };
    Place {
        owner,
        stack: local.stack.clone(),
        fields: vec![None; local.fields.len()],
        frames: local.frames.iter().map(frame).collect(),
        agenda: local.agenda.iter().map(task).collect(),
        phase: match local.phase {
            // Before it announces it can do all that it can do after that.
            Doings::Running | Doings::Announced => Phase::Running,
            Doings::Took => Phase::Took,
            Doings::Halting => Phase::Halting,
            Doings::Discarded | Doings::Halted | Doings::Failed(_) | Doings::GaveUp(_) => {
                Phase::Failed
            }
        },
    }
}

/// What the next steps from a place may touch; where they lead is added later.
fn stage(flow: &Flow<'_>, place: &Place) -> Stage {
    let Stepper { plan, points_to, .. } = flow.stepper;
    let role = points_to.copies[place.owner].role;
    let mut reaches = Vec::new();
    match place.phase {
        Phase::Halting => reaches.push(Reach::Front(Mailbox::Own)),
        Phase::Took | Phase::Discarded | Phase::Failed => {}
        Phase::Running | Phase::Announced(_) if place.is_at_queue() => {
            let idle = verdict_of(flow.stepper.body(place.owner), &place.stack, EventId::NULL);
            listen(&mut reaches, !matches!(idle, Verdict::Leave | Verdict::Deferred));
        }
        Phase::Running | Phase::Announced(_) => {
            let (call, instr) = (place.call(), flow.stepper.instr(place));
            if let (Some(call), Some((instr, _))) = (call, instr) {
                let at = (place.owner, call.function);
                match instr {
                    Instr::New { .. } => reaches.push(Reach::Numbers),
                    Instr::Send { target, event, .. } => {
                        for event in points_to.events(at, event) {
                            watched(plan, role, event, &mut reaches);
                            for copy in points_to.machines(at, target) {
                                sends(plan, points_to.copies[copy].role, event, &mut reaches);
                            }
                        }
                    }
                    Instr::Announce { event, .. } => {
                        for event in points_to.events(at, event) {
                            watched(plan, role, event, &mut reaches);
                        }
                    }
                    Instr::Receive(cases) => {
                        listen(&mut reaches, cases.iter().any(|it| it.event == EventId::NULL));
                    }
                    _ => {}
                }
            }
        }
    }
    reaches.sort_unstable();
    reaches.dedup();
    Stage { class: role.raw(), reaches, ways: Vec::new() }
}

fn listen(reaches: &mut Vec<Reach>, idles: bool) {
    reaches.push(Reach::Front(Mailbox::Own));
    if idles {
        reaches.push(Reach::Back(Mailbox::Own));
    }
}

fn watched(plan: &Plan, role: RoleId, event: EventId, reaches: &mut Vec<Reach>) {
    let audience = plan.audience(role, event);
    reaches.extend(audience.into_iter().map(|spec| Reach::Watcher(spec.raw())));
}

/// A send looks into a mailbox that may hold only so much.
fn sends(plan: &Plan, to: RoleId, event: EventId, reaches: &mut Vec<Reach>) {
    let blueprint = &plan.blueprint;
    reaches.push(Reach::Back(Mailbox::Of(to.raw())));
    if blueprint.events[event].cap.is_some() || blueprint.roles[to].cap.is_some() {
        reaches.push(Reach::Front(Mailbox::Of(to.raw())));
    }
}
