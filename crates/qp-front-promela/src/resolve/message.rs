//! Messages: what is sent, what is received, and how many parts there are.

use std::cmp::Ordering;

use qp_base::{Diagnostic, Set};

use crate::ast::{self, Arg};
use crate::at::At;
use crate::codes;
use crate::names::quoted;
use crate::spec::{Expr, ExprKind, Match, Place, StmtKind, Ty, Var};

use super::expr::Allowed;
use super::{Meaning, Resolver};

impl Resolver<'_, '_> {
    pub(super) fn send(
        &mut self,
        channel: &ast::Ref,
        sorted: bool,
        args: &[ast::Expr],
        at: At,
    ) -> Option<StmtKind> {
        let channel = self.channel(channel);
        let args: Option<Vec<Vec<Expr>>> = args.iter().map(|arg| self.flat_arg(arg)).collect();
        let args = args?.into_iter().flatten().collect::<Vec<Expr>>();
        let channel = channel?;
        self.check_parts(&channel, args.len(), true, at);
        Some(StmtKind::Send { channel, sorted, args })
    }

    /// The single values of an argument: a record stands as its fields.
    pub(super) fn flat_arg(&mut self, arg: &ast::Expr) -> Option<Vec<Expr>> {
        let record = match &arg.kind {
            ast::ExprKind::Ref(reference) => self.record(reference),
            _ => None,
        };
        let Some(record) = record else {
            return self.expr(arg, Allowed::VALUE).map(|value| vec![value]);
        };
        let at = arg.at;
        let load = |place| Expr { kind: ExprKind::Load(place), at };
        Some(self.cells_of(&record)?.into_iter().map(load).collect())
    }

    /// The record that a reference stands for, if it does for one. Reports nothing.
    fn record(&mut self, reference: &ast::Ref) -> Option<Place> {
        let first = &reference.parts.first()?.name;
        let ty = match self.meaning(&first.text)? {
            Meaning::Global(id) => self.spec.globals[id].ty,
            Meaning::Local(id) => self.frame.as_ref()?.body.locals[id].ty,
            Meaning::Mtype(..) | Meaning::Record(_) | Meaning::Proc(_) => return None,
        };
        if !matches!(ty, Ty::Record(_)) {
            return None;
        }
        let place = self.part_of(reference)?;
        matches!(place.ty, Ty::Record(_)).then_some(place)
    }

    /// What the parts of a message must be, or where they go.
    pub(super) fn receive_args(
        &mut self,
        channel: &Place,
        args: &[Arg],
        at: At,
    ) -> Option<Vec<Match>> {
        let mut matches = Vec::new();
        let mut whole = Some(());
        for arg in args {
            match self.receive_arg(arg) {
                Some(some) => matches.extend(some),
                None => whole = None,
            }
        }
        whole?;
        self.check_parts(channel, matches.len(), false, at);
        self.check_bound_once(&matches);
        Some(matches)
    }

    fn receive_arg(&mut self, arg: &Arg) -> Option<Vec<Match>> {
        let reference = match arg {
            Arg::Number(value, at) => {
                let value = Expr { kind: ExprKind::Number(*value), at: *at };
                return Some(vec![Match::Constant(value)]);
            }
            Arg::Eval(value) => {
                return Some(vec![Match::Eval(self.expr(value, Allowed::VALUE)?)]);
            }
            Arg::Ref(reference) => reference,
        };
        if let [part] = reference.parts.as_slice()
            && part.index.is_none()
        {
            match self.meaning(&part.name.text) {
                Some(Meaning::Mtype(set, value)) => {
                    let kind = ExprKind::Mtype(set, value);
                    return Some(vec![Match::Constant(Expr { kind, at: reference.at })]);
                }
                None if &*part.name.text == "_" => return Some(vec![Match::Any]),
                _ => {}
            }
        }
        if let Some(record) = self.record(reference) {
            return Some(self.cells_of(&record)?.into_iter().map(Match::Bind).collect());
        }
        self.target(reference).map(|place| vec![Match::Bind(place)])
    }

    /// Compares the number of parts with what the channel carries, where that is known. Like SPIN it
    /// refuses only what is too long to be sent.
    fn check_parts(&mut self, channel: &Place, count: usize, sends: bool, at: At) {
        let Some(shape) = self.shape_of(channel) else { return };
        let shape = &self.spec.shapes[shape];
        let (fields, declared) = (shape.fields.len(), shape.at);
        let plural = if count == 1 { "" } else { "s" };
        let message = format!(
            "this message has {count} part{plural}, and those of the channel have {fields}"
        );
        let diagnostic = match count.cmp(&fields) {
            Ordering::Equal => return,
            Ordering::Greater if sends => Diagnostic::error(codes::LONG_MESSAGE, message, at.span),
            Ordering::Greater | Ordering::Less => {
                let help = "when the model runs, it is an error to get here";
                Diagnostic::warning(codes::WRONG_LENGTH, message, at.span).help(help)
            }
        };
        let diagnostic = diagnostic.also(declared.span, "the channel is declared here");
        self.push(diagnostic, at);
    }

    /// Reports a variable that two parts of one message go into.
    fn check_bound_once(&mut self, matches: &[Match]) {
        let mut seen: Set<Var> = Set::default();
        for part in matches {
            let Match::Bind(place) = part else { continue };
            // Two elements of an array may be different ones, and SPIN lets fields of records pass.
            if place.var != Var::Scratch && place.steps.is_empty() && !seen.insert(place.var) {
                let text = self.spec.show_place(self.frame.as_ref().map(|it| &it.body), place);
                let message = format!("two parts of one message go into {}", quoted(&text));
                let help = "use another variable, or `_` for what is not needed";
                self.error(codes::BOUND_TWICE, message, place.at, help);
                return;
            }
        }
    }
}
