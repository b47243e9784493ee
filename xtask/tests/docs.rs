//! The pages made from the code are up to date.

use std::path::Path;

use xtask::docs::{ENGINES_PAGE, engines_page};
use xtask::tidy;

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
