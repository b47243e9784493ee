//! What was read from any format can be written in the CFSM language and means the same.

use std::fmt::Write;

use qp_machines::{Action, Automata, Capacity, Loss, Program};

use super::{read_cfsm, read_fsa, read_scm};

/// A model in the CFSM language, with channels. States and queues are named by their numbers,
/// because the other formats allow more names.
fn write(automata: &Automata) -> String {
    let outline = automata.outline();
    let mut text = "queues channels;\n".to_owned();
    for (i, queue) in outline.queues.iter().enumerate() {
        let kind = outline.kinds[queue.kind];
        let capacity = match kind.capacity {
            Capacity::Unbounded => "unbounded".to_owned(),
            Capacity::Messages(n) => n.to_string(),
            Capacity::Rendezvous => "rendezvous".to_owned(),
        };
        let loss = match kind.loss {
            Loss::Never => "",
            Loss::WhenFull => " drop",
            Loss::Always => " lossy",
        };
        writeln!(text, "channel c{i} {capacity}{loss};").unwrap();
    }
    for (id, machine) in automata.machines().iter_enumerated() {
        writeln!(text, "machine m{} {{", id.index()).unwrap();
        for (local, state) in machine.states.iter_enumerated() {
            let init = if local == machine.initial { "init " } else { "" };
            let action = |action: &Action| match action {
                Action::Internal => "internal".to_owned(),
                Action::Send(q, m) => format!("send c{} e{}", q.index(), m.index()),
                Action::Receive(q, m) => format!("recv c{} e{}", q.index(), m.index()),
                Action::Fail(text) => format!("fail \"{text}\""),
            };
            let options: Vec<String> = state
                .transitions
                .iter()
                .map(|t| match &t.action {
                    Action::Fail(_) => action(&t.action),
                    other => format!("{} -> s{}", action(other), t.target.index()),
                })
                .collect();
            writeln!(text, "    {init}s{}: {}", local.index(), options.join(" | ")).unwrap();
        }
        text.push_str("}\n");
    }
    text
}

#[track_caller]
fn check((automata, diagnostics): super::Read) {
    let automata = automata.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let once = write(&automata);
    let (again, diagnostics) = read_cfsm(&once);
    let again = again.unwrap_or_else(|| panic!("{diagnostics:?} in\n{once}"));
    assert_eq!(again.outline().queues.len(), automata.outline().queues.len());
    for (old, new) in automata.machines().iter().zip(again.machines()) {
        assert_eq!(old.initial, new.initial);
        for (old, new) in old.states.iter().zip(&new.states) {
            let targets =
                |s: &qp_machines::State| s.transitions.iter().map(|t| t.target).collect::<Vec<_>>();
            assert_eq!(targets(old), targets(new));
        }
    }
    // Messages are numbered in order of appearance, which the second writing keeps.
    let twice = write(&again);
    assert_eq!(twice, write(&read_cfsm(&twice).0.unwrap()));
}

#[test]
fn all_formats() {
    check(read_cfsm(super::cfsm::CANCEL));
    check(read_scm(super::scm::CONNECTION));
    check(read_fsa(super::fsa::PING));
    check(read_cfsm(
        "capacity 2 drop; queue B rendezvous; machine A { init S: send B m -> recv n -> fail \"no\" } machine B { init S: recv m -> send A n }",
    ));
}
