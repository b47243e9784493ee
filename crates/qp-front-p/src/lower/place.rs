//! Where something is stored: a variable, and a way into its value.

use qp_base::{Diagnostic, Span};
use qp_program::{Place, Projection, Root};

use super::expression::has_effect;
use super::frame::{Frame, Stored};
use crate::ast::{self, ExprKind};
use crate::codes;
use crate::names::did_you_mean;
use crate::types::Ty;

/// A place with the type of what is there; no place after an error.
pub(super) struct TypedPlace {
    pub(super) place: Option<Place>,
    pub(super) ty: Ty,
}

impl TypedPlace {
    fn error() -> Self {
        Self { place: None, ty: Ty::Error }
    }
}

impl<'t> Frame<'_, 't, '_> {
    /// The left side of an assignment. `later` says whether something with an effect comes before the
    /// place is written to.
    pub(super) fn place(&mut self, e: &'t ast::Expr, later: bool) -> TypedPlace {
        match &e.kind {
            ExprKind::Name(name) => self.root(name, e.span),
            ExprKind::Field(of, name) => {
                let inner = self.place(of, later);
                let part = self.field_of(&inner.ty, of.span, name);
                step(inner, part.map(|(position, ty)| (Projection::Part(position), ty)))
            }
            ExprKind::Position(of, position) => {
                let inner = self.place(of, later);
                let part = self.part_of(&inner.ty, position);
                step(inner, part.map(|(position, ty)| (Projection::Part(position), ty)))
            }
            ExprKind::Index(of, index) => {
                let inner = self.place(of, later || has_effect(index));
                let entry = self.entry_of(&inner.ty, of.span, false);
                let typed = self.operand(index, later);
                let Some((key, ty)) = entry else { return TypedPlace::error() };
                self.fits(&key, &typed.ty, index.span);
                step(inner, Some((Projection::Index(typed.expr, e.span), ty)))
            }
            ExprKind::Broken => TypedPlace::error(),
            _ => {
                self.not_assignable("this", e.span);
                TypedPlace::error()
            }
        }
    }

    fn not_assignable(&mut self, what: &str, span: Span) {
        let message = format!("{what} is a value, and no place for one");
        let help = "on the left there can be a variable, `x.field`, `x.0` or `x[i]`";
        self.out.error(codes::NOT_ASSIGNABLE, message, span, help);
    }

    /// The variable of this name.
    pub(super) fn root(&mut self, name: &str, span: Span) -> TypedPlace {
        match self.stored(name) {
            Stored::Variable(root, ty) => {
                TypedPlace { place: Some(Place { root, path: Vec::new() }), ty }
            }
            Stored::Param(declared) => {
                let message = format!("the `param` `{name}` cannot be changed");
                self.error(
                    Diagnostic::error(codes::PARAMETER, message, span)
                        .also(declared, "declared here")
                        .help("the test case says what it is"),
                );
                TypedPlace::error()
            }
            Stored::Nothing
                if self.world.event_ids.contains_key(name)
                    || self.world.elements.contains_key(name) =>
            {
                self.not_assignable(&format!("`{name}`"), span);
                TypedPlace::error()
            }
            Stored::Nothing if !self.unknown.insert(name.to_owned()) => TypedPlace::error(),
            Stored::Nothing => {
                let help = did_you_mean(name, self.variable_names(), "declare it: `var ...`");
                let message = format!("there is no variable `{name}`");
                self.out.error(codes::UNDECLARED, message, span, help);
                TypedPlace::error()
            }
        }
    }
}

/// One step further into a value.
fn step(inner: TypedPlace, next: Option<(Projection, Ty)>) -> TypedPlace {
    let (Some(mut place), Some((projection, ty))) = (inner.place, next) else {
        return TypedPlace::error();
    };
    place.path.push(projection);
    TypedPlace { place: Some(place), ty }
}

/// The place of a whole variable.
pub(super) fn whole(root: Root) -> Place {
    Place { root, path: Vec::new() }
}
