//! A complete search as evidence.

use qp_base::Interner;
use qp_claim::{ABSENT, ClosedSet, Content};
use qp_machines::{Config, KindId, LocalId, MachineId, MessageId, StoreId, System, WordId};

use super::Search;
use super::space::Space;

/// Writes down every visited configuration, in the order of discovery.
pub(crate) fn closed_set<const W: usize>(space: &mut Space, search: &Search<W>) -> ClosedSet {
    let n = search.visited.len() as u32;
    let first = space.config(&search.values(0));
    let (mut n_machines, mut n_queues) = (first.locals.len(), first.words.len());
    for place in 0..n {
        // Only systems that create machines pay for this pass more than a look.
        let config = space.config(&search.values(place));
        n_machines = n_machines.max(config.locals.len());
        n_queues = n_queues.max(config.words.len());
    }
    let mut writer = Writer::new(n_machines, n_queues);
    for place in 0..n {
        let config = space.config(&search.values(place));
        writer.add(space.system(), &config);
    }
    writer.finish(space.system())
}

/// Writes down the configurations with these values of parts.
pub(crate) fn listed_set(space: &mut Space, rows: impl Iterator<Item = Vec<u32>>) -> ClosedSet {
    let (n_machines, n_queues) = space.n_machines_queues();
    let mut writer = Writer::new(n_machines, n_queues);
    for values in rows {
        let config = space.config(&values);
        writer.add(space.system(), &config);
    }
    writer.finish(space.system())
}

/// Writes down one configuration.
pub(crate) fn single(space: &mut Space, config: &Config) -> ClosedSet {
    let mut writer = Writer::new(config.locals.len(), config.words.len());
    writer.add(space.system(), config);
    writer.finish(space.system())
}

/// Writes down these configurations, in this order.
pub(crate) fn listed(system: &System, configs: &[&Config]) -> ClosedSet {
    let most = |of: fn(&Config) -> usize| configs.iter().map(|config| of(config)).max();
    let n_machines = most(|config| config.locals.len()).unwrap_or(0);
    let n_queues = most(|config| config.words.len()).unwrap_or(0);
    let mut writer = Writer::new(n_machines, n_queues);
    for config in configs {
        writer.add(system, config);
    }
    writer.finish(system)
}

/// Writes configurations down, one after the other.
pub struct Writer {
    locals: Vec<Interner<usize, u32>>,
    contents: Interner<usize, (WordId, KindId)>,
    messages: Interner<usize, MessageId>,
    stores: Interner<usize, StoreId>,
    set: ClosedSet,
}

impl Writer {
    /// Of configurations with at most so many machines and queues.
    pub fn new(n_machines: usize, n_queues: usize) -> Self {
        Self {
            locals: vec![Interner::new(); n_machines],
            contents: Interner::new(),
            messages: Interner::new(),
            stores: Interner::new(),
            set: ClosedSet {
                n_queues,
                locals: vec![Vec::new(); n_machines],
                ..ClosedSet::default()
            },
        }
    }

    /// All that was written down.
    pub fn finish(mut self, system: &System) -> ClosedSet {
        let program = system.program();
        self.set.messages =
            self.messages.values().iter().map(|&message| program.message_text(message)).collect();
        self.set.stores = self.stores.values().iter().map(|&s| system.store_text(s)).collect();
        self.set
    }

    /// Writes a configuration down.
    pub fn add(&mut self, system: &System, config: &Config) {
        for machine in (0..self.locals.len()).map(MachineId::new) {
            let local = config.locals.get(machine.index());
            let cell = local.map_or(ABSENT, |&local| self.local(system, machine, local));
            self.set.cells.push(cell);
        }
        for queue in 0..self.set.n_queues {
            let word = config.words.get(queue);
            let cell = word.map_or(ABSENT, |&word| self.content(system, word, config.kinds[queue]));
            self.set.cells.push(cell);
        }
        let store = self.store(config.store);
        self.set.cells.push(store);
        self.set.cells.push(config.holder.map_or(ABSENT, MachineId::raw));
    }

    /// The cell of a local state.
    pub(super) fn local(&mut self, system: &System, machine: MachineId, local: LocalId) -> u32 {
        let texts = &mut self.set.locals[machine.index()];
        let cell = self.locals[machine.index()].intern(local.raw());
        if cell == texts.len() {
            texts.push(system.program().local_text(machine, local));
        }
        cell as u32
    }

    /// The cell of a queue.
    pub(super) fn content(&mut self, system: &System, word: WordId, kind: KindId) -> u32 {
        let cell = self.contents.intern((word, kind));
        if cell == self.set.contents.len() {
            let messages = system.words().messages(word);
            let letters = messages.into_iter().map(|m| self.messages.intern(m) as u32);
            let messages = (word != WordId::CLOSED).then(|| letters.collect());
            self.set.contents.push(Content { kind: kind.raw(), messages });
        }
        cell as u32
    }

    /// The cell of a store.
    pub(super) fn store(&mut self, store: StoreId) -> u32 {
        self.stores.intern(store) as u32
    }
}
