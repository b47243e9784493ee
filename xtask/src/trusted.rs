//! What has to be trusted for a certificate: the code that is linked into the checker, by kind and by language.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::tidy::{File, production_lines};

/// The page that quotes the table.
pub const PAGE: &str = "docs/manual/soundness.md";

const BEGIN: &str = "<!-- made by `cargo xtask docs` -->\n";
const END: &str = "<!-- end -->\n";

const REFEREE: &str = "crates/qp-check/src/";

/// Kinds of certificates, and the module of the referee that checks each. A trace is no certificate, but is checked there,
/// too.
const KINDS: [(&str, &[&str]); 17] = [
    ("`search`", &["anew"]),
    ("`closed`", &["rows"]),
    ("`lists`", &["lists"]),
    ("`ranked`", &["ranked", "rows"]),
    ("`reduced`", &["reduced"]),
    ("`sorted`", &["sorted"]),
    ("`ranked_sorted`", &["sorted", "ranked"]),
    ("`regular`", &["languages"]),
    ("`ranked_regular`", &["ranked", "languages"]),
    ("`diagram`", &["diagram"]),
    ("`exchange`", &["exchanges"]),
    ("`core`", &["cofinal"]),
    ("`lag`", &["lag"]),
    ("`rank`", &["lag", "strategy"]),
    ("`flow`", &["flow"]),
    ("`sends`", &["sends"]),
    ("a trace", &["ends", "lasso", "pump", "replay", "sends"]),
];

/// Languages, and the crates that read and run models.
const LANGUAGES: [(&str, &[&str]); 3] = [
    ("automata (`.cfsm` and others)", &["qp-front-cfsm"]),
    ("P", &["qp-front-p"]),
    ("Promela", &["qp-promela"]),
];

/// What `queueproof-cert` links whatever is checked.
const ALWAYS: [&str; 4] = ["qp-cert", "qp-claim", "qp-machines", "qp-load"];

/// Both tables. Figures are rounded up to the next hundred, so that they stay true for a while.
pub fn tables(files: &[File]) -> String {
    let mut text =
        String::from("| certificate | modules of `qp-check` | lines |\n| --- | --- | --- |\n");
    for (kind, modules) in KINDS {
        let needed = closure(modules.iter().copied(), |module| imports(files, module));
        let lines = needed.iter().map(|module| module_lines(files, module)).sum::<usize>();
        let _ = writeln!(text, "| {kind} | {} | {} |", named(&needed), rounded(lines));
    }
    text.push_str("\n| language | crates besides `qp-check` | lines |\n| --- | --- | --- |\n");
    for (language, crates) in LANGUAGES {
        let of =
            |name: &str| if name == "qp-load" { Vec::new() } else { dependencies(files, name) };
        let needed = closure(ALWAYS.into_iter().chain(crates.iter().copied()), of);
        let lines =
            needed.iter().map(|name| lines_below(files, &format!("crates/{name}/src/"))).sum();
        let _ = writeln!(text, "| {language} | {} | {} |", named(&needed), rounded(lines));
    }
    text
}

/// The page with these tables between its marks.
pub fn page(files: &[File]) -> Option<String> {
    let old = &files.iter().find(|file| file.path == PAGE)?.text;
    let (before, rest) = old.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n{}\n{END}{after}", tables(files)))
}

/// Everything that is needed by what is needed.
fn closure<T: Into<String>>(
    first: impl Iterator<Item = T>,
    next: impl Fn(&str) -> Vec<String>,
) -> BTreeSet<String> {
    let mut todo: Vec<String> = first.map(Into::into).collect();
    let mut found = BTreeSet::new();
    while let Some(name) = todo.pop() {
        if !found.contains(&name) {
            todo.extend(next(&name));
            found.insert(name);
        }
    }
    found
}

/// The files of a module of the referee; its root and what a property asks belong to every one.
fn module_files<'a>(files: &'a [File], module: &str) -> impl Iterator<Item = &'a File> {
    let (file, folder) = (format!("{REFEREE}{module}.rs"), format!("{REFEREE}{module}/"));
    files.iter().filter(move |it| it.path == file || it.path.starts_with(&folder))
}

fn module_lines(files: &[File], module: &str) -> usize {
    module_files(files, module).map(|file| production_lines(files, file).0).sum()
}

/// The modules of the referee that a module names; all use the root.
fn imports(files: &[File], module: &str) -> Vec<String> {
    let mut found: Vec<String> = vec!["lib".to_owned()];
    if module == "lib" {
        // It names all of them, and a certificate needs one. What a property asks comes first.
        return vec!["invariant".to_owned()];
    }
    for file in module_files(files, module) {
        for line in file.text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            for rest in line.split("crate::").skip(1) {
                let names = rest.trim_start_matches('{').split([',', ' ', '}', ';']);
                let names = names.map(|name| name.split("::").next().unwrap_or(name));
                let is_module = |name: &&str| module_files(files, name).next().is_some();
                found.extend(names.filter(is_module).map(str::to_owned));
            }
        }
    }
    found
}

/// Crates of ours that a manifest names, tests apart.
fn dependencies(files: &[File], name: &str) -> Vec<String> {
    let path = format!("crates/{name}/Cargo.toml");
    let Some(file) = files.iter().find(|file| file.path == path) else { return Vec::new() };
    let lines = file.text.lines().skip_while(|line| *line != "[dependencies]").skip(1);
    let own = lines.take_while(|line| !line.starts_with('['));
    let names = own.filter_map(|line| line.split(['.', ' ']).next());
    names.filter(|name| name.starts_with("qp-") && *name != "qp-check").map(str::to_owned).collect()
}

fn lines_below(files: &[File], folder: &str) -> usize {
    let own = files.iter().filter(|file| file.path.starts_with(folder));
    own.map(|file| production_lines(files, file).0).sum()
}

fn named(names: &BTreeSet<String>) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

fn rounded(lines: usize) -> String {
    let lines = lines.next_multiple_of(100);
    let (thousands, rest) = (lines / 1000, lines % 1000);
    if thousands == 0 { rest.to_string() } else { format!("{thousands},{rest:03}") }
}
