//! Searches the configurations of a system with several processes at once.
//!
//! Every configuration has an owner, which its content alone decides. The search goes level by level: each
//! worker takes the steps of its own configurations and sends the results to their owners, by content and not
//! by number, because every process numbers what it meets in its own order. Counts, and runs that
//! violate a property, depend neither on how many processes there are nor on who is faster.
//!
//! [`conduct`] is the search of one worker, whatever carries its packets ([`Net`]). With the feature
//! `distributed` that is the timely dataflow engine, over sockets.
//!
//! Absent on purpose: starting processes, files, and verdicts. There is neither authentication nor
//! encryption: who can reach a socket can join.

mod bytes;
mod rows;
mod prints;
mod wire;
mod hosts;
mod question;
mod net;
mod front;
mod shard;
mod status;
mod conduct;
mod evidence;
#[cfg(feature = "distributed")]
mod distributed;

pub use conduct::conduct;
#[cfg(feature = "distributed")]
pub use distributed::{Joined, NotJoined, Stopped, free_addresses, join, search};
pub use hosts::{HOSTS_CODE, Hosts, is_loopback, read_hosts};
pub use net::{Alone, Net};
pub use prints::fingerprint;
pub use question::{Counts, Findings, Lost, Question, Tally, Violation};
