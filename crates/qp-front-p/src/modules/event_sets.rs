//! Which events machines and interfaces send and receive.

use std::collections::BTreeSet;

use crate::ast::{Ident, Machine};

use super::index::Index;

/// Names of events.
pub(crate) type Events<'d> = BTreeSet<&'d str>;

impl<'d> Index<'d> {
    /// What a machine may send: all events if it does not say.
    pub(crate) fn sends(&self, machine: &'d Machine) -> Events<'d> {
        self.listed(machine.sends.as_deref())
    }

    /// What a machine may receive: all events if it does not say.
    pub(crate) fn receives(&self, machine: &'d Machine) -> Events<'d> {
        self.listed(machine.receives.as_deref())
    }

    /// What a spec observes.
    pub(crate) fn observes(&self, spec: &'d Machine) -> Events<'d> {
        self.listed(Some(&spec.observes))
    }

    /// What can be sent to whoever implements an interface. A declared one hides that of a machine.
    pub(crate) fn receivable(&self, interface: &str) -> Events<'d> {
        match (self.interfaces.get(interface), self.any_machine(interface)) {
            (Some(receives), _) => self.listed(*receives),
            (None, Some(machine)) => self.receives(machine),
            (None, None) => Events::new(),
        }
    }

    /// Names of sets stand for their events.
    fn listed(&self, names: Option<&'d [Ident]>) -> Events<'d> {
        let Some(names) = names else {
            return self.events.clone();
        };
        let mut events = Events::new();
        for name in names {
            match self.event_sets.get(name.text.as_str()) {
                Some(set) => events.extend(set.iter().map(|event| event.text.as_str())),
                None => {
                    events.insert(&name.text);
                }
            }
        }
        events
    }
}
