//! The numbers of statements, compared with SPIN's where it is installed.
//!
//! `pan -d` lists the transitions of every process with the numbers of their statements. Each of them must be
//! that of the same statement here. `QP_PROMELA_MODELS` names another folder of models to compare.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use qp_front_promela::spec::Body;
use qp_front_promela::{Included, Includes, Spec};

/// Files beside the model.
struct Beside;

impl Includes for Beside {
    fn open(&self, from: &str, name: &str) -> Option<Included> {
        let path = Path::new(from).parent()?.join(name);
        let text = String::from_utf8_lossy(&std::fs::read(&path).ok()?).into_owned();
        Some(Included { name: path.to_string_lossy().into_owned(), text })
    }
}

fn spec(path: &Path) -> Option<Spec> {
    let bytes = std::fs::read(path).expect("the model can be read");
    let text = String::from_utf8_lossy(&bytes);
    let options = qp_front_promela::Options::default();
    qp_front_promela::read(&path.to_string_lossy(), &text, &Beside, &options).spec
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

fn run(folder: &Path, program: &str, args: &[&str]) -> String {
    let output =
        Command::new(program).args(args).current_dir(folder).output().expect("the program runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// No process has this name.
const TRACE: &str = ":trace:";

/// A transition that SPIN lists.
struct Listed {
    body: String,
    number: u32,
    text: String,
}

/// SPIN's list; `None` if it does not accept the model.
fn listed(path: &Path, compiler: &str) -> Option<Vec<Listed>> {
    let name = path.file_stem().expect("models have names").to_string_lossy().into_owned();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("numbers-{name}"));
    std::fs::create_dir_all(&folder).expect("there is room for files");
    let path = path.canonicalize().expect("the model is there");
    run(&folder, "spin", &["-o1", "-o2", "-o3", "-a", &path.to_string_lossy()]);
    run(&folder, compiler, &["-w", "-DNOREDUCE", "-o", "pan", "pan.c"]);
    let list = folder.join("pan").exists().then(|| run(&folder, "./pan", &["-d"]));
    std::fs::remove_dir_all(&folder).expect("there is room for files");
    let mut body = String::new();
    let mut transitions = Vec::new();
    for line in list?.lines() {
        if let Some(name) = header(line) {
            name.clone_into(&mut body);
        } else if let Some((number, text)) = transition(line) {
            transitions.push(Listed { body: body.clone(), number, text: text.to_owned() });
        }
    }
    Some(transitions)
}

/// The name of the body whose transitions follow. SPIN calls all traces `notrace`, or `trace`.
fn header(line: &str) -> Option<&str> {
    let name = line.strip_prefix("proctype ").or_else(|| line.strip_prefix("claim "));
    let trace = line.ends_with("trace assertion").then_some(TRACE);
    name.or_else(|| (line == "init").then_some("init")).or(trace)
}

/// `state 1 -(tr 3)-> state 2  [id   7 tp   2] [----G] m.pml:4 => x = 1`.
fn transition(line: &str) -> Option<(u32, &str)> {
    let (_, rest) = line.split_once("[id ")?;
    let (number, rest) = rest.trim_start().split_once(' ')?;
    let (_, text) = rest.split_once(" => ")?;
    Some((number.parse().ok()?, text))
}

/// The bodies of a model with the names that SPIN gives to them.
fn bodies(spec: &Spec) -> BTreeMap<&str, &Body> {
    let procs = spec.procs.iter().map(|proc| (&*proc.name, &proc.body));
    let claims = spec.claims.iter().map(|claim| (&*claim.name, &claim.body));
    let traces = spec.traces.iter().map(|trace| (TRACE, &trace.body));
    procs.chain(claims).chain(traces).collect()
}

/// A statement without what SPIN writes otherwise: spaces, parentheses and quotes. Symbolic names and numbers
/// are all the same, because SPIN confuses them, and names do not begin with `_`.
fn bare(spec: &Spec, text: &str) -> String {
    let is_symbol = |word: &str| {
        let value = word.chars().all(|it| it.is_ascii_digit());
        value || spec.mtypes.iter().any(|set| set.names.iter().any(|it| it == word))
    };
    let mut bare = String::new();
    for word in words(text) {
        match word.chars().next() {
            Some(first) if first.is_ascii_alphanumeric() || first == '_' => {
                bare.push_str(if is_symbol(word) { "#" } else { word.trim_start_matches('_') });
            }
            // Variables of other processes: `p:x` and `p.x`.
            Some(':') => bare.push('.'),
            Some(first) if !first.is_whitespace() && !"()'\"".contains(first) => bare.push(first),
            _ => {}
        }
    }
    bare
}

/// Names and numbers, and single characters between them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let inside = |it: char| it.is_ascii_alphanumeric() || it == '_';
        let len = match rest.find(|it| !inside(it)) {
            _ if !inside(first) => first.len_utf8(),
            Some(len) => len,
            None => rest.len(),
        };
        let (word, behind) = rest.split_at(len);
        rest = behind;
        Some(word)
    })
}

/// Whether SPIN's text of a transition can be that of a statement.
fn agree(spec: &Spec, theirs: &str, ours: &str) -> bool {
    // What SPIN writes in words of its own; records that are declared behind a statement have no text at all.
    let special = [
        ("._p==", "@"),
        ("f0r_t3mp", "_"),
        ("_priority = ", "set_priority"),
        ("SET_PRIORITY", "set_priority"),
        ("printf", "printf"),
        ("printm", "printm"),
        ("D_STEP", "d_step"),
        ("goto :b", "break"),
    ];
    if special.iter().any(|(word, here)| theirs.contains(word) && ours.contains(here)) {
        return true;
    }
    let (theirs, ours) = (bare(spec, theirs), bare(spec, ours));
    // Declarations are shown by the name of the variable.
    let declared = theirs.split(['=', '[']).next().unwrap_or_default();
    theirs == ours || declared == ours || theirs.is_empty()
}

/// What is different in a model, and how many transitions are the same.
fn differences(spec: &Spec, list: &[Listed]) -> (Vec<String>, usize) {
    let bodies = bodies(spec);
    let (mut wrong, mut same) = (Vec::new(), 0);
    for Listed { body, number, text } in list {
        // Formulas become claims of SPIN's own making, behind everything else. The ends of choices and loops
        // are no steps.
        if spec.formulas.iter().any(|formula| formula.name == *body)
            || text == ".(goto)"
            || text == "break"
        {
            continue;
        }
        let ours = bodies.get(&**body).map(|it| spec.numbered(it).remove(number));
        match ours {
            Some(Some(ours)) if agree(spec, text, &ours) => same += 1,
            other => wrong.push(format!("{body} {number}: SPIN has `{text}`, not {other:?}")),
        }
    }
    (wrong, same)
}

/// All models in a folder and in those inside of it.
fn models(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("there is such a folder") {
        let path = entry.expect("it can be listed").path();
        let ending = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            models(&path, paths);
        } else if ["", "pml", "prom", "promela", "spin"].contains(&&*ending) {
            paths.push(path);
        }
    }
}

/// What SPIN makes several parts of, or numbers in an order of its own.
const TRICKY: [&str; 12] = [
    "byte x; init { skip } never { do :: x > 9 -> break :: else od } active proctype p() { x = 1 }
     ltl f { []<> (x == 1) } active proctype q() { x = 2 }",
    "byte x; chan q = [1] of { byte }; trace { do :: q!1 :: q?1 od } init { q!1; q?_ }",
    "byte x; init { if :: x == 1 -> x = 2 :: else -> skip fi; do :: x = 3 :: break od; x = 4 }",
    "byte x; init { atomic { x = 1; x = 2 }; d_step { x = 3; x = 4 }; { x = 5 }; x = 6 }",
    "byte x, y; init { { x = 1; x = 2 } unless { x == 7; x = 3 }; x = 1 unless y; x = 4 }",
    "byte x; init { d_step { x = 1; x = 2 } unless d_step { x = 3; x = 4 }; x = 5;
     k: { x = 6; x = 7 } unless { x = 8 }; x = 9; if :: goto k :: skip fi }",
    "byte x, y, z[3]; init { for (x : 1 .. 2) { y = 1 }; for (x in z) { y = 2 };
     for (x : 1 .. 2) { y = 3 } unless atomic { y = 4 } }",
    "typedef T { byte f }; chan q = [2] of { T }; T t; init { for (t in q) { skip }; skip }",
    "byte x, y, x_1; inline s() { select (x : 1 .. 2) } init { select (x : 1 .. 3); s();
     select (x : 1 .. y); select (x_1 : 1 .. 3); select (x : 1 .. 90); y = 2 }",
    "byte x; typedef T { byte f }; inline f(a) { byte k = 1; x = a; return x + k }
     init { byte a; x = 1; byte b, c = 2, d[2]; T t; { byte e; x = 3 }; x = f(4); x = 5 }",
    "byte x; init { end: goto k; x = 1; k: progress1: goto m; accept: x = 3; m: x = 2 }",
    "byte x; proctype c() { k: goto m; m: skip } init { run c(); c@k; x = 1; c@k; x = 2 }",
];

/// The compiler, if SPIN is installed as well.
fn compiler() -> Option<&'static str> {
    let found = ["tcc", "gcc", "cc"].into_iter().find(|it| has(it));
    found.filter(|_| has("spin"))
}

#[test]
fn numbers_of_parts_are_those_of_spin() {
    let Some(compiler) = compiler() else { return };
    for (index, text) in TRICKY.iter().enumerate() {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tricky{index}.pml"));
        std::fs::write(&path, text).expect("there is room for files");
        let spec = spec(&path).unwrap_or_else(|| panic!("{text}"));
        let list = listed(&path, compiler).unwrap_or_else(|| panic!("{text}"));
        let (wrong, same) = differences(&spec, &list);
        std::fs::remove_file(&path).expect("there is room for files");
        assert_eq!(wrong, [""; 0], "{text}");
        assert!(same > 3, "{text}");
    }
}

#[test]
fn numbers_are_those_of_spin() {
    let Some(compiler) = compiler() else { return };
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/promela");
    let folder = std::env::var_os("QP_PROMELA_MODELS").map_or(corpus, PathBuf::from);
    let mut paths = Vec::new();
    models(&folder, &mut paths);
    paths.sort();
    let mut all = Vec::new();
    for path in &paths {
        let (Some(spec), Some(list)) = (spec(path), listed(path, compiler)) else {
            println!("{}: not read", path.display());
            continue;
        };
        let (wrong, same) = differences(&spec, &list);
        println!("{}: {same} same, {} different", path.display(), wrong.len());
        all.extend(wrong.iter().take(5).map(|it| format!("{}: {it}", path.display())));
    }
    assert!(all.is_empty(), "{all:#?}");
}
