//! Those who watch: specs, which live in the store.

use qp_base::Budget;

use crate::{EventId, SpecId, StateId, Value};

use super::failures::Fault;
use super::local::{Concrete, Local, Owner, Phase};
use super::plan::Plan;
use super::search::run_on;
use super::visited::Visited;

/// All specs between two events, by number.
pub(crate) type Store = Vec<Watch>;

/// A spec between two events. One that has halted is in no state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Watch {
    pub(crate) stack: Vec<StateId>,
    pub(crate) fields: Vec<Value>,
}

/// The specs after the entry functions of their start states.
pub(crate) fn start(
    plan: &Plan,
    (visited, budget): (&mut Visited, &Budget),
) -> Result<Store, Fault> {
    let begin = |spec| {
        let local = Local::newborn(plan, Owner::Spec(spec), Value::Null);
        complete(plan, local, spec, (&mut *visited, budget))
    };
    plan.blueprint.specs.ids().map(begin).collect()
}

/// The specs after some of them saw an event, in order of declaration.
pub(crate) fn observe(
    plan: &Plan,
    store: &Store,
    audience: &[SpecId],
    event: EventId,
    payload: &Value,
    (visited, budget): (&mut Visited, &Budget),
) -> Result<Store, Fault> {
    let mut after = store.clone();
    for &spec in audience {
        let watch = &after[spec.index()];
        let Some(&state) = watch.stack.last() else { continue };
        let mut local = Local {
            owner: Owner::Spec(spec),
            stack: watch.stack.clone(),
            fields: watch.fields.clone(),
            frames: Vec::new(),
            agenda: Vec::new(),
            phase: Phase::Running,
        };
        visited.note_event(plan, &local, event);
        super::events::react(plan, &mut local, event, payload.clone(), state);
        after[spec.index()] = complete(plan, local, spec, (&mut *visited, budget))?;
    }
    Ok(after)
}

/// Runs a spec until it waits for the next event.
///
/// Specs have no free choices, so there is one result. That of one that takes too long is a fault with the
/// code of a limit: nothing is known beyond it.
fn complete(
    plan: &Plan,
    local: Local,
    spec: SpecId,
    noted: (&mut Visited, &Budget),
) -> Result<Watch, Fault> {
    let mut outcomes = run_on(plan, local, noted);
    let end = outcomes.swap_remove(0);
    match end.phase {
        Phase::Failed(fault) | Phase::GaveUp(fault) => {
            let name = &plan.blueprint.specs[spec].name;
            Err(Fault { text: format!("spec {name}: {}", fault.text), ..(*fault).clone() })
        }
        Phase::Running if end.frames.is_empty() => {
            let mut fields = end.fields;
            let body = plan.body_id(end.owner);
            plan.liveness.rest::<Concrete>(plan, body, &end.stack, &mut fields);
            Ok(Watch { stack: end.stack, fields })
        }
        Phase::Running => {
            let text = "a spec sends, creates or receives";
            let span = plan.blueprint.specs[spec].span;
            Err(Fault::new(super::failures::SPEC_ASSERTION, text, span))
        }
        Phase::Announced | Phase::Took | Phase::Halting | Phase::Halted | Phase::Discarded => {
            Ok(Watch { stack: Vec::new(), fields: Vec::new() })
        }
    }
}
