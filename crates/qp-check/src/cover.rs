//! Covers: sets that contain everything that can be reached, each in its own way.

use qp_claim::{CoreDeed, RankGoal};
use qp_machines::{Config, Event, MachineId, Property, System};

use crate::Checked;
use crate::invariant::Question;

/// A set that covers everything that can be reached: it contains the beginning, and no step of anything that it stands for
/// leads out of it. That is checked when it is made.
pub(crate) trait Cover {
    /// Checks that nothing that it stands for is what a question asks about. What it stands for may be more than can be
    /// reached: then what can be reached is right, too.
    fn never(&mut self, system: &mut System, question: Question) -> Checked<()>;

    /// Its steps one by one, if it has them.
    fn runs(&self) -> Option<&dyn Runs> {
        None
    }

    /// What can be chosen in its rows, if it has such.
    fn choices(&mut self) -> Option<&mut dyn Choices> {
        None
    }
}

/// A cover in whose rows it is known what everything that a row stands for can do.
pub(crate) trait Choices {
    fn n_rows(&self) -> usize;
    /// All steps of a row.
    fn choices(&self, row: usize) -> &[Choice];
    /// What must always still be possible for a property to hold.
    fn goals(&self, system: &System, property: Property) -> Checked<Vec<RankGoal>>;
    /// Whether a step is what must still be possible.
    fn is_hit(&self, system: &System, goal: RankGoal, choice: &Choice) -> bool;
    /// Whether something that a row stands for needs a goal.
    fn needs(&mut self, system: &System, goal: RankGoal, row: usize) -> bool;
}

/// A step of a row: who moves, by which of its transitions, what that does, whether everything in the row has it, and
/// the rows that cover what comes of it.
pub(crate) struct Choice {
    pub(crate) machine: u32,
    pub(crate) transition: u32,
    pub(crate) deed: CoreDeed,
    pub(crate) is_sure: bool,
    pub(crate) rows: Vec<usize>,
}

/// A cover whose steps lead from rows to rows.
pub(crate) trait Runs {
    fn n_rows(&self) -> usize;
    /// A configuration of a row, if it stands for any. All of them agree but for what is in queues.
    fn config(&self, place: usize) -> Checked<Option<Config>>;
    /// Whether it is the only one.
    fn is_exact(&self) -> bool;
    /// The rows in which the beginning is.
    fn beginnings(&self, system: &mut System) -> Checked<Vec<usize>>;
    /// Everything that can happen in a row.
    fn steps(&self, system: &mut System, place: usize) -> Checked<Vec<Leads>>;
    /// Whether a machine can move by itself in everything that a row stands for.
    fn is_able(&self, system: &mut System, place: usize, machine: MachineId) -> Checked<bool>;
}

/// A step of a row: what happens, who moves, the rows to which it leads, and by how much each queue gets longer at most.
/// Nothing happens where a run has ended, and a failure leads to no row. With fairness the machine that the step is named
/// after comes first.
pub(crate) struct Leads {
    pub(crate) event: Option<Event>,
    pub(crate) movers: Vec<MachineId>,
    pub(crate) rows: Vec<usize>,
    pub(crate) longer: Vec<i64>,
}

impl Leads {
    /// The run has ended, and stays.
    pub(crate) fn stay(place: usize) -> Self {
        Self { event: None, movers: Vec::new(), rows: vec![place], longer: Vec::new() }
    }
}
