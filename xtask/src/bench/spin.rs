//! Runs SPIN on the Promela twin of an instance.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Figures;
use super::measure::{self, Cost};

/// The verifier that SPIN generates, compiled twice: for speed, and as its manual compiles it, which stores
/// states in fewer bytes.
pub(super) struct Spin {
    folder: PathBuf,
    arguments: Vec<String>,
}

/// The model whose verifiers are complete: gcc may take a minute for one.
const BUILT: &str = "built.pml";
const FAST: &[&str] = &["-DNOCOMP"];
const DEFAULT: &[&str] = &[];

pub(super) fn is_installed() -> bool {
    ["spin", "gcc"].iter().all(|tool| {
        let flag = if *tool == "spin" { "-V" } else { "--version" };
        Command::new(tool).arg(flag).output().is_ok_and(|output| output.status.success())
    })
}

impl Spin {
    /// Generates and compiles the verifier, unless that was done before; its hash table is sized for
    /// `states`.
    pub(super) fn new(folder: &Path, promela: &str, states: u64) -> Result<Self, String> {
        let folder = folder.join("spin");
        if fs::read_to_string(folder.join(BUILT)).ok().as_deref() != Some(promela) {
            build(&folder, promela)?;
        }
        let hash_bits = states.next_power_of_two().trailing_zeros();
        // -E: a deadlock does not end the search.
        let arguments = vec!["-E".to_owned(), "-m6000000".to_owned(), format!("-w{hash_bits}")];
        Ok(Self { folder, arguments })
    }

    pub(super) fn run_fast(&self) -> Result<(Cost, Figures), String> {
        self.run("fast")
    }

    pub(super) fn run_default(&self) -> Result<Figures, String> {
        self.run("default").map(|(_, figures)| figures)
    }

    fn run(&self, name: &str) -> Result<(Cost, Figures), String> {
        let program = self.folder.join(name);
        let (cost, output) = measure::run(&self.folder, &program, &self.arguments)?;
        let figures = figures(&output).ok_or_else(|| {
            format!("{}: the search is not complete:\n{output}", program.display())
        })?;
        Ok((cost, figures))
    }
}

fn build(folder: &Path, promela: &str) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    // Whatever stops the build, the verifiers of an older model must not be taken for those of this one.
    fs::write(folder.join(BUILT), "").map_err(|error| error.to_string())?;
    fs::write(folder.join("model.pml"), promela).map_err(|error| error.to_string())?;
    // -o2 switches off the resetting of dead variables, which would change the set that is counted.
    call(folder, "spin", &["-a", "-o2", "model.pml"])?;
    for (name, flags) in [("fast", FAST), ("default", DEFAULT)] {
        let mut arguments = vec!["-O3", "-march=native", "-w", "-DMEMLIM=9000"];
        arguments.extend(["-DSAFETY", "-DNOREDUCE", "-DNOFAIR"]);
        arguments.extend(flags);
        arguments.extend(["-o", name, "pan.c"]);
        call(folder, "gcc", &arguments)?;
    }
    fs::write(folder.join(BUILT), promela).map_err(|error| error.to_string())
}

pub(super) fn call(folder: &Path, program: &str, arguments: &[&str]) -> Result<(), String> {
    let output = Command::new(program).args(arguments).current_dir(folder).output();
    let output = output.map_err(|error| format!("{program}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].concat();
    Err(format!("{program} {}: {}", arguments.join(" "), String::from_utf8_lossy(&said)))
}

/// The counts of a complete search. SPIN counts the step into the initial state as a transition, we do not.
/// Bytes are those of states and hash table, without the stack of the depth-first search.
pub(super) fn figures(output: &str) -> Option<Figures> {
    if output.contains("too small") || output.contains("out of memory") {
        return None;
    }
    let number = |what: &str| -> Option<f64> {
        let line = output.lines().find(|line| line.contains(what))?;
        line.split_whitespace().next()?.parse().ok()
    };
    let mebibytes = number("actual memory usage for states").unwrap_or(0.0)
        + number("memory used for hash table").unwrap_or(0.0);
    Some(Figures {
        states: whole(number("states, stored")?),
        transitions: whole(number(" transitions (=")?) - 1,
        bytes: whole(mebibytes * 1024.0 * 1024.0),
    })
}

#[allow(clippy::cast_sign_loss, reason = "counts and sizes are not negative")]
fn whole(number: f64) -> u64 {
    number.round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_from_the_summary() {
        let output = "State-vector 68 byte, depth reached 5538, errors: 0\n     8020 states, stored\n    \
                      21385 states, matched\n    29405 transitions (= stored+matched)\n        0 atomic steps\n    \
                      0.500\tactual memory usage for states\n    1.500\tmemory used for hash table (-w17)\n";
        let expected = Figures { states: 8020, transitions: 29404, bytes: 2 << 20 };
        assert_eq!(figures(output), Some(expected));
        assert_eq!(figures(&format!("error: max search depth too small\n{output}")), None);
    }
}
