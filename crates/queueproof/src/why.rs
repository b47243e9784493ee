//! Why something is unknown, in the user's words: what grows or explodes, and what to try.
//!
//! Nothing here decides about an answer. The figures are those of the search; the order of what to try is that of what has
//! helped with programs like these: fewer values, fewer machines, longer queues, and time only where the search was about
//! to end.

use qp_base::Span;
use qp_base::names::grouped;
use qp_engines::{Answers, Choice, Spread};
use qp_machines::Widest;

use crate::abreast::EngineRun;
use crate::invariants::quoted;
use crate::names::Names;
use crate::report::{QueueStatus, Report, VerdictWord, WhyReport};
use crate::{Loaded, Options, words};

/// Fewer outcomes of a step, values of a variable, or states of a machine than these are no reason for anything.
const CHOICE_MIN: usize = 4;
const VALUES_MIN: usize = 16;
const STATES_MIN: usize = 32;
/// More than so many things to try would not be read.
const ATTEMPTS_MAX: usize = 4;
/// Where less than this part of what was visited is waiting, more time is promising; where it is more, it is not.
const QUICK_SHARE: u64 = 20;
const SLOW_SHARE: u64 = 10;
/// With more machines of one kind than this, one of them less is a smaller test.
const ALIKE_MIN: usize = 3;

/// Why something is unknown, if the search has met a limit or the longest queues that it looks at.
pub(crate) fn why(
    report: &Report,
    runs: &[EngineRun],
    (loaded, names): (&Loaded, &Names),
    options: &Options,
) -> Option<WhyReport> {
    let is_open = report.properties.iter().any(|it| it.verdict == VerdictWord::Unknown);
    let answers = || runs.iter().filter_map(|run| run.answers.as_ref());
    let choice = answers().find_map(|it: &Answers| it.choice);
    let choice = choice.filter(|choice| choice.n_outcomes >= CHOICE_MIN);
    // Of a set that is kept as a diagram it is not known.
    let unknown = Spread::default();
    let spread = answers().find_map(|it| it.spread.as_ref()).unwrap_or(&unknown);
    let why = Why { report, spread, choice, loaded, names, options };
    let because = why.because().filter(|_| is_open)?;
    Some(WhyReport { because, attempts: why.attempts() })
}

struct Why<'a> {
    report: &'a Report,
    spread: &'a Spread,
    choice: Option<Choice>,
    loaded: &'a Loaded,
    names: &'a Names,
    options: &'a Options,
}

impl Why<'_> {
    fn because(&self) -> Option<String> {
        let mut parts = Vec::new();
        if let Some(queue) = self.growing() {
            parts.push(format!("the queue {queue} grows for ever"));
        } else if let Some((queue, longest)) = self.stalled() {
            parts.push(format!("the queue {queue} can hold more than {longest} messages"));
        }
        if let Some((machine, name, n)) =
            self.spread.machine.as_ref().filter(|it| it.2 >= STATES_MIN)
        {
            let name = name.clone().unwrap_or_else(|| self.names.machine(*machine));
            parts.push(format!("{name} was in {} different states", grouped(*n as u64)));
        }
        if let Some(Widest { name, n_values, what, .. }) = self.variable() {
            parts.push(format!("{name} took {n_values} {what}"));
        }
        if let Some((queue, n)) = self.spread.queue.filter(|it| it.1 >= STATES_MIN) {
            let name = self.names.queue(queue);
            parts.push(format!("the queue {name} had {} contents", grouped(n as u64)));
        }
        if let Some(Choice { n_outcomes, span }) = self.choice {
            parts.push(format!("a step at {} has {n_outcomes} outcomes", self.place(span)));
        }
        if self.spread.waiting > 0 {
            let (visited, waiting) = (grouped(self.spread.visited), grouped(self.spread.waiting));
            parts.push(format!("of {visited} configurations, {waiting} were not looked into yet"));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    fn variable(&self) -> Option<&Widest> {
        self.spread.variable.as_ref().filter(|it| it.n_values >= VALUES_MIN)
    }

    /// What to try, ranked.
    fn attempts(&self) -> Vec<String> {
        let mut attempts = Vec::new();
        if let Some(Widest { name, span, .. }) = self.variable() {
            let place = self.place(*span);
            attempts.push(format!(
                "keep {name} small ({place}): fewer values, for instance modulo 4, in a test of its own"
            ));
        }
        if let Some(Choice { span, .. }) = self.choice {
            attempts.push(format!("choose among fewer values at {}", self.place(span)));
        }
        if let Some((kind, n)) = self.alike() {
            attempts.push(format!("a smaller test: fewer than {n} machines {kind}"));
        }
        if let Some(queue) = self.growing() {
            let queue = quoted(&format!("{queue}=2"));
            attempts.push(format!("a capacity: `{} --set {queue}`", self.command()));
        } else if let Some((_, longest)) = self.stalled() {
            attempts.push(format!("`{} --max-bound {}`", self.command(), 2 * longest));
        }
        let Spread { visited, waiting, .. } = *self.spread;
        if waiting > 0 && visited > self.options.states_max {
            attempts.push("more configurations: --steps is what ended the search".to_owned());
        }
        let slow = waiting > visited / SLOW_SHARE;
        if waiting > 0 && waiting < visited / QUICK_SHARE {
            attempts.push(format!("`{} --time 10m`: few were waiting", self.command()));
        }
        if self.report.coverage.as_ref().is_some_and(|it| it.schedules > 0) {
            let seed = self.options.walks.seed + 1;
            attempts.push(format!(
                "for mistakes, not for a proof: `{} --schedules 100000 --seed {seed}`",
                self.command()
            ));
        }
        attempts.truncate(ATTEMPTS_MAX);
        if slow {
            attempts
                .push("more time alone is not promising: the search was still growing".to_owned());
        }
        attempts
    }

    /// A queue that is known to grow for ever.
    fn growing(&self) -> Option<&str> {
        let grows = |status: QueueStatus| status == QueueStatus::Unbounded;
        self.report.queues.iter().find(|queue| grows(queue.status)).map(|queue| queue.name.as_str())
    }

    /// A queue that was as long as was looked at, and how long that is.
    fn stalled(&self) -> Option<(&str, u32)> {
        let hit = self.report.limits.hit.iter().any(|limit| limit == "bound");
        let longest = self.report.queues.iter().filter(|it| it.status == QueueStatus::Unknown);
        let longest = longest.max_by_key(|queue| queue.longest_seen).filter(|_| hit)?;
        Some((&longest.name, longest.longest_seen))
    }

    /// Machines of one kind, if there are several: their names differ in the number behind.
    fn alike(&self) -> Option<(String, usize)> {
        let mut kinds: Vec<(String, usize)> = Vec::new();
        for queue in &self.report.queues {
            let Some((kind, _)) = queue.name.split_once('(') else { continue };
            match kinds.iter_mut().find(|(known, _)| known == kind) {
                Some((_, n)) => *n += 1,
                None => kinds.push((kind.to_owned(), 1)),
            }
        }
        kinds.into_iter().max_by_key(|(_, n)| *n).filter(|(_, n)| *n >= ALIKE_MIN)
    }

    fn place(&self, span: Span) -> String {
        let place = words::location(self.loaded, span);
        let file = place.file.rsplit('/').next().unwrap_or(&place.file);
        format!("{file}:{}", place.line)
    }

    /// The command that asks the same again.
    fn command(&self) -> String {
        let model = &self.report.model;
        let mut all = vec!["queueproof check".to_owned(), quoted(&model.path)];
        all.extend(model.options.iter().map(|option| quoted(option)));
        all.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use qp_base::Code;

    use super::*;
    use crate::{check, load};

    /// What is said of a model, if so many configurations may be visited.
    fn said(name: &str, text: &str, states_max: u64) -> Option<WhyReport> {
        let loaded = load(name, text.as_bytes()).expect("it is a model");
        let engines = ["explore", "roam"].map(str::to_owned).to_vec();
        let options = Options { time: None, states_max, engines, ..Options::default() };
        let report = check(&loaded, &options, &options.budget()).report;
        assert!(report.properties.iter().all(|it| it.code != Some(Code(9001))));
        report.why
    }

    const COUNTER: &str = "event eTick: int;
        machine Main { var count: int; start state S { entry { send this, eTick, choose(8); }
          on eTick do (n: int) { count = count + n; assert count >= 0; send this, eTick, choose(8); } } }";

    #[test]
    fn a_variable_and_a_choice_are_named_with_what_to_do_about_them() {
        let why = said("m.p", COUNTER, 3_000).expect("it is unknown");
        assert!(why.because.contains("`count` of Main took"), "{}", why.because);
        assert!(why.because.contains("has 8 outcomes"), "{}", why.because);
        assert!(why.attempts[0].starts_with("keep `count` of Main small (m.p:2)"), "{why:?}");
        assert!(why.attempts[1].starts_with("choose among fewer values at m.p:"), "{why:?}");
    }

    #[test]
    fn a_queue_that_grows_is_named() {
        let text = "machine A { init S: send B m -> S | send B n -> S } machine B { init S: recv m -> S | recv n -> S }";
        let why = said("m.cfsm", text, 20_000_000).expect("it is unknown");
        assert!(why.because.contains("the queue B grows for ever"), "{}", why.because);
        assert!(why.attempts[0].contains("--set B=2"), "{why:?}");
    }

    #[test]
    fn nothing_is_said_where_nothing_is_unknown() {
        assert_eq!(said("m.cfsm", "machine A { init S: }", 1_000), None);
    }
}
