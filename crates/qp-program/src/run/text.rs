//! Texts of values, messages, local states and stores. They name everything completely; [`super::parse`]
//! reads them back.
//!
//! A local state reads `Client(2) in Wait {count = 3}; fn4@7 {0 = 1}; enter Done`: machine, states,
//! variables, calls with the registers that are not at their default, and what is to be done next.

use qp_machines::Assigned;

use crate::{Enum, Value, Variable};

use super::actors::Message;
use super::failures::Fault;
use super::local::{Frame, Local, Owner, Phase, Task};
use super::plan::Plan;
use super::specs::{Store, Watch};

impl Plan {
    /// A value, unambiguously.
    pub(crate) fn value_text(&self, value: &Value) -> String {
        match value {
            Value::Null => "null".to_owned(),
            Value::Bool(it) => it.to_string(),
            Value::Int(number) => number.to_string(),
            Value::Float(bits) => match Value::to_float(*bits) {
                number if number.is_finite() => format!("{number:?}"),
                number => format!("float({number:?})"),
            },
            Value::Text(text) => quoted(text),
            Value::Enum(it, number) => {
                let known = self.enums.iter().position(|known| known == it);
                let name = known.map_or(it.name.as_str(), |known| self.enum_names.name(known));
                format!("{name}.{}", element(it, *number))
            }
            Value::Event(event) if event.index() == 0 => "event(0)".to_owned(),
            Value::Event(event) => self.event_name(*event).to_owned(),
            Value::Machine(machine, role) => {
                format!("{}({})", self.role_name(*role), machine.raw())
            }
            Value::Tuple(values) => {
                format!("({}{})", self.values(values), if values.len() == 1 { "," } else { "" })
            }
            Value::Record(names, _) if names.is_empty() => "(=)".to_owned(),
            Value::Record(names, values) => {
                let part = |(name, value)| format!("{name} = {}", self.value_text(value));
                format!("({})", joined(names.iter().zip(values.iter()).map(part)))
            }
            Value::Seq(values) => format!("[{}]", self.values(values)),
            Value::Set(values) => format!("{{{}}}", self.values(values)),
            Value::Map(entries) if entries.is_empty() => "{:}".to_owned(),
            Value::Map(entries) => {
                let entry = |(key, value): &(Value, Value)| {
                    format!("{}: {}", self.value_text(key), self.value_text(value))
                };
                format!("{{{}}}", joined(entries.iter().map(entry)))
            }
        }
    }

    fn values(&self, values: &[Value]) -> String {
        joined(values.iter().map(|value| self.value_text(value)))
    }

    pub(crate) fn message_text(&self, message: &Message) -> String {
        self.with_audience(self.event_text(message.event, &message.payload), message)
    }

    /// The same for people, with `..` for the parts of the payload that are not kept.
    pub(crate) fn message_shown(&self, message: &Message, unread: &[bool]) -> String {
        if !unread.contains(&true) {
            return self.message_text(message);
        }
        let part = |(value, unread): (&Value, &bool)| {
            if *unread { "..".to_owned() } else { self.value_text(value) }
        };
        let payload = match &message.payload {
            Value::Tuple(values) if values.len() == unread.len() && unread.contains(&false) => {
                joined(values.iter().zip(unread).map(part))
            }
            Value::Record(names, values)
                if values.len() == unread.len() && unread.contains(&false) =>
            {
                let parts = names.iter().zip(values.iter().zip(unread).map(part));
                joined(parts.map(|(name, it)| format!("{name} = {it}")))
            }
            _ => "..".to_owned(),
        };
        self.with_audience(format!("{}({payload})", self.event_name(message.event)), message)
    }

    fn with_audience(&self, mut out: String, message: &Message) -> String {
        for (number, spec) in message.audience.iter().enumerate() {
            out.push_str(if number == 0 { " for " } else { ", " });
            out.push_str(self.spec_names.name(spec.index()));
        }
        out
    }

    pub(crate) fn store_text(&self, store: &Store) -> String {
        let watch = |(number, watch): (usize, &Watch)| {
            let owner = Owner::Spec(number.into());
            let (states, fields) = (self.states_text(owner, &watch.stack), &watch.fields);
            let name = self.spec_names.name(number);
            format!("{name} in {states}{}", self.fields_text(owner, fields))
        };
        store.iter().enumerate().map(watch).collect::<Vec<_>>().join("; ")
    }

    pub(crate) fn local_text(&self, local: &Local) -> String {
        let mut out = match local.owner {
            Owner::Machine(role, machine) => {
                format!("{}({}) in ", self.role_name(role), machine.raw())
            }
            Owner::Spec(_) => unreachable!("bug in Queueproof: a spec is no machine"),
        };
        out += &self.states_text(local.owner, &local.stack);
        out += &self.fields_text(local.owner, &local.fields);
        out.extend(local.frames.iter().map(|frame| self.frame_text(frame)));
        for task in local.agenda.iter().rev() {
            out.push_str("; ");
            out.push_str(&self.task_text(local.owner, task));
        }
        out.push_str(&phase_text(&local.phase));
        out
    }

    /// The variables of a machine that differ in two of its local states, with what they hold in the second. What
    /// nobody reads goes back to its first value, which the program did not assign: such values are not told.
    pub(crate) fn assigned(&self, from: &Local, to: &Local) -> Vec<Assigned> {
        if from.owner != to.owner {
            return Vec::new();
        }
        let firsts = &self.fields[self.body_id(to.owner)];
        let values = from.fields.iter().zip(&to.fields).zip(firsts);
        let told = self.body(to.owner).fields.iter().zip(values).filter(|(field, values)| {
            let ((old, new), first) = values;
            !field.name.is_empty() && old != new && new != first
        });
        let assigned = |(field, ((_, new), _)): (&Variable, ((&Value, &Value), &Value))| Assigned {
            name: field.name.clone(),
            value: self.value_text(new),
        };
        told.map(assigned).collect()
    }

    /// A value as P prints it, for messages that users put together.
    pub(crate) fn plain_text(&self, value: &Value) -> String {
        let plain = |value: &Value| self.plain_text(value);
        match value {
            Value::Bool(it) => if *it { "True" } else { "False" }.to_owned(),
            Value::Float(bits) => Value::to_float(*bits).to_string(),
            Value::Text(text) => text.to_string(),
            Value::Enum(it, number) => element(it, *number),
            Value::Tuple(values) => {
                let part = |value: &Value| plain(value) + ",";
                format!("<{}>", values.iter().map(part).collect::<String>())
            }
            Value::Record(names, values) => {
                let part = |(name, value)| format!("{name}:{}, ", plain(value));
                format!("<{}>", names.iter().zip(values.iter()).map(part).collect::<String>())
            }
            Value::Seq(values) => format!("({})", joined(values.iter().map(plain))),
            Value::Set(values) => {
                format!("({})", joined(values.iter().map(|value| format!("<{}>", plain(value)))))
            }
            Value::Map(entries) => {
                let entry =
                    |(key, value): &(Value, Value)| format!("<{}->{}>", plain(key), plain(value));
                format!("({})", joined(entries.iter().map(entry)))
            }
            Value::Null | Value::Int(_) | Value::Event(_) | Value::Machine(..) => {
                self.value_text(value)
            }
        }
    }

    /// An event with its payload: `ePing`, `ePing(3)`, `eReq(source = Client(2), id = 1)`.
    fn event_text(&self, event: crate::EventId, payload: &Value) -> String {
        format!("{}{}", self.event_name(event), self.payload_text(payload))
    }

    fn payload_text(&self, payload: &Value) -> String {
        match payload {
            Value::Null => String::new(),
            Value::Tuple(_) | Value::Record(..) => self.value_text(payload),
            _ => format!("({})", self.value_text(payload)),
        }
    }

    fn states_text(&self, owner: Owner, stack: &[crate::StateId]) -> String {
        let names: Vec<&str> = stack.iter().map(|&state| self.state_name(owner, state)).collect();
        if names.is_empty() { "-".to_owned() } else { names.join("/") }
    }

    fn fields_text(&self, owner: Owner, values: &[Value]) -> String {
        if values.is_empty() {
            return String::new();
        }
        let field = |(field, value): (&Variable, &Value)| {
            let name = if field.name.is_empty() { "#" } else { &field.name };
            format!("{name} = {}", self.value_text(value))
        };
        format!(" {{{}}}", joined(self.body(owner).fields.iter().zip(values).map(field)))
    }

    fn frame_text(&self, frame: &Frame) -> String {
        let registers = frame.registers.iter().zip(&self.registers[frame.function]).enumerate();
        let changed = registers.filter(|(_, (value, default))| value != default);
        let changed =
            joined(changed.map(|(n, (value, _))| format!("{n} = {}", self.value_text(value))));
        let changed = if changed.is_empty() { changed } else { format!(" {{{changed}}}") };
        format!("; fn{}@{}{changed}", frame.function.raw(), frame.pc)
    }

    fn task_text(&self, owner: Owner, task: &Task) -> String {
        match task {
            Task::Exit => "exit".to_owned(),
            Task::Call(function, payload) => {
                format!("call fn{}{}", function.raw(), self.payload_text(payload))
            }
            Task::Enter(state, payload) => {
                format!("enter {}{}", self.state_name(owner, *state), self.payload_text(payload))
            }
            Task::Push(state, payload) => {
                format!("push {}{}", self.state_name(owner, *state), self.payload_text(payload))
            }
            Task::Drop => "drop".to_owned(),
            Task::Handle { event, payload, arrived } => {
                let arrived = self.state_name(owner, *arrived);
                format!("handle {arrived} {}", self.event_text(*event, payload))
            }
            Task::Halt => "halt".to_owned(),
            Task::Fail(fault) => format!("fail {}", fault_text(fault)),
        }
    }
}

fn phase_text(phase: &Phase) -> String {
    match phase {
        Phase::Running => String::new(),
        Phase::Announced => "; announced".to_owned(),
        Phase::Took => "; took".to_owned(),
        Phase::Halting => "; halting".to_owned(),
        Phase::Halted => "; halted".to_owned(),
        Phase::Failed(fault) => format!("; failed {}", fault_text(fault)),
        Phase::GaveUp(fault) => format!("; unknown {}", fault_text(fault)),
        Phase::Discarded => "; discarded".to_owned(),
    }
}

/// The property follows from the code.
fn fault_text(fault: &Fault) -> String {
    let span = fault.span.map(|span| format!("{}..{} ", span.start, span.end));
    format!("{} {}{}", fault.code.0, span.unwrap_or_default(), quoted(&fault.text))
}

fn element(it: &Enum, number: i64) -> String {
    let found = it.elements.iter().find(|it| it.1 == number);
    found.map_or_else(|| number.to_string(), |(name, _)| name.clone())
}

fn joined(texts: impl Iterator<Item = String>) -> String {
    texts.collect::<Vec<_>>().join(", ")
}

fn quoted(text: &str) -> String {
    let letter = |c: char| match c {
        '"' => "\\\"".to_owned(),
        '\\' => "\\\\".to_owned(),
        '\n' => "\\n".to_owned(),
        c if c.is_control() => format!("\\u{{{:x}}}", c as u32),
        c => c.to_string(),
    };
    format!("\"{}\"", text.chars().map(letter).collect::<String>())
}
