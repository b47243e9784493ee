//! `cargo xtask`: the automation of the project.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool prints")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use xtask::bench::{self, emit, families};
use xtask::{dist, docs, lines, tidy, trusted, verdicts};

const HELP: &str = "\
cargo xtask COMMAND

  tidy [FOLDER]                   checks the rules of the house, here or in another copy
  lines [FOLDER]                  counts lines of code by crate: what ships, and tests
  trusted                         counts the lines that one has to trust, by kind of certificate and by language
  dist                            builds what is handed out below target/dist: static binaries, completions and
                                  manual pages in an archive, with its checksum
  docs                            writes the pages of the manual that are made from the code
  bench [--rounds N] [--only NAME] [--threads 1,2]
                                  times the bounded search, beside SPIN if it is installed
  bench explore [--rounds N] [--only NAME]
                                  times sets kept one by one and as decision diagrams, beside SPIN, then at
                                  growing sizes; says which targets are missed
  bench instructions [--bless]    counts the instructions of the hot loops with valgrind, beside those on
                                  record; --bless puts them on record
  bench-p [--rounds N]            times P programs beside the same protocols as automata
  bench-promela [--rounds N] [--only NAME] [--threads 1,2]
                                  times the search of Promela models, beside SPIN if it is installed
  bench-converge [--rounds N] [MODEL ...]
                                  times proofs for every queue length beside plain exploration
  gen FAMILY [NAME=NUMBER ...] [--promela BOUND]
                                  prints a benchmark system as .cfsm, or in Promela with bounded queues
  fuzz --seed N --minutes M       random systems against the reference interpreter; QP_SAVE=1 keeps a
                                  system that is answered wrongly in corpus/regressions
  verdicts record OUT --binary QUEUEPROOF [--time 5s] [--jobs N] [--ask ARGUMENT ...] [--programs FOLDER ...]
           [PATH ...]             writes a table of verdicts over models; --ask adds an argument of `check`, and
                                  below --programs each innermost folder is one P program
  verdicts compare BEFORE AFTER   prints what changed between two tables; a lost or other answer is an error
  help                            prints this
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask has a parent folder");
    let result = match words.as_slice() {
        ["tidy"] => run_tidy(root),
        ["tidy", folder] => run_tidy(Path::new(folder)),
        ["lines"] => count_lines(root),
        ["lines", folder] => count_lines(Path::new(folder)),
        ["trusted"] => print_trusted(root),
        ["dist"] => dist::run(root).map(|told| print!("{told}")),
        ["docs"] => write_docs(root),
        ["bench", "explore", rest @ ..] => {
            bench_options(rest).and_then(|options| bench::explore::run(root, &options))
        }
        ["bench", "instructions"] => bench::instructions::run(root, false),
        ["bench", "instructions", "--bless"] => bench::instructions::run(root, true),
        ["bench", rest @ ..] => bench_options(rest).and_then(|options| bench::run(root, &options)),
        ["bench-p", rest @ ..] => {
            bench_options(rest).and_then(|options| bench::p::run(root, &options))
        }
        ["bench-promela", rest @ ..] => {
            bench_options(rest).and_then(|options| bench::promela::run(root, &options))
        }
        ["bench-converge", rest @ ..] => testkit(root, "qp-bench-converge", rest),
        ["gen", family, rest @ ..] => generate(family, rest),
        ["fuzz", rest @ ..] => testkit(root, "qp-fuzz", rest),
        ["verdicts", "record", out, rest @ ..] => {
            asked(rest).and_then(|asked| verdicts::record(&asked, Path::new(out)))
        }
        ["verdicts", "compare", before, after] => {
            verdicts::compare(Path::new(before), Path::new(after))
        }
        ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(())
        }
        _ => Err(HELP.to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run_tidy(root: &Path) -> Result<(), String> {
    let files = tidy::read_tree(root).map_err(|error| error.to_string())?;
    for warning in tidy::warnings(&files) {
        eprintln!("warning: {warning}");
    }
    let findings = tidy::run(&files);
    for finding in &findings {
        println!("{finding}");
    }
    if findings.is_empty() { Ok(()) } else { Err(format!("{} findings", findings.len())) }
}

fn count_lines(root: &Path) -> Result<(), String> {
    let files = tidy::read_tree(root).map_err(|error| error.to_string())?;
    print!("{}", lines::table(&files));
    Ok(())
}

/// Runs a program of the testkit: it needs our own crates, which this one must build without.
fn testkit(root: &Path, program: &str, words: &[&str]) -> Result<(), String> {
    let status = std::process::Command::new(env!("CARGO"))
        .current_dir(root)
        .args(["run", "--release", "-p", "qp-testkit", "--bin", program, "--"])
        .args(words)
        .status()
        .map_err(|error| format!("cargo cannot be started: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{program} found a problem")) }
}

fn write_docs(root: &Path) -> Result<(), String> {
    let files = tidy::read_tree(root).map_err(|error| error.to_string())?;
    let no_marks = || format!("{} has no place for its tables", trusted::PAGE);
    let sums = trusted::page(&files).ok_or_else(no_marks)?;
    for (path, page) in [(docs::ENGINES_PAGE, docs::engines_page(&files)), (trusted::PAGE, sums)] {
        std::fs::write(root.join(path), page)
            .map_err(|error| format!("cannot write {path}: {error}"))?;
    }
    Ok(())
}

fn print_trusted(root: &Path) -> Result<(), String> {
    let files = tidy::read_tree(root).map_err(|error| error.to_string())?;
    print!("{}", trusted::tables(&files));
    Ok(())
}

fn bench_options(words: &[&str]) -> Result<bench::Options, String> {
    let mut options = bench::Options { rounds: 3, only: None, threads: vec![1, 2] };
    for pair in words.chunks(2) {
        match pair {
            ["--rounds", value] => options.rounds = positive(value)?,
            ["--only", value] => options.only = Some((*value).to_owned()),
            ["--threads", value] => {
                options.threads = value.split(',').map(positive).collect::<Result<_, _>>()?;
            }
            _ => return Err(format!("{} is not understood\n\n{HELP}", pair.join(" "))),
        }
    }
    Ok(options)
}

fn asked(words: &[&str]) -> Result<verdicts::Asked, String> {
    let mut asked = verdicts::Asked {
        binary: PathBuf::new(),
        time: "5s".to_owned(),
        jobs: 1,
        more: Vec::new(),
        places: Vec::new(),
        programs: Vec::new(),
    };
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word {
            "--binary" => asked.binary = value()?.into(),
            "--time" => asked.time = value()?.to_owned(),
            "--jobs" => asked.jobs = positive(value()?)?,
            "--ask" => asked.more.push(value()?.to_owned()),
            "--programs" => asked.programs.push(value()?.into()),
            place => asked.places.push(place.into()),
        }
    }
    if asked.binary.as_os_str().is_empty() { Err(HELP.to_owned()) } else { Ok(asked) }
}

fn generate(family: &str, words: &[&str]) -> Result<(), String> {
    let (parameters, bound) = match words {
        [parameters @ .., "--promela", bound] => (parameters, Some(positive(bound)?)),
        parameters => (parameters, None),
    };
    let network = families::build(family, parameters)?;
    match bound {
        Some(bound) => print!("{}", emit::promela(&network, bound)),
        None => print!("{}", emit::cfsm(&network)),
    }
    Ok(())
}

fn positive(word: &str) -> Result<usize, String> {
    let number = word.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| format!("{word} is not a positive number"))
}
