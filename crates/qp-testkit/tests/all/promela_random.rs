//! Random models, and models of the corpus that were changed, compared with SPIN where it is installed.
//!
//! `QP_PROMELA_SEEDS=from..to` asks for other models than the usual ones, `QP_PROMELA_MODELS` names another
//! folder whose models are changed.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use qp_testkit::promela::compare::{Compared, safety};
use qp_testkit::promela::make::{Wanted, model};
use qp_testkit::promela::options;
use qp_testkit::promela::shrink::shrink;
use qp_testkit::promela::spin::{Spin, Unable};
use qp_testkit::promela::{broken, spin};
use qp_testkit::rng::Rng;

fn spin(name: &str) -> Option<Spin> {
    spin::Spin::find(&Path::new(env!("CARGO_TARGET_TMPDIR")).join(name))
}

fn seeds(usual: Range<u64>) -> Range<u64> {
    let Ok(text) = std::env::var("QP_PROMELA_SEEDS") else { return usual };
    let numbers =
        text.split_once("..").and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
    numbers.expect("QP_PROMELA_SEEDS is like 0..1000")
}

/// What comparisons came to.
#[derive(Default, Debug)]
struct Tally {
    n: BTreeMap<&'static str, usize>,
    states: usize,
    refusals: BTreeMap<String, usize>,
    problems: Vec<String>,
}

impl Tally {
    fn add(&mut self, what: &str, text: &str, spin: &Spin) {
        let word = match safety(spin, text) {
            Ok(Compared::Agrees { stored, wrong }) => {
                self.states += stored;
                if wrong { "wrong" } else { "right" }
            }
            Ok(Compared::Unable(Unable::Refuses(why))) => {
                self.refusal(&why);
                "refused by SPIN"
            }
            Ok(Compared::Unable(Unable::Compiles(why))) => {
                self.refusal(&why);
                "not compiled"
            }
            Ok(Compared::Unable(Unable::Searches(why))) => {
                self.refusal(why.lines().next().unwrap_or_default());
                "not searched by SPIN"
            }
            Ok(Compared::Refused(why)) => {
                self.refusal(&format!("we: {why}"));
                "refused"
            }
            Ok(Compared::TooLarge) => "too large",
            Err(problem) => {
                let small = shrink(text, |text| safety(spin, text).is_err());
                let again = safety(spin, &small).err().unwrap_or_default();
                self.problems.push(format!("{what}: {problem}\nshrunk: {again}\n{small}"));
                "different"
            }
        };
        *self.n.entry(word).or_default() += 1;
    }

    fn refusal(&mut self, why: &str) {
        let line = why.lines().find(|line| line.contains("rror") || line.contains("we:"));
        let line: String = line.unwrap_or(why).chars().take(300).collect();
        let line: String = line.chars().filter(|c| !c.is_ascii_digit()).collect();
        *self.refusals.entry(line).or_default() += 1;
    }
}

#[test]
fn random_models_are_what_spin_takes_them_for() {
    let Some(spin) = spin("promela-random") else { return };
    let mut tally = Tally::default();
    for seed in seeds(0..120) {
        tally.add(&format!("seed {seed}"), &model(seed, Wanted::Safety), &spin);
    }
    println!("{:?}, {} states\n{:#?}", tally.n, tally.states, tally.refusals);
    assert!(tally.problems.is_empty(), "{}", tally.problems.join("\n"));
}

/// Options that begin with anything, inside of anything.
#[test]
fn options_begin_as_spin_has_them_begin() {
    let Some(spin) = spin("promela-options") else { return };
    let mut tally = Tally::default();
    for seed in seeds(0..400) {
        tally.add(&format!("seed {seed}"), &options::model(seed), &spin);
    }
    println!("{:?}, {} states\n{:#?}", tally.n, tally.states, tally.refusals);
    assert!(tally.problems.is_empty(), "{}", tally.problems.join("\n"));
}

#[test]
fn changed_models_are_what_spin_takes_them_for() {
    let Some(spin) = spin("promela-changed") else { return };
    let mut tally = Tally::default();
    let paths = models();
    for seed in seeds(0..80) {
        let mut rng = Rng::new(seed);
        let path = &paths[rng.below(paths.len())];
        let text = std::fs::read_to_string(path).expect("the corpus is text");
        let changed = broken::altered(&text, &mut rng);
        tally.add(&format!("seed {seed} of {}", path.display()), &changed, &spin);
    }
    println!("{:?}, {} states\n{:#?}", tally.n, tally.states, tally.refusals);
    assert!(tally.problems.is_empty(), "{}", tally.problems.join("\n"));
}

fn models() -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/promela");
    let folders = match std::env::var_os("QP_PROMELA_MODELS") {
        Some(folder) => vec![PathBuf::from(folder)],
        None => vec![corpus.join("features"), corpus],
    };
    let mut found = Vec::new();
    for folder in folders {
        let entries = std::fs::read_dir(folder).expect("the models are there");
        found.extend(entries.map(|entry| entry.expect("the models can be listed").path()));
    }
    found.retain(|path| path.extension().is_some_and(|it| it == "pml"));
    found.sort();
    found
}
