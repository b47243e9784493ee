//! The pages made from the code are up to date.

use std::path::Path;

use xtask::docs::{ENGINES_PAGE, engines_page};
use xtask::{tidy, trusted};

#[test]
fn the_page_about_engines_is_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder");
    let files = tidy::read_tree(root).expect("the repository can be read");
    let page = engines_page(&files);
    let engines = files.iter().filter(|file| {
        let name = file.path.strip_prefix("crates/qp-engines/src/");
        name.and_then(|name| name.strip_suffix("/mod.rs"))
            .is_some_and(|name| !name.contains('/') && name != tidy::SHARED)
    });
    for engine in engines {
        let name = engine.path.rsplit('/').nth(1).expect("the file is in a folder");
        assert!(page.contains(&format!("\n## {name}\n")), "{name} is not declared in lib.rs");
    }
    let stored = files.iter().find(|file| file.path == ENGINES_PAGE);
    let stored = stored.map_or("", |file| file.text.as_str());
    assert!(stored == page, "{ENGINES_PAGE} is old: run `cargo xtask docs`");
}

#[test]
fn what_has_to_be_trusted_is_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder");
    let files = tidy::read_tree(root).expect("the repository can be read");
    let page = trusted::page(&files).expect("the page has a place for the tables");
    let stored = files.iter().find(|file| file.path == trusted::PAGE);
    let stored = stored.map_or("", |file| file.text.as_str());
    assert!(stored == page, "{} is old: run `cargo xtask docs`", trusted::PAGE);
    // Each kind needs a part of the referee of its own, and no engine is linked for any language.
    let tables = trusted::tables(&files);
    assert!(tables.contains("| `closed` | ") && tables.contains("`rows`"), "{tables}");
    assert!(!tables.contains("qp-engines"), "{tables}");
}

#[test]
fn what_is_imported_has_to_be_trusted() {
    let file = |path: &str, text: &str| tidy::File { path: path.to_owned(), text: text.to_owned() };
    let code = "fn f() {}\n".repeat(150);
    let files = [
        file("crates/qp-check/src/rows.rs", "use crate::{Checked, forever};\nfn f() {}\n"),
        file("crates/qp-check/src/forever.rs", &code),
        file("crates/qp-check/src/forever/walk.rs", "use crate::tables::Tables;\n"),
        file("crates/qp-check/src/tables.rs", &code),
        file("crates/qp-check/src/flow.rs", &code),
    ];
    let tables = trusted::tables(&files);
    let row = tables.lines().find(|line| line.starts_with("| `closed`")).expect("there is a row");
    let wanted = "| `closed` | `forever`, `invariant`, `lib`, `rows`, `tables` | 400 |";
    assert_eq!(row, wanted);
}
