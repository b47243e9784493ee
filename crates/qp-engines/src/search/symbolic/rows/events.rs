//! Compiled steps as events of decision diagrams: what a step does to each part that it touches.
//!
//! A step changes the part of its machine. It may ask for room in a queue of another part and change that
//! part, ask a question about one, be announced to those who watch, or create a machine. Steps that
//! ask the same of others are one event: the own part decides which values it leads to.

use qp_diagrams::{Event, Events, Touch};

use super::super::super::compiled::Compiled;
use super::super::super::parts::{CompiledStep, Deed, FAILS, GATE, NONE, SPECIAL};
use super::super::super::tables::Missing;
use super::super::order::Levels;
use super::Rows;
use super::cases::{End, Group};

/// What a part that is not the own one has to do with a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Share {
    /// A queue, and the letter that is put into it.
    input: Option<(u32, u32)>,
    /// A queue, and the question about it that must be answered with yes.
    gate: Option<(u32, u32)>,
    /// What is announced.
    announces: Option<u32>,
    /// The machine must exist.
    exists: bool,
    /// The machine must not exist; this becomes of it.
    born: Option<u32>,
}

/// What one part does in an event.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Relation {
    /// Steps that ask the same of others, by what they send or create.
    Own {
        group: Group,
        given: u32,
    },
    Other {
        part: u32,
        share: Share,
    },
}

/// A step, as far as the own part is concerned.
#[derive(Clone, Copy)]
pub(super) struct OwnStep {
    pub(super) relation: u32,
    pub(super) next: u32,
    /// A queue of the own part into which it sends, or [`NONE`].
    pub(super) room: u32,
}

/// A step that creates a machine.
#[derive(Clone, Copy)]
pub(super) struct Creator {
    pub(super) value: u32,
    special: u32,
    group: Group,
}

impl Creator {
    /// What has to be worked out to know what becomes of it.
    pub(super) fn missing(&self, n_machines: u32) -> Missing {
        Missing::Birth { part: self.group.part, special: self.special, n_machines }
    }

    /// Where it can be taken, if there are so many machines.
    pub(super) fn group(&self, n_machines: u32) -> Group {
        Group { n_machines: Some(n_machines), ..self.group }
    }
}

/// Whether the bound leaves room in a queue, where its part has this value.
pub(super) fn has_room(compiled: &Compiled, bound: u32, queue: u32, value: u32) -> bool {
    queue == NONE || {
        let queue = &compiled.tables().queues[queue as usize];
        queue.lens[value as usize] < queue.capacity.min(bound)
    }
}

impl Share {
    pub(super) fn allows(self, compiled: &mut Compiled, bound: u32, part: u32, value: u32) -> bool {
        // Who does not exist has the first of all values.
        let is_absent = value == 0 && compiled.tables().parts[part as usize].is_absent(value);
        let Self { input, gate, announces, born, .. } = self;
        if is_absent || born.is_some() {
            return is_absent && born.is_some();
        }
        input.is_none_or(|(queue, _)| has_room(compiled, bound, queue, value))
            && gate.is_none_or(|gate| is_open(compiled, gate, value))
            && announces.is_none_or(|letter| observed(compiled, letter, value) < FAILS)
    }

    /// What becomes of a part that allows it.
    pub(super) fn change(self, compiled: &mut Compiled, value: u32) -> u32 {
        if let Some(born) = self.born {
            return born;
        }
        if let Some(letter) = self.announces {
            return observed(compiled, letter, value);
        }
        let Some((queue, letter)) = self.input else { return value };
        let known = |compiled: &Compiled| {
            compiled.tables().queues[queue as usize].inputs.get(value, letter)
        };
        if known(compiled) == NONE {
            compiled.supply(Missing::Input { queue, value, letter });
        }
        known(compiled)
    }
}

/// Steps that are being made events.
pub(super) struct Making<'a> {
    pub(super) rows: &'a mut Rows,
    pub(super) compiled: &'a mut Compiled,
    pub(super) levels: &'a Levels,
    pub(super) events: &'a mut Events,
}

impl Making<'_> {
    /// Sorts the steps of a value that was never met into events.
    pub(super) fn learn(&mut self, part: u32, value: u32) {
        if self.compiled.tables().parts[part as usize].compiled(value).is_none() {
            self.compiled.supply(Missing::Steps { part, value });
        }
        let n_steps = self.steps_of(part, value).len();
        self.rows.begin(part, value, n_steps);
        let plain = Group::new(part);
        let mut group = plain;
        for number in 0..n_steps {
            let step = self.steps_of(part, value)[number];
            if step.target == NONE || step.target < SPECIAL {
                self.add_step(value, group, step);
            } else if step.target >= GATE {
                group.gate = Some((step.target & !GATE, step.letter));
                continue;
            } else {
                self.learn_special(value, group, step.target);
            }
            group = plain;
        }
    }

    fn steps_of(&self, part: u32, value: u32) -> &[CompiledStep] {
        let home = &self.compiled.tables().parts[part as usize];
        home.compiled(value).expect("it was just made").0
    }

    fn learn_special(&mut self, value: u32, group: Group, target: u32) {
        let special = *self.compiled.tables().parts[group.part as usize].special(target);
        let group = Group { announces: special.announces, ..group };
        if group.announces.is_some() {
            self.rows.count(Group { end: Some(End::Watchers), ..group }, value);
        }
        match special.deed {
            Deed::Step(step) => self.add_step(value, group, step),
            Deed::End(ends) => {
                self.rows.count(Group { end: Some(End::Comes(ends)), ..group }, value);
            }
            Deed::Wait => {}
            Deed::Create { .. } => {
                let creator = Creator { value, special: target & !SPECIAL, group };
                self.rows.creators.push(creator);
                let tables = self.compiled.tables();
                let machine = tables.parts[group.part as usize].machine;
                let machine = machine.expect("machines are created by machines").index();
                for n_machines in tables.n_initial.max(machine + 1)..tables.part_of.len() {
                    self.add_birth(creator, n_machines as u32);
                }
            }
        }
    }

    fn add_step(&mut self, value: u32, group: Group, step: CompiledStep) {
        let group = Group { room: step.target, takes: step.takes, ..group };
        self.add(value, group, step.next, step.letter);
    }

    /// Adds what creating a machine comes to where there are so many.
    pub(super) fn add_birth(&mut self, creator: Creator, n_machines: u32) {
        let key = (creator.group.part, creator.special, n_machines);
        if !self.compiled.tables().births.contains_key(&key) {
            self.compiled.supply(creator.missing(n_machines));
        }
        let (next, born) = self.compiled.tables().births[&key];
        self.add(creator.value, creator.group(n_machines), next, born);
    }

    /// Adds a step of a group: what becomes of the own part, and the letter that is sent or what becomes of the part of
    /// the machine that is created.
    fn add(&mut self, value: u32, group: Group, next: u32, given: u32) {
        let (part, queues) = (group.part, &self.compiled.tables().queues);
        let is_own = group.room != NONE && queues[group.room as usize].part == part;
        let (room, sent) = if is_own { (group.room, NONE) } else { (NONE, group.room) };
        let asked = Group { room: sent, takes: NONE, ..group };
        let gives = sent != NONE || group.n_machines.is_some();
        let own = Relation::Own { group: asked, given: if gives { given } else { NONE } };
        let n_before = self.rows.all.len();
        let relation = self.rows.all.intern(own);
        if relation == n_before {
            self.add_event(relation, &asked, given);
        }
        let steps = self.rows.steps[part as usize][value as usize].as_mut();
        let step = OwnStep { relation: relation as u32, next, room };
        steps.expect("the value is being met").push(step);
        self.rows.count(group, value);
    }

    fn add_event(&mut self, own: usize, group: &Group, given: u32) {
        let touch = |part, relation: usize| {
            let relation = relation as u32;
            Touch { level: self.levels.level(part), relation }
        };
        let mut touches = vec![touch(group.part, own)];
        for (part, share) in self.shares(group, given) {
            touches.push(touch(part, self.rows.all.intern(Relation::Other { part, share })));
        }
        self.events.add(Event::new(touches));
    }

    /// What other parts have to do with steps of a group that send nothing to the own part.
    fn shares(&self, group: &Group, given: u32) -> Vec<(u32, Share)> {
        let tables = self.compiled.tables();
        let part_of = |queue: u32| tables.queues[queue as usize].part;
        let mut shares: Vec<(u32, Share)> = Vec::new();
        let mut share = |part: u32, change: &dyn Fn(&mut Share)| {
            let known = shares.iter().position(|(of, _)| *of == part);
            let number = known.unwrap_or_else(|| {
                shares.push((part, Share::default()));
                shares.len() - 1
            });
            change(&mut shares[number].1);
        };
        if group.room != NONE {
            share(part_of(group.room), &|it| it.input = Some((group.room, given)));
        }
        if let Some((queue, _)) = group.gate {
            share(part_of(queue), &|it| it.gate = group.gate);
        }
        if let (Some(_), Some(watchers)) = (group.announces, &tables.watchers) {
            share(watchers.part, &|it| it.announces = group.announces);
        }
        if let Some(n_machines) = group.n_machines {
            let n_machines = n_machines as usize;
            share(tables.part_of[n_machines], &|it| it.born = Some(given));
            let last = tables.part_of[n_machines - 1];
            if n_machines > tables.n_initial && last != group.part {
                share(last, &|it| it.exists = true);
            }
        }
        shares
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
