//! Reaches another engine by climbing; its own modules may be named so.

use super::super::flow::Cycle;
use super::flow::NotThatOne;
