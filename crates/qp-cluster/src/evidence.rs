//! All configurations as evidence.

use qp_base::Interner;
use qp_claim::{ABSENT, ClosedSet, Content};
use qp_machines::{KindId, LocalId, MachineId, MessageId, StoreId, WordId};

use crate::rows::{Cells, Rows};
use crate::shard::Shard;

/// Writes down all rows, in an order that depends on their contents alone.
pub(crate) fn closed_set(shard: &mut Shard, rows: &Rows) -> ClosedSet {
    let mut order: Vec<(u64, u32)> =
        (0..rows.len() as u32).map(|place| (shard.print_of(rows.row(place)), place)).collect();
    order.sort_unstable();
    let (mut n_machines, mut n_queues) = (0, 0);
    for place in 0..rows.len() as u32 {
        let cells = shard.shapes.cells(rows.row(place));
        n_machines = n_machines.max(cells.locals.len());
        n_queues = n_queues.max(cells.words.len());
    }
    let mut writer = Writer::new(n_machines, n_queues);
    for (_, place) in order {
        let cells = shard.shapes.cells(rows.row(place));
        let kinds = shard.shapes.kinds(cells.shape);
        writer.add(shard, &cells, kinds);
    }
    let program = shard.system.program();
    let message_text = |&message: &MessageId| program.message_text(message);
    writer.set.messages = writer.messages.values().iter().map(message_text).collect();
    let store_text = |&store: &StoreId| program.store_text(store);
    writer.set.stores = writer.stores.values().iter().map(store_text).collect();
    writer.set
}

struct Writer {
    locals: Vec<Interner<usize, u32>>,
    contents: Interner<usize, (u32, KindId)>,
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

    fn add(&mut self, shard: &Shard, cells: &Cells<'_>, kinds: &[KindId]) {
        for machine in 0..self.locals.len() {
            let Some(&local) = cells.locals.get(machine) else {
                self.set.cells.push(ABSENT);
                continue;
            };
            let cell = self.locals[machine].intern(local);
            if cell == self.set.locals[machine].len() {
                let (machine, local) = (MachineId::new(machine), LocalId::from_raw(local));
                let text = shard.system.program().local_text(machine, local);
                self.set.locals[machine.index()].push(text);
            }
            self.set.cells.push(cell as u32);
        }
        for queue in 0..self.set.n_queues {
            let Some((&word, &kind)) = cells.words.get(queue).zip(kinds.get(queue)) else {
                self.set.cells.push(ABSENT);
                continue;
            };
            let cell = self.contents.intern((word, kind));
            if cell == self.set.contents.len() {
                let word = WordId::from_raw(word);
                let messages = shard.system.words().messages(word);
                let letters = messages.into_iter().map(|m| self.messages.intern(m) as u32);
                let messages = (word != WordId::CLOSED).then(|| letters.collect());
                self.set.contents.push(Content { kind: kind.raw(), messages });
            }
            self.set.cells.push(cell as u32);
        }
        self.set.cells.push(self.stores.intern(StoreId::from_raw(cells.store)) as u32);
        self.set.cells.push(cells.holder.checked_sub(1).unwrap_or(ABSENT));
    }
}
