//! Promela models of the corpus: counts of states and verdicts are those of SPIN.
//!
//! What SPIN says is on record, so that our answers can be compared where it is not installed. Where it is,
//! the record is compared with it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use qp_load::{File, Granularity, Switches};
use queueproof::{Options, Report, VerdictWord, check, load_files};

/// Larger models are for `compare spin`.
const STATES_MAX: u64 = 70_000;

/// What SPIN says about one model.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Said {
    model: String,
    /// As written: with a star where errors were met, or a dash.
    stored: String,
    errors: bool,
    verdicts: Vec<(String, String)>,
    fair: bool,
}

impl Said {
    /// How many states there are, where that can be compared.
    fn states(&self) -> Option<u64> {
        self.stored.parse().ok()
    }

    fn is_small(&self) -> bool {
        let stored = self.stored.trim_end_matches('*');
        stored.parse().is_ok_and(|stored: u64| stored <= STATES_MAX) || stored == "-"
    }
}

fn manifest() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn record() -> Vec<Said> {
    let path = manifest().join("../qp-promela/tests/spin_counts.txt");
    let text = std::fs::read_to_string(path).expect("the record can be read");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| said(line).unwrap_or_else(|| panic!("what is {line:?}?"))).collect()
}

fn said(line: &str) -> Option<Said> {
    let mut words = line.split_whitespace();
    let (model, stored) = (words.next()?.to_owned(), words.next()?.to_owned());
    let errors = match words.next()? {
        "yes" => true,
        "no" => false,
        _ => return None,
    };
    let mut said = Said { model, stored, errors, verdicts: Vec::new(), fair: false };
    for word in words {
        match word.split_once('=') {
            Some((property, verdict)) => {
                said.verdicts.push((property.to_owned(), verdict.to_owned()));
            }
            None if word == "fair" => said.fair = true,
            None => return None,
        }
    }
    Some(said)
}

fn path(said: &Said) -> PathBuf {
    manifest().join("../../corpus/promela").join(&said.model)
}

fn ours(said: &Said, granularity: Granularity) -> Report {
    let bytes = std::fs::read(path(said)).expect("the model can be read");
    let file = File { name: said.model.clone(), bytes };
    let switches =
        Switches { granularity: Some(granularity), fair: said.fair, ..Switches::default() };
    let loaded = load_files(&said.model, &[file], &switches)
        .unwrap_or_else(|refused| panic!("{}: {:?}", said.model, refused.diagnostics));
    let mut properties = vec!["assert".to_owned(), "deadlock".to_owned()];
    properties.extend(said.verdicts.iter().map(|(property, _)| property.clone()));
    properties.sort();
    properties.dedup();
    let options = Options {
        properties,
        engines: vec!["explore".to_owned()],
        time: Some(Duration::from_mins(5)),
        bound_max: 64,
        ..Options::default()
    };
    let checked = check(&loaded, &options, &options.budget());
    assert!(checked.errors.is_empty(), "{}: {:?}", said.model, checked.errors);
    checked.report
}

/// Nothing is said where the model does not have the property.
fn verdict(report: &Report, id: &str) -> VerdictWord {
    let found = report.properties.iter().find(|property| property.id == id);
    found.map_or(VerdictWord::None, |property| property.verdict)
}

/// What is different from what SPIN says.
fn differences(said: &Said, granularity: Granularity) -> Vec<String> {
    let report = ours(said, granularity);
    let mut wrong = Vec::new();
    let violated = |id| verdict(&report, id) == VerdictWord::Violated;
    if (violated("assert") || violated("deadlock")) != said.errors {
        wrong.push(format!("errors: {}", !said.errors));
    }
    // A run ends where it fails; SPIN's goes on, and may come to an invalid end.
    let behind = |property: &str| property == "deadlock" && violated("assert");
    let compared = said.verdicts.iter().filter(|(property, _)| !behind(property));
    for (property, expected) in compared {
        let verdict = match verdict(&report, property) {
            VerdictWord::ProvedUpToFailure => VerdictWord::Proved,
            verdict => verdict,
        };
        // SPIN does not tell what holds from what nothing could break.
        let vacuous = verdict == VerdictWord::None && expected == "proved";
        if verdict.word() != expected && !vacuous {
            wrong.push(format!("{property}: {verdict}, not {expected}"));
        }
    }
    if granularity == Granularity::Statement
        && let Some(states) = said.states()
    {
        let explored = report.properties.iter().filter_map(|property| property.explored);
        let ours = explored.map(|explored| explored.states).max().unwrap_or(0);
        if ours != states {
            wrong.push(format!("{ours} states, not {states}"));
        }
    }
    wrong.into_iter().map(|it| format!("{} ({granularity:?}): {it}", said.model)).collect()
}

#[test]
fn answers_and_counts_are_those_of_spin() {
    let record = record();
    assert!(record.len() > 250, "the record is short: {}", record.len());
    let small: Vec<&Said> = record.iter().filter(|said| said.is_small()).collect();
    let wrong: Vec<String> =
        small.iter().flat_map(|said| differences(said, Granularity::Statement)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn steps_taken_together_give_the_same_answers() {
    let record = record();
    let small = record.iter().filter(|said| said.is_small());
    let wrong: Vec<String> =
        small.flat_map(|said| differences(said, Granularity::Visible)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// SPIN with a compiler for what it writes.
struct Spin {
    compiler: &'static str,
    folder: PathBuf,
}

impl Spin {
    fn installed() -> Option<Self> {
        let has = |program: &&str| Command::new(program).arg("-v").output().is_ok();
        let compiler = ["tcc", "gcc", "cc", "clang"].into_iter().find(has)?;
        Command::new("spin").arg("-V").output().ok()?;
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("spin-record");
        Some(Self { compiler, folder })
    }

    fn run(&self, program: &str, args: &[&str]) -> String {
        let output = Command::new(program).args(args).current_dir(&self.folder).output();
        let output = output.expect("the program runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr)
    }

    /// What the verifier says that is compiled and run with these arguments.
    fn verify(&self, name: &str, flags: &[&str], args: &[&str]) -> String {
        let mut all = vec!["-w", "-DNOREDUCE", "-o", "pan", "pan.c"];
        all.extend(flags);
        let said = self.run(self.compiler, &all);
        assert!(self.folder.join("pan").exists(), "{name}: {said}");
        let said = self.run("./pan", args);
        std::fs::remove_file(self.folder.join("pan")).expect("it was there");
        said
    }

    /// The same record, made now.
    fn says(&self, known: &Said) -> Said {
        let name = &known.model;
        std::fs::create_dir_all(&self.folder).expect("there is room for files");
        std::fs::copy(path(known), self.folder.join("model.pml")).expect("there is room");
        self.run("spin", &["-o1", "-o2", "-o3", "-a", "model.pml"]);
        let safety = ["-DSAFETY", "-DNOCLAIM", "-DNOFAIR"];
        let said = self.verify(name, &safety, &["-n", "-c0", "-m1000000"]);
        let count = said.lines().find_map(|line| line.trim().strip_suffix(" states, stored"));
        let errors = has_errors(&said).unwrap_or(true);
        let incomplete = count.is_none() || said.contains("max search depth too small");
        let stored = match count {
            Some(count) if !incomplete => format!("{}{}", count.trim(), star(errors)),
            _ => "-".to_owned(),
        };
        let verdicts = known.verdicts.iter().map(|(property, verdict)| {
            let found = match self.judge(name, property, known.fair) {
                Some(true) => "violated".to_owned(),
                Some(false) => "proved".to_owned(),
                // Whether it is an assertion or an end that fails is not compared one by one.
                None => verdict.clone(),
            };
            (property.clone(), found)
        });
        let (model, fair, verdicts) = (name.clone(), known.fair, verdicts.collect());
        let errors = if stored == "-" { known.errors } else { errors };
        Said { model, stored, errors, verdicts, fair }
    }

    /// Whether a demand on infinite runs is violated.
    fn judge(&self, name: &str, property: &str, fair: bool) -> Option<bool> {
        let mut flags = if fair { vec!["-DNFAIR=4"] } else { vec!["-DNOFAIR"] };
        let mut args = vec!["-n", "-m1000000", "-E"];
        args.extend(fair.then_some("-f"));
        match property {
            "livelock" => {
                flags.extend(["-DNP", "-DNOCLAIM"]);
                args.extend(["-l", "-A"]);
            }
            "accept" => {
                flags.push("-DNOCLAIM");
                args.extend(["-a", "-A"]);
            }
            _ => {
                let formula = property.strip_prefix("ltl:")?;
                args.push("-a");
                if formula != "never" {
                    args.extend(["-N", formula]);
                }
            }
        }
        has_errors(&self.verify(name, &flags, &args))
    }
}

fn star(errors: bool) -> &'static str {
    if errors { "*" } else { "" }
}

fn has_errors(said: &str) -> Option<bool> {
    said.contains("errors: ").then(|| !said.contains("errors: 0"))
}

#[test]
fn the_record_is_what_spin_says() {
    let Some(spin) = Spin::installed() else { return };
    let record = record();
    let wrong: Vec<String> = record
        .iter()
        .filter(|known| known.is_small())
        .filter_map(|known| {
            let now = spin.says(known);
            (now != *known).then(|| format!("{known:?}\n  now {now:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
