//! Sets that are kept one by one and as decision diagrams, beside SPIN on the same systems.
//!
//! The instances of the other benchmark come first: all three count the same, or the row is void. Then come
//! greater ones that only diagrams can count.

use std::fs;
use std::path::Path;

use super::measure::{self, Cost};
use super::ours::{Counted, Queueproof};
use super::spin::{self, Spin};
use super::{INSTANCES, Instance, Options, emit, families};

/// Families at sizes at which configurations cannot be listed.
const GREAT: [(&str, &[&str], usize); 10] = [
    ("german", &["C=3"], 3),
    ("tokenring", &["N=5"], 2),
    ("elevator", &["E=2"], 6),
    ("tpc", &["N=8"], 2),
    ("german", &["C=4"], 3),
    ("elevator", &["E=3"], 6),
    ("tokenring", &["N=10"], 4),
    ("elevator", &["E=8"], 6),
    ("leader", &["N=50"], 2),
    ("tokenring", &["N=30"], 4),
];

/// Builds the release binary, runs the benchmark and prints two tables.
pub fn run(root: &Path, options: &Options) -> Result<(), String> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), Into::into);
    let folder = target.join("bench");
    let queueproof = Queueproof::build(root, &target)?;
    let load = measure::load_average();
    println!(
        "| instance | states | SPIN cpu s | explicit | x SPIN | symbolic | x SPIN | nodes | auto | note |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|---|");
    let wanted = |name: &str| options.only.as_ref().is_none_or(|only| name.contains(only.as_str()));
    for instance in INSTANCES.iter().filter(|instance| wanted(&instance.name())) {
        println!("{}", row(instance, options, &queueproof, &folder)?);
    }
    println!(
        "\n| instance | states | transitions | cpu s | nodes | MB |\n|---|--:|--:|--:|--:|--:|"
    );
    for (family, parameters, bound) in GREAT {
        let name = format!("{family} {} k={bound}", parameters.join(" "));
        if wanted(&name) {
            let model = write(&folder, &name, family, parameters)?;
            let (cost, counted) = best(&queueproof, &model, bound, "symbolic", options.rounds)?;
            println!(
                "| {name} | {} | {} | {:.3} | {} | {} |",
                short(&counted.states),
                short(&counted.transitions),
                cost.cpu_s,
                counted.nodes.map_or("-".to_owned(), |nodes| nodes.to_string()),
                counted.bytes >> 20,
            );
        }
    }
    println!("load average before: {load}");
    Ok(())
}

fn write(
    folder: &Path,
    name: &str,
    family: &str,
    parameters: &[&str],
) -> Result<std::path::PathBuf, String> {
    let folder = folder.join(name.replace([' ', '='], "-"));
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let model = folder.join("model.cfsm");
    let network = families::build(family, parameters)?;
    fs::write(&model, emit::cfsm(&network)).map_err(|error| error.to_string())?;
    Ok(model)
}

fn row(
    instance: &Instance,
    options: &Options,
    queueproof: &Queueproof,
    folder: &Path,
) -> Result<String, String> {
    let name = instance.name();
    let model = write(folder, &name, instance.family, instance.parameters)?;
    let home = model.parent().expect("the model is a file in a folder");
    let mut spin_s: Option<f64> = None;
    let mut by_spin = None;
    if spin::is_installed() {
        let promela = emit::promela(&instance.network(), instance.bound);
        let spin = Spin::new(home, &promela, instance.states)?;
        for _ in 0..options.rounds {
            let (cost, figures) = spin.run_fast()?;
            spin_s = Some(spin_s.map_or(cost.cpu_s, |best| best.min(cost.cpu_s)));
            by_spin = Some((figures.states.to_string(), figures.transitions.to_string()));
        }
    }
    let measure = |sets: &str| best(queueproof, &model, instance.bound, sets, options.rounds);
    let (explicit, auto) = (measure("explicit")?, measure("auto")?);
    // Where diagrams are large, they may not be there in time.
    let symbolic = measure("symbolic").ok();
    let counts: Vec<(String, String)> = [&explicit, &auto]
        .into_iter()
        .chain(&symbolic)
        .map(|(_, it)| (it.states.clone(), it.transitions.clone()))
        .collect();
    let same = counts.iter().chain(&by_spin).all(|count| *count == counts[0])
        && counts[0].0 == instance.states.to_string();
    let ratio = |cost: &Cost| {
        spin_s.map_or("-".to_owned(), |spin| format!("{:.0}x", spin / cost.cpu_s.max(0.001)))
    };
    let dash = || "-".to_owned();
    Ok(format!(
        "| {name} | {} | {} | {:.3} | {} | {} | {} | {} | {:.3} | {} |",
        counts[0].0,
        spin_s.map_or("-".to_owned(), |spin| format!("{spin:.2}")),
        explicit.0.cpu_s,
        ratio(&explicit.0),
        symbolic.as_ref().map_or_else(dash, |(cost, _)| format!("{:.3}", cost.cpu_s)),
        symbolic.as_ref().map_or_else(dash, |(cost, _)| ratio(cost)),
        symbolic.as_ref().and_then(|(_, it)| it.nodes).map_or_else(dash, |nodes| nodes.to_string()),
        auto.0.cpu_s,
        if same { String::new() } else { format!("VOID: {counts:?} {by_spin:?}") },
    ))
}

/// The best of some rounds.
fn best(
    queueproof: &Queueproof,
    model: &Path,
    bound: usize,
    sets: &str,
    rounds: usize,
) -> Result<(Cost, Counted), String> {
    let mut best: Option<(Cost, Counted)> = None;
    for _ in 0..rounds {
        let (cost, counted) = queueproof.run_sets(model, bound, sets)?;
        if best.as_ref().is_none_or(|(known, _)| cost.cpu_s < known.cpu_s) {
            best = Some((cost, counted));
        }
    }
    best.ok_or_else(|| "no rounds".to_owned())
}

/// Long numbers by their size.
fn short(digits: &str) -> String {
    if digits.len() <= 15 {
        return digits.to_owned();
    }
    format!("{}.{}e{}", &digits[..1], &digits[1..3], digits.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_are_shortened() {
        assert_eq!(short("3741445"), "3741445");
        assert_eq!(short("3612345678901234567890"), "3.61e21");
    }
}
