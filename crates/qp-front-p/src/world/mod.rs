//! All declarations of a program by name, with their types resolved.
//!
//! Declarations may stand in any order and in any file, so names come first ([`gather`]), then types
//! ([`resolve`]), then what machines are made of ([`machine`]). Bodies of functions are not looked at here.

mod gather;
mod machine;
mod payload;
mod resolve;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use qp_base::{IndexVec, Span, define_index};
use qp_program::{Enum, EventId, FieldId, FunctionId, StateId};

use crate::ast;
use crate::types::{Permission, Ty};

pub(crate) use gather::declared_twice;
pub(crate) use gather::{find_event, gather};
pub(crate) use machine::{hides_param, no_state};
pub(crate) use resolve::field_twice;

define_index!(MachineNo, "machine", "A machine, spec or scenario of the text.");

/// All declarations by name. What is declared twice is here once, as it was declared first.
#[derive(Debug, Default)]
pub(crate) struct World<'t> {
    /// The events; the first two are `null` and `halt`.
    pub(crate) events: IndexVec<EventId, Event<'t>>,
    pub(crate) event_ids: BTreeMap<&'t str, EventId>,
    pub(crate) elements: BTreeMap<&'t str, (Arc<Enum>, i64)>,
    pub(crate) event_sets: BTreeMap<&'t str, Arc<Permission>>,
    pub(crate) types: BTreeMap<&'t str, TypeName<'t>>,
    /// How many typedefs are being looked at.
    open_types: usize,
    /// What can be created, machines included. Their order is that of the numbers in `new`.
    pub(crate) interfaces: Vec<Interface<'t>>,
    pub(crate) interface_ids: BTreeMap<&'t str, u32>,
    pub(crate) machines: IndexVec<MachineNo, Machine<'t>>,
    pub(crate) machine_ids: BTreeMap<&'t str, MachineNo>,
    /// All functions and handlers.
    pub(crate) functions: IndexVec<FunctionId, Function<'t>>,
    /// The functions that are only for P's deductive verifier.
    pub(crate) pure_functions: BTreeSet<&'t str>,
    /// The functions outside of machines.
    pub(crate) global_functions: BTreeMap<&'t str, FunctionId>,
    /// The `param` variables.
    pub(crate) params: BTreeMap<&'t str, (Span, Ty)>,
}

/// An event.
#[derive(Debug)]
pub(crate) struct Event<'t> {
    pub(crate) name: &'t str,
    pub(crate) span: Span,
    pub(crate) payload: Ty,
    pub(crate) cap: Option<&'t ast::Cap>,
}

/// What the name of a type stands for.
#[derive(Debug)]
pub(crate) enum TypeName<'t> {
    /// A typedef that was not looked at so far.
    Written(&'t ast::Ident, &'t ast::Type),
    /// A typedef that is being looked at: whoever meets it again goes in circles.
    Open,
    /// Anything that is known.
    Known(Ty),
    /// A spec, which is no type.
    Spec,
}

/// Something that can be created.
#[derive(Debug)]
pub(crate) struct Interface<'t> {
    pub(crate) name: &'t str,
    /// What its creator hands over.
    pub(crate) payload: Ty,
    pub(crate) permission: Arc<Permission>,
    /// Whether it says what may be sent to it.
    pub(crate) restricted: bool,
    /// Where its argument is declared, if it is an interface and no machine.
    pub(crate) arg: Option<&'t ast::Type>,
}

/// A machine, spec or scenario.
#[derive(Debug)]
pub(crate) struct Machine<'t> {
    pub(crate) ast: &'t ast::Machine,
    pub(crate) fields: IndexVec<FieldId, Field<'t>>,
    pub(crate) field_ids: BTreeMap<&'t str, FieldId>,
    pub(crate) states: IndexVec<StateId, State<'t>>,
    pub(crate) state_ids: BTreeMap<&'t str, StateId>,
    pub(crate) functions: BTreeMap<&'t str, FunctionId>,
    /// `None` only after an error.
    pub(crate) start: Option<StateId>,
    pub(crate) receives: Option<Vec<EventId>>,
    pub(crate) sends: Option<Vec<EventId>>,
    pub(crate) observes: Vec<EventId>,
}

impl Machine<'_> {
    /// Whether it only watches.
    pub(crate) fn is_spec(&self) -> bool {
        self.ast.kind != ast::MachineKind::Machine
    }
}

/// A variable of a machine.
#[derive(Debug)]
pub(crate) struct Field<'t> {
    pub(crate) name: &'t str,
    pub(crate) span: Span,
    pub(crate) ty: Ty,
}

/// A state.
#[derive(Debug)]
pub(crate) struct State<'t> {
    pub(crate) ast: &'t ast::State,
    pub(crate) entry: Option<FunctionId>,
    pub(crate) exit: Option<FunctionId>,
    pub(crate) handlers: Vec<Reaction>,
}

/// What a state does about an event.
#[derive(Debug)]
pub(crate) struct Reaction {
    pub(crate) event: EventId,
    /// Where the event is named.
    pub(crate) span: Span,
    pub(crate) handler: qp_program::Handler,
}

/// A function or handler.
#[derive(Debug)]
pub(crate) struct Function<'t> {
    /// The user's name; for a handler, what it belongs to.
    pub(crate) name: String,
    /// The name, or the event or keyword of a handler.
    pub(crate) span: Span,
    pub(crate) params: Vec<(&'t ast::Ident, Ty)>,
    pub(crate) returns: Ty,
    /// The machine it belongs to.
    pub(crate) owner: Option<MachineNo>,
    /// `None` if it is foreign.
    pub(crate) body: Option<&'t ast::Body>,
    /// Whether it has no name of its own.
    pub(crate) inline: bool,
    /// Where it is used as the exit function of a state.
    pub(crate) exit_of: Option<Span>,
    /// Where it is used between two states: `on … goto … with`.
    pub(crate) with_of: Option<Span>,
}

impl<'t> World<'t> {
    /// The function of this name, seen from a machine or from outside.
    pub(crate) fn function(&self, owner: Option<MachineNo>, name: &str) -> Option<FunctionId> {
        let own = owner.and_then(|owner| self.machines[owner].functions.get(name));
        own.or_else(|| self.global_functions.get(name)).copied()
    }

    /// The names of all functions that a machine sees.
    pub(crate) fn function_names(&self, owner: Option<MachineNo>) -> Vec<&'t str> {
        let own = owner.into_iter().flat_map(|owner| self.machines[owner].functions.keys());
        own.chain(self.global_functions.keys()).copied().collect()
    }

    /// The name of an event.
    pub(crate) fn event_name(&self, event: EventId) -> &'t str {
        self.events[event].name
    }
}
