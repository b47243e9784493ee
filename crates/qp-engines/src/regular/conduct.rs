//! One run of the engine: exactly, if that comes to an end, else with blurred automata.

use std::sync::Arc;

use qp_automata::regular::Language;
use qp_base::{Budget, Exhausted};
use qp_claim::{Claim, Proof, Reason, RegularSet, Trace};
use qp_machines::{Property, QueueId};

use crate::settled::Settled;
use crate::stop::outside;
use crate::{Answers, Facts, Figures, QueueAnswer, Task};

use super::evidence::regular_set;
use super::infinite;
use super::refine::{Guards, Origin, Refined, refined, widen};
use super::row_graph::RowGraph;
use super::runs::run_to;
use super::search::{Found, LOOK_WORK_MAX, Reach, search};
use super::treats;
use super::world::{Stop, World};
use super::wrong::Spot;

/// Searches with cycles, one after the other, if the one before did not come to an end.
pub(super) const REACHES: [Reach; 3] = [
    Reach { cycle_max: 4, work_max: 8_000, loose: false, long: true },
    Reach { cycle_max: 10, work_max: 24_000, loose: false, long: true },
    Reach { cycle_max: 4, work_max: 8_000, loose: true, long: true },
];
/// Lengths of words by which states of automata are told apart, one after the other.
const LENGTHS: [usize; 4] = [1, 2, 3, 4];
/// So often a search with blurred automata is refined.
const ROUNDS_MAX: usize = 8;
/// States of automata that one search with blurred automata may go through.
const WIDEN_WORK_MAX: u64 = 20_000;

/// Answers a task.
pub(super) fn run(task: &Task, facts: &Facts, budget: &Budget) -> Answers {
    let world = World::new(&task.model, budget);
    let mut conduct = Conduct {
        task,
        facts,
        budget,
        world,
        settled: Settled::new(task, treats),
        growth: Vec::new(),
        sought: Vec::new(),
    };
    if let Err(stop) = conduct.work() {
        conduct.settled.note(&stop);
    }
    let Conduct { settled, sought, .. } = conduct;
    settled.finish(|property| {
        let because = "no run was found that repeats its last steps and violates it, and others \
                       are not ruled out";
        sought.contains(&property).then(|| outside(because))
    })
}

struct Conduct<'a> {
    task: &'a Task,
    facts: &'a Facts,
    budget: &'a Budget,
    world: World,
    settled: Settled<'a>,
    /// Runs that make queues grow.
    growth: Vec<(QueueId, Trace)>,
    /// The properties for which an endless run was looked for.
    sought: Vec<Property>,
}

impl Conduct<'_> {
    fn work(&mut self) -> Result<(), Stop> {
        // It knows the graph of controls afterwards.
        let is_large = match widen(&mut self.world, 1, LOOK_WORK_MAX, self.budget) {
            Ok(found) => {
                self.conclude(&found)?;
                false
            }
            Err(stop) => {
                self.go_on_after(stop)?;
                true
            }
        };
        if self.open().is_empty() {
            return Ok(());
        }
        // Where that did not end, there are many controls: other searches will hardly end, either.
        for reach in REACHES.into_iter().take(if is_large { 1 } else { REACHES.len() }) {
            match search(&mut self.world, reach, self.budget) {
                Ok(found) => {
                    self.conclude(&found)?;
                    if !found.over || self.open().is_empty() {
                        return Ok(());
                    }
                }
                Err(stop) => self.go_on_after(stop)?,
            }
        }
        self.refine()
    }

    /// Blurred sets, made finer where they have too much in them.
    fn refine(&mut self) -> Result<(), Stop> {
        for length in LENGTHS {
            let mut guards = Guards::default();
            for _ in 0..ROUNDS_MAX {
                if self.open().is_empty() {
                    return Ok(());
                }
                match refined(&mut self.world, length, &guards, WIDEN_WORK_MAX, self.budget) {
                    Ok(set) => {
                        self.conclude(&set.found)?;
                        if !self.learn(&set, &mut guards)? {
                            break;
                        }
                    }
                    Err(stop) => {
                        self.go_on_after(stop)?;
                        // What tells more apart takes longer.
                        if guards.is_empty() {
                            return Ok(());
                        }
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Finds out why a blurred set does not rule out what is wrong; says whether something is to be kept apart now.
    fn learn(&mut self, set: &Refined, guards: &mut Guards) -> Result<bool, Stop> {
        let mut learnt = false;
        for property in self.open() {
            let Some(spot) = self.world.wrong(&set.found, property, self.budget)? else { continue };
            match set.origin(&spot, guards, &self.world.automata) {
                Ok(Origin::Blur) => learnt = true,
                Ok(Origin::Run) => self.run_into(property, &spot),
                Ok(Origin::Unknown) | Err(Exhausted::States) => {}
                Err(exhausted) => return Err(exhausted.into()),
            }
        }
        Ok(learnt)
    }

    /// Whether something else is worth trying: only where a limit of this engine was met.
    fn go_on_after(&mut self, stop: Stop) -> Result<(), Stop> {
        self.budget.check(qp_base::Spent::default())?;
        match stop {
            Stop::Exhausted(Exhausted::States) => {
                self.settled.note(&stop);
                Ok(())
            }
            stop => Err(stop),
        }
    }

    fn open(&self) -> Vec<Property> {
        self.settled.open()
    }

    /// Answers what a set has answers for.
    fn conclude(&mut self, found: &Found) -> Result<(), Stop> {
        let exact = !found.over;
        let figures = Figures { states: found.rows.len() as u64, ..Figures::default() };
        let mut evidence: Option<Claim> = None;
        let mut all_known = true;
        let (infinite, finite): (Vec<Property>, Vec<Property>) =
            self.open().into_iter().partition(|property| property.is_about_infinite_runs());
        let growing = self.growing(found);
        let graph = if infinite.is_empty() && growing.is_empty() {
            None
        } else {
            let graph = RowGraph::new(&mut self.world, found, self.budget);
            infinite::unless_large(graph, self.budget)?
        };
        if let Some(graph) = &graph
            && !growing.is_empty()
        {
            self.growth = infinite::growth(&mut self.world, graph, &growing, self.budget)?;
        }
        for property in finite {
            let wrong = match property {
                Property::Bounded => (0..found.n_queues()).any(|q| found.longest(q).is_none()),
                Property::Length(queue, n) => {
                    found.longest(queue.index()).is_none_or(|longest| longest > n)
                }
                _ => self.world.wrong(found, property, self.budget)?.is_some(),
            };
            if !wrong {
                let claim = evidence.get_or_insert_with(|| self.evidence(found)).clone();
                self.settled.settle(property, claim, figures);
            } else if exact {
                self.violated(found, property)?;
            } else {
                all_known = false;
            }
        }
        if let Some(graph) = &graph
            && !infinite.is_empty()
        {
            let claim = evidence.get_or_insert_with(|| self.evidence(found)).clone();
            self.endless(graph, infinite, &claim, figures)?;
        }
        if !all_known {
            let because = "a set that has more in it than can be reached does not rule it out";
            self.settled.why = outside(because);
        }
        if exact && self.task.limits.queues {
            let claim = evidence.unwrap_or_else(|| self.evidence(found));
            self.settled.answers.queues = queues(found, &claim, &self.growth);
        }
        self.settled.answers.spent = None;
        self.settled.answers.detail = vec![
            ("rows", found.rows.len() as u64),
            ("automaton_states", found.work),
            ("exact", u64::from(exact)),
        ];
        Ok(())
    }

    fn evidence(&self, found: &Found) -> Claim {
        let configurations = found.rows.len();
        if configurations > self.task.limits.evidence_max {
            return Claim::GaveUp(Reason::EvidenceTooLarge { configurations });
        }
        let set: RegularSet = regular_set(&self.world, &found.rows);
        Claim::Holds(Proof::Regular(Arc::new(set)))
    }

    /// The queues of which a run is wanted that makes them grow: those without a greatest length in an exact set.
    fn growing(&self, found: &Found) -> Vec<QueueId> {
        let about_length = |p: &Property| matches!(p, Property::Bounded | Property::Length(..));
        let asked = self.task.limits.queues || self.open().iter().any(about_length);
        let endless = |queue: &usize| found.longest(*queue).is_none();
        let queues = (0..found.n_queues()).filter(endless).map(QueueId::new);
        queues.filter(|_| asked && !found.over).collect()
    }

    /// Answers what can be answered about infinite runs.
    fn endless(
        &mut self,
        graph: &RowGraph,
        properties: Vec<Property>,
        evidence: &Claim,
        figures: Figures,
    ) -> Result<(), Stop> {
        let set = match evidence {
            Claim::Holds(Proof::Regular(set)) => Some(set),
            _ => None,
        };
        for property in properties {
            // One look for a run is enough, and the first set is the most exact one.
            let with_runs = !self.sought.contains(&property);
            self.sought.push(property);
            let world = &mut self.world;
            let claim = infinite::claim(world, graph, property, set, with_runs, self.budget)?;
            if let Some(claim) = claim {
                self.settled.settle(property, claim, figures);
            }
        }
        Ok(())
    }

    /// Looks for a run into what is wrong in an exact set.
    fn violated(&mut self, found: &Found, property: Property) -> Result<(), Stop> {
        let grown = |queue: Option<QueueId>| {
            let is_it = |grown: &&(QueueId, Trace)| queue.is_none_or(|queue| grown.0 == queue);
            let trace = self.growth.iter().find(is_it).map(|(_, trace)| trace.clone());
            let because = "a language with long words is no run in which a queue grows";
            (trace.map_or(Claim::GaveUp(outside(because)), Claim::Violated), Figures::default())
        };
        let (claim, figures) = match property {
            Property::Bounded => grown(None),
            Property::Length(queue, _) if found.longest(queue.index()).is_none() => {
                grown(Some(queue))
            }
            Property::Length(_, n) => self.run_to(property, n + 1),
            _ => {
                if let Some(spot) = self.world.wrong(found, property, self.budget)? {
                    self.run_into(property, &spot);
                }
                return Ok(());
            }
        };
        self.settled.settle(property, claim, figures);
        Ok(())
    }

    /// Looks for a run into something that can be reached.
    fn run_into(&mut self, property: Property, (_, part): &Spot) {
        let words = part.0.iter().filter_map(Language::shortest_word);
        let need = words.map(|word| word.len()).max().unwrap_or(0);
        let (claim, figures) = self.run_to(property, need as u32);
        self.settled.settle(property, claim, figures);
    }

    fn run_to(&self, property: Property, need: u32) -> (Claim, Figures) {
        run_to((self.task, self.facts), property, need, self.budget)
    }
}

/// The queues that have a greatest length, and those that grow.
fn queues(found: &Found, claim: &Claim, growth: &[(QueueId, Trace)]) -> Vec<QueueAnswer> {
    let answer = |queue: usize| {
        let queue = QueueId::new(queue);
        let (longest, claim) = if let Some(longest) = found.longest(queue.index()) {
            (longest, claim.clone())
        } else {
            let (_, trace) = growth.iter().find(|grown| grown.0 == queue)?;
            (0, Claim::Violated(trace.clone()))
        };
        Some(QueueAnswer { queue, longest, bound: longest, met: Vec::new(), claim })
    };
    (0..found.n_queues()).filter_map(answer).collect()
}
