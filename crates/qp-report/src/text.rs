//! The report for a person at a terminal.
//!
//! Order: the model, every violation with its run, all verdicts, the queues, one line of summary,
//! and what to do next. Nothing is green but a proof.

use queueproof::{
    Assurance, Chart, EngineReport, Fact, PropertyReport, QueueStatus, Report, TraceReport,
    VerdictWord,
};

mod bounds;
mod lists;
mod page;
mod tables;
mod unreached;

use crate::fit::{clean, columns, count};
use crate::style::Ink;
use crate::{Style, chart, reading, table};
pub use bounds::bounds;
use page::Page;

/// The report, in lines that end with a line feed.
pub fn report(report: &Report, style: &Style) -> String {
    rest(report, style, &mut Told::default())
}

/// The beginning of the report, as far as it is known: violations that were not told yet.
pub fn news(report: &Report, style: &Style, told: &mut Told) -> String {
    let mut page = Page { style, out: String::new() };
    page.news(report, told);
    page.out
}

/// What is left of the report after some of it was told.
pub fn rest(report: &Report, style: &Style, told: &mut Told) -> String {
    let mut page = Page { style, out: String::new() };
    page.news(report, told);
    page.growths(report, &mut told.shown);
    page.verdicts(&report.properties);
    page.invariants(report);
    page.queues(&report.queues);
    page.unreached(report);
    page.summary(report, &told.shown.commands);
    page.out
}

/// What was written of a report before all of it was known.
#[derive(Default)]
pub struct Told {
    begun: bool,
    violations: Vec<String>,
    shown: Shown,
}

/// What is on the page already: one run may violate several properties.
#[derive(Default)]
struct Shown {
    commands: Vec<String>,
    runs: Vec<(String, Chart)>,
}

impl Shown {
    /// Whether this run was drawn before.
    fn has(&self, chart: &Chart) -> bool {
        self.of(chart).is_some()
    }

    /// For what this run was drawn before.
    fn of(&self, chart: &Chart) -> Option<String> {
        let same = |run: &Chart| run.rows == chart.rows && run.cycle_from == chart.cycle_from;
        self.runs.iter().find(|(_, run)| same(run)).map(|(what, _)| what.clone())
    }

    /// For what this run was drawn before, if it was; else remembers it.
    fn before(&mut self, what: &str, chart: &Chart) -> Option<String> {
        let known = self.of(chart);
        if known.is_none() {
            self.runs.push((what.to_owned(), chart.clone()));
        }
        known
    }
}

/// What the counts of an exploration are counts of.
fn how_complete(report: &Report) -> &'static str {
    let engine = report.engines.first();
    let last = engine.and_then(|engine| engine.bounds.last()).map_or(0, |it| it.bound);
    let hit = |limit: &str| report.limits.hit.iter().any(|it| it == limit);
    let is = |wanted| figure(report, wanted).is_some_and(|figure| figure > 0);
    if is("complete") && is("reduced") {
        "complete: no send was ever cut; orders of steps were left out, so there are more configurations"
    } else if is("complete") {
        "complete: no send was ever cut, so these are all configurations at any queue length"
    } else if ["time", "memory", "states", "interrupted"].into_iter().any(hit) {
        "not complete: a limit was met before the next queue length was explored"
    } else if hit("process") {
        "not complete: the search ended early because a process was lost"
    } else if last < report.limits.max_bound {
        "not complete: everything asked is answered; --all-errors goes on"
    } else {
        "not complete: longer queues are possible"
    }
}

/// A figure of the first engine.
fn figure(report: &Report, wanted: &str) -> Option<u64> {
    report.engines.first().and_then(|engine| engine.figure(wanted))
}

/// The answer of `explore`: what was counted, queue length by queue length.
pub fn exploration(report: &Report, style: &Style) -> String {
    let mut page = Page { style, out: String::new() };
    let mut told = Told::default();
    page.news(report, &mut told);
    let engine = report.engines.first();
    let rows: Vec<Vec<String>> = engine
        .iter()
        .flat_map(|engine| &engine.bounds)
        .map(|it| {
            let mut exact = engine.iter().flat_map(|engine| &engine.exact);
            let (states, transitions) = match exact.find(|exact| exact.bound == it.bound) {
                Some(exact) => (exact.states.clone(), exact.transitions.clone()),
                None => (it.states.to_string(), it.transitions.to_string()),
            };
            vec![it.bound.to_string(), states, transitions]
        })
        .collect();
    for line in table::table(&["queue length", "configurations", "transitions"], &rows).lines() {
        page.line(&format!("  {line}"));
    }
    page.line("");
    page.line(how_complete(report));
    if let Some(nodes) = figure(report, "nodes") {
        page.line(&format!(
            "the last set was kept as a decision diagram with {nodes} nodes (--sets)"
        ));
    }
    if !report.properties.is_empty() {
        page.line("");
        page.verdicts(&report.properties);
        page.summary(report, &told.shown.commands);
    }
    page.out
}

/// `CFSM, mailbox, 2 machines, 2 queues, 4 messages`.
fn about_model(report: &Report) -> String {
    let model = &report.model;
    let language = match model.language.as_str() {
        "cfsm" => "CFSM",
        "scm" => "SCM",
        "fsa" => "FSA",
        "p" => "P",
        "promela" => "Promela",
        other => other,
    };
    let mut words = vec![clean(language)];
    // Neither says how the text was read.
    if model.facts.iter().all(|fact| ["fairness", "set"].contains(&fact.name)) {
        words.extend([
            clean(&model.discipline),
            count(model.machines, "machine"),
            count(model.queues, "queue"),
            count(model.messages, "message"),
        ]);
    }
    // Machines of such programs are created as they run: how they were read says more than counts.
    words.extend(model.facts.iter().map(|Fact { name, value, note }| {
        let note = note.map_or_else(String::new, |note| format!(" ({note})"));
        format!("{name} {}{note}", clean(value))
    }));
    words.join(", ")
}

/// The saved command that replays this run; if there is none, one that needs no file.
fn replay_command(report: &Report, trace: &TraceReport) -> String {
    let choices = trace.choices.join(" ");
    let wanted = trace.file.as_deref().unwrap_or(&choices);
    let saved = report.next.iter().find(|command| {
        command.contains(" replay ") && !wanted.is_empty() && command.contains(wanted)
    });
    let mut model = report.model.path.clone();
    for option in &report.model.options {
        model = format!("{model} {option}");
    }
    match (saved, &trace.file) {
        (Some(command), _) => command.clone(),
        (None, Some(file)) => format!("queueproof replay {file}"),
        (None, None) => format!("queueproof replay {model} --trace {choices}"),
    }
}

impl Page<'_> {
    /// What is about the model, once, and violations that were not told yet.
    fn news(&mut self, report: &Report, told: &mut Told) {
        if !std::mem::replace(&mut told.begun, true) {
            self.model(report);
        }
        for property in &report.properties {
            if property.verdict == VerdictWord::Violated && !told.violations.contains(&property.id)
            {
                told.violations.push(property.id.clone());
                self.violation(report, property, &mut told.shown);
            }
        }
    }

    fn model(&mut self, report: &Report) {
        let path = clean(&report.model.path);
        let about = about_model(report);
        if columns(&path) + 3 + columns(&about) <= self.style.width {
            let path = self.style.paint(Ink::Strong, &path);
            self.line(&format!("{path}   {about}"));
        } else {
            self.paragraph("", Ink::Plain, 0, &path);
            self.paragraph("", Ink::Plain, 2, &about);
        }
        self.line("");
    }

    fn violation(&mut self, report: &Report, property: &PropertyReport, shown: &mut Shown) {
        let code = property.code.map_or_else(String::new, |code| format!("[{code}]"));
        let head = format!("violated{code} ");
        let text = format!("{}: {}", clean(&property.id), clean(&property.message));
        self.paragraph(&head, Ink::Violated, 2, &text);
        if let Some(place) = &property.location {
            let place = format!("{}:{}:{}", clean(&place.file), place.line, place.column);
            self.paragraph("  --> ", Ink::Faint, 6, &place);
        }
        self.line("");
        let Some(trace) = &property.trace else { return };
        let drawn = self.run(&property.id, trace, shown);
        if let Some(sentence) = reading::crossing(&trace.chart).filter(|_| drawn) {
            self.paragraph("", Ink::Plain, 2, &sentence);
        }
        self.labelled("found", &found(property));
        let command = replay_command(report, trace);
        self.command("replay", &command);
        shown.commands.push(command);
        self.line("");
    }

    /// Draws a run, or says for what it was drawn already. Says whether it was drawn.
    fn run(&mut self, what: &str, trace: &TraceReport, shown: &mut Shown) -> bool {
        let before = shown.before(what, &trace.chart);
        match &before {
            Some(before) => {
                let text = format!("the run is the one drawn above for {}", clean(before));
                self.paragraph("", Ink::Plain, 2, &text);
            }
            None => self.out.push_str(&chart::chart(&trace.chart, self.style)),
        }
        self.line("");
        before.is_none()
    }

    fn summary(&mut self, report: &Report, shown: &[String]) {
        let parts = summary_parts(report);
        let plain: Vec<&str> = parts.iter().map(|(_, text)| text.as_str()).collect();
        let fits = columns(&plain.join(", ")) <= self.style.width;
        let painted: Vec<String> =
            parts.iter().map(|(ink, text)| self.style.paint(*ink, text)).collect();
        self.line(&painted.join(if fits { ", " } else { ",\n" }));
        self.summary_tail(report, shown);
    }

    /// How it was found, what was kept and what to do next.
    fn summary_tail(&mut self, report: &Report, shown: &[String]) {
        for (engine, ids) in proofs(report) {
            let figures = lists::figures(report, engine);
            self.labelled("how", &format!("{} proved {}{figures}", clean(engine), ids.join(", ")));
        }
        let proved = report.properties.iter().filter(|it| it.verdict == VerdictWord::Proved);
        for property in proved.filter(|it| ["sync", "sendlang"].contains(&it.id.as_str())) {
            self.labelled("that is", &clean(&property.message));
        }
        self.certificates(report);
        self.why(report);
        self.coverage(report);
        self.remarks(report);
        self.engines(report);
        if !report.limits.hit.is_empty() {
            self.labelled("limits", &format!("met: {}", clean(&report.limits.hit.join(", "))));
        }
        for caveat in &report.caveats {
            self.labelled("caveat", &clean(caveat));
        }
        if !report.not_asked.is_empty() {
            let ids = clean(&report.not_asked.join(", "));
            self.labelled("not asked", &format!("{ids}; --property all does"));
        }
        let next = report.next.iter().filter(|command| !shown.contains(command));
        for (i, command) in next.enumerate() {
            self.command(if i == 0 { "next" } else { "" }, command);
        }
    }

    /// What was certified, and what was only searched. What else than a proof of a property is told: it stands below
    /// verdicts.
    fn certificates(&mut self, report: &Report) {
        let certified = "accepted by the independent checker";
        self.files(report, (Assurance::Certified, "certified", certified));
        let searched = "a search that was not re-checked: `queueproof cert verify` does";
        self.files(report, (Assurance::Searched, "searched", searched));
    }

    fn files(&mut self, report: &Report, (assurance, label, means): (Assurance, &str, &str)) {
        let is_meant = |it: Option<Assurance>| it == Some(assurance);
        let proofs = || {
            let proofs = report.properties.iter().filter(|it| is_meant(it.assurance));
            proofs.filter_map(|it| it.certificate.as_deref())
        };
        let bounds = || {
            let bounds = report.queues.iter().filter(|it| is_meant(it.assurance));
            bounds.filter_map(|it| it.certificate.as_deref())
        };
        let mut files: Vec<&str> = proofs().chain(bounds()).collect();
        files.sort_by_key(|file| (file.len(), *file));
        files.dedup();
        for (i, file) in files.into_iter().enumerate() {
            let label = if i == 0 { label } else { "" };
            let what = match bounds().filter(|&it| it == file).count() {
                _ if proofs().any(|it| it == file) => String::new(),
                1 => "the bound of one queue: ".to_owned(),
                n => format!("the bounds of {n} queues: "),
            };
            let file = clean(file);
            self.labelled(label, &format!("{what}{file}, {means}"));
        }
    }

    /// Why something is unknown, and what to try.
    fn why(&mut self, report: &Report) {
        let Some(why) = &report.why else { return };
        self.labelled("why", &clean(&why.because));
        for (i, attempt) in why.attempts.iter().enumerate() {
            self.labelled(if i == 0 { "try" } else { "" }, &clean(attempt));
        }
    }

    /// What engines noticed on the way to what they answered, for those who know what they do. What `sorts` does not tell
    /// apart is a part of what its answers mean.
    fn remarks(&mut self, report: &Report) {
        let answers =
            |name: &str| report.properties.iter().any(|it| it.engine.as_deref() == Some(name));
        let is_shown = |engine: &&EngineReport| {
            self.style.full || engine.name == "sorts" && answers(&engine.name)
        };
        let remarks = report.engines.iter().filter(is_shown).flat_map(|engine| &engine.remarks);
        for (i, remark) in remarks.collect::<Vec<_>>().into_iter().enumerate() {
            self.labelled(if i == 0 { "noted" } else { "" }, &clean(remark));
        }
    }

    /// Why engines did not answer, if that left something open, and which of them crashed.
    fn engines(&mut self, report: &Report) {
        let open = report.properties.iter().any(|it| it.verdict == VerdictWord::Unknown)
            || report.queues.iter().any(|it| it.status == QueueStatus::Unknown);
        for engine in &report.engines {
            let crashed = engine.outcome == "crashed";
            let Some(reason) = engine.reason.as_ref().filter(|_| open || crashed) else { continue };
            let label = if crashed { "crashed" } else { "tried" };
            self.labelled(label, &format!("{}: {}", clean(&engine.name), clean(reason)));
        }
    }
}

fn found(property: &PropertyReport) -> String {
    let engine = property.engine.as_deref().unwrap_or("search");
    let bound = match property.explored {
        Some(explored) => format!(" at queue length {}", explored.bound),
        None => String::new(),
    };
    format!("by {}{bound}, checked by replay", clean(engine))
}

/// `1 violated, 2 proved, 1 unknown`, without what there is none of.
fn summary_parts(report: &Report) -> Vec<(Ink, String)> {
    let order = [
        VerdictWord::Violated,
        VerdictWord::Proved,
        VerdictWord::ProvedUpToFailure,
        VerdictWord::Unknown,
        VerdictWord::None,
    ];
    let mut parts = Vec::new();
    for verdict in order {
        let n = report.properties.iter().filter(|property| property.verdict == verdict).count();
        let text = match verdict {
            VerdictWord::None => format!("{n} with nothing to check"),
            VerdictWord::ProvedUpToFailure => format!("{n} proved up to a failure"),
            VerdictWord::Violated | VerdictWord::Proved | VerdictWord::Unknown => {
                format!("{n} {verdict}")
            }
        };
        if n > 0 {
            parts.push((Ink::of(verdict), text));
        }
    }
    if parts.is_empty() {
        parts.push((Ink::Plain, "nothing to check".to_owned()));
    }
    parts
}

/// Which engine proved what, in the order of the properties.
fn proofs(report: &Report) -> Vec<(&str, Vec<String>)> {
    let mut proofs: Vec<(&str, Vec<String>)> = Vec::new();
    for property in &report.properties {
        let is_proved = property.verdict.is_proved();
        let Some(engine) = property.engine.as_ref().filter(|_| is_proved) else { continue };
        let limited = property.verdict == VerdictWord::ProvedUpToFailure;
        let searched = property.assurance == Some(Assurance::Searched);
        let id = format!(
            "{}{}{}",
            clean(&property.id),
            if limited { " (up to a failure)" } else { "" },
            if searched { " (searched, not re-checked)" } else { "" }
        );
        match proofs.iter_mut().find(|(known, _)| *known == engine.as_str()) {
            Some((_, ids)) => ids.push(id),
            None => proofs.push((engine, vec![id])),
        }
    }
    proofs
}

#[cfg(test)]
mod tests;
