//! A run as a Mermaid sequence diagram, for pages that draw those.
//!
//! Mermaid has no arrow whose ends are at different times, so a send is an open arrow and the
//! taking of a message is a note on the reader's lane.

use std::fmt::Write as _;

use queueproof::{Chart, ChartEvent};

use crate::reading::{self, Target, machine_name, queue_name};

/// The diagram, starting with `sequenceDiagram`.
pub fn mermaid(chart: &Chart) -> String {
    let mut out = String::from("sequenceDiagram\n");
    for machine in 0..chart.machines.len() {
        push(&mut out, 1, &format!("participant m{machine} as {}", name(chart, machine)));
    }
    let mut depth = 1;
    for row in 0..chart.rows.len() {
        if let Some(number) = chart.rounds.iter().position(|round| round.from == row) {
            let round = reading::round_name(chart, number);
            push(&mut out, 1, &format!("Note over {}: {round}", everybody(chart)));
        }
        if chart.cycle_from == Some(row) {
            let effect = reading::turn_effect(chart).unwrap_or_default();
            push(&mut out, 1, &format!("loop {}", escape(&effect)));
            depth = 2;
        }
        let mark =
            if chart.rows[row].marked { format!(" {}", reading::MARK) } else { String::new() };
        push(&mut out, depth, &format!("{}{mark}", step(chart, row)));
        let change = &chart.rows[row];
        let note = reading::deed_text(chart, row).or_else(|| {
            (change.from != change.to).then(|| format!("{} → {}", change.from, change.to))
        });
        for text in note.into_iter().chain(reading::values_text(chart, row)) {
            push(&mut out, depth, &format!("Note over m{}: {}", change.machine, escape(&text)));
        }
    }
    if depth == 2 {
        push(&mut out, 1, "end");
    }
    if let Some(sentence) = reading::marks(chart) {
        push(&mut out, 1, &format!("Note over {}: {sentence}", everybody(chart)));
    }
    if !chart.machines.is_empty() && !chart.ending.is_empty() {
        let over = chart.ending_machine.map_or_else(|| everybody(chart), |it| format!("m{it}"));
        push(&mut out, 1, &format!("Note over {over}: ✗ {}", escape(&chart.ending)));
    }
    out
}

/// From the first machine to the last.
fn everybody(chart: &Chart) -> String {
    match chart.machines.len() {
        0 | 1 => "m0".to_owned(),
        count => format!("m0,m{}", count - 1),
    }
}

fn push(out: &mut String, depth: usize, line: &str) {
    writeln!(out, "{}{line}", "    ".repeat(depth)).expect("a String takes every text");
}

fn name(chart: &Chart, machine: usize) -> String {
    escape(&machine_name(chart, machine))
}

fn step(chart: &Chart, row: usize) -> String {
    let from = chart.rows[row].machine;
    let note = |text: &str| format!("Note over m{from}: {text}");
    let (to, via) = match reading::target(chart, row) {
        Some(Target::Machine(machine)) => (Some(machine), String::new()),
        Some(Target::Itself) => (Some(from), String::new()),
        Some(Target::Queue(queue)) => (None, escape(&queue_name(chart, queue))),
        None => (None, String::new()),
    };
    match (&chart.rows[row].event, to) {
        (ChartEvent::Sends { message, .. }, Some(to)) => {
            format!("m{from}-)m{to}: {}", escape(message))
        }
        (ChartEvent::Sends { message, .. }, None) => {
            note(&format!("sends {} to {via}", escape(message)))
        }
        (ChartEvent::Loses { message, .. }, Some(to)) => {
            format!("m{from}-xm{to}: {}", escape(message))
        }
        (ChartEvent::Loses { message, .. }, None) => {
            note(&format!("loses {} to {via}", escape(message)))
        }
        (ChartEvent::Takes { message, .. }, _) => note(&format!("takes {}", escape(message))),
        (ChartEvent::Meets { message, receiver, .. }, _) => {
            format!("m{from}->>m{receiver}: {}", escape(message))
        }
        (ChartEvent::Creates { machine }, _) => format!("m{from}-->>m{machine}: new"),
        (ChartEvent::Internal, _) => note("moves"),
        (ChartEvent::Ends, _) => note("ends"),
        (ChartEvent::Closes { queue }, _) => {
            note(&format!("closes {}", escape(&queue_name(chart, *queue))))
        }
        (ChartEvent::Fails { text }, _) => note(&format!("fails: {}", escape(text))),
    }
}

/// Mermaid ends a statement at `;`, begins an entity at `#`, and takes the bare word `end` for the
/// end of a block wherever it stands.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in crate::fit::clean(text).chars() {
        match c {
            '#' | ';' | '<' | '>' | '"' | '%' | '{' | '}' => {
                write!(out, "#{};", u32::from(c)).expect("a String takes every text");
            }
            _ => out.push(c),
        }
    }
    let words: Vec<&str> = out.split(' ').collect();
    let words = words.iter().map(|word| match word.to_ascii_lowercase().as_str() {
        "end" => format!("#{};{}", u32::from(word.as_bytes()[0]), &word[1..]),
        _ => (*word).to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn a_crossing() {
        let expected = "\
sequenceDiagram
    participant m0 as Client
    participant m1 as Server
    m0-)m1: Req
    Note over m0: Idle → Waiting
    Note over m1: takes Req
    Note over m1: Free → Asked
    m0-)m1: Cancel
    Note over m0: Waiting → Done
    m1-)m0: Grant
    Note over m1: Asked → Granted
    Note over m1: ✗ Server cannot receive Cancel here
";
        assert_eq!(mermaid(&samples::crossing_chart()), expected);
    }

    #[test]
    fn a_loop_is_a_block() {
        let text = mermaid(&samples::loop_chart());
        assert!(text.contains("\n    loop each turn: Server +1 Req\n        m0-)m1: Req\n"));
        assert!(text.contains("\n    end\n    Note over m1: ✗"));
    }

    #[test]
    fn rounds_are_notes_and_marked_messages_have_a_star() {
        let expected = "\
sequenceDiagram
    participant m0 as Client
    participant m1 as Server
    Note over m0,m1: round 1
    m0-)m1: Req
    Note over m0: Idle → Waiting
    Note over m1: takes Req
    Note over m1: Free → Asked
    Note over m0,m1: no round
    m0-)m1: Cancel *
    Note over m0: Waiting → Done
    m1-)m0: Grant *
    Note over m1: Asked → Granted
    Note over m1: takes Cancel *
    Note over m1: Granted → Free
    Note over m0: takes Grant *
    Note over m0: Done → Idle
    Note over m0,m1: * messages that wait for each other in a circle
    Note over m0,m1: ✗ no rounds allow this
";
        assert_eq!(mermaid(&samples::rounds_chart()), expected);
    }

    #[test]
    fn names_cannot_break_the_diagram() {
        assert_eq!(escape("a;b #1 end <x>\n"), "a#59;b #35;1 #101;nd #60;x#62; ");
    }

    #[test]
    fn every_event_has_a_line() {
        let text = mermaid(&samples::rich_chart());
        for piece in ["-->>m1: new", "-xm1:", "->>m2: sync", "to shared", "m2-)m2: eTick", "fails"]
        {
            assert!(text.contains(piece), "{piece} is missing in\n{text}");
        }
    }
}
