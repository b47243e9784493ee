//! Leader election in a one-way ring, after Dolev, Klawe, Rodeh and Peterson.

use super::super::kahn::keep_one_run;
use super::super::network::{Machine, at, receive, send};

/// Node i has the value `i * stride % n + 1`; the values must be distinct.
pub(super) fn machines(n: usize, stride: usize) -> Result<Vec<Machine>, String> {
    if (1..n).any(|i| (i * stride).is_multiple_of(n)) {
        return Err(format!("MUL={stride} has a factor in common with N={n}"));
    }
    let mut machines: Vec<Machine> = (0..n).map(|i| node(i, n, stride)).collect();
    keep_one_run(&mut machines);
    Ok(machines)
}

/// Variables: the candidate value, the value of the left active node, the relayed kind and its value.
fn node(me: usize, n: usize, stride: usize) -> Machine {
    const KINDS: [&str; 3] = ["one", "two", "win"];
    let next = format!("Node{}", (me + 1) % n);
    let own = me * stride % n + 1;
    Machine::expand(format!("Node{me}"), at("S1", [own, 0, 0, 0]), |local| {
        let [mine, left, kind, value] = local.data;
        let to_next = |kind: usize, value: usize| send(&next, &format!("{}({value})", KINDS[kind]));
        let from = |kind: usize, value: usize| receive(&format!("{}({value})", KINDS[kind]));
        match local.place {
            "S1" => vec![(to_next(0, mine), at("R1", [mine, 0, 0, 0]))],
            "R1" => (1..=n)
                .map(|v| {
                    let came_back = v == mine;
                    let (place, left) = if came_back { ("LD", 0) } else { ("S2", v) };
                    (from(0, v), at(place, [mine, left, 0, 0]))
                })
                .collect(),
            "S2" => vec![(to_next(1, left), at("R2", [mine, left, 0, 0]))],
            "R2" => (1..=n)
                .map(|v| {
                    let stays = left > v && left > mine;
                    let (place, mine) = if stays { ("S1", left) } else { ("PA", 0) };
                    (from(1, v), at(place, [mine, 0, 0, 0]))
                })
                .collect(),
            "PA" => (0..3)
                .flat_map(|kind| (1..=n).map(move |v| (kind, v)))
                .map(|(kind, v)| (from(kind, v), at("PF", [0, 0, kind, v])))
                .collect(),
            "PF" => {
                let place = if kind == 2 { "DN" } else { "PA" };
                vec![(to_next(kind, value), at(place, [0, 0, 0, 0]))]
            }
            "LD" => vec![(to_next(2, mine), at("LW", [mine, 0, 0, 0]))],
            "LW" => (1..=n).map(|v| (from(2, v), at("DN", [0, 0, 0, 0]))).collect(),
            _ => vec![],
        }
    })
}
