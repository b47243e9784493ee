//! The automata whose words are sequences of sends, made as far as somebody looks.

use std::sync::Arc;

use qp_base::Interner;
use qp_machines::{Config, Event, Outcome};

use super::world::{SendId, Stop, World, sent};

/// What is told apart of queues.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum View {
    /// Everything, and no queue holds more than so many messages.
    Short(u32),
    /// So many messages at the front.
    Lists(u32),
}

/// What one step leads to: with a send or without.
pub(super) type Edge = (Option<SendId>, u32);

/// An automaton; all of its states accept.
pub(super) struct Automaton {
    view: View,
    rows: Interner<usize, Config>,
    edges: Vec<Option<Arc<[Edge]>>>,
    /// Whether some send was not possible because a queue was full.
    pub(super) is_cut: bool,
    rows_max: usize,
}

impl Automaton {
    pub(super) fn new(world: &mut World<'_>, view: View, rows_max: usize) -> Self {
        let mut rows = Interner::new();
        rows.intern(world.start.clone());
        Self { view, rows, edges: Vec::new(), is_cut: false, rows_max }
    }

    /// The states met so far.
    pub(super) fn rows(&self) -> &[Config] {
        self.rows.values()
    }

    pub(super) fn edges(&mut self, world: &mut World<'_>, row: u32) -> Result<Arc<[Edge]>, Stop> {
        if let Some(Some(known)) = self.edges.get(row as usize) {
            return Ok(known.clone());
        }
        let config = self.rows.value(row as usize).clone();
        let mut edges = Vec::new();
        match self.view {
            View::Short(bound) => {
                for (send, outcome) in world.steps(&config)? {
                    for after in self.room(world, bound, outcome) {
                        edges.push((send, self.rows.intern(after) as u32));
                    }
                }
            }
            View::Lists(prefix) => {
                for (send, after) in world.blurred(&config, prefix)? {
                    edges.push((send, self.rows.intern(after) as u32));
                }
            }
        }
        if self.rows.len() > self.rows_max {
            return Err(Stop::TooMuch);
        }
        edges.sort_unstable();
        edges.dedup();
        let edges: Arc<[Edge]> = edges.into();
        let needed = self.edges.len().max(row as usize + 1);
        self.edges.resize(needed, None);
        self.edges[row as usize] = Some(edges.clone());
        Ok(edges)
    }

    /// Whether no queue is ever full: everything that can be reached was looked at.
    pub(super) fn is_complete(&mut self, world: &mut World<'_>) -> Result<bool, Stop> {
        let mut row = 0;
        while row < self.rows.len() && !self.is_cut {
            self.edges(world, row as u32)?;
            row += 1;
        }
        Ok(!self.is_cut)
    }

    /// What a step comes to if there is room for what it sends: with queues of length 0, it is taken at once.
    fn room(&mut self, world: &mut World<'_>, bound: u32, outcome: Outcome) -> Vec<Config> {
        let put = outcome.events().find_map(|event| match event {
            Event::Sent { queue, message } => Some((queue, message)),
            _ => None,
        });
        let after = outcome.config;
        if let (Some((queue, message)), 0) = (put, bound) {
            self.is_cut = true;
            let took = Event::Took { queue, message, position: 0, kept: false };
            let machine = |outcome: &Outcome| outcome.step.machine;
            let takes = |it: &Outcome| {
                let silent = it.events().all(|event| sent(machine(it), event).is_none());
                it.event == took && silent && it.config.holder.is_none()
            };
            let next = world.system.successors(&after).into_iter();
            return next.filter(takes).map(|it| it.config).collect();
        }
        let words = world.system.words();
        let fits = after.words.iter().all(|&word| words.len(word) <= bound as usize);
        self.is_cut |= !fits;
        if fits { vec![after] } else { Vec::new() }
    }
}
