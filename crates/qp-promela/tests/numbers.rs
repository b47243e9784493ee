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

fn header(line: &str) -> Option<&str> {
    let name = line.strip_prefix("proctype ").or_else(|| line.strip_prefix("claim "));
    name.or_else(|| (line == "init").then_some("init"))
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
    procs.chain(spec.claims.iter().map(|claim| (&*claim.name, &claim.body))).collect()
}

/// A statement without what SPIN writes otherwise: spaces, parentheses and quotes.
fn bare(text: &str) -> String {
    text.chars().filter(|it| !it.is_whitespace() && !"()'\"".contains(*it)).collect()
}

/// Whether SPIN's text of a transition can be that of a statement.
fn agree(theirs: &str, ours: &str) -> bool {
    let (theirs, ours) = (bare(theirs), bare(ours));
    let unclear = ["._p==", ".pc_value", "_f0r_t3mp", "printf", "printm", "set_priority", "?["];
    if theirs == ours || theirs.is_empty() {
        return true;
    }
    // Declarations are shown by the name of the variable, jumps out of loops without a label.
    let declares = theirs.starts_with(&ours) && theirs[ours.len()..].contains('=');
    let breaks = theirs.starts_with("goto:b") && ours == "break";
    let whole = theirs.starts_with("D_STEP") && ours == "d_step";
    let spoken = unclear.iter().any(|it| theirs.contains(it));
    declares || breaks || whole || spoken
}

/// What is different in a model, and how many transitions are the same.
fn differences(spec: &Spec, list: &[Listed]) -> (Vec<String>, usize) {
    let bodies = bodies(spec);
    let (mut wrong, mut same) = (Vec::new(), 0);
    for Listed { body, number, text } in list {
        // Formulas become claims of SPIN's own making, behind everything else. The ends of choices and loops
        // are no steps.
        if spec.formulas.iter().any(|formula| formula.name == *body) || text == ".(goto)" || text == "break" {
            continue;
        }
        let ours = bodies.get(&**body).map(|it| spec.numbered(it).remove(number));
        match ours {
            Some(Some(ours)) if agree(text, &ours) => same += 1,
            other => wrong.push(format!("{body} {number}: SPIN has `{text}`, not {other:?}")),
        }
    }
    (wrong, same)
}

/// All models in a folder and in those inside of it.
fn models(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let ending = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            models(&path, paths);
        } else if ["", "pml", "prom", "promela", "spin"].contains(&&*ending) {
            paths.push(path);
        }
    }
}

#[test]
fn numbers_are_those_of_spin() {
    let Some(compiler) = ["tcc", "gcc", "cc"].into_iter().find(|it| has(it)) else { return };
    if !has("spin") {
        return;
    }
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
