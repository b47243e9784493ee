//! Models as nets: control flow, and how many messages of which kind are in which channel.
//!
//! Every process that runs from the start has places of its own; those that are created share the places of a
//! copy of their proctype with all others that get the same arguments, as far as these matter. A place is a
//! control state together with the values of those local variables that decide something, as long as there are
//! few of them. A step whose condition is decided by these is there or not; every other condition (on
//! shared variables, `timeout`, the length of a channel, what others do, `provided`, priorities, escapes of
//! `unless`) may hold or not. The statements of `atomic` and `d_step` are steps of their own.
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

mod escape;
mod flow;
mod follow;
mod live;
mod worth;
mod write;

#[cfg(test)]
mod tests;

use qp_front_promela::spec::Var;
use qp_machines::{MachineId, Net};

use crate::run::{Basis, Code};
use escape::Escapes;
use flow::{Flow, Forget};
use worth::Worths;

/// Processes with more local variables than this would need too much room.
const CELLS_MAX: usize = 2_000;

/// The net of a model. The more that is known would make it large, the less of it is used.
pub(crate) fn net(code: &Code) -> Result<Net, String> {
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
    let mut worths = Worths::new(&basis.code);
    loop {
        let mut flow = Flow::new(&basis, &escapes, &worths);
        match explore(&mut flow) {
            Ok(()) => return Ok(write::net(&flow)),
            Err(Forget::Local(proc, id)) => worths.forget_local(proc, id),
            Err(Forget::Field(key)) => worths.forget_field(key),
            Err(Forget::Nothing) => {
                return Err("the model has too many statements and channels to be taken apart \
                            into control flow"
                    .to_owned());
            }
        }
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
