//! Complete searches that are checked by searching again: against brute force, and against the check of listed rows.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use qp_base::Budget;
use qp_check::{Referee, Ruling};
use qp_claim::{Claim, CompleteSearch, Proof};
use qp_engines::{Answer, Engine, Explore, Task, TaskLimits};
use qp_machines::{Config, Event, MachineId, Model, Property, QueueId};
use qp_promela::Granularity;
use qp_testkit::brute::violates;
use qp_testkit::corpus::cases;
use qp_testkit::crowd::Crowd;
use qp_testkit::pageant::Pageant;
use qp_testkit::promela::make::{self as promela, Wanted};
use qp_testkit::promela::ours;
use qp_testkit::{compare, make, p_make};

/// What is true of a model, if it has so many configurations and no more.
struct Truth {
    configurations: u64,
    /// Properties with whether they hold.
    properties: Vec<(Property, bool)>,
    /// Whether messages are taken from behind others: then `orphan` is never proved.
    skips: bool,
}

/// Who can do what in a configuration, and where that leads.
type Doings = (Vec<(MachineId, Event)>, Vec<usize>);

/// Follows the one step function blindly. Where there are more than `most` configurations, or the interpreter gives up,
/// only a number is told: whoever claims that there are fewer is wrong.
fn truth(model: &Model, most: usize) -> Result<Truth, usize> {
    let mut system = model.system();
    let outline = model.outline().clone();
    let simple = [Property::Assert, Property::Unhandled, Property::Divergence, Property::Deadlock];
    let simple: Vec<Property> =
        simple.into_iter().chain((0..outline.bad.len()).map(Property::Reach)).collect();
    let (mut violated, mut longest) = (BTreeSet::new(), BTreeMap::<QueueId, u32>::new());
    let mut configs = vec![system.initial()];
    let mut numbers: HashMap<Config, usize> = HashMap::from([(configs[0].clone(), 0)]);
    let mut graph: Vec<Doings> = Vec::new();
    while graph.len() < configs.len() {
        let config = configs[graph.len()].clone();
        let outcomes = system.successors(&config);
        violated.extend(
            simple.iter().filter(|&&it| violates(&mut system, it, &config, &outcomes)).copied(),
        );
        for queue in config.queues() {
            let len = system.words().len(config.word(queue)) as u32;
            let longest = longest.entry(queue).or_default();
            *longest = len.max(*longest);
        }
        let mut doings: Doings = Default::default();
        for outcome in outcomes {
            if matches!(outcome.event, Event::GaveUp { .. }) {
                return Err(configs.len() + 1);
            }
            doings.0.extend(outcome.happenings());
            if !matches!(outcome.event, Event::Failed { .. }) {
                let next = numbers.len();
                let to = *numbers.entry(outcome.config.clone()).or_insert(next);
                if to == next {
                    configs.push(outcome.config);
                }
                doings.1.push(to);
            }
        }
        graph.push(doings);
        if configs.len() > most {
            return Err(configs.len());
        }
    }
    let mut properties: Vec<(Property, bool)> =
        simple.iter().map(|&property| (property, !violated.contains(&property))).collect();
    properties.push((Property::Bounded, true));
    for (&queue, &longest) in &longest {
        properties.push((Property::Length(queue, longest), true));
        properties.extend(longest.checked_sub(1).map(|it| (Property::Length(queue, it), false)));
    }
    let moves = |machine: MachineId| {
        move |(mover, event): &(MachineId, Event)| {
            *mover == machine
                || matches!(event, Event::Handshake { receiver, .. } if *receiver == machine)
        }
    };
    let stuck = configs.iter().flat_map(Config::machines).collect::<BTreeSet<_>>().into_iter().any(
        |machine| {
            let can = eventually(&graph, moves(machine));
            let waits = |config: &Config| {
                machine.index() < config.locals.len()
                    && !system.program().may_rest(machine, config.local(machine))
            };
            configs.iter().zip(can).any(|(config, can)| waits(config) && !can)
        },
    );
    properties.push((Property::Stuck, !stuck));
    let orphan = longest.keys().any(|&queue| {
        let can = eventually(&graph, |(_, event)| {
            matches!(event, Event::Took { queue: it, kept: false, .. } | Event::Closed { queue: it }
                if *it == queue)
        });
        let waits = |config: &Config| {
            queue.index() < config.words.len() && !system.words().is_empty(config.word(queue))
        };
        configs.iter().zip(can).any(|(config, can)| waits(config) && !can)
    });
    properties.push((Property::Orphan, !orphan));
    let is_skip = |(_, event): &(MachineId, Event)| matches!(event, Event::Took { position, .. } if *position > 0);
    let skips = graph.iter().any(|(happens, _)| happens.iter().any(is_skip));
    Ok(Truth { configurations: configs.len() as u64, properties, skips })
}

/// For each configuration: whether something can still happen.
fn eventually(graph: &[Doings], happens: impl Fn(&(MachineId, Event)) -> bool) -> Vec<bool> {
    let mut can: Vec<bool> = graph.iter().map(|(now, _)| now.iter().any(&happens)).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for (place, (_, next)) in graph.iter().enumerate() {
            if !can[place] && next.iter().any(|&next| can[next]) {
                (can[place], changed) = (true, true);
            }
        }
    }
    can
}

fn claim(configurations: u64) -> Claim {
    Claim::Holds(Proof::Search(CompleteSearch { configurations }))
}

fn accepts(referee: &mut Referee, property: Property, claim: &Claim) -> bool {
    match referee.check(property, claim).map(|verdict| verdict.ruling().clone()) {
        Ok(Ruling::Proved(_)) => true,
        Ok(other) => panic!("{other:?}"),
        Err(_) => false,
    }
}

/// What the search says that lists nothing: every claim must stand up. Returns how many are complete searches.
fn searches_stand_up(name: &str, model: &Model, properties: &[Property]) -> usize {
    let limits = TaskLimits {
        bound_max: 8,
        exhaustive: true,
        queues: true,
        small_max: 10_000,
        evidence_max: 0,
        ..TaskLimits::default()
    };
    let (model, properties) = (model.clone(), properties.to_vec());
    let task = Task { model: model.clone(), properties, invariants: Vec::new(), limits };
    let answers = Explore.run(task, &Budget::states(10_000));
    let mut referee = Referee::new(&model, 10_000);
    let mut n_searches = 0;
    for Answer { property, claim, .. } in &answers.claims {
        let verdict = referee.check(*property, claim);
        let verdict = verdict.unwrap_or_else(|why| panic!("{name}: {property:?}: {why}"));
        if matches!(claim, Claim::Holds(_)) {
            assert!(matches!(verdict.ruling(), Ruling::Proved(_)), "{name}: {property:?}");
            n_searches += 1;
        }
    }
    n_searches
}

/// How many claims were accepted and refused.
#[derive(Default, Debug)]
struct Counts {
    models: usize,
    large: usize,
    accepted: usize,
    refused: usize,
    searches: usize,
}

impl Counts {
    /// Checks that true claims are accepted and false ones refused.
    fn compare(&mut self, name: &str, model: &Model, most: usize) {
        let truth = match truth(model, most) {
            Ok(truth) => truth,
            Err(met) => {
                // There is no end of it, or it is far: whatever is claimed is refused before that.
                self.large += 1;
                let claim = claim(met as u64 - 1);
                let mut referee = Referee::new(model, 0).with_jobs(2);
                assert!(
                    !accepts(&mut referee, Property::Bounded, &claim),
                    "{name}: there are more"
                );
                return;
            }
        };
        self.models += 1;
        let asked: Vec<Property> = truth.properties.iter().map(|it| it.0).collect();
        self.searches += searches_stand_up(name, model, &asked);
        let right = claim(truth.configurations);
        // One search is asked everything, and the order must not matter.
        let mut referees = [1, 2].map(|jobs| Referee::new(model, 0).with_jobs(jobs));
        for (number, &(property, holds)) in truth.properties.iter().enumerate() {
            let expected = holds && !(property == Property::Orphan && truth.skips);
            for referee in &mut referees {
                let accepted = accepts(referee, property, &right);
                assert_eq!(accepted, expected, "{name}: {property:?}");
            }
            if number == 0 {
                let mut fresh = Referee::new(model, 0);
                for (property, _) in truth.properties.iter().rev().take(2) {
                    accepts(&mut fresh, *property, &right);
                }
                assert_eq!(accepts(&mut fresh, property, &right), expected, "{name}: {property:?}");
            }
            *(if expected { &mut self.accepted } else { &mut self.refused }) += 1;
        }
        for wrong in [truth.configurations - 1, truth.configurations + 1, 0, u64::MAX / 12] {
            for (property, _) in [truth.properties[0], (Property::Bounded, true)] {
                let mut referee = Referee::new(model, 0);
                assert!(!accepts(&mut referee, property, &claim(wrong)), "{name}: {wrong}");
            }
        }
        for property in [Property::Livelock, Property::Accept, Property::Sync, Property::Sendlang] {
            assert!(!accepts(&mut referees[0], property, &right), "{name}: {property:?}");
        }
    }
}

#[test]
fn random_automata() {
    let mut counts = Counts::default();
    for seed in 0..3_000 {
        let Ok(loaded) = compare::loaded(&make::net(seed)) else { continue };
        counts.compare(&format!("automata {seed}"), &loaded.model, 1_000);
    }
    println!("{counts:?}");
    assert!(counts.accepted > 5_000 && counts.refused > 2_000 && counts.large > 200, "{counts:?}");
}

#[test]
fn machines_that_create_others() {
    let mut counts = Counts::default();
    for seed in 0..1_500 {
        let model = Crowd::new(seed, seed % 2 == 0).model();
        counts.compare(&format!("crowd {seed}"), &model, 1_000);
    }
    println!("{counts:?}");
    assert!(counts.accepted > 1_000 && counts.refused > 500, "{counts:?}");
}

#[test]
fn programs_whose_steps_are_turns() {
    let mut counts = Counts::default();
    for seed in 0..1_500 {
        let model = Pageant::new(seed, seed % 2 == 0).model();
        counts.compare(&format!("pageant {seed}"), &model, 1_000);
    }
    println!("{counts:?}");
    assert!(counts.accepted > 1_000 && counts.refused > 500, "{counts:?}");
}

#[test]
fn promela_models() {
    let mut counts = Counts::default();
    for seed in 0..400 {
        let text = promela::model(seed, Wanted::Safety);
        for granularity in [Granularity::Visible, Granularity::Statement] {
            let Ok(model) = ours::model(&text, granularity) else { continue };
            counts.compare(&format!("promela {seed}"), &model, 1_500);
        }
    }
    println!("{counts:?}");
    assert!(counts.accepted > 1_000 && counts.refused > 300, "{counts:?}");
}

#[test]
fn p_programs() {
    let mut counts = Counts::default();
    for seed in 0..300 {
        let text = p_make::program(seed);
        let Ok(loaded) = queueproof::load("random.p", text.as_bytes()) else { continue };
        counts.compare(&format!("P {seed}"), &loaded.model, 1_500);
    }
    println!("{counts:?}");
    assert!(counts.accepted > 500 && counts.refused > 100, "{counts:?}");
}

#[test]
fn models_of_the_corpus() {
    let mut counts = Counts::default();
    for case in cases().into_iter().flatten() {
        counts.compare(&case.name, &case.loaded.model, 3_000);
    }
    println!("{counts:?}");
    assert!(counts.accepted > 500 && counts.refused > 100, "{counts:?}");
}
