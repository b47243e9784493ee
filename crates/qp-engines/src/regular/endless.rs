//! Runs that go on for ever: a real run to where a cycle can be taken for ever, and the cycle.
//!
//! Languages say that there is something to be found, and which cycles to look for. What is claimed is a run: it was
//! found step by step, and its cycle leads back to the same configuration, or makes queues longer with each turn in a
//! way that the referee accepts.

use qp_automata::Buchi;
use qp_base::{Budget, Map, Spent};
use qp_claim::{Shape, Trace};
use qp_machines::{Config, Event, Letter, Outcome, QueueId};

use super::circles::{Circle, Node};
use super::row_graph::read;
use super::world::{By, ControlId, Stop, World};
use crate::runs::{configs, repeated};
use crate::search::growth::last_loop;
use crate::trail::Trail;

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
        pairs: Trail::new(),
        tries: Map::default(),
        found: Vec::new(),
    };
    let initial = search.world.system.initial();
    for &state in &wrong.start {
        search.pairs.begin((initial.clone(), state), ());
    }
    let mut pair = 0;
    while pair < search.pairs.len() {
        budget.check(Spent::default())?;
        if search.look(pair) || search.pairs.len() > PAIRS_MAX {
            break;
        }
        pair += 1;
    }
    Ok(search.found)
}

struct Endless<'a> {
    world: &'a mut World,
    circles: &'a Map<Node, Vec<Circle>>,
    wrong: &'a Buchi<Letter>,
    wanted: &'a Wanted<'a>,
    fair: bool,
    /// Configurations with states of the automaton.
    pairs: Trail<usize, (Config, usize), Outcome>,
    /// How often the cycles of a node were tried.
    tries: Map<Node, Vec<u32>>,
    found: Vec<(Option<QueueId>, Trace)>,
}

impl Endless<'_> {
    /// Looks at a pair: whether a cycle begins here, or the run has ended; then takes its steps. Says whether
    /// everything that is wanted was found.
    fn look(&mut self, pair: usize) -> bool {
        let (config, state) = self.pairs.value(pair).clone();
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
            let steps: Vec<_> = self.pairs.steps(pair).iter().map(|it| it.step).collect();
            let from = steps.len();
            self.found.push((None, Trace { steps, shape: Shape::Lasso { from } }));
            return true;
        }
        for outcome in outcomes.into_iter().filter(|outcome| !outcome.is_end()) {
            for next in read(self.world, self.wrong, state, control, Some(outcome.event)) {
                self.pairs.go(pair, outcome.clone(), (outcome.config.clone(), next));
            }
        }
        false
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
        let Some(cycle) = self.turn(config, circle) else { return false };
        let mut outcomes = self.pairs.steps(pair);
        let from = outcomes.len();
        outcomes.extend(cycle);
        let system = &mut self.world.system;
        let all = configs(&system.initial(), &outcomes);
        match self.wanted {
            Wanted::Growth(queues) => {
                for queue in wanted {
                    if let Some(trace) = last_loop(system, &all, &outcomes, from, queue) {
                        self.found.push((Some(queue), trace));
                    }
                }
                self.found.len() == queues.len()
            }
            Wanted::Wrong => {
                let trace = repeated(system, &all, &outcomes, from, self.fair);
                self.found.extend(trace.map(|trace| (None, trace)));
                !self.found.is_empty()
            }
        }
    }

    /// One turn of a cycle.
    fn turn(&mut self, config: &Config, circle: &Circle) -> Option<Vec<Outcome>> {
        let mut cycle: Vec<Outcome> = Vec::new();
        for (By { machine, event, .. }, (control, _)) in &circle.strides {
            let at = cycle.last().map_or(config, |outcome| &outcome.config);
            let outcomes = self.world.system.successors(at);
            let fits = |outcome: &&Outcome| {
                outcome.step.machine == *machine
                    && is_same(outcome.event, *event)
                    && self.world.known_control(outcome.config.clone()) == Some(*control)
            };
            cycle.push(outcomes.iter().find(fits)?.clone());
        }
        Some(cycle)
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
