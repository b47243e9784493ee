//! One attempt: everything that is reachable, blurred in one way.

use std::sync::{Arc, Mutex};

use qp_base::{Budget, Set};
use qp_claim::{ClosedSet, ListSet, QueueInvariant};
use qp_machines::{Config, MessageId, Model, Property, QueueId, Qutl, Relation, System, WordId};

use crate::search::any::{AnySearch, Stop};
use crate::search::evidence;
use crate::search::marks::Watch;
use crate::search::space::Space;

use super::blur::{Doubt, Lists, Notes, lock};
use crate::lists::Look;

/// Longer queues are not shown by invariants.
const LENGTH_MAX: u32 = 100;

/// What is tried.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    pub(super) look: Look,
    /// What is taken to be true of queues.
    pub(super) invariants: Vec<QueueInvariant>,
    /// How many of the invariants, from the first on, are believed without proof.
    pub(super) believed: usize,
}

/// What may be spent on one attempt.
#[derive(Clone, Copy)]
pub(super) struct Means<'a> {
    pub(super) budget: &'a Budget,
    pub(super) jobs: usize,
    /// Larger sets are of no use.
    pub(super) states_max: usize,
}

/// A blurred search.
pub(super) struct Attempt {
    pub(super) trial: Trial,
    space: Space,
    search: AnySearch,
    watched: Vec<Property>,
    notes: Notes,
    stop: Option<Stop>,
}

impl Attempt {
    /// Visits everything, or what it takes to see that nothing can be proved. `None` if configurations have
    /// too many parts.
    pub(super) fn new(
        model: &Model,
        trial: Trial,
        properties: &[Property],
        means: Means<'_>,
    ) -> Option<Self> {
        let notes = Arc::new(Mutex::new(Notes::default()));
        lock(&notes).broken.extend(broken_at_first(&trial.invariants, trial.believed));
        let lists = Lists::new(trial.look, trial.invariants.clone(), notes.clone());
        let system = model.system().over(Box::new(lists));
        let (watch, _) = Watch::new(properties, model.outline());
        let watched = watch.properties().to_vec();
        let mut space = Space::new(system, watch);
        let search = AnySearch::new(&mut space, u32::MAX, means.jobs)?;
        let all_are_watched = watched.len() == properties.len();
        let mut enough = |n: usize, hits: &[Option<u32>; 64]| {
            let notes = lock(&notes);
            let breaks = notes.broken.iter().any(|&number| number >= trial.believed);
            let hopeless = all_are_watched && hits[..watched.len()].iter().all(Option::is_some);
            let refused = notes.doubt.is_some() || notes.too_wide;
            n > means.states_max || breaks || hopeless || refused
        };
        let (search, end) = search.run(&mut space, means.budget, &mut enough);
        let notes = lock(&notes).clone();
        Some(Self { trial, space, search, watched, notes, stop: end.err() })
    }

    /// The invariants that a step may break, of those that are not believed.
    pub(super) fn broken(&self) -> Vec<usize> {
        let proved = self.notes.broken.iter().filter(|&&number| number >= self.trial.believed);
        proved.copied().collect()
    }

    /// What depends on more than is told apart.
    pub(super) fn doubt(&self) -> Option<Doubt> {
        self.notes.doubt
    }

    /// Why not everything was visited, but for what is in the way.
    pub(super) fn stop(&self) -> Option<Stop> {
        let is_hit = (0..self.watched.len()).any(|bit| self.hit(bit).is_some());
        self.stop.filter(|&stop| stop != Stop::Enough || !is_hit)
    }

    /// Whether the set is complete and shows the property; invariants that are believed are another matter.
    pub(super) fn shows(&mut self, property: Property) -> bool {
        let complete = self.stop.is_none() && self.search.gave_up().is_none();
        let refused = self.notes.doubt.is_some() || self.notes.too_wide;
        if !complete || refused || !self.broken().is_empty() {
            return false;
        }
        match property {
            Property::Bounded => self.longest().iter().all(Option::is_some),
            Property::Length(queue, bound) => {
                let longest = self.longest();
                longest.get(queue.index()).is_none_or(|&n| n.is_some_and(|n| n <= bound))
            }
            _ => {
                let bit = self.watched.iter().position(|&p| p == property);
                bit.is_some_and(|bit| self.hit(bit).is_none())
            }
        }
    }

    /// Whether the interpreter gave up somewhere.
    pub(super) fn gave_up(&mut self) -> Option<Config> {
        self.search.gave_up().map(|place| self.space.config(&self.search.values(place)))
    }

    /// The way to a configuration that violates the property.
    pub(super) fn way(&mut self, property: Property) -> Option<Vec<Config>> {
        let bit = self.watched.iter().position(|&p| p == property)?;
        let place = self.hit(bit)?;
        Some(self.search.way(&mut self.space, place))
    }

    pub(super) fn space(&mut self) -> &mut Space {
        &mut self.space
    }

    /// One configuration as plain data.
    pub(super) fn situation(&mut self, config: &Config) -> ClosedSet {
        evidence::single(&mut self.space, config)
    }

    /// The set as evidence.
    pub(super) fn evidence(&mut self) -> ListSet {
        ListSet {
            set: self.search.closed_set(&mut self.space),
            prefix: self.trial.look.prefix,
            counted: self.trial.look.counted,
            invariants: self.trial.invariants.clone(),
        }
    }

    /// How many configurations look different.
    pub(super) fn len(&self) -> usize {
        self.search.len()
    }

    pub(super) fn transitions(&self) -> u64 {
        self.search.transitions()
    }

    pub(super) fn bytes(&self) -> u64 {
        self.search.bytes() + self.space.bytes()
    }

    fn hit(&self, bit: usize) -> Option<u32> {
        self.search.hits()[bit]
    }

    /// For each queue: the greatest length, if there is one. Where more messages of a kind look like one, an invariant
    /// may say how many there can be.
    pub(super) fn longest(&mut self) -> Vec<Option<u32>> {
        let (look, space) = (self.trial.look, &mut self.space);
        let mut met: Vec<Set<WordId>> = Vec::new();
        self.search.each(0..self.search.len(), |values| {
            let config = space.config(values);
            met.resize(met.len().max(config.words.len()), Set::default());
            for (met, &word) in met.iter_mut().zip(&config.words) {
                met.insert(word);
            }
        });
        let (invariants, system) = (&self.trial.invariants, &*self.space.system());
        let longest = |(queue, met): (usize, Set<WordId>)| {
            let mine = |it: &&QueueInvariant| it.queue.index() == queue;
            let mine: Vec<&QueueInvariant> = invariants.iter().filter(mine).collect();
            let most = |message| most(system, &mine, message);
            let lengths: Option<Vec<u32>> = met
                .iter()
                .map(|&word| look.of(&system.words().messages(word)).longest(look, most))
                .collect();
            let longest = lengths.map(|lengths| lengths.into_iter().max().unwrap_or(0));
            longest.filter(|&length| length <= LENGTH_MAX)
        };
        met.into_iter().enumerate().map(longest).collect()
    }
}

/// How many messages of a kind a queue can hold, as one of its invariants says.
fn most(system: &System, invariants: &[&QueueInvariant], message: MessageId) -> Option<u32> {
    let text = system.program().message_text(message);
    let most = invariants.iter().filter_map(|it| match &it.formula {
        Qutl::Count(name, Relation::AtMost | Relation::Equal, n) if Qutl::names(name, &text) => {
            Some(*n)
        }
        _ => None,
    });
    most.min()
}

/// Invariants that do not hold of the empty content, in which every queue begins.
fn broken_at_first(invariants: &[QueueInvariant], believed: usize) -> impl Iterator<Item = usize> {
    let numbered = invariants.iter().enumerate().skip(believed);
    let broken = numbered.filter(|(_, it)| !it.formula.holds::<QueueId>(&[], &mut |_, _| false));
    broken.map(|(number, _)| number)
}
