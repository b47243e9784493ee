//! The interpreter: runs a [`crate::Blueprint`] as a program of communicating machines.
//!
//! A machine always rests just before something that others see: a send, a creation, an announcement, a
//! dequeue, a failure. A move does that one thing and then runs on, unseen, to the next such place. What
//! lies between is a search of its own ([`search`]), because free choices make it branch and loops may
//! make it endless.
//!
//! [`plan`] holds what is worked out once per blueprint, [`local`] what a machine is made of. [`eval`] and
//! [`places`] work on values, [`step`] runs one instruction, [`events`] says what a state does about an
//! event. These two work on any [`domain`] of values; [`concrete`] is that of programs which run. [`moves`] is
//! about what can be seen, [`specs`] about what those who watch make of it, [`heat`] about what they must not stay in, and [`text`] and [`parse`] turn
//! everything into texts and back.

mod actors;
mod concrete;
mod domain;
mod eval;
mod events;
mod failures;
mod growth;
mod heat;
mod local;
mod moves;
mod parse;
mod places;
mod plan;
mod search;
mod specs;
mod step;
mod text;
mod types;
mod visited;

#[cfg(test)]
pub(crate) mod tests;

pub use actors::Actors;
pub(crate) use actors::Message as Carried;
pub(crate) use domain::{Domain, Evaluator, Failing, Message, Pick};
pub(crate) use eval::Scope;
pub(crate) use events::{Verdict, react, verdict_of};
pub(crate) use local::{Frame, Local, Owner, Phase, Task};
pub(crate) use places::Change;
pub(crate) use plan::Plan;
pub(crate) use specs::Store;
pub(crate) use step::{Advance, advance};
pub(crate) use types::values_of;
