//! What queues were seen to hold, and what users call them.

use std::collections::{BTreeMap, BTreeSet};

use qp_machines::{Config, Discipline, MachineId, MessageId, QueueId, Qutl, System, WordId};

use super::{Bounded, Explored};

/// What a queue was seen to hold.
#[derive(Default)]
pub(in crate::converge) struct Seen {
    /// The name of the machine or queue that users know.
    pub(in crate::converge) name: String,
    /// The machines that read it, by name.
    pub(in crate::converge) readers: Vec<String>,
    /// The contents.
    pub(in crate::converge) contents: BTreeSet<WordId>,
}

impl Explored {
    /// What every queue was seen to hold.
    pub(in crate::converge) fn seen(&mut self) -> BTreeMap<QueueId, Seen> {
        let mut seen = self.names();
        for (part, values) in self.met().into_iter().enumerate() {
            let queues = self.space.queues(part);
            for value in values.into_iter().filter(|_| !queues.is_empty()) {
                let (_, words) = self.space.part(part, value);
                for (queue, word) in queues.iter().zip(words) {
                    if word != WordId::CLOSED {
                        seen.entry(*queue).or_default().contents.insert(word);
                    }
                }
            }
        }
        seen
    }

    /// For each part: the values that it was seen to have.
    fn met(&self) -> Vec<Vec<u32>> {
        if let Some((further, set)) = self.drawn() {
            return further.values(set);
        }
        let met = |search: &Bounded| search.listed.met(&self.space, self.places);
        self.search.as_ref().map(met).unwrap_or_default()
    }

    /// The names of all queues, from the first configurations in which they are there.
    fn names(&mut self) -> BTreeMap<QueueId, Seen> {
        let mut seen: BTreeMap<QueueId, Seen> = BTreeMap::new();
        let Some(Bounded { listed, .. }) = &self.search else { return seen };
        let (_, n_queues) = self.space.n_machines_queues();
        let add = |system: &System, config: &Config, seen: &mut BTreeMap<QueueId, Seen>| {
            for queue in config.queues() {
                seen.entry(queue).or_insert_with(|| name(system, config, queue));
            }
        };
        for place in 0..listed.len() as u32 {
            if seen.len() == n_queues {
                break;
            }
            let values = listed.values(place);
            if self.space.n_queues(&values) > seen.len() {
                let config = self.space.config(&values);
                add(self.space.system(), &config, &mut seen);
            }
        }
        for queue in (0..n_queues).map(QueueId::new) {
            let config = if seen.contains_key(&queue) { None } else { self.with_queue(queue) };
            if let Some(config) = config {
                add(self.space.system(), &config, &mut seen);
            }
        }
        seen
    }
}

impl Seen {
    /// Whether a user's name means this queue: its own name, its kind of machine, or who reads it.
    pub(in crate::converge) fn is(&self, about: &str) -> bool {
        let named = |name: &str| Qutl::names(about, name);
        named(&self.name) || self.readers.iter().any(|reader| named(reader))
    }

    /// The messages of all contents.
    pub(in crate::converge) fn letters(&self, system: &System) -> BTreeSet<MessageId> {
        self.contents.iter().flat_map(|&word| system.words().messages(word)).collect()
    }
}

/// The names under which users know a queue.
pub(in crate::converge) fn name(system: &System, config: &Config, queue: QueueId) -> Seen {
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
