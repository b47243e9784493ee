//! The kinds of messages of these readers. Each has a page in `docs/errors/`.

use qp_base::Code;

pub(crate) const GARBLED: Code = Code(101);
pub(crate) const UNEXPECTED: Code = Code(102);
pub(crate) const TOO_LARGE: Code = Code(103);
pub(crate) const UNKNOWN: Code = Code(104);
pub(crate) const TWICE: Code = Code(105);
pub(crate) const INITIAL: Code = Code(106);
pub(crate) const DISCIPLINE: Code = Code(107);
pub(crate) const SIZE: Code = Code(108);
pub(crate) const FAIL_NOT_LAST: Code = Code(109);
pub(crate) const NO_MACHINE: Code = Code(110);
pub(crate) const KEYWORD: Code = Code(111);
pub(crate) const UNSUPPORTED: Code = Code(112);
pub(crate) const SEPARATORS: Code = Code(113);
pub(crate) const MORE: Code = Code(119);
pub(crate) const UNREACHABLE: Code = Code(120);
pub(crate) const ONE_SIDED: Code = Code(121);
pub(crate) const SILENT: Code = Code(122);

/// All of them.
pub const CODES: &[Code] = &[
    GARBLED,
    UNEXPECTED,
    TOO_LARGE,
    UNKNOWN,
    TWICE,
    INITIAL,
    DISCIPLINE,
    SIZE,
    FAIL_NOT_LAST,
    NO_MACHINE,
    KEYWORD,
    UNSUPPORTED,
    SEPARATORS,
    MORE,
    UNREACHABLE,
    ONE_SIDED,
    SILENT,
];
