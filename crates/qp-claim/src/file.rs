//! The file formats of traces and certificates, documented in `docs/manual/certificates.md`.

mod cofinal;
mod diagram;
mod exchange;
mod flow;
mod search;
mod sends;
mod weighed;

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use qp_machines::{MachineId, Outline, QueueId, Qutl, Step};

use self::weighed::{RawWeighed, ranked_regular, raw_ranks, raw_weighed};
use crate::{
    ABSENT, ClosedSet, Content, Language, ListSet, Proof, QueueInvariant, RankedSet, ReducedSet,
    RegularSet, Shape, Trace,
};

use self::exchange::RawRounds;

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
const CERTIFICATE_FORMAT: &str = "queueproof.cert/1";

/// The kinds of certificates.
const CLOSED: &str = "closed";
const LISTS: &str = "lists";
const RANKED: &str = "ranked";
const REDUCED: &str = "reduced";
const REGULAR: &str = "regular";
const RANKED_REGULAR: &str = "ranked_regular";
const FLOW: &str = "flow";
const DIAGRAM: &str = "diagram";
const EXCHANGE: &str = "exchange";
const SEARCH: &str = "search";
const SENDS: &str = "sends";
const CORE: &str = "core";

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

/// What every certificate begins with.
#[derive(Serialize, Deserialize)]
struct Head {
    format: String,
    model: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    switches: Switches,
    model_hash: String,
    properties: Vec<String>,
    kind: String,
}

impl Head {
    /// The file with this head and a proof.
    fn about(self, proof: Proof) -> CertificateFile {
        let Self { model, switches, model_hash: hash, properties, .. } = self;
        CertificateFile { model, switches, hash, properties, proof }
    }
}

/// A head, and what certificates of its kind have.
#[derive(Serialize, Deserialize)]
struct Whole<B> {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    body: B,
}

fn write_body<B: Serialize>(file: &CertificateFile, kind: &str, body: B) -> String {
    let head = Head {
        format: CERTIFICATE_FORMAT.to_owned(),
        model: file.model.clone(),
        switches: file.switches.clone(),
        model_hash: file.hash.clone(),
        properties: file.properties.clone(),
        kind: kind.to_owned(),
    };
    let whole = Whole { head, body };
    let mut text = serde_json::to_string(&whole).expect("plain data has a JSON form");
    text.push('\n');
    text
}

fn read_body<B: for<'a> Deserialize<'a>>(text: &str) -> Result<(Head, B), FileError> {
    let Whole { head, body } = parse(text, CERTIFICATE_FORMAT)?;
    Ok((head, body))
}

/// What certificates with rows have.
#[derive(Serialize, Deserialize)]
struct RawCertificate {
    #[serde(flatten)]
    lists: Option<RawLists>,
    #[serde(flatten)]
    ranked: Option<RawRanked>,
    #[serde(flatten)]
    weighed: Option<RawWeighed>,
    /// What only a reduced set has: for each row, the machines whose steps alone are followed; none for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    only: Option<Vec<Vec<u32>>>,
    /// What only a regular set has: for each content, its language.
    #[serde(skip_serializing_if = "Option::is_none")]
    languages: Option<Vec<RawLanguage>>,
    /// What only a set of rounds has.
    #[serde(skip_serializing_if = "Option::is_none")]
    rounds: Option<RawRounds>,
    #[serde(flatten)]
    set: RawSet,
}

/// What only a set of lists has.
#[derive(Serialize, Deserialize)]
struct RawLists {
    prefix: u32,
    counted: u32,
    /// The number of a queue, and a formula as it is written.
    invariants: Vec<(u32, String)>,
}

/// What ranked sets have.
#[derive(Serialize, Deserialize)]
struct RawRanked {
    /// For each state of the automaton, the rank of each row, -1 for none.
    ranks: Vec<Vec<i64>>,
    /// For each rank.
    reasons: Vec<RawStays>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RawStays {
    NoneAccepts,
    NoStep,
    Waits(u32),
}

#[derive(Serialize, Deserialize)]
struct RawLanguage {
    accepting: Vec<bool>,
    steps: Vec<(u32, u32, u32)>,
}

fn raw_languages(regular: &RegularSet) -> Vec<RawLanguage> {
    let raw = |language: &Language| {
        let Language { accepting, steps } = language.clone();
        RawLanguage { accepting, steps }
    };
    regular.languages.iter().map(raw).collect()
}

fn regular(raw: Vec<RawLanguage>, set: ClosedSet) -> RegularSet {
    let language = |RawLanguage { accepting, steps }| Language { accepting, steps };
    RegularSet { set, languages: raw.into_iter().map(language).collect() }
}

#[derive(Serialize, Deserialize)]
struct RawContent {
    kind: u32,
    messages: Option<Vec<u32>>,
}

fn raw_content(content: &Content) -> RawContent {
    RawContent { kind: content.kind, messages: content.messages.clone() }
}

fn content(raw: RawContent) -> Content {
    Content { kind: raw.kind, messages: raw.messages }
}

fn raw_lists(lists: &ListSet) -> RawLists {
    let invariant = |i: &QueueInvariant| (i.queue.raw(), i.formula.to_string());
    RawLists {
        prefix: lists.prefix,
        counted: lists.counted,
        invariants: lists.invariants.iter().map(invariant).collect(),
    }
}

fn ranked(raw: RawRanked, set: ClosedSet) -> Result<RankedSet, FileError> {
    let (ranks, reasons) = weighed::ranks(raw)?;
    Ok(RankedSet { set: Arc::new(set), ranks, reasons })
}

fn reduced(only: Vec<Vec<u32>>, set: ClosedSet) -> ReducedSet {
    let machines = |raw: Vec<u32>| {
        (!raw.is_empty()).then(|| raw.into_iter().map(MachineId::from_raw).collect())
    };
    ReducedSet { set: Arc::new(set), machines: only.into_iter().map(machines).collect() }
}

/// A cell as it stands in a file.
fn raw_cell(cell: u32) -> i64 {
    if cell == ABSENT { -1 } else { i64::from(cell) }
}

fn cell(raw: i64) -> Option<u32> {
    if raw == -1 { Some(ABSENT) } else { u32::try_from(raw).ok() }
}

fn invariant((queue, text): (u32, String)) -> Result<QueueInvariant, FileError> {
    let formula = Qutl::parse(&text, 0)
        .map_err(|wrong| FileError(format!("the formula {text:?}: {}", wrong.message)))?;
    Ok(QueueInvariant { queue: QueueId::from_raw(queue), formula })
}

/// Writes a certificate as JSON.
pub fn write_certificate(file: &CertificateFile) -> String {
    let (mut languages, mut rounds, mut weighed) = (None, None, None);
    let (kind, set, lists, ranked, only) = match &file.proof {
        Proof::Closed(set) => (CLOSED, &**set, None, None, None),
        Proof::Regular(regular) => {
            languages = Some(raw_languages(regular));
            (REGULAR, &regular.set, None, None, None)
        }
        Proof::RankedRegular(ranked) => {
            languages = Some(raw_languages(&ranked.set));
            weighed = Some(raw_weighed(ranked));
            let ranks = raw_ranks(&ranked.ranks, &ranked.reasons);
            (RANKED_REGULAR, &ranked.set.set, None, Some(ranks), None)
        }
        Proof::Lists(lists) => (LISTS, &lists.set, Some(raw_lists(lists)), None, None),
        Proof::Ranked(ranked) => {
            let ranks = raw_ranks(&ranked.ranks, &ranked.reasons);
            (RANKED, &*ranked.set, None, Some(ranks), None)
        }
        Proof::Reduced(reduced) => {
            let only = |machines: &Option<Vec<MachineId>>| {
                machines.iter().flatten().map(|machine| machine.raw()).collect()
            };
            let only = reduced.machines.iter().map(only).collect();
            (REDUCED, &*reduced.set, None, None, Some(only))
        }
        Proof::Flow(flow) => return flow::write(file, flow),
        Proof::Diagram(set) => return diagram::write(file, set),
        Proof::Exchange(exchange) => {
            rounds = Some(exchange::raw(&exchange.rounds));
            (EXCHANGE, &exchange.set, None, None, None)
        }
        Proof::Search(search) => return search::write(file, *search),
        Proof::Sends(pairs) => return sends::write(file, pairs),
        Proof::Core(core) => return cofinal::write(file, core),
    };
    let raw = RawCertificate { lists, ranked, weighed, only, languages, rounds, set: raw_set(set) };
    write_body(file, kind, &raw)
}

/// Reads a certificate. Only the form is checked here: what it says may be nonsense.
pub fn read_certificate(text: &str) -> Result<CertificateFile, FileError> {
    match kind_of(text).as_deref() {
        Some(FLOW) => return flow::read(text),
        Some(DIAGRAM) => return diagram::read(text),
        Some(SEARCH) => return search::read(text),
        Some(SENDS) => return sends::read(text),
        Some(CORE) => return cofinal::read(text),
        _ => {}
    }
    let (head, raw): (Head, RawCertificate) = read_body(text)?;
    let kind = match (head.kind.as_str(), raw.lists, raw.ranked, raw.only) {
        (CLOSED, ..) => Kind::Closed,
        (REGULAR, ..) => Kind::Regular(
            raw.languages.ok_or_else(|| FileError("a regular set needs `languages`".to_owned()))?,
        ),
        (EXCHANGE, ..) => Kind::Exchange(
            raw.rounds.ok_or_else(|| FileError("a set of rounds needs `rounds`".to_owned()))?,
        ),
        (RANKED_REGULAR, _, Some(ranked), _) => {
            let (Some(languages), Some(weighed)) = (raw.languages, raw.weighed) else {
                let text =
                    "ranks with languages need `languages`, `potentials`, `blocks`, `weights`";
                return Err(FileError(text.to_owned()));
            };
            Kind::RankedRegular(languages, ranked, weighed)
        }
        (LISTS, Some(lists), ..) => Kind::Lists(lists),
        (RANKED, _, Some(ranked), _) => Kind::Ranked(ranked),
        (REDUCED, _, _, Some(only)) => Kind::Reduced(only),
        (LISTS, None, ..) => {
            let text = "a set of lists needs numbers `prefix` and `counted`, and `invariants`";
            return Err(FileError(text.to_owned()));
        }
        (RANKED | RANKED_REGULAR, _, None, _) => {
            return Err(FileError("a ranked set needs `ranks` and `reasons`".to_owned()));
        }
        (REDUCED, _, _, None) => return Err(FileError("a reduced set needs `only`".to_owned())),
        (kind, ..) => return Err(FileError(format!("unknown kind of certificate: {kind}"))),
    };
    let set = set_of(raw.set)?;
    let proof = match kind {
        Kind::Closed => Proof::Closed(Arc::new(set)),
        Kind::Regular(raw) => Proof::Regular(Arc::new(regular(raw, set))),
        Kind::Exchange(raw) => Proof::Exchange(Arc::new(exchange::exchange(raw, set)?)),
        Kind::RankedRegular(languages, ranks, weighed) => {
            Proof::RankedRegular(Arc::new(ranked_regular(regular(languages, set), ranks, weighed)?))
        }
        Kind::Ranked(raw) => Proof::Ranked(Arc::new(ranked(raw, set)?)),
        Kind::Reduced(only) => Proof::Reduced(Arc::new(reduced(only, set))),
        Kind::Lists(RawLists { prefix, counted, invariants }) => {
            let invariants = invariants.into_iter().map(invariant).collect::<Result<_, _>>()?;
            Proof::Lists(Arc::new(ListSet { set, prefix, counted, invariants }))
        }
    };
    Ok(head.about(proof))
}

/// A set of configurations as it stands in a file.
#[derive(Serialize, Deserialize)]
struct RawSet {
    locals: Vec<Vec<String>>,
    messages: Vec<String>,
    contents: Vec<RawContent>,
    stores: Vec<String>,
    queues: usize,
    rows: Vec<Vec<i64>>,
}

fn raw_set(set: &ClosedSet) -> RawSet {
    RawSet {
        locals: set.locals.clone(),
        messages: set.messages.clone(),
        contents: set.contents.iter().map(raw_content).collect(),
        stores: set.stores.clone(),
        queues: set.n_queues,
        rows: set.rows().map(|row| row.iter().copied().map(raw_cell).collect()).collect(),
    }
}

fn set_of(raw: RawSet) -> Result<ClosedSet, FileError> {
    // Without this, a file of one line could ask for rows of any size.
    if raw.queues > QUEUES_MAX {
        return Err(FileError(format!("rows with more than {QUEUES_MAX} cells are not read")));
    }
    let mut set = ClosedSet {
        locals: raw.locals,
        messages: raw.messages,
        contents: raw.contents.into_iter().map(content).collect(),
        stores: raw.stores,
        n_queues: raw.queues,
        cells: Vec::new(),
    };
    for (number, row) in raw.rows.iter().enumerate() {
        if row.len() != set.width() {
            return Err(FileError(format!("row {number} has {} cells", row.len())));
        }
        for &raw in row {
            let bad = || FileError(format!("row {number} has the cell {raw}"));
            set.cells.push(cell(raw).ok_or_else(bad)?);
        }
    }
    Ok(set)
}

/// The kind of a certificate, if it says so.
fn kind_of(text: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct About {
        kind: String,
    }
    serde_json::from_str(text).ok().map(|about: About| about.kind)
}

/// What a certificate has besides its rows.
enum Kind {
    Closed,
    Regular(Vec<RawLanguage>),
    Exchange(RawRounds),
    Lists(RawLists),
    RankedRegular(Vec<RawLanguage>, RawRanked, RawWeighed),
    Ranked(RawRanked),
    Reduced(Vec<Vec<u32>>),
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
