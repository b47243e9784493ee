//! Hand-made values for the tests of this crate.

use qp_base::Code;
use queueproof::{
    Assurance, Chart, ChartDeed, ChartEvent, ChartQueue, ChartRound, ChartRow, ChartValue,
    EngineReport, Explored, InvariantReport, LimitsReport, Location, ModelReport, PropertyReport,
    QueueReport, QueueStatus, Report, SituationMachine, SituationQueue, SituationReport,
    TraceReport, VerdictWord,
};

use crate::Style;

pub(crate) const PLAIN: Style = Style { color: false, unicode: false, width: 100, full: false };

pub(crate) fn assert_fits(text: &str, style: &Style) {
    for line in text.lines() {
        assert!(crate::fit::columns(line) <= style.width, "too wide:\n{line}\nin\n{text}");
        assert_eq!(line.trim_end(), line, "trailing blanks");
    }
    assert!(style.color || !text.contains('\u{1b}'));
    assert!(style.unicode || text.is_ascii(), "{text}");
}

pub(crate) fn sends(queue: usize, message: &str, taken: Option<usize>) -> ChartEvent {
    ChartEvent::Sends { queue, message: message.into(), taken }
}

pub(crate) fn takes(queue: usize, message: &str, sent: usize) -> ChartEvent {
    ChartEvent::Takes { queue, message: message.into(), sent: Some(sent) }
}

pub(crate) fn row(
    machine: usize,
    event: ChartEvent,
    states: (&str, &str),
    content: Option<(usize, &[&str])>,
) -> ChartRow {
    let content =
        content.map(|(queue, words)| (queue, words.iter().map(|word| (*word).into()).collect()));
    let mut row = ChartRow::new(machine, event, (states.0.into(), states.1.into()));
    row.contents.extend(content);
    row
}

pub(crate) fn mailboxes(names: &[&str]) -> Vec<ChartQueue> {
    let queue = |(i, name): (usize, &&str)| ChartQueue { name: (*name).into(), reader: Some(i) };
    names.iter().enumerate().map(queue).collect()
}

/// A grant and a cancel cross in flight.
pub(crate) fn crossing_chart() -> Chart {
    Chart {
        machines: vec!["Client".into(), "Server".into()],
        controls: vec!["Idle".into(), "Free".into()],
        queues: mailboxes(&["Client", "Server"]),
        rows: vec![
            row(0, sends(1, "Req", Some(1)), ("Idle", "Waiting"), Some((1, &["Req"]))),
            row(1, takes(1, "Req", 0), ("Free", "Asked"), Some((1, &[]))),
            row(0, sends(1, "Cancel", None), ("Waiting", "Done"), Some((1, &["Cancel"]))),
            row(1, sends(0, "Grant", None), ("Asked", "Granted"), Some((0, &["Grant"]))),
        ],
        cycle_from: None,
        ending: "Server cannot receive Cancel here".into(),
        ending_machine: Some(1),
        rounds: Vec::new(),
    }
}

/// A round of one message, and then two messages that cross, which are marked.
pub(crate) fn rounds_chart() -> Chart {
    let mut chart = crossing_chart();
    chart.rows[2].event = sends(1, "Cancel", Some(4));
    chart.rows[3].event = sends(0, "Grant", Some(5));
    chart.rows.push(row(1, takes(1, "Cancel", 2), ("Granted", "Free"), Some((1, &[]))));
    chart.rows.push(row(0, takes(0, "Grant", 3), ("Done", "Idle"), Some((0, &[]))));
    chart.rows[2..].iter_mut().for_each(|row| row.marked = true);
    chart.rounds = vec![ChartRound { from: 0, whole: true }, ChartRound { from: 2, whole: false }];
    chart.ending = "no rounds allow this".into();
    chart.ending_machine = None;
    chart
}

/// A client that asks again and again.
pub(crate) fn loop_chart() -> Chart {
    Chart {
        machines: vec!["Client".into(), "Server".into()],
        controls: vec!["Idle".into(), "Free".into()],
        queues: mailboxes(&["Client", "Server"]),
        rows: vec![
            row(0, ChartEvent::Internal, ("Idle", "Asking"), None),
            row(0, sends(1, "Req", Some(2)), ("Asking", "Asking"), Some((1, &["Req"]))),
            row(1, takes(1, "Req", 1), ("Free", "Free"), Some((1, &[]))),
            row(0, sends(1, "Req", None), ("Asking", "Asking"), Some((1, &["Req"]))),
        ],
        cycle_from: Some(1),
        ending: "the queue of Server grows with every turn".into(),
        ending_machine: Some(1),
        rounds: Vec::new(),
    }
}

/// Every kind of event, three machines of which one is created, one silent, long names.
pub(crate) fn rich_chart() -> Chart {
    let mut queues = mailboxes(&["Main", "Elevator", "Door", "Observer"]);
    queues.push(ChartQueue { name: "shared".into(), reader: None });
    let lose = ChartEvent::Loses { queue: 1, message: "eOpenDoorRequestedByPassenger".into() };
    let meet = ChartEvent::Meets { queue: 2, message: "sync".into(), receiver: 2 };
    let fail = ChartEvent::Fails { text: "assertion count < 3".into() };
    Chart {
        machines: ["Main", "Elevator", "Door", "Observer"].map(Into::into).to_vec(),
        controls: ["Init", "Closed", "Shut", "Watching"].map(Into::into).to_vec(),
        queues,
        rows: vec![
            row(0, ChartEvent::Creates { machine: 1 }, ("Init", "Running"), None),
            row(
                0,
                sends(1, "eOpenDoor", Some(6)),
                ("Running", "Running"),
                Some((1, &["eOpenDoor"])),
            ),
            row(0, lose, ("Running", "Running"), None),
            row(0, meet, ("Running", "Paused"), None),
            row(2, sends(4, "eNote", None), ("Shut", "Shut"), Some((4, &["eNote"]))),
            row(2, sends(2, "eTick", None), ("Shut", "Ticking"), Some((2, &["eTick"]))),
            row(1, takes(1, "eOpenDoor", 1), ("Closed", "Opening"), Some((1, &[]))),
            row(2, ChartEvent::Closes { queue: 4 }, ("Ticking", "Ticking"), None),
            row(0, ChartEvent::Ends, ("Paused", "Paused"), None),
            row(1, fail, ("Opening", "Opening"), None),
        ],
        cycle_from: None,
        ending: "the assertion count < 3 does not hold".into(),
        ending_machine: Some(1),
        rounds: Vec::new(),
    }
}

pub(crate) fn property(id: &str, verdict: VerdictWord, message: &str) -> PropertyReport {
    PropertyReport {
        id: id.into(),
        verdict,
        up_to_failure_of: Vec::new(),
        engine: None,
        code: None,
        message: message.into(),
        location: None,
        explored: None,
        assurance: (verdict == VerdictWord::Proved).then_some(Assurance::Certified),
        certificate: None,
        trace: None,
        reason: None,
        fair: None,
        in_the_way: None,
        time_s: 0.012,
    }
}

fn queue(name: &str, status: QueueStatus, engine: Option<&str>) -> QueueReport {
    QueueReport {
        number: 0,
        name: name.into(),
        status,
        assurance: matches!(status, QueueStatus::Bounded(_)).then_some(Assurance::Certified),
        declared: None,
        limited: None,
        longest_seen: 1,
        engine: engine.map(Into::into),
        trace: None,
        certificate: None,
        reason: None,
        capacities: None,
    }
}

fn properties() -> Vec<PropertyReport> {
    let choices = ["0.0", "1.0", "0.1", "1.1"].map(Into::into).to_vec();
    vec![
        PropertyReport {
            engine: Some("explore".into()),
            code: Some(Code(1001)),
            location: Some(Location {
                file: "cancel.cfsm".into(),
                line: 12,
                column: 5,
                end_line: 12,
                end_column: 12,
            }),
            explored: Some(Explored { bound: 1, states: 9, transitions: 10 }),
            trace: Some(TraceReport { file: None, choices, chart: crossing_chart() }),
            ..property(
                "unhandled",
                VerdictWord::Violated,
                "Server is in Granted and cannot receive Cancel, the first message in its queue",
            )
        },
        PropertyReport {
            engine: Some("converge".into()),
            certificate: Some("cancel.deadlock.qpcert".into()),
            ..property("deadlock", VerdictWord::Proved, "for every queue length")
        },
        property("assert", VerdictWord::None, "the model has no assertions"),
        PropertyReport {
            code: Some(Code(3001)),
            explored: Some(Explored { bound: 6, states: 48_210, transitions: 99_999 }),
            reason: Some("every search was cut by the greatest queue length".into()),
            time_s: 60.0,
            ..property("orphan", VerdictWord::Unknown, "no violation up to queue length 6")
        },
    ]
}

/// One property of each verdict.
pub(crate) fn mixed_report() -> Report {
    Report {
        model: ModelReport {
            path: "cancel.cfsm".into(),
            language: "cfsm".into(),
            facts: Vec::new(),
            options: Vec::new(),
            discipline: "mailbox".into(),
            machines: 2,
            queues: 2,
            messages: 4,
            machines_met: 2,
            queues_met: 2,
        },
        limits: LimitsReport {
            time_s: Some(60.0),
            memory_bytes: 9_007_199_254_740_993,
            states: u64::MAX,
            max_bound: 6,
            hit: vec!["bound".into()],
        },
        properties: properties(),
        queues: vec![
            queue("Client", QueueStatus::Bounded(1), Some("flow")),
            queue("Server", QueueStatus::Unbounded, Some("flow")),
        ],
        unreached: None,
        coverage: None,
        why: None,
        engines: vec![EngineReport {
            name: "explore".into(),
            outcome: "answered".into(),
            reason: None,
            time_s: 0.25,
            detail: vec![("zeta".into(), 1), ("alpha".into(), u64::MAX)],
            bounds: vec![Explored { bound: 1, states: 9, transitions: 10 }],
            exact: Vec::new(),
            blurred: Vec::new(),
            remarks: Vec::new(),
        }],
        together: None,
        changes: None,
        invariants: Vec::new(),
        caveats: vec!["lossy queues are treated as reliable".into()],
        not_asked: Vec::new(),
        next: vec![
            "queueproof replay cancel.cfsm --trace 0.0 1.0 0.1 1.1".into(),
            "queueproof explain QP1001".into(),
        ],
    }
}

/// A proof for every queue length, another one that a situation is in the way of, and invariants.
pub(crate) fn lists_report() -> Report {
    let machine = |name: &str, state: &str, at_fault| SituationMachine {
        name: name.into(),
        state: state.into(),
        at_fault,
    };
    let fault = "Receiver is in Ignoring and cannot receive Prime, the first message in its queue";
    let situation = SituationReport {
        fault: fault.into(),
        prefix: 0,
        counted: 0,
        machines: vec![machine("Sender", "T", false), machine("Receiver", "Ignoring", true)],
        queues: vec![SituationQueue {
            name: "Receiver".into(),
            reader: Some("Receiver".into()),
            content: vec!["Prime (1+)".into(), "Done (1+)".into()],
        }],
    };
    let mut report = mixed_report();
    let gist = "not proved: a situation is in the way that was not reached";
    report.properties = vec![
        PropertyReport {
            engine: Some("converge".into()),
            ..property("deadlock", VerdictWord::Proved, "for every queue length")
        },
        PropertyReport {
            code: Some(Code(3009)),
            reason: Some(format!("in the way: {fault}; not reached up to queue length 8")),
            in_the_way: Some(situation),
            ..property("unhandled", VerdictWord::Unknown, gist)
        },
    ];
    let invariant = |formula: &str, stated, standing: &str| InvariantReport {
        about: "Receiver".into(),
        formula: formula.into(),
        stated,
        standing: standing.into(),
    };
    report.invariants = vec![
        invariant("G (Done => G !Prime)", true, "proved"),
        invariant("#Prime <= 1", true, "false"),
        invariant("#Done <= 1", false, "proved"),
        invariant("#Prime <= 4", false, "open"),
        invariant("#Other <= 2", false, "false"),
    ];
    let detail = [("p", 0), ("c", 0), ("abstract_states", 17), ("k_max", 2), ("invariants", 1)];
    report.engines.push(EngineReport {
        name: "converge".into(),
        detail: detail.map(|(name, figure)| (name.to_owned(), figure)).to_vec(),
        bounds: vec![
            Explored { bound: 1, states: 12, transitions: 20 },
            Explored { bound: 2, states: 40, transitions: 70 },
        ],
        exact: Vec::new(),
        blurred: vec![8, 17],
        ..report.engines[0].clone()
    });
    (report.queues, report.caveats, report.next) = (Vec::new(), Vec::new(), Vec::new());
    report.limits.hit.clear();
    report
}

/// A chart of random shape with names of random length; the same for the same seed.
pub(crate) fn random_chart(seed: u64) -> Chart {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let machines = 1 + dice.roll(9);
    let names: Vec<String> = (0..machines).map(|_| dice.name()).collect();
    let mut queues: Vec<ChartQueue> = names
        .iter()
        .enumerate()
        .map(|(i, name)| ChartQueue { name: name.clone(), reader: Some(i) })
        .collect();
    queues.push(ChartQueue { name: dice.name(), reader: None });
    let length = dice.roll(90);
    let rows: Vec<ChartRow> =
        (0..length).map(|i| random_row(&mut dice, machines, i, length)).collect();
    let cycle_from = (length > 0 && dice.roll(3) == 0).then(|| dice.roll(length));
    let ending = (0..dice.roll(20)).map(|_| dice.name()).collect::<Vec<_>>().join(" ");
    let ending_machine = (dice.roll(2) == 0).then(|| dice.roll(machines));
    let controls = (0..machines).map(|_| dice.name()).collect();
    let mut rounds: Vec<ChartRound> = (0..length)
        .filter(|_| dice.roll(6) == 0)
        .map(|from| ChartRound { from, whole: from % 2 == 0 })
        .collect();
    rounds.truncate(if cycle_from.is_some() { 0 } else { length });
    Chart { machines: names, controls, queues, rows, cycle_from, ending, ending_machine, rounds }
}

fn random_row(dice: &mut Dice, machines: usize, i: usize, length: usize) -> ChartRow {
    let queue = dice.roll(machines + 1);
    let message = dice.name();
    let event = match dice.roll(12) {
        0 => ChartEvent::Internal,
        1 => ChartEvent::Loses { queue, message },
        2 => ChartEvent::Meets { queue, message, receiver: dice.roll(machines) },
        3 => ChartEvent::Creates { machine: dice.roll(machines) },
        4 => ChartEvent::Ends,
        5 => ChartEvent::Closes { queue },
        6 => ChartEvent::Fails { text: message },
        7 | 8 => ChartEvent::Takes { queue, message, sent: (i > 0).then(|| dice.roll(i.max(1))) },
        _ => {
            let taken =
                (i + 1 < length && dice.roll(2) == 0).then(|| i + 1 + dice.roll(length - i - 1));
            ChartEvent::Sends { queue, message, taken }
        }
    };
    let words = (0..dice.roll(12)).map(|_| dice.name()).collect();
    let content = (dice.roll(2) == 0).then_some((queue, words));
    let machine = dice.roll(machines);
    let mut row = ChartRow::new(machine, event, (dice.name(), dice.name()));
    row.contents.extend(content);
    for _ in 0..dice.roll(3) {
        let (name, value) = (dice.name(), dice.name());
        let machine = (dice.roll(2) == 0).then(|| dice.roll(machines));
        row.values.push(ChartValue { machine, name, value });
    }
    for _ in 0..dice.roll(6).saturating_sub(2) {
        row.deeds.push(deed(machine, 1 + i as u32, &dice.name()));
    }
    row.marked = dice.roll(4) == 0;
    row
}

/// A statement on a line.
pub(crate) fn deed(machine: usize, line: u32, text: &str) -> ChartDeed {
    let file = "model.pml".to_owned();
    let location = Location { file, line, column: 1, end_line: line, end_column: 1 };
    ChartDeed { machine, place: format!("line {line}"), location, text: text.to_owned() }
}

/// A small generator of numbers; tests must not depend on the clock.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    fn name(&mut self) -> String {
        let length = if self.roll(8) == 0 { 40 } else { self.roll(9) };
        (0..length).map(|_| char::from(b"abcDEF_0<&"[self.roll(10)])).collect()
    }
}
