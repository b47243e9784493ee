//! What the referee works out about lists and formulas, compared with their definitions on all short
//! contents.
//!
//! The files are compiled into this test, because nobody outside the referee has a use for them.

#[path = "../../src/lists/contents.rs"]
mod contents;
#[path = "../../src/lists/formulas.rs"]
mod formulas;
#[path = "../../src/lists/looks.rs"]
mod looks;

mod of_contents;
mod of_formulas;
mod of_looks;
mod of_pairs;

/// As in the referee.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Refusal {
    Wrong(String),
}

impl<T: Into<String>> From<T> for Refusal {
    fn from(why: T) -> Self {
        Self::Wrong(why.into())
    }
}

type Checked<T> = Result<T, Refusal>;

fn wrong<T>(why: impl Into<String>) -> Checked<T> {
    Err(Refusal::Wrong(why.into()))
}
