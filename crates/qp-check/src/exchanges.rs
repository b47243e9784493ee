//! Checks evidence that every run is made of rounds of exchanges, and runs that are not.
//!
//! Absent on purpose: charts to be drawn, bit tricks, and any search for rounds that are enough.
//!
//! # Which programs
//!
//! In every row of the set and everywhere inside a round, the steps of a machine are commands ([`System::commands`],
//! [`System::hearing`]): they read its local state and ends of queues that the program names, and send one message to the
//! back, take one from the front, or neither, and change nothing else; nobody creates machines. Every queue that is used
//! exists and loses nothing. At most 64 machines. A machine *reads* a queue if it listens to it in some row of the
//! set, and *writes* it if it sends to it in some row. A queue has at most one reader, which does not write it.
//! *Peer-to-peer*: each queue has at most one writer, and no two queues have both the writer and the reader in
//! common. *Mailbox*: each machine reads at most one queue. A program that is both counts as peer-to-peer: each
//! machine then hears from one other only, so the order in its mailbox is the order in which that one sends,
//! and both disciplines have the same charts. A program that is neither is refused. All rows have the same
//! machines and queues.
//!
//! *Capacities* are left out: a send to a full queue waits, and nothing else depends on what fits, so every run is one
//! with unlimited queues. *Ends* of machines are left out, too: nobody counts machines but who ends, and who could end
//! stays where it is. A machine that ends while others are still created would give its number away: those that are there
//! before the last creation, but for the first one, must not end.
//!
//! A failure is no action, and a message that is neither taken nor skipped (refused or unhandled) is not
//! received. A message that its reader would skip where it stands is outside: see *Heads*.
//!
//! *Beginnings*: a machine is *set up* as long as it has steps and all of them are either internal or
//! creations. Everything that is reached from the first configuration by moves of machines that are set up, in
//! any order, until nobody is: these are the beginnings, if a creation was among those moves, and set-up must
//! come to an end (no cycles). Otherwise the first configuration is the only beginning. Where several machines
//! create machines, all orders count, because they number machines differently. This is enough: moves of set-up
//! commute with those of others, and can always be completed. A bad situation may need a machine in the middle
//! of its set-up while others are beyond it; so a machine that is still where some beginning has it may also be
//! anywhere that it passed in set-up.
//!
//! # Charts
//!
//! A *chart* has for each machine its sends and receives in order, and says which receive belongs to which
//! send. Internal moves are not in it. In a peer-to-peer chart, the messages that are received from a queue are
//! the first that were sent to it, in order, and causality has no cycle. In a mailbox chart, *forced before*
//! has no cycle either: an earlier send of the same machine is before a later one; what a machine receives is
//! before what it sends later; of two messages to one mailbox, one that is received is before one that is
//! received later or never. (Tested: exactly the charts of mailbox runs.)
//!
//! *Conflict graph*: from message v to message w if an action of v comes before an action of w on one machine;
//! RS if that is the receive of v and the send of w. A *round* is a piece of a chart in which each machine
//! first sends, then receives, every receive has its send inside, and there are at most k sends. A chart is
//! made of such rounds if and only if no strongly connected component of its conflict graph has more than k
//! messages, or an RS edge inside (tested, and in the literature). From left to right it is elementary: in a
//! concatenation of rounds every edge stays in its round or leads to a later one, so a component lies in one
//! round, which has at most k messages and no RS edge. That direction is all that a refutation needs: an RS
//! edge inside a component excludes every k.
//!
//! # Rounds of up to k messages: books
//!
//! From a vector of local states, a round is a sequence of one to k sends, then of receives, with internal
//! moves anywhere, from queues that are empty at first; every point of the second part is a result. What is not
//! received in its round is never received. Rows are closed under internal moves too, which leave everything
//! else as it is. Beginnings are books without anything waiting.
//!
//! *Peer-to-peer*: a book lists the queues with a message that is never received; `senders` and `receivers` are
//! 0. A round may follow unless it receives from such a queue. That is the definition of peer-to-peer charts,
//! nothing else.
//!
//! *Mailbox*: for each queue q with such messages, `C_S(q)` are the machines with a send that is one of them or
//! forced after one of them, `C_R(q)` those with a receive of a message that is. Nodes: the messages of the
//! round, and one node `psi_q` for all such messages of q in earlier rounds. Edges: v to w with the same
//! sender, v earlier; v to w in the same queue, v received and w not, or later; `psi_q` to v if the sender of v
//! is in `C_S(q)` or `C_R(q)`, or the reader of v's queue in `C_R(q)`; v to `psi_r` if v is received from r;
//! `psi_q` to `psi_r` if the reader of r is in `C_R(q)`. For each q with `psi_q` or a message of the round that
//! is left over, everything reachable from those: the senders of its messages and the `C_S` of its psi are the
//! new `C_S(q)`; the readers of its messages that are received, and the `C_R` of its psi, the new `C_R(q)`. If
//! that contains the reader of q, the round may not follow: it would receive something that was sent after a
//! message that it never receives. One node for all is enough: edges out of `psi_q` need one of its messages,
//! later edges into it concern all of them, and a message that is never received has no successors in its
//! mailbox. (Tested on 165,594 rounds.) A queue that nobody reads is treated in the same way, with no reader.
//!
//! *Heads*: the messages of a queue that may be its first. They stay once they are there. Peer-to-peer: the
//! first that is left over, ever. Mailbox: each message of the round that is left over and not reachable, in
//! the graph above, from `psi_q` or from another one of the round that is left over in q. A message at the
//! front of a queue is not forced after another one in it, so it is among them.
//!
//! # Rounds of up to k messages: watches
//!
//! A shortest chart that is not made of rounds ends with a receive, by q, of a message v0 that was left over
//! before (a send at the end has no edges to others). Without that receive it is made of rounds. So it is bad
//! if and only if from v0 a path with an RS edge leads to something that acts on q, or more than k messages lie
//! on paths from v0 to something that acts on q, v0 included. A watch follows this for every v0 that is left
//! over in its round to a queue with a reader q. Peer-to-peer: v0 is the first that is left over in its queue,
//! ever. Mailbox: v0 is not reachable from the others of its queue (`psi_q` and those of the round); C0 is
//! collected, as above, from v0 and these others; nothing is followed if q is in `C0_R`. Conflict edges of the
//! round then give what is reached from v0: `sent` are the senders, `received` the readers of what is received
//! of it, `crossed` is empty. `toward` is *every* set W of machines of the row with q; `count` is how many
//! messages are v0, or reached and in `PRE(W)`: those that act on W, and those from which conflict edges lead
//! to them.
//!
//! In each later round that may follow: reached is what conflict edges lead to from messages that act on a
//! machine of `sent` or `received`; crossed what they lead to from messages that act on a machine of `crossed`,
//! or are sent by one of `received`; the three sets grow by the machines that act for these. `toward` becomes
//! *every* W' inside W that has q and for which W is W' with all machines that act for `PRE(W')`; `count` grows
//! by the reached messages in `PRE(W')`, up to k + 1. Mailbox: C0 grows by what is reachable from messages sent
//! by a machine of `C0_S` or `C0_R`, messages to a queue whose reader is in `C0_R`, psi of such queues, and
//! messages to v0's queue that are left over; nothing is followed if q is in `C0_R` then. Peer-to-peer:
//! `senders` and `receivers` are 0.
//!
//! The set is refused if a watch has W = {q}, q takes v0's message where it is, and q is in `crossed` or
//! `count` is above k. (That no violation is missed is tested against all charts of up to 11 events, not
//! proved.) Otherwise every chart is made of rounds, so its vector of local states is in a book.
//!
//! # One message a round
//!
//! A row has for each queue its first message that is never received, and may watch one. Steps: an internal
//! move; a send that is never received; a send that is received at once from a queue without such a message. A
//! watch begins, or does not, when a message becomes the first in a queue that somebody reads: `acted` is its
//! sender, `into` the reader for mailboxes, and otherwise nothing. A later message with sender p and reader d
//! *follows* if p is in `acted`, or it is received and d is in `acted`, or d is in `into`. Then p joins
//! `acted`, and, if it is received, so does d, which also joins `into` for mailboxes. The set is refused if the
//! reader of a watched message is in `acted` and takes it where it is. Then every chart is one of a run in
//! which each message is received at once or never. (Tested on 28,494 cases.)
//!
//! # Faults
//!
//! All of them need the sets to be complete, so nothing is proved by sets that have a violation.
//!
//! * Failures and bad situations are read off vectors. What a bad situation says about contents is taken for
//!   true.
//! * *Skips*: no possible head may be one that its reader would skip where it is. A run that skips a message
//!   comes, before it does so for the first time, to a configuration in which that message is a head; up to
//!   there it is a run without skipping. This is checked for every property.
//! * *Unhandled*: a machine is at a loss if it can only receive and, in each queue that it listens to, some
//!   possible head is unhandled.
//! * *Deadlock*: no machine has an internal move, a failure, or a send, unless that goes to a queue with a capacity and
//!   with heads, which may be full; each queue with heads has a possible head that its reader does not take (or nobody
//!   reads it), and some machine may not rest. What a queue holds where a run ends is never received, so a full one has
//!   heads.
//!
//! Possible heads of a row with one message a round: peer-to-peer, the head. **Mailbox, the heads that the
//! queue has in any row in which its reader is in the same local state.** The head of the row alone is not
//! enough for deadlocks: if p sends `c` to r and then `v` to q, and r sends `w` to q and then receives `c`,
//! then v may be first in q's mailbox, but it is not if c is received as soon as it is sent. The other heads
//! do: let a run end with h first in q's mailbox. Up to the send of h, followed by the other actions of q
//! alone, it is a run as well, because q receives only what was sent before h. It has q in the same local
//! state, and h is all that is left over in q's mailbox, so it is the head in a row.

mod books;
mod crossing;
mod faults;
mod peers;
mod read;
mod rounds;
mod setup;
mod single;
mod upto;
mod watches;

use std::collections::{BTreeMap, BTreeSet};

use qp_claim::{ExchangeSet, Rounds};
use qp_machines::{Config, MessageId, Property, System};

pub(crate) use self::crossing::{Crossing, crossing};
use self::peers::Peers;
use self::read::Vectors;
use self::setup::Setup;
use crate::cover::Cover;
use crate::invariant::Question;
use crate::{Checked, wrong};

/// Sets that were checked: they contain the beginnings, are closed, and have no violation.
pub(crate) struct Exchange {
    rows: Vec<Config>,
    setup: Setup,
    spots: BTreeSet<Spot>,
}

/// Where rounds lead: a vector of local states, and what may be first in each queue that is not empty.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Spot {
    row: usize,
    heads: BTreeMap<usize, Vec<MessageId>>,
}

impl Exchange {
    /// Checks the sets. Otherwise says why not.
    pub(crate) fn check(system: &mut System, set: &ExchangeSet) -> Checked<Self> {
        let setup = Setup::new(system)?;
        let vectors = Vectors::read(system, &set.set)?;
        let mut peers = Peers::new(system, vectors.rows.clone(), setup.n_early)?;
        let spots = match &set.rounds {
            Rounds::Single(rows) => {
                single::check(&mut peers, &setup.beginnings, &vectors.singles(rows)?)?
            }
            Rounds::UpTo { sends, books, watches } => {
                let shelf = vectors.shelf(books, watches)?;
                upto::check(&mut peers, &setup.beginnings, *sends, &shelf)?
            }
        };
        for spot in &spots {
            faults::check_skips(&mut peers, spot)?;
        }
        Ok(Self { rows: vectors.rows, setup, spots })
    }
}

impl Cover for Exchange {
    fn never(&mut self, system: &mut System, question: Question) -> Checked<()> {
        let mut peers = Peers::new(system, self.rows.clone(), self.setup.n_early)?;
        for spot in &self.spots {
            let config = &self.rows[spot.row];
            let may_be = match question {
                // What was checked says that there are none.
                Question::Crosses => false,
                Question::Fails(property) if property != Property::Divergence => {
                    faults::fails(&mut peers, config, property)?
                }
                Question::Lost => faults::is_anybody_at_a_loss(&mut peers, config, spot)?,
                Question::Dead => faults::is_dead(&mut peers, config, spot)?,
                Question::Bad(number) => faults::is_bad(&peers, &self.setup, config, number),
                _ => return wrong("rounds do not prove this property"),
            };
            if may_be {
                return wrong(format!("the set has a fault where {:?} are", config.locals));
            }
        }
        Ok(())
    }
}

/// The set of one machine.
fn bit(machine: usize) -> u64 {
    1 << machine
}

/// Whether a machine is in a set.
fn has(set: u64, machine: usize) -> bool {
    set & bit(machine) != 0
}
