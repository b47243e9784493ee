//! How fast the bounded search is on P programs, beside the same protocols written as automata.
//!
//! The twins are not the same systems: machines of a P program are created and set up first, and it has a
//! step for each action where an automaton may have one for several. So what is compared is how many
//! configurations are visited in a second.
#![allow(clippy::cast_precision_loss, reason = "figures for people have three digits")]

use std::path::Path;

use super::ours::Queueproof;
use super::{Figures, Options, emit, families, measure};

/// A protocol in both forms.
struct Twin {
    family: &'static str,
    /// The parameters of the automata.
    parameters: &'static [&'static str],
    /// The program, in which `N` stands for a number.
    program: &'static str,
    n: &'static str,
    bound: usize,
}

const TWINS: [Twin; 2] = [
    Twin {
        family: "leader",
        parameters: &["N=11"],
        program: include_str!("p/leader.p"),
        n: "10",
        bound: 2,
    },
    Twin {
        family: "tpc",
        parameters: &["N=6"],
        program: include_str!("p/tpc.p"),
        n: "6",
        bound: 2,
    },
];

/// Builds the release binary, runs both forms of each protocol in turn and prints the table.
pub fn run(root: &Path, options: &Options) -> Result<(), String> {
    let (queueproof, folder) = Queueproof::build(root)?;
    let load = measure::load_average();
    println!("| protocol | .cfsm states | M st/s | .p states | M st/s | .cfsm/.p |");
    println!("| -------- | -----------: | -----: | --------: | -----: | -------: |");
    for twin in &TWINS {
        let folder = folder.join(format!("p-{}", twin.family));
        let network = families::build(twin.family, twin.parameters)?;
        let automata = super::write(&folder, "model.cfsm", &emit::cfsm(&network))?;
        let program = super::write(&folder, "model.p", &twin.text())?;
        let (mut best_automata, mut best_program) = (Best::default(), Best::default());
        for _ in 0..options.rounds {
            best_automata.add(queueproof.run(&automata, Some(twin.bound), 1)?);
            best_program.add(queueproof.run(&program, Some(twin.bound), 1)?);
        }
        println!(
            "| {} k={} | {} | {:.2} | {} | {:.2} | {:.2} |",
            twin.family,
            twin.bound,
            best_automata.states,
            best_automata.rate(),
            best_program.states,
            best_program.rate(),
            best_automata.rate() / best_program.rate()
        );
    }
    println!(
        "one thread, processor seconds, best of {}; load average before: {load}",
        options.rounds
    );
    Ok(())
}

impl Twin {
    fn text(&self) -> String {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let mut text = String::new();
        let mut before = ' ';
        let mut rest = self.program.chars().peekable();
        while let Some(c) = rest.next() {
            let alone = !is_name(before) && !rest.peek().copied().is_some_and(is_name);
            if c == 'N' && alone {
                text.push_str(self.n);
            } else {
                text.push(c);
            }
            before = c;
        }
        text
    }
}

/// The quickest of several runs.
#[derive(Default)]
struct Best {
    states: u64,
    cpu_s: Option<f64>,
}

impl Best {
    fn add(&mut self, (cost, figures): (measure::Cost, Figures)) {
        self.states = figures.states;
        let cpu_s = cost.cpu_s.max(0.001);
        self.cpu_s = Some(self.cpu_s.map_or(cpu_s, |best| best.min(cpu_s)));
    }

    /// Million configurations per second.
    fn rate(&self) -> f64 {
        self.states as f64 / self.cpu_s.unwrap_or(f64::INFINITY) / 1e6
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_is_put_in_where_it_stands_alone() {
        let text = Twin { program: "N <= NaN; x_N; (N)", ..TWINS_FIRST }.text();
        assert_eq!(text, "10 <= NaN; x_N; (10)");
    }

    const TWINS_FIRST: Twin = Twin { family: "", parameters: &[], program: "", n: "10", bound: 1 };
}
