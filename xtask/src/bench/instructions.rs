//! How many instructions the hot loops take, counted by valgrind: the only figure that a busy machine does not change.
//!
//! Each small system is explored by the release binary under `cachegrind`; what a system with hardly any configuration
//! takes is subtracted, and the rest is divided by the number of transitions. Figures on record are for one compiler, which
//! is on record as well: with another one they are shown beside and not judged.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::ours::Queueproof;
use super::table::{self, Column};
use super::{emit, explore, families};

/// Where figures are on record.
const RECORD: &str = "benches/instructions.txt";
/// More than this much above the record is a regression.
const TOLERANCE: f64 = 0.03;

/// Which loop is measured.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Loop {
    /// Compiled steps and the table of keys.
    Explicit,
    /// Saturation of decision diagrams.
    Symbolic,
    /// Trees of what Promela processes look at.
    Turns,
}

const CASES: [(Loop, &str, &[&str], usize); 10] = [
    (Loop::Explicit, "tokenring", &["N=3"], 2),
    (Loop::Explicit, "german", &["C=2"], 3),
    (Loop::Explicit, "leader", &["N=8"], 2),
    (Loop::Explicit, "rand", &["N=3", "L=8", "M=3", "S=2"], 2),
    (Loop::Symbolic, "german", &["C=3"], 2),
    (Loop::Symbolic, "flood", &["P=3"], 4),
    (Loop::Symbolic, "tpc", &["N=4"], 2),
    (Loop::Symbolic, "rand", &["N=3", "L=8", "M=3", "S=2"], 2),
    (Loop::Turns, "german", &["C=2"], 2),
    (Loop::Turns, "leader", &["N=7"], 2),
];

const COLUMNS: [Column<'_>; 6] = [
    Column::Text("case"),
    Column::Figure("transitions"),
    Column::Figure("instructions"),
    Column::Figure("each"),
    Column::Figure("on record"),
    Column::Text("note"),
];

/// Counts instructions and compares them with those on record; with `bless`, puts them on record.
pub fn run(root: &Path, bless: bool) -> Result<(), String> {
    let (queueproof, folder) = Queueproof::build(root)?;
    let record = fs::read_to_string(root.join(RECORD)).unwrap_or_default();
    let compiler = compiler()?;
    let same_compiler = record.lines().next() == Some(compiler.as_str());
    let (mut fresh, mut rows, mut slower) = (format!("{compiler}\n"), Vec::new(), 0);
    for (kind, family, parameters, bound) in CASES {
        let name = format!("{} {family} {} k={bound}", kind.name(), parameters.join(" "));
        let least = count(&queueproof, kind, &model(&folder, kind, "elevator", &["E=1"], 1)?, 1)?;
        let all =
            count(&queueproof, kind, &model(&folder, kind, family, parameters, bound)?, bound)?;
        let instructions = all.0.saturating_sub(least.0);
        let each = instructions as f64 / all.1 as f64;
        let before = recorded(&record, &name);
        let is_slower = before.is_some_and(|before| each > before * (1.0 + TOLERANCE));
        slower += usize::from(is_slower && same_compiler);
        writeln!(fresh, "{name}\t{each:.2}").expect("strings take everything");
        rows.push(vec![
            name,
            table::grouped(all.1),
            table::grouped(instructions),
            format!("{each:.1}"),
            before.map_or("-".to_owned(), |before| format!("{before:.1}")),
            if is_slower { "more than on record".to_owned() } else { String::new() },
        ]);
    }
    print!("{}", table::align(&COLUMNS, &rows));
    if bless {
        return fs::write(root.join(RECORD), fresh).map_err(|error| format!("{RECORD}: {error}"));
    }
    if !same_compiler {
        println!("{RECORD} is of another compiler: not judged");
    }
    if slower > 0 {
        Err(format!("{slower} loops take more instructions than on record"))
    } else {
        Ok(())
    }
}

impl Loop {
    fn name(self) -> &'static str {
        match self {
            Self::Explicit => "explicit",
            Self::Symbolic => "symbolic",
            Self::Turns => "turns",
        }
    }
}

fn model(
    folder: &Path,
    kind: Loop,
    family: &str,
    parameters: &[&str],
    bound: usize,
) -> Result<PathBuf, String> {
    let name = format!("{family} {}", parameters.join(" "));
    let model = explore::write(folder, &name, family, parameters)?;
    if kind != Loop::Turns {
        return Ok(model);
    }
    let promela = model.with_file_name(format!("model-{bound}.pml"));
    let text = emit::promela(&families::build(family, parameters)?, bound);
    fs::write(&promela, text).map_err(|error| error.to_string())?;
    Ok(promela)
}

/// Instructions and transitions of one run.
fn count(
    queueproof: &Queueproof,
    kind: Loop,
    model: &Path,
    bound: usize,
) -> Result<(u64, u64), String> {
    let sets = if kind == Loop::Symbolic { "symbolic" } else { "explicit" };
    let bound = (kind != Loop::Turns).then_some(bound);
    let (program, arguments) = queueproof.command(model, bound, sets);
    let output = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
        .arg(program)
        .args(arguments)
        .output()
        .map_err(|error| format!("valgrind: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let instructions =
        instructions(&said).ok_or_else(|| format!("valgrind counts nothing: {said}"))?;
    let report = String::from_utf8_lossy(&output.stdout);
    let transitions = super::ours::transitions(&report);
    let transitions = transitions.ok_or_else(|| format!("{}: no counts", model.display()))?;
    Ok((instructions, transitions))
}

/// The figure behind `I refs:` in what valgrind says.
fn instructions(said: &str) -> Option<u64> {
    let line = said.lines().find(|line| line.contains("refs:"))?;
    line.rsplit("refs:").next()?.trim().replace(',', "").parse().ok()
}

fn recorded(record: &str, name: &str) -> Option<f64> {
    let line = record.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('\t'))?;
    line.parse().ok()
}

fn compiler() -> Result<String, String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let output = Command::new(rustc).arg("--version").output();
    let output = output.map_err(|error| format!("rustc: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(format!("{} {}", text.trim(), std::env::consts::ARCH))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read() {
        let said = "==1== Cachegrind\n==1== \n==1== I   refs:      1,234,567\n";
        assert_eq!(instructions(said), Some(1_234_567));
        assert_eq!(instructions("valgrind: no such program"), None);
        let record =
            "rustc 1.95.0 x86_64\nturns leader N=6 k=2\t12.50\nturns leader N=6 k=22\t3.00\n";
        assert_eq!(recorded(record, "turns leader N=6 k=2"), Some(12.5));
        assert_eq!(recorded(record, "turns leader N=6"), None);
    }
}
