//! What is wrong in a set of rows.

use qp_automata::loops::Product;
use qp_automata::regular::{Language, Letter, Letters, Nfa};
use qp_base::Budget;
use qp_machines::{Atom, Bad, Capacity, Config, Effect, Loss, MachineId, Move, Pattern, Property};

use super::looks::{by_count, has_content};
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

    /// The part in which a machine can do nothing but receive, and every queue it listens to has come to a message
    /// that must not be there.
    fn at_a_loss(
        &mut self,
        control: ControlId,
        product: &Product,
    ) -> Result<Option<Product>, Stop> {
        let config = self.config(control).clone();
        for machine in config.machines() {
            let moves = self.system.moves(machine, config.local(machine), config.store);
            let mut part = product.clone();
            let mut all = !moves.is_empty();
            for mv in moves.iter() {
                let Effect::Receive { queue, ear } = mv.effect else {
                    all = false;
                    break;
                };
                if !has_content(&config, queue) {
                    all = false;
                    break;
                }
                let language = &mut part.0[queue.index()];
                let crash = self.heard(&config, machine, ear, language).crash();
                *language = language.intersection(&crash, &self.automata)?;
            }
            if all && !part.is_empty() {
                return Ok(Some(part));
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

    /// A part in which no machine can move, or one of them cannot.
    pub(super) fn resting(
        &mut self,
        control: ControlId,
        product: &Product,
        who: Option<MachineId>,
    ) -> Result<Option<Product>, Stop> {
        let config = self.config(control).clone();
        let mut part = product.clone();
        let mut others: Vec<(MachineId, Move)> = Vec::new();
        for machine in config.machines().filter(|&machine| who.is_none_or(|who| who == machine)) {
            let moves = self.system.moves(machine, config.local(machine), config.store);
            for mv in moves.iter() {
                if !mv.guards.is_empty() {
                    others.push((machine, mv.clone()));
                    continue;
                }
                match self.prevented(&config, machine, mv, &mut part)? {
                    Prevented::Never => return Ok(None),
                    Prevented::InPart if part.is_empty() => return Ok(None),
                    Prevented::InPart => {}
                    Prevented::Depends => others.push((machine, mv.clone())),
                }
            }
        }
        let mut parts = vec![part];
        for (machine, mv) in others {
            let looks = self.looks(&config, machine, &mv)?;
            let mut left = Vec::new();
            for part in parts {
                for part in self.split(&config, &part, &looks)? {
                    if self.performed(&config, machine, &mv, &part, &looks).is_empty() {
                        left.push(part);
                    }
                }
            }
            parts = left;
        }
        Ok(parts.into_iter().next())
    }

    /// Restricts a part to where a move without guards is not possible.
    fn prevented(
        &mut self,
        config: &Config,
        machine: MachineId,
        mv: &Move,
        part: &mut Product,
    ) -> Result<Prevented, Stop> {
        match mv.effect {
            Effect::Receive { queue, ear } => {
                if has_content(config, queue) {
                    let language = &mut part.0[queue.index()];
                    let heard = self.heard(config, machine, ear, language);
                    let idle = heard.waiting().union(&heard.crash(), &self.automata)?;
                    *language = language.intersection(&idle, &self.automata)?;
                }
                Ok(Prevented::InPart)
            }
            Effect::Send { queue, .. } if has_content(config, queue) && mv.announce.is_none() => {
                let kind = self.system.kind(config, queue);
                match (kind.capacity, kind.loss) {
                    (Capacity::Rendezvous, _) => Ok(Prevented::Depends),
                    (Capacity::Messages(limit), Loss::Never) => {
                        let language = &mut part.0[queue.index()];
                        let full = &by_count(&Letters::all(), limit)[1];
                        *language = language.intersection(full, &self.automata)?;
                        Ok(Prevented::InPart)
                    }
                    (Capacity::Unbounded | Capacity::Messages(_), _) => Ok(Prevented::Never),
                }
            }
            Effect::Send { .. } | Effect::Exit { .. } => Ok(Prevented::Depends),
            Effect::Internal
            | Effect::Spawn { .. }
            | Effect::Close { .. }
            | Effect::Fail { .. }
            | Effect::GiveUp { .. } => Ok(Prevented::Never),
        }
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

/// Where a move is not possible.
enum Prevented {
    Never,
    /// In what is left of the part.
    InPart,
    /// That takes a closer look.
    Depends,
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
