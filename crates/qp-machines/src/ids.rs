//! The small numbers that everything is made of.

use qp_base::define_index;

define_index!(MachineId, "m", "A machine: its place in a configuration.");
define_index!(QueueId, "c", "A queue: its place in a configuration.");
define_index!(LocalId, "q", "A local state of a machine: control, variables, call stack.");
define_index!(MessageId, "e", "A message with its payload.");
define_index!(StoreId, "g", "The values of all shared variables together.");
define_index!(WordId, "w", "The content of a queue.");
define_index!(EarId, "r", "One way of listening: a receive statement of a machine.");
define_index!(KindId, "k", "A kind of queue: capacity and loss.");
define_index!(SeedId, "s", "A machine to be created: its type and arguments.");
define_index!(FailureId, "f", "A failure that a machine can run into: an assertion, usually.");
define_index!(CellId, "v", "A shared variable, or an element of one.");
define_index!(ConditionId, "b", "A condition on a whole configuration that the user wrote.");

impl StoreId {
    /// The store of a system without shared variables.
    pub const NONE: Self = Self::from_raw(0);
}

impl WordId {
    /// The content of an empty queue.
    pub const EMPTY: Self = Self::from_raw(0);
    /// A queue that was closed for ever: what is sent to it is discarded.
    pub const CLOSED: Self = Self::from_raw(1);
}
