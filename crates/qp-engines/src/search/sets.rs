//! Sets of configurations: one notion, kept in two ways.
//!
//! A configuration is given by the values of its parts, as everywhere in the search. Parts that are added later, for
//! machines that are created, have the value 0 in whatever was there before; a configuration that ends early has 0 in
//! the parts that it does not mention. What a set answers does not depend on how it is kept, and it comes in the same
//! order: that of the values, part by part.

mod listed;

use num_bigint::BigUint;

pub(crate) use self::listed::Listed;
use super::symbolic::{Drawing, Effort, Obstacle};
use crate::Sets;

/// A set of configurations, each given by the values of its parts.
pub struct ConfigSet(Kept);

/// How it is kept.
enum Kept {
    /// One by one.
    Listed(Listed),
    /// As a decision diagram.
    Drawn(Box<Drawing>),
}

impl From<Listed> for ConfigSet {
    fn from(listed: Listed) -> Self {
        Self(Kept::Listed(listed))
    }
}

impl From<Drawing> for ConfigSet {
    fn from(drawing: Drawing) -> Self {
        Self(Kept::Drawn(Box::new(drawing)))
    }
}

impl ConfigSet {
    /// The set without configurations, to be kept in this way.
    pub fn empty(sets: Sets) -> Self {
        match sets {
            Sets::Explicit | Sets::Auto { .. } => Listed::default().into(),
            Sets::Symbolic => Drawing::empty(Effort::ANY).into(),
            Sets::Forgetful => Drawing::empty(Effort { tiny: true, ..Effort::ANY }).into(),
        }
    }

    /// Adds a configuration.
    pub fn add(&mut self, values: &[u32]) -> Result<(), Obstacle> {
        match &mut self.0 {
            Kept::Listed(listed) => listed.add(values),
            Kept::Drawn(drawing) => drawing.add(values)?,
        }
        Ok(())
    }

    /// Whether a configuration is in it.
    pub fn contains(&self, values: &[u32]) -> bool {
        match &self.0 {
            Kept::Listed(listed) => listed.contains(values),
            Kept::Drawn(drawing) => drawing.contains(values),
        }
    }

    /// How many configurations there are.
    pub fn count(&self) -> BigUint {
        match &self.0 {
            Kept::Listed(listed) => BigUint::from(listed.len()),
            Kept::Drawn(drawing) => drawing.count(),
        }
    }

    /// Calls `f` with every configuration, in the order of the values of parts, until it says no.
    pub fn each(&self, mut f: impl FnMut(&[u32]) -> bool) {
        match &self.0 {
            Kept::Listed(listed) => {
                listed.rows().iter().all(|values| f(values));
            }
            Kept::Drawn(drawing) => {
                drawing.each(&mut f);
            }
        }
    }

    /// The configurations with each value replaced by what `label` says of part and value. Different ones may become
    /// the same.
    pub fn project(&self, mut label: impl FnMut(usize, u32) -> u32) -> Result<Self, Obstacle> {
        match &self.0 {
            Kept::Listed(listed) => {
                let mut projected = Listed::default();
                for mut values in listed.rows() {
                    for (part, value) in values.iter_mut().enumerate() {
                        *value = label(part, *value);
                    }
                    projected.add(&values);
                }
                Ok(projected.into())
            }
            Kept::Drawn(drawing) => drawing.project(label).map(Self::from),
        }
    }

    /// The set, if it is kept one by one.
    pub(crate) fn listed(&mut self) -> Option<&mut Listed> {
        match &mut self.0 {
            Kept::Listed(listed) => Some(listed),
            Kept::Drawn(_) => None,
        }
    }

    /// The number of nodes, if it is kept as a decision diagram.
    pub fn n_nodes(&self) -> Option<usize> {
        match &self.0 {
            Kept::Listed(_) => None,
            Kept::Drawn(drawing) => Some(drawing.n_nodes()),
        }
    }

    /// Whether everything is in another set, too.
    pub fn is_subset(&self, other: &Self) -> Result<bool, Obstacle> {
        if self.count() > other.count() {
            return Ok(false);
        }
        if let (Kept::Drawn(mine), Kept::Drawn(theirs)) = (&self.0, &other.0) {
            return mine.is_subset(theirs);
        }
        let mut all = true;
        self.each(|values| {
            all = other.contains(values);
            all
        });
        Ok(all)
    }

    /// Whether another set has the same configurations.
    pub fn is_equal(&self, other: &Self) -> Result<bool, Obstacle> {
        Ok(self.count() == other.count() && self.is_subset(other)?)
    }
}
