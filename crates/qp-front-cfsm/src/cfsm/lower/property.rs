//! Bad situations and formulas.

use qp_base::Span;
use qp_machines::{Atom, Bad, Letter, Ltl, MessageId, Pattern, Runs, Says};

use crate::codes;
use crate::names::{did_you_mean, quoted};

use super::super::ast::{self, Condition, Formula, Message};
use super::{Lowering, formula};

impl<'t> Lowering<'_, 't> {
    pub(super) fn bad(&mut self, bad: &ast::Bad<'t>) {
        let atoms: Vec<Option<Atom>> = bad.conditions.iter().map(|c| self.condition(c)).collect();
        // A condition that was refused has been reported: the model will not be used.
        let case = atoms.into_iter().flatten().collect();
        let name = bad.name.text.to_owned();
        self.draft.outline.bad.push(Bad { name, span: bad.name.span, cases: vec![case] });
    }

    fn condition(&mut self, condition: &Condition<'t>) -> Option<Atom> {
        match condition {
            Condition::In(machine, states) => {
                let id = self.machine_named(*machine)?;
                let known = states.iter().filter(|s| self.state_named(id, **s).is_some());
                Some(Atom::Control(id, known.map(|s| s.text.to_owned()).collect()))
            }
            Condition::Matches(queue, pattern, span) => {
                self.check_size(pattern_size(pattern), "pattern", *span)?;
                let pattern = self.pattern(pattern);
                Some(Atom::Content(self.queue_named(*queue)?, pattern))
            }
        }
    }

    fn check_size(&mut self, nodes: u64, what: &str, span: Span) -> Option<()> {
        let refused = formula::too_large(nodes, what, span);
        let fits = refused.is_none().then_some(());
        if let Some(error) = refused {
            self.complaints.push(error);
        }
        fits
    }

    fn pattern(&mut self, pattern: &ast::Pattern<'t>) -> Pattern {
        match pattern {
            ast::Pattern::Message(message) => {
                Pattern::One(self.message_named(message).into_iter().collect())
            }
            ast::Pattern::Any => Pattern::Any,
            ast::Pattern::Empty => Pattern::Empty,
            ast::Pattern::Sequence(parts) => {
                Pattern::Sequence(parts.iter().map(|p| self.pattern(p)).collect())
            }
            ast::Pattern::Choice(parts) => {
                Pattern::Choice(parts.iter().map(|p| self.pattern(p)).collect())
            }
            ast::Pattern::Star(part) => Pattern::Star(Box::new(self.pattern(part))),
            ast::Pattern::Plus(part) => {
                let part = self.pattern(part);
                Pattern::Sequence(vec![part.clone(), Pattern::Star(Box::new(part))])
            }
            ast::Pattern::Maybe(part) => Pattern::Choice(vec![self.pattern(part), Pattern::Empty]),
        }
    }

    /// A message that some machine sends, receives or defers.
    fn message_named(&mut self, message: &Message<'t>) -> Option<MessageId> {
        let found = self.draft.find_message(&message.text);
        if found.is_none() {
            let otherwise = "no machine sends or receives it";
            let help = did_you_mean(&message.text, self.draft.messages(), otherwise);
            let text = format!("there is no message {}", quoted(&message.text));
            self.complaints.error(codes::UNKNOWN, text, message.span, help);
        }
        found
    }

    pub(super) fn ltl(&mut self, ltl: &ast::Ltl<'t>) {
        if self.check_size(formula::size(&ltl.formula), "formula", ltl.span).is_none() {
            return;
        }
        let mut says = formula::lowered(&ltl.formula, &mut |atom| self.letter(atom, ltl));
        let over_sends = ltl.over_sends;
        if over_sends {
            says = says.at_marks(&Letter::SendsSome(None));
        }
        let name = ltl.name.text.to_owned();
        let says = Says::Formula(says);
        let runs = if over_sends { Runs::Sending } else { Runs::All };
        self.draft.outline.ltl.push(Ltl { name, span: ltl.name.span, says, runs });
    }

    /// What an atom of a formula says.
    fn letter(&mut self, atom: &Formula<'t>, ltl: &ast::Ltl<'t>) -> Option<Letter> {
        let message = |message: &Message<'t>| message.text.clone().into_owned();
        let letter = match atom {
            Formula::Sends(m) => {
                self.message_named(m)?;
                return Some(Letter::Sends(message(m)));
            }
            Formula::Receives(m) => {
                self.message_named(m)?;
                Letter::Receives(message(m))
            }
            Formula::At(machine, state) => {
                let id = self.machine_named(*machine)?;
                self.state_named(id, *state);
                Letter::At(id, state.text.to_owned())
            }
            _ => unreachable!("bug in Queueproof: {atom:?} is no atom"),
        };
        if ltl.over_sends {
            self.complaints.push(formula::not_sent(ltl.span));
        }
        Some(letter)
    }
}

/// How many nodes the lowered pattern has.
fn pattern_size(pattern: &ast::Pattern<'_>) -> u64 {
    match pattern {
        ast::Pattern::Message(_) | ast::Pattern::Any | ast::Pattern::Empty => 1,
        ast::Pattern::Sequence(parts) | ast::Pattern::Choice(parts) => {
            parts.iter().map(pattern_size).fold(1, u64::saturating_add)
        }
        ast::Pattern::Star(part) | ast::Pattern::Maybe(part) => {
            pattern_size(part).saturating_add(2)
        }
        ast::Pattern::Plus(part) => pattern_size(part).saturating_mul(2).saturating_add(2),
    }
}
