use super::*;
use crate::samples::{PLAIN, assert_fits, lists_report, mixed_report, property, random_chart};

const MIXED: &str = "\
cancel.cfsm   CFSM, mailbox, 2 machines, 2 queues, 4 messages

violated[QP1001] unhandled: Server is in Granted and cannot receive Cancel, the first message in
  its queue
  --> cancel.cfsm:12:5

          Client        Server
           Idle          Free
             |             |
    1        |---- Req --->|      Client: Idle -> Waiting    Server queue: Req
    2        |   takes Req o      Server: Free -> Asked      Server queue: (empty)
    3        |-- Cancel -->|      Client: Waiting -> Done    Server queue: Cancel
    4        |<-- Grant ---|      Server: Asked -> Granted   Client queue: Grant
             |             X Server cannot receive Cancel here

  Cancel and Grant cross: each was sent before the other was taken.
  found      by explore at queue length 1, checked by replay
  replay     queueproof replay cancel.cfsm --trace 0.0 1.0 0.1 1.1

  violated  unhandled  after 4 steps                         12 ms   QP1001
  proved    deadlock   for every queue length                12 ms
  none      assert     the model has no assertions
  unknown   orphan     no violation up to queue length 6    60.0 s   QP3001

  unknown    every search was cut by the greatest queue length

  queue   longest seen  status
  Client             1  bounded by 1
  Server             1  unbounded

1 violated, 1 proved, 1 unknown, 1 with nothing to check
  how        converge proved deadlock
  certified  cancel.deadlock.qpcert, accepted by the independent checker
  limits     met: bound
  caveat     lossy queues are treated as reliable
  next       queueproof explain QP1001
";

#[test]
fn one_property_of_each_verdict() {
    let text = report(&mixed_report(), &PLAIN);
    assert!(text == MIXED, "written:\n{text}");
}

const LISTS: &str = "\
cancel.cfsm   CFSM, mailbox, 2 machines, 2 queues, 4 messages

  proved    deadlock   for every queue length                                         12 ms
  unknown   unhandled  not proved: a situation is in the way that was not reached     12 ms   QP3009

  unknown    in the way: Receiver is in Ignoring and cannot receive Prime, the first message in its
             queue; not reached up to queue length 8
  in the way Sender is in T
             Receiver is in Ignoring, queue Prime (1+) Done (1+)

  invariants Receiver: G (Done => G !Prime) (proved)
             Receiver: #Prime <= 1 (false: some run breaks it)
             Receiver: #Done <= 1 (found and proved)
             Receiver: #Prime <= 4 (found: true as far as was searched, not proved)

1 proved, 1 unknown
  how        converge proved deadlock (prefix 0, 17 abstract configurations, all seen at queue
             length 2)
";

#[test]
fn what_is_in_the_way_and_what_is_said_about_queues() {
    let text = report(&lists_report(), &PLAIN);
    assert!(text == LISTS, "written:\n{text}");
    for width in [60, 72, 100] {
        let style = Style { width, ..PLAIN };
        assert_fits(&report(&lists_report(), &style), &style);
    }
}

#[test]
fn of_many_machines_only_those_that_matter_are_shown() {
    let mut value = lists_report();
    let situation = value.properties[1].in_the_way.as_mut().unwrap();
    for number in 0..5 {
        let mut more = situation.machines[0].clone();
        more.name = format!("Other{number}");
        situation.machines.push(more);
    }
    let text = report(&value, &PLAIN);
    assert!(text.contains("  in the way Receiver is in Ignoring, queue"), "{text}");
    assert!(!text.contains("Other3"), "{text}");
}

#[test]
fn of_what_was_found_some_are_shown() {
    let mut value = lists_report();
    let (proved, open) = (value.invariants[2].clone(), value.invariants[3].clone());
    value.invariants = [vec![proved; 12], vec![open; 7]].concat();
    let text = report(&value, &PLAIN);
    assert_eq!(text.matches("#Done <= 1").count(), 5, "{text}");
    assert!(text.contains("             and 7 more (found and proved)\n"), "{text}");
    assert_eq!(text.matches("#Prime <= 4").count(), 5, "{text}");
    assert!(text.contains("and 2 more (found: true as far as was searched, not proved)"), "{text}");
    let full = report(&value, &Style { full: true, ..PLAIN });
    assert_eq!(full.matches("#Done <= 1").count(), 12, "{full}");
}

#[test]
fn colour_changes_nothing_but_colour_and_green_is_for_proofs() {
    let style = Style { color: true, ..PLAIN };
    let text = report(&mixed_report(), &style);
    let green = "\u{1b}[32m";
    for line in text.lines().filter(|line| line.contains(green)) {
        assert!(line.contains("proved") || line.contains("bounded by"), "{line}");
    }
    let mut plain = String::new();
    let mut rest = text.as_str();
    while let Some(start) = rest.find('\u{1b}') {
        plain.push_str(&rest[..start]);
        rest = rest[start..].split_once('m').unwrap().1;
    }
    plain.push_str(rest);
    let trimmed: Vec<&str> = plain.lines().map(str::trim_end).collect();
    assert_eq!(trimmed, MIXED.lines().collect::<Vec<_>>());
}

#[test]
fn every_line_fits() {
    for width in [60, 72, 80, 100, 140] {
        for seed in 0..40 {
            let mut value = mixed_report();
            let long = "reach:".to_owned() + &"x".repeat(usize::try_from(seed).unwrap());
            let text = "words of several lengths, of which some are longer than others ".repeat(4);
            value.properties.push(property(&long, VerdictWord::Violated, &text));
            value.properties.push(property(&long, VerdictWord::None, &text));
            if let Some(trace) = &mut value.properties[0].trace {
                trace.chart = random_chart(seed);
            }
            value.properties[3].reason = Some(text.clone());
            value.queues[0].name = "n".repeat(usize::try_from(seed).unwrap() * 3);
            value.queues[0].status = QueueStatus::Unknown;
            value.queues[0].reason = Some(text.clone());
            value.queues[1].trace = value.properties[0].trace.clone();
            value.caveats.push(text);
            let style = Style { width, ..PLAIN };
            assert_fits(&report(&value, &style), &style);
        }
    }
}

#[test]
fn a_report_about_nothing_says_so() {
    let mut value = mixed_report();
    value.properties.clear();
    value.queues.clear();
    assert!(report(&value, &PLAIN).contains("\nnothing to check\n"));
}

#[test]
fn a_run_without_a_saved_command_gets_one() {
    let mut value = mixed_report();
    value.next.clear();
    let text = report(&value, &PLAIN);
    assert!(text.contains("replay     queueproof replay cancel.cfsm --trace 0.0 1.0 0.1 1.1"));
    if let Some(trace) = &mut value.properties[0].trace {
        trace.file = Some("runs/1.qptrace.json".into());
    }
    assert!(report(&value, &PLAIN).contains("replay     queueproof replay runs/1.qptrace.json"));
}

#[test]
fn a_run_is_drawn_once_and_engines_say_why_they_gave_up() {
    let mut value = mixed_report();
    let mut again = value.properties[0].clone();
    again.id = "stuck".into();
    value.properties.push(again);
    value.engines[0].outcome = "gave-up".into();
    value.engines[0].reason = Some("the greatest queue length is reached".into());
    let text = report(&value, &PLAIN);
    assert_eq!(text.matches("|-- Cancel -->|").count(), 1, "{text}");
    assert!(text.contains("the run is the one drawn above for unhandled"), "{text}");
    assert!(
        text.contains("  tried      explore: the greatest queue length is reached\n"),
        "{text}"
    );
}
