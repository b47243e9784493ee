//! What cannot be run yet, by name and place.

pub(crate) use values::is_channel;

mod values;

use qp_base::{Diagnostic, IndexVec, Set};
use qp_front_promela::At;
use qp_front_promela::spec::{Expr, ExprKind, Init, ProcId, Spec, Ty, Var};

use crate::codes;
use crate::graph::{Act, Graph};
use crate::run::Layout;
use values::Values;

/// Says that something cannot be run yet.
pub(crate) fn not_yet(what: &str, at: At) -> Diagnostic {
    let message = format!("{what} cannot be run yet");
    Diagnostic::error(codes::NOT_YET, message, at.span)
        .help("express it in another way; `queueproof explain QP0341` lists what is refused")
}

/// Everything in a model that cannot be run yet, and what is read but not checked.
pub(crate) fn refused(spec: &Spec, graphs: &IndexVec<ProcId, Graph>) -> Vec<Diagnostic> {
    let mut said = Vec::new();
    for claim in &spec.claims {
        said.push(not_yet("a `never` claim", claim.at));
    }
    for trace in &spec.traces {
        let what = if trace.forbidden { "`notrace`" } else { "`trace`" };
        said.push(not_yet(what, trace.at));
    }
    for formula in &spec.formulas {
        let message = format!("the formula `{}` is not checked", formula.name);
        let help = "formulas of Promela models cannot be checked yet; everything else is";
        said.push(Diagnostic::warning(codes::NOT_YET, message, formula.at.span).help(help));
    }
    for global in &spec.globals {
        first_value(&global.init, &mut said);
    }
    for record in &spec.records {
        for field in &record.fields {
            first_value(&field.init, &mut said);
        }
    }
    let layout = Layout::new(spec);
    for (id, proc) in spec.procs.iter_enumerated() {
        if proc.priority.is_some() {
            said.push(not_yet("`priority`", proc.at));
        }
        if let Some(provided) = &proc.provided {
            said.push(not_yet("`provided`", provided.at));
        }
        for local in &proc.body.locals {
            first_value(&local.init, &mut said);
        }
        acts(&graphs[id], &mut said);
        let dies = graphs[id].ends && !is_always_first(spec, graphs, id);
        if dies && !layout.own_channels(id).is_empty() {
            handed_over(&graphs[id], spec.procs[id].params, &mut said);
        }
    }
    let mut seen: Set<(u32, u32, String)> = Set::default();
    said.retain(|it| {
        let span = it.primary.span;
        seen.insert((span.start, span.end, it.message.clone()))
    });
    said
}

fn first_value(init: &Init, said: &mut Vec<Diagnostic>) {
    if let Init::Value(value) = init {
        Values { said, queues: false }.value(value);
    }
}

fn acts(graph: &Graph, said: &mut Vec<Diagnostic>) {
    for node in &graph.nodes {
        let mut elses = node.edges.iter().filter(|edge| matches!(edge.act, Act::Else)).skip(1);
        if let Some(second) = elses.next() {
            said.push(not_yet("a second `else` at one place", second.at));
        }
        for edge in &node.edges {
            Values { said, queues: true }.act(&edge.act, edge.at);
        }
    }
}

/// Whether processes that run this are only ever process 0, which ends last.
fn is_always_first(spec: &Spec, graphs: &IndexVec<ProcId, Graph>, id: ProcId) -> bool {
    let first = spec.procs.iter_enumerated().find(|(_, proc)| proc.active > 0);
    let runs = |act: &Act| matches!(act, Act::Run { proc, .. } if *proc == id);
    first.is_some_and(|(first, proc)| first == id && proc.active == 1)
        && !edges(graphs).any(|edge| runs(&edge.act))
}

fn edges(graphs: &IndexVec<ProcId, Graph>) -> impl Iterator<Item = &crate::graph::Edge> {
    graphs.iter().flat_map(|graph| graph.nodes.iter()).flat_map(|node| node.edges.iter())
}

/// A channel of a process must not outlive it in the hands of others.
fn handed_over(graph: &Graph, params: usize, said: &mut Vec<Diagnostic>) {
    let own = |value: &Expr| match &value.kind {
        ExprKind::Load(place) => {
            place.ty == Ty::Chan && matches!(place.var, Var::Local(id) if id.index() >= params)
        }
        ExprKind::Conditional(..) => true,
        _ => false,
    };
    for edge in graph.nodes.iter().flat_map(|node| node.edges.iter()) {
        let values: Vec<&Expr> = match &edge.act {
            Act::Assign(place, value) if place.ty == Ty::Chan => vec![value],
            Act::Send { args, .. } | Act::Run { args, .. } => args.iter().collect(),
            _ => Vec::new(),
        };
        for value in values.into_iter().filter(|value| own(value)) {
            let what = "handing over a channel of a process that can end before others do";
            said.push(not_yet(what, value.at));
        }
    }
}
