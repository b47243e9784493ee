//! The rules of the house that a program can check, each with a message that says why.
//!
//! A check is a function from files to findings, so that it can be run on a tree that is untidy on
//! purpose: a check that has stopped finding anything fails its own test.

mod core;
mod corpus;
mod docs;
mod engines;
mod layers;
mod size;
mod source;
mod words;

use std::fmt;
use std::fs;
use std::path::Path;

pub use engines::SHARED;
pub use size::production_lines;

/// A text file, with its path from the root of the repository (`/` between the parts).
pub struct File {
    /// The path.
    pub path: String,
    /// The content.
    pub text: String,
}

/// A rule that is broken somewhere.
pub struct Finding {
    /// The file.
    pub path: String,
    /// The line, from 1; 0 if it is about the whole file.
    pub line: usize,
    /// What is wrong and why it matters.
    pub message: String,
}

impl Finding {
    fn new(path: &str, line: usize, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.message)
    }
}

/// A named rule.
pub struct Check {
    /// The name, for people.
    pub name: &'static str,
    /// Finds every place where the rule is broken.
    pub run: fn(&[File]) -> Vec<Finding>,
}

/// Every rule.
pub const CHECKS: &[Check] = &[
    Check { name: "long files", run: size::long_files },
    Check { name: "long functions", run: size::long_functions },
    Check { name: "size of the checker", run: size::checker },
    Check { name: "file names", run: words::file_names },
    Check { name: "crate edges", run: layers::edges },
    Check { name: "table in ARCHITECTURE.md", run: layers::architecture },
    Check { name: "methods of Program", run: core::program_methods },
    Check { name: "one meaning of commands", run: core::one_meaning },
    Check { name: "languages in the picture", run: core::picture },
    Check { name: "engine headings", run: engines::headings },
    Check { name: "engine imports", run: engines::imports },
    Check { name: "error pages", run: docs::error_pages },
    Check { name: "manual links", run: docs::manual_links },
    Check { name: "paths in pages", run: docs::named_paths },
    Check { name: "corpus lines", run: corpus::expectations },
    Check { name: "numbered to-dos", run: words::to_dos },
    Check { name: "forbidden macros and attributes", run: words::macros },
    Check { name: "unwrap", run: words::unwraps },
    Check { name: "glossary", run: words::glossary },
    Check { name: "input and output at the edge", run: words::input_output },
    Check { name: "threads", run: words::threads },
    Check { name: "machine paths", run: words::machine_paths },
    Check { name: "registry hosts", run: words::registry_hosts },
];

/// All findings of all checks, in the order of the checks.
pub fn run(files: &[File]) -> Vec<Finding> {
    CHECKS.iter().flat_map(|check| (check.run)(files)).collect()
}

/// What is still allowed but will not be for long: files to split soon.
pub fn warnings(files: &[File]) -> Vec<Finding> {
    size::nearly_long_files(files)
}

/// Reads every text file below `root`, sorted by path. Build output is left out, and so are the untidy
/// fixture and the lock file, which `cargo` writes.
pub fn read_tree(root: &Path) -> std::io::Result<Vec<File>> {
    const SKIPPED: [&str; 5] = ["target", ".git", ".queueproof", "Cargo.lock", "untidy"];
    let mut files = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let path = entry.path();
            if SKIPPED.iter().any(|name| entry.file_name() == *name) {
                continue;
            }
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else if let Ok(text) = String::from_utf8(fs::read(&path)?) {
                let below = path.strip_prefix(root).expect("the walk stays below the root");
                let path = below.to_string_lossy().replace('\\', "/");
                files.push(File { path, text });
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

/// The Rust files among `files`.
fn rust_files(files: &[File]) -> impl Iterator<Item = &File> {
    files.iter().filter(|file| Path::new(&file.path).extension().is_some_and(|end| end == "rs"))
}
