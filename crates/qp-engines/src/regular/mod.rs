//! What queues can hold, exactly, as regular languages: cycles are taken any number of times at once.
//!
//! # Question
//! What can queues hold in each control state, at any length? Is anything wrong in one of these configurations?
//!
//! # Fragment
//! All languages and all disciplines, deferred messages, capacities, loss, atomic sequences and timeouts included. A
//! step is refused, with its place, if it sorts a message into a queue, if it is interrupted in the middle of a
//! sequence in which it changed queues, or if it depends on too much of what queues hold. Properties of single configurations (`assert`, `unhandled`, `deadlock`, `divergence`, `reach`), greatest
//! lengths, and properties of infinite runs (`ltl`, `livelock`, `accept`) that are about where machines are and what is
//! sent and received.
//!
//! # Theorem
//! What becomes of a product of regular languages, one for each queue, when the operations of a cycle are done any number
//! of times is a finite union of such products if no two queues tell how often (Boigelot, Godefroid, Willems and
//! Wolper, *The power of QDDs*, theorems 4 and 6). A set of products that contains the beginning and that no step
//! leaves contains everything that can be reached; if it was made with steps and such cycles only, it contains nothing
//! else. The contents with which a cycle can be taken for ever are a product of regular languages, too (theorem 7).
//! Every run goes from row to row; where no sum of weighed messages rises, steps that make it smaller come to an end.
//!
//! # Algorithm
//! 1. A row is where machines are, and a language for each queue. Begin with the empty queues.
//! 2. When a row is new, take every simple cycle of control states through it any number of times; cycles that only
//!    put into one queue, or only take from one, in any order, also pairs of cycles that leave all other queues as
//!    they were. Rounds on which one queue only grows and the others can hold again what they held, likewise. The
//!    graph of control states is known from a blurred search that went before.
//! 3. Then take single steps. They are asked of the system over contents that are languages: a question that has
//!    several answers splits a language, and the steps that are the same in several parts are one guarded command.
//! 4. Leave out what is in the union of the rows that are there; make one row of two that differ in one queue only.
//!    If nothing is left to do, the rows are exactly what can be reached.
//! 5. If that does not come to an end, look at longer cycles. Then have one row for each control, and make one of those
//!    states of automata that accept the same words of up to 1, 2, 3, ... letters: that ends, and may prove.
//! 6. If such a set does not rule something out, follow it backwards, exactly. Either a run leads there, or it came of
//!    making one row of two: then that control keeps apart the words that led there, and step 5 is done again.
//! 7. For infinite runs, read the rows with the automaton of wrong runs. Rank the pairs: components without acceptance,
//!    and components in which a linear program finds weights for queues so that every accepting cycle makes the sum
//!    smaller. If there is no ranking, or a queue has no greatest length, look for cycles that accept, or that leave
//!    more in the queue, and can be taken for ever with contents of a row; then for a real run to such contents.
//!
//! # Certificate
//! The rows with their languages: one contains the beginning, and no step leaves them. For infinite runs also ranks,
//! weights, and a number for each pair. A run with a loop for what is violated.
//!
//! # Limits
//! Simple cycles of up to 10 steps, and up to 80 on the way that was taken; automata of up to 3,000 states, and some ten thousand states of automata in each search. What can
//! be reached need not be regular; then only the second search is left, which may have too much in its rows.
//!
//! # What it never does
//! It never calls anything violated because of a language: only a run shows that. It does not find runs that are wrong
//! without repeating a loop.

mod asks;
mod circles;
mod conduct;
mod contents;
mod cycles;
mod digraph;
mod ending;
mod endless;
mod evidence;
mod infinite;
mod joint;
mod memo;
mod observe;
mod probe;
mod refine;
mod rounds;
mod ranks;
mod row_graph;
mod rows;
mod runs;
mod search;
mod ways;
mod world;
mod wrong;

use qp_base::Budget;
use qp_machines::Property;

use crate::{Answers, Engine, Facts, Task, Turn};

pub use contents::{ContentLimits, ContentRow, Contents, contents};
pub use ending::{CycleStep, Ending, ending};

/// The engine `regular`.
pub struct Regular;

impl Engine for Regular {
    fn name(&self) -> &'static str {
        "regular"
    }

    fn summary(&self) -> &'static str {
        "what queues can hold, exactly, as regular languages: cycles are taken any number of times at once"
    }

    fn treats(&self, property: Property) -> bool {
        treats(property)
    }

    fn turn(&self) -> Turn {
        Turn::Second
    }

    fn run(&self, task: Task, budget: &Budget) -> Answers {
        self.run_with(task, &Facts::default(), budget)
    }

    fn run_with(&self, task: Task, facts: &Facts, budget: &Budget) -> Answers {
        let own = Facts::default();
        let facts = if task.begins_with_the_shortest() { facts } else { &own };
        conduct::run(&task, facts, budget)
    }
}

fn treats(property: Property) -> bool {
    property.is_about_configurations() || property.is_about_infinite_runs()
}
