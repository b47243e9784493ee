//! A system of machines as plain data: what generators make, shrinking cuts and the reference runs.

use std::fmt::Write;

/// A system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Net {
    /// Who shares queues with whom.
    pub sharing: Sharing,
    /// The machines.
    pub machines: Vec<Machine>,
    /// The queues. With mailboxes, queue `i` is that of machine `i`.
    pub queues: Vec<Queue>,
    /// The names of messages.
    pub messages: Vec<String>,
    /// Bad situations: conditions that hold together.
    pub bad: Vec<Vec<Condition>>,
}

/// Who shares queues with whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sharing {
    /// One queue per machine.
    Mailbox,
    /// One per ordered pair.
    Pairs,
    /// Named ones for anyone.
    Channels,
}

/// A machine; it begins in its first state.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct Machine {
    pub name: String,
    pub states: Vec<State>,
}

/// A control state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct State {
    pub name: String,
    pub end: bool,
    pub progress: bool,
    pub bad: bool,
    pub deferred: Vec<usize>,
    pub edges: Vec<Edge>,
}

/// A transition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct Edge {
    pub act: Act,
    pub to: usize,
}

/// What a transition does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub enum Act {
    Internal,
    Send { queue: usize, message: usize },
    Receive { queue: usize, message: usize },
    Fail,
}

/// A queue.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct Queue {
    pub name: String,
    /// Sender and receiver of a pair.
    pub ends: Option<(usize, usize)>,
    pub size: Size,
    pub loss: Loss,
}

/// How much fits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say what they are")]
pub enum Size {
    Unbounded,
    Messages(usize),
    Rendezvous,
}

/// What gets lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say what they are")]
pub enum Loss {
    Nothing,
    WhenFull,
    Anything,
}

/// A condition of a bad situation.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub enum Condition {
    In { machine: usize, states: Vec<usize> },
    Holds { queue: usize, pattern: Pattern },
}

/// A set of queue contents.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say what they are")]
pub enum Pattern {
    Empty,
    Any,
    One(usize),
    Then(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
    Star(Box<Self>),
}

impl Net {
    /// How many machines receive from a queue anywhere.
    pub fn readers(&self, queue: usize) -> usize {
        let reads = |machine: &&Machine| {
            let edges = machine.states.iter().flat_map(|state| &state.edges);
            edges
                .into_iter()
                .any(|e| matches!(e.act, Act::Receive { queue: at, .. } if at == queue))
        };
        self.machines.iter().filter(reads).count()
    }

    /// Whether a transition uses the queue anywhere.
    pub fn is_used(&self, queue: usize) -> bool {
        let states = self.machines.iter().flat_map(|machine| &machine.states);
        states.flat_map(|state| &state.edges).any(|edge| match edge.act {
            Act::Send { queue: at, .. } | Act::Receive { queue: at, .. } => at == queue,
            Act::Internal | Act::Fail => false,
        })
    }

    /// The system in the CFSM language.
    pub fn text(&self) -> String {
        let mut text = match self.sharing {
            Sharing::Mailbox => "queues mailbox;\n",
            Sharing::Pairs => "queues peer-to-peer;\n",
            Sharing::Channels => "queues channels;\n",
        }
        .to_owned();
        for (number, queue) in self.queues.iter().enumerate() {
            self.write_queue(&mut text, number, queue);
        }
        for machine in &self.machines {
            let _ = writeln!(text, "machine {} {{", machine.name);
            for (number, state) in machine.states.iter().enumerate() {
                self.write_state(&mut text, machine, state, number == 0);
            }
            text.push_str("}\n");
        }
        for (number, conditions) in self.bad.iter().enumerate() {
            let conditions: Vec<String> = conditions.iter().map(|c| self.condition(c)).collect();
            let _ = writeln!(text, "bad B{number}: {};", conditions.join(", "));
        }
        text
    }

    fn write_queue(&self, text: &mut String, number: usize, queue: &Queue) {
        let size = match queue.size {
            Size::Unbounded => "unbounded".to_owned(),
            Size::Messages(n) => n.to_string(),
            Size::Rendezvous => "rendezvous".to_owned(),
        };
        let loss = match queue.loss {
            Loss::Nothing => "",
            Loss::WhenFull => " drop",
            Loss::Anything => " lossy",
        };
        let plain = queue.size == Size::Unbounded && queue.loss == Loss::Nothing;
        match (self.sharing, queue.ends) {
            (Sharing::Channels, _) => {
                let _ = writeln!(text, "channel {} {size}{loss};", queue.name);
            }
            // A pair that nobody uses does not exist.
            _ if plain || !self.is_used(number) && queue.ends.is_some() => {}
            (_, None) => {
                let _ = writeln!(text, "queue {} {size}{loss};", queue.name);
            }
            (_, Some((from, to))) => {
                let (from, to) = (&self.machines[from].name, &self.machines[to].name);
                let _ = writeln!(text, "queue {to} from {from} {size}{loss};");
            }
        }
    }

    fn write_state(&self, text: &mut String, machine: &Machine, state: &State, first: bool) {
        let mut options: Vec<String> = Vec::new();
        for edge in &state.edges {
            let action = match edge.act {
                Act::Internal => "internal".to_owned(),
                Act::Fail => {
                    options.push("fail \"wrong\"".to_owned());
                    continue;
                }
                Act::Send { queue, message } => {
                    let to = self.queues[queue].ends.map(|(_, to)| &self.machines[to].name);
                    let to = to.unwrap_or(&self.queues[queue].name);
                    format!("send {to} {}", self.messages[message])
                }
                Act::Receive { queue, message } => {
                    let from = self.queues[queue].ends.map(|(from, _)| &self.machines[from].name);
                    let from = match self.sharing {
                        Sharing::Mailbox => String::new(),
                        _ => format!("{} ", from.unwrap_or(&self.queues[queue].name)),
                    };
                    format!("recv {from}{}", self.messages[message])
                }
            };
            options.push(format!("{action} -> {}", machine.states[edge.to].name));
        }
        if !state.deferred.is_empty() {
            let names: Vec<&str> =
                state.deferred.iter().map(|&message| self.messages[message].as_str()).collect();
            options.push(format!("defer {}", names.join(", ")));
        }
        let labels = [
            (first, "init "),
            (state.end, "end "),
            (state.progress, "progress "),
            (state.bad, "bad "),
        ];
        let labels: String = labels.iter().filter(|label| label.0).map(|label| label.1).collect();
        let _ = writeln!(text, "    {labels}{}: {}", state.name, options.join("\n        | "));
    }

    fn condition(&self, condition: &Condition) -> String {
        match condition {
            Condition::In { machine, states } => {
                let machine = &self.machines[*machine];
                let names: Vec<&str> =
                    states.iter().map(|&state| machine.states[state].name.as_str()).collect();
                format!("{} in {}", machine.name, names.join(" | "))
            }
            Condition::Holds { queue, pattern } => {
                let queue = &self.queues[*queue];
                let name = match queue.ends {
                    Some((from, to)) => {
                        format!("{} from {}", self.machines[to].name, self.machines[from].name)
                    }
                    None => queue.name.clone(),
                };
                format!("queue {name} matches {}", self.pattern(pattern))
            }
        }
    }

    fn pattern(&self, pattern: &Pattern) -> String {
        match pattern {
            Pattern::Empty => "empty".to_owned(),
            Pattern::Any => ".".to_owned(),
            Pattern::One(message) => self.messages[*message].clone(),
            Pattern::Then(a, b) => format!("({} {})", self.pattern(a), self.pattern(b)),
            Pattern::Or(a, b) => format!("({} | {})", self.pattern(a), self.pattern(b)),
            Pattern::Star(a) => format!("({})*", self.pattern(a)),
        }
    }
}
