//! What queues can hold.

use qp_base::Budget;
use qp_claim::Reason;
use qp_engines::{ContentLimits, contents};

use crate::Loaded;

/// What the queues of a model can hold, control state by control state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReachReport {
    /// Where the model is from.
    pub path: String,
    /// The names of the machines.
    pub machines: Vec<String>,
    /// The names of the queues.
    pub queues: Vec<String>,
    /// The rows, in the order in which control states were met.
    pub rows: Vec<ReachRow>,
    /// How many rows were left out because a machine is between two actions of one line there.
    pub left_out: usize,
    /// Whether that is exactly what can be reached; otherwise there may be more in it.
    pub exact: bool,
}

/// Control states with what queues can hold in them: each queue any word of its expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReachRow {
    /// The control state of each machine, as far as it exists.
    pub controls: Vec<String>,
    /// For each queue, as far as it exists, a regular expression over messages; nothing if it is closed.
    pub queues: Vec<Option<String>>,
}

/// How the contents of queues are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReachOptions {
    /// The longest cycles of steps that are taken any number of times at once; `None` for as many as it takes.
    pub cycle_max: Option<usize>,
    /// Blurs automata, so that the search ends: states that accept the same words of up to this length are one.
    pub blurred: Option<usize>,
    /// Whether to show the states between two actions of one line, too.
    pub all: bool,
}

/// Finds out what the queues of a model can hold. An error says why that is not known.
pub fn reach(
    loaded: &Loaded,
    options: ReachOptions,
    budget: &Budget,
) -> Result<ReachReport, String> {
    let ReachOptions { cycle_max, blurred, all } = options;
    let limits = ContentLimits { cycle_max, blurred };
    let found = contents(&loaded.model, limits, budget).map_err(|reason| why(&reason))?;
    let outline = loaded.model.outline();
    let widest = |count: fn(&qp_engines::ContentRow) -> usize| {
        found.rows.iter().map(count).max().unwrap_or_default()
    };
    let n_machines = widest(|row| row.controls.len());
    let n_queues = widest(|row| row.queues.len());
    let machine = |number: usize| {
        let known = outline.machines.get(number.into());
        known.map_or_else(|| format!("#{number}"), |info| info.name.clone())
    };
    let n_rows = found.rows.len();
    let shown = found.rows.into_iter().filter(|row| all || !is_between(&row.controls));
    let row = |row: qp_engines::ContentRow| ReachRow { controls: row.controls, queues: row.queues };
    let rows: Vec<ReachRow> = shown.map(row).collect();
    Ok(ReachReport {
        path: loaded.source.name.clone(),
        machines: (0..n_machines).map(machine).collect(),
        queues: (0..n_queues).map(|queue| outline.queue_text(queue.into())).collect(),
        left_out: n_rows - rows.len(),
        rows,
        exact: found.exact,
    })
}

/// Whether some machine is between two actions of one line: such states have no name of their own.
fn is_between(controls: &[String]) -> bool {
    controls.iter().any(|name| name.contains('/'))
}

/// Why something is not known, in words.
pub(crate) fn why(reason: &Reason) -> String {
    match reason {
        Reason::OutsideFragment { because } => because.clone(),
        Reason::Program { text, .. } => format!("the interpreter gave up: {text}"),
        Reason::Budget { .. } => {
            "the search met a limit before it came to an end; with --blur it ends more often"
                .to_owned()
        }
        _ => "the contents are not known".to_owned(),
    }
}
