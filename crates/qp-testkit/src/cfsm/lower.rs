//! What a text means: a plain system, worked out from the manual and from nothing else.

use super::written::{Deed, Demand, Machine, Room, Shape, Sketch};
use crate::net::{self, Act, Condition, Edge, Loss, Net, Pattern, Queue, Sharing, Size, State};

/// The system of a text. A machine's first state is its initial one, so named states may change their places:
/// [`place`] says where one is.
pub fn net(sketch: &Sketch) -> Net {
    let mut net = Net {
        sharing: sketch.sharing,
        machines: Vec::new(),
        queues: queues(sketch),
        messages: sketch.messages.clone(),
        bad: Vec::new(),
    };
    for (number, machine) in sketch.machines.iter().enumerate() {
        let states = states(sketch, &net, number, machine);
        net.machines.push(net::Machine { name: machine.name.clone(), states });
    }
    let mut bad = Vec::new();
    for conditions in &sketch.bad {
        bad.push(conditions.iter().map(|condition| meaning(sketch, &net, condition)).collect());
    }
    net.bad = bad;
    // A pair that nobody uses or asks about does not exist.
    crate::make::tidy(&mut net);
    net
}

/// Where a named state is in the system.
pub fn place(machine: &Machine, state: usize) -> usize {
    match state {
        _ if state == machine.initial => 0,
        _ if state < machine.initial => state + 1,
        _ => state,
    }
}

/// All mailboxes, channels or pairs.
fn queues(sketch: &Sketch) -> Vec<Queue> {
    let otherwise = Room { size: Size::Unbounded, loss: Loss::Nothing };
    let otherwise = sketch.capacity.unwrap_or(otherwise);
    let queue = |name: String, ends, room: Option<Room>| {
        let Room { size, loss } = room.unwrap_or(otherwise);
        Queue { name, ends, size, loss }
    };
    let given = |from: Option<usize>, to: usize| {
        let mut rooms = sketch.rooms.iter();
        rooms.find(|(f, t, _)| (*f, *t) == (from, to)).map(|(_, _, room)| *room)
    };
    let name = |machine: usize| sketch.machines[machine].name.clone();
    let n = sketch.machines.len();
    match sketch.sharing {
        Sharing::Mailbox => (0..n).map(|to| queue(name(to), None, given(None, to))).collect(),
        Sharing::Pairs => {
            let pair = |at: usize| {
                let (from, to) = (at / n, at % n);
                let both = format!("{}->{}", name(from), name(to));
                queue(both, Some((from, to)), given(Some(from), to))
            };
            (0..n * n).map(pair).collect()
        }
        Sharing::Channels => {
            let each = |(names, room): &(Vec<String>, Option<Room>)| {
                let room = *room;
                names.iter().map(move |name| (name.clone(), room)).collect::<Vec<_>>()
            };
            let all = sketch.channels.iter().flat_map(each);
            all.map(|(name, room)| queue(name, None, room)).collect()
        }
    }
}

/// The named states, the initial one first, and behind them those inside of chains.
fn states(sketch: &Sketch, net: &Net, number: usize, machine: &Machine) -> Vec<State> {
    let mut states = vec![State::default(); machine.states.len()];
    for (at, written) in machine.states.iter().enumerate() {
        let here = place(machine, at);
        let state = &mut states[here];
        (state.name, state.end) = (written.name.clone(), written.end);
        (state.bad, state.progress) = (written.bad, written.progress);
        state.deferred = written.deferred.concat();
        let mut unnamed = 0;
        for chain in &written.chains {
            let target = place(machine, chain.to.unwrap_or(at));
            let mut from = here;
            for (step, deed) in chain.deeds.iter().enumerate() {
                let last = step + 1 == chain.deeds.len();
                if !last {
                    unnamed += 1;
                    let name = format!("{}/{unnamed}", written.name);
                    states.push(State { name, ..State::default() });
                }
                let to = if last { target } else { states.len() - 1 };
                let act = act(sketch, net, number, *deed);
                states[from].edges.push(Edge { act, to });
                from = to;
            }
        }
    }
    states
}

fn act(sketch: &Sketch, net: &Net, machine: usize, deed: Deed) -> Act {
    let pair = |from: usize, to: usize| {
        let found = net.queues.iter().position(|queue| queue.ends == Some((from, to)));
        found.expect("all pairs are there")
    };
    match deed {
        Deed::Internal => Act::Internal,
        Deed::Fail => Act::Fail,
        Deed::Send { to, message } => match sketch.sharing {
            Sharing::Mailbox | Sharing::Channels => Act::Send { queue: to, message },
            Sharing::Pairs => Act::Send { queue: pair(machine, to), message },
        },
        Deed::Receive { from, message } => match sketch.sharing {
            Sharing::Mailbox => Act::Receive { queue: machine, message },
            Sharing::Channels => Act::Receive { queue: from, message },
            Sharing::Pairs => Act::Receive { queue: pair(from, machine), message },
        },
    }
}

fn meaning(sketch: &Sketch, net: &Net, condition: &Demand) -> Condition {
    match condition {
        Demand::In { machine, states } => {
            let written = &sketch.machines[*machine];
            let states = states.iter().map(|&state| place(written, state)).collect();
            Condition::In { machine: *machine, states }
        }
        Demand::Holds { from, at, shape } => {
            let ends = from.map(|from| (from, *at));
            let pair = net.queues.iter().position(|queue| ends.is_some() && queue.ends == ends);
            Condition::Holds { queue: pair.unwrap_or(*at), pattern: pattern(shape) }
        }
    }
}

fn pattern(shape: &Shape) -> Pattern {
    let fold = |parts: &[Shape], none: Pattern, both: fn(Box<Pattern>, Box<Pattern>) -> Pattern| {
        let all = parts.iter().map(pattern);
        all.reduce(|a, b| both(Box::new(a), Box::new(b))).unwrap_or(none)
    };
    let repeated = |part: &Shape| Pattern::Star(Box::new(pattern(part)));
    match shape {
        Shape::Empty => Pattern::Empty,
        Shape::Any => Pattern::Any,
        Shape::One(message) => Pattern::One(*message),
        Shape::Then(parts) => fold(parts, Pattern::Empty, Pattern::Then),
        Shape::Or(parts) => fold(parts, Pattern::Empty, Pattern::Or),
        Shape::Star(part) => repeated(part),
        Shape::Plus(part) => Pattern::Then(Box::new(repeated(part)), Box::new(pattern(part))),
        Shape::Maybe(part) => Pattern::Or(Box::new(Pattern::Empty), Box::new(pattern(part))),
    }
}
