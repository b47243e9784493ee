//! Conditions on the values of single levels, with weights for those who count.

use std::ops::RangeInclusive;

/// Marks a value: whoever goes on alone can do nothing, so others may take turns. Sets have such a twin of each
/// configuration in which that is so, beside the configuration itself.
pub(crate) const TWIN: u32 = 1 << 31;

/// For each level: how much the values weigh there, if not all weigh one. What weighs nothing is not wanted. A table
/// has a place for every value that there was when it was made.
#[derive(Clone)]
pub(crate) struct Filter {
    weights: Vec<Option<Vec<u32>>>,
    /// The same for values of twins, without their mark.
    twins: Option<Vec<u32>>,
}

/// A table of so many values of which those are wanted that `holds` is true of.
pub(crate) fn table(n_values: usize, mut holds: impl FnMut(u32) -> bool) -> Vec<u32> {
    (0..n_values as u32).map(|value| u32::from(holds(value))).collect()
}

impl Filter {
    /// For all tuples.
    pub(crate) fn new(n_levels: usize) -> Self {
        Self { weights: vec![None; n_levels], twins: None }
    }

    /// Only those twins whose values are wanted.
    pub(crate) fn only_twins(mut self, table: Vec<u32>) -> Self {
        self.twins = Some(table);
        self
    }

    /// No twins.
    pub(crate) fn real(self) -> Self {
        self.only_twins(Vec::new())
    }

    /// The product of both.
    pub(crate) fn and(&mut self, level: usize, table: Vec<u32>) {
        match &mut self.weights[level] {
            None => self.weights[level] = Some(table),
            Some(old) => {
                old.truncate(table.len());
                old.iter_mut().zip(table).for_each(|(old, weight)| *old *= weight);
            }
        }
    }

    /// So many times as much, by the weights of a level at which something is asked.
    pub(crate) fn times(&mut self, level: usize, factor: u32) {
        self.weights[level].iter_mut().flatten().for_each(|weight| *weight *= factor);
    }

    #[inline]
    pub(crate) fn weight(&self, level: usize, value: u32) -> u64 {
        let is_twin = value & TWIN != 0;
        let table = if is_twin { &self.twins } else { &self.weights[level] };
        let Some(table) = table else { return 1 };
        table.get((value & !TWIN) as usize).map_or(0, |&weight| u64::from(weight))
    }

    #[inline]
    pub(crate) fn holds(&self, level: usize, value: u32) -> bool {
        self.weight(level, value) > 0
    }

    /// The levels at which something is asked, and those between them.
    pub(crate) fn range(&self) -> RangeInclusive<usize> {
        let asked = |level: &usize| self.weights[*level].is_some();
        let first = (0..self.weights.len()).find(asked);
        let last = (0..self.weights.len()).rfind(asked);
        first.unwrap_or(0)..=last.unwrap_or(0)
    }

    /// The level at which something is asked, if there is one only, with the values that are not wanted there.
    pub(crate) fn unwanted(&self) -> Option<(usize, Vec<u32>)> {
        let (level, last) = self.range().into_inner();
        let table = self.weights.get(level)?.as_ref().filter(|_| level == last)?;
        self.twins.is_none().then(|| (level, table.iter().map(|&it| u32::from(it == 0)).collect()))
    }
}
