//! # Question
//! # Fragment
//! # Theorem
//! # Algorithm
//! # Certificate
//! # Limits
//! # What it never does

use crate::Engine;
use super::explore::Rows;
