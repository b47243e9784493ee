//! Random P programs: a second interpreter, written from the description of the language alone, finds in each
//! of them what the product finds.
//!
//! `QP_P_SEEDS=from..to` asks for other programs than the usual ones.

use std::collections::BTreeMap;
use std::ops::Range;

use qp_testkit::p_tree::compare::compare;
use qp_testkit::p_tree::make::program;
use qp_testkit::p_tree::print::print;
use qp_testkit::p_tree::shrink::shrink;
use qp_testkit::p_tree::tree::Program;

fn seeds(usual: Range<u64>) -> Range<u64> {
    let Ok(text) = std::env::var("QP_P_SEEDS") else { return usual };
    let numbers =
        text.split_once("..").and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
    numbers.expect("QP_P_SEEDS is like 0..1000")
}

/// Whether something else than the reader makes a difference.
fn is_different(program: &Program) -> bool {
    compare(program).is_err_and(|different| !different.contains("refused"))
}

/// A small program that is different, if one is asked for: that takes long.
fn shrunk(program: &Program) -> String {
    if std::env::var_os("QP_P_SHRINK").is_none() {
        return String::new();
    }
    let small = shrink(program, is_different);
    let again = compare(&small).err().unwrap_or_default();
    format!("shrunk: {again}\n{}", print(&small).text)
}

#[test]
fn random_programs_mean_what_a_second_interpreter_says() {
    let (mut n, mut problems) = (BTreeMap::<String, usize>::new(), Vec::new());
    for seed in seeds(0..300) {
        let program = program(seed);
        let mut count = |what: &str, by: usize| *n.entry(what.to_owned()).or_default() += by;
        count("programs", 1);
        match compare(&program) {
            Err(different) => {
                println!("seed {seed}: {different}");
                problems.push(format!("seed {seed}: {different}\n{}", shrunk(&program)));
            }
            Ok(compared) => {
                let naive = compared.naive;
                count("configurations", compared.n_worlds);
                count("answers", compared.n_answered);
                count("unknown", compared.n_unknown);
                count("complete", usize::from(naive.complete));
                count("diverge", usize::from(naive.diverges));
                count("deadlock", usize::from(!naive.deadlocks.is_empty()));
                let is_right =
                    naive.failures.is_empty() && naive.deadlocks.is_empty() && !naive.diverges;
                count("right", usize::from(naive.complete && is_right));
                for (fault, _) in &naive.failures {
                    count(&format!("{fault:?}"), 1);
                }
            }
        }
    }
    println!("{n:#?}");
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}
