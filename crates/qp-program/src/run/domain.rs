//! Abstract interpretation (Cousot and Cousot, POPL 1977): one evaluator for what is known in full, by which
//! programs run, and for what is known in part, from which nets are made.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Body, Choice, EventId, Expr, FunctionId, Place, RegisterId, StateId};

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
    /// What is known of a failure that is to come.
    type Fault: Clone + Eq + Hash + Debug;
    /// What is known of the state in which an event arrived.
    type Arrival: Copy + Eq + Hash + Debug;

    /// It goes on with its calls, then its agenda, then its queue.
    const RUNNING: Self::Phase;
    /// The value of a call without result, and of a payload that nobody takes.
    const NULL: Self::Value;
}

/// What the evaluator asks about values of a domain. Where it has to know more than is known, the answer is a stop.
pub(crate) trait Evaluator: Sized {
    type Domain: Domain;
    /// Why the evaluator goes no further.
    type Stop: From<<Self::Domain as Domain>::Fault>;
    /// States may be pushed this deeply.
    const STACK_MAX: usize;

    fn plan(&self) -> &Plan;
    fn body(&self, owner: <Self::Domain as Domain>::Owner) -> &Body;

    fn eval(&self, local: &Local<Self::Domain>, expr: &Expr) -> Result<ValueOf<Self>, Self::Stop>;
    fn truth(&self, local: &Local<Self::Domain>, condition: &Expr) -> Result<bool, Self::Stop>;
    /// The values that may be picked for a register.
    fn options(
        &self,
        local: &Local<Self::Domain>,
        into: RegisterId,
        from: &Choice,
    ) -> Result<Vec<ValueOf<Self>>, Self::Stop>;
    /// The event and payload of a raise.
    fn raised(
        &self,
        local: &Local<Self::Domain>,
        event: &Expr,
        payload: &Expr,
    ) -> Result<(EventId, ValueOf<Self>), Self::Stop>;
    /// Whether somebody sees an announcement.
    fn is_watched(
        &self,
        local: &Local<Self::Domain>,
        event: &Expr,
        payload: &Expr,
    ) -> Result<bool, Self::Stop>;
    /// Changes the value at a place of the innermost call or of the machine.
    fn change(
        &self,
        local: &mut Local<Self::Domain>,
        place: &Place,
        change: Change<ValueOf<Self>>,
    ) -> Result<(), Self::Stop>;

    /// What the registers of a function hold when it is called, parameters aside.
    fn registers(&self, function: FunctionId) -> Vec<ValueOf<Self>>;
    /// What a register of a function keeps of a value.
    fn kept(&self, at: (FunctionId, RegisterId), value: ValueOf<Self>) -> ValueOf<Self>;
    /// Whether a call is followed. Otherwise what it does to the machine is done; its result is not known.
    fn follows(
        &self,
        local: &mut Local<Self::Domain>,
        callee: FunctionId,
    ) -> Result<bool, Self::Stop>;

    /// The state in which a raised event arrives.
    fn arrival(&self, local: &Local<Self::Domain>) -> <Self::Domain as Domain>::Arrival;
    /// Whether the exit function runs in a state that does not handle an event.
    fn exits_unhandled(&self, owner: <Self::Domain as Domain>::Owner) -> bool;
    /// Ends the machine.
    fn halt(&self, local: &mut Local<Self::Domain>);

    /// Nobody handles an event.
    fn unhandled(
        &self,
        local: &Local<Self::Domain>,
        event: EventId,
        arrived: <Self::Domain as Domain>::Arrival,
    ) -> <Self::Domain as Domain>::Fault;
    /// There is no state below.
    fn last_pop(&self, local: &Local<Self::Domain>) -> <Self::Domain as Domain>::Fault;
    /// An assertion does not hold.
    fn refuted(&self, local: &Local<Self::Domain>, message: Option<&Expr>) -> Self::Stop;
    /// A state would be pushed too deeply.
    fn too_deep(&self, local: &Local<Self::Domain>, state: StateId) -> Self::Stop;
}

/// What an evaluator knows of a value.
pub(crate) type ValueOf<E> = <<E as Evaluator>::Domain as Domain>::Value;
/// What an evaluator knows of where an event arrived.
pub(crate) type ArrivalOf<E> = <<E as Evaluator>::Domain as Domain>::Arrival;
