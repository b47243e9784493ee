//! Random models: small state spaces, and as much of the language as fits into them.
//!
//! What is written is meant to be accepted by SPIN. A few models are not, because some rules of SPIN depend
//! on the whole text; those are passed over.

use std::fmt::Write as _;

use super::declare::{Chan, Inline, Kind, Place, Proc};
use crate::rng::Rng;

/// What a model is to have besides processes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// Nothing: safety is asked about.
    Safety,
    /// Formulas.
    Formulas,
    /// Labels of progress.
    Progress,
    /// Labels of acceptance.
    Acceptance,
    /// A `never` claim.
    Never,
}

/// The model of a seed.
pub fn model(seed: u64, wanted: Wanted) -> String {
    let mut maker = Maker::new(seed, wanted);
    maker.declarations();
    let bodies: Vec<String> = (0..maker.procs.len()).map(|proc| maker.proctype(proc)).collect();
    let mut text = std::mem::take(&mut maker.text);
    for inline in &maker.inlines {
        let _ = writeln!(text, "{}", inline.text);
    }
    text += &bodies.concat();
    text += &maker.demands();
    text
}

/// What is known while a model is written.
pub(crate) struct Maker {
    pub(crate) rng: Rng,
    pub(crate) wanted: Wanted,
    pub(crate) text: String,
    pub(crate) places: Vec<Place>,
    pub(crate) chans: Vec<Chan>,
    /// The kinds of messages: the fields of a channel.
    pub(crate) kinds: Vec<Kind>,
    pub(crate) procs: Vec<Proc>,
    pub(crate) inlines: Vec<Inline>,
    pub(crate) has_record: bool,
    pub(crate) has_handshakes: bool,
    pub(crate) n_names: usize,
    /// Arrays that `for (i in a)` can go through.
    pub(crate) arrays: Vec<String>,
}

/// What is known while a process is written.
#[derive(Clone)]
pub(crate) struct Scope {
    pub(crate) proc: usize,
    pub(crate) places: Vec<Place>,
    pub(crate) chans: Vec<Chan>,
    /// Variables that count loops; nothing else writes to them.
    pub(crate) counters: Vec<String>,
    /// Labels that are still to be put somewhere.
    pub(crate) labels: Vec<String>,
    /// Labels that can be gone to.
    pub(crate) targets: Vec<String>,
    pub(crate) depth: usize,
    pub(crate) in_loop: bool,
    pub(crate) in_step: bool,
    /// Labels do not stand at the beginning of options.
    pub(crate) may_label: bool,
}

impl Maker {
    fn new(seed: u64, wanted: Wanted) -> Self {
        Self {
            rng: Rng::new(seed),
            wanted,
            text: String::new(),
            places: Vec::new(),
            chans: Vec::new(),
            kinds: Vec::new(),
            procs: Vec::new(),
            inlines: Vec::new(),
            has_record: false,
            has_handshakes: false,
            n_names: 0,
            arrays: Vec::new(),
        }
    }

    pub(crate) fn pick<T: Clone>(&mut self, among: &[T]) -> T {
        among[self.rng.below(among.len())].clone()
    }

    pub(crate) fn name(&mut self, stem: &str) -> String {
        self.n_names += 1;
        format!("{stem}{}", self.n_names)
    }

    fn proctype(&mut self, number: usize) -> String {
        let proc = self.procs[number].clone();
        let mut scope = Scope {
            proc: number,
            places: self.places.clone(),
            chans: self.chans.clone(),
            counters: Vec::new(),
            labels: Vec::new(),
            targets: Vec::new(),
            depth: 0,
            in_loop: false,
            in_step: false,
            may_label: true,
        };
        scope.places.extend(proc.places.iter().cloned());
        scope.chans.extend(proc.chans.iter().cloned());
        let mut text = proc.head.clone() + " {\n";
        text += &self.locals(&mut scope);
        scope.labels = proc.labels.clone();
        scope.targets = proc.labels.clone();
        text += &self.body(&mut scope, &proc);
        text + "}\n\n"
    }

    fn body(&mut self, scope: &mut Scope, proc: &Proc) -> String {
        let mut text = String::new();
        for run in &proc.runs {
            let run = self.run(scope, *run);
            let _ = writeln!(text, "\t{run};");
        }
        let n_stmts = 2 + self.rng.below(4);
        for _ in 0..n_stmts {
            let stmt = self.labelled(scope);
            let _ = writeln!(text, "\t{stmt};");
        }
        for label in std::mem::take(&mut scope.labels) {
            let _ = writeln!(text, "{label}:\tskip;");
        }
        text
    }

    fn demands(&mut self) -> String {
        let scope = Scope {
            proc: 0,
            places: self.places.clone(),
            chans: Vec::new(),
            counters: Vec::new(),
            labels: Vec::new(),
            targets: Vec::new(),
            depth: 0,
            in_loop: false,
            in_step: false,
            may_label: false,
        };
        match self.wanted {
            Wanted::Formulas => {
                let count = 1 + self.rng.below(2);
                let formula = |maker: &mut Self, number| {
                    format!("ltl f{number} {{ {} }}\n", maker.formula(&scope, 2))
                };
                (0..count).map(|number| formula(self, number)).collect()
            }
            Wanted::Never => self.never(&scope),
            Wanted::Safety if self.rng.percent(6) => self.trace(),
            Wanted::Safety | Wanted::Progress | Wanted::Acceptance => String::new(),
        }
    }

    fn formula(&mut self, scope: &Scope, depth: usize) -> String {
        if depth == 0 || self.rng.percent(15) {
            return self.observation(scope);
        }
        let one = self.formula(scope, depth - 1);
        let other = self.formula(scope, depth - 1);
        match self.rng.below(10) {
            0 => format!("(! {one})"),
            1 => format!("({one} && {other})"),
            2 => format!("({one} || {other})"),
            3 => format!("({one} -> {other})"),
            4 => format!("({one} U {other})"),
            5 => format!("({one} W {other})"),
            6 => format!("([] <> {one})"),
            7 => format!("(<> {one})"),
            8 => format!("([] ({one} -> <> {other}))"),
            _ => format!("([] {one})"),
        }
    }

    /// Something about globals and about where processes are.
    fn observation(&mut self, scope: &Scope) -> String {
        let labels: Vec<String> = self.procs[0].labels.clone();
        if !labels.is_empty() && self.procs[0].is_first && self.rng.percent(25) {
            let label = self.pick(&labels);
            return format!("({}[0]@{label})", self.procs[0].name);
        }
        if !self.chans.is_empty() && self.rng.percent(20) {
            let chans = self.chans.clone();
            let chan = self.pick(&chans);
            let word = self.pick(&["empty", "full", "nempty", "nfull"]);
            return format!("({word}({}))", chan.name);
        }
        let places = scope.places.clone();
        let place = self.pick(&places);
        let relation = self.pick(&["==", "!=", "<", ">="]);
        format!("({} {relation} {})", place.text, self.rng.below(3))
    }

    fn never(&mut self, scope: &Scope) -> String {
        let (one, other) = (self.observation(scope), self.observation(scope));
        let (third, word) = (self.observation(scope), self.pick(&["accept", "state"]));
        match self.rng.below(4) {
            0 => format!(
                "never {{\nT0: do\n\t:: {one} -> goto accept1\n\t:: true\n\tod;\naccept1: do\n\t:: {other}\n\tod\n}}\n"
            ),
            1 => format!("never {{\n\tdo\n\t:: {one} -> break\n\t:: else\n\tod;\n\t{other}\n}}\n"),
            2 => format!(
                "never {{\naccept0: if\n\t:: {one} -> goto {word}1\n\t:: {other} -> goto accept0\n\tfi;\n{word}1: if\n\t:: {third} -> goto accept0\n\t:: true -> goto {word}1\n\tfi\n}}\n"
            ),
            _ => format!("never {{\naccept: do\n\t:: np_ || {one}\n\tod\n}}\n"),
        }
    }

    /// What may happen, or must not, on the global channels. For SPIN a rendezvous that is only offered has
    /// happened, so there are none of these.
    fn trace(&mut self) -> String {
        let chans: Vec<Chan> =
            self.chans.iter().filter(|it| it.is_plain && it.is_buffered).cloned().collect();
        if chans.is_empty() {
            return String::new();
        }
        let mut events = Vec::new();
        for _ in 0..=self.rng.below(3) {
            let chan = self.pick(&chans);
            let sign = self.pick(&["!", "?"]);
            let kind = self.kinds[chan.kind].clone();
            let args: Vec<String> = kind.fields.iter().map(|it| self.watched(*it)).collect();
            events.push(format!("{}{sign}{}", chan.name, args.join(",")));
        }
        // SPIN wants to know at each moment which event it is.
        events.truncate(if self.rng.percent(50) { 1 } else { 3 });
        let word = self.pick(&["trace", "notrace"]);
        match self.rng.below(3) {
            0 => format!("{word} {{ do :: {} od }}\n", events.join(" :: ")),
            1 => format!("{word} {{ {} }}\n", events.join("; ")),
            _ => format!("{word} {{ end0: do :: {} od }}\n", events.join("; ")),
        }
    }
}
