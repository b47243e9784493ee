//! The kinds of messages about the text of a program. Each has a page in `docs/errors/`.

use qp_base::Code;

pub(crate) const GARBLED: Code = Code(201);
pub(crate) const UNEXPECTED: Code = Code(202);
pub(crate) const TOO_DEEP: Code = Code(203);
pub(crate) const NUMBER: Code = Code(204);
pub(crate) const UNSUPPORTED: Code = Code(205);
pub(crate) const MORE: Code = Code(209);

/// All of them.
pub const SYNTAX_CODES: &[Code] = &[GARBLED, UNEXPECTED, TOO_DEEP, NUMBER, UNSUPPORTED, MORE];
