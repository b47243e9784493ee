//! Rows and what one step makes of them.
//!
//! A *control* is a configuration without its contents; a row is a control with one language for each queue. What a
//! step does is asked of the system, with one word in the place of a language of words that all lead to the same
//! answers; events say what becomes of the languages. So there is no second definition of a step here.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use qp_automata::loops::{Op, Product};
use qp_automata::regular::{Language, Letter, Letters};
use qp_base::{Budget, Exhausted, Interner, Map, define_index};
use qp_claim::Reason;
use qp_machines::{
    Capacity, Config, EarId, Effect, Event, LocalId, MachineId, MessageId, Model, Move, Property,
    QueueId, StoreId, System, WordId,
};

use super::cycles::Graph;
use super::looks::{Heed, Look, has_content};
use super::memo::Memo;

define_index!(ControlId, "c", "A configuration without what its queues hold.");

/// Automata with more states than this are given up.
const AUTOMATON_STATES_MAX: u64 = 3_000;

/// The system, with the controls met so far.
pub(super) struct World {
    pub(super) system: System,
    pub(super) controls: Interner<ControlId, Config>,
    /// Limits the states of each automaton.
    pub(super) automata: Budget,
    /// Whether the referee is to follow: it does not treat conditions on lengths and on numbers of messages.
    pub(super) checked: bool,
    /// What was asked about messages before.
    pub(super) heeds: Map<(MachineId, LocalId, StoreId, EarId, Letter), Heed>,
    /// The steps between controls that were met, by whichever search.
    pub(super) graph: Graph,
    /// What cycles made of languages.
    pub(super) memo: Memo,
}

/// What a step makes of a row, or of a part of it.
pub(super) enum Leap {
    /// It leads to this row.
    To { to: ControlId, product: Product, does: Does, by: (MachineId, Event) },
    /// It fails.
    Fails { property: Property, part: Product },
}

/// What a step does to contents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Does {
    /// Whatever they are, nothing.
    Nothing,
    /// This, to every content to which it can be done.
    This(QueueId, Op),
    /// Something that depends on more than the front of a queue.
    More,
}

/// Why nothing more can be said.
#[derive(Clone, Debug)]
pub(super) enum Stop {
    Exhausted(Exhausted),
    /// Because of what the model does, in the user's words.
    Outside(String),
    /// The interpreter gave up.
    Program(Reason),
}

impl From<Exhausted> for Stop {
    fn from(exhausted: Exhausted) -> Self {
        Self::Exhausted(exhausted)
    }
}

impl Stop {
    pub(super) fn outside(because: &str) -> Self {
        Self::Outside(because.to_owned())
    }

    pub(super) fn reason(&self) -> Reason {
        match self {
            &Self::Exhausted(exhausted) => Reason::Budget { exhausted, bound: 0, suspect: None },
            Self::Outside(because) => Reason::OutsideFragment { because: because.clone() },
            Self::Program(reason) => reason.clone(),
        }
    }
}

impl World {
    pub(super) fn new(model: &Model, checked: bool, budget: &Budget) -> Self {
        // States of automata are no configurations, so they are not shown as such.
        let automata = budget.beside(Arc::new(AtomicBool::new(false)));
        Self {
            system: model.system(),
            controls: Interner::new(),
            automata: automata.at_most(AUTOMATON_STATES_MAX),
            checked,
            heeds: Map::default(),
            graph: Graph::default(),
            memo: Memo::default(),
        }
    }

    /// The row in which every run begins.
    pub(super) fn initial(&mut self) -> Result<(ControlId, Product), Stop> {
        let config = self.system.initial();
        let product = Product(vec![nothing(); config.words.len()]);
        Ok((self.control(config)?, product))
    }

    pub(super) fn config(&self, control: ControlId) -> &Config {
        self.controls.value(control)
    }

    /// Everything that one step makes of a row.
    pub(super) fn leaps(
        &mut self,
        control: ControlId,
        product: &Product,
    ) -> Result<Vec<Leap>, Stop> {
        let config = self.config(control).clone();
        let mut leaps = Vec::new();
        for machine in config.machines() {
            let moves = self.system.moves(machine, config.local(machine), config.store);
            for mv in moves.iter() {
                match mv.effect {
                    Effect::Receive { queue, .. } if mv.guards.is_empty() => {
                        if has_content(&config, queue) {
                            self.receive(&config, machine, mv, product, &mut leaps)?;
                        }
                    }
                    _ => self.move_on(&config, machine, mv, product, &mut leaps)?,
                }
            }
        }
        Ok(leaps)
    }

    /// A move that receives whatever its ear takes.
    fn receive(
        &mut self,
        config: &Config,
        machine: MachineId,
        mv: &Move,
        product: &Product,
        leaps: &mut Vec<Leap>,
    ) -> Result<(), Stop> {
        let Effect::Receive { queue, ear } = mv.effect else { return Ok(()) };
        let language = &product.0[queue.index()];
        let heard = self.heard(config, machine, ear, language);
        for &letter in &heard.taken {
            let rest = if heard.skipped.is_empty() {
                language.without_prefix(&[letter])
            } else {
                language.without_first(letter, &heard.skipped, &self.automata)?
            };
            if rest.is_empty() {
                continue;
            }
            let mut part = config.clone();
            part.words[queue.index()] = self.system.words_mut().intern(&[message(letter)]);
            let mut found = Vec::new();
            self.system.perform(&part, machine, mv, &mut found);
            for (event, after) in found {
                let mut product = product.clone();
                let kept = matches!(event, Event::Took { kept: true, .. });
                if !kept {
                    product.0[queue.index()] = rest.clone();
                }
                let does = if kept { Does::More } else { Does::This(queue, Op::Take(letter)) };
                let by = (machine, event);
                leaps.push(Leap::To { to: self.control(after)?, product, does, by });
            }
        }
        Ok(())
    }

    /// Any other move, part by part.
    fn move_on(
        &mut self,
        config: &Config,
        machine: MachineId,
        mv: &Move,
        product: &Product,
        leaps: &mut Vec<Leap>,
    ) -> Result<(), Stop> {
        let looks = self.looks(config, machine, mv)?;
        for part in self.split(config, product, &looks)? {
            for (event, after) in self.performed(config, machine, mv, &part, &looks) {
                self.follow((machine, event), after, &part, looks.is_empty(), leaps)?;
            }
        }
        Ok(())
    }

    /// What a move comes to where contents are in a part in which all of them look the same to it.
    pub(super) fn performed(
        &mut self,
        config: &Config,
        machine: MachineId,
        mv: &Move,
        part: &Product,
        looks: &[Look],
    ) -> Vec<(Event, Config)> {
        let mut config = config.clone();
        for look in looks {
            let at = look.queue().index();
            let word = part.0[at].shortest_word().unwrap_or_default();
            let word: Vec<MessageId> = word.into_iter().map(message).collect();
            config.words[at] = self.system.words_mut().intern(&word);
        }
        let mut found = Vec::new();
        if self.system.allowed(&config, machine, &mv.guards, false) {
            self.system.perform(&config, machine, mv, &mut found);
        }
        found
    }

    /// Does to the languages of a part what an event says.
    fn follow(
        &mut self,
        by: (MachineId, Event),
        after: Config,
        part: &Product,
        is_plain: bool,
        leaps: &mut Vec<Leap>,
    ) -> Result<(), Stop> {
        let mut product = part.clone();
        let mut does = Does::Nothing;
        match by.1 {
            Event::Internal
            | Event::Announced { .. }
            | Event::Lost { .. }
            | Event::Handshake { .. } => {}
            Event::Sent { queue, message } => {
                let (at, letter) = (queue.index(), Letter::from_raw(message.raw()));
                product.0[at] = product.0[at].append(&[letter], &self.automata)?;
                let kind = self.system.program().outline().kinds[after.kinds[at]];
                does = match kind.capacity {
                    Capacity::Unbounded => Does::This(queue, Op::Put(letter)),
                    Capacity::Messages(_) | Capacity::Rendezvous => Does::More,
                };
            }
            Event::Took { kept: true, .. } => does = Does::More,
            Event::Took { queue, message, .. } => {
                let (at, letter) = (queue.index(), Letter::from_raw(message.raw()));
                product.0[at] =
                    product.0[at].without_first(letter, &Letters::all(), &self.automata)?;
            }
            Event::Created { .. } | Event::Ended => {
                product.0.resize(after.words.len(), nothing());
                does = Does::More;
            }
            Event::Closed { queue } => {
                product.0[queue.index()] = nothing();
                does = Does::More;
            }
            Event::Failed { failure } => {
                let property = self.system.program().failure(failure).property;
                leaps.push(Leap::Fails { property, part: product });
                return Ok(());
            }
            Event::GaveUp { why } => {
                let failure = self.system.program().failure(why);
                let reason = Reason::Program { text: failure.text, span: failure.span };
                return Err(Stop::Program(reason));
            }
        }
        let does = if is_plain { does } else { Does::More };
        leaps.push(Leap::To { to: self.control(after)?, product, does, by });
        Ok(())
    }

    /// A configuration without its contents.
    fn control(&mut self, mut config: Config) -> Result<ControlId, Stop> {
        if config.holder.is_some() {
            return Err(Stop::outside("a machine goes on alone as long as it can"));
        }
        for word in config.words.iter_mut().filter(|word| **word != WordId::CLOSED) {
            *word = WordId::EMPTY;
        }
        Ok(self.controls.intern(config))
    }
}

/// The message of a letter.
pub(super) fn message(letter: Letter) -> MessageId {
    MessageId::from_raw(letter.raw())
}

/// What an empty queue holds.
pub(super) fn nothing() -> Language {
    Language::word(&[])
}
