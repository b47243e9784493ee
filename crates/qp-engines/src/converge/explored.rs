//! What was reached with short queues: to compare with, and to learn from.

use std::collections::{BTreeMap, BTreeSet};

use qp_base::{Budget, Map};
use qp_claim::Trace;
use qp_machines::{
    Config, Discipline, MachineId, MessageId, Model, Property, QueueId, Qutl, System, WordId,
};

use crate::Figures;
use crate::search::any::{AnySearch, Stop};
use crate::search::marks::Watch;
use crate::search::space::Space;
use crate::search::witness::{self, Target};

use super::list::Look;
use super::projection::Projection;

/// Configurations that can be reached while queues are short.
pub(super) struct Explored {
    space: Space,
    search: Option<AnySearch>,
    watched: Vec<Property>,
    jobs: usize,
    /// Complete bounds, with what was visited up to each.
    pub(super) bounds: Vec<Figures>,
    /// Why there is no further bound.
    pub(super) stop: Option<Stop>,
}

/// A property that a run with short queues violates.
pub(super) struct Violation {
    pub(super) property: Property,
    /// The queue length.
    pub(super) bound: u32,
    pub(super) trace: Trace,
}

/// What a queue was seen to hold.
#[derive(Default)]
pub(super) struct Seen {
    /// The name of the machine or queue that users know.
    pub(super) name: String,
    /// The machines that read it, by name.
    pub(super) readers: Vec<String>,
    /// The contents.
    pub(super) contents: BTreeSet<WordId>,
}

impl Explored {
    pub(super) fn new(model: &Model, properties: &[Property], jobs: usize) -> Self {
        let (watch, _) = Watch::new(properties, model.outline());
        let watched = watch.properties().to_vec();
        let mut space = Space::new(model.system(), watch);
        let search = AnySearch::new(&mut space, 1, jobs);
        Self { space, search, watched, jobs, bounds: Vec::new(), stop: None }
    }

    /// Shortest runs at this bound that violate properties for which there was none before.
    pub(super) fn violations(&mut self, known: &[Violation], budget: &Budget) -> Vec<Violation> {
        let Some(search) = &self.search else { return Vec::new() };
        let mut found = Vec::new();
        for (bit, &property) in self.watched.iter().enumerate() {
            let is_new = known.iter().all(|violation| violation.property != property);
            if let Some(place) = search.hits()[bit].filter(|_| is_new) {
                let to = (&Target::Bit(bit), place);
                let way = search.shortest(&mut self.space, self.jobs, budget, to);
                let trace = witness::trace(&mut self.space, &way, property);
                found.push(Violation { property, bound: search.bound(), trace });
            }
        }
        found
    }

    /// Searches bound after bound, up to so many configurations; says whether the last one was completed
    /// and there is more beyond.
    pub(super) fn advance(&mut self, bound_max: u32, states_max: usize, budget: &Budget) -> bool {
        let Some(mut search) = self.search.take() else { return false };
        // More may be visited now than when it was stopped.
        if self.stop == Some(Stop::Enough) && search.len() <= states_max {
            self.stop = None;
        }
        if self.stop.is_some() {
            self.search = Some(search);
            return false;
        }
        let next = self.bounds.last().map_or(1, |figures| figures.bound + 1);
        let over = !self.bounds.is_empty() && search.is_over();
        if next > bound_max || over {
            self.search = Some(search);
            return false;
        }
        if next > search.bound() {
            search.raise(next);
        }
        let mut enough = |n: usize, _: &[Option<u32>; 64]| n > states_max;
        let (search, end) = search.run(&mut self.space, budget, &mut enough);
        self.stop = end.err();
        if self.stop.is_none() {
            self.bounds.push(Figures {
                bound: next,
                states: search.len() as u64,
                transitions: search.transitions(),
            });
        }
        self.search = Some(search);
        self.stop.is_none()
    }

    /// The greatest bound that was explored completely.
    pub(super) fn bound(&self) -> u32 {
        self.bounds.last().map_or(0, |figures| figures.bound)
    }

    /// The greatest queue length, if everything was visited.
    pub(super) fn complete(&self) -> Option<u32> {
        let search = self.search.as_ref().filter(|search| {
            self.stop.is_none() && search.is_over() && search.gave_up().is_none()
        })?;
        Some(search.bound())
    }

    /// The queue length up to which contents were seen, if not all of them.
    pub(super) fn length(&self) -> u32 {
        self.search.as_ref().map_or(0, AnySearch::bound)
    }

    pub(super) fn len(&self) -> usize {
        self.search.as_ref().map_or(0, AnySearch::len)
    }

    pub(super) fn bytes(&self) -> u64 {
        self.search.as_ref().map_or(0, AnySearch::bytes) + self.space.bytes()
    }

    pub(super) fn n_machines(&mut self) -> usize {
        self.space.n_machines_queues().0
    }

    pub(super) fn system(&mut self) -> &mut System {
        self.space.system()
    }

    /// How many configurations look different of those before place `up_to`; no more than `all` do.
    pub(super) fn project(
        &mut self,
        projection: &mut Projection,
        up_to: usize,
        all: usize,
    ) -> Option<usize> {
        projection.add(&mut self.space, self.search.as_ref()?, (up_to, all))?;
        Some(projection.len())
    }

    /// What every queue was seen to hold.
    pub(super) fn seen(&mut self) -> BTreeMap<QueueId, Seen> {
        let mut seen = self.names();
        let Some(search) = &self.search else { return seen };
        let mut met: Vec<Vec<bool>> =
            self.space.counts().iter().map(|&count| vec![false; count]).collect();
        search.each(0..search.len(), |values| {
            for (met, &value) in met.iter_mut().zip(values) {
                met[value as usize] = true;
            }
        });
        for (part, met) in met.iter().enumerate() {
            let queues = self.space.queues(part);
            for value in (0..met.len()).filter(|&value| met[value] && !queues.is_empty()) {
                let (_, words) = self.space.part(part, value as u32);
                for (queue, word) in queues.iter().zip(words) {
                    if word != WordId::CLOSED {
                        seen.entry(*queue).or_default().contents.insert(word);
                    }
                }
            }
        }
        seen
    }

    /// The names of all queues, from the first configurations in which they are there.
    fn names(&mut self) -> BTreeMap<QueueId, Seen> {
        let mut seen: BTreeMap<QueueId, Seen> = BTreeMap::new();
        let Some(search) = &self.search else { return seen };
        let (_, n_queues) = self.space.n_machines_queues();
        for place in 0..search.len() as u32 {
            if seen.len() == n_queues {
                break;
            }
            let values = search.values(place);
            if self.space.n_queues(&values) > seen.len() {
                let config = self.space.config(&values);
                for queue in config.queues() {
                    let system = self.space.system();
                    seen.entry(queue).or_insert_with(|| name(system, &config, queue));
                }
            }
        }
        seen
    }

    /// Everything that was visited, as it looks.
    pub(super) fn blurred(&mut self, look: Look) -> std::collections::HashSet<Config> {
        let mut known: Map<WordId, WordId> = Map::default();
        let mut configs = self.configs();
        let words = self.space.system().words_mut();
        for config in &mut configs {
            for word in config.words.iter_mut().filter(|word| **word != WordId::CLOSED) {
                *word = *known.entry(*word).or_insert_with(|| {
                    let list = look.of(&words.messages(*word));
                    words.intern(&list.representative())
                });
            }
        }
        configs.into_iter().collect()
    }

    /// The configuration of another system of the same model in the numbers of this one.
    pub(super) fn translate(&mut self, other: &System, config: &Config) -> Option<Config> {
        let mut same = config.clone();
        let system = self.space.system();
        for (machine, local) in config.locals.iter().enumerate() {
            let machine = MachineId::new(machine);
            let text = other.program().local_text(machine, *local);
            same.locals[machine.index()] = system.program_mut().local_from_text(machine, &text)?;
        }
        for (queue, &word) in config.words.iter().enumerate() {
            if word == WordId::CLOSED {
                continue;
            }
            let mut messages = Vec::new();
            for message in other.words().messages(word) {
                let text = other.program().message_text(message);
                messages.push(system.program_mut().message_from_text(&text)?);
            }
            same.words[queue] = system.words_mut().intern(&messages);
        }
        let text = other.program().store_text(config.store);
        same.store = system.program_mut().store_from_text(&text)?;
        Some(same)
    }

    fn configs(&mut self) -> Vec<Config> {
        let mut configs = Vec::with_capacity(self.len());
        if let Some(search) = &self.search {
            let space = &mut self.space;
            search.each(0..search.len(), |values| configs.push(space.config(values)));
        }
        configs
    }
}

impl Seen {
    /// Whether a user's name means this queue: its own name, its kind of machine, or who reads it.
    pub(super) fn is(&self, about: &str) -> bool {
        let named = |name: &str| Qutl::names(about, name);
        named(&self.name) || self.readers.iter().any(|reader| named(reader))
    }

    /// The messages of all contents.
    pub(super) fn letters(&self, system: &System) -> BTreeSet<MessageId> {
        self.contents.iter().flat_map(|&word| system.words().messages(word)).collect()
    }
}

/// The names under which users know a queue.
fn name(system: &System, config: &Config, queue: QueueId) -> Seen {
    let outline = system.program().outline();
    let machine = |machine: MachineId| match outline.machines.get(machine) {
        Some(info) => Some(info.name.clone()),
        None => system.program().machine_name(machine, *config.locals.get(machine.index())?),
    };
    if let Some(info) = outline.queues.get(queue) {
        let readers = info.readers.iter().filter_map(|&reader| machine(reader)).collect();
        return Seen { name: info.name.clone(), readers, ..Seen::default() };
    }
    // Mailboxes are created together with the machines that own them.
    let owner = MachineId::new(queue.index());
    let mailbox =
        outline.discipline == Discipline::Mailbox && outline.machines.len() == outline.queues.len();
    let owner = mailbox.then(|| machine(owner)).flatten();
    let name = owner.unwrap_or_else(|| outline.queue_text(queue));
    Seen { name, ..Seen::default() }
}
