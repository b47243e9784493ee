//! Changing a variable, or a part of its value.

use std::sync::Arc;

use qp_base::Span;

use crate::{Place, Projection, Root, Value};

use super::eval::{Scope, find, out_of_range, position};
use super::failures::{KEY_TWICE, Stop};
use super::local::Local;
use super::plan::Plan;

/// What is done to the value at a place.
pub(crate) enum Change<V = Value> {
    Assign(V),
    Insert(V, V),
    Add(V),
    Remove(V),
}

/// A step into a value whose index is worked out.
enum Way {
    Part(usize),
    Index(Value, Span),
}

/// Changes the value at a place of the innermost call or of the machine.
pub(crate) fn change(
    plan: &Plan,
    local: &mut Local,
    place: &Place,
    change: Change,
) -> Result<(), Stop> {
    let mut frame = local.frames.pop().expect("an instruction belongs to a call");
    let scope = Scope::new(plan, local, &frame);
    let span = scope.span;
    let ways = place.path.iter().map(|step| scope.way(step)).collect::<Result<Vec<_>, _>>();
    let done = ways.and_then(|ways| {
        let root = match place.root {
            Root::Register(register) => &mut frame.registers[register.index()],
            Root::Field(field) => &mut local.fields[field.index()],
        };
        let whole = ways.is_empty() && matches!(change, Change::Assign(_));
        let grows = !whole && !matches!(change, Change::Remove(_));
        let at = Site { plan, span };
        at.change(root, &ways, change)?;
        if grows && super::types::parts(root).is_none() {
            return Err(Stop::limit("a variable holds more than 100,000 parts", span));
        }
        Ok(())
    });
    local.frames.push(frame);
    done
}

impl Scope<'_> {
    fn way(&self, step: &Projection) -> Result<Way, Stop> {
        Ok(match step {
            Projection::Part(number) => Way::Part(*number as usize),
            Projection::Index(index, span) => Way::Index(self.eval(index)?, *span),
        })
    }
}

/// Where a change happens, for messages.
struct Site<'a> {
    plan: &'a Plan,
    span: Span,
}

impl Site<'_> {
    fn change(&self, value: &mut Value, ways: &[Way], change: Change) -> Result<(), Stop> {
        let Some((way, rest)) = ways.split_first() else { return self.perform(value, change) };
        match (value, way) {
            (Value::Tuple(parts) | Value::Record(_, parts), Way::Part(number)) => {
                self.change(&mut Arc::make_mut(parts)[*number], rest, change)
            }
            (Value::Seq(values), Way::Index(index, span)) => {
                let Some(at) = position(index, values.len()) else {
                    return Err(out_of_range(index, values.len(), "sequence", *span));
                };
                self.change(&mut Arc::make_mut(values)[at], rest, change)
            }
            (Value::Map(entries), Way::Index(key, span)) => match (find(entries, key), change) {
                (Ok(at), change) => self.change(&mut Arc::make_mut(entries)[at].1, rest, change),
                (Err(at), Change::Assign(value)) if rest.is_empty() => {
                    Arc::make_mut(entries).insert(at, (key.clone(), value));
                    Ok(())
                }
                (Err(_), _) => Err(self.missing(key, *span)),
            },
            _ => unreachable!("bug in Queueproof: a way into a value that has none"),
        }
    }

    fn missing(&self, key: &Value, span: Span) -> Stop {
        let key = self.plan.value_text(key);
        Stop::fails(super::failures::MISSING_KEY, format!("key {key} is not in the map"), span)
    }

    fn perform(&self, value: &mut Value, change: Change) -> Result<(), Stop> {
        match change {
            Change::Assign(new) => {
                *value = new;
                Ok(())
            }
            Change::Insert(key, new) => self.insert(value, key, new),
            Change::Add(new) => {
                let Value::Set(values) = value else {
                    unreachable!("bug in Queueproof: something is added to what is no set")
                };
                if let Err(at) = values.binary_search(&new) {
                    Arc::make_mut(values).insert(at, new);
                }
                Ok(())
            }
            Change::Remove(key) => self.remove(value, &key),
        }
    }

    fn insert(&self, value: &mut Value, key: Value, new: Value) -> Result<(), Stop> {
        match value {
            Value::Seq(values) => match position(&key, values.len() + 1) {
                Some(at) => Arc::make_mut(values).insert(at, new),
                None => return Err(out_of_range(&key, values.len(), "sequence", self.span)),
            },
            Value::Map(entries) => {
                let Err(at) = find(entries, &key) else {
                    let key = self.plan.value_text(&key);
                    let text = format!("key {key} is already in the map");
                    return Err(Stop::fails(KEY_TWICE, text, self.span));
                };
                Arc::make_mut(entries).insert(at, (key, new));
            }
            _ => unreachable!("bug in Queueproof: an insertion into what has no entries"),
        }
        Ok(())
    }

    fn remove(&self, value: &mut Value, key: &Value) -> Result<(), Stop> {
        match value {
            Value::Seq(values) => match position(key, values.len()) {
                Some(at) => {
                    Arc::make_mut(values).remove(at);
                }
                None => return Err(out_of_range(key, values.len(), "sequence", self.span)),
            },
            Value::Set(values) => {
                if let Ok(at) = values.binary_search(key) {
                    Arc::make_mut(values).remove(at);
                }
            }
            Value::Map(entries) => {
                if let Ok(at) = find(entries, key) {
                    Arc::make_mut(entries).remove(at);
                }
            }
            _ => unreachable!("bug in Queueproof: a removal from what has no entries"),
        }
        Ok(())
    }
}
