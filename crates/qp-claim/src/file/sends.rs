//! Certificates of kind `sends`, which have two sets of rows and pairs of them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Proof, SendPairs};

use super::{
    CERTIFICATE_FORMAT, CertificateFile, FileError, RawSet, SENDS, Switches, parse, raw_set, set_of,
};

#[derive(Serialize, Deserialize)]
struct RawCertificate {
    format: String,
    model: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    switches: Switches,
    model_hash: String,
    properties: Vec<String>,
    kind: String,
    bound: u32,
    prefix: u32,
    outer: RawSet,
    inner: RawSet,
    sets: Vec<Vec<u32>>,
    pairs: Vec<(u32, u32)>,
}

pub(super) fn write(file: &CertificateFile, pairs: &SendPairs) -> String {
    let raw = RawCertificate {
        format: CERTIFICATE_FORMAT.to_owned(),
        model: file.model.clone(),
        switches: file.switches.clone(),
        model_hash: file.hash.clone(),
        properties: file.properties.clone(),
        kind: SENDS.to_owned(),
        bound: pairs.bound,
        prefix: pairs.prefix,
        outer: raw_set(&pairs.outer),
        inner: raw_set(&pairs.inner),
        sets: pairs.sets.clone(),
        pairs: pairs.pairs.clone(),
    };
    let mut text = serde_json::to_string(&raw).expect("plain data has a JSON form");
    text.push('\n');
    text
}

pub(super) fn read(text: &str) -> Result<CertificateFile, FileError> {
    let raw: RawCertificate = parse(text, CERTIFICATE_FORMAT)?;
    let pairs = SendPairs {
        bound: raw.bound,
        prefix: raw.prefix,
        outer: set_of(raw.outer)?,
        inner: set_of(raw.inner)?,
        sets: raw.sets,
        pairs: raw.pairs,
    };
    Ok(CertificateFile {
        model: raw.model,
        switches: raw.switches,
        hash: raw.model_hash,
        properties: raw.properties,
        proof: Proof::Sends(Arc::new(pairs)),
    })
}
