//! Programs of state machines with data: a typed form between front ends and machines, and its
//! interpreter.
//!
//! A front end hands over a [`Blueprint`]: one test case with its names resolved, types checked and code
//! flattened to instructions. [`Actors`] runs it.
//!
//! Absent on purpose: texts of the user (diagnostics are made by front ends), searching, and anything
//! that only one front end needs.

mod blueprint;
mod effects;
mod ids;
mod marks;
mod types;
mod values;
mod walk;

mod net;
mod reduce;
mod run;
mod sorts;

pub use blueprint::{
    Blueprint, Body, Cap, Choice, Dialect, EventInfo, Expr, Function, Handler, Instr, Op, Place,
    Projection, ReceiveCase, Role, Root, Spec, State, Target, Temperature, Variable,
};
pub use ids::{BodyId, EventId, FieldId, FunctionId, RegisterId, RoleId, SpecId, StateId};
pub use marks::{Marks, Unmarked};
pub use reduce::{Reductions, reduce};
pub use run::Actors;
pub use types::{Enum, Fields, Type};
pub use values::Value;

/// The model of a program, ready to run, and what was left out of it.
pub fn model(blueprint: Blueprint) -> (qp_machines::Model, Reductions) {
    marked_model(blueprint, Marks::default())
}

/// The same, with progress where the user marked it.
pub fn marked_model(mut blueprint: Blueprint, marks: Marks) -> (qp_machines::Model, Reductions) {
    let full = blueprint.clone();
    let reductions = reduce(&mut blueprint);
    let actors = Actors::new(std::sync::Arc::new(blueprint)).with_marks(marks);
    let actors = actors.made_of(full, reductions.unread.clone());
    (qp_machines::Model::new(actors), reductions)
}
