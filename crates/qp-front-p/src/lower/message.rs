//! Statements about events and states: send, raise, announce, goto, pop, receive.

use qp_base::{Diagnostic, Span};
use qp_program::{Dialect, EventId, Expr, Instr, ReceiveCase, RegisterId, Value};

use super::call::{pack, wrong_count};
use super::check::shown;
use super::expression::{Typed, has_effect};
use super::frame::{Frame, NULL};
use crate::ast::{self, Ident};
use crate::codes;
use crate::rules::Deed;
use crate::types::Ty;
use crate::world::{find_event, no_state};

impl<'t> Frame<'_, 't, '_> {
    pub(super) fn send(
        &mut self,
        target: &'t ast::Expr,
        event: &'t ast::Expr,
        args: &'t [ast::Expr],
        span: Span,
    ) {
        self.facts.note(Deed::Sends, span);
        let refused = self.refused_in_spec("`send`", span);
        let later = args.iter().any(has_effect);
        let to = self.expr(target);
        self.fits(&Ty::Machine, &to.ty, target.span);
        let to = self.keep(to, later || has_effect(event));
        let what = self.event(event);
        let what = self.keep(what, later);
        let payload = self.event_payload(&what, args, span);
        if !refused {
            self.emit(Instr::Send { target: to.expr, event: what.expr, payload });
        }
    }

    pub(super) fn announce(&mut self, event: &'t ast::Expr, args: &'t [ast::Expr], span: Span) {
        self.facts.note(Deed::Sends, span);
        let refused = self.refused_in_spec("`announce`", span);
        let what = self.event(event);
        let what = self.settled(what, args.iter().any(has_effect));
        let payload = self.event_payload(&what, args, span);
        if !refused {
            self.emit(Instr::Announce { event: what.expr, payload });
        }
    }

    pub(super) fn raise(&mut self, event: &'t ast::Expr, args: &'t [ast::Expr], span: Span) {
        self.facts.note(Deed::Raises, span);
        self.refused_with_value("raise", span);
        let what = self.event(event);
        let what = self.settled(what, args.iter().any(has_effect));
        let payload = self.event_payload(&what, args, span);
        self.emit(Instr::Raise { event: what.expr, payload });
    }

    /// The event of a statement.
    fn event(&mut self, event: &'t ast::Expr) -> Typed {
        let what = self.expr(event);
        let null = matches!(what.expr, Expr::Const(Value::Event(EventId::NULL)))
            || matches!(what.ty.bare(), Ty::Null);
        if null {
            let help = "name an event";
            self.out.error(codes::NULL_EVENT, "`null` cannot be sent or raised", event.span, help);
        } else {
            self.fits(&Ty::Event, &what.ty, event.span);
        }
        what
    }

    /// What goes with an event. It is checked here only if the event is named.
    fn event_payload(&mut self, event: &Typed, args: &'t [ast::Expr], span: Span) -> Expr {
        let typed = self.all(args);
        if let Expr::Const(Value::Event(id)) = event.expr {
            let known = &self.world.events[id];
            let what = (format!("`{}`", known.name), "carries");
            return self.payload(&what, &known.payload, args, typed, span);
        }
        pack(typed)
    }

    /// Says that a function with a value cannot be abandoned.
    fn refused_with_value(&mut self, what: &str, span: Span) {
        if matches!(self.function.returns.bare(), Ty::Null | Ty::Error) {
            return;
        }
        let message =
            format!("`{what}` is not allowed in `{}`, which returns a value", self.function.name);
        self.error(
            Diagnostic::error(codes::IN_VALUE_FUNCTION, message, span)
                .also(self.function.span, format!("returns `{}`", self.function.returns))
                .help(format!("return first, and `{what}` where it was called from")),
        );
    }

    pub(super) fn goto(&mut self, name: &'t Ident, args: &'t [ast::Expr], span: Span) {
        self.facts.note(Deed::Goes, span);
        self.refused_with_value("goto", span);
        let typed = self.all(args);
        let Some(machine) = self.machine() else {
            let message = format!("there is no state `{}` outside of a machine", name.text);
            let help = "declare the function in the machine";
            self.out.error(codes::UNDECLARED, message, name.span, help);
            return;
        };
        let Some(&state) = machine.state_ids.get(name.text.as_str()) else {
            self.error(no_state(machine, name));
            return;
        };
        let entry = machine.states[state].entry.map(|entry| &self.world.functions[entry]);
        let wanted: &[_] = entry.map_or(&[], |entry| &entry.params);
        let what = format!("the entry of `{}`", name.text);
        // In 2018 a missing value is `null` where that fits.
        let null = typed.is_empty() && self.context.dialect == Dialect::Y2018;
        if null && wanted.iter().all(|(_, wanted)| wanted.takes(&Ty::Null)) {
            self.emit(Instr::Goto { state, payload: NULL });
            return;
        }
        if wanted.len() != typed.len() {
            if wanted.len() <= 1 {
                self.error(wrong_count(&what, wanted.len(), typed.len(), span));
            }
            return;
        }
        for ((arg, given), (_, wanted)) in args.iter().zip(&typed).zip(wanted) {
            if !wanted.takes(&given.ty) {
                let message = format!("{what} takes {}, found {}", shown(wanted), shown(&given.ty));
                self.error(Diagnostic::error(codes::PAYLOAD, message, arg.span));
            }
        }
        self.emit(Instr::Goto { state, payload: pack(typed) });
    }

    pub(super) fn pop(&mut self, span: Span) {
        self.facts.note(Deed::Goes, span);
        self.refused_with_value("pop", span);
        if !self.refused_in_spec("`pop`", span) {
            self.emit(Instr::Pop);
        }
    }

    /// The cases are part of the function: they see its variables.
    pub(super) fn receive(&mut self, cases: &'t [ast::ReceiveCase], span: Span) {
        self.facts.note(Deed::Receives, span);
        self.refused_in_spec("`receive`", span);
        let waiting = self.emit_open(Instr::Receive(Vec::new()));
        let mut known: Vec<(ReceiveCase, Span)> = Vec::new();
        let mut ends = Vec::new();
        for case in cases {
            let target = self.here();
            let into = self.case_body(case);
            for name in &case.events {
                let Some(event) = find_event(self.world, name, self.out) else { continue };
                if let Some(first) = known.iter().find(|it| it.0.event == event) {
                    let message = format!("`{}` is received twice", name.text);
                    self.error(
                        Diagnostic::error(codes::HANDLED_TWICE, message, name.span)
                            .label("the second one")
                            .also(first.1, "the first one")
                            .help("remove one of the two"),
                    );
                    continue;
                }
                self.case_payload(event, case, name);
                known.push((ReceiveCase { event, into, target }, name.span));
            }
            ends.push(self.emit_open(Instr::Jump(0)));
        }
        let mut cases: Vec<ReceiveCase> = known.into_iter().map(|it| it.0).collect();
        self.halted_while_waiting(&mut cases);
        self.fill_cases(waiting, cases);
        for end in ends {
            self.land(end);
        }
    }

    /// Today a machine that waits still halts: `halt` is received and raised.
    fn halted_while_waiting(&mut self, cases: &mut Vec<ReceiveCase>) {
        let expected = cases.iter().any(|case| case.event == EventId::HALT);
        if expected || self.context.dialect == Dialect::Y2018 {
            return;
        }
        cases.push(ReceiveCase { event: EventId::HALT, into: None, target: self.here() });
        let event = Expr::Const(Value::Event(EventId::HALT));
        self.emit(Instr::Raise { event, payload: NULL });
    }

    fn case_body(&mut self, case: &'t ast::ReceiveCase) -> Option<RegisterId> {
        self.open();
        let into = case.param.as_ref().map(|param| self.variable(param));
        for var in &case.body.vars {
            let register = self.variable(var);
            self.reset(register);
        }
        let returns = std::mem::replace(&mut self.returns, Ty::Null);
        self.stmts(&case.body.stmts);
        self.returns = returns;
        self.close();
        into
    }

    fn case_payload(&mut self, event: EventId, case: &'t ast::ReceiveCase, name: &Ident) {
        let known = &self.world.events[event];
        let param = case.param.as_ref();
        let wanted = param.map_or(Ty::Null, |param| {
            self.world.written_type(&param.ty, &mut qp_base::Complaints::new(crate::codes::MORE))
        });
        let unused = param.is_none() && self.context.dialect == Dialect::Y2018;
        if unused || wanted.takes(&known.payload) {
            return;
        }
        let payload = shown(&known.payload);
        let message =
            format!("`{}` carries {payload}, but the case takes {}", name.text, shown(&wanted));
        let diagnostic =
            Diagnostic::error(codes::PAYLOAD, message, name.span).also(known.span, "declared here");
        self.error(match param {
            Some(param) => diagnostic.also(param.ty.span, "taken here"),
            None => diagnostic
                .help(format!("take it: `case {}: (x: {}) {{ ... }}`", name.text, known.payload)),
        });
    }
}
