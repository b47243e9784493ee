//! Which crate may depend on which. ARCHITECTURE.md shows the same table to people.

use super::{File, Finding};

/// A crate and what it may depend on.
struct Row {
    name: &'static str,
    allowed: &'static [&'static str],
}

/// Stands for all crates, in the row of the test kit.
const EVERYTHING: &str = "everything";

const TABLE: &[Row] = &[
    Row { name: "qp-prefetch", allowed: &[] },
    Row { name: "qp-base", allowed: &[] },
    Row { name: "qp-automata", allowed: &["qp-base"] },
    Row { name: "qp-dataflow", allowed: &[] },
    Row { name: "qp-lp", allowed: &["qp-base"] },
    Row { name: "qp-diagrams", allowed: &["qp-base"] },
    Row { name: "qp-charts", allowed: &["qp-base", "qp-dataflow"] },
    Row { name: "qp-machines", allowed: &["qp-base", "qp-automata"] },
    Row { name: "qp-program", allowed: &["qp-base", "qp-dataflow", "qp-machines"] },
    Row { name: "qp-front-p", allowed: &["qp-base", "qp-machines", "qp-program"] },
    Row { name: "qp-front-promela", allowed: &["qp-base"] },
    Row {
        name: "qp-promela",
        allowed: &["qp-base", "qp-automata", "qp-dataflow", "qp-machines", "qp-front-promela"],
    },
    Row { name: "qp-front-cfsm", allowed: &["qp-base", "qp-automata", "qp-machines"] },
    Row {
        name: "qp-load",
        allowed: &[
            "qp-base",
            "qp-machines",
            "qp-program",
            "qp-promela",
            "qp-front-cfsm",
            "qp-front-p",
            "qp-front-promela",
        ],
    },
    Row { name: "qp-claim", allowed: &["qp-base", "qp-automata", "qp-machines"] },
    Row {
        name: "qp-engines",
        allowed: &[
            "qp-prefetch",
            "qp-base",
            "qp-automata",
            "qp-lp",
            "qp-diagrams",
            "qp-charts",
            "qp-machines",
            "qp-claim",
        ],
    },
    Row { name: "qp-cluster", allowed: &["qp-base", "qp-machines", "qp-claim", "qp-engines"] },
    Row { name: "qp-check", allowed: &["qp-base", "qp-automata", "qp-machines", "qp-claim"] },
    Row {
        name: "queueproof",
        allowed: &[
            "qp-base",
            "qp-charts",
            "qp-machines",
            "qp-load",
            "qp-claim",
            "qp-engines",
            "qp-cluster",
            "qp-check",
        ],
    },
    Row {
        name: "qp-report",
        allowed: &["qp-base", "qp-machines", "qp-claim", "qp-check", "queueproof"],
    },
    Row { name: "qp-cli", allowed: &["qp-base", "queueproof", "qp-report"] },
    Row {
        name: "qp-cert",
        allowed: &["qp-base", "qp-machines", "qp-load", "qp-claim", "qp-check"],
    },
    Row { name: "qp-testkit", allowed: &[EVERYTHING] },
    Row { name: "xtask", allowed: &[] },
];

/// Compares the manifests with the table. Only tests may use more than it allows.
pub(super) fn edges(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files {
        let Some(name) = crate_of_manifest(&file.path) else { continue };
        let Some(row) = TABLE.iter().find(|row| row.name == name) else {
            let message = format!("crate {name} is not in the table of xtask/src/tidy/layers.rs");
            findings.push(Finding::new(&file.path, 0, message));
            continue;
        };
        for (line, section, dependency) in dependencies(&file.text) {
            let dev = section == "dev-dependencies" && name != "xtask";
            let ours = TABLE.iter().any(|row| row.name == dependency);
            if ours && !dev && !row.allows(dependency) {
                let message = format!(
                    "{name} may not depend on {dependency}: the table of ARCHITECTURE.md is what keeps \
                     the checker apart from the engines and the layers apart from each other"
                );
                findings.push(Finding::new(&file.path, line, message));
            }
        }
    }
    findings
}

impl Row {
    fn allows(&self, dependency: &str) -> bool {
        self.allowed.iter().any(|allowed| *allowed == dependency || *allowed == EVERYTHING)
    }
}

fn crate_of_manifest(path: &str) -> Option<&str> {
    let folder = path.strip_suffix("/Cargo.toml")?;
    let name = folder.strip_prefix("crates/").unwrap_or(folder);
    (name == "xtask" || folder.starts_with("crates/")).then_some(name)
}

/// Line, section and name of each dependency in a manifest, in both spellings: `name = ...` in a section
/// and a section of its own, `[dependencies.name]`.
fn dependencies(manifest: &str) -> Vec<(usize, &str, &str)> {
    let mut found = Vec::new();
    let mut section = "";
    for (index, line) in manifest.lines().enumerate() {
        let line = line.trim();
        if let Some(header) = line.strip_prefix('[') {
            section = header.trim_end_matches(']');
            if let Some((parent, name)) = section.rsplit_once("dependencies.") {
                let kind =
                    if parent.ends_with("dev-") { "dev-dependencies" } else { "dependencies" };
                found.push((index + 1, kind, name));
            }
        } else if section.ends_with("dependencies") && !line.starts_with('#') {
            let dev = section.ends_with("dev-dependencies");
            let name = line.split(['.', '=', ' ']).next().unwrap_or_default();
            let kind = if dev { "dev-dependencies" } else { "dependencies" };
            found.push((index + 1, kind, name));
        }
    }
    found
}

/// Compares the table in ARCHITECTURE.md, if the file exists, with the one here.
pub(super) fn architecture(files: &[File]) -> Vec<Finding> {
    let Some(file) = files.iter().find(|file| file.path == "ARCHITECTURE.md") else {
        return vec![];
    };
    let rows = markdown_rows(&file.text);
    let mut findings = Vec::new();
    for (line, name, allowed) in &rows {
        let same = TABLE.iter().any(|row| row.name == *name && row.agrees_with(allowed));
        if !same {
            let message = format!("the row of {name} differs from xtask/src/tidy/layers.rs");
            findings.push(Finding::new(&file.path, *line, message));
        }
    }
    let missing = TABLE.iter().filter(|row| !rows.iter().any(|(_, name, _)| *name == row.name));
    let missing: Vec<&str> = missing.map(|row| row.name).collect();
    if !missing.is_empty() {
        let message = format!(
            "the table | crate | may depend on | has no row for {}: people and tidy must read the same \
             table",
            missing.join(", ")
        );
        findings.push(Finding::new(&file.path, 0, message));
    }
    findings
}

impl Row {
    /// Whether a cell of the table says the same, in any order. Words that name no crate are remarks.
    fn agrees_with(&self, cell: &str) -> bool {
        let mut named: Vec<&str> = cell
            .split(|c: char| !c.is_alphanumeric() && c != '-')
            .filter(|word| *word == EVERYTHING || TABLE.iter().any(|row| row.name == *word))
            .collect();
        let mut allowed = self.allowed.to_vec();
        named.sort_unstable();
        allowed.sort_unstable();
        named == allowed
    }
}

/// Line, first and second cell of each row of the table that starts with `| crate | may depend on`.
fn markdown_rows(text: &str) -> Vec<(usize, String, String)> {
    let lines = text.lines().enumerate().skip_while(|(_, line)| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        !(cells.len() > 2 && cells[1] == "crate" && cells[2].starts_with("may depend on"))
    });
    lines
        .skip(2)
        .take_while(|(_, line)| line.starts_with('|'))
        .filter_map(|(index, line)| {
            let mut cells = line.split('|').skip(1);
            let name = cells.next()?.trim().trim_matches('`');
            Some((index + 1, name.to_owned(), cells.next()?.trim().to_owned()))
        })
        .collect()
}
