//! How much code there is: what ships, and what tests it.

use crate::tidy::{File, production_lines};

/// Lines of code of one crate.
#[derive(Clone, Copy, Default)]
struct Count {
    production: usize,
    tests: usize,
}

/// A table of lines of code by crate, blank lines and comments left out.
pub fn table(files: &[File]) -> String {
    use std::fmt::Write as _;
    let mut crates: std::collections::BTreeMap<&str, Count> = std::collections::BTreeMap::new();
    for file in files
        .iter()
        .filter(|file| std::path::Path::new(&file.path).extension().is_some_and(|it| it == "rs"))
    {
        let name = file.path.strip_prefix("crates/").unwrap_or(&file.path);
        let name = name.split('/').next().unwrap_or(name);
        let (production, all) = production_lines(files, file);
        // The testkit is a crate of tests.
        let production = if name == "qp-testkit" { 0 } else { production };
        let count = crates.entry(name).or_default();
        count.production += production;
        count.tests += all - production;
    }
    let mut text = format!("{:<20} {:>10} {:>8}\n", "crate", "production", "tests");
    let mut sum = Count::default();
    for (name, count) in &crates {
        let _ = writeln!(text, "{name:<20} {:>10} {:>8}", count.production, count.tests);
        sum.production += count.production;
        sum.tests += count.tests;
    }
    let _ = writeln!(text, "{:<20} {:>10} {:>8}", "all", sum.production, sum.tests);
    text
}
