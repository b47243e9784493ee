//! A complete search as evidence.

use qp_base::Interner;
use qp_claim::{ABSENT, ClosedSet, Content};
use qp_machines::{Config, KindId, MachineId, MessageId, StoreId, System, WordId};

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

pub(super) struct Writer {
    locals: Vec<Interner<usize, u32>>,
    contents: Interner<usize, (WordId, KindId)>,
    messages: Interner<usize, MessageId>,
    stores: Interner<usize, StoreId>,
    set: ClosedSet,
}

impl Writer {
    pub(super) fn new(n_machines: usize, n_queues: usize) -> Self {
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

    /// Writes down one configuration, and gives its cells.
    pub(super) fn row(&mut self, system: &System, config: &Config) -> Vec<u32> {
        self.set.cells.clear();
        self.add(system, config);
        std::mem::take(&mut self.set.cells)
    }

    pub(super) fn finish(mut self, system: &System) -> ClosedSet {
        let program = system.program();
        self.set.messages =
            self.messages.values().iter().map(|&message| program.message_text(message)).collect();
        self.set.stores = self.stores.values().iter().map(|&s| program.store_text(s)).collect();
        self.set
    }

    fn add(&mut self, system: &System, config: &Config) {
        for machine in 0..self.set.locals.len() {
            let Some(&local) = config.locals.get(machine) else {
                self.set.cells.push(ABSENT);
                continue;
            };
            let cell = self.locals[machine].intern(local.raw());
            if cell == self.set.locals[machine].len() {
                let text = system.program().local_text(MachineId::new(machine), local);
                self.set.locals[machine].push(text);
            }
            self.set.cells.push(cell as u32);
        }
        for queue in 0..self.set.n_queues {
            let Some(&word) = config.words.get(queue) else {
                self.set.cells.push(ABSENT);
                continue;
            };
            let kind = config.kinds[queue];
            let cell = self.contents.intern((word, kind));
            if cell == self.set.contents.len() {
                let messages = system.words().messages(word);
                let letters = messages.into_iter().map(|m| self.messages.intern(m) as u32);
                let messages = (word != WordId::CLOSED).then(|| letters.collect());
                self.set.contents.push(Content { kind: kind.raw(), messages });
            }
            self.set.cells.push(cell as u32);
        }
        self.set.cells.push(self.stores.intern(config.store) as u32);
        self.set.cells.push(config.holder.map_or(ABSENT, MachineId::raw));
    }
}
