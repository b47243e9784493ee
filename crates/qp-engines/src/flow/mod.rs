//! Bounds of queues and freedom from livelock by counting messages: no configuration is ever visited.
//!
//! # Question
//! How many messages can there be at most in a queue? Can a run go on for ever without progress?
//!
//! # Fragment
//! All models in the automata formats, with queues of any kind. Other languages as far as they are taken apart into
//! control flow and counters.
//!
//! # Theorem
//! In a net every machine follows arcs between spots, and counters are never negative. How often a run has taken each
//! arc is a solution of these inequalities: a spot is left at most as often as it was entered, and once more for each
//! machine that began there; of each kind of message no more is received than was sent; of what is handed over,
//! exactly as much; facts hold. So the largest number of messages that a solution allows is a bound, at every queue
//! length (Leue and Wei, with arcs in the place of cycles). The dual of an optimum weighs spots and kinds of
//! messages, so that no step makes a configuration heavier.
//!
//! For livelock only steps without progress count. If they have no solution but 0 when every spot is left at most as
//! often as it is entered, then the dual is a weight that every such step makes smaller by 1, and that is never
//! negative: no run takes endlessly many of them in a row. So every infinite run takes steps with progress again and
//! again. Such a step leaves or enters a marked state, hence a machine is in a marked state again and again, which
//! is what `livelock` asks for (it is about states). The converse is not true: a run in which one machine rests in a
//! marked state is no livelock, although the steps of others make no progress; then the engine gives up. A run that ends
//! is no livelock.
//!
//! # Algorithm
//! 1. Ask for the coarsest net: one variable for each arc, one row for each spot, counter and fact.
//! 2. For each queue, maximise the number of its messages. An optimum is a bound.
//! 3. A ray on which the number grows for ever is a set of cycles that together send more than they receive. If
//!    conditions on their arcs depend on what the net does not follow, ask for a net that does, and begin anew.
//! 4. If nothing is left to follow, search for a run along the ray that can be repeated for ever.
//! 5. For livelock, look for a solution that takes arcs without progress again and again, in the same way. A
//!    solution that no run can have, by the order of messages, because a machine is at one place at a time, or by
//!    a dependency of the net, splits the question into cases.
//!
//! # Certificate
//! Potentials of spots, weights of counters and factors of facts, in integers over a common denominator; for
//! livelock a tree of cases with such weighings at its leaves. One look at each arc checks a weighing.
//!
//! # Limits
//! Counting forgets the order of messages and what is not followed. So a bound may be greater than the greatest
//! length there is, and a ray need not be a run: then the answer is unknown, with the cycles. Numbers beyond 63 bits are
//! not handed over. At most 300 cases are looked at, and 50,000 configurations in searches for runs.
//!
//! # What it never does
//! It never concludes from a ray that a queue grows, or that a run without progress exists: only a run shows that.

mod cases;
mod census;
mod conduct;
mod confirm;
mod cycles;
mod inequalities;
mod refine;

use qp_base::Budget;
use qp_machines::Property;

use crate::{Answers, Engine, Facts, Task, Turn};

/// The engine `flow`.
pub struct Flow;

impl Engine for Flow {
    fn name(&self) -> &'static str {
        "flow"
    }

    fn summary(&self) -> &'static str {
        "bounds of queues and freedom from livelock by counting messages, without visiting any configuration"
    }

    fn treats(&self, property: Property) -> bool {
        matches!(property, Property::Bounded | Property::Length(..) | Property::Livelock)
    }

    fn measures(&self) -> bool {
        true
    }

    fn turn(&self) -> Turn {
        Turn::Second
    }

    fn run(&self, task: Task, budget: &Budget) -> Answers {
        self.run_with(task, &Facts::default(), budget)
    }

    fn run_with(&self, task: Task, facts: &Facts, budget: &Budget) -> Answers {
        conduct::run(&task, facts, budget)
    }
}

#[cfg(test)]
mod tests;
