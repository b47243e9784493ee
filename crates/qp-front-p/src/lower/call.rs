//! Calls, creation of machines, and texts with values in between.

use qp_base::{Diagnostic, Span};
use qp_program::{Dialect, Expr, Instr, Value};

use super::check::shown;
use super::expression::Typed;
use super::frame::{Frame, NULL};
use crate::ast::{self, Ident};
use crate::codes;
use crate::names::did_you_mean;
use crate::rules::Deed;
use crate::types::Ty;

impl<'t> Frame<'_, 't, '_> {
    /// `f(…)`. Its value goes into a register if it is used.
    pub(super) fn call(
        &mut self,
        name: &'t Ident,
        args: &'t [ast::Expr],
        span: Span,
        used: bool,
    ) -> Typed {
        let wanted = self.wanted.take();
        let typed = self.all(args);
        let Some(id) = self.world.function(self.function.owner, &name.text) else {
            self.no_function(name);
            return Typed::error();
        };
        let function = &self.world.functions[id];
        if typed.len() != function.params.len() {
            let what = format!("`{}`", name.text);
            self.error(
                wrong_count(&what, function.params.len(), typed.len(), span)
                    .also(function.span, "declared here"),
            );
            return Typed::new(NULL, function.returns.clone());
        }
        for ((arg, given), (_, wanted)) in args.iter().zip(&typed).zip(&function.params) {
            self.fits(wanted, &given.ty, arg.span);
        }
        self.facts.callees.push((id, name.span));
        let args = typed.into_iter().map(|it| it.expr).collect();
        let used = used && !matches!(function.returns.bare(), Ty::Null);
        let into = used.then(|| self.result(wanted, &function.returns));
        self.emit(Instr::Call { function: id, args, into });
        Typed::new(into.map_or(NULL, Expr::Register), function.returns.clone())
    }

    fn no_function(&mut self, name: &Ident) {
        if self.world.pure_functions.contains(name.text.as_str()) {
            let message = format!("`{}` is for P's deductive verifier only", name.text);
            let help = "write it with `fun`, and with a body: what runs must know its value";
            self.out.error(codes::VERIFIER, message, name.span, help);
            return;
        }
        let names = self.world.function_names(self.function.owner);
        let help = did_you_mean(&name.text, names, "declare it: `fun ...`");
        let message = format!("there is no function `{}`", name.text);
        self.out.error(codes::UNDECLARED, message, name.span, help);
    }

    /// `new M(…)`.
    pub(super) fn new_machine(
        &mut self,
        name: &'t Ident,
        args: &'t [ast::Expr],
        span: Span,
        used: bool,
    ) -> Typed {
        let wanted = self.wanted.take();
        let typed = self.all(args);
        self.facts.note(Deed::Creates, span);
        if self.refused_in_spec("`new`", span) {
            return Typed::error();
        }
        let Some(&number) = self.world.interface_ids.get(name.text.as_str()) else {
            self.no_interface(name);
            return Typed::error();
        };
        let interface = &self.world.interfaces[number as usize];
        let what = (format!("`{}`", name.text), "takes");
        let arg = self.payload(&what, &interface.payload, args, typed, span);
        let ty = Ty::Permission(interface.permission.clone());
        let into = used.then(|| self.result(wanted, &ty));
        self.emit(Instr::New { interface: number, arg, into });
        Typed::new(into.map_or(NULL, Expr::Register), ty)
    }

    fn no_interface(&mut self, name: &Ident) {
        if self.world.machine_ids.contains_key(name.text.as_str()) {
            let message = format!("the spec `{}` cannot be created", name.text);
            let help = "a test attaches it: `assert Spec in ...`";
            self.out.error(codes::UNDECLARED, message, name.span, help);
            return;
        }
        let names = self.world.interface_ids.keys().copied();
        let help = did_you_mean(&name.text, names, "declare it: `machine ...`");
        let message = format!("there is no machine or interface `{}`", name.text);
        self.out.error(codes::UNDECLARED, message, name.span, help);
    }

    /// Checks what goes with an event or creation and packs it: several values are one tuple.
    pub(super) fn payload(
        &mut self,
        what: &(String, &str),
        wanted: &Ty,
        args: &'t [ast::Expr],
        typed: Vec<Typed>,
        span: Span,
    ) -> Expr {
        match (&*typed, wanted.bare()) {
            (_, Ty::Error) | ([], Ty::Null) => {}
            // In 2018 a missing value is `null` where that fits.
            ([], _) if self.context.dialect == Dialect::Y2018 && wanted.takes(&Ty::Null) => {}
            ([], _) => self.error(unfit(what, wanted, &Ty::Null, span)),
            ([given], _) => {
                if !wanted.takes(&given.ty) {
                    self.error(unfit(what, wanted, &given.ty, args[0].span));
                }
            }
            (several, Ty::Tuple(types)) if types.len() == several.len() => {
                for ((arg, given), wanted) in args.iter().zip(several).zip(&**types) {
                    self.fits(wanted, &given.ty, arg.span);
                }
            }
            (several, Ty::Tuple(types)) => {
                self.error(wrong_count(&what.0, types.len(), several.len(), span));
            }
            (several, _) => {
                let wanted = usize::from(!matches!(wanted.bare(), Ty::Null));
                self.error(wrong_count(&what.0, wanted, several.len(), span));
            }
        }
        pack(typed)
    }

    /// `format("…{0}…", …)`, or a text alone.
    pub(super) fn format(&mut self, text: &str, args: &'t [ast::Expr], span: Span) -> Typed {
        let typed = self.all(args);
        let Some((texts, holes)) = split_format(text) else {
            let message = "the braces in this text mean nothing";
            let help = "values go into `{0}`, `{1}`, ...; write `{{` and `}}` for braces";
            self.out.error(codes::FORMAT, message, span, help);
            return Typed::new(NULL, Ty::Text);
        };
        let wanted = holes.iter().map(|hole| hole + 1).max().unwrap_or(0);
        if wanted != typed.len() {
            let values =
                |n: usize| if n == 1 { "1 value".to_owned() } else { format!("{n} values") };
            let given = if typed.len() == 1 { "is" } else { "are" };
            let message = format!(
                "the text has places for {}, {} {given} given",
                values(wanted),
                typed.len()
            );
            let help = "values go into `{0}`, `{1}`, ...; write `{{` and `}}` for braces";
            self.out.error(codes::FORMAT, message, span, help);
            return Typed::new(NULL, Ty::Text);
        }
        if holes.is_empty() {
            return Typed::new(Expr::Const(Value::Text(texts.concat().into())), Ty::Text);
        }
        let values = holes.iter().map(|&hole| typed[hole].expr.clone()).collect();
        Typed::new(Expr::Format(texts, values), Ty::Text)
    }

    /// Whether this is a spec, where it is not allowed; says so.
    pub(super) fn refused_in_spec(&mut self, what: &str, span: Span) -> bool {
        let Some(spec) = self.spec() else { return false };
        let message = format!("{what} is not allowed in the spec `{spec}`");
        let help = "a spec only watches: what it sees decides what it does";
        self.out.error(codes::IN_SPEC, message, span, help);
        true
    }
}

/// Several values as one.
pub(super) fn pack(mut typed: Vec<Typed>) -> Expr {
    match typed.len() {
        0 => NULL,
        1 => typed.remove(0).expr,
        _ => Expr::Tuple(typed.into_iter().map(|it| it.expr).collect()),
    }
}

/// Says that the number of values is wrong.
pub(super) fn wrong_count(what: &str, wanted: usize, given: usize, span: Span) -> Diagnostic {
    let arguments = match wanted {
        0 => "no argument".to_owned(),
        1 => "1 argument".to_owned(),
        _ => format!("{wanted} arguments"),
    };
    let is = if given == 1 { "is" } else { "are" };
    let message = format!("{what} takes {arguments}, {given} {is} given");
    Diagnostic::error(codes::ARGUMENTS, message, span)
}

/// Says that what is handed over does not fit.
fn unfit(what: &(String, &str), wanted: &Ty, found: &Ty, span: Span) -> Diagnostic {
    let (name, verb) = what;
    let message = format!("{name} {verb} {}, found {}", shown(wanted), shown(found));
    let diagnostic = Diagnostic::error(codes::PAYLOAD, message, span);
    match (wanted.bare(), found.bare()) {
        (Ty::Tuple(types), found) if types.len() == 1 && types[0].takes(found) => {
            diagnostic.help("a tuple with one field is written `(x,)`")
        }
        (_, Ty::Any | Ty::Data) => diagnostic.help(format!("say what it is: `... as {wanted}`")),
        _ => diagnostic,
    }
}

/// The texts around the places for values, and which value goes into each. `None` if a brace is alone.
fn split_format(text: &str) -> Option<(Vec<String>, Vec<usize>)> {
    let (mut texts, mut holes) = (vec![String::new()], Vec::new());
    let mut rest = text.chars();
    while let Some(char) = rest.next() {
        let last = texts.last_mut()?;
        match char {
            '{' if rest.as_str().starts_with('{') => {
                rest.next();
                last.push('{');
            }
            '{' => {
                let (number, after) = rest.as_str().split_once('}')?;
                if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
                    return None;
                }
                // More values than this cannot be written down.
                holes.push(number.parse::<u16>().ok()?.into());
                texts.push(String::new());
                rest = after.chars();
            }
            '}' if rest.as_str().starts_with('}') => {
                rest.next();
                last.push('}');
            }
            '}' => return None,
            other => last.push(other),
        }
    }
    Some((texts, holes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_split_at_the_places_for_values() {
        let split = |text| split_format(text).map(|(texts, holes)| (texts.join("|"), holes));
        assert_eq!(split("a {1} b{0}"), Some(("a | b|".to_owned(), vec![1, 0])));
        assert_eq!(split("{{x}} {0}"), Some(("{x} |".to_owned(), vec![0])));
        assert_eq!(split(""), Some((String::new(), vec![])));
        for broken in ["{", "}", "{x}", "{}", "a{0", "{99999}"] {
            assert_eq!(split(broken), None, "{broken}");
        }
    }
}
