//! What the readers make of texts. Every test is a text and the lines it should give.

mod cfsm;
mod errors;
mod fsa;
mod garbage;
mod round_trip;
mod scm;

use std::fmt::Write;

use qp_base::{Diagnostic, Source};
use qp_machines::{Action, Atom, Automata, Names, Program};

type Read = (Option<Automata>, Vec<Diagnostic>);

pub(super) fn read_cfsm(text: &str) -> Read {
    crate::read(text, crate::cfsm::read)
}

pub(super) fn read_scm(text: &str) -> Read {
    crate::read(text, crate::scm::read)
}

pub(super) fn read_fsa(text: &str) -> Read {
    crate::read(text, crate::fsa::read)
}

/// Compares what is said about a text, line by line: `code line:column message`.
#[track_caller]
pub(super) fn check_says(read: fn(&str) -> Read, text: &str, expect: &[&str]) {
    let (automata, diagnostics) = read(text);
    let said = lines(text, &diagnostics);
    assert_eq!(said, expect, "\n{}\nin\n{text}", said.join("\n"));
    let refused = diagnostics.iter().any(|d| d.severity == qp_base::Severity::Error);
    assert_eq!(automata.is_none(), refused);
}

pub(super) fn lines(text: &str, diagnostics: &[Diagnostic]) -> Vec<String> {
    let source = Source::new("", text);
    let line = |d: &Diagnostic| {
        let place = source.place(d.primary.span.start);
        assert!(d.help.is_some(), "{} has no help: {}", d.code, d.message);
        format!("{} {}:{} {}", d.code, place.line, place.column, d.message)
    };
    diagnostics.iter().map(line).collect()
}

/// Compares the model that a text means, as [`dump`] writes it. Spaces at line ends do not count.
#[track_caller]
pub(super) fn check_means(read: fn(&str) -> Read, text: &str, expect: &[&str]) {
    let (automata, diagnostics) = read(text);
    let automata = automata.unwrap_or_else(|| panic!("{:#?}", lines(text, &diagnostics)));
    let found = dump(&automata);
    assert_eq!(found, expect, "\n{}\nin\n{text}", found.join("\n"));
}

/// A model in plain lines: queues, then transitions, then properties.
pub(super) fn dump(automata: &Automata) -> Vec<String> {
    let outline = automata.outline();
    let mut all = Vec::new();
    for queue in &outline.queues {
        let kind = outline.kinds[queue.kind];
        all.push(format!("queue {} {:?} {:?}", queue.name, kind.capacity, kind.loss));
    }
    for (id, machine) in automata.machines().iter_enumerated() {
        let name = &outline.machines[id].name;
        all.push(format!("machine {name} from {}", machine.states[machine.initial].name));
        for state in &machine.states {
            all.push(state_line(automata, state));
            for transition in &state.transitions {
                let target = &machine.states[transition.target].name;
                all.push(format!("    {} -> {target}", action_text(automata, &transition.action)));
            }
        }
    }
    for bad in &outline.bad {
        let cases: Vec<String> = bad.cases.iter().map(|case| case_text(automata, case)).collect();
        all.push(format!("bad {}: {}", bad.name, cases.join(" or ")));
    }
    all.extend(outline.ltl.iter().map(|ltl| match &ltl.says {
        qp_machines::Says::Formula(formula) => format!("ltl {}: {formula}", ltl.name),
        qp_machines::Says::Never(_) => unreachable!("only formulas are written"),
    }));
    all
}

fn state_line(automata: &Automata, state: &qp_machines::State) -> String {
    let mut line = format!("  {}", state.name);
    for (set, label) in [(state.end, " end"), (state.progress, " progress")] {
        line.push_str(if set { label } else { "" });
    }
    for message in &state.deferred {
        write!(line, " defer {}", automata.message_text(*message)).unwrap();
    }
    line
}

fn action_text(automata: &Automata, action: &Action) -> String {
    let queue = |q| &automata.outline().queues[q].name;
    match action {
        Action::Internal => "internal".to_owned(),
        Action::Send(q, m) => format!("{}!{}", queue(*q), automata.message_text(*m)),
        Action::Receive(q, m) => format!("{}?{}", queue(*q), automata.message_text(*m)),
        Action::Fail(text) => format!("fail {text:?}"),
    }
}

fn case_text(automata: &Automata, case: &[Atom]) -> String {
    let outline = automata.outline();
    let text = |atom: &Atom| match atom {
        Atom::Control(machine, states) => {
            format!("{} in {}", outline.machines[*machine].name, states.join("|"))
        }
        Atom::Content(queue, pattern) => {
            format!("{} matches {pattern:?}", outline.queues[*queue].name)
        }
    };
    case.iter().map(text).collect::<Vec<_>>().join(" and ")
}
