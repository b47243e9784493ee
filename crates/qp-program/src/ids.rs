//! The numbers by which a blueprint refers to its parts.

use qp_base::define_index;

define_index!(EventId, "e", "An event, with or without payload.");
define_index!(RoleId, "r", "A kind of machine that can be created: an interface with its machine.");
define_index!(BodyId, "b", "The states, variables and handlers of a machine or spec.");
define_index!(StateId, "s", "A state of one body.");
define_index!(FieldId, "f", "A variable of one body.");
define_index!(FunctionId, "fn", "A function, or a handler without a name.");
define_index!(RegisterId, "x", "A parameter, local variable or temporary of one function.");
define_index!(SpecId, "o", "A spec that watches the program.");

impl EventId {
    /// What a machine handles when there is nothing else to do.
    pub const NULL: Self = Self::from_raw(0);
    /// What ends a machine that does not handle it.
    pub const HALT: Self = Self::from_raw(1);
}
