//! Where in values numbers are.

use qp_base::{IndexVec, Interner, Span};
use qp_machines::{ClassId, Slot, SlotId, Term};

use crate::{EventInfo, Type, Value, Variable};

/// Where numbers are in the values of a variable, or of an expression.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// Nowhere, or nobody knows.
    Opaque,
    /// It is one.
    Number(SlotId),
    Tuple(Vec<Self>),
    Seq(Box<Self>),
    Set(ClassId, Box<Self>),
    Map(ClassId, Box<(Self, Self)>),
    /// An expression that is always the same.
    Const(Value),
    /// A text with values in it. As long as nobody looks at it, it is only shown.
    Text(Vec<Self>),
}

impl Shape {
    /// The shapes of what is inside.
    pub(super) fn inner(&self) -> Vec<&Self> {
        match self {
            Self::Opaque | Self::Const(_) | Self::Number(_) => Vec::new(),
            Self::Tuple(parts) | Self::Text(parts) => parts.iter().collect(),
            Self::Seq(of) | Self::Set(_, of) => vec![of],
            Self::Map(_, of) => vec![&of.0, &of.1],
        }
    }
}

/// Makes shapes.
#[derive(Debug, Default)]
pub(super) struct Slots {
    pub(super) slots: IndexVec<SlotId, Slot>,
    pub(super) n_classes: usize,
}

impl Slots {
    /// The shape of a variable of somebody; of a temporary one if it has no name.
    pub(super) fn variable(&mut self, it: &Variable, owner: &str) -> Shape {
        let of = Of { owner: if it.name.is_empty() { "" } else { owner }, span: it.span };
        self.part(&it.ty, &it.name, of, false)
    }

    /// The shape of what an event carries.
    pub(super) fn payload(&mut self, it: &EventInfo) -> Shape {
        self.part(&it.payload, "", Of { owner: &it.name, span: it.span }, false)
    }

    fn part(&mut self, ty: &Type, name: &str, of: Of<'_>, is_key: bool) -> Shape {
        match ty {
            _ if !has_numbers(ty) => Shape::Opaque,
            Type::Int => {
                let name = match (name, of.owner) {
                    (_, "") => String::new(),
                    ("", owner) => format!("what {owner} carries"),
                    (name, owner) => format!("`{name}` of {owner}"),
                };
                Shape::Number(self.slots.push(Slot { name, span: of.span, is_key }))
            }
            Type::Tuple(types) => {
                let part = |(number, ty): (usize, &Type)| {
                    self.part(ty, &inner(name, &number.to_string()), of, is_key)
                };
                Shape::Tuple(types.iter().enumerate().map(part).collect())
            }
            Type::Record(fields) => {
                let both = fields.names.iter().zip(&fields.types);
                let parts = both.map(|(part, ty)| self.part(ty, &inner(name, part), of, is_key));
                Shape::Tuple(parts.collect())
            }
            Type::Seq(ty) => Shape::Seq(Box::new(self.part(ty, &entries(name), of, is_key))),
            Type::Set(ty) => {
                let class = self.class();
                Shape::Set(class, Box::new(self.part(ty, &entries(name), of, true)))
            }
            Type::Map(types) => {
                let class = self.class();
                let key = self.part(&types.0, &format!("keys({name})"), of, true);
                let value = self.part(&types.1, &entries(name), of, is_key);
                Shape::Map(class, Box::new((key, value)))
            }
            _ => Shape::Opaque,
        }
    }

    fn class(&mut self) -> ClassId {
        self.n_classes += 1;
        ClassId::new(self.n_classes - 1)
    }
}

/// Whose variable it is, and where it is declared.
#[derive(Clone, Copy)]
struct Of<'a> {
    owner: &'a str,
    span: Span,
}

fn inner(name: &str, part: &str) -> String {
    if name.is_empty() { part.to_owned() } else { format!("{name}.{part}") }
}

fn entries(name: &str) -> String {
    format!("{name}[]")
}

/// Whether numbers that are told apart by where they are can be in a value.
fn has_numbers(ty: &Type) -> bool {
    match ty {
        Type::Int => true,
        Type::Tuple(types) => types.iter().any(has_numbers),
        Type::Record(fields) => fields.types.iter().any(has_numbers),
        Type::Seq(ty) | Type::Set(ty) => has_numbers(ty),
        Type::Map(types) => has_numbers(&types.0) || has_numbers(&types.1),
        _ => false,
    }
}

/// The numbers of what terms are made of.
#[derive(Clone, Debug, Default)]
pub(super) struct Atoms {
    values: Interner<usize, Value>,
    /// The names of records; the first two kinds are tuples and sequences.
    names: Interner<usize, std::sync::Arc<[String]>>,
}

const TUPLE: u32 = 0;
const SEQ: u32 = 1;
const RECORDS: u32 = 2;

impl Atoms {
    /// A value as a term.
    pub(super) fn term(&mut self, shape: &Shape, value: &Value) -> Term {
        match (shape, value) {
            (Shape::Number(slot), Value::Int(number)) => Term::Number(*slot, *number),
            (Shape::Tuple(shapes), Value::Tuple(values)) if shapes.len() == values.len() => {
                Term::Tuple(TUPLE, self.terms(shapes, values))
            }
            (Shape::Tuple(shapes), Value::Record(names, values))
                if shapes.len() == values.len() =>
            {
                let kind = RECORDS + self.names.intern(names.clone()) as u32;
                Term::Tuple(kind, self.terms(shapes, values))
            }
            (Shape::Seq(shape), Value::Seq(values)) => {
                Term::Tuple(SEQ, values.iter().map(|value| self.term(shape, value)).collect())
            }
            (Shape::Set(class, shape), Value::Set(values)) => {
                Term::Set(*class, values.iter().map(|value| self.term(shape, value)).collect())
            }
            (Shape::Map(class, shapes), Value::Map(entries)) => {
                let entry = |(key, value): &(Value, Value)| {
                    (self.term(&shapes.0, key), self.term(&shapes.1, value))
                };
                Term::Map(*class, entries.iter().map(entry).collect())
            }
            _ => Term::Atom(self.values.intern(value.clone()) as u32),
        }
    }

    fn terms(&mut self, shapes: &[Shape], values: &[Value]) -> Vec<Term> {
        shapes.iter().zip(values).map(|(shape, value)| self.term(shape, value)).collect()
    }

    /// The value of a term. Sets and maps are sorted again.
    pub(super) fn value(&self, term: &Term) -> Value {
        let all = |terms: &[Term]| terms.iter().map(|term| self.value(term)).collect::<Vec<_>>();
        match term {
            Term::Number(_, number) => Value::Int(*number),
            Term::Atom(atom) => self.values.value(*atom as usize).clone(),
            Term::Tuple(TUPLE, terms) => Value::Tuple(all(terms).into()),
            Term::Tuple(SEQ, terms) => Value::Seq(all(terms).into()),
            Term::Tuple(kind, terms) => {
                let names = self.names.value((kind - RECORDS) as usize).clone();
                Value::Record(names, all(terms).into())
            }
            Term::Set(_, terms) => {
                let mut values = all(terms);
                values.sort_unstable();
                values.dedup();
                Value::Set(values.into())
            }
            Term::Map(_, entries) => {
                let entry = |(key, value): &(Term, Term)| (self.value(key), self.value(value));
                let mut entries: Vec<_> = entries.iter().map(entry).collect();
                entries.sort_unstable();
                entries.dedup_by(|next, first| next.0 == first.0);
                Value::Map(entries.into())
            }
        }
    }
}
