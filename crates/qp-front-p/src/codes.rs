//! The kinds of messages about the text of a program and about its modules and tests. Each has a page in
//! `docs/errors/`.

use qp_base::Code;

pub(crate) const GARBLED: Code = Code(201);
pub(crate) const UNEXPECTED: Code = Code(202);
pub(crate) const TOO_DEEP: Code = Code(203);
pub(crate) const NUMBER: Code = Code(204);
pub(crate) const UNSUPPORTED: Code = Code(205);
pub(crate) const PROJECT: Code = Code(206);
pub(crate) const SEVERAL_TESTS: Code = Code(207);
pub(crate) const NO_TEST: Code = Code(208);
pub(crate) const MORE: Code = Code(209);
pub(crate) const NO_SUCH_TEST: Code = Code(261);
pub(crate) const DEDUCTIVE: Code = Code(265);

/// The kinds of messages about the text.
pub const SYNTAX_CODES: &[Code] = &[
    GARBLED,
    UNEXPECTED,
    TOO_DEEP,
    NUMBER,
    UNSUPPORTED,
    PROJECT,
    SEVERAL_TESTS,
    NO_TEST,
    NO_SUCH_TEST,
    DEDUCTIVE,
    MORE,
];

pub(crate) const UNKNOWN_PART: Code = Code(240);
pub(crate) const WRONG_KIND: Code = Code(241);
pub(crate) const BOUND_TWICE: Code = Code(242);
pub(crate) const BOUND_IN_BOTH: Code = Code(243);
pub(crate) const RECEIVES_LESS: Code = Code(244);
pub(crate) const RENAMED_WRONG: Code = Code(245);
pub(crate) const HIDDEN_WRONG: Code = Code(246);
pub(crate) const WATCHED_TWICE: Code = Code(247);
pub(crate) const NEVER_SENT: Code = Code(248);
pub(crate) const NOT_COMPOSABLE: Code = Code(249);
pub(crate) const UNBOUND: Code = Code(250);
pub(crate) const NO_MAIN: Code = Code(251);
pub(crate) const MAIN_TAKES: Code = Code(252);
pub(crate) const ENDLESS_MODULE: Code = Code(253);
pub(crate) const BAD_PARAMS: Code = Code(254);
pub(crate) const BAD_WISE: Code = Code(255);
pub(crate) const BAD_ASSUME: Code = Code(256);
pub(crate) const NO_CASE: Code = Code(257);
pub(crate) const REFINEMENT: Code = Code(258);
pub(crate) const SAME_NAME: Code = Code(259);
pub(crate) const IDLE_SPEC: Code = Code(263);

/// The kinds of messages about modules and tests.
pub const MODULE_CODES: &[Code] = &[
    UNKNOWN_PART,
    WRONG_KIND,
    BOUND_TWICE,
    BOUND_IN_BOTH,
    RECEIVES_LESS,
    RENAMED_WRONG,
    HIDDEN_WRONG,
    WATCHED_TWICE,
    NEVER_SENT,
    NOT_COMPOSABLE,
    UNBOUND,
    NO_MAIN,
    MAIN_TAKES,
    ENDLESS_MODULE,
    BAD_PARAMS,
    BAD_WISE,
    BAD_ASSUME,
    NO_CASE,
    REFINEMENT,
    SAME_NAME,
    IDLE_SPEC,
];
