//! Texts of values, messages, local states and stores. They name everything completely; [`super::parse`]
//! reads them back.
//!
//! A local state reads `Client(2) in Wait {count = 3}; fn4@7 {0 = 1}; enter Done`: machine, states,
//! variables, calls with the registers that are not at their default, and what is to be done next.

use std::fmt::{self, Write};

use qp_machines::Assigned;

use crate::{Value, Variable};

use super::actors::Message;
use super::failures::Fault;
use super::local::{Frame, Local, Owner, Phase, Task};
use super::plan::Plan;
use super::specs::{Store, Watch};

/// Writing to a text cannot fail.
const WRITES: &str = "a text takes everything that is written to it";

impl Plan {
    /// A value, unambiguously.
    pub(crate) fn value_text(&self, value: &Value) -> String {
        let mut out = String::new();
        self.write_value(value, &mut out).expect(WRITES);
        out
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
                let parts: Vec<String> = values.iter().zip(unread).map(part).collect();
                parts.join(", ")
            }
            Value::Record(names, values)
                if values.len() == unread.len() && unread.contains(&false) =>
            {
                let parts = names.iter().zip(values.iter().zip(unread).map(part));
                let parts: Vec<String> = parts.map(|(name, it)| format!("{name} = {it}")).collect();
                parts.join(", ")
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
            let mut out = format!("{} in ", self.spec_names.name(number));
            self.write_states(owner, &watch.stack, &mut out);
            self.write_fields(owner, &watch.fields, &mut out).expect(WRITES);
            out
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
        self.write_states(local.owner, &local.stack, &mut out);
        self.write_fields(local.owner, &local.fields, &mut out).expect(WRITES);
        for frame in &local.frames {
            self.write_frame(frame, &mut out).expect(WRITES);
        }
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
    pub(crate) fn write_plainly(&self, value: &Value, out: &mut String) {
        self.plainly(value, out).expect(WRITES);
    }

    fn plainly(&self, value: &Value, out: &mut String) -> fmt::Result {
        match value {
            Value::Bool(it) => out.write_str(if *it { "True" } else { "False" }),
            Value::Float(bits) => write!(out, "{}", Value::to_float(*bits)),
            Value::Text(text) => out.write_str(text),
            Value::Enum(it, number) => match it.elements.iter().find(|it| it.1 == *number) {
                Some((name, _)) => out.write_str(name),
                None => write!(out, "{number}"),
            },
            Value::Tuple(values) => {
                out.push('<');
                for value in values.iter() {
                    self.plainly(value, out)?;
                    out.push(',');
                }
                out.write_char('>')
            }
            Value::Record(names, values) => {
                out.push('<');
                for (name, value) in names.iter().zip(values.iter()) {
                    write!(out, "{name}:")?;
                    self.plainly(value, out)?;
                    out.push_str(", ");
                }
                out.write_char('>')
            }
            Value::Seq(values) => self.list(values, ["(", "", "", ")"], out),
            Value::Set(values) => self.list(values, ["(", "<", ">", ")"], out),
            Value::Map(entries) => {
                for (number, (key, value)) in entries.iter().enumerate() {
                    out.push_str(if number == 0 { "(<" } else { ", <" });
                    self.plainly(key, out)?;
                    out.push_str("->");
                    self.plainly(value, out)?;
                    out.push('>');
                }
                out.write_str(if entries.is_empty() { "()" } else { ")" })
            }
            Value::Null | Value::Int(_) | Value::Event(_) | Value::Machine(..) => {
                self.write_value(value, out)
            }
        }
    }

    fn list(&self, values: &[Value], signs: [&str; 4], out: &mut String) -> fmt::Result {
        let [open, before, after, close] = signs;
        out.push_str(open);
        for (number, value) in values.iter().enumerate() {
            out.push_str(if number == 0 { "" } else { ", " });
            out.push_str(before);
            self.plainly(value, out)?;
            out.push_str(after);
        }
        out.write_str(close)
    }

    fn write_value(&self, value: &Value, out: &mut String) -> fmt::Result {
        match value {
            Value::Null => out.write_str("null"),
            Value::Bool(it) => write!(out, "{it}"),
            Value::Int(number) => write!(out, "{number}"),
            Value::Float(bits) => match Value::to_float(*bits) {
                number if number.is_finite() => write!(out, "{number:?}"),
                number => write!(out, "float({number:?})"),
            },
            Value::Text(text) => write_quoted(text, out),
            Value::Enum(it, number) => {
                let known = self.enums.iter().position(|known| known == it);
                out.push_str(known.map_or(&it.name, |known| self.enum_names.name(known)));
                match it.elements.iter().find(|it| it.1 == *number) {
                    Some((name, _)) => write!(out, ".{name}"),
                    None => write!(out, ".{number}"),
                }
            }
            Value::Event(event) if event.index() == 0 => out.write_str("event(0)"),
            Value::Event(event) => out.write_str(self.event_name(*event)),
            Value::Machine(machine, role) => {
                write!(out, "{}({})", self.role_name(*role), machine.raw())
            }
            Value::Tuple(values) => {
                self.write_values(values, ["(", if values.len() == 1 { ",)" } else { ")" }], out)
            }
            Value::Record(names, values) => self.write_record(names, values, out),
            Value::Seq(values) => self.write_values(values, ["[", "]"], out),
            Value::Set(values) => self.write_values(values, ["{", "}"], out),
            Value::Map(entries) => {
                out.push('{');
                for (number, (key, value)) in entries.iter().enumerate() {
                    out.push_str(if number == 0 { "" } else { ", " });
                    self.write_value(key, out)?;
                    out.push_str(": ");
                    self.write_value(value, out)?;
                }
                out.write_str(if entries.is_empty() { ":}" } else { "}" })
            }
        }
    }

    fn write_values(&self, values: &[Value], signs: [&str; 2], out: &mut String) -> fmt::Result {
        out.push_str(signs[0]);
        for (number, value) in values.iter().enumerate() {
            out.push_str(if number == 0 { "" } else { ", " });
            self.write_value(value, out)?;
        }
        out.write_str(signs[1])
    }

    fn write_record(&self, names: &[String], values: &[Value], out: &mut String) -> fmt::Result {
        out.push('(');
        for (number, (name, value)) in names.iter().zip(values).enumerate() {
            let comma = if number == 0 { "" } else { ", " };
            write!(out, "{comma}{name} = ")?;
            self.write_value(value, out)?;
        }
        out.write_str(if names.is_empty() { "=)" } else { ")" })
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

    fn write_states(&self, owner: Owner, stack: &[crate::StateId], out: &mut String) {
        let names: Vec<&str> = stack.iter().map(|&state| self.state_name(owner, state)).collect();
        out.push_str(&if names.is_empty() { "-".to_owned() } else { names.join("/") });
    }

    fn write_fields(&self, owner: Owner, values: &[Value], out: &mut String) -> fmt::Result {
        if values.is_empty() {
            return Ok(());
        }
        for (number, (field, value)) in self.body(owner).fields.iter().zip(values).enumerate() {
            out.push_str(if number == 0 { " {" } else { ", " });
            let name = if field.name.is_empty() { "#" } else { &field.name };
            write!(out, "{name} = ")?;
            self.write_value(value, out)?;
        }
        out.write_char('}')
    }

    fn write_frame(&self, frame: &Frame, out: &mut String) -> fmt::Result {
        write!(out, "; fn{}@{}", frame.function.raw(), frame.pc)?;
        let defaults = &self.registers[frame.function];
        let mut first = true;
        for (number, (value, default)) in frame.registers.iter().zip(defaults).enumerate() {
            if value != default {
                write!(out, "{}{number} = ", if first { " {" } else { ", " })?;
                self.write_value(value, out)?;
                first = false;
            }
        }
        if first { Ok(()) } else { out.write_char('}') }
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
    let mut out = format!("{} ", fault.code.0);
    if let Some(span) = fault.span {
        write!(out, "{}..{} ", span.start, span.end).expect(WRITES);
    }
    write_quoted(&fault.text, &mut out).expect(WRITES);
    out
}

fn write_quoted(text: &str, out: &mut String) -> fmt::Result {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => write!(out, "\\u{{{:x}}}", c as u32)?,
            c => out.push(c),
        }
    }
    out.write_char('"')
}
