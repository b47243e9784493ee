//! Runs of models, followed in their nets.
//!
//! All ways are kept in which a run may be a run of the net: where every process is, what counts every message,
//! which value every shared variable has that the net follows, and how far each fact is used up. Each thing that
//! happens in a run must be a step of the net in one of them, with just that effect.

mod loops;

pub use loops::{Loops, follow_loops};

use std::collections::{BTreeMap, BTreeSet};

use qp_base::Budget;
use qp_lp::{Answer, Domain, Problem, Relation, VariableId, solve};
use qp_machines::{
    Arc, ArcId, Config, CounterId, Counts, DetailId, Event, MachineId, MessageId, Model, Net,
    Outcome, QueueId, SpotId, System,
};

use crate::rng::Rng;

/// More ways than this are not kept; the rest of such a run is left out.
const WAYS_MAX: usize = 100;

/// Follows random runs in the nets that follow nothing, everything, and some details; the number of steps, or
/// what a net lacks.
pub fn follow(model: &Model, runs: usize, steps: usize, seed: u64) -> Result<usize, String> {
    let mut rng = Rng::new(seed);
    let coarse = model.system().program_mut().net(&[])?;
    let all: Vec<DetailId> = coarse.details.ids().collect();
    let mut total = 0;
    for share in [0, 4, 2, 1] {
        let wanted: Vec<DetailId> = match share {
            0 => Vec::new(),
            _ => all.iter().copied().filter(|_| rng.below(share) == 0).collect(),
        };
        let runs = runs.div_ceil(3);
        let net = model.system().program_mut().net(&wanted)?;
        let names =
            |net: &Net| -> Vec<String> { net.details.iter().map(|it| it.name.clone()).collect() };
        if names(&net) != names(&coarse) {
            return Err("nets have different details".to_owned());
        }
        total += follow_with(model, &wanted, (runs, steps), &mut rng)
            .map_err(|it| format!("{it}, if {wanted:?} are followed"))?;
    }
    Ok(total)
}

/// Follows random runs in the net with some details.
fn follow_with(
    model: &Model,
    wanted: &[DetailId],
    (runs, steps): (usize, usize),
    rng: &mut Rng,
) -> Result<usize, String> {
    let mut system = model.system();
    let net = system.program_mut().net(wanted)?;
    if model.system().program_mut().net(wanted).as_ref() != Ok(&net) {
        return Err("the net is another one when it is made again".to_owned());
    }
    let index = Index::new(&net);
    let mut total = 0;
    for _ in 0..runs {
        let mut config = system.initial();
        let mut follower = Follower::new(&index, &system, &config);
        for _ in 0..steps {
            let mut outcomes = system.successors(&config);
            outcomes.retain(|it| !matches!(it.event, Event::Failed { .. } | Event::GaveUp { .. }));
            if outcomes.is_empty() {
                break;
            }
            let outcome = outcomes.swap_remove(rng.below(outcomes.len()));
            follower.take(&system, &outcome)?;
            if follower.ways.len() > WAYS_MAX {
                break;
            }
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
    for fact in &net.facts {
        let terms: Vec<(VariableId, i64)> =
            fact.terms.iter().map(|&(arc, by)| (variables[arc.index()], by)).collect();
        problem.row(terms, Relation::AtMost, fact.at_most);
    }
    problem.maximise(wanted);
    match solve(&problem, &Budget::states(1_000_000)) {
        Answer::Optimal { value, .. } => i64::try_from(value.floor()).ok(),
        _ => None,
    }
}

/// A net with what belongs to each of its arcs.
struct Index<'a> {
    net: &'a Net,
    /// The steps from each place.
    steps: Vec<Vec<ArcId>>,
    /// How processes of a kind begin.
    begins: Vec<ArcId>,
    /// The facts that speak of each step.
    facts: Vec<Vec<(usize, i64)>>,
    /// Whether a dependency speaks of each step.
    depends: Vec<bool>,
}

impl<'a> Index<'a> {
    fn new(net: &'a Net) -> Self {
        let mut steps = vec![Vec::new(); net.spots.len()];
        let mut begins = Vec::new();
        for (id, arc) in net.arcs.iter_enumerated() {
            match arc.from {
                Some(from) => steps[from.index()].push(id),
                None => begins.push(id),
            }
        }
        let mut facts = vec![Vec::new(); net.arcs.len()];
        for (index, fact) in net.facts.iter().enumerate() {
            for &(arc, by) in &fact.terms {
                facts[arc.index()].push((index, by));
            }
        }
        let mut depends = vec![false; net.arcs.len()];
        for it in &net.dependencies {
            for arc in it.all.iter().flatten().chain(&it.on) {
                depends[arc.index()] = true;
            }
        }
        Self { net, steps, begins, facts, depends }
    }
}

/// One way in which a run may be a run of the net.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    /// Where each process is.
    places: Vec<SpotId>,
    /// What counts each message.
    messages: BTreeMap<(QueueId, MessageId), Vec<CounterId>>,
    /// The numbers of the net.
    numbers: BTreeMap<CounterId, i64>,
    /// What the sum of each fact is.
    sums: Vec<i64>,
    /// The steps that were made of which dependencies speak, if somebody wants to know.
    made: Option<BTreeSet<ArcId>>,
}

struct Follower<'a> {
    index: &'a Index<'a>,
    /// How many channels exist from the start.
    n_queues: usize,
    ways: BTreeSet<Way>,
}

impl<'a> Follower<'a> {
    fn new(index: &'a Index<'a>, system: &System, config: &Config) -> Self {
        let net = index.net;
        let place = |machine: MachineId| {
            let mut here = net.spots.iter_enumerated();
            let here = here.find(|(_, it)| it.machine == Some(machine) && it.initial == 1);
            here.expect("every process begins somewhere").0
        };
        let numbers = net.counters.iter_enumerated();
        let numbers = numbers.filter(|(_, it)| it.counts == Counts::Number);
        let way = Way {
            places: config.machines().map(place).collect(),
            messages: BTreeMap::new(),
            numbers: numbers.map(|(id, it)| (id, i64::from(it.initial))).collect(),
            sums: vec![0; net.facts.len()],
            made: None,
        };
        let n_queues = system.program().outline().queues.len();
        Self { index, n_queues, ways: BTreeSet::from([way]) }
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
        let net = self.index.net;
        match event {
            Event::Internal => self.go(machine, "nothing", |way, arc| {
                if arc.to.is_some() && others(net, arc).is_empty() {
                    vec![way.clone()]
                } else {
                    Vec::new()
                }
            }),
            Event::Took { kept: true, .. } => self.go(machine, "a look", |way, arc| {
                let is_silent = others(net, arc).is_empty();
                if is_silent { vec![way.clone()] } else { Vec::new() }
            }),
            Event::Sent { queue, message } => {
                let counters = self.counters(system, queue, message, false);
                self.go(machine, "a send", |way, arc| {
                    let Some(used) = of(net, arc, 1, &counters) else { return Vec::new() };
                    let mut next = way.clone();
                    let tokens = next.messages.entry((queue, message)).or_default();
                    tokens.push(used);
                    tokens.sort_unstable();
                    vec![next]
                })
            }
            Event::Took { queue, message, .. } => self.go(machine, "a receive", |way, arc| {
                let tokens = way.messages.get(&(queue, message)).cloned().unwrap_or_default();
                let counters = tokens.iter().copied().collect();
                let Some(used) = of(net, arc, -1, &counters) else { return Vec::new() };
                let mut next = way.clone();
                let tokens = next.messages.entry((queue, message)).or_default();
                if let Some(token) = tokens.iter().position(|it| *it == used) {
                    tokens.remove(token);
                }
                vec![next]
            }),
            Event::Handshake { queue, message, receiver } => {
                self.handshake(system, (machine, receiver), (queue, message))
            }
            Event::Created { machine: child } => self.create(machine, child),
            Event::Ended => {
                let steps = &self.index.steps;
                self.ways.retain(|way| {
                    let here = way.places[machine.index()];
                    steps[here.index()].iter().any(|&it| net.arcs[it].to.is_none())
                });
                let ways = std::mem::take(&mut self.ways).into_iter();
                let ended = ways.map(|mut way| {
                    way.places.truncate(machine.index());
                    way
                });
                self.ways = ended.collect();
                if self.ways.is_empty() { Err("the end".to_owned()) } else { Ok(()) }
            }
            other => Err(format!("{other:?} is not expected")),
        }
    }

    fn handshake(
        &mut self,
        system: &System,
        (machine, receiver): (MachineId, MachineId),
        (queue, message): (QueueId, MessageId),
    ) -> Result<(), String> {
        let counters = self.counters(system, queue, message, true);
        let mut ways = BTreeSet::new();
        for &counter in &counters {
            let one = BTreeSet::from([counter]);
            let before = self.ways.clone();
            let same = |way: &Way| vec![way.clone()];
            let fits = |by| {
                let (one, index) = (one.clone(), self.index);
                move |way: &Way, arc: &Arc| {
                    if of(index.net, arc, by, &one).is_some() { same(way) } else { Vec::new() }
                }
            };
            let (sends, answers) = (fits(1), fits(-1));
            if self.go(machine, "a send", sends).is_ok()
                && self.go(receiver, "an answer", answers).is_ok()
            {
                ways.extend(std::mem::take(&mut self.ways));
            }
            self.ways = before;
        }
        self.ways = ways;
        if self.ways.is_empty() { Err("a handshake".to_owned()) } else { Ok(()) }
    }

    fn create(&mut self, machine: MachineId, child: MachineId) -> Result<(), String> {
        let index = self.index;
        let net = index.net;
        self.go(machine, "a creation", |way, arc| {
            let [(asked, 1)] = others(net, arc)[..] else { return Vec::new() };
            if net.counters[asked].counts != Counts::Machines {
                return Vec::new();
            }
            let begins = index.begins.iter().map(|&it| &net.arcs[it]);
            let begins = begins.filter(|arc| arc.effects == [(asked, -1)]);
            let born = |arc: &Arc| {
                let mut next = way.clone();
                next.places.truncate(child.index());
                next.places.extend(arc.to);
                next
            };
            begins.map(born).collect()
        })
    }

    /// Moves a process along all steps that fit, in all ways.
    fn go(
        &mut self,
        machine: MachineId,
        what: &str,
        fits: impl Fn(&Way, &Arc) -> Vec<Way>,
    ) -> Result<(), String> {
        let index = self.index;
        let mut next = BTreeSet::new();
        for way in &self.ways {
            let here = way.places[machine.index()];
            for &id in &index.steps[here.index()] {
                let arc = &index.net.arcs[id];
                let Some(to) = arc.to else { continue };
                for mut way in fits(way, arc) {
                    way.places[machine.index()] = to;
                    next.extend(count(index, way, id));
                }
            }
        }
        if next.is_empty() {
            let names: BTreeSet<&str> = self
                .ways
                .iter()
                .map(|way| index.net.spots[way.places[machine.index()]].name.as_str())
                .collect();
            return Err(format!("there is no step for {what} at {names:?}"));
        }
        self.ways = next;
        Ok(())
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
        for (id, counter) in self.index.net.counters.iter_enumerated() {
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

    /// Looks where processes are, what variables hold, and how many messages there are.
    fn compare(&mut self, system: &System, config: &Config) -> Result<(), String> {
        let net = self.index.net;
        let names: Vec<String> = config
            .machines()
            .map(|it| system.program().control_name(it, config.local(it)))
            .collect();
        let is_at = |spot: SpotId, name: &str| {
            let found = &net.spots[spot].name;
            found == name || found.strip_prefix(name).is_some_and(|it| it.starts_with(" ("))
        };
        let values = values(&system.store_text(config.store));
        let lengths: Vec<usize> =
            config.words.iter().map(|&word| system.words().len(word)).collect();
        let mut problem = String::new();
        let ways = std::mem::take(&mut self.ways).into_iter().filter_map(|mut way| {
            way.messages
                .retain(|(queue, _), tokens| queue.index() < lengths.len() && !tokens.is_empty());
            let places = way.places.iter().zip(&names);
            if way.places.len() != names.len() || !places.clone().all(|(&it, name)| is_at(it, name))
            {
                problem = format!("processes are at {names:?}, not at {:?}", way.places);
                return None;
            }
            for (queue, &length) in lengths.iter().enumerate() {
                let counted = way.messages.iter().filter(|((it, _), _)| it.index() == queue);
                let counted: usize = counted.map(|(_, tokens)| tokens.len()).sum();
                if counted != length {
                    problem = format!("{counted} messages are counted in {queue}");
                    return None;
                }
            }
            for (&counter, &n) in &way.numbers {
                let counter = &net.counters[counter].name;
                let (name, value) = counter.rsplit_once(" = ").unwrap_or_default();
                let Ok(value) = value.parse::<i64>() else { continue };
                if let Some(&held) = values.get(name)
                    && n != i64::from(held == value)
                {
                    problem = format!("{name} is {held}, but {n} are counted for {counter}");
                    return None;
                }
            }
            Some(way)
        });
        self.ways = ways.collect();
        if self.ways.is_empty() { Err(problem) } else { Ok(()) }
    }
}

/// The same way with the numbers and sums behind a step, if all of them may be so.
fn count(index: &Index<'_>, mut way: Way, id: ArcId) -> Option<Way> {
    for (counter, by) in &index.net.arcs[id].effects {
        if let Some(number) = way.numbers.get_mut(counter) {
            *number += by;
        }
    }
    if let Some(made) = &mut way.made
        && index.depends[id.index()]
    {
        made.insert(id);
    }
    for &(fact, by) in &index.facts[id.index()] {
        way.sums[fact] += by;
    }
    let mut facts = index.net.facts.iter().zip(&way.sums);
    let fits = facts.all(|(fact, sum)| *sum <= fact.at_most);
    (fits && way.numbers.values().all(|it| *it >= 0)).then_some(way)
}

/// What a step does to anything but numbers.
fn others(net: &Net, arc: &Arc) -> Vec<(CounterId, i64)> {
    let all = arc.effects.iter().copied();
    all.filter(|(id, _)| net.counters[*id].counts != Counts::Number).collect()
}

/// The counter that a step changes by this, if it is one of these and nothing else changes but numbers.
fn of(net: &Net, arc: &Arc, by: i64, counters: &BTreeSet<CounterId>) -> Option<CounterId> {
    match others(net, arc)[..] {
        [(counter, it)] if it == by && counters.contains(&counter) => Some(counter),
        _ => None,
    }
}

/// Shared variables and elements with what they hold, as far as they have one cell each.
fn values(text: &str) -> BTreeMap<String, i64> {
    let mut found = BTreeMap::new();
    for (name, values) in text.split_whitespace().filter_map(|it| it.split_once('=')) {
        let values: Vec<&str> = values.split(',').collect();
        for (index, value) in values.iter().enumerate() {
            let Ok(value) = value.parse() else { continue };
            found.insert(format!("{name}[{index}]"), value);
            if values.len() == 1 {
                found.insert(name.to_owned(), value);
            }
        }
    }
    found
}

/// Whether a message may be of a kind. Channels in messages have other names there.
fn agrees(kind: &str, message: &str) -> bool {
    let (kind, message): (Vec<_>, Vec<_>) =
        (kind.split(',').collect(), message.split(',').collect());
    kind.len() == message.len()
        && kind.iter().zip(&message).all(|(a, b)| *a == "_" || b.starts_with('#') || a == b)
}
