//! Asks a program about all configurations of a set at once.
//!
//! Whoever is asked looks at parts of a configuration, one after the other. The first look at something splits the set
//! by what it comes to: the program goes on with one part of it, and is asked again for each of the others. So every
//! configuration of the set is asked about, and those that look the same are asked about once.

use std::collections::{BTreeMap, BTreeSet};

use qp_machines::{CellId, KindId, LocalId, MachineId, QueueId, Reads, System, WordId};

use crate::columns::{Column, NOTHING, word_in};
use crate::diagram::levels::Levels;
use crate::diagram::rules::{Relation, Touches};
use crate::diagram::sets::{Set, Sets};
use crate::{Checked, Refusal};

/// Something that can be looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    Machines,
    Queues,
    Local(MachineId),
    /// A question about a local state.
    About(MachineId, u64),
    Word(QueueId),
    Kind(QueueId),
    Cell(CellId),
    /// Nothing is looked at: one of several things is asked.
    Choice,
}

/// What was looked at, and what that says about levels.
#[derive(Clone, Default)]
pub(crate) struct Path {
    looks: Vec<(Look, u64)>,
    /// The values that are possible; they stay as they are.
    pub(crate) tests: Touches,
}

impl Path {
    /// What a look came to, if there was one.
    pub(crate) fn answer(&self, look: Look) -> Option<u64> {
        self.looks.iter().find(|(known, _)| *known == look).map(|&(_, answer)| answer)
    }

    fn add(&mut self, look: Look, answer: u64, tests: &Touches) {
        self.looks.push((look, answer));
        demand_all(&mut self.tests, tests);
    }
}

/// Demands more of levels. Tests leave values as they are.
pub(crate) fn demand_all(tests: &mut Touches, more: &Touches) {
    for (&level, relation) in more {
        let known = tests.entry(level).or_insert_with(|| relation.clone());
        known.retain(|value, _| relation.contains_key(value));
    }
}

/// A machine that is asked, and the set of configurations in which it is.
pub(crate) struct Asking<'a> {
    levels: &'a Levels,
    sets: &'a mut Sets,
    within: Set,
    /// The levels that anybody has looked at, and the set as far as they show it.
    seen: BTreeSet<usize>,
    view: Set,
    path: Path,
    /// The part of the view in which everything comes to the same so far.
    here: Set,
    /// What is still to be asked.
    open: Vec<Path>,
    refusal: Option<Refusal>,
}

/// Asks about a machine in every configuration of a set in which it exists. `found` gets each answer, and where it is
/// the answer.
pub(crate) fn ask_all<T>(
    system: &mut System,
    (levels, sets): (&Levels, &mut Sets),
    (machine, within): (MachineId, Set),
    ask: impl Fn(&mut System, &mut Asking<'_>) -> T,
    mut found: impl FnMut(T, &Path) -> Checked<()>,
) -> Checked<()> {
    let own = levels.holding(Column::Machine(machine), |number| number != NOTHING);
    let (level, there) = own.expect("every machine stands somewhere");
    let (seen, view) = (BTreeSet::from([level]), sets.project(within, &BTreeSet::from([level]))?);
    let path = Path { looks: Vec::new(), tests: Touches::from([(level, there)]) };
    let (here, open, refusal) = (None, vec![path.clone()], None);
    let mut asking = Asking { levels, sets, within, seen, view, path, here, open, refusal };
    while let Some(path) = asking.open.pop() {
        system.go_on()?;
        asking.here = asking.sets.before(&path.tests, asking.view, None)?;
        asking.path = path;
        if asking.here.is_some() {
            let answer = ask(system, &mut asking);
            asking.refusal.take().map_or(Ok(()), Err)?;
            found(answer, &asking.path)?;
        }
    }
    Ok(())
}

impl Asking<'_> {
    /// Makes a level visible.
    fn see(&mut self, level: usize) -> Checked<()> {
        if self.seen.insert(level) {
            self.view = self.sets.project(self.within, &self.seen)?;
            self.here = self.sets.before(&self.path.tests, self.view, None)?;
        }
        Ok(())
    }

    /// Looks at a column; `answer` says what the look comes to with each number that the column may have. Nobody looks
    /// at what does not exist.
    fn look(
        &mut self,
        look: Look,
        column: Column,
        mut answer: impl FnMut(u64) -> Option<u64>,
    ) -> u64 {
        if let Some(known) = self.path.answer(look) {
            return known;
        }
        let looked = self.outcomes(column, &mut answer).and_then(|it| self.split(look, it));
        self.or_refuse(looked, 0)
    }

    fn outcomes(
        &mut self,
        column: Column,
        answer: &mut dyn FnMut(u64) -> Option<u64>,
    ) -> Checked<Vec<(u64, Touches)>> {
        let at = self.levels.place(column).ok_or("somebody looks at what never exists")?;
        self.see(at.0)?;
        let mut outcomes = BTreeMap::<u64, Relation>::new();
        for value in self.sets.values(self.here, at.0) {
            let answer = answer(self.levels.number(at, value));
            let answer = answer.ok_or("somebody looks at what does not exist")?;
            outcomes.entry(answer).or_default().insert(value, value);
        }
        // What is always the same need not be asked for.
        let is_one = outcomes.len() == 1;
        let tests = |relation| Touches::from_iter((!is_one).then_some((at.0, relation)));
        Ok(outcomes.into_iter().map(|(answer, relation)| (answer, tests(relation))).collect())
    }

    /// Goes on with one outcome of a look, and leaves the others for later.
    fn split(&mut self, look: Look, mut outcomes: Vec<(u64, Touches)>) -> Checked<u64> {
        let (answer, tests) = outcomes.pop().ok_or("nothing can be looked at")?;
        for (answer, tests) in outcomes {
            let mut path = self.path.clone();
            path.add(look, answer, &tests);
            self.open.push(path);
        }
        self.path.add(look, answer, &tests);
        self.here = self.sets.before(&tests, self.here, None)?;
        Ok(answer)
    }

    /// Goes on with one of several things, and leaves the others for later.
    pub(crate) fn choose(&mut self, n: usize) -> usize {
        let known = self.path.answer(Look::Choice).map(Ok);
        let all = || (0..n as u64).map(|it| (it, Touches::new())).collect();
        let chosen = known.unwrap_or_else(|| self.split(Look::Choice, all()));
        self.or_refuse(chosen, 0) as usize
    }

    /// An answer, or another one if the diagram has to be refused: whoever asks goes on, and what they say is not used.
    fn or_refuse(&mut self, answer: Checked<u64>, other: u64) -> u64 {
        answer.unwrap_or_else(|refusal| {
            self.refusal.get_or_insert(refusal);
            other
        })
    }

    /// How many machines or queues exist: they come and go at the end, so the last one is there, and the next one is
    /// not.
    fn count(&mut self, look: Look, columns: &[Column]) -> Checked<u64> {
        let (mut outcomes, is_there) = (Vec::new(), |number| number != NOTHING);
        for n in 0..=columns.len() {
            let last = n.checked_sub(1).and_then(|it| self.levels.holding(columns[it], is_there));
            let next = columns.get(n).and_then(|&it| self.levels.holding(it, |it| !is_there(it)));
            let mut tests = Touches::new();
            for (level, relation) in last.into_iter().chain(next) {
                if !self.levels.all[level].is_idle(&relation) {
                    demand_all(&mut tests, &Touches::from([(level, relation)]));
                }
            }
            if tests.values().any(Relation::is_empty) {
                continue;
            }
            for &level in tests.keys() {
                self.see(level)?;
            }
            if self.sets.before(&tests, self.here, None)?.is_some() {
                outcomes.push((n as u64, tests));
            }
        }
        self.split(look, outcomes)
    }

    fn counted(&mut self, look: Look, columns: &[Column]) -> usize {
        let known = self.path.answer(look).map(Ok);
        let n = known.unwrap_or_else(|| self.count(look, columns));
        self.or_refuse(n, columns.len() as u64) as usize
    }
}

impl Reads for Asking<'_> {
    fn n_machines(&mut self) -> usize {
        self.counted(Look::Machines, &self.levels.machines())
    }

    fn n_queues(&mut self) -> usize {
        self.counted(Look::Queues, &self.levels.queues())
    }

    fn local(&mut self, machine: MachineId) -> LocalId {
        let there = |number| Some(number).filter(|&number| number != NOTHING);
        let local = self.look(Look::Local(machine), Column::Machine(machine), there);
        LocalId::from_raw(local as u32)
    }

    fn cell(&mut self, cell: CellId) -> i32 {
        (self.look(Look::Cell(cell), Column::Cell(cell), Some) as u32).cast_signed()
    }

    fn word(&mut self, queue: QueueId) -> WordId {
        let word = |number| Some(u64::from(word_in(number).raw())).filter(|_| number != NOTHING);
        WordId::from_raw(self.look(Look::Word(queue), Column::Queue(queue), word) as u32)
    }

    fn kind(&mut self, queue: QueueId) -> KindId {
        let kind = |number| Some(number >> 32).filter(|_| number != NOTHING);
        KindId::from_raw(self.look(Look::Kind(queue), Column::Queue(queue), kind) as u32)
    }

    fn about(
        &mut self,
        machine: MachineId,
        question: u64,
        answer: &mut dyn FnMut(LocalId) -> u32,
    ) -> u32 {
        if let Some(local) = self.path.answer(Look::Local(machine)) {
            return answer(LocalId::from_raw(local as u32));
        }
        let mut of = |number: u64| u64::from(answer(LocalId::from_raw(number as u32)));
        let there = |number| (number != NOTHING).then(|| of(number));
        self.look(Look::About(machine, question), Column::Machine(machine), there) as u32
    }
}
