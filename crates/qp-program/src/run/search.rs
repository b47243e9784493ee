//! Running on, unseen, to the next things that others see.
//!
//! Free choices make this a search. Its nodes are the places where a cycle can close: jumps back, calls,
//! choices and things on the agenda. They are only remembered once a run has become long, because most
//! runs are a few instructions.

use qp_base::{Budget, Exhausted, Interner, Set};
use qp_dataflow::{Direction, Graph, reach};

use crate::Value;

use super::failures::{DIVERGENCE, Stop};
use super::local::{Local, Phase};
use super::plan::Plan;
use super::step::{Advance, advance};
use super::visited::Visited;

/// One collapsed step may have this many instructions in all; copying a local state counts as several.
const FUEL: u32 = 200_000;
/// One collapsed step may have this many results.
const OUTCOMES_MAX: usize = 20_000;
/// The clock is first looked at after this many instructions: most steps are shorter, and are never given up.
const ASKS_FIRST: u32 = PATIENCE;
/// Then it is looked at after this many, each of which may copy a collection.
const ASKS_EVERY: u32 = 64;
/// Local states are remembered after this many instructions.
const PATIENCE: u32 = 300;

/// Every local state in which a machine can next rest before something that others see, in source order,
/// without repetition; never empty. A run that cannot rest any more is a failure, and one that is too
/// long gives up.
pub(crate) fn run_on(
    plan: &Plan,
    local: Local,
    (visited, budget): (&mut Visited, &Budget),
) -> Vec<Local> {
    let (nodes, outcomes) = (Nodes::default(), Outcomes::default());
    let (asks, late) = (ASKS_FIRST, None);
    let mut search = Search { plan, visited, spent: 0, nodes, outcomes, budget, asks, late };
    search.run(local);
    search.outcomes.list
}

struct Search<'a> {
    plan: &'a Plan,
    visited: &'a mut Visited,
    spent: u32,
    nodes: Nodes,
    outcomes: Outcomes,
    budget: &'a Budget,
    /// So many instructions later the clock is looked at.
    asks: u32,
    /// Set when there is no time left.
    late: Option<Exhausted>,
}

/// The local states that were remembered, and how they lead to each other.
#[derive(Default)]
struct Nodes {
    locals: Interner<usize, Local>,
    /// For each: those that lead to it.
    before: Vec<Vec<usize>>,
    /// For each: whether it leads to a rest without meeting another one.
    rests: Vec<bool>,
}

#[derive(Default)]
struct Outcomes {
    list: Vec<Local>,
    seen: Set<Local>,
    discarded: Option<Local>,
}

/// A run that is still to be followed, from the last remembered local state on.
struct Open {
    local: Local,
    from: Option<usize>,
}

impl Search<'_> {
    fn run(&mut self, local: Local) {
        let mut open = vec![Open { local, from: None }];
        while let Some(next) = open.pop() {
            if self.is_tired() || self.outcomes.list.len() >= OUTCOMES_MAX {
                self.nodes.rest(next.from);
                for left in &open {
                    self.nodes.rest(left.from);
                }
                let stop = self.tired(&next.local);
                self.outcomes.add_stopped(next.local, stop);
                break;
            }
            self.follow(next, &mut open);
        }
        self.find_divergence();
        self.outcomes.finish();
    }

    /// Follows one run until it rests, branches or meets a remembered local state.
    fn follow(&mut self, Open { mut local, mut from }: Open, open: &mut Vec<Open>) {
        loop {
            self.spent += 1;
            self.asks -= 1;
            if self.asks == 0 {
                self.asks = ASKS_EVERY;
                self.late = self.budget.ask_for_time().err();
            }
            self.visited.note(self.plan, &local);
            let advance = advance(self.plan, &mut local).unwrap_or_else(|stop| {
                local.stop(stop);
                Advance::Paused
            });
            let closes = match advance {
                Advance::Went(closes) => closes,
                Advance::Paused => {
                    self.nodes.rest(from);
                    self.outcomes.add(local);
                    return;
                }
                Advance::Discarded => {
                    self.nodes.rest(from);
                    self.outcomes.discarded.get_or_insert(local);
                    return;
                }
                Advance::Forks(into, options) => {
                    for value in options.into_iter().rev() {
                        self.spent += bulk(&local);
                        let mut local = local.clone();
                        let frame = local.frames.last_mut().expect("a choice belongs to a call");
                        frame.registers[into.index()] = value;
                        open.push(Open { local, from });
                    }
                    return;
                }
            };
            if closes && self.spent > PATIENCE {
                self.spent += bulk(&local);
                match self.nodes.remember(&local, from) {
                    Some(node) => from = Some(node),
                    None => return,
                }
            }
            if self.is_tired() {
                open.push(Open { local, from });
                return;
            }
        }
    }

    fn is_tired(&self) -> bool {
        self.spent >= FUEL || self.late.is_some()
    }

    fn tired(&self, local: &Local) -> Stop {
        let (place, span) = whereabouts(self.plan, local);
        let text = if self.late.is_some() {
            format!("no time was left to go on in {place}")
        } else if self.spent >= FUEL {
            format!("more than {FUEL} instructions without a send or receive in {place}")
        } else {
            format!("more than {OUTCOMES_MAX} results of one step in {place}")
        };
        Stop::limit(text, span)
    }

    /// A remembered local state that leads to no rest is a run without end.
    fn find_divergence(&mut self) {
        let Some(endless) = self.nodes.endless() else { return };
        let (place, span) = whereabouts(self.plan, &endless);
        let text = format!("{place} runs for ever without sending or receiving");
        self.outcomes.add_stopped(endless, Stop::fails(DIVERGENCE, text, span));
    }
}

impl Nodes {
    /// The number of a new local state, or nothing if it was remembered before.
    fn remember(&mut self, local: &Local, from: Option<usize>) -> Option<usize> {
        let node = self.locals.intern(local.clone());
        let new = node == self.before.len();
        if new {
            self.before.push(Vec::new());
            self.rests.push(false);
        }
        self.before[node].extend(from);
        new.then_some(node)
    }

    fn rest(&mut self, node: Option<usize>) {
        if let Some(node) = node {
            self.rests[node] = true;
        }
    }

    /// The first remembered local state that leads to no rest.
    fn endless(&self) -> Option<Local> {
        let resting = (0..self.rests.len()).filter(|&node| self.rests[node]);
        let backwards = Graph::new(self.before.clone());
        let rests = reach(&backwards, Direction::Forward, resting);
        let first = rests.iter().position(|rests| !rests)?;
        Some(self.locals.value(first).clone())
    }
}

impl Outcomes {
    fn add(&mut self, local: Local) {
        if self.seen.insert(local.clone()) {
            self.list.push(local);
        }
    }

    fn add_stopped(&mut self, mut local: Local, stop: Stop) {
        local.stop(stop);
        self.add(local);
    }

    /// If every run was discarded, that is the result.
    fn finish(&mut self) {
        if let (true, Some(mut local)) = (self.list.is_empty(), self.discarded.take()) {
            local.frames.clear();
            local.agenda.clear();
            local.fields.clear();
            local.phase = Phase::Discarded;
            self.list.push(local);
        }
    }
}

/// What it costs to copy and compare a local state, in instructions.
fn bulk(local: &Local) -> u32 {
    let entries = |value: &Value| match value {
        Value::Seq(values) | Value::Set(values) => values.len(),
        Value::Map(entries) => entries.len(),
        _ => 0,
    };
    let registers = local.frames.iter().flat_map(|frame| &frame.registers);
    let entries: usize = local.fields.iter().chain(registers).map(entries).sum();
    (local.frames.len() / 4 + local.stack.len() / 16 + entries / 64) as u32
}

/// The function or state in which a local state is, for messages.
fn whereabouts(plan: &Plan, local: &Local) -> (String, qp_base::Span) {
    if let Some(frame) = local.frames.last() {
        let name = plan.function(frame.function).name.clone();
        return (name, plan.span(frame.function, frame.pc));
    }
    let state = local.top();
    let span = plan.body(local.owner).states[state].span;
    (format!("state {}", plan.state_name(local.owner, state)), span)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use qp_machines::MachineId;

    use super::*;
    use crate::run::local::{Frame, Owner};
    use crate::{FunctionId, RoleId};

    #[test]
    fn collections_count_in_variables_of_machines_and_of_calls() {
        let long = Value::Seq(Arc::new(vec![Value::Null; 640]));
        let frame = |registers| Frame { function: FunctionId::from_raw(0), pc: 0, registers };
        let local = |fields, frames| Local {
            owner: Owner::Machine(RoleId::from_raw(0), MachineId::from_raw(0)),
            stack: Vec::new(),
            fields,
            frames,
            agenda: Vec::new(),
            phase: Phase::Running,
        };
        assert_eq!(bulk(&local(vec![long.clone(), Value::Null], vec![])), 10);
        assert_eq!(bulk(&local(vec![], vec![frame(vec![long.clone()])])), 10);
        let calls = vec![frame(vec![long.clone()]), frame(vec![Value::Null, long.clone()])];
        assert_eq!(bulk(&local(vec![long], calls)), 30);
    }
}
