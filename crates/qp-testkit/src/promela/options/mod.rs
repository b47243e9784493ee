//! Small models whose options begin with anything, inside of anything.
//!
//! [`make`](super::make) writes models as people do: what an option waits for is a condition or a message. Here
//! it is whatever the grammar has: `else`, `timeout`, half of a rendezvous, `unless`, another choice, a process
//! that is started, a jump; plain, or at the beginning of `atomic`, `d_step`, braces and loops, beside any
//! other option.
//!
//! Left out is what SPIN does in its own way and the manual says so: what follows a choice or braces that begin an
//! option of a `d_step`, and, where a `d_step` begins, `_last` and a choice among receives from a rendezvous.

mod express;
mod flow;

use std::fmt::Write as _;

use crate::rng::Rng;

/// The model of a seed.
pub fn model(seed: u64) -> String {
    let mut maker = Maker::new(seed);
    let mut text = maker.declarations();
    let n_procs = 1 + maker.rng.below(3);
    for number in 0..n_procs {
        text += &maker.proctype(number);
    }
    if maker.has.runs {
        text += "proctype T(byte t) { g = t }\n";
    }
    text
}

/// What a model has, so that most have little and everything meets everything.
#[derive(Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each says one thing of its own")]
struct Has {
    handshakes: bool,
    buffers: bool,
    pairs: bool,
    arrays: bool,
    escapes: bool,
    jumps: bool,
    runs: bool,
    ranks: bool,
    looks: bool,
    timeouts: bool,
}

struct Maker {
    rng: Rng,
    has: Has,
    n_labels: usize,
}

/// Where a statement stands.
#[derive(Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each says one thing of its own")]
struct Scope {
    depth: usize,
    /// How many basic statements may still be written.
    room: usize,
    in_step: bool,
    in_loop: bool,
    /// Whether what stands here begins a `d_step`.
    opens: bool,
    /// Whether what stands here begins an option inside of a `d_step`.
    leads: bool,
    /// Labels that stand somewhere in the process.
    targets: Vec<String>,
    /// Those of them that are still to be put somewhere.
    labels: Vec<String>,
    counts: bool,
}

/// What a statement is to its surroundings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    /// The first of an option: it may be `else`.
    Otherwise,
    /// The first of an option that has an `else` already.
    First,
    /// Anywhere else.
    Later,
}

impl Maker {
    fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed ^ 0x6f70_7469_6f6e);
        let ranks = rng.percent(8);
        let has = Has {
            handshakes: !ranks && rng.percent(45),
            buffers: rng.percent(45),
            pairs: rng.percent(15),
            arrays: rng.percent(20),
            escapes: rng.percent(25),
            jumps: rng.percent(25),
            runs: rng.percent(12),
            ranks,
            looks: rng.percent(15),
            timeouts: rng.percent(30),
        };
        Self { rng, has, n_labels: 0 }
    }

    fn pick<T: Clone>(&mut self, among: &[T]) -> T {
        among[self.rng.below(among.len())].clone()
    }

    fn declarations(&mut self) -> String {
        let mut text = String::from("byte g; byte h = 1;\n");
        if self.has.arrays {
            text += "byte a[2];\n";
        }
        if self.has.handshakes {
            text += "chan r = [0] of { byte };\n";
        }
        if self.has.buffers {
            let _ = writeln!(text, "chan q = [{}] of {{ byte }};", 1 + self.rng.below(2));
        }
        if self.has.pairs {
            let capacity = self.rng.below(3);
            let capacity = if self.has.ranks { 1 + capacity } else { capacity };
            let _ = writeln!(text, "chan s = [{capacity}] of {{ byte, bit }};");
        }
        text
    }

    fn proctype(&mut self, number: usize) -> String {
        let times = if self.rng.percent(8) { " [2]" } else { "" };
        let mut text = format!("active{times} proctype P{number}()");
        if self.has.ranks && self.rng.percent(70) {
            let _ = write!(text, " priority {}", 1 + self.rng.below(3));
        }
        if self.rng.percent(6) {
            let _ = write!(text, " provided ({})", self.shared());
        }
        let mut scope = Scope { room: 4 + self.rng.below(6), ..Scope::default() };
        if self.has.jumps {
            for _ in 0..=self.rng.below(2) {
                self.n_labels += 1;
                let stem = self.pick(&["L", "L", "end"]);
                scope.labels.push(format!("{stem}{}", self.n_labels));
            }
            scope.targets = scope.labels.clone();
        }
        text += " {\n\tbyte x;\n";
        for _ in 0..=self.rng.below(2) {
            let _ = writeln!(text, "\t{};", self.labelled(&mut scope, Position::Later));
        }
        for label in std::mem::take(&mut scope.labels) {
            let _ = writeln!(text, "{label}:\tskip;");
        }
        text + "}\n"
    }
}
