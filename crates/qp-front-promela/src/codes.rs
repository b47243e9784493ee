//! The kinds of messages about Promela models. Each has a page in `docs/errors/`.

use qp_base::Code;

pub(crate) const GARBLED: Code = Code(301);
pub(crate) const UNEXPECTED: Code = Code(302);
pub(crate) const TOO_DEEP: Code = Code(303);
pub(crate) const NUMBER: Code = Code(304);
pub(crate) const REFUSED: Code = Code(305);
pub(crate) const MORE: Code = Code(306);
pub(crate) const DIRECTIVE: Code = Code(307);
pub(crate) const INCLUDE: Code = Code(308);
pub(crate) const MACRO: Code = Code(309);
pub(crate) const TOO_MUCH: Code = Code(310);
pub(crate) const CONDITION: Code = Code(311);
pub(crate) const UNKNOWN: Code = Code(312);
pub(crate) const DUPLICATE: Code = Code(313);
pub(crate) const WRONG_KIND: Code = Code(314);
pub(crate) const INDEX: Code = Code(315);
pub(crate) const FIELD: Code = Code(316);
pub(crate) const WHOLE_RECORD: Code = Code(317);
pub(crate) const CONSTANT: Code = Code(318);
pub(crate) const RANGE: Code = Code(319);
pub(crate) const DECLARATION: Code = Code(320);
pub(crate) const NOT_CHANNEL: Code = Code(321);
pub(crate) const LONG_MESSAGE: Code = Code(322);
pub(crate) const WRONG_LENGTH: Code = Code(323);
pub(crate) const ARGUMENTS: Code = Code(324);
pub(crate) const RUN_PLACE: Code = Code(325);
pub(crate) const PREDEFINED: Code = Code(326);
pub(crate) const CHANNEL_ARITHMETIC: Code = Code(327);
pub(crate) const PROBE: Code = Code(328);
pub(crate) const LABEL: Code = Code(329);
pub(crate) const JUMP: Code = Code(330);
pub(crate) const ELSE: Code = Code(331);
pub(crate) const BOUND_TWICE: Code = Code(332);
pub(crate) const NOT_EVENT: Code = Code(333);
pub(crate) const CLAIM_ONLY: Code = Code(334);
pub(crate) const TEMPORAL: Code = Code(335);
pub(crate) const NOTHING_RUNS: Code = Code(336);
pub(crate) const EMPTY: Code = Code(337);
pub(crate) const INLINE: Code = Code(338);
pub(crate) const MTYPE: Code = Code(339);
pub(crate) const FIRST_ELEMENT: Code = Code(342);
pub(crate) const UNUSED_INIT: Code = Code(343);
pub(crate) const EARLY_CHANNEL: Code = Code(344);
pub(crate) const CHANNEL_VALUE: Code = Code(345);
pub(crate) const OVERRULED: Code = Code(346);

/// The kinds of messages of this crate.
pub const CODES: &[Code] = &[
    GARBLED,
    UNEXPECTED,
    TOO_DEEP,
    NUMBER,
    REFUSED,
    MORE,
    DIRECTIVE,
    INCLUDE,
    MACRO,
    TOO_MUCH,
    CONDITION,
    UNKNOWN,
    DUPLICATE,
    WRONG_KIND,
    INDEX,
    FIELD,
    WHOLE_RECORD,
    CONSTANT,
    RANGE,
    DECLARATION,
    NOT_CHANNEL,
    LONG_MESSAGE,
    WRONG_LENGTH,
    ARGUMENTS,
    RUN_PLACE,
    PREDEFINED,
    CHANNEL_ARITHMETIC,
    PROBE,
    LABEL,
    JUMP,
    ELSE,
    BOUND_TWICE,
    NOT_EVENT,
    CLAIM_ONLY,
    TEMPORAL,
    NOTHING_RUNS,
    EMPTY,
    INLINE,
    MTYPE,
    FIRST_ELEMENT,
    UNUSED_INIT,
    EARLY_CHANNEL,
    CHANNEL_VALUE,
    OVERRULED,
];
