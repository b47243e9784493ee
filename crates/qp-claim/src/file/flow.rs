//! Certificates of kind `flow`, which have no rows.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Case, Flow, Proof, Weighing};

use super::{CertificateFile, FLOW, FileError, Head, read_body, write_body};

#[derive(Serialize, Deserialize)]
struct Body {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    followed: Vec<u32>,
    weighings: Vec<RawWeighing>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    cases: Vec<RawCase>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RawCase {
    Closed(RawWeighing),
    Order(u32),
    Apart(u32, Vec<u32>),
    Depends(u32),
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
    let case = |case: &Case| match case.clone() {
        Case::Closed(it) => RawCase::Closed(weighing(&it)),
        Case::Order { counter } => RawCase::Order(counter),
        Case::Apart { machine, spots } => RawCase::Apart(machine, spots),
        Case::Depends { dependency } => RawCase::Depends(dependency),
    };
    let raw = Body {
        followed: flow.followed.clone(),
        weighings: flow.weighings.iter().map(weighing).collect(),
        cases: flow.cases.iter().map(case).collect(),
    };
    write_body(file, FLOW, &raw)
}

pub(super) fn read(text: &str) -> Result<CertificateFile, FileError> {
    let (head, raw): (Head, Body) = read_body(text)?;
    let weighing = |raw: RawWeighing| {
        let RawWeighing { denominator, potentials, weights, factors } = raw;
        Weighing { denominator, potentials, weights, factors }
    };
    let case = |raw: RawCase| match raw {
        RawCase::Closed(it) => Case::Closed(weighing(it)),
        RawCase::Order(counter) => Case::Order { counter },
        RawCase::Apart(machine, spots) => Case::Apart { machine, spots },
        RawCase::Depends(dependency) => Case::Depends { dependency },
    };
    let flow = Flow {
        followed: raw.followed,
        weighings: raw.weighings.into_iter().map(weighing).collect(),
        cases: raw.cases.into_iter().map(case).collect(),
    };
    Ok(head.about(Proof::Flow(Arc::new(flow))))
}
