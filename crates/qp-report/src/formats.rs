//! Reports for other programs: what became of some models, in each of the forms that tools read.
//!
//! A format is a file of this folder and a line of [`FORMATS`]. Commands do not know formats: they hand over what they
//! have and get a text.

mod findings;
mod github;
mod junit;
mod markdown;
mod sarif;

use crate::json::{self, Item};

/// A form of reports.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// What it is called on the command line.
    pub name: &'static str,
    /// What it is for.
    pub summary: &'static str,
    /// The endings of files that have it.
    pub endings: &'static [&'static str],
    write: fn(&[Item]) -> String,
}

/// All of them.
pub const FORMATS: [Format; 5] = [
    Format {
        name: "json",
        summary: "everything, for scripts",
        endings: &["json"],
        write: json::items,
    },
    Format {
        name: "sarif",
        summary: "findings with their runs, for code scanning and editors",
        endings: &["sarif"],
        write: sarif::written,
    },
    Format {
        name: "junit",
        summary: "a test for each property, for CI servers",
        endings: &["xml"],
        write: junit::written,
    },
    Format {
        name: "github",
        summary: "annotations of a GitHub workflow",
        endings: &[],
        write: github::written,
    },
    Format {
        name: "markdown",
        summary: "a summary for a pull request",
        endings: &["md"],
        write: markdown::written,
    },
];

impl Format {
    /// The format of this name.
    pub fn named(name: &str) -> Option<Self> {
        FORMATS.into_iter().find(|format| format.name == name)
    }

    /// The format of files with this ending.
    pub fn of_ending(ending: &str) -> Option<Self> {
        FORMATS.into_iter().find(|format| format.endings.contains(&ending))
    }

    /// What became of some models.
    pub fn written(self, items: &[Item]) -> String {
        (self.write)(items)
    }
}

#[cfg(test)]
mod tests;
