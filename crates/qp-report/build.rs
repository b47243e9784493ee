//! Collects the pages of `docs/errors/` into one table.
//!
//! The pages are written by whoever adds a code, so nobody should have to register them twice.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    let folder = root.join("../../docs/errors");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut table = String::from("&[\n");
    for (code, path) in pages(&folder)? {
        println!("cargo::rerun-if-changed={}", path.display());
        let path = path.display().to_string();
        writeln!(table, "    ({code:?}, include_str!({path:?})),").map_err(io::Error::other)?;
    }
    table.push_str("]\n");
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    fs::write(out.join("pages.rs"), table)
}

/// The pages named like a code, sorted, so that the table does not depend on the file system.
fn pages(folder: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    let mut found = Vec::new();
    if !folder.is_dir() {
        return Ok(found);
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        let is_page = path.extension().is_some_and(|extension| extension == "md");
        if is_page && name.starts_with("QP") {
            found.push((name.to_owned(), fs::canonicalize(&path)?));
        }
    }
    found.sort();
    Ok(found)
}
