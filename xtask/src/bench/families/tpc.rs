//! Two-phase commit with a vote timeout; transactions repeat and carry a one-bit tag.

use super::super::network::{Action, Local, Machine, at, receive, send};

pub(super) fn machines(participants: usize) -> Vec<Machine> {
    let mut machines = vec![coordinator(participants)];
    machines.extend((0..participants).map(participant));
    machines
}

/// Variables: a participant or a count, the tag, and whether the transaction is being aborted.
fn coordinator(n: usize) -> Machine {
    Machine::expand("Coordinator".to_owned(), at("SP", [0, 0, 0]), |local| {
        let [i, tag, aborting] = local.data;
        let to = |kind: &str| send(&format!("Part{i}"), &format!("{kind}({tag})"));
        match local.place {
            "SP" => {
                let next =
                    if i + 1 < n { at("SP", [i + 1, tag, 0]) } else { at("WV", [0, tag, 0]) };
                vec![(to("prep"), next)]
            }
            "WV" => votes(local, n),
            "SD" => {
                let more = at("SD", [i + 1, tag, aborting]);
                let next = if i + 1 < n { more } else { at("WA", [0, tag, 0]) };
                vec![(to(if aborting == 1 { "abort" } else { "commit" }), next)]
            }
            _ => {
                let more = at("WA", [i + 1, tag, 0]);
                let counted = if i + 1 < n { more } else { at("SP", [0, 1 - tag, 0]) };
                let late = ["yes(0)", "yes(1)", "no(0)", "no(1)"];
                let mut steps = late.map(|vote| (receive(vote), local.clone())).to_vec();
                steps.push((receive("ack"), counted));
                steps
            }
        }
    })
}

/// While votes are counted: a vote with the other tag is late, and a timeout may happen at any time.
fn votes(local: &Local<3>, n: usize) -> Vec<(Action, Local<3>)> {
    let [i, tag, _] = local.data;
    let abort = at("SD", [0, tag, 1]);
    let counted = if i + 1 < n { at("WV", [i + 1, tag, 0]) } else { at("SD", [0, tag, 0]) };
    vec![
        (receive(&format!("yes({tag})")), counted),
        (receive(&format!("yes({})", 1 - tag)), local.clone()),
        (receive(&format!("no({tag})")), abort.clone()),
        (receive(&format!("no({})", 1 - tag)), local.clone()),
        (receive("ack"), local.clone()),
        (Action::Internal, abort),
    ]
}

/// Variables: the tag in hand and the last outcome.
fn participant(me: usize) -> Machine {
    let vote = |kind: &str, tag: usize| send("Coordinator", &format!("{kind}({tag})"));
    Machine::expand(format!("Part{me}"), at("P0", [0, 0]), |local| {
        let [tag, last] = local.data;
        match local.place {
            "P0" => (0..2).map(|t| (receive(&format!("prep({t})")), at("PV", [t, last]))).collect(),
            "PV" => ["yes", "no"].map(|kind| (vote(kind, tag), at("PW", [0, last]))).to_vec(),
            "PW" => [("commit(0)", 1), ("commit(1)", 1), ("abort(0)", 2), ("abort(1)", 2)]
                .map(|(message, outcome)| (receive(message), at("PA", [0, outcome])))
                .to_vec(),
            _ => vec![(send("Coordinator", "ack"), at("P0", [0, last]))],
        }
    })
}
