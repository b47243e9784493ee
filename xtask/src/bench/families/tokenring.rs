//! A token ring whose environment floods the nodes with requests to send to two destinations.
//!
//! The token holder emits its pending packet and the destination releases the token.

use super::super::network::{Machine, at, receive, send};

pub(super) fn machines(n: usize) -> Vec<Machine> {
    let mut machines: Vec<Machine> = (0..n).map(|i| node(i, n)).collect();
    let flood = (0..n).flat_map(|i| requested(i, n).map(|to| (i, to)));
    let mut env = vec![("INJECT", send("Node0", "tok"), "FLOOD")];
    env.extend(
        flood.map(|(i, to)| ("FLOOD", send(&format!("Node{i}"), &format!("req({to})")), "FLOOD")),
    );
    machines.push(Machine::fixed("Env".to_owned(), &env));
    machines
}

/// The destinations that the environment asks a node to send to.
fn requested(node: usize, n: usize) -> [usize; 2] {
    [(node + 1) % n, (node + 2) % n]
}

/// Variables: the pending destination plus one, and the destination of the packet being relayed.
fn node(me: usize, n: usize) -> Machine {
    let next = format!("Node{}", (me + 1) % n);
    Machine::expand(format!("Node{me}"), at("ID", [0, 0]), |local| {
        let [pending, relayed] = local.data;
        match local.place {
            "ID" => {
                let with_token = if pending == 0 { "FT" } else { "SP" };
                let mut steps = vec![(receive("tok"), at(with_token, [pending, 0]))];
                for to in requested(me, n) {
                    let kept = if pending == 0 { to + 1 } else { pending };
                    steps.push((receive(&format!("req({to})")), at("ID", [kept, 0])));
                }
                for to in 0..n {
                    let arrived =
                        if to == me { at("FT", [pending, 0]) } else { at("FP", [pending, to]) };
                    steps.push((receive(&format!("pkt({to})")), arrived));
                }
                steps
            }
            "FT" => vec![(send(&next, "tok"), at("ID", [pending, 0]))],
            "SP" => vec![(send(&next, &format!("pkt({})", pending - 1)), at("ID", [0, 0]))],
            _ => vec![(send(&next, &format!("pkt({relayed})")), at("ID", [pending, 0]))],
        }
    })
}
