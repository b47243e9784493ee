//! Types at run time: which values they have, and how large values may get.

use std::sync::Arc;

use crate::effects::{Effects, Source};
use crate::{Blueprint, Choice, Enum, Expr, Type, Value};

/// A value may have this many parts, counted as a tree.
pub(crate) const PARTS_MAX: usize = 100_000;
/// Values may be nested this deeply.
const DEPTH_MAX: usize = 200;

/// Whether a type has a value.
pub(crate) fn conforms(value: &Value, ty: &Type) -> bool {
    match (ty, value) {
        (Type::Any | Type::Foreign(_), _)
        | (Type::Null | Type::Event | Type::Machine(_), Value::Null)
        | (Type::Bool, Value::Bool(_))
        | (Type::Int, Value::Int(_))
        | (Type::Float, Value::Float(_))
        | (Type::Text, Value::Text(_))
        | (Type::Event, Value::Event(_))
        | (Type::Machine(None), Value::Machine(..)) => true,
        (Type::Machine(Some(roles)), Value::Machine(_, role)) => roles.contains(role),
        (Type::Data, value) => is_data(value),
        (Type::Enum(it), Value::Enum(of, _)) => it == of,
        (Type::Tuple(types), Value::Tuple(values)) => all_conform(values, types),
        (Type::Record(fields), Value::Record(names, values)) => {
            fields.names == *names && all_conform(values, &fields.types)
        }
        (Type::Seq(ty), Value::Seq(values)) | (Type::Set(ty), Value::Set(values)) => {
            values.iter().all(|value| conforms(value, ty))
        }
        (Type::Map(types), Value::Map(entries)) => {
            entries.iter().all(|(key, value)| conforms(key, &types.0) && conforms(value, &types.1))
        }
        _ => false,
    }
}

fn all_conform(values: &[Value], types: &[Type]) -> bool {
    values.len() == types.len() && values.iter().zip(types).all(|(value, ty)| conforms(value, ty))
}

fn is_data(value: &Value) -> bool {
    !matches!(value, Value::Machine(..)) && value.inner().all(is_data)
}

/// How a type is called in messages.
pub(crate) fn type_text(ty: &Type) -> String {
    let list = |types: &[Type]| types.iter().map(type_text).collect::<Vec<_>>().join(", ");
    match ty {
        Type::Null => "null".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Int => "int".to_owned(),
        Type::Float => "float".to_owned(),
        Type::Text => "string".to_owned(),
        Type::Event => "event".to_owned(),
        Type::Machine(_) => "machine".to_owned(),
        Type::Any => "any".to_owned(),
        Type::Data => "data".to_owned(),
        Type::Enum(it) => it.name.clone(),
        Type::Tuple(types) => format!("({})", list(types)),
        Type::Record(fields) => {
            let fields = fields.names.iter().zip(&fields.types);
            let fields: Vec<String> =
                fields.map(|(name, ty)| format!("{name}: {}", type_text(ty))).collect();
            format!("({})", fields.join(", "))
        }
        Type::Seq(ty) => format!("seq[{}]", type_text(ty)),
        Type::Set(ty) => format!("set[{}]", type_text(ty)),
        Type::Map(types) => format!("map[{}, {}]", type_text(&types.0), type_text(&types.1)),
        Type::Foreign(name) => name.to_string(),
    }
}

/// All values of a type, if there are at most `most`.
pub(crate) fn values_of(ty: &Type, most: usize) -> Option<Vec<Value>> {
    let found = match ty {
        Type::Null => vec![Value::Null],
        Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Type::Enum(it) => {
            let mut numbers: Vec<i64> = it.elements.iter().map(|element| element.1).collect();
            numbers.sort_unstable();
            numbers.dedup();
            numbers.into_iter().map(|number| Value::Enum(it.clone(), number)).collect()
        }
        Type::Tuple(types) => {
            rows(types, most)?.into_iter().map(|row| Value::Tuple(row.into())).collect()
        }
        Type::Record(fields) => {
            let rows = rows(&fields.types, most)?.into_iter();
            rows.map(|row| Value::Record(fields.names.clone(), row.into())).collect()
        }
        _ => return None,
    };
    (found.len() <= most).then_some(found)
}

fn rows(types: &[Type], most: usize) -> Option<Vec<Vec<Value>>> {
    let mut rows = vec![Vec::new()];
    for ty in types {
        let values = values_of(ty, most)?;
        if rows.len().saturating_mul(values.len()) > most {
            return None;
        }
        let longer = |row: &Vec<Value>| {
            let row = row.clone();
            values.clone().into_iter().map(move |value| [row.clone(), vec![value]].concat())
        };
        rows = rows.iter().flat_map(longer).collect();
    }
    Some(rows)
}

/// How many parts a value has, or nothing if it is too large or too deep.
pub(crate) fn parts(value: &Value) -> Option<usize> {
    let mut left = PARTS_MAX;
    weigh(value, &mut left, 0).then_some(PARTS_MAX - left)
}

fn weigh(value: &Value, left: &mut usize, depth: usize) -> bool {
    let own = if let Value::Text(text) = value { 1 + text.len() / 16 } else { 1 };
    if *left < own || depth > DEPTH_MAX {
        return false;
    }
    *left -= own;
    value.inner().all(|value| weigh(value, left, depth + 1))
}

/// Every enumeration that a value can belong to, in order of first mention.
pub(crate) fn enums(blueprint: &Blueprint) -> Vec<Arc<Enum>> {
    let mut found = Vec::new();
    for event in &blueprint.events {
        enums_of_type(&event.payload, &mut found);
    }
    for body in &blueprint.bodies {
        body.fields.iter().for_each(|field| enums_of_type(&field.ty, &mut found));
    }
    for function in &blueprint.functions {
        function.registers.iter().for_each(|it| enums_of_type(&it.ty, &mut found));
        function.effects().for_each(|effects| enums_of_effects(&effects, &mut found));
    }
    found
}

fn add(it: &Arc<Enum>, found: &mut Vec<Arc<Enum>>) {
    if !found.contains(it) {
        found.push(it.clone());
    }
}

fn enums_of_type(ty: &Type, found: &mut Vec<Arc<Enum>>) {
    match ty {
        Type::Enum(it) => add(it, found),
        Type::Tuple(types) => types.iter().for_each(|ty| enums_of_type(ty, found)),
        Type::Record(fields) => fields.types.iter().for_each(|ty| enums_of_type(ty, found)),
        Type::Seq(ty) | Type::Set(ty) => enums_of_type(ty, found),
        Type::Map(types) => {
            enums_of_type(&types.0, found);
            enums_of_type(&types.1, found);
        }
        _ => {}
    }
}

fn enums_of_effects(effects: &Effects<'_>, found: &mut Vec<Arc<Enum>>) {
    for flow in &effects.flows {
        if let Source::Choice(Choice::Any(ty)) = flow.source {
            enums_of_type(ty, found);
        }
    }
    effects.for_each_expr(&mut |expr| match expr {
        Expr::Const(value) => enums_of_value(value, found),
        Expr::Cast { ty, .. } => enums_of_type(ty, found),
        _ => {}
    });
}

fn enums_of_value(value: &Value, found: &mut Vec<Arc<Enum>>) {
    if let Value::Enum(it, _) = value {
        add(it, found);
    }
    value.inner().for_each(|value| enums_of_value(value, found));
}
