//! Random P programs: mailboxes, creation, deferred events, `on null`, halting and specs.

mod numbers;

use std::fmt::Write;

use crate::rng::Rng;

const N_EVENTS: usize = 3;

/// The program of a seed.
pub fn program(seed: u64) -> String {
    Maker::program(seed, false)
}

/// The program of a seed with a spec that has hot, cold and other states, and no assertions in it.
pub fn heated(seed: u64) -> String {
    Maker::program(seed, true)
}

/// The program of a seed that counts, draws, compares and stores numbers.
pub fn numbers(seed: u64) -> String {
    numbers::Maker::program(seed, false)
}

/// The same with a spec that has hot, cold and other states.
pub fn heated_numbers(seed: u64) -> String {
    numbers::Maker::program(seed, true)
}

/// A random program: a few machines that know each other, and perhaps a spec.
struct Maker {
    rng: Rng,
    n_types: usize,
    n_machines: usize,
    creates: bool,
    nulls: bool,
}

impl Maker {
    fn program(seed: u64, heated: bool) -> String {
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
        let watch = maker.rng.percent(50) || heated;
        if watch {
            let spec = if heated { hot_spec(&mut maker.rng, N_EVENTS) } else { maker.spec() };
            text.push_str(&spec);
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

/// A spec that only goes from state to state.
fn hot_spec(rng: &mut Rng, n_events: usize) -> String {
    let events: Vec<String> = (0..n_events).map(|event| format!("e{event}")).collect();
    let mut text = format!("spec Watch observes {} {{\n", events.join(", "));
    for state in 0..3 {
        let start = if state == 0 { "start " } else { "" };
        let warmth = ["hot ", "cold ", ""][if state == 1 { 0 } else { rng.below(3) }];
        writeln!(text, "{start}{warmth}state S{state} {{").expect("a text takes everything");
        for event in &events {
            writeln!(text, "on {event} goto S{};", rng.below(3)).expect("a text takes everything");
        }
        text.push_str("}\n");
    }
    text + "}\n"
}
