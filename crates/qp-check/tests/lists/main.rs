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

use qp_check::Rejected;
