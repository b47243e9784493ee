//! Weighed nets: why counting messages is enough.

/// Ways to weigh a net (`Program::net`) so that no step makes it heavier, or every step lighter.
///
/// A machine at a spot weighs the potential of the spot, and a counter weighs its value times its weight. No
/// configuration weighs less than nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Flow {
    /// Each proves something by itself.
    pub weighings: Vec<Weighing>,
}

/// One way to weigh a net. All numbers are over the denominator; what is not listed is 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Weighing {
    /// What stands below every line; at least 1.
    pub denominator: i64,
    /// Numbers of spots, and their potentials.
    pub potentials: Vec<(u32, i64)>,
    /// Numbers of counters, and their weights.
    pub weights: Vec<(u32, i64)>,
    /// Numbers of facts, and the factors with which they are used.
    pub factors: Vec<(u32, i64)>,
}
