//! The kinds of messages about names, types and control flow. Each has a page in `docs/errors/`.

use qp_base::Code;

pub(crate) const UNDECLARED: Code = Code(210);
pub(crate) const DECLARED_TWICE: Code = Code(211);
pub(crate) const MISMATCH: Code = Code(212);
pub(crate) const ARGUMENTS: Code = Code(213);
pub(crate) const NOT_ASSIGNABLE: Code = Code(214);
pub(crate) const OPERANDS: Code = Code(215);
pub(crate) const INCOMPARABLE: Code = Code(216);
pub(crate) const NO_FIELD: Code = Code(217);
pub(crate) const CAST: Code = Code(218);
pub(crate) const CIRCULAR: Code = Code(219);
pub(crate) const START: Code = Code(220);
pub(crate) const HANDLED_TWICE: Code = Code(221);
pub(crate) const HANDLER_PARAMETERS: Code = Code(222);
pub(crate) const HANDLER_FUNCTION: Code = Code(223);
pub(crate) const PAYLOAD: Code = Code(224);
pub(crate) const NULL_EVENT: Code = Code(225);
pub(crate) const IN_SPEC: Code = Code(226);
pub(crate) const IN_TRANSITION: Code = Code(227);
pub(crate) const IN_VALUE_FUNCTION: Code = Code(228);
pub(crate) const NO_RETURN: Code = Code(229);
pub(crate) const NO_LOOP: Code = Code(230);
pub(crate) const NO_THIS: Code = Code(231);
pub(crate) const CHOOSE: Code = Code(232);
pub(crate) const FORMAT: Code = Code(233);
pub(crate) const FOREIGN: Code = Code(234);
pub(crate) const VERIFIER: Code = Code(235);
pub(crate) const NOT_OBSERVED: Code = Code(236);
pub(crate) const PARAMETER: Code = Code(237);
pub(crate) const DIALECT: Code = Code(238);
pub(crate) const ENUM_NUMBER: Code = Code(239);
pub(crate) const LARGE_TYPE: Code = Code(260);

/// The kinds of messages about names, types and control flow.
pub const RULE_CODES: &[Code] = &[
    UNDECLARED,
    DECLARED_TWICE,
    MISMATCH,
    ARGUMENTS,
    NOT_ASSIGNABLE,
    OPERANDS,
    INCOMPARABLE,
    NO_FIELD,
    CAST,
    CIRCULAR,
    START,
    HANDLED_TWICE,
    HANDLER_PARAMETERS,
    HANDLER_FUNCTION,
    PAYLOAD,
    NULL_EVENT,
    IN_SPEC,
    IN_TRANSITION,
    IN_VALUE_FUNCTION,
    NO_RETURN,
    NO_LOOP,
    NO_THIS,
    CHOOSE,
    FORMAT,
    FOREIGN,
    VERIFIER,
    NOT_OBSERVED,
    PARAMETER,
    DIALECT,
    ENUM_NUMBER,
    LARGE_TYPE,
];
