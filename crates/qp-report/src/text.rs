//! The report for a person at a terminal.
//!
//! Order: the model, every violation with its run, all verdicts, the queues, one line of summary,
//! and what to do next. Nothing is green but a proof.

use queueproof::{PropertyReport, QueueReport, QueueStatus, Report, TraceReport, VerdictWord};

use crate::fit::{clean, columns, count, pad, wrap, wrap_command};
use crate::style::Ink;
use crate::{Style, chart, reading};

/// The report, in lines that end with a line feed.
pub fn report(report: &Report, style: &Style) -> String {
    let mut page = Page { style, out: String::new() };
    page.model(report);
    let mut shown = Vec::new();
    for property in &report.properties {
        if property.verdict == VerdictWord::Violated {
            page.violation(report, property, &mut shown);
        }
    }
    for queue in &report.queues {
        if let (QueueStatus::Unbounded, Some(trace)) = (queue.status, &queue.trace) {
            page.growth(queue, trace);
        }
    }
    page.verdicts(&report.properties);
    page.queues(&report.queues);
    page.summary(report, &shown);
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
    [
        clean(language),
        clean(&model.discipline),
        count(model.machines, "machine"),
        count(model.queues, "queue"),
        count(model.messages, "message"),
    ]
    .join(", ")
}

/// What a row of the table of verdicts says.
fn gist(property: &PropertyReport) -> String {
    match property.verdict {
        VerdictWord::Proved => "for every queue length".to_owned(),
        VerdictWord::Violated => match &property.trace {
            Some(trace) => format!("after {}", count(trace.chart.rows.len(), "step")),
            None => clean(&property.message),
        },
        VerdictWord::Unknown => match property.explored {
            Some(explored) => {
                format!("no violation up to queue length {}, not proved", explored.bound)
            }
            None => clean(&property.message),
        },
        VerdictWord::None => clean(&property.message),
    }
}

fn seconds(time_s: f64) -> String {
    if time_s < 0.0995 { format!("{:.0} ms", time_s * 1e3) } else { format!("{time_s:.1} s") }
}

fn status(queue: &QueueReport) -> (String, Ink) {
    match queue.status {
        QueueStatus::Bounded(bound) => (format!("bounded by {bound}"), Ink::Proved),
        // Growing without bound is a fact, not a fault: whether it is one depends on the model.
        QueueStatus::Unbounded => ("unbounded".to_owned(), Ink::Strong),
        QueueStatus::Unknown => ("unknown".to_owned(), Ink::Unknown),
    }
}

/// The saved command that replays this run; if there is none, one that needs no file.
fn replay_command(report: &Report, trace: &TraceReport) -> String {
    let choices = trace.choices.join(" ");
    let wanted = trace.file.as_deref().unwrap_or(&choices);
    let saved = report.next.iter().find(|command| {
        command.contains(" replay ") && !wanted.is_empty() && command.contains(wanted)
    });
    let path = &report.model.path;
    match (saved, &trace.file) {
        (Some(command), _) => command.clone(),
        (None, Some(file)) => format!("queueproof replay {file}"),
        (None, None) => format!("queueproof replay {path} --trace {choices}"),
    }
}

struct Page<'a> {
    style: &'a Style,
    out: String,
}

/// Where the text of `  next       …` begins.
const LABEL: usize = 13;
/// Where the property begins in the table of verdicts, and what its last two columns take.
const VERDICT: usize = 12;
const TIME_AND_CODE: usize = 2 + 8 + 3 + 6;

impl Page<'_> {
    fn line(&mut self, text: &str) {
        self.out.push_str(text.trim_end());
        self.out.push('\n');
    }

    /// Wrapped text after a margin. `first` stands in the margin of the first line and may be
    /// wider than it.
    fn paragraph(&mut self, first: &str, ink: Ink, margin: usize, text: &str) {
        let room = self.style.width.saturating_sub(margin);
        if columns(first) > margin {
            let lines = wrap(&format!("{first}{text}"), room);
            let head = first.trim_end();
            let rest = lines[0].strip_prefix(head);
            let painted = rest.map(|rest| format!("{}{rest}", self.style.paint(ink, head)));
            self.line(painted.as_ref().unwrap_or(&lines[0]));
            for line in &lines[1..] {
                self.line(&format!("{}{line}", " ".repeat(margin)));
            }
            return;
        }
        for (i, line) in wrap(text, room).iter().enumerate() {
            let head = if i == 0 { first } else { "" };
            let head = self.style.paint(ink, &pad(head, margin));
            self.line(&format!("{head}{line}"));
        }
    }

    /// `  next       queueproof …`
    fn labelled(&mut self, label: &str, text: &str) {
        self.paragraph(&pad(&format!("  {label}"), LABEL), Ink::Faint, LABEL, text);
    }

    fn command(&mut self, label: &str, command: &str) {
        let lines = wrap_command(&clean(command), self.style.width.saturating_sub(LABEL));
        for (i, line) in lines.iter().enumerate() {
            let head = if i == 0 { format!("  {label}") } else { String::new() };
            let head = self.style.paint(Ink::Faint, &pad(&head, LABEL));
            self.line(&format!("{head}{line}"));
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

    fn violation(&mut self, report: &Report, property: &PropertyReport, shown: &mut Vec<String>) {
        let code = property.code.map_or_else(String::new, |code| format!("[{code}]"));
        let head = format!("violated{code} ");
        let text = format!("{}: {}", clean(&property.id), clean(&property.message));
        self.paragraph(&head, Ink::Violated, 2, &text);
        if let Some(place) = &property.location {
            let place = format!("{}:{}:{}", clean(&place.file), place.line, place.column);
            self.paragraph("  --> ", Ink::Faint, 6, &place);
        }
        self.line("");
        if let Some(trace) = &property.trace {
            self.out.push_str(&chart::chart(&trace.chart, self.style));
            self.line("");
            if let Some(sentence) = reading::crossing(&trace.chart) {
                self.paragraph("", Ink::Plain, 2, &sentence);
            }
            self.labelled("found", &found(property));
            let command = replay_command(report, trace);
            self.command("replay", &command);
            shown.push(command);
            self.line("");
        }
    }

    fn growth(&mut self, queue: &QueueReport, trace: &TraceReport) {
        let text = format!("the queue {} grows with every turn of this loop", clean(&queue.name));
        self.paragraph("unbounded[QP2001] ", Ink::Strong, 2, &text);
        self.line("");
        self.out.push_str(&chart::chart(&trace.chart, self.style));
        self.line("");
    }

    fn verdicts(&mut self, properties: &[PropertyReport]) {
        let widest = |cell: &dyn Fn(&PropertyReport) -> String| {
            properties.iter().map(|property| columns(&cell(property))).max().unwrap_or(0)
        };
        let id_width = widest(&|property| clean(&property.id));
        let margin = VERDICT + id_width + 2;
        let room = self.style.width.saturating_sub(margin + TIME_AND_CODE);
        let gist_width = widest(&gist).min(room);
        for property in properties {
            // A table whose middle column is too narrow to read is no table.
            if room < 24 {
                self.verdict_stacked(property);
            } else {
                self.verdict_row(property, id_width, gist_width);
            }
            if let (VerdictWord::Unknown, Some(reason)) = (property.verdict, &property.reason) {
                let margin = if room < 24 { VERDICT } else { margin };
                self.paragraph("", Ink::Plain, margin, &clean(reason));
            }
        }
        if !properties.is_empty() {
            self.line("");
        }
    }

    fn verdict_row(&mut self, property: &PropertyReport, id_width: usize, gist_width: usize) {
        let (word, time, code) = self.verdict_cells(property);
        for (i, part) in wrap(&gist(property), gist_width).iter().enumerate() {
            let gist = pad(part, gist_width);
            if i == 0 {
                let id = pad(&clean(&property.id), id_width);
                self.line(&format!("  {word}  {id}  {gist}  {time:>8}   {code}"));
            } else {
                self.line(&format!("{}{gist}", " ".repeat(VERDICT + id_width + 2)));
            }
        }
    }

    fn verdict_stacked(&mut self, property: &PropertyReport) {
        let (word, time, code) = self.verdict_cells(property);
        let tail = format!("{time} {code}");
        let text = format!("{}: {} {}", clean(&property.id), gist(property), tail.trim());
        for (i, part) in
            wrap(&text, self.style.width.saturating_sub(VERDICT)).into_iter().enumerate()
        {
            let head = if i == 0 { format!("  {word}  ") } else { " ".repeat(VERDICT) };
            self.line(&format!("{head}{part}"));
        }
    }

    /// The painted word, the time and the code.
    fn verdict_cells(&self, property: &PropertyReport) -> (String, String, String) {
        let word = pad(property.verdict.word(), VERDICT - 4);
        let word = self.style.paint(Ink::of(property.verdict), &word);
        let time = match property.verdict {
            VerdictWord::None => String::new(),
            VerdictWord::Proved | VerdictWord::Violated | VerdictWord::Unknown => {
                seconds(property.time_s)
            }
        };
        (word, time, property.code.map_or_else(String::new, |code| code.to_string()))
    }

    fn queues(&mut self, queues: &[QueueReport]) {
        let name_width = queues.iter().map(|queue| columns(&clean(&queue.name))).max().unwrap_or(0);
        let name_width = name_width.clamp(5, (self.style.width / 3).max(5));
        if !queues.is_empty() {
            let heads = format!("  {}  longest seen  status", pad("queue", name_width));
            let heads = self.style.paint(Ink::Faint, &heads);
            self.line(&heads);
        }
        for queue in queues {
            let name = crate::fit::shorten(&clean(&queue.name), name_width, '~');
            let (status, ink) = status(queue);
            let status = self.style.paint(ink, &status);
            let longest = queue.longest_seen;
            let declared = match queue.declared {
                Some(declared) => format!("   declared capacity {declared}"),
                None => String::new(),
            };
            let name = pad(&name, name_width);
            self.line(&format!("  {name}  {longest:>12}  {status}{declared}"));
            if let (QueueStatus::Unknown, Some(reason)) = (queue.status, &queue.reason) {
                self.paragraph("", Ink::Plain, (name_width + 18).min(24), &clean(reason));
            }
        }
        if !queues.is_empty() {
            self.line("");
        }
    }

    fn summary(&mut self, report: &Report, shown: &[String]) {
        let parts = summary_parts(report);
        let plain: Vec<&str> = parts.iter().map(|(_, text)| text.as_str()).collect();
        let fits = columns(&plain.join(", ")) <= self.style.width;
        let painted: Vec<String> =
            parts.iter().map(|(ink, text)| self.style.paint(*ink, text)).collect();
        self.line(&painted.join(if fits { ", " } else { ",\n" }));
        for (engine, ids) in proofs(report) {
            self.labelled("how", &format!("{} proved {}", clean(engine), ids.join(", ")));
        }
        let properties = report.properties.iter().filter_map(|it| it.certificate.as_deref());
        let queues = report.queues.iter().filter_map(|it| it.certificate.as_deref());
        for (i, file) in properties.chain(queues).enumerate() {
            let label = if i == 0 { "certified" } else { "" };
            self.labelled(label, &clean(file));
        }
        if !report.limits.hit.is_empty() {
            self.labelled("limits", &format!("met: {}", clean(&report.limits.hit.join(", "))));
        }
        for caveat in &report.caveats {
            self.labelled("caveat", &clean(caveat));
        }
        let next = report.next.iter().filter(|command| !shown.contains(command));
        for (i, command) in next.enumerate() {
            self.command(if i == 0 { "next" } else { "" }, command);
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
    let order =
        [VerdictWord::Violated, VerdictWord::Proved, VerdictWord::Unknown, VerdictWord::None];
    let mut parts = Vec::new();
    for verdict in order {
        let n = report.properties.iter().filter(|property| property.verdict == verdict).count();
        let text = match verdict {
            VerdictWord::None => format!("{n} with nothing to check"),
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
        let (VerdictWord::Proved, Some(engine)) = (property.verdict, &property.engine) else {
            continue;
        };
        match proofs.iter_mut().find(|(known, _)| *known == engine.as_str()) {
            Some((_, ids)) => ids.push(clean(&property.id)),
            None => proofs.push((engine, vec![clean(&property.id)])),
        }
    }
    proofs
}

#[cfg(test)]
mod tests;
