//! The answer of `bounds`: how long each queue can get, how much room it needs, and the loops that make it grow.

use queueproof::{
    ChangesReport, Joint, QueueReport, QueueStatus, Report, SetReport, Smallest, TraceReport,
    VerdictWord,
};

use super::Shown;
use super::page::Page;
use crate::fit::{clean, count};
use crate::style::Ink;
use crate::{Style, table};

/// So many loops are drawn, unless all are asked for.
const LOOPS_MAX: usize = 3;

/// The answer of `bounds`.
pub fn bounds(report: &Report, style: &Style) -> String {
    let mut page = Page { style, out: String::new() };
    page.model(report);
    let mut shown = Shown::default();
    for property in &report.properties {
        if property.verdict == VerdictWord::Violated && property.id == "deadlock" {
            page.violation(report, property, &mut shown);
        }
    }
    page.growths(report, &mut shown);
    page.queue_table(report);
    if let Some(joint) = &report.together {
        page.together(joint);
    }
    if let Some(changes) = &report.changes {
        page.changes(changes);
    }
    page.legend(report);
    for queue in &report.queues {
        if let (QueueStatus::Unknown, Some(reason)) = (queue.status, &queue.reason) {
            page.labelled("unknown", &format!("{}: {}", clean(&queue.name), clean(reason)));
        }
    }
    page.summary_tail(report, &shown.commands);
    page.out
}

impl Page<'_> {
    /// The loops that make queues grow, each drawn once.
    pub(super) fn growths(&mut self, report: &Report, shown: &mut Shown) {
        let grows = |queue: &&QueueReport| queue.status == QueueStatus::Unbounded;
        let (mut drawn, mut left) = (0, Vec::new());
        for queue in report.queues.iter().filter(grows) {
            let Some(trace) = &queue.trace else { continue };
            let is_new = !shown.has(&trace.chart);
            if is_new && drawn == LOOPS_MAX && !self.style.full {
                left.push(clean(&queue.name));
                continue;
            }
            drawn += usize::from(is_new);
            self.growth(queue, trace, shown);
        }
        if !left.is_empty() {
            let and = if left.len() == 1 { "grows" } else { "grow" };
            let text = format!("{} {and} too, by other loops; --full draws them", left.join(", "));
            self.paragraph("unbounded[QP2001] ", Ink::Strong, 2, &text);
            self.line("");
        }
    }

    fn growth(&mut self, queue: &QueueReport, trace: &TraceReport, shown: &mut Shown) {
        let text = format!("the queue {} grows with every turn of a loop", clean(&queue.name));
        self.paragraph("unbounded[QP2001] ", Ink::Strong, 2, &text);
        self.line("");
        self.run(&queue.name, trace, shown);
    }

    fn queue_table(&mut self, report: &Report) {
        let measured = report.queues.iter().any(|queue| queue.capacities.is_some());
        let rows: Vec<Vec<String>> =
            report.queues.iter().map(|queue| row(queue, measured)).collect();
        let mut headers =
            vec!["queue", "declared", "bound", "proved by", "longest seen", "never blocks with"];
        if measured {
            headers.push("no deadlock alone");
        }
        for line in table::table(&headers, &rows).lines() {
            self.line(&format!("  {line}"));
        }
        self.line("");
    }

    /// What all queues can have at once, ready to be pasted.
    fn together(&mut self, joint: &Joint) {
        let unknown =
            "not known: no capacities were found for all queues at once within the limits";
        if joint.capacities.is_none() {
            self.labelled("together", unknown);
        } else {
            self.labelled("together", "no deadlock, proved for all of these at once:");
            self.command("", &joint.options.join(" "));
        }
        self.line("");
    }

    /// What capacities that were given change.
    fn changes(&mut self, changes: &ChangesReport) {
        for (i, set) in changes.sets.iter().enumerate() {
            self.labelled(if i == 0 { "set" } else { "" }, &set_text(set));
        }
        let with = match (changes.deadlock_before, changes.deadlock_after) {
            (VerdictWord::Violated, VerdictWord::Violated) => {
                "there is a deadlock, and there is one without these capacities"
            }
            (VerdictWord::Proved | VerdictWord::ProvedUpToFailure, VerdictWord::Violated) => {
                "these capacities bring a deadlock, which there is not without them"
            }
            (_, VerdictWord::Violated) => "there is a deadlock; without these capacities: unknown",
            (VerdictWord::Violated, VerdictWord::Proved | VerdictWord::ProvedUpToFailure) => {
                "proved: there is none, although there is one without these capacities"
            }
            (_, VerdictWord::Proved | VerdictWord::ProvedUpToFailure) => {
                "proved: there is none with these capacities"
            }
            (_, VerdictWord::Unknown | VerdictWord::None) => "unknown with these capacities",
        };
        self.labelled("deadlock", with);
        self.line("");
    }

    /// What the words of the table mean, where they occur.
    fn legend(&mut self, report: &Report) {
        let rooms = || report.queues.iter().filter_map(|queue| queue.capacities);
        let has = |wanted: fn(Smallest) -> bool| {
            rooms().any(|room| wanted(room.never_waits) || wanted(room.no_deadlock))
        };
        if report.together.is_some() {
            self.labelled("alone", "that queue has this capacity and all others are as they are");
        }
        if has(|it| it == Smallest::DeadlocksAnyway) {
            self.labelled("anyway", "there is a deadlock with no limit on that queue, too");
        }
        if has(|it| it == Smallest::Unknown) {
            self.labelled("?", "not known: a search was not complete, because of its limit or another queue that grows");
        }
    }
}

fn row(queue: &QueueReport, measured: bool) -> Vec<String> {
    let declared = queue.declared.map_or_else(|| "-".to_owned(), |n| n.to_string());
    let (bound, never) = match queue.status {
        // A bound that was proved without meeting it may be more than there is.
        QueueStatus::Bounded(n) if queue.longest_seen < n => {
            (n.to_string(), Smallest::AtMost(n.max(1)))
        }
        QueueStatus::Bounded(n) => (n.to_string(), Smallest::Capacity(n.max(1))),
        QueueStatus::Unbounded => ("unbounded".to_owned(), Smallest::NoCapacity),
        QueueStatus::Unknown => ("unknown".to_owned(), Smallest::Unknown),
    };
    // Where a capacity is honoured, the bound does not tell whether somebody waits.
    let never = match queue.capacities {
        Some(room) => room.never_waits,
        None if queue.limited.is_some() => Smallest::Unknown,
        None => never,
    };
    let engine = match queue.status {
        QueueStatus::Unknown => None,
        QueueStatus::Bounded(_) | QueueStatus::Unbounded => queue.engine.as_deref(),
    };
    let mut row = vec![
        clean(&queue.name),
        declared,
        bound,
        clean(engine.unwrap_or("-")),
        queue.longest_seen.to_string(),
        room(never),
    ];
    if measured {
        row.push(queue.capacities.map_or_else(|| "-".to_owned(), |it| room(it.no_deadlock)));
    }
    row
}

fn room(smallest: Smallest) -> String {
    match smallest {
        Smallest::Capacity(n) => format!("capacity {n}"),
        Smallest::AtMost(n) => format!("capacity {n} or less"),
        Smallest::NoCapacity => "no capacity".to_owned(),
        Smallest::DeadlocksAnyway => "deadlocks anyway".to_owned(),
        Smallest::Unknown => "?".to_owned(),
    }
}

fn set_text(set: &SetReport) -> String {
    let (queue, capacity) = (clean(&set.queue), set.capacity);
    let what = match (set.is_met, set.waits) {
        (false, _) => "no queue of this name was met, so nothing changes".to_owned(),
        (true, Some(true)) => {
            format!("a send waits when it holds {}", count(capacity as usize, "message"))
        }
        (true, Some(false)) => "no send ever waits".to_owned(),
        (true, None) => "whether a send waits is not known".to_owned(),
    };
    format!("{queue}={capacity}: {what}")
}

#[cfg(test)]
mod tests {
    use queueproof::CapacityReport;

    use super::*;
    use crate::samples::{PLAIN, assert_fits, loop_chart, mixed_report};

    /// So many queues, each growing by a loop of its own.
    fn growing(n: usize) -> Report {
        let mut report = mixed_report();
        let queue = report.queues[1].clone();
        let grows = |i: usize| {
            let mut chart = loop_chart();
            chart.rows[0].note = Some(format!("loop {i}"));
            let trace = Some(TraceReport { file: None, choices: Vec::new(), chart });
            let status = QueueStatus::Unbounded;
            QueueReport { name: format!("q{i}"), status, trace, ..queue.clone() }
        };
        report.queues = (0..n).map(grows).collect();
        report
    }

    #[test]
    fn three_loops_are_drawn_and_the_others_are_named() {
        let text = bounds(&growing(5), &PLAIN);
        assert_eq!(text.matches("grows with every turn of a loop").count(), 3, "{text}");
        assert!(text.contains("q3, q4 grow too, by other loops; --full draws them"), "{text}");
        assert_fits(&text, &PLAIN);
        let all = bounds(&growing(5), &Style { full: true, ..PLAIN });
        assert_eq!(all.matches("grows with every turn of a loop").count(), 5, "{all}");
    }

    #[test]
    fn a_loop_that_is_shared_is_drawn_once_and_counts_once() {
        let mut report = growing(5);
        let shared = report.queues[0].trace.clone();
        report.queues[1].trace.clone_from(&shared);
        let text = bounds(&report, &PLAIN);
        assert!(text.contains("the run is the one drawn above for q0"), "{text}");
        assert!(text.contains("q4 grows too, by other loops"), "{text}");
    }

    #[test]
    fn every_answer_about_room_has_its_words() {
        let mut report = growing(1);
        let words = [
            (Smallest::Capacity(2), "capacity 2"),
            (Smallest::AtMost(3), "capacity 3 or less"),
            (Smallest::NoCapacity, "no capacity"),
            (Smallest::DeadlocksAnyway, "deadlocks anyway"),
            (Smallest::Unknown, "?"),
        ];
        for (no_deadlock, word) in words {
            let never_waits = Smallest::NoCapacity;
            report.queues[0].capacities = Some(CapacityReport { never_waits, no_deadlock });
            let text = bounds(&report, &PLAIN);
            let row = text.lines().find(|line| line.starts_with("  q0 ")).unwrap();
            assert!(row.ends_with(&format!("no capacity        {word}")), "{row}");
        }
    }
}
