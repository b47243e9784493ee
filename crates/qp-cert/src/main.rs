//! `queueproof-cert MODEL CERTIFICATE`: accepts or refuses a certificate.
//!
//! Deliberately small: a reader for models, a reader for certificates, the referee, and nothing
//! else. No engine is linked into this program.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use qp_base::{Budget, Limits};
use qp_check::{Referee, Ruling, cores};
use qp_claim::{Claim, read_certificate_from};
use qp_load::{Disk, GatherError, Switches, gather, load_files};
use qp_machines::{Model, Property};

const USAGE: &str = "usage: queueproof-cert [--time SECONDS] [--memory MIB] MODEL CERTIFICATE
exit codes: 0 accepted, 1 refused, 2 a limit was met, 3 a file cannot be read, 64 wrong use";

/// What checking may take.
struct Allowance {
    time: Option<Duration>,
    memory_mib: u64,
}

/// The largest file of a model that is read.
const INPUT_MAX: u64 = 64 << 20;
/// A certificate takes about so many times its size while it is checked.
const PER_BYTE: u64 = 16;

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "this is a command line program")]
fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some((allowance, [model, certificate])) = allowance(&words) else {
        eprintln!("{USAGE}");
        return ExitCode::from(64);
    };
    match verify(model, certificate, &allowance) {
        Ok(text) => {
            println!("accepted  {text}");
            ExitCode::SUCCESS
        }
        Err((code, text)) => {
            let word = match code {
                1 => "refused",
                2 => "unknown",
                _ => "error",
            };
            eprintln!("{word}  {text}");
            ExitCode::from(code)
        }
    }
}

/// What the options in front allow, and the rest.
fn allowance(mut words: &[String]) -> Option<(Allowance, &[String])> {
    let mut allowance = Allowance { time: None, memory_mib: 4096 };
    while let [option, value, rest @ ..] = words {
        match option.as_str() {
            "--time" => {
                let seconds = value.strip_suffix('s').unwrap_or(value).parse().ok()?;
                allowance.time = Some(Duration::try_from_secs_f64(seconds).ok()?);
            }
            "--memory" => {
                allowance.memory_mib = value.strip_suffix("MiB").unwrap_or(value).parse().ok()?;
            }
            _ => break,
        }
        words = rest;
    }
    Some((allowance, words))
}

/// The resident size of this process in bytes, where the system tells.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}

/// What is read from a file, unless it is larger.
fn from_file<T>(
    path: &Path,
    max: u64,
    more: &str,
    read: impl FnOnce(&mut dyn Read) -> Result<T, String>,
) -> Result<T, String> {
    let file = std::fs::File::open(path).map_err(|error| format!("cannot read it: {error}"))?;
    let mut file = file.take(max.saturating_add(1));
    let found = read(&mut file);
    if file.limit() == 0 {
        return Err(format!("it is larger than {} MiB{more}", max >> 20));
    }
    found
}

fn verify(
    model_path: &str,
    certificate_path: &str,
    allowance: &Allowance,
) -> Result<String, (u8, String)> {
    let memory_bytes = allowance.memory_mib << 20;
    let limits = Limits { time: allowance.time, memory_bytes, states_max: u64::MAX };
    let budget = Budget::start(limits, Arc::default()).gauged(Some(resident));
    let read = |from: &mut dyn Read| read_certificate_from(from).map_err(|error| error.0);
    let max = memory_bytes / PER_BYTE;
    let file = from_file(Path::new(certificate_path), max, "; --memory allows more", read)
        .map_err(|why| (3, format!("{certificate_path}: {why}")))?;
    let model = read_model(model_path, &file.switches)?;
    if file.properties.is_empty() {
        return Err((1, "the certificate names no property".to_owned()));
    }
    let evidence = file.proof.extent();
    let claim = Claim::Holds(file.proof);
    let mut referee = Referee::new(&model.heeding(&budget), usize::MAX).with_jobs(cores());
    let mut proved = Vec::new();
    for id in &file.properties {
        let property = Property::from_id(id, model.outline())
            .ok_or_else(|| (1, format!("the model has no property {id}")))?;
        let verdict = referee.check(property, &claim);
        let verdict = verdict.map_err(|rejected| (1, format!("{id}: {rejected}")))?;
        if !matches!(verdict.ruling(), Ruling::Proved(_)) {
            return Err((2, format!("{id}: a limit was met before everything was checked")));
        }
        proved.push(property);
    }
    let (ids, reach) = (file.properties.join(", "), model.outline().reach(&proved));
    Ok(format!("{evidence} proves, for every queue length: {ids}{reach}"))
}

fn read_model(path: &str, switches: &[(String, String)]) -> Result<Model, (u8, String)> {
    let switches = Switches::from_pairs(switches).map_err(|why| (3, why))?;
    let files = gather(&RealDisk, Path::new(path), &switches).map_err(|error| match error {
        GatherError::Unreadable { path, why } => {
            (3, format!("cannot read {}: {why}", path.display()))
        }
        GatherError::Broken(broken) => (3, format!("{path}: {}", broken.1.message)),
    })?;
    let reading = load_files(path, &files, &switches);
    reading.model.ok_or_else(|| {
        let first = reading.diagnostics.first();
        let first = first.map_or("it is not a model", |d| d.message.as_str());
        (3, format!("{path}: {first}"))
    })
}

/// The user's disk.
struct RealDisk;

impl Disk for RealDisk {
    fn read(&self, path: &Path) -> Result<Vec<u8>, String> {
        from_file(path, INPUT_MAX, "", |from| {
            let mut bytes = Vec::new();
            from.read_to_end(&mut bytes).map_err(|error| error.to_string())?;
            Ok(bytes)
        })
    }

    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>, String> {
        let entries = std::fs::read_dir(folder).map_err(|error| error.to_string())?;
        let paths: std::io::Result<Vec<PathBuf>> = entries.map(|entry| Ok(entry?.path())).collect();
        paths.map_err(|error| error.to_string())
    }

    fn is_folder(&self, path: &Path) -> bool {
        path.is_dir()
    }
}
