//! Sets of tuples of small numbers as decision diagrams, and their closure under events that touch few
//! places of a tuple.
//!
//! A tuple has one value per level. A diagram is a graph with one layer of nodes per level: a node maps
//! some values of its level to nodes of the level below. Equal nodes are one node, so equal sets are equal
//! numbers, and a set of 10^20 tuples whose levels have little to do with each other has a few nodes. No level is
//! left out on any path (*quasi-reduced*), and what a node does not mention is not in the set (*sparse*), so that the
//! values of a level need not be known beforehand: they are learnt while sets grow.
//!
//! [`Diagrams::saturate`] closes a set under events. An event is given by what it does to each level that it
//! touches ([`Event`]); it happens to all of them or not at all. Nodes are closed from the bottom to the top,
//! each under all events that do not touch a level above it (*saturation*: Ciardo, Lüttgen and Siminiceanu). Events and
//! values may be discovered on the way ([`Moves`]).
//!
//! Nodes that nobody needs are collected now and then. A set that is to survive the next operation has to be
//! [held](Diagrams::hold).
//!
//! Absent on purpose: anything that knows what a machine or a queue is, and any choice of the order of levels.

mod adopt;
mod answers;
mod cache;
mod count;
mod events;
mod family;
mod frame;
mod relabel;
mod saturate;
mod step;
mod store;
mod tuples;

pub use count::Census;
pub use events::{Event, EventId, Events, Moves, Touch};
pub use store::{Abort, Diagrams, Limits, Set};
