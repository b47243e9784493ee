//! Code that gives queues their capacities, from bounds that were proved.

mod names;

use std::fmt::Write;

use queueproof::{Assurance, QueueReport, QueueStatus, Report};

use crate::fit::clean;
use crate::json::{Json, object, pretty};
use crate::reading;
use names::Names;

/// An object of schema `queueproof.capacities/1`, with a final line feed.
pub fn json(report: &Report) -> String {
    pretty(&object! {
        schema: "queueproof.capacities/1",
        model: &report.model.path,
        queues: Json::list(&report.queues, |queue| object! {
            name: &queue.name,
            capacity: capacity(queue),
            status: status(queue),
            engine: &queue.engine,
            certificate: &queue.certificate,
            because: because(queue),
        }),
    })
}

/// A module of Rust code with one channel of tokio per queue.
pub fn tokio(report: &Report) -> String {
    let mut out = head(report, "//", "tokio");
    out.push_str("\nuse tokio::sync::mpsc;\n");
    // With an ending no name is a keyword.
    let mut names = Names::of_rust();
    let named: Vec<(String, &QueueReport)> =
        report.queues.iter().map(|queue| (names.name(&queue.name), queue)).collect();
    for (name, queue) in &named {
        let _ = write!(out, "\n/// Queue `{}`: {}.\n", clean(&queue.name), because(queue));
        if let Some(capacity) = capacity(queue) {
            let constant = name.to_uppercase();
            let _ = write!(
                out,
                "pub const {constant}_CAPACITY: usize = {capacity};\n\n\
                 /// A channel for the queue `{}`.\n\
                 pub fn {name}_queue<Message>() -> (mpsc::Sender<Message>, mpsc::Receiver<Message>) {{\n    \
                     mpsc::channel::<Message>({constant}_CAPACITY)\n}}\n",
                clean(&queue.name),
            );
        } else {
            let _ = write!(
                out,
                "pub fn {name}_queue<Message>() -> (mpsc::UnboundedSender<Message>, mpsc::UnboundedReceiver<Message>) {{\n    \
                     mpsc::unbounded_channel::<Message>()\n}}\n",
            );
        }
    }
    out + &all_channels(&named)
}

/// All channels at once.
fn all_channels(named: &[(String, &QueueReport)]) -> String {
    if named.is_empty() {
        return String::new();
    }
    let mut out =
        "\n/// A sender and a receiver for every queue.\npub struct Channels<Message> {\n"
            .to_owned();
    for (name, queue) in named {
        let kind = if capacity(queue).is_some() { "" } else { "Unbounded" };
        let _ = writeln!(
            out,
            "    /// Queue `{}`.\n    pub {name}_queue: (mpsc::{kind}Sender<Message>, mpsc::{kind}Receiver<Message>),",
            clean(&queue.name)
        );
    }
    out.push_str("}\n\n/// Makes all channels.\npub fn channels<Message>() -> Channels<Message> {\n    Channels {\n");
    for (name, _) in named {
        let _ = writeln!(out, "        {name}_queue: {name}_queue(),");
    }
    out.push_str("    }\n}\n");
    out
}

/// Sections of an `application.conf` with one mailbox of Akka per queue.
pub fn akka(report: &Report) -> String {
    let mut out = head(report, "#", "akka");
    out.push_str(
        "# Give an actor its mailbox with `Props.withMailbox`, or under `akka.actor.deployment`.\n\
         # What does not fit waits for `mailbox-push-timeout-time` and then goes to the dead letters.\n",
    );
    let mut names = Names::of_akka();
    for queue in &report.queues {
        let name = names.name(&queue.name);
        let _ = write!(
            out,
            "\n# Queue `{}`: {}.\n{name}-mailbox {{\n",
            clean(&queue.name),
            because(queue)
        );
        let _ = match capacity(queue) {
            Some(capacity) => write!(
                out,
                "  mailbox-type = \"akka.dispatch.BoundedMailbox\"\n  \
                   mailbox-capacity = {capacity}\n  \
                   mailbox-push-timeout-time = 10s\n}}\n"
            ),
            None => write!(out, "  mailbox-type = \"akka.dispatch.UnboundedMailbox\"\n}}\n"),
        };
    }
    out
}

fn head(report: &Report, comment: &str, kind: &str) -> String {
    let words = std::iter::once(&report.model.path).chain(&report.model.options);
    let words: Vec<String> = words.map(|word| clean(word)).collect();
    let words = words.join(" ");
    format!(
        "{comment} Made by `queueproof bounds {words} --emit {kind}`. Do not edit: run it again.\n\
         {comment} Capacities are bounds that were proved, so no send waits, unless a comment says otherwise.\n"
    )
}

/// The capacity to give to a queue; none if no capacity is known to do.
fn capacity(queue: &QueueReport) -> Option<u32> {
    match (queue.limited, queue.status) {
        (Some(limited), _) => Some(limited.max(1)),
        (None, QueueStatus::Bounded(n)) => Some(n.max(1)),
        (None, QueueStatus::Unbounded | QueueStatus::Unknown) => None,
    }
}

fn status(queue: &QueueReport) -> &'static str {
    match (queue.limited, queue.status) {
        (Some(0), _) => "rendezvous",
        (Some(_), _) => "limited",
        (None, QueueStatus::Bounded(_)) => "bounded",
        (None, QueueStatus::Unbounded) => "unbounded",
        (None, QueueStatus::Unknown) => "unknown",
    }
}

/// Why the capacity is what it is, on one line.
fn because(queue: &QueueReport) -> String {
    let by = |what: &str| match &queue.engine {
        Some(engine) => format!("{what} by {}", clean(engine)),
        None => what.to_owned(),
    };
    match (queue.limited, queue.status) {
        (Some(0), _) => {
            "messages are handed over in the model; the smallest capacity comes closest".to_owned()
        }
        (Some(n), _) => format!("the model lets at most {n} in, and a send to a full queue waits"),
        (None, QueueStatus::Bounded(n)) => {
            let file = queue.certificate.as_ref().map(|file| format!(", {}", clean(file)));
            let proved = match queue.assurance {
                Some(Assurance::Searched) => "searched, not re-checked,",
                Some(Assurance::Certified) | None => "proved",
            };
            format!("never holds more than {n} ({}{})", by(proved), file.unwrap_or_default())
        }
        (None, QueueStatus::Unbounded) => {
            let turn = queue.trace.as_ref().and_then(|trace| reading::turn_effect(&trace.chart));
            let turn = turn.map_or_else(String::new, |turn| format!(", {turn}"));
            format!("grows without bound ({}{turn})", by("a loop found"))
        }
        (None, QueueStatus::Unknown) => "no bound was proved".to_owned(),
    }
}

#[cfg(test)]
mod tests;
