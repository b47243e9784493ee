//! `queueproof-cert MODEL CERTIFICATE`: accepts or refuses a certificate.
//!
//! Deliberately small: a reader for models, a reader for certificates, the referee, and nothing
//! else. No engine is linked into this program.

use std::process::ExitCode;
use std::sync::Arc;

use qp_check::Referee;
use qp_claim::{Claim, Proof, read_certificate};
use qp_machines::Property;

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
    let read = |path: &str| {
        std::fs::read(path).map_err(|error| (3, format!("cannot read {path}: {error}")))
    };
    let (model, diagnostics) = qp_load::load_bytes(model_path, &read(model_path)?);
    let Some(model) = model else {
        let first = diagnostics.first().map_or("it is not a model", |d| d.message.as_str());
        return Err((3, format!("{model_path}: {first}")));
    };
    let bytes = read(certificate_path)?;
    let text = String::from_utf8_lossy(&bytes);
    let file = read_certificate(&text).map_err(|e| (3, format!("{certificate_path}: {e}")))?;
    if file.properties.is_empty() {
        return Err((1, "the certificate names no property".to_owned()));
    }
    let size = file.set.len();
    let claim = Claim::Holds(Proof::Closed(Arc::new(file.set)));
    let mut referee = Referee::new(&model, usize::MAX);
    for id in &file.properties {
        let property = Property::from_id(id, model.outline())
            .ok_or_else(|| (1, format!("the model has no property {id}")))?;
        referee.check(property, &claim).map_err(|rejected| (1, format!("{id}: {rejected}")))?;
    }
    let proved = file.properties.join(", ");
    Ok(format!("{size} configurations prove, for every queue length: {proved}"))
}
