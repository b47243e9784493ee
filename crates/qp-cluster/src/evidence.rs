//! All configurations as evidence.

use qp_claim::ClosedSet;
use qp_engines::Writer;

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
    writer.finish(shard.stepper.system())
}
