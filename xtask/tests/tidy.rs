//! The repository is tidy, and the checks that say so still find faults.

use std::path::{Path, PathBuf};

use xtask::tidy::{self, CHECKS, File};

fn xtask() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_repository_is_tidy() {
    let root = xtask().parent().expect("xtask is a folder of the repository");
    let files = tidy::read_tree(root).expect("the repository can be read");
    let findings: Vec<String> = tidy::run(&files).iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "untidy:\n{}\n", findings.join("\n"));
}

/// Each check on a tree that is untidy on purpose. After a change of the rules, `QP_BLESS=1` writes the
/// expected findings anew; read the difference.
#[test]
fn every_check_finds_its_faults() {
    let files = untidy();
    let mut found: Vec<String> = Vec::new();
    for check in CHECKS {
        let findings = (check.run)(&files);
        assert!(!findings.is_empty(), "the check `{}` finds nothing any more", check.name);
        found.push(format!("# {}", check.name));
        found.extend(findings.iter().map(ToString::to_string));
    }
    let found = found.join("\n") + "\n";
    let expected_path = xtask().join("tests/untidy.expected");
    if std::env::var_os("QP_BLESS").is_some() {
        std::fs::write(&expected_path, &found).expect("the expected findings can be written");
    }
    let expected = std::fs::read_to_string(expected_path).expect("the expected findings exist");
    assert_eq!(found, expected);
}

#[test]
fn files_are_listed_before_they_are_too_long() {
    assert_eq!(tidy::warnings(&[file("crates/a/src/lib.rs", "//\n".repeat(801))]).len(), 1);
    assert_eq!(tidy::warnings(&[file("crates/a/src/lib.rs", "//\n".repeat(799))]).len(), 0);
}

/// The fixture, and files whose fault is better made than stored: great length, and the names of hosts.
fn untidy() -> Vec<File> {
    let folder: PathBuf = xtask().join("tests/untidy");
    let mut files = tidy::read_tree(&folder).expect("the fixture can be read");
    files.push(file("crates/qp-check/src/lib.rs", "use a;\n".repeat(1_001)));
    for name in ["anew", "diagram", "exchanges", "lag", "languages", "lists", "pump", "rows"] {
        files.push(file(&format!("crates/qp-check/src/{name}.rs"), "use a;\n".repeat(1_000)));
    }
    files.push(file("crates/qp-check/src/sends.rs", "use a;\n".repeat(990)));
    let body = "    step();\n".repeat(80);
    files.push(file("crates/qp-base/src/steps.rs", format!("pub fn steps() {{\n{body}}}\n")));
    let many = "    fn ask();\n".repeat(16);
    let program = format!("pub trait Program {{\n{many}}}\n");
    files.push(file("crates/qp-machines/src/program.rs", program));
    let second = "use qp_machines::{Effect, System};\n";
    files.push(file("crates/qp-report/src/meaning.rs", second.to_owned()));
    files.push(file("crates/qp-front-lost/src/lib.rs", "//! Lost.\n".to_owned()));
    files.push(file("README.md", format!("See https://{}.{}/queueproof.\n", "crates", "io")));
    files
}

fn file(path: &str, text: String) -> File {
    File { path: path.to_owned(), text }
}
