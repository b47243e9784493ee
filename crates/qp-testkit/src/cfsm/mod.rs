//! Every feature of the CFSM language, a second time: random texts, what they mean, and what their runs do.
//!
//! A [`Sketch`](written::Sketch) is what somebody writes: chains, default capacities, lists of channels, labels,
//! several `defer`, patterns with all their signs, formulas. [`print`] writes it in any layout, [`lower`] says what it
//! means as a plain [`Net`](crate::net::Net), which the reference runs, and [`compare`] holds the tool's answers about
//! the text against that. Nothing here is shared with the readers, the step function or the engines.

pub mod compare;
pub mod lower;
pub mod ltl;
pub mod make;
pub mod print;
pub mod same;
pub mod written;
