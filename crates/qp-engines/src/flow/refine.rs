//! Nets that get finer, as far as counterexamples ask for it.
//!
//! The first net follows no variable that only decides conditions. If counting leaves a ray open, the conditions on
//! its arcs say what would have to be followed to decide them; the next net follows that. So every detail
//! that is followed is there because of a round that it may rule out: a dependency between the round and what
//! changes the condition.

use std::collections::BTreeSet;
use std::sync::Arc;

use qp_base::{Budget, Span};
use qp_lp::{Answer, BigInt, Domain, Problem, Relation, VariableId, solve};
use qp_machines::{ArcId, Counts, DetailId, Following, MachineId, Net, Program, TestId};

use super::census::{Census, census};
use super::cycles::{Cycle, cycles};
use super::inequalities::Ray;
use crate::{Facts, Remark};

/// What was found out on the way, in numbers.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    /// Linear programs that were solved.
    pub(super) programs: u64,
    /// Rays that were found, those with the same statements once.
    pub(super) counterexamples: u64,
    /// Of these, the ones that a finer net does not have.
    pub(super) spurious: u64,
    /// The cycles of all rays.
    pub(super) analysed: u64,
    /// The details that were followed because of a cycle.
    pub(super) dependencies: u64,
}

/// How large the coarsest net is.
#[derive(Clone, Copy, Default)]
pub(super) struct Sizes {
    pub(super) spots: u64,
    pub(super) arcs: u64,
    pub(super) counters: u64,
    pub(super) census: Census,
}

/// What has been asked for so far, and why.
#[derive(Default)]
pub(super) struct Refinement {
    pub(super) followed: Vec<DetailId>,
    pub(super) tally: Tally,
    pub(super) sizes: Sizes,
    pub(super) remarks: Vec<Remark>,
    asked: Vec<Asked>,
    /// The statements of rays that were met.
    met: BTreeSet<Vec<(u32, u32)>>,
}

/// A detail that is to be followed because of a condition in a cycle.
struct Asked {
    detail: DetailId,
    test: (String, Span),
    machine: Option<MachineId>,
    /// What the cycle does.
    steps: Vec<(String, Span)>,
}

impl Refinement {
    /// The finest net that was asked for.
    pub(super) fn net(
        &mut self,
        program: &mut dyn Program,
        facts: &Facts,
    ) -> Result<Arc<Net>, String> {
        let net = facts.net(program, &self.followed)?;
        if self.followed.is_empty() {
            self.sizes = Sizes {
                spots: net.spots.len() as u64,
                arcs: net.arcs.len() as u64,
                counters: net.counters.len() as u64,
                census: census(&net),
            };
        }
        for asked in std::mem::take(&mut self.asked) {
            self.tally.dependencies += u64::from(is_followed(&net, asked.detail));
            self.remarks.push(remark(&net, &asked));
        }
        Ok(net)
    }

    /// Whether a finer net may tell more about these rays: then it is asked for.
    pub(super) fn asks_more(&mut self, net: &Net, rays: &[&Ray]) -> bool {
        let before = self.followed.len();
        for ray in rays {
            let cycles = cycles(net, ray);
            if self.met.insert(statements(net, ray)) {
                self.tally.counterexamples += 1;
                self.tally.analysed += cycles.len() as u64;
            }
            for cycle in &cycles {
                self.ask(net, cycle);
            }
        }
        self.followed.len() > before
    }

    /// These rays are left.
    pub(super) fn end(&mut self, net: &Net, rays: &[&Ray]) {
        let left: BTreeSet<Vec<(u32, u32)>> = rays.iter().map(|ray| statements(net, ray)).collect();
        self.tally.spurious = self.met.difference(&left).count() as u64;
    }

    fn ask(&mut self, net: &Net, cycle: &Cycle) {
        let step = |&arc: &ArcId| (net.arcs[arc].text.clone(), net.arcs[arc].span);
        let from = cycle.arcs.first().and_then(|&arc| net.arcs[arc].from);
        let tests: BTreeSet<TestId> =
            cycle.arcs.iter().flat_map(|&arc| &net.arcs[arc].tests).copied().collect();
        for test in tests.into_iter().map(|id| &net.tests[id]) {
            for &detail in &test.reads {
                if self.followed.contains(&detail) {
                    continue;
                }
                self.followed.push(detail);
                self.asked.push(Asked {
                    detail,
                    test: (test.text.clone(), test.span),
                    machine: from.and_then(|spot| net.spots[spot].machine),
                    steps: cycle.arcs.iter().map(step).collect(),
                });
            }
        }
    }
}

/// Rays through the same statements are one counterexample.
fn statements(net: &Net, ray: &[(ArcId, BigInt)]) -> Vec<(u32, u32)> {
    let spans = ray.iter().map(|(arc, _)| net.arcs[*arc].span);
    let spans: BTreeSet<(u32, u32)> = spans.map(|span| (span.start, span.end)).collect();
    spans.into_iter().collect()
}

fn is_followed(net: &Net, detail: DetailId) -> bool {
    matches!(net.details[detail].following, Following::Yes(_))
}

/// The most steps of a round, and the most statements, that are told.
const TOLD_MAX: usize = 5;

/// The dependency between a round and what is followed, in the user's words.
fn remark(net: &Net, asked: &Asked) -> Remark {
    let detail = &net.details[asked.detail];
    let round = told(asked.steps.iter().map(|(text, _)| text.as_str()));
    let (test, span) = &asked.test;
    let name = &detail.name;
    let text = match &detail.following {
        Following::Yes(how) => {
            let changes = told(detail.writes.iter().map(|(text, _)| text.as_str()));
            let changes = if changes.is_empty() { "nothing".to_owned() } else { changes };
            let times = match in_a_row(net, asked) {
                Some(1) => "; never twice in a row".to_owned(),
                Some(n) => format!("; at most {n} times in a row"),
                None => String::new(),
            };
            format!(
                "the round {round} depends on {test}, hence on {name}, which changes by {changes}: {how}{times}"
            )
        }
        Following::Refused(why) => {
            format!(
                "the round {round} depends on {test}, hence on {name}, which is not followed: {why}"
            )
        }
        Following::No => format!("the round {round} depends on {test}, hence on {name}"),
    };
    Remark { text, span: *span }
}

/// A list of statements, each once.
fn told<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let mut listed: Vec<&str> = Vec::new();
    for text in texts {
        if !listed.contains(&text) {
            listed.push(text);
        }
    }
    let more = if listed.len() > TOLD_MAX { ", ..." } else { "" };
    listed.truncate(TOLD_MAX);
    format!("{}{more}", listed.join(", "))
}

/// How often the condition holds in a row, if the machine takes no other statements than those of the round, from
/// wherever it begins; `None` if that has no limit.
fn in_a_row(net: &Net, asked: &Asked) -> Option<u64> {
    let is_mine = |arc: &qp_machines::Arc| {
        let machine = arc.from.and_then(|spot| net.spots[spot].machine);
        machine == asked.machine && asked.steps.iter().any(|(_, span)| *span == arc.span)
    };
    let mut problem = Problem::new();
    let begins: Vec<VariableId> =
        net.spots.iter().map(|_| problem.variable(Domain::NonNegative)).collect();
    let mut rows: Vec<Vec<(VariableId, i64)>> =
        begins.iter().map(|&begin| vec![(begin, -1)]).collect();
    let mut numbers: Vec<Vec<(VariableId, i64)>> = vec![Vec::new(); net.counters.len()];
    let mut tested = Vec::new();
    for arc in net.arcs.iter().filter(|arc| is_mine(arc)) {
        let taken = problem.variable(Domain::NonNegative);
        rows[arc.from?.index()].push((taken, 1));
        if let Some(to) = arc.to {
            rows[to.index()].push((taken, -1));
        }
        let effects = arc.effects.iter();
        for &(id, by) in effects.filter(|(id, _)| net.counters[*id].counts == Counts::Number) {
            numbers[id.index()].push((taken, -by));
        }
        if arc.span == asked.test.1 {
            tested.push((taken, 1));
        }
    }
    for row in rows {
        problem.row(row, Relation::AtMost, 0);
    }
    // What others have left there is at most one.
    for row in numbers {
        problem.row(row, Relation::AtMost, 1);
    }
    problem.row(begins.iter().map(|&begin| (begin, 1)).collect(), Relation::AtMost, 1);
    problem.maximise(tested);
    match solve(&problem, &Budget::states(10_000)) {
        Answer::Optimal { value, .. } => u64::try_from(value.floor()).ok().filter(|&n| n > 0),
        Answer::Unbounded { .. } | Answer::Infeasible { .. } | Answer::Unknown(_) => None,
    }
}
