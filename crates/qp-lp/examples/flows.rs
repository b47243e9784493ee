//! Times the solver on flow problems of growing size: `cargo run --release -p qp-lp --example flows`.
//!
//! Each process is a graph of local states, each transition a variable: how often it is taken. The
//! objective is the number of messages in the queues.
#![allow(clippy::print_stdout, reason = "printing a table is all that it does")]

use std::sync::atomic::Ordering;
use std::time::Instant;

use qp_base::Budget;
use qp_lp::{Answer, Domain, Problem, Relation, Simplex, Term, VariableId};

/// A local step: process, from, to, and its effect on the number of messages of a type.
struct Step(usize, usize, usize, Option<(usize, i64)>);

fn main() {
    println!("family      size   rows  columns  steps  answer             all s   one queue s");
    for size in [10, 20, 50, 100] {
        measure("election", size, flow(&election(size)));
    }
    for size in [10, 50, 200, 500] {
        measure("server", size, flow(&server(size)));
    }
    for size in [10, 20, 50, 100, 150] {
        measure("random", size, flow(&random(size, 12, 30, 7)));
    }
    for size in [10, 20, 50, 100, 150] {
        measure("calm", size, flow(&random(size, 12, 30, 70)));
    }
    for size in [10, 20, 50, 100] {
        measure("round", size, circulation(&election(size)));
    }
    for size in [10, 20, 50, 100, 150] {
        measure("whirl", size, circulation(&random(size, 12, 30, 70)));
    }
    for (rows, columns) in [(20, 60), (50, 200), (100, 400)] {
        measure("cycles", columns, cycles(rows, columns));
    }
}

/// Times the sum of all objectives, and then, on average, some of them one after the other.
fn measure(family: &str, size: usize, (problem, objectives): (Problem, Vec<Vec<Term>>)) {
    let (rows, columns) = (problem.rows().len(), problem.variables().len());
    let mut simplex = Simplex::new(problem);
    let budget = Budget::states(u64::MAX);
    let start = Instant::now();
    let first = simplex.maximise(objectives.concat(), &budget);
    let first_time = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let some = objectives.iter().take(20);
    let count = some.len() as f64;
    for objective in some {
        simplex.maximise(objective.clone(), &budget);
    }
    let one_time = start.elapsed().as_secs_f64() / count;
    let steps = budget.progress().states.load(Ordering::Relaxed);
    let first = match first {
        Answer::Optimal { value, .. } => format!("optimal {value}"),
        Answer::Unbounded { .. } => "unbounded".to_owned(),
        Answer::Infeasible { .. } => "infeasible".to_owned(),
        Answer::Unknown(why) => format!("unknown {why:?}"),
    };
    println!(
        "{family:10} {size:5} {rows:6} {columns:8} {steps:6}  {first:16.16} {first_time:8.3} {one_time:13.4}"
    );
}

/// The program of a system, and per message type the sum that counts its messages.
fn flow(steps: &[Step]) -> (Problem, Vec<Vec<Term>>) {
    let mut problem = Problem::new();
    let variables: Vec<VariableId> =
        steps.iter().map(|_| problem.variable(Domain::NonNegative)).collect();
    let processes = steps.iter().map(|step| step.0 + 1).max().unwrap_or(0);
    let mut balance: Vec<Vec<Vec<Term>>> = vec![vec![]; processes];
    let mut messages: Vec<Vec<Term>> = vec![];
    for (&variable, &Step(process, from, to, effect)) in variables.iter().zip(steps) {
        let states = &mut balance[process];
        states.resize(states.len().max(from.max(to) + 1), vec![]);
        states[from].push((variable, 1));
        states[to].push((variable, -1));
        if let Some((message, change)) = effect {
            messages.resize(messages.len().max(message + 1), vec![]);
            messages[message].push((variable, change));
        }
    }
    for states in balance {
        for (state, terms) in states.into_iter().enumerate() {
            problem.row(terms, Relation::AtMost, i64::from(state == 0));
        }
    }
    for terms in &messages {
        problem.row(terms.clone(), Relation::AtLeast, 0);
    }
    (problem, messages)
}

/// The program of the cycles of a system: what enters a state leaves it, and there is one unit in all.
fn circulation(steps: &[Step]) -> (Problem, Vec<Vec<Term>>) {
    let (flow, messages) = flow(steps);
    let mut problem = Problem::new();
    for domain in flow.variables() {
        problem.variable(*domain);
    }
    for row in flow.rows() {
        let state = row.relation == Relation::AtMost;
        let relation = if state { Relation::Equal } else { row.relation };
        problem.row(row.terms.clone(), relation, 0);
    }
    let all = problem.variables().ids().map(|variable| (variable, 1)).collect();
    problem.row(all, Relation::AtMost, 1);
    (problem, messages)
}

/// A ring in the manner of leader election: 4 message types per queue, phases of sending one's own
/// number, comparing, relaying, and announcing.
fn election(size: usize) -> Vec<Step> {
    let mut steps = vec![];
    for process in 0..size {
        let send = |kind: usize| Some((4 * process + kind, 1));
        let take = |kind: usize| Some((4 * ((process + size - 1) % size) + kind, -1));
        let edges = [
            (0, 1, send(0)),
            (1, 2, take(0)),
            (1, 3, take(1)),
            (2, 4, send(3)),
            (3, 5, send(2)),
            (5, 6, take(2)),
            (6, 7, None),
            (6, 8, None),
            (7, 9, send(1)),
            (9, 1, None),
            (8, 10, None),
            (10, 11, take(1)),
            (11, 10, send(1)),
            (10, 12, take(2)),
            (12, 10, send(2)),
            (10, 13, take(3)),
            (13, 14, send(3)),
            (1, 13, take(3)),
            (5, 13, take(3)),
            (4, 14, take(3)),
        ];
        steps.extend(edges.map(|(from, to, effect)| Step(process, from, to, effect)));
    }
    steps
}

/// Clients that ask and wait, and a server that answers each in turn.
fn server(size: usize) -> Vec<Step> {
    let mut steps = vec![];
    for client in 0..size {
        let (ask, answer) = (2 * client, 2 * client + 1);
        steps.push(Step(client, 0, 1, Some((ask, 1))));
        steps.push(Step(client, 1, 2, None));
        steps.push(Step(client, 2, 0, Some((answer, -1))));
        steps.push(Step(size, 0, client + 1, Some((ask, -1))));
        steps.push(Step(size, client + 1, 0, Some((answer, 1))));
    }
    steps
}

/// Random graphs: each state has a step to the next one, the other steps are random. Of 200 steps that
/// touch a queue, about `100 + taking` take a message from it.
fn random(processes: usize, states: usize, transitions: usize, taking: usize) -> Vec<Step> {
    let mut next = dice(processes as u64);
    let mut steps = vec![];
    for process in 0..processes {
        for index in 0..transitions {
            let (from, to) = if index < states {
                (index, (index + 1) % states)
            } else {
                (next(states), next(states))
            };
            let kind = next(4);
            let takes = next(200) < 100 + taking;
            let queue = if takes { process } else { next(processes) };
            let effect = (4 * queue + kind, if takes { -1 } else { 1 });
            steps.push(Step(process, from, to, (next(4) > 0).then_some(effect)));
        }
    }
    steps
}

/// Not a flow: each variable is a whole cycle, with random effects on 4 message types, and every queue
/// is to grow with as few cycles as possible. Flows avoid such programs, in which numbers get large.
fn cycles(messages: usize, columns: usize) -> (Problem, Vec<Vec<Term>>) {
    let mut next = dice(columns as u64);
    let mut problem = Problem::new();
    let mut effects = vec![vec![]; messages];
    for _ in 0..columns {
        let variable = problem.variable(Domain::NonNegative);
        for _ in 0..4 {
            effects[next(messages)].push((variable, [-2, -1, -1, 1, 1, 2][next(6)]));
        }
    }
    for terms in effects {
        problem.row(terms, Relation::AtLeast, 1);
    }
    let objective = problem.variables().ids().map(|variable| (variable, -1)).collect();
    (problem, vec![objective])
}

fn dice(seed: u64) -> impl FnMut(usize) -> usize {
    let mut seed = 0x1234_5678_9ABC_DEF1 ^ (seed * 7919);
    move |below| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 16) as usize % below
    }
}
