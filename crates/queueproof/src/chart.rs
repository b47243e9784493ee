//! A run as a message sequence chart: what is drawn, not how.

use crate::report::Location;

/// A run, ready to be drawn. All names are the user's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chart {
    /// The machines, in order: one column each.
    pub machines: Vec<String>,
    /// The control state of each machine at the beginning.
    pub controls: Vec<String>,
    /// The queues, in order.
    pub queues: Vec<ChartQueue>,
    /// The steps, in order.
    pub rows: Vec<ChartRow>,
    /// The number of rows before the part that repeats for ever, if one does.
    pub cycle_from: Option<usize>,
    /// What is wrong at the end, in one line.
    pub ending: String,
    /// The machine the ending is about, if it is about one.
    pub ending_machine: Option<usize>,
    /// Where rounds begin, in order, if the run is about rounds.
    pub rounds: Vec<ChartRound>,
}

/// Rows after which nothing is taken that was sent in them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChartRound {
    /// Its first row. It ends where the next one begins.
    pub from: usize,
    /// Whether each machine first sends and then takes in it. Otherwise it is no round at all.
    pub whole: bool,
}

/// A queue of a chart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChartQueue {
    /// Its name.
    pub name: String,
    /// The machine that reads it, if only one does.
    pub reader: Option<usize>,
}

/// One step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChartRow {
    /// The machine that moves.
    pub machine: usize,
    /// What it does.
    pub event: ChartEvent,
    /// The control state it leaves.
    pub from: String,
    /// The control state it enters.
    pub to: String,
    /// Where in the user's text it is written, if that is known: `line 12`, or `Client.p:12` if there are
    /// several files.
    pub place: Option<String>,
    /// The same place for those who go there.
    pub location: Option<Location>,
    /// The statements that were carried out, in order, for languages that have statements.
    pub deeds: Vec<ChartDeed>,
    /// The variables that have new values, shared ones first.
    pub values: Vec<ChartValue>,
    /// What else is sent and taken in the step, in order, if it is a turn in which several things happen.
    pub also: Vec<ChartEvent>,
    /// What else happened in the step, in a few words.
    pub note: Option<String>,
    /// The queues whose content changed, and their content now, front first.
    pub contents: Vec<(usize, Vec<String>)>,
    /// Whether its message is one of those that the run is about.
    pub marked: bool,
}

impl ChartRow {
    /// A step of which only this much is known.
    pub fn new(machine: usize, event: ChartEvent, (from, to): (String, String)) -> Self {
        Self {
            machine,
            event,
            from,
            to,
            place: None,
            location: None,
            deeds: Vec::new(),
            values: Vec::new(),
            also: Vec::new(),
            note: None,
            contents: Vec::new(),
            marked: false,
        }
    }
}

/// A statement that was carried out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChartDeed {
    /// Who did.
    pub machine: usize,
    /// Where it is written: `line 12`, or `inc.h:12` if there are several files.
    pub place: String,
    /// The same for those who go there.
    pub location: Location,
    /// The statement, as the user would write it.
    pub text: String,
}

/// A variable that has a new value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChartValue {
    /// Whose it is; nobody's if it is shared.
    pub machine: Option<usize>,
    /// Its name.
    pub name: String,
    /// What it holds now.
    pub value: String,
}

/// What happens in a step.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub enum ChartEvent {
    /// Nothing that others see.
    Internal,
    /// A message is put into a queue. `taken` is the row that takes it, if one does.
    Sends { queue: usize, message: String, taken: Option<usize> },
    /// A message is sent and lost.
    Loses { queue: usize, message: String },
    /// A message is taken. `sent` is the row that sent it.
    Takes { queue: usize, message: String, sent: Option<usize> },
    /// Sender and receiver move together.
    Meets { queue: usize, message: String, receiver: usize },
    /// A machine is created.
    Creates { machine: usize },
    /// The machine ends.
    Ends,
    /// A queue is closed.
    Closes { queue: usize },
    /// The machine runs into a failure.
    Fails { text: String },
}
