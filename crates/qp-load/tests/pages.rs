//! Every kind of message has a page in `docs/errors/`, the example on the page shows it, and the examples of
//! the manual are right.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use qp_base::{Code, Diagnostic};
use qp_load::{Disk, File, Switches};

/// That there is more: it never comes alone.
const MANY: Code = Code(209);

fn pages() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/errors")
}

fn codes() -> impl Iterator<Item = Code> {
    let cfsm = qp_front_cfsm::CODES.iter().chain(qp_load::CODES);
    cfsm.chain(qp_front_p::CODES).chain(qp_promela::CODES).copied()
}

/// The first block with a language on the page.
fn example(page: &str) -> Option<(&str, &str)> {
    let (_, rest) = page.split_once("\n```")?;
    let (language, rest) = rest.split_once('\n')?;
    Some((language, rest.split_once("\n```")?.0))
}

fn said_about(language: &str, example: &str) -> Vec<Diagnostic> {
    let from_hex =
        |byte: &str| u8::from_str_radix(byte, 16).expect("the example is in hexadecimal");
    match language {
        "bytes" => {
            let bytes: Vec<u8> = example.split_whitespace().map(from_hex).collect();
            qp_load::load_bytes("example.cfsm", &bytes).1
        }
        "name" => qp_load::load(example, "").1,
        "invariants" => qp_load::invariants("example", example).2,
        "project" => {
            let said = qp_load::remarks(&Alone(example), Path::new("example.pproj"));
            said.into_iter().map(|(_, remark)| remark).collect()
        }
        "xml" => qp_front_p::project(example).err().into_iter().collect(),
        _ => said_about_model(language, example),
    }
}

/// A file with nothing beside it.
struct Alone<'a>(&'a str);

impl Disk for Alone<'_> {
    fn read(&self, path: &Path) -> Result<Vec<u8>, String> {
        let is_it = path == Path::new("example.pproj");
        is_it.then(|| self.0.as_bytes().to_vec()).ok_or_else(|| "not there".to_owned())
    }
    fn list(&self, _: &Path) -> Result<Vec<PathBuf>, String> {
        Ok(Vec::new())
    }
    fn is_folder(&self, _: &Path) -> bool {
        false
    }
}

/// What is said about a model. Switches stand behind the language: `p test=T dialect=current`.
fn said_about_model(language: &str, example: &str) -> Vec<Diagnostic> {
    let name = format!("example.{}", language.split(' ').next().unwrap_or_default());
    let switches: Vec<(String, String)> = language
        .split(' ')
        .filter_map(|word| word.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let switches = Switches::from_pairs(&switches).expect("the page names switches that exist");
    let file = File { name: name.clone(), bytes: example.as_bytes().to_vec() };
    qp_load::load_files(&name, &[file], &switches).diagnostics
}

#[test]
fn every_code_has_a_page_whose_example_shows_it() {
    let mut wrong = Vec::new();
    for code in codes() {
        let path = pages().join(format!("{code}.md"));
        let page = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{code}: {e}"));
        assert!(page.starts_with(&format!("# {code}: ")), "{code}: the title names the code");
        for heading in ["\n## Example\n", "\n## How to fix it\n"] {
            assert!(page.contains(heading), "{code}: {heading:?} is missing");
        }
        let (language, text) = example(&page).unwrap_or_else(|| panic!("{code}: no example"));
        let said = said_about(language, text);
        // A program that has other faults too would leave the reader wondering which one is meant.
        let is_p = language.split(' ').next() == Some("p") && code != MANY;
        let is_alone = is_p || qp_load::CODES.contains(&code);
        let others = is_alone && said.iter().any(|d| d.code != code);
        if others || !said.iter().any(|d| d.code == code) {
            let said: Vec<_> = said.iter().map(|d| (d.code, &d.message)).collect();
            wrong.push(format!("{code}: the example gives {said:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn codes_are_different_and_every_page_has_one() {
    let names: BTreeSet<String> = codes().map(|code| code.to_string()).collect();
    assert_eq!(names.len(), codes().count(), "two messages share a code");
    for entry in std::fs::read_dir(pages()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let code = name.trim_end_matches(".md").to_owned();
        // Pages of other parts of the project are checked where their codes are.
        if code.starts_with("QP01") || code.starts_with("QP02") {
            assert!(names.contains(&code), "{name} is about a code that does not exist");
        }
    }
}

/// The examples of the manual are read without any message.
#[test]
fn the_examples_of_the_manual_are_right() {
    let manual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/manual");
    for (page, language) in [
        ("cfsm.md", "text"),
        ("formats.md", "scm"),
        ("formats.md", "fsa"),
        ("invariants.md", "cfsm"),
        ("invariants.md", "invariants"),
    ] {
        let text = std::fs::read_to_string(manual.join(page)).unwrap();
        let opens = [format!("\n```{language}\n"), format!("\n```{language} file=")];
        let start = opens.iter().find_map(|open| text.find(open)).unwrap();
        let (_, text) = example(&text[start..]).unwrap();
        let language = if language == "text" { "cfsm" } else { language };
        let said = said_about(language, text);
        assert_eq!(said, [], "{page}");
    }
}

/// The two columns of the table of formulas say the same, and no form is refused.
#[test]
fn the_table_of_formulas_is_right() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/manual/invariants.md");
    let text = std::fs::read_to_string(page).unwrap().replace("\\|", "or");
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    assert_eq!(rows.len(), 15);
    for row in rows {
        let formulas = |cell: &str| -> Vec<String> {
            let formula = |text: &str| qp_load::invariant(&format!("A: {text}")).unwrap().formula;
            cell.split('`').skip(1).step_by(2).map(|text| formula(text).to_string()).collect()
        };
        let (form, words) = (formulas(row[1]), formulas(row[2]));
        assert!(!form.is_empty(), "{row:?}");
        assert!(words.is_empty() || form == words, "{row:?}");
    }
}
