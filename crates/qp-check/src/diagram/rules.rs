//! What machines can do, as rules about the values of levels.

use std::collections::{BTreeMap, BTreeSet};

use qp_machines::{Act, Event, FailureId, MachineId, QueueId, Reads, System, Turn};

use crate::Checked;
use crate::columns::{Change, Column, changes};
use crate::diagram::asks::{Asking, Look, Path, ask_all};
use crate::diagram::levels::Levels;
use crate::diagram::sets::{Set, Sets};

/// For the values with which something is possible: what becomes of them.
pub(crate) type Relation = BTreeMap<u32, u32>;

/// What is asked of levels, and what becomes of them. All others may have any value and keep it.
pub(crate) type Touches = BTreeMap<usize, Relation>;

/// The same with numbers of relations.
type Asked = BTreeMap<usize, usize>;

/// Of a value that is not listed, which no node has.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// Turns of a machine that differ in nothing but the values of levels. Who goes on alone is not asked here.
pub(crate) struct Rule {
    pub(crate) machine: MachineId,
    pub(crate) deed: Deed,
    /// Who goes on alone afterwards.
    pub(crate) holder: Option<MachineId>,
    pub(crate) touches: Touches,
}

/// What happens in a turn, as far as properties ask for it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Deed {
    /// It runs into a failure, and changes nothing.
    Fails(FailureId),
    /// Nobody knows what it does.
    GivesUp,
    Does {
        /// Everybody who moves.
        movers: BTreeSet<MachineId>,
        /// Queues from which a message is taken, or that are closed.
        takes: BTreeSet<QueueId>,
        /// Whether a message is taken from behind others, or a copy of one.
        skips: bool,
    },
}

/// Asks every machine what it can do in the configurations of a set, whoever goes on alone there.
pub(crate) fn read(
    system: &mut System,
    (levels, sets): (&Levels, &mut Sets),
    within: Set,
    timeout: bool,
) -> Checked<Vec<Rule>> {
    let mut rules = Vec::new();
    for machine in (0..levels.n_machines).map(MachineId::new) {
        let mut drafts = Drafts { levels, machine, numbers: BTreeMap::new(), relations: vec![] };
        let mut found = BTreeSet::new();
        let ask = |system: &mut System, asking: &mut Asking<'_>| {
            let n = system.n_alternatives_in(machine, asking);
            let turns = system.alternative_in(machine, asking.choose(n), timeout, asking);
            for turn in &turns {
                count(turn, asking);
            }
            turns
        };
        ask_all(system, (levels, sets), (machine, within), ask, |turns, path| {
            found.extend(turns.iter().map(|turn| drafts.of(turn, path)));
            Ok(())
        })?;
        rules.extend(drafts.united(found.into_iter().collect()));
    }
    Ok(rules)
}

/// What it means that there are more or fewer afterwards depends on how many there are.
fn count(turn: &Turn, asking: &mut Asking<'_>) {
    let Turn::Does { after, .. } = turn else { return };
    if after.n_machines.is_some() {
        asking.n_machines();
    }
    if after.n_queues.is_some() {
        asking.n_queues();
    }
}

/// What happens, who goes on alone afterwards, and what is asked of levels.
type Draft = (Deed, Option<MachineId>, Asked);

/// Makes rules of turns, with each relation kept once.
struct Drafts<'a> {
    levels: &'a Levels,
    machine: MachineId,
    numbers: BTreeMap<Relation, usize>,
    relations: Vec<Relation>,
}

impl Drafts<'_> {
    fn number(&mut self, relation: Relation) -> usize {
        *self.numbers.entry(relation).or_insert_with_key(|relation| {
            self.relations.push(relation.clone());
            self.relations.len() - 1
        })
    }

    /// A turn that is possible at the end of a path.
    fn of(&mut self, turn: &Turn, path: &Path) -> Draft {
        let mut touches = path.tests.clone();
        let (deed, holder) = match turn {
            Turn::Fails { failure, .. } => (Deed::Fails(*failure), None),
            Turn::GivesUp { .. } => (Deed::GivesUp, None),
            Turn::Does { acts, after } => {
                let counted = |n: Option<usize>, look| {
                    n.map_or(0, |_| path.answer(look).expect("it was counted") as usize)
                };
                let n_machines = counted(after.n_machines, Look::Machines);
                let there = (n_machines, counted(after.n_queues, Look::Queues));
                self.change(&mut touches, changes(after, there));
                (does(self.machine, acts), after.holder)
            }
        };
        let mut asked = Asked::new();
        for (level, relation) in touches {
            if !self.levels.all[level].is_idle(&relation) {
                asked.insert(level, self.number(relation));
            }
        }
        (deed, holder, asked)
    }

    fn change(&self, touches: &mut Touches, changes: Vec<(Column, Change)>) {
        let mut by_level: BTreeMap<usize, Vec<(usize, Change)>> = BTreeMap::new();
        let mut leads_out = false;
        for (column, change) in changes {
            match self.levels.place(column) {
                Some((level, place)) => by_level.entry(level).or_default().push((place, change)),
                None => leads_out = true,
            }
        }
        let own = self.levels.place(Column::Machine(self.machine)).expect("it was asked").0;
        if leads_out {
            by_level.entry(own).or_default();
        }
        for (level, changes) in by_level {
            let of = &self.levels.all[level];
            let all = || of.used.iter().map(|&value| (value, value)).collect();
            for (&value, after) in touches.entry(level).or_insert_with(all) {
                let is_out = leads_out && level == own;
                *after = if is_out { NOWHERE } else { of.changed(value, &changes) };
            }
        }
    }

    /// Makes one rule of those that differ in one level only, as long as there are any.
    fn united(mut self, mut drafts: Vec<Draft>) -> Vec<Rule> {
        loop {
            let before = drafts.len();
            let touched: BTreeSet<usize> =
                drafts.iter().flat_map(|(.., asked)| asked.keys().copied()).collect();
            for level in touched {
                drafts = self.united_at(level, drafts);
            }
            if drafts.len() == before {
                break;
            }
        }
        let rule = |(deed, holder, asked): Draft| {
            let of = |(level, number): (usize, usize)| (level, self.relations[number].clone());
            let touches = asked.into_iter().map(of).collect();
            Rule { machine: self.machine, deed, holder, touches }
        };
        drafts.into_iter().map(rule).collect()
    }

    fn united_at(&mut self, level: usize, drafts: Vec<Draft>) -> Vec<Draft> {
        let (mut groups, mut united) = (BTreeMap::<Draft, Vec<Relation>>::new(), Vec::new());
        for (deed, holder, mut asked) in drafts {
            let Some(number) = asked.remove(&level) else {
                united.push((deed, holder, asked));
                continue;
            };
            let relation = self.relations[number].clone();
            let known = groups.entry((deed, holder, asked)).or_default();
            // If several things may become of a value, there are several rules.
            let agrees = |known: &&mut Relation| {
                relation.iter().all(|(value, to)| known.get(value).is_none_or(|it| it == to))
            };
            match known.iter_mut().find(agrees) {
                Some(known) => known.extend(relation),
                None => known.push(relation),
            }
        }
        for ((deed, holder, asked), relations) in groups {
            for relation in relations {
                let mut asked = asked.clone();
                if !self.levels.all[level].is_idle(&relation) {
                    asked.insert(level, self.number(relation));
                }
                united.push((deed.clone(), holder, asked));
            }
        }
        united
    }
}

fn does(machine: MachineId, acts: &[Act]) -> Deed {
    let (mut movers, mut takes) = (BTreeSet::from([machine]), BTreeSet::new());
    let mut skips = false;
    for act in acts {
        movers.insert(act.machine);
        match act.event {
            Event::Handshake { receiver, .. } => drop(movers.insert(receiver)),
            Event::Took { position, queue, kept, .. } => {
                skips |= position > 0;
                takes.extend((!kept).then_some(queue));
            }
            Event::Closed { queue } => drop(takes.insert(queue)),
            _ => {}
        }
    }
    Deed::Does { movers, takes, skips }
}
