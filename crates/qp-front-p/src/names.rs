//! How words of the user appear in messages, and which one may have been meant.

pub(crate) use qp_base::names::{did_you_mean, quoted};
