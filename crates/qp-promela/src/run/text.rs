//! States, messages and variables as texts, and back.

use qp_base::{Code as Kind, Span};
use qp_front_promela::spec::{Cell, MtypeId, ProcId, ShapeId, Ty, Variable};
use qp_machines::{Failure, Property, QueueId};

use super::value::{NUMBER_MAX, as_channel, channel, number};
use super::{Code, Frame, Part, Processes};
use crate::graph::NodeId;

impl Code {
    /// A message as the user would write it. A channel is written with its number and what it carries.
    pub(super) fn message_text(&self, parts: &[Part]) -> String {
        let text = |part: &Part| match *part {
            Part::Number(value) => value.to_string(),
            Part::Name(set, value) => {
                self.spec.mtypes[set].name_of(value).unwrap_or_default().to_owned()
            }
            Part::Channel(value) => channel_text(value),
        };
        parts.iter().map(text).collect::<Vec<_>>().join(",")
    }
}

impl Processes {
    /// The proctype, the place, the variables, and a failure that comes next.
    pub(super) fn frame_text(&self, frame: &Frame) -> String {
        let name = &self.code.spec.procs[frame.proc].name;
        let cells =
            self.row_text(self.code.spec.procs[frame.proc].body.locals.iter(), &frame.cells);
        let priority = if self.code.ranks { format!("^{}", frame.priority) } else { String::new() };
        let text = format!("{name}@{}{priority} {cells}", frame.node.raw());
        if let Some(trouble) = frame.trouble {
            let Failure { code: Kind(code), text: what, span, .. } = &self.failures[trouble];
            let Span { start, end } = span.unwrap_or_default();
            return format!("{text}!{code}:{start}:{end}:{what}");
        }
        text
    }

    pub(super) fn frame_from_text(&mut self, text: &str) -> Option<Frame> {
        let (state, trouble) =
            text.split_once('!').map_or((text, None), |(state, trouble)| (state, Some(trouble)));
        let (name, rest) = state.split_once('@')?;
        let (node, cells) = rest.split_once(' ')?;
        let proc = self.code.spec.procs.iter().position(|proc| proc.name == name)?;
        let proc = ProcId::new(proc);
        let (node, priority) = match node.split_once('^') {
            Some((node, priority)) if self.code.ranks => (node, priority.parse().ok()?),
            None if !self.code.ranks => (node, 0),
            _ => return None,
        };
        let node: u32 = node.parse().ok()?;
        let nodes = &self.code.graphs[proc].nodes;
        let node = Some(NodeId::from_raw(node)).filter(|node| node.index() < nodes.len())?;
        let cells = self.row_from_text(self.code.spec.procs[proc].body.locals.iter(), cells)?;
        let trouble = match trouble {
            None => None,
            Some(trouble) => Some(self.failure_id(failure_from_text(trouble)?)),
        };
        Some(Frame { proc, node, cells, trouble, priority })
    }

    /// The shared variables, and behind them those that nobody declared: `x=1 +0`.
    pub(super) fn globals_text(&self, cells: &[i32]) -> String {
        let (declared, others) = cells.split_at(self.code.layout.n_globals());
        let declared = self.row_text(self.code.spec.globals.iter(), declared);
        let others = others.iter().map(|value| format!("+{value}"));
        let words = Some(declared).filter(|it| !it.is_empty()).into_iter().chain(others);
        words.collect::<Vec<_>>().join(" ")
    }

    pub(super) fn globals_from_text(&self, text: &str) -> Option<Vec<i32>> {
        let (declared, others) = text.split_at(text.find('+').unwrap_or(text.len()));
        let mut cells = self.row_from_text(self.code.spec.globals.iter(), declared)?;
        for word in others.split_whitespace() {
            cells.push(word.strip_prefix('+')?.parse().ok()?);
        }
        (cells.len() == self.code.n_cells).then_some(cells)
    }

    /// Variables with what they hold: `x=1 a=0,3`.
    fn row_text<'a>(
        &self,
        variables: impl Iterator<Item = &'a Variable>,
        mut cells: &[i32],
    ) -> String {
        let mut words = Vec::new();
        for variable in variables {
            let types = self.code.spec.cells(variable);
            let (own, others) = cells.split_at(types.len());
            let value = |(cell, &value): (&Cell, &i32)| match cell.ty {
                Ty::Chan => channel_text(value),
                _ => value.to_string(),
            };
            let values: Vec<String> = types.iter().zip(own).map(value).collect();
            words.push(format!("{}={}", variable.name, values.join(",")));
            cells = others;
        }
        words.join(" ")
    }

    fn row_from_text<'a>(
        &self,
        variables: impl Iterator<Item = &'a Variable>,
        text: &str,
    ) -> Option<Vec<i32>> {
        let mut cells = Vec::new();
        let mut words = text.split_whitespace();
        for variable in variables {
            let (name, values) = words.next()?.split_once('=')?;
            let types = self.code.spec.cells(variable);
            let before = cells.len();
            for (value, cell) in values.split(',').zip(&types) {
                cells.push(match cell.ty {
                    Ty::Chan => channel_from_text(value)?,
                    _ => value.parse().ok()?,
                });
            }
            let is_whole = cells.len() - before == types.len();
            let is_all = values.split(',').count() == types.len();
            (name == variable.name && is_whole && is_all).then_some(())?;
        }
        words.next().is_none().then_some(cells)
    }

    pub(super) fn parts_from_text(&self, text: &str) -> Option<Vec<Part>> {
        let part = |text: &str| {
            if text.starts_with('#') {
                return channel_from_text(text).map(Part::Channel);
            }
            text.parse().ok().map(Part::Number).or_else(|| self.name(text))
        };
        text.split(',').map(part).collect()
    }

    fn name(&self, text: &str) -> Option<Part> {
        self.code.spec.mtypes.iter_enumerated().find_map(|(set, names): (MtypeId, _)| {
            let index = names.names.iter().position(|name| name == text)?;
            Some(Part::Name(set, number(index + 1)))
        })
    }
}

/// A channel by its number and what it carries: `#1.0`. Without a channel, `#0`.
fn channel_text(value: i32) -> String {
    match as_channel(value) {
        Some((queue, shape)) => format!("#{}.{}", queue.index() + 1, shape.index()),
        None => format!("#{value}"),
    }
}

fn channel_from_text(text: &str) -> Option<i32> {
    let text = text.strip_prefix('#')?;
    let Some((number, shape)) = text.split_once('.') else {
        return text.parse().ok().filter(|&value| as_channel(value).is_none());
    };
    let number: usize = number.parse().ok().filter(|number| (1..=NUMBER_MAX).contains(number))?;
    let shape: u16 = shape.parse().ok()?;
    Some(channel(QueueId::new(number - 1), ShapeId::new(shape.into())))
}

fn failure_from_text(text: &str) -> Option<Failure> {
    let mut parts = text.splitn(4, ':');
    let code = Kind(parts.next()?.parse().ok()?);
    let start: u32 = parts.next()?.parse().ok()?;
    let end: u32 = parts.next()?.parse().ok()?;
    let text = parts.next()?.to_owned();
    let span = Some(Span { start, end });
    Some(Failure { property: Property::Assert, code, text, span })
}
