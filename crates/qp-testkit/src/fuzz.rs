//! One random system, with everything that is asked of it.

use crate::compare::{Compared, Line, compare, compare_variants, lines, loaded, run};
use crate::net::Net;
use crate::rng::Rng;
use crate::shrink::shrink;
use crate::{make, twins};

/// Queues are explored up to this length.
const BOUND_MAX: u32 = 3;
/// The reference gives up beyond this many configurations.
const MOST: usize = 3_000;

/// The system of a seed against the reference and against its twins. The error names the problem and
/// shows the smallest system found that has one.
pub fn try_seed(seed: u64) -> Result<Compared, String> {
    let net = make::net(seed);
    match examine(&net, seed) {
        Ok(compared) => Ok(compared),
        Err(problem) => {
            let small = shrink(net, |candidate| examine(candidate, seed).is_err());
            let again = examine(&small, seed).err().unwrap_or_default();
            save(seed, &again, &small);
            Err(format!("seed {seed}: {problem}\nshrunk: {again}\n{}", small.text()))
        }
    }
}

fn examine(net: &Net, seed: u64) -> Result<Compared, String> {
    let compared = compare(net, BOUND_MAX, MOST)?;
    if compared != Compared::TooLarge {
        compare_variants(net, BOUND_MAX, MOST, seed as usize)?;
        twins_agree(net, seed)?;
    }
    Ok(compared)
}

fn twins_agree(net: &Net, seed: u64) -> Result<(), String> {
    let mut rng = Rng::new(seed ^ 0x7777);
    let (answers, counts) = answers(net)?;
    for (name, twin, same_counts) in [
        ("renamed", twins::renamed(net), true),
        ("permuted", twins::permuted(net, &mut rng), true),
        ("doubled", twins::doubled(net, &mut rng), false),
        ("with a finished machine", twins::with_finished(net), true),
        ("roundabout", twins::roundabout(net), true),
    ] {
        let (others, other_counts) = self::answers(&twin)
            .map_err(|problem| format!("{name}: {problem}\n{}", twin.text()))?;
        // Order and names of bad states change; what is said about them does not.
        if sorted(&answers) != sorted(&others) {
            return Err(format!("{name}: {answers:?} became {others:?}"));
        }
        if same_counts && counts != other_counts {
            return Err(format!("{name}: counts {counts:?} became {other_counts:?}"));
        }
    }
    Ok(())
}

type Counts = Vec<(u32, u64, u64)>;

fn answers(net: &Net) -> Result<(Vec<Line>, Counts), String> {
    let checked = run(&loaded(net)?, BOUND_MAX, 1, true);
    if let Some(error) = checked.errors.first() {
        return Err(error.message.clone());
    }
    let bounds = checked.report.engines[0].bounds.iter();
    let counts = bounds.map(|e| (e.bound, e.states, e.transitions)).collect();
    Ok((lines(&checked.report), counts))
}

fn sorted(lines: &[Line]) -> Vec<String> {
    let show = |line: &Line| {
        let kind = line.id.split('.').next().unwrap_or_default();
        let kind = if kind.starts_with("reach:M") || kind.starts_with("reach:Zed") {
            "reach state"
        } else {
            kind
        };
        format!("{kind} {:?} {:?}", line.verdict, line.figures)
    };
    let mut shown: Vec<String> = lines.iter().map(show).collect();
    shown.sort();
    shown
}

/// With `QP_SAVE=1`, keeps the system for ever.
fn save(seed: u64, problem: &str, net: &Net) {
    if std::env::var_os("QP_SAVE").is_some_and(|value| value == "1") {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/regressions");
        let first = problem.lines().next().unwrap_or_default();
        let text = format!(
            "//@ about: A random system that was answered wrongly: {first}\n\
             //@ source: random systems, seed {seed}\n{}",
            net.text()
        );
        std::fs::create_dir_all(folder).expect("the corpus can be written to");
        std::fs::write(format!("{folder}/seed_{seed}.cfsm"), text)
            .expect("the corpus can be written to");
    }
}
