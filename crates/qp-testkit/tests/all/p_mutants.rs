//! P programs of the corpus, broken in one place: the reader never panics, it gives a model exactly if it
//! complains about nothing, and what it still takes for a program can run.

use std::collections::{BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use qp_base::Severity;
use qp_load::{Assume, File, Foreign, Switches, load_files};
use qp_machines::Model;
use qp_testkit::p_nets::follow;
use qp_testkit::rng::Rng;

/// Of each program there are so many mutants of each kind.
const EACH: usize = 8;

/// One of so many mutants that are programs still is run.
const RUN_ONE_OF: usize = 3;

const CONFIGURATIONS_MAX: usize = 300;

/// What a token may become.
const WORDS: &str = "
    any bool enum event eventset float int machine interface map set string seq data announce as
    assert break case cold continue default defer do else entry exit foreach format fun goto
    halt hot if ignore in keys new observes on print raise receive return send sizeof spec start
    state this type values var while with choose module test compose union hidee hidei rename
    receives sends creates to true false null push pop assume main param pairwise wise scenario
    $$ $ ! && || ==> <==> == != <= >= < > -> = += -= + - * / % { } [ ] ( ) ; , . : 0 1
    9223372036854775807 99999999999999999999 1.5 .5 \"{0}\" \" /* Main \u{e9}";

#[test]
fn no_broken_program_is_too_much_for_the_reader() {
    let mut rng = Rng::new(41);
    let (mut n_mutants, mut n_programs, mut n_run) = (0, 0, 0);
    let mut n_nets = 0;
    for path in programs() {
        let text = std::fs::read_to_string(&path).expect("the corpus is text");
        for mutant in mutants(&text, &mut rng) {
            n_mutants += 1;
            let switches = switches(&mut rng);
            let said = format!("{} with {switches:?}:\n{mutant}", path.display());
            let files = files(&mutant, &mut rng);
            let read = catch_unwind(|| read(&files, &switches));
            let read = read.unwrap_or_else(|_| panic!("the reader panics: {said}"));
            let Some(model) = read.unwrap_or_else(|why| panic!("{why}: {said}")) else { continue };
            n_programs += 1;
            if n_programs % RUN_ONE_OF == 0 {
                n_run += 1;
                let run = catch_unwind(AssertUnwindSafe(|| run(&model)));
                assert!(run.is_ok(), "a run panics: {said}");
                let net = catch_unwind(AssertUnwindSafe(|| has_net(&model)));
                match net.unwrap_or_else(|_| panic!("a net panics: {said}")) {
                    Ok(is_there) => n_nets += usize::from(is_there),
                    Err(why) => panic!("the net lacks a run: {why}: {said}"),
                }
            }
        }
    }
    assert!(n_mutants > 6000, "{n_mutants} mutants say little");
    assert!(n_programs > 600, "{n_programs} programs say little");
    assert!(n_run > 200, "{n_run} programs were run");
    assert!(n_nets > 200, "{n_nets} programs have nets");
}

/// The model, if nothing is wrong with the text; an error if the reader contradicts itself.
fn read(files: &[File], switches: &Switches) -> Result<Option<Model>, &'static str> {
    let reading = load_files("mutant", files, switches);
    let complains = reading.diagnostics.iter().any(|it| it.severity == Severity::Error);
    if reading.model.is_some() == complains {
        return Err("there is a model exactly if there is no error");
    }
    let end = reading.source.text.len();
    if reading.diagnostics.iter().any(|it| it.primary.span.end as usize > end + 1) {
        return Err("a place lies behind the end");
    }
    Ok(reading.model)
}

/// Visits the first configurations, breadth first.
fn run(model: &Model) {
    let mut system = model.system();
    let first = system.initial();
    let mut seen = BTreeSet::from([first.clone()]);
    let mut todo = VecDeque::from([first]);
    while let Some(config) = todo.pop_front() {
        for outcome in system.successors(&config) {
            if seen.len() < CONFIGURATIONS_MAX && seen.insert(outcome.config.clone()) {
                todo.push_back(outcome.config);
            }
        }
    }
}

/// Whether there is a net; an error if it lacks a run.
fn has_net(model: &Model) -> Result<bool, String> {
    let Ok(net) = model.system().program_mut().net(&[]) else { return Ok(false) };
    let all: Vec<_> = net.details.ids().collect();
    follow(model, &[], (3, 40), 1)?;
    follow(model, &all, (3, 40), 2)?;
    Ok(true)
}

/// The text in one file, or sometimes in two.
fn files(text: &str, rng: &mut Rng) -> Vec<File> {
    let file = |name: &str, text: &str| File { name: name.into(), bytes: text.as_bytes().to_vec() };
    let cut = rng.below(text.len() + 1);
    match text.split_at_checked(cut) {
        Some((first, second)) if rng.percent(15) => {
            vec![file("first.p", first), file("second.p", second)]
        }
        _ => vec![file("mutant.p", text)],
    }
}

fn switches(rng: &mut Rng) -> Switches {
    Switches {
        assume: if rng.percent(20) { Assume::Strip } else { Assume::Honour },
        foreign: if rng.percent(20) { Foreign::Havoc } else { Foreign::Refuse },
        ..Switches::default()
    }
}

fn mutants(text: &str, rng: &mut Rng) -> Vec<String> {
    let pieces = pieces(text);
    let tokens: Vec<usize> = (0..pieces.len()).filter(|&at| !is_gap(pieces[at])).collect();
    if tokens.is_empty() {
        return Vec::new();
    }
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut all = Vec::new();
    for _ in 0..EACH {
        let mut any = || tokens[rng.below(tokens.len())];
        let (at, other, from) = (any(), any(), any());
        let pairs = (0..60).map(|_| (any(), any()));
        let alike: Vec<_> =
            pairs.filter(|&(one, other)| is_alike(pieces[one], pieces[other])).take(4).collect();
        let word = words[rng.below(words.len())];
        all.push(pieces[..at].concat());
        all.push(changed(&pieces, |new| {
            new.remove(at);
        }));
        all.push(changed(&pieces, |new| new.insert(at, pieces[at])));
        all.push(changed(&pieces, |new| new.swap(at, other)));
        all.push(changed(&pieces, |new| new[at] = word));
        all.push(changed(&pieces, |new| new[at] = pieces[from]));
        // Names for names and numbers for numbers: these are programs more often than not.
        for (one, other) in alike {
            all.push(changed(&pieces, |new| new[one] = pieces[other]));
        }
    }
    all
}

fn changed<'t>(pieces: &[&'t str], change: impl FnOnce(&mut Vec<&'t str>)) -> String {
    let mut new = pieces.to_vec();
    change(&mut new);
    new.concat()
}

/// The text in pieces: words, gaps, comments to the end of their line, and single signs.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let ends = |is: fn(char) -> bool| rest.find(|c| !is(c)).unwrap_or(rest.len());
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if first.is_whitespace() {
            ends(char::is_whitespace)
        } else if first.is_alphanumeric() || first == '_' {
            ends(|c| c.is_alphanumeric() || c == '_')
        } else {
            first.len_utf8()
        };
        let (piece, behind) = rest.split_at(length);
        pieces.push(piece);
        rest = behind;
    }
    pieces
}

/// Whether both are names, numbers or operators.
fn is_alike(one: &str, other: &str) -> bool {
    let kind = |piece: &str| match piece.chars().next()? {
        c if c.is_ascii_digit() => Some(0),
        c if c.is_alphabetic() && !WORDS.split_whitespace().any(|word| word == piece) => Some(1),
        '+' | '-' | '*' | '/' | '<' | '>' => Some(2),
        _ => None,
    };
    one != other && kind(one).is_some() && kind(one) == kind(other)
}

fn is_gap(piece: &str) -> bool {
    piece.starts_with("//") || piece.starts_with(char::is_whitespace)
}

fn programs() -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/p");
    let mut found = Vec::new();
    for folder in [corpus.clone(), corpus.join("features")] {
        let entries = std::fs::read_dir(folder).expect("the corpus is there");
        found.extend(entries.map(|entry| entry.expect("the corpus can be listed").path()));
    }
    found.retain(|path| path.extension().is_some_and(|it| it == "p"));
    found.sort();
    found
}
