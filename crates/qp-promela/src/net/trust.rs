//! What processes may go on knowing of shared variables while others move.
//!
//! A process that knows the value of a cell goes on knowing it if nobody else ever changes that value to another
//! one. That is taken for granted at first. When everything is followed, those steps are looked for that speak
//! against it; then it is all done again without what they speak against. Of a run that the last net does not
//! have, the first step that it lacks would be by a process that believes something wrong: then somebody else
//! has changed the value before, with a step that the net has and that was not found to speak against it.

use qp_base::Set;
use qp_dataflow::{Direction, Graph, reach};
use qp_front_promela::spec::ProcId;
use qp_machines::{MachineId, SpotId};

use super::flow::{Cells, CopyId, Effect, Flow, Step};

/// What a copy of a proctype is known by: the process, or its arguments.
pub(super) type CopyKey = (ProcId, Option<MachineId>, Cells);

/// More attempts than this are not made to find out what processes may go on knowing.
const ROUNDS_MAX: usize = 12;

/// What processes do not go on knowing.
#[derive(Default)]
pub(super) struct Doubts {
    found: Set<(CopyKey, usize, i32)>,
    n_rounds: usize,
}

impl Doubts {
    /// Whether processes of a copy forget that a cell has a value as soon as others move.
    pub(super) fn contains(&self, copy: &CopyKey, cell: usize, value: i32) -> bool {
        self.n_rounds > ROUNDS_MAX || self.found.contains(&(copy.clone(), cell, value))
    }

    /// Notes what was taken for granted and is not so.
    pub(super) fn add(&mut self, found: Vec<(CopyKey, usize, i32)>) {
        self.n_rounds += 1;
        self.found.extend(found);
    }
}

/// What was taken for granted where it is not so.
pub(super) fn mistakes(flow: &Flow<'_>) -> Vec<(CopyKey, usize, i32)> {
    let mut relied: Vec<_> = flow.relied.iter().copied().collect();
    relied.sort_unstable();
    let changes: Vec<&Step> = flow.steps.iter().filter(|it| !it.shifts.is_empty()).collect();
    let mut look = Look { flow, births: flow.copies.ids().map(|_| None).collect() };
    let mut found = Vec::new();
    for (copy, cell, value) in relied {
        let takes = |step: &&&Step| step.shifts.contains(&(cell, value, -1));
        let mut takers = changes.iter().filter(takes);
        if takers.any(|step| look.may_be_while(step, copy)) {
            found.push((flow.copies[copy].key.clone(), cell, value));
        }
    }
    found
}

struct Look<'a> {
    flow: &'a Flow<'a>,
    /// What is known of how processes of each copy come to be, once it was asked for.
    births: Vec<Option<Birth>>,
}

/// How processes of a copy come to be.
#[derive(Clone)]
enum Birth {
    /// There is one from the beginning.
    First,
    /// At most one is ever created, by a process of this copy; then that process may come to these places.
    Once(CopyId, Set<SpotId>),
    /// There may be many.
    Often,
}

impl Look<'_> {
    /// Whether a step may be made by another process while there is one of a copy.
    fn may_be_while(&mut self, step: &Step, copy: CopyId) -> bool {
        let by = self.flow.spots.value(step.from).copy;
        match self.birth(copy) {
            Birth::Often => true,
            Birth::First => by != copy,
            Birth::Once(parent, behind) => {
                by != copy && (by != parent || behind.contains(&step.from))
            }
        }
    }

    fn birth(&mut self, copy: CopyId) -> Birth {
        if let Some(birth) = &self.births[copy.index()] {
            return birth.clone();
        }
        // Copies that create each other are many.
        self.births[copy.index()] = Some(Birth::Often);
        let birth = self.look(copy);
        self.births[copy.index()] = Some(birth.clone());
        birth
    }

    fn look(&mut self, copy: CopyId) -> Birth {
        if self.flow.copies[copy].machine.is_some() {
            return Birth::First;
        }
        let starts = |step: &&Step| step.effect == Effect::Starts(copy);
        let mut all = self.flow.steps.iter().filter(starts);
        let (Some(step), None) = (all.next(), all.next()) else { return Birth::Often };
        let parent = self.flow.spots.value(step.from).copy;
        let behind = self.behind(step);
        let is_once = !behind.contains(&step.from) && !matches!(self.birth(parent), Birth::Often);
        if is_once { Birth::Once(parent, behind) } else { Birth::Often }
    }

    /// The places to which a process may come behind a step.
    fn behind(&self, step: &Step) -> Set<SpotId> {
        let parent = self.flow.spots.value(step.from).copy;
        let of_parent = |it: &&Step| self.flow.spots.value(it.from).copy == parent;
        let mut successors = vec![Vec::new(); self.flow.spots.len()];
        for step in self.flow.steps.iter().filter(of_parent) {
            successors[step.from.index()].extend(step.to.map(SpotId::index));
        }
        let reached =
            reach(&Graph::new(successors), Direction::Forward, step.to.map(SpotId::index));
        let all = reached.iter().enumerate().filter(|(_, it)| **it);
        all.map(|(spot, _)| SpotId::new(spot)).collect()
    }
}
