//! `compare`: the same model, checked by another tool as well.

mod pan;
mod process;
mod spin;
mod judge;

use std::sync::atomic::{AtomicBool, Ordering};

use qp_report::comparison::{self, ComparedRun, Comparison};
use queueproof::{Granularity, Language, Loaded, Options, Report, Switches, VerdictWord};

use crate::args::{Format, SpinArgs};
use crate::exit::{Exit, Trouble};
use crate::files::{self, LoadError, RealDisk, Wanted};
use crate::{check, print};
use judge::{Answer, judge};
use pan::Mistake;
use spin::{Searched, Setting, Spin, Tools};

/// What is asked about single states; everything else is about infinite runs.
const OF_STATES: [&str; 2] = ["assert", "deadlock"];

pub(crate) fn spin(args: &SpinArgs) -> Result<Exit, Trouble> {
    // Whatever the name does not say is left to SPIN.
    let language = Language::of(&args.path.to_string_lossy());
    if language.is_some_and(|it| it != Language::Promela) {
        let message = format!("{}: SPIN reads Promela models only", args.path.display());
        return Err(Trouble::usage(message));
    }
    let switches = Switches {
        language: language.is_none().then_some(Language::Promela),
        defines: args.defines.clone(),
        granularity: Some(Granularity::Statement),
        fair: args.fair,
        ..Switches::default()
    };
    let wanted = Wanted { path: args.path.clone(), switches, input_max: files::INPUT_MAX };
    let loaded = files::load(&wanted, &args.look)?;
    let missing = |message| Trouble::new(Exit::Unknown, message);
    let tools = Tools::find(args.compiler.as_deref()).map_err(missing)?;
    let gathered = queueproof::gather(
        &RealDisk { bytes_max: wanted.input_max },
        &wanted.path,
        &wanted.switches,
    )
    .map_err(|error| Trouble::from(LoadError::from(error)))?;
    let options = Options {
        time: args.time.0,
        memory_bytes: args.memory,
        states_max: args.steps,
        jobs: args.jobs.unwrap_or(Options::default().jobs).max(1),
        cancelled: check::cancelled_by_ctrl_c(),
        ..Options::default()
    };
    let cancelled = options.cancelled.clone();
    let ours = ours(&loaded, &options);
    let no_room =
        |error| Trouble::new(Exit::Unknown, format!("cannot write files for SPIN: {error}"));
    let mut spin = Spin::new(tools, &gathered, &args.defines, &cancelled).map_err(no_room)?;
    (spin.time, spin.memory_bytes) = (args.time.0, args.memory);
    let comparison = compare(&loaded, ours, &spin, args.fair);
    match args.format {
        Format::Text => print(&comparison::text(&comparison)),
        Format::Json => print(&comparison::json(&comparison)),
    }
    Ok(exit(&comparison, &cancelled))
}

fn exit(comparison: &Comparison, cancelled: &AtomicBool) -> Exit {
    if cancelled.load(Ordering::Relaxed) {
        Exit::Interrupted
    } else if !comparison.differences.is_empty() {
        Exit::Violated
    } else if !comparison.gaps.is_empty() {
        Exit::Unknown
    } else {
        Exit::Fine
    }
}

/// What our search says.
struct Ours {
    /// Ids and verdicts, those about states first.
    verdicts: Vec<(String, VerdictWord)>,
    run: ComparedRun,
    /// Why the count is not complete, if it is not.
    gap: Option<String>,
}

/// Counts all states with the declared capacities, then looks at infinite runs.
fn ours(loaded: &Loaded, options: &Options) -> Ours {
    let bound = loaded.capacity_max().max(1);
    let of_states = Options {
        engines: vec!["explore".to_owned()],
        properties: OF_STATES.map(str::to_owned).to_vec(),
        bound_first: bound,
        bound_max: bound,
        exhaustive: true,
        ..options.clone()
    };
    let counted = queueproof::check(loaded, &of_states, &of_states.budget()).report;
    let of_runs = of_infinite_runs(loaded);
    let mut verdicts = verdicts(&counted);
    let engine = counted.engine("explore");
    let time_s = engine.map(|engine| engine.time_s);
    // What looking at infinite runs holds is not part of what is compared.
    let memory_bytes = crate::memory::peak();
    if !of_runs.is_empty() {
        let of_runs = Options { properties: of_runs, bound_max: bound, ..options.clone() };
        verdicts
            .extend(self::verdicts(&queueproof::check(loaded, &of_runs, &of_runs.budget()).report));
    }
    let last = engine.and_then(|engine| engine.bounds.last());
    let hit = counted.limits.hit.iter().find(|hit| *hit != "bound");
    let gap = match (hit, last) {
        (Some(limit), _) => Some(format!("the limit on {limit} was met")),
        (None, None) => Some("the search did not end".to_owned()),
        (None, Some(_)) => None,
    };
    let word = |(id, word): &(String, VerdictWord)| (id.clone(), word.word());
    let run = ComparedRun {
        tool: "queueproof",
        setting: "statements",
        verdicts: verdicts.iter().map(word).collect(),
        states: last.map(|explored| explored.states),
        transitions: last.map(|explored| explored.transitions),
        time_s,
        memory_bytes,
    };
    Ours { verdicts, run, gap }
}

fn verdicts(report: &Report) -> Vec<(String, VerdictWord)> {
    report.properties.iter().map(|it| (it.id.clone(), it.verdict)).collect()
}

/// The ids of what a model demands of infinite runs.
fn of_infinite_runs(loaded: &Loaded) -> Vec<String> {
    let outline = loaded.model.outline();
    let mut ids: Vec<String> = outline.ltl.iter().map(|it| format!("ltl:{}", it.name)).collect();
    ids.extend(outline.has_progress.then(|| "livelock".to_owned()));
    ids.extend(outline.has_accepting.then(|| "accept".to_owned()));
    ids
}

/// Runs SPIN in all its ways and compares.
fn compare(loaded: &Loaded, ours: Ours, spin: &Spin<'_>, fair: bool) -> Comparison {
    let unmerged = spin.search(&safety(&["-o1", "-o2", "-o3"], &["-DNOREDUCE"]));
    let fastest = spin.search(&safety(&[], &[]));
    let mut answers = vec![
        of_states("assert", &unmerged, Mistake::Failure),
        of_states("deadlock", &unmerged, Mistake::InvalidEnd),
    ];
    for (id, _) in ours.verdicts.iter().filter(|(id, _)| !OF_STATES.contains(&id.as_str())) {
        let searched = spin.search(&cycles(id, fair));
        answers.push(of_runs(id, &searched, answers[0].violated));
    }
    let fastest_answers = [
        of_states("assert", &fastest, Mistake::Failure),
        of_states("deadlock", &fastest, Mistake::InvalidEnd),
    ];
    let judged =
        judge(&ours, &answers, &fastest_answers, unmerged.as_ref().ok().map(|it| &it.said));
    let fastest = run("fastest", &fastest, &fastest_answers);
    let unmerged = run("unmerged", &unmerged, &answers);
    Comparison {
        path: loaded.source.name.clone(),
        options: loaded.switches.arguments(),
        runs: vec![ours.run, unmerged, fastest],
        differences: judged.differences,
        same: judged.same,
        gaps: judged.gaps,
        notes: judged.notes,
    }
}

/// SPIN without looking at infinite runs. It goes on after a mistake, so that counts are of everything.
fn safety(generate: &'static [&'static str], more: &[&'static str]) -> Setting {
    let compile = [&["-DSAFETY", "-DNOCLAIM"][..], more].concat();
    Setting { generate, compile, run: ["-n", "-c0"].map(str::to_owned).to_vec() }
}

/// SPIN looking for a wrong infinite run, and for nothing else. Without reduction, which is not right for
/// every model.
fn cycles(id: &str, fair: bool) -> Setting {
    let mut run: Vec<String> = ["-n", "-E"].map(str::to_owned).to_vec();
    let mut compile = vec!["-DNOREDUCE"];
    match id.strip_prefix("ltl:") {
        // SPIN makes an assertion in its claim of a formula that says what must always hold.
        Some(name) => {
            let name = if name == "never" { "never_0" } else { name };
            run.extend(["-a", "-N", name].map(str::to_owned));
        }
        None if id == "livelock" => {
            compile.extend(["-DNP", "-DNOCLAIM"]);
            run.extend(["-l", "-A"].map(str::to_owned));
        }
        None => {
            compile.push("-DNOCLAIM");
            run.extend(["-a", "-A"].map(str::to_owned));
        }
    }
    run.extend(fair.then(|| "-f".to_owned()));
    Setting { generate: &["-o1", "-o2", "-o3"], compile, run }
}

/// A failure in a search for infinite runs is one of the claim, unless statements of processes can fail.
fn of_runs(id: &str, searched: &Result<Searched, String>, fails: bool) -> Answer {
    let mut answer = of_states(id, searched, Mistake::Cycle);
    let failed = of_states(id, searched, Mistake::Failure).violated;
    if !answer.violated && failed {
        let why = "SPIN stopped at an assertion, of the claim or of a process";
        (answer.violated, answer.gap) = (!fails, fails.then(|| why.to_owned()).or(answer.gap));
    }
    answer
}

fn of_states(id: &str, searched: &Result<Searched, String>, mistake: Mistake) -> Answer {
    let (violated, gap) = match searched {
        Ok(searched) => (searched.said.mistakes.contains(&mistake), searched.said.gap.clone()),
        Err(why) => (false, Some(why.clone())),
    };
    Answer { id: id.to_owned(), violated, gap }
}

fn run(
    setting: &'static str,
    searched: &Result<Searched, String>,
    answers: &[Answer],
) -> ComparedRun {
    let said = searched.as_ref().ok().map(|searched| &searched.said);
    ComparedRun {
        tool: "spin",
        setting,
        verdicts: answers.iter().map(|answer| (answer.id.clone(), answer.word())).collect(),
        states: said.and_then(|said| said.stored),
        transitions: said.and_then(|said| said.transitions),
        time_s: searched.as_ref().ok().map(|searched| searched.time_s),
        memory_bytes: said.and_then(|said| said.memory_bytes),
    }
}
