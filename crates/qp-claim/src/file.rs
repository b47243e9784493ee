//! The file formats of traces and certificates, documented in `docs/manual/certificates.md`.

mod plain;

use std::{fmt, io};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use qp_machines::{MachineId, Outline, Step};

pub(crate) use self::plain::{cells, columns, listed, number, only, rows};
use crate::{ClosedSet, Content, Proof, Shape, Trace};

/// How a model was read, where there is a choice: names and values, such as the test case of a P
/// program.
pub type Switches = Vec<(String, String)>;

/// A trace with what it is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceFile {
    /// The model's path as the user gave it.
    pub model: String,
    /// How the model was read, where there is a choice: names and values.
    pub switches: Switches,
    /// [`model_hash`] of the model's text.
    pub hash: String,
    /// The id of the property it violates.
    pub property: String,
    /// The run.
    pub trace: Trace,
}

/// A proof with what it is about.
#[derive(Clone, PartialEq, Debug)]
pub struct CertificateFile {
    /// The model's path as the user gave it.
    pub model: String,
    /// How the model was read, where there is a choice: names and values.
    pub switches: Switches,
    /// [`model_hash`] of the model's text.
    pub hash: String,
    /// The ids of the properties it proves.
    pub properties: Vec<String>,
    /// The proof.
    pub proof: Proof,
}

/// Why a file could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileError(pub String);

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FileError {}

/// A number that changes when the model changes: FNV-1a over the text, 64 bits, in hexadecimal.
///
/// It guards against mix-ups, not against forgery: the checker re-checks everything on the model it
/// is given.
pub fn model_hash(text: &str) -> String {
    let fnv = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    format!("{fnv:016x}")
}

const TRACE_FORMAT: &str = "queueproof.trace/1";
const CERTIFICATE_FORMAT: &str = "queueproof.cert/2";

/// More queues than any model that can be checked.
const QUEUES_MAX: usize = 1 << 24;

#[derive(Serialize, Deserialize)]
struct RawTrace {
    format: String,
    model: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    switches: Switches,
    model_hash: String,
    property: String,
    shape: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    cycle_from: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    grows: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cycle_until: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turns: Option<usize>,
    steps: Vec<(u32, u32)>,
}

/// Writes a trace as JSON.
pub fn write_trace(file: &TraceFile, outline: &Outline) -> String {
    let (mut cycle_until, mut times) = (None, None);
    let (shape, cycle_from, grows) = match file.trace.shape {
        Shape::Finite => ("finite", None, None),
        Shape::Lasso { from } => ("lasso", Some(from), None),
        Shape::Pump { from, queue } => ("pump", Some(from), Some(outline.queue_text(queue))),
        Shape::Family { from, until, turns, queue } => {
            (cycle_until, times) = (Some(until), Some(turns));
            ("family", Some(from), Some(outline.queue_text(queue)))
        }
    };
    let steps = file.trace.steps.iter().map(|step| (step.machine.raw(), step.choice)).collect();
    let raw = RawTrace {
        format: TRACE_FORMAT.to_owned(),
        model: file.model.clone(),
        switches: file.switches.clone(),
        model_hash: file.hash.clone(),
        property: file.property.clone(),
        shape: shape.to_owned(),
        cycle_from,
        grows,
        cycle_until,
        turns: times,
        steps,
    };
    let mut text = serde_json::to_string(&raw).expect("plain data has a JSON form");
    text.push('\n');
    text
}

/// Reads a trace; names of queues are looked up in `outline`, which may come later than the file:
/// pass the outline of the model that the file names.
pub fn read_trace(text: &str, outline: &Outline) -> Result<TraceFile, FileError> {
    let raw: RawTrace = parse(text, TRACE_FORMAT)?;
    let queue = |name: String| {
        let unknown = || FileError(format!("the model has no queue named {name}"));
        outline.queue_from_text(&name).ok_or_else(unknown)
    };
    let shape = match (raw.shape.as_str(), raw.cycle_from, raw.grows) {
        ("finite", None, None) => Shape::Finite,
        ("lasso", Some(from), None) => Shape::Lasso { from },
        ("pump", Some(from), Some(name)) => Shape::Pump { from, queue: queue(name)? },
        ("family", Some(from), Some(name)) => match (raw.cycle_until, raw.turns) {
            (Some(until), Some(turns)) => Shape::Family { from, until, turns, queue: queue(name)? },
            _ => return Err(FileError("a family needs `cycle_until` and `turns`".to_owned())),
        },
        ("finite" | "lasso" | "pump" | "family", ..) => {
            let text = "a finite run has no cycle, a lasso has one, and a pump or a family also a queue that grows";
            return Err(FileError(text.to_owned()));
        }
        (shape, ..) => return Err(FileError(format!("unknown shape of run: {shape}"))),
    };
    // A run that has ended may go on with its last configuration for ever, without a step.
    let far_enough = match shape {
        Shape::Finite => true,
        Shape::Lasso { from } => from <= raw.steps.len(),
        Shape::Pump { from, .. } => from < raw.steps.len(),
        Shape::Family { from, until, turns, .. } => {
            turns > 0 && from < until && until <= raw.steps.len()
        }
    };
    if !far_enough {
        return Err(FileError("the cycle has no steps".to_owned()));
    }
    let step = |(machine, choice)| Step { machine: MachineId::from_raw(machine), choice };
    let steps = raw.steps.into_iter().map(step).collect();
    Ok(TraceFile {
        model: raw.model,
        switches: raw.switches,
        hash: raw.model_hash,
        property: raw.property,
        trace: Trace { steps, shape },
    })
}

/// A certificate as it stands in a file. Nothing in it is a part of two things at once, so that it can be read as it
/// comes, without a copy of what is still to be understood.
#[derive(Serialize, Deserialize)]
struct RawCertificate<P> {
    #[serde(deserialize_with = "certificate_format")]
    format: String,
    model: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    switches: Switches,
    model_hash: String,
    properties: Vec<String>,
    evidence: P,
}

/// Refuses what is something else before the rest is read.
fn certificate_format<'a, D: Deserializer<'a>>(from: D) -> Result<String, D::Error> {
    let found = String::deserialize(from)?;
    let other = || D::Error::custom(format!("this is {found}, not {CERTIFICATE_FORMAT}"));
    if found == CERTIFICATE_FORMAT { Ok(found) } else { Err(other()) }
}

/// Writes a certificate as JSON.
pub fn write_certificate(file: &CertificateFile) -> String {
    let CertificateFile { model, switches, hash, properties, proof } = file;
    let raw = RawCertificate {
        format: CERTIFICATE_FORMAT.to_owned(),
        model: model.clone(),
        switches: switches.clone(),
        model_hash: hash.clone(),
        properties: properties.clone(),
        evidence: proof,
    };
    let mut text = serde_json::to_string(&raw).expect("plain data has a JSON form");
    text.push('\n');
    text
}

/// Reads a certificate. Only the form is checked here: what it says may be nonsense.
pub fn read_certificate(text: &str) -> Result<CertificateFile, FileError> {
    read_certificate_from(text.as_bytes())
}

/// Reads a certificate as it comes, and keeps nothing but what it says.
pub fn read_certificate_from(from: impl io::Read) -> Result<CertificateFile, FileError> {
    let raw: RawCertificate<Proof> =
        serde_json::from_reader(io::BufReader::new(from)).map_err(|error| {
            let what = if error.is_syntax() { "not JSON: " } else { "" };
            FileError(format!("{what}{error}"))
        })?;
    let RawCertificate { model, switches, model_hash: hash, properties, evidence, .. } = raw;
    Ok(CertificateFile { model, switches, hash, properties, proof: evidence })
}

/// A set of configurations as it stands in a file.
#[derive(Deserialize)]
pub(crate) struct RawSet {
    locals: Vec<Vec<String>>,
    messages: Vec<String>,
    contents: Vec<Content>,
    stores: Vec<String>,
    queues: usize,
    /// A diagram has none.
    #[serde(default)]
    rows: rows::Rows,
}

impl TryFrom<RawSet> for ClosedSet {
    type Error = String;

    fn try_from(raw: RawSet) -> Result<Self, String> {
        let RawSet { locals, messages, contents, stores, queues: n_queues, rows } = raw;
        // Without this, a file of one line could ask for rows of any size.
        if n_queues > QUEUES_MAX {
            return Err(format!("rows with more than {QUEUES_MAX} cells are not read"));
        }
        let rows::Rows { cells, width } = rows;
        let set = Self { locals, messages, contents, stores, n_queues, cells };
        if !set.cells.is_empty() && width != set.width() {
            return Err(format!("row 0 has {width} cells"));
        }
        Ok(set)
    }
}

/// The path of the model that a trace or certificate is about, and how it was read.
pub fn model_of(text: &str) -> Result<(String, Switches), FileError> {
    #[derive(Deserialize)]
    struct About {
        format: String,
        model: String,
        #[serde(default)]
        switches: Switches,
    }
    let about: About = serde_json::from_str(text)
        .map_err(|error| FileError(format!("not a trace or certificate: {error}")))?;
    if [TRACE_FORMAT, CERTIFICATE_FORMAT].contains(&about.format.as_str()) {
        Ok((about.model, about.switches))
    } else {
        Err(FileError(format!("unknown format {}", about.format)))
    }
}

/// Reads what is small.
fn parse<T: for<'a> Deserialize<'a>>(text: &str, format: &str) -> Result<T, FileError> {
    let value: serde_json::Value =
        serde_json::from_str(text).map_err(|error| FileError(format!("not JSON: {error}")))?;
    match value.get("format").and_then(serde_json::Value::as_str) {
        Some(found) if found == format => {}
        Some(found) => return Err(FileError(format!("this is {found}, not {format}"))),
        None => return Err(FileError(format!("this is not a {format} file"))),
    }
    serde_json::from_value(value).map_err(|error| FileError(error.to_string()))
}

#[cfg(test)]
mod tests;
