//! Models as nets: control flow, and how many messages of which kind are in which channel.
//!
//! Every process that runs from the start has places of its own; those that are created share the places of a
//! copy of their proctype with all others that get the same arguments, as far as these matter. A place is a
//! control state together with the values of those local variables that are followed, as long as there are
//! few of them, and with what the process knows of shared variables. A step whose condition is decided by these is
//! there or not; every other condition (on what is not followed, `timeout`, the length of a channel, what others do,
//! `provided`, priorities, escapes of `unless`) may hold or not. The statements of `atomic` and `d_step` are steps of
//! their own.
//!
//! Variables that decide which channel is meant, or which kind of message, are followed always, others if they are
//! asked for: local ones by their values, shared ones by a counter for each value, and numbers with too many values
//! by facts about how often they can be changed.
//!
//! A kind of message is what is known of its parts where it is sent. Every message in a channel was sent by
//! one step and is counted by the counter of that step until it is taken, so kinds may overlap: a receive has one
//! step for every kind that may match. Where several channels may be meant, there is one step for each.
//!
//! A step counts as progress if it ends at a `progress` label where its process is seen to be: outside of atomic
//! sequences. So a run with endlessly many such steps is at progress labels again and again.
//!
//! Channels that are created at run time have the numbers behind those of the outline, in no particular order, and
//! those that are created by processes with the same places are counted together. What is left in
//! the channel of a process that has ended is still counted.

mod depend;
mod detail;
mod escape;
mod fact;
mod flow;
mod follow;
mod interval;
mod open;
mod order;
mod range;
mod shared;
mod trust;
mod worth;
mod write;

#[cfg(test)]
mod tests;

use qp_base::{Map, Set};
use qp_front_promela::spec::Var;
use qp_machines::{DetailId, MachineId, Net};

use crate::run::{Basis, Code};
use detail::{Details, Subject};
use escape::Escapes;
use flow::{Flow, Forget};
use shared::{Shared, Watch};
use trust::Doubts;
use worth::Worths;
pub(crate) use write::add_cells;

/// Processes with more local variables than this would need too much room.
const CELLS_MAX: usize = 2_000;

/// The net of a model that follows these details. The more that is known would make it large, the less of it is
/// used.
pub(crate) fn net(code: &Code, followed: &[DetailId]) -> Result<Net, String> {
    for (id, proc) in code.spec.procs.iter_enumerated() {
        if code.layout.n_locals(id) > CELLS_MAX {
            let name = &proc.name;
            return Err(format!(
                "`{name}` has more than {CELLS_MAX} local variables, elements of arrays included"
            ));
        }
    }
    let basis = Basis::new(code, first_shapes(code));
    let escapes = Escapes::new(&basis.code);
    let mut plan = Plan::new(Details::new(&basis.code), followed);
    let mut worths = Worths::new(&basis.code, &plan.asked);
    let mut doubts = Doubts::default();
    loop {
        let watch = plan.watch(code, &basis);
        let shared = Shared::new(&basis.code, &watch);
        let mut flow = Flow::new(&basis, &escapes, &worths, (shared, &doubts));
        let result = explore(&mut flow);
        let mistakes = trust::mistakes(&flow);
        match result {
            Ok(()) if mistakes.is_empty() => return Ok(write::net(&flow, &plan, code)),
            Ok(()) => {}
            Err(Forget::Local(proc, id)) => {
                plan.refuse(Subject::Local(proc, id), "it has too many values");
                worths.forget_local(proc, id);
            }
            Err(Forget::Global(id, why)) => plan.refuse(Subject::Global(id), why),
            Err(Forget::Field(key)) => worths.forget_field(key),
            Err(Forget::Nothing) => {
                return Err("the model has too many statements and channels to be taken apart \
                            into control flow"
                    .to_owned());
            }
        }
        if result.is_ok() {
            doubts.add(mistakes);
        }
    }
}

/// What is to be followed.
struct Plan {
    details: Details,
    asked: Set<Subject>,
    /// What cannot be followed by its values, and why.
    refused: Map<Subject, &'static str>,
}

impl Plan {
    fn new(details: Details, followed: &[DetailId]) -> Self {
        let known = followed.iter().filter(|it| it.index() < details.subjects.len());
        let asked = known.map(|&it| details.subjects[it]).collect();
        Self { details, asked, refused: Map::default() }
    }

    fn refuse(&mut self, subject: Subject, why: &'static str) {
        self.refused.insert(subject, why);
    }

    /// The shared cells that are followed by their values.
    fn watch(&mut self, code: &Code, basis: &Basis) -> Watch {
        let mut watch = Watch::new(code);
        for &subject in &self.details.subjects {
            if let Subject::Global(id) = subject
                && self.asked.contains(&subject)
                && !self.refused.contains_key(&subject)
                && let Err(why) = watch.add(basis, id)
            {
                self.refused.insert(subject, why);
            }
        }
        watch
    }
}

/// What the channels that exist from the start carry.
fn first_shapes(code: &Code) -> Vec<qp_front_promela::spec::ShapeId> {
    let mut shapes: Vec<_> = code.layout.global_channels().iter().map(|(_, it)| *it).collect();
    for (id, proc) in code.spec.procs.iter_enumerated() {
        for _ in 0..proc.active {
            shapes.extend(code.layout.own_channels(id).iter().map(|(_, it)| *it));
        }
    }
    shapes
}

fn explore(flow: &mut Flow<'_>) -> Result<(), Forget> {
    let basis = flow.basis;
    let mut names = basis.code.layout.global_channels().iter();
    for &(var, shape) in &basis.channels {
        let name = names.next().map_or_else(String::new, |(name, _)| name.clone());
        debug_assert!(matches!(var, Var::Global(_)));
        flow.channel(name, shape, (None, var));
    }
    for (id, proc) in basis.code.spec.procs.iter_enumerated() {
        for _ in 0..proc.active {
            let machine = MachineId::new(flow.copies.len());
            let name = write::process_name(&basis.code.spec, id, Some(machine));
            flow.copy(id, Some(machine), (&name, &Vec::new()))?;
        }
    }
    while let Some(spot) = flow.next() {
        flow.follow(spot)?;
    }
    Ok(())
}
