//! The text of a Promela model.

use std::fmt::Write;

use qp_base::Map;
use qp_machines::{Atom, Capacity, Loss, MessageId, Outline, Pattern, QueueId};

use crate::translate::names::Names;
use crate::translate::net::{Does, Local, Machine, Net, Queue, Way};
use crate::translate::{Translation, Untranslatable};

/// SPIN has no more of any of these.
const MANY: usize = 255;

/// How a queue is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// As a channel.
    Channel,
    /// As an array with a length: messages are taken from behind others, or a property looks at all of it.
    Array,
}

/// A queue as it is written.
pub(super) struct Written<'a> {
    pub(super) name: String,
    pub(super) form: Form,
    /// How many messages fit; 0 for a rendezvous.
    pub(super) room: u32,
    pub(super) queue: &'a Queue,
}

/// Knows how everything is called.
pub(super) struct Writer<'a> {
    net: &'a Net,
    pub(super) bound: u32,
    pub(super) queues: Vec<Written<'a>>,
    pub(super) messages: Map<MessageId, String>,
    /// The names of machines.
    pub(super) procs: Vec<String>,
    /// The labels of local states, by machine.
    labels: Vec<Vec<String>>,
    pub(super) names: Names,
    pub(super) notes: Vec<String>,
}

impl<'a> Writer<'a> {
    /// Gives a name to everything.
    pub(super) fn new(net: &'a Net, outline: &Outline, bound: u32) -> Result<Self, Untranslatable> {
        for (n, what) in [
            (net.machines.len(), "machines"),
            (net.queues.len(), "queues"),
            (net.messages.len(), "messages"),
        ] {
            if n > MANY {
                let message = format!("it has {n} {what}, and SPIN allows {MANY}");
                return Err(Untranslatable::new(message));
            }
        }
        let mut names = Names::default();
        let procs: Vec<String> = net.machines.iter().map(|it| names.fresh(&it.name)).collect();
        let messages = net.messages.iter().map(|(id, text)| (*id, names.fresh(text))).collect();
        let mut queues = Vec::new();
        for (number, queue) in net.queues.iter().enumerate() {
            let read = queue.looked_into || is_looked_at(outline, QueueId::new(number));
            let room = match queue.kind.capacity {
                Capacity::Unbounded => bound,
                Capacity::Messages(n) => n,
                Capacity::Rendezvous => 0,
            };
            if room as usize > MANY {
                let message = format!(
                    "`{}` has room for {room} messages, and SPIN allows {MANY}",
                    queue.name
                );
                return Err(Untranslatable::new(message));
            }
            let form = if read && room > 0 { Form::Array } else { Form::Channel };
            queues.push(Written { name: names.fresh(&queue.name), form, room, queue });
        }
        let label = |machine: &Machine| {
            let mut own = names.clone();
            machine.locals.iter().map(|it| own.fresh(&format!("at_{}", it.control))).collect()
        };
        let labels = net.machines.iter().map(label).collect();
        Ok(Self { net, bound, queues, messages, procs, labels, names, notes: Vec::new() })
    }

    /// Whether a machine shows one of these control states, as a condition.
    pub(super) fn is_at(&self, machine: usize, controls: &[String]) -> String {
        let locals = self.net.machines[machine].locals.iter().zip(&self.labels[machine]);
        let there = locals.filter(|(local, _)| controls.contains(&local.control));
        let terms: Vec<String> =
            there.map(|(_, label)| format!("{}@{label}", self.procs[machine])).collect();
        if terms.is_empty() { "false".to_owned() } else { format!("({})", terms.join(" || ")) }
    }

    /// The whole text.
    pub(super) fn finish(self, path: &str, demands: &[String]) -> Translation {
        let mut out = self.head(path);
        if !self.messages.is_empty() {
            let names: Vec<&str> =
                self.net.messages.iter().map(|(id, _)| self.messages[id].as_str()).collect();
            let _ = writeln!(out, "mtype = {{ {} }};\n", names.join(", "));
        }
        let of = if self.messages.is_empty() { "byte" } else { "mtype" };
        for Written { name, form, room, .. } in &self.queues {
            let _ = match form {
                Form::Channel => writeln!(out, "chan {name} = [{room}] of {{ {of} }};"),
                Form::Array => writeln!(out, "{of} {name}[{room}];\nbyte {name}_n;"),
            };
        }
        for (number, machine) in self.net.machines.iter().enumerate() {
            if machine.births.is_empty() {
                out += &self.proc(number, "active proctype", &self.procs[number], 0);
            }
            for &first in &machine.births {
                out += &self.proc(number, "proctype", &self.born(number, first), first);
            }
        }
        for demand in demands {
            let _ = writeln!(out, "\n{demand}");
        }
        Translation { text: out, notes: self.notes }
    }

    /// A process that begins in a local state.
    fn proc(&self, machine: usize, kind: &str, name: &str, first: usize) -> String {
        let others = (0..self.net.machines[machine].locals.len()).filter(|&at| at != first);
        let blocks: Vec<String> =
            std::iter::once(first).chain(others).map(|at| self.block(machine, at)).collect();
        format!("\n{kind} {name}()\n{{\n{}\n}}\n", blocks.join(";\n"))
    }

    /// The name of the process that a machine is when it is created in a local state.
    fn born(&self, machine: usize, first: usize) -> String {
        let name = &self.procs[machine];
        match self.net.machines[machine].births.iter().position(|&it| it == first) {
            None | Some(0) => name.clone(),
            Some(n) => format!("{name}__{}", n + 1),
        }
    }

    fn head(&self, path: &str) -> String {
        let path = path.replace("*/", "* /").replace(['\n', '\r'], " ");
        let mut out = format!("/* Written by Queueproof from {path}.\n");
        let unbounded = self.net.queues.iter().any(|it| it.kind.capacity == Capacity::Unbounded);
        if unbounded {
            let bound = self.bound;
            let _ = write!(
                out,
                " *\n * Its queues are unbounded, and hold at most {bound} messages here. That changes the \
                 meaning: what needs\n * longer queues is not seen, and a sender may wait for room, which it \
                 never does in the original.\n"
            );
        }
        for note in &self.notes {
            let _ = write!(out, " *\n * {}\n", note.replace("*/", "* /"));
        }
        out += " */\n\n";
        out
    }

    /// A local state: its labels and what can be done there.
    fn block(&self, machine: usize, at: usize) -> String {
        let local = &self.net.machines[machine].locals[at];
        let label = &self.labels[machine][at];
        let mut out = format!("{label}:");
        if local.may_rest {
            let _ = write!(out, " end_{label}:");
        }
        if local.progress {
            let _ = write!(out, " progress_{label}:");
        }
        let options = self.options(machine, at);
        if options.is_empty() {
            return out + "\n\tfalse";
        }
        out += "\n\tif\n";
        for option in options {
            let _ = writeln!(out, "\t:: {option}");
        }
        out + "\tfi"
    }

    fn options(&self, machine: usize, at: usize) -> Vec<String> {
        let local = &self.net.machines[machine].locals[at];
        let mut options = Vec::new();
        for Way { does, target } in &local.ways {
            // SPIN refuses to verify a loop of one step that it knows to be always possible.
            let always = if *target == at { "1 < 2" } else { "true" };
            let goto = format!("goto {}", self.labels[machine][*target]);
            match does {
                Does::Nothing => options.push(format!("{always} -> {goto}")),
                Does::Idle => options.push(format!("{} -> {goto}", self.idle(local))),
                Does::Send(queue, message) => {
                    let sends = self.sends(*queue, *message, always).into_iter();
                    options.extend(sends.map(|send| format!("{send} -> {goto}")));
                }
                Does::Take { queue, message, skips } => {
                    let takes = self.takes(*queue, *message, skips).into_iter();
                    options.extend(takes.map(|take| format!("{take} -> {goto}")));
                }
                Does::Create { machine, first, only_at } => {
                    let run = format!("run {}()", self.born(*machine, *first));
                    options.push(match only_at {
                        None => format!("{run} -> {goto}"),
                        Some(n) => format!("d_step {{ _nr_pr == {n} -> {run} }} -> {goto}"),
                    });
                }
                Does::Fail(text) => {
                    let text = text.replace("*/", "* /").replace(['\n', '\r'], " ");
                    options.push(format!("assert(false) /* {text} */ -> {goto}"));
                }
            }
        }
        options
    }

    fn sends(&self, queue: QueueId, message: MessageId, always: &str) -> Vec<String> {
        let Written { name, form, room, queue } = &self.queues[queue.index()];
        let message = &self.messages[&message];
        let (send, full) = match form {
            Form::Channel => (format!("{name}!{message}"), format!("full({name})")),
            Form::Array => {
                let put = format!("{name}[{name}_n] = {message}; {name}_n = {name}_n + 1");
                let send = format!("d_step {{ {name}_n < {room} -> {put} }}");
                (send, format!("{name}_n == {room}"))
            }
        };
        match queue.kind.loss {
            Loss::Never => vec![send],
            Loss::WhenFull => vec![send, full],
            Loss::Always => vec![send, format!("{always} /* lost */")],
        }
    }

    fn takes(&self, queue: QueueId, message: MessageId, skips: &[MessageId]) -> Vec<String> {
        let Written { name, form, room, .. } = &self.queues[queue.index()];
        if *form == Form::Channel {
            return vec![format!("{name}?{}", self.messages[&message])];
        }
        let take = |(place, guard): (u32, String)| {
            let shift = |at: u32| format!("{name}[{at}] = {name}[{}]; ", at + 1);
            let (shifts, end): (String, u32) = ((place..room - 1).map(shift).collect(), room - 1);
            format!("d_step {{ {guard} -> {shifts}{name}[{end}] = 0; {name}_n = {name}_n - 1 }}")
        };
        self.guards(queue, message, skips).into_iter().map(take).collect()
    }

    /// For each place in an array where a message can be taken, when that is so.
    fn guards(
        &self,
        queue: QueueId,
        message: MessageId,
        skips: &[MessageId],
    ) -> Vec<(u32, String)> {
        let Written { name, room, .. } = &self.queues[queue.index()];
        let last = if skips.is_empty() { 1 } else { *room };
        let guard = |place: u32| {
            let mut guard = format!("{name}_n > {place}");
            for before in 0..place {
                let is = |it: &MessageId| format!("{name}[{before}] == {}", self.messages[it]);
                let skipped: Vec<String> = skips.iter().map(is).collect();
                let _ = write!(guard, " && ({})", skipped.join(" || "));
            }
            let _ = write!(guard, " && {name}[{place}] == {}", self.messages[&message]);
            (place, guard)
        };
        (0..last).map(guard).collect()
    }

    /// That nothing can be received in a local state.
    fn idle(&self, local: &Local) -> String {
        let mut guards = Vec::new();
        for way in &local.ways {
            if let Does::Take { queue, message, skips } = &way.does {
                let these = self.guards(*queue, *message, skips).into_iter();
                guards.extend(these.map(|(_, guard)| format!("({guard})")));
            }
        }
        guards.dedup();
        if guards.is_empty() { "1 < 2".to_owned() } else { format!("!({})", guards.join(" || ")) }
    }
}

/// Whether a bad situation speaks of what is in a queue, other than that nothing is.
fn is_looked_at(outline: &Outline, queue: QueueId) -> bool {
    let atoms = outline.bad.iter().flat_map(|bad| &bad.cases).flatten();
    atoms.into_iter().any(|atom| {
        matches!(atom, Atom::Content(looked, pattern) if *looked == queue && *pattern != Pattern::Empty)
    })
}
