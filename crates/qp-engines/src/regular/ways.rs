//! The ways on which controls were met, and the cycles on them.
//!
//! There are many simple cycles in a graph of controls, and the one that matters may be long. But if a search goes
//! round in one, it meets a control again: then the way from there is a cycle, which need not be looked for.

use qp_automata::loops::Effect;
use qp_base::{IndexVec, Map, define_index};

use super::cycles::effects;
use super::rounds::Round;
use super::world::{ControlId, Does};

define_index!(WayId, "y", "A way from the beginning.");

/// So far back a control is looked for.
const LENGTH_MAX: usize = 80;
/// So many cycles are kept for one control.
const CYCLES_MAX: usize = 12;

/// Ways as a tree.
#[derive(Default)]
pub(super) struct Ways {
    /// The way without its last step, what that step does, and where it leads.
    steps: IndexVec<WayId, (WayId, Does, ControlId)>,
    /// The cycles that were met, for each control.
    known: Map<ControlId, Vec<Vec<Effect>>>,
    /// Ways up to this one are not followed back.
    doubtful: usize,
}

impl Ways {
    /// The way without steps.
    pub(super) fn begin(&mut self, control: ControlId) -> WayId {
        let itself = WayId::new(self.steps.len());
        self.steps.push((itself, Does::default(), control))
    }

    /// A way with one more step.
    pub(super) fn go_on(&mut self, way: WayId, does: Does, to: ControlId) -> WayId {
        self.steps.push((way, does, to))
    }

    /// Takes back that steps can be taken whatever queues hold: they may hold more than was known.
    pub(super) fn doubt(&mut self) {
        self.doubtful = self.steps.len();
        self.known.clear();
    }

    /// The control to which a way leads.
    pub(super) fn end(&self, way: WayId) -> ControlId {
        self.steps[way].2
    }

    /// What cycles do to the queues of the control at the end of a way: those on this way and on ways before.
    pub(super) fn cycles(&mut self, way: WayId, n_queues: usize) -> Vec<Vec<Effect>> {
        let control = self.end(way);
        let found = self.last_cycle(way, n_queues);
        let known = self.known.entry(control).or_default();
        if let Some(found) = found
            && known.len() < CYCLES_MAX
            && !known.contains(&found)
        {
            known.push(found);
        }
        known.clone()
    }

    /// What the steps since the control at the end of a way was met the last time do to queues.
    fn last_cycle(&self, way: WayId, n_queues: usize) -> Option<Vec<Effect>> {
        let round = self.last_round(way)?;
        let effects = effects(round.iter().flat_map(|(does, _)| does.ops.iter()), n_queues);
        effects.iter().any(|it| *it != Effect::default()).then_some(effects)
    }

    /// The steps since the control at the end of a way was met the last time.
    pub(super) fn last_round(&self, way: WayId) -> Option<Round> {
        let (mut now, mut done) = (way, Vec::new());
        while done.len() < LENGTH_MAX {
            let (before, does, to) = self.steps[now].clone();
            if !does.is_plain || now.index() < self.doubtful {
                return None;
            }
            done.push((does, to));
            if self.end(before) == self.end(way) {
                done.reverse();
                return Some(done);
            }
            now = before;
        }
        None
    }
}
