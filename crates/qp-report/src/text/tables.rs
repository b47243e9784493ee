//! The table of verdicts and the table of queues.

use queueproof::{PropertyReport, QueueReport, QueueStatus, VerdictWord};

use super::page::Page;
use crate::fit::{clean, columns, count, pad, shorten, wrap};
use crate::style::Ink;

/// Where the property begins in the table of verdicts, and what its last two columns take.
const VERDICT: usize = 12;
const TIME_AND_CODE: usize = 2 + 8 + 3 + 6;

impl Page<'_> {
    pub(super) fn verdicts(&mut self, properties: &[PropertyReport]) {
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
        }
        if !properties.is_empty() {
            self.line("");
        }
        self.reasons(properties);
    }

    /// Why something is unknown. Most properties share the reason, so each is said once.
    fn reasons(&mut self, properties: &[PropertyReport]) {
        let mut said: Vec<&str> = Vec::new();
        for property in properties {
            let reason = property.reason.as_deref().filter(|it| *it != property.message);
            if let Some(reason) = reason.filter(|it| !said.contains(it)) {
                self.labelled("unknown", &clean(reason));
                if let Some(situation) = &property.in_the_way {
                    self.situation(situation);
                }
                said.push(reason);
            }
        }
        if !said.is_empty() {
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
        // A limited proof must not look like a proof from afar.
        let word = match property.verdict {
            VerdictWord::ProvedUpToFailure => "limited",
            verdict => verdict.word(),
        };
        let word = pad(word, VERDICT - 4);
        let word = self.style.paint(Ink::of(property.verdict), &word);
        let time = match property.verdict {
            VerdictWord::None => String::new(),
            VerdictWord::Proved
            | VerdictWord::ProvedUpToFailure
            | VerdictWord::Violated
            | VerdictWord::Unknown => seconds(property.time_s),
        };
        (word, time, property.code.map_or_else(String::new, |code| code.to_string()))
    }

    pub(super) fn queues(&mut self, queues: &[QueueReport]) {
        let name_width = queues.iter().map(|queue| columns(&clean(&queue.name))).max().unwrap_or(0);
        let name_width = name_width.clamp(5, (self.style.width / 3).max(5));
        if !queues.is_empty() {
            let heads = format!("  {}  longest seen  status", pad("queue", name_width));
            let heads = self.style.paint(Ink::Faint, &heads);
            self.line(&heads);
        }
        for queue in queues {
            let name = shorten(&clean(&queue.name), name_width, '~');
            let (status, ink) = status(queue);
            let status = self.style.paint(ink, &status);
            let longest = queue.longest_seen;
            let declared = match queue.declared {
                Some(declared) => format!("   declared capacity {declared}"),
                None => String::new(),
            };
            let name = pad(&name, name_width);
            self.line(&format!("  {name}  {longest:>12}  {status}{declared}"));
        }
        if !queues.is_empty() {
            self.line("");
        }
    }
}

/// What a row of the table of verdicts says.
fn gist(property: &PropertyReport) -> String {
    match property.verdict {
        VerdictWord::Proved => match property.explored {
            Some(explored) if property.id == "sync" => {
                format!(
                    "weakly, in rounds of at most {}",
                    count(explored.bound as usize, "message")
                )
            }
            Some(explored) if property.id == "sendlang" => match explored.bound {
                0 => "messages may as well be received at once".to_owned(),
                k => format!("queues of length {k} are enough"),
            },
            _ => clean(&property.message),
        },
        VerdictWord::Violated => match &property.trace {
            Some(trace) => format!("after {}", count(trace.chart.rows.len(), "step")),
            None => clean(&property.message),
        },
        VerdictWord::ProvedUpToFailure | VerdictWord::Unknown | VerdictWord::None => {
            clean(&property.message)
        }
    }
}

fn seconds(time_s: f64) -> String {
    if time_s < 0.0995 { format!("{:.0} ms", time_s * 1e3) } else { format!("{time_s:.1} s") }
}

pub(super) fn status(queue: &QueueReport) -> (String, Ink) {
    match queue.status {
        QueueStatus::Bounded(bound) => {
            // Whoever proves a bound without meeting it is named: it may be more than there is.
            let unmet = queue.engine.as_ref().filter(|_| queue.longest_seen < bound);
            let by = unmet.map_or_else(String::new, |engine| format!(" ({engine})"));
            (format!("bounded by {bound}{by}"), Ink::Proved)
        }
        // Growing without bound is a fact, not a fault: whether it is one depends on the model.
        QueueStatus::Unbounded => ("unbounded".to_owned(), Ink::Strong),
        QueueStatus::Unknown => ("unknown".to_owned(), Ink::Unknown),
    }
}
