//! Certificates of kind `flow`, which have no rows.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Flow, Proof, Weighing};

use super::{CERTIFICATE_FORMAT, CertificateFile, FLOW, FileError, Switches, parse};

#[derive(Serialize, Deserialize)]
struct RawCertificate {
    format: String,
    model: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    switches: Switches,
    model_hash: String,
    properties: Vec<String>,
    kind: String,
    weighings: Vec<RawWeighing>,
}

#[derive(Serialize, Deserialize)]
struct RawWeighing {
    denominator: i64,
    potentials: Vec<(u32, i64)>,
    weights: Vec<(u32, i64)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    factors: Vec<(u32, i64)>,
}

pub(super) fn write(file: &CertificateFile, flow: &Flow) -> String {
    let weighing = |weighing: &Weighing| {
        let Weighing { denominator, potentials, weights, factors } = weighing.clone();
        RawWeighing { denominator, potentials, weights, factors }
    };
    let raw = RawCertificate {
        format: CERTIFICATE_FORMAT.to_owned(),
        model: file.model.clone(),
        switches: file.switches.clone(),
        model_hash: file.hash.clone(),
        properties: file.properties.clone(),
        kind: FLOW.to_owned(),
        weighings: flow.weighings.iter().map(weighing).collect(),
    };
    let mut text = serde_json::to_string(&raw).expect("plain data has a JSON form");
    text.push('\n');
    text
}

pub(super) fn read(text: &str) -> Result<CertificateFile, FileError> {
    let raw: RawCertificate = parse(text, CERTIFICATE_FORMAT)?;
    let weighing = |raw: RawWeighing| {
        let RawWeighing { denominator, potentials, weights, factors } = raw;
        Weighing { denominator, potentials, weights, factors }
    };
    let weighings = raw.weighings.into_iter().map(weighing).collect();
    Ok(CertificateFile {
        model: raw.model,
        switches: raw.switches,
        hash: raw.model_hash,
        properties: raw.properties,
        proof: Proof::Flow(Arc::new(Flow { weighings })),
    })
}
