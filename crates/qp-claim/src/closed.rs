//! Sets of configurations as plain tables.

use serde::ser::SerializeStruct as _;
use serde::{Deserialize, Serialize, Serializer};

use crate::file::{RawSet, rows};

/// A finite set of configurations, written with texts and numbers only.
///
/// A row has one cell per machine, one per queue, then the store and the holder of an atomic
/// sequence. Cells are places in the tables below; [`ABSENT`] stands for a machine or queue that does
/// not exist in this configuration, and for "nobody" as holder.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(try_from = "RawSet")]
pub struct ClosedSet {
    /// For each machine: the texts of its local states (`Names::local_text`).
    pub locals: Vec<Vec<String>>,
    /// The texts of messages (`Names::message_text`).
    pub messages: Vec<String>,
    /// What a queue can hold.
    pub contents: Vec<Content>,
    /// The texts of stores (`Names::store_text`).
    pub stores: Vec<String>,
    /// How many queue cells a row has.
    pub n_queues: usize,
    /// The rows, one after the other.
    pub cells: Vec<u32>,
}

/// What a queue holds, and what kind of queue it is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Content {
    /// Capacity and loss: the number of the kind in the model's outline.
    pub kind: u32,
    /// The messages, front first, as places in `messages`; `None` for a queue that was closed.
    pub messages: Option<Vec<u32>>,
}

/// The cell of something that does not exist in a configuration.
pub const ABSENT: u32 = u32::MAX;

impl Serialize for ClosedSet {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut fields = to.serialize_struct("ClosedSet", 6)?;
        fields.serialize_field("locals", &self.locals)?;
        fields.serialize_field("messages", &self.messages)?;
        fields.serialize_field("contents", &self.contents)?;
        fields.serialize_field("stores", &self.stores)?;
        fields.serialize_field("queues", &self.n_queues)?;
        if !self.cells.is_empty() {
            fields.serialize_field("rows", &rows::Raw(self))?;
        }
        fields.end()
    }
}

impl ClosedSet {
    /// How many cells a row has.
    pub fn width(&self) -> usize {
        self.locals.len() + self.n_queues + 2
    }

    /// How many configurations the set has.
    pub fn len(&self) -> usize {
        self.cells.len() / self.width()
    }

    /// Whether the set has no configuration.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The rows in order.
    pub fn rows(&self) -> std::slice::ChunksExact<'_, u32> {
        self.cells.chunks_exact(self.width())
    }
}
