//! The effects of an instruction, for data-flow analyses: which values move where, and where control goes next.
//!
//! This is the only place besides the evaluators that knows all instructions. An analysis gives a meaning to the
//! few kinds of [`Source`] and [`Sink`]; what is read, written, sent and taken follows from that.

use crate::{
    Body, Choice, EventId, Expr, Function, FunctionId, Handler, Instr, Place, Projection,
    RegisterId, Root, StateId, Target,
};

/// What an instruction does.
#[derive(Debug, Default)]
pub(crate) struct Effects<'a> {
    /// The values that it moves.
    pub(crate) flows: Vec<Flow<'a>>,
    /// Where the function may go on. A call goes on behind itself, and whoever returns goes to the end.
    pub(crate) ways: Vec<Way>,
    /// The function that runs before it goes on.
    pub(crate) calls: Option<FunctionId>,
    /// How it may abandon the function.
    pub(crate) leaves: Option<Leave<'a>>,
}

/// A value that is moved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flow<'a> {
    pub(crate) source: Source<'a>,
    pub(crate) sink: Sink<'a>,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source<'a> {
    /// It is worked out.
    Expr(&'a Expr),
    /// The function returned it.
    Result(FunctionId),
    /// It is picked freely.
    Choice(&'a Choice),
    /// It is the machine that was created, by the number of its interface.
    Created(u32),
    /// The event that was taken carried it.
    Payload(EventId),
}

/// Where a value goes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sink<'a> {
    /// Into a variable of the function or machine.
    Variable { root: Root, path: &'a [Projection], change: Change },
    /// Into a parameter of a function that is called.
    Parameter(FunctionId, RegisterId),
    /// To whoever called this function.
    Result,
    /// To the machine that is created, by the number of its interface.
    Newborn(u32),
    /// Into the mailbox of a machine, with an event.
    Mailbox { target: &'a Expr, event: &'a Expr },
    /// To those who watch, with an event.
    Specs { event: &'a Expr },
    /// To the machine itself, with an event.
    Raised { event: &'a Expr },
    /// To a state that is entered.
    State(StateId),
    /// It decides whether and where the run goes on, or what is said about its failure.
    Decision,
    /// Nowhere.
    Nothing,
}

/// What is done with a value at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    /// It is stored there.
    Assign,
    /// Something is inserted into the collection there, under this key.
    Key,
    /// It is put into the collection there.
    Item,
    /// It is removed from the collection there.
    Remove,
}

/// A way on inside of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Way {
    pub(crate) to: Target,
    /// The variable that is assigned as a whole on this way.
    pub(crate) overwrites: Option<Root>,
}

/// How a function is abandoned.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Leave<'a> {
    /// The event is handled next.
    Raise(&'a Expr),
    /// The state changes.
    Goto(StateId),
    /// The state below comes back.
    Pop,
    /// The run is of no interest any more.
    Discard,
}

impl Function {
    /// What each of its instructions does.
    pub(crate) fn effects(&self) -> impl Iterator<Item = Effects<'_>> {
        (0..self.code.len()).map(|pc| self.effects_at(pc))
    }

    /// What one of its instructions does.
    pub(crate) fn effects_at(&self, pc: usize) -> Effects<'_> {
        let (next, end) = (pc as Target + 1, self.code.len() as Target);
        let on = |flows: Vec<_>| Effects { flows, ways: vec![Way::to(next)], ..Effects::default() };
        let leave = |flow: Option<_>, leave| {
            let flows = flow.into_iter().collect();
            Effects { flows, leaves: Some(leave), ..Effects::default() }
        };
        match &self.code[pc] {
            Instr::Assign { place, value } => Effects {
                ways: vec![Way {
                    to: next,
                    overwrites: place.path.is_empty().then_some(place.root),
                }],
                ..on(vec![stored(value, place, Change::Assign)])
            },
            Instr::Insert { place, key, value } => {
                on(vec![stored(key, place, Change::Key), stored(value, place, Change::Item)])
            }
            Instr::Add { place, value } => on(vec![stored(value, place, Change::Item)]),
            Instr::Remove { place, key } => on(vec![stored(key, place, Change::Remove)]),
            Instr::Evaluate(expr) => on(vec![flow(expr, Sink::Nothing)]),
            Instr::Jump(target) => Effects { ways: vec![Way::to(*target)], ..Effects::default() },
            Instr::Unless(condition, target) => Effects {
                ways: vec![Way::to(next), Way::to(*target)],
                ..on(vec![flow(condition, Sink::Decision)])
            },
            Instr::Call { function, args, into } => {
                let param =
                    |(number, arg)| flow(arg, Sink::Parameter(*function, RegisterId::new(number)));
                let flows = args.iter().enumerate().map(param).collect();
                let calls = Some(*function);
                Effects { calls, ..on(flows) }.with_result(Source::Result(*function), *into)
            }
            Instr::Return(value) => Effects {
                ways: vec![Way::to(end)],
                ..on(value.iter().map(|value| flow(value, Sink::Result)).collect())
            },
            Instr::Choose { into, from } => {
                on(vec![]).with_result(Source::Choice(from), Some(*into))
            }
            Instr::New { interface, arg, into } => on(vec![flow(arg, Sink::Newborn(*interface))])
                .with_result(Source::Created(*interface), *into),
            Instr::Send { target, event, payload } => {
                on(vec![flow(payload, Sink::Mailbox { target, event })])
            }
            Instr::Announce { event, payload } => on(vec![flow(payload, Sink::Specs { event })]),
            Instr::Raise { event, payload } => {
                leave(Some(flow(payload, Sink::Raised { event })), Leave::Raise(event))
            }
            Instr::Goto { state, payload } => {
                leave(Some(flow(payload, Sink::State(*state))), Leave::Goto(*state))
            }
            Instr::Pop => leave(None, Leave::Pop),
            Instr::Receive(cases) => {
                let (mut flows, mut ways) = (Vec::new(), Vec::new());
                for case in cases {
                    let overwrites = case.into.map(Root::Register);
                    let sink = overwrites.map_or(Sink::Nothing, Sink::whole);
                    flows.push(Flow { source: Source::Payload(case.event), sink });
                    ways.push(Way { to: case.target, overwrites });
                }
                Effects { flows, ways, ..Effects::default() }
            }
            Instr::Assert { condition, message } => {
                let decides = std::iter::once(condition).chain(message);
                on(decides.map(|expr| flow(expr, Sink::Decision)).collect())
            }
            Instr::Assume(condition) => Effects {
                leaves: Some(Leave::Discard),
                ..on(vec![flow(condition, Sink::Decision)])
            },
        }
    }
}

impl Handler {
    /// The function that it runs, and the state that it enters.
    pub(crate) fn effects(self) -> (Option<FunctionId>, Option<StateId>) {
        match self {
            Self::Defer | Self::Ignore => (None, None),
            Self::Do(function) => (Some(function), None),
            Self::Goto(next, with) => (with, Some(next)),
            Self::Push(next) => (None, Some(next)),
        }
    }
}

impl Body {
    /// The functions to which states hand the payload of an event, if they take it.
    pub(crate) fn handed(&self) -> impl Iterator<Item = (EventId, FunctionId)> {
        let handlers = self.states.iter().flat_map(|state| &state.handlers);
        handlers.flat_map(|(event, handler)| {
            let (function, next) = handler.effects();
            let entry = next.and_then(|next| self.states[next].entry);
            function.into_iter().chain(entry).map(|function| (*event, function))
        })
    }
}

impl<'a> Effects<'a> {
    /// With a result that is put into a register.
    fn with_result(mut self, source: Source<'a>, register: Option<RegisterId>) -> Self {
        let root = register.map(Root::Register);
        self.flows.push(Flow { source, sink: root.map_or(Sink::Nothing, Sink::whole) });
        self.ways.iter_mut().for_each(|way| way.overwrites = root);
        self
    }

    /// The variable that is assigned as a whole on every way there.
    pub(crate) fn overwritten(&self, to: Target) -> Option<Root> {
        let mut ways = self.ways.iter().filter(|way| way.to == to).map(|way| way.overwrites);
        let first = ways.next()?;
        first.filter(|_| ways.all(|other| other == first))
    }

    /// The variables that change, as a whole or inside.
    pub(crate) fn changes(&self) -> impl Iterator<Item = Root> {
        self.flows.iter().filter_map(|flow| match flow.sink {
            Sink::Variable { root, .. } => Some(root),
            _ => None,
        })
    }

    /// Every expression that is worked out, outer ones first.
    pub(crate) fn for_each_expr(&self, visit: &mut dyn FnMut(&'a Expr)) {
        for &Flow { source, sink } in &self.flows {
            match sink {
                Sink::Variable { path, .. } => Projection::for_each_expr(path, visit),
                Sink::Mailbox { target, event } => {
                    target.for_each(visit);
                    event.for_each(visit);
                }
                Sink::Specs { event } | Sink::Raised { event } => event.for_each(visit),
                _ => {}
            }
            match source {
                Source::Expr(expr) | Source::Choice(Choice::Of(expr)) => expr.for_each(visit),
                _ => {}
            }
        }
    }

    /// The variables whose values matter: those in expressions, and those of which a part is changed.
    pub(crate) fn reads(&self) -> Vec<Root> {
        let mut found = Vec::new();
        self.for_each_expr(&mut |expr| found.extend(expr.variable()));
        let keeps = |root: &Root| self.ways.iter().all(|way| way.overwrites != Some(*root));
        found.extend(self.changes().filter(keeps));
        found
    }

    /// Whether others see it.
    pub(crate) fn is_seen(&self) -> bool {
        self.flows.iter().any(|flow| {
            matches!(flow.sink, Sink::Newborn(_) | Sink::Mailbox { .. } | Sink::Specs { .. })
                || matches!(flow.source, Source::Payload(_))
        })
    }
}

impl Sink<'_> {
    /// The whole of a variable.
    fn whole(root: Root) -> Self {
        Self::Variable { root, path: &[], change: Change::Assign }
    }
}

impl Way {
    fn to(to: Target) -> Self {
        Self { to, overwrites: None }
    }
}

fn flow<'a>(expr: &'a Expr, sink: Sink<'a>) -> Flow<'a> {
    Flow { source: Source::Expr(expr), sink }
}

fn stored<'a>(value: &'a Expr, place: &'a Place, change: Change) -> Flow<'a> {
    flow(value, Sink::Variable { root: place.root, path: &place.path, change })
}
