//! Producers that flood one consumer with numbered items; the consumer acknowledges each.

use super::super::network::{Machine, at, receive, send};

/// `modulus` is the number of sequence numbers.
pub(super) fn machines(producers: usize, modulus: usize) -> Vec<Machine> {
    let mut machines = vec![consumer(producers, modulus)];
    machines.extend((0..producers).map(|i| {
        Machine::expand(format!("Producer{i}"), at("P", [0]), |local| {
            let [number] = local.data;
            let item = send("Consumer", &format!("item({i},{number})"));
            vec![(item, at("P", [(number + 1) % modulus])), (receive("ack"), local.clone())]
        })
    }));
    machines
}

/// Variable: the producer to acknowledge.
fn consumer(producers: usize, modulus: usize) -> Machine {
    Machine::expand("Consumer".to_owned(), at("C0", [0]), |local| match local.place {
        "C0" => (0..producers)
            .flat_map(|from| (0..modulus).map(move |number| (from, number)))
            .map(|(from, number)| (receive(&format!("item({from},{number})")), at("C1", [from])))
            .collect(),
        _ => vec![(send(&format!("Producer{}", local.data[0]), "ack"), at("C0", [0]))],
    })
}
