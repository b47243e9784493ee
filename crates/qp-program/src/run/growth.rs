//! Which variable takes more different values than others: the likely reason why a search does not end.

use std::collections::BTreeMap;

use qp_base::{Set, Span};
use qp_machines::{Suspect, Widest};

use crate::{Value, Variable};

/// Fewer different values than this are no reason for suspicion.
const SUSPICIOUS: usize = 100;
/// Counting goes no further: by then the case is clear.
const COUNTED_MAX: usize = 10_000;

/// What was seen of each variable with a name, by the place of its declaration.
#[derive(Clone, Debug, Default)]
pub(super) struct Growth {
    seen: BTreeMap<Span, Seen>,
}

#[derive(Clone, Debug)]
struct Seen {
    name: String,
    /// Numbers, or lengths of a collection.
    values: Set<i64>,
    is_collection: bool,
}

impl Growth {
    /// Looks at the variables of `owner`.
    pub(super) fn note(&mut self, owner: &str, variables: &[Variable], values: &[Value]) {
        for (variable, value) in variables.iter().zip(values) {
            let (number, is_collection) = match value {
                Value::Int(number) => (*number, false),
                Value::Seq(items) | Value::Set(items) => (i64::from(items.len() as u32), true),
                Value::Map(entries) => (i64::from(entries.len() as u32), true),
                _ => continue,
            };
            if variable.name.is_empty() {
                continue;
            }
            let seen = self.seen.entry(variable.span).or_insert_with(|| Seen {
                name: format!("`{}` of {owner}", variable.name),
                values: Set::default(),
                is_collection,
            });
            if seen.values.len() < COUNTED_MAX {
                seen.values.insert(number);
            }
        }
    }

    /// The variable with the most values, if they are many.
    pub(super) fn suspect(&self) -> Option<Suspect> {
        let Widest { name, n_values, what, span } = self.widest()?;
        let text = format!("{name}, which took {n_values} {what}");
        (n_values > SUSPICIOUS).then_some(Suspect { text, span })
    }

    /// The variable with the most values; the first declared of equals.
    pub(super) fn widest(&self) -> Option<Widest> {
        let (&span, seen) = self.seen.iter().rev().max_by_key(|(_, seen)| seen.values.len())?;
        let Seen { name, values, is_collection } = seen;
        let what = if *is_collection { "lengths" } else { "values" };
        Some(Widest { name: name.clone(), n_values: values.len(), what, span })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Type;

    fn variable(name: &str, start: usize) -> Variable {
        Variable { name: name.to_owned(), span: Span::new(start..start + 1), ty: Type::Any }
    }

    #[test]
    fn the_variable_with_the_most_values_is_the_suspect() {
        let variables = [variable("id", 1), variable("count", 2), variable("", 3)];
        let mut growth = Growth::default();
        for round in 0..=100 {
            let values = [4182, round, 7 * round].map(Value::Int);
            growth.note("Client", &variables, &values);
            assert_eq!(growth.suspect().is_some(), round == 100, "{round}");
        }
        let suspect = growth.suspect().expect("one has many values");
        assert_eq!(suspect.text, "`count` of Client, which took 101 values");
        assert_eq!(suspect.span, variables[1].span);
    }

    #[test]
    fn a_collection_is_judged_by_its_lengths() {
        let variables = [variable("log", 1)];
        let mut growth = Growth::default();
        for length in 0..200 {
            let items = vec![Value::Null; length];
            growth.note("Server", &variables, &[Value::Seq(std::sync::Arc::new(items))]);
        }
        let suspect = growth.suspect().expect("it grew");
        assert_eq!(suspect.text, "`log` of Server, which took 200 lengths");
    }
}
