//! Both opinions about a program, side by side.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use qp_machines::{Config, Event, MachineId, Outcome, System, WordId};
use queueproof::{Loaded, Options, VerdictWord, check, load};

use super::explore::{Bounds, Explored, Situation, explore};
use super::print::{Printed, print};
use super::process::Site;
use super::tree::Program;
use super::value::Fault;
use super::world::Grain;

/// How far the naive interpreter looks.
pub const BOUNDS: Bounds =
    Bounds { worlds_max: 1_000, mailbox_max: 4, machines_max: 6, grain: Grain::Finer };

/// Configurations of the product that are looked at.
const CONFIGURATIONS_MAX: usize = 20_000;

/// The same where the naive interpreter has not seen everything: it is seldom that we have.
const FEW_CONFIGURATIONS: usize = 1_000;

/// What was found, in words that both sides use.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct Findings {
    pub complete: bool,
    /// What goes wrong, and in which line, or in which machine and state at which event.
    pub failures: BTreeSet<(Fault, String)>,
    pub diverges: bool,
    pub ends: BTreeSet<Situation>,
    pub deadlocks: BTreeSet<Situation>,
    pub longest: BTreeMap<usize, usize>,
}

/// What a comparison came to.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct Compared {
    /// What the naive interpreter found.
    pub naive: Findings,
    pub n_worlds: usize,
    /// Whether some property is violated only because others may go right after a send.
    pub is_wider: bool,
    /// Properties for which the product had an answer, and for which it had none.
    pub n_answered: usize,
    pub n_unknown: usize,
}

/// Compares what both sides find in a program, and then with the verdicts; an error says what is different.
pub fn compare(program: &Program) -> Result<Compared, String> {
    let printed = print(program);
    let loaded = load("second.p", printed.text.as_bytes())
        .map_err(|refused| format!("the program is refused: {:#?}", refused.diagnostics))?;
    let explored = explore(program, BOUNDS);
    let naive = naive(&explored, &printed);
    let n_max = if naive.complete { CONFIGURATIONS_MAX } else { FEW_CONFIGURATIONS };
    let mut different = differences(&naive, &ours(&loaded, n_max));
    let runtime = explore(program, Bounds { grain: Grain::Runtime, ..BOUNDS });
    if !runtime.failures.is_subset(&explored.failures) && explored.complete {
        different.push("fewer stops find more failures".to_owned());
    }
    let is_wider = runtime.complete && explored.complete && wrong(&runtime) != wrong(&explored);
    let n_worlds = explored.n_worlds;
    let mut compared = Compared { naive, n_worlds, is_wider, n_answered: 0, n_unknown: 0 };
    if compared.naive.complete {
        compared.ask(&loaded, wrong(&explored), &mut different);
    }
    if different.is_empty() { Ok(compared) } else { Err(different.join("\n")) }
}

/// Whether `assert`, `unhandled`, `deadlock` and `divergence` are violated.
fn wrong(found: &Explored) -> [bool; 4] {
    let is = |unhandled| found.failures.iter().any(|it| (it.0 == Fault::Unhandled) == unhandled);
    [is(false), is(true), !found.deadlocks.is_empty(), found.diverges]
}

/// What is not the same: of sets that are not complete, only what one side has and the other one lacks.
fn differences(naive: &Findings, ours: &Findings) -> Vec<String> {
    let mut all = Vec::new();
    let (n, o) = (naive, ours);
    let mut sets = |what: &str, n: Vec<String>, o: Vec<String>| {
        let lacks = |one: &[String], other: &[String]| -> Vec<String> {
            one.iter().filter(|it| !other.contains(it)).cloned().collect()
        };
        let (more, less) = (lacks(&n, &o), lacks(&o, &n));
        if ours.complete && !more.is_empty() {
            all.push(format!("{what}: only the naive interpreter finds {more:?}"));
        }
        if naive.complete && !less.is_empty() {
            all.push(format!("{what}: only the product finds {less:?}"));
        }
    };
    let failures = |of: &Findings| of.failures.iter().map(|it| format!("{it:?}")).collect();
    sets("failures", failures(n), failures(o));
    let list = |of: &BTreeSet<Situation>| of.iter().map(|it| format!("{it:?}")).collect();
    sets("ends", list(&n.ends), list(&o.ends));
    sets("deadlocks", list(&n.deadlocks), list(&o.deadlocks));
    let diverges = |of: &Findings| of.diverges.then(|| "a loop".to_owned()).into_iter().collect();
    sets("divergence", diverges(n), diverges(o));
    if naive.complete && ours.complete && naive.longest != ours.longest {
        all.push(format!("mailboxes: {:?} and ours {:?}", naive.longest, ours.longest));
    }
    if naive.complete && !ours.complete {
        all.push("the product finds more configurations than there should be".to_owned());
    }
    all
}

impl Compared {
    /// Asks the product for its verdicts. A verdict covers runs up to a failure, as does what was found.
    fn ask(&mut self, loaded: &Loaded, wrong: [bool; 4], different: &mut Vec<String>) {
        let engines = vec!["explore".to_owned()];
        let limits = Options { time: None, states_max: 20_000, jobs: 1, ..Options::default() };
        let options = Options { engines, ..limits };
        let checked = check(loaded, &options, &options.budget());
        different.extend(checked.errors.iter().map(|it| it.message.clone()));
        let ids = ["assert", "unhandled", "deadlock", "divergence"];
        for (id, is_wrong) in ids.into_iter().zip(wrong) {
            let found = checked.report.properties.iter().find(|it| it.id == id);
            let Some(found) = found else {
                different.push(format!("{id} is not answered"));
                continue;
            };
            let fits = match found.verdict {
                VerdictWord::Violated => is_wrong,
                VerdictWord::Proved | VerdictWord::None => !is_wrong,
                VerdictWord::ProvedUpToFailure => !is_wrong && wrong.contains(&true),
                VerdictWord::Unknown => true,
            };
            let is_unknown = found.verdict == VerdictWord::Unknown;
            self.n_unknown += usize::from(is_unknown);
            self.n_answered += usize::from(!is_unknown);
            if !fits {
                different.push(format!("{id} is {:?}: {}", found.verdict, found.message));
            }
        }
    }
}

/// What the naive interpreter finds.
fn naive(found: &Explored, printed: &Printed) -> Findings {
    let place = |site: &Site| match site {
        Site::Stmt(id) => printed.lines[id].to_string(),
        Site::State(machine, state, event) => {
            format!("{machine}: event {event} cannot be handled in state {state}")
        }
    };
    Findings {
        complete: found.complete,
        failures: found.failures.iter().map(|it| (it.0, place(&it.1))).collect(),
        diverges: found.diverges,
        ends: found.ends.clone(),
        deadlocks: found.deadlocks.clone(),
        longest: found.longest.clone(),
    }
}

/// What the product finds, step by step.
struct Ours<'a> {
    loaded: &'a Loaded,
    system: System,
    findings: Findings,
}

fn ours(loaded: &Loaded, n_max: usize) -> Findings {
    let findings = Findings { complete: true, ..Findings::default() };
    let mut ours = Ours { loaded, system: loaded.model.system(), findings };
    let first = ours.system.initial();
    let mut seen = BTreeSet::from([first.clone()]);
    let mut todo = VecDeque::from([first]);
    while let Some(config) = todo.pop_front() {
        if seen.len() > n_max {
            ours.findings.complete = false;
            break;
        }
        for next in ours.look(&config) {
            if seen.insert(next.clone()) {
                todo.push_back(next);
            }
        }
    }
    ours.findings
}

impl Ours<'_> {
    fn look(&mut self, config: &Config) -> Vec<Config> {
        let mut is_long = config.locals.len() > BOUNDS.machines_max;
        for (number, &word) in config.words.iter().enumerate() {
            let open = word != WordId::CLOSED;
            let length = if open { self.system.words().len(word) } else { 0 };
            is_long |= length > BOUNDS.mailbox_max + 1;
            let longest = self.findings.longest.entry(number).or_default();
            *longest = (*longest).max(length);
        }
        if is_long {
            self.findings.complete = false;
            return Vec::new();
        }
        let outcomes = self.system.successors(config);
        if outcomes.is_empty() {
            self.end(config);
        }
        outcomes.into_iter().filter_map(|it| self.follow(config, it)).collect()
    }

    fn follow(&mut self, config: &Config, outcome: Outcome) -> Option<Config> {
        let failure = match outcome.event {
            Event::GaveUp { .. } => {
                self.findings.complete = false;
                return None;
            }
            Event::Failed { failure } => self.system.program().failure(failure),
            _ => return Some(outcome.config),
        };
        let machine = outcome.step.machine;
        let at = failure.span.map_or(0, |span| self.loaded.source.place(span.start).line);
        let fault = match failure.code.0 {
            1001 => {
                let machine = &self.situation(config)[machine.index()].0;
                let said = match failure.text.strip_prefix("spec ") {
                    Some(of_spec) => of_spec.to_owned(),
                    None => format!("{machine}: {}", failure.text),
                };
                self.findings.failures.insert((Fault::Unhandled, said));
                return None;
            }
            1019 => {
                self.findings.diverges = true;
                return None;
            }
            1002 | 1011 => Fault::Assert,
            1012 => Fault::OutOfRange,
            1013 => Fault::MissingKey,
            1014 => Fault::Cast,
            1015 => Fault::DivisionByZero,
            1016 => Fault::Null,
            1020 => Fault::Choice,
            1021 => Fault::KeyThere,
            other => panic!("code {other}: {}", failure.text),
        };
        self.findings.failures.insert((fault, at.to_string()));
        None
    }

    fn situation(&self, config: &Config) -> Situation {
        let program = self.system.program();
        let describe = |machine: MachineId| {
            let local = config.local(machine);
            let name = program.machine_name(machine, local);
            let known = || program.outline().machines.get(machine).map(|it| it.name.clone());
            let name = name.or_else(known).unwrap_or_default();
            let name = name.split('(').next().unwrap_or_default().to_owned();
            let state = program.control_name(machine, local);
            (name, Some(state).filter(|it| it != "halted"))
        };
        config.machines().map(describe).collect()
    }

    fn end(&mut self, config: &Config) {
        let situation = self.situation(config);
        let program = self.system.program();
        if config.machines().any(|it| !program.may_rest(it, config.local(it))) {
            self.findings.deadlocks.insert(situation.clone());
        }
        self.findings.ends.insert(situation);
    }
}
