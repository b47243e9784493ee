//! What machines can do in a control, whatever queues hold: guarded commands whose guards are regular.
//!
//! The contents that a queue can have are split by what the steps of a machine ask about them, and the steps that
//! are the same in several parts are one step with the union of these parts as its guard. That depends only on what
//! a machine looks at beside contents, so that it is worked out once for many controls.

use std::sync::Arc;

use qp_automata::loops::Effect;
use qp_automata::regular::{Language, Letters};
use qp_base::{Budget, Exhausted, Map};
use qp_claim::Reason;
use qp_machines::{
    Capacity, CellId, Config, KindId, LocalId, MachineId, QueueId, Reads, System, Turn, WordId,
};

use super::observe::{Patterns, Range, Touch};
use super::probe::{Deed, Part, Probe, held};
use super::world::{Stop, World};

/// Contents of some queues; all of them in the others.
pub(super) type Guard = Vec<(usize, Language)>;

/// More parts than this are not told apart for one machine.
const PARTS_MAX: usize = 400;
/// So many answers are remembered; then all are forgotten.
const ENTRIES_MAX: usize = 20_000;

/// One thing that a machine can do where queues hold this.
pub(super) struct Command {
    pub(super) guard: Guard,
    pub(super) deed: Deed,
    /// Whether it is possible whatever queues hold, but for what it takes from their fronts.
    pub(super) is_plain: bool,
}

/// Everything that a machine can do.
#[derive(Default)]
pub(super) struct Asked {
    pub(super) commands: Vec<Command>,
    /// Where that is nothing.
    pub(super) idle: Vec<Guard>,
    /// What it can do there if nobody else can do anything.
    pub(super) late: Vec<Command>,
    /// Where that is nothing, either.
    pub(super) resting: Vec<Guard>,
    /// Where it is at a loss about a message.
    pub(super) lost: Vec<Guard>,
}

impl Asked {
    /// Where it can do nothing, or not even if nobody else can do anything.
    pub(super) fn without(&self, late: bool) -> &[Guard] {
        if late { &self.resting } else { &self.idle }
    }
}

/// What was looked at, and what was seen there.
type Seen = Vec<(Look, i64)>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    Machines,
    Queues,
    Local(MachineId),
    Cell(CellId),
    Kind(QueueId),
    /// Whether it is open, of which kind, and how many letters can be in it.
    Queue(QueueId),
}

/// A configuration without contents that is looked at.
struct Outside<'a> {
    config: &'a Config,
    cells: &'a [i32],
    ranges: &'a [Range],
    seen: Seen,
}

impl Outside<'_> {
    fn value(&self, look: Look) -> i64 {
        match look {
            Look::Machines => amount(self.config.locals.len()),
            Look::Queues => amount(self.config.words.len()),
            Look::Local(machine) => {
                self.config.locals.get(machine.index()).map_or(-1, |local| i64::from(local.raw()))
            }
            Look::Cell(cell) => i64::from(self.cells[cell.index()]),
            Look::Kind(queue) => {
                self.config.kinds.get(queue.index()).map_or(-1, |kind| i64::from(kind.raw()))
            }
            Look::Queue(queue) if !has_content(self.config, queue) => -1,
            Look::Queue(queue) => {
                let n_letters = amount(self.ranges[queue.index()].letters.len());
                self.value(Look::Kind(queue)) << 32 | n_letters
            }
        }
    }

    fn look(&mut self, look: Look) -> i64 {
        let value = self.value(look);
        if !self.seen.contains(&(look, value)) {
            self.seen.push((look, value));
        }
        value
    }
}

impl Reads for Outside<'_> {
    fn n_machines(&mut self) -> usize {
        self.look(Look::Machines);
        self.config.locals.len()
    }

    fn n_queues(&mut self) -> usize {
        self.look(Look::Queues);
        self.config.words.len()
    }

    fn local(&mut self, machine: MachineId) -> LocalId {
        self.look(Look::Local(machine));
        self.config.local(machine)
    }

    fn cell(&mut self, cell: CellId) -> i32 {
        self.look(Look::Cell(cell)) as i32
    }

    fn word(&mut self, queue: QueueId) -> WordId {
        if self.look(Look::Queue(queue)) < 0 { WordId::CLOSED } else { held(queue) }
    }

    fn kind(&mut self, queue: QueueId) -> KindId {
        self.look(Look::Kind(queue));
        self.config.kinds[queue.index()]
    }
}

impl World {
    /// What each machine can do in a control.
    pub(super) fn asked(&mut self, config: &Config) -> Result<Vec<Arc<Asked>>, Stop> {
        let (cells, ranges) = (self.system.cells(config.store), self.ranges(config));
        let machines = config.machines();
        machines.map(|machine| self.asked_one(config, &cells, &ranges, machine)).collect()
    }

    fn asked_one(
        &mut self,
        config: &Config,
        cells: &[i32],
        ranges: &[Range],
        machine: MachineId,
    ) -> Result<Arc<Asked>, Stop> {
        let mut outside = Outside { config, cells, ranges, seen: Vec::new() };
        let key = (machine, config.local(machine));
        let fits =
            |(seen, _): &&(Seen, _)| seen.iter().all(|&(look, value)| outside.value(look) == value);
        if let Some((_, asked)) = self.known.of.get(&key).and_then(|all| all.iter().find(fits)) {
            return Ok(asked.clone());
        }
        let mut asking = Asking {
            system: &mut self.system,
            patterns: &mut self.patterns,
            automata: &self.automata,
            outside: &mut outside,
            machine,
        };
        let asked = Arc::new(asking.all()?);
        if self.known.n > ENTRIES_MAX {
            self.known = Known::default();
        }
        self.known.n += 1;
        self.known.of.entry(key).or_default().push((outside.seen, asked.clone()));
        Ok(asked)
    }

    /// What queues can hold at all.
    fn ranges(&self, config: &Config) -> Vec<Range> {
        let range = |queue: QueueId| {
            let most = match self.system.kind(config, queue).capacity {
                Capacity::Unbounded => None,
                Capacity::Messages(most) => Some(most),
                Capacity::Rendezvous => Some(0),
            };
            let letters = self.letters.get(queue.index()).cloned();
            Range { letters: letters.unwrap_or_else(|| Arc::new([])), most }
        };
        config.queues().map(range).collect()
    }
}

/// What was seen, and what the answer was.
type Answer = (Seen, Arc<Asked>);

/// What was asked before, by what was seen.
#[derive(Default)]
pub(super) struct Known {
    of: Map<(MachineId, LocalId), Vec<Answer>>,
    n: usize,
}

/// Somebody who asks what a machine can do.
struct Asking<'a, 'b> {
    system: &'a mut System,
    patterns: &'a mut Patterns,
    automata: &'a Budget,
    outside: &'a mut Outside<'b>,
    machine: MachineId,
}

/// A part of all contents, and what was found there, or why nothing was.
type Leaf<T> = (Part, Result<T, String>);

impl Asking<'_, '_> {
    fn all(&mut self) -> Result<Asked, Stop> {
        let every = vec![vec![None; self.outside.ranges.len()]];
        let (commands, idle) = self.commands(&every, false)?;
        let (late, resting) = match &idle[..] {
            [] => (Vec::new(), Vec::new()),
            idle => self.commands(idle, true)?,
        };
        let machine = self.machine;
        let leaves = self.leaves(every, true, |system, outside, probe| {
            system.unhandled_over(machine, outside, probe).is_some()
        })?;
        let lost = leaves.into_iter().filter(|(_, lost)| *lost != Ok(false));
        let lost = self.joined(lost.map(|(part, _)| part).collect())?;
        let sparse = |parts: Vec<Part>| parts.into_iter().map(guard).collect();
        let (idle, resting, lost) = (sparse(idle), sparse(resting), sparse(lost));
        Ok(Asked { commands, idle, late, resting, lost })
    }

    /// What the machine can do in some parts, and where it can do nothing.
    fn commands(
        &mut self,
        begin: &[Part],
        timeout: bool,
    ) -> Result<(Vec<Command>, Vec<Part>), Stop> {
        let machine = self.machine;
        let leaves = self.leaves(begin.to_vec(), false, |system, outside, probe| {
            let turns = system.turns_over(machine, timeout, outside, probe);
            turns.into_iter().map(|turn| probe.deed(turn)).collect::<Vec<Deed>>()
        })?;
        let n_leaves = leaves.len();
        let (groups, idle) = grouped(leaves);
        let mut commands = Vec::new();
        for (deed, parts) in groups {
            let parts = if parts.len() == n_leaves { begin.to_vec() } else { self.joined(parts)? };
            for part in parts {
                let guard = guard(part);
                let is_plain = !timeout && self.is_plain(&guard, &deed)?;
                commands.push(Command { guard, deed: deed.clone(), is_plain });
            }
        }
        Ok((commands, self.joined(idle)?))
    }

    /// Asks in parts, and in parts of these until all contents of a part have the same answer.
    fn leaves<T>(
        &mut self,
        mut todo: Vec<Part>,
        apart: bool,
        mut ask: impl FnMut(&mut System, &mut Outside<'_>, &mut Probe<'_>) -> T,
    ) -> Result<Vec<Leaf<T>>, Stop> {
        let mut leaves = Vec::new();
        let ranges = self.outside.ranges;
        todo.reverse();
        while let Some(part) = todo.pop() {
            self.automata.ask()?;
            if leaves.len() >= PARTS_MAX {
                leaves.push((part, Err("a step depends on too much of what queues hold".into())));
                continue;
            }
            let mut probe = Probe::new(self.patterns, ranges, self.automata, apart, part);
            let found = ask(self.system, self.outside, &mut probe);
            let Probe { part, mut others, stop, .. } = probe;
            others.reverse();
            todo.extend(others);
            match stop {
                None => leaves.push((part, Ok(found))),
                Some(Stop::Refused(Reason::OutsideFragment { because })) => {
                    leaves.push((part, Err(because)));
                }
                Some(stop) => return Err(stop),
            }
        }
        Ok(leaves)
    }

    /// The same union in fewer parts: those that differ in one queue only are made one.
    fn joined(&mut self, parts: Vec<Part>) -> Result<Vec<Part>, Exhausted> {
        let mut joined: Vec<Part> = Vec::new();
        for mut part in parts {
            let near = |a: &Part, b: &Part| a.iter().zip(b).filter(|(a, b)| a != b).count() <= 1;
            while let Some(at) = joined.iter().position(|other| near(other, &part)) {
                let other = joined.remove(at);
                for (queue, (own, other)) in part.iter_mut().zip(other).enumerate() {
                    if *own != other {
                        *own = self.union(queue, own.as_ref(), other.as_ref())?;
                    }
                }
            }
            joined.push(part);
        }
        Ok(joined)
    }

    fn union(
        &mut self,
        queue: usize,
        a: Option<&Language>,
        b: Option<&Language>,
    ) -> Result<Option<Language>, Exhausted> {
        let (Some(a), Some(b)) = (a, b) else { return Ok(None) };
        let both = a.union(b, self.automata)?;
        let all = self.patterns.all(&self.outside.ranges[queue], self.automata)?;
        Ok((both != all).then_some(both))
    }

    /// Whether a step is possible whatever queues hold, but for what it takes from their fronts.
    fn is_plain(&mut self, guard: &Guard, deed: &Deed) -> Result<bool, Exhausted> {
        let Deed::Leads { turn: Turn::Does { after, .. }, touched } = deed else {
            return Ok(false);
        };
        let is_new = touched.iter().any(|content| content.is_new);
        let exist = after.n_machines.is_none() && after.n_queues.is_none();
        if is_new || !exist || !after.words.is_empty() {
            return Ok(false);
        }
        for (queue, language) in guard {
            let own = touched.iter().find(|content| content.queue.index() == *queue);
            let Some(own) = own else { return Ok(false) };
            let effect = Effect::of(&own.touches.iter().map(Touch::op).collect::<Vec<_>>());
            let range = &self.outside.ranges[*queue];
            let rest = Language::all(&Letters::only(range.letters.iter().copied()));
            let demand = Language::word(&effect.taken()[..effect.demand()]);
            let able = demand.concat(&rest, self.automata)?;
            let able =
                able.intersection(&self.patterns.all(range, self.automata)?, self.automata)?;
            if !able.is_included_in(language) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// What is done in parts, each with all of them, in about the order of the program; and where nothing is done.
fn grouped(leaves: Vec<Leaf<Vec<Deed>>>) -> (Vec<(Deed, Vec<Part>)>, Vec<Part>) {
    let (mut groups, mut idle): (Vec<(usize, Deed, Vec<Part>)>, _) = (Vec::new(), Vec::new());
    for (part, found) in leaves {
        let deeds = found.unwrap_or_else(|why| vec![Deed::Refused(why)]);
        for (number, deed) in deeds.iter().enumerate() {
            match groups.iter_mut().find(|(_, known, _)| known == deed) {
                Some((last, _, parts)) if parts.last() != Some(&part) => {
                    *last = number.max(*last);
                    parts.push(part.clone());
                }
                Some(_) => {}
                None => groups.push((number, deed.clone(), vec![part.clone()])),
            }
        }
        if deeds.is_empty() {
            idle.push(part);
        }
    }
    groups.sort_by_key(|&(number, ..)| number);
    (groups.into_iter().map(|(_, deed, parts)| (deed, parts)).collect(), idle)
}

fn amount(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

fn guard(part: Part) -> Guard {
    let own = |(queue, language): (usize, Option<Language>)| Some((queue, language?));
    part.into_iter().enumerate().filter_map(own).collect()
}

/// Whether a queue exists and is not closed.
pub(super) fn has_content(config: &Config, queue: QueueId) -> bool {
    config.word(queue) != WordId::CLOSED
}
