//! Every model of the corpus, with all engines together and with each alone.

use qp_testkit::corpus::{cases, timeless_json};
use queueproof::{VerdictWord, check};

#[test]
fn every_answer_is_as_expected() {
    let engines: Vec<&str> = queueproof::engines().map(|(name, _)| name).collect();
    let mut problems = Vec::new();
    let mut counts = [0_usize; 4];
    let (mut n_models, mut n_expected, mut n_roam) = (0, 0, 0);
    for case in cases() {
        let case = match case {
            Ok(case) => case,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        n_models += 1;
        n_expected += case.expected.properties.len() + case.expected.queues.len();
        let together = case.check(&[], 2);
        problems.extend(case.problems(&together, &engines));
        if together.n_begun > 1 {
            problems.push(format!("{}: a bounded space was begun twice", case.name));
        }
        for property in &together.report.properties {
            counts[match property.verdict {
                VerdictWord::Proved | VerdictWord::ProvedUpToFailure => 0,
                VerdictWord::Violated => 1,
                VerdictWord::Unknown => 2,
                VerdictWord::None => 3,
            }] += 1;
        }
        for engine in &engines {
            let alone = case.check(&[engine], 2);
            problems.extend(case.problems(&alone, &[engine]));
            if *engine == "roam" {
                let verdicts = alone.report.properties.iter().map(|property| property.verdict);
                let n = |wanted| verdicts.clone().filter(|&verdict| verdict == wanted).count();
                n_roam += n(VerdictWord::Violated);
                if n(VerdictWord::Proved) + n(VerdictWord::ProvedUpToFailure) > 0 {
                    problems.push(format!("{}: random runs have proved something", case.name));
                }
            }
        }
        let single = timeless_json(&case.check(&[], 1).report);
        if single != timeless_json(&together.report) {
            problems.push(format!("{}: one thread and two give different reports", case.name));
        }
    }
    let [proved, violated, unknown, none] = counts;
    println!("{n_models} models, {n_expected} expected answers");
    println!("{proved} proved, {violated} violated, {unknown} unknown, {none} none");
    println!("{n_roam} violated by random runs");
    assert!(n_models > 100, "the corpus was found");
    assert!(n_roam > 50, "random runs have found {n_roam} violations only");
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}

/// Limits are met after the same configuration whatever the number of threads.
#[test]
fn a_limit_cuts_one_thread_and_two_at_the_same_place() {
    let mut problems = Vec::new();
    let mut n_cut = 0;
    for case in cases().into_iter().flatten() {
        let run = |jobs| {
            let mut options = case.options(&[], jobs);
            // Longer queues would take minutes, and then the clock decides.
            (options.states_max, options.bound_max) = (60_000, 10);
            let report = check(&case.loaded, &options, &options.budget()).report;
            (timeless_json(&report), report.limits.hit.iter().any(|limit| limit == "states"))
        };
        let ((one, cut), (two, _)) = (run(1), run(2));
        n_cut += usize::from(cut);
        if one != two {
            let line = one.lines().zip(two.lines()).find(|(one, two)| one != two);
            problems.push(format!("{}: {line:?}", case.name));
        }
    }
    assert!(n_cut > 5, "the limit was met by {n_cut} models only");
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}
