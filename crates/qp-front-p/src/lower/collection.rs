//! Statements that change collections: `+=` and `-=`.

use qp_program::Instr;

use super::expression::has_effect;
use super::frame::Frame;
use crate::ast;
use crate::codes;
use crate::types::Ty;

impl<'t> Frame<'_, 't, '_> {
    pub(super) fn insert(
        &mut self,
        place: &'t ast::Expr,
        key: &'t ast::Expr,
        value: &'t ast::Expr,
    ) {
        let to = self.place(place, has_effect(key) || has_effect(value));
        let key_typed = self.operand(key, has_effect(value));
        let (wanted_key, wanted) = match to.ty.bare() {
            Ty::Seq(element) => (Ty::Int, Ty::clone(element)),
            Ty::Map(types) => (types.0.clone(), types.1.clone()),
            Ty::Set(_) => {
                let message = "a set takes one value, and no position";
                let help = "write `s += (x);`, or `s += ((x, y));` to add a tuple";
                self.out.error(codes::MISMATCH, message, key.span, help);
                (Ty::Error, Ty::Error)
            }
            _ => {
                self.needs("a sequence or map", &to.ty, place.span);
                (Ty::Error, Ty::Error)
            }
        };
        self.fits(&wanted_key, &key_typed.ty, key.span);
        let value = self.expect(value, &wanted);
        if let Some(place) = to.place {
            self.emit(Instr::Insert { place, key: key_typed.expr, value });
        }
    }

    pub(super) fn add(&mut self, place: &'t ast::Expr, value: &'t ast::Expr) {
        let to = self.place(place, has_effect(value));
        let wanted = match to.ty.bare() {
            Ty::Set(element) => Ty::clone(element),
            Ty::Seq(_) | Ty::Map(_) => {
                let message = format!("expected a set, found `{}`", to.ty);
                let what = if matches!(to.ty.bare(), Ty::Seq(_)) { "position" } else { "key" };
                let help = format!("say the {what} too: `x += ({what}, value);`");
                self.out.error(codes::MISMATCH, message, place.span, help);
                Ty::Error
            }
            _ => {
                self.needs("a set", &to.ty, place.span);
                Ty::Error
            }
        };
        let value = self.expect(value, &wanted);
        if let Some(place) = to.place {
            self.emit(Instr::Add { place, value });
        }
    }

    pub(super) fn remove(&mut self, place: &'t ast::Expr, key: &'t ast::Expr) {
        let to = self.place(place, has_effect(key));
        let wanted = match to.ty.bare() {
            Ty::Seq(_) => Ty::Int,
            Ty::Map(types) => types.0.clone(),
            Ty::Set(element) => Ty::clone(element),
            _ => {
                self.needs("a sequence, set or map", &to.ty, place.span);
                Ty::Error
            }
        };
        let key = self.expect(key, &wanted);
        if let Some(place) = to.place {
            self.emit(Instr::Remove { place, key });
        }
    }
}
