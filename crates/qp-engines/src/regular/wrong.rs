//! What is wrong in a set of rows.

use qp_automata::loops::Product;
use qp_automata::regular::{Language, Letter, Letters, Nfa};
use qp_base::Budget;
use qp_machines::{Atom, Bad, Pattern, Property};

use super::search::Found;
use super::world::{ControlId, Stop, World};

/// A part of a row in which something is wrong.
pub(super) type Spot = (ControlId, Product);

impl World {
    /// Where a set violates a property of single configurations, if it does.
    pub(super) fn wrong(
        &mut self,
        found: &Found,
        property: Property,
        budget: &Budget,
    ) -> Result<Option<Spot>, Stop> {
        let failed = found.failures.iter().find(|(violated, ..)| *violated == property);
        if let Some((_, control, part)) = failed {
            return Ok(Some((*control, part.clone())));
        }
        for (control, product) in found.rows.iter() {
            budget.check(qp_base::Spent::default())?;
            let part = match property {
                Property::Unhandled => self.at_a_loss(control, product)?,
                Property::Deadlock => self.deadlock(control, product)?,
                Property::Reach(bad) => {
                    let bad = self.system.program().outline().bad[bad].clone();
                    self.bad(control, product, &bad)?
                }
                _ => None,
            };
            if let Some(part) = part {
                return Ok(Some((control, part)));
            }
        }
        Ok(None)
    }

    /// A part in which nothing can happen although some machine may not rest.
    fn deadlock(&mut self, control: ControlId, product: &Product) -> Result<Option<Product>, Stop> {
        let config = self.config(control).clone();
        let rests = |machine| self.system.program().may_rest(machine, config.local(machine));
        if config.machines().all(rests) {
            return Ok(None);
        }
        self.resting(control, product, None)
    }

    /// The part in which a case of a bad situation holds.
    fn bad(
        &mut self,
        control: ControlId,
        product: &Product,
        bad: &Bad,
    ) -> Result<Option<Product>, Stop> {
        let config = self.config(control).clone();
        for case in &bad.cases {
            let mut part = product.clone();
            let mut holds = true;
            for atom in case {
                match atom {
                    Atom::Control(..) => holds &= atom.holds(&self.system, &config),
                    Atom::Content(queue, pattern) => match part.0.get_mut(queue.index()) {
                        Some(language) => {
                            let wanted = Language::from_nfa(&automaton(pattern), &self.automata)?;
                            *language = language.intersection(&wanted, &self.automata)?;
                        }
                        None => holds = false,
                    },
                }
            }
            if holds && !part.is_empty() {
                return Ok(Some(part));
            }
        }
        Ok(None)
    }
}

/// The automaton of a pattern. Recursion is as deep as the pattern is nested; parsers limit that.
fn automaton(pattern: &Pattern) -> Nfa {
    match pattern {
        Pattern::Empty => Nfa::word(&[]),
        Pattern::Any => Nfa::letters(&Letters::all()),
        Pattern::One(messages) => {
            Nfa::letters(&Letters::only(messages.iter().map(|m| Letter::from_raw(m.raw()))))
        }
        Pattern::Sequence(parts) => {
            parts.iter().fold(Nfa::word(&[]), |all, part| all.concat(&automaton(part)))
        }
        Pattern::Choice(parts) => {
            parts.iter().fold(Nfa::none(), |all, part| all.union(&automaton(part)))
        }
        Pattern::Star(part) => automaton(part).star(),
    }
}

impl Found {
    /// How long a queue gets in a set, if it has a greatest length.
    pub(super) fn longest(&self, queue: usize) -> Option<u32> {
        use qp_automata::regular::Longest;
        let mut longest = 0;
        for (_, product) in self.rows.iter() {
            let Some(language) = product.0.get(queue) else { continue };
            match language.longest() {
                Longest::NoWord => {}
                Longest::Letters(n) => longest = longest.max(u32::try_from(n).ok()?),
                Longest::Endless => return None,
            }
        }
        Some(longest)
    }

    /// How many queues there are at most.
    pub(super) fn n_queues(&self) -> usize {
        self.rows.iter().map(|(_, product)| product.0.len()).max().unwrap_or(0)
    }
}
