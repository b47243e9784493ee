//! What a move depends on in queues, and how languages are split by that.
//!
//! What a machine does depends on what a queue holds only through scans from the front, in which the first message
//! that is not skipped decides, and through lengths and numbers of messages that are compared with constants. All
//! of these are regular.

use qp_automata::loops::Product;
use qp_automata::regular::{Builder, Language, Letter, Letters};
use qp_machines::{
    Capacity, Condition, Config, EarId, Effect, Guard, MachineId, Move, Place, QueueId, Reception,
    StoreId,
};

use super::world::{Stop, World, message};

/// A question about the content of a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Look {
    /// What an ear of a machine does about the first message that it does not skip.
    Scan { queue: QueueId, machine: MachineId, ear: EarId },
    /// Whether there are fewer messages than this.
    Below { queue: QueueId, limit: u32 },
    /// Whether there are fewer messages than this that an ear would take.
    Fewer { queue: QueueId, machine: MachineId, ear: EarId, limit: u32 },
}

/// More messages than this are not counted: an automaton that counts has a state for each.
const COUNTED_MAX: u32 = 1_000;

/// What an ear does about a message, without what comes of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Heed {
    Takes,
    Skips,
    Refuses,
    Crashes,
}

impl Heed {
    fn of(reception: &Reception) -> Self {
        match reception {
            Reception::Take(_) => Self::Takes,
            Reception::Skip => Self::Skips,
            Reception::Refuse => Self::Refuses,
            Reception::Crash => Self::Crashes,
        }
    }
}

/// The letters of a language by what an ear does about them.
pub(super) struct Heard {
    pub(super) taken: Vec<Letter>,
    pub(super) skipped: Letters,
    pub(super) refused: Letters,
    pub(super) crashing: Letters,
}

impl Heard {
    /// The words at which the ear waits: nothing is left but what it skips, or something it refuses comes first.
    pub(super) fn waiting(&self) -> Language {
        let mut builder = begun(&self.skipped, &self.refused);
        let start = builder.start();
        builder.edge(start, self.skipped.clone(), start);
        builder.accept(start);
        small(builder)
    }

    /// The words at which the ear finds a message that must not be there.
    pub(super) fn crash(&self) -> Language {
        small(begun(&self.skipped, &self.crashing))
    }

    /// The words of which the ear takes this letter.
    fn taking(&self, letter: Letter) -> Language {
        small(begun(&self.skipped, &Letters::one(letter)))
    }

    /// A partition of all words of these letters.
    fn parts(&self) -> Vec<Language> {
        let mut parts = vec![self.waiting(), self.crash()];
        parts.extend(self.taken.iter().map(|&letter| self.taking(letter)));
        parts
    }
}

impl World {
    /// What a move of a machine depends on.
    pub(super) fn looks(
        &mut self,
        config: &Config,
        machine: MachineId,
        mv: &Move,
    ) -> Result<Vec<Look>, Stop> {
        let mut looks = Vec::new();
        self.guard_looks(config, machine, &mv.guards, &mut looks)?;
        match mv.effect {
            Effect::Receive { queue, ear } => looks.push(Look::Scan { queue, machine, ear }),
            Effect::Send { place: Place::Sorted, .. } => {
                return Err(Stop::outside("messages are sorted into a queue"));
            }
            Effect::Send { queue, .. } if has_content(config, queue) => {
                match self.system.kind(config, queue).capacity {
                    Capacity::Unbounded => {}
                    Capacity::Messages(limit) => looks.push(Look::Below { queue, limit }),
                    Capacity::Rendezvous => {
                        self.meeting_looks(config, machine, queue, &mut looks)?;
                    }
                }
            }
            Effect::Send { .. }
            | Effect::Internal
            | Effect::Spawn { .. }
            | Effect::Exit { .. }
            | Effect::Close { .. }
            | Effect::Fail { .. }
            | Effect::GiveUp { .. } => {}
        }
        looks.retain(|look| has_content(config, look.queue()));
        if looks.iter().any(|look| look.limit() > COUNTED_MAX) {
            return Err(Stop::Outside(format!(
                "a queue has room for more than {COUNTED_MAX} messages, and automata count them one by one"
            )));
        }
        let mut seen: Vec<Look> = Vec::new();
        looks.retain(|look| {
            !seen.contains(look) && {
                seen.push(*look);
                true
            }
        });
        Ok(looks)
    }

    /// What the guards of those depend on who may take a message from the hands of its sender.
    fn meeting_looks(
        &mut self,
        config: &Config,
        machine: MachineId,
        queue: QueueId,
        looks: &mut Vec<Look>,
    ) -> Result<(), Stop> {
        for receiver in config.machines().filter(|&receiver| receiver != machine) {
            let moves = self.system.moves(receiver, config.local(receiver), config.store);
            for mv in moves.iter() {
                if matches!(mv.effect, Effect::Receive { queue: at, .. } if at == queue) {
                    self.guard_looks(config, receiver, &mv.guards, looks)?;
                }
            }
        }
        Ok(())
    }

    fn guard_looks(
        &mut self,
        config: &Config,
        machine: MachineId,
        guards: &[Guard],
        looks: &mut Vec<Look>,
    ) -> Result<(), Stop> {
        for guard in guards {
            match *guard {
                Guard::Holds(_, condition) | Guard::HoldsNot(_, condition)
                    if self.checked && !matches!(condition, Condition::Ready(_)) =>
                {
                    return Err(Stop::outside("a machine looks at more than what it can receive"));
                }
                Guard::Holds(queue, condition) | Guard::HoldsNot(queue, condition) => {
                    if has_content(config, queue) {
                        looks.extend(self.condition_look(config, machine, queue, condition));
                    }
                }
                Guard::Idle => {
                    let moves = self.system.moves(machine, config.local(machine), config.store);
                    let scan = |mv: &Move| match mv.effect {
                        Effect::Receive { queue, ear } => Some(Look::Scan { queue, machine, ear }),
                        _ => None,
                    };
                    looks.extend(moves.iter().filter_map(scan));
                }
                Guard::Else => {
                    return Err(Stop::outside(
                        "a machine does something if nothing else can be done",
                    ));
                }
                Guard::Timeout => {
                    return Err(Stop::outside("a machine waits until nothing else is possible"));
                }
            }
        }
        Ok(())
    }

    fn condition_look(
        &self,
        config: &Config,
        machine: MachineId,
        queue: QueueId,
        condition: Condition,
    ) -> Option<Look> {
        match condition {
            Condition::Empty => Some(Look::Below { queue, limit: 1 }),
            Condition::Full => match self.system.kind(config, queue).capacity {
                Capacity::Messages(limit) => Some(Look::Below { queue, limit }),
                Capacity::Unbounded | Capacity::Rendezvous => None,
            },
            Condition::LengthBelow(limit) => Some(Look::Below { queue, limit }),
            Condition::Ready(ear) => Some(Look::Scan { queue, machine, ear }),
            Condition::Fewer(ear, limit) => Some(Look::Fewer { queue, machine, ear, limit }),
        }
    }

    /// Splits a product so that each question has the same answer in all of a part.
    pub(super) fn split(
        &mut self,
        config: &Config,
        product: &Product,
        looks: &[Look],
    ) -> Result<Vec<Product>, Stop> {
        let mut parts = vec![product.clone()];
        for look in looks {
            let at = look.queue().index();
            let mut finer = Vec::new();
            for part in parts {
                for pattern in self.patterns(config, look, &part.0[at]) {
                    let language = part.0[at].intersection(&pattern, &self.automata)?;
                    if !language.is_empty() {
                        let mut smaller = part.clone();
                        smaller.0[at] = language;
                        finer.push(smaller);
                    }
                }
            }
            parts = finer;
        }
        Ok(parts)
    }

    /// A partition of the words of a language, at least.
    fn patterns(&mut self, config: &Config, look: &Look, language: &Language) -> Vec<Language> {
        match *look {
            Look::Scan { machine, ear, .. } => self.heard(config, machine, ear, language).parts(),
            Look::Below { limit, .. } => by_count(&Letters::all(), limit),
            Look::Fewer { machine, ear, limit, .. } => {
                let heard = self.heard(config, machine, ear, language);
                by_count(&Letters::only(heard.taken), limit)
            }
        }
    }

    /// What an ear does about the letters of a language.
    pub(super) fn heard(
        &mut self,
        config: &Config,
        machine: MachineId,
        ear: EarId,
        language: &Language,
    ) -> Heard {
        let watched = self.system.program().outline().store_is_watched;
        let store = if watched { StoreId::NONE } else { config.store };
        let local = config.local(machine);
        let [mut taken, mut skipped, mut refused, mut crashing] = [const { Vec::new() }; 4];
        for letter in letters(language) {
            let key = (machine, local, store, ear, letter);
            let (program, heeds) = (self.system.program_mut(), &mut self.heeds);
            let heed = *heeds.entry(key).or_insert_with(|| {
                Heed::of(&program.reception(machine, local, store, ear, message(letter)))
            });
            match heed {
                Heed::Takes => taken.push(letter),
                Heed::Skips => skipped.push(letter),
                Heed::Refuses => refused.push(letter),
                Heed::Crashes => crashing.push(letter),
            }
        }
        Heard {
            taken,
            skipped: Letters::only(skipped),
            refused: Letters::only(refused),
            crashing: Letters::only(crashing),
        }
    }
}

impl Look {
    /// How far it counts.
    fn limit(&self) -> u32 {
        match *self {
            Self::Scan { .. } => 0,
            Self::Below { limit, .. } | Self::Fewer { limit, .. } => limit,
        }
    }

    pub(super) fn queue(&self) -> QueueId {
        match *self {
            Self::Scan { queue, .. } | Self::Below { queue, .. } | Self::Fewer { queue, .. } => {
                queue
            }
        }
    }
}

/// Whether a queue exists and is not closed.
pub(super) fn has_content(config: &Config, queue: QueueId) -> bool {
    config.word(queue) != qp_machines::WordId::CLOSED
}

/// The letters that occur in the words of a language, in order.
pub(super) fn letters(language: &Language) -> Vec<Letter> {
    let edges = language.dfa().states().iter().flat_map(|state| &state.edges);
    let mut letters: Vec<Letter> =
        edges.flat_map(|edge| edge.letters.listed().iter().copied()).collect();
    letters.sort_unstable();
    letters.dedup();
    letters
}

/// The words with fewer of some letters than a limit, and the others.
pub(super) fn by_count(counted: &Letters, limit: u32) -> Vec<Language> {
    let mut parts = vec![Builder::new(), Builder::new()];
    for (part, builder) in parts.iter_mut().enumerate() {
        let mut now = builder.start();
        for number in 0..=limit {
            let last = number == limit;
            let stay = if last { Letters::all() } else { counted.complement() };
            builder.edge(now, stay, now);
            if last == (part == 1) {
                builder.accept(now);
            }
            if !last {
                let next = builder.state();
                builder.edge(now, counted.clone(), next);
                now = next;
            }
        }
    }
    parts.into_iter().map(small).collect()
}

/// Words in which letters of `then` come first, behind others of `skipped`.
fn begun(skipped: &Letters, then: &Letters) -> Builder {
    let mut builder = Builder::new();
    let start = builder.start();
    builder.edge(start, skipped.clone(), start);
    let rest = builder.state();
    builder.edge(start, then.clone(), rest);
    builder.edge(rest, Letters::all(), rest);
    builder.accept(rest);
    builder
}

/// The language of an automaton that is as good as deterministic.
fn small(builder: Builder) -> Language {
    let exact = Language::from_nfa(&builder.build(), &qp_base::Budget::states(u64::MAX));
    exact.unwrap_or_else(|_| unreachable!("bug in Queueproof: there is no limit to meet"))
}
