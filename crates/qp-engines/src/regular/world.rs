//! Rows and what one step makes of them.
//!
//! A *control* is a configuration without its contents; a row is a control with one language for each queue. What a
//! step does is asked of the system, with one word in the place of a language of words that all lead to the same
//! answers; events say what becomes of the languages. So there is no second definition of a step here.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use qp_automata::loops::{Op, Product};
use qp_automata::regular::{Language, Letter};
use qp_base::{Budget, Exhausted, Interner, Map, define_index};
use qp_machines::{
    Config, Event, MachineId, MessageId, Model, Property, QueueId, System, Turn, WordId,
};

pub(super) use crate::stop::Stop;

use super::asks::{Asked, Command, Guard, Known, has_content};
use super::cycles::Graph;
use super::memo::Memo;
use super::observe::{Patterns, Touch};
use super::probe::{Deed, Touched};

define_index!(ControlId, "c", "A configuration without what its queues hold.");

/// Automata with more states than this are given up.
const AUTOMATON_STATES_MAX: u64 = 3_000;

/// The system, with the controls met so far.
pub(super) struct World {
    pub(super) system: System,
    pub(super) controls: Interner<ControlId, Config>,
    /// Limits the states of each automaton.
    pub(super) automata: Budget,
    /// What was asked about contents before.
    pub(super) patterns: Patterns,
    /// What machines were asked before.
    pub(super) known: Known,
    /// For each queue the letters that were met in it, and how often there were new ones.
    pub(super) letters: Vec<Arc<[Letter]>>,
    pub(super) version: u64,
    /// What machines can do, with the version for which that was asked.
    tables: Map<ControlId, (u64, Table)>,
    /// The steps between controls that were met, by whichever search.
    pub(super) graph: Graph,
    /// What cycles made of languages.
    pub(super) memo: Memo,
}

/// What each machine can do.
type Table = Arc<[Arc<Asked>]>;

/// What a step makes of a row, or of a part of it.
pub(super) enum Leap {
    /// It leads to this row.
    To { to: ControlId, product: Product, does: Does, by: By },
    /// It fails.
    Fails { property: Property, part: Product },
}

/// Things that are done to queues, one after the other.
pub(super) type Ops = Arc<[(QueueId, Op)]>;

/// What a step does to contents.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Does {
    pub(super) ops: Ops,
    /// Whether that is possible with every content to which it can be done.
    pub(super) is_plain: bool,
}

/// A step as others see it: who takes it, what happens first, who moves in it, and what it does to queues.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct By {
    pub(super) machine: MachineId,
    pub(super) event: Event,
    pub(super) movers: Arc<[MachineId]>,
    pub(super) ops: Ops,
}

impl World {
    pub(super) fn new(model: &Model, budget: &Budget) -> Self {
        // States of automata are no configurations, so they are not shown as such.
        let automata = budget.beside(Arc::new(AtomicBool::new(false)));
        Self {
            system: model.system(),
            controls: Interner::new(),
            automata: automata.at_most(AUTOMATON_STATES_MAX),
            patterns: Patterns::default(),
            known: Known::default(),
            letters: Vec::new(),
            version: 0,
            tables: Map::default(),
            graph: Graph::default(),
            memo: Memo::default(),
        }
    }

    /// The row in which every run begins.
    pub(super) fn initial(&mut self) -> (ControlId, Product) {
        let config = self.system.initial();
        let product = Product(vec![nothing(); config.words.len()]);
        (self.control(config), product)
    }

    pub(super) fn config(&self, control: ControlId) -> &Config {
        self.controls.value(control)
    }

    /// What each machine can do in a control, whatever queues hold.
    fn table(&mut self, control: ControlId) -> Result<Table, Stop> {
        if let Some((version, table)) = self.tables.get(&control)
            && *version == self.version
        {
            return Ok(table.clone());
        }
        let config = self.config(control).clone();
        let table: Table = self.asked(&config)?.into();
        self.tables.insert(control, (self.version, table.clone()));
        Ok(table)
    }

    /// Takes note of the letters of a queue: what steps depend on is asked for these.
    fn learn(&mut self, queue: usize, letters: &[Letter]) {
        if self.letters.len() <= queue {
            self.letters.resize(queue + 1, Arc::new([]));
        }
        let known = &self.letters[queue];
        let mut new: Vec<Letter> = known.to_vec();
        new.extend(letters.iter().filter(|letter| !known.contains(letter)));
        if new.len() > known.len() {
            self.letters[queue] = new.into();
            self.version += 1;
        }
    }

    /// Everything that one step makes of a row.
    pub(super) fn leaps(
        &mut self,
        control: ControlId,
        product: &Product,
    ) -> Result<Vec<Leap>, Stop> {
        for (queue, language) in product.0.iter().enumerate() {
            self.learn(queue, &letters(language));
        }
        loop {
            // A letter that is new may make a difference to what can be done whatever queues hold.
            let version = self.version;
            let leaps = self.leaps_now(control, product)?;
            if version == self.version {
                return Ok(leaps);
            }
        }
    }

    /// Whoever goes on alone comes before all others, and who waits for that is last.
    fn leaps_now(&mut self, control: ControlId, product: &Product) -> Result<Vec<Leap>, Stop> {
        let (config, table) = (self.config(control).clone(), self.table(control)?);
        let all: Vec<MachineId> = config.machines().collect();
        let alone: Vec<MachineId> = config.holder.into_iter().collect();
        let is_late = table.iter().any(|asked| !asked.late.is_empty());
        let (mut leaps, mut left, mut is_first) = (Vec::new(), vec![product.clone()], true);
        for late in [false, true] {
            for movers in [&alone, &all] {
                if movers.is_empty() || late && !is_late {
                    continue;
                }
                for &machine in movers {
                    let asked = &table[machine.index()];
                    for command in if late { &asked.late } else { &asked.commands } {
                        for part in &left {
                            self.follow((&config, machine), command, part, is_first, &mut leaps)?;
                        }
                    }
                }
                is_first = false;
                if is_late || movers.len() < all.len() {
                    let guards = |&m: &MachineId| table[m.index()].without(late);
                    left = self.within(left, movers.iter().map(guards))?;
                }
            }
        }
        Ok(leaps)
    }

    /// The parts of products that meet a guard of each machine.
    fn within<'a>(
        &self,
        mut parts: Vec<Product>,
        guards: impl Iterator<Item = &'a [Guard]>,
    ) -> Result<Vec<Product>, Stop> {
        for guards in guards {
            let mut smaller = Vec::new();
            for part in &parts {
                for guard in guards {
                    smaller.extend(met(part, guard, &self.automata)?);
                }
            }
            parts = smaller;
        }
        Ok(parts)
    }

    /// Where no machine can move in a row, or one of them cannot.
    pub(super) fn resting(
        &mut self,
        control: ControlId,
        product: &Product,
        who: Option<MachineId>,
    ) -> Result<Option<Product>, Stop> {
        let (table, parts) = (self.table(control)?, vec![product.clone()]);
        let holder = self.config(control).holder;
        let parts = match who {
            Some(machine) if holder.is_none_or(|holder| holder == machine) => {
                self.within(parts, [&table[machine.index()].idle[..]].into_iter())?
            }
            // Whoever goes on alone may keep it from moving.
            Some(_) => parts,
            None => {
                let waiting = self.within(parts, table.iter().map(|asked| &asked.idle[..]))?;
                self.within(waiting, table.iter().map(|asked| &asked.resting[..]))?
            }
        };
        Ok(parts.into_iter().next())
    }

    /// A part of a row in which a machine is at a loss about a message.
    pub(super) fn at_a_loss(
        &mut self,
        control: ControlId,
        product: &Product,
    ) -> Result<Option<Product>, Stop> {
        let table = self.table(control)?;
        for guard in table.iter().flat_map(|asked| &asked.lost) {
            if let Some(part) = met(product, guard, &self.automata)? {
                return Ok(Some(part));
            }
        }
        Ok(None)
    }

    /// Does to a part of a row what a command says.
    fn follow(
        &mut self,
        (config, machine): (&Config, MachineId),
        command: &Command,
        part: &Product,
        is_first: bool,
        leaps: &mut Vec<Leap>,
    ) -> Result<(), Stop> {
        let Some(mut product) = met(part, &command.guard, &self.automata)? else { return Ok(()) };
        let (turn, touched) = match &command.deed {
            Deed::Leads { turn, touched } => (turn, touched),
            &Deed::Fails(failure) => {
                let property = self.system.program().failure(failure).property;
                leaps.push(Leap::Fails { property, part: product });
                return Ok(());
            }
            &Deed::GivesUp(why) => return Err(Stop::gave_up(&self.system, why)),
            Deed::Refused(why) => return Err(self.refused((config, machine), why)),
        };
        let (event, after) = self.system.played(config, turn);
        product.0.resize(after.words.len(), nothing());
        for closed in after.queues().filter(|&queue| !has_content(&after, queue)) {
            product.0[closed.index()] = nothing();
        }
        for content in touched {
            self.touch(&mut product.0[content.queue.index()], content)?;
        }
        let does = Does {
            ops: touched.iter().flat_map(Touched::ops).collect(),
            is_plain: is_first && command.is_plain,
        };
        let by = By { machine, event, movers: movers(machine, turn), ops: does.ops.clone() };
        leaps.push(Leap::To { to: self.control(after), product, does, by });
        Ok(())
    }

    /// Does to a language what a step does to its words.
    fn touch(&mut self, language: &mut Language, content: &Touched) -> Result<(), Stop> {
        if content.is_new {
            *language = nothing();
        }
        for touch in &content.touches {
            *language = match touch {
                &Touch::Put(letter) => {
                    self.learn(content.queue.index(), &[letter]);
                    language.append(&[letter], &self.automata)?
                }
                Touch::Take(letter, before) if before.is_empty() => {
                    language.without_prefix(&[*letter])
                }
                Touch::Take(letter, before) => {
                    language.without_first(*letter, before, &self.automata)?
                }
            };
        }
        Ok(())
    }

    /// Why a transition is not followed, and where it is.
    fn refused(&self, (config, machine): (&Config, MachineId), why: &str) -> Stop {
        let program = self.system.program();
        let name = program.outline().machines.get(machine).map(|info| info.name.clone());
        let name = name.unwrap_or_else(|| format!("machine {}", machine.index() + 1));
        let place = program.control_name(machine, config.local(machine));
        Stop::outside(format!("{why} ({name} at {place})"))
    }

    /// A configuration without its contents.
    fn control(&mut self, config: Config) -> ControlId {
        self.controls.intern(without_contents(config))
    }

    /// The same, if it was met.
    pub(super) fn known_control(&self, config: Config) -> Option<ControlId> {
        self.controls.find(&without_contents(config))
    }

    /// Asks again for the steps on cycles when there are new letters: with those, they may not be possible.
    pub(super) fn renew_graph(&mut self) -> Result<(), Stop> {
        if self.graph.version == self.version {
            return Ok(());
        }
        for control in self.graph.sources() {
            let (config, table) = (self.config(control).clone(), self.table(control)?);
            let mut plain = Vec::new();
            let movers = config.machines().filter(|m| config.holder.is_none_or(|it| it == *m));
            for command in movers.flat_map(|machine| &table[machine.index()].commands) {
                if let Deed::Leads { turn, touched } = &command.deed
                    && command.is_plain
                {
                    let to = self.system.played(&config, turn).1;
                    let ops: Ops = touched.iter().flat_map(Touched::ops).collect();
                    plain.extend(self.known_control(to).map(|to| (ops, to)));
                }
            }
            self.graph.retain(control, |edge| plain.contains(edge));
        }
        self.graph.version = self.version;
        Ok(())
    }
}

/// A configuration whose open queues are empty.
fn without_contents(mut config: Config) -> Config {
    for word in config.words.iter_mut().filter(|word| **word != WordId::CLOSED) {
        *word = WordId::EMPTY;
    }
    config
}

/// Who moves in a step.
fn movers(machine: MachineId, turn: &Turn) -> Arc<[MachineId]> {
    let mut movers = vec![machine];
    for act in turn.acts() {
        movers.push(act.machine);
        if let Event::Handshake { receiver, .. } = act.event {
            movers.push(receiver);
        }
    }
    movers.sort_unstable();
    movers.dedup();
    movers.into()
}

/// What of a product meets a guard, if anything does.
fn met(product: &Product, guard: &Guard, automata: &Budget) -> Result<Option<Product>, Exhausted> {
    let mut part = product.clone();
    for (queue, language) in guard {
        let own = &mut part.0[*queue];
        *own = own.intersection(language, automata)?;
        if own.is_empty() {
            return Ok(None);
        }
    }
    Ok(Some(part))
}

/// The letters that occur in the words of a language.
pub(super) fn letters(language: &Language) -> Vec<Letter> {
    let edges = language.dfa().states().iter().flat_map(|state| &state.edges);
    edges.flat_map(|edge| edge.letters.listed().iter().copied()).collect()
}

/// The message of a letter.
pub(super) fn message(letter: Letter) -> MessageId {
    MessageId::from_raw(letter.raw())
}

/// What an empty queue holds.
pub(super) fn nothing() -> Language {
    Language::word(&[])
}
