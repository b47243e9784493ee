//! Reading values.

use std::sync::Arc;

use qp_machines::MachineId;

use crate::{EventId, Value};

use super::Reader;

/// Values are never nested deeper than this.
const DEPTH_MAX: usize = 300;

impl Reader<'_> {
    pub(super) fn value(&mut self) -> Option<Value> {
        if self.depth > DEPTH_MAX {
            return None;
        }
        self.depth += 1;
        let value = match self.rest.chars().next()? {
            '"' => Value::Text(self.quoted()?.into()),
            '(' => self.parenthesis()?,
            '[' => {
                self.expect("[")?;
                Value::Seq(Arc::new(self.values("]")?))
            }
            '{' => self.braces()?,
            c if c.is_ascii_digit() || c == '-' => self.numeral()?,
            _ => self.named()?,
        };
        self.depth -= 1;
        Some(value)
    }

    /// Values up to a closing sign.
    fn values(&mut self, close: &str) -> Option<Vec<Value>> {
        let mut values = Vec::new();
        while !self.eat(close) {
            self.expect(if values.is_empty() { "" } else { ", " })?;
            values.push(self.value()?);
        }
        Some(values)
    }

    /// A tuple, a record, or the single payload of an event.
    pub(super) fn parenthesis(&mut self) -> Option<Value> {
        self.expect("(")?;
        if self.eat(")") {
            return Some(Value::Tuple(Arc::from([])));
        }
        if self.eat("=)") {
            return Some(Value::Record(Arc::from([]), Arc::from([])));
        }
        let before = self.rest;
        if self.word().is_some() && self.eat(" = ") {
            self.rest = before;
            return self.record();
        }
        self.rest = before;
        let first = self.value()?;
        if self.eat(")") {
            return Some(first);
        }
        if self.eat(",)") {
            return Some(Value::Tuple(Arc::from([first])));
        }
        self.expect(", ")?;
        let mut values = vec![first];
        values.extend(self.values(")")?);
        Some(Value::Tuple(values.into()))
    }

    fn record(&mut self) -> Option<Value> {
        let (mut names, mut values) = (Vec::new(), Vec::new());
        while !self.eat(")") {
            self.expect(if names.is_empty() { "" } else { ", " })?;
            names.push(self.word()?.to_owned());
            self.expect(" = ")?;
            values.push(self.value()?);
        }
        Some(Value::Record(names.into(), values.into()))
    }

    /// A set or map.
    fn braces(&mut self) -> Option<Value> {
        self.expect("{")?;
        if self.eat(":}") {
            return Some(Value::Map(Arc::default()));
        }
        if self.eat("}") {
            return Some(Value::Set(Arc::default()));
        }
        let first = self.value()?;
        if self.eat(": ") {
            return self.map(first);
        }
        let mut values = vec![first];
        if !self.eat("}") {
            self.expect(", ")?;
            values.extend(self.values("}")?);
        }
        let sorted = values.windows(2).all(|pair| pair[0] < pair[1]);
        sorted.then(|| Value::Set(Arc::new(values)))
    }

    fn map(&mut self, first: Value) -> Option<Value> {
        let mut entries = vec![(first, self.value()?)];
        while !self.eat("}") {
            self.expect(", ")?;
            let key = self.value()?;
            self.expect(": ")?;
            entries.push((key, self.value()?));
        }
        let sorted = entries.windows(2).all(|pair| pair[0].0 < pair[1].0);
        sorted.then(|| Value::Map(Arc::new(entries)))
    }

    fn numeral(&mut self) -> Option<Value> {
        let text = self.until(|c| !(c.is_ascii_digit() || ".e-".contains(c)))?;
        if text.contains(['.', 'e']) {
            return text.parse().ok().map(Value::float);
        }
        text.parse().ok().map(Value::Int)
    }

    /// A value that begins with a name.
    fn named(&mut self) -> Option<Value> {
        let word = self.word()?;
        if self.eat(".") {
            return self.element(word);
        }
        if self.eat("(") {
            let value = match word {
                "float" => Value::float(self.until(|c| c == ')')?.parse().ok()?),
                "event" => Value::Event(EventId::from_raw(self.number().filter(|&it| it == 0)?)),
                _ => {
                    let role = self.plan.role_names.number(word)?.into();
                    Value::Machine(MachineId::from_raw(self.number()?), role)
                }
            };
            self.expect(")")?;
            return Some(value);
        }
        Some(match word {
            "null" => Value::Null,
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => Value::Event(EventId::new(self.plan.event_names.number(word)?)),
        })
    }

    fn element(&mut self, name: &str) -> Option<Value> {
        let it = self.plan.enums[self.plan.enum_names.number(name)?].clone();
        let word = self.word()?;
        let known = it.elements.iter().find(|element| element.0 == word);
        let number = known.map_or_else(|| word.parse().ok(), |element| Some(element.1))?;
        Some(Value::Enum(it, number))
    }

    pub(super) fn quoted(&mut self) -> Option<String> {
        self.expect("\"")?;
        let mut text = String::new();
        let mut chars = self.rest.chars();
        loop {
            match chars.next()? {
                '"' => break,
                '\\' => match chars.next()? {
                    'n' => text.push('\n'),
                    'u' => {
                        let hex: String =
                            chars.by_ref().skip(1).take_while(|&c| c != '}').collect();
                        text.push(char::from_u32(u32::from_str_radix(&hex, 16).ok()?)?);
                    }
                    c => text.push(c),
                },
                c => text.push(c),
            }
        }
        self.rest = chars.as_str();
        Some(text)
    }
}
