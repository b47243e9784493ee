//! Small systems of machines, and everything about them without rounds: their charts by running them.

use std::collections::{BTreeMap, BTreeSet};

use qp_base::{Budget, IndexVec, Span};
use qp_machines::{
    Action, Automata, Automaton, Discipline, LocalId, MachineId, MachineInfo, MessageId, Model,
    Outline, QueueId, QueueInfo, QueueKind, State, Transition,
};
use qp_testkit::rng::Rng;

use super::super::deeds::{Chart, Does};
use super::super::world::{Stop, World};

/// One queue for each receiver, or one for each sender and receiver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Queues {
    Mailboxes,
    Pairs,
}

pub(super) const BOTH: [Queues; 2] = [Queues::Mailboxes, Queues::Pairs];

/// Machines, each message with one sender and one receiver.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Sender and receiver of each message.
    pub(super) ends: Vec<(usize, usize)>,
    /// By machine and state: whether it sends, which message, and the next state.
    pub(super) moves: Vec<Vec<Vec<(bool, usize, usize)>>>,
}

/// An event of a line: whether it sends, which message, and the place of the send in the line of its sender.
pub(super) type Point = (bool, usize, usize);
/// A chart: one line of events per machine.
pub(super) type Lines = Vec<Vec<Point>>;

fn pick<T: Copy>(rng: &mut Rng, from: &[T]) -> T {
    from[rng.below(from.len())]
}

impl Plan {
    /// A system from text: machines separated by `;`, moves `0!a1` for a send of `a` from state 0 to state 1.
    pub(super) fn parse(
        ends: &[(&str, usize, usize)],
        machines: &[&[(usize, &str, usize)]],
    ) -> Self {
        let number = |name: &str| {
            ends.iter().position(|(message, ..)| *message == name).expect("a message has a name")
        };
        let moves = machines.iter().map(|edges| {
            let n = edges.iter().map(|(from, _, to)| from.max(to) + 1).max().unwrap_or(1);
            let mut states = vec![Vec::new(); n];
            for (from, act, to) in *edges {
                let (kind, message) = act.split_at(1);
                states[*from].push((kind == "!", number(message), *to));
            }
            states
        });
        Self { moves: moves.collect(), ends: ends.iter().map(|(_, a, b)| (*a, *b)).collect() }
    }

    fn ends(rng: &mut Rng, n: usize, messages: usize) -> Vec<(usize, usize)> {
        let end = |_| {
            let from = rng.below(n);
            (from, (from + 1 + rng.below(n - 1)) % n)
        };
        (0..messages).map(end).collect()
    }

    fn acts(ends: &[(usize, usize)], machine: usize) -> Vec<(bool, usize)> {
        let sends = (0..ends.len()).filter(|&m| ends[m].0 == machine).map(|m| (true, m));
        let takes = (0..ends.len()).filter(|&m| ends[m].1 == machine).map(|m| (false, m));
        sends.chain(takes).collect()
    }

    /// A few moves between a few states, whatever they are.
    pub(super) fn loose(
        rng: &mut Rng,
        (n, messages, states, moves): (usize, usize, usize, usize),
    ) -> Self {
        let ends = Self::ends(rng, n, messages);
        let mut all = vec![vec![Vec::new(); states]; n];
        for (machine, lists) in all.iter_mut().enumerate() {
            let acts = Self::acts(&ends, machine);
            for _ in 0..if acts.is_empty() { 0 } else { moves } {
                let (sends, message) = pick(rng, &acts);
                let (from, to) = (rng.below(states), rng.below(states));
                if !lists[from].contains(&(sends, message, to)) {
                    lists[from].push((sends, message, to));
                }
            }
        }
        Self { ends, moves: all }
    }

    /// Machines that mostly go from one state to the next: with more messages that cross each other.
    pub(super) fn dense(rng: &mut Rng) -> Self {
        let n = pick(rng, &[2, 3, 3, 4]);
        let messages = pick(rng, &[4, 5, 6]);
        let ends = Self::ends(rng, n, messages);
        let mut moves = Vec::new();
        for machine in 0..n {
            let acts = Self::acts(&ends, machine);
            let length = pick(rng, &[2, 3, 4]);
            let mut states = vec![Vec::new(); length + 1];
            for (state, list) in states.iter_mut().enumerate().take(length) {
                for _ in 0..if acts.is_empty() { 0 } else { pick(rng, &[1, 1, 2]) } {
                    let (sends, message) = pick(rng, &acts);
                    let to = if rng.percent(80) { state + 1 } else { rng.below(length + 1) };
                    if !list.contains(&(sends, message, to)) {
                        list.push((sends, message, to));
                    }
                }
            }
            moves.push(states);
        }
        Self { ends, moves }
    }

    /// Machines that never come back to a state.
    pub(super) fn acyclic(rng: &mut Rng) -> Self {
        let n = pick(rng, &[2, 3]);
        let ends = Self::ends(rng, n, 4);
        let mut moves = vec![vec![Vec::new(); 4]; n];
        for (machine, states) in moves.iter_mut().enumerate() {
            let acts = Self::acts(&ends, machine);
            for (state, list) in states.iter_mut().enumerate().take(3) {
                for _ in 0..if acts.is_empty() { 0 } else { pick(rng, &[1, 2]) } {
                    let (sends, message) = pick(rng, &acts);
                    list.push((sends, message, state + 1 + rng.below(3 - state)));
                }
            }
        }
        Self { ends, moves }
    }

    pub(super) fn n(&self) -> usize {
        self.moves.len()
    }

    /// The queue of a message.
    pub(super) fn queue(&self, queues: Queues, message: usize) -> usize {
        let (from, to) = self.ends[message];
        match queues {
            Queues::Mailboxes => to,
            Queues::Pairs => from * self.n() + to,
        }
    }

    pub(super) fn n_queues(&self, queues: Queues) -> usize {
        match queues {
            Queues::Mailboxes => self.n(),
            Queues::Pairs => self.n() * self.n(),
        }
    }

    /// The same as a model.
    pub(super) fn model(&self, queues: Queues) -> Model {
        let mut outline = Outline { language: "cfsm", ..Outline::default() };
        outline.discipline = match queues {
            Queues::Mailboxes => Discipline::Mailbox,
            Queues::Pairs => Discipline::PeerToPeer,
        };
        let kind = outline.kinds.push(QueueKind::UNBOUNDED);
        let span = Span::default();
        for machine in 0..self.n() {
            outline.machines.push(MachineInfo { name: format!("P{machine}"), span });
        }
        for queue in 0..self.n_queues(queues) {
            let (readers, writers) = (Vec::new(), Vec::new());
            let name = format!("q{queue}");
            outline.queues.push(QueueInfo { name, kind, readers, writers, span });
        }
        for message in 0..self.ends.len() {
            outline.messages.push(format!("m{message}"));
        }
        let machine = |lists: &Vec<Vec<(bool, usize, usize)>>| {
            let state = |(number, list): (usize, &Vec<(bool, usize, usize)>)| {
                let transition = |&(sends, message, to): &(bool, usize, usize)| {
                    let queue = QueueId::new(self.queue(queues, message));
                    let message = MessageId::new(message);
                    let action = if sends {
                        Action::Send(queue, message)
                    } else {
                        Action::Receive(queue, message)
                    };
                    Transition { action, target: LocalId::new(to), span }
                };
                let transitions = list.iter().map(transition).collect();
                State { name: format!("S{number}"), transitions, ..State::default() }
            };
            let states: IndexVec<LocalId, State> = lists.iter().enumerate().map(state).collect();
            Automaton { states, initial: LocalId::new(0) }
        };
        let machines: IndexVec<MachineId, Automaton> = self.moves.iter().map(machine).collect();
        Model::new(Automata::new(outline, machines))
    }

    /// A world, and what `f` finds in it.
    pub(super) fn with<T>(
        &self,
        queues: Queues,
        f: impl Fn(&mut World) -> Result<T, Stop>,
    ) -> Option<(World, T)> {
        let mut world = World::new(&self.model(queues), &Budget::states(u64::MAX)).ok()?;
        let found = match f(&mut world) {
            Err(Stop::Anew) => f(&mut world),
            found => found,
        };
        match found {
            Ok(found) => Some((world, found)),
            Err(Stop::TooMuch) => None,
            Err(stop) => panic!("{self:?} is outside: {stop:?}"),
        }
    }
}

/// All charts of runs of up to so many events, with the local states that they lead to; nothing if they are too many.
pub(super) fn charts(
    plan: &Plan,
    queues: Queues,
    events_max: usize,
    states_max: usize,
) -> Option<BTreeMap<Lines, BTreeSet<Vec<usize>>>> {
    type Moment = (Lines, Vec<usize>, Vec<Vec<(usize, usize)>>);
    let n = plan.n();
    let first: Moment = (vec![Vec::new(); n], vec![0; n], vec![Vec::new(); plan.n_queues(queues)]);
    let mut seen: qp_base::Set<Moment> = qp_base::Set::default();
    let mut found: BTreeMap<Lines, BTreeSet<Vec<usize>>> = BTreeMap::new();
    seen.insert(first.clone());
    let mut todo = vec![first];
    while let Some((lines, locals, contents)) = todo.pop() {
        found.entry(lines.clone()).or_default().insert(locals.clone());
        if lines.iter().map(Vec::len).sum::<usize>() >= events_max {
            continue;
        }
        for machine in 0..n {
            for &(sends, message, to) in &plan.moves[machine][locals[machine]] {
                let queue = plan.queue(queues, message);
                let (mut lines, mut locals, mut contents) =
                    (lines.clone(), locals.clone(), contents.clone());
                if sends {
                    let place = lines[machine].len();
                    contents[queue].push((message, place));
                    lines[machine].push((true, message, place));
                } else {
                    match contents[queue].first() {
                        Some(&(first, place)) if first == message => {
                            lines[machine].push((false, message, place));
                            contents[queue].remove(0);
                        }
                        _ => continue,
                    }
                }
                locals[machine] = to;
                let moment = (lines, locals, contents);
                if seen.insert(moment.clone()) {
                    if seen.len() > states_max {
                        return None;
                    }
                    todo.push(moment);
                }
            }
        }
    }
    Some(found)
}

/// The lines of a chart of the engine.
pub(super) fn lines(plan: &Plan, chart: &Chart) -> Lines {
    let mut lines: Lines = vec![Vec::new(); plan.n()];
    let mut places = vec![0; chart.deeds.len()];
    for (at, deed) in chart.deeds.iter().enumerate() {
        let line = &mut lines[deed.machine.index()];
        match deed.does {
            Does::Moves => {}
            Does::Sends { message, .. } => {
                places[at] = line.len();
                line.push((true, message.index(), places[at]));
            }
            Does::Takes { message, of, .. } => line.push((false, message.index(), places[of])),
        }
    }
    lines
}

/// A graph of the messages of a chart, and which of its edges go from a receive to a send.
struct Graph {
    edges: Vec<u32>,
    crossing: Vec<u32>,
}

/// A message by its sender and its place there.
fn vertices(lines: &Lines) -> Vec<(usize, usize)> {
    let sends = |(machine, line): (usize, &Vec<Point>)| {
        let places = line.iter().filter(|point| point.0).map(|point| point.2);
        places.map(|place| (machine, place)).collect::<Vec<_>>()
    };
    lines.iter().enumerate().flat_map(sends).collect()
}

fn conflicts(plan: &Plan, lines: &Lines) -> Graph {
    let vertices = vertices(lines);
    let number = |machine: usize, &(sends, message, place): &Point| {
        let from = if sends { machine } else { plan.ends[message].0 };
        vertices.iter().position(|v| *v == (from, place)).expect("a receive has a send")
    };
    let mut graph = Graph { edges: vec![0; vertices.len()], crossing: vec![0; vertices.len()] };
    for (machine, line) in lines.iter().enumerate() {
        for (i, first) in line.iter().enumerate() {
            for second in &line[i + 1..] {
                let (v, w) = (number(machine, first), number(machine, second));
                if v != w {
                    graph.edges[v] |= 1 << w;
                    if !first.0 && second.0 {
                        graph.crossing[v] |= 1 << w;
                    }
                }
            }
        }
    }
    graph
}

/// From each vertex, everything that edges lead to.
fn closure(edges: &[u32]) -> Vec<u32> {
    let mut reach = edges.to_vec();
    for via in 0..reach.len() {
        for v in 0..reach.len() {
            if reach[v] & 1 << via != 0 {
                reach[v] |= reach[via];
            }
        }
    }
    reach
}

/// Whether a chart is made of rounds of up to k messages: components have at most k vertices, and no edge inside one
/// goes from a receive to a send.
pub(super) fn is_synchronous(plan: &Plan, lines: &Lines, k: usize) -> bool {
    let graph = conflicts(plan, lines);
    let reach = closure(&graph.edges);
    let together = |v: usize, w: usize| reach[v] & 1 << w != 0 && reach[w] & 1 << v != 0;
    let n = reach.len();
    (0..n).all(|v| {
        let others = (0..n).filter(|&w| w != v && together(v, w));
        let crosses = (0..n).any(|w| graph.crossing[v] & 1 << w != 0 && together(v, w));
        others.count() < k && !crosses
    })
}

/// Whether a chart is that of a run in which each message is received at once or never.
pub(super) fn is_at_once(plan: &Plan, queues: Queues, lines: &Lines) -> bool {
    let mut graph = conflicts(plan, lines);
    let vertices = vertices(lines);
    if queues == Queues::Mailboxes {
        let message = |v: (usize, usize)| lines[v.0][v.1].1;
        let is_taken = |v: (usize, usize)| {
            let to = plan.ends[message(v)].1;
            lines[to].contains(&(false, message(v), v.1))
        };
        for (v, &one) in vertices.iter().enumerate() {
            for (w, &other) in vertices.iter().enumerate() {
                let same = plan.ends[message(one)].1 == plan.ends[message(other)].1;
                if v != w && same && is_taken(one) && !is_taken(other) {
                    graph.edges[v] |= 1 << w;
                }
            }
        }
    }
    let reach = closure(&graph.edges);
    (0..reach.len()).all(|v| reach[v] & 1 << v == 0)
}

/// Whether a chart can be run with such queues: no event must come before itself.
pub(super) fn is_valid(plan: &Plan, queues: Queues, lines: &Lines) -> bool {
    let starts: Vec<usize> =
        lines.iter().scan(0, |at, line| Some(std::mem::replace(at, *at + line.len()))).collect();
    let events = lines.iter().map(Vec::len).sum::<usize>();
    let mut edges = vec![0_u32; events];
    let taken = |machine: usize, place: usize| {
        let message = lines[machine][place].1;
        let to = plan.ends[message].1;
        lines[to].iter().position(|it| *it == (false, message, place)).map(|at| (to, at))
    };
    for (machine, line) in lines.iter().enumerate() {
        for at in 1..line.len() {
            edges[starts[machine] + at - 1] |= 1 << (starts[machine] + at);
        }
    }
    let sends = vertices(lines);
    for &(v, at) in &sends {
        if let Some((to, place)) = taken(v, at) {
            edges[starts[v] + at] |= 1 << (starts[to] + place);
        }
        for &(w, other) in sends.iter().filter(|it| **it != (v, at)) {
            let same = plan.queue(queues, lines[v][at].1) == plan.queue(queues, lines[w][other].1);
            let (one, two) = (taken(v, at), taken(w, other));
            let first = one.is_some() && two.is_none_or(|two| one.is_some_and(|one| one.1 < two.1));
            if same && first {
                edges[starts[v] + at] |= 1 << (starts[w] + other);
            }
        }
    }
    let reach = closure(&edges);
    (0..events).all(|event| reach[event] & 1 << event == 0)
}
