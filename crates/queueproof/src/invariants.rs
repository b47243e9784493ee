//! What is said about queues, and what became of it.

use qp_base::{Budget, Code};
use qp_engines::{Breach, Facts, Standing, Stated, breaches};

use crate::abreast::EngineRun;
use crate::clerk::Clerk;
use crate::report::{InvariantReport, PropertyReport, Report, VerdictWord};
use crate::{Loaded, Options};

/// What became of invariants: those that were stated come first, also those that nobody has looked at.
pub(crate) fn reports<'s>(
    stated: impl Iterator<Item = &'s Stated>,
    runs: &[EngineRun],
) -> Vec<InvariantReport> {
    let answers = runs.iter().filter_map(|run| run.answers.as_ref());
    let mut reports: Vec<InvariantReport> = Vec::new();
    for answer in answers.flat_map(|answers| &answers.invariants) {
        let report = InvariantReport {
            about: answer.about.clone(),
            formula: answer.formula.to_string(),
            stated: answer.stated,
            standing: word(answer.standing).to_owned(),
        };
        if !reports.contains(&report) {
            reports.push(report);
        }
    }
    for Stated { about, formula } in stated {
        let formula = formula.to_string();
        let is_this = |it: &InvariantReport| it.about == *about && it.formula == formula;
        if !reports.iter().any(is_this) {
            let (about, standing) = (about.clone(), "unused".to_owned());
            reports.push(InvariantReport { about, formula, stated: true, standing });
        }
    }
    reports.sort_by_key(|it| !it.stated);
    reports
}

/// Configurations in which what is stated is looked for to be false: a fraction of a second.
const LOOK_MAX: usize = 20_000;

/// Looks for runs that break what is stated.
pub(crate) fn look(
    loaded: &Loaded,
    options: &Options,
    facts: &Facts,
    budget: &Budget,
) -> Vec<Breach> {
    let stated: Vec<&Stated> = options.stated(loaded).collect();
    if stated.is_empty() || options.count_only {
        return vec![Breach::default(); stated.len()];
    }
    breaches(&loaded.model, &stated, (options.bound_max, LOOK_MAX), facts, budget)
}

/// What is stated and false is a finding like any other, and so is what is about nothing.
pub(crate) fn findings<'s>(
    stated: impl Iterator<Item = &'s Stated>,
    breaches: &[Breach],
    reports: &mut [InvariantReport],
    clerk: &mut Clerk<'_>,
) -> Vec<PropertyReport> {
    let mut found: Vec<PropertyReport> = Vec::new();
    for (stated, breach) in stated.zip(breaches) {
        let formula = stated.formula.to_string();
        let is_this = |it: &&mut InvariantReport| {
            it.stated && it.about == stated.about && it.formula == formula
        };
        let Some(report) = reports.iter_mut().find(is_this) else { continue };
        if breach.run.is_some() {
            report.standing = word(Standing::False).to_owned();
        }
        let id = format!("invariant:{}", stated.about);
        let n_same = found.iter().filter(|it| it.id.split('#').next() == Some(id.as_str())).count();
        let id = if n_same > 0 { format!("{id}#{}", n_same + 1) } else { id };
        match report.standing.as_str() {
            "false" => found.push(clerk.breach(id, stated, breach.run.as_ref())),
            "unmatched" | "unused" if !breach.is_met => found.push(unmet(id, stated)),
            _ => {}
        }
    }
    found
}

/// Something is stated of a machine or queue that nobody has met.
fn unmet(id: String, stated: &Stated) -> PropertyReport {
    let message = format!("no machine or queue called {} was met", stated.about);
    let reason = format!(
        "{message}: machines that are created are named with their number, as in Client(2), and Client means all of them"
    );
    PropertyReport {
        verdict: VerdictWord::Unknown,
        code: Some(Code(3018)),
        message,
        reason: Some(reason),
        ..PropertyReport::blank(id)
    }
}

/// Something stated is false where an engine has been, and no short run shows it.
pub(crate) fn unshown(id: String, stated: &Stated) -> PropertyReport {
    let message =
        format!("{}: {} seems to be false, but no run shows it", stated.about, stated.formula);
    PropertyReport {
        verdict: VerdictWord::Unknown,
        code: Some(Code(3019)),
        reason: Some(format!("{message}: proofs do without it")),
        message,
        ..PropertyReport::blank(id)
    }
}

/// The same run with what was found about queues and is not proved. Stated, it is used, and the answer
/// says that it rests on it.
pub(crate) fn command(report: &Report, options: &Options) -> Option<String> {
    // More than a few would not be read.
    const FOUND_MAX: usize = 5;
    let found = report.invariants.iter().filter(|it| !it.stated && it.standing == "open");
    let found: Vec<String> =
        found.take(FOUND_MAX).map(|it| option(&it.about, &it.formula)).collect();
    if found.is_empty() {
        return None;
    }
    let mut words = vec!["queueproof check".to_owned(), quoted(&report.model.path)];
    words.extend(report.model.options.iter().map(|option| quoted(option)));
    words.extend(repeating(options));
    words.extend(found);
    Some(words.join(" "))
}

fn word(standing: Standing) -> &'static str {
    match standing {
        Standing::Proved => "proved",
        Standing::Open => "open",
        Standing::False => "false",
        Standing::Unmatched => "unmatched",
    }
}

/// The options of the command line that ask the same about queues again.
fn repeating(options: &Options) -> Vec<String> {
    let lists = options.lists;
    let numbers = [("--prefix", lists.prefix), ("--counted", lists.counted)];
    let numbers = numbers.into_iter().filter_map(|(name, n)| Some(format!("{name} {}", n?)));
    let suggest = (!lists.suggest).then(|| "--no-suggest".to_owned());
    let stated = options.invariants.iter();
    let stated = stated.map(|it| option(&it.about, &it.formula.to_string()));
    numbers.chain(suggest).chain(stated).collect()
}

/// `--invariant 'Receiver: G !Prime'`.
fn option(about: &str, formula: &str) -> String {
    format!("--invariant {}", quoted(&format!("{about}: {formula}")))
}

/// A word of a command line, quoted for a shell where it needs it.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+=,@%:".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use qp_engines::{Answers, InvariantAnswer, Lists};
    use qp_machines::{Qutl, Relation};

    use super::*;
    use crate::{check, load};

    fn at_most(name: &str, number: u32) -> Qutl {
        Qutl::Count(name.to_owned(), Relation::AtMost, number)
    }

    fn stated(name: &str) -> Stated {
        Stated { about: "Receiver".to_owned(), formula: at_most(name, 1) }
    }

    fn run(invariants: Vec<InvariantAnswer>) -> EngineRun {
        let answers = Answers { invariants, ..Answers::default() };
        EngineRun { name: "converge", answers: Some(answers), time_s: 0.0 }
    }

    fn answer(name: &str, stated: bool, standing: Standing) -> InvariantAnswer {
        InvariantAnswer {
            about: "Receiver".to_owned(),
            formula: at_most(name, 1),
            stated,
            standing,
        }
    }

    #[test]
    fn stated_ones_come_first_and_none_is_forgotten() {
        let found = answer("a", false, Standing::Open);
        let runs = [run(vec![found, answer("b", true, Standing::Proved)])];
        let stated = [stated("b"), stated("c")];
        let reports = reports(stated.iter(), &runs);
        let told: Vec<_> = reports
            .iter()
            .map(|it| (it.formula.as_str(), it.stated, it.standing.as_str()))
            .collect();
        let expected =
            [("#b <= 1", true, "proved"), ("#c <= 1", true, "unused"), ("#a <= 1", false, "open")];
        assert_eq!(told, expected);
    }

    #[test]
    fn the_command_repeats_the_run_with_what_was_found() {
        let options = Options {
            invariants: vec![stated("b")],
            lists: Lists { prefix: Some(2), suggest: false, ..Lists::default() },
            ..Options::default()
        };
        let loaded = load("m.cfsm", b"machine A { init S: }").expect("it is a model");
        let mut report = check(&loaded, &options, &options.budget()).report;
        report.model.path = "my model.p".to_owned();
        report.model.options = vec!["--test".to_owned(), "tc".to_owned()];
        assert_eq!(command(&report, &options), None);
        report.invariants = reports([].iter(), &[run(vec![answer("a", false, Standing::Open)])]);
        let expected = "queueproof check 'my model.p' --test tc --prefix 2 --no-suggest \
                        --invariant 'Receiver: #b <= 1' --invariant 'Receiver: #a <= 1'";
        assert_eq!(command(&report, &options).as_deref(), Some(expected));
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("a/b.p"), "a/b.p");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
