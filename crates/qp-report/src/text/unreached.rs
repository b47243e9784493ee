//! What no run comes to, and what none of those has come to that were looked at.

use qp_base::names::grouped;
use queueproof::{CoverageReport, Report, UnreachedReport};

use super::page::Page;
use crate::fit::clean;

/// More than this is shown only where everything is.
const SHOWN_MAX: usize = 10;

impl Page<'_> {
    /// Lists what no run comes to, if that is known and there is anything.
    pub(super) fn unreached(&mut self, report: &Report) {
        let Some(all) = report.unreached.as_ref().filter(|all| !all.is_empty()) else { return };
        let shown = if self.style.full { all.len() } else { SHOWN_MAX };
        for (i, it) in all.iter().take(shown).enumerate() {
            let entry = entry(&report.model.path, it, "is");
            self.labelled(if i == 0 { "unreached" } else { "" }, &entry);
        }
        if let Some(more) = all.len().checked_sub(shown).filter(|&more| more > 0) {
            self.labelled("", &format!("and {more} more: --full"));
        }
        self.line("");
    }

    /// How much was seen where that was not everything, and which handlers and states were not.
    pub(super) fn coverage(&mut self, report: &Report) {
        let Some(coverage) = &report.coverage else { return };
        self.labelled("seen", &seen(coverage));
        // Code belongs to handlers, in languages that have these.
        let is_code = |it: &&UnreachedReport| it.kind == "statement";
        let has_handlers = report.model.language == "p" && !self.style.full;
        let all: Vec<&UnreachedReport> =
            coverage.unexercised.iter().filter(|it| !(has_handlers && is_code(it))).collect();
        let shown = if self.style.full { all.len() } else { UNSEEN_MAX };
        for (i, it) in all.iter().take(shown).enumerate() {
            let entry = entry(&report.model.path, it, "was");
            self.labelled(if i == 0 { "not seen" } else { "" }, &entry);
        }
        if let Some(more) = all.len().checked_sub(shown).filter(|&more| more > 0) {
            self.labelled("", &format!("and {more} more: --full"));
        }
    }
}

/// More than this is shown only where everything is.
const UNSEEN_MAX: usize = 5;

/// `1,234 configurations, and 20 random schedules of 1,000 steps (pos; seed 1)`.
fn seen(coverage: &CoverageReport) -> String {
    let mut parts = Vec::new();
    if coverage.configurations > 0 {
        parts.push(format!("{} configurations", grouped(coverage.configurations)));
    }
    if coverage.schedules > 0 {
        let (n, steps) = (grouped(coverage.schedules), grouped(coverage.steps));
        let strategies = coverage.strategies.join(", ");
        let (seed, plural) = (coverage.seed, if coverage.schedules == 1 { "" } else { "s" });
        parts.push(format!(
            "{n} random schedule{plural} of {steps} steps ({strategies}; seed {seed})"
        ));
    }
    parts.join(", and ")
}

/// `Server: state Lost, line 12`.
fn entry(model: &str, it: &UnreachedReport, tense: &str) -> String {
    let what = match it.kind.as_str() {
        "machine" => format!("{} {tense} never created", clean(&it.name)),
        kind if it.machine.is_empty() => format!("{kind} {}", clean(&it.name)),
        kind => format!("{}: {kind} {}", clean(&it.machine), clean(&it.name)),
    };
    let place = &it.location;
    if place.file == model {
        format!("{what}, line {}", place.line)
    } else {
        format!("{what}, {}:{}", clean(&place.file), place.line)
    }
}

#[cfg(test)]
mod tests {
    use queueproof::Location;

    use crate::Style;
    use crate::samples::{PLAIN, assert_fits, mixed_report};
    use crate::text::report;

    use super::*;

    fn states(n: u32) -> Vec<UnreachedReport> {
        let state = |i: u32| UnreachedReport {
            machine: "Server".to_owned(),
            kind: "state".to_owned(),
            name: format!("S{i}"),
            location: Location {
                file: "cancel.cfsm".to_owned(),
                line: i + 1,
                column: 5,
                end_line: i + 1,
                end_column: 7,
            },
        };
        (0..n).map(state).collect()
    }

    #[test]
    fn a_long_list_is_cut_unless_all_is_wanted() {
        let mut sample = mixed_report();
        sample.unreached = Some(states(12));
        let text = report(&sample, &PLAIN);
        assert!(text.contains("  unreached  Server: state S0, line 1\n"), "{text}");
        assert!(text.contains("state S9, line 10\n             and 2 more: --full\n"), "{text}");
        assert_fits(&text, &PLAIN);
        let all = report(&sample, &Style { full: true, ..PLAIN });
        assert!(all.contains("state S11, line 12\n") && !all.contains("more: --full"), "{all}");
    }

    #[test]
    fn nothing_is_said_where_nothing_is_known_or_everything_is_reached() {
        for unreached in [None, Some(Vec::new())] {
            let mut sample = mixed_report();
            sample.unreached = unreached;
            assert!(!report(&sample, &PLAIN).contains("unreached"));
        }
    }

    #[test]
    fn what_was_seen_is_told_where_that_was_not_everything() {
        let mut sample = mixed_report();
        let coverage = CoverageReport {
            configurations: 12_345,
            schedules: 1,
            steps: 678,
            seed: 7,
            strategies: vec!["pos".to_owned()],
            unexercised: states(7),
        };
        sample.coverage = Some(coverage.clone());
        let text = report(&sample, &PLAIN);
        assert_fits(&text, &PLAIN);
        let seen = "  seen       12,345 configurations, and 1 random schedule of 678 steps (pos; seed 7)\n";
        assert!(text.contains(seen), "{text}");
        assert!(text.contains("  not seen   Server: state S0, line 1\n"), "{text}");
        assert!(text.contains("and 2 more: --full"), "{text}");
        let alone = CoverageReport { configurations: 0, ..coverage };
        assert!(super::seen(&alone).starts_with("1 random schedule of"));
    }
}
