//! Names of control states: the line of the statement that comes next, and its label.

use qp_base::{IndexVec, Map, Set, Span};
use qp_front_promela::At;
use qp_front_promela::spec::{Body, Expr, Place, Spec};

use super::{Act, Edge, Graph, Node, NodeId};

impl Graph {
    /// One name for every node: `line 12`, or `again (line 12)` under a label. No two are equal: where several
    /// are on one line they have columns, behind that the line from which an inline is called, or a number.
    pub(crate) fn names(&self, spec: &Spec, body: &Body) -> IndexVec<NodeId, String> {
        let lines = Lines::new(spec);
        let texts = |detail: Detail| -> Vec<String> {
            self.nodes.iter().map(|node| node_text(&lines, body, node, detail)).collect()
        };
        let mut names = texts(Detail::Line);
        for detail in [Detail::Column, Detail::Call] {
            let shared = shared(&names);
            if shared.is_empty() {
                break;
            }
            for (name, finer) in names.iter_mut().zip(texts(detail)) {
                if shared.contains(name) {
                    *name = finer;
                }
            }
        }
        numbered(names).into()
    }
}

/// The names that several nodes have.
fn shared(names: &[String]) -> Set<String> {
    let mut seen: Set<&String> = Set::default();
    names.iter().filter(|name| !seen.insert(name)).cloned().collect()
}

/// The same names, with numbers where they are equal.
fn numbered(mut names: Vec<String>) -> Vec<String> {
    let mut counts: Map<String, usize> = Map::default();
    let mut taken: Set<String> = Set::default();
    for name in &mut names {
        let text = name.clone();
        while !taken.insert(name.clone()) {
            let count = counts.entry(text.clone()).or_insert(1);
            *count += 1;
            *name = format!("{text} #{count}");
        }
    }
    names
}

/// How closely a place is told.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    Line,
    Column,
    /// And from where the inline is called that it comes from.
    Call,
}

/// Where lines begin. Looking for each anew would go through the text once for each name.
struct Lines<'a> {
    spec: &'a Spec,
    starts: Vec<u32>,
    one_file: bool,
}

impl<'a> Lines<'a> {
    fn new(spec: &'a Spec) -> Self {
        let feeds = spec.source.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(feeds.map(|(at, _)| at as u32 + 1)).collect();
        Self { spec, starts, one_file: spec.source.starts().len() == 1 }
    }

    /// `line 12`, or `inc.h:12` if there are several files; with the column, `line 12:5`.
    fn text(&self, span: Span, column: bool) -> String {
        let file = self.spec.source.file(span.start);
        let number = |offset: u32| self.starts.partition_point(|&start| start <= offset);
        let (line, first) = (number(span.start), number(file.start));
        let begin = self.starts[line.saturating_sub(1)];
        let name = match file.name.rsplit(['/', '\\']).next() {
            Some(name) if !self.one_file => format!("{name}:{}", line + 1 - first),
            _ => format!("line {}", line + 1 - first),
        };
        let before = self.spec.source.text.get(begin as usize..span.start as usize);
        let at = before.map_or(0, |before| before.chars().count()) + 1;
        if column { format!("{name}:{at}") } else { name }
    }

    fn place(&self, at: At, detail: Detail) -> String {
        let text = self.text(at.span, detail != Detail::Line);
        let call = at.expansion.map(|id| self.spec.expansions[id].call);
        match call.filter(|&call| detail == Detail::Call && call != at.span) {
            Some(call) => format!("{text}, called at {}", self.text(call, true)),
            None => text,
        }
    }
}

fn node_text(lines: &Lines<'_>, body: &Body, node: &Node, detail: Detail) -> String {
    let Some(first) = node.edges.first() else { return "nowhere".to_owned() };
    if matches!(first.act, Act::End) && node.labels.is_empty() {
        return "its end".to_owned();
    }
    let place = lines.place(first.at, detail);
    match node.labels.first() {
        Some(&label) => format!("{} ({place})", body.labels[label].name),
        None => place,
    }
}

/// A statement as users see it in a run. Jumps and texts that are printed are taken from the model.
pub(crate) fn deed_text(spec: &Spec, body: &Body, edge: &Edge) -> String {
    // What comes out of a macro stands where the macro is used, so there is no text of its own.
    let written = spec.source.text.get(edge.at.span.range());
    let written = written.filter(|_| edge.at.expansion.is_none());
    let line = written.and_then(|text| text.lines().next()).unwrap_or_default().trim_end();
    let begins = |words: [&str; 2]| words.iter().any(|word| line.starts_with(word));
    match &edge.act {
        Act::Print(_) if begins(["printf", "printm"]) => line.to_owned(),
        Act::Jump if begins(["goto", "break"]) => line.to_owned(),
        // Its condition is 1, which nobody wrote.
        Act::Condition(_) if line == "skip" => line.to_owned(),
        _ => act_text(spec, body, &edge.act),
    }
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
            let args = spec.show_matches(Some(body), args);
            let args = if *keep { format!("<{args}>") } else { args };
            format!("{}{}{args}", place(channel), if *random { "??" } else { "?" })
        }
        Act::Assert(value) => format!("assert({})", show(value)),
        Act::Print(_) => "printf".to_owned(),
        Act::Run { proc, args, .. } => format!("run {}({})", spec.procs[*proc].name, list(args)),
        Act::Declare(target, _) => place(&Place { steps: Vec::new(), ..target.clone() }),
        Act::SetPriority(pid, value) => format!("set_priority({},{})", show(pid), show(value)),
        Act::Block | Act::DStep(_) => "d_step".to_owned(),
        Act::End => "-end-".to_owned(),
    }
}
