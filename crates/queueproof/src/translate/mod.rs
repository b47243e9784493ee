//! Models, written in the language of another tool.

mod demand;
mod met;
mod names;
mod net;
mod write;

use std::fmt;

use crate::Loaded;

/// A model in another language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Translation {
    /// Its text.
    pub text: String,
    /// What it does not say, or says differently.
    pub notes: Vec<String>,
}

/// Why a model cannot be translated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Untranslatable(String);

impl Untranslatable {
    fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}

impl fmt::Display for Untranslatable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Untranslatable {}

/// Writes a model in Promela, for SPIN. A step of the model is a statement; queues without a declared capacity
/// hold at most `bound` messages, from 1 to 255.
pub fn to_promela(loaded: &Loaded, bound: u32) -> Result<Translation, Untranslatable> {
    let (outline, bound) = (loaded.model.outline(), bound.clamp(1, 255));
    let net = net::net(&loaded.model, bound)?;
    let mut writer = write::Writer::new(&net, outline, bound)?;
    let demands = demand::demands(&mut writer, outline);
    Ok(writer.finish(&loaded.source.name, &demands))
}

#[cfg(test)]
mod tests;
