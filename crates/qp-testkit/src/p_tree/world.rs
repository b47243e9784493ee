//! All machines and specs together: who can go on, and what comes of it.

use std::collections::BTreeMap;

use super::process::{Failure, Next, Process, Task};
use super::tree::Program;
use super::value::Value;

/// Points of one step beyond which it is not followed.
const POINTS_MAX: usize = 600;

/// Smallest steps after which a spec is taken to go on for ever.
const SPEC_STEPS_MAX: usize = 20_000;

/// Where others may go first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grain {
    /// As in P's runtime: before a send, a creation and a `receive`, and where there is nothing to do.
    Runtime,
    /// Also right after a send, a creation and an announcement, as in the product.
    Finer,
}

/// A configuration.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct World {
    pub machines: Vec<Process>,
    pub specs: Vec<Process>,
}

/// Nobody can say what comes of a step: it goes on too long.
#[derive(Debug)]
pub struct TooLong;

/// What a step can come to.
#[derive(Default)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct Results {
    pub worlds: Vec<World>,
    /// How much the mailboxes hold when the machine has done what it stopped before.
    pub lengths: Vec<usize>,
    pub failures: Vec<Failure>,
    /// Whether the machine can get to where it only goes on by itself, whatever it chooses.
    pub diverges: bool,
}

/// Where a piece of a step without choices leads.
enum Piece {
    /// To points that are looked at again.
    Points(Vec<World>),
    Stops(World),
    Fails(Failure),
}

impl World {
    /// The beginning: specs have entered their first states, and the main machine has yet to.
    pub fn first(program: &Program) -> Result<Result<Self, Failure>, TooLong> {
        let main = Process::new(&program.machines[0], 0, Value::Null);
        let specs = program.specs.iter().map(|it| Process::new(it, 0, Value::Null)).collect();
        let mut world = Self { machines: vec![main], specs };
        for number in 0..world.specs.len() {
            if let Err(failure) = world.run_spec(number, program)? {
                return Ok(Err(failure));
            }
        }
        Ok(Ok(world))
    }

    /// Whether a machine can go on.
    pub fn is_enabled(&self, number: usize, program: &Program) -> bool {
        let machine = &self.machines[number];
        match machine.tasks.last() {
            _ if machine.halted => false,
            None => machine.ready(program).is_some() || machine.minds_nothing(program),
            Some(Task::Wait(_)) => machine.ready(program).is_some(),
            Some(_) => true,
        }
    }

    /// Lets a machine go on until others may go first.
    pub fn step(&self, number: usize, program: &Program, grain: Grain) -> Result<Results, TooLong> {
        let mut world = self.clone();
        let acted = world.start(number, program);
        let lengths = world.machines.iter().map(|it| it.mailbox.len()).collect();
        if acted && grain == Grain::Finer {
            return Ok(Results { lengths, worlds: vec![world], ..Results::default() });
        }
        let mut points = vec![world.clone()];
        let mut numbers = BTreeMap::from([(world, 0)]);
        let (mut results, mut follows, mut ends) =
            (Results { lengths, ..Results::default() }, Vec::new(), Vec::new());
        while follows.len() < points.len() {
            if points.len() > POINTS_MAX {
                return Err(TooLong);
            }
            let mut next = Vec::new();
            let piece = points[follows.len()].clone().piece(number, program, grain)?;
            ends.push(!matches!(piece, Piece::Points(_)));
            match piece {
                Piece::Stops(world) => results.worlds.push(world),
                Piece::Fails(failure) => results.failures.push(failure),
                Piece::Points(worlds) => {
                    for world in worlds {
                        let fresh = numbers.len();
                        let at = *numbers.entry(world.clone()).or_insert(fresh);
                        if at == fresh {
                            points.push(world);
                        }
                        next.push(at);
                    }
                }
            }
            follows.push(next);
        }
        results.diverges = has_no_way_out(&follows, ends);
        Ok(results)
    }

    /// Does what the machine stopped before; whether others can see it.
    fn start(&mut self, number: usize, program: &Program) -> bool {
        match self.machines[number].tasks.last().cloned() {
            None | Some(Task::Wait(_)) => {
                let machine = &mut self.machines[number];
                match machine.ready(program) {
                    Some(position) => machine.take(position, program),
                    None => machine.mind_nothing(program),
                }
                false
            }
            Some(Task::Put(target, event, payload)) => {
                self.machines[number].tasks.pop();
                let target = &mut self.machines[target];
                if !target.halted {
                    target.mailbox.push((event, payload));
                }
                true
            }
            Some(Task::Create(name, payload, wanted)) => {
                let new = self.machines.len();
                self.machines.push(Process::new(program.machine(&name), new, payload));
                let creator = &mut self.machines[number];
                creator.tasks.pop();
                creator.values.extend(wanted.then_some(Value::Machine(new)));
                true
            }
            Some(_) => false,
        }
    }

    /// Goes on until there is a choice, or a place that may come again and again.
    fn piece(mut self, number: usize, program: &Program, grain: Grain) -> Result<Piece, TooLong> {
        loop {
            match self.machines[number].step(program) {
                Next::Goes => {}
                Next::Stops => return Ok(Piece::Stops(self)),
                Next::Fails(failure) => return Ok(Piece::Fails(failure)),
                Next::Splits(values) => {
                    let with = |value| {
                        let mut world = self.clone();
                        world.machines[number].values.push(value);
                        world
                    };
                    return Ok(Piece::Points(values.into_iter().map(with).collect()));
                }
                Next::Announces(event, payload) => {
                    if let Err(failure) = self.announce(&event, &payload, program)? {
                        return Ok(Piece::Fails(failure));
                    }
                    let is_seen = program.specs.iter().any(|it| it.observes.contains(&event));
                    if grain == Grain::Finer && is_seen {
                        return Ok(Piece::Stops(self));
                    }
                }
            }
            // Whoever runs for ever comes by one of these again and again.
            let again = |it: &Task| {
                matches!(it, Task::Loop(_) | Task::Call(..) | Task::Handle(..) | Task::Enter(..))
            };
            if self.machines[number].tasks.last().is_some_and(again) {
                return Ok(Piece::Points(vec![self]));
            }
        }
    }

    /// Shows an event to the specs that observe it, one after the other.
    fn announce(
        &mut self,
        event: &str,
        payload: &Value,
        program: &Program,
    ) -> Result<Result<(), Failure>, TooLong> {
        for number in 0..self.specs.len() {
            if !program.specs[number].observes.iter().any(|it| it == event) {
                continue;
            }
            self.specs[number].tasks.push(Task::Handle(event.to_owned(), payload.clone()));
            if let Err(failure) = self.run_spec(number, program)? {
                return Ok(Err(failure));
            }
        }
        Ok(Ok(()))
    }

    fn run_spec(
        &mut self,
        number: usize,
        program: &Program,
    ) -> Result<Result<(), Failure>, TooLong> {
        for _ in 0..SPEC_STEPS_MAX {
            match self.specs[number].step(program) {
                Next::Goes => {}
                Next::Stops => return Ok(Ok(())),
                Next::Fails(failure) => return Ok(Err(failure)),
                Next::Splits(_) | Next::Announces(..) => panic!("a spec does not do that"),
            }
        }
        Err(TooLong)
    }
}

/// Whether there is a point from which no end can be reached.
fn has_no_way_out(follows: &[Vec<usize>], mut ends: Vec<bool>) -> bool {
    loop {
        let found = (0..ends.len()).find(|&at| !ends[at] && follows[at].iter().any(|&it| ends[it]));
        match found {
            Some(at) => ends[at] = true,
            None => return ends.contains(&false),
        }
    }
}
