//! Proofs for every queue length: contents of queues are told apart by their beginnings only.
//!
//! # Question
//! Is what was seen with short queues all there is, with queues of any length?
//!
//! # Fragment
//!
//! # Theorem
//!
//! # Algorithm
//!
//! # Certificate
//!
//! # Limits
//!
//! # What it never does

use qp_base::Budget;
use qp_claim::{Claim, Reason};

use crate::{Answer, Answers, Engine, Figures, Task, Turn};

/// The engine `converge`.
pub struct Converge;

impl Engine for Converge {
    fn name(&self) -> &'static str {
        "converge"
    }

    fn summary(&self) -> &'static str {
        "proofs for every queue length: contents of queues are told apart by their beginnings only"
    }

    fn turn(&self) -> Turn {
        Turn::Second
    }

    fn run(&self, task: Task, _: &Budget) -> Answers {
        let answer = |property| Answer {
            property,
            claim: Claim::GaveUp(Reason::NotThisProperty),
            figures: Figures::default(),
        };
        let claims = task.properties.into_iter().map(answer).collect();
        Answers { claims, ..Answers::default() }
    }
}
