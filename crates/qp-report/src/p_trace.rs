//! A run in the trace format of the P checker (`….trace.json`), so that its viewers open our runs.
//!
//! The format is an array of entries `{type, details}`; each entry of a machine carries the vector clock
//! after it. What a collapsed step does in between (raised events, called functions) has no entry.

mod payload;

use std::collections::BTreeMap;

use queueproof::{Chart, ChartEvent, ChartRow};

use crate::json::{Json, object, pretty};
use payload::parts;

/// The run as JSON.
pub fn p_trace(chart: &Chart) -> String {
    let mut log =
        Log { chart, entries: Vec::new(), clocks: BTreeMap::new(), sent: BTreeMap::new() };
    log.starts();
    for (number, row) in chart.rows.iter().enumerate() {
        log.row(number, row);
    }
    log.ends();
    pretty(&log.entries)
}

type Clock = BTreeMap<String, u64>;

struct Log<'a> {
    chart: &'a Chart,
    entries: Vec<Json<'static>>,
    clocks: BTreeMap<usize, Clock>,
    /// For each row that sent something: the sender's clock then.
    sent: BTreeMap<usize, Clock>,
}

impl Log<'_> {
    fn starts(&mut self) {
        for (machine, control) in self.chart.controls.clone().into_iter().enumerate() {
            if !control.is_empty() {
                self.created(machine, None);
                self.enters(machine, &control);
            }
        }
    }

    fn ends(&mut self) {
        let error = self.chart.ending.clone();
        if !error.is_empty() {
            let details = object! { log: error.clone(), error: error };
            self.entries.push(object! { type: "AssertionFailure", details: details });
        }
    }

    fn row(&mut self, number: usize, row: &ChartRow) {
        let (machine, id) = (row.machine, self.name(row.machine));
        match &row.event {
            ChartEvent::Internal | ChartEvent::Fails { .. } | ChartEvent::Ends => {}
            ChartEvent::Sends { queue, message, .. } => {
                self.sends(row, *queue, message, false);
                self.sent.insert(number, self.clocks[&machine].clone());
            }
            ChartEvent::Loses { queue, message } => self.sends(row, *queue, message, true),
            ChartEvent::Meets { receiver, message, .. } => {
                self.sends(row, *receiver, message, false);
            }
            ChartEvent::Takes { message, sent, .. } => {
                let sent = sent.and_then(|sent| self.sent.get(&sent)).cloned();
                self.learns(machine, &sent.unwrap_or_default());
                let (event, payload, shown) = parts(message);
                let log = format!("'{id}' dequeued event '{shown}' in state '{}'.", row.from);
                let state = row.from.clone();
                let details =
                    object! { log: log, id: id, event: event, state: state, payload: payload };
                self.add(machine, "DequeueEvent", details);
            }
            ChartEvent::Creates { machine: child } => {
                self.created(*child, Some(machine));
                self.enters(*child, &self.first_state(*child, number));
            }
            ChartEvent::Closes { queue } => {
                let inbox = self.chart.rows[..number]
                    .iter()
                    .rev()
                    .find_map(|row| row.contents.iter().find(|(changed, _)| changed == queue));
                let inbox = inbox.map_or(0, |(_, content)| content.len());
                let log = format!("{id} halted with {inbox} events in its inbox.");
                self.add(machine, "Halt", object! { log: log, id: id, haltInboxSize: inbox });
                return;
            }
        }
        if row.from != row.to {
            self.goes(machine, &row.from, &row.to);
        }
    }

    fn created(&mut self, machine: usize, creator: Option<usize>) {
        let (id, creator_name) = (self.name(machine), creator.map(|creator| self.name(creator)));
        let source = creator_name.as_deref().unwrap_or("the test");
        let log = format!("{id} was created by {source}.");
        let kind = |name: &String| name.split('(').next().unwrap_or(name).to_owned();
        let creator_type = creator_name.as_ref().map(kind);
        let details =
            object! { log: log, id: id, creatorName: creator_name, creatorType: creator_type };
        if let Some(clock) = creator.and_then(|creator| self.clocks.get(&creator)).cloned() {
            self.learns(machine, &clock);
        }
        self.add(machine, "CreateStateMachine", details);
    }

    fn sends(&mut self, row: &ChartRow, queue: usize, message: &str, halted: bool) {
        let sender = self.name(row.machine);
        let target = self.chart.queues.get(queue).map_or_else(String::new, |it| it.name.clone());
        let (event, payload, shown) = parts(message);
        let which = if halted { " which has halted" } else { "" };
        let log = format!(
            "'{sender}' in state '{}' sent event '{shown}' to '{target}'{which}.",
            row.from
        );
        let details = object! {
            log: log,
            event: event,
            state: row.from.clone(),
            payload: payload,
            sender: sender,
            target: target,
            isTargetHalted: halted,
        };
        self.add(row.machine, "SendEvent", details);
    }

    fn goes(&mut self, machine: usize, from: &str, to: &str) {
        let id = self.name(machine);
        let log = format!("{id} is transitioning from state '{from}' to state '{to}'.");
        let (start, end) = (from.to_owned(), to.to_owned());
        let details = object! { log: log, id: id, startState: start, endState: end };
        self.add(machine, "GotoState", details);
        self.passes(machine, from, false);
        self.enters(machine, to);
    }

    fn enters(&mut self, machine: usize, state: &str) {
        self.passes(machine, state, true);
    }

    fn passes(&mut self, machine: usize, state: &str, entry: bool) {
        let id = self.name(machine);
        let log = format!("{id} {} state '{state}'.", if entry { "enters" } else { "exits" });
        let details = object! { log: log, id: id, state: state.to_owned(), isEntry: entry };
        self.add(machine, "StateTransition", details);
    }

    /// The state in which a created machine is first seen.
    fn first_state(&self, machine: usize, after: usize) -> String {
        let later = self.chart.rows[after..].iter().find(|row| row.machine == machine);
        later.map_or_else(String::new, |row| row.from.clone())
    }

    fn add(&mut self, machine: usize, kind: &'static str, details: Json<'static>) {
        let name = self.name(machine);
        let clock = self.clocks.entry(machine).or_default();
        *clock.entry(name).or_default() += 1;
        let clock = clock.iter().map(|(name, &time)| (name.clone().into(), time.into()));
        let details = details.and(object! { clock: Json::Object(clock.collect()) });
        self.entries.push(object! { type: kind, details: details.without_nulls() });
    }

    /// What the other clock knows, this machine knows now too.
    fn learns(&mut self, machine: usize, other: &Clock) {
        let clock = self.clocks.entry(machine).or_default();
        for (name, &time) in other {
            let known = clock.entry(name.clone()).or_default();
            *known = time.max(*known);
        }
    }

    fn name(&self, machine: usize) -> String {
        self.chart.machines[machine].clone()
    }
}

#[cfg(test)]
mod tests;
