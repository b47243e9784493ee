//! The kinds of messages about running Promela models. Each has a page in `docs/errors/`.

use qp_base::{Code, codes};

// About models that cannot be run.
codes! { TESTS_CAPACITY = Code(340), NOT_YET = Code(341), EARLY_ELSE = Code(347) }

/// Shared with other languages.
pub(crate) const ASSERTION: Code = Code(1002);
/// Shared with other languages.
pub(crate) const INDEX: Code = Code(1012);
/// Shared with other languages.
pub(crate) const DIVISION: Code = Code(1015);
pub(crate) const NO_CHANNEL: Code = Code(1025);
pub(crate) const WRONG_LENGTH: Code = Code(1026);
pub(crate) const TOO_MANY: Code = Code(1027);
pub(crate) const TRACE: Code = Code(1028);
pub(crate) const BLOCKED: Code = Code(1029);
pub(crate) const ENDLESS: Code = Code(1030);
pub(crate) const PRIORITY: Code = Code(1034);
pub(crate) const LOOK: Code = Code(1035);
