//! Programs of state machines with data: a typed form between front ends and machines, and its
//! interpreter.
//!
//! A front end hands over a [`Blueprint`]: one test case with its names resolved, types checked and code
//! flattened to instructions. [`Actors`] runs it.
//!
//! Absent on purpose: texts of the user (diagnostics are made by front ends), searching, and anything
//! that only one front end needs.

mod blueprint;
mod ids;
mod types;
mod values;
mod walk;

mod reduce;
mod run;

pub use blueprint::{
    Blueprint, Body, Cap, Choice, Dialect, EventInfo, Expr, Function, Handler, Instr, Op, Place,
    Projection, ReceiveCase, Role, Root, Spec, State, Target, Temperature, Variable,
};
pub use ids::{BodyId, EventId, FieldId, FunctionId, RegisterId, RoleId, SpecId, StateId};
pub use reduce::{Reductions, reduce};
pub use run::Actors;
pub use types::{Enum, Fields, Type};
pub use values::Value;

/// The model of a program, ready to run, and what was left out of it.
pub fn model(mut blueprint: Blueprint) -> (qp_machines::Model, Reductions) {
    let reductions = reduce(&mut blueprint);
    (qp_machines::Model::new(Actors::new(std::sync::Arc::new(blueprint))), reductions)
}
