//! What machines do in some rounds, and a real run that has the same chart.

use qp_charts::ProcessId;
use qp_machines::{Config, Event, LocalId, MachineId, MessageId, Outcome, QueueId, Sending, Step};

use super::manners::Manner;
use super::world::World;

/// Everything that machines do from a beginning on, in the order of rounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Chart {
    /// The number of the beginning.
    pub(super) beginning: usize,
    /// In an order in which each machine does its own, and sends come before their receives.
    pub(super) deeds: Vec<Deed>,
}

/// Something that a machine does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Deed {
    pub(super) machine: MachineId,
    /// Where it is afterwards.
    pub(super) next: LocalId,
    pub(super) does: Does,
}

/// What it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Does {
    Moves,
    Sends {
        queue: QueueId,
        message: MessageId,
    },
    /// Takes the message of the deed with this number.
    Takes {
        queue: QueueId,
        message: MessageId,
        of: usize,
    },
}

/// Something that happens in rounds: a move, or a send with or without its receive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Happens {
    Moves(MachineId, LocalId),
    Stays(MachineId, Sending),
    Taken(MachineId, Sending, (MachineId, LocalId)),
}

/// A run that was replayed.
pub(super) struct Replayed {
    pub(super) steps: Vec<Step>,
    pub(super) end: Config,
}

impl Chart {
    pub(super) fn new(beginning: usize) -> Self {
        Self { beginning, deeds: Vec::new() }
    }

    pub(super) fn push(&mut self, deed: Deed) {
        self.deeds.push(deed);
    }

    /// Adds what happens; a receive is left for later.
    pub(super) fn tell(&mut self, happens: Happens) -> Option<Deed> {
        let (machine, next, does, taken) = match happens {
            Happens::Moves(machine, next) => (machine, next, Does::Moves, None),
            Happens::Stays(by, Sending { queue, message, next }) => {
                (by, next, Does::Sends { queue, message }, None)
            }
            Happens::Taken(by, Sending { queue, message, next }, (machine, then)) => {
                let does = Does::Takes { queue, message, of: self.deeds.len() };
                let taken = Deed { machine, next: then, does };
                (by, next, Does::Sends { queue, message }, Some(taken))
            }
        };
        self.push(Deed { machine, next, does });
        taken
    }

    /// The sends that are never received, by queue, in the order of deeds.
    pub(super) fn left_over(&self) -> Vec<(QueueId, usize)> {
        let mut taken = vec![false; self.deeds.len()];
        for deed in &self.deeds {
            if let Does::Takes { of, .. } = deed.does {
                taken[of] = true;
            }
        }
        let sends = self.deeds.iter().enumerate().filter(|(at, _)| !taken[*at]);
        let mut left: Vec<(QueueId, usize)> = sends
            .filter_map(|(at, deed)| match deed.does {
                Does::Sends { queue, .. } => Some((queue, at)),
                Does::Moves | Does::Takes { .. } => None,
            })
            .collect();
        left.sort_unstable();
        left
    }

    /// The messages without what machines do by themselves, for questions about conflicts.
    pub(super) fn messages(&self, world: &World) -> qp_charts::Chart {
        let n = world.beginnings[self.beginning].config.locals.len();
        // A queue that nobody reads belongs to a process of its own that never does anything.
        let mut chart = qp_charts::Chart::new(n + 1);
        let mut sent = vec![None; self.deeds.len()];
        let process = |machine: MachineId| ProcessId::new(machine.index());
        for (at, deed) in self.deeds.iter().enumerate() {
            match deed.does {
                Does::Moves => {}
                Does::Sends { queue, message } => {
                    let reader = world.manners.reader(queue);
                    let to = reader.map_or(ProcessId::new(n), process);
                    sent[at] = Some(chart.send_labelled(process(deed.machine), to, message.raw()));
                }
                Does::Takes { of, .. } => {
                    if let Some(message) = sent[of] {
                        chart.receive(message);
                    }
                }
            }
        }
        chart
    }

    /// A real run with this chart in which these messages come before all others that stay in their queues.
    pub(super) fn replay(&self, world: &mut World, firsts: &[usize]) -> Option<Replayed> {
        let order = self.order(world.manner(), firsts)?;
        let beginning = &world.beginnings[self.beginning];
        let (mut steps, mut end) = (beginning.steps.clone(), beginning.config.clone());
        for at in order {
            let deed = self.deeds[at];
            let outcomes = world.system.outcomes(&end, deed.machine, false);
            let outcome = outcomes.into_iter().find(|outcome| deed.is(outcome))?;
            steps.push(outcome.step);
            end = outcome.config;
        }
        Some(Replayed { steps, end })
    }

    /// An order of all deeds that queues allow; nothing if there is none.
    fn order(&self, manner: Manner, firsts: &[usize]) -> Option<Vec<usize>> {
        let mut edges: Vec<(usize, usize)> = Vec::new();
        let mut last: Vec<Option<usize>> = Vec::new();
        for (at, deed) in self.deeds.iter().enumerate() {
            let machine = deed.machine.index();
            if machine >= last.len() {
                last.resize(machine + 1, None);
            }
            edges.extend(last[machine].replace(at).map(|before| (before, at)));
            if let Does::Takes { of, .. } = deed.does {
                edges.push((of, at));
            }
        }
        let left = self.left_over();
        if manner == Manner::Mailboxes {
            self.mailbox_order(&left, &mut edges);
        }
        for &first in firsts {
            let queue = left.iter().find(|(_, at)| *at == first).map(|(queue, _)| *queue);
            let others = left.iter().filter(|(at, send)| Some(*at) == queue && *send != first);
            edges.extend(others.map(|(_, send)| (first, *send)));
        }
        crate::graph::sorted(self.deeds.len(), &edges)
    }

    /// What is received is sent in the order in which it is received, and before what is not.
    fn mailbox_order(&self, left: &[(QueueId, usize)], edges: &mut Vec<(usize, usize)>) {
        let mut last: Vec<(QueueId, usize)> = Vec::new();
        for deed in &self.deeds {
            let Does::Takes { queue, of, .. } = deed.does else { continue };
            match last.iter_mut().find(|(at, _)| *at == queue) {
                Some((_, before)) => edges.push((std::mem::replace(before, of), of)),
                None => last.push((queue, of)),
            }
        }
        for &(queue, send) in left {
            let before = last.iter().find(|(at, _)| *at == queue);
            edges.extend(before.map(|(_, before)| (*before, send)));
        }
    }
}

impl Deed {
    /// Whether a step is this.
    fn is(&self, outcome: &Outcome) -> bool {
        let same = match (self.does, outcome.event) {
            (Does::Moves, Event::Internal) => true,
            (Does::Sends { queue, message }, Event::Sent { queue: at, message: what }) => {
                (queue, message) == (at, what)
            }
            (
                Does::Takes { queue, message, .. },
                Event::Took { queue: at, message: what, position: 0, kept: false },
            ) => (queue, message) == (at, what),
            _ => false,
        };
        same && outcome.config.locals.get(self.machine.index()) == Some(&self.next)
    }
}
