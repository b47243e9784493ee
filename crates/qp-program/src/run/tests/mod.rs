//! Small programs, written by hand, and their exact steps.

mod build;
mod events;
mod running;
mod sends;
mod specs;
mod texts;
mod values;
mod walk;
