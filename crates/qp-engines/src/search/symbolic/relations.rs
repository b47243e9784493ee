//! Compiled steps as events of decision diagrams: what a step does to each part that it touches.
//!
//! A step changes the part of its machine. It may ask for room in a queue of another part and change that
//! part, ask a question about one, be announced to those who watch, or create a machine. Steps that
//! ask the same of others are one event: the own part decides which values it leads to.

use qp_base::{Budget, Exhausted, Interner, Spent};
use qp_diagrams::{Event, Events, Moves, Touch};

use super::super::compiled::Compiled;
use super::super::marks::Ends;
use super::super::parts::{CompiledStep, Deed, FAILS, GATE, NONE, SKIPPED, SPECIAL};
use super::super::tables::Missing;
use super::order::Levels;

/// What a step asks of other parts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Demand {
    /// A queue of another part, and the letter that is put into it.
    input: Option<(u32, u32)>,
    /// A queue of another part, and the question about it that must be answered with yes.
    gate: Option<(u32, u32)>,
    /// What is announced.
    announces: Option<u32>,
    /// How many machines there are, and what becomes of the part of the new one.
    birth: Option<(u32, u32)>,
}

/// What a part that is not the own one has to do with a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
struct Share {
    input: Option<(u32, u32)>,
    gate: Option<(u32, u32)>,
    announces: Option<u32>,
    /// The machine must exist.
    exists: bool,
    /// The machine must not exist; this becomes of it.
    born: Option<u32>,
}

/// What one part does in an event.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Relation {
    Own { part: u32, demand: Demand },
    Other { part: u32, share: Share },
}

/// A step, as far as the own part is concerned.
#[derive(Clone, Copy)]
struct OwnStep {
    relation: u32,
    next: u32,
    /// A queue of the own part into which it sends, or [`NONE`].
    room: u32,
}

/// Steps of a part that are possible together, wherever the part allows them: those that differ in
/// nothing but what comes of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Group {
    pub(super) part: u32,
    /// The queue that is sent to, or [`NONE`].
    pub(super) room: u32,
    pub(super) gate: Option<(u32, u32)>,
    pub(super) announces: Option<u32>,
    /// How many machines there must be.
    pub(super) n_machines: Option<u32>,
}

impl Group {
    /// Whether nothing is asked but that the part allows it.
    pub(super) fn is_free(&self) -> bool {
        let asks = self.gate.is_some() || self.announces.is_some() || self.n_machines.is_some();
        self.room == NONE && !asks
    }
}

/// Steps of a part that lead nowhere, or that those who watch may end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct EndGroup {
    pub(super) part: u32,
    pub(super) gate: Option<(u32, u32)>,
    pub(super) announces: Option<u32>,
    /// What they come to if those who watch do not fail; nothing if they are ordinary steps then.
    pub(super) ends: Option<Ends>,
}

/// Steps of a part that take a message from a queue.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct TakeGroup {
    pub(super) part: u32,
    pub(super) queue: u32,
    /// Whether the message is not the first one.
    pub(super) skips: bool,
    pub(super) gate: Option<(u32, u32)>,
    pub(super) announces: Option<u32>,
}

/// A step that creates a machine.
#[derive(Clone, Copy)]
pub(super) struct Creator {
    pub(super) part: u32,
    pub(super) value: u32,
    special: u32,
    gate: Option<(u32, u32)>,
    announces: Option<u32>,
}

impl Creator {
    /// What has to be worked out to know what becomes of it.
    pub(super) fn missing(&self, n_machines: u32) -> Missing {
        Missing::Birth { part: self.part, special: self.special, n_machines }
    }

    /// Where it can be taken, if there are so many machines.
    pub(super) fn group(&self, n_machines: u32) -> Group {
        let &Self { part, gate, announces, .. } = self;
        Group { part, room: NONE, gate, announces, n_machines: Some(n_machines) }
    }
}

/// All relations, and the steps behind them.
#[derive(Default)]
pub(super) struct Relations {
    all: Interner<usize, Relation>,
    /// For each part and value: its steps, once the value was met.
    steps: Vec<Vec<Option<Vec<OwnStep>>>>,
    pub(super) groups: Interner<usize, Group>,
    /// For each group: how many of its steps each value of the part has.
    pub(super) weights: Vec<Vec<u32>>,
    pub(super) end_groups: Interner<usize, EndGroup>,
    /// For each group of ends: the values of the part that have one.
    pub(super) ending: Vec<Vec<bool>>,
    pub(super) take_groups: Interner<usize, TakeGroup>,
    /// For each group that takes: the values of the part that have one.
    pub(super) taking: Vec<Vec<bool>>,
    pub(super) creators: Vec<Creator>,
}

/// Relations at work: what is missing in the tables is made.
pub(super) struct Course<'a> {
    pub(super) compiled: &'a mut Compiled,
    pub(super) relations: &'a mut Relations,
    pub(super) levels: &'a Levels,
    pub(super) bound: u32,
    pub(super) budget: &'a Budget,
    /// The limit that was met.
    pub(super) exhausted: Option<Exhausted>,
}

impl Moves for Course<'_> {
    fn meet(&mut self, level: usize, value: u32, events: &mut Events) {
        let part = self.levels.part(level);
        let known = self.relations.steps.get(part).and_then(|of| of.get(value as usize));
        if known.is_some_and(Option::is_some) {
            return;
        }
        self.learn(part as u32, value, events);
        self.exhausted = self.budget.ask_for_time().err();
    }

    fn is_late(&self) -> bool {
        self.exhausted.is_some()
    }

    fn next(&mut self, relation: u32, value: u32, found: &mut Vec<u32>) {
        match *self.relations.all.value(relation as usize) {
            Relation::Own { part, .. } => {
                let steps = self.relations.own(part, value);
                let mine = steps.iter().filter(|step| step.relation == relation);
                let fits = mine.filter(|step| self.has_room(step.room, value));
                found.extend(fits.map(|step| step.next));
            }
            Relation::Other { part, share } => found.extend(self.change(part, share, value)),
        }
    }

    fn leads(&mut self, relation: u32, value: u32) -> bool {
        match *self.relations.all.value(relation as usize) {
            Relation::Own { part, .. } => {
                let mut steps = self.relations.own(part, value).iter();
                steps.any(|step| step.relation == relation && self.has_room(step.room, value))
            }
            Relation::Other { part, share } => self.allows(part, share, value),
        }
    }

    fn may_go_on(&mut self, n_nodes: usize, bytes: u64) -> bool {
        let spent = Spent { states: n_nodes as u64, bytes: bytes + self.compiled.bytes() };
        self.exhausted = self.budget.check(spent).err();
        self.exhausted.is_none()
    }
}

impl Course<'_> {
    /// Whether the bound leaves room in a queue, where its part has this value.
    fn has_room(&self, queue: u32, value: u32) -> bool {
        queue == NONE || {
            let queue = &self.compiled.tables().queues[queue as usize];
            queue.lens[value as usize] < queue.capacity.min(self.bound)
        }
    }

    fn allows(&mut self, part: u32, share: Share, value: u32) -> bool {
        // Who does not exist has the first of all values.
        let is_absent = value == 0 && self.compiled.tables().parts[part as usize].is_absent(value);
        let Share { input, gate, announces, born, .. } = share;
        if is_absent || born.is_some() {
            return is_absent && born.is_some();
        }
        input.is_none_or(|(queue, _)| self.has_room(queue, value))
            && gate.is_none_or(|gate| is_open(self.compiled, gate, value))
            && announces.is_none_or(|letter| observed(self.compiled, letter, value) < FAILS)
    }

    /// What becomes of a part.
    fn change(&mut self, part: u32, share: Share, value: u32) -> Option<u32> {
        if !self.allows(part, share, value) {
            return None;
        }
        if share.born.is_some() {
            return share.born;
        }
        if let Some(letter) = share.announces {
            return Some(observed(self.compiled, letter, value));
        }
        let Some((queue, letter)) = share.input else { return Some(value) };
        let known = |compiled: &Compiled| {
            compiled.tables().queues[queue as usize].inputs.get(value, letter)
        };
        if known(self.compiled) == NONE {
            self.compiled.supply(Missing::Input { queue, value, letter });
        }
        Some(known(self.compiled))
    }

    /// Sorts the steps of a value that was never met into events.
    fn learn(&mut self, part: u32, value: u32, events: &mut Events) {
        if self.compiled.tables().parts[part as usize].compiled(value).is_none() {
            self.compiled.supply(Missing::Steps { part, value });
        }
        self.relations.begin(part, value);
        let home = &self.compiled.tables().parts[part as usize];
        let steps = home.compiled(value).expect("it was just made").0.to_vec();
        let mut gate = None;
        for step in steps {
            if step.target == NONE || step.target < SPECIAL {
                let demand = Demand { gate, ..Demand::default() };
                self.add_step(part, value, demand, step, events);
            } else if step.target >= GATE {
                gate = Some((step.target & !GATE, step.letter));
                continue;
            } else {
                self.learn_special(part, value, gate, step.target, events);
            }
            gate = None;
        }
    }

    fn learn_special(
        &mut self,
        part: u32,
        value: u32,
        gate: Option<(u32, u32)>,
        target: u32,
        events: &mut Events,
    ) {
        let special = *self.compiled.tables().parts[part as usize].special(target);
        let announces = special.announces;
        let end = |ends| EndGroup { part, gate, announces, ends };
        if announces.is_some() {
            self.relations.add_end(end(None), value);
        }
        match special.deed {
            Deed::Step(step) => {
                let demand = Demand { gate, announces, ..Demand::default() };
                self.add_step(part, value, demand, step, events);
            }
            Deed::End(ends) => self.relations.add_end(end(Some(ends)), value),
            Deed::Wait => {}
            Deed::Create { .. } => {
                let special = target & !SPECIAL;
                let creator = Creator { part, value, special, gate, announces };
                self.relations.creators.push(creator);
                let tables = self.compiled.tables();
                let machine = tables.parts[part as usize].machine;
                let machine = machine.expect("machines are created by machines").index();
                for n_machines in tables.n_initial.max(machine + 1)..tables.part_of.len() {
                    self.add_birth(creator, n_machines as u32, events);
                }
            }
        }
    }

    fn add_step(
        &mut self,
        part: u32,
        value: u32,
        mut demand: Demand,
        step: CompiledStep,
        events: &mut Events,
    ) {
        let queues = &self.compiled.tables().queues;
        let is_own = step.target != NONE && queues[step.target as usize].part == part;
        if step.target != NONE && !is_own {
            demand.input = Some((step.target, step.letter));
        }
        let room = if is_own { step.target } else { NONE };
        let Demand { gate, announces, .. } = demand;
        if step.takes != NONE {
            let (queue, skips) = (step.takes & !SKIPPED, step.takes & SKIPPED != 0);
            self.relations.add_take(TakeGroup { part, queue, skips, gate, announces }, value);
        }
        let group = Group { part, room: step.target, gate, announces, n_machines: None };
        self.add(value, demand, group, (step.next, room), events);
    }

    /// Adds what creating a machine comes to where there are so many.
    pub(super) fn add_birth(&mut self, creator: Creator, n_machines: u32, events: &mut Events) {
        let Creator { part, value, special, gate, announces } = creator;
        let key = (part, special, n_machines);
        if !self.compiled.tables().births.contains_key(&key) {
            self.compiled.supply(Missing::Birth { part, special, n_machines });
        }
        let (next, born) = self.compiled.tables().births[&key];
        let demand = Demand { input: None, gate, announces, birth: Some((n_machines, born)) };
        self.add(value, demand, creator.group(n_machines), (next, NONE), events);
    }

    fn add(
        &mut self,
        value: u32,
        demand: Demand,
        group: Group,
        (next, room): (u32, u32),
        events: &mut Events,
    ) {
        let part = group.part;
        let n_before = self.relations.all.len();
        let relation = self.relations.all.intern(Relation::Own { part, demand });
        if relation == n_before {
            let event = self.event(part, demand, relation as u32);
            events.add(event);
        }
        let step = OwnStep { relation: relation as u32, next, room };
        self.relations.add_step(group, value, step);
    }

    /// The event of steps that ask this of others.
    fn event(&mut self, part: u32, demand: Demand, own: u32) -> Event {
        let tables = self.compiled.tables();
        let mut shares: Vec<(u32, Share)> = Vec::new();
        let mut share = |part: u32, change: &dyn Fn(&mut Share)| {
            let known = shares.iter().position(|(of, _)| *of == part);
            let number = known.unwrap_or_else(|| {
                shares.push((part, Share::default()));
                shares.len() - 1
            });
            change(&mut shares[number].1);
        };
        if let Some((queue, _)) = demand.input {
            share(tables.queues[queue as usize].part, &|it| it.input = demand.input);
        }
        if let Some((queue, _)) = demand.gate {
            share(tables.queues[queue as usize].part, &|it| it.gate = demand.gate);
        }
        if let (Some(_), Some(watchers)) = (demand.announces, &tables.watchers) {
            share(watchers.part, &|it| it.announces = demand.announces);
        }
        if let Some((n_machines, born)) = demand.birth {
            let n_machines = n_machines as usize;
            share(tables.part_of[n_machines], &|it| it.born = Some(born));
            let last = tables.part_of[n_machines - 1];
            if n_machines > tables.n_initial && last != part {
                share(last, &|it| it.exists = true);
            }
        }
        let touch = |part: u32, relation| Touch { level: self.levels.level(part), relation };
        let mut touches = vec![touch(part, own)];
        for (part, share) in shares {
            let relation = self.relations.all.intern(Relation::Other { part, share });
            touches.push(touch(part, relation as u32));
        }
        Event::new(touches)
    }
}

/// Whether a question about a queue is answered with yes, where its part has this value.
pub(super) fn is_open(compiled: &mut Compiled, (queue, gate): (u32, u32), value: u32) -> bool {
    let answer =
        |compiled: &Compiled| compiled.tables().queues[queue as usize].answers.get(value, gate);
    if answer(compiled) == NONE {
        compiled.supply(Missing::Answer { queue, value, gate });
    }
    answer(compiled) == 1
}

/// What becomes of the store; at least [`FAILS`] if those who watch fail.
pub(super) fn observed(compiled: &mut Compiled, letter: u32, value: u32) -> u32 {
    let known = |compiled: &Compiled| {
        let watchers = compiled.tables().watchers.as_ref();
        watchers.expect("who announces is watched").inputs.get(value, letter)
    };
    if known(compiled) == NONE {
        compiled.supply(Missing::Watched { value, letter });
    }
    known(compiled)
}

impl Relations {
    /// The part whose steps a relation is about, if it is not about what others have to do with them.
    pub(super) fn owner(&self, relation: u32) -> Option<u32> {
        match *self.all.value(relation as usize) {
            Relation::Own { part, .. } => Some(part),
            Relation::Other { .. } => None,
        }
    }

    fn own(&self, part: u32, value: u32) -> &[OwnStep] {
        let steps = self.steps[part as usize].get(value as usize).and_then(Option::as_ref);
        steps.expect("values in sets were met")
    }

    /// Whether a value of a part was ever in a set.
    pub(super) fn was_met(&self, part: usize, value: u32) -> bool {
        let steps = self.steps.get(part).and_then(|of| of.get(value as usize));
        steps.is_some_and(Option::is_some)
    }

    fn begin(&mut self, part: u32, value: u32) {
        let (part, value) = (part as usize, value as usize);
        if part >= self.steps.len() {
            self.steps.resize_with(part + 1, Vec::new);
        }
        if value >= self.steps[part].len() {
            self.steps[part].resize_with(value + 1, || None);
        }
        self.steps[part][value] = Some(Vec::new());
    }

    fn add_step(&mut self, group: Group, value: u32, step: OwnStep) {
        let steps = self.steps[group.part as usize][value as usize].as_mut();
        steps.expect("the value is being met").push(step);
        let number = self.groups.intern(group);
        if number == self.weights.len() {
            self.weights.push(Vec::new());
        }
        let weights = &mut self.weights[number];
        if value as usize >= weights.len() {
            weights.resize(value as usize + 1, 0);
        }
        weights[value as usize] += 1;
    }

    fn add_end(&mut self, group: EndGroup, value: u32) {
        mark(&mut self.ending, self.end_groups.intern(group), value);
    }

    fn add_take(&mut self, group: TakeGroup, value: u32) {
        mark(&mut self.taking, self.take_groups.intern(group), value);
    }
}

/// Marks a value in the table with this number, which may be the next one.
fn mark(tables: &mut Vec<Vec<bool>>, number: usize, value: u32) {
    if number == tables.len() {
        tables.push(Vec::new());
    }
    let table = &mut tables[number];
    if value as usize >= table.len() {
        table.resize(value as usize + 1, false);
    }
    table[value as usize] = true;
}
