//! Runs that are made of no rounds, however large.

use std::collections::BTreeSet;

use qp_machines::{Config, Event, MachineId, MessageId, Outcome, QueueId, System};

use crate::exchanges::peers::is_mailbox;
use crate::{Checked, Refusal, wrong};

/// So many messages of a run are looked at, at most.
const MESSAGES_MAX: usize = 2_000;

/// A machine that receives one message before it sends another, although they belong to one round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Crossing {
    /// The machine.
    pub(crate) machine: MachineId,
    /// What it receives first.
    pub(crate) received: MessageId,
    /// What it sends later.
    pub(crate) sent: MessageId,
}

/// The chart of a run.
#[derive(Default)]
struct Chart {
    /// What is sent: by whom, where to, and what.
    messages: Vec<(MachineId, QueueId, MessageId)>,
    /// For each machine, the messages of which it has an action, and whether it receives them.
    actions: Vec<Vec<(usize, bool)>>,
    /// For each queue, the messages that are in it.
    queues: Vec<Vec<usize>>,
    readers: BTreeSet<(QueueId, MachineId)>,
}

/// Two messages that cross: a run with such a pair is not equivalent to rounds of sends followed by their receives,
/// however large; `None` if the run has none.
///
/// That is so if a component of the conflict graph has an edge from a receive to a send inside.
pub(crate) fn crossing<'a>(
    system: &System,
    initial: &Config,
    outcomes: impl Iterator<Item = &'a Outcome>,
) -> Checked<Option<Crossing>> {
    let mut chart = Chart::default();
    let mut last = initial;
    for outcome in outcomes {
        chart.act(outcome)?;
        last = &outcome.config;
    }
    chart.check_discipline(system, last)?;
    let reach = chart.reach();
    for (machine, actions) in chart.actions.iter().enumerate() {
        for (place, &(v, _)) in actions.iter().enumerate().filter(|(_, action)| action.1) {
            let mut later = actions[place..].iter().filter(|action| !action.1);
            // The edge from v to w is there, so they are in one component if something leads back.
            if let Some(&(w, _)) = later.find(|&&(w, _)| reach[w][v]) {
                let (received, sent) = (chart.messages[v].2, chart.messages[w].2);
                return Ok(Some(Crossing { machine: MachineId::new(machine), received, sent }));
            }
        }
    }
    Ok(None)
}

impl Chart {
    fn act(&mut self, outcome: &Outcome) -> Checked<()> {
        let machine = outcome.step.machine;
        self.actions.resize(outcome.config.locals.len(), Vec::new());
        self.queues.resize(outcome.config.words.len(), Vec::new());
        let mut events = outcome.events().filter(|&event| event != Event::Internal);
        let event = events.next().unwrap_or(Event::Internal);
        let creates = |event| matches!(event, Event::Created { .. });
        if !events.all(|other| creates(event) && creates(other)) {
            return wrong("a step does several things");
        }
        match event {
            Event::Internal => {}
            Event::Created { .. } if self.messages.is_empty() => {}
            Event::Sent { queue, message } => {
                if self.messages.len() == MESSAGES_MAX {
                    return Err(Refusal::TooLarge);
                }
                let number = self.messages.len();
                self.messages.push((machine, queue, message));
                self.queues[queue.index()].push(number);
                self.actions[machine.index()].push((number, false));
            }
            Event::Took { queue, position: 0, kept: false, .. } => {
                if self.queues[queue.index()].is_empty() {
                    return wrong("a message was received before it was sent");
                }
                let number = self.queues[queue.index()].remove(0);
                self.readers.insert((queue, machine));
                self.actions[machine.index()].push((number, true));
            }
            _ => return wrong("the run does more than send and receive in order"),
        }
        Ok(())
    }

    /// Checks that queues are mailboxes or belong to one pair of machines each, as far as the run shows.
    fn check_discipline(&self, system: &System, config: &Config) -> Checked<()> {
        let writers: BTreeSet<_> = self.messages.iter().map(|it| (it.1, it.0)).collect();
        for &(queue, _) in writers.iter().chain(&self.readers) {
            system.is_limited(config, queue).or_else(wrong)?;
        }
        is_mailbox(&self.readers, &writers).map(drop)
    }

    /// What leads to what in the conflict graph. Actions that come one after the other give all of it.
    fn reach(&self) -> Vec<Vec<bool>> {
        let n = self.messages.len();
        let mut next = vec![BTreeSet::new(); n];
        for actions in &self.actions {
            for pair in actions.windows(2) {
                next[pair[0].0].insert(pair[1].0);
            }
        }
        let from = |v: usize| {
            let (mut seen, mut todo) = (vec![false; n], vec![v]);
            while let Some(v) = todo.pop() {
                for &w in next[v].iter().filter(|&&w| !std::mem::replace(&mut seen[w], true)) {
                    todo.push(w);
                }
            }
            seen
        };
        (0..n).map(from).collect()
    }
}
