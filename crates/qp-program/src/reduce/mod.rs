//! What need not be remembered, because nothing can be learnt from it.

mod liveness;

pub(crate) use liveness::Liveness;
