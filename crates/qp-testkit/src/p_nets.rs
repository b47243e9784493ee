//! Runs of P programs, followed in their nets.
//!
//! Of every machine the places are kept at which it may be. Each step of a run must be a step of the net from one of
//! these with just that effect, and at every moment counters must be what is in the mailboxes.

use std::collections::{BTreeMap, BTreeSet};

use qp_base::Budget;
use qp_lp::{Answer, Domain, Problem, Relation, VariableId, solve};
use qp_machines::{
    Arc, Config, CounterId, Counts, DetailId, Event, MachineId, MessageId, Model, Net, Outcome,
    QueueId, SpotId, System, WordId,
};

use crate::rng::Rng;

/// Follows random runs in the net with these details; the number of steps, or what the net lacks.
pub fn follow(
    model: &Model,
    followed: &[DetailId],
    (runs, steps): (usize, usize),
    seed: u64,
) -> Result<usize, String> {
    let mut system = model.system();
    let net = system.program_mut().net(followed)?;
    let bounds = bounds(&net);
    let mut steps_from: Vec<Vec<&Arc>> = vec![Vec::new(); net.spots.len()];
    for arc in &net.arcs {
        if let Some(from) = arc.from {
            steps_from[from.index()].push(arc);
        }
    }
    let (mut rng, mut total) = (Rng::new(seed), 0);
    for _ in 0..runs {
        let mut config = system.initial();
        let mut follower = Follower::new(&net, &steps_from, &bounds);
        follower.compare(&system, &config)?;
        for _ in 0..steps {
            let mut outcomes = system.successors(&config);
            outcomes.retain(|it| !it.is_end());
            if outcomes.is_empty() {
                break;
            }
            let outcome = outcomes.swap_remove(rng.below(outcomes.len()));
            follower.take(&system, &config, &outcome)?;
            config = outcome.config;
            total += 1;
        }
    }
    Ok(total)
}

/// For each mailbox, or all that are counted together: how much it holds at most, as far as counting tells.
pub fn bounds(net: &Net) -> BTreeMap<QueueId, Option<i64>> {
    let mut found = BTreeMap::new();
    for counter in &net.counters {
        if let Counts::Messages(queue) = counter.counts {
            found.entry(queue).or_insert_with(|| most(net, queue));
        }
    }
    found
}

fn most(net: &Net, queue: QueueId) -> Option<i64> {
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
        wanted.extend(terms.iter().filter(|_| counter.counts.is_in(queue)));
        problem.row(terms, Relation::AtLeast, -i64::from(counter.initial));
    }
    for fact in &net.facts {
        let terms = fact.terms.iter().map(|&(arc, by)| (variables[arc.index()], by)).collect();
        problem.row(terms, Relation::AtMost, fact.at_most);
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
    bounds: &'a BTreeMap<QueueId, Option<i64>>,
    /// Where each machine may be; nowhere if it has ended.
    places: Vec<BTreeSet<SpotId>>,
    /// What the copy of each machine is called.
    names: Vec<String>,
    /// How much each counter counts.
    counts: Vec<i64>,
    /// The same, of what is left in mailboxes of machines that have ended.
    left: Vec<i64>,
}

impl<'a> Follower<'a> {
    fn new(
        net: &'a Net,
        steps: &'a [Vec<&'a Arc>],
        bounds: &'a BTreeMap<QueueId, Option<i64>>,
    ) -> Self {
        let first: Vec<SpotId> =
            net.spots.iter_enumerated().filter(|it| it.1.initial == 1).map(|it| it.0).collect();
        assert_eq!(first.len(), 1, "one machine is there from the start");
        assert_eq!(net.spots[first[0]].machine, Some(MachineId::from_raw(0)));
        let none = vec![0; net.counters.len()];
        let mut this = Self {
            net,
            steps,
            bounds,
            places: Vec::new(),
            names: Vec::new(),
            counts: none.clone(),
            left: none,
        };
        this.begin(first.into_iter().collect()).expect("there is one place");
        this
    }

    /// A new machine, which may be at these places.
    fn begin(&mut self, places: BTreeSet<SpotId>) -> Result<(), String> {
        let names: BTreeSet<&str> = places.iter().map(|&it| copy_of(self.net, it)).collect();
        let mut names = names.into_iter();
        let (Some(name), None) = (names.next(), names.next()) else {
            return Err(format!("a new machine is at {places:?}"));
        };
        self.names.push(name.to_owned());
        self.places.push(self.closed(places));
        Ok(())
    }

    /// These places, and those to which a machine may have run on.
    fn closed(&self, mut places: BTreeSet<SpotId>) -> BTreeSet<SpotId> {
        let mut open: Vec<SpotId> = places.iter().copied().collect();
        while let Some(spot) = open.pop() {
            for arc in &self.steps[spot.index()] {
                if let Some(to) = arc.to.filter(|_| arc.text == "go on" && arc.effects.is_empty())
                    && places.insert(to)
                {
                    open.push(to);
                }
            }
        }
        places
    }

    fn take(&mut self, system: &System, before: &Config, outcome: &Outcome) -> Result<(), String> {
        let machine = outcome.step.machine;
        let used = self
            .act(system, machine, outcome.event)
            .map_err(|it| format!("{it} in {:?} of {machine:?}", outcome.event))?;
        let is_marked =
            |config: &Config| system.program().is_progress(machine, config.local(machine));
        if used && !is_marked(before) && !is_marked(&outcome.config) {
            return Err(format!("{:?} is no progress of {machine:?}", outcome.event));
        }
        for (counter, &count) in self.net.counters.iter().zip(&self.counts) {
            if count < 0 {
                return Err(format!("there are {count} of {}", counter.name));
            }
        }
        self.compare(system, &outcome.config)
    }

    /// Does what happened; whether that is progress for sure.
    fn act(&mut self, system: &System, machine: MachineId, event: Event) -> Result<bool, String> {
        match event {
            Event::Internal | Event::Announced { .. } | Event::Lost { .. } => self.go(machine, &[]),
            Event::Closed { .. } => {
                let ends = |spot: &SpotId| {
                    self.steps[spot.index()]
                        .iter()
                        .any(|arc| arc.to.is_none() && arc.effects.is_empty())
                };
                if !self.places[machine.index()].iter().any(ends) {
                    return Err("there is no end".to_owned());
                }
                self.places[machine.index()].clear();
                Ok(false)
            }
            Event::Sent { queue, message } => {
                let counter = self.counter(system, queue, message)?;
                self.go(machine, &[(counter, 1)])
            }
            Event::Took { queue, message, .. } => {
                let counter = self.counter(system, queue, message)?;
                self.go(machine, &[(counter, -1)])
            }
            Event::Created { machine: child } => self.create(machine, child),
            other => Err(format!("{other:?} is not expected")),
        }
    }

    fn create(&mut self, machine: MachineId, child: MachineId) -> Result<bool, String> {
        let is_creation = |arc: &&Arc| matches!(arc.effects[..], [(it, 1)] if self.net.counters[it].counts == Counts::Machines);
        let here = self.places[machine.index()].iter();
        let arcs: Vec<Arc> = here
            .flat_map(|it| &self.steps[it.index()])
            .copied()
            .filter(is_creation)
            .cloned()
            .collect();
        let asked: BTreeSet<CounterId> = arcs.iter().map(|arc| arc.effects[0].0).collect();
        let next = self.closed(arcs.iter().filter_map(|arc| arc.to).collect());
        if next.is_empty() {
            return Err("there is no creation".to_owned());
        }
        self.places[machine.index()] = next;
        let begins = self.net.arcs.iter().filter(|arc| arc.from.is_none());
        let begins = begins.filter(|arc| arc.effects.iter().any(|it| asked.contains(&it.0)));
        assert_eq!(child.index(), self.places.len());
        self.begin(begins.filter_map(|arc| arc.to).collect())?;
        Ok(arcs.iter().all(|arc| arc.progress))
    }

    /// Moves a machine along all steps with just these effects; whether all of them are progress.
    fn go(&mut self, machine: MachineId, effects: &[(CounterId, i64)]) -> Result<bool, String> {
        let here = &self.places[machine.index()];
        let (mut next, mut progress) = (BTreeSet::new(), true);
        for arc in here.iter().flat_map(|it| &self.steps[it.index()]) {
            if arc.effects == effects {
                next.extend(arc.to);
                progress &= arc.progress;
            }
        }
        if next.is_empty() {
            let names: Vec<&str> =
                here.iter().map(|&it| self.net.spots[it].name.as_str()).collect();
            return Err(format!("there is no step at {names:?} for {effects:?}"));
        }
        self.places[machine.index()] = next;
        for &(counter, by) in effects {
            self.counts[counter.index()] += by;
        }
        Ok(progress)
    }

    /// The counter of a message.
    fn counter(
        &self,
        system: &System,
        queue: QueueId,
        message: MessageId,
    ) -> Result<CounterId, String> {
        let text = system.program().message_text(message);
        let event = text.split('(').next().unwrap_or_default();
        let name = format!("{}: {event}", self.names[queue.index()]);
        let mut counters = self.net.counters.iter_enumerated().filter(|(_, it)| it.name == name);
        let found = counters.find(|(_, it)| matches!(it.counts, Counts::Messages(_)));
        found.map(|(id, _)| id).ok_or_else(|| format!("{name} is not counted"))
    }

    /// Looks where machines are, and how many messages there are.
    fn compare(&mut self, system: &System, config: &Config) -> Result<(), String> {
        if self.places.len() != config.locals.len() {
            return Err(format!("{} machines are followed", self.places.len()));
        }
        let mut counts = self.left.clone();
        for machine in config.machines() {
            let word = config.word(QueueId::new(machine.index()));
            if word == WordId::CLOSED {
                continue;
            }
            self.look(system, machine, config)?;
            for message in system.words().messages(word) {
                counts[self.counter(system, QueueId::new(machine.index()), message)?.index()] += 1;
            }
        }
        self.leave(&mut counts, config);
        if counts != self.counts {
            return Err(format!("{:?} are counted, {counts:?} are there", self.counts));
        }
        for (queue, bound) in self.bounds {
            let counters = self.net.counters.iter().zip(&counts);
            let there: i64 = counters.filter(|it| it.0.counts.is_in(*queue)).map(|it| it.1).sum();
            if bound.is_some_and(|bound| there > bound) {
                return Err(format!("{there} are in {queue:?}, whose bound is {bound:?}"));
            }
        }
        Ok(())
    }

    fn look(&mut self, system: &System, machine: MachineId, config: &Config) -> Result<(), String> {
        let local = system.program().local_text(machine, config.local(machine));
        if local.contains("; failed ") || local.contains("; unknown ") {
            return Ok(());
        }
        let name = system.program().control_name(machine, config.local(machine));
        let here = std::mem::take(&mut self.places[machine.index()]);
        let here = self.closed(here);
        let net = self.net;
        let is_here = |it: &SpotId| {
            let found = net.spots[*it].name.split_once('.').map_or("", |(_, rest)| rest);
            let rest = found.strip_prefix(&name);
            rest.is_some_and(|it| it.is_empty() || it.starts_with(" in ") || it.starts_with(" ("))
        };
        let kept: BTreeSet<SpotId> = here.iter().copied().filter(is_here).collect();
        if kept.is_empty() {
            return Err(format!("{machine:?} is at {name}, not at {here:?}"));
        }
        self.places[machine.index()] = kept;
        Ok(())
    }

    /// What a machine leaves behind when it ends stays counted.
    fn leave(&mut self, counts: &mut [i64], config: &Config) {
        for machine in config.machines() {
            let name = &self.names[machine.index()];
            let is_closed = config.word(QueueId::new(machine.index())) == WordId::CLOSED;
            if !is_closed || name.is_empty() {
                continue;
            }
            let prefix = format!("{name}: ");
            for (id, counter) in self.net.counters.iter_enumerated() {
                let is_mine = matches!(counter.counts, Counts::Messages(_));
                if is_mine && counter.name.starts_with(&prefix) {
                    let more = self.counts[id.index()] - counts[id.index()];
                    self.left[id.index()] += more;
                    counts[id.index()] += more;
                }
            }
            self.names[machine.index()] = String::new();
        }
    }
}

fn copy_of(net: &Net, spot: SpotId) -> &str {
    net.spots[spot].name.split_once('.').map_or("", |(copy, _)| copy)
}
