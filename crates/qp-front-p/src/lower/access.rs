//! Tuples and collections: how they are built, and how their parts are looked at.

use std::sync::Arc;

use qp_base::{Diagnostic, Span};
use qp_program::Expr;

use super::check::shown;
use super::expression::{Typed, has_effect};
use super::frame::Frame;
use crate::ast::{self, Ident};
use crate::codes;
use crate::names::did_you_mean;
use crate::types::{Ty, field_names};
use crate::world::field_twice;

impl<'t> Frame<'_, 't, '_> {
    pub(super) fn record(&mut self, fields: &'t [(Ident, ast::Expr)]) -> Typed {
        let (mut exprs, mut types) = (Vec::new(), Vec::<(String, Ty)>::new());
        for (i, (name, e)) in fields.iter().enumerate() {
            let it = self.expr(e);
            let later = fields[i + 1..].iter().any(|field| has_effect(&field.1));
            let it = self.keep(it, later);
            if let Some(first) = fields[..i].iter().find(|field| field.0.text == name.text) {
                self.error(field_twice(name, first.0.span));
            } else {
                exprs.push(it.expr);
                types.push((name.text.clone(), it.ty));
            }
        }
        Typed::new(Expr::Record(field_names(&types), exprs), Ty::Record(types.into()))
    }

    pub(super) fn field(&mut self, of: &'t ast::Expr, name: &Ident) -> Typed {
        let of_typed = self.expr(of);
        match self.field_of(&of_typed.ty, of.span, name) {
            Some((position, ty)) => Typed::new(Expr::Part(Box::new(of_typed.expr), position), ty),
            None => Typed::error(),
        }
    }

    /// The position and type of a field, or an error.
    pub(super) fn field_of(&mut self, ty: &Ty, span: Span, name: &Ident) -> Option<(u32, Ty)> {
        let fields = match ty.bare() {
            Ty::Error => return None,
            Ty::Record(fields) => fields,
            _ => {
                let message = format!("`{ty}` has no field `{}`", name.text);
                let diagnostic = Diagnostic::error(codes::NO_FIELD, message, name.span)
                    .also(span, format!("this is {}", shown(ty)));
                self.error(match ty.bare() {
                    Ty::Machine | Ty::Permission(_) => diagnostic
                        .help("the variables of a machine are its own: ask it by an event"),
                    Ty::Tuple(_) => diagnostic.help("the fields of a tuple are `.0`, `.1`, ..."),
                    _ => diagnostic.help("only tuples with named fields have fields"),
                });
                return None;
            }
        };
        if let Some(position) = fields.iter().position(|field| field.0 == name.text) {
            return Some((position as u32, fields[position].1.clone()));
        }
        let names: Vec<&str> = fields.iter().map(|field| field.0.as_str()).collect();
        let help = did_you_mean(
            &name.text,
            names.iter().copied(),
            format!("it has these: `{}`", names.join("`, `")),
        );
        let message = format!("{} has no field `{}`", shown(ty), name.text);
        self.out.error(codes::NO_FIELD, message, name.span, help);
        None
    }

    pub(super) fn position(&mut self, of: &'t ast::Expr, position: &ast::Literal) -> Typed {
        let of_typed = self.expr(of);
        match self.part_of(&of_typed.ty, position) {
            Some((number, ty)) => Typed::new(Expr::Part(Box::new(of_typed.expr), number), ty),
            None => Typed::error(),
        }
    }

    /// The position and type of a field of a tuple without names, or an error.
    pub(super) fn part_of(&mut self, ty: &Ty, position: &ast::Literal) -> Option<(u32, Ty)> {
        let types = match ty.bare() {
            Ty::Error => return None,
            Ty::Tuple(types) => types.clone(),
            _ => Arc::default(),
        };
        let number = u32::try_from(position.value).ok();
        let part = number.and_then(|number| Some((number, types.get(number as usize)?.clone())));
        if part.is_some() {
            return part;
        }
        let message = format!("{} has no field `{}`", shown(ty), position.value);
        let diagnostic = Diagnostic::error(codes::NO_FIELD, message, position.span);
        self.error(match (types.len(), ty.bare()) {
            (0, Ty::Record(_)) => diagnostic.help("its fields have names: use them"),
            (0, _) => diagnostic.help("only tuples have numbered fields"),
            (len, _) => diagnostic.help(format!("the last one is `.{}`", len - 1)),
        });
        None
    }

    pub(super) fn index(&mut self, of: &'t ast::Expr, index: &'t ast::Expr, span: Span) -> Typed {
        let of_typed = self.operand(of, has_effect(index));
        let index_typed = self.expr(index);
        let Some((key, ty)) = self.entry_of(&of_typed.ty, of.span, true) else {
            return Typed::error();
        };
        if !self.fits(&key, &index_typed.ty, index.span) {
            return Typed::error();
        }
        let (of, index) = (Box::new(of_typed.expr), Box::new(index_typed.expr));
        Typed::new(Expr::Index { of, index, span }, ty)
    }

    /// The types of the keys and entries of a collection, or an error.
    pub(super) fn entry_of(&mut self, ty: &Ty, span: Span, sets: bool) -> Option<(Ty, Ty)> {
        match ty.bare() {
            Ty::Error => None,
            Ty::Seq(element) => Some((Ty::Int, Ty::clone(element))),
            Ty::Map(types) => Some((types.0.clone(), types.1.clone())),
            Ty::Set(element) if sets => {
                self.facts.fixed_order = true;
                Some((Ty::Int, Ty::clone(element)))
            }
            Ty::Set(_) => {
                let message = "an element of a set cannot be replaced by its position";
                let help = "remove the old element with `-=`, add the new one with `+=`";
                self.out.error(codes::MISMATCH, message, span, help);
                None
            }
            _ => {
                self.needs("a sequence or map", ty, span);
                None
            }
        }
    }

    pub(super) fn keys(&mut self, of: &'t ast::Expr, keys: bool) -> Typed {
        let of_typed = self.expr(of);
        let Ty::Map(types) = of_typed.ty.bare() else {
            self.needs("a map", &of_typed.ty, of.span);
            return Typed::error();
        };
        let types = types.clone();
        let of = Box::new(of_typed.expr);
        self.facts.fixed_order = true;
        if keys {
            Typed::new(Expr::Keys(of), Ty::Seq(Arc::new(types.0.clone())))
        } else {
            Typed::new(Expr::Values(of), Ty::Seq(Arc::new(types.1.clone())))
        }
    }

    pub(super) fn size(&mut self, of: &'t ast::Expr) -> Typed {
        let of_typed = self.expr(of);
        if !matches!(of_typed.ty.bare(), Ty::Seq(_) | Ty::Set(_) | Ty::Map(_)) {
            self.needs("a sequence, set or map", &of_typed.ty, of.span);
            return Typed::error();
        }
        Typed::new(Expr::Size(Box::new(of_typed.expr)), Ty::Int)
    }
}
