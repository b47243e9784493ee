//! What no run comes to.

use queueproof::{Report, UnreachedReport};

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
            self.labelled(if i == 0 { "unreached" } else { "" }, &entry(&report.model.path, it));
        }
        if let Some(more) = all.len().checked_sub(shown).filter(|&more| more > 0) {
            self.labelled("", &format!("and {more} more: --full"));
        }
        self.line("");
    }
}

/// `Server: state Lost, line 12`.
fn entry(model: &str, it: &UnreachedReport) -> String {
    let what = match it.kind.as_str() {
        "machine" => format!("{} is never created", clean(&it.name)),
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
}
