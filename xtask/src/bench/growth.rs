//! How time and memory grow with the size of a system and the length of its queues.
//!
//! No SPIN here: most of these sets cannot be listed. Where they can, both ways of keeping them are run.

use std::path::Path;

use super::explore;
use super::ours::Queueproof;
use super::table::{self, Column};

/// A family with growing sizes or growing queues.
struct Series {
    family: &'static str,
    /// The name of the size that grows, and its values.
    size: (&'static str, &'static [usize]),
    /// Other parameters.
    fixed: &'static [&'static str],
    bounds: &'static [usize],
}

const SERIES: [Series; 14] = [
    series("tokenring", ("N", &[4, 6, 8, 10, 20, 30]), &[4]),
    series("tokenring", ("N", &[4]), &[1, 2, 3, 4, 5, 6]),
    series("german", ("C", &[1, 2, 3, 4]), &[3]),
    series("german", ("C", &[2]), &[1, 3, 5, 7, 9]),
    series("leader", ("N", &[10, 20, 31, 40, 50]), &[3]),
    series("leader", ("N", &[20]), &[1, 2, 4, 6]),
    series("elevator", ("E", &[1, 2, 3, 4, 6, 8]), &[6]),
    series("elevator", ("E", &[2]), &[1, 2, 4, 6, 8]),
    series("flood", ("P", &[1, 2, 3, 4]), &[4]),
    series("flood", ("P", &[3]), &[1, 3, 5, 6]),
    series("tpc", ("N", &[4, 6, 8, 10]), &[2]),
    series("tpc", ("N", &[4]), &[1, 2, 3, 4]),
    series("repl", ("N", &[3]), &[1, 2, 3, 4]),
    Series {
        family: "rand",
        size: ("N", &[2, 3, 4]),
        fixed: &["L=8", "M=3", "S=2"],
        bounds: &[1, 2],
    },
];

const fn series(
    family: &'static str,
    size: (&'static str, &'static [usize]),
    bounds: &'static [usize],
) -> Series {
    Series { family, size, fixed: &[], bounds }
}

/// Up to so many configurations they are also visited one by one.
const LISTED_MAX: u64 = 6_000_000;

const COLUMNS: [Column; 9] = [
    Column::Text("instance"),
    Column::Figure("states"),
    Column::Figure("transitions"),
    Column::Figure("symbolic s"),
    Column::Figure("nodes"),
    Column::Figure("peak MB"),
    Column::Figure("explicit s"),
    Column::Figure("M st/s"),
    Column::Figure("peak MB"),
];

/// Runs all series, or those of wanted names, and prints a table.
pub(super) fn run(
    queueproof: &Queueproof,
    folder: &Path,
    wanted: &dyn Fn(&str) -> bool,
) -> Result<(), String> {
    let mut rows = Vec::new();
    for series in &SERIES {
        for (&size, &bound) in series
            .size
            .1
            .iter()
            .flat_map(|size| series.bounds.iter().map(move |bound| (size, bound)))
        {
            let size = format!("{}={size}", series.size.0);
            let parameters: Vec<&str> =
                [size.as_str()].into_iter().chain(series.fixed.iter().copied()).collect();
            let name = format!("{} {} k={bound}", series.family, parameters.join(" "));
            if wanted(&name) {
                eprintln!("{name} ...");
                let model = explore::write(folder, &name, series.family, &parameters)?;
                rows.push(row(name, queueproof, &model, bound));
            }
        }
    }
    if !rows.is_empty() {
        println!("\n{}", table::align(&COLUMNS, &rows));
    }
    Ok(())
}

/// A dash stands for what was not there in time, or would be too long.
fn row(name: String, queueproof: &Queueproof, model: &Path, bound: usize) -> Vec<String> {
    let dash = || "-".to_owned();
    let megabytes = |sets: &str| {
        let peak = queueproof.peak_of_sets_kb(model, bound, sets);
        peak.map_or_else(dash, |kilobytes| (kilobytes >> 10).to_string())
    };
    let symbolic = queueproof.run_sets(model, bound, "symbolic").ok();
    let states = symbolic.as_ref().map(|(_, it)| it.states.parse().unwrap_or(u64::MAX));
    let explicit = if states.is_none_or(|states| states <= LISTED_MAX) {
        queueproof.run_sets(model, bound, "explicit").ok()
    } else {
        None
    };
    let counted = symbolic.as_ref().or(explicit.as_ref()).map(|(_, counted)| counted);
    let mut cells = vec![name];
    cells.push(counted.map_or_else(dash, |it| short(&it.states)));
    cells.push(counted.map_or_else(dash, |it| short(&it.transitions)));
    cells.push(symbolic.as_ref().map_or_else(dash, |(cost, _)| format!("{:.3}", cost.cpu_s)));
    let nodes = symbolic.as_ref().and_then(|(_, it)| it.nodes);
    cells.push(nodes.map_or_else(dash, table::grouped));
    cells.push(symbolic.as_ref().map_or_else(dash, |_| megabytes("symbolic")));
    cells.push(explicit.as_ref().map_or_else(dash, |(cost, _)| format!("{:.3}", cost.cpu_s)));
    cells.push(explicit.as_ref().map_or_else(dash, |(cost, it)| {
        let states: f64 = it.states.parse().unwrap_or(0.0);
        format!("{:.1}", states / cost.cpu_s.max(0.001) / 1e6)
    }));
    cells.push(explicit.as_ref().map_or_else(dash, |_| megabytes("explicit")));
    cells
}

/// Long numbers by their size.
fn short(digits: &str) -> String {
    match digits.parse() {
        Ok(number) if digits.len() <= 12 => table::grouped(number),
        _ => format!("{}.{}e{}", &digits[..1], &digits[1..3], digits.len() - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_are_shortened() {
        assert_eq!(short("3741445"), "3,741,445");
        assert_eq!(short("3612345678901234567890"), "3.61e21");
    }
}
