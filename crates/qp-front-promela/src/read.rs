//! From texts to a [`Spec`].

use qp_base::{Diagnostic, Source};

use crate::parser::parse;
use crate::pre::preprocess;
use crate::report::Report;
use crate::resolve::resolve;
use crate::spec::Spec;

/// How to read a model.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Macros that are defined before the first line, each with what it stands for. A name may have
    /// parameters: `max(a,b)`. What `-D N` defines stands for `1`.
    pub defines: Vec<(String, String)>,
}

/// Files that a model may include.
pub trait Includes {
    /// The file that is called `name` in an `#include` of the file `from`; `None` if it cannot be read.
    fn open(&self, from: &str, name: &str) -> Option<Included>;
}

/// An included file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Included {
    /// The name under which the user knows it. Files that it includes are asked for with this name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// For models that consist of one file.
#[derive(Clone, Copy, Debug)]
pub struct NoFiles;

impl Includes for NoFiles {
    fn open(&self, _: &str, _: &str) -> Option<Included> {
        None
    }
}

/// What was read.
#[derive(Debug)]
pub struct Reading {
    /// The model; there is one exactly if no diagnostic is an error.
    pub spec: Option<Spec>,
    /// The main file and all that it includes. Places refer to it.
    pub source: Source,
    /// What is wrong with the model, in the order of its text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the model whose main file has this name and text.
pub fn read(name: &str, text: &str, files: &dyn Includes, options: &Options) -> Reading {
    let mut report = Report::new();
    let preprocessed = preprocess(name, text, files, options, &mut report);
    let source = Source::joined(name, &preprocessed.parts);
    let end = source.text.len().min(text.len()) as u32;
    let parsed = parse(preprocessed.tokens, preprocessed.expansions, end, &mut report);
    let spec = resolve(parsed, source.clone(), &mut report);
    let spec = (!report.has_errors()).then_some(spec);
    Reading { spec, source, diagnostics: report.finish() }
}
