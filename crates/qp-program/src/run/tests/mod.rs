//! Small programs, written by hand, and their exact steps.

pub(crate) mod build;
mod events;
mod running;
mod sends;
mod specs;
mod texts;
mod values;
pub(crate) mod walk;
