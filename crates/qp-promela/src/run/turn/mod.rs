//! Turns: what a process does when it has its turn, up to where others may go on.

mod changes;
mod ears;
mod stage;
mod step;
mod trace;
mod uses;
mod voice;

#[cfg(test)]
mod tests;

use qp_base::{Budget, Set};
use qp_front_promela::spec::ProcId;
use qp_machines::{Act, ConditionId, Event, MachineId, Turn, World};

use super::eval::Moment;
use super::{Code, Processes};
use crate::codes;
use changes::Changes;
pub(super) use ears::assigned;
use stage::Stage;
use step::{End, Step};
pub(super) use trace::Trace;
pub(super) use uses::Discretion;
use voice::Voice;

/// A turn that meets more moments than this inside of atomic sequences is interrupted.
const MOMENTS_MAX: usize = 10_000;

/// A turn in which more happens than this is interrupted.
const ACTS_MAX: usize = 1_000;

/// The clock is looked at after so many steps of a turn: most turns have fewer.
const ASKS_EVERY: u32 = 64;

/// A turn as it ends.
struct Finished {
    now: Changes,
    acts: Vec<Act>,
    end: End,
}

impl Processes {
    /// Everything that a process can do when it has its turn.
    pub(super) fn all_turns(
        &mut self,
        machine: MachineId,
        timeout: bool,
        world: &mut dyn World,
    ) -> Vec<Turn> {
        let (code, budget) = (self.code.clone(), self.budget.clone());
        let mut stage = self.stage(&code, Some(timeout), world);
        let unfinished = timeout.then(|| stage.unfinished(machine)).flatten();
        let all = || Search::new(stage, &budget).all(machine);
        let finished = unfinished.map_or_else(all, |it| vec![it]);
        finished.into_iter().map(|it| self.turn(machine, it)).collect()
    }

    /// Whether a condition of a demand holds. Where it has no value, it does not.
    pub(super) fn condition_holds(
        &mut self,
        condition: ConditionId,
        world: &mut dyn World,
    ) -> bool {
        let code = self.code.clone();
        let mut stage = self.stage(&code, None, world);
        // Claims are watched by nobody among the processes.
        let scene = Voice { stage: &mut stage, me: MachineId::from_raw(u32::MAX) };
        let mut moment = Moment { code: &code, proc: ProcId::new(0), pid: 0, scene };
        moment.value(&code.conditions[condition]).is_ok_and(|value| value != 0)
    }

    fn stage<'a>(
        &'a mut self,
        code: &'a Code,
        timeout: Option<bool>,
        world: &'a mut dyn World,
    ) -> Stage<'a> {
        Stage {
            code,
            frames: &self.frames,
            messages: &mut self.messages,
            visited: &mut self.visited,
            world,
            timeout,
            seen: Changes::default(),
            now: Changes::default(),
            looking: Vec::new(),
        }
    }

    fn turn(&mut self, machine: MachineId, finished: Finished) -> Turn {
        let Finished { mut now, mut acts, end } = finished;
        let (failure, machine, statement) = match end {
            End::Free => {
                for (&machine, frame) in &mut now.frames {
                    let event = Event::Internal;
                    for (statement, node) in self.code.settle(frame, machine.index()) {
                        self.visited.note(frame.proc, node);
                        acts.push(Act { machine, event, statement });
                    }
                }
                return Turn::Does { acts, after: now.after(&mut self.frames, None) };
            }
            End::Alone(holder) => {
                let after = now.after(&mut self.frames, Some(holder));
                return Turn::Does { acts, after };
            }
            End::GivesUp(why) => return Turn::GivesUp { why: self.failure_id(*why) },
            End::Fails(failure, machine, statement) => {
                (self.failure_id(*failure), machine, statement)
            }
            End::Trouble(failure) => (failure, machine, None),
        };
        acts.push(Act { machine, event: Event::Failed { failure }, statement });
        Turn::Fails { acts, failure }
    }
}

impl Stage<'_> {
    /// The failure of a run that ends, as it may, before its `trace` does. The first process has it.
    fn unfinished(&mut self, machine: MachineId) -> Option<Finished> {
        if machine.index() > 0 || !self.trace_waits() {
            return None;
        }
        let mut all = (0..self.n_machines()).map(MachineId::new);
        let ends = all.all(|it| self.node(it).may_rest && self.steps(it).is_empty());
        let at = self.code.spec.traces.first()?.at;
        let failure = step::failure(codes::TRACE, "the run ends before its `trace`", at);
        let end = End::Fails(Box::new(failure), machine, None);
        ends.then(|| Finished { now: Changes::default(), acts: Vec::new(), end })
    }
}

/// The search for all ways through an atomic sequence.
struct Search<'a> {
    stage: Stage<'a>,
    finished: Vec<Finished>,
    /// The ends that were found behind more than one step.
    ends: Set<Changes>,
    /// The moments met inside of atomic sequences.
    met: Set<(Changes, MachineId)>,
    /// Those on the way to where the search is now.
    path: Set<(Changes, MachineId)>,
    /// What is still to be looked at, last first.
    todo: Vec<Task>,
    budget: &'a Budget,
}

enum Task {
    /// Look at what comes of a step that was taken after others.
    Take(Step, Vec<Act>),
    /// Everything behind this moment was looked at.
    Leave((Changes, MachineId)),
}

impl<'a> Search<'a> {
    fn new(stage: Stage<'a>, budget: &'a Budget) -> Self {
        Self {
            stage,
            finished: Vec::new(),
            ends: Set::default(),
            met: Set::default(),
            path: Set::default(),
            todo: Vec::new(),
            budget,
        }
    }

    fn all(mut self, machine: MachineId) -> Vec<Finished> {
        let steps = self.stage.steps(machine);
        // Whoever goes on does so without a timeout.
        self.stage.timeout = Some(false);
        self.todo.extend(steps.into_iter().rev().map(|step| Task::Take(step, Vec::new())));
        let mut asks = ASKS_EVERY;
        while let Some(task) = self.todo.pop() {
            asks -= 1;
            if asks == 0 && self.budget.ask().is_err() {
                return vec![self.late(machine)];
            }
            asks = if asks == 0 { ASKS_EVERY } else { asks };
            match task {
                Task::Take(step, before) => self.take(step, before),
                Task::Leave(moment) => {
                    self.path.remove(&moment);
                }
            }
        }
        self.finished
    }

    /// What a turn comes to for which no time is left.
    fn late(&mut self, machine: MachineId) -> Finished {
        self.stage.now = Changes::default();
        let (code, proc) = (self.stage.code, self.stage.frame(machine).proc);
        let edge = self.stage.node(machine).edges.first();
        let at = edge.map_or(code.spec.procs[proc].at, |edge| edge.at);
        let why = step::failure(codes::ENDLESS, "no time was left to go on in a turn", at);
        let end = End::GivesUp(Box::new(why));
        Finished { now: Changes::default(), acts: Vec::new(), end }
    }

    fn take(&mut self, step: Step, before: Vec<Act>) {
        for frame in step.now.frames.values() {
            self.stage.visited.note(frame.proc, frame.node);
        }
        let is_only = before.is_empty();
        let mut acts = before;
        acts.extend(step.acts);
        let machine = match step.end {
            End::Alone(machine) => machine,
            End::Free if is_only || self.ends.insert(step.now.clone()) => {
                return self.finished.push(Finished { now: step.now, acts, end: End::Free });
            }
            End::Free => return,
            end @ (End::Fails(..) | End::Trouble(_) | End::GivesUp(_)) => {
                return self.finished.push(Finished { now: step.now, acts, end });
            }
        };
        let moment = (step.now.clone(), machine);
        if self.path.contains(&moment) || self.met.len() >= MOMENTS_MAX || acts.len() >= ACTS_MAX {
            let end = End::Alone(machine);
            return self.finished.push(Finished { now: step.now, acts, end });
        }
        if !self.met.insert(moment.clone()) {
            return;
        }
        self.stage.now = step.now;
        let steps = self.stage.steps(machine);
        let now = std::mem::take(&mut self.stage.now);
        if steps.is_empty() {
            if self.ends.insert(now.clone()) {
                self.finished.push(Finished { now, acts, end: End::Free });
            }
            return;
        }
        self.path.insert(moment.clone());
        self.todo.push(Task::Leave(moment));
        let mut steps = steps.into_iter();
        let first = steps.next();
        let others = steps.rev().map(|step| Task::Take(step, acts.clone()));
        self.todo.extend(others);
        self.todo.extend(first.map(|step| Task::Take(step, acts)));
    }
}
