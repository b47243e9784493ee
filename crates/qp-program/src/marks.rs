//! Progress as the user marks it: states in which a machine is, and events that it takes.

use std::collections::BTreeSet;

use crate::{Blueprint, BodyId, EventId, StateId};

/// What counts as progress.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Marks {
    /// A machine is in one of these states.
    pub states: BTreeSet<(BodyId, StateId)>,
    /// A machine has just taken one of these events out of its queue.
    pub events: BTreeSet<EventId>,
}

/// Why a name marks nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unmarked {
    /// Nothing has this name; the names that there are.
    Unknown(Vec<String>),
    /// Several states have this name; their full names.
    Several(Vec<String>),
}

impl Marks {
    /// Whether nothing is marked.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty() && self.events.is_empty()
    }

    /// Marks what has this name: an event, a state of only one machine, or `Machine.State`.
    pub fn add(&mut self, blueprint: &Blueprint, name: &str) -> Result<(), Unmarked> {
        let states = states(blueprint);
        let full: Vec<_> = states.iter().filter(|it| it.1 == name).collect();
        let short: Vec<_> = states.iter().filter(|it| is_state(&it.1, name)).collect();
        let event = blueprint.events.iter_enumerated().find(|(_, event)| event.name == name);
        let event = event.map(|(id, _)| id).filter(|&id| id != EventId::NULL);
        match (event, &full[..], &short[..]) {
            (_, [found, ..], _) | (None, [], [found]) => {
                self.states.insert(found.0);
                Ok(())
            }
            (Some(event), _, []) => {
                self.events.insert(event);
                Ok(())
            }
            (None, [], []) => {
                let events = blueprint.events.iter().skip(1).map(|event| event.name.clone());
                Err(Unmarked::Unknown(states.into_iter().map(|it| it.1).chain(events).collect()))
            }
            (_, _, several) => {
                let mut names: Vec<String> = several.iter().map(|it| it.1.clone()).collect();
                names.extend(event.map(|_| format!("the event {name}")));
                Err(Unmarked::Several(names))
            }
        }
    }
}

/// The states of machines, with their full names.
fn states(blueprint: &Blueprint) -> Vec<((BodyId, StateId), String)> {
    let bodies: BTreeSet<BodyId> = blueprint.roles.iter().map(|role| role.body).collect();
    let mut found = Vec::new();
    for id in bodies {
        let body = &blueprint.bodies[id];
        for (state, info) in body.states.iter_enumerated() {
            found.push(((id, state), format!("{}.{}", body.name, info.name)));
        }
    }
    found
}

/// Whether a full name is that of a state with this name.
fn is_state(full: &str, name: &str) -> bool {
    full.strip_suffix(name).is_some_and(|machine| machine.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::tests::build::{Maker, state};
    use crate::{Dialect, Type};

    fn blueprint() -> Blueprint {
        let mut maker = Maker::new(Dialect::Current);
        maker.event("Ping", Type::Null);
        maker.event("Wait", Type::Null);
        maker.role("Client", &[], vec![state("Init"), state("Busy")]);
        maker.role("Server", &[], vec![state("Init"), state("Wait")]);
        maker.blueprint
    }

    fn mark(name: &str) -> Result<Marks, Unmarked> {
        let mut marks = Marks::default();
        marks.add(&blueprint(), name).map(|()| marks)
    }

    #[test]
    fn states_are_marked_by_their_names() {
        let busy = (BodyId::from_raw(0), StateId::from_raw(1));
        for name in ["Busy", "Client.Busy"] {
            assert_eq!(mark(name).map(|marks| marks.states), Ok(BTreeSet::from([busy])));
        }
    }

    #[test]
    fn events_are_marked_by_their_names() {
        let ping = EventId::from_raw(2);
        assert_eq!(mark("Ping").map(|marks| marks.events), Ok(BTreeSet::from([ping])));
    }

    #[test]
    fn a_name_must_mean_one_thing() {
        let several = |names: &[&str]| {
            Err(Unmarked::Several(names.iter().map(|&it| it.to_owned()).collect()))
        };
        assert_eq!(mark("Init"), several(&["Client.Init", "Server.Init"]));
        assert_eq!(mark("Wait"), several(&["Server.Wait", "the event Wait"]));
        assert!(mark("Server.Wait").is_ok());
    }

    #[test]
    fn an_unknown_name_is_refused_with_those_that_there_are() {
        let Err(Unmarked::Unknown(names)) = mark("Pong") else { unreachable!("it is not known") };
        let expected =
            ["Client.Init", "Client.Busy", "Server.Init", "Server.Wait", "halt", "Ping", "Wait"];
        assert_eq!(names, expected);
        assert!(mark("null").is_err());
        assert!(mark("lient.Busy").is_err());
    }
}
