//! What SPIN's verifier prints.

/// A mistake that SPIN's verifier can find, as far as it matters here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mistake {
    /// A failed assertion, or another failure of a statement.
    Failure,
    /// Nobody can move, and somebody should.
    InvalidEnd,
    /// An infinite run that must not be, or a claim that was followed to its end.
    Cycle,
}

/// What a run of the verifier said.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Said {
    pub(super) mistakes: Vec<Mistake>,
    pub(super) errors: u64,
    pub(super) stored: Option<u64>,
    pub(super) transitions: Option<u64>,
    pub(super) memory_bytes: Option<u64>,
    /// Why the search is not complete, if it is not.
    pub(super) gap: Option<String>,
    /// Whether it must be run with a deeper stack.
    pub(super) too_deep: bool,
    /// Whether it must be compiled with room for larger states.
    pub(super) too_wide: bool,
}

/// Reads what the verifier printed.
pub(super) fn read(text: &str) -> Said {
    let mut said = Said::default();
    for line in text.lines().map(str::trim) {
        // An event trace that is not finished where nobody can move is told as an invalid end state.
        let unfinished = line.contains("event_trace not completed").then_some(Mistake::Failure);
        let mistake = message(line).and_then(mistake).or(unfinished);
        said.mistakes.extend(mistake.filter(|mistake| !said.mistakes.contains(mistake)));
        if let Some((_, n)) = line.rsplit_once("errors: ") {
            said.errors = n.trim().parse().unwrap_or(0);
        }
        let number = |end: &str| first_number(line.strip_suffix(end)?);
        said.stored = said.stored.or_else(|| number(" states, stored"));
        said.stored = said.stored.or_else(|| first_number(visited(line)?));
        said.transitions = said.transitions.or_else(|| number(" transitions (= stored+matched)"));
        said.transitions = said.transitions.or_else(|| number(" transitions (= visited+matched)"));
        if let Some(megabytes) = line.strip_suffix("total actual memory usage") {
            let megabytes: Option<f64> = megabytes.trim().parse().ok();
            #[expect(clippy::cast_sign_loss, reason = "sizes are not negative")]
            let bytes = megabytes.map(|megabytes| (megabytes * 1_048_576.0) as u64);
            said.memory_bytes = bytes;
        }
    }
    said.too_deep = text.contains("max search depth too small");
    said.too_wide = text.contains("VECTORSZ too small") || text.contains("VECTORSZ is too small");
    said.gap = gap(text, &said);
    said
}

/// `5 states, stored (7 visited)` and the like, where acceptance doubles states.
fn visited(line: &str) -> Option<&str> {
    let (number, rest) = line.split_once(" states, stored")?;
    rest.starts_with(" (").then_some(number)
}

fn first_number(text: &str) -> Option<u64> {
    let number = text.split_whitespace().next()?;
    number.parse().ok().or_else(|| {
        // Large counts are printed as 1.2345e+08.
        let value: f64 = number.parse().ok()?;
        #[expect(clippy::cast_sign_loss, reason = "counts are not negative")]
        (value >= 0.0).then_some(value as u64)
    })
}

/// The text of a line `pan:1: text (at depth 5)`.
fn message(line: &str) -> Option<&str> {
    let (number, text) = line.strip_prefix("pan:")?.split_once(": ")?;
    number.parse::<u64>().ok()?;
    Some(text)
}

fn mistake(message: &str) -> Option<Mistake> {
    if message.starts_with("aborting") {
        return None;
    }
    let is_cycle =
        ["acceptance cycle", "non-progress cycle", "claim violated", "end state in claim"]
            .iter()
            .any(|start| message.starts_with(start));
    Some(if message.starts_with("invalid end state") {
        Mistake::InvalidEnd
    } else if is_cycle {
        Mistake::Cycle
    } else {
        Mistake::Failure
    })
}

fn gap(text: &str, said: &Said) -> Option<String> {
    let why = if said.too_wide {
        "its states are too large"
    } else if text.contains("reached -DMEMLIM bound") || text.contains("out of memory") {
        "the memory limit was met"
    } else if said.too_deep {
        "its search was not deep enough"
    } else if text.contains("aborting") || !text.contains("errors: ") {
        "its verifier ended early"
    } else if text.contains("Search not completed") && said.errors == 0 {
        "its search was not completed"
    } else {
        return None;
    };
    Some(why.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMPLETE: &str = "\
pan:1: assertion violated (x<2) (at depth 13)
pan:2: invalid end state (at depth 15)

State-vector 28 byte, depth reached 16, errors: 4
       44 states, stored
       27 states, matched
       71 transitions (= stored+matched)
        0 atomic steps
    0.290	actual memory usage for states
  132.500	total actual memory usage
pan: elapsed time 0.02 seconds
";

    #[test]
    fn figures_and_mistakes_are_read() {
        let expected = Said {
            mistakes: vec![Mistake::Failure, Mistake::InvalidEnd],
            errors: 4,
            stored: Some(44),
            transitions: Some(71),
            memory_bytes: Some(138_936_320),
            ..Said::default()
        };
        assert_eq!(read(COMPLETE), expected);
    }

    #[test]
    fn cycles_and_claims_are_one_kind() {
        for text in [
            "pan:1: acceptance cycle (at depth 2)",
            "pan:1: non-progress cycle (at depth 2)",
            "pan:1: claim violated! (at depth 2)",
            "pan:1: end state in claim reached (at depth 2)",
        ] {
            assert_eq!(read(text).mistakes, [Mistake::Cycle], "{text}");
        }
    }

    #[test]
    fn counts_of_searches_for_cycles_are_those_of_stored_states() {
        let said = read("  17 states, stored (29 visited)\n  40 transitions (= visited+matched)");
        assert_eq!((said.stored, said.transitions), (Some(17), Some(40)));
        assert_eq!(read(" 1.25e+08 states, stored").stored, Some(125_000_000));
    }

    #[test]
    fn an_unfinished_trace_is_a_failure() {
        let said = read("pan: event_trace not completed\npan:1: invalid end state (at depth 3)\n");
        assert_eq!(said.mistakes, [Mistake::Failure, Mistake::InvalidEnd]);
    }

    #[test]
    fn incomplete_searches_say_why() {
        let gap = |text: &str| read(text).gap.unwrap_or_default();
        assert_eq!(gap(COMPLETE), "");
        assert_eq!(gap(""), "its verifier ended early");
        assert!(read("error: max search depth too small\nerrors: 0").too_deep);
        assert_eq!(gap("max search depth too small\nerrors: 0"), "its search was not deep enough");
        assert_eq!(gap("pan: reached -DMEMLIM bound\nerrors: 0"), "the memory limit was met");
        assert_eq!(gap("Search not completed\nerrors: 0"), "its search was not completed");
        let wide = read(
            "pan: error, VECTORSZ too small, recompile\npan:1: aborting (at depth 0)\nerrors: 1",
        );
        assert!(wide.too_wide && wide.mistakes.is_empty());
    }
}
