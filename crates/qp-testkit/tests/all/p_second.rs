//! Random P programs: a second interpreter, written from the description of the language alone, finds in each
//! of them what the product finds.
//!
//! `QP_P_SEEDS=from..to` asks for other programs than the usual ones.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use qp_testkit::p_tree::compare::{BOUNDS, compare};
use qp_testkit::p_tree::explore::{Bounds, explore};
use qp_testkit::p_tree::make::program;
use qp_testkit::p_tree::print::print;
use qp_testkit::p_tree::shrink::shrink;
use qp_testkit::p_tree::tree::{
    Expr, Function, Handler, Kind, Machine, Place, Program, State, Stmt, Type,
};
use qp_testkit::p_tree::world::Grain;

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

/// What comparisons came to.
#[derive(Default)]
struct Tally {
    n: BTreeMap<String, usize>,
    problems: Vec<String>,
}

impl Tally {
    fn count(&mut self, what: &str, by: usize) {
        *self.n.entry(what.to_owned()).or_default() += by;
    }

    fn add(&mut self, seed: u64) {
        let program = program(seed);
        self.count("programs", 1);
        let compared = match compare(&program) {
            Ok(compared) => compared,
            Err(different) => {
                return self
                    .problems
                    .push(format!("seed {seed}: {different}\n{}", shrunk(&program)));
            }
        };
        let naive = compared.naive;
        self.count("configurations", compared.n_worlds);
        self.count("answers", compared.n_answered);
        self.count("unknown", compared.n_unknown);
        self.count("wider", usize::from(compared.is_wider));
        self.count("complete", usize::from(naive.complete));
        self.count("diverge", usize::from(naive.diverges));
        self.count("deadlock", usize::from(!naive.deadlocks.is_empty()));
        let is_right = naive.failures.is_empty() && naive.deadlocks.is_empty() && !naive.diverges;
        self.count("right", usize::from(naive.complete && is_right));
        let faults: BTreeSet<String> =
            naive.failures.iter().map(|it| format!("{:?}", it.0)).collect();
        for fault in faults {
            self.count(&fault, 1);
        }
    }
}

#[test]
fn random_programs_mean_what_a_second_interpreter_says() {
    let (usual, mut tally) = (0..120, Tally::default());
    let seeds = seeds(usual.clone());
    for seed in seeds.clone() {
        tally.add(seed);
    }
    let Tally { n, problems } = tally;
    println!("{n:#?}");
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
    let enough = |what: &str, least: usize| {
        let found = n.get(what).copied().unwrap_or(0);
        assert!(found >= least || seeds != usual, "{found} of {what} say little");
    };
    enough("complete", 80);
    enough("right", 25);
    enough("deadlock", 4);
    enough("diverge", 1);
    for fault in ["Assert", "Unhandled", "Null", "OutOfRange", "MissingKey", "Cast", "Choice"] {
        enough(fault, 1);
    }
    assert_eq!(n.get("unknown").copied().unwrap_or(0), 0, "small programs are answered");
}

fn stmt(id: usize, kind: Kind) -> Rc<Stmt> {
    Rc::new(Stmt { id, kind })
}

fn code(all: Vec<Rc<Stmt>>) -> Rc<Function> {
    let (parameters, locals) = (Vec::new(), Vec::new());
    Rc::new(Function { name: None, parameters, result: None, locals, code: Rc::new(all) })
}

fn event(name: &str) -> Rc<Expr> {
    Rc::new(Expr::Event(name.to_owned()))
}

fn part(name: &str, entry: Option<Rc<Function>>, on: Vec<(&str, Rc<Function>)>) -> Machine {
    let on = on.into_iter().map(|it| (it.0.to_owned(), Handler::Do(it.1))).collect();
    let state = State { name: "S".to_owned(), entry, exit: None, handlers: on };
    let (fields, functions, observes) = (Vec::new(), Vec::new(), Vec::new());
    Machine { name: name.to_owned(), fields, functions, states: vec![state], observes }
}

/// `send new W(), eGo; announce eMark;`, and the new machine announces that it is done.
fn marks_after_sending() -> Program {
    let new = Rc::new(Expr::New("W".to_owned(), Vec::new()));
    let send = stmt(1, Kind::Send(new, event("eGo"), None));
    let mark = stmt(2, Kind::Announce(event("eMark"), None));
    let main = part("Main", Some(code(vec![send, mark])), Vec::new());
    let done = code(vec![stmt(3, Kind::Announce(event("eDone"), None))]);
    let worker = part("W", None, vec![("eGo", done)]);
    let marked = Place { name: "marked".to_owned(), parts: Vec::new() };
    let set = code(vec![stmt(4, Kind::Assign(marked, Rc::new(Expr::Bool(true))))]);
    let test = code(vec![stmt(5, Kind::Assert(Rc::new(Expr::Var("marked".to_owned()))))]);
    let spec = part("First", None, vec![("eMark", set), ("eDone", test)]);
    let observes = vec!["eMark".to_owned(), "eDone".to_owned()];
    let spec = Machine { fields: vec![("marked".to_owned(), Type::Bool)], observes, ..spec };
    let events = ["eGo", "eMark", "eDone"].map(|it| (it.to_owned(), None)).to_vec();
    Program { events, functions: Vec::new(), machines: vec![main, worker], specs: vec![spec] }
}

/// P's runtime goes on from a send to the next one without letting others go first, so that the assertion holds
/// there. Here others may go right after the send, and it does not: more runs than P has, none left out. Whoever
/// changes that makes this test red and may then compare with `Grain::Runtime` alone.
#[test]
fn others_may_still_go_right_after_a_send() {
    let program = marks_after_sending();
    let failures = |grain| explore(&program, Bounds { grain, ..BOUNDS }).failures.len();
    assert_eq!((failures(Grain::Runtime), failures(Grain::Finer)), (0, 1));
    let compared = compare(&program).expect("the product does so as well");
    assert!(compared.is_wider);
}
