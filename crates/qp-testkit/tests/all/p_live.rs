//! Specs of P programs that must not stay hot: random programs against another algorithm, and small ones whose answer is
//! known.

#![allow(clippy::print_stdout, reason = "long runs say what they compared")]

use std::collections::{BTreeMap, BTreeSet};

use qp_base::Budget;
use qp_check::{Referee, Ruling};
use qp_claim::{ABSENT, Claim, ClosedSet, Proof, RankedSet, Shape, Stays, Trace};
use qp_engines::{Answers, Engine, Explore, Task, TaskLimits};
use qp_machines::{Config, Heat, Letter, MachineId, Model, Property, System};
use qp_testkit::p_make;
use qp_testkit::rng::Rng;

const LIVE: Property = Property::Ltl(0);

fn search(model: &Model, properties: &[Property]) -> Answers {
    let limits = TaskLimits {
        bound_max: 3,
        exhaustive: true,
        small_max: 100_000,
        evidence_max: 100_000,
        ..TaskLimits::default()
    };
    let properties = properties.to_vec();
    let task = Task { model: model.clone(), properties, invariants: Vec::new(), limits };
    Explore.run(task, &Budget::states(2_000))
}

fn model(text: &str) -> Model {
    let (model, said) = qp_load::load("m.p", text);
    model.unwrap_or_else(|| panic!("{said:?}\n{text}"))
}

fn word(model: &Model, claim: &Claim, text: &str) -> &'static str {
    let verdict = Referee::new(model, 1_000_000).check(LIVE, claim);
    match verdict.unwrap_or_else(|why| panic!("{why}\n{text}")).ruling() {
        Ruling::Proved(_) => "proved",
        Ruling::Violated { .. } => "violated",
        Ruling::Searched { .. } | Ruling::Unknown(_) => "unknown",
    }
}

/// Everything that can be reached, and who can do what there.
struct World {
    /// For each configuration and machine that can move: where to; nothing for a failure.
    moves: Vec<BTreeMap<MachineId, Vec<Option<usize>>>>,
    hot: Vec<bool>,
    cold: Vec<bool>,
}

impl World {
    fn of(model: &Model, heat: Heat) -> Self {
        let mut system = model.system();
        let initial = system.initial();
        let (mut known, mut todo) = (BTreeMap::from([(key(&initial), 0)]), vec![initial]);
        let mut world = Self { moves: Vec::new(), hot: Vec::new(), cold: Vec::new() };
        let is = |system: &mut System, config: &Config, condition| {
            system.reads(&Letter::Holds(condition), config, None)
        };
        while let Some(config) = todo.get(world.moves.len()).cloned() {
            world.hot.push(is(&mut system, &config, heat.hot));
            world.cold.push(heat.cold.is_some_and(|cold| is(&mut system, &config, cold)));
            let mut moves: BTreeMap<MachineId, Vec<Option<usize>>> = BTreeMap::new();
            for outcome in system.successors(&config) {
                let to = (!outcome.is_end()).then(|| {
                    *known.entry(key(&outcome.config)).or_insert_with(|| {
                        todo.push(outcome.config.clone());
                        todo.len() - 1
                    })
                });
                moves.entry(outcome.step.machine).or_default().push(to);
            }
            world.moves.push(moves);
            assert!(world.moves.len() < 100_000, "it was said to be small");
        }
        world
    }

    /// Whether a spec can stay hot: the greatest set in which, whatever is demanded again and again, it can be brought
    /// about for certain by machines that choose fairly, without leaving the set.
    fn stays_hot(&self) -> bool {
        let n_machines = self.moves.iter().flat_map(|moves| moves.keys()).max();
        let n_machines = n_machines.map_or(0, |last| last.index() + 1);
        let mut within: BTreeSet<usize> =
            (0..self.moves.len()).filter(|&at| !self.cold[at]).collect();
        loop {
            let before = within.len();
            within = self.surely(within, |at, _| self.hot[at]);
            for machine in (0..n_machines).map(MachineId::new) {
                within = self.surely(within, |at, allowed| {
                    !self.moves[at].contains_key(&machine) || allowed.contains(&machine)
                });
            }
            if within.len() == before {
                return !within.is_empty();
            }
        }
    }

    /// From where something can be reached for certain without leaving a set.
    fn surely(
        &self,
        mut within: BTreeSet<usize>,
        goal: impl Fn(usize, &[MachineId]) -> bool,
    ) -> BTreeSet<usize> {
        loop {
            let allowed = |at: usize| -> Vec<MachineId> {
                let stays = |to: &Option<usize>| to.is_some_and(|to| within.contains(&to));
                let moves = self.moves[at].iter();
                moves.filter(|(_, to)| to.iter().all(stays)).map(|(&machine, _)| machine).collect()
            };
            let may: BTreeMap<usize, Vec<MachineId>> =
                within.iter().map(|&at| (at, allowed(at))).collect();
            // Where nobody can move at all, the run stays; where nobody may, it would have to leave.
            let lives = |at: usize| self.moves[at].is_empty() || !may[&at].is_empty();
            let mut reaches: BTreeSet<usize> =
                within.iter().copied().filter(|&at| lives(at) && goal(at, &may[&at])).collect();
            loop {
                let leads = |at: &&usize| {
                    let to = may[at].iter().flat_map(|machine| &self.moves[**at][machine]);
                    to.flatten().any(|to| reaches.contains(to))
                };
                let more: Vec<usize> = within.difference(&reaches).filter(leads).copied().collect();
                if more.is_empty() {
                    break;
                }
                reaches.extend(more);
            }
            if reaches.len() == within.len() {
                return within;
            }
            within = reaches;
        }
    }
}

fn key(config: &Config) -> String {
    format!("{config:?}")
}

/// `QP_SEEDS` says how many programs are compared.
#[test]
fn specs_of_random_programs_stay_hot_where_end_components_say_so() {
    let n = std::env::var("QP_SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(600);
    let mut met: BTreeMap<&str, u32> = BTreeMap::new();
    let (mut n_levels, mut n_loops, mut n_forged) = (0, 0, 0);
    for seed in 0..n {
        let text = p_make::heated(seed);
        let model = model(&text);
        let Some(heat) = LIVE.heat(model.outline()) else { continue };
        let answers = search(&model, &[LIVE, Property::Bounded]);
        let (live, bounded) = (&answers.claims[0].claim, &answers.claims[1].claim);
        let found = word(&model, live, &text);
        let Claim::Holds(Proof::Closed(set)) = bounded else { continue };
        let world = World::of(&model, heat);
        let expected = if world.stays_hot() { "violated" } else { "proved" };
        assert_eq!(found, expected, "seed {seed}\n{text}");
        *met.entry(found).or_default() += 1;
        match live {
            Claim::Holds(Proof::Ranked(ranked)) => {
                n_levels += usize::from(ranked.ranks.len() > 1);
                no_loop_is_taken_for_hot(&model, seed, &text);
            }
            Claim::Violated(Trace { steps, shape: Shape::Lasso { from } }) => {
                n_loops += usize::from(*from < steps.len());
                n_forged += no_ranks_are_taken_for_true(&model, set, &world, seed);
            }
            other => panic!("{other:?}"),
        }
    }
    println!("{met:?}, {n_levels} with levels, {n_loops} with loops, {n_forged} forged");
    assert!(met["proved"] > n as u32 / 10 && met["violated"] > n as u32 / 10, "{met:?}");
    assert!(n_levels > 0 && n_loops > 0, "{n_levels} {n_loops}");
}

/// Loops that random runs go round in are no violations of what holds.
fn no_loop_is_taken_for_hot(model: &Model, seed: u64, text: &str) {
    let (mut rng, mut system) = (Rng::new(seed), model.system());
    for _ in 0..20 {
        let (mut run, mut steps) = (vec![system.initial()], Vec::new());
        for _ in 0..30 {
            let outcomes = system.successors(&run[run.len() - 1]);
            let Some(outcome) = outcomes.get(rng.below(outcomes.len().max(1))) else { break };
            if outcome.is_end() {
                break;
            }
            steps.push(outcome.step);
            if let Some(from) = run.iter().position(|before| *before == outcome.config) {
                let trace = Trace { steps: steps.clone(), shape: Shape::Lasso { from } };
                let verdict = Referee::new(model, 1_000_000).check(LIVE, &Claim::Violated(trace));
                assert!(verdict.is_err(), "seed {seed}: {verdict:?}\n{text}");
            }
            run.push(outcome.config.clone());
        }
    }
}

/// Ranks that somebody made up do not prove what is wrong.
fn no_ranks_are_taken_for_true(
    model: &Model,
    set: &std::sync::Arc<ClosedSet>,
    world: &World,
    seed: u64,
) -> usize {
    let mut rng = Rng::new(seed);
    let mut system = model.system();
    let n_machines = system.initial().locals.len() + 4;
    let heat = LIVE.heat(model.outline()).expect("it was asked");
    let cold = heat.cold.map_or_else(Vec::new, |_| world.cold.clone());
    for _ in 0..40 {
        let (n_ranks, n_levels) = (1 + rng.below(4), 1 + rng.below(3));
        let mut level = |last: bool| -> Vec<u32> {
            let kind = rng.below(3);
            let rank = |at: usize, rng: &mut Rng| match kind {
                0 => rng.below(n_ranks),
                1 => usize::from(world.hot.get(at).copied().unwrap_or(false)) % n_ranks,
                _ => (set.len() - at) % n_ranks,
            };
            (0..set.len())
                .map(|at| {
                    let absent = cold.get(at).copied().unwrap_or(false);
                    let rank = rank(at, &mut rng) as u32;
                    if absent {
                        ABSENT
                    } else if last {
                        rank
                    } else {
                        rank / 2
                    }
                })
                .collect()
        };
        let ranks = (0..n_levels).map(|number| level(number + 1 == n_levels)).collect();
        let mut reason = || match rng.below(3) {
            0 => Stays::NoneAccepts,
            1 => Stays::NoStep,
            _ => Stays::Waits(MachineId::new(rng.below(n_machines))),
        };
        let reasons = (0..n_ranks).map(|_| reason()).collect();
        let ranked = RankedSet { set: set.clone(), automaton: None, ranks, reasons };
        let claim = Claim::Holds(Proof::Ranked(ranked.into()));
        let verdict = Referee::new(model, 1_000_000).check(LIVE, &claim);
        assert!(verdict.is_err(), "seed {seed}: {verdict:?}");
    }
    40
}

/// A client that asks, and what the server does about it; the spec is hot while it waits.
fn asked(server: &str, spec: &str) -> String {
    format!(
        "event eAsk: machine; event eTell; event eAgain;
         machine Client {{ start state Init {{
             entry {{ send new Server(), eAsk, this; }}
             on eTell do {{ }} ignore eAgain; }} }}
         machine Server {{ var client: machine; {server} }}
         spec Told observes eAsk, eTell, eAgain {{ {spec} }}
         test tc [main=Client]: assert Told in {{ Client, Server }};"
    )
}

const WAITS: &str = "start cold state Calm { on eAsk goto Open; ignore eTell, eAgain; }
                     hot state Open { on eTell goto Calm; ignore eAsk, eAgain; }";

#[test]
fn specs_whose_answer_is_known() {
    let server = |code: &str| format!("start state S {{ {code} }}");
    let again = "on eAgain do { if ($) { send client, eTell; } else { send this, eAgain; } }";
    let cases = [
        ("it tells", server("on eAsk do (m: machine) { send m, eTell; }"), WAITS, "proved"),
        ("it is silent", server("on eAsk do (m: machine) { }"), WAITS, "violated"),
        (
            "it tells or not",
            server("on eAsk do (m: machine) { if ($) { send m, eTell; } }"),
            WAITS,
            "violated",
        ),
        (
            "it puts off, and chooses fairly",
            server(&format!("on eAsk do (m: machine) {{ client = m; send this, eAgain; }} {again}")),
            WAITS,
            "proved",
        ),
        (
            "it puts off for ever",
            server("on eAsk do (m: machine) { send this, eAgain; } on eAgain do { send this, eAgain; }"),
            WAITS,
            "violated",
        ),
        (
            "it may go where it puts off for ever",
            "start state S { on eAsk do (m: machine) { client = m; send this, eAgain; }
                 on eAgain do { if ($) { send client, eTell; } else { send this, eAgain; goto Lost; } } }
             state Lost { on eAgain do { send this, eAgain; } }"
                .to_owned(),
            WAITS,
            "violated",
        ),
        (
            "it puts off twice, and then chooses",
            "start state S { on eAsk do (m: machine) { client = m; send this, eAgain; }
                 on eAgain do { send this, eAgain; goto T; } }
             state T { on eAgain do { if ($) { send client, eTell; } else { send this, eAgain; goto S; } } }"
                .to_owned(),
            WAITS,
            "proved",
        ),
        (
            "what is neither hot nor cold does not end it",
            server("on eAsk do (m: machine) { client = m; send this, eAgain; }
                    on eAgain do { send client, eAgain; send this, eAgain; }"),
            "start cold state Calm { on eAsk goto Open; ignore eTell, eAgain; }
             hot state Open { on eAgain goto Half; ignore eTell, eAsk; }
             state Half { on eAgain goto Open; ignore eTell, eAsk; }",
            "violated",
        ),
        (
            "hot at first alone is well",
            server("on eAsk do (m: machine) { client = m; send this, eAgain; }
                    on eAgain do { send this, eAgain; }"),
            "start hot state Open { on eAsk goto Half; ignore eTell, eAgain; }
             state Half { ignore eTell, eAsk, eAgain; }",
            "proved",
        ),
        (
            "hot again and again, and cold in between",
            server("on eAsk do (m: machine) { client = m; send this, eAgain; }
                    on eAgain do { send this, eAgain; }"),
            "start hot state Open { on eAgain goto Calm; ignore eTell, eAsk; }
             cold state Calm { on eAgain goto Open; ignore eTell, eAsk; }",
            "proved",
        ),
    ];
    for (name, server, spec, expected) in cases {
        let text = asked(&server, spec);
        let model = model(&text);
        assert_eq!(LIVE.id(model.outline()), "live:Told");
        let answers = search(&model, &[LIVE]);
        assert_eq!(word(&model, &answers.claims[0].claim, &text), expected, "{name}");
    }
}
