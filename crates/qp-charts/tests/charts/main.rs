//! Charts against definitions that are tried out by brute force, and the counterexamples to what was published.

mod brute;
mod counterexamples;
mod exhaustive;
mod systems;
