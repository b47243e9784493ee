//! Sets as decision diagrams, for the two ways of expanding configurations that have them.

use num_bigint::BigUint;
use qp_base::Budget;
use qp_diagrams::Set;

use super::super::compiled::Compiled;
use super::super::drawn::Drawn;
use super::super::space::Space;
use super::super::turns::Turns;
use super::super::turns::symbolic::TurnSet;
use super::eventual::Eventual;
use super::{Effort, Obstacle, Symbolic};

/// Work that is too little to matter: some thousandths of a second.
const LITTLE_WORK: u64 = 120_000;

/// A set of configurations, closed under all steps within a bound.
pub(crate) enum AnySymbolic {
    /// Of machines that meet only through queues.
    Compiled(Box<Symbolic>),
    /// Of machines whose steps are turns.
    Turns(Box<TurnSet>),
}

/// The same expression for the set inside, with the space that belongs to it.
macro_rules! inside {
    ($any:expr, $space:expr, ($set:ident, $inner:ident) => $body:expr) => {
        match $any {
            AnySymbolic::Compiled($set) => {
                let $inner = compiled($space);
                $body
            }
            AnySymbolic::Turns($set) => {
                let $inner = turns($space);
                $body
            }
        }
    };
}

impl AnySymbolic {
    /// How much work on diagrams takes less time than so many steps one by one.
    pub(crate) fn worth(space: &Space, transitions: u64) -> u64 {
        match space {
            // Looking at one arc of a diagram takes about as much time as two steps, and there are several attempts.
            Space::Compiled(_) => transitions.min(LITTLE_WORK).max(transitions / 4),
            // What turns do to values is looked up in larger tables.
            Space::Turns(_) => transitions / 2,
        }
    }

    /// Closes the set of the initial configuration under all steps within the bound.
    pub(crate) fn explore(
        space: &mut Space,
        initial: &[u32],
        bound: u32,
        budget: &Budget,
        effort: Effort,
    ) -> Result<Self, Obstacle> {
        match space {
            Space::Compiled(compiled) => {
                Symbolic::explore(compiled, initial, bound, budget, effort)
                    .map(|set| Self::Compiled(Box::new(set)))
            }
            Space::Turns(turns) => TurnSet::explore(turns, initial, bound, budget, effort)
                .map(|set| Self::Turns(Box::new(set))),
        }
    }

    /// Closes the set under all steps within this bound.
    pub(crate) fn close(
        &mut self,
        space: &mut Space,
        bound: u32,
        budget: &Budget,
        effort: Effort,
    ) -> Result<(), Obstacle> {
        inside!(self, space, (set, inner) => set.close(inner, bound, budget, effort))
    }

    /// What may be spent from now on.
    pub(crate) fn allow(&mut self, effort: Effort) {
        match self {
            Self::Compiled(set) => set.allow(effort),
            Self::Turns(set) => set.allow(effort),
        }
    }

    pub(crate) fn bound(&self) -> u32 {
        match self {
            Self::Compiled(set) => set.bound,
            Self::Turns(set) => set.bound,
        }
    }

    /// The set at hand, to be kept however this goes on, where that is possible.
    pub(crate) fn keep(&mut self) -> Option<Set> {
        match self {
            Self::Compiled(set) => Some(set.keep()),
            Self::Turns(_) => None,
        }
    }

    /// Gives up a set that is held.
    pub(crate) fn release(&mut self, released: Set) {
        match self {
            Self::Compiled(set) => set.release(released),
            Self::Turns(set) => set.release(released),
        }
    }

    /// How many configurations there are.
    pub(crate) fn count(&self) -> BigUint {
        match self {
            Self::Compiled(set) => set.count(),
            Self::Turns(set) => set.count(),
        }
    }

    /// How many steps there are between the configurations.
    pub(crate) fn transitions(&mut self, space: &mut Space) -> Result<BigUint, Obstacle> {
        match self {
            Self::Compiled(set) => Ok(set.transitions(compiled(space))),
            Self::Turns(set) => set.transitions(turns(space)),
        }
    }

    /// Nodes of the diagram of the set.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Compiled(set) => set.size(),
            Self::Turns(set) => set.size(),
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Compiled(set) => set.bytes(),
            Self::Turns(set) => set.bytes(),
        }
    }

    /// The diagram, level by level from the highest: the part that stands there, and the nodes.
    pub(crate) fn drawn(&mut self) -> Result<Vec<Drawn>, Obstacle> {
        match self {
            Self::Compiled(set) => Ok(set.levels()),
            Self::Turns(set) => set.drawn(),
        }
    }

    /// Calls `f` with the values of the parts of every configuration, in a fixed order.
    pub(crate) fn each(&self, f: impl FnMut(&[u32])) {
        match self {
            Self::Compiled(set) => set.each(f),
            Self::Turns(set) => set.each(f),
        }
    }

    /// The configurations that violate the watched property with this bit.
    pub(crate) fn wrong(&mut self, space: &mut Space, bit: usize) -> Result<Set, Obstacle> {
        inside!(self, space, (set, inner) => set.wrong(inner, bit))
    }

    /// Looks at the whole set, for stuck machines and for orphaned messages as far as wanted.
    pub(crate) fn eventual(
        &mut self,
        space: &mut Space,
        budget: &Budget,
        wanted: (bool, bool),
    ) -> Result<Eventual, Obstacle> {
        inside!(self, space, (set, inner) => set.eventual(inner, budget, wanted))
    }

    /// The values of the parts of the configurations on a shortest way to one of the target, which is not empty.
    pub(crate) fn way(
        &mut self,
        space: &mut Space,
        budget: &Budget,
        target: Set,
    ) -> Result<Vec<Vec<u32>>, Obstacle> {
        inside!(self, space, (set, inner) => set.way(inner, budget, target))
    }

    /// The configurations in which a send to a queue is cut.
    pub(crate) fn cut(&mut self, space: &mut Space, queue: usize) -> Result<Set, Obstacle> {
        inside!(self, space, (set, inner) => set.cut(inner, queue))
    }

    /// The queues to which sends are cut.
    pub(crate) fn stalled(&mut self, space: &mut Space) -> Result<Vec<usize>, Obstacle> {
        inside!(self, space, (set, inner) => set.stalled(inner))
    }

    /// A configuration in which the interpreter gave up.
    pub(crate) fn gave_up(&mut self, space: &mut Space) -> Result<Option<Vec<u32>>, Obstacle> {
        inside!(self, space, (set, inner) => set.gave_up(inner))
    }

    /// The configurations in which a queue holds more than this many messages.
    pub(crate) fn longer(
        &mut self,
        space: &mut Space,
        queue: usize,
        bound: u32,
    ) -> Result<Set, Obstacle> {
        inside!(self, space, (set, inner) => set.longer(inner, queue, bound))
    }

    /// The configurations in which a queue exists.
    pub(crate) fn with_queue(&mut self, space: &mut Space, queue: usize) -> Result<Set, Obstacle> {
        inside!(self, space, (set, inner) => set.with_queue(inner, queue))
    }

    /// The greatest length of each queue in any configuration.
    pub(crate) fn longest(&self, space: &mut Space) -> Vec<u32> {
        let mut longest = vec![0; space.n_machines_queues().1];
        match self {
            Self::Compiled(_) => compiled(space).longest(&mut longest),
            Self::Turns(set) => set.longest(turns(space), &mut longest),
        }
        longest
    }
}

fn compiled(space: &mut Space) -> &mut Compiled {
    match space {
        Space::Compiled(compiled) => compiled,
        Space::Turns(_) => no_diagrams(),
    }
}

fn turns(space: &mut Space) -> &mut Turns {
    match space {
        Space::Turns(turns) => turns,
        Space::Compiled(_) => no_diagrams(),
    }
}

fn no_diagrams() -> ! {
    unreachable!("bug in Queueproof: there are no such diagrams of this system")
}
