//! Words and names that must not occur, and where.

use super::source::{Source, imported, line_of, words};
use super::{File, Finding, rust_files};

/// Names that say nothing about what is inside.
pub(super) fn file_names(files: &[File]) -> Vec<Finding> {
    const FORBIDDEN: [&str; 6] = ["util", "utils", "helper", "helpers", "misc", "common"];
    let nameless = |file: &&File| {
        file.path.trim_end_matches(".rs").split('/').any(|part| FORBIDDEN.contains(&part))
    };
    let message = "the name says nothing: call the file after the concept in it";
    rust_files(files).filter(nameless).map(|file| Finding::new(&file.path, 0, message)).collect()
}

/// A to-do without an issue is a wish that nobody will find again.
pub(super) fn to_dos(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in rust_files(files) {
        let comments = Source::of(file).comments;
        for at in words(&comments, "TODO") {
            let rest = comments[at + 4..].strip_prefix("(#").and_then(|rest| rest.split_once(')'));
            let numbered = rest.is_some_and(|(number, _)| number.parse::<u32>().is_ok());
            if !numbered {
                let message = "a to-do needs an issue number, as in `TODO(#12)`, or it is lost";
                findings.push(Finding::new(&file.path, line_of(&comments, at), message));
            }
        }
    }
    findings
}

pub(super) fn macros(files: &[File]) -> Vec<Finding> {
    const FORBIDDEN: [(&str, &str); 4] = [
        ("#[ignore", "an ignored test asserts nothing: assert today's answer in corpus/fixme"),
        ("todo!", "unfinished code must give up with a reason, not panic"),
        ("unimplemented!", "unfinished code must give up with a reason, not panic"),
        ("dbg!", "output for debugging does not belong in the tree"),
    ];
    let rust = rust_files(files).map(|file| (file, Source::of(file).code));
    rust.flat_map(|(file, code)| forbidden(file, &code, &FORBIDDEN)).collect()
}

pub(super) fn unwraps(files: &[File]) -> Vec<Finding> {
    const FORBIDDEN: [(&str, &str); 1] =
        [(".unwrap()", "say why it cannot fail: `.expect(\"reason\")`")];
    let rust = rust_files(files).map(|file| (file, Source::outside_tests(files, file).code));
    rust.flat_map(|(file, code)| forbidden(file, &code, &FORBIDDEN)).collect()
}

/// One word per thing in everything the user may read.
pub(super) fn glossary(files: &[File]) -> Vec<Finding> {
    const FORBIDDEN: [(&str, &str); 6] = [
        ("queue state", "the glossary says `queue contents`"),
        ("unsafe", "the verdict is `violated`"),
        ("is safe", "the verdict is `proved`"),
        ("buggy", "the verdict is `violated`"),
        ("verification failed", "the verdict is `violated`"),
        ("verification passed", "the verdict is `proved`"),
    ];
    let ours = rust_files(files).filter(|file| file.path.starts_with("crates/"));
    let literals =
        ours.map(|file| (file, Source::outside_tests(files, file).literals.to_lowercase()));
    literals.flat_map(|(file, text)| forbidden(file, &text, &FORBIDDEN)).collect()
}

fn forbidden(file: &File, text: &str, list: &[(&str, &str)]) -> Vec<Finding> {
    let found =
        list.iter().flat_map(|&(needle, why)| words(text, needle).map(move |at| (at, needle, why)));
    found
        .map(|(at, needle, why)| {
            Finding::new(&file.path, line_of(text, at), format!("`{needle}`: {why}"))
        })
        .collect()
}

/// Algorithms are functions of values; only the programs at the edge touch the world.
pub(super) fn input_output(files: &[File]) -> Vec<Finding> {
    const EDGE: [&str; 4] =
        ["crates/qp-cli/", "crates/qp-cert/", "crates/qp-testkit/", "crates/qp-cluster/"];
    const WHY: &str = "only qp-cli, qp-cert, qp-testkit, xtask and the sockets of qp-cluster touch the \
                       world: pass the value in, or hand the result out";
    const PRINTING: [(&str, &str); 4] =
        [("println!", WHY), ("eprintln!", WHY), ("print!", WHY), ("eprint!", WHY)];
    let mut findings = Vec::new();
    for (file, code) in library_code(files, &EDGE) {
        findings.extend(forbidden(file, &code, &PRINTING));
        for (at, module) in imported(&code, "std::") {
            if ["fs", "env", "net", "process"].contains(&module) {
                let message = format!("`std::{module}`: {WHY}");
                findings.push(Finding::new(&file.path, line_of(&code, at), message));
            }
        }
    }
    findings
}

/// The answer must not depend on the number of threads, so few places may start them.
pub(super) fn threads(files: &[File]) -> Vec<Finding> {
    const ALLOWED: [&str; 5] = [
        "crates/queueproof/",
        "crates/qp-engines/src/search/",
        "crates/qp-cluster/src/distributed/",
        "crates/qp-check/src/anew.rs",
        "crates/qp-cli/",
    ];
    let mut findings = Vec::new();
    for (file, code) in library_code(files, &ALLOWED) {
        for (at, _) in imported(&code, "std::").iter().filter(|(_, module)| *module == "thread") {
            let message = "`std::thread`: only the portfolio and the search start threads, so \
                           that the answer depends on neither number nor speed";
            findings.push(Finding::new(&file.path, line_of(&code, *at), message));
        }
    }
    findings
}

/// The code of our crates, without tests, examples and build scripts, except that in the given folders.
fn library_code<'a>(
    files: &'a [File],
    except: &'a [&str],
) -> impl Iterator<Item = (&'a File, String)> {
    rust_files(files)
        .filter(|file| file.path.starts_with("crates/") && file.path.contains("/src/"))
        .filter(move |file| !except.iter().any(|folder| file.path.starts_with(folder)))
        .map(|file| (file, Source::outside_tests(files, file).code))
}

/// Paths that exist on one machine only. They are put together here so that this file is clean.
pub(super) fn machine_paths(files: &[File]) -> Vec<Finding> {
    let places = ["root", "work"].map(|folder| format!("/{folder}/"));
    let message = "an absolute path of one machine: nobody else has it";
    mentions(files, &places, message)
}

/// Where packages come from is the business of whoever builds.
pub(super) fn registry_hosts(files: &[File]) -> Vec<Finding> {
    let hosts = [("crates", "io"), ("pypi", "org"), ("npmjs", "org"), ("npmjs", "com")]
        .map(|(name, top)| format!("{name}.{top}"));
    let message =
        "the host of a package registry: where packages come from is for the builder to say";
    mentions(files, &hosts, message)
}

fn mentions(files: &[File], needles: &[String], message: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files {
        for (index, line) in file.text.lines().enumerate() {
            let starts = |needle: &String| {
                line.match_indices(needle.as_str()).any(|(at, _)| {
                    !line[..at].ends_with(|c: char| c.is_alphanumeric() || "._-}>".contains(c))
                })
            };
            // A host may follow a dot, a path may not follow a name.
            let host = |needle: &String| !needle.starts_with('/') && line.contains(needle.as_str());
            if needles.iter().any(|needle| starts(needle) || host(needle)) {
                findings.push(Finding::new(&file.path, index + 1, message));
            }
        }
    }
    findings
}
