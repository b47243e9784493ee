//! The visited configurations as a graph, with what automata and fairness ask of it.

use qp_base::{Budget, Exhausted, Interner, Map, Spent};
use qp_machines::{Config, MachineId, Outcome, System};

use super::letters::Letters;
use crate::search::Search;
use crate::search::any::{AnySearch, inside};
use crate::search::space::Space;
use crate::search::steps::each_expanded;

/// The number of a step in the graph.
pub(super) type StepNumber = u32;

/// Where a run has ended, it stays for ever: a step of its own kind.
pub(super) const STAYS: StepNumber = u32::MAX - 1;

/// The graph of the visited configurations. What was cut is not in it, so all that is in it is real.
pub(super) struct Graph {
    /// The steps of place `i` are those from number `starts[i]` to `starts[i + 1]`.
    starts: Vec<StepNumber>,
    targets: Vec<u32>,
    /// For each step: the number of its label, if steps differ in anything.
    labels: Vec<u32>,
    known: Interner<usize, Label>,
    /// For each place: the bits of the configuration.
    bits: Vec<u64>,
    /// For each place with fairness: the number of the label of everything that can happen.
    able: Vec<u32>,
    /// Places without any step.
    ended: Vec<bool>,
    /// Machines in places of which some step is not in the graph, because it fails or was cut, in order; only with
    /// fairness.
    torn: Vec<(u32, MachineId)>,
    /// The bits of staying where a run has ended.
    end_bits: u64,
    pub(super) n_machines: usize,
    fair: bool,
}

/// What an automaton and fairness see of a step.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Label {
    pub(super) bits: u64,
    /// Who moves, in order; only with fairness.
    pub(super) movers: Vec<MachineId>,
}

impl Graph {
    pub(super) fn of(
        space: &mut Space,
        search: &AnySearch,
        letters: &mut Letters,
        fair: bool,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let mut graph = Self::empty(space.n_machines_queues().0, letters, fair);
        if fair || letters.any_about_steps() {
            graph.with_labels(space, search, letters, budget)?;
        } else {
            inside!(search, search => graph.without_labels(space, search, letters, budget))?;
        }
        Ok(graph)
    }

    /// The graph of rows: `leads` says for each of them and each of its steps to which row it leads.
    pub(super) fn of_rows(
        system: &mut System,
        rows: &[Config],
        leads: &dyn Fn(usize, usize) -> u32,
        letters: &mut Letters,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let n_machines = rows.iter().map(|config| config.locals.len()).max().unwrap_or(0);
        let mut graph = Self::empty(n_machines, letters, true);
        for (place, config) in rows.iter().enumerate() {
            let to = |number: usize, _: &Outcome| Some(leads(place, number));
            graph.add(system, letters, place as u32, config, to);
            if place.is_multiple_of(1 << 12) {
                budget.check(Spent { states: rows.len() as u64, bytes: graph.bytes() })?;
            }
        }
        Ok(graph)
    }

    fn empty(n_machines: usize, letters: &Letters, fair: bool) -> Self {
        Self {
            starts: vec![0],
            targets: Vec::new(),
            labels: Vec::new(),
            known: Interner::new(),
            bits: Vec::new(),
            able: Vec::new(),
            ended: Vec::new(),
            torn: Vec::new(),
            end_bits: letters.of_end(),
            n_machines,
            fair,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.bits.len()
    }

    pub(super) fn n_steps(&self) -> usize {
        self.targets.len()
    }

    /// Whether no run through the graph goes on for ever: places can be left out one after the other, each when
    /// nothing leads to it any more.
    pub(super) fn every_run_ends(&self) -> bool {
        let mut ways_in = vec![0_u32; self.len()];
        self.targets.iter().for_each(|&to| ways_in[to as usize] += 1);
        let mut open: Vec<usize> = (0..self.len()).filter(|&place| ways_in[place] == 0).collect();
        let mut left = self.len();
        while let Some(place) = open.pop() {
            left -= 1;
            for step in self.starts[place]..self.starts[place + 1] {
                let to = self.target(place, step);
                ways_in[to] -= 1;
                if ways_in[to] == 0 {
                    open.push(to);
                }
            }
        }
        left == 0
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.targets.len() * 4 + self.labels.len() * 4 + self.bits.len() * 17) as u64
    }

    /// The steps of a place, and where each leads.
    pub(super) fn steps(&self, place: usize) -> std::ops::Range<StepNumber> {
        if self.ended[place] {
            return STAYS..STAYS + 1;
        }
        self.starts[place]..self.starts[place + 1]
    }

    pub(super) fn target(&self, place: usize, step: StepNumber) -> usize {
        if step == STAYS { place } else { self.targets[step as usize] as usize }
    }

    /// The bits of a place and one of its steps.
    pub(super) fn bits(&self, place: usize, step: StepNumber) -> u64 {
        if step == STAYS {
            return self.bits[place] | self.end_bits;
        }
        self.bits[place] | self.label(step).map_or(0, |label| label.bits)
    }

    fn label(&self, step: StepNumber) -> Option<&Label> {
        self.labels.get(step as usize).map(|&label| self.known.value(label as usize))
    }

    /// Who moves in a step; known with fairness only.
    pub(super) fn movers(&self, step: StepNumber) -> &[MachineId] {
        self.label(step).map_or(&[], |label| &label.movers)
    }

    /// Who can move in a place; known with fairness only.
    pub(super) fn able(&self, place: usize) -> &[MachineId] {
        self.able.get(place).map_or(&[], |&able| &self.known.value(able as usize).movers)
    }

    /// Whether some step of a machine in a place is not in the graph; known with fairness only.
    pub(super) fn is_torn(&self, place: usize, machine: MachineId) -> bool {
        self.torn.binary_search(&(place as u32, machine)).is_ok()
    }

    /// The bits of a place.
    pub(super) fn bits_of(&self, place: usize) -> u64 {
        self.bits[place]
    }

    /// The step of the system that is a step of the graph.
    pub(super) fn outcome(
        &self,
        space: &mut Space,
        search: &AnySearch,
        letters: &Letters,
        (place, step): (usize, StepNumber),
    ) -> Outcome {
        let from = space.config(&search.values(place as u32));
        let to = space.config(&search.values(self.target(place, step) as u32));
        let (system, wanted) = (space.system(), self.label(step));
        let outcomes = system.successors(&from);
        let is_it = |outcome: &Outcome| {
            let mut same =
                |wanted: &Label| *wanted == label(system, letters, self.fair, &from, outcome);
            outcome.config == to && !outcome.is_end() && wanted.is_none_or(&mut same)
        };
        outcomes.into_iter().find(is_it).expect("the graph has only steps that exist")
    }

    /// The fast way: expanding as the search does, where it does not matter what happens in a step.
    fn without_labels<const W: usize>(
        &mut self,
        space: &mut Space,
        search: &Search<W>,
        letters: &mut Letters,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        let mut targets: Vec<u32> = Vec::new();
        each_expanded(space, search, budget, |space, expanded| {
            let config = space.config(&search.values(expanded.place));
            targets.extend(expanded.targets.iter().flatten());
            targets.sort_unstable();
            targets.dedup();
            self.targets.append(&mut targets);
            let ended =
                expanded.targets.is_empty() && space.system().successors(&config).is_empty();
            let bits = letters.of_config(space.system(), &config);
            self.close(bits, ended);
            self.bytes()
        })
    }

    /// The slow way, through the one step function.
    fn with_labels(
        &mut self,
        space: &mut Space,
        search: &AnySearch,
        letters: &mut Letters,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        let n = search.len() as u32;
        // Looking a configuration up must not make the search aware of anything new, as packing it would.
        let mut index: Map<Box<[u32]>, u32> = Map::default();
        for place in 0..n {
            let config = space.config(&search.values(place));
            index.insert(cells(&config), place);
        }
        let width = index.keys().next().map_or(0, |key| key.len() * 4 + 40);
        let bytes = search.bytes() + space.bytes() + (n as usize * width) as u64;
        for place in 0..n {
            let config = space.config(&search.values(place));
            let to = |_: usize, outcome: &Outcome| index.get(&cells(&outcome.config)).copied();
            self.add(space.system(), letters, place, &config, to);
            if place.is_multiple_of(1 << 12) {
                budget.check(Spent { states: u64::from(n), bytes: bytes + self.bytes() })?;
            }
        }
        Ok(())
    }

    /// Adds a place with its steps, through the one step function; `to` says where they lead.
    fn add(
        &mut self,
        system: &mut System,
        letters: &mut Letters,
        place: u32,
        config: &Config,
        to: impl Fn(usize, &Outcome) -> Option<u32>,
    ) {
        let outcomes = system.successors(config);
        let mut able: Vec<MachineId> = Vec::new();
        for (number, outcome) in outcomes.iter().enumerate() {
            let label = label(system, letters, self.fair, config, outcome);
            able.push(outcome.step.machine);
            if let Some(to) = to(number, outcome).filter(|_| !outcome.is_end()) {
                self.targets.push(to);
                self.labels.push(self.known.intern(label) as u32);
            } else if self.fair {
                self.torn.push((place, outcome.step.machine));
            }
        }
        let torn = self.torn.partition_point(|&(before, _)| before < place);
        self.torn[torn..].sort_unstable();
        if self.fair {
            able.sort_unstable();
            able.dedup();
            self.able.push(self.known.intern(Label { bits: 0, movers: able }) as u32);
        }
        let bits = letters.of_config(system, config);
        self.close(bits, outcomes.is_empty());
    }

    /// Finishes a place.
    fn close(&mut self, bits: u64, ended: bool) {
        self.bits.push(bits);
        self.ended.push(ended);
        let n = StepNumber::try_from(self.targets.len()).ok().filter(|&n| n < STAYS);
        self.starts.push(n.expect("there are fewer than 2^32 steps"));
    }
}

/// What an automaton and fairness see of a step.
fn label(
    system: &mut System,
    letters: &Letters,
    fair: bool,
    config: &Config,
    outcome: &Outcome,
) -> Label {
    let bits = letters.of_step(system, config, outcome.event);
    let mut movers = if fair { outcome.movers() } else { Vec::new() };
    movers.sort_unstable();
    Label { bits, movers }
}

/// A configuration as numbers, to be looked up.
fn cells(config: &Config) -> Box<[u32]> {
    let locals = config.locals.iter().map(|local| local.raw());
    let words = config.words.iter().zip(&config.kinds).flat_map(|(w, k)| [w.raw(), k.raw()]);
    let holder = config.holder.map_or(u32::MAX, MachineId::raw);
    let rest = [config.locals.len() as u32, config.store.raw(), holder];
    rest.into_iter().chain(locals).chain(words).collect()
}
