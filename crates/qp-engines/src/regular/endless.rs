//! Runs that go on for ever: a real run to where a cycle can be taken for ever, and the cycle.
//!
//! Languages say that there is something to be found, and which cycles to look for. What is claimed is a run: it was
//! found step by step, and its cycle leads back to the same configuration, or makes queues longer with each turn in a
//! way that the referee accepts.

use std::collections::VecDeque;

use qp_automata::Buchi;
use qp_base::{Budget, Map, Set, Spent};
use qp_claim::{Shape, Trace};
use qp_machines::{Config, Event, Letter, MachineId, Outcome, QueueId};

use super::circles::{Circle, Node};
use super::row_graph::read;
use super::world::{By, ControlId, Stop, World};
use crate::search::growth::{comes_back, last_loop};

/// So many pairs of a configuration and a state of the automaton are visited.
const PAIRS_MAX: usize = 10_000;
/// So often the same cycle is tried: where it fails, it is for reasons that do not change with contents.
const TRIES_MAX: u32 = 4;

/// What kind of endless run is looked for.
pub(super) enum Wanted<'a> {
    /// Each of these queues grows.
    Growth(&'a [QueueId]),
    /// The automaton of wrong runs accepts.
    Wrong,
}

/// Endless runs: one for each queue that grows, with the queue, or one that is wrong.
pub(super) fn endless(
    world: &mut World,
    circles: &Map<Node, Vec<Circle>>,
    wrong: &Buchi<Letter>,
    wanted: &Wanted<'_>,
    budget: &Budget,
) -> Result<Vec<(Option<QueueId>, Trace)>, Stop> {
    let mut search = Endless {
        fair: world.system.program().outline().fair,
        world,
        circles,
        wrong,
        wanted,
        pairs: Vec::new(),
        known: Set::default(),
        tries: Map::default(),
        found: Vec::new(),
    };
    let initial = search.world.system.initial();
    for &state in &wrong.start {
        search.meet(initial.clone(), state, None);
    }
    let mut jobs: VecDeque<usize> = (0..search.pairs.len()).collect();
    while let Some(pair) = jobs.pop_front() {
        budget.check(Spent::default())?;
        let first = search.pairs.len();
        if search.look(pair) || search.pairs.len() > PAIRS_MAX {
            break;
        }
        jobs.extend(first..search.pairs.len());
    }
    Ok(search.found)
}

/// A configuration with a state of the automaton, and how it was met.
struct Met {
    config: Config,
    state: usize,
    came: Option<(usize, Outcome)>,
}

struct Endless<'a> {
    world: &'a mut World,
    circles: &'a Map<Node, Vec<Circle>>,
    wrong: &'a Buchi<Letter>,
    wanted: &'a Wanted<'a>,
    fair: bool,
    pairs: Vec<Met>,
    known: Set<(Config, usize)>,
    /// How often the cycles of a node were tried.
    tries: Map<Node, Vec<u32>>,
    found: Vec<(Option<QueueId>, Trace)>,
}

impl Endless<'_> {
    fn meet(&mut self, config: Config, state: usize, came: Option<(usize, Outcome)>) {
        if self.known.insert((config.clone(), state)) {
            self.pairs.push(Met { config, state, came });
        }
    }

    /// Looks at a pair: whether a cycle begins here, or the run has ended; then takes its steps. Says whether
    /// everything that is wanted was found.
    fn look(&mut self, pair: usize) -> bool {
        let (config, state) = (self.pairs[pair].config.clone(), self.pairs[pair].state);
        let Some(control) = self.world.known_control(config.clone()) else { return false };
        let circles = self.circles.get(&(control, state)).map_or(&[][..], Vec::as_slice);
        for (number, circle) in circles.iter().enumerate() {
            let tries =
                self.tries.entry((control, state)).or_insert_with(|| vec![0; circles.len()]);
            if tries[number] < TRIES_MAX && self.lasts(&config, circle) {
                if let Some(tries) = self.tries.get_mut(&(control, state)) {
                    tries[number] += 1;
                }
                if self.go_round(pair, &config, circle) {
                    return true;
                }
            }
        }
        let outcomes = self.world.system.successors(&config);
        if outcomes.is_empty() && self.stays_wrong(control, state) {
            let steps: Vec<_> = self.way(pair).iter().map(|outcome| outcome.step).collect();
            let from = steps.len();
            self.found.push((None, Trace { steps, shape: Shape::Lasso { from } }));
            return true;
        }
        for outcome in outcomes.into_iter().filter(|outcome| !outcome.is_end()) {
            for next in read(self.world, self.wrong, state, control, Some(outcome.event)) {
                self.meet(outcome.config.clone(), next, Some((pair, outcome.clone())));
            }
        }
        false
    }

    /// The steps to a pair.
    fn way(&self, pair: usize) -> Vec<Outcome> {
        let (mut now, mut way) = (pair, Vec::new());
        while let Some((before, outcome)) = &self.pairs[now].came {
            way.push(outcome.clone());
            now = *before;
        }
        way.reverse();
        way
    }

    /// Whether queues hold something with which a cycle can be taken for ever.
    fn lasts(&self, config: &Config, circle: &Circle) -> bool {
        let words = self.world.system.words();
        config.words.iter().zip(&circle.effects).all(|(&word, effect)| {
            effect.taken().is_empty() || effect.can_repeat_for_ever(&letters(&words.messages(word)))
        })
    }

    /// Takes a cycle from here for ever, if that goes; says whether everything that is wanted was found.
    fn go_round(&mut self, pair: usize, config: &Config, circle: &Circle) -> bool {
        let wanted: Vec<QueueId> = match self.wanted {
            Wanted::Growth(queues) => {
                let open = |queue: &&QueueId| {
                    let grows = circle.effects.get(queue.index());
                    grows.is_some_and(|effect| effect.put().len() > effect.taken().len())
                        && !self.found.iter().any(|found| found.0 == Some(**queue))
                };
                queues.iter().filter(open).copied().collect()
            }
            Wanted::Wrong => Vec::new(),
        };
        if matches!(self.wanted, Wanted::Growth(_)) && wanted.is_empty() {
            return false;
        }
        let Some((configs, cycle)) = self.turn(config, circle) else { return false };
        let mut all = vec![self.world.system.initial()];
        let mut outcomes = self.way(pair);
        let from = outcomes.len();
        outcomes.extend(cycle.iter().cloned());
        all.extend(outcomes.iter().map(|outcome| outcome.config.clone()));
        match self.wanted {
            Wanted::Growth(queues) => {
                for queue in wanted {
                    let system = &mut self.world.system;
                    if let Some(trace) = last_loop(system, &all, &outcomes, from, queue) {
                        self.found.push((Some(queue), trace));
                    }
                }
                self.found.len() == queues.len()
            }
            Wanted::Wrong => {
                let trace = self.forever(&configs, &cycle, (&all, &outcomes, from));
                self.found.extend(trace.map(|trace| (None, trace)));
                !self.found.is_empty()
            }
        }
    }

    /// One turn of a cycle.
    fn turn(&mut self, config: &Config, circle: &Circle) -> Option<(Vec<Config>, Vec<Outcome>)> {
        let (mut configs, mut cycle) = (vec![config.clone()], Vec::new());
        for (By { machine, event, .. }, (control, _)) in &circle.strides {
            let at = configs.last()?.clone();
            let outcomes = self.world.system.successors(&at);
            let fits = |outcome: &&Outcome| {
                outcome.step.machine == *machine
                    && is_same(outcome.event, *event)
                    && self.world.known_control(outcome.config.clone()) == Some(*control)
            };
            let outcome = outcomes.iter().find(fits)?.clone();
            configs.push(outcome.config.clone());
            cycle.push(outcome);
        }
        Some((configs, cycle))
    }

    /// The run that goes on with a cycle for ever, if it does and is fair where that matters.
    fn forever(
        &mut self,
        configs: &[Config],
        cycle: &[Outcome],
        (all, outcomes, from): (&[Config], &[Outcome], usize),
    ) -> Option<Trace> {
        let (start, end) = (&configs[0], &configs[cycle.len()]);
        if start == end {
            let steps = outcomes.iter().map(|outcome| outcome.step).collect();
            let served = !self.fair
                || is_fair(self.world, cycle, |world, config, machine| {
                    let own = |outcome: &Outcome| outcome.step.machine == machine;
                    !world.system.successors(config).iter().any(own)
                });
            return served.then_some(Trace { steps, shape: Shape::Lasso { from } });
        }
        // With longer queues, those who wait may be able to move.
        let served = !self.fair
            || is_fair(self.world, cycle, |world, config, machine| {
                world.system.never_moves(config, machine)
            });
        let mut queues = start.queues().filter(|&q| start.word(q) != end.word(q));
        let queue = queues.next().filter(|_| served && comes_back(start, end))?;
        last_loop(&mut self.world.system, all, outcomes, from, queue)
    }

    /// Whether a run that has ended here is wrong: the automaton can go on for ever, and accept.
    fn stays_wrong(&mut self, control: ControlId, state: usize) -> bool {
        if matches!(self.wanted, Wanted::Growth(_)) {
            return false;
        }
        let n = self.wrong.states.len();
        let next: Vec<Vec<usize>> =
            (0..n).map(|state| read(self.world, self.wrong, state, control, None)).collect();
        let reach = |from: usize| {
            let (mut met, mut todo) = (vec![false; n], next[from].clone());
            while let Some(state) = todo.pop() {
                if !std::mem::replace(&mut met[state], true) {
                    todo.extend(&next[state]);
                }
            }
            met
        };
        let mut met = reach(state);
        met[state] = true;
        (0..n).any(|state| met[state] && self.wrong.states[state].accepting && reach(state)[state])
    }
}

/// Whether every machine moves in a cycle, or waits somewhere in it.
fn is_fair(
    world: &mut World,
    cycle: &[Outcome],
    waits: impl Fn(&mut World, &Config, MachineId) -> bool,
) -> bool {
    let n_machines = cycle.iter().map(|outcome| outcome.config.locals.len()).max().unwrap_or(0);
    (0..n_machines).map(MachineId::new).all(|machine| {
        let moves = |outcome: &Outcome| outcome.movers().contains(&machine);
        cycle.iter().any(|outcome| moves(outcome) || waits(world, &outcome.config, machine))
    })
}

/// Whether two events are the same but for where a message was found.
fn is_same(now: Event, then: Event) -> bool {
    let fronted = |event: Event| match event {
        Event::Took { queue, message, kept, .. } => {
            Event::Took { queue, message, kept, position: 0 }
        }
        other => other,
    };
    fronted(now) == fronted(then)
}

fn letters(messages: &[qp_machines::MessageId]) -> Vec<qp_automata::regular::Letter> {
    messages.iter().map(|message| qp_automata::regular::Letter::from_raw(message.raw())).collect()
}
