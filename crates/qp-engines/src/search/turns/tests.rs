use std::collections::{BTreeMap, BTreeSet, VecDeque};

use qp_base::Budget;
use qp_machines::{Config, LocalId, Model, Property, QueueId, StoreId, System, WordId};
use qp_testkit::cfsm::{make, print};
use qp_testkit::crowd::Crowd;
use qp_testkit::lazy::Lazy;
use qp_testkit::pageant::Pageant;
use queueproof::Loaded;

use super::super::any::AnySearch;
use super::super::marks::{Ends, Watch};
use super::super::space::{Space, Subject};

/// Watches everything.
fn watch(model: &Model) -> Watch {
    let mut all =
        vec![Property::Assert, Property::Unhandled, Property::Divergence, Property::Deadlock];
    all.extend((0..model.outline().bad.len()).map(Property::Reach));
    Watch::new(&all, model.outline()).0
}

const BOUND: u32 = 3;
const STATES_MAX: usize = 2_000;

/// Everything that a complete search of a bound has to say.
#[derive(PartialEq, Debug, Default)]
struct Told {
    configs: BTreeMap<Config, Vec<Subject>>,
    transitions: u64,
    /// Which properties are violated.
    hits: BTreeSet<usize>,
    gave_up: bool,
    /// Queues at which sends were cut.
    stalls: BTreeSet<usize>,
    longest: BTreeMap<usize, u32>,
}

/// A way of expanding.
type Way = fn(System, Watch) -> Space;

/// What a fast way says, bound after bound; nothing if there is too much.
fn fast(model: &Model, new: Way, jobs: usize) -> Option<Told> {
    let mut space = new(model.system(), watch(model));
    let budget = Budget::states(STATES_MAX as u64);
    let mut search = AnySearch::new(&mut space, 1, jobs)?;
    loop {
        let (now, end) = search.run(&mut space, &budget, &mut |_, _| false);
        search = now;
        end.ok()?;
        if search.bound() == BOUND || search.is_over() {
            break;
        }
        search.raise(search.bound() + 1);
    }
    let mut told = Told { transitions: search.transitions(), ..Told::default() };
    for place in 0..search.len() as u32 {
        let (values, mut subjects) = (search.values(place), Vec::new());
        space.subjects(&values, &mut subjects);
        subjects.sort_unstable();
        subjects.dedup();
        let config = space.config(&values);
        told.configs.insert(renumbered(space.system(), &config), subjects);
    }
    let hits = search.hits().iter().enumerate();
    told.hits = hits.filter(|(_, hit)| hit.is_some()).map(|(bit, _)| bit).collect();
    told.gave_up = search.gave_up().is_some();
    let stalls = search.stalls().iter().enumerate();
    told.stalls = stalls.filter(|(_, places)| !places.is_empty()).map(|(queue, _)| queue).collect();
    let mut longest = vec![0; space.n_machines_queues().1];
    search.longest(&mut space, &mut longest);
    told.longest = longest.into_iter().enumerate().filter(|&(_, n)| n > 0).collect();
    Some(told)
}

/// What the one step function says.
fn slow(model: &Model) -> Option<Told> {
    let (mut system, watch) = (model.system(), watch(model));
    let first = system.initial();
    let (mut seen, mut open) = (BTreeSet::from([first.clone()]), VecDeque::from([first]));
    let mut told = Told::default();
    while let Some(config) = open.pop_front() {
        let outcomes = system.successors(&config);
        let (can_step, mut ends, mut subjects) = (!outcomes.is_empty(), Ends::NONE, Vec::new());
        for outcome in outcomes {
            for (machine, event) in outcome.happenings() {
                subjects.push(Subject::Moves(machine));
                subjects.extend(Subject::of(event));
            }
            if let Some(end) = Ends::of(system.program(), outcome.event) {
                ends.join(end);
                continue;
            }
            let cut = cuts(&system, &config, &outcome.config);
            if cut.is_empty() {
                told.transitions += 1;
                if seen.insert(outcome.config.clone()) {
                    open.push_back(outcome.config);
                }
            }
            told.stalls.extend(cut);
        }
        if seen.len() > STATES_MAX {
            return None;
        }
        subjects.sort_unstable();
        subjects.dedup();
        told.gave_up |= ends.has(Ends::GAVE_UP);
        let (machines, queues) = (config.machines().collect::<Vec<_>>(), config.queues());
        let mut marks = watch.marks(&mut system, &config, &machines, &queues.collect::<Vec<_>>());
        if machines.iter().any(|&machine| system.unhandled(&config, machine).is_some()) {
            ends.join(Ends::AT_A_LOSS);
        }
        marks.ends = ends;
        watch.without_absent(&mut marks, &config);
        let hits = watch.hits(&marks, can_step);
        told.hits.extend((0..watch.properties().len()).filter(|bit| hits >> bit & 1 == 1));
        for queue in config.queues() {
            let len = system.words().len(config.word(queue)) as u32;
            if len > 0 {
                let longest = told.longest.entry(queue.index()).or_default();
                *longest = (*longest).max(len);
            }
        }
        told.configs.insert(renumbered(&mut system, &config), subjects);
    }
    Some(told)
}

/// The queues that get longer than the bound.
fn cuts(system: &System, before: &Config, after: &Config) -> Vec<usize> {
    let len = |config: &Config, queue: QueueId| {
        config.words.get(queue.index()).map_or(0, |&word| system.words().len(word) as u32)
    };
    let grown = after.queues().filter(|&queue| len(after, queue) > len(before, queue));
    grown.filter(|&queue| len(after, queue) > BOUND).map(QueueId::index).collect()
}

/// Numbers depend on who asked first: in the order of their messages and texts they do not.
fn renumbered(system: &mut System, config: &Config) -> Config {
    let mut config = config.clone();
    for word in &mut config.words {
        let closed = u32::from(*word == WordId::CLOSED);
        let messages = system.words().messages(*word);
        let number = messages.iter().fold(1 + closed, |n, message| 5 * n + message.raw());
        *word = WordId::from_raw(number);
    }
    let number =
        |text: String| text.bytes().fold(7, |n: u32, byte| n.wrapping_mul(257) ^ u32::from(byte));
    config.store = StoreId::from_raw(number(system.store_text(config.store)));
    let program = system.program();
    let texts = config.machines().map(|m| program.local_text(m, config.local(m)));
    config.locals = texts.map(|text| LocalId::from_raw(number(text))).collect();
    config
}

/// How many systems were compared, how many were large, and of how many something was cut.
#[derive(Default)]
struct Tally {
    n: usize,
    n_large: usize,
    n_cut: usize,
    n_at_a_loss: usize,
    /// Of how many there are tables, which say the same as trees.
    n_compiled: usize,
}

impl Tally {
    fn compare(&mut self, model: &Model, what: &str) {
        let Some(slow) = slow(model) else { return };
        let is_compiled = model.system().is_local();
        let mut ways: Vec<(Way, usize)> = vec![(Space::new, 1), (Space::new, 2)];
        ways.extend(is_compiled.then_some((Space::by_footprints as Way, 1)));
        for (new, jobs) in ways {
            assert_eq!(fast(model, new, jobs).as_ref(), Some(&slow), "{what}");
        }
        self.n_compiled += usize::from(is_compiled);
        self.n += 1;
        self.n_large += usize::from(slow.configs.len() > 100);
        self.n_cut += usize::from(!slow.stalls.is_empty());
        self.n_at_a_loss += usize::from(slow.hits.contains(&1));
    }
}

#[test]
fn trees_say_of_turns_what_the_step_function_says() {
    let mut tally = Tally::default();
    for seed in 0..2400 {
        tally.compare(&Pageant::new(seed, seed % 3 == 0).model(), &format!("seed {seed}"));
    }
    let Tally { n, n_large, n_cut, .. } = tally;
    assert!(n_large > 30 && n_cut > 100, "the test is not vacuous: {n} {n_large} {n_cut}");
}

/// Deferred messages, conditions on queues, copies and sorted sends; and in texts rendezvous, shared queues, shared
/// variables, loss.
#[test]
fn trees_say_of_moves_what_the_step_function_says() {
    let mut tally = Tally::default();
    for seed in 0..1500 {
        tally.compare(&Lazy::new(seed).model(), &format!("seed {seed}"));
    }
    let mut n_texts = 0;
    for seed in 0..1500 {
        let text = print::text(&make::sketch(seed), seed);
        let loaded = queueproof::load("m.cfsm", text.as_bytes());
        let Ok(Loaded { model, .. }) = loaded else { panic!("no model: {text}") };
        n_texts += usize::from(!model.system().is_local());
        tally.compare(&model, &text);
    }
    let Tally { n, n_large, n_cut, n_at_a_loss, .. } = tally;
    let told = format!("{n} {n_large} {n_cut} {n_at_a_loss} {n_texts}");
    assert!(n_large > 30 && n_cut > 100 && n_at_a_loss > 100 && n_texts > 300, "{told}");
}

/// Machines that create each other, ask about each other's queues and are watched; and texts.
#[test]
fn tables_and_trees_say_what_the_step_function_says() {
    let mut tally = Tally::default();
    for seed in 0..3000 {
        tally.compare(&Crowd::new(seed, true).model(), &format!("seed {seed}"));
    }
    for seed in 1500..3000 {
        let text = print::text(&make::sketch(seed), seed);
        let loaded = queueproof::load("m.cfsm", text.as_bytes());
        let Ok(Loaded { model, .. }) = loaded else { panic!("no model: {text}") };
        if model.system().is_local() {
            tally.compare(&model, &text);
        }
    }
    let Tally { n, n_large, n_cut, n_at_a_loss, n_compiled } = tally;
    let told = format!("{n} {n_large} {n_cut} {n_at_a_loss} {n_compiled}");
    assert!(n_large > 100 && n_cut > 300 && n_at_a_loss > 300 && n_compiled > 2000, "{told}");
}
