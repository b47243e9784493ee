//! Random systems whose queues grow, and plain searches of them: what can always still happen there.

use std::collections::BTreeMap;
use std::fmt::Write;

use qp_machines::{Config, Event, MachineId, MessageId, Model, Property, QueueId, System};
use queueproof::load;

use crate::rng::Rng;

/// What a random system may have beside plain sends and receives.
#[derive(Clone, Copy)]
pub struct Kind {
    /// One queue for each pair of machines, not one for each reader.
    pub pairs: bool,
    /// Messages are deferred, in mailboxes.
    pub defers: bool,
    /// Queues have capacities.
    pub capacities: bool,
}

/// The text of a random system of two to four machines: mixed states, choices, internal steps, messages that several
/// machines send.
pub fn random_text(rng: &mut Rng, kind: Kind) -> String {
    let (n, n_messages) = (2 + rng.below(3), 1 + rng.below(3));
    let mut text = if kind.pairs { "queues peer-to-peer;\n" } else { "" }.to_owned();
    if kind.capacities && !kind.pairs {
        for machine in 0..n {
            if rng.percent(40) {
                writeln!(text, "queue P{machine} {};", 1 + rng.below(3)).expect("it fits");
            }
        }
    } else if kind.capacities && rng.percent(50) {
        writeln!(text, "capacity {};", 1 + rng.below(3)).expect("it fits");
    }
    for machine in 0..n {
        writeln!(text, "machine P{machine} {{").expect("it fits");
        let n_states = 1 + rng.below(4);
        for state in 0..n_states {
            let mut lines = Vec::new();
            let mut heard = Vec::new();
            for _ in 0..rng.below(3) + usize::from(state == 0) {
                let (to, message) = (rng.below(n_states), rng.below(n_messages));
                let peer = (machine + 1 + rng.below(n - 1)) % n;
                match rng.below(10) {
                    0 if rng.percent(30) => lines.push("internal -> fail \"gone\"".to_owned()),
                    0 => lines.push(format!("internal -> S{to}")),
                    1..=4 => lines.push(format!("send P{peer} m{message} -> S{to}")),
                    _ if kind.pairs => lines.push(format!("recv P{peer} m{message} -> S{to}")),
                    _ => {
                        heard.push(message);
                        lines.push(format!("recv m{message} -> S{to}"));
                    }
                }
            }
            if kind.defers && !kind.pairs {
                let others = (0..n_messages).filter(|it| !heard.contains(it));
                let deferred: Vec<usize> = others.filter(|_| rng.percent(40)).collect();
                lines.extend(deferred.iter().map(|it| format!("defer m{it}")));
            }
            let init = if state == 0 { "init " } else { "" };
            writeln!(text, "    {init}S{state}: {}", lines.join("\n | ")).expect("it fits");
        }
        text.push_str("}\n");
    }
    text
}

/// The model of a text, if it is one.
pub fn model(text: &str) -> Option<Model> {
    load("progress.cfsm", text.as_bytes()).ok().map(|loaded| loaded.model)
}

/// Who moves, what happens, and where that leads.
pub type Step = (MachineId, Event, usize);

/// Everything that can be reached while no queue holds more than so many messages.
pub struct Searched {
    /// The configurations.
    pub configs: Vec<Config>,
    /// For each configuration: who moves, what happens, and where that leads.
    pub steps: Vec<Vec<Step>>,
    /// Whether a step was left out.
    pub cut: Vec<bool>,
}

/// Searches from a configuration; nothing if there are too many.
pub fn search(system: &mut System, first: Config, bound: usize, most: usize) -> Option<Searched> {
    let mut places = BTreeMap::from([(first.clone(), 0)]);
    let mut searched = Searched { configs: vec![first], steps: Vec::new(), cut: Vec::new() };
    while searched.steps.len() < searched.configs.len() {
        let config = searched.configs[searched.steps.len()].clone();
        let (mut steps, mut cut) = (Vec::new(), false);
        for outcome in system.successors(&config) {
            let mut words = outcome.config.words.iter();
            if words.any(|&word| system.words().len(word) > bound) {
                cut = true;
                continue;
            }
            let new = searched.configs.len();
            let to = *places.entry(outcome.config.clone()).or_insert(new);
            if to == new {
                searched.configs.push(outcome.config);
                if new >= most {
                    return None;
                }
            }
            steps.push((outcome.step.machine, outcome.event, to));
        }
        searched.steps.push(steps);
        searched.cut.push(cut);
    }
    Some(searched)
}

/// What became of a property in a bounded search.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Found {
    /// Nothing is wrong.
    Nothing,
    /// Something cannot happen again within the bound.
    Suspect,
    /// Something can never happen again.
    Refuted,
}

impl Searched {
    /// What became of a property; suspects only where no queue is longer than `near`.
    pub fn judge(&self, system: &mut System, property: Property, near: usize) -> Found {
        let machines = (0..self.configs[0].locals.len()).map(MachineId::new);
        let queues = (0..self.configs[0].words.len()).map(QueueId::new);
        match property {
            Property::Stuck => machines
                .map(|machine| {
                    let hit = |step: &Step| step.0 == machine;
                    self.goal(system, near, &hit, &|system, config| {
                        !system.program().may_rest(machine, config.local(machine))
                    })
                })
                .max()
                .unwrap_or(Found::Nothing),
            // Each message, and not only something: where some are deferred, that is more.
            Property::Orphan => {
                let mut all: Vec<(QueueId, MessageId)> = Vec::new();
                for config in &self.configs {
                    for queue in queues.clone() {
                        let word = system.words().messages(config.word(queue));
                        all.extend(word.iter().map(|&message| (queue, message)));
                    }
                }
                all.sort_unstable();
                all.dedup();
                let goal = |(queue, wanted): (QueueId, MessageId)| {
                    let hit = |step: &Step| {
                        matches!(step.1, Event::Took { queue: from, message, .. }
                            if from == queue && message == wanted)
                    };
                    self.goal(system, near, &hit, &|system, config| {
                        system.words().messages(config.word(queue)).contains(&wanted)
                    })
                };
                all.into_iter().map(goal).max().unwrap_or(Found::Nothing)
            }
            Property::Possible(number) => {
                let wanted = system.program().outline().possible[number].clone();
                let is_there = |config: &Config| {
                    let mut machines = config.machines();
                    machines.any(|it| wanted.is_there(system.program(), it, config.local(it)))
                };
                let hit = |&(_, event, to): &Step| {
                    let received = match event {
                        Event::Took { message, .. } => Some(message),
                        _ => None,
                    };
                    received.is_some_and(|it| wanted.is_received(system.program(), it))
                        || is_there(&self.configs[to])
                };
                self.goal(system, near, &hit, &|_, config| !is_there(config))
            }
            Property::Deadlock => {
                let dead = |(number, config): (usize, &Config)| {
                    let mut machines = config.machines();
                    self.steps[number].is_empty()
                        && !self.cut[number]
                        && machines.any(|it| !system.program().may_rest(it, config.local(it)))
                };
                if self.configs.iter().enumerate().any(dead) {
                    Found::Refuted
                } else {
                    Found::Nothing
                }
            }
            _ => {
                let lost = |config: &Config| {
                    config.machines().any(|machine| system.unhandled(config, machine).is_some())
                };
                if self.configs.iter().any(lost) { Found::Refuted } else { Found::Nothing }
            }
        }
    }

    /// Whether what is to remain possible is so, or happens anywhere here.
    pub fn happens_here(&self, system: &System, property: Property) -> bool {
        let Property::Possible(number) = property else { return false };
        let wanted = &system.program().outline().possible[number];
        let is_there = |config: &Config| {
            let mut machines = config.machines();
            machines.any(|it| wanted.is_there(system.program(), it, config.local(it)))
        };
        let is_hit = |step: &Step| match step.1 {
            Event::Took { message, .. } => wanted.is_received(system.program(), message),
            _ => false,
        };
        self.configs.iter().any(is_there) || self.steps.iter().flatten().any(is_hit)
    }

    /// Whether everybody who needs a step of a kind has a way to it.
    fn goal(
        &self,
        system: &System,
        near: usize,
        hit: &dyn Fn(&Step) -> bool,
        needs: &dyn Fn(&System, &Config) -> bool,
    ) -> Found {
        let within = self.backwards(|number| self.steps[number].iter().any(hit));
        let anyhow = self.backwards(|number| within[number] || self.cut[number]);
        let short =
            |config: &Config| config.words.iter().all(|&word| system.words().len(word) <= near);
        let found = self.configs.iter().enumerate().map(|(number, config)| {
            if within[number] || !needs(system, config) {
                Found::Nothing
            } else if !anyhow[number] {
                Found::Refuted
            } else if short(config) {
                Found::Suspect
            } else {
                Found::Nothing
            }
        });
        found.max().unwrap_or(Found::Nothing)
    }

    /// From where one of these can be reached.
    fn backwards(&self, start: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut before = vec![Vec::new(); self.configs.len()];
        for (from, steps) in self.steps.iter().enumerate() {
            for &(_, _, to) in steps {
                before[to].push(from);
            }
        }
        let mut can: Vec<bool> = (0..self.configs.len()).map(start).collect();
        let mut todo: Vec<usize> = (0..can.len()).filter(|&it| can[it]).collect();
        while let Some(number) = todo.pop() {
            for &earlier in &before[number] {
                if !can[earlier] {
                    can[earlier] = true;
                    todo.push(earlier);
                }
            }
        }
        can
    }
}

/// The largest search that is not too large.
pub fn far(system: &mut System, most: usize) -> Option<(Searched, usize)> {
    let first = system.initial();
    let search = |bound| Some((search(system, first.clone(), bound, most)?, bound));
    [7, 6, 5, 4, 3].into_iter().find_map(search)
}

/// A text with one action less, or with another target.
pub fn neighbour(text: &str, rng: &mut Rng) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let actions: Vec<usize> = (0..lines.len()).filter(|&it| lines[it].contains("->")).collect();
    if actions.is_empty() {
        return text.to_owned();
    }
    let at = actions[rng.below(actions.len())];
    let changed = match rng.below(3) {
        0 => lines[at].replace("m0", "m1"),
        1 => lines[at].replace("S1", "S0"),
        _ => lines[at].replace("-> S0", "-> S1"),
    };
    let line = |it: usize| if it == at { changed.as_str() } else { lines[it] };
    (0..lines.len()).map(line).collect::<Vec<&str>>().join("\n")
}
