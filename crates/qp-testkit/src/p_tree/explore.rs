//! Every configuration of a program, one after the other.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::process::{Failure, Task};
use super::tree::Program;
use super::world::{Grain, World};

/// How far one looks.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct Bounds {
    pub worlds_max: usize,
    pub mailbox_max: usize,
    pub machines_max: usize,
    pub grain: Grain,
}

/// The machines in the order of their creation, each with its state, or with none if it has halted.
pub type Situation = Vec<(String, Option<String>)>;

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Explored {
    /// Whether everything was looked at.
    pub complete: bool,
    /// How many configurations there are.
    pub n_worlds: usize,
    /// What goes wrong.
    pub failures: BTreeSet<Failure>,
    /// Whether a machine can be caught in a loop of its own.
    pub diverges: bool,
    /// Where nobody can go on.
    pub ends: BTreeSet<Situation>,
    /// Where nobody can go on and somebody waits inside a `receive`.
    pub deadlocks: BTreeSet<Situation>,
    /// How much the mailbox of each machine holds at most.
    pub longest: BTreeMap<usize, usize>,
}

/// Looks at every configuration within the bounds.
pub fn explore(program: &Program, bounds: Bounds) -> Explored {
    let mut found = Explored { complete: true, ..Explored::default() };
    let first = match World::first(program) {
        Ok(Ok(world)) => world,
        Ok(Err(failure)) => {
            found.failures.insert(failure);
            found.longest.insert(0, 0);
            return found;
        }
        Err(_) => return Explored::default(),
    };
    let mut seen = BTreeSet::from([first.clone()]);
    let mut todo = VecDeque::from([first]);
    while let Some(world) = todo.pop_front() {
        found.n_worlds += 1;
        if seen.len() > bounds.worlds_max {
            found.complete = false;
            return found;
        }
        for next in found.look(&world, bounds, program) {
            if seen.insert(next.clone()) {
                todo.push_back(next);
            }
        }
    }
    found
}

impl Explored {
    /// Notes what there is to a configuration, and returns those that come next.
    fn look(&mut self, world: &World, bounds: Bounds, program: &Program) -> Vec<World> {
        self.measure(world.machines.iter().map(|it| it.mailbox.len()));
        let is_long = world.machines.iter().any(|it| it.mailbox.len() > bounds.mailbox_max);
        if is_long || world.machines.len() > bounds.machines_max {
            self.complete = false;
            return Vec::new();
        }
        let (mut all, mut anybody) = (Vec::new(), false);
        for number in 0..world.machines.len() {
            if !world.is_enabled(number, program) {
                continue;
            }
            anybody = true;
            match world.step(number, program, bounds.grain) {
                Err(_) => self.complete = false,
                Ok(results) => {
                    self.measure(results.lengths.into_iter());
                    self.failures.extend(results.failures);
                    self.diverges |= results.diverges;
                    all.extend(results.worlds);
                }
            }
        }
        if !anybody {
            self.end(world);
        }
        all
    }

    fn measure(&mut self, lengths: impl Iterator<Item = usize>) {
        for (number, length) in lengths.enumerate() {
            let longest = self.longest.entry(number).or_default();
            *longest = (*longest).max(length);
        }
    }

    fn end(&mut self, world: &World) {
        let state = |it: &super::process::Process| (!it.halted).then(|| it.state.clone());
        let situation: Situation =
            world.machines.iter().map(|it| (it.name.clone(), state(it))).collect();
        let waits = |it: &super::process::Process| matches!(it.tasks.last(), Some(Task::Wait(_)));
        if world.machines.iter().any(waits) {
            self.deadlocks.insert(situation.clone());
        }
        self.ends.insert(situation);
    }
}
