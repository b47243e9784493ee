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
//! run of a hundred steps is cheap, and what it shows is shown. For half of the runs there is a reason to
//! hope: if one of n machines always goes first by a random ranking, which changes at d random
//! moments of a run of k steps, a mistake that needs d + 1 orderings is met with probability at least
//! 1 / (n·k^d) in each run (Burckhardt, Kothari, Musuvathi and Nagarakatte), as long as the data that
//! the run draws allow it.
//!
//! # Algorithm
//! 1. Many runs from the beginning. In each step one machine that can move is drawn, in every second
//!    run by a ranking that changes a few times; then one of its steps, each with the same probability.
//! 2. Most runs are short, some are long: half of them are cut at 64 steps, a quarter at 128, and so on.
//! 3. The shortest run into each violation is kept. In the end, steps are left out of it as long as what
//!    is left still leads there.
//!
//! # Certificate
//! The run.
//!
//! # Limits
//! Draws the same numbers every time and gives up after a fixed number of steps. Beside other engines it
//! begins where they do not get through quickly, and what they answer is theirs to answer. The runs
//! are not the shortest.
//!
//! # What it never does
//! It never claims that a property holds, however many runs have found nothing, and it says nothing
//! about what can no longer happen (`stuck`, `orphan`) or about how long queues get.

mod conduct;
mod chance;
mod goals;
mod order;
mod shorten;

use qp_base::Budget;
use qp_machines::Property;

use crate::{Answers, Engine, Task, Turn};

use self::conduct::Conduct;

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
        Conduct::new(task, budget).start()
    }
}
