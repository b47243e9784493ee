//! From written types to types.

use std::sync::Arc;

use qp_base::{Complaints, Diagnostic, Span};

use super::{TypeName, World};
use crate::ast::{Ident, Type, TypeKind};
use crate::codes;
use crate::names::did_you_mean;
use crate::types::{Permission, Ty};

/// A value of a type with more parts than this cannot be handled in reasonable time; nested typedefs can
/// make such types in a few lines.
const PARTS_MAX: usize = 10_000;

/// Types are walked recursively, so they must not be nested without limit. Nor may typedefs that refer
/// to later ones.
const DEPTH_MAX: usize = 100;

impl World<'_> {
    /// The type that is written here, or the type of nothing.
    pub(crate) fn optional_type(&mut self, ty: Option<&Type>, out: &mut Complaints) -> Ty {
        ty.map_or(Ty::Null, |ty| self.resolve(ty, out))
    }

    /// The type that is written here. Says what is wrong with it.
    pub(crate) fn resolve(&mut self, ty: &Type, out: &mut Complaints) -> Ty {
        resolve(ty, out, &mut |name, span, out| self.named_type(name, span, out))
    }

    /// The type that is written here, once all declarations were resolved.
    pub(crate) fn written_type(&self, ty: &Type, out: &mut Complaints) -> Ty {
        resolve(ty, out, &mut |name, span, out| match self.types.get(name) {
            Some(TypeName::Known(ty)) => ty.clone(),
            Some(TypeName::Spec) => not_a_type(name, span, out),
            Some(TypeName::Open | TypeName::Written(..)) => Ty::Error,
            None => self.other_type(name, span, out),
        })
    }

    /// The type of this name. A typedef is resolved when it is first asked for.
    pub(crate) fn named_type(&mut self, name: &str, span: Span, out: &mut Complaints) -> Ty {
        let known = match self.types.get_mut(name) {
            Some(TypeName::Known(ty)) => return ty.clone(),
            Some(TypeName::Spec) => return not_a_type(name, span, out),
            Some(TypeName::Open) => return circular(name, span, out),
            Some(it) => it,
            None => return self.other_type(name, span, out),
        };
        let TypeName::Written(ident, written) = std::mem::replace(known, TypeName::Open) else {
            unreachable!("bug in Queueproof: a typedef is written, open or known")
        };
        self.open_types += 1;
        let too_deep = self.open_types > DEPTH_MAX;
        let ty = if too_deep { nested(written.span, out) } else { self.resolve(written, out) };
        self.open_types -= 1;
        let named = |ty: &Ty| Ty::Alias(Arc::new((name.to_owned(), ty.bare().clone())));
        let ty = if ty.is_error() { ty } else { named(&ty) };
        self.types.insert(&ident.text, TypeName::Known(ty.clone()));
        ty
    }

    /// Event sets and events are types too: machines that take these events.
    fn other_type(&self, name: &str, span: Span, out: &mut Complaints) -> Ty {
        if let Some(set) = self.event_sets.get(name) {
            return Ty::Permission(set.clone());
        }
        if let Some(&event) = self.event_ids.get(name) {
            let events = vec![event];
            return Ty::Permission(Arc::new(Permission { name: name.to_owned(), events }));
        }
        let candidates = self.types.keys().copied().chain(BUILT_IN);
        let help = did_you_mean(name, candidates, format!("declare it: `type {name} = ...;`"));
        let message = format!("there is no type `{name}`");
        out.error(codes::UNDECLARED, message, span, help);
        Ty::Error
    }
}

/// What a name stands for.
type Named<'n> = &'n mut dyn FnMut(&str, Span, &mut Complaints) -> Ty;

fn resolve(ty: &Type, out: &mut Complaints, named: Named<'_>) -> Ty {
    match &ty.kind {
        TypeKind::Bool => Ty::Bool,
        TypeKind::Int => Ty::Int,
        TypeKind::Float => Ty::Float,
        TypeKind::String => Ty::Text,
        TypeKind::Event => Ty::Event,
        TypeKind::Machine => Ty::Machine,
        TypeKind::Data => Ty::Data,
        TypeKind::Any => Ty::Any,
        TypeKind::Seq(element) => {
            let seq = Ty::Seq(Arc::new(resolve(element, out, named)));
            limited(seq, ty.span, out)
        }
        TypeKind::Set(element) => {
            let set = Ty::Set(Arc::new(resolve(element, out, named)));
            limited(set, ty.span, out)
        }
        TypeKind::Map(key, value) => {
            let key = resolve(key, out, named);
            let map = Ty::Map(Arc::new((key, resolve(value, out, named))));
            limited(map, ty.span, out)
        }
        TypeKind::Tuple(types) => {
            let types: Vec<Ty> = types.iter().map(|ty| resolve(ty, out, named)).collect();
            limited(Ty::Tuple(types.into()), ty.span, out)
        }
        TypeKind::NamedTuple(fields) => limited(record(fields, out, named), ty.span, out),
        TypeKind::Named(name) => named(name, ty.span, out),
    }
}

fn record(fields: &[(Ident, Type)], out: &mut Complaints, named: Named<'_>) -> Ty {
    let mut known: Vec<(String, Ty)> = Vec::new();
    for (position, (name, ty)) in fields.iter().enumerate() {
        let ty = resolve(ty, out, named);
        if let Some(first) = fields[..position].iter().find(|it| it.0.text == name.text) {
            out.push(field_twice(name, first.0.span));
        } else {
            known.push((name.text.clone(), ty));
        }
    }
    Ty::Record(known.into())
}

const BUILT_IN: [&str; 8] = ["bool", "int", "float", "string", "event", "machine", "data", "any"];

/// Says that a field has the name of another one.
pub(crate) fn field_twice(name: &Ident, first: Span) -> Diagnostic {
    let message = format!("two fields have the name `{}`", name.text);
    Diagnostic::error(codes::DECLARED_TWICE, message, name.span)
        .also(first, "the first one")
        .help("give one of the two another name")
}

fn not_a_type(name: &str, span: Span, out: &mut Complaints) -> Ty {
    let message = format!("the spec `{name}` is not a type");
    let help = "there is one of each spec, and nothing can refer to it";
    out.error(codes::UNDECLARED, message, span, help);
    Ty::Error
}

fn circular(name: &str, span: Span, out: &mut Complaints) -> Ty {
    let message = format!("the type `{name}` contains itself");
    let help = "types cannot be recursive; hold such values in a map, and refer to them by key";
    out.error(codes::CIRCULAR, message, span, help);
    Ty::Error
}

fn limited(ty: Ty, span: Span, out: &mut Complaints) -> Ty {
    if ty.weight(PARTS_MAX) <= PARTS_MAX {
        return if ty.depth() > DEPTH_MAX { nested(span, out) } else { ty };
    }
    let message = format!("values of this type have more than {PARTS_MAX} parts");
    let help = "hold the parts in a sequence or map";
    out.error(codes::LARGE_TYPE, message, span, help);
    Ty::Error
}

fn nested(span: Span, out: &mut Complaints) -> Ty {
    let message = format!("types are nested more than {DEPTH_MAX} levels deep");
    let help = "nobody can read such a type; use fewer levels";
    out.error(codes::LARGE_TYPE, message, span, help);
    Ty::Error
}
