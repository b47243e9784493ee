//! Lifts with a door and a timer each, and one user who floods them with open and close.

use super::super::network::{Machine, receive, send};

pub(super) fn machines(lifts: usize) -> Vec<Machine> {
    let mut machines: Vec<Machine> =
        (0..lifts).flat_map(|i| [lift(i), door(i), timer(i)]).collect();
    let presses = (0..lifts)
        .flat_map(|i| ["open", "close"].map(|press| ("U", send(&format!("Lift{i}"), press), "U")));
    machines.push(Machine::fixed("User".to_owned(), &presses.collect::<Vec<_>>()));
    machines
}

fn lift(me: usize) -> Machine {
    let (door, timer) = (format!("Door{me}"), format!("Timer{me}"));
    Machine::fixed(
        format!("Lift{me}"),
        &[
            ("CL", receive("open"), "CO"),
            ("CL", receive("close"), "CL"),
            ("CO", send(&door, "cmdOpen"), "OP"),
            ("OP", receive("opened"), "TS"),
            ("OP", receive("open"), "OP"),
            ("OP", receive("close"), "OP"),
            ("TS", send(&timer, "start"), "OW"),
            ("OW", receive("fired"), "CC"),
            ("OW", receive("open"), "XT"),
            ("OW", receive("close"), "XC"),
            ("XT", send(&timer, "stop"), "ST"),
            ("ST", receive("tok"), "TS"),
            ("ST", receive("tfail"), "TS"),
            ("ST", receive("fired"), "ST"),
            ("ST", receive("open"), "ST"),
            ("ST", receive("close"), "ST"),
            ("XC", send(&timer, "stop"), "SC"),
            ("SC", receive("tok"), "CC"),
            ("SC", receive("tfail"), "CC"),
            ("SC", receive("fired"), "SC"),
            ("SC", receive("open"), "SC"),
            ("SC", receive("close"), "SC"),
            ("CC", send(&door, "cmdClose"), "CG"),
            ("CG", receive("closed"), "CL"),
            ("CG", receive("obj"), "CO"),
            ("CG", receive("open"), "XD"),
            ("CG", receive("close"), "CG"),
            ("XD", send(&door, "stop"), "SD"),
            ("SD", receive("stopped"), "CO"),
            ("SD", receive("closed"), "CO"),
            ("SD", receive("obj"), "CO"),
            ("SD", receive("open"), "SD"),
            ("SD", receive("close"), "SD"),
        ],
    )
}

fn door(me: usize) -> Machine {
    let lift = format!("Lift{me}");
    Machine::fixed(
        format!("Door{me}"),
        &[
            ("DI", receive("cmdOpen"), "DO"),
            ("DI", receive("cmdClose"), "DC"),
            ("DI", receive("stop"), "DI"),
            ("DO", send(&lift, "opened"), "DI"),
            ("DC", send(&lift, "obj"), "DI"),
            ("DC", send(&lift, "closed"), "DI"),
            ("DC", receive("stop"), "DS"),
            ("DS", send(&lift, "stopped"), "DI"),
        ],
    )
}

fn timer(me: usize) -> Machine {
    let lift = format!("Lift{me}");
    Machine::fixed(
        format!("Timer{me}"),
        &[
            ("TI", receive("start"), "TT"),
            ("TI", receive("stop"), "TF"),
            ("TT", send(&lift, "fired"), "TI"),
            ("TT", receive("stop"), "TK"),
            ("TT", receive("start"), "TT"),
            ("TF", send(&lift, "tfail"), "TI"),
            ("TK", send(&lift, "tok"), "TI"),
        ],
    )
}
