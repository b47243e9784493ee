//! Random P programs that do something with numbers: count, draw, compare and store them.

use std::fmt::Write;

use crate::rng::Rng;

/// What is done with one of the two sorts of numbers of a program.
const PROFILES: &[&[&str]] = &[
    &["lit", "eq", "step", "map", "map"],
    &["choose", "eq", "is", "map"],
    &["choose", "is", "cut", "lit"],
    &["step", "less", "eq", "shift"],
    &["step", "less", "eq", "map"],
    &["step", "is", "cut"],
    &["step", "map", "map", "eq"],
    &["lit", "eq", "map", "is"],
    &["choose", "eq", "step", "map", "cut"],
    &["step", "lit", "is", "eq", "map"],
];

/// A random program: two or three machines that know each other, with numbers of two sorts (which may turn out to be one).
pub(super) struct Maker {
    rng: Rng,
    profiles: [&'static [&'static str]; 2],
    n_types: usize,
    n_machines: usize,
    /// For each event: the sorts of the numbers that it carries.
    events: Vec<Vec<usize>>,
    /// The sorts of keys and of values of maps, and of elements of sets.
    key: usize,
    value: usize,
    element: usize,
    /// Whether generators are assigned, collections gone through, and numbers go down.
    wild: bool,
    creates: bool,
    literals: &'static [usize],
}

/// Who runs some code.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Machine,
    Spec,
}

impl Maker {
    pub(super) fn program(seed: u64, heated: bool) -> String {
        let mut rng = Rng::new(seed);
        let profiles = [PROFILES[rng.below(PROFILES.len())], PROFILES[rng.below(PROFILES.len())]];
        let n_events = 2 + rng.below(2);
        let mut payload = || (0..=rng.below(3) / 2).map(|_| rng.below(2)).collect();
        let events = (0..n_events).map(|_| payload()).collect();
        let literals: [&[usize]; 5] = [&[0], &[0, 1], &[0, 2], &[1], &[3]];
        let maker = Self {
            profiles,
            n_types: 1 + rng.below(2),
            n_machines: 2 + rng.below(3) / 2,
            events,
            key: rng.below(2),
            value: rng.below(2),
            element: rng.below(2),
            wild: rng.percent(30),
            creates: rng.percent(20),
            literals: literals[rng.below(5)],
            rng,
        };
        maker.text(heated)
    }

    fn text(mut self, heated: bool) -> String {
        let mut text = "event eInit: seq[machine];\n".to_owned();
        for (number, payload) in self.events.iter().enumerate() {
            let ty = if payload.len() == 1 { "int" } else { "(int, int)" };
            writeln!(text, "event e{number}: {ty};").expect("a text takes everything");
        }
        text += "machine Main { start state S { entry { var all: seq[machine];\n";
        for number in 0..self.n_machines {
            let kind = self.rng.below(self.n_types);
            writeln!(text, "all += ({number}, new T{kind}());").expect("a text takes everything");
        }
        for number in 0..self.n_machines {
            writeln!(text, "send all[{number}], eInit, all;").expect("a text takes everything");
        }
        let ignored: Vec<String> = (0..self.events.len()).map(|it| format!("e{it}")).collect();
        writeln!(text, "}} ignore {}; }} }}", ignored.join(", ")).expect("a text takes everything");
        for number in 0..self.n_types {
            text += &self.machine(number, &ignored.join(", "));
        }
        let watches = self.rng.percent(35) || heated;
        if heated {
            text += &super::hot_spec(&mut self.rng, self.events.len());
        } else if watches {
            text += &self.spec(&ignored.join(", "));
        }
        let types: Vec<String> = (0..self.n_types).map(|it| format!("T{it}")).collect();
        let asserts = if watches { "assert Watch in " } else { "" };
        writeln!(text, "test tc [main=Main]: {asserts}{{ Main, {} }};", types.join(", "))
            .expect("a text takes everything");
        text
    }

    const VARIABLES: &str = "var v0: int; var v1: int; var v2: int; var v3: int; \
        var m4: map[int, int]; var m5: map[int, int]; var s6: set[int];";

    fn machine(&mut self, number: usize, events: &str) -> String {
        let mut text = format!(
            "machine T{number} {{ var all: seq[machine]; var w: machine; {}\n\
             start state Init {{ defer {events}; on eInit do (it: seq[machine]) {{ all = it; ",
            Self::VARIABLES
        );
        let n = self.rng.below(3);
        text += &self.code(Owner::Machine, None, n, false);
        text += &self.send("all[0]", None);
        text += "goto S0; } }\n";
        for state in 0..2 {
            writeln!(text, "state S{state} {{").expect("a text takes everything");
            for event in 0..self.events.len() {
                match self.rng.below(100) {
                    0..10 => writeln!(text, "defer e{event};").expect("a text takes everything"),
                    10..98 => {
                        let n = 1 + self.rng.below(4);
                        let code = self.code(Owner::Machine, Some(event), n, true);
                        text += &self.handler(event, &code);
                    }
                    _ => {}
                }
            }
            text += "ignore eInit; }\n";
        }
        text + "}\n"
    }

    fn spec(&mut self, events: &str) -> String {
        let mut text =
            format!("spec Watch observes {events} {{ {} start state S {{\n", Self::VARIABLES);
        for event in 0..self.events.len() {
            let code = if self.rng.percent(70) {
                self.code(Owner::Spec, Some(event), 2, false)
            } else {
                String::new()
            };
            text += &self.handler(event, &code);
        }
        text + "} }\n"
    }

    fn handler(&self, event: usize, code: &str) -> String {
        let ty = if self.events[event].len() == 1 { "int" } else { "(int, int)" };
        format!("on e{event} do (it: {ty}) {{ {code} }}\n")
    }

    /// What numbers of a sort there are to read.
    fn operand(&mut self, sort: usize, event: Option<usize>) -> String {
        let mut all = vec![format!("v{}", 2 * sort), format!("v{}", 2 * sort + 1)];
        let payload = event.map_or(&[][..], |event| &self.events[event]);
        for (number, _) in payload.iter().enumerate().filter(|it| *it.1 == sort) {
            all.push(if payload.len() == 1 { "it".to_owned() } else { format!("it.{number}") });
        }
        all.swap_remove(self.rng.below(all.len()))
    }

    /// A variable to write: seldom one that counts.
    fn target(&mut self, sort: usize) -> String {
        let counts = self.wild && self.rng.percent(30);
        format!("v{}", 2 * sort + usize::from(!counts))
    }

    fn map(&mut self) -> &'static str {
        ["m4", "m5"][self.rng.below(2)]
    }

    fn literal(&mut self) -> usize {
        self.literals[self.rng.below(self.literals.len())]
    }

    fn condition(&mut self, sort: usize, event: Option<usize>) -> String {
        let asks = |it: &&&str| matches!(**it, "eq" | "less" | "is" | "cut" | "map");
        let asked: Vec<&str> = self.profiles[sort].iter().filter(asks).copied().collect();
        let one = self.operand(sort, event);
        let other = self.operand(sort, event);
        match asked[self.rng.below(asked.len())] {
            "eq" => format!("{one} == {other}"),
            "less" => format!("{one} < {other}"),
            "is" => format!("{one} == {}", self.literal() + self.rng.below(2)),
            "cut" => format!("{one} < {}", self.literal() + self.rng.below(2)),
            _ if sort == self.key => format!("{one} in {}", self.map()),
            _ if self.wild && self.rng.percent(10) => "m4 == m5".to_owned(),
            _ if sort == self.element => format!("{one} in s6"),
            _ => format!("{one} == {other}"),
        }
    }

    fn send(&mut self, to: &str, event: Option<usize>) -> String {
        let sent = self.rng.below(self.events.len());
        let sorts = self.events[sent].clone();
        let values: Vec<String> = sorts.iter().map(|&sort| self.operand(sort, event)).collect();
        match &values[..] {
            [one] => format!("send {to}, e{sent}, {one}; "),
            more => format!("send {to}, e{sent}, ({}); ", more.join(", ")),
        }
    }

    fn code(&mut self, owner: Owner, event: Option<usize>, n: usize, sends: bool) -> String {
        let mut text = String::new();
        for _ in 0..n {
            text += &self.statement(owner, event, sends);
            if sends && self.creates && self.rng.percent(10) {
                let kind = self.rng.below(self.n_types);
                write!(text, "w = new T{kind}(); send w, eInit, all; ")
                    .expect("a text takes everything");
                text += &self.send("w", event);
            }
        }
        if sends && self.rng.percent(88) {
            let to = format!("all[{}]", self.rng.below(self.n_machines));
            text += &self.send(&to, event);
        }
        if owner == Owner::Machine && sends && self.rng.percent(3) {
            text += "raise halt; ";
        }
        text
    }

    fn statement(&mut self, owner: Owner, event: Option<usize>, leaves: bool) -> String {
        let sort = self.rng.below(2);
        let profile = self.profiles[sort];
        let which = self.rng.below(profile.len() + 2);
        let (target, operand) = (self.target(sort), self.operand(sort, event));
        match profile.get(which).copied().unwrap_or(["copy", "if"][which % 2]) {
            "lit" => format!("{target} = {}; ", self.literal()),
            "copy" => format!("{target} = {operand}; "),
            "step" => {
                let by = [1, 1, 2][self.rng.below(3)];
                let sign = if self.wild && self.rng.percent(10) { "-" } else { "+" };
                format!("v{0} = v{0} {sign} {by}; ", 2 * sort)
            }
            "shift" => format!("{target} = {operand} {} 1; ", ["+", "-"][self.rng.below(2)]),
            "choose" if owner == Owner::Machine => {
                format!("{target} = choose({}); ", 2 + self.rng.below(3))
            }
            "map" => self.collect(sort, event),
            _ if self.rng.percent(15) => format!("assert {}; ", self.condition(sort, event)),
            _ if leaves => {
                let state = self.rng.below(2);
                format!("if ({}) {{ goto S{state}; }} ", self.condition(sort, event))
            }
            _ => String::new(),
        }
    }

    /// Something with maps and sets.
    fn collect(&mut self, sort: usize, event: Option<usize>) -> String {
        let map = self.map();
        if sort == self.element && self.rng.percent(40) {
            let sign = ["+", "+", "-"][self.rng.below(3)];
            return format!("s6 {sign}= ({}); ", self.operand(sort, event));
        }
        let (key, value) = (self.operand(self.key, event), self.operand(self.value, event));
        match self.rng.below(20) {
            0..10 => format!("{map}[{key}] = {value}; "),
            10..12 => format!("{map} -= ({key}); "),
            12..17 => {
                let target = self.target(self.value);
                format!("if ({key} in {map}) {{ {target} = {map}[{key}]; }} ")
            }
            17 => "m4 = m5; ".to_owned(),
            _ if self.wild => match self.rng.below(3) {
                0 => format!("v{} = sizeof({map}); ", 2 * sort + 1),
                1 => {
                    let target = self.target(self.key);
                    format!("if (sizeof({map}) > 0) {{ {target} = keys({map})[0]; }} ")
                }
                _ => {
                    let target = self.target(self.element);
                    format!("if (sizeof(s6) > 0) {{ {target} = s6[0]; }} ")
                }
            },
            _ => String::new(),
        }
    }
}
