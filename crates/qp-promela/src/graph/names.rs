//! Names of control states: their label, or the statement that comes next.

use qp_base::{IndexVec, Map, Set};
use qp_front_promela::spec::{Body, Expr, Match, Place, Spec};

use super::{Act, Graph, Node, NodeId};

/// A longer text says no more.
const LENGTH_MAX: usize = 40;

/// More signs than this would have to be counted.
const PRIMES_MAX: usize = 4;

impl Graph {
    /// One name for every node. No two are equal: what would be gets a `'` at its end, or several, or a
    /// number.
    pub(crate) fn names(&self, spec: &Spec, body: &Body) -> IndexVec<NodeId, String> {
        let mut taken: Set<String> = Set::default();
        let mut counts: Map<String, usize> = Map::default();
        let mut names = IndexVec::new();
        for node in &self.nodes {
            let text = node_text(spec, body, node);
            let count = counts.entry(text.clone()).or_default();
            let mut name = text.clone();
            while !taken.insert(name.clone()) {
                *count += 1;
                name = match *count {
                    n @ ..=PRIMES_MAX => text.clone() + &"'".repeat(n),
                    n => format!("{text}'{n}"),
                };
            }
            names.push(name);
        }
        names
    }
}

fn node_text(spec: &Spec, body: &Body, node: &Node) -> String {
    if let Some(&label) = node.labels.first() {
        return body.labels[label].name.clone();
    }
    let [first, others @ ..] = &node.edges[..] else { return "nowhere".to_owned() };
    let mut text = act_text(spec, body, &first.act);
    if text.chars().count() > LENGTH_MAX {
        text = text.chars().take(LENGTH_MAX).chain("...".chars()).collect();
    }
    if others.is_empty() { text } else { format!("{text} | ...") }
}

/// A basic statement as the user would write it.
pub(crate) fn act_text(spec: &Spec, body: &Body, act: &Act) -> String {
    let show = |value: &Expr| spec.show(Some(body), value);
    let list = |values: &[Expr]| values.iter().map(show).collect::<Vec<_>>().join(",");
    let place = |place: &Place| spec.show_place(Some(body), place);
    match act {
        Act::Jump => "goto".to_owned(),
        Act::Condition(value) => show(value),
        Act::Else => "else".to_owned(),
        Act::Assign(target, value) => format!("{}={}", place(target), show(value)),
        Act::Add(target, number) if *number < 0 => format!("{}--", place(target)),
        Act::Add(target, _) => format!("{}++", place(target)),
        Act::Send { channel, sorted, args } => {
            format!("{}{}{}", place(channel), if *sorted { "!!" } else { "!" }, list(args))
        }
        Act::Receive { channel, random, keep, args } => {
            let part = |part: &Match| match part {
                Match::Constant(value) => show(value),
                Match::Eval(value) => format!("eval({})", show(value)),
                Match::Bind(target) => place(target),
                Match::Any => "_".to_owned(),
            };
            let args = args.iter().map(part).collect::<Vec<_>>().join(",");
            let args = if *keep { format!("<{args}>") } else { args };
            format!("{}{}{args}", place(channel), if *random { "??" } else { "?" })
        }
        Act::Assert(value) => format!("assert({})", show(value)),
        Act::Print(_) => "printf".to_owned(),
        Act::Run { proc, args, .. } => format!("run {}({})", spec.procs[*proc].name, list(args)),
        Act::Declare(local) => body.locals[*local].name.clone(),
        Act::SetPriority(pid, value) => format!("set_priority({},{})", show(pid), show(value)),
        Act::Block | Act::DStep(_) => "d_step".to_owned(),
        Act::End => "-end-".to_owned(),
    }
}
