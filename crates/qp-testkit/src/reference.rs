//! A slow interpreter of its own: no code of the product is used.
//!
//! Configurations are vectors of vectors, sets are ordered maps, and what can still happen is found by
//! walking from each configuration separately.

use std::collections::{BTreeMap, BTreeSet};

use crate::net::{Act, Condition, Loss, Net, Pattern, Size};

/// A configuration: where every machine is, what every queue holds.
pub type Moment = (Vec<usize>, Vec<Vec<usize>>);

/// Everything that is reached while no queue holds more than a bound.
pub struct Reached {
    /// The configurations in the order of discovery.
    pub moments: Vec<Moment>,
    /// For each: the least number of steps to it.
    pub depths: Vec<usize>,
    /// For each: its steps.
    pub steps: Vec<Vec<Step>>,
    /// For each: whether the bound cut a send.
    cut: Vec<bool>,
    /// How many steps there are between the configurations.
    pub n_transitions: u64,
}

/// A step of a configuration.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct Step {
    pub movers: Vec<usize>,
    pub deed: Deed,
    pub result: Result,
}

/// Where a step leads.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the names say what they are")]
pub enum Result {
    To(usize),
    /// The bound cuts it: possible, but not followed.
    Cut,
    Failure,
}

/// What happens in a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub enum Deed {
    Internal,
    Sent {
        queue: usize,
        message: usize,
    },
    /// Sent, and lost.
    Lost {
        queue: usize,
        message: usize,
    },
    /// Taken from a place in a queue.
    Took {
        queue: usize,
        message: usize,
        at: usize,
    },
    /// Sender and receiver move together.
    Met {
        queue: usize,
        message: usize,
    },
    Failed,
}

impl Deed {
    /// The message that is sent, and the one that is received.
    pub fn messages(self) -> (Option<usize>, Option<usize>) {
        match self {
            Self::Internal | Self::Failed => (None, None),
            Self::Sent { message, .. } | Self::Lost { message, .. } => (Some(message), None),
            Self::Took { message, .. } => (None, Some(message)),
            Self::Met { message, .. } => (Some(message), Some(message)),
        }
    }
}

/// Who moves, what happens, and what comes of it.
type Next = (Vec<usize>, Deed, Moment);

/// What is wrong, or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding {
    /// The least number of steps to it, a failing step included.
    Violated(usize),
    /// Nothing is wrong, and nothing was cut.
    Proved,
    /// Nothing is wrong as far as was looked.
    Open,
}

impl Reached {
    /// Explores; `None` if there are more than `most` configurations.
    pub fn explore(net: &Net, bound: usize, most: usize) -> Option<Self> {
        let first: Moment = (vec![0; net.machines.len()], vec![Vec::new(); net.queues.len()]);
        let mut numbers = BTreeMap::from([(first.clone(), 0)]);
        let mut reached = Self {
            moments: vec![first],
            depths: vec![0],
            steps: Vec::new(),
            cut: Vec::new(),
            n_transitions: 0,
        };
        while reached.steps.len() < reached.moments.len() {
            let here = reached.steps.len();
            let moment = reached.moments[here].clone();
            let mut steps = Vec::new();
            for (movers, deed, after) in successors(net, &moment) {
                let result = match deed {
                    Deed::Failed => Result::Failure,
                    Deed::Sent { queue, .. } if moment.1[queue].len() >= bound => Result::Cut,
                    _ => {
                        reached.n_transitions += 1;
                        Result::To(*numbers.entry(after.clone()).or_insert_with(|| {
                            reached.moments.push(after);
                            reached.depths.push(reached.depths[here] + 1);
                            reached.moments.len() - 1
                        }))
                    }
                };
                steps.push(Step { movers, deed, result });
            }
            reached.cut.push(steps.iter().any(|step| matches!(step.result, Result::Cut)));
            reached.steps.push(steps);
            if reached.moments.len() > most {
                return None;
            }
        }
        Some(reached)
    }

    /// Whether no send was ever cut: then this is everything there is.
    pub fn is_complete(&self) -> bool {
        !self.cut.contains(&true)
    }

    /// Whether a message is ever taken from behind another.
    pub fn skips(&self) -> bool {
        let behind = |step: &Step| matches!(step.deed, Deed::Took { at: 1.., .. });
        self.steps.iter().flatten().any(behind)
    }

    /// The greatest length of a queue.
    pub fn longest(&self, queue: usize) -> usize {
        self.moments.iter().map(|moment| moment.1[queue].len()).max().unwrap_or(0)
    }

    /// A machine runs into a failure.
    pub fn assert(&self) -> Finding {
        let fails = |step: &Step| matches!(step.result, Result::Failure);
        match self.first(|number| self.steps[number].iter().any(fails)) {
            Finding::Violated(steps) => Finding::Violated(steps + 1),
            other => other,
        }
    }

    /// A machine can only receive, and each of its queues has come to a message that it does not take.
    pub fn unhandled(&self, net: &Net) -> Finding {
        self.first(|number| {
            let (places, contents) = &self.moments[number];
            (0..places.len()).any(|machine| at_a_loss(net, machine, places[machine], contents))
        })
    }

    /// No step, and somebody may not rest.
    pub fn deadlock(&self, net: &Net) -> Finding {
        self.first(|number| {
            let places = &self.moments[number].0;
            self.steps[number].is_empty()
                && (0..places.len()).any(|machine| !may_rest(net, machine, places[machine]))
        })
    }

    /// A machine that may not rest can never move again.
    pub fn stuck(&self, net: &Net) -> Finding {
        self.first(|number| {
            let places = &self.moments[number].0;
            let unfinished: Vec<usize> =
                (0..places.len()).filter(|&m| !may_rest(net, m, places[m])).collect();
            !unfinished.is_empty() && {
                let ahead = self.ahead(number);
                unfinished.iter().any(|machine| {
                    let moves = |step: &Step| step.movers.contains(machine);
                    !self.some_time(&ahead, moves)
                })
            }
        })
    }

    /// A queue holds a message, and nothing is ever taken from it again.
    pub fn orphan(&self) -> Finding {
        self.first(|number| {
            let contents = &self.moments[number].1;
            let waiting: Vec<usize> =
                (0..contents.len()).filter(|&queue| !contents[queue].is_empty()).collect();
            !waiting.is_empty() && {
                let ahead = self.ahead(number);
                waiting.iter().any(|queue| {
                    let takes =
                        |step: &Step| matches!(step.deed, Deed::Took { queue: at, .. } if at == *queue);
                    !self.some_time(&ahead, takes)
                })
            }
        })
    }

    /// All conditions hold together.
    pub fn reach(&self, conditions: &[Condition]) -> Finding {
        self.first(|number| {
            let (places, contents) = &self.moments[number];
            conditions.iter().all(|condition| match condition {
                Condition::In { machine, states } => states.contains(&places[*machine]),
                Condition::Holds { queue, pattern } => {
                    ends(pattern, &contents[*queue], 0).contains(&contents[*queue].len())
                }
            })
        })
    }

    fn first(&self, wrong: impl Fn(usize) -> bool) -> Finding {
        match (0..self.moments.len()).find(|&number| wrong(number)) {
            Some(number) => Finding::Violated(self.depths[number]),
            None if self.is_complete() => Finding::Proved,
            None => Finding::Open,
        }
    }

    /// Everything reachable from a configuration, itself included.
    fn ahead(&self, number: usize) -> BTreeSet<usize> {
        let mut ahead = BTreeSet::from([number]);
        let mut todo = vec![number];
        while let Some(number) = todo.pop() {
            for step in &self.steps[number] {
                if let Result::To(next) = step.result
                    && ahead.insert(next)
                {
                    todo.push(next);
                }
            }
        }
        ahead
    }

    /// Whether something may happen ahead. Behind a cut send anything may.
    fn some_time(&self, ahead: &BTreeSet<usize>, happens: impl Fn(&Step) -> bool) -> bool {
        ahead.iter().any(|&number| self.cut[number] || self.steps[number].iter().any(&happens))
    }
}

/// All steps of a configuration, each with the machines that move.
fn successors(net: &Net, moment: &Moment) -> Vec<Next> {
    let mut all = Vec::new();
    for (machine, &place) in moment.0.iter().enumerate() {
        for edge in &net.machines[machine].states[place].edges {
            let mut after = moment.clone();
            after.0[machine] = edge.to;
            match edge.act {
                Act::Internal => all.push((vec![machine], Deed::Internal, after)),
                Act::Fail => all.push((vec![machine], Deed::Failed, after)),
                Act::Send { queue, message } => {
                    send(net, machine, (queue, message), &after, &mut all);
                }
                Act::Receive { queue, message } => {
                    let state = &net.machines[machine].states[place];
                    let at = moment.1[queue].iter().position(|other| {
                        !state.deferred.contains(other) || takes(net, machine, place, queue, *other)
                    });
                    if let Some(at) = at.filter(|&at| moment.1[queue][at] == message) {
                        after.1[queue].remove(at);
                        all.push((vec![machine], Deed::Took { queue, message, at }, after));
                    }
                }
            }
        }
    }
    all
}

fn send(
    net: &Net,
    machine: usize,
    (queue, message): (usize, usize),
    after: &Moment,
    all: &mut Vec<Next>,
) {
    let (size, loss) = (net.queues[queue].size, net.queues[queue].loss);
    if size == Size::Rendezvous {
        for (other, &place) in after.0.iter().enumerate().filter(|&(other, _)| other != machine) {
            for edge in &net.machines[other].states[place].edges {
                if edge.act == (Act::Receive { queue, message }) {
                    let mut met = after.clone();
                    met.0[other] = edge.to;
                    all.push((vec![machine, other], Deed::Met { queue, message }, met));
                }
            }
        }
        return;
    }
    let full = matches!(size, Size::Messages(n) if after.1[queue].len() >= n);
    if !full {
        let mut sent = after.clone();
        sent.1[queue].push(message);
        all.push((vec![machine], Deed::Sent { queue, message }, sent));
    }
    if loss == Loss::Anything || loss == Loss::WhenFull && full {
        all.push((vec![machine], Deed::Lost { queue, message }, after.clone()));
    }
}

fn takes(net: &Net, machine: usize, place: usize, queue: usize, message: usize) -> bool {
    let edges = &net.machines[machine].states[place].edges;
    edges.iter().any(|edge| edge.act == Act::Receive { queue, message })
}

fn may_rest(net: &Net, machine: usize, place: usize) -> bool {
    let state = &net.machines[machine].states[place];
    state.end || state.edges.is_empty()
}

fn at_a_loss(net: &Net, machine: usize, place: usize, contents: &[Vec<usize>]) -> bool {
    let state = &net.machines[machine].states[place];
    let mut listens = BTreeSet::new();
    for edge in &state.edges {
        let Act::Receive { queue, .. } = edge.act else { return false };
        listens.insert(queue);
    }
    let lost = |&queue: &usize| {
        let took = |message| takes(net, machine, place, queue, message);
        let first = contents[queue].iter().find(|m| !state.deferred.contains(m) || took(**m));
        net.readers(queue) == 1 && first.is_some_and(|&message| !took(message))
    };
    !listens.is_empty() && listens.iter().all(lost)
}

/// Where a match that begins at `from` can end.
fn ends(pattern: &Pattern, content: &[usize], from: usize) -> BTreeSet<usize> {
    match pattern {
        Pattern::Empty => BTreeSet::from([from]),
        Pattern::Any => (from < content.len()).then_some(from + 1).into_iter().collect(),
        Pattern::One(message) => {
            (content.get(from) == Some(message)).then_some(from + 1).into_iter().collect()
        }
        Pattern::Then(a, b) => {
            ends(a, content, from).into_iter().flat_map(|at| ends(b, content, at)).collect()
        }
        Pattern::Or(a, b) => &ends(a, content, from) | &ends(b, content, from),
        Pattern::Star(a) => {
            let mut all = BTreeSet::from([from]);
            let mut todo = vec![from];
            while let Some(at) = todo.pop() {
                let more: Vec<usize> =
                    ends(a, content, at).into_iter().filter(|&at| all.insert(at)).collect();
                todo.extend(more);
            }
            all
        }
    }
}
