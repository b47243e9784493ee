//! Random texts with every feature.

use super::written::{Chain, Deed, Demand, Formula, Machine, Place, Room, Shape, Sketch};
use crate::net::{Loss, Sharing, Size};
use crate::rng::Rng;

const MACHINES: [&str; 6] = ["M0", "U", "2nd", "7", "Straße", "over"];
const STATES: [&str; 6] = ["S0", "0", "W", "1st", "Übung", "sends"];
const MESSAGES: [&str; 9] =
    ["a", "tok(0)", "tok(1)", "X", "n(-1)", "pkt(3,a,true)", "b", "été", "4"];
const CHANNELS: [&str; 4] = ["c0", "1", "R", "kanal_ö"];

/// The text of a seed.
pub fn sketch(seed: u64) -> Sketch {
    let mut rng = Rng::new(seed ^ 0xcf5a);
    let sharing = [Sharing::Mailbox, Sharing::Pairs, Sharing::Channels][rng.below(3)];
    let n_machines = 1 + rng.below(7).min(2);
    let n_messages = 1 + rng.below(4);
    let mut sketch = Sketch {
        sharing,
        says_sharing: sharing != Sharing::Mailbox || rng.percent(50),
        capacity: rng.percent(40).then(|| room(&mut rng)),
        channels: Vec::new(),
        rooms: Vec::new(),
        machines: Vec::new(),
        messages: some(&mut rng, &MESSAGES, n_messages),
        bad: Vec::new(),
        ltl: Vec::new(),
        claims: Vec::new(),
    };
    if sharing == Sharing::Channels {
        channels(&mut rng, &mut sketch);
    }
    for name in some(&mut rng, &MACHINES, n_machines) {
        let machine = machine(&mut rng, &sketch, name, n_machines);
        sketch.machines.push(machine);
    }
    rooms(&mut rng, &mut sketch);
    questions(&mut rng, &mut sketch);
    sketch
}

/// Some of the names, in any order.
fn some(rng: &mut Rng, names: &[&str], n: usize) -> Vec<String> {
    let mut names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    (0..n).map(|_| names.swap_remove(rng.below(names.len()))).collect()
}

fn room(rng: &mut Rng) -> Room {
    let size = match rng.below(8) {
        0..=3 => Size::Messages(1 + rng.below(3)),
        4 => Size::Rendezvous,
        _ => Size::Unbounded,
    };
    let loss = match (size, rng.below(6)) {
        (Size::Messages(_), 0) => Loss::WhenFull,
        (Size::Messages(_) | Size::Unbounded, 1) => Loss::Anything,
        _ => Loss::Nothing,
    };
    Room { size, loss }
}

/// One to four channels, some declared together.
fn channels(rng: &mut Rng, sketch: &mut Sketch) {
    let n = 1 + rng.below(4);
    for name in some(rng, &CHANNELS, n) {
        match sketch.channels.last_mut() {
            Some((names, _)) if rng.percent(40) => names.push(name),
            _ => {
                let room = rng.percent(60).then(|| room(rng));
                sketch.channels.push((vec![name], room));
            }
        }
    }
}

fn machine(rng: &mut Rng, sketch: &Sketch, name: String, n_machines: usize) -> Machine {
    let n_states = 1 + rng.below(4);
    let initial = if rng.percent(70) { 0 } else { rng.below(n_states) };
    let names = some(rng, &STATES, n_states);
    let states = names.into_iter().map(|name| place(rng, sketch, name, (n_machines, n_states)));
    Machine { name, states: states.collect(), initial }
}

fn place(rng: &mut Rng, sketch: &Sketch, name: String, ends: (usize, usize)) -> Place {
    let chains = (0..rng.below(4)).map(|_| chain(rng, sketch, ends)).collect();
    let defers = if rng.percent(12) { 1 + rng.below(2) } else { 0 };
    let deferred = (0..defers).map(|_| {
        let n = 1 + rng.below(2);
        (0..n).map(|_| rng.below(sketch.messages.len())).collect()
    });
    let deferred = deferred.collect();
    let [end, progress, bad] = [15, 15, 5].map(|often| rng.percent(often));
    Place { name, end, progress, bad, deferred, chains }
}

fn chain(rng: &mut Rng, sketch: &Sketch, (n_machines, n_states): (usize, usize)) -> Chain {
    let n_channels: usize = sketch.channels.iter().map(|(names, _)| names.len()).sum();
    let n_ends = if sketch.sharing == Sharing::Channels { n_channels } else { n_machines };
    let length = [1, 1, 1, 1, 2, 2, 3][rng.below(7)];
    let fails = rng.percent(4);
    let deed = |rng: &mut Rng, at: usize| {
        let (end, message) = (rng.below(n_ends), rng.below(sketch.messages.len()));
        match rng.below(20) {
            _ if fails && at + 1 == length => Deed::Fail,
            0 => Deed::Internal,
            1..=8 => Deed::Send { to: end, message },
            _ => Deed::Receive { from: end, message },
        }
    };
    let deeds: Vec<Deed> = (0..length).map(|at| deed(rng, at)).collect();
    let to = (!fails && rng.percent(80)).then(|| rng.below(n_states));
    Chain { deeds, to }
}

/// Room for some mailboxes or pairs, used or not.
fn rooms(rng: &mut Rng, sketch: &mut Sketch) {
    let n = sketch.machines.len();
    let pairs: Vec<(Option<usize>, usize)> = match sketch.sharing {
        Sharing::Mailbox => (0..n).map(|to| (None, to)).collect(),
        Sharing::Pairs => (0..n * n).map(|pair| (Some(pair / n), pair % n)).collect(),
        Sharing::Channels => Vec::new(),
    };
    for (from, to) in pairs {
        if rng.percent(40) {
            let room = room(rng);
            sketch.rooms.push((from, to, room));
        }
    }
}

fn questions(rng: &mut Rng, sketch: &mut Sketch) {
    let known = mentioned(sketch);
    for _ in 0..rng.below(3) {
        let conditions = (0..=rng.below(2)).map(|_| demand(rng, sketch, &known)).collect();
        sketch.bad.push(conditions);
    }
    if rng.percent(50) {
        let (over_sends, size) = (rng.percent(30), 1 + rng.below(7));
        if let Some(formula) = formula(rng, sketch, &known, (size, over_sends)) {
            sketch.ltl.push((formula, over_sends));
        }
    }
    if rng.percent(15) {
        let claims = claims(rng, sketch);
        sketch.claims = claims;
    }
}

/// Messages that some machine sends, receives or defers: no others can be named elsewhere.
pub fn mentioned(sketch: &Sketch) -> Vec<usize> {
    let places = || sketch.machines.iter().flat_map(|machine| &machine.states);
    let deferred = places().flat_map(|place| place.deferred.iter().flatten().copied());
    let deeds = places().flat_map(|place| &place.chains).flat_map(|chain| &chain.deeds);
    let used = deeds.filter_map(|deed| match *deed {
        Deed::Send { message, .. } | Deed::Receive { message, .. } => Some(message),
        Deed::Internal | Deed::Fail => None,
    });
    let mut all: Vec<usize> = deferred.chain(used).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn demand(rng: &mut Rng, sketch: &Sketch, known: &[usize]) -> Demand {
    let n = sketch.machines.len();
    if rng.percent(50) {
        let machine = rng.below(n);
        let n_states = sketch.machines[machine].states.len();
        let states = (0..=rng.below(2)).map(|_| rng.below(n_states)).collect();
        return Demand::In { machine, states };
    }
    let shape = shape(rng, known, 3);
    match sketch.sharing {
        Sharing::Mailbox => Demand::Holds { from: None, at: rng.below(n), shape },
        Sharing::Pairs => Demand::Holds { from: Some(rng.below(n)), at: rng.below(n), shape },
        Sharing::Channels => {
            let n_channels: usize = sketch.channels.iter().map(|(names, _)| names.len()).sum();
            Demand::Holds { from: None, at: rng.below(n_channels), shape }
        }
    }
}

fn shape(rng: &mut Rng, known: &[usize], depth: usize) -> Shape {
    let many =
        |rng: &mut Rng| (0..2 + rng.below(2)).map(|_| shape(rng, known, depth - 1)).collect();
    match rng.below(if depth == 0 { 5 } else { 12 }) {
        0 => Shape::Empty,
        1..=3 if !known.is_empty() => Shape::One(known[rng.below(known.len())]),
        1..=4 => Shape::Any,
        5 | 6 => Shape::Then(many(rng)),
        7 | 8 => Shape::Or(many(rng)),
        9 => Shape::Star(Box::new(shape(rng, known, depth - 1))),
        10 => Shape::Plus(Box::new(shape(rng, known, depth - 1))),
        _ => Shape::Maybe(Box::new(shape(rng, known, depth - 1))),
    }
}

/// A formula of about this size; `None` if there is nothing that it could be about.
fn formula(
    rng: &mut Rng,
    sketch: &Sketch,
    known: &[usize],
    (size, over_sends): (usize, bool),
) -> Option<Formula> {
    let part = |rng: &mut Rng, size| formula(rng, sketch, known, (size, over_sends)).map(Box::new);
    if size <= 1 {
        return atom(rng, sketch, known, over_sends);
    }
    let left = 1 + rng.below(size - 1);
    let kind = rng.below(12);
    if kind < 5 {
        let inside = part(rng, size - 1)?;
        return Some(match kind {
            0 => Formula::Not(inside),
            1 => Formula::Next(inside),
            2 => Formula::Finally(inside),
            _ => Formula::Globally(inside),
        });
    }
    let (a, b) = (part(rng, left)?, part(rng, size - left)?);
    Some(match kind {
        5 => Formula::And(a, b),
        6 => Formula::Or(a, b),
        7 => Formula::Implies(a, b),
        8 => Formula::Iff(a, b),
        9 => Formula::Until(a, b),
        10 => Formula::Release(a, b),
        _ => Formula::WeakUntil(a, b),
    })
}

fn atom(rng: &mut Rng, sketch: &Sketch, known: &[usize], over_sends: bool) -> Option<Formula> {
    let message = |rng: &mut Rng| (!known.is_empty()).then(|| known[rng.below(known.len())]);
    match rng.below(if over_sends { 6 } else { 10 }) {
        0 => Some([Formula::True, Formula::False][rng.below(2)].clone()),
        1..=5 => message(rng).map(Formula::Sends),
        6 | 7 => message(rng).map(Formula::Receives),
        _ => {
            let machine = rng.below(sketch.machines.len());
            Some(Formula::At(machine, rng.below(sketch.machines[machine].states.len())))
        }
    }
}

/// Something that somebody says of a mailbox or a channel, true or not.
fn claims(rng: &mut Rng, sketch: &Sketch) -> Vec<String> {
    let name = match sketch.sharing {
        Sharing::Channels => sketch.channels[0].0[0].clone(),
        Sharing::Mailbox => sketch.machines[0].name.clone(),
        Sharing::Pairs => return Vec::new(),
    };
    let places = sketch.machines.iter().flat_map(|machine| &machine.states);
    let deeds = places.flat_map(|place| &place.chains).flat_map(|chain| &chain.deeds);
    // A message that nobody sends or receives is refused.
    let used: Vec<usize> = deeds.filter_map(Deed::message).collect();
    if used.is_empty() {
        return Vec::new();
    }
    let mut one = || format!("\"{}\"", sketch.messages[used[rng.below(used.len())]]);
    let (a, b) = (one(), one());
    let formula = match rng.below(4) {
        0 => format!("never {a}"),
        1 => format!("at most 1 {a}"),
        2 => format!("{a} then never {b}"),
        _ => format!("G ({a} => X F true)"),
    };
    vec![format!("//@ invariant {name}: {formula}")]
}
