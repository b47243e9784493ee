//! Test cases, and the linked program that each of them runs.
//!
//! A module says which machine is created when an interface is named after `new`, and which specs watch
//! which machines. All of it is worked out on the tree, with names as texts, before any type is known.
//!
//! Absent on purpose: the permissions that P computes from the types of payloads, and whether the argument
//! of an interface fits its machine; both need types.

mod around;
mod attached;
mod cases;
mod cover;
mod creates;
mod event_sets;
mod index;
mod linked;
mod module;
mod params;
mod union;

#[cfg(test)]
mod tests;

pub(crate) use attached::warn_of_idle;
pub(crate) use cases::{Case, cases};
pub(crate) use linked::{Linked, LinkedRole, link};
