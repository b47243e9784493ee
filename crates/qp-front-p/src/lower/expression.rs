//! Expressions: checked, and split into what has an effect (instructions) and what has not.
//!
//! The order is that of P: from left to right, where the value of a compound operand is kept while the
//! operands right of it are worked out. Only a bare variable as the operand of an operator is looked at
//! last, after the calls right of it: `x + f()` sees what `f` did to `x`. Arguments and fields of tuples
//! are always kept.

use std::sync::Arc;

use qp_base::{Diagnostic, Span};
use qp_program::{Choice, Expr, Instr, Root, Value};

use super::check::{mismatch, shown};
use super::frame::{Frame, NULL, Stored};
use crate::ast::{self, ExprKind, Ident};
use crate::names::did_you_mean;
use crate::rules::Deed;
use crate::rules_codes as codes;
use crate::types::{Ty, field_names};
use crate::world::field_twice;

/// More choices than this are not offered by P either.
const CHOICES_MAX: i64 = 10_000;

/// An expression without effects, and its type.
#[derive(Clone)]
pub(super) struct Typed {
    pub(super) expr: Expr,
    pub(super) ty: Ty,
}

impl Typed {
    pub(super) fn new(expr: Expr, ty: Ty) -> Self {
        Self { expr, ty }
    }

    /// What stands in for something that was complained about.
    pub(super) fn error() -> Self {
        Self { expr: NULL, ty: Ty::Error }
    }
}

impl<'t> Frame<'_, 't, '_> {
    /// Checks an expression and emits what it does.
    pub(super) fn expr(&mut self, e: &'t ast::Expr) -> Typed {
        match &e.kind {
            ExprKind::Name(name) => self.name(name, e.span),
            ExprKind::This => self.this(e.span),
            ExprKind::Null => Typed::new(NULL, Ty::Null),
            ExprKind::Bool(it) => Typed::new(Expr::Const(Value::Bool(*it)), Ty::Bool),
            ExprKind::Int(it) => self.int(*it, e.span),
            ExprKind::Float(it) => Typed::new(Expr::Const(Value::float(*it)), Ty::Float),
            ExprKind::Text(text) => self.format(text, &[], e.span),
            ExprKind::Format { text, args } => self.format(text, args, e.span),
            ExprKind::Nondet => self.nondet("$", e.span),
            ExprKind::FairNondet => self.nondet("$$", e.span),
            ExprKind::Choose(None) => self.nondet("choose", e.span),
            ExprKind::Choose(Some(of)) => self.choose(of, e.span),
            ExprKind::Tuple(fields) => {
                let fields = self.all(fields);
                let (exprs, types) = fields.into_iter().map(|it| (it.expr, it.ty)).unzip();
                let types: Vec<Ty> = types;
                Typed::new(Expr::Tuple(exprs), Ty::Tuple(types.into()))
            }
            ExprKind::NamedTuple(fields) => self.record(fields),
            ExprKind::Field(of, name) => self.field(of, name),
            ExprKind::Position(of, position) => self.position(of, position),
            ExprKind::Index(of, index) => self.index(of, index, e.span),
            ExprKind::Keys(of) => self.keys(of, true),
            ExprKind::Values(of) => self.keys(of, false),
            ExprKind::Sizeof(of) => self.size(of),
            ExprKind::Default(ty) => {
                let ty = self.world.written_type(ty, self.out);
                Typed::new(Expr::Const(ty.runtime().default_value()), ty)
            }
            ExprKind::New { interface, args } => self.new_machine(interface, args, e.span, true),
            ExprKind::Call { function, args } => self.call(function, args, e.span, true),
            ExprKind::Unary(op, of) => self.unary(*op, of),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, e.span),
            ExprKind::Cast(of, ty) => self.cast(of, ty, e.span),
            ExprKind::Coerce(of, ty) => self.coerce(of, ty, e.span),
            ExprKind::Verifier(what) => self.verifier(what, e.span),
            ExprKind::Broken => Typed::error(),
        }
    }

    /// An expression that must fit a type.
    pub(super) fn expect(&mut self, e: &'t ast::Expr, wanted: &Ty) -> Expr {
        let typed = self.expr(e);
        if let ExprKind::Call { function, .. } = &e.kind
            && matches!(typed.ty.bare(), Ty::Null)
            && !wanted.takes(&typed.ty)
        {
            let message = format!("expected `{wanted}`, but `{}` returns nothing", function.text);
            self.error(Diagnostic::error(codes::MISMATCH, message, e.span));
            return typed.expr;
        }
        self.fits(wanted, &typed.ty, e.span);
        typed.expr
    }

    /// Says so if a value does not fit.
    pub(super) fn fits(&mut self, wanted: &Ty, found: &Ty, span: Span) -> bool {
        let fits = wanted.takes(found);
        if !fits {
            self.error(mismatch(wanted, found, span));
        }
        fits
    }

    /// An operand. Its value is kept if something with an effect comes later, unless it is a variable.
    pub(super) fn operand(&mut self, e: &'t ast::Expr, later: bool) -> Typed {
        let typed = self.expr(e);
        self.settled(typed, later)
    }

    /// Keeps a value in a register if something with an effect comes later, unless it is a variable.
    pub(super) fn settled(&mut self, typed: Typed, later: bool) -> Typed {
        let bare = matches!(typed.expr, Expr::Field(_));
        if bare { typed } else { self.keep(typed, later) }
    }

    /// Keeps a value in a register if something with an effect comes later.
    pub(super) fn keep(&mut self, typed: Typed, later: bool) -> Typed {
        let fixed = matches!(typed.expr, Expr::Const(_) | Expr::Register(_) | Expr::This);
        if !later || fixed {
            return typed;
        }
        let register = self.save(typed.expr, &typed.ty);
        Typed::new(Expr::Register(register), typed.ty)
    }

    /// Several expressions from left to right, each kept while the next ones are worked out.
    pub(super) fn all(&mut self, exprs: &'t [ast::Expr]) -> Vec<Typed> {
        let mut typed = Vec::new();
        for (i, e) in exprs.iter().enumerate() {
            let it = self.expr(e);
            typed.push(self.keep(it, exprs[i + 1..].iter().any(has_effect)));
        }
        typed
    }

    /// The condition of a statement.
    pub(super) fn condition(&mut self, e: &'t ast::Expr) -> Expr {
        self.expect(e, &Ty::Bool)
    }

    fn name(&mut self, name: &str, span: Span) -> Typed {
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
        self.error(Diagnostic::error(codes::UNDECLARED, message, span).help(help));
        Typed::error()
    }

    /// A parameter of the test case: what the test says, or the default.
    fn param(&self, name: &str) -> Typed {
        let ty = self.world.params[name].1.clone();
        let given = self.context.params.get(name).cloned();
        Typed::new(Expr::Const(given.unwrap_or_else(|| ty.runtime().default_value())), ty)
    }

    /// Whole numbers have 64 bits while a program runs, but 32 bits as they are written.
    fn int(&mut self, value: i64, span: Span) -> Typed {
        if value > i64::from(i32::MAX) {
            let message = format!("`{value}` is too large to be written in P");
            self.error(
                Diagnostic::error(crate::codes::NUMBER, message, span).help(format!(
                    "the largest number is `{}`; larger ones are computed",
                    i32::MAX
                )),
            );
        }
        Typed::new(Expr::Const(Value::Int(value)), Ty::Int)
    }

    fn this(&mut self, span: Span) -> Typed {
        let Some(machine) = self.machine() else {
            let message = "`this` means nothing outside of a machine";
            self.error(
                Diagnostic::error(codes::NO_THIS, message, span)
                    .help("hand the machine over as a parameter"),
            );
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

    fn nondet(&mut self, what: &str, span: Span) -> Typed {
        let wanted = self.wanted.take();
        self.facts.note(Deed::Chooses, span);
        if self.refused_in_spec(&format!("`{what}`"), span) {
            return Typed::error();
        }
        let into = self.result(wanted, &Ty::Bool);
        self.emit(Instr::Choose { into, from: Choice::Bool });
        Typed::new(Expr::Register(into), Ty::Bool)
    }

    fn choose(&mut self, of: &'t ast::Expr, span: Span) -> Typed {
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
                self.error(
                    Diagnostic::error(codes::CHOOSE, message, of.span)
                        .help("`choose(n)` picks one of 0 to n - 1, `choose(s)` an element of `s`"),
                );
                return Typed::error();
            }
        };
        if let Expr::Const(Value::Int(count)) = from.expr
            && count > CHOICES_MAX
        {
            let message = format!("`choose` offers at most {CHOICES_MAX} choices, not {count}");
            self.error(
                Diagnostic::error(codes::CHOOSE, message, of.span)
                    .help("fewer choices usually show the same errors"),
            );
            return Typed::error();
        }
        let into = self.result(wanted, &ty);
        self.emit(Instr::Choose { into, from: Choice::Of(from.expr) });
        Typed::new(Expr::Register(into), ty)
    }

    fn record(&mut self, fields: &'t [(Ident, ast::Expr)]) -> Typed {
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

    fn field(&mut self, of: &'t ast::Expr, name: &Ident) -> Typed {
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
        self.error(Diagnostic::error(codes::NO_FIELD, message, name.span).help(help));
        None
    }

    fn position(&mut self, of: &'t ast::Expr, position: &ast::Literal) -> Typed {
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

    fn index(&mut self, of: &'t ast::Expr, index: &'t ast::Expr, span: Span) -> Typed {
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
                self.error(
                    Diagnostic::error(codes::MISMATCH, message, span)
                        .help("remove the old element with `-=`, add the new one with `+=`"),
                );
                None
            }
            _ => {
                self.needs("a sequence or map", ty, span);
                None
            }
        }
    }

    /// Says that a value of another kind is needed.
    pub(super) fn needs(&mut self, what: &str, found: &Ty, span: Span) {
        if !found.is_error() {
            let message = format!("expected {what}, found {}", shown(found));
            self.error(Diagnostic::error(codes::MISMATCH, message, span));
        }
    }

    fn keys(&mut self, of: &'t ast::Expr, keys: bool) -> Typed {
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

    fn size(&mut self, of: &'t ast::Expr) -> Typed {
        let of_typed = self.expr(of);
        if !matches!(of_typed.ty.bare(), Ty::Seq(_) | Ty::Set(_) | Ty::Map(_)) {
            self.needs("a sequence, set or map", &of_typed.ty, of.span);
            return Typed::error();
        }
        Typed::new(Expr::Size(Box::new(of_typed.expr)), Ty::Int)
    }

    fn verifier(&mut self, what: &str, span: Span) -> Typed {
        let message = format!("`{what}` is for P's deductive verifier only");
        self.error(
            Diagnostic::error(codes::VERIFIER, message, span)
                .help("say it with `assert` or a spec instead"),
        );
        Typed::error()
    }
}

/// A variable as a value.
pub(super) fn variable(root: Root) -> Expr {
    match root {
        Root::Register(register) => Expr::Register(register),
        Root::Field(field) => Expr::Field(field),
    }
}

/// Whether working the expression out does something: it calls, creates or chooses.
pub(super) fn has_effect(e: &ast::Expr) -> bool {
    match &e.kind {
        ExprKind::Nondet
        | ExprKind::FairNondet
        | ExprKind::Choose(_)
        | ExprKind::New { .. }
        | ExprKind::Call { .. } => true,
        ExprKind::Format { args, .. } | ExprKind::Tuple(args) => args.iter().any(has_effect),
        ExprKind::NamedTuple(fields) => fields.iter().any(|field| has_effect(&field.1)),
        ExprKind::Field(of, _)
        | ExprKind::Position(of, _)
        | ExprKind::Keys(of)
        | ExprKind::Values(of)
        | ExprKind::Sizeof(of)
        | ExprKind::Unary(_, of)
        | ExprKind::Cast(of, _)
        | ExprKind::Coerce(of, _) => has_effect(of),
        ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => has_effect(a) || has_effect(b),
        ExprKind::Name(_)
        | ExprKind::This
        | ExprKind::Null
        | ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Text(_)
        | ExprKind::Default(_)
        | ExprKind::Verifier(_)
        | ExprKind::Broken => false,
    }
}
