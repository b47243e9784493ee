//! The one step function remembers what programs say about turns: it must not make a difference.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use qp_load::{File, Switches, load_files};
use qp_machines::{
    CellId, Config, Event, KindId, Letter, LocalId, MachineId, Model, Outcome, Property, QueueId,
    Reads, Step, System, WordId,
};
use qp_testkit::pageant::Pageant;

/// How many configurations of a model are looked at.
const CONFIGS_MAX: usize = 1_000;

/// A configuration that notes nothing.
struct Blank<'a> {
    config: &'a Config,
    cells: &'a [i32],
}

impl Reads for Blank<'_> {
    fn n_machines(&mut self) -> usize {
        self.config.locals.len()
    }
    fn n_queues(&mut self) -> usize {
        self.config.words.len()
    }
    fn local(&mut self, machine: MachineId) -> LocalId {
        self.config.local(machine)
    }
    fn cell(&mut self, cell: CellId) -> i32 {
        self.cells[cell.index()]
    }
    fn word(&mut self, queue: QueueId) -> WordId {
        self.config.words[queue.index()]
    }
    fn kind(&mut self, queue: QueueId) -> KindId {
        self.config.kinds[queue.index()]
    }
}

/// What a machine can do, asked of the program anew.
fn asked(system: &mut System, config: &Config, machine: MachineId, timeout: bool) -> Vec<Outcome> {
    let cells = system.cells(config.store);
    let turns = system.turns_in(machine, timeout, &mut Blank { config, cells: &cells });
    let mut outcomes = Vec::new();
    for (turn, choice) in turns.iter().zip(0..) {
        let (event, after) = system.played(config, turn);
        let (step, acts) = (Step { machine, choice }, turn.acts().to_vec());
        outcomes.push(Outcome { step, event, config: after, acts });
    }
    outcomes
}

/// How many outcomes were compared.
fn compare(name: &str, model: &Model) -> usize {
    let mut system = model.system();
    let initial = system.initial();
    let mut seen = BTreeSet::from([initial.clone()]);
    let (mut waiting, mut n_compared) = (vec![initial], 0);
    while let Some(config) = waiting.pop() {
        for (machine, timeout) in config.machines().flat_map(|m| [(m, false), (m, true)]) {
            let remembered = system.outcomes(&config, machine, timeout);
            let expected = asked(&mut system, &config, machine, timeout);
            assert_eq!(remembered, expected, "{name}: {machine:?} in {config:?}");
            n_compared += expected.len();
        }
        for outcome in system.successors(&config) {
            let ends = matches!(outcome.event, Event::Failed { .. } | Event::GaveUp { .. });
            if !ends && seen.len() < CONFIGS_MAX && seen.insert(outcome.config.clone()) {
                waiting.push(outcome.config);
            }
        }
    }
    compare_conditions(name, &mut system, &seen);
    n_compared
}

fn compare_conditions(name: &str, system: &mut System, configs: &BTreeSet<Config>) {
    let automata: Vec<_> = {
        let outline = system.program().outline();
        (0..outline.ltl.len()).filter_map(|n| outline.wrong_runs(Property::Ltl(n))).collect()
    };
    let edges = automata.iter().flat_map(|it| &it.states).flat_map(|state| &state.edges);
    let letters: BTreeSet<&Letter> =
        edges.flat_map(|edge| &edge.when).map(|(letter, _)| letter).collect();
    for config in configs {
        for letter in &letters {
            let &&Letter::Holds(condition) = letter else { continue };
            let remembered = system.reads(letter, config, None);
            let cells = system.cells(config.store);
            let expected = system.holds_in(condition, &mut Blank { config, cells: &cells });
            assert_eq!(remembered, expected, "{name}: {condition:?} in {config:?}");
        }
    }
}

#[test]
fn random_programs_do_what_they_say() {
    let compared =
        |seed| compare(&format!("seed {seed}"), &Pageant::new(seed, seed % 2 == 0).model());
    let n_compared: usize = (0..1000).map(compared).sum();
    assert!(n_compared > 100_000, "only {n_compared} outcomes");
}

#[test]
fn models_of_the_corpus_do_what_they_say() {
    let mut n_compared = 0;
    for path in models() {
        let name = path.display().to_string();
        let bytes = std::fs::read(&path).expect("the model can be read");
        let reading =
            load_files(&name, &[File { name: name.clone(), bytes }], &Switches::default());
        let model = reading.model.unwrap_or_else(|| panic!("{name}: {:?}", reading.diagnostics));
        n_compared += compare(&name, &model);
    }
    assert!(n_compared > 50_000, "only {n_compared} outcomes");
}

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/promela");
    let entries = std::fs::read_dir(folder).expect("the corpus is there");
    let mut found: Vec<PathBuf> =
        entries.map(|entry| entry.expect("the corpus can be listed").path()).collect();
    found.retain(|path| path.extension().is_some_and(|it| it == "pml"));
    found.sort();
    found
}
