//! Sets that are kept one by one and as decision diagrams, beside SPIN on the same systems, against the targets of the
//! project.
//!
//! The instances are those of the other benchmark: all programs count the same, or the row is void. Rounds interleave
//! the programs, so that a busy machine slows all of them, and the best round of each counts. Then come growing sizes
//! ([`super::growth`]).

use std::path::{Path, PathBuf};

use super::measure;
use super::ours::{Counted, Queueproof};
use super::table::{self, Column};
use super::{Figures, INSTANCES, Instance, Options, emit, families, growth};

/// Families on which diagrams are to be at least [`SYMBOLIC`] times as fast as SPIN.
const STRUCTURED: [&str; 5] = ["tokenring", "german", "leader", "elevator", "flood"];
const EXPLICIT: f64 = 10.0;
const SYMBOLIC: f64 = 300.0;
/// Of SPIN's bytes per state.
const BYTES: f64 = 0.25;
/// How many times longer than one by one the automatic choice may take.
const AUTO: f64 = 2.0;

const COLUMNS: [Column; 14] = [
    Column::Text("instance"),
    Column::Figure("states"),
    Column::Figure("SPIN s"),
    Column::Figure("B/state"),
    Column::Figure("explicit s"),
    Column::Figure("x SPIN"),
    Column::Figure("B/state"),
    Column::Figure("resident"),
    Column::Figure("symbolic s"),
    Column::Figure("x SPIN"),
    Column::Figure("nodes"),
    Column::Figure("auto s"),
    Column::Figure("x explicit"),
    Column::Text("missed"),
];

/// Builds the release binary, runs the benchmark and prints two tables.
pub fn run(root: &Path, options: &Options) -> Result<(), String> {
    let (queueproof, folder) = Queueproof::build(root)?;
    let load = measure::load_average();
    let wanted = |name: &str| options.only.as_ref().is_none_or(|only| name.contains(only.as_str()));
    let mut rows = Vec::new();
    for instance in INSTANCES.iter().filter(|instance| wanted(&instance.name())) {
        eprintln!("{} ...", instance.name());
        rows.push(measure_instance(instance, options.rounds, &queueproof, &folder)?);
    }
    if !rows.is_empty() {
        print!("{}", table::align(&COLUMNS, &rows.iter().map(Row::cells).collect::<Vec<_>>()));
        print!("{}", summary(&rows));
    }
    growth::run(&queueproof, &folder, &wanted)?;
    println!("load average before: {load}; processor seconds of whole processes, one thread");
    Ok(())
}

/// Writes the system of a family down as a model, in a folder of its own.
pub(super) fn write(
    folder: &Path,
    name: &str,
    family: &str,
    parameters: &[&str],
) -> Result<PathBuf, String> {
    let network = families::build(family, parameters)?;
    super::write(&folder.join(super::dashed(name)), "model.cfsm", &emit::cfsm(&network))
}

/// The least processor seconds of some runs, and what all of them counted.
struct Best {
    cpu_s: f64,
    counted: Counted,
}

/// What was measured on one instance.
struct Row {
    name: String,
    family: &'static str,
    states: u64,
    spin: Option<(f64, Figures)>,
    spin_bytes: Option<u64>,
    explicit: Best,
    /// Resident memory of the explicit search beyond that of a search of nothing.
    resident: Option<u64>,
    /// Where diagrams are large, they may not be there in time.
    symbolic: Option<Best>,
    auto: Best,
}

fn measure_instance(
    instance: &Instance,
    rounds: usize,
    queueproof: &Queueproof,
    folder: &Path,
) -> Result<Row, String> {
    let name = instance.name();
    let model = instance.write(folder)?;
    let spin = instance.spin(&model)?;
    let mut by_spin: Option<(f64, Figures)> = None;
    let (mut explicit, mut symbolic, mut auto) = (None, None, None);
    let mut in_time = true;
    for _ in 0..rounds {
        if let Some(spin) = &spin {
            let (cost, figures) = spin.run_fast()?;
            let best = by_spin.map_or(cost.cpu_s, |(best, _)| best.min(cost.cpu_s));
            by_spin = Some((best, figures));
        }
        let run = |sets: &str, best: &mut Option<Best>| {
            let (cost, counted) = queueproof.run_sets(&model, instance.bound, sets)?;
            let cpu_s = best.as_ref().map_or(cost.cpu_s, |best| best.cpu_s.min(cost.cpu_s));
            *best = Some(Best { cpu_s: cpu_s.max(0.001), counted });
            Ok::<(), String>(())
        };
        run("explicit", &mut explicit)?;
        in_time = in_time && run("symbolic", &mut symbolic).is_ok();
        run("auto", &mut auto)?;
    }
    let (Some(explicit), Some(auto)) = (explicit, auto) else { return Err("no rounds".to_owned()) };
    let spin_bytes = spin.map(|spin| spin.run_default()).transpose()?.map(|figures| figures.bytes);
    let resident = resident(queueproof, folder, &model, instance.bound)?;
    let (states, family) = (instance.states, instance.family);
    Ok(Row { name, family, states, spin: by_spin, spin_bytes, explicit, resident, symbolic, auto })
}

/// Resident bytes at the peak of an explicit search, without those of a search of next to nothing.
fn resident(
    queueproof: &Queueproof,
    folder: &Path,
    model: &Path,
    bound: usize,
) -> Result<Option<u64>, String> {
    let nothing = write(folder, "nothing", "elevator", &["E=1"])?;
    let peak = |model: &Path, bound| queueproof.peak_of_sets_kb(model, bound, "explicit");
    let (Some(all), Some(least)) = (peak(model, bound), peak(&nothing, 1)) else { return Ok(None) };
    Ok(Some(all.saturating_sub(least) << 10))
}

impl Row {
    /// What the instance has missed of what it has to show.
    fn missed(&self) -> String {
        let counts: Vec<(&str, &str)> =
            [Some(&self.explicit), Some(&self.auto), self.symbolic.as_ref()]
                .into_iter()
                .flatten()
                .map(|best| (best.counted.states.as_str(), best.counted.transitions.as_str()))
                .collect();
        let spin = self.spin.map(|(_, it)| (it.states.to_string(), it.transitions.to_string()));
        let spin =
            spin.as_ref().map(|(states, transitions)| (states.as_str(), transitions.as_str()));
        let same = counts.iter().chain(&spin).all(|count| *count == counts[0]);
        if !same || counts[0].0 != self.states.to_string() {
            return format!("VOID: {counts:?} {spin:?}");
        }
        let mut missed = Vec::new();
        if self.ratio(&self.explicit).is_some_and(|ratio| ratio < EXPLICIT) {
            missed.push("explicit");
        }
        if self.share().is_some_and(|share| share > BYTES) {
            missed.push("bytes");
        }
        let symbolic = self.symbolic.as_ref().and_then(|best| self.ratio(best));
        if STRUCTURED.contains(&self.family) && symbolic.is_none_or(|ratio| ratio < SYMBOLIC) {
            missed.push("symbolic");
        }
        if self.auto.cpu_s > AUTO * self.explicit.cpu_s {
            missed.push("auto");
        }
        missed.join(", ")
    }

    fn is_void(&self) -> bool {
        self.missed().starts_with("VOID")
    }

    /// How many times faster than SPIN.
    fn ratio(&self, best: &Best) -> Option<f64> {
        self.spin.map(|(cpu_s, _)| cpu_s / best.cpu_s)
    }

    /// The bytes per state of the explicit search, as a part of SPIN's.
    fn share(&self) -> Option<f64> {
        let bytes = self.resident.unwrap_or(0).max(self.explicit.counted.bytes);
        self.spin_bytes.map(|spin| bytes as f64 / spin as f64)
    }

    fn cells(&self) -> Vec<String> {
        let dash = || "-".to_owned();
        let per_state = |bytes: u64| format!("{:.1}", bytes as f64 / self.states as f64);
        let ratio = |best: &Best| {
            self.ratio(best)
                .map_or_else(dash, |ratio| format!("{ratio:.*}x", usize::from(ratio < 100.0)))
        };
        let symbolic = self.symbolic.as_ref();
        let nodes = symbolic.and_then(|best| best.counted.nodes);
        vec![
            self.name.clone(),
            table::grouped(self.states),
            self.spin.map_or_else(dash, |(cpu_s, _)| format!("{cpu_s:.2}")),
            self.spin_bytes.map_or_else(dash, per_state),
            format!("{:.3}", self.explicit.cpu_s),
            ratio(&self.explicit),
            per_state(self.explicit.counted.bytes),
            self.resident.map_or_else(dash, per_state),
            symbolic.map_or_else(dash, |best| format!("{:.3}", best.cpu_s)),
            symbolic.map_or_else(dash, ratio),
            nodes.map_or_else(dash, table::grouped),
            format!("{:.3}", self.auto.cpu_s),
            format!("{:.2}", self.auto.cpu_s / self.explicit.cpu_s),
            self.missed(),
        ]
    }
}

/// The means and the worst rows, over the rows that count.
fn summary(rows: &[Row]) -> String {
    let valid: Vec<&Row> = rows.iter().filter(|row| !row.is_void()).collect();
    let of = |pick: fn(&Row) -> Option<&Best>| -> Vec<f64> {
        valid.iter().filter_map(|row| row.ratio(pick(row)?)).collect()
    };
    let named: [(&str, Vec<f64>); 3] = [
        ("explicit", of(|row| Some(&row.explicit))),
        ("symbolic", of(|row| row.symbolic.as_ref())),
        ("auto", of(|row| Some(&row.auto))),
    ];
    named.iter().map(|(name, ratios)| table::summary(name, ratios)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(explicit_s: f64, transitions: &str) -> Row {
        let best = |cpu_s: f64, transitions: &str| Best {
            cpu_s,
            counted: Counted {
                states: "1000".to_owned(),
                transitions: transitions.to_owned(),
                nodes: Some(7),
                bytes: 20_000,
            },
        };
        Row {
            name: "german C=3 k=2".to_owned(),
            family: "german",
            states: 1000,
            spin: Some((6.0, Figures { states: 1000, transitions: 50, bytes: 0 })),
            spin_bytes: Some(90_000),
            explicit: best(explicit_s, "50"),
            resident: Some(21_000),
            symbolic: Some(best(0.01, "50")),
            auto: best(0.9, transitions),
        }
    }

    #[test]
    fn what_is_missed_is_named() {
        assert_eq!(row(0.5, "50").missed(), "");
        assert_eq!(row(0.7, "50").missed(), "explicit");
        assert_eq!(row(0.4, "50").missed(), "auto");
        let large = Row { resident: Some(30_000), ..row(0.5, "50") };
        assert_eq!(large.missed(), "bytes");
        assert_eq!(Row { symbolic: None, ..row(0.5, "50") }.missed(), "symbolic");
    }

    #[test]
    fn other_counts_make_a_row_void() {
        assert!(row(0.5, "51").is_void());
        assert!(Row { states: 999, ..row(0.5, "50") }.is_void());
        assert_eq!(summary(&[row(0.5, "51")]), "");
    }
}
