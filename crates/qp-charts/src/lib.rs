//! Message sequence charts: who sent what to whom, and in which order each process saw it.
//!
//! A [`Chart`] is what remains of a run when only the order of events on each process and the pairs of
//! a send and its receive are kept. Many runs have the same chart. Questions about it:
//!
//! * Which messages stand in each other's way ([`Chart::conflicts`])? Message `v` conflicts with `w` if
//!   an action of `v` comes before one of `w` on some process.
//! * Is it made of rounds in which each process first sends and then receives ([`Conflicts::crossing`]),
//!   with how many messages at most ([`Conflicts::largest`])?
//!
//! ```
//! use qp_charts::{Chart, ProcessId};
//!
//! let [left, right] = [ProcessId::new(0), ProcessId::new(1)];
//! let mut chart = Chart::new(2);
//! let over = chart.send(left, right);
//! let back = chart.send(right, left);
//! chart.receive(over);
//! chart.receive(back);
//! let conflicts = chart.conflicts();
//! assert_eq!(conflicts.components().len(), 1, "neither message can wait for the other");
//! assert_eq!(conflicts.crossing(), None, "both are sent, then both are received");
//! ```
//!
//! # Rounds and components
//!
//! A chart is made of rounds of at most k messages if and only if each strongly connected component of
//! the conflict graph has at most k messages, and no receive comes before a send of the same component
//! on any process (Di Giusto, Laversa and Lozes, `FoSSaCS` 2020). The size of *components* counts, not
//! that of elementary cycles: two cycles of four messages that share three of them make five messages
//! that cannot be taken apart.
//!
//! Only neighbours on each process are followed for components: what is earlier reaches what is later
//! through whatever lies between. So everything here takes time about linear in the number of events.
//!
//! Absent on purpose: programs, queues with contents, names. A label of a message is a number that this
//! crate does not look at.

mod chart;
mod conflict;

pub use chart::{Action, Chart, Event, EventId, Message, MessageId, ProcessId};
pub use conflict::{ComponentId, Conflict, Conflicts};
