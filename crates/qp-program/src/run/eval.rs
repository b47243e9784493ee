//! Expressions. Working one out changes nothing.

use std::cmp::Ordering;
use std::sync::Arc;

use qp_base::Span;

use crate::{Dialect, Expr, Op, Value};

use super::failures::{CAST, DIVISION, MISSING_KEY, RANGE, Stop, counted};
use super::local::{Frame, Local, Owner};
use super::plan::Plan;
use super::types::{PARTS_MAX, conforms, parts, type_text};

/// What an expression can see.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) owner: Owner,
    pub(crate) fields: &'a [Value],
    pub(crate) registers: &'a [Value],
    /// The instruction, for limits.
    pub(crate) span: Span,
}

impl<'a> Scope<'a> {
    /// What the instruction of the innermost call can see.
    pub(crate) fn new(plan: &'a Plan, local: &'a Local, frame: &'a Frame) -> Self {
        let span = plan.span(frame.function, frame.pc);
        Self { plan, owner: local.owner, fields: &local.fields, registers: &frame.registers, span }
    }

    pub(crate) fn eval(&self, expr: &Expr) -> Result<Value, Stop> {
        Ok(match expr {
            Expr::Const(value) => value.clone(),
            Expr::Register(register) => self.registers[register.index()].clone(),
            Expr::Field(field) => self.fields[field.index()].clone(),
            Expr::This => match self.owner {
                Owner::Machine(role, machine) => Value::Machine(machine, role),
                Owner::Spec(_) => Value::Null,
            },
            Expr::Not(e) => Value::Bool(!self.truth(e)?),
            Expr::Negate(e) => self.negate(self.eval(e)?),
            Expr::And(a, b) => Value::Bool(self.truth(a)? && self.truth(b)?),
            Expr::Or(a, b) => Value::Bool(self.truth(a)? || self.truth(b)?),
            Expr::Binary { op, left, right, span } => {
                self.binary(*op, self.eval(left)?, self.eval(right)?, *span)?
            }
            Expr::Tuple(parts) => self.measured(Value::Tuple(self.all(parts)?.into()))?,
            Expr::Record(names, parts) => {
                self.measured(Value::Record(names.clone(), self.all(parts)?.into()))?
            }
            Expr::Part(of, number) => part(self.eval(of)?, *number),
            Expr::Index { of, index, span } => {
                self.index(self.eval(of)?, &self.eval(index)?, *span)?
            }
            Expr::Keys(of) => keys(self.eval(of)?),
            Expr::Values(of) => values(self.eval(of)?),
            Expr::Size(of) => size(&self.eval(of)?),
            Expr::Contains { item, of } => {
                Value::Bool(contains(&self.eval(of)?, &self.eval(item)?))
            }
            Expr::Cast { value, ty, span } => {
                let value = self.eval(value)?;
                if !conforms(&value, ty) {
                    let (value, ty) = (self.plan.value_text(&value), type_text(ty));
                    return Err(Stop::fails(CAST, format!("{value} is not of type {ty}"), *span));
                }
                value
            }
            Expr::ToInt(e) => match to_int(self.eval(e)?) {
                Value::Int(number) => self.int(number),
                other => other,
            },
            Expr::ToFloat(e) => to_float(self.eval(e)?),
            Expr::Format(texts, values) => self.format(texts, values)?,
        })
    }

    /// The value of a condition.
    pub(crate) fn truth(&self, expr: &Expr) -> Result<bool, Stop> {
        Ok(self.eval(expr)? == Value::Bool(true))
    }

    /// A whole number of the dialect: it wraps around.
    fn int(&self, number: i64) -> Value {
        Value::Int(match self.plan.blueprint.dialect {
            Dialect::Y2018 => i64::from(number as i32),
            Dialect::Current => number,
        })
    }

    fn all(&self, exprs: &[Expr]) -> Result<Vec<Value>, Stop> {
        exprs.iter().map(|expr| self.eval(expr)).collect()
    }

    /// The value, unless it is too large to go on with.
    pub(crate) fn measured(&self, value: Value) -> Result<Value, Stop> {
        match parts(&value) {
            Some(_) => Ok(value),
            None => Err(self.too_large()),
        }
    }

    pub(crate) fn too_large(&self) -> Stop {
        Stop::limit(
            format!("a value has more than {PARTS_MAX} parts, or is nested too deeply"),
            self.span,
        )
    }

    fn negate(&self, value: Value) -> Value {
        match value {
            Value::Int(number) => self.int(number.wrapping_neg()),
            Value::Float(bits) => Value::float(-Value::to_float(bits)),
            other => other,
        }
    }

    fn binary(&self, op: Op, left: Value, right: Value, span: Span) -> Result<Value, Stop> {
        match op {
            Op::Equal => return Ok(Value::Bool(left == right)),
            Op::NotEqual => return Ok(Value::Bool(left != right)),
            _ => {}
        }
        match (left, right) {
            (Value::Int(a), Value::Int(b)) => self.int_binary(op, a, b, span),
            (Value::Float(a), Value::Float(b)) => {
                Ok(float_binary(op, Value::to_float(a), Value::to_float(b)))
            }
            (Value::Text(a), Value::Text(b)) if op == Op::Add => {
                self.measured(Value::Text(format!("{a}{b}").into()))
            }
            (left, right) => Ok(Value::Bool(compares(op, left.cmp(&right)))),
        }
    }

    fn int_binary(&self, op: Op, a: i64, b: i64, span: Span) -> Result<Value, Stop> {
        let zero = || Stop::fails(DIVISION, format!("{a} is divided by zero"), span);
        Ok(match op {
            Op::Add => self.int(a.wrapping_add(b)),
            Op::Subtract => self.int(a.wrapping_sub(b)),
            Op::Multiply => self.int(a.wrapping_mul(b)),
            Op::Divide | Op::Remainder if b == 0 => return Err(zero()),
            Op::Divide => self.int(a.wrapping_div(b)),
            Op::Remainder => self.int(a.wrapping_rem(b)),
            _ => Value::Bool(compares(op, a.cmp(&b))),
        })
    }

    fn index(&self, of: Value, index: &Value, span: Span) -> Result<Value, Stop> {
        match of {
            Value::Seq(values) => at(&values, index, "sequence", span),
            Value::Set(values) => at(&values, index, "set", span),
            Value::Map(entries) => match find(&entries, index) {
                Ok(found) => Ok(entries[found].1.clone()),
                Err(_) => Err(self.missing(index, span)),
            },
            _ => unreachable!("bug in Queueproof: something without entries is indexed"),
        }
    }

    /// The failure of looking for a key that is not there.
    pub(crate) fn missing(&self, key: &Value, span: Span) -> Stop {
        let key = self.plan.value_text(key);
        Stop::fails(MISSING_KEY, format!("key {key} is not in the map"), span)
    }

    fn format(&self, texts: &[String], values: &[Expr]) -> Result<Value, Stop> {
        let mut text = texts.first().cloned().unwrap_or_default();
        for (number, value) in values.iter().enumerate() {
            text += &self.plan.plain_text(&self.eval(value)?);
            text.push_str(texts.get(number + 1).map_or("", String::as_str));
        }
        self.measured(Value::Text(text.into()))
    }
}

/// Where a key is in a map, or where it would be.
pub(crate) fn find(entries: &[(Value, Value)], key: &Value) -> Result<usize, usize> {
    entries.binary_search_by(|entry| entry.0.cmp(key))
}

/// The position that an index names, below `len`.
pub(crate) fn position(index: &Value, len: usize) -> Option<usize> {
    let Value::Int(number) = index else { return None };
    usize::try_from(*number).ok().filter(|&position| position < len)
}

/// The failure of an index that names no position.
pub(crate) fn out_of_range(index: &Value, len: usize, thing: &str, span: Span) -> Stop {
    let Value::Int(number) = index else {
        unreachable!("bug in Queueproof: an index is not a number")
    };
    let has = counted(len, "element");
    Stop::fails(RANGE, format!("index {number} is out of range: the {thing} has {has}"), span)
}

fn at(values: &[Value], index: &Value, thing: &str, span: Span) -> Result<Value, Stop> {
    match position(index, values.len()) {
        Some(position) => Ok(values[position].clone()),
        None => Err(out_of_range(index, values.len(), thing, span)),
    }
}

fn part(of: Value, number: u32) -> Value {
    match of {
        Value::Tuple(values) | Value::Record(_, values) => values[number as usize].clone(),
        _ => unreachable!("bug in Queueproof: a part of something that is not a tuple"),
    }
}

fn keys(of: Value) -> Value {
    let Value::Map(entries) = of else { return Value::Seq(Arc::default()) };
    Value::Seq(Arc::new(entries.iter().map(|entry| entry.0.clone()).collect()))
}

fn values(of: Value) -> Value {
    let Value::Map(entries) = of else { return Value::Seq(Arc::default()) };
    Value::Seq(Arc::new(entries.iter().map(|entry| entry.1.clone()).collect()))
}

fn size(of: &Value) -> Value {
    let size = match of {
        Value::Seq(values) | Value::Set(values) => values.len(),
        Value::Map(entries) => entries.len(),
        Value::Text(text) => text.chars().count(),
        _ => 0,
    };
    Value::Int(i64::try_from(size).expect("a value has fewer than 2^63 parts"))
}

fn contains(of: &Value, item: &Value) -> bool {
    match of {
        Value::Seq(values) => values.contains(item),
        Value::Set(values) => values.binary_search(item).is_ok(),
        Value::Map(entries) => find(entries, item).is_ok(),
        _ => false,
    }
}

fn to_int(value: Value) -> Value {
    match value {
        Value::Enum(_, number) => Value::Int(number),
        Value::Float(bits) => Value::Int(Value::to_float(bits).trunc() as i64),
        Value::Bool(it) => Value::Int(i64::from(it)),
        other => other,
    }
}

fn to_float(value: Value) -> Value {
    match value {
        Value::Int(number) => Value::float(number as f64),
        other => other,
    }
}

fn float_binary(op: Op, a: f64, b: f64) -> Value {
    match op {
        Op::Add => Value::float(a + b),
        Op::Subtract => Value::float(a - b),
        Op::Multiply => Value::float(a * b),
        Op::Divide => Value::float(a / b),
        Op::Remainder => Value::float(a % b),
        _ => Value::Bool(a.partial_cmp(&b).is_some_and(|order| compares(op, order))),
    }
}

fn compares(op: Op, order: Ordering) -> bool {
    op.compares(order).unwrap_or_else(|| {
        unreachable!("bug in Queueproof: arithmetic on values that are not numbers")
    })
}
