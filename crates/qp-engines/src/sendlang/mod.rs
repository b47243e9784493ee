//! Whether short queues allow every sequence of sends that queues of any length allow.
//!
//! # Question
//! L is the set of all finite sequences of sends, `L_k` of those that are possible while no queue holds more than k
//! messages; for k = 0, each message is received in the very step after its send. A send is who sends what to which
//! queue. Is `L_k` = L for some k, and for which one first?
//!
//! # Fragment
//! Programs of every language whose queues lose nothing and are not kept sorted, with or without capacities. A step may
//! look at everything and do several things, but send one message at most; a message that is handed over is sent and
//! received. Atomic sequences must not be interrupted. That no k is enough is shown only where all queues are unlimited and
//! have one reader, and who reads the growing queue takes its messages in their order.
//!
//! # Theorem
//! `L_0` ⊆ `L_1` ⊆ ... ⊆ L. If the program in which queues are told apart by their beginnings only makes no other sends than
//! `L_k` has, then `L_k` = L. If u vⁿ w is in L for every large n, and the reader of a queue cannot keep up with v
//! before w, then no k is enough. That `L_k` = `L_(k+1)` says nothing: the theorem of Basu and Bultan (ASE 2014) to the
//! contrary is wrong, and the question is undecidable.
//!
//! # Algorithm
//! 1. For k = 0, 1, ...: is `L_(k+1)` ⊆ `L_k`? An inclusion of automata, with antichains; else there is a shortest word
//!    between them.
//! 2. If so: are the sends of the blurred program, with 0, 1, ... messages told apart, in `L_k`? If the search with queues
//!    of length k + 1 meets none that is longer, as many are told apart as there ever are. Where it is open whether there
//!    is room, both is followed.
//! 3. Then the least k with the same sends is what is claimed.
//! 4. In between, look for runs with a stem, a cycle and a tail after which messages pile up.
//!
//! # Certificate
//! Pairs of blurred configurations and sets of configurations with short queues; or a run with a cycle that can be taken
//! any number of times.
//!
//! # Limits
//! Lengths of up to 8 and some ten thousand pairs; cycles of up to 6 steps after stems of up to 8, tails of up to 2
//! sends.
//!
//! # What it never does
//! It says nothing about how runs end: short queues may get stuck where long ones go on, although `L_k` = L. It does not
//! conclude anything from lengths that allow the same sends.

mod automaton;
mod conduct;
mod family;
mod inclusion;
mod lists;
mod reader;
mod tails;
mod world;

use qp_base::Budget;
use qp_claim::{Claim, Reason};
use qp_machines::Property;

use crate::{Answer, Answers, Engine, Figures, Task, Turn};

/// The engine `sendlang`.
pub struct Sendlang;

impl Engine for Sendlang {
    fn name(&self) -> &'static str {
        "sendlang"
    }

    fn summary(&self) -> &'static str {
        "whether short queues allow every sequence of sends that queues of any length allow"
    }

    fn treats(&self, property: Property) -> bool {
        property == Property::Sendlang
    }

    fn turn(&self) -> Turn {
        Turn::Second
    }

    fn run(&self, task: Task, budget: &Budget) -> Answers {
        let mut answers = Answers::default();
        for &property in &task.properties {
            let (claim, figures) = if property == Property::Sendlang {
                conduct::run(&task, budget, &mut answers)
            } else {
                (Claim::GaveUp(Reason::NotThisProperty), Figures::default())
            };
            answers.claims.push(Answer { property, claim, figures });
        }
        answers
    }
}
