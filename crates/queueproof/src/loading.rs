//! From bytes to a model.

use qp_base::{Diagnostic, Source};
use qp_claim::model_hash;
use qp_engines::Stated;
use qp_load::{Fact, File, Invariant, Reading, Switches};
use qp_machines::{Capacity, Model, QueueKind};

/// A model with its text.
#[derive(Clone)]
pub struct Loaded {
    /// The model.
    pub model: Model,
    /// Its text, for places and underlining.
    pub source: Source,
    /// What the reader noticed without refusing the model.
    pub warnings: Vec<Diagnostic>,
    /// How the text was understood, where there is a choice.
    pub facts: Vec<Fact>,
    /// What limits the meaning of verdicts about the model.
    pub caveats: Vec<String>,
    /// What the text says about queues.
    pub invariants: Vec<Stated>,
    /// The switches that lead to this model again.
    pub switches: Switches,
    pub(crate) hash: String,
}

impl Loaded {
    /// A model that was made from this text by a reader of one's own.
    pub fn new(model: Model, source: Source) -> Self {
        let hash = model_hash(&source.text);
        let (warnings, facts, caveats) = (Vec::new(), Vec::new(), Vec::new());
        let (invariants, switches) = (Vec::new(), Switches::default());
        Self { model, source, warnings, facts, caveats, invariants, switches, hash }
    }

    /// The greatest number of messages that any queue with a declared capacity can hold; 0 if there is none.
    pub fn capacity_max(&self) -> u32 {
        let room = |kind: &QueueKind| match kind.capacity {
            Capacity::Messages(n) => n,
            Capacity::Unbounded | Capacity::Rendezvous => 0,
        };
        self.model.outline().kinds.iter().map(room).max().unwrap_or(0)
    }
}

/// A text that is not a model.
#[derive(Debug)]
pub struct Refused {
    /// The text, for underlining.
    pub source: Source,
    /// What is wrong with it; at least one error.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a model of one file. The reader is chosen by the ending of `name`.
pub fn load(name: &str, bytes: &[u8]) -> Result<Loaded, Refused> {
    let file = File { name: name.to_owned(), bytes: bytes.to_vec() };
    load_files(name, &[file], &Switches::default())
}

/// Reads a model that the user knows as `name` and that consists of these files.
pub fn load_files(name: &str, files: &[File], switches: &Switches) -> Result<Loaded, Refused> {
    let reading = qp_load::load_files(name, files, switches);
    let Reading { model, source, diagnostics, facts, caveats, invariants, switches, .. } = reading;
    match model {
        Some(model) => {
            let loaded = Loaded::new(model, source);
            let invariants = invariants.into_iter().map(stated).collect();
            Ok(Loaded { warnings: diagnostics, facts, caveats, invariants, switches, ..loaded })
        }
        None => Err(Refused { source, diagnostics }),
    }
}

/// Reads what somebody says about queues on a command line: `NAME: FORMULA`.
pub fn read_invariant(text: &str) -> Result<Stated, Refused> {
    let wrong =
        |wrong| Refused { source: Source::new("--invariant", text), diagnostics: vec![wrong] };
    qp_load::invariant(text).map(stated).map_err(wrong)
}

/// Reads a file of what somebody says about queues, one `NAME: FORMULA` in a line.
pub fn read_invariants(name: &str, text: &str) -> Result<Vec<Stated>, Refused> {
    let (found, source, diagnostics) = qp_load::invariants(name, text);
    if diagnostics.is_empty() {
        Ok(found.into_iter().map(stated).collect())
    } else {
        Err(Refused { source, diagnostics })
    }
}

fn stated(Invariant { about, formula, .. }: Invariant) -> Stated {
    Stated { about, formula }
}

/// The test cases of a model, whether it is refused or not. Models without a choice have none.
pub fn tests(name: &str, files: &[File], switches: &Switches) -> Vec<String> {
    qp_load::load_files(name, files, switches).tests
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invariants_of_the_text_are_stated() {
        let text = b"//@ invariant A: at most 1 m\nmachine A { init S: send A m | recv m }";
        let loaded = load("a.cfsm", text).expect("it is a model");
        let stated: Vec<String> =
            loaded.invariants.iter().map(|it| format!("{}: {}", it.about, it.formula)).collect();
        assert_eq!(stated, ["A: #m <= 1"]);
    }
}
