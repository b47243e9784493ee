//! Pages of the manual that are made from the code.

use std::fmt::Write;

use crate::tidy::{File, SHARED};

/// The page that [`engines_page`] makes.
pub const ENGINES_PAGE: &str = "docs/manual/engines.md";

const FOLDER: &str = "crates/qp-engines/src/";

const OPENING: &str = "\
# Engines

Each engine is one method. It answers some questions about some systems, and says *unknown* with a reason
about the rest. Whatever it claims is checked again by other code before it becomes a verdict
([soundness](soundness.md)).

`queueproof engines` lists them. Unless `--engine NAME` picks some, each is asked what those before it leave open
([turns](limits.md)).

This page is made from the module documentation of the engines by `cargo xtask docs`. Do not edit it.
";

/// The page about the engines, from the documentation at the top of each engine's `mod.rs`.
pub fn engines_page(files: &[File]) -> String {
    let mut page = OPENING.to_owned();
    for name in engines(files) {
        let path = format!("{FOLDER}{name}/mod.rs");
        let Some(file) = files.iter().find(|file| file.path == path) else { continue };
        let _ = write!(page, "\n## {name}\n\n{}", module_documentation(&file.text));
    }
    page
}

/// The engines in the order of the `mod` lines, which is the order in which to read them.
fn engines(files: &[File]) -> Vec<&str> {
    let Some(root) = files.iter().find(|file| file.path == format!("{FOLDER}lib.rs")) else {
        return Vec::new();
    };
    root.text
        .lines()
        .filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';'))
        .filter(|name| *name != SHARED)
        .collect()
}

/// The lines after `//!` at the top of a file, with headings two levels deeper.
fn module_documentation(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix("//!"));
    let mut out = String::new();
    for line in lines {
        let line = line.strip_prefix(' ').unwrap_or(line);
        if let Some(heading) = line.strip_prefix("# ") {
            let _ = writeln!(out, "### {heading}\n");
        } else {
            let _ = writeln!(out, "{line}");
        }
    }
    out
}
