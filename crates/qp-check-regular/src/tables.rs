//! The tables of evidence: texts to numbers of the system.

use qp_claim::{ABSENT, ClosedSet};
use qp_machines::{LocalId, MachineId, MessageId, StoreId, System};

use crate::Rejected;

/// The local states of each machine.
pub fn locals(system: &mut System, set: &ClosedSet) -> Result<Vec<Vec<LocalId>>, Rejected> {
    let mut tables = Vec::new();
    for (machine, texts) in set.locals.iter().enumerate() {
        let machine = MachineId::new(machine);
        let mut read = |text: &String| {
            let local = system.program_mut().local_from_text(machine, text);
            local.ok_or_else(|| Rejected(format!("{machine:?} has no local state {text:?}")))
        };
        tables.push(texts.iter().map(&mut read).collect::<Result<_, _>>()?);
    }
    Ok(tables)
}

/// The messages.
pub fn messages(system: &mut System, set: &ClosedSet) -> Result<Vec<MessageId>, Rejected> {
    let mut read = |text: &String| {
        let message = system.program_mut().message_from_text(text);
        message.ok_or_else(|| Rejected(format!("there is no message {text:?}")))
    };
    set.messages.iter().map(&mut read).collect()
}

/// The stores.
pub fn stores(system: &mut System, set: &ClosedSet) -> Result<Vec<StoreId>, Rejected> {
    let mut read = |text: &String| {
        let store = system.program_mut().store_from_text(text);
        store.ok_or_else(|| Rejected(format!("there is no store {text:?}")))
    };
    set.stores.iter().map(&mut read).collect()
}

/// What stands in a table at the place that a cell names.
pub fn value<T>(table: &[T], cell: u32) -> Result<&T, Rejected> {
    let value = table.get(cell as usize);
    value.ok_or_else(|| Rejected(format!("a row has the cell {cell}, which no table has")))
}

/// The holder that the last cell of a row names.
pub fn holder(cell: u32, n_machines: usize) -> Result<Option<MachineId>, Rejected> {
    match cell {
        ABSENT => Ok(None),
        machine if (machine as usize) < n_machines => Ok(Some(MachineId::from_raw(machine))),
        machine => Err(Rejected(format!("there is no machine {machine}"))),
    }
}

/// The cells of what exists: machines and queues come and go at the end of the list only.
pub fn present(cells: &[u32]) -> Result<&[u32], Rejected> {
    let n = cells.iter().position(|&cell| cell == ABSENT).unwrap_or(cells.len());
    let (present, absent) = cells.split_at(n);
    if absent.iter().any(|&cell| cell != ABSENT) {
        return Err(Rejected("a row has a gap".to_owned()));
    }
    Ok(present)
}
