//! Where everything goes, in pixels.

use queueproof::{Chart, ChartEvent};

use crate::fit::{clean, columns, shorten};
use crate::reading::{self, Target};

/// From one step to the next.
pub(super) const ROW: f64 = 46.0;
/// The boxes with the machines' names.
pub(super) const HEAD: f64 = 40.0;
const MARGIN: f64 = 16.0;
const NUMBERS: f64 = 36.0;
const GAP_MIN: f64 = 130.0;
/// Room above the first step of a loop, for the frame's title.
const FRAME: f64 = 40.0;
/// Names are cut to this many characters.
const NAME_MAX: usize = 28;

pub(super) struct Geometry {
    /// The middle of each lane.
    pub(super) lanes: Vec<f64>,
    /// Where the column of queue names begins, and where that of contents does.
    pub(super) queues: f64,
    pub(super) contents: f64,
    pub(super) width: f64,
    pub(super) cycle_from: Option<usize>,
    pub(super) rows: usize,
}

impl Geometry {
    pub(super) fn of(chart: &Chart) -> Self {
        let gaps = gaps(chart);
        let mut at = MARGIN + NUMBERS;
        let mut lanes = Vec::new();
        for gap in &gaps[..chart.machines.len()] {
            at += gap;
            lanes.push(at);
        }
        let queues = at + gaps.last().copied().unwrap_or_default() + 24.0;
        let names = chart.rows.iter().flat_map(|row| row.contents.iter().take(CONTENTS_MAX));
        let names = names.map(|(queue, _)| wide(&name(&reading::queue_name(chart, *queue)), 12));
        let contents = queues + names.fold(0.0, f64::max) + 12.0;
        let chips = chart.rows.iter().flat_map(|row| row.contents.iter().take(CONTENTS_MAX));
        let chips = chips.map(|(_, content)| {
            let (shown, more) = chips_of(content);
            shown.iter().map(|text| chip_width(text) + 4.0).sum::<f64>()
                + if more > 0 { 40.0 } else { 0.0 }
        });
        let width = (contents + chips.fold(46.0, f64::max) + MARGIN).max(320.0);
        let cycle_from = chart.cycle_from.filter(|start| *start < chart.rows.len());
        Self { lanes, queues, contents, width, cycle_from, rows: chart.rows.len() }
    }

    pub(super) const fn head_y() -> f64 {
        MARGIN + HEAD / 2.0
    }

    /// The height of a step; one past the last step is the height of the ending.
    pub(super) fn y(&self, row: usize) -> f64 {
        let framed = self.cycle_from.is_some_and(|start| row >= start);
        let ended = row >= self.rows;
        let count = u32::try_from(row).map_or(f64::MAX, f64::from);
        let frame = if framed { FRAME } else { 0.0 };
        MARGIN + HEAD + 36.0 + count * ROW + frame + if ended { 10.0 } else { 0.0 }
    }

    /// Where the arrow of a message ends that nobody takes: at most two rows below, so that it is
    /// seen to cross others, between the boxes of the control states, and inside a frame.
    pub(super) fn untaken_y(&self, row: usize) -> f64 {
        let floor = match self.frame() {
            Some((_, _, _, bottom)) => bottom - 8.0,
            None => self.y(self.rows) - 17.0,
        };
        floor.min(self.y((row + 2).min(self.rows)) - 4.0)
    }

    /// The frame of the loop: left, top, right, bottom.
    pub(super) fn frame(&self) -> Option<(f64, f64, f64, f64)> {
        let start = self.cycle_from?;
        let top = self.y(start) - FRAME - 6.0;
        let bottom = self.y(self.rows - 1) + 36.0;
        Some((MARGIN + NUMBERS - 4.0, top, self.queues - 16.0, bottom))
    }
}

/// A name that is not too long for a drawing.
pub(super) fn name(text: &str) -> String {
    shorten(&clean(text), NAME_MAX, '…')
}

/// An estimate: the reader's font is not known here. Half of the size is too little for capital
/// letters, so names are taken to be wider than most of them are.
pub(super) fn wide(text: &str, size: u32) -> f64 {
    let count = u32::try_from(columns(text)).map_or(0.0, f64::from);
    count * f64::from(size) * 0.6
}

pub(super) fn chip_width(text: &str) -> f64 {
    wide(text, 11) + 12.0
}

/// More queues than this are not drawn beside one step.
pub(super) const CONTENTS_MAX: usize = 2;

/// What a step did, in a box on its lane: longer than a name, but not as long as a line.
pub(super) fn caption(text: &str) -> String {
    const CAPTION_MAX: usize = 60;
    shorten(&clean(text), CAPTION_MAX, '…')
}

/// The messages of a queue that are drawn, and how many are not.
pub(super) fn chips_of(content: &[String]) -> (Vec<String>, usize) {
    const CHIPS_MAX: usize = 6;
    let shown = content.iter().take(CHIPS_MAX).map(|message| name(message)).collect();
    (shown, content.len().saturating_sub(CHIPS_MAX))
}

/// What stands beside a lane for a step that is not an arrow to another lane.
pub(super) fn local_label(chart: &Chart, row: usize) -> Option<String> {
    match &chart.rows[row].event {
        ChartEvent::Takes { message, sent: None, .. } => Some(format!("takes {}", name(message))),
        ChartEvent::Fails { text } => Some(format!("fails: {}", name(text))),
        _ => reading::beside(chart, row, name),
    }
}

/// The pixels before each lane, and after the last one.
fn gaps(chart: &Chart) -> Vec<f64> {
    let count = chart.machines.len();
    let half = |machine: usize| head_width(chart, machine) / 2.0;
    let mut gaps: Vec<f64> = (0..=count)
        .map(|i| match i {
            0 if count == 0 => 0.0,
            0 => half(0) + 8.0,
            i if i == count => half(i - 1) + 8.0,
            i => (half(i - 1) + half(i) + 24.0).max(GAP_MIN),
        })
        .collect();
    let mut arrows = Vec::new();
    for (i, row) in chart.rows.iter().enumerate() {
        if row.machine >= count {
            continue;
        }
        let state = reading::state_text(chart, i);
        let state = state.map_or(0.0, |text| wide(&caption(&text), 11) / 2.0 + 14.0);
        gaps[row.machine + 1] = gaps[row.machine + 1].max(state + 20.0);
        if let Some(label) = local_label(chart, i) {
            gaps[row.machine + 1] = gaps[row.machine + 1].max(wide(&label, 12) + 30.0);
        }
        if let (Some(Target::Machine(to)), Some(message)) =
            (reading::target(chart, i), reading::arrow_text(&row.event))
        {
            let (low, high) = (row.machine.min(to), row.machine.max(to));
            if high < count && low < high {
                arrows.push((low, high, wide(&name(message), 12) + 64.0));
            }
        }
    }
    arrows.sort_by_key(|(low, high, _)| high - low);
    for (low, high, wanted) in arrows {
        let have: f64 = gaps[low + 1..=high].iter().sum();
        gaps[high] += (wanted - have).max(0.0);
    }
    gaps
}

/// The width of the box with a machine's name.
pub(super) fn head_width(chart: &Chart, machine: usize) -> f64 {
    let control = chart.controls.get(machine).map_or("", String::as_str);
    let title = wide(&name(&reading::machine_name(chart, machine)), 14);
    title.max(wide(&name(control), 11)).max(56.0) + 24.0
}
