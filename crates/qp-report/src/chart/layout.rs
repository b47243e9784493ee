//! Where everything goes: one column per machine, as near to each other as the labels allow.

use queueproof::{Chart, ChartEvent};

use super::signs::Signs;
use super::{Item, notes};
use crate::Style;
use crate::fit::{ShortNames, columns};
use crate::reading::{self, Target};

/// Columns for the step number and the left side of a frame.
pub(super) const GUTTER: usize = 8;
/// Notes narrower than this are not worth their place.
const NOTES_MIN: usize = 30;

pub(super) struct Layout {
    /// The column of each machine's lane, `None` if the lane was dropped.
    pub(super) lanes: Vec<Option<usize>>,
    pub(super) names: ShortNames,
    /// One past the last column of the drawing itself.
    pub(super) right: usize,
    pub(super) notes_at: usize,
    pub(super) notes_width: usize,
    /// Whether local events say what they do, or only name the message.
    pub(super) verbs: bool,
    /// The last machine, whose local events are labelled on its left: on its right they would
    /// take columns from the notes.
    pub(super) labels_left_of: Option<usize>,
    pub(super) dropped: Vec<usize>,
}

/// What is given up, step by step, until the drawing fits.
const ATTEMPTS: [Attempt; 7] = [
    Attempt { drop_silent: false, label_max: 24, verbs: true },
    Attempt { drop_silent: true, label_max: 24, verbs: true },
    Attempt { drop_silent: true, label_max: 24, verbs: false },
    Attempt { drop_silent: true, label_max: 16, verbs: false },
    Attempt { drop_silent: true, label_max: 12, verbs: false },
    Attempt { drop_silent: true, label_max: 8, verbs: false },
    Attempt { drop_silent: true, label_max: 5, verbs: false },
];

struct Attempt {
    drop_silent: bool,
    label_max: usize,
    verbs: bool,
}

/// The first layout that fits, or `None` if there are too many machines for the width.
pub(super) fn layout(chart: &Chart, items: &[Item], style: &Style) -> Option<Layout> {
    let wanted = notes::widest(chart, items, style).min(NOTES_MIN);
    ATTEMPTS.iter().find_map(|attempt| {
        let layout = try_layout(chart, items, style, attempt);
        (layout.notes_at + wanted <= style.width).then_some(layout)
    })
}

fn try_layout(chart: &Chart, items: &[Item], style: &Style, attempt: &Attempt) -> Layout {
    let silent = |machine: &usize| attempt.drop_silent && reading::is_silent(chart, *machine);
    let (dropped, shown): (Vec<usize>, Vec<usize>) = (0..chart.machines.len()).partition(silent);
    let mut layout = Layout {
        lanes: vec![None; chart.machines.len()],
        names: ShortNames::new(attempt.label_max, Signs::of(style.unicode).cut),
        right: 0,
        notes_at: 0,
        notes_width: 0,
        verbs: attempt.verbs,
        labels_left_of: shown.last().copied().filter(|_| shown.len() > 1),
        dropped,
    };
    let gaps = gaps(chart, items, &shown, &mut layout);
    let mut column = GUTTER;
    for (machine, gap) in shown.iter().zip(&gaps) {
        column += gap;
        layout.lanes[*machine] = Some(column);
    }
    layout.right = column + gaps.last().map_or(0, |gap| gap + 1);
    if let Some(effect) = reading::turn_effect(chart).filter(|effect| columns(effect) <= 40) {
        // What a turn of the loop does stands in the lower side of its frame.
        layout.right = layout.right.max(GUTTER + 4 + columns(&effect));
    }
    layout.notes_at = layout.right + 2 + usize::from(chart.cycle_from.is_some());
    layout.notes_width = style.width.saturating_sub(layout.notes_at);
    layout
}

/// The columns before each shown lane, and after the last one.
fn gaps(chart: &Chart, items: &[Item], shown: &[usize], layout: &mut Layout) -> Vec<usize> {
    let mut gaps = header_gaps(chart, shown, layout);
    let place = |machine: usize| shown.iter().position(|&lane| lane == machine);
    // Local labels and arrows to the next lane widen one gap; only then is it known whether a
    // longer arrow still needs more room.
    let mut far = Vec::new();
    for row in items.iter().filter_map(Item::row) {
        let Some(from) = place(chart.rows[row].machine) else { continue };
        if let Some(label) = local_label(chart, row, layout) {
            let left = layout.labels_left_of == Some(chart.rows[row].machine);
            let gap = &mut gaps[if left { from } else { from + 1 }];
            *gap = (*gap).max(columns(&label) + 3);
        }
        let to = match reading::target(chart, row) {
            Some(Target::Machine(machine)) => place(machine),
            Some(Target::Itself | Target::Queue(_)) | None => None,
        };
        if let (Some(to), Some(label)) = (to, arrow_label(chart, row, layout)) {
            far.push((from.min(to), from.max(to), columns(&label) + 8));
        }
    }
    far.sort_by_key(|(from, to, _)| to - from);
    for (from, to, wanted) in far {
        let have: usize = gaps[from + 1..=to].iter().sum();
        gaps[to] += if from == to { 0 } else { wanted.saturating_sub(have) };
    }
    gaps
}

/// Names and first control states must not touch each other.
fn header_gaps(chart: &Chart, shown: &[usize], layout: &mut Layout) -> Vec<usize> {
    let mut gaps = vec![1];
    let mut before = 0;
    for &machine in shown {
        let name = layout.names.of(&reading::machine_name(chart, machine));
        let control = layout.names.of(control(chart, machine));
        let half = columns(&name).max(columns(&control)) / 2 + 1;
        *gaps.last_mut().expect("it starts with one") = (before + half + 1).max(2);
        gaps.push(half);
        before = half;
    }
    gaps
}

pub(super) fn control(chart: &Chart, machine: usize) -> &str {
    let created = reading::lifetime(chart, machine).0.is_some();
    chart.controls.get(machine).filter(|_| !created).map_or("", String::as_str)
}

/// What is written on an arrow.
pub(super) fn arrow_label(chart: &Chart, row: usize, layout: &mut Layout) -> Option<String> {
    reading::arrow_text(&chart.rows[row].event).map(|text| layout.names.of(text))
}

/// What is written beside a lane, for what is not an arrow.
pub(super) fn local_label(chart: &Chart, row: usize, layout: &mut Layout) -> Option<String> {
    let verb = |verb: &str| if layout.verbs { format!("{verb} ") } else { String::new() };
    match &chart.rows[row].event {
        ChartEvent::Takes { message, .. } => {
            Some(format!("{}{}", verb("takes"), layout.names.of(message)))
        }
        ChartEvent::Fails { .. } => Some("fails".to_owned()),
        _ => reading::beside(chart, row, |name| layout.names.of(name)),
    }
}
