//! The shape of the core: how much a front end must say, where effects get their meaning, and that the picture shows
//! every language.

use super::source::{Source, imported, line_of, words};
use super::{File, Finding, rust_files};

const PROGRAM: &str = "crates/qp-machines/src/program.rs";
const METHODS_MAX: usize = 15;

/// Who may look inside of a guarded command, and why. Everybody else asks for steps over a domain of contents.
const COMMANDS: [(&str, &str); 6] = [
    ("crates/qp-machines/src/", "the meaning of commands"),
    ("crates/qp-program/src/run/", "P says its steps as commands"),
    ("crates/qp-engines/src/search/compiled/", "tables are compiled from commands"),
    ("crates/qp-engines/src/search/parts.rs", "tables are compiled from commands"),
    ("crates/queueproof/src/translate/", "commands are written out in another language"),
    ("crates/qp-testkit/", "programs that are made up"),
];

/// A front end that is asked many things is asked one thing in many ways.
pub(super) fn program_methods(files: &[File]) -> Vec<Finding> {
    let Some(file) = files.iter().find(|file| file.path == PROGRAM) else { return Vec::new() };
    let code = Source::of(file).code;
    let Some(start) = code.find("pub trait Program") else {
        return vec![Finding::new(
            PROGRAM,
            0,
            "the trait Program is gone: this check is out of date",
        )];
    };
    let end = super::source::item_end(&code, start);
    let methods = words(&code[start..end], "fn").count();
    if methods <= METHODS_MAX {
        return Vec::new();
    }
    let message = format!(
        "Program has {methods} methods; the cap is {METHODS_MAX}: what is not about steps belongs into Names, or is a \
         fact of the outline"
    );
    vec![Finding::new(PROGRAM, line_of(&code, start), message)]
}

/// What a guarded command does is said once, in `step.rs`.
pub(super) fn one_meaning(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in rust_files(files) {
        if COMMANDS.iter().any(|(place, _)| file.path.starts_with(place)) {
            continue;
        }
        let code = Source::outside_tests(files, file).code;
        for (at, name) in imported(&code, "qp_machines::") {
            if matches!(name, "Effect" | "Guard" | "Reception") {
                let message = format!(
                    "`{name}` is interpreted here: ask for steps over a domain of contents (`System::turns_over`), so \
                     that commands mean the same everywhere"
                );
                findings.push(Finding::new(&file.path, line_of(&code, at), message));
            }
        }
    }
    findings
}

/// Whoever looks at the picture must see every reader.
pub(super) fn picture(files: &[File]) -> Vec<Finding> {
    let Some(page) = files.iter().find(|file| file.path == "ARCHITECTURE.md") else {
        return Vec::new();
    };
    let section = page.text.split("## The picture").nth(1).unwrap_or_default();
    let picture = section.split("```").nth(1).unwrap_or_default();
    let mut missing: Vec<&str> = files
        .iter()
        .filter_map(|file| file.path.strip_prefix("crates/")?.split('/').next())
        .filter(|name| name.starts_with("qp-front-") && !picture.contains(name))
        .collect();
    missing.dedup();
    let message = |name| format!("the picture does not show {name}: every language is in it");
    missing.into_iter().map(|name| Finding::new(&page.path, 0, message(name))).collect()
}
