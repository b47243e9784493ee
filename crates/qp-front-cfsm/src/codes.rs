//! The kinds of messages of these readers. Each has a page in `docs/errors/`.

use qp_base::{Code, codes};

codes! {
    GARBLED = Code(101),
    UNEXPECTED = Code(102),
    TOO_LARGE = Code(103),
    UNKNOWN = Code(104),
    TWICE = Code(105),
    INITIAL = Code(106),
    DISCIPLINE = Code(107),
    SIZE = Code(108),
    FAIL_NOT_LAST = Code(109),
    NO_MACHINE = Code(110),
    KEYWORD = Code(111),
    UNSUPPORTED = Code(112),
    SEPARATORS = Code(113),
    MORE = Code(119),
    UNREACHABLE = Code(120),
    ONE_SIDED = Code(121),
    SILENT = Code(122),
}
