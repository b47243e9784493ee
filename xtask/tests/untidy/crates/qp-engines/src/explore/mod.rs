//! The exploring engine.
//!
//! # Question
//!
//! # Fragment
//!
//! # Theorem
//!
//! # Algorithm
//!
//! # Certificate
//!
//! # Limits

use crate::flow::Cycle;
use crate::{Engine, flow::Vector};
