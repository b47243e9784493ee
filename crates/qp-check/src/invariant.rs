//! What a property asks of configurations, and the argument that nothing in a cover violates it.

use qp_machines::{Property, QueueId, System};

use crate::Checked;
use crate::cover::Cover;

/// What may be wrong with configurations. This is the one place where properties become questions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Question {
    /// A step runs into a failure that violates the property.
    Fails(Property),
    /// Somebody is at a loss about a message.
    Lost,
    /// Nobody can move, and somebody may not rest.
    Dead,
    /// The bad situation with this number.
    Bad(usize),
    /// A queue holds more than so many messages.
    Longer(QueueId, u32),
    /// A queue has no greatest length.
    Unbounded,
    /// A machine never moves again, and may not rest.
    Stuck,
    /// From a queue that is not empty nothing is ever taken again.
    Orphan,
    /// Not about configurations one by one, but about sets of them that are closed in another way: whether runs are not
    /// made of rounds.
    Crosses,
    /// About runs or about everything at once. No cover answers it.
    Beyond,
}

impl Question {
    /// What must not be for a property to hold.
    pub(crate) fn all(property: Property) -> Vec<Self> {
        vec![match property {
            Property::Assert | Property::Divergence => Self::Fails(property),
            Property::Unhandled => return vec![Self::Fails(property), Self::Lost],
            Property::Deadlock => Self::Dead,
            Property::Reach(number) => Self::Bad(number),
            Property::Length(queue, bound) => Self::Longer(queue, bound),
            Property::Bounded => Self::Unbounded,
            Property::Stuck => Self::Stuck,
            Property::Orphan => Self::Orphan,
            Property::Sync => Self::Crosses,
            Property::Livelock
            | Property::Accept
            | Property::Live
            | Property::Ltl(_)
            | Property::Possible(_)
            | Property::Sendlang => Self::Beyond,
        }]
    }
}

/// Checks that nothing in a cover violates a property.
pub(crate) fn check(cover: &mut dyn Cover, system: &mut System, property: Property) -> Checked<()> {
    Question::all(property).into_iter().try_for_each(|question| cover.never(system, question))
}
