//! Programs as nets: control flow, and how many events of which kind are in which mailbox.
//!
//! The machine that is there from the start has places of its own; all machines that are created by one statement
//! of one such copy share theirs, and so do their mailboxes, which are counted together. A place is where a machine
//! rests before something that others see, so a step of the program is a step of the net: whatever is done unseen in
//! between is followed way by way. A new machine, and one that has created another, may be seen before it runs on, so
//! there are places for that too.
//!
//! Which machine a variable means, and which event, is known for the whole program at once, whatever the order
//! of statements ([`points_to`]). Where several machines may be meant there is one step for each. What is done
//! unseen is done by the evaluator that also runs programs, on values that are known or not. Conditions are decided
//! by the values of variables that are followed, and left open otherwise ([`step`], [`partial`]). Whatever fails
//! ends the run and is no step; until then others may move, so the step before that is one.
//!
//! What a machine leaves in its mailbox when it halts stays counted. What is sent to it later may be counted or
//! not.
//!
//! Mailboxes of machines that are created at run time have the numbers behind that of the outline, copy by copy, in
//! no particular order.

mod details;
mod flow;
mod partial;
mod longest;
mod place;
mod prospects;
mod shape;
mod step;
mod texts;
mod points_to;
mod write;

#[cfg(test)]
mod tests;

use qp_machines::{DetailId, Net};

use crate::Marks;
use crate::run::Plan;
use details::Details;
use flow::{Flow, Forget};
use place::{Phase, Place};
use points_to::PointsTo;
pub(crate) use prospects::Stages;
use step::Stepper;

/// The net of a program. The more that is known would make it large, the less of it is used.
pub(crate) fn net(plan: &Plan, marks: &Marks, followed: &[DetailId]) -> Result<Net, String> {
    let points_to = PointsTo::find(plan)?;
    let mut details = Details::new(plan, followed);
    let mut work = 0;
    loop {
        let stepper = Stepper { plan, points_to: &points_to, details: &details };
        match Flow::find(stepper, &marks.events, &mut work) {
            Ok(flow) => {
                let marked = |place: &Place| {
                    let body = flow.stepper.body_id(place.owner);
                    match place.phase {
                        Phase::Took => true,
                        Phase::Discarded => !marks.is_empty(),
                        Phase::Failed => false,
                        Phase::Running | Phase::Announced(_) | Phase::Halting => {
                            marks.states.contains(&(body, place.top()))
                        }
                    }
                };
                return Ok(write::net(&flow, &details, &marked));
            }
            Err(Forget::Details) => details.refuse_all(),
            Err(Forget::Variable(var, why)) => details.refuse(var, why),
            Err(Forget::Everything(why)) => return Err(why),
        }
    }
}
