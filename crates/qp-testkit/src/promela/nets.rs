//! Runs of models, followed in their nets.
//!
//! Of every process the places are kept at which it may be, and of every message the counters that may count
//! it. Each thing that happens in a run must be a step of the net from one of these places with just that
//! effect.

use std::collections::{BTreeMap, BTreeSet};

use qp_base::Budget;
use qp_lp::{Answer, Domain, Problem, Relation, VariableId, solve};
use qp_machines::{
    Arc, Config, CounterId, Counts, Event, MachineId, MessageId, Model, Net, Outcome, QueueId,
    SpotId, System,
};

use crate::rng::Rng;

/// Follows random runs; the number of steps, or what the net lacks.
pub fn follow(model: &Model, runs: usize, steps: usize, seed: u64) -> Result<usize, String> {
    let mut system = model.system();
    let net = system.program_mut().net(&[])?;
    let mut steps_from: Vec<Vec<&Arc>> = vec![Vec::new(); net.spots.len()];
    for arc in &net.arcs {
        if let Some(from) = arc.from {
            steps_from[from.index()].push(arc);
        }
    }
    let (mut rng, mut total) = (Rng::new(seed), 0);
    for _ in 0..runs {
        let mut config = system.initial();
        let mut follower = Follower::new(&net, &steps_from, &system, &config);
        for _ in 0..steps {
            let mut outcomes = system.successors(&config);
            outcomes.retain(|it| !matches!(it.event, Event::Failed { .. } | Event::GaveUp { .. }));
            if outcomes.is_empty() {
                break;
            }
            let outcome = outcomes.swap_remove(rng.below(outcomes.len()));
            follower.take(&system, &outcome)?;
            config = outcome.config;
            total += 1;
        }
    }
    Ok(total)
}

/// How many messages there can be at once in all channels whose names begin like this, as far as the net of a
/// model tells; nothing if there is no limit.
pub fn most(net: &Net, model: &Model, name: &str) -> Option<i64> {
    let mut problem = Problem::new();
    let variables: Vec<VariableId> =
        net.arcs.iter().map(|_| problem.variable(Domain::NonNegative)).collect();
    let mut flows: Vec<Vec<(VariableId, i64)>> = vec![Vec::new(); net.spots.len()];
    let mut counters: Vec<Vec<(VariableId, i64)>> = vec![Vec::new(); net.counters.len()];
    for (arc, &variable) in net.arcs.iter().zip(&variables) {
        for (spot, factor) in [(arc.from, 1), (arc.to, -1)] {
            if let Some(spot) = spot {
                flows[spot.index()].push((variable, factor));
            }
        }
        for &(counter, by) in &arc.effects {
            counters[counter.index()].push((variable, by));
        }
    }
    for (spot, terms) in net.spots.iter().zip(flows) {
        problem.row(terms, Relation::AtMost, i64::from(spot.initial));
    }
    let mut wanted = Vec::new();
    for (counter, terms) in net.counters.iter().zip(counters) {
        let relation = match counter.counts {
            Counts::Handshakes(_) => Relation::Equal,
            Counts::Messages(_) | Counts::Machines | Counts::Number => Relation::AtLeast,
        };
        if let Counts::Messages(queue) = counter.counts {
            let queues = &model.outline().queues;
            let is_other = queue.index() < queues.len() && !queues[queue].name.starts_with(name);
            wanted.extend(terms.iter().filter(|_| !is_other));
        }
        problem.row(terms, relation, -i64::from(counter.initial));
    }
    problem.maximise(wanted);
    match solve(&problem, &Budget::states(1_000_000)) {
        Answer::Optimal { value, .. } => i64::try_from(value.floor()).ok(),
        _ => None,
    }
}

struct Follower<'a> {
    net: &'a Net,
    /// The steps from each place.
    steps: &'a [Vec<&'a Arc>],
    /// How many channels exist from the start.
    n_queues: usize,
    /// Where each process may be.
    places: Vec<BTreeSet<SpotId>>,
    /// What may count each message.
    messages: BTreeMap<(QueueId, MessageId), Vec<BTreeSet<CounterId>>>,
}

impl<'a> Follower<'a> {
    fn new(net: &'a Net, steps: &'a [Vec<&'a Arc>], system: &System, config: &Config) -> Self {
        let places = config.machines().map(|machine| {
            let here = |(id, spot): (SpotId, &qp_machines::Spot)| {
                (spot.machine == Some(machine) && spot.initial == 1).then_some(id)
            };
            net.spots.iter_enumerated().filter_map(here).collect()
        });
        let n_queues = system.program().outline().queues.len();
        Self { net, steps, n_queues, places: places.collect(), messages: BTreeMap::new() }
    }

    fn take(&mut self, system: &System, outcome: &Outcome) -> Result<(), String> {
        let mut acts: Vec<(MachineId, Event)> =
            outcome.acts.iter().map(|it| (it.machine, it.event)).collect();
        if acts.is_empty() {
            acts.push((outcome.step.machine, outcome.event));
        }
        // Where steps are turns, whoever answers a handshake has an act of its own.
        let mut answers = None;
        for (machine, event) in acts {
            if answers.take() == Some(machine) {
                continue;
            }
            self.act(system, machine, event).map_err(|it| {
                format!("{it} in {:?} of {:?}: {:?}", event, machine, outcome.acts)
            })?;
            if let Event::Handshake { receiver, .. } = event
                && !outcome.acts.is_empty()
            {
                answers = Some(receiver);
            }
        }
        self.compare(system, &outcome.config)
    }

    fn act(&mut self, system: &System, machine: MachineId, event: Event) -> Result<(), String> {
        match event {
            Event::Internal => self.go(machine, "nothing", |arc| {
                (arc.effects.is_empty() && arc.to.is_some()).then_some(())
            })?,
            Event::Took { kept: true, .. } => {
                self.go(machine, "a look", |arc| arc.effects.is_empty().then_some(()))?
            }
            Event::Sent { queue, message } => {
                let counters = self.counters(system, queue, message, false);
                let used = self.go(machine, "a send", |arc| of(arc, 1, &counters))?;
                self.messages.entry((queue, message)).or_default().push(used);
                return Ok(());
            }
            Event::Took { queue, message, .. } => {
                let tokens = self.messages.get(&(queue, message)).cloned().unwrap_or_default();
                let counters = tokens.iter().flatten().copied().collect();
                let used = self.go(machine, "a receive", |arc| of(arc, -1, &counters))?;
                let tokens = self.messages.entry((queue, message)).or_default();
                if let Some(token) = tokens.iter().position(|it| !it.is_disjoint(&used)) {
                    tokens.remove(token);
                }
                return Ok(());
            }
            Event::Handshake { queue, message, receiver } => {
                let counters = self.counters(system, queue, message, true);
                let sent = self.go(machine, "a send", |arc| of(arc, 1, &counters))?;
                self.go(receiver, "an answer", |arc| of(arc, -1, &sent))?;
                return Ok(());
            }
            Event::Created { machine: child } => {
                let asked = self.go(machine, "a creation", |arc| match arc.effects[..] {
                    [(it, 1)] if self.net.counters[it].counts == Counts::Machines => Some(it),
                    _ => None,
                })?;
                let begins = self.net.arcs.iter().filter(|arc| arc.from.is_none());
                let begins = begins.filter(|arc| of(arc, -1, &asked).is_some());
                self.places.truncate(child.index());
                self.places.push(begins.filter_map(|arc| arc.to).collect());
                return Ok(());
            }
            Event::Ended => {
                let ends =
                    |spot: &SpotId| self.steps[spot.index()].iter().any(|arc| arc.to.is_none());
                if !self.places[machine.index()].iter().any(ends) {
                    return Err("the end".to_owned());
                }
                self.places.truncate(machine.index());
                return Ok(());
            }
            other => return Err(format!("{other:?} is not expected")),
        };
        Ok(())
    }

    /// Moves a process along all steps that fit; what they use.
    fn go<T: Ord>(
        &mut self,
        machine: MachineId,
        what: &str,
        fits: impl Fn(&Arc) -> Option<T>,
    ) -> Result<BTreeSet<T>, String> {
        let here = &self.places[machine.index()];
        let (mut next, mut used) = (BTreeSet::new(), BTreeSet::new());
        for arc in here.iter().flat_map(|it| &self.steps[it.index()]) {
            if let (Some(to), Some(it)) = (arc.to, fits(arc)) {
                next.insert(to);
                used.insert(it);
            }
        }
        if next.is_empty() {
            let names: Vec<&str> =
                here.iter().map(|&it| self.net.spots[it].name.as_str()).collect();
            return Err(format!("there is no step for {what} at {names:?}"));
        }
        self.places[machine.index()] = next;
        Ok(used)
    }

    /// The counters that may count a message.
    fn counters(
        &self,
        system: &System,
        queue: QueueId,
        message: MessageId,
        handed_over: bool,
    ) -> BTreeSet<CounterId> {
        let text = system.program().message_text(message);
        let is_same = |it: QueueId| it == queue || it.index().min(queue.index()) >= self.n_queues;
        let mut found = BTreeSet::new();
        for (id, counter) in self.net.counters.iter_enumerated() {
            let fits = match counter.counts {
                Counts::Messages(it) => !handed_over && is_same(it),
                Counts::Handshakes(it) => handed_over && is_same(it),
                Counts::Machines | Counts::Number => false,
            };
            let kind = counter.name.rsplit_once(": ").map_or("", |(_, kind)| kind);
            if fits && agrees(kind, &text) {
                found.insert(id);
            }
        }
        found
    }

    /// Looks where processes are, and how many messages there are.
    fn compare(&mut self, system: &System, config: &Config) -> Result<(), String> {
        if self.places.len() != config.locals.len() {
            return Err(format!("{} processes are followed", self.places.len()));
        }
        for machine in config.machines() {
            let name = system.program().control_name(machine, config.local(machine));
            let here = &mut self.places[machine.index()];
            let net = self.net;
            let before: Vec<SpotId> = here.iter().copied().collect();
            here.retain(|&it| {
                let found = &net.spots[it].name;
                *found == name || found.strip_prefix(&name).is_some_and(|it| it.starts_with(" ("))
            });
            if here.is_empty() {
                return Err(format!("{machine:?} is at {name}, not at {before:?}"));
            }
        }
        self.messages.retain(|(queue, _), _| queue.index() < config.words.len());
        for (queue, &word) in config.words.iter().enumerate() {
            let counted = self.messages.iter().filter(|((it, _), _)| it.index() == queue);
            let counted: usize = counted.map(|(_, tokens)| tokens.len()).sum();
            if system.words().len(word) != counted {
                return Err(format!("{counted} messages are counted in {queue}"));
            }
        }
        Ok(())
    }
}

/// The counter that a step changes by this, if it is one of these and nothing else changes.
fn of(arc: &Arc, by: i64, counters: &BTreeSet<CounterId>) -> Option<CounterId> {
    match arc.effects[..] {
        [(counter, it)] if it == by && counters.contains(&counter) => Some(counter),
        _ => None,
    }
}

/// Whether a message may be of a kind. Channels in messages have other names there.
fn agrees(kind: &str, message: &str) -> bool {
    let (kind, message): (Vec<_>, Vec<_>) =
        (kind.split(',').collect(), message.split(',').collect());
    kind.len() == message.len()
        && kind.iter().zip(&message).all(|(a, b)| *a == "_" || b.starts_with('#') || a == b)
}
