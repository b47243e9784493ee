//! What a model demands of infinite runs: `ltl` formulas and `never` claims.

mod claim;

use qp_automata::Formula;
use qp_base::{Diagnostic, IndexVec, Map};
use qp_front_promela::spec::{Expr, FormulaKind, Spec, TemporalOp};
use qp_machines::{ConditionId, Letter, Ltl, LtlFormula, Runs, Says};

/// The demands of a model, and the conditions that they are made of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Demands {
    pub(crate) ltl: Vec<Ltl>,
    pub(crate) conditions: IndexVec<ConditionId, Expr>,
}

/// Everything that a model demands of infinite runs. What it cannot express is added to `said`.
pub(crate) fn demands(spec: &Spec, said: &mut Vec<Diagnostic>) -> Demands {
    let mut conditions = Conditions { spec, all: IndexVec::new(), known: Map::default() };
    let mut ltl = Vec::new();
    for claim in &spec.claims {
        if let Some(automaton) = claim::automaton(claim, &mut conditions, said) {
            let span = claim.at.span;
            // The only claim has mostly no name, and needs none.
            let is_only = spec.claims.len() == 1 && claim.name == "never_0";
            let name = if is_only { "never".to_owned() } else { claim.name.clone() };
            ltl.push(Ltl { name, span, says: Says::Never(automaton), runs: Runs::All });
        }
    }
    for formula in &spec.formulas {
        let says = Says::Formula(conditions.formula(&formula.formula));
        let (name, span) = (formula.name.clone(), formula.at.span);
        ltl.push(Ltl { name, span, says, runs: Runs::All });
    }
    Demands { ltl, conditions: conditions.all }
}

/// The conditions met so far, each once.
struct Conditions<'a> {
    spec: &'a Spec,
    all: IndexVec<ConditionId, Expr>,
    known: Map<String, ConditionId>,
}

impl Conditions<'_> {
    fn letter(&mut self, value: &Expr) -> Letter {
        let text = self.spec.show(None, value);
        let all = &mut self.all;
        Letter::Holds(*self.known.entry(text).or_insert_with(|| all.push(value.clone())))
    }

    fn formula(&mut self, formula: &FormulaKind) -> LtlFormula {
        match formula {
            FormulaKind::Now(value) => Formula::Atom(self.letter(value)),
            FormulaKind::Not(inner) => not(self.formula(inner)),
            FormulaKind::And(left, right) => and(self.formula(left), self.formula(right)),
            FormulaKind::Or(left, right) => or(self.formula(left), self.formula(right)),
            FormulaKind::Implies(left, right) => or(not(self.formula(left)), self.formula(right)),
            FormulaKind::Iff(left, right) => {
                let (left, right) = (self.formula(left), self.formula(right));
                or(and(left.clone(), right.clone()), and(not(left), not(right)))
            }
            FormulaKind::Always(inner) => Formula::Globally(Box::new(self.formula(inner))),
            FormulaKind::Eventually(inner) => Formula::Finally(Box::new(self.formula(inner))),
            FormulaKind::Next(inner) => Formula::Next(Box::new(self.formula(inner))),
            FormulaKind::Temporal(op, left, right) => {
                let (left, right) = (Box::new(self.formula(left)), Box::new(self.formula(right)));
                match op {
                    TemporalOp::Until => Formula::Until(left, right),
                    TemporalOp::Release => Formula::Release(left, right),
                    TemporalOp::WeakUntil => {
                        or(Formula::Until(left.clone(), right), Formula::Globally(left))
                    }
                }
            }
        }
    }
}

fn not(inner: LtlFormula) -> LtlFormula {
    Formula::Not(Box::new(inner))
}

fn and(left: LtlFormula, right: LtlFormula) -> LtlFormula {
    Formula::And(Box::new(left), Box::new(right))
}

fn or(left: LtlFormula, right: LtlFormula) -> LtlFormula {
    Formula::Or(Box::new(left), Box::new(right))
}
