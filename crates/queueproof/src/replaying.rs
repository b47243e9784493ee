//! Saved runs and certificates, taken up again.

use std::fmt;

use qp_check::{Referee, Ruling, Run, replay};
use qp_claim::{Claim, Shape, Trace, read_certificate, read_trace};
use qp_load::Switches;
use qp_machines::{Act, MachineId, Property, Step};

use crate::{Chart, Loaded, draw, rounds, words};

/// A run that was replayed.
pub struct Replayed {
    /// The run, ready to be drawn.
    pub chart: Chart,
    /// The id of the property it violates, if the file names one.
    pub property: Option<String>,
    /// What is wrong at its end.
    pub message: Option<String>,
    /// Something the user should know: the model has changed, for instance.
    pub warning: Option<String>,
    /// The run as a trail for SPIN's simulator, if it is a run of a Promela model that SPIN can follow.
    pub trail: Option<String>,
}

/// Why a run or a certificate was not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayError {
    /// The file is not what it should be.
    Unreadable(String),
    /// It says something that is not so.
    Refused(String),
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(text) | Self::Refused(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for ReplayError {}

/// The path of the model that a trace or certificate file is about, and how it was read.
pub fn model_of_file(text: &str) -> Result<(String, Switches), ReplayError> {
    let (model, pairs) =
        qp_claim::model_of(text).map_err(|error| ReplayError::Unreadable(error.0))?;
    let switches = Switches::from_pairs(&pairs).map_err(ReplayError::Unreadable)?;
    Ok((model, switches))
}

/// Replays a trace file and checks that it violates what it says it violates.
pub fn replay_file(loaded: &Loaded, text: &str) -> Result<Replayed, ReplayError> {
    let outline = loaded.model.outline();
    let file = read_trace(text, outline).map_err(|error| ReplayError::Unreadable(error.0))?;
    let property = Property::from_id(&file.property, outline).ok_or_else(|| {
        ReplayError::Refused(format!("the model has no property {}", file.property))
    })?;
    let warning = changed(loaded, &file.hash);
    // A replay is asked for one run: the referee may look as far as it needs to.
    let mut referee = Referee::new(&loaded.model, usize::MAX);
    let verdict = referee
        .check(property, &Claim::Violated(file.trace.clone()))
        .map_err(|rejected| ReplayError::Refused(rejected.0))?;
    let Ruling::Violated { trace, run, finding } = verdict.ruling() else {
        return Err(ReplayError::Refused("the run could not be confirmed".to_owned()));
    };
    let saying = words::finding(referee.system(), run, *finding);
    let chart = draw::chart(loaded, referee.system(), run, trace, Some(&saying));
    Ok(Replayed {
        chart: rounds::shown(property, chart),
        property: Some(file.property),
        message: Some(saying.message),
        warning,
        trail: trail(run, trace),
    })
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
    let chart = draw::chart(loaded, &system, &run, &trace, None);
    let trail = trail(&run, &trace);
    Ok(Replayed { chart, property: None, message: None, warning: None, trail })
}

/// A run as a trail for SPIN's simulator. Only runs of Promela models know the numbers of statements.
pub(crate) fn trail(run: &Run, trace: &Trace) -> Option<String> {
    if run.outcomes.iter().any(|outcome| outcome.acts.is_empty()) {
        return None;
    }
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
    let file = read_certificate(text).map_err(|error| ReplayError::Unreadable(error.0))?;
    let evidence = file.proof.extent();
    let warning = changed(loaded, &file.hash);
    let claim = Claim::Holds(file.proof);
    let mut referee = Referee::new(&loaded.model, usize::MAX);
    let mut proved = Vec::new();
    if file.properties.is_empty() {
        return Err(ReplayError::Refused("the certificate names no property".to_owned()));
    }
    for id in &file.properties {
        let property = Property::from_id(id, loaded.model.outline())
            .ok_or_else(|| ReplayError::Refused(format!("the model has no property {id}")))?;
        let verdict = referee
            .check(property, &claim)
            .map_err(|rejected| ReplayError::Refused(format!("{id}: {rejected}")))?;
        if !matches!(verdict.ruling(), Ruling::Proved(_)) {
            let text = format!("{id}: the evidence takes too long to check");
            return Err(ReplayError::Refused(text));
        }
        proved.push(property);
    }
    let reach = loaded.model.outline().reach(&proved);
    Ok(Verified { properties: file.properties, reach, evidence, warning })
}
