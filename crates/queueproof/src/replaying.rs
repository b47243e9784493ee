//! Saved runs and certificates, taken up again.

use std::fmt;

use qp_check::{Referee, Ruling, Run, replay};
use qp_claim::{Claim, Shape, Trace, TraceFile, read_certificate, read_trace};
use qp_load::Switches;
use qp_machines::{Act, MachineId, Property, Step};

use crate::names::Names;
use crate::{Chart, Loaded, Options, draw, rounds};

/// A run that was replayed.
pub struct Replayed {
    /// The run, ready to be drawn.
    pub chart: Chart,
    /// The id of the property that it is about, if the file names one.
    pub property: Option<String>,
    /// What became of it.
    pub standing: Standing,
    /// Something the user should know: the model has changed, for instance.
    pub warning: Option<String>,
    /// The run as a trail for SPIN's simulator, if it is a run of a Promela model that SPIN can follow.
    pub trail: Option<String>,
}

/// What became of a run that was taken up again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Nobody says that it violates anything.
    Taken,
    /// It violates what its file says; this is wrong at its end.
    Violates(String),
    /// The model has changed: the run can be taken, and no longer violates what its file says.
    Harmless,
    /// The model has changed: this step can no longer be taken.
    Impossible(String),
    /// The model has changed, and whether the run still violates anything cannot be said.
    Unknown(String),
}

/// Why a run or a certificate was not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayError {
    /// The file is not what it should be.
    Unreadable(String),
    /// It says something that is not so.
    Refused(String),
    /// It says something that is not so of the model as it is now, which has changed since.
    Outdated(String),
    /// A limit was met before that was known.
    Unchecked(String),
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(text)
            | Self::Refused(text)
            | Self::Outdated(text)
            | Self::Unchecked(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for ReplayError {}

/// The path of the model that a trace or certificate file is about, and how it was read.
pub fn model_of_file(text: &str) -> Result<(String, Switches), ReplayError> {
    let (model, pairs) = qp_claim::model_of(text).map_err(unreadable)?;
    let switches = Switches::from_pairs(&pairs).map_err(ReplayError::Unreadable)?;
    Ok((model, switches))
}

/// Replays a trace file and checks that it violates what it says it violates. In a model that has changed since the
/// file was written it may no longer do so, which is no mistake of the file.
pub fn replay_file(loaded: &Loaded, text: &str) -> Result<Replayed, ReplayError> {
    let outline = loaded.model.outline();
    let file = read_trace(text, outline).map_err(unreadable)?;
    let warning = changed(loaded, &file.hash);
    let property = Property::from_id(&file.property, outline);
    let refusal = match property.map(|property| judge(loaded, property, &file)) {
        Some(Ok(replayed)) => return Ok(Replayed { warning, ..replayed }),
        Some(Err(refusal)) => refusal,
        None => Refusal::Unknown(format!("the model has no property {}", file.property)),
    };
    if warning.is_none() {
        let (Refusal::Rejected(text) | Refusal::Unknown(text)) = refusal;
        return Err(ReplayError::Refused(text));
    }
    Ok(Replayed { warning, ..outdated(loaded, file, refusal) })
}

fn unreadable(error: qp_claim::FileError) -> ReplayError {
    ReplayError::Unreadable(error.0)
}

/// Why the referee does not say that a run violates something.
enum Refusal {
    /// It does not.
    Rejected(String),
    /// Nobody can tell.
    Unknown(String),
}

/// The run, if the referee confirms what its file says.
fn judge(loaded: &Loaded, property: Property, file: &TraceFile) -> Result<Replayed, Refusal> {
    // A replay is asked for one run: the referee may look as far as it needs to.
    let mut referee = Referee::new(&loaded.model, usize::MAX);
    let verdict = referee
        .check(property, &Claim::Violated(file.trace.clone()))
        .map_err(|rejected| Refusal::Rejected(rejected.0))?;
    let Ruling::Violated { trace, run, finding } = verdict.ruling() else {
        return Err(Refusal::Unknown("the run could not be confirmed".to_owned()));
    };
    let (saying, chart) = draw::told(loaded, referee.system(), run, trace, *finding);
    Ok(Replayed {
        chart: rounds::shown(property, chart),
        property: Some(file.property.clone()),
        standing: Standing::Violates(saying.message),
        warning: None,
        trail: trail(run, trace),
    })
}

/// What is left of a run in a model that has changed: as many of its steps as can be taken.
fn outdated(loaded: &Loaded, file: TraceFile, refusal: Refusal) -> Replayed {
    let TraceFile { trace, property, .. } = file;
    let mut system = loaded.model.system();
    let mut run = Run { initial: system.initial(), outcomes: Vec::new() };
    for &step in &trace.steps {
        let Some(outcome) = system.fire(run.last(), step) else { break };
        run.outcomes.push(outcome);
    }
    let taken = run.outcomes.len();
    let standing = match (trace.steps.get(taken), refusal) {
        (Some(step), _) => {
            let who = Names::of_run(&system, &run).machine(step.machine);
            Standing::Impossible(format!("step {} of {who} is not possible", taken + 1))
        }
        (None, Refusal::Rejected(_)) => Standing::Harmless,
        (None, Refusal::Unknown(why)) => Standing::Unknown(why),
    };
    let shown = Trace::finite(trace.steps[..taken].to_vec());
    let chart = draw::plain(loaded, &system, &run, &shown);
    let trail = trail(&run, &shown);
    Replayed { chart, property: Some(property), standing, warning: None, trail }
}

fn changed(loaded: &Loaded, hash: &str) -> Option<String> {
    let same = hash == loaded.hash;
    (!same).then(|| "the model has changed since this file was written".to_owned())
}

/// Replays choices written as `machine.choice`.
pub fn replay_choices(loaded: &Loaded, choices: &[String]) -> Result<Replayed, ReplayError> {
    let parse = |text: &String| {
        let (machine, choice) = text.split_once('.')?;
        let machine = MachineId::from_raw(machine.parse().ok()?);
        Some(Step { machine, choice: choice.parse().ok()? })
    };
    let steps: Result<Vec<Step>, ReplayError> = choices
        .iter()
        .map(|text| {
            let wrong =
                || ReplayError::Unreadable(format!("{text} is not of the form MACHINE.CHOICE"));
            parse(text).ok_or_else(wrong)
        })
        .collect();
    let trace = Trace::finite(steps?);
    let mut system = loaded.model.system();
    let run =
        replay(&mut system, &trace.steps).map_err(|rejected| ReplayError::Refused(rejected.0))?;
    let chart = draw::plain(loaded, &system, &run, &trace);
    let trail = trail(&run, &trace);
    let standing = Standing::Taken;
    Ok(Replayed { chart, property: None, standing, warning: None, trail })
}

/// A run as a trail for SPIN's simulator. Only runs of Promela models know the numbers of statements.
pub(crate) fn trail(run: &Run, trace: &Trace) -> Option<String> {
    let turns: Vec<&[Act]> = run.outcomes.iter().map(|outcome| &outcome.acts[..]).collect();
    let cycle = match trace.shape {
        Shape::Finite => None,
        Shape::Lasso { from } => Some(from),
        // SPIN's channels do not grow.
        Shape::Pump { .. } | Shape::Family { .. } => return None,
    };
    qp_load::trail(&turns, cycle, None)
}

/// A certificate that was accepted.
#[derive(Debug)]
pub struct Verified {
    /// The ids of what it proves.
    pub properties: Vec<String>,
    /// How far that reaches, if not to the end of every run; else empty.
    pub reach: String,
    /// What it is and how large, in words.
    pub evidence: String,
    /// Something the user should know: the model has changed, for instance.
    pub warning: Option<String>,
}

/// Checks a certificate file against a model.
pub fn verify_certificate(loaded: &Loaded, text: &str) -> Result<Verified, ReplayError> {
    let file = read_certificate(text).map_err(unreadable)?;
    let evidence = file.proof.extent();
    let warning = changed(loaded, &file.hash);
    let refused = |text: String| match warning {
        Some(_) => ReplayError::Outdated(text),
        None => ReplayError::Refused(text),
    };
    let claim = Claim::Holds(file.proof);
    let mut referee = Referee::new(&loaded.model, usize::MAX).with_jobs(Options::default().jobs);
    let mut proved = Vec::new();
    if file.properties.is_empty() {
        return Err(ReplayError::Refused("the certificate names no property".to_owned()));
    }
    for id in &file.properties {
        let property = Property::from_id(id, loaded.model.outline())
            .ok_or_else(|| refused(format!("the model has no property {id}")))?;
        let verdict = referee
            .check(property, &claim)
            .map_err(|rejected| refused(format!("{id}: {rejected}")))?;
        if !matches!(verdict.ruling(), Ruling::Proved(_)) {
            let text = format!("{id}: a limit was met before everything was checked");
            return Err(ReplayError::Unchecked(text));
        }
        proved.push(property);
    }
    let reach = loaded.model.outline().reach(&proved);
    Ok(Verified { properties: file.properties, reach, evidence, warning })
}
