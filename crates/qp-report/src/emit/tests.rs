use queueproof::{QueueStatus, TraceReport};

use super::*;
use crate::samples::{loop_chart, mixed_report};

/// A queue with a bound, one that grows, one of which nothing is known, one that is limited and one that hands over.
fn report() -> Report {
    let mut report = mixed_report();
    let mut queue = report.queues[0].clone();
    queue.certificate = Some("certificate.json".into());
    let named = |name: &str, status, limited| {
        let (engine, trace, certificate) = (Some("explore".into()), None, None);
        let name = name.into();
        QueueReport { name, status, limited, engine, trace, certificate, ..queue.clone() }
    };
    let mut grows = named("match", QueueStatus::Unbounded, None);
    grows.trace = Some(TraceReport { file: None, choices: Vec::new(), chart: loop_chart() });
    let bounded = QueueReport { name: "q[0]".into(), ..queue.clone() };
    let unknown = named("A->B", QueueStatus::Unknown, None);
    let limited = named("q-0", QueueStatus::Bounded(3), Some(3));
    let handed = named("r", QueueStatus::Bounded(0), Some(0));
    report.queues = vec![bounded, grows, unknown, limited, handed];
    report
}

#[test]
fn tokio_code_names_what_was_proved() {
    let code = tokio(&report());
    let bounded = "\
/// Queue `q[0]`: never holds more than 1 (proved by flow, certificate.json).
pub const Q_0_CAPACITY: usize = 1;

/// A channel for the queue `q[0]`.
pub fn q_0_queue<Message>() -> (mpsc::Sender<Message>, mpsc::Receiver<Message>) {
    mpsc::channel::<Message>(Q_0_CAPACITY)
}
";
    assert!(code.contains(bounded), "{code}");
    let grows = "\
/// Queue `match`: grows without bound (a loop found by explore, each turn: Server +1 Req).
pub fn match_queue<Message>() -> (mpsc::UnboundedSender<Message>, mpsc::UnboundedReceiver<Message>) {
    mpsc::unbounded_channel::<Message>()
}
";
    assert!(code.contains(grows), "{code}");
    assert!(code.contains("pub const Q_0_2_CAPACITY: usize = 3;\n"), "{code}");
}

#[test]
fn akka_has_a_mailbox_for_each_queue() {
    let code = akka(&report());
    let bounded = "
# Queue `q[0]`: never holds more than 1 (proved by flow, certificate.json).
q-0-mailbox {
  mailbox-type = \"akka.dispatch.BoundedMailbox\"
  mailbox-capacity = 1
  mailbox-push-timeout-time = 10s
}
";
    assert!(code.contains(bounded), "{code}");
    let grows = "match-mailbox {\n  mailbox-type = \"akka.dispatch.UnboundedMailbox\"\n}\n";
    assert!(code.contains(grows), "{code}");
}

#[test]
fn scripts_get_capacities_with_reasons() {
    let value: serde_json::Value = serde_json::from_str(&json(&report())).unwrap();
    assert_eq!(value["schema"], "queueproof.capacities/1");
    assert_eq!(value["queues"][0]["capacity"], 1);
    assert_eq!(value["queues"][0]["status"], "bounded");
    assert_eq!(value["queues"][0]["certificate"], "certificate.json");
    assert_eq!(value["queues"][1]["capacity"], serde_json::Value::Null);
    assert_eq!(value["queues"][2]["status"], "unknown");
    assert_eq!(value["queues"][3]["status"], "limited");
    assert_eq!(value["queues"][4]["status"], "rendezvous");
    assert_eq!(value["queues"][4]["capacity"], 1);
}
