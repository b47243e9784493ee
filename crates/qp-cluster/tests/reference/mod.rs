//! Models of the corpus, and what the search of one process says about them.

use qp_base::Budget;
use qp_claim::Claim;
use qp_cluster::{Counts, Findings, Question};
use qp_engines::{Engine, Explore, Schedule, Task, TaskLimits};
use qp_machines::{Model, Property};

/// Small models of every language: with violations and without, complete and cut, with machines that are
/// created at run time, with turns, deferral and losses.
pub(crate) const MODELS: &[(&str, u32)] = &[
    ("cfsm/german.cfsm", 4),
    ("cfsm/german_nodefer.cfsm", 3),
    ("cfsm/cancel_race.cfsm", 3),
    ("cfsm/flood.cfsm", 5),
    ("cfsm/defer_reorder.cfsm", 4),
    ("cfsm/lossy_abp.cfsm", 2),
    ("p/ping_pong.p", 2),
    ("p/german_1.p", 2),
    ("p/cancel_race.p", 3),
    ("promela/leader_5.pml", 1),
    ("promela/alternating_bit_bug.pml", 1),
    ("promela/children.pml", 1),
    ("promela/dining.pml", 1),
];

pub(crate) fn corpus(path: &str) -> Model {
    let path = format!("{}/../../corpus/{path}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("it is in the corpus");
    qp_load::load(&path, &text).0.expect("it is a model")
}

pub(crate) fn question(model: &Model, bound_max: u32) -> Question {
    let outline = model.outline();
    let fixed = [Property::Assert, Property::Unhandled, Property::Deadlock, Property::Divergence];
    let reach = (0..outline.bad.len()).map(Property::Reach);
    let properties = fixed.into_iter().chain(reach).filter(|property| !property.is_void(outline));
    Question {
        properties: properties.collect(),
        schedule: Schedule {
            first: 1,
            last: bound_max,
            small_max: 50_000,
            exhaustive: true,
            far: 0,
        },
        evidence: true,
        evidence_max: 100_000,
    }
}

/// What is compared: counts for each bound, violated properties with how long the run is and at which bound it
/// was found, whether everything was visited, and how long queues get.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Essence {
    pub(crate) bounds: Vec<Counts>,
    pub(crate) violated: Vec<(String, usize, u32)>,
    pub(crate) complete: bool,
    pub(crate) longest: Vec<u32>,
}

pub(crate) fn essence(model: &Model, findings: &Findings) -> Essence {
    let outline = model.outline();
    let violated = findings.violations.iter();
    let violated = violated.map(|it| (it.property.id(outline), it.steps.len(), it.counts.bound));
    let mut violated: Vec<(String, usize, u32)> = violated.collect();
    violated.sort_unstable();
    Essence {
        bounds: findings.tally.bounds.clone(),
        violated,
        complete: findings.complete,
        longest: findings.longest.clone(),
    }
}

/// The same from one process.
pub(crate) fn expected(model: &Model, question: &Question) -> Essence {
    let limits = TaskLimits {
        bound_first: question.schedule.first,
        bound_max: question.schedule.last,
        exhaustive: question.schedule.exhaustive,
        queues: true,
        small_max: question.schedule.small_max as usize,
        evidence_max: question.evidence_max as usize,
        ..TaskLimits::default()
    };
    let properties = question.properties.clone();
    let task = Task { model: model.clone(), properties, invariants: Vec::new(), limits };
    let answers = Explore.run(task, &Budget::states(u64::MAX));
    let counts = |it: &qp_engines::Figures| Counts {
        bound: it.bound,
        states: it.states,
        transitions: it.transitions,
    };
    let mut violated = Vec::new();
    for answer in &answers.claims {
        if let Claim::Violated(trace) = &answer.claim {
            let id = answer.property.id(model.outline());
            violated.push((id, trace.steps.len(), answer.figures.bound));
        }
    }
    violated.sort_unstable();
    Essence {
        bounds: answers.bounds.iter().map(counts).collect(),
        violated,
        complete: answers.detail.contains(&("complete", 1)),
        longest: answers.queues.iter().map(|queue| queue.longest).collect(),
    }
}
