//! Exact search of all configurations whose queues hold at most k messages, for growing k.
//!
//! # Question
//! Which configurations can be reached while no queue holds more than k messages? Is one of them bad? Is
//! there anything beyond them?
//!
//! # Fragment
//! All systems. Systems whose machines meet only through queues that one of them reads (machines may be
//! created at run time, and may be watched) are expanded from compiled tables on all cores. So are programs
//! in which one step may do several things and look at everything (Promela): what a step looked at is
//! remembered, with what came of it. Others (rendezvous, shared variables, shared queues) go step by step on
//! one core.
//!
//! # Theorem
//! Sends that the bound cuts only take steps away, so what is reached is reachable at every greater
//! bound. If nothing was cut, the set is closed under all steps and contains every reachable
//! configuration at every queue length. A loop that passes the iterable-loop test (the words it takes and
//! sends are powers of one word, and the content is a prefix of their repetition) can be repeated
//! for ever; if it sends more than it takes, the queue is unbounded (Jéron and Jard). A property of infinite runs
//! is violated if and only if the product with the automaton of wrong runs has a strongly connected component with a
//! step and an accepting pair (Vardi and Wolper) in which, with weak fairness, every machine moves or somewhere cannot.
//!
//! # Algorithm
//! 1. Breadth-first search at bound k on interned, packed configurations.
//! 2. Report the least violating configuration of each property; a fresh search gives a shortest run.
//! 3. Find what can never happen again (`stuck`, `orphan`) on the strongly connected components.
//! 4. Test the ways to cut sends for loops that make a queue grow.
//! 5. Look for wrong infinite runs on the components of the product: while the set is small, and in the end.
//! 6. When the set has become large: go on with a decision diagram whose levels are machines with their queues, closed
//!    by saturation, if that takes less work. Counts, violations, shortest runs, stuck machines and lost
//!    messages are then operations on diagrams.
//! 7. If a send was cut: raise k, resume from the cut sends, and go on. Promela models whose channels all
//!    have capacities are searched at the greatest one at once.
//!
//! # Certificate
//! The closed set, when nothing was cut, or, if it is large, that there are so many configurations and no others; ranks for
//! properties of infinite runs. Runs for violations, lassos for infinite ones, pumps for growing queues.
//!
//! # Limits
//! Gives up at the greatest bound, or when the budget is spent. Growth that is not the repetition of one
//! loop is not recognised, nor is a loop whose steps depend on how long the growing queue is. Large sets
//! are not handed over with ranks, or if orders of steps were left out. Diagrams do not answer questions about infinite runs, and have at most 256 levels.
//!
//! # What it never does
//! It never claims that a property holds because nothing was found up to a bound.

mod conduct;
mod eventually;

use qp_base::Budget;

use crate::{Answers, Engine, Facts, Task};

use self::conduct::Conduct;
pub(crate) use self::conduct::Paused;

/// The engine `explore`.
pub struct Explore;

impl Engine for Explore {
    fn name(&self) -> &'static str {
        "explore"
    }

    fn summary(&self) -> &'static str {
        "exact search of everything that happens while no queue holds more than k messages, for growing k"
    }

    fn run(&self, task: Task, budget: &Budget) -> Answers {
        self.run_with(task, &Facts::default(), budget)
    }

    fn run_with(&self, task: Task, facts: &Facts, budget: &Budget) -> Answers {
        Conduct::new(task, facts, budget).start()
    }
}
