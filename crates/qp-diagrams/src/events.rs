//! Events: what can happen to a tuple.

use qp_base::Map;

/// An event of an [`Events`] table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EventId(pub u32);

/// What an event does to one level.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Touch {
    /// The level, counted from the lowest.
    pub level: usize,
    /// The relation between the values there before and after, by the number that [`Moves::next`] knows.
    pub relation: u32,
}

/// Something that can happen to a tuple if it is possible at every level that it touches. Other levels are
/// as they were.
///
/// Invariant: levels are touched once each, from the highest to the lowest, and at least one is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Event(Vec<Touch>);

impl Event {
    /// An event that touches these levels, given in any order.
    pub fn new(mut touches: Vec<Touch>) -> Self {
        touches.sort_unstable_by_key(|touch| std::cmp::Reverse(touch.level));
        assert!(!touches.is_empty(), "an event touches something");
        assert!(
            touches.windows(2).all(|pair| pair[0].level > pair[1].level),
            "an event touches a level once"
        );
        Self(touches)
    }

    /// What it does, from the highest level to the lowest.
    pub fn touches(&self) -> &[Touch] {
        &self.0
    }
}

/// All events that are known.
#[derive(Clone, Debug, Default)]
pub struct Events {
    all: Vec<Event>,
    known: Map<Event, EventId>,
    /// For each level: the events whose highest level it is.
    by_top: Vec<Vec<EventId>>,
}

impl Events {
    /// Adds an event, unless it is known.
    pub fn add(&mut self, event: Event) -> EventId {
        let (n_known, top) = (self.all.len(), event.0[0].level);
        let id = self.add_apart(event);
        if id.0 as usize == n_known {
            if top >= self.by_top.len() {
                self.by_top.resize(top + 1, Vec::new());
            }
            self.by_top[top].push(id);
        }
        id
    }

    /// Adds an event, unless it is known, under which sets are not closed: it happens only when it is asked for.
    pub fn add_apart(&mut self, event: Event) -> EventId {
        let next = EventId(self.all.len() as u32);
        let id = *self.known.entry(event.clone()).or_insert(next);
        if id == next {
            self.all.push(event);
        }
        id
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// All of them, in the order in which they were added.
    pub fn ids(&self) -> impl Iterator<Item = EventId> + use<> {
        (0..self.all.len() as u32).map(EventId)
    }

    /// What an event is.
    pub fn event(&self, id: EventId) -> &Event {
        &self.all[id.0 as usize]
    }

    /// The event with this number among those whose highest level this is.
    pub(crate) fn at_top(&self, level: u32, number: usize) -> Option<EventId> {
        self.by_top.get(level as usize)?.get(number).copied()
    }

    /// What an event does at the highest level that it touches up to this one.
    pub(crate) fn touch(&self, id: EventId, place: usize) -> Option<Touch> {
        self.all[id.0 as usize].0.get(place).copied()
    }
}

/// What events do to values, worked out when asked.
pub trait Moves {
    /// Says that a value is about to be in a set at a level. Events that it makes possible may be added now.
    ///
    /// An event that is added must be impossible for all tuples of values that were met before: otherwise sets
    /// that are finished already would have to be opened again.
    fn meet(&mut self, level: usize, value: u32, events: &mut Events);

    /// Appends the values that a relation leads to from a value. Always the same for the same question, until
    /// [`Diagrams::forget_moves`](crate::Diagrams::forget_moves) is called.
    fn next(&mut self, relation: u32, value: u32, found: &mut Vec<u32>);

    /// Whether a relation leads anywhere from a value. It is asked before [`Moves::next`], which is only asked where
    /// the whole event is possible; so values that nothing leads to are not made.
    fn leads(&mut self, relation: u32, value: u32) -> bool {
        let mut found = Vec::new();
        self.next(relation, value, &mut found);
        !found.is_empty()
    }

    /// Whether the time was up when a value was met: working it out may take long.
    fn is_late(&self) -> bool {
        false
    }

    /// Asked now and then: whether to go on, with the number of nodes and bytes in use.
    fn may_go_on(&mut self, n_nodes: usize, bytes: u64) -> bool;
}
