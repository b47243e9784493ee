//! The XML of `JUnit` as CI servers read it: a suite for each model, a test for each property.
//!
//! A violated property has failed. What is unknown is an error: nothing is wrong with the model as far as anybody knows, but
//! the test has not come to its end. What has nothing to check is skipped.

use std::fmt::Write as _;

use queueproof::{PropertyReport, Report, VerdictWord};

use super::findings::{findings, name, steps};
use crate::json::Item;

pub(super) fn written(items: &[Item]) -> String {
    let suites: Vec<Suite> = items.iter().map(suite).collect();
    let sum = |of: fn(&Suite) -> usize| suites.iter().map(of).sum::<usize>();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        out,
        "<testsuites name=\"queueproof\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3}\">",
        sum(|it| it.tests),
        sum(|it| it.failures),
        sum(|it| it.errors),
        sum(|it| it.skipped),
        suites.iter().map(|it| it.time_s).sum::<f64>(),
    );
    for it in &suites {
        let _ = writeln!(
            out,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3}\">",
            escaped(&it.name),
            it.tests,
            it.failures,
            it.errors,
            it.skipped,
            it.time_s,
        );
        out.push_str(&it.cases);
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

/// The tests of one model.
#[derive(Default)]
struct Suite {
    name: String,
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
    time_s: f64,
    cases: String,
}

fn suite(item: &Item) -> Suite {
    let mut suite = Suite::default();
    match item {
        Item::Report(report) => {
            suite.name = name(&report.model.path, &report.model.options);
            report.properties.iter().for_each(|it| suite.property(report, it));
        }
        Item::Refused(source, _) => suite.name = source.name.clone(),
        Item::Failed(path, _) => suite.name = path.clone(),
    }
    if !matches!(item, Item::Report(_)) {
        let all = findings(std::slice::from_ref(item));
        let messages: Vec<&str> = all.iter().map(|it| it.message.as_str()).collect();
        let first = messages.first().copied().unwrap_or("refused");
        suite.errors += 1;
        suite.case("read", 0.0, "", &element("error", "refused", first, &messages.join("\n")));
    }
    suite
}

impl Suite {
    fn property(&mut self, report: &Report, it: &PropertyReport) {
        let code = it.code.map_or_else(|| it.verdict.to_string(), |code| code.to_string());
        let found = match it.verdict {
            VerdictWord::Proved => String::new(),
            VerdictWord::None => {
                self.skipped += 1;
                format!("      <skipped message=\"{}\"/>\n", escaped(&it.message))
            }
            VerdictWord::Violated => {
                self.failures += 1;
                let run = it.trace.as_ref().map(|trace| steps(&trace.chart)).unwrap_or_default();
                element("failure", &code, &it.message, &run)
            }
            VerdictWord::Unknown | VerdictWord::ProvedUpToFailure => {
                self.errors += 1;
                let why = it.reason.as_deref().unwrap_or(&it.message);
                element("error", &code, why, &it.message)
            }
        };
        let at = it
            .location
            .as_ref()
            .map(|at| format!(" file=\"{}\" line=\"{}\"", escaped(&at.file), at.line));
        let at = at.unwrap_or_else(|| format!(" file=\"{}\"", escaped(&report.model.path)));
        self.case(&it.id, it.time_s, &at, &found);
    }

    fn case(&mut self, test: &str, time_s: f64, at: &str, found: &str) {
        self.tests += 1;
        // Answers to several properties are found at once: the suite took as long as the last of them.
        self.time_s = self.time_s.max(time_s);
        let (class, test) = (escaped(&self.name), escaped(test));
        let head =
            format!("    <testcase classname=\"{class}\" name=\"{test}\" time=\"{time_s:.3}\"{at}");
        let _ = match found {
            "" => writeln!(self.cases, "{head}/>"),
            found => write!(self.cases, "{head}>\n{found}    </testcase>\n"),
        };
    }
}

fn element(name: &str, kind: &str, message: &str, body: &str) -> String {
    let (kind, message) = (escaped(kind), escaped(message));
    // Lines of a text stay lines; in an attribute they would become blanks.
    let body = escaped(body).replace("&#10;", "\n");
    format!("      <{name} type=\"{kind}\" message=\"{message}\">{body}</{name}>\n")
}

/// A text in XML: what it cannot contain at all becomes a question mark.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('?'),
            c => out.push(c),
        }
    }
    out
}
