//! All configurations as evidence.

use qp_base::Interner;
use qp_claim::{ABSENT, ClosedSet, Content};
use qp_machines::{Config, KindId, LocalId, MachineId, MessageId, StoreId, System, WordId};

use crate::rows::Rows;
use crate::shard::Shard;

/// Writes down all rows, in an order that depends on their contents alone.
pub(crate) fn closed_set(shard: &mut Shard, rows: &Rows) -> ClosedSet {
    let mut order: Vec<(u64, u32)> =
        (0..rows.len() as u32).map(|place| (shard.prints.of(rows.row(place)), place)).collect();
    order.sort_unstable();
    let (mut n_machines, mut n_queues) = (0, 0);
    for place in 0..rows.len() as u32 {
        let (machines, queues) = shard.prints.n_machines_queues(rows.row(place));
        (n_machines, n_queues) = (n_machines.max(machines), n_queues.max(queues));
    }
    let mut writer = Writer::new(n_machines as usize, n_queues as usize);
    for (_, place) in order {
        let config = shard.stepper.config(rows.row(place));
        writer.add(shard.stepper.system(), &config);
    }
    let system = shard.stepper.system();
    let message_text = |&message: &MessageId| system.program().message_text(message);
    writer.set.messages = writer.messages.values().iter().map(message_text).collect();
    let store_text = |&store: &StoreId| system.store_text(store);
    writer.set.stores = writer.stores.values().iter().map(store_text).collect();
    writer.set
}

struct Writer {
    locals: Vec<Interner<usize, LocalId>>,
    contents: Interner<usize, (WordId, KindId)>,
    messages: Interner<usize, MessageId>,
    stores: Interner<usize, StoreId>,
    set: ClosedSet,
}

impl Writer {
    fn new(n_machines: usize, n_queues: usize) -> Self {
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

    fn add(&mut self, system: &System, config: &Config) {
        for machine in 0..self.locals.len() {
            let Some(&local) = config.locals.get(machine) else {
                self.set.cells.push(ABSENT);
                continue;
            };
            let cell = self.locals[machine].intern(local);
            if cell == self.set.locals[machine].len() {
                let text = system.program().local_text(MachineId::new(machine), local);
                self.set.locals[machine].push(text);
            }
            self.set.cells.push(cell as u32);
        }
        for queue in 0..self.set.n_queues {
            let Some((&word, &kind)) = config.words.get(queue).zip(config.kinds.get(queue)) else {
                self.set.cells.push(ABSENT);
                continue;
            };
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
