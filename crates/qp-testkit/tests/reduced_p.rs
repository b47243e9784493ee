//! Searches of random P programs that leave some orders of steps out: mailboxes, creation, deferred events, `on null`,
//! halting and specs.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use qp_base::Budget;
use qp_check::{Referee, Ruling};
use qp_claim::{Claim, ClosedSet, Proof, ReducedSet};
use qp_engines::{Answers, Engine, Explore, Lists, Task, TaskLimits};
use qp_machines::{MachineId, Model, Property};
use qp_testkit::rng::Rng;

const ASKED: [Property; 4] =
    [Property::Assert, Property::Unhandled, Property::Divergence, Property::Deadlock];
const N_EVENTS: usize = 3;

/// A random program: a few machines that know each other, and perhaps a spec.
struct Maker {
    rng: Rng,
    n_types: usize,
    n_machines: usize,
    creates: bool,
    nulls: bool,
}

impl Maker {
    fn program(seed: u64) -> String {
        let mut rng = Rng::new(seed);
        let (n_types, n_machines) = (2 + rng.below(2), 2 + rng.below(3));
        let (creates, nulls) = (rng.percent(20), rng.percent(20));
        let mut maker = Self { rng, n_types, n_machines, creates, nulls };
        let mut text = "event eInit: seq[machine];\n".to_owned();
        for event in 0..N_EVENTS {
            writeln!(text, "event e{event}: int;").expect("a text takes everything");
        }
        text.push_str(&maker.main());
        for number in 0..maker.n_types {
            text.push_str(&maker.machine(number));
        }
        let types: Vec<String> = (0..maker.n_types).map(|it| format!("T{it}")).collect();
        let watch = maker.rng.percent(50);
        if watch {
            text.push_str(&maker.spec());
        }
        let asserts = if watch { "assert Watch in " } else { "" };
        writeln!(text, "test tc [main=Main]: {asserts}{{ Main, {} }};", types.join(", "))
            .expect("a text takes everything");
        text
    }

    fn main(&mut self) -> String {
        let mut text =
            "machine Main { start state Init { entry { var all: seq[machine];\n".to_owned();
        for number in 0..self.n_machines {
            let kind = self.rng.below(self.n_types);
            writeln!(text, "all += ({number}, new T{kind}());").expect("a text takes everything");
        }
        for number in 0..self.n_machines {
            writeln!(text, "send all[{number}], eInit, all;").expect("a text takes everything");
        }
        text + "} ignore e0, e1, e2, eInit; } }\n"
    }

    /// What a handler does.
    fn code(&mut self, n_sends: usize) -> String {
        let mut text = String::new();
        if self.rng.percent(35) {
            text.push_str("if ($) x = 1 - x; ");
        }
        for _ in 0..n_sends {
            if self.rng.percent(40) {
                write!(text, "if (x == {}) ", self.rng.below(2)).expect("a text takes everything");
            }
            let (to, event) = (self.rng.below(self.n_machines), self.rng.below(N_EVENTS));
            write!(text, "send all[{to}], e{event}, x; ").expect("a text takes everything");
        }
        if self.creates && self.rng.percent(25) {
            let kind = self.rng.below(self.n_types);
            write!(text, "m = new T{kind}(); send m, eInit, all; ")
                .expect("a text takes everything");
        }
        if self.rng.percent(12) {
            text.push_str("assert x == 0; ");
        }
        match self.rng.below(10) {
            0..4 => write!(text, "goto S{};", self.rng.below(2)).expect("a text takes everything"),
            4 if self.rng.percent(30) => text.push_str("raise halt;"),
            _ => {}
        }
        text
    }

    fn machine(&mut self, number: usize) -> String {
        let mut text = format!(
            "machine T{number} {{ var all: seq[machine]; var x: int; var m: machine;\n\
             start state Init {{ defer e0, e1, e2; on eInit do (it: seq[machine]) {{ all = it; "
        );
        let sends = self.rng.below(3);
        text.push_str(&self.code(sends));
        text.push_str(" goto S0; } }\n");
        for state in 0..2 {
            writeln!(text, "state S{state} {{").expect("a text takes everything");
            for event in 0..N_EVENTS {
                let sends = usize::from(self.rng.percent(40));
                match self.rng.below(100) {
                    0..15 => writeln!(text, "defer e{event};").expect("a text takes everything"),
                    15..25 => writeln!(text, "ignore e{event};").expect("a text takes everything"),
                    25..97 => {
                        let code = self.code(sends);
                        writeln!(text, "on e{event} do (y: int) {{ x = y; {code} }}")
                            .expect("a text takes everything");
                    }
                    _ => {}
                }
            }
            if self.nulls && self.rng.percent(30) {
                let code = self.code(1);
                writeln!(text, "on null do {{ {code} }}").expect("a text takes everything");
            }
            text.push_str("}\n");
        }
        text + "}\n"
    }

    fn spec(&mut self) -> String {
        let mut text = "spec Watch observes e0, e1 { var n: int; start state S {\n".to_owned();
        for event in 0..2 {
            let (a, b) = (self.rng.below(3), self.rng.below(2));
            writeln!(
                text,
                "on e{event} do (y: int) {{ if (n == {a}) {{ assert y == {b}; }} n = {event} + y; }}"
            )
            .expect("a text takes everything");
        }
        text + "} }\n"
    }
}

fn search(model: &Model, reduce: bool) -> Answers {
    let limits = TaskLimits {
        bound_first: 1,
        bound_max: 2,
        jobs: 1,
        exhaustive: true,
        queues: false,
        small_max: 100_000,
        evidence_max: 100_000,
        walk_steps_max: 0,
        lists: Lists::default(),
        sets: qp_engines::Sets::Explicit,
        order: qp_engines::Order::default(),
        reduce,
    };
    let properties = ASKED.to_vec();
    let task = Task { model: model.clone(), properties, invariants: Vec::new(), limits };
    Explore.run(task, &Budget::states(3_000))
}

fn words(model: &Model, answers: &Answers, text: &str) -> Vec<&'static str> {
    let mut referee = Referee::new(model, 1_000_000);
    let mut word = |answer: &qp_engines::Answer| {
        let verdict = referee.check(answer.property, &answer.claim);
        match verdict.unwrap_or_else(|why| panic!("{why}\n{text}")).ruling() {
            Ruling::Proved(_) => "proved",
            Ruling::Violated { .. } => "violated",
            Ruling::Unknown(_) => "unknown",
        }
    };
    answers.claims.iter().map(&mut word).collect()
}

fn figure(answers: &Answers, name: &str) -> u64 {
    answers.detail.iter().find(|detail| detail.0 == name).map_or(0, |detail| detail.1)
}

fn model(text: &str) -> Model {
    let (model, said) = qp_load::load("m.p", text);
    model.unwrap_or_else(|| panic!("{said:?}\n{text}"))
}

/// `QP_SEEDS` says how many programs are compared.
#[test]
fn nothing_that_survives_is_missed_in_random_p_programs() {
    let n = std::env::var("QP_SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(400);
    let (mut met, mut n_full, mut n_less, mut n_compared) = (BTreeMap::new(), 0, 0, 0);
    for seed in 0..n {
        let text = Maker::program(seed);
        let model = model(&text);
        let (full, less) = (search(&model, false), search(&model, true));
        let found = words(&model, &less, &text);
        if full.spent.is_some() {
            continue;
        }
        n_compared += 1;
        n_full += figure(&full, "states");
        n_less += figure(&less, "states");
        for (property, (expected, found)) in
            ASKED.iter().zip(words(&model, &full, &text).into_iter().zip(found))
        {
            // Queues that grow without end need not grow where orders are left out.
            let fits = expected == found || (expected == "unknown" && found == "proved");
            assert!(fits, "seed {seed} {property:?}: {expected}, {found}\n{text}");
            if figure(&less, "reduced") > 0 {
                *met.entry(format!("{property:?} {found}")).or_insert(0) += 1;
            }
        }
    }
    println!("{n_compared} compared, {n_full} to {n_less} configurations; {met:?}");
    assert!(n_compared > n / 4 && n_less * 3 < n_full * 2, "{n_compared}, {n_full}, {n_less}");
    for what in ["Assert violated", "Assert proved", "Unhandled violated", "Deadlock proved"] {
        assert!(met.get(what).is_some_and(|&n| n > 10), "{what}: {met:?}");
    }
}

/// A set with its model in which several machines go first somewhere.
fn sample() -> (Model, ReducedSet) {
    for seed in 0.. {
        let model = model(&Maker::program(seed));
        let answers = search(&model, true);
        let set = answers.claims.iter().find_map(|answer| match &answer.claim {
            Claim::Holds(Proof::Reduced(set)) => Some(set.clone()),
            _ => None,
        });
        let Some(set) = set else { continue };
        let several = |it: &Option<Vec<MachineId>>| it.as_ref().is_some_and(|it| it.len() > 1);
        if set.machines.iter().filter(|it| several(it)).count() > 3 && set.machines.len() > 40 {
            return (model, (*set).clone());
        }
    }
    unreachable!("some program has such a set")
}

/// The claim is about divergence, which has no faults here: what is refused is the set.
fn is_refused(model: &Model, set: ReducedSet) -> bool {
    let claim = Claim::Holds(Proof::Reduced(Arc::new(set)));
    Referee::new(model, 1_000_000).check(Property::Divergence, &claim).is_err()
}

#[test]
fn a_machine_may_not_be_dropped_from_those_who_go_first() {
    let (model, set) = sample();
    assert!(!is_refused(&model, set.clone()));
    let (mut n, mut n_refused) = (0, 0);
    for row in 0..set.machines.len() {
        let Some(first) = set.machines[row].clone().filter(|it| it.len() > 1) else { continue };
        for number in 0..first.len() {
            let mut fewer = set.clone();
            let mut left = first.clone();
            left.remove(number);
            fewer.machines[row] = Some(left);
            n += 1;
            n_refused += usize::from(is_refused(&model, fewer));
        }
    }
    // A set to which one was added so that nobody waits for ever may do without another.
    assert!(n > 6 && n_refused * 10 >= n * 9, "{n_refused} of {n}");
}

#[test]
fn other_sets_of_machines_and_missing_rows_are_refused() {
    let (model, set) = sample();
    let mut nobody = set.clone();
    let reduced = set.machines.iter().position(Option::is_some).expect("it is reduced");
    nobody.machines[reduced] = Some(Vec::new());
    assert!(is_refused(&model, nobody));
    let (width, n) = (set.set.width(), set.machines.len());
    let mut n_refused = 0;
    for row in 1..n {
        let mut less = set.clone();
        let mut rows: ClosedSet = (*set.set).clone();
        rows.cells.drain(row * width..(row + 1) * width);
        less.set = Arc::new(rows);
        less.machines.remove(row);
        n_refused += usize::from(is_refused(&model, less));
    }
    assert_eq!(n_refused, n - 1);
}
