//! Formulas over the runs of a small system, by guessing what is true when.
//!
//! At each moment of a run a bit is guessed for every temporal part of the formula. Guesses of neighbouring moments
//! must fit together, and what is promised must be kept again and again. A run with such guesses exists exactly if a
//! part of the graph of moments has all of that. Over sends, the moments are the sends alone.

use std::collections::BTreeSet;

use super::lower::place;
use super::written::{Formula, Sketch};
use crate::reference::{Reached, Result, Step};

/// A moment: where it is, and what happens there.
struct Moment {
    config: usize,
    sent: Option<usize>,
    taken: Option<usize>,
}

/// The moments of all runs; a run begins with one of the first and goes on as `next` says.
struct Runs {
    moments: Vec<Moment>,
    first: Vec<usize>,
    next: Vec<Vec<usize>>,
}

/// Whether some run that was met violates the formula.
pub fn is_violated(
    sketch: &Sketch,
    reached: &Reached,
    formula: &Formula,
    over_sends: bool,
) -> bool {
    let runs = if over_sends { sends(reached) } else { all(reached) };
    let mut parts = Vec::new();
    temporal(formula, &mut parts);
    Search { sketch, reached, runs, parts }.finds(formula)
}

/// Whether some run that was met goes on for ever without progress from some moment on: whether something is left
/// when everything that leads nowhere is taken away.
pub fn is_livelocked(reached: &Reached, progress: impl Fn(usize) -> bool) -> bool {
    let mut left: BTreeSet<usize> =
        (0..reached.moments.len()).filter(|&at| !progress(at)).collect();
    loop {
        let goes_on = |at: &usize| {
            let mut targets = reached.steps[*at].iter().filter_map(target);
            targets.any(|to| left.contains(&to))
        };
        let still: BTreeSet<usize> = left.iter().copied().filter(|at| goes_on(at)).collect();
        if still == left {
            return !left.is_empty();
        }
        left = still;
    }
}

fn target(step: &Step) -> Option<usize> {
    match step.result {
        Result::To(to) => Some(to),
        Result::Cut | Result::Failure => None,
    }
}

/// Every step is a moment; where nothing can happen, nothing happens for ever.
fn all(reached: &Reached) -> Runs {
    let (mut moments, mut ends, mut at_config) = (Vec::new(), Vec::new(), Vec::new());
    for (config, steps) in reached.steps.iter().enumerate() {
        let from = moments.len();
        for step in steps {
            let Some(to) = target(step) else { continue };
            let (sent, taken) = step.deed.messages();
            moments.push(Moment { config, sent, taken });
            ends.push(to);
        }
        if steps.is_empty() {
            moments.push(Moment { config, sent: None, taken: None });
            ends.push(config);
        }
        at_config.push((from..moments.len()).collect::<Vec<usize>>());
    }
    let next = ends.into_iter().map(|to| at_config[to].clone()).collect();
    Runs { moments, first: at_config[0].clone(), next }
}

/// Every send is a moment, and the next is any send that comes before another.
fn sends(reached: &Reached) -> Runs {
    let (mut moments, mut ends, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    for (config, steps) in reached.steps.iter().enumerate() {
        let mut here = Vec::new();
        for step in steps {
            let Some(to) = target(step) else { continue };
            let (sent @ Some(_), taken) = step.deed.messages() else { continue };
            here.push(moments.len());
            moments.push(Moment { config, sent, taken });
            ends.push(to);
        }
        numbers.push(here);
    }
    let ahead = |from: usize| {
        let (mut seen, mut todo) = (BTreeSet::from([from]), vec![from]);
        while let Some(config) = todo.pop() {
            for step in &reached.steps[config] {
                let silent = step.deed.messages().0.is_none();
                if let Some(to) = target(step).filter(|to| silent && seen.insert(*to)) {
                    todo.push(to);
                }
            }
        }
        seen.into_iter().flat_map(|config| numbers[config].clone()).collect::<Vec<usize>>()
    };
    let next = ends.iter().map(|&to| ahead(to)).collect();
    Runs { first: ahead(0), next, moments }
}

/// The parts that say something about later moments.
fn temporal(formula: &Formula, parts: &mut Vec<Formula>) {
    match formula {
        Formula::Not(a) => return temporal(a, parts),
        Formula::Next(a) | Formula::Finally(a) | Formula::Globally(a) => temporal(a, parts),
        Formula::And(a, b) | Formula::Or(a, b) | Formula::Implies(a, b) | Formula::Iff(a, b) => {
            temporal(a, parts);
            return temporal(b, parts);
        }
        Formula::Until(a, b) | Formula::Release(a, b) | Formula::WeakUntil(a, b) => {
            temporal(a, parts);
            temporal(b, parts);
        }
        _ => return,
    }
    if !parts.contains(formula) {
        parts.push(formula.clone());
    }
}

/// How many bits have to be guessed.
pub fn guesses(formula: &Formula) -> usize {
    let mut parts = Vec::new();
    temporal(formula, &mut parts);
    parts.len()
}

struct Search<'a> {
    sketch: &'a Sketch,
    reached: &'a Reached,
    runs: Runs,
    parts: Vec<Formula>,
}

/// A moment with guesses, one bit per part.
type Guess = (usize, usize);

impl Search<'_> {
    fn finds(&self, formula: &Formula) -> bool {
        let width = 1 << self.parts.len();
        let number = |(moment, bits): Guess| moment * width + bits;
        let first = self.runs.first.iter().flat_map(|&at| (0..width).map(move |bits| (at, bits)));
        let first = first.filter(|&guess| !self.holds(formula, guess));
        let mut next: Vec<Option<Vec<usize>>> = vec![None; self.runs.moments.len() * width];
        let mut todo: Vec<Guess> = first.collect();
        while let Some(guess) = todo.pop() {
            if next[number(guess)].is_some() {
                continue;
            }
            let after: Vec<Guess> = self.after(guess, width);
            next[number(guess)] = Some(after.iter().map(|&guess| number(guess)).collect());
            todo.extend(after);
        }
        let next: Vec<Vec<usize>> = next.into_iter().map(Option::unwrap_or_default).collect();
        components(&next).into_iter().any(|component| {
            let kept = |part: &Formula| {
                component.iter().any(|&at| self.is_kept(part, (at / width, at % width)))
            };
            let circles = component.len() > 1 || next[component[0]].contains(&component[0]);
            circles && self.parts.iter().all(kept)
        })
    }

    /// The guesses at the next moment that fit.
    fn after(&self, guess: Guess, width: usize) -> Vec<Guess> {
        let all = self.runs.next[guess.0].iter();
        let all = all.flat_map(|&at| (0..width).map(move |bits| (at, bits)));
        all.filter(|&later| self.parts.iter().all(|part| self.fits(part, guess, later))).collect()
    }

    /// Whether what is guessed of a part now is what it must be, given what is guessed next.
    fn fits(&self, part: &Formula, now: Guess, later: Guess) -> bool {
        let holds = |a: &Formula| self.holds(a, now);
        let again = || self.holds(part, later);
        let must = match part {
            Formula::Next(a) => self.holds(a, later),
            Formula::Finally(a) => holds(a) || again(),
            Formula::Globally(a) => holds(a) && again(),
            Formula::Until(a, b) | Formula::WeakUntil(a, b) => holds(b) || holds(a) && again(),
            Formula::Release(a, b) => holds(b) && (holds(a) || again()),
            _ => unreachable!("{part:?} is not temporal"),
        };
        must == holds(part)
    }

    /// Whether nothing is put off here: a promise is kept, or not made; a fault is there, or not foretold.
    fn is_kept(&self, part: &Formula, at: Guess) -> bool {
        let holds = |a: &Formula| self.holds(a, at);
        match part {
            Formula::Finally(a) | Formula::Until(_, a) => !holds(part) || holds(a),
            Formula::Globally(a) | Formula::Release(_, a) => holds(part) || !holds(a),
            Formula::WeakUntil(a, b) => holds(part) || !holds(a) && !holds(b),
            _ => true,
        }
    }

    fn holds(&self, formula: &Formula, (at, bits): Guess) -> bool {
        let moment = &self.runs.moments[at];
        let holds = |a: &Formula| self.holds(a, (at, bits));
        match formula {
            Formula::True => true,
            Formula::False => false,
            Formula::Sends(message) => moment.sent == Some(*message),
            Formula::Receives(message) => moment.taken == Some(*message),
            Formula::At(machine, state) => {
                let state = place(&self.sketch.machines[*machine], *state);
                self.reached.moments[moment.config].0[*machine] == state
            }
            Formula::Not(a) => !holds(a),
            Formula::And(a, b) => holds(a) && holds(b),
            Formula::Or(a, b) => holds(a) || holds(b),
            Formula::Implies(a, b) => !holds(a) || holds(b),
            Formula::Iff(a, b) => holds(a) == holds(b),
            part => {
                let bit = self.parts.iter().position(|other| other == part);
                bits & 1 << bit.expect("it was collected") != 0
            }
        }
    }
}

/// The strongly connected components, by Kosaraju's two walks.
fn components(next: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); next.len()];
    for (from, targets) in next.iter().enumerate() {
        for &to in targets {
            before[to].push(from);
        }
    }
    let (mut seen, mut order) = (vec![false; next.len()], Vec::new());
    for start in 0..next.len() {
        let mut path = vec![(start, 0)];
        while let Some((at, child)) = path.pop() {
            if child == 0 && std::mem::replace(&mut seen[at], true) {
                continue;
            }
            match next[at].get(child) {
                Some(&to) => path.extend([(at, child + 1), (to, 0)]),
                None => order.push(at),
            }
        }
    }
    let (mut seen, mut all) = (vec![false; next.len()], Vec::new());
    for &start in order.iter().rev() {
        let (mut component, mut todo) = (Vec::new(), vec![start]);
        while let Some(at) = todo.pop() {
            if !std::mem::replace(&mut seen[at], true) {
                component.push(at);
                todo.extend(&before[at]);
            }
        }
        if !component.is_empty() {
            all.push(component);
        }
    }
    all
}
