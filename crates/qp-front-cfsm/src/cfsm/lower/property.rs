//! Bad situations and formulas.

use qp_base::{Diagnostic, Span};
use qp_machines::{Atom, Bad, Letter, Ltl, LtlFormula, MessageId, Pattern, Says};

use crate::codes;
use crate::names::{did_you_mean, quoted};

use super::super::ast::{self, Condition, Formula, Message};
use super::Lowering;

/// `+`, `<->` and `W` write a part twice, so a short nested text can mean a huge tree. People write
/// tens of nodes.
const NODES_MAX: u64 = 10_000;

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
        if nodes <= NODES_MAX {
            return Some(());
        }
        let message = format!("this {what} is too large when it is written out");
        let error = Diagnostic::error(codes::TOO_LARGE, message, span);
        self.complaints
            .push(error.help("simplify it; nested `+`, `<->` and `W` double their parts"));
        None
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
            self.complaints.push(Diagnostic::error(codes::UNKNOWN, text, message.span).help(help));
        }
        found
    }

    pub(super) fn ltl(&mut self, ltl: &ast::Ltl<'t>) {
        if self.check_size(formula_size(&ltl.formula), "formula", ltl.span).is_none() {
            return;
        }
        let formula = self.formula(&ltl.formula);
        let name = ltl.name.text.to_owned();
        self.draft.outline.ltl.push(Ltl {
            name,
            span: ltl.name.span,
            says: Says::Formula(formula),
        });
    }

    fn formula(&mut self, formula: &Formula<'t>) -> LtlFormula {
        let message = |message: &Message<'t>| message.text.clone().into_owned();
        match formula {
            Formula::True => LtlFormula::True,
            Formula::False => LtlFormula::False,
            Formula::Sends(m) => {
                self.message_named(m);
                LtlFormula::Atom(Letter::Sends(message(m)))
            }
            Formula::Receives(m) => {
                self.message_named(m);
                LtlFormula::Atom(Letter::Receives(message(m)))
            }
            Formula::At(machine, state) => {
                let Some(id) = self.machine_named(*machine) else { return LtlFormula::False };
                self.state_named(id, *state);
                LtlFormula::Atom(Letter::At(id, state.text.to_owned()))
            }
            Formula::Not(a) => not(self.formula(a)),
            Formula::Next(a) => LtlFormula::Next(Box::new(self.formula(a))),
            Formula::Finally(a) => LtlFormula::Finally(Box::new(self.formula(a))),
            Formula::Globally(a) => LtlFormula::Globally(Box::new(self.formula(a))),
            Formula::And(parts) => self.balanced(parts, LtlFormula::And),
            Formula::Or(parts) => self.balanced(parts, LtlFormula::Or),
            Formula::Implies(a, b) => or(not(self.formula(a)), self.formula(b)),
            Formula::Iff(a, b) => {
                let (a, b) = (self.formula(a), self.formula(b));
                and(or(not(a.clone()), b.clone()), or(not(b), a))
            }
            Formula::Until(a, b) => {
                LtlFormula::Until(Box::new(self.formula(a)), Box::new(self.formula(b)))
            }
            Formula::Release(a, b) => {
                LtlFormula::Release(Box::new(self.formula(a)), Box::new(self.formula(b)))
            }
            Formula::WeakUntil(a, b) => {
                let (a, b) = (self.formula(a), self.formula(b));
                LtlFormula::Release(Box::new(b.clone()), Box::new(or(a, b)))
            }
        }
    }

    /// A long list as a tree of small depth, because everything that walks formulas recurses.
    fn balanced(
        &mut self,
        parts: &[Formula<'t>],
        together: fn(Box<LtlFormula>, Box<LtlFormula>) -> LtlFormula,
    ) -> LtlFormula {
        if let [only] = parts {
            return self.formula(only);
        }
        let (left, right) = parts.split_at(parts.len() / 2);
        let left = self.balanced(left, together);
        together(Box::new(left), Box::new(self.balanced(right, together)))
    }
}

fn not(a: LtlFormula) -> LtlFormula {
    LtlFormula::Not(Box::new(a))
}

fn and(a: LtlFormula, b: LtlFormula) -> LtlFormula {
    LtlFormula::And(Box::new(a), Box::new(b))
}

fn or(a: LtlFormula, b: LtlFormula) -> LtlFormula {
    LtlFormula::Or(Box::new(a), Box::new(b))
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

/// How many nodes the lowered formula has.
fn formula_size(formula: &Formula<'_>) -> u64 {
    match formula {
        Formula::True
        | Formula::False
        | Formula::At(..)
        | Formula::Sends(_)
        | Formula::Receives(_) => 1,
        Formula::Not(a) | Formula::Next(a) | Formula::Finally(a) | Formula::Globally(a) => {
            formula_size(a).saturating_add(1)
        }
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().map(|p| formula_size(p).saturating_add(1)).fold(1, u64::saturating_add)
        }
        Formula::Implies(a, b) | Formula::Until(a, b) | Formula::Release(a, b) => {
            formula_size(a).saturating_add(formula_size(b)).saturating_add(2)
        }
        Formula::Iff(a, b) | Formula::WeakUntil(a, b) => {
            formula_size(a).saturating_add(formula_size(b)).saturating_mul(2).saturating_add(5)
        }
    }
}
