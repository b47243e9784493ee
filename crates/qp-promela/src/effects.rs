//! What a basic statement reads, writes, sends, takes and starts: its use and definition sets (Aho, Lam, Sethi and
//! Ullman, "Compilers", chapter 9).
//!
//! Every analysis asks here. Only what executes statements, and what writes them down, looks at their kinds itself.

use qp_front_promela::spec::{Cell, Expr, LocalId, Match, Place, ProcId, Spec};

use crate::graph::{Act, Edge, Graph, NodeId};
use crate::uses::indices;

/// The effects of one statement.
#[derive(Clone, Debug)]
pub(crate) struct Effects<'a> {
    pub(crate) guard: Guard<'a>,
    /// What must hold, or the run fails.
    pub(crate) asserts: Option<&'a Expr>,
    /// Values that are computed and go into no variable: what is printed, and priorities.
    pub(crate) computes: Vec<&'a Expr>,
    /// What is assigned, in order.
    pub(crate) writes: Vec<Write<'a>>,
    /// The channel that is sent to, with the message.
    pub(crate) sends: Option<(&'a Place, &'a [Expr])>,
    /// The channel that is received from, with the pattern.
    pub(crate) receives: Option<(&'a Place, &'a [Match])>,
    /// The process that is started, with its arguments.
    pub(crate) starts: Option<(ProcId, &'a [Expr])>,
}

/// What decides whether a statement is possible.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Guard<'a> {
    /// Nothing: it always is.
    Free,
    /// Whether a value is not 0.
    Holds(&'a Expr),
    /// Whether no statement before it at its node is possible.
    Otherwise,
    /// Whether a channel has room, or somebody receives.
    Room,
    /// Whether a channel has a message that matches.
    Message,
    /// The openings of a `d_step` that begins here.
    Opens(NodeId),
    /// How many processes there are, or which ones.
    Processes,
    /// It never is: the run fails.
    Never,
}

/// A part of messages: how many parts they have, and which of them it is.
pub(crate) type FieldKey = (usize, usize);

/// One assignment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Write<'a> {
    pub(crate) place: &'a Place,
    pub(crate) source: Source<'a>,
}

/// What is assigned.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source<'a> {
    /// A value.
    Value(&'a Expr),
    /// The first value of a variable.
    First(&'a Expr),
    /// What was there and a number.
    Sum(i32),
    /// This part of the message that is received.
    Part(FieldKey),
    /// The number of the process that is started.
    Child,
}

impl Act {
    /// What this statement does.
    pub(crate) fn effects(&self) -> Effects<'_> {
        let mut it = Effects::of(Guard::Free);
        match self {
            Self::Jump => {}
            Self::Condition(value) => it.guard = Guard::Holds(value),
            Self::Else => it.guard = Guard::Otherwise,
            Self::Assign(place, value) => it.write(place, Source::Value(value)),
            Self::Declare(place, value) => it.write(place, Source::First(value)),
            Self::Add(place, number) => it.write(place, Source::Sum(*number)),
            Self::Send { channel, args, .. } => {
                (it.guard, it.sends) = (Guard::Room, Some((channel, &args[..])));
            }
            Self::Receive { channel, args, .. } => {
                (it.guard, it.receives) = (Guard::Message, Some((channel, &args[..])));
                for (part, arg) in args.iter().enumerate() {
                    if let Match::Bind(place) = arg {
                        it.write(place, Source::Part((args.len(), part)));
                    }
                }
            }
            Self::Assert(value) => it.asserts = Some(value),
            Self::Print(values) => it.computes.extend(values),
            Self::Run { into, proc, args, .. } => {
                (it.guard, it.starts) = (Guard::Processes, Some((*proc, &args[..])));
                if let Some(place) = into {
                    it.write(place, Source::Child);
                }
            }
            Self::SetPriority(pid, priority) => {
                it.guard = Guard::Processes;
                it.computes.extend([pid, priority]);
            }
            Self::DStep(entry) => it.guard = Guard::Opens(*entry),
            Self::Block => it.guard = Guard::Never,
            Self::End => it.guard = Guard::Processes,
        }
        it
    }
}

impl<'a> Effects<'a> {
    fn of(guard: Guard<'a>) -> Self {
        let (asserts, computes, writes) = (None, Vec::new(), Vec::new());
        Self { guard, asserts, computes, writes, sends: None, receives: None, starts: None }
    }

    fn write(&mut self, place: &'a Place, source: Source<'a>) {
        self.writes.push(Write { place, source });
    }

    /// The channel that is used, with the number of parts of its message.
    pub(crate) fn channel(&self) -> Option<(&'a Place, usize)> {
        let sends = self.sends.map(|(channel, args)| (channel, args.len()));
        sends.or(self.receives.map(|(channel, args)| (channel, args.len())))
    }

    /// The indices of all places that are written or hold the channel.
    pub(crate) fn indices(&self) -> impl Iterator<Item = &'a Expr> {
        let places = self.writes.iter().map(|write| write.place);
        places.chain(self.channel().map(|(place, _)| place)).flat_map(indices)
    }

    /// The parts of the message that is sent, or the arguments of the process that is started.
    pub(crate) fn args(&self) -> impl Iterator<Item = &'a Expr> {
        let sent = self.sends.map(|(_, args)| args);
        sent.or(self.starts.map(|(_, args)| args)).into_iter().flatten()
    }

    /// Calls `look` for every value that is computed, those in indices included; not for those inside of others.
    pub(crate) fn each_value(&self, look: &mut dyn FnMut(&'a Expr)) {
        if let Guard::Holds(value) = self.guard {
            look(value);
        }
        self.indices().for_each(&mut *look);
        self.writes.iter().filter_map(|write| write.source.value()).for_each(&mut *look);
        self.wanted().for_each(|(_, value)| look(value));
        self.args().chain(self.asserts).chain(self.computes.iter().copied()).for_each(look);
    }

    /// What parts of the message that is received must be.
    pub(crate) fn wanted(&self) -> impl Iterator<Item = (FieldKey, &'a Expr)> {
        let args = self.receives.map_or(&[][..], |(_, args)| args);
        args.iter().enumerate().filter_map(|(part, arg)| match arg {
            Match::Constant(value) | Match::Eval(value) => Some(((args.len(), part), value)),
            Match::Bind(_) | Match::Any => None,
        })
    }
}

impl<'a> Source<'a> {
    /// The value, if it is one that the statement computes.
    pub(crate) fn value(self) -> Option<&'a Expr> {
        match self {
            Self::Value(value) | Self::First(value) => Some(value),
            Self::Sum(_) | Self::Part(_) | Self::Child => None,
        }
    }
}

/// The cells of the parameters of a proctype, one for every argument.
pub(crate) fn parameters(spec: &Spec, proc: ProcId) -> impl Iterator<Item = (LocalId, Cell)> {
    let called = &spec.procs[proc];
    let locals = called.body.locals.iter_enumerated().take(called.params);
    locals.flat_map(|(id, local)| spec.cells(local).into_iter().map(move |cell| (id, cell)))
}

impl Graph {
    /// All statements.
    pub(crate) fn edges(&self) -> impl Iterator<Item = &Edge> {
        self.nodes.iter().flat_map(|node| &node.edges)
    }

    /// Whether a statement is surely possible. Where that depends on more than the text, `holds` decides.
    pub(crate) fn is_sure(&self, edge: &Edge, holds: &mut dyn FnMut(&Effects<'_>) -> bool) -> bool {
        let effects = edge.act.effects();
        match effects.guard {
            Guard::Free | Guard::Otherwise => edge.escape == 0,
            Guard::Opens(entry) => match self.openings(entry) {
                Some(mut all) => all.any(|edge| self.is_sure(edge, holds)),
                None => edge.escape == 0,
            },
            Guard::Holds(_) | Guard::Room => holds(&effects),
            Guard::Message | Guard::Processes | Guard::Never => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use qp_front_promela::spec::ExprKind;
    use qp_front_promela::{NoFiles, Options, read};

    use super::*;
    use crate::{graph, uses};

    const TEXT: &str = "byte a[3]; byte x; pid p; chan q = [1] of { byte, byte };
        proctype P(byte n) { skip }
        init {
            a[x] = x + 1; a[x + 2]++; q!x,a[1]; q?a[x + 3],eval(x + 4); q?<x,_>;
            if :: x == 2 :: else fi; assert(x < 9); printf(\"%d\", x * 2);
            p = run P(x + 5); set_priority(p, x + 6); byte late = x + 7;
            d_step { x = x + 8; x-- }
        }";

    fn spec() -> Spec {
        let read = read("model.pml", TEXT, &NoFiles, &Options::default());
        read.spec.unwrap_or_else(|| panic!("{:?}", read.diagnostics))
    }

    /// What the text says is computed, and nothing else.
    #[test]
    fn no_value_of_a_statement_is_missed() {
        let (spec, mut said) = (spec(), Vec::new());
        let (mut written, mut found) = (BTreeSet::new(), BTreeSet::new());
        uses::each_of_processes(&spec, &mut |it| {
            if !matches!(it.kind, ExprKind::Run { .. }) {
                written.insert(it.at.span.start);
            }
        });
        let graphs = graph::graphs(&spec, &mut said);
        for edge in graphs.iter().flat_map(Graph::edges) {
            edge.act.effects().each_value(&mut |value| {
                uses::expr(value, &mut |it| {
                    found.insert(it.at.span.start);
                });
            });
        }
        assert_eq!(found, written);
    }

    #[test]
    fn assignments_are_in_order() {
        let (spec, mut said) = (spec(), Vec::new());
        let body = spec.procs.iter().next_back().map(|it| &it.body);
        let show = |it: &Write<'_>| {
            let source = match it.source {
                Source::Value(value) | Source::First(value) => spec.show(body, value),
                Source::Sum(number) => format!("{number:+}"),
                Source::Part((n_parts, part)) => format!("{part} of {n_parts}"),
                Source::Child => "child".to_owned(),
            };
            format!("{}: {source}", spec.show_place(body, it.place))
        };
        let graphs = graph::graphs(&spec, &mut said);
        let mut edges: Vec<&Edge> = graphs.iter().flat_map(Graph::edges).collect();
        edges.sort_by_key(|edge| edge.at.span.start);
        let writes = edges.iter().flat_map(|edge| edge.act.effects().writes);
        let writes: Vec<String> = writes.map(|it| show(&it)).collect();
        let expected = [
            "a[x]: (x+1)",
            "a[(x+2)]: +1",
            "a[(x+3)]: 0 of 2",
            "x: 0 of 2",
            "p: child",
            "late: (x+7)",
            "x: (x+8)",
            "x: -1",
        ];
        assert_eq!(writes, expected);
    }
}
