//! The cost of running a program.

use std::path::Path;
use std::process::Command;

/// What one run cost.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Cost {
    /// Processor seconds, user and system, of all threads.
    pub(super) cpu_s: f64,
    /// Seconds on the clock.
    pub(super) wall_s: f64,
}

/// Runs a program in `folder` and returns what it wrote to its standard output. The exit code is not looked
/// at: a violated property is no trouble here.
///
/// The `time` of bash is used because it knows milliseconds; `/usr/bin/time` and the `times` of other shells
/// know hundredths, which is more than some of our runs take.
pub(super) fn run(
    folder: &Path,
    program: &Path,
    arguments: &[String],
) -> Result<(Cost, String), String> {
    const SCRIPT: &str = r#"TIMEFORMAT="%3R %3U %3S"; time "$@" 2>stderr.txt"#;
    let output = Command::new("bash")
        .args(["-c", SCRIPT, "bash"])
        .arg(program)
        .args(arguments)
        .env("LC_ALL", "C")
        .current_dir(folder)
        .output()
        .map_err(|error| format!("bash: {error}"))?;
    let times = String::from_utf8_lossy(&output.stderr);
    let seconds: Vec<f64> = times.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [wall_s, user_s, system_s] = seconds[..] else {
        return Err(format!("{}: cannot be timed: {times}", program.display()));
    };
    let cost = Cost { cpu_s: user_s + system_s, wall_s };
    Ok((cost, String::from_utf8_lossy(&output.stdout).into_owned()))
}

/// The greatest resident memory of a run in kilobytes, if `/usr/bin/time` exists to tell.
pub(super) fn peak_memory_kb(program: &Path, arguments: &[String]) -> Option<u64> {
    let output = Command::new("/usr/bin/time")
        .args(["-q", "-f", "%M"])
        .arg(program)
        .args(arguments)
        .output()
        .ok()?;
    // The program may have written to the same stream; the figure is the last line.
    String::from_utf8_lossy(&output.stderr).lines().last()?.trim().parse().ok()
}

/// How busy the machine has been in the last minute, as the system says it.
pub(super) fn load_average() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().filter(|load| !load.is_empty()).unwrap_or("unknown").to_owned()
}
