//! Where relations come from: what diagrams have to know of the steps of a system.
//!
//! A step asks something of a few parts, each for itself, and changes a few parts, each for itself. So it is an event,
//! and where somebody can do something of a kind is a list of conditions on single parts. Everything else (closing a set,
//! what violates something, what can never happen again, shortest runs) is worked out from these.

use qp_base::Budget;
use qp_diagrams::{EventId, Events, Set};

use super::super::marks::{Ends, Watch};
use super::super::space::Space;
use super::super::turns::relations::Trees;
use super::Obstacle;
use super::filter::Filter;
use super::order::Levels;
use super::rows::Rows;
use super::store::Store;
use crate::Order;

/// Something that somebody may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Steps that lead somewhere within the bound, as often as there are.
    Steps,
    /// Sends to this queue that are cut.
    Cut(usize),
    /// What comes to one of these ends.
    Ends(Ends),
    /// Whatever the machine of a part, or anybody, can do: sends that only a bound would cut count.
    Acts(Option<usize>),
    /// A message is taken from this queue.
    Takes(usize),
    /// A message is taken from behind others.
    Skips,
    /// Whatever is not known on from here: cut sends, and where the interpreter gives up.
    Open,
}

impl Kind {
    /// The ends that are meant.
    pub(crate) fn ends(self) -> Ends {
        match self {
            Self::Ends(ends) => ends,
            Self::Acts(_) => Ends::ANY,
            Self::Open => Ends::GAVE_UP,
            Self::Steps | Self::Cut(_) | Self::Takes(_) | Self::Skips => Ends::NONE,
        }
    }
}

/// Where somebody can do something.
pub(crate) struct Case {
    pub(crate) filter: Filter,
    /// The machine that does it, if it waits for a timeout.
    pub(crate) timeout: Option<usize>,
}

/// What is asked of the values of a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Look {
    /// They have this mark.
    Marked(u128),
    Unmarked(u128),
    /// This queue holds more than so many messages.
    Longer(usize, u32),
    /// Somebody is there.
    Exists,
}

/// Where events happen.
pub(crate) struct Scene<'a> {
    pub(crate) space: &'a mut Space,
    pub(crate) levels: &'a Levels,
    pub(crate) bound: u32,
}

/// Where relations come from.
pub(crate) trait Source: Send {
    /// The orders of levels to try, the most promising first.
    fn orders(&self, space: &mut Space, order: Order) -> Vec<Levels>;

    /// Work of the first attempts to compare orders where queues hold one message at most, if that helps.
    fn trial_work(&self) -> Option<u64>;

    /// Work of an attempt with the order of this rank in a round, which begin with 1; nothing if it has to wait.
    fn allowance(&self, round: u32, rank: usize) -> Option<u64>;

    /// Makes levels and events of what has been learnt, before a set is closed.
    fn prepare(&mut self, _: &mut Store, _: &mut Space) -> Result<(), Obstacle> {
        Ok(())
    }

    /// A value is about to be in a set at a level: its events are added. Says whether that was any work.
    fn meet(
        &mut self,
        scene: &mut Scene<'_>,
        level: usize,
        value: u32,
        events: &mut Events,
    ) -> bool;

    /// Appends the values that a relation leads to from a value.
    fn next(&mut self, scene: &mut Scene<'_>, relation: u32, value: u32, found: &mut Vec<u32>);

    /// Whether a relation leads anywhere from a value.
    fn leads(&mut self, scene: &mut Scene<'_>, relation: u32, value: u32) -> bool;

    /// Looks for what else can happen in a set that is closed; says whether it has to be closed again.
    fn grow(
        &mut self,
        store: &mut Store,
        space: &mut Space,
        budget: &Budget,
    ) -> Result<bool, Obstacle>;

    /// All events under which sets are closed, with the machine that has to wait for a timeout if one does.
    fn happenings(&self, events: &Events) -> Vec<(EventId, Option<usize>)> {
        events.ids().map(|event| (event, None)).collect()
    }

    /// The configurations in which a machine may take a step with a timeout.
    fn may_time_out(&mut self, _: &mut Store, _: &mut Space, _: usize) -> Result<Set, Obstacle> {
        Ok(Set::EMPTY)
    }

    /// Where somebody does something of a kind.
    fn cases(&mut self, store: &mut Store, space: &mut Space, kind: Kind) -> Vec<Case>;

    /// The configurations in which nobody can do anything.
    fn still(&mut self, store: &mut Store, space: &mut Space) -> Result<Set, Obstacle>;

    /// The values of a part of which something holds, as far as they may be in a set.
    fn table(&self, space: &mut Space, part: usize, look: Look) -> Vec<u32>;

    /// The part of a queue, if it was met.
    fn part_of(&self, space: &mut Space, queue: usize) -> Option<usize>;

    /// What is watched, and the marks that those have who were never met.
    fn watch<'a>(&self, space: &'a mut Space) -> (&'a Watch, u128);

    /// The values of the parts of all configurations that follow one of the set within the bound.
    fn successors(&mut self, store: &Store, space: &mut Space, values: &[u32]) -> Vec<Vec<u32>>;
}

/// What there is for a space, with nothing known yet.
pub(super) fn source(space: &Space) -> Box<dyn Source> {
    match space {
        Space::Compiled(_) => Box::new(Rows::default()),
        Space::Turns(_) => Box::new(Trees::default()),
    }
}

pub(crate) fn wrong_space() -> ! {
    unreachable!("bug in Queueproof: there are no such diagrams of this system")
}
