//! Random runs, for violations that lie too deep for a search of everything.
//!
//! # Question
//! Is there a run into a failure, an unhandled message, a deadlock or a bad situation?
//!
//! # Fragment
//! All systems, with queues of any length.
//!
//! # Theorem
//! None: this is testing, not one of the methods that the other engines follow. It is here because a
//! search of everything sees everything near the beginning and nothing beyond: programs with much data
//! have millions of configurations within thirty steps, and some of their mistakes need a hundred. A
//! run of a hundred steps is cheap, and what it shows is shown. For two of the three strategies there is a
//! reason to hope. `pct` (Burckhardt, Kothari, Musuvathi and Nagarakatte 2010): if one of n machines always
//! goes first by a random ranking, which changes at d random moments of a run of k steps, a mistake that
//! needs d + 1 orderings is met with probability at least 1 / (n·k^d) in each run. `pos`, partial-order
//! sampling (Yuan, Yang and Gu 2018): the next step of each machine has a random priority, and steps that race
//! with the one that was taken get new ones, so that runs that differ only in the order of steps that do not
//! race are not drawn again and again. Both hold as far as the data that the run draws allow it.
//!
//! # Algorithm
//! 1. Many runs from the beginning, each drawn by its number and the seed alone, so that any of them can be
//!    drawn again. In each step one machine that can move is drawn: each with the same probability (`uniform`), or
//!    by `pct` or `pos`; the strategies take turns. Then one of its steps, each with the same probability.
//! 2. Which steps race is told by their footprints: two that put into the same queue do, one that puts and one
//!    that takes do not.
//! 3. Half of the runs are cut at 256 steps if they do not end before, a quarter at 512, and so on.
//! 4. The shortest run into each violation is kept. In the end, steps are left out of it as long as what
//!    is left still leads there.
//!
//! # Certificate
//! The run.
//!
//! # Limits
//! Gives up after a fixed number of steps, or of runs. Beside other engines it begins where they do not get
//! through quickly, and goes on beside them in slices whose length no clock decides about. The runs
//! are not the shortest.
//!
//! # What it never does
//! It never claims that a property holds, however many runs have found nothing, and it says nothing
//! about what can no longer happen (`stuck`, `orphan`) or about how long queues get.

mod conduct;
mod order;
mod races;
mod chance;
mod goals;
mod shorten;

use qp_base::Budget;
use qp_machines::Property;

use crate::{Answers, Engine, Facts, Task, Turn};

use self::conduct::Conduct;
pub(crate) use self::conduct::Walked;

/// How a schedule is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// Each machine that can move, with the same probability.
    Uniform,
    /// Probabilistic concurrency testing: by a random ranking of machines that changes a few times.
    Pct,
    /// Partial-order sampling: by random priorities of steps; those that race with the one taken get new ones.
    Pos,
}

impl Strategy {
    /// All of them, in the order in which they take turns.
    pub const ALL: [Self; 3] = [Self::Uniform, Self::Pct, Self::Pos];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Pct => "pct",
            Self::Pos => "pos",
        }
    }
}

/// Random runs: how many, and how they are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Walks {
    /// Steps of all of them together.
    pub steps_max: u64,
    /// How many; `None` for as many as the steps allow.
    pub schedules_max: Option<u64>,
    /// Equal seeds draw equal runs.
    pub seed: u64,
    /// How they are drawn; `None` for every strategy in turn.
    pub strategy: Option<Strategy>,
}

impl Walks {
    /// No runs at all.
    pub const NONE: Self = Self { steps_max: 0, schedules_max: None, seed: 1, strategy: None };

    /// The strategy of a run.
    fn strategy(&self, number: u64) -> Strategy {
        let n = Strategy::ALL.len() as u64;
        self.strategy.unwrap_or(Strategy::ALL[(number % n) as usize])
    }

    /// How many runs of the same strategy come before this one.
    fn number_of_its_kind(&self, number: u64) -> u64 {
        number / if self.strategy.is_some() { 1 } else { Strategy::ALL.len() as u64 }
    }
}

/// The engine `roam`.
pub struct Roam;

impl Engine for Roam {
    fn name(&self) -> &'static str {
        "roam"
    }

    fn summary(&self) -> &'static str {
        "random runs, for violations too deep for a search of everything; proves nothing"
    }

    fn treats(&self, property: Property) -> bool {
        goals::is_goal(property)
    }

    fn turn(&self) -> Turn {
        Turn::Last
    }

    fn run(&self, task: Task, budget: &Budget) -> Answers {
        self.run_with(task, &Facts::default(), budget)
    }

    /// Goes on with the next run.
    fn run_with(&self, task: Task, facts: &Facts, budget: &Budget) -> Answers {
        Conduct::new(task, facts, budget).start()
    }
}
