//! The automata whose words are sequences of sends, made as far as somebody looks.

use std::sync::Arc;

use qp_base::Interner;
use qp_machines::{Config, Event};

use super::lists::{push, take};
use super::world::{SendId, Stop, World};

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
        rows.intern(world.system.initial());
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
        for (send, outcome) in world.steps(&config)? {
            for after in self.results(world, &config, outcome.event, outcome.config) {
                edges.push((send, self.rows.intern(after) as u32));
            }
        }
        if self.rows.len() > self.rows_max {
            return Err(Stop::TooLarge);
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

    fn results(
        &mut self,
        world: &mut World<'_>,
        before: &Config,
        event: Event,
        after: Config,
    ) -> Vec<Config> {
        let words = world.system.words();
        match (self.view, event) {
            (View::Short(0), Event::Sent { queue, message }) => {
                let took = Event::Took { queue, message, position: 0, kept: false };
                let next = world.system.successors(&after).into_iter();
                let next: Vec<Config> =
                    next.filter(|it| it.event == took).map(|it| it.config).collect();
                self.is_cut = true;
                next
            }
            (View::Short(bound), Event::Sent { queue, .. }) => {
                let fits = words.len(after.word(queue)) <= bound as usize;
                self.is_cut |= !fits;
                if fits { vec![after] } else { Vec::new() }
            }
            (View::Lists(prefix), Event::Sent { queue, message }) => {
                let list = words.messages(before.word(queue));
                let list = push(&list, prefix as usize, message);
                let mut after = after;
                after.words[queue.index()] = world.system.words_mut().intern(&list);
                vec![after]
            }
            (View::Lists(prefix), Event::Took { queue, position, kept: false, .. }) => {
                let list = words.messages(before.word(queue));
                let lists = take(&list, prefix as usize, position as usize);
                let words = world.system.words_mut();
                let with = |list: &Vec<_>| {
                    let mut after = after.clone();
                    after.words[queue.index()] = words.intern(list);
                    after
                };
                lists.iter().map(with).collect()
            }
            _ => vec![after],
        }
    }
}
