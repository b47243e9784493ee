//! A source that streams bits to all replicas in turn; each replica relays them to one sink.
//!
//! The mailboxes of the replicas hold overlapping windows of one bit string. Contents that depend on
//! each other so strongly are the worst case for decision diagrams.

use super::super::network::{Machine, at, receive, send};

pub(super) fn machines(replicas: usize) -> Vec<Machine> {
    let mut machines = vec![source(replicas)];
    machines.extend((0..replicas).map(replica));
    let values = (0..replicas).flat_map(|i| [(i, 0), (i, 1)]);
    let takes = values.map(|(i, bit)| ("K", receive(&format!("bit({i},{bit})")), "K"));
    machines.push(Machine::fixed("Sink".to_owned(), &takes.collect::<Vec<_>>()));
    machines
}

/// Variables: the replica whose turn it is, and the bit.
fn source(replicas: usize) -> Machine {
    Machine::expand("Source".to_owned(), at("S", [0, 0]), |local| {
        let [turn, chosen] = local.data;
        let bits = if turn == 0 { 0..2 } else { chosen..chosen + 1 };
        bits.map(|bit| {
            let next = if turn + 1 == replicas { [0, 0] } else { [turn + 1, bit] };
            (send(&format!("Replica{turn}"), &format!("bit({bit})")), at("S", next))
        })
        .collect()
    })
}

fn replica(me: usize) -> Machine {
    let relay = |bit: usize| send("Sink", &format!("bit({me},{bit})"));
    Machine::fixed(
        format!("Replica{me}"),
        &[
            ("R", receive("bit(0)"), "R0"),
            ("R", receive("bit(1)"), "R1"),
            ("R0", relay(0), "R"),
            ("R1", relay(1), "R"),
        ],
    )
}
