//! Turns: what a process does when it has its turn, up to where others may go on.

mod changes;
mod stage;
mod step;
mod voice;

use qp_base::Set;
use qp_machines::{Act, Event, MachineId, Turn, World};

use super::Processes;
use changes::Changes;
use stage::Stage;
use step::{End, Step};

/// A turn that meets more moments than this inside of atomic sequences is interrupted.
const MOMENTS_MAX: usize = 10_000;

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
        let code = self.code.clone();
        let stage = Stage {
            code: &code,
            frames: &self.frames,
            messages: &mut self.messages,
            world,
            timeout,
            seen: Changes::default(),
            now: Changes::default(),
            looking: Vec::new(),
        };
        let finished = Search::new(stage).all(machine);
        finished.into_iter().map(|it| self.turn(machine, it)).collect()
    }

    fn turn(&mut self, machine: MachineId, finished: Finished) -> Turn {
        let Finished { now, mut acts, end } = finished;
        let (failure, statement) = match end {
            End::Free => return Turn::Does { acts, after: now.after(&mut self.frames, None) },
            End::Alone(holder) => {
                let after = now.after(&mut self.frames, Some(holder));
                return Turn::Does { acts, after };
            }
            End::GivesUp(why) => return Turn::GivesUp { why: self.failure_id(*why) },
            End::Fails(failure, statement) => (self.failure_id(*failure), statement),
            End::Trouble(failure) => (failure, None),
        };
        acts.push(Act { machine, event: Event::Failed { failure }, statement });
        Turn::Fails { acts, failure }
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
}

enum Task {
    /// Look at what comes of a step that was taken after others.
    Take(Step, Vec<Act>),
    /// Everything behind this moment was looked at.
    Leave((Changes, MachineId)),
}

impl<'a> Search<'a> {
    fn new(stage: Stage<'a>) -> Self {
        Self {
            stage,
            finished: Vec::new(),
            ends: Set::default(),
            met: Set::default(),
            path: Set::default(),
            todo: Vec::new(),
        }
    }

    fn all(mut self, machine: MachineId) -> Vec<Finished> {
        let steps = self.stage.steps(machine);
        // Whoever goes on does so without a timeout.
        self.stage.timeout = false;
        self.todo.extend(steps.into_iter().rev().map(|step| Task::Take(step, Vec::new())));
        while let Some(task) = self.todo.pop() {
            match task {
                Task::Take(step, before) => self.take(step, before),
                Task::Leave(moment) => {
                    self.path.remove(&moment);
                }
            }
        }
        self.finished
    }

    fn take(&mut self, step: Step, before: Vec<Act>) {
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
        if self.path.contains(&moment) || self.met.len() >= MOMENTS_MAX {
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
        for step in steps.into_iter().rev() {
            self.todo.push(Task::Take(step, acts.clone()));
        }
    }
}
