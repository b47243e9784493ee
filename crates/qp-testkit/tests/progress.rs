//! Progress where queues grow, on random systems: the engine and the referee against plain searches far beyond the
//! core, and evidence that was changed, or is about another system, against the referee.

#![allow(clippy::print_stdout, reason = "long runs say what they compared")]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use qp_base::Budget;
use qp_check::{Finding, Referee, Ruling};
use qp_claim::{Claim, Core, Proof};
use qp_engines::{Engine, Lists, Progress, Task, TaskLimits};
use qp_machines::{Config, Event, MachineId, Model, Property, QueueId, System};
use qp_testkit::judge::through_text;
use qp_testkit::rng::Rng;
use queueproof::load;

const PROPERTIES: [Property; 4] =
    [Property::Stuck, Property::Orphan, Property::Deadlock, Property::Unhandled];

/// What a random system may have beside plain sends and receives.
#[derive(Clone, Copy)]
struct Kind {
    pairs: bool,
    defers: bool,
    capacities: bool,
}

/// The text of a random system of two to four machines: mixed states, choices, internal steps, messages that several
/// machines send.
fn random_text(rng: &mut Rng, kind: Kind) -> String {
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

fn model(text: &str) -> Option<Model> {
    load("progress.cfsm", text.as_bytes()).ok().map(|loaded| loaded.model)
}

fn claims(model: &Model) -> Vec<(Property, Claim)> {
    let limits = TaskLimits {
        bound_first: 1,
        bound_max: 4,
        jobs: 1,
        exhaustive: false,
        queues: false,
        small_max: 100,
        evidence_max: 100_000,
        walks: qp_engines::Walks::NONE,
        bound_far: 0,
        lists: Lists::default(),
        sets: qp_engines::Sets::Explicit,
        order: qp_engines::Order::default(),
        reduce: false,
    };
    let properties = PROPERTIES.to_vec();
    let task = Task { model: model.clone(), properties, invariants: Vec::new(), limits };
    let answers = Progress.run(task, &Budget::states(4_000));
    answers.claims.into_iter().map(|answer| (answer.property, answer.claim)).collect()
}

/// Everything that can be reached while no queue holds more than so many messages.
struct Searched {
    configs: Vec<Config>,
    /// For each configuration: who moves, what happens, and where that leads.
    steps: Vec<Vec<(MachineId, Event, usize)>>,
    /// Whether a step was left out.
    cut: Vec<bool>,
}

fn search(system: &mut System, first: Config, bound: usize, most: usize) -> Option<Searched> {
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
enum Found {
    Nothing,
    /// Something cannot happen again within the bound.
    Suspect,
    /// Something can never happen again.
    Refuted,
}

impl Searched {
    fn judge(&self, system: &mut System, property: Property, near: usize) -> Found {
        let machines = (0..self.configs[0].locals.len()).map(MachineId::new);
        let queues = (0..self.configs[0].words.len()).map(QueueId::new);
        match property {
            Property::Stuck => machines
                .map(|machine| {
                    let hit = |mover: MachineId, _: Event| mover == machine;
                    self.goal(system, near, &hit, &|system, config| {
                        !system.program().may_rest(machine, config.local(machine))
                    })
                })
                .max()
                .unwrap_or(Found::Nothing),
            Property::Orphan => queues
                .map(|queue| {
                    let hit = |_: MachineId, event: Event| {
                        matches!(event, Event::Took { queue: from, .. } if from == queue)
                    };
                    self.goal(system, near, &hit, &|system, config| {
                        !system.words().is_empty(config.word(queue))
                    })
                })
                .max()
                .unwrap_or(Found::Nothing),
            Property::Deadlock => {
                let dead = |(number, config): (usize, &Config)| {
                    let mut machines = config.machines();
                    self.steps[number].is_empty()
                        && !self.cut[number]
                        && machines.any(|it| !system.program().may_rest(it, config.local(it)))
                };
                if self.configs.iter().enumerate().any(dead) { Found::Refuted } else { Found::Nothing }
            }
            _ => {
                let lost = |config: &Config| {
                    config.machines().any(|machine| system.unhandled(config, machine).is_some())
                };
                if self.configs.iter().any(lost) { Found::Refuted } else { Found::Nothing }
            }
        }
    }

    /// Whether everybody who needs a step of a kind has a way to it.
    fn goal(
        &self,
        system: &System,
        near: usize,
        hit: &dyn Fn(MachineId, Event) -> bool,
        needs: &dyn Fn(&System, &Config) -> bool,
    ) -> Found {
        let within = self.backwards(|number| self.steps[number].iter().any(|it| hit(it.0, it.1)));
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
fn far(system: &mut System, most: usize) -> Option<(Searched, usize)> {
    let first = system.initial();
    let search = |bound| Some((search(system, first.clone(), bound, most)?, bound));
    [7, 6, 5, 4, 3].into_iter().find_map(search)
}

/// Checks that nothing that was found missing behind a run happens there, as far as a plain search goes.
fn check_violation(model: &Model, ruling: &Ruling) -> bool {
    let Ruling::Violated { trace, finding, .. } = ruling else { return false };
    let mut system = model.system();
    let last = qp_check::replay(&mut system, &trace.steps).expect("it was just replayed");
    let bounds = [6, 5, 4, 3, 2, 1].into_iter();
    let mut searches = bounds.filter_map(|it| search(&mut system, last.last().clone(), it, 4_000));
    let Some(searched) = searches.next() else { return false };
    let hit = |&(mover, event, _): &(MachineId, Event, usize)| match *finding {
        Finding::Stuck { machine } => mover == machine,
        Finding::Orphan { queue } => {
            matches!(event, Event::Took { queue: from, .. } if from == queue)
        }
        _ => panic!("something else was found: {finding:?}"),
    };
    assert!(!searched.steps.iter().flatten().any(hit), "{finding:?}");
    searched.cut.contains(&true)
}

fn is_accepted(model: &Model, property: Property, claim: &Claim) -> bool {
    let verdict = Referee::new(model, 100_000).check(property, claim);
    verdict.is_ok_and(|verdict| matches!(verdict.ruling(), Ruling::Proved(_)))
}

/// How many systems are tried of each kind: more if somebody asks for it.
fn n_seeds(usual: u64) -> u64 {
    std::env::var("QP_PROGRESS_SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(usual)
}

fn compare(kind: Kind, usual: u64, least: usize) {
    let (mut n_proved, mut n_growing, mut n_violated) = (0, 0, 0);
    for seed in 0..n_seeds(usual) {
        let text = random_text(&mut Rng::new(seed), kind);
        let Some(model) = model(&text) else { continue };
        let (proved, others): (Vec<_>, Vec<_>) =
            claims(&model).into_iter().partition(|it| matches!(it.1, Claim::Holds(_)));
        // Covers take their time.
        for (property, claim) in others.into_iter().filter(|_| seed % 4 == 0) {
            let verdict = Referee::new(&model, 10_000).check(property, &claim);
            let verdict = verdict.unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
            n_violated += usize::from(check_violation(&model, verdict.ruling()));
        }
        if proved.is_empty() {
            continue;
        }
        let mut system = model.system();
        let Some((searched, bound)) = far(&mut system, 4_000) else { continue };
        let grows = searched.cut.contains(&true);
        if let Some((_, claim)) = proved.first() {
            let fails = |it: &(MachineId, Event, usize)| matches!(it.1, Event::Failed { .. });
            let fails = searched.steps.iter().flatten().any(fails);
            assert!(!fails || !is_accepted(&model, Property::Assert, claim), "seed {seed}\n{text}");
        }
        for (property, claim) in proved {
            let claim = through_text(&claim).expect("it can be written and read");
            let verdict = Referee::new(&model, 100_000).check(property, &claim);
            let verdict = verdict.unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
            assert!(matches!(verdict.ruling(), Ruling::Proved(_)), "seed {seed}\n{text}");
            let found = searched.judge(&mut system, property, bound.saturating_sub(4));
            assert_eq!(found, Found::Nothing, "seed {seed}, {property:?}, bound {bound}\n{text}");
            n_proved += 1;
            n_growing += usize::from(grows);
        }
    }
    println!(
        "{n_proved} proved, {n_growing} of growing systems, {n_violated} violated in growing ones"
    );
    assert!(n_growing >= least, "{n_proved} proved, {n_growing} of growing systems");
    assert!(kind.defers || n_violated >= least, "{n_violated} violated in growing systems");
}

#[test]
fn pairs_agree_with_plain_searches() {
    compare(Kind { pairs: true, defers: false, capacities: false }, 400, 15);
}

#[test]
fn mailboxes_agree_with_plain_searches() {
    compare(Kind { pairs: false, defers: false, capacities: false }, 400, 20);
}

#[test]
fn deferred_messages_agree_with_plain_searches() {
    compare(Kind { pairs: false, defers: true, capacities: false }, 400, 20);
}

#[test]
fn capacities_agree_with_plain_searches() {
    compare(Kind { pairs: true, defers: false, capacities: true }, 200, 5);
    compare(Kind { pairs: false, defers: true, capacities: true }, 200, 5);
}

/// Without who owes the next message of a mailbox, this would be proved: `b` may be first, and is then taken.
const MAILBOX: &str = "machine P0 { init S0: send P2 b -> E  E: }
machine P1 { init S0: send P2 a -> E  E: }
machine P2 { init S0: recv b -> S1  S1: recv a -> E  E: }";

#[test]
fn in_mailboxes_it_matters_who_sends_first() {
    let model = model(MAILBOX).expect("it is a model");
    for (property, claim) in claims(&model) {
        match property {
            Property::Stuck | Property::Orphan => {
                let verdict = Referee::new(&model, 100).check(property, &claim).expect("it is so");
                assert!(matches!(verdict.ruling(), Ruling::Violated { .. }), "{property:?}");
            }
            _ => assert!(matches!(claim, Claim::GaveUp(_)), "{property:?} {claim:?}"),
        }
    }
}

/// One place of a core changed.
fn mutate(core: &Core, rng: &mut Rng) -> Core {
    let mut changed = core.clone();
    let n_won = changed.won.len();
    match rng.below(9) {
        0 if !changed.edges.is_empty() => {
            let at = rng.below(changed.edges.len());
            changed.edges.remove(at);
        }
        1 if !changed.edges.is_empty() => {
            let (at, n_nodes) = (rng.below(changed.edges.len()), core.n_nodes());
            changed.edges[at].to = rng.below(n_nodes) as u32;
        }
        2 if n_won > 0 => {
            changed.won.remove(rng.below(n_won));
        }
        3 if n_won > 0 => {
            let nodes = &mut changed.won[rng.below(n_won)].nodes;
            let at = rng.below(nodes.len());
            nodes.remove(at);
        }
        4 if n_won > 0 => {
            let nodes = &mut changed.won[rng.below(n_won)].nodes;
            let at = rng.below(nodes.len());
            nodes[at].1 = rng.below(4) as u32;
        }
        5 if n_won > 0 => {
            let nodes = &mut changed.won[rng.below(n_won)].nodes;
            let at = rng.below(nodes.len());
            nodes[at].2 = if rng.percent(50) { None } else { Some(rng.below(8) as u32) };
        }
        6 if n_won > 0 => changed.won[rng.below(n_won)].owed.clear(),
        7 => {
            let machine = rng.below(changed.machines.len());
            let transitions = &mut changed.machines[machine].transitions;
            if !transitions.is_empty() {
                let at = rng.below(transitions.len());
                transitions.remove(at);
            }
        }
        _ => {
            let machine = rng.below(changed.machines.len());
            changed.machines[machine].skips.clear();
        }
    }
    changed
}

/// A text with one action less, or with another target.
fn neighbour(text: &str, rng: &mut Rng) -> String {
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

/// Evidence that was changed, about the system itself and about one that differs a little, is accepted only where a
/// plain search finds nothing wrong.
#[test]
fn changed_cores_prove_nothing_false() {
    let (mut n_tried, mut n_accepted, mut n_false) = (0, 0, 0);
    for seed in 0..n_seeds(200) {
        let rng = &mut Rng::new(seed);
        let defers = seed % 3 == 0;
        let kind = Kind { pairs: seed % 2 == 0, defers, capacities: seed % 5 == 0 };
        let text = random_text(rng, kind);
        let Some(own) = model(&text) else { continue };
        let cores = claims(&own).into_iter().filter_map(|(_, claim)| match claim {
            Claim::Holds(Proof::Core(core)) => Some(core),
            _ => None,
        });
        let Some(core) = cores.last() else { continue };
        for _ in 0..4 {
            let Some(other) = model(&neighbour(&text, rng)) else { continue };
            let mut system = other.system();
            let Some((searched, _)) = far(&mut system, 1_500) else { continue };
            for _ in 0..6 {
                let mut changed = (*core).clone();
                for _ in 0..rng.below(3) {
                    changed = mutate(&changed, rng);
                }
                let claim = Claim::Holds(Proof::Core(Arc::new(changed)));
                for property in PROPERTIES {
                    n_tried += 1;
                    let found = searched.judge(&mut system, property, 0);
                    n_false += usize::from(found == Found::Refuted);
                    if is_accepted(&other, property, &claim) {
                        n_accepted += 1;
                        assert_ne!(found, Found::Refuted, "seed {seed}, {property:?}\n{text}");
                    }
                }
            }
        }
    }
    assert!(n_tried > 2_000 && n_false > 500, "{n_tried} tried, {n_false} false");
    assert!(n_accepted > 10, "{n_accepted} accepted: nothing was tested");
}
