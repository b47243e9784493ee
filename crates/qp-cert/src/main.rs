//! `queueproof-cert MODEL CERTIFICATE`: accepts or refuses a certificate.
//!
//! Deliberately small: a reader for models, a reader for certificates, the referee, and nothing
//! else. No engine is linked into this program.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use qp_check::{Referee, Ruling};
use qp_claim::{Claim, read_certificate};
use qp_load::{Disk, GatherError, Switches, gather, load_files};
use qp_machines::{Model, Property};

const USAGE: &str = "usage: queueproof-cert MODEL CERTIFICATE
exit codes: 0 accepted, 1 refused, 3 a file cannot be read, 64 wrong use";

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "this is a command line program")]
fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [model, certificate] = &words[..] else {
        eprintln!("{USAGE}");
        return ExitCode::from(64);
    };
    match verify(model, certificate) {
        Ok(text) => {
            println!("accepted  {text}");
            ExitCode::SUCCESS
        }
        Err((code, text)) => {
            eprintln!("{}  {text}", if code == 1 { "refused" } else { "error" });
            ExitCode::from(code)
        }
    }
}

fn verify(model_path: &str, certificate_path: &str) -> Result<String, (u8, String)> {
    let bytes = std::fs::read(certificate_path)
        .map_err(|error| (3, format!("cannot read {certificate_path}: {error}")))?;
    let text = String::from_utf8_lossy(&bytes);
    let file = read_certificate(&text).map_err(|e| (3, format!("{certificate_path}: {e}")))?;
    let model = read_model(model_path, &file.switches)?;
    if file.properties.is_empty() {
        return Err((1, "the certificate names no property".to_owned()));
    }
    let evidence = file.proof.extent();
    let claim = Claim::Holds(file.proof);
    let mut referee = Referee::new(&model, usize::MAX);
    let mut proved = Vec::new();
    for id in &file.properties {
        let property = Property::from_id(id, model.outline())
            .ok_or_else(|| (1, format!("the model has no property {id}")))?;
        let verdict = referee.check(property, &claim);
        let verdict = verdict.map_err(|rejected| (1, format!("{id}: {rejected}")))?;
        if !matches!(verdict.ruling(), Ruling::Proved(_)) {
            return Err((1, format!("{id}: the evidence takes too long to check")));
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
        std::fs::read(path).map_err(|error| error.to_string())
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
