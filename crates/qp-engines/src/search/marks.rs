//! What a search watches for, as bits.
//!
//! A configuration is looked at part by part. Some things hold as soon as one part has them (a failure, an
//! unhandled message): their bits are joined. Others need every part (each condition of a bad
//! situation, every machine being allowed to rest): their bits are met.

use qp_machines::{Atom, Config, Event, MachineId, Outline, Program, Property, QueueId, System};

/// The most cases of bad situations that fit beside the resting bit.
const CASES_MAX: usize = 127;
/// The bit of parts whose machine may rest.
pub(crate) const RESTS: u128 = 1 << 127;

/// Which properties a search watches, each with a bit.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    properties: Vec<Property>,
    /// For each case of a bad situation: the property it belongs to, and its atoms.
    cases: Vec<(usize, Vec<Atom>)>,
}

/// What one part of a configuration says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Marks {
    /// What the steps that lead nowhere come to.
    pub(crate) ends: Ends,
    /// One bit per case, and the resting bit.
    pub(crate) all: u128,
}

impl Marks {
    pub(crate) const NEUTRAL: Self = Self { ends: Ends::NONE, all: u128::MAX };

    #[inline]
    pub(crate) fn join(&mut self, other: &Self) {
        self.ends.join(other.ends);
        self.all &= other.all;
    }
}

/// Which kinds of steps that lead nowhere there are: failures, by the property they violate, and steps
/// of which the interpreter does not know where they lead. And whether somebody does not know what to do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Ends(u8);

impl Ends {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const GAVE_UP: Self = Self(1);
    /// No step, but a machine that is at a loss about a message.
    pub(crate) const AT_A_LOSS: Self = Self(16);
    /// Every step that leads nowhere.
    pub(crate) const ANY: Self = Self(!Self::AT_A_LOSS.0);

    /// What a step comes to, if it leads nowhere.
    pub(crate) fn of(program: &dyn Program, event: Event) -> Option<Self> {
        match event {
            Event::Failed { failure } => Some(Self::failing(program.failure(failure).property)),
            Event::GaveUp { .. } => Some(Self::GAVE_UP),
            _ => None,
        }
    }

    fn failing(property: Property) -> Self {
        match property {
            Property::Assert => Self(2),
            Property::Unhandled => Self(4),
            Property::Divergence => Self(8),
            _ => unreachable!("bug in Queueproof: no failure violates {property:?}"),
        }
    }

    #[inline]
    pub(crate) fn join(&mut self, other: Self) {
        self.0 |= other.0;
    }

    #[inline]
    pub(crate) fn any(self) -> bool {
        self.has(Self::ANY)
    }

    #[inline]
    pub(crate) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Those that violate a property.
    pub(crate) fn violating(property: Property) -> Self {
        let mut ends = Self::failing(property);
        if property == Property::Unhandled {
            ends.join(Self::AT_A_LOSS);
        }
        ends
    }
}

impl Watch {
    /// Watches what a search of single configurations can see. The second list is what is left out
    /// because there are more cases than bits.
    pub(crate) fn new(properties: &[Property], outline: &Outline) -> (Self, Vec<Property>) {
        let mut watch = Self { properties: Vec::new(), cases: Vec::new() };
        let mut left_out = Vec::new();
        for &property in properties {
            let number = watch.properties.len();
            match property {
                Property::Assert
                | Property::Unhandled
                | Property::Deadlock
                | Property::Divergence => {}
                Property::Reach(bad) => {
                    let cases = &outline.bad[bad].cases;
                    if watch.cases.len() + cases.len() > CASES_MAX || number == 64 {
                        left_out.push(property);
                        continue;
                    }
                    watch.cases.extend(cases.iter().map(|case| (number, case.clone())));
                }
                _ => continue,
            }
            watch.properties.push(property);
        }
        (watch, left_out)
    }

    /// The properties, in the order of their bits.
    pub(crate) fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// The cases of the bad situation with this bit, each with the bit that marks it.
    pub(crate) fn cases(&self, bit: usize) -> impl Iterator<Item = u128> {
        let cases = self.cases.iter().enumerate().filter(move |(_, (of, _))| *of == bit);
        cases.map(|(case, _)| 1 << case)
    }

    /// Stops watching what `answered` says yes to.
    pub(crate) fn retain(&mut self, wanted: impl Fn(Property) -> bool) {
        let keep: Vec<bool> = self.properties.iter().map(|&p| wanted(p)).collect();
        let renumber: Vec<usize> =
            (0..keep.len()).map(|i| keep[..i].iter().filter(|k| **k).count()).collect();
        self.cases.retain_mut(|(number, _)| {
            let kept = keep[*number];
            *number = renumber[*number];
            kept
        });
        self.properties.retain(|&p| wanted(p));
    }

    /// Whether a bad situation names a queue: otherwise there is nothing to say about it.
    pub(crate) fn names(&self, queue: QueueId) -> bool {
        let mut atoms = self.cases.iter().flat_map(|(_, atoms)| atoms);
        atoms.any(|atom| matches!(atom, Atom::Content(named, _) if *named == queue))
    }

    /// The marks of the part that consists of these machines and queues, but for what its steps say. Everything else
    /// in `config` is ignored.
    pub(crate) fn marks(
        &self,
        system: &mut System,
        config: &Config,
        machines: &[MachineId],
        queues: &[QueueId],
    ) -> Marks {
        let mut marks = Marks::NEUTRAL;
        for (bit, (_, atoms)) in self.cases.iter().enumerate() {
            let mine = |atom: &&Atom| match atom {
                Atom::Control(machine, _) => machines.contains(machine),
                Atom::Content(queue, _) => queues.contains(queue),
            };
            if !atoms.iter().filter(mine).all(|atom| atom.holds(system, config)) {
                marks.all &= !(1 << bit);
            }
        }
        for &machine in machines {
            if !system.program().may_rest(machine, config.local(machine)) {
                marks.all &= !RESTS;
            }
        }
        marks
    }

    /// The marks of a part whose machine does not exist: nothing that is named of it holds.
    pub(crate) fn absence(&self, machines: &[MachineId], queues: &[QueueId]) -> Marks {
        let mut marks = Marks::NEUTRAL;
        for (bit, (_, atoms)) in self.cases.iter().enumerate() {
            let absent = |atom: &Atom| match atom {
                Atom::Control(machine, _) => machines.contains(machine),
                Atom::Content(queue, _) => queues.contains(queue),
            };
            if atoms.iter().any(absent) {
                marks.all &= !(1 << bit);
            }
        }
        marks
    }

    /// Takes back the cases that name a machine or queue which does not exist in `config`: nothing is
    /// true of it, and no part has said so.
    pub(crate) fn without_absent(&self, marks: &mut Marks, config: &Config) {
        for (bit, (_, atoms)) in self.cases.iter().enumerate() {
            let absent = |atom: &Atom| match atom {
                Atom::Control(machine, _) => machine.index() >= config.locals.len(),
                Atom::Content(queue, _) => queue.index() >= config.words.len(),
            };
            if atoms.iter().any(absent) {
                marks.all &= !(1 << bit);
            }
        }
    }

    /// Whether there may be something to say about a configuration, beyond what its steps say.
    #[inline]
    pub(crate) fn needs_marks(&self, can_step: bool, ends: Ends) -> bool {
        !self.properties.is_empty() && (!can_step || ends != Ends::NONE || !self.cases.is_empty())
    }

    /// The bits of the properties that a configuration violates, from the marks of all its parts.
    #[inline]
    pub(crate) fn hits(&self, marks: &Marks, can_step: bool) -> u64 {
        let nothing_bad = self.cases.is_empty() || marks.all & !RESTS == 0;
        if nothing_bad && marks.ends == Ends::NONE && can_step {
            return 0;
        }
        let mut hits = 0;
        for (bit, property) in self.properties.iter().enumerate() {
            let hit = match property {
                Property::Assert | Property::Unhandled | Property::Divergence => {
                    marks.ends.has(Ends::violating(*property))
                }
                Property::Deadlock => !can_step && !marks.ends.any() && marks.all & RESTS == 0,
                Property::Reach(_) => {
                    let mut cases = self.cases.iter().enumerate();
                    cases.any(|(case, (of, _))| *of == bit && marks.all >> case & 1 == 1)
                }
                _ => false,
            };
            hits |= u64::from(hit) << bit;
        }
        hits
    }
}
