//! Every kind of message has a page in `docs/errors/`, and the example on the page shows it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use qp_base::Code;
use qp_front_promela::{CODES, NoFiles, Options, read};

/// That there is more: it never comes alone.
const MORE: Code = Code(306);
/// That the command line is overruled: its page says by what.
const OVERRULED: Code = Code(346);

fn pages() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/errors")
}

/// The first block with Promela on the page.
fn example(page: &str) -> Option<&str> {
    let (_, rest) = page.split_once("\n```promela\n")?;
    Some(rest.split_once("\n```")?.0)
}

#[test]
fn every_code_has_a_page_whose_example_shows_it() {
    let mut wrong = Vec::new();
    for &code in CODES {
        let path = pages().join(format!("{code}.md"));
        let page = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{code}: {e}"));
        assert!(page.starts_with(&format!("# {code}: ")), "{code}: the title names the code");
        for heading in ["\n## Example\n", "\n## How to fix it\n"] {
            assert!(page.contains(heading), "{code}: {heading:?} is missing");
        }
        let text = example(&page).unwrap_or_else(|| panic!("{code}: no example"));
        let defines = (code == OVERRULED).then(|| ("N".to_owned(), "7".to_owned()));
        let options = Options { defines: defines.into_iter().collect() };
        let said = read("example.pml", text, &NoFiles, &options).diagnostics;
        // A model that has other faults too would leave the reader wondering which one is meant.
        let others = code != MORE && said.iter().any(|d| d.code != code);
        if others || !said.iter().any(|d| d.code == code) {
            let said: Vec<_> = said.iter().map(|d| (d.code, &d.message)).collect();
            wrong.push(format!("{code}: the example gives {said:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn codes_are_different_and_every_page_has_one() {
    let names: BTreeSet<String> = CODES.iter().map(Code::to_string).collect();
    assert_eq!(names.len(), CODES.len(), "two messages share a code");
    for entry in std::fs::read_dir(pages()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let code = name.trim_end_matches(".md").to_owned();
        // Those from QP0340 on are about running, and checked with the loader.
        if code.starts_with("QP03") && code.as_str() < "QP0340" {
            assert!(names.contains(&code), "{name} is about a code that does not exist");
        }
    }
}
