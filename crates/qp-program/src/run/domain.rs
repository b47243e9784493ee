//! Abstract interpretation (Cousot and Cousot, POPL 1977): one evaluator for what is known in full, by which
//! programs run, and for what is known in part, from which nets are made.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Body, Choice, EventId, Expr, FunctionId, Place, RegisterId, StateId, Value};

use super::local::Local;
use super::places::Change;
use super::plan::Plan;

/// What local states are made of.
pub(crate) trait Domain: Copy + Eq + Hash + Debug {
    /// Whose local state it is.
    type Owner: Copy + Eq + Hash + Debug;
    /// What is known of a value.
    type Value: Clone + Eq + Hash + Debug;
    /// How a machine is doing.
    type Phase: Clone + Eq + Hash + Debug;
    /// What is known of a failure.
    type Fault: Clone + Eq + Hash + Debug;
    /// What is known of the state in which an event arrived.
    type Arrival: Copy + Eq + Hash + Debug;
    /// Why the evaluator goes no further: a failure, or it would have to know more than is known.
    type Stop: From<Self::Fault>;

    /// It goes on with its calls, then its agenda, then its queue.
    const RUNNING: Self::Phase;
    /// It is about to close its queue.
    const HALTING: Self::Phase;
    /// The value of a call without result, and of a payload that nobody takes.
    const NULL: Self::Value;
    /// States may be pushed this deeply.
    const STACK_MAX: usize;

    /// Whether values still matter.
    fn goes_on(phase: &Self::Phase) -> bool;
    /// Forgets a value that does not matter any more; the variable has this one by default.
    fn forget(value: &mut Self::Value, default: &Value);
}

/// What goes wrong.
pub(crate) enum Failing<'a, D: Domain> {
    /// Nobody handles an event.
    Unhandled(EventId, D::Arrival),
    /// There is no state below.
    LastPop,
    /// An assertion with this message does not hold.
    Refuted(Option<&'a Expr>),
    /// A state would be pushed too deeply.
    TooDeep(StateId),
}

/// What the evaluator asks about values of a domain.
pub(crate) trait Evaluator<D: Domain> {
    fn plan(&self) -> &Plan;
    fn body(&self, owner: D::Owner) -> &Body;
    fn fault(&self, local: &Local<D>, what: Failing<'_, D>) -> D::Fault;

    fn eval(&self, local: &Local<D>, expr: &Expr) -> Result<D::Value, D::Stop>;
    fn truth(&self, local: &Local<D>, condition: &Expr) -> Result<bool, D::Stop>;
    /// The values that may be picked for a register.
    fn options(&self, local: &Local<D>, pick: Pick<'_>) -> Result<Vec<D::Value>, D::Stop>;
    /// The event and payload of a raise.
    fn raised(&self, local: &Local<D>, what: Message<'_>) -> Result<(EventId, D::Value), D::Stop>;
    /// Whether somebody sees an announcement.
    fn is_watched(&self, local: &Local<D>, what: Message<'_>) -> Result<bool, D::Stop>;
    /// Changes the value at a place of the innermost call or of the machine.
    fn change(&self, local: &mut Local<D>, at: &Place, to: Change<D::Value>)
    -> Result<(), D::Stop>;

    /// What the registers of a function hold when it is called, parameters aside.
    fn registers(&self, function: FunctionId) -> Vec<D::Value>;
    /// What a register of a function keeps of a value.
    fn kept(&self, at: (FunctionId, RegisterId), value: D::Value) -> D::Value;
    /// Whether a call is followed. Otherwise what it does to the machine is done; its result is not known.
    fn follows(&self, local: &mut Local<D>, callee: FunctionId) -> Result<bool, D::Stop>;
    /// The state in which a raised event arrives.
    fn arrival(&self, local: &Local<D>) -> D::Arrival;
    /// Whether the exit function runs in a state that does not handle an event.
    fn exits_unhandled(&self, owner: D::Owner) -> bool;
}

/// A register, and from what its value is picked.
pub(crate) type Pick<'a> = (RegisterId, &'a Choice);
/// An event and its payload.
pub(crate) type Message<'a> = (&'a Expr, &'a Expr);
