//! Certificates of kind `search`, which have nothing but a number.

use serde::{Deserialize, Serialize};

use super::{CERTIFICATE_FORMAT, CertificateFile, FileError, SEARCH, Switches, parse};
use crate::{CompleteSearch, Proof};

#[derive(Serialize, Deserialize)]
struct RawCertificate {
    format: String,
    model: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    switches: Switches,
    model_hash: String,
    properties: Vec<String>,
    kind: String,
    configurations: u64,
}

pub(super) fn write(file: &CertificateFile, search: CompleteSearch) -> String {
    let raw = RawCertificate {
        format: CERTIFICATE_FORMAT.to_owned(),
        model: file.model.clone(),
        switches: file.switches.clone(),
        model_hash: file.hash.clone(),
        properties: file.properties.clone(),
        kind: SEARCH.to_owned(),
        configurations: search.configurations,
    };
    let mut text = serde_json::to_string(&raw).expect("plain data has a JSON form");
    text.push('\n');
    text
}

pub(super) fn read(text: &str) -> Result<CertificateFile, FileError> {
    let raw: RawCertificate = parse(text, CERTIFICATE_FORMAT)?;
    let RawCertificate { model, switches, model_hash: hash, properties, configurations, .. } = raw;
    let proof = Proof::Search(CompleteSearch { configurations });
    Ok(CertificateFile { model, switches, hash, properties, proof })
}
