//! How fast the search of Promela models is, beside SPIN on the same files.
//!
//! Rounds interleave all programs, so that a busy machine slows all of them; the best round counts. The
//! numbers of states need not agree: SPIN stores more or fewer moments of a run depending on how it merges
//! statements. So times for the whole model are compared, and both counts are shown.
#![allow(clippy::cast_precision_loss, reason = "figures for people have three digits")]

use std::path::{Path, PathBuf};

use super::measure::{self, Cost};
use super::ours::Queueproof;
use super::{Figures, Options, spin, table};

/// A model in which `N` stands for a number.
struct Subject {
    name: &'static str,
    text: &'static str,
    n: usize,
}

const SUBJECTS: [Subject; 8] = [
    subject("leader", include_str!("promela/leader.pml"), 6),
    subject("leader", include_str!("promela/leader.pml"), 7),
    subject("philosophers", include_str!("promela/philosophers.pml"), 7),
    subject("waiters", include_str!("promela/waiters.pml"), 7),
    subject("window", include_str!("promela/window.pml"), 8),
    subject("snoop", include_str!("promela/snoop.pml"), 4),
    subject("filter", include_str!("promela/filter.pml"), 3),
    subject("filter", include_str!("promela/filter.pml"), 4),
];

const fn subject(name: &'static str, text: &'static str, n: usize) -> Subject {
    Subject { name, text, n }
}

/// The ways in which SPIN's verifier is compiled: for speed without and with its partial-order reduction, and
/// for little memory. The first two do not say what a state takes.
const BUILDS: [(&str, &[&str]); 3] = [
    ("full", &["-DNOREDUCE", "-DNOCOMP"]),
    ("reducing", &["-DNOCOMP"]),
    ("collapsing", &["-DNOREDUCE", "-DCOLLAPSE"]),
];

/// Builds the release binary, runs it and SPIN on each model in turn and prints the table.
pub fn run(root: &Path, options: &Options) -> Result<(), String> {
    let (queueproof, folder) = Queueproof::build(root)?;
    let with_spin = spin::is_installed();
    if !with_spin {
        eprintln!("spin or gcc is not installed: only our own figures are shown");
    }
    let load = measure::load_average();
    let mut rows = Vec::new();
    for subject in &SUBJECTS {
        let name = format!("{} N={}", subject.name, subject.n);
        if options.only.as_ref().is_some_and(|only| !name.contains(only)) {
            continue;
        }
        eprintln!("{name} ...");
        let folder = folder.join(format!("promela-{}-{}", subject.name, subject.n));
        rows.push(measure_one(&name, subject, options, &queueproof, &folder, with_spin)?);
    }
    print!("{}", render(&rows, &options.threads));
    println!("best of {}; load average before: {load}", options.rounds);
    println!("one thread and SPIN: processor seconds; more threads: seconds on the clock");
    Ok(())
}

/// What one program needs for one model.
#[derive(Clone, Copy)]
struct Best {
    seconds: f64,
    figures: Figures,
}

struct Row {
    name: String,
    /// For each number of threads.
    ours: Vec<Best>,
    peak_kb: Option<u64>,
    /// For each build of SPIN, if it came to its end.
    spin: Vec<Option<Best>>,
}

fn measure_one(
    name: &str,
    subject: &Subject,
    options: &Options,
    queueproof: &Queueproof,
    folder: &Path,
    with_spin: bool,
) -> Result<Row, String> {
    let text = format!("#define N {}\n{}", subject.n, subject.text);
    let model = super::write(folder, "model.pml", &text)?;
    let verifiers = if with_spin { build(folder)? } else { Vec::new() };
    let mut ours: Vec<Option<Best>> = vec![None; options.threads.len()];
    let mut theirs: Vec<Option<Best>> = vec![None; verifiers.len()];
    for _ in 0..options.rounds {
        for (best, &threads) in ours.iter_mut().zip(&options.threads) {
            let (cost, figures) = queueproof.run(&model, None, threads)?;
            note(best, table::seconds(threads, &cost), figures);
        }
        let ours = ours.iter().flatten().next();
        for (best, verifier) in theirs.iter_mut().zip(&verifiers) {
            let known = best.as_ref().or(ours).map_or(1 << 20, |best| best.figures.states);
            if let Some((cost, figures)) = run_spin(folder, verifier, known)? {
                note(best, cost.cpu_s, figures);
            }
        }
    }
    let peak_kb = queueproof.peak_memory_kb(&model, None, options.threads[0]);
    Ok(Row {
        name: name.to_owned(),
        ours: ours.into_iter().flatten().collect(),
        peak_kb,
        spin: theirs,
    })
}

/// Runs a verifier with the least stack that is enough, because it is filled with zeros first, and with a hash
/// table for about as many states as there are.
fn run_spin(
    folder: &Path,
    verifier: &Path,
    states: u64,
) -> Result<Option<(Cost, Figures)>, String> {
    let slots = states.next_power_of_two().trailing_zeros();
    for depth in [10_000, 100_000, 1_000_000, 10_000_000] {
        // -b: a stack that is too small ends the search at once.
        let arguments =
            ["-E".to_owned(), "-b".to_owned(), format!("-m{depth}"), format!("-w{slots}")];
        let (cost, output) = measure::run(folder, verifier, &arguments)?;
        if let Some(figures) = spin::figures(&output) {
            return Ok(Some((cost, figures)));
        }
    }
    Ok(None)
}

fn note(best: &mut Option<Best>, seconds: f64, figures: Figures) {
    if best.is_none_or(|best| seconds < best.seconds) {
        *best = Some(Best { seconds, figures });
    }
}

fn build(folder: &Path) -> Result<Vec<PathBuf>, String> {
    spin::call(folder, "spin", &["-a", "model.pml"])?;
    let mut verifiers = Vec::new();
    for (name, flags) in BUILDS {
        let mut arguments =
            vec!["-O3", "-march=native", "-w", "-DSAFETY", "-DNOFAIR", "-DMEMLIM=6000"];
        arguments.extend(flags);
        arguments.extend(["-o", name, "pan.c"]);
        spin::call(folder, "gcc", &arguments)?;
        verifiers.push(folder.join(name));
    }
    Ok(verifiers)
}

fn render(rows: &[Row], threads: &[usize]) -> String {
    let mut head = vec!["model".to_owned(), "states".to_owned()];
    for threads in threads {
        head.extend([format!("s, {threads} thr"), "M st/s".to_owned()]);
    }
    head.extend(["B/state", "peak MB"].map(str::to_owned));
    for (name, _) in BUILDS {
        head.push(format!("SPIN {name}: states"));
        head.extend(["s", "M st/s", "B/state", "times ours"].map(str::to_owned));
    }
    let rule: Vec<String> = head.iter().map(|_| "---:".to_owned()).collect();
    let mut out = line(&head) + &line(&rule);
    for row in rows {
        out += &line(&cells(row));
    }
    out
}

fn line(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

/// The time of SPIN is compared with ours for the first number of threads.
fn cells(row: &Row) -> Vec<String> {
    let dash = || "-".to_owned();
    let first = row.ours.first();
    let mut cells = vec![row.name.clone()];
    cells.push(first.map_or_else(dash, |best| best.figures.states.to_string()));
    for best in &row.ours {
        cells.extend([format!("{:.3}", best.seconds), rate(*best)]);
    }
    cells.push(first.map_or_else(dash, |best| per_state(best.figures)));
    cells.push(row.peak_kb.map_or_else(dash, |peak| (peak / 1024).to_string()));
    for number in 0..BUILDS.len() {
        let Some(best) = row.spin.get(number).copied().flatten() else {
            cells.extend([dash(), dash(), dash(), dash(), dash()]);
            continue;
        };
        let states = best.figures.states.to_string();
        cells.extend([states, format!("{:.3}", best.seconds), rate(best), per_state(best.figures)]);
        let ratio = first.map(|ours| format!("{:.1}", best.seconds / ours.seconds));
        cells.push(ratio.unwrap_or_else(dash));
    }
    cells
}

fn rate(best: Best) -> String {
    format!("{:.2}", best.figures.states as f64 / best.seconds.max(0.001) / 1e6)
}

fn per_state(figures: Figures) -> String {
    if figures.bytes == 0 {
        return "-".to_owned();
    }
    format!("{:.1}", figures.bytes as f64 / figures.states.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_compares_with_one_thread() {
        let figures = Figures { states: 2_000_000, transitions: 9, bytes: 40_000_000 };
        let silent = Figures { bytes: 0, ..figures };
        let ours = vec![Best { seconds: 0.5, figures }, Best { seconds: 0.25, figures }];
        let best = |seconds, figures| Some(Best { seconds, figures });
        let spin = vec![best(5.0, silent), None, best(8.0, figures)];
        let row = Row { name: "leader N=7".to_owned(), ours, peak_kb: Some(51_200), spin };
        let expected = "| leader N=7 | 2000000 | 0.500 | 4.00 | 0.250 | 8.00 | 20.0 | 50 \
                        | 2000000 | 5.000 | 0.40 | - | 10.0 | - | - | - | - | - \
                        | 2000000 | 8.000 | 0.25 | 20.0 | 16.0 |";
        assert_eq!(render(&[row], &[1, 2]).lines().last(), Some(expected));
    }
}
