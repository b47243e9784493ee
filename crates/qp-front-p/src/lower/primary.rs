//! The smallest expressions: names, numbers, `this` and free choices.

use qp_base::Span;
use qp_program::{Choice, Expr, Instr, Root, Value};

use super::check::shown;
use super::expression::Typed;
use super::frame::{Frame, Stored};
use crate::ast;
use crate::codes;
use crate::names::did_you_mean;
use crate::rules::Deed;
use crate::types::Ty;

/// More choices than this are not offered by P either.
const CHOICES_MAX: i64 = 10_000;

impl<'t> Frame<'_, 't, '_> {
    pub(super) fn name(&mut self, name: &str, span: Span) -> Typed {
        match self.stored(name) {
            Stored::Variable(root, ty) => return Typed::new(variable(root), ty),
            Stored::Param(_) => return self.param(name),
            Stored::Nothing => {}
        }
        if let Some((it, number)) = self.world.elements.get(name) {
            return Typed::new(Expr::Const(Value::Enum(it.clone(), *number)), Ty::Enum(it.clone()));
        }
        if let Some(&event) = self.world.event_ids.get(name) {
            return Typed::new(Expr::Const(Value::Event(event)), Ty::Event);
        }
        if !self.unknown.insert(name.to_owned()) {
            return Typed::error();
        }
        let mut candidates = self.variable_names();
        candidates.extend(self.world.elements.keys());
        candidates.extend(self.world.event_ids.keys());
        let help = did_you_mean(name, candidates, "declare it first");
        let message = format!("there is no variable, event or enum element `{name}`");
        self.out.error(codes::UNDECLARED, message, span, help);
        Typed::error()
    }

    /// A parameter of the test case: what the test says, or the default.
    fn param(&self, name: &str) -> Typed {
        let ty = self.world.params[name].1.clone();
        let given = self.context.params.get(name).cloned();
        Typed::new(Expr::Const(given.unwrap_or_else(|| ty.runtime().default_value())), ty)
    }

    /// Whole numbers have 64 bits while a program runs, but 32 bits as they are written.
    pub(super) fn int(&mut self, value: i64, span: Span) -> Typed {
        if value > i64::from(i32::MAX) {
            let message = format!("`{value}` is too large to be written in P");
            let help = format!("the largest number is `{}`; larger ones are computed", i32::MAX);
            self.out.error(crate::codes::NUMBER, message, span, help);
        }
        Typed::new(Expr::Const(Value::Int(value)), Ty::Int)
    }

    pub(super) fn this(&mut self, span: Span) -> Typed {
        let Some(machine) = self.machine() else {
            let message = "`this` means nothing outside of a machine";
            let help = "hand the machine over as a parameter";
            self.out.error(codes::NO_THIS, message, span, help);
            return Typed::error();
        };
        if self.refused_in_spec("`this`", span) {
            return Typed::error();
        }
        let interface = self.world.interface_ids.get(machine.ast.name.text.as_str());
        let ty = interface.map_or(Ty::Machine, |&number| {
            Ty::Permission(self.world.interfaces[number as usize].permission.clone())
        });
        Typed::new(Expr::This, ty)
    }

    pub(super) fn nondet(&mut self, what: &str, span: Span) -> Typed {
        let wanted = self.wanted.take();
        self.facts.note(Deed::Chooses, span);
        if self.refused_in_spec(&format!("`{what}`"), span) {
            return Typed::error();
        }
        let into = self.result(wanted, &Ty::Bool);
        self.emit(Instr::Choose { into, from: Choice::Bool });
        Typed::new(Expr::Register(into), Ty::Bool)
    }

    pub(super) fn choose(&mut self, of: &'t ast::Expr, span: Span) -> Typed {
        let wanted = self.wanted.take();
        self.facts.note(Deed::Chooses, span);
        let from = self.expr(of);
        if self.refused_in_spec("`choose`", span) || from.ty.is_error() {
            return Typed::error();
        }
        let ty = match from.ty.bare() {
            Ty::Seq(element) | Ty::Set(element) => Ty::clone(element),
            Ty::Map(types) => types.0.clone(),
            Ty::Int => Ty::Int,
            _ => {
                let message = format!(
                    "`choose` needs a number, a sequence, a set or a map, found {}",
                    shown(&from.ty)
                );
                let help = "`choose(n)` picks one of 0 to n - 1, `choose(s)` an element of `s`";
                self.out.error(codes::CHOOSE, message, of.span, help);
                return Typed::error();
            }
        };
        if let Expr::Const(Value::Int(count)) = from.expr
            && count > CHOICES_MAX
        {
            let message = format!("`choose` offers at most {CHOICES_MAX} choices, not {count}");
            let help = "fewer choices usually show the same errors";
            self.out.error(codes::CHOOSE, message, of.span, help);
            return Typed::error();
        }
        let into = self.result(wanted, &ty);
        self.emit(Instr::Choose { into, from: Choice::Of(from.expr) });
        Typed::new(Expr::Register(into), ty)
    }
}

/// A variable as a value.
pub(super) fn variable(root: Root) -> Expr {
    match root {
        Root::Register(register) => Expr::Register(register),
        Root::Field(field) => Expr::Field(field),
    }
}
