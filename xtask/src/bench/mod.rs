//! How fast the bounded search is, beside SPIN on the same systems.
//!
//! Each instance is generated in our language and in Promela. Rounds interleave all programs, so that a busy
//! machine slows all of them; the best round counts. A row whose counts differ from SPIN's, or from those
//! written down here, is void: speed does not matter for a wrong answer.
//!
//! What is absent: comparisons across runs or days. Only the ratios within one run mean anything.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the table is for people")]

pub mod emit;
pub mod explore;
pub mod families;
mod growth;
pub mod instructions;
mod kahn;
mod measure;
pub mod network;
mod ours;
pub mod p;
pub mod promela;
mod spin;
mod table;

use std::fs;
use std::path::{Path, PathBuf};

use self::network::Network;
use self::ours::Queueproof;
use self::spin::Spin;
use self::table::Row;

/// A system of the benchmark with the greatest queue length to explore.
pub struct Instance {
    /// The family.
    pub family: &'static str,
    /// The parameters of the family.
    pub parameters: &'static [&'static str],
    /// The greatest queue length.
    pub bound: usize,
    /// The number of configurations within the bound, as SPIN counted it, except for `rand` on models that
    /// were written by hand.
    pub states: u64,
}

/// The instances of every run. Add, never change: results could not be compared otherwise.
pub const INSTANCES: [Instance; 9] = [
    instance("tokenring", &["N=4"], 2, 3_741_445),
    instance("german", &["C=3"], 2, 2_641_251),
    instance("leader", &["N=11"], 2, 2_979_667),
    instance("elevator", &["E=2"], 4, 4_210_704),
    instance("flood", &["P=3"], 5, 2_515_968),
    instance("tpc", &["N=6"], 2, 1_335_485),
    instance("repl", &["N=3"], 3, 1_619_473),
    instance("rand", &["N=4", "L=8", "M=3", "S=2"], 2, 1_140_867),
    instance("rand", &["N=4", "L=8", "M=3", "S=3"], 2, 5_932_892),
];

const fn instance(
    family: &'static str,
    parameters: &'static [&'static str],
    bound: usize,
    states: u64,
) -> Instance {
    Instance { family, parameters, bound, states }
}

impl Instance {
    /// A name such as `tokenring N=4 k=2`.
    pub fn name(&self) -> String {
        format!("{} {} k={}", self.family, self.parameters.join(" "), self.bound)
    }

    /// Builds the system.
    pub fn network(&self) -> Network {
        families::build(self.family, self.parameters).expect("the instances are well-formed")
    }

    /// Writes the system down as a model, in a folder of its own.
    fn write(&self, folder: &Path) -> Result<PathBuf, String> {
        write(&folder.join(dashed(&self.name())), "model.cfsm", &emit::cfsm(&self.network()))
    }

    /// SPIN's verifier of the system, beside the model, if SPIN is installed.
    fn spin(&self, model: &Path) -> Result<Option<Spin>, String> {
        if !spin::is_installed() {
            return Ok(None);
        }
        let home = model.parent().expect("the model is a file in a folder");
        Spin::new(home, &emit::promela(&self.network(), self.bound), self.states).map(Some)
    }
}

/// What to measure.
pub struct Options {
    /// How often each program runs.
    pub rounds: usize,
    /// Only instances whose name contains this.
    pub only: Option<String>,
    /// The numbers of threads to try.
    pub threads: Vec<usize>,
}

/// Builds the release binary, runs the benchmark and prints the table.
pub fn run(root: &Path, options: &Options) -> Result<(), String> {
    let (queueproof, folder) = Queueproof::build(root)?;
    if !spin::is_installed() {
        eprintln!("spin or gcc is not installed: counts are compared with the stored ones only");
    }
    let load = measure::load_average();
    let mut rows = Vec::new();
    for instance in &INSTANCES {
        let name = instance.name();
        if options.only.as_ref().is_none_or(|only| name.contains(only)) {
            eprintln!("{name} ...");
            rows.push(measure_instance(instance, options, &queueproof, &folder)?);
        }
    }
    print!("{}", table::render(&rows, &options.threads));
    println!("load average before: {load}; above 1 do not trust wall seconds");
    Ok(())
}

fn measure_instance(
    instance: &Instance,
    options: &Options,
    queueproof: &Queueproof,
    folder: &Path,
) -> Result<Row, String> {
    let model = instance.write(folder)?;
    let spin = instance.spin(&model)?;

    let mut row = Row::new(instance.name(), instance.states);
    row.peak_kb = queueproof.peak_memory_kb(&model, Some(instance.bound), options.threads[0]);
    if let Some(spin) = &spin {
        row.spin_bytes = Some(spin.run_default()?.bytes);
    }
    for _ in 0..options.rounds {
        if let Some(spin) = &spin {
            let (cost, figures) = spin.run_fast()?;
            row.add_spin(cost, figures);
        }
        for &threads in &options.threads {
            let (cost, figures) = queueproof.run(&model, Some(instance.bound), threads)?;
            row.add_ours(threads, cost, figures);
        }
    }
    Ok(row)
}

/// Writes a file into a folder, which is made if it is not there.
fn write(folder: &Path, name: &str, text: &str) -> Result<PathBuf, String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let path = folder.join(name);
    fs::write(&path, text).map(|()| path).map_err(|error| error.to_string())
}

/// The name of an instance as that of a folder.
fn dashed(name: &str) -> String {
    name.replace([' ', '='], "-")
}

/// What a search counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Figures {
    states: u64,
    transitions: u64,
    bytes: u64,
}
