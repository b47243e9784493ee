//! What is handed out: one static binary of each kind, completions, manual pages and licences in an archive, and its
//! checksum.
//!
//! The binaries need nothing of the system that runs them: the C runtime is linked into them. Procedural macros cannot be
//! built that way, so the target is named, which has cargo build them apart.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const BINARIES: [&str; 2] = ["queueproof", "queueproof-cert"];
const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];
const PAGES: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// Builds the archive below `target/dist`; where it is, and lines about what is in it.
pub fn run(root: &Path) -> Result<String, String> {
    let target = target()?;
    let built = build(root, &target)?;
    let folder = root.join("target/dist");
    let name = format!("queueproof-{}-{target}", env!("CARGO_PKG_VERSION"));
    let whole = folder.join(&name);
    if whole.exists() {
        fs::remove_dir_all(&whole).map_err(|error| format!("{}: {error}", whole.display()))?;
    }
    let mut told = fill(root, &built, &whole)?;
    let archive = format!("{name}.tar.gz");
    said(
        Command::new("tar")
            .args(["--sort=name", "--owner=0", "--group=0", "-czf", &archive, &name])
            .current_dir(&folder),
    )?;
    let sum = said(Command::new("sha256sum").arg(&archive).current_dir(&folder))?;
    write(&folder.join(format!("{archive}.sha256")), &sum)?;
    told.push_str(&sum);
    Ok(told)
}

/// The kind of machine this is, as the compiler calls it.
fn target() -> Result<String, String> {
    let told = said(Command::new("rustc").arg("-vV"))?;
    let host = told.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc does not say what machine this is".to_owned())
}

/// Builds the binaries; the folder they are in.
fn build(root: &Path, target: &str) -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--profile", "dist", "--target", target, "-p", "qp-cli", "-p", "qp-cert"])
        .env("RUSTFLAGS", "-C target-feature=+crt-static")
        .env("CARGO_TARGET_DIR", root.join("target"))
        .current_dir(root)
        .status()
        .map_err(|error| format!("cargo: {error}"))?;
    if !status.success() {
        return Err("the build did not succeed".to_owned());
    }
    Ok(root.join("target").join(target).join("dist"))
}

/// Lays out the folder that is packed; a line about the size of each binary.
fn fill(root: &Path, built: &Path, whole: &Path) -> Result<String, String> {
    let (completions, man) = (whole.join("completions"), whole.join("man"));
    for folder in [&completions, &man] {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let mut told = String::new();
    for binary in BINARIES {
        let size = copy(&built.join(binary), &whole.join(binary))?;
        let _ = writeln!(told, "{binary}  {:.1} MB", size as f64 / 1e6);
    }
    for page in PAGES {
        copy(&root.join(page), &whole.join(page))?;
    }
    let queueproof = whole.join(BINARIES[0]);
    for shell in SHELLS {
        let script = said(Command::new(&queueproof).args(["completions", shell]))?;
        write(&completions.join(format!("queueproof.{shell}")), &script)?;
    }
    said(Command::new(&queueproof).arg("man").arg(&man))?;
    Ok(told)
}

fn copy(from: &Path, to: &Path) -> Result<u64, String> {
    fs::copy(from, to).map_err(|error| format!("{}: {error}", from.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// What a command prints, if it succeeds.
fn said(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
