//! The evaluator's questions about values that are known in full.

use std::sync::Arc;

use qp_base::Span;

use crate::{Body, Choice, Dialect, EventId, Expr, FunctionId, Place, RegisterId, StateId, Value};

use super::domain::{Domain, Evaluator, Failing, Message, Pick};
use super::eval::Scope;
use super::failures::{
    ASSERTION, CHOICE, Fault, LAST_POP, LIMIT, NULL, PAYLOAD, SPEC_ASSERTION, Stop, UNHANDLED,
    counted,
};
use super::local::{Concrete, Local, Owner};
use super::places::{Change, change};
use super::plan::Plan;
use super::types::{conforms, type_text, values_of};

/// Calls may be nested this deeply.
const DEPTH_MAX: usize = 1_000;
/// A free choice has at most this many options, as in P.
const OPTIONS_MAX: usize = 10_000;

impl Evaluator<Concrete> for Plan {
    fn plan(&self) -> &Plan {
        self
    }

    fn body(&self, owner: Owner) -> &Body {
        self.body(owner)
    }

    fn fault(&self, local: &Local, what: Failing<'_, Concrete>) -> Arc<Fault> {
        let state_name = |state| self.state_name(local.owner, state);
        let span_of = |state| self.body(local.owner).states[state].span;
        Arc::new(match what {
            Failing::Unhandled(event, arrived) => {
                let (event, state) = (self.event_name(event), state_name(arrived));
                let text = format!("event {event} cannot be handled in state {state}");
                Fault::new(UNHANDLED, text, span_of(arrived))
            }
            Failing::LastPop => {
                let state = state_name(local.top());
                let text = format!("pop in state {state}, which has no state below it");
                Fault::new(LAST_POP, text, self.scope(local).span)
            }
            Failing::Refuted(message) => {
                refuted(&self.scope(local), message).unwrap_or_else(Stop::into_fault)
            }
            Failing::TooDeep(state) => {
                let (name, max) = (state_name(state), Concrete::STACK_MAX);
                let text = format!("states are pushed more than {max} deep in state {name}");
                Fault::new(LIMIT, text, span_of(state))
            }
        })
    }

    fn eval(&self, local: &Local, expr: &Expr) -> Result<Value, Stop> {
        self.scope(local).eval(expr)
    }

    fn truth(&self, local: &Local, condition: &Expr) -> Result<bool, Stop> {
        self.scope(local).truth(condition)
    }

    fn options(&self, local: &Local, (_, from): Pick<'_>) -> Result<Vec<Value>, Stop> {
        options(&self.scope(local), from)
    }

    fn raised(
        &self,
        local: &Local,
        (event, payload): Message<'_>,
    ) -> Result<(EventId, Value), Stop> {
        event_of(&self.scope(local), event, payload, "raised")
    }

    fn is_watched(&self, local: &Local, (event, payload): Message<'_>) -> Result<bool, Stop> {
        Ok(announced(&self.scope(local), event, payload)?.is_some())
    }

    fn change(&self, local: &mut Local, at: &Place, to: Change) -> Result<(), Stop> {
        change(self, local, at, to)
    }

    fn registers(&self, function: FunctionId) -> Vec<Value> {
        self.registers[function].clone()
    }

    fn kept(&self, _: (FunctionId, RegisterId), value: Value) -> Value {
        value
    }

    fn follows(&self, local: &mut Local, callee: FunctionId) -> Result<bool, Stop> {
        if local.frames.len() < DEPTH_MAX {
            return Ok(true);
        }
        let name = &self.function(callee).name;
        let text = format!("calls are nested more than {DEPTH_MAX} deep in {name}");
        Err(Stop::limit(text, self.scope(local).span))
    }

    fn arrival(&self, local: &Local) -> StateId {
        local.top()
    }

    /// P's runtime runs the exit function of a machine first. Of a spec it only forgets the state.
    fn exits_unhandled(&self, owner: Owner) -> bool {
        matches!(owner, Owner::Machine(..)) || self.blueprint.dialect != Dialect::Current
    }
}

impl Plan {
    /// What the instruction of the innermost call can see.
    fn scope<'a>(&'a self, local: &'a Local) -> Scope<'a> {
        Scope::new(self, local, local.frames.last().expect("there is a call"))
    }
}

/// What an announcement shows to whom; nobody sees it if there is nothing.
pub(crate) fn announced(
    scope: &Scope<'_>,
    event: &Expr,
    payload: &Expr,
) -> Result<Option<(EventId, Value)>, Stop> {
    let (event, payload) = event_of(scope, event, payload, "announced")?;
    let Owner::Machine(role, _) = scope.owner else { return Ok(None) };
    let seen = !scope.plan.audience(role, event).is_empty();
    Ok(seen.then_some((event, payload)))
}

/// The event and payload of a send, announcement or raise, checked.
pub(crate) fn event_of(
    scope: &Scope<'_>,
    event: &Expr,
    payload: &Expr,
    verb: &str,
) -> Result<(EventId, Value), Stop> {
    let (event, payload) = (scope.eval(event)?, scope.eval(payload)?);
    let event = not_null(&event, verb, scope.span)?;
    carries(scope, event, &payload)?;
    Ok((event, payload))
}

/// The event, which is not `null`.
pub(crate) fn not_null(event: &Value, verb: &str, span: Span) -> Result<EventId, Stop> {
    match event {
        Value::Event(event) if *event != EventId::NULL => Ok(*event),
        _ => Err(Stop::fails(NULL, format!("null is {verb}, which is not an event"), span)),
    }
}

/// Fails unless the payload has the event's type.
pub(crate) fn carries(scope: &Scope<'_>, event: EventId, payload: &Value) -> Result<(), Stop> {
    let ty = &scope.plan.blueprint.events[event].payload;
    if conforms(payload, ty) {
        return Ok(());
    }
    let (name, ty) = (scope.plan.event_name(event), type_text(ty));
    let value = scope.plan.value_text(payload);
    let text = format!("event {name} carries {ty}, but is given {value}");
    Err(Stop::fails(PAYLOAD, text, scope.span))
}

fn refuted(scope: &Scope<'_>, message: Option<&Expr>) -> Result<Fault, Stop> {
    let code = match scope.owner {
        Owner::Machine(..) => ASSERTION,
        Owner::Spec(_) => SPEC_ASSERTION,
    };
    let text = match message {
        Some(message) => scope.plan.plain_text(&scope.eval(message)?),
        None => String::new(),
    };
    let text = if text.is_empty() { "assertion failed".to_owned() } else { text };
    Ok(Fault::new(code, text, scope.span))
}

fn options(scope: &Scope<'_>, from: &Choice) -> Result<Vec<Value>, Stop> {
    let options = match from {
        Choice::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Choice::Of(expr) => match scope.eval(expr)? {
            Value::Int(number) => return numbers_below(number, scope.span),
            Value::Seq(values) | Value::Set(values) => values.to_vec(),
            Value::Map(entries) => entries.iter().map(|entry| entry.0.clone()).collect(),
            _ => unreachable!("bug in Queueproof: a choice from what has no elements"),
        },
        Choice::Any(ty) => values_of(ty, OPTIONS_MAX).ok_or_else(|| {
            let text = format!("the type {} has too many values to choose from", type_text(ty));
            Stop::limit(text, scope.span)
        })?,
    };
    if options.is_empty() || options.len() > OPTIONS_MAX {
        let has = counted(options.len(), "element");
        let text = format!("choose from {has}: P allows 1 to {OPTIONS_MAX}");
        return Err(Stop::fails(CHOICE, text, scope.span));
    }
    Ok(options)
}

/// As in P, `choose(0)` is 0.
fn numbers_below(number: i64, span: Span) -> Result<Vec<Value>, Stop> {
    if matches!(usize::try_from(number), Ok(0..=OPTIONS_MAX)) {
        return Ok((0..number.max(1)).map(Value::Int).collect());
    }
    let text = format!("choose({number}): P allows 0 to {OPTIONS_MAX}");
    Err(Stop::fails(CHOICE, text, span))
}
