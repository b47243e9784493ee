//! The product against the reference, on one system.

use std::ops::RangeInclusive;

use queueproof::{
    Checked, Loaded, Options, QueueStatus, Report, VerdictWord, check, load, replay_file,
    verify_certificate,
};

use crate::net::Net;
use crate::reference::{Finding, Reached};

/// What a comparison came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compared {
    /// Everything agrees; the number is that of all configurations at the last bound.
    Agrees(usize),
    /// The reference would take too long.
    TooLarge,
}

/// What the tool must say about a property: least bound and shortest run of a violation included.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The property's id.
    pub id: String,
    /// The verdict.
    pub verdict: VerdictWord,
    /// For a violation: the bound at which it was found, and the length of the run.
    pub figures: Option<(u32, usize)>,
}

/// What the reference says about a system.
pub struct Truth {
    /// States and transitions at each bound, up to the one at which nothing is cut.
    pub counts: Vec<(u64, u64)>,
    /// One line per property.
    pub lines: Vec<Line>,
    /// For each queue that has one: the exact bound.
    pub bounds: Option<Vec<usize>>,
}

/// Works out the truth with queues of these lengths. `None` if it has more than `most` configurations.
pub fn truth(net: &Net, bounds: RangeInclusive<u32>, most: usize) -> Option<Truth> {
    let mut reached: Vec<Reached> = Vec::new();
    let bound_first = *bounds.start();
    for bound in bounds {
        reached.push(Reached::explore(net, bound as usize, most)?);
        if reached.last().is_some_and(Reached::is_complete) {
            break;
        }
    }
    let last = reached.last().expect("there is a bound");
    let line = |id: &str, find: &dyn Fn(&Reached) -> Finding| {
        let mut line = Line { id: id.to_owned(), verdict: VerdictWord::Unknown, figures: None };
        for (reached, bound) in reached.iter().zip(bound_first..) {
            match find(reached) {
                Finding::Violated(steps) => {
                    line.verdict = VerdictWord::Violated;
                    line.figures = Some((bound, steps));
                    break;
                }
                Finding::Proved => line.verdict = VerdictWord::Proved,
                Finding::Open => {}
            }
        }
        line
    };
    let mut lines = vec![
        line("assert", &Reached::assert),
        line("unhandled", &|r| r.unhandled(net)),
        line("deadlock", &|r| r.deadlock(net)),
        line("stuck", &|r| r.stuck(net)),
        line("orphan", &Reached::orphan),
    ];
    if !has_failures(net) {
        lines[0].verdict = VerdictWord::None;
    }
    // A deferred message may wait for ever although others are taken: nobody claims that it does not.
    if lines[4].verdict == VerdictWord::Proved && last.skips() {
        lines[4].verdict = VerdictWord::Unknown;
    }
    // Where nothing is ever queued, there is nothing that somebody might not take.
    let silent = last.is_complete() && (0..net.queues.len()).all(|queue| last.longest(queue) == 0);
    let is_safe = matches!(lines[0].verdict, VerdictWord::Proved | VerdictWord::None);
    for number in [1, 4] {
        if silent && is_safe && lines[number].verdict == VerdictWord::Proved {
            lines[number].verdict = VerdictWord::None;
        }
    }
    for (machine, state, conditions) in bad_states(net) {
        lines.push(line(&format!("reach:{machine}.{state}"), &|r| r.reach(&conditions)));
    }
    for (number, conditions) in net.bad.iter().enumerate() {
        lines.push(line(&format!("reach:B{number}"), &|r| r.reach(conditions)));
    }
    let bounds = (0..net.queues.len()).map(|queue| last.longest(queue)).collect();
    Some(Truth {
        counts: reached.iter().map(|r| (r.moments.len() as u64, r.n_transitions)).collect(),
        bounds: last.is_complete().then_some(bounds),
        lines,
    })
}

fn has_failures(net: &Net) -> bool {
    let states = net.machines.iter().flat_map(|machine| &machine.states);
    states.flat_map(|state| &state.edges).any(|edge| edge.act == crate::net::Act::Fail)
}

fn bad_states(net: &Net) -> Vec<(String, String, Vec<crate::net::Condition>)> {
    let mut all = Vec::new();
    for (machine, of) in net.machines.iter().enumerate() {
        for (state, it) in of.states.iter().enumerate().filter(|(_, it)| it.bad) {
            let condition = crate::net::Condition::In { machine, states: vec![state] };
            all.push((of.name.clone(), it.name.clone(), vec![condition]));
        }
    }
    all
}

/// Loads the text of a system.
pub fn loaded(net: &Net) -> Result<Loaded, String> {
    load("random.cfsm", net.text().as_bytes())
        .map_err(|refused| format!("refused: {:?}", refused.diagnostics))
}

/// Runs the tool.
pub fn run(loaded: &Loaded, bound_max: u32, jobs: usize, exhaustive: bool) -> Checked {
    run_with(loaded, Options { bound_max, jobs, exhaustive, ..Options::default() })
}

/// The reference knows what happens up to a queue length; random runs and a search that goes on where that is cheap know
/// no such thing, and find what is true beyond it.
fn run_with(loaded: &Loaded, options: Options) -> Checked {
    let engines = vec!["explore".to_owned()];
    let options = Options { time: None, bound_rises: false, engines, ..options };
    check(loaded, &options, &options.budget())
}

/// Compares everything that is comparable. An error says what differs.
pub fn compare(net: &Net, bound_max: u32, most: usize) -> Result<Compared, String> {
    let Some(truth) = truth(net, 1..=bound_max, most) else { return Ok(Compared::TooLarge) };
    let loaded = loaded(net)?;
    for (jobs, exhaustive) in [(1, true), (2, false)] {
        let checked = run(&loaded, bound_max, jobs, exhaustive);
        agrees(&truth, &truth.lines, net, &checked, exhaustive)
            .map_err(|p| format!("jobs {jobs}: {p}"))?;
        stands(&loaded, &checked)?;
    }
    Ok(Compared::Agrees(truth.counts.last().map_or(0, |counts| counts.0 as usize)))
}

/// Compares the ways of asking that lead through other parts of the search: one property alone, a first
/// bound above one, and limits that cut the search short.
pub fn compare_variants(net: &Net, bound_max: u32, most: usize, pick: usize) -> Result<(), String> {
    let Some(truth) = truth(net, 1..=bound_max, most) else { return Ok(()) };
    let Some(late) = self::truth(net, bound_max..=bound_max, most) else { return Ok(()) };
    let loaded = loaded(net)?;
    let id = truth.lines[pick % truth.lines.len()].id.clone();
    let alone = Options { properties: vec![id.clone()], bound_max, jobs: 1, ..Options::default() };
    let (wide, jobs) = (late.lines.len(), 1);
    for (what, truth, n_lines, options) in [
        ("alone", &truth, 1, alone.clone()),
        ("alone and late", &late, 1, Options { bound_first: bound_max, ..alone }),
        (
            "late",
            &late,
            wide,
            Options { bound_first: bound_max, bound_max, jobs, ..Options::default() },
        ),
    ] {
        let checked = run_with(&loaded, options);
        no_errors(&checked)?;
        let lines = lines(&checked.report);
        let wrong = lines.iter().find(|line| !truth.lines.contains(line));
        if wrong.is_some() || lines.len() != n_lines {
            return Err(format!("{what}: {wrong:?} is not among {:?}", truth.lines));
        }
        stands(&loaded, &checked)?;
    }
    bounded_alone(&truth, &loaded, bound_max)?;
    for states_max in [1, 7, 40] {
        let options = Options { states_max, bound_max, jobs: 1, ..Options::default() };
        let checked = run_with(&loaded, options);
        no_errors(&checked).map_err(|problem| format!("with {states_max} states: {problem}"))?;
        stands(&loaded, &checked)?;
        for found in lines(&checked.report) {
            let line = truth.lines.iter().find(|line| line.id == found.id);
            if found.verdict != VerdictWord::Unknown
                && line.map(|l| l.verdict) != Some(found.verdict)
            {
                return Err(format!("with {states_max} states: {found:?} instead of {line:?}"));
            }
        }
    }
    Ok(())
}

fn bounded_alone(truth: &Truth, loaded: &Loaded, bound_max: u32) -> Result<(), String> {
    let properties = vec!["bounded".to_owned()];
    let options = Options { properties, bound_max, jobs: 1, ..Options::default() };
    let checked = run_with(loaded, options);
    no_errors(&checked)?;
    stands(loaded, &checked)?;
    let found = checked.report.properties[0].verdict;
    let proved = matches!(found, VerdictWord::Proved | VerdictWord::ProvedUpToFailure);
    let fine = match &truth.bounds {
        // Where nothing is ever queued there is nothing to bound.
        Some(bounds) => proved || found == VerdictWord::None && bounds.iter().all(|&it| it == 0),
        None => !proved,
    };
    if fine { Ok(()) } else { Err(format!("bounded: {found:?} but {:?}", truth.bounds)) }
}

pub(crate) fn no_errors(checked: &Checked) -> Result<(), String> {
    let error = checked.errors.first();
    error.map_or(Ok(()), |error| Err(format!("internal error: {}", error.message)))
}

/// Whether these lines of the truth are what was found, and nothing else was, but for infinite runs and hints that are
/// false.
pub(crate) fn agrees(
    truth: &Truth,
    expected: &[Line],
    net: &Net,
    checked: &Checked,
    exhaustive: bool,
) -> Result<(), String> {
    no_errors(checked)?;
    let mut lines = lines(&checked.report);
    let is_other =
        |id: &str| id == "livelock" || id.starts_with("ltl:") || id.starts_with("invariant:");
    lines.retain(|line| !is_other(&line.id));
    for line in expected {
        let found = lines.iter().find(|found| found.id == line.id);
        if found != Some(line) {
            return Err(format!("expected {line:?}, found {found:?}"));
        }
    }
    if lines.len() != expected.len() {
        return Err(format!("{} answers instead of {}", lines.len(), expected.len()));
    }
    if exhaustive {
        let bounds = &checked.report.engines[0].bounds;
        let counts: Vec<(u64, u64)> = bounds.iter().map(|e| (e.states, e.transitions)).collect();
        if counts != truth.counts {
            return Err(format!("expected counts {:?}, found {counts:?}", truth.counts));
        }
        queues_agree(truth, net, &checked.report)?;
    }
    Ok(())
}

/// The lines of a report.
pub fn lines(report: &Report) -> Vec<Line> {
    // What comes behind a failure is no part of the truth that is compared, and must be said where one is possible.
    let failing = report.properties.iter().find(|it| it.id == "assert").map(|it| it.verdict);
    let limited = matches!(failing, Some(VerdictWord::Violated | VerdictWord::Unknown));
    let line = |property: &queueproof::PropertyReport| Line {
        id: property.id.clone(),
        verdict: match property.verdict {
            VerdictWord::ProvedUpToFailure if limited || failing.is_none() => VerdictWord::Proved,
            VerdictWord::Proved if limited && property.id != "assert" => VerdictWord::None,
            verdict => verdict,
        },
        figures: property
            .trace
            .as_ref()
            .map(|trace| (property.explored.map_or(0, |e| e.bound), trace.choices.len())),
    };
    report.properties.iter().map(line).collect()
}

fn queues_agree(truth: &Truth, net: &Net, report: &Report) -> Result<(), String> {
    for (number, queue) in net.queues.iter().enumerate() {
        let Some(found) = report.queues.iter().find(|found| found.name == queue.name) else {
            // Mailboxes that nobody uses are not reported; so they are never used.
            let used = truth.bounds.as_ref().is_some_and(|bounds| bounds[number] > 0);
            if used || report.model.discipline != "mailbox" {
                return Err(format!("there is no queue {}", queue.name));
            }
            continue;
        };
        let fine = match (&truth.bounds, found.status) {
            (Some(bounds), status) => status == QueueStatus::Bounded(bounds[number] as u32),
            (None, QueueStatus::Bounded(_)) => false,
            (None, QueueStatus::Unbounded | QueueStatus::Unknown) => true,
        };
        if !fine {
            let bounds = truth.bounds.as_ref().map(|bounds| bounds[number]);
            return Err(format!("queue {}: {bounds:?}, found {:?}", queue.name, found.status));
        }
    }
    Ok(())
}

/// What was kept stands up when it is taken up again, and pumps go on for twenty turns.
pub(crate) fn stands(loaded: &Loaded, checked: &Checked) -> Result<(), String> {
    let ours = checked.artifacts.iter().filter(|artifact| !artifact.is_trail());
    for artifact in ours {
        if artifact.name.starts_with("certificate") {
            verify_certificate(loaded, &artifact.text).map_err(|p| format!("certificate: {p}"))?;
        } else {
            replay_file(loaded, &artifact.text).map_err(|p| format!("{}: {p}", artifact.name))?;
            crate::pump::goes_on(loaded, &artifact.text)?;
        }
    }
    Ok(())
}
