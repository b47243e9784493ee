//! The table that the benchmark prints.
#![allow(clippy::cast_precision_loss, reason = "figures for people have three digits")]

use std::collections::BTreeMap;

use super::Figures;
use super::measure::Cost;

/// What was measured on one instance.
pub(super) struct Row {
    name: String,
    /// The number of configurations that is written down for the instance.
    states: u64,
    ours: BTreeMap<usize, Cost>,
    spin: Option<Cost>,
    counted: Option<Figures>,
    counted_by_spin: Option<Figures>,
    /// Peak memory of ours.
    pub(super) peak_kb: Option<u64>,
    /// Bytes for states and hash table of SPIN's default build.
    pub(super) spin_bytes: Option<u64>,
    /// Whether two runs of the same program counted differently.
    unstable: bool,
}

impl Row {
    pub(super) fn new(name: String, states: u64) -> Self {
        Self {
            name,
            states,
            ours: BTreeMap::new(),
            spin: None,
            counted: None,
            counted_by_spin: None,
            peak_kb: None,
            spin_bytes: None,
            unstable: false,
        }
    }

    /// Records a run of ours with this many threads.
    pub(super) fn add_ours(&mut self, threads: usize, cost: Cost, figures: Figures) {
        let best = self.ours.get(&threads).copied();
        self.ours.insert(threads, least(best, cost));
        let before = self.counted.get_or_insert(figures);
        self.unstable |=
            (before.states, before.transitions) != (figures.states, figures.transitions);
    }

    /// Records a run of SPIN's fast build.
    pub(super) fn add_spin(&mut self, cost: Cost, figures: Figures) {
        self.spin = Some(least(self.spin, cost));
        self.counted_by_spin = Some(figures);
    }

    /// Why the row does not count, if it does not.
    fn void(&self) -> Option<String> {
        let counted = self.counted?;
        if self.unstable {
            return Some("runs count differently".to_owned());
        }
        if counted.states != self.states {
            return Some(format!("{} states expected", grouped(self.states)));
        }
        let spin = self.counted_by_spin?;
        let same = (spin.states, spin.transitions) == (counted.states, counted.transitions);
        (!same).then(|| {
            let (states, transitions) = (grouped(spin.states), grouped(spin.transitions));
            format!("SPIN counts {states} states, {transitions} transitions")
        })
    }

    /// How many times faster than SPIN we are with this many threads.
    fn ratio(&self, threads: usize) -> Option<f64> {
        Some(self.spin?.cpu_s / seconds(threads, self.ours.get(&threads)?))
    }

    fn cells(&self, threads: &[usize]) -> Vec<String> {
        let dash = || "-".to_owned();
        let (counted, void) = (self.counted, self.void());
        let mut cells = vec![self.name.clone()];
        cells.push(counted.map_or_else(dash, |figures| grouped(figures.states)));
        cells.push(counted.map_or_else(dash, |figures| grouped(figures.transitions)));
        for &threads in threads {
            let time = self.ours.get(&threads).map(|cost| seconds(threads, cost));
            cells.push(time.map_or_else(dash, |time| format!("{time:.3}")));
            cells.push(time.map_or_else(dash, |time| rate(self.states, time)));
            let ratio = self.ratio(threads).map_or_else(dash, |ratio| format!("{ratio:.1}x"));
            cells.push(if void.is_some() { "VOID".to_owned() } else { ratio });
        }
        let per_state = |bytes: u64| format!("{:.1}", bytes as f64 / self.states as f64);
        cells.push(counted.map_or_else(dash, |figures| per_state(figures.bytes)));
        cells.push(self.peak_kb.map_or_else(dash, |peak| format!("{}", peak / 1024)));
        cells.push(self.spin.map_or_else(dash, |cost| format!("{:.2}", cost.cpu_s)));
        cells.push(self.spin.map_or_else(dash, |cost| rate(self.states, cost.cpu_s)));
        cells.push(self.spin_bytes.map_or_else(dash, per_state));
        cells.push(void.map_or_else(String::new, |why| format!("VOID: {why}")));
        cells
    }
}

fn least(best: Option<Cost>, cost: Cost) -> Cost {
    best.map_or(cost, |best| Cost {
        cpu_s: best.cpu_s.min(cost.cpu_s),
        wall_s: best.wall_s.min(cost.wall_s),
    })
}

/// One thread is measured in processor seconds, which a busy machine changes least; for more only the clock
/// says anything. Runs below the resolution count as one millisecond.
pub(super) fn seconds(threads: usize, cost: &Cost) -> f64 {
    let seconds = if threads == 1 { cost.cpu_s } else { cost.wall_s };
    seconds.max(0.001)
}

/// Million states per second.
fn rate(states: u64, seconds: f64) -> String {
    format!("{:.2}", states as f64 / seconds.max(0.001) / 1e6)
}

/// A number with commas.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
    String::from_utf8(groups.join(&b',')).expect("digits and commas are text")
}

/// The table as Markdown, with the mean and the least ratio of the rows that count.
pub(super) fn render(rows: &[Row], threads: &[usize]) -> String {
    let mut head = ["instance", "states", "transitions"].map(str::to_owned).to_vec();
    for &threads in threads {
        let clock = if threads == 1 { "cpu" } else { "wall" };
        head.push(format!("{clock} s, {threads} thr"));
        head.extend(["M st/s", "x SPIN"].map(str::to_owned));
    }
    let rest = ["B/state", "peak MB", "SPIN cpu s", "SPIN M st/s", "SPIN B/state", "note"];
    head.extend(rest.map(str::to_owned));
    let is_text = |number: usize| number == 0 || number + 1 == head.len();
    let column = |(number, name)| {
        if is_text(number) { Column::Text(name) } else { Column::Figure(name) }
    };
    let columns: Vec<Column<'_>> =
        head.iter().map(String::as_str).enumerate().map(column).collect();
    let mut out = align(&columns, &rows.iter().map(|row| row.cells(threads)).collect::<Vec<_>>());
    for &threads in threads {
        let valid = rows.iter().filter(|row| row.void().is_none());
        let ratios: Vec<f64> = valid.filter_map(|row| row.ratio(threads)).collect();
        out.push_str(&summary(&format!("{threads} thr"), &ratios));
    }
    out
}

/// The mean and the least of some ratios; nothing if there are none.
pub(super) fn summary(name: &str, ratios: &[f64]) -> String {
    let Some(least) = ratios.iter().copied().reduce(f64::min) else { return String::new() };
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    format!(
        "{name}: geometric mean {mean:.1}x SPIN, least {least:.1}x, over {} rows\n",
        ratios.len()
    )
}

/// What stands at the top of a column, and how its cells are aligned.
#[derive(Clone, Copy)]
pub(super) enum Column<'a> {
    /// To the left.
    Text(&'a str),
    /// To the right.
    Figure(&'a str),
}

impl Column<'_> {
    fn align(self, cell: &str, width: usize) -> String {
        match self {
            Self::Text(_) => format!("{cell:<width$}"),
            Self::Figure(_) => format!("{cell:>width$}"),
        }
    }

    fn name(&self) -> &str {
        let (Self::Text(name) | Self::Figure(name)) = self;
        name
    }
}

/// A table as Markdown with aligned cells.
pub(super) fn align(columns: &[Column<'_>], rows: &[Vec<String>]) -> String {
    let width = |number: usize| {
        let cells = rows.iter().map(|row| row[number].chars().count());
        cells.max().unwrap_or(0).max(columns[number].name().len())
    };
    let widths: Vec<usize> = (0..columns.len()).map(width).collect();
    let line = |cells: &[&str]| {
        let cells = columns.iter().zip(cells).zip(&widths);
        let cells: Vec<String> =
            cells.map(|((column, cell), &width)| column.align(cell, width)).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rules = columns.iter().zip(&widths).map(|(column, &width)| {
        "-".repeat(width + 1) + if matches!(column, Column::Text(_)) { "-" } else { ":" }
    });
    let head = line(&columns.iter().map(Column::name).collect::<Vec<_>>());
    let mut out = format!("{head}|{}|\n", rules.collect::<Vec<_>>().join("|"));
    for row in rows {
        out.push_str(&line(&row.iter().map(String::as_str).collect::<Vec<_>>()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(ours: u64, spin: u64) -> Row {
        let figures = |transitions| Figures { states: 1_000_000, transitions, bytes: 4_000_000 };
        let mut row = Row::new("tokenring N=3 k=1".to_owned(), 1_000_000);
        for wall_s in [0.5, 0.25] {
            row.add_spin(Cost { cpu_s: wall_s * 10.0, wall_s }, figures(spin));
            row.add_ours(1, Cost { cpu_s: wall_s, wall_s: 9.0 }, figures(ours));
            row.add_ours(2, Cost { cpu_s: 9.0, wall_s: wall_s / 2.0 }, figures(ours));
        }
        row
    }

    #[test]
    fn the_best_round_counts() {
        let table = render(&[row(7, 7)], &[1, 2]);
        assert!(
            table.contains("| 1,000,000 |           7 |        0.250 |   4.00 |  10.0x |"),
            "{table}"
        );
        assert!(table.contains("geometric mean 20.0x SPIN, least 20.0x, over 1 rows"), "{table}");
    }

    #[test]
    fn rows_with_different_counts_are_void() {
        let table = render(&[row(7, 8)], &[1]);
        assert!(table.contains("VOID: SPIN counts 1,000,000 states, 8 transitions"), "{table}");
        assert!(!table.contains("geometric mean"), "{table}");
    }
}
