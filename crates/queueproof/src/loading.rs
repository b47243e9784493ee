//! From bytes to a model.

use qp_base::{Diagnostic, Source};
use qp_claim::model_hash;
use qp_machines::Model;

/// A model with its text.
#[derive(Clone)]
pub struct Loaded {
    /// The model.
    pub model: Model,
    /// Its text, for places and underlining.
    pub source: Source,
    /// What the reader noticed without refusing the model.
    pub warnings: Vec<Diagnostic>,
    pub(crate) hash: String,
}

impl Loaded {
    /// A model that was made from this text by a reader of one's own.
    pub fn new(model: Model, source: Source) -> Self {
        let hash = model_hash(&source.text);
        Self { model, source, warnings: Vec::new(), hash }
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

/// Reads a model. The reader is chosen by the ending of `name`.
pub fn load(name: &str, bytes: &[u8]) -> Result<Loaded, Refused> {
    let (model, diagnostics) = qp_load::load_bytes(name, bytes);
    let text = qp_load::text_of(bytes).into_owned();
    let source = Source { name: name.to_owned(), text };
    match model {
        Some(model) => Ok(Loaded { warnings: diagnostics, ..Loaded::new(model, source) }),
        None => Err(Refused { source, diagnostics }),
    }
}
