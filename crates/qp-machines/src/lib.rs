//! Communicating machines that are expanded on demand, and the one function that says what a step
//! is.
//!
//! A *program* (the front end's interpreter) says what a machine can do in a local state; a
//! [`System`] remembers every answer and puts the answers together into steps of whole
//! configurations. Everything is a small number: local states, messages, queue contents, shared
//! stores.
//!
//! Absent on purpose: source texts (reports ask the [`Program`] for names), searching (engines do
//! that), and any notion of a bound on queues other than the capacities a model declares.

mod automata;
mod commands;
mod config;
mod domain;
mod growing;
mod ids;
mod infinite;
mod model;
mod moves;
mod names;
mod net;
mod patience;
mod pattern;
mod program;
mod property;
mod prospects;
mod qutl;
mod reads;
mod remember;
mod site;
mod step;
mod system;
mod touches;
mod turn;
mod values;
mod view;
mod words;

pub use automata::{Action, Automata, Automaton, State, Transition};
pub use commands::{Beyond, Commands, Hearing, Sending};
pub use config::Config;
pub use domain::{Content, Exact, Heed, QueueDomain, Scan, Texts, insert_word, scan_word};
pub use growing::Growth;
pub use ids::{
    CellId, ConditionId, EarId, FailureId, KindId, LocalId, MachineId, MessageId, QueueId, SeedId,
    StoreId, WordId,
};
pub use model::{Discipline, MachineInfo, Model, Outline, QueueInfo};
pub use moves::{Condition, Effect, Guard, Move, Moves, Observed, Place, Reception, Taken};
pub use names::{Assigned, Deed, Failure, Names, Suspect, Widest};
pub use net::{
    Arc, ArcId, Counter, CounterId, Counts, Dependency, Detail, DetailId, Fact, Following, Net,
    Spot, SpotId, Test, TestId,
};
pub use patience::Patience;
pub use pattern::{Matched, Matcher, Pattern};
pub use program::{Capacity, Loss, Program, QueueKind, Start};
pub use property::{
    Atom, Bad, Happens, Heat, Letter, Ltl, LtlFormula, Possible, Property, Runs, Says,
};
pub use prospects::{Doing, Mailbox, Prospects, Reach, Stage, StageId, Touch, Whereabouts};
pub use qutl::{Qutl, Relation};
pub use reads::{Plain, Reads, World};
pub use site::{Site, SiteKind};
pub use step::{CommandMemo, turns_of_commands};
pub use system::{Event, Outcome, Step, System};
pub use turn::{Act, After, Turn};
pub use values::{Apart, ClassId, FlowNode, Part, Slot, SlotId, Term, Use, ValueFlow, Values};
pub use view::{Uses, View};
pub use words::Words;
