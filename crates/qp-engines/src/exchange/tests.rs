//! Rounds against all charts of small systems, and systems with known answers.

mod deadlocks;
mod letters;
mod named;
mod singles;
mod stays;
mod synchronous;
mod systems;
