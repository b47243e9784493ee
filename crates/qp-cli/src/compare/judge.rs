//! Whether two tools say the same.

use qp_report::comparison::Same;
use queueproof::VerdictWord;

use crate::compare::Ours;
use crate::compare::pan::Said;

/// What SPIN says about one property.
pub(super) struct Answer {
    pub(super) id: String,
    pub(super) violated: bool,
    /// Why its search was not complete, if it was not.
    pub(super) gap: Option<String>,
}

impl Answer {
    pub(super) fn word(&self) -> &'static str {
        match (self.violated, &self.gap) {
            (true, _) => "violated",
            (false, None) => "no error",
            (false, Some(_)) => "unknown",
        }
    }
}

/// What is to be said about the two.
#[derive(Default)]
pub(super) struct Judged {
    pub(super) differences: Vec<String>,
    pub(super) same: Same,
    pub(super) gaps: Vec<String>,
    pub(super) notes: Vec<String>,
}

/// Compares verdicts and, where both searched everything, the number of states.
pub(super) fn judge(
    ours: &Ours,
    theirs: &[Answer],
    fastest: &[Answer],
    said: Option<&Said>,
) -> Judged {
    let mut judged = Judged::default();
    let failing = fails(ours, theirs);
    let mut goes_on = false;
    for answer in theirs {
        let word = ours.verdicts.iter().find(|(id, _)| *id == answer.id).map(|(_, word)| *word);
        let word = word.unwrap_or(VerdictWord::Unknown);
        if failing && answer.id == "deadlock" && answer.violated && word.is_proved() {
            goes_on = true;
        } else {
            verdict(word, answer, &mut judged);
        }
    }
    for (slow, fast) in theirs.iter().zip(fastest) {
        if slow.gap.is_none() && fast.gap.is_none() && slow.violated != fast.violated {
            let with = if fast.violated { "finds it violated" } else { "misses the violation" };
            judged.notes.push(format!("{}: SPIN with its reductions {with}", slow.id));
        }
    }
    let counts = states(ours, failing, said, &mut judged);
    if goes_on || counts.is_some() {
        let counts = counts.map_or_else(String::new, |counts| format!(" ({counts})"));
        judged.notes.push(format!(
            "a run ends here where a statement fails, and goes on in SPIN: what comes behind it is not \
             compared{counts}"
        ));
    }
    judged
}

/// Whether some statement fails.
fn fails(ours: &Ours, theirs: &[Answer]) -> bool {
    let here =
        |(id, word): &(String, VerdictWord)| id == "assert" && *word == VerdictWord::Violated;
    let there = |answer: &Answer| answer.id == "assert" && answer.violated;
    ours.verdicts.iter().any(here) && theirs.iter().any(there)
}

fn verdict(word: VerdictWord, answer: &Answer, judged: &mut Judged) {
    let id = &answer.id;
    let same = match (word, answer.violated, &answer.gap) {
        (VerdictWord::Violated, true, _)
        | (VerdictWord::Proved | VerdictWord::ProvedUpToFailure | VerdictWord::None, false, None) =>
        {
            judged.same.verdicts.push(id.clone());
            return;
        }
        (VerdictWord::Unknown, ..) => {
            judged.gaps.push(format!("{id}: queueproof does not know"));
            return;
        }
        (_, false, Some(why)) => {
            judged.gaps.push(format!("{id}: SPIN has no answer, {why}"));
            return;
        }
        (VerdictWord::Violated, false, None) => "queueproof finds a violation, and SPIN does not",
        (VerdictWord::Proved | VerdictWord::ProvedUpToFailure | VerdictWord::None, true, _) => {
            "SPIN finds a violation, and queueproof does not"
        }
    };
    judged.differences.push(format!("{id}: {same}"));
}

/// Compares the number of states; both, if they differ and may: behind a failure only SPIN goes on.
fn states(ours: &Ours, failing: bool, said: Option<&Said>, judged: &mut Judged) -> Option<String> {
    let complete = said.filter(|said| said.gap.is_none()).and_then(|said| said.stored);
    let (Some(theirs), None, Some(ours)) = (complete, &ours.gap, ours.run.states) else {
        let why = ours.gap.clone().unwrap_or_else(|| "SPIN did not search everything".to_owned());
        judged.gaps.push(format!("the number of states: {why}"));
        return None;
    };
    judged.same.states = ours == theirs;
    let both = format!("{ours} states here, {theirs} in SPIN");
    if ours == theirs || failing {
        return (ours != theirs).then_some(both);
    }
    judged.differences.push(format!("the number of states: {ours} here, {theirs} in SPIN"));
    None
}

#[cfg(test)]
mod tests {
    use qp_report::comparison::ComparedRun;

    use super::*;

    fn ours(assert: VerdictWord, states: u64) -> Ours {
        Ours {
            verdicts: vec![("assert".to_owned(), assert)],
            run: ComparedRun {
                tool: "queueproof",
                setting: "statements",
                verdicts: Vec::new(),
                states: Some(states),
                transitions: None,
                time_s: None,
                memory_bytes: None,
            },
            gap: None,
        }
    }

    fn said(stored: u64) -> Said {
        Said { stored: Some(stored), ..Said::default() }
    }

    fn answer(violated: bool, gap: Option<&str>) -> Vec<Answer> {
        vec![Answer { id: "assert".to_owned(), violated, gap: gap.map(str::to_owned) }]
    }

    #[test]
    fn equal_answers_are_the_same() {
        let judged =
            judge(&ours(VerdictWord::Proved, 7), &answer(false, None), &[], Some(&said(7)));
        assert!(judged.differences.is_empty() && judged.gaps.is_empty() && judged.notes.is_empty());
        assert_eq!(judged.same, Same { verdicts: vec!["assert".to_owned()], states: true });
    }

    #[test]
    fn contradictions_are_differences() {
        let judged = judge(&ours(VerdictWord::Proved, 7), &answer(true, None), &[], Some(&said(7)));
        assert_eq!(judged.differences, ["assert: SPIN finds a violation, and queueproof does not"]);
        let judged =
            judge(&ours(VerdictWord::Violated, 7), &answer(false, None), &[], Some(&said(7)));
        assert_eq!(judged.differences, ["assert: queueproof finds a violation, and SPIN does not"]);
        let judged =
            judge(&ours(VerdictWord::Proved, 7), &answer(false, None), &[], Some(&said(8)));
        assert_eq!(judged.differences, ["the number of states: 7 here, 8 in SPIN"]);
    }

    #[test]
    fn where_a_statement_fails_states_may_differ() {
        let judged =
            judge(&ours(VerdictWord::Violated, 7), &answer(true, None), &[], Some(&said(8)));
        assert!(judged.differences.is_empty() && judged.gaps.is_empty());
        assert_eq!(judged.notes.len(), 1);
        assert!(judged.notes[0].ends_with("(7 states here, 8 in SPIN)"), "{:?}", judged.notes);
        assert_eq!(judged.same, Same { verdicts: vec!["assert".to_owned()], states: false });
    }

    #[test]
    fn a_deadlock_behind_a_failing_statement_is_not_compared() {
        let mut ours = ours(VerdictWord::Violated, 7);
        ours.verdicts.push(("deadlock".to_owned(), VerdictWord::Proved));
        let mut answers = answer(true, None);
        answers.push(Answer { id: "deadlock".to_owned(), violated: true, gap: None });
        let judged = judge(&ours, &answers, &[], Some(&said(7)));
        assert!(judged.differences.is_empty(), "{:?}", judged.differences);
        assert_eq!(judged.same, Same { verdicts: vec!["assert".to_owned()], states: true });
        assert_eq!(judged.notes.len(), 1);
    }

    #[test]
    fn what_was_not_searched_is_not_compared() {
        let gap = Some("the time limit was met");
        let cut = Said { gap: gap.map(str::to_owned), ..said(3) };
        let judged = judge(&ours(VerdictWord::Proved, 7), &answer(false, gap), &[], Some(&cut));
        assert!(judged.differences.is_empty());
        assert_eq!(judged.gaps.len(), 2, "{:?}", judged.gaps);
        // A violation that was found stays one, however the search ended.
        let judged = judge(&ours(VerdictWord::Proved, 7), &answer(true, gap), &[], Some(&cut));
        assert_eq!(judged.differences.len(), 1);
    }

    #[test]
    fn a_violation_that_reduction_hides_is_noted() {
        let judged = judge(
            &ours(VerdictWord::Violated, 7),
            &answer(true, None),
            &answer(false, None),
            Some(&said(7)),
        );
        assert_eq!(judged.notes, ["assert: SPIN with its reductions misses the violation"]);
    }
}
