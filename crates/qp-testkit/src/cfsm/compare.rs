//! The tool against the reference, on one text.

use qp_engines::ENGINES;
use queueproof::{Checked, Loaded, Options, VerdictWord, Walks, check, load};

use super::written::Sketch;
use super::{lower, ltl, make, print, same};
use crate::compare::{Compared, Line, Truth, agrees, lines, no_errors, stands, truth};
use crate::net::Net;
use crate::reference::Reached;

/// Queues are explored up to this length.
const BOUND_MAX: u32 = 3;
/// The reference gives up beyond this many configurations,
const MOST: usize = 1_000;
/// and does not look at infinite runs beyond this many,
const MOST_INFINITE: usize = 400;
/// or with more than so many things to guess.
const GUESSES_MAX: usize = 4;

/// What a comparison came to, and what the text was like.
pub struct Told {
    /// What it came to.
    pub compared: Compared,
    /// What was asked, with the answer: `stuck proved`, `ltl violated`.
    pub answers: Vec<String>,
    /// Answers of all engines together that the reference could not give.
    pub n_beyond: usize,
}

/// The text of a seed against the reference. The error names the problem and shows the text.
pub fn try_seed(seed: u64) -> Result<Told, String> {
    let sketch = make::sketch(seed);
    examine(&sketch, seed)
        .map_err(|problem| format!("seed {seed}: {problem}\n{}", print::text(&sketch, seed)))
}

fn examine(sketch: &Sketch, seed: u64) -> Result<Told, String> {
    let (net, text) = (lower::net(sketch), print::text(sketch, seed));
    let loaded = load("random.cfsm", text.as_bytes())
        .map_err(|refused| format!("refused: {:?}", refused.diagnostics))?;
    let Some(mut truth) = truth(&net, 1..=BOUND_MAX, MOST) else {
        return Ok(Told { compared: Compared::TooLarge, answers: Vec::new(), n_beyond: 0 });
    };
    for bound in 1..=truth.counts.len() {
        let reached = Reached::explore(&net, bound, MOST).ok_or("it was small before")?;
        same::compare(&net, &reached, &loaded.model, bound)?;
    }
    let finite = truth.lines.len();
    let n_configurations = truth.counts.last().map_or(0, |counts| counts.0 as usize);
    let is_safe = matches!(truth.lines[0].verdict, VerdictWord::Proved | VerdictWord::None);
    truth.lines.extend(infinite(sketch, &net, n_configurations, is_safe));
    let alone = vec!["explore".to_owned()];
    let options = Options {
        bound_max: BOUND_MAX,
        bound_rises: false,
        jobs: 1,
        engines: engines(seed),
        ..limits()
    };
    let explored = Options { engines: alone, exhaustive: true, ..options.clone() };
    explore_agrees(&truth, &net, &run(&loaded, &explored, seed)?, finite)
        .map_err(|problem| format!("explore: {problem}"))?;
    let checked = run(&loaded, &options, seed)?;
    let n_beyond = portfolio_agrees(&truth, &net, &checked)
        .map_err(|problem| format!("all engines: {problem}"))?;
    let word = |line: &Line| {
        let kind = line.id.split(':').next().unwrap_or_default();
        format!("{kind} {}", line.verdict.word())
    };
    let answers = truth.lines.iter().map(word).collect();
    Ok(Told { compared: Compared::Agrees(n_configurations), answers, n_beyond })
}

/// All engines, but most of the time without the one that searches for loops longer than all others together.
fn engines(seed: u64) -> Vec<String> {
    if seed.is_multiple_of(8) {
        return Vec::new();
    }
    let others = ENGINES.iter().map(|engine| engine.name()).filter(|name| *name != "flow");
    others.map(str::to_owned).collect()
}

/// Enough for small systems, and little for those that no engine finishes.
fn limits() -> Options {
    let walks = Walks { steps_max: 300, ..Walks::NONE };
    Options { time: None, states_max: 30_000, walks, ..Options::default() }
}

fn run(loaded: &Loaded, options: &Options, seed: u64) -> Result<Checked, String> {
    let checked = check(loaded, options, &options.budget());
    no_errors(&checked)?;
    // Files are read back now and then: that takes longer than everything else.
    if seed.is_multiple_of(4) {
        stands(loaded, &checked)?;
    }
    Ok(checked)
}

/// What is to be said about infinite runs; nothing about those that would take too long.
fn infinite(sketch: &Sketch, net: &Net, n_configurations: usize, is_safe: bool) -> Vec<Line> {
    let mut lines = Vec::new();
    if n_configurations > MOST_INFINITE {
        return lines;
    }
    if net.machines.iter().flat_map(|machine| &machine.states).any(|state| state.progress) {
        let progress = |reached: &Reached, at: usize| {
            let places = reached.moments[at].0.iter().zip(&net.machines);
            places.into_iter().any(|(&place, machine)| machine.states[place].progress)
        };
        let mut line = line(net, "livelock", &|r| ltl::is_livelocked(r, |at| progress(r, at)));
        // If no run is infinite there is nothing to look at, unless runs end because they fail.
        let endless = |r: Reached| ltl::is_livelocked(&r, |_| false);
        let proved = line.verdict == VerdictWord::Proved;
        if proved
            && is_safe
            && !Reached::explore(net, BOUND_MAX as usize, MOST).is_some_and(endless)
        {
            line.verdict = VerdictWord::None;
        }
        lines.push(line);
    }
    for (number, (formula, over_sends)) in sketch.ltl.iter().enumerate() {
        if ltl::guesses(formula) <= GUESSES_MAX {
            let violated = |r: &Reached| ltl::is_violated(sketch, r, formula, *over_sends);
            let mut line = line(net, &format!("ltl:f{number}"), &violated);
            // Over sends, finitely many may refute it as well, which is not looked at here.
            if *over_sends {
                line.figures = None;
            }
            lines.extend((!over_sends || line.verdict == VerdictWord::Violated).then_some(line));
        }
    }
    lines
}

/// The truth about a property, at the least bound that shows it. How long a run is, is not said.
fn line(net: &Net, id: &str, violated: &dyn Fn(&Reached) -> bool) -> Line {
    let mut line = Line { id: id.to_owned(), verdict: VerdictWord::Unknown, figures: None };
    for bound in 1..=BOUND_MAX {
        let Some(reached) = Reached::explore(net, bound as usize, MOST) else { return line };
        if violated(&reached) {
            line.verdict = VerdictWord::Violated;
            line.figures = Some((bound, 0));
            return line;
        }
        if reached.is_complete() {
            line.verdict = VerdictWord::Proved;
            return line;
        }
    }
    line
}

/// The search alone: everything about finite runs to the letter, the others by verdict and bound.
fn explore_agrees(
    truth: &Truth,
    net: &Net,
    checked: &Checked,
    finite: usize,
) -> Result<(), String> {
    let (exact, others) = truth.lines.split_at(finite);
    agrees(truth, exact, net, checked, true)?;
    let found = lines(&checked.report);
    for line in others {
        let found = found.iter().find(|found| found.id == line.id);
        let bound = |line: &Line| line.figures.map(|figures| figures.0);
        let same = found.is_some_and(|found| {
            found.verdict == line.verdict && (line.figures.is_none() || bound(found) == bound(line))
        });
        if !same {
            return Err(format!("expected {line:?}, found {found:?}"));
        }
    }
    Ok(())
}

/// All engines together: never the opposite, and nothing less than the search alone. Returns how much more there is.
fn portfolio_agrees(truth: &Truth, net: &Net, checked: &Checked) -> Result<usize, String> {
    let mut beyond = Vec::new();
    for found in lines(&checked.report) {
        let Some(line) = truth.lines.iter().find(|line| line.id == found.id) else { continue };
        if line.verdict == VerdictWord::Unknown {
            beyond.extend((found.verdict != VerdictWord::Unknown).then_some(found));
        } else if line.verdict != found.verdict {
            return Err(format!("expected {line:?}, found {found:?}"));
        }
    }
    deeper(net, &beyond)?;
    Ok(beyond.len())
}

/// Answers beyond the bound against longer queues, as far as the reference gets.
fn deeper(net: &Net, beyond: &[Line]) -> Result<(), String> {
    let bounds = BOUND_MAX + 1..=BOUND_MAX + 2;
    let Some(truth) = (!beyond.is_empty()).then(|| truth(net, bounds, MOST)).flatten() else {
        return Ok(());
    };
    for found in beyond {
        let opposite = match found.verdict {
            VerdictWord::Proved | VerdictWord::ProvedUpToFailure => VerdictWord::Violated,
            VerdictWord::Violated => VerdictWord::Proved,
            VerdictWord::Unknown | VerdictWord::None => continue,
        };
        let line = truth.lines.iter().find(|line| line.id == found.id);
        if let Some(line) = line.filter(|line| line.verdict == opposite) {
            return Err(format!("with longer queues expected {line:?}, found {found:?}"));
        }
    }
    Ok(())
}
