//! Capacities that somebody gives to queues, whatever the text says.

use qp_base::{Diagnostic, Span};
use qp_machines::{Discipline, Outline, QueueId};

use crate::{Fact, NO_SUCH_QUEUE, Reading};

/// Gives queues capacities. A queue that there is not, or that cannot have one, is an error.
pub(crate) fn give(reading: &mut Reading, capacities: &[(String, u32)]) {
    let Some(model) = &mut reading.model else { return };
    let mut wrong = Vec::new();
    for (name, messages) in capacities {
        match queue(model.outline(), name) {
            None => wrong.push(no_such_queue(model.outline(), name)),
            Some(queue) if !model.limit(queue, *messages) => wrong.push(no_room(name)),
            Some(_) => {}
        }
    }
    if capacities.is_empty() {
        return;
    }
    reading.model = reading.model.take().filter(|_| wrong.is_empty());
    reading.diagnostics.extend(wrong);
    let set = capacities.iter().map(|(name, messages)| format!("{name}={messages}"));
    reading.facts.push(Fact::new("set", set.collect::<Vec<String>>().join(", ")));
    reading.switches.capacities = capacities.to_vec();
}

/// The queue of a name. A mailbox that is created at run time is called `Client(2)`, and has that number.
fn queue(outline: &Outline, name: &str) -> Option<QueueId> {
    let number = || {
        let (_, number) = name.strip_suffix(')')?.rsplit_once('(')?;
        let number: u32 = number.parse().ok()?;
        let created = outline.language == "p" && outline.discipline == Discipline::Mailbox;
        let is_new = number as usize >= outline.queues.len() && number < 1_000_000;
        (created && is_new).then(|| QueueId::from_raw(number))
    };
    outline
        .queue_from_text(name)
        .filter(|queue| queue.index() < outline.queues.len())
        .or_else(number)
}

fn no_such_queue(outline: &Outline, name: &str) -> Diagnostic {
    let message = format!("there is no queue `{name}`");
    let known: Vec<&str> = outline.queues.iter().map(|info| info.name.as_str()).collect();
    let help = match &known[..] {
        [] => "the model has no queues".to_owned(),
        [..] if outline.language == "p" => {
            "mailboxes are named after their machines: `queueproof bounds` lists them".to_owned()
        }
        few if few.len() <= 12 => format!("there are {}", few.join(", ")),
        [..] => "`queueproof bounds` lists them".to_owned(),
    };
    Diagnostic::error(NO_SUCH_QUEUE, message, Span::default()).help(help)
}

fn no_room(name: &str) -> Diagnostic {
    let message = format!("the queue `{name}` cannot be given a capacity");
    Diagnostic::error(NO_SUCH_QUEUE, message, Span::default())
        .help("it hands messages over, or it is not there from the beginning")
}

#[cfg(test)]
mod tests {
    use crate::{File, Reading, Switches, load_files};

    fn read(name: &str, text: &str, set: (&str, u32)) -> Reading {
        let file = File { name: name.to_owned(), bytes: text.as_bytes().to_vec() };
        let capacities = vec![(set.0.to_owned(), set.1)];
        load_files(name, &[file], &Switches { capacities, ..Switches::default() })
    }

    #[test]
    fn a_queue_gets_what_it_is_given() {
        let text = "machine A { init S: send B m }  machine B { init S: recv m }";
        let reading = read("m.cfsm", text, ("B", 2));
        let model = reading.model.expect("it is a model");
        let outline = model.outline();
        let rooms: Vec<String> = outline
            .queues
            .iter()
            .map(|it| format!("{:?}", outline.kinds[it.kind].capacity))
            .collect();
        assert_eq!(rooms, ["Unbounded", "Messages(2)"]);
        assert_eq!(reading.switches.pairs(), [("set".to_owned(), "B=2".to_owned())]);
    }

    #[test]
    fn a_queue_that_there_is_not_is_refused() {
        let text = "machine A { init S: send B m }  machine B { init S: recv m }";
        let reading = read("m.cfsm", text, ("C", 2));
        assert!(reading.model.is_none());
        let said = &reading.diagnostics[0];
        assert_eq!((said.code.0, said.message.as_str()), (117, "there is no queue `C`"));
    }

    #[test]
    fn what_is_handed_over_stays_so() {
        let text =
            "chan c = [0] of { byte }; active proctype A() { c!1 } active proctype B() { c?1 }";
        let reading = read("m.pml", text, ("c", 2));
        assert!(reading.model.is_none());
        assert_eq!(reading.diagnostics[0].code.0, 117);
    }
}
