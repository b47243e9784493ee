//! Evidence about rounds, worked out naively, whether it proves anything or not.

use std::collections::{BTreeMap, BTreeSet};

use qp_claim::{
    ABSENT, Book, ClosedSet, Content, ExchangeSet, Rounds, Single, Waiting, Watch, Watched,
};
use qp_machines::{Config, Effect, LocalId, MachineId, MessageId, Model, Reception, System};

use super::chart::{Act, Chart, Vertex, closure};

/// What was worked out.
pub struct Made {
    /// The evidence.
    pub set: ExchangeSet,
    /// Whether there is a violation in it.
    pub is_violated: bool,
    /// Whether queues are mailboxes, with several writers each.
    pub mailbox: bool,
}

/// Everything that is reached in rounds of up to so many sends, or with each message at once or never. `None` if the
/// system is not of the kind that rounds are about, or has too many rows.
pub fn made(model: &Model, sends: Option<u32>, most: usize) -> Option<Made> {
    let mut system = model.system();
    let initial = system.initial();
    // Who reads and writes what is known only once everything was reached.
    let mut known = Known::of(model.outline());
    loop {
        known.discipline()?;
        let mut maker = Maker { system: &mut system, initial: &initial, known: &known, most };
        let (vectors, made) = match sends {
            None => maker.at_once()?,
            Some(sends) => maker.rounds(sends as usize)?,
        };
        let met = maker.met(&vectors);
        if met == known {
            return Some(made);
        }
        known = met;
    }
}

type Set = BTreeSet<usize>;
type Locals = Vec<LocalId>;

/// Who reads and writes each queue.
#[derive(Clone, PartialEq, Eq)]
struct Known {
    readers: Vec<Set>,
    writers: Vec<Set>,
}

impl Known {
    fn of(outline: &qp_machines::Outline) -> Self {
        let numbers = |machines: &[MachineId]| machines.iter().map(|m| m.index()).collect();
        Self {
            readers: outline.queues.iter().map(|queue| numbers(&queue.readers)).collect(),
            writers: outline.queues.iter().map(|queue| numbers(&queue.writers)).collect(),
        }
    }

    fn reader(&self, queue: usize) -> Option<usize> {
        self.readers[queue].first().copied()
    }

    /// Whether queues are mailboxes; `None` if they are neither that nor belong to pairs.
    fn discipline(&self) -> Option<bool> {
        let queues = 0..self.readers.len();
        let own = |queue: usize| !self.readers[queue].is_disjoint(&self.writers[queue]);
        if queues.clone().any(|queue| self.readers[queue].len() > 1 || own(queue)) {
            return None;
        }
        let readers: Vec<usize> = queues.clone().filter_map(|queue| self.reader(queue)).collect();
        let mailbox = readers.iter().collect::<BTreeSet<_>>().len() == readers.len();
        let pair = |queue| Some((self.reader(queue)?, *self.writers[queue].first()?));
        let pairs: Vec<_> = queues.clone().filter_map(pair).collect();
        let one_each = pairs.iter().collect::<BTreeSet<_>>().len() == pairs.len();
        match (one_each && self.writers.iter().all(|it| it.len() < 2), mailbox) {
            (true, _) => Some(false),
            (false, true) => Some(true),
            (false, false) => None,
        }
    }

    fn mailbox(&self) -> bool {
        self.discipline() == Some(true)
    }
}

struct Maker<'a> {
    system: &'a mut System,
    initial: &'a Config,
    known: &'a Known,
    most: usize,
}

/// For each queue, the machines with a send and those with a receive that come after what waits, and its heads.
type Waits = BTreeMap<usize, (Set, Set, BTreeSet<MessageId>)>;

/// A watch: queue, message, sent, received, crossed, toward, count, and what comes after.
type Watching = (usize, MessageId, [Set; 4], usize, (Set, Set));

/// A message of a round, or everything that waits in a queue.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Node {
    Message(Vertex),
    Queue(usize),
}

impl Maker<'_> {
    fn met(&mut self, vectors: &BTreeSet<Locals>) -> Known {
        let empty = vec![Set::new(); self.known.readers.len()];
        let mut met = Known { readers: empty.clone(), writers: empty };
        for locals in vectors {
            for (machine, &local) in locals.iter().enumerate() {
                for mv in self.moves(machine, local).iter() {
                    match mv.effect {
                        Effect::Send { queue, .. } => met.writers[queue.index()].insert(machine),
                        Effect::Receive { queue, .. } => met.readers[queue.index()].insert(machine),
                        _ => false,
                    };
                }
            }
        }
        met
    }

    fn moves(&mut self, machine: usize, local: LocalId) -> std::sync::Arc<[qp_machines::Move]> {
        let moves = self.system.moves(MachineId::new(machine), local, self.initial.store);
        moves.expect("automata say commands")
    }

    fn internal(&mut self, locals: &Locals) -> Vec<Locals> {
        self.moved(locals, |effect| *effect == Effect::Internal)
            .into_iter()
            .map(|(.., next)| next)
            .collect()
    }

    fn moved(&mut self, locals: &Locals, of: fn(&Effect) -> bool) -> Vec<(usize, Effect, Locals)> {
        let mut all = Vec::new();
        for machine in 0..locals.len() {
            for mv in self.moves(machine, locals[machine]).iter().filter(|mv| of(&mv.effect)) {
                let mut next = locals.clone();
                next[machine] = mv.next;
                all.push((machine, mv.effect.clone(), next));
            }
        }
        all
    }

    /// Sender, queue, message and the vector afterwards.
    fn sends(&mut self, locals: &Locals) -> Vec<(usize, usize, MessageId, Locals)> {
        let sends = self.moved(locals, |effect| matches!(effect, Effect::Send { .. }));
        let send = |(machine, effect, next)| match effect {
            Effect::Send { queue, message, .. } => (machine, queue.index(), message, next),
            _ => panic!("it is a send"),
        };
        sends.into_iter().map(send).collect()
    }

    /// The vectors after the reader of a queue has taken a message.
    fn takes(&mut self, locals: &Locals, queue: usize, message: MessageId) -> Vec<Locals> {
        let Some(reader) = self.known.reader(queue) else { return Vec::new() };
        let (id, local, mut all) = (MachineId::new(reader), locals[reader], Vec::new());
        for mv in self.moves(reader, local).iter() {
            let Effect::Receive { queue: at, ear } = mv.effect else { continue };
            let program = self.system.program_mut().as_moves().expect("it says commands");
            if at.index() == queue
                && let Reception::Take(ways) = program.reception(id, local, 0, ear, message)
            {
                for way in ways {
                    let mut next = locals.clone();
                    next[reader] = way.next;
                    all.push(next);
                }
            }
        }
        all
    }

    fn at_once(&mut self) -> Option<(BTreeSet<Locals>, Made)> {
        type State = (Locals, Vec<Option<MessageId>>, Option<(usize, Set, Set)>);
        let mailbox = self.known.mailbox();
        let first: State =
            (self.initial.locals.clone(), vec![None; self.known.readers.len()], None);
        let (mut seen, mut todo) = (BTreeSet::from([first.clone()]), vec![first]);
        while let Some((locals, heads, watch)) = todo.pop() {
            if seen.len() > self.most {
                return None;
            }
            let mut next: Vec<State> = Vec::new();
            for after in self.internal(&locals) {
                next.push((after, heads.clone(), watch.clone()));
            }
            for (p, queue, message, after) in self.sends(&locals) {
                let d = self.known.reader(queue);
                let follow = |received: bool| {
                    watch.clone().map(|(m0, mut acted, mut into)| {
                        let hit = |set: &Set| d.is_some_and(|d| set.contains(&d));
                        if acted.contains(&p) || received && hit(&acted) || hit(&into) {
                            acted.insert(p);
                            acted.extend(d.filter(|_| received));
                            into.extend(d.filter(|_| received && mailbox));
                        }
                        (m0, acted, into)
                    })
                };
                let mut left = heads.clone();
                left[queue].get_or_insert(message);
                next.push((after.clone(), left.clone(), follow(false)));
                if let (None, None, Some(d)) = (heads[queue], &watch, d) {
                    let into = if mailbox { Set::from([d]) } else { Set::new() };
                    next.push((after.clone(), left, Some((queue, Set::from([p]), into))));
                }
                if heads[queue].is_none() {
                    for taken in self.takes(&after, queue, message) {
                        next.push((taken, heads.clone(), follow(true)));
                    }
                }
            }
            todo.extend(next.into_iter().filter(|state| seen.insert(state.clone())));
        }
        let vectors: BTreeSet<Locals> = seen.iter().map(|state| state.0.clone()).collect();
        let mut writer = Writer::new(self, &vectors);
        let (mut rows, mut is_violated) = (Vec::new(), false);
        for (locals, heads, watch) in &seen {
            if let Some((queue, acted, _)) = watch {
                let reader = self.known.reader(*queue).expect("it is watched");
                let head = heads[*queue].expect("it is a head");
                is_violated |=
                    acted.contains(&reader) && !self.takes(locals, *queue, head).is_empty();
            }
            let heads = heads.iter().map(|head| head.map_or(ABSENT, |m| writer.message(self, m)));
            let heads = heads.collect();
            rows.push(Single {
                locals: writer.row(locals),
                heads,
                watched: watch.as_ref().map(|(queue, acted, into)| Watched {
                    queue: *queue as u32,
                    acted: bits(acted),
                    into: bits(into),
                }),
            });
        }
        let set = ExchangeSet { set: writer.set, rounds: Rounds::Single(rows) };
        Some((vectors, Made { set, is_violated, mailbox }))
    }

    /// All rounds from a vector: where they lead, and their charts.
    fn exchanges(&mut self, locals: &Locals, k: usize) -> BTreeSet<(Locals, Chart)> {
        type Point = (Locals, Chart, Vec<Vec<Vertex>>);
        let n_queues = self.known.readers.len();
        let empty = Chart(vec![Vec::new(); locals.len()]);
        let first: Point = (locals.clone(), empty, vec![Vec::new(); n_queues]);
        let (mut sent, mut todo) = (BTreeSet::new(), vec![first]);
        while let Some(point) = todo.pop() {
            if !sent.insert(point.clone()) {
                continue;
            }
            let (locals, chart, queues) = point;
            for after in self.internal(&locals) {
                todo.push((after, chart.clone(), queues.clone()));
            }
            for (p, queue, message, after) in self.sends(&locals) {
                if chart.sends().len() < k {
                    let (mut chart, mut queues) = (chart.clone(), queues.clone());
                    queues[queue].push((p, chart.0[p].len()));
                    chart.0[p].push(Act::Send { queue, message });
                    todo.push((after, chart, queues));
                }
            }
        }
        let (mut all, mut seen) = (BTreeSet::new(), BTreeSet::new());
        todo.extend(sent.into_iter().filter(|(_, chart, _)| !chart.sends().is_empty()));
        while let Some(point) = todo.pop() {
            if !seen.insert(point.clone()) {
                continue;
            }
            let (locals, chart, queues) = point;
            for after in self.internal(&locals) {
                todo.push((after, chart.clone(), queues.clone()));
            }
            for queue in 0..n_queues {
                let Some(&send) = queues[queue].first() else { continue };
                for after in self.takes(&locals, queue, chart.sent(send).1) {
                    let (mut chart, mut queues) = (chart.clone(), queues.clone());
                    queues[queue].remove(0);
                    let reader = self.known.reader(queue).expect("it takes something");
                    chart.0[reader].push(Act::Receive(send));
                    todo.push((after, chart, queues));
                }
            }
            all.insert((locals, chart));
        }
        all
    }

    fn rounds(&mut self, k: usize) -> Option<(BTreeSet<Locals>, Made)> {
        type State = (Locals, Waits, Option<Watching>);
        let first: State = (self.initial.locals.clone(), Waits::new(), None);
        let (mut seen, mut todo) = (BTreeSet::from([first.clone()]), vec![first]);
        let mut known: BTreeMap<Locals, Vec<(Locals, Round)>> = BTreeMap::new();
        while let Some((locals, waits, watch)) = todo.pop() {
            if seen.len() > self.most {
                return None;
            }
            let mut next: Vec<State> = Vec::new();
            for after in self.internal(&locals) {
                next.push((after, waits.clone(), watch.clone()));
            }
            if !known.contains_key(&locals) {
                let exchanges = self.exchanges(&locals, k).into_iter();
                let rounds = exchanges.map(|(to, chart)| (to, Round::new(chart, self.known)));
                let rounds = rounds.collect();
                known.insert(locals.clone(), rounds);
            }
            for (after, round) in &known[&locals] {
                let Some(waits_then) = round.follow(self.known, &waits) else { continue };
                let watches = match &watch {
                    None => round.start(self.known, &waits, locals.len(), k),
                    Some(watch) => round.go_on(self.known, &waits, watch, k),
                };
                let watches = watches.into_iter().map(Some);
                let none = watch.is_none().then_some(None);
                let then = |watch| (after.clone(), waits_then.clone(), watch);
                next.extend(watches.chain(none).map(then));
            }
            todo.extend(next.into_iter().filter(|state| seen.insert(state.clone())));
        }
        Some(self.written(&seen, k))
    }

    fn written(
        &mut self,
        seen: &BTreeSet<(Locals, Waits, Option<Watching>)>,
        k: usize,
    ) -> (BTreeSet<Locals>, Made) {
        let vectors: BTreeSet<Locals> = seen.iter().map(|state| state.0.clone()).collect();
        let mut writer = Writer::new(self, &vectors);
        let (mut books, mut watches, mut is_violated) = (Vec::new(), Vec::new(), false);
        let mut numbers = BTreeMap::new();
        for (locals, waits, watch) in seen {
            let Some((queue, message, [sent, received, crossed, toward], count, after)) = watch
            else {
                numbers.insert((locals, waits), books.len() as u32);
                let waiting = waits.iter().map(|(&queue, (senders, receivers, heads))| {
                    let mut heads: Vec<u32> =
                        heads.iter().map(|&head| writer.message(self, head)).collect();
                    heads.sort_unstable();
                    let (senders, receivers) = (bits(senders), bits(receivers));
                    Waiting { queue: queue as u32, senders, receivers, heads }
                });
                books.push(Book { waiting: waiting.collect(), locals: writer.row(locals) });
                continue;
            };
            let reader = self.known.reader(*queue).expect("it is watched");
            is_violated |= *toward == Set::from([reader])
                && (crossed.contains(&reader) || *count > k)
                && !self.takes(locals, *queue, *message).is_empty();
            watches.push(Watch {
                book: numbers[&(locals, waits)],
                queue: *queue as u32,
                message: writer.message(self, *message),
                sent: bits(sent),
                received: bits(received),
                crossed: bits(crossed),
                toward: bits(toward),
                count: *count as u32,
                senders: bits(&after.0),
                receivers: bits(&after.1),
            });
        }
        let rounds = Rounds::UpTo { sends: k as u32, books, watches };
        let mailbox = self.known.mailbox();
        let set = ExchangeSet { set: writer.set, rounds };
        (vectors, Made { set, is_violated, mailbox })
    }
}

/// A round with its graphs.
struct Round {
    chart: Chart,
    conflicts: BTreeSet<(Vertex, Vertex)>,
    /// For mailboxes: what must be sent before what.
    order: BTreeSet<(Vertex, Vertex)>,
    readers: BTreeMap<Vertex, usize>,
}

impl Round {
    fn new(chart: Chart, known: &Known) -> Self {
        let conflicts = chart.conflicts().into_iter().map(|(v, w, _)| (v, w)).collect();
        let (mut order, mut readers) = (BTreeSet::new(), BTreeMap::new());
        for v in chart.sends() {
            readers.extend(known.reader(chart.sent(v).0).map(|reader| (v, reader)));
            for w in chart.sends().into_iter().filter(|&w| w != v) {
                let same = chart.sent(v).0 == chart.sent(w).0;
                let later = chart
                    .received(v)
                    .is_some_and(|(_, at)| chart.received(w).is_none_or(|(_, then)| at < then));
                if v.0 == w.0 && v.1 < w.1 || same && later {
                    order.insert((v, w));
                }
            }
        }
        Self { chart, conflicts, order, readers }
    }

    fn left(&self, queue: usize) -> Vec<Vertex> {
        let mut all = self.chart.sends();
        all.retain(|&v| self.chart.sent(v).0 == queue && self.chart.received(v).is_none());
        all
    }

    fn receiver(&self, v: Vertex) -> Option<usize> {
        self.chart.received(v).map(|receive| receive.0)
    }

    /// What must be sent after a machine's sends and receives of which so much is known.
    fn forced(&self, known: &Known, waits: &Waits, after: &(Set, Set)) -> BTreeSet<Node> {
        let (senders, receivers) = after;
        let mut nodes = BTreeSet::new();
        for v in self.chart.sends() {
            let into = self.readers.get(&v).is_some_and(|reader| receivers.contains(reader));
            if senders.contains(&v.0) || receivers.contains(&v.0) || into {
                nodes.insert(Node::Message(v));
            }
        }
        for &queue in waits.keys() {
            if known.reader(queue).is_some_and(|reader| receivers.contains(&reader)) {
                nodes.insert(Node::Queue(queue));
            }
        }
        nodes
    }

    fn graph(&self, known: &Known, waits: &Waits) -> BTreeSet<(Node, Node)> {
        let mut edges: BTreeSet<_> =
            self.order.iter().map(|&(v, w)| (Node::Message(v), Node::Message(w))).collect();
        for v in self.chart.sends() {
            let queue = self.chart.sent(v).0;
            if self.chart.received(v).is_some() && waits.contains_key(&queue) {
                edges.insert((Node::Message(v), Node::Queue(queue)));
            }
        }
        for (&queue, (senders, receivers, _)) in waits {
            let after = self.forced(known, waits, &(senders.clone(), receivers.clone()));
            edges.extend(after.into_iter().map(|node| (Node::Queue(queue), node)));
        }
        edges
    }

    /// Adds what must come after some nodes; `None` if the reader of the queue receives some of it.
    fn collect(
        &self,
        known: &Known,
        waits: &Waits,
        queue: usize,
        from: BTreeSet<Node>,
        (mut senders, mut receivers): (Set, Set),
    ) -> Option<(Set, Set)> {
        for node in closure(from, &self.graph(known, waits)) {
            match node {
                Node::Message(v) => {
                    senders.insert(v.0);
                    receivers.extend(self.receiver(v));
                }
                Node::Queue(queue) => {
                    senders.extend(&waits[&queue].0);
                    receivers.extend(&waits[&queue].1);
                }
            }
        }
        let reads = known.reader(queue).is_some_and(|reader| receivers.contains(&reader));
        (!reads).then_some((senders, receivers))
    }

    fn others(&self, waits: &Waits, queue: usize, v0: Option<Vertex>) -> BTreeSet<Node> {
        let left = self.left(queue).into_iter().filter(|&v| Some(v) != v0).map(Node::Message);
        left.chain(waits.contains_key(&queue).then_some(Node::Queue(queue))).collect()
    }

    fn may_be_first(&self, known: &Known, waits: &Waits, v: Vertex) -> bool {
        let queue = self.chart.sent(v).0;
        if known.mailbox() {
            let others = self.others(waits, queue, Some(v));
            !closure(others, &self.graph(known, waits)).contains(&Node::Message(v))
        } else {
            !waits.contains_key(&queue) && self.left(queue).iter().all(|w| v <= *w)
        }
    }

    fn follow(&self, known: &Known, waits: &Waits) -> Option<Waits> {
        let mut then = Waits::new();
        for queue in 0..known.readers.len() {
            let old = waits.get(&queue);
            let sends = self.chart.sends();
            let taken = |&v: &Vertex| self.chart.sent(v).0 == queue && self.receiver(v).is_some();
            if !known.mailbox() && old.is_some() && sends.iter().any(taken) {
                return None;
            }
            let from = self.others(waits, queue, None);
            if from.is_empty() {
                continue;
            }
            let mut heads = old.map(|old| old.2.clone()).unwrap_or_default();
            for v in self.left(queue) {
                if self.may_be_first(known, waits, v) {
                    heads.insert(self.chart.sent(v).1);
                }
            }
            let (senders, receivers) = if known.mailbox() {
                self.collect(known, waits, queue, from, Default::default())?
            } else {
                Default::default()
            };
            then.insert(queue, (senders, receivers, heads));
        }
        Some(then)
    }

    fn acting(&self, messages: &BTreeSet<Vertex>) -> (Set, Set) {
        let senders = messages.iter().map(|v| v.0).collect();
        (senders, messages.iter().filter_map(|&v| self.receiver(v)).collect())
    }

    fn acts_on(&self, machines: &Set) -> BTreeSet<Vertex> {
        let mut all = self.chart.sends();
        all.retain(|&v| {
            machines.contains(&v.0) || self.receiver(v).is_some_and(|r| machines.contains(&r))
        });
        all.into_iter().collect()
    }

    fn before(&self, machines: &Set) -> BTreeSet<Vertex> {
        let back = self.conflicts.iter().map(|&(v, w)| (w, v)).collect();
        closure(self.acts_on(machines), &back)
    }

    fn start(&self, known: &Known, waits: &Waits, n_machines: usize, k: usize) -> Vec<Watching> {
        let mut all = Vec::new();
        for v0 in self.chart.sends() {
            let (queue, message) = self.chart.sent(v0);
            let Some(reader) = known.reader(queue) else { continue };
            if self.receiver(v0).is_some() || !self.may_be_first(known, waits, v0) {
                continue;
            }
            let mut after = Default::default();
            if known.mailbox() {
                let from = self.others(waits, queue, None);
                let Some(found) = self.collect(known, waits, queue, from, after) else { continue };
                after = found;
            }
            let reached = closure([v0], &self.conflicts);
            let (sent, received) = self.acting(&reached);
            for toward in subsets(&(0..n_machines).collect(), reader) {
                let mut both: BTreeSet<Vertex> =
                    reached.intersection(&self.before(&toward)).copied().collect();
                both.insert(v0);
                let sets = [sent.clone(), received.clone(), Set::new(), toward];
                all.push((queue, message, sets, both.len().min(k + 1), after.clone()));
            }
        }
        all
    }

    fn go_on(&self, known: &Known, waits: &Waits, watch: &Watching, k: usize) -> Vec<Watching> {
        let (queue, message, [sent, received, crossed, toward], count, after) = watch;
        let reader = known.reader(*queue).expect("it is watched");
        let mut after = after.clone();
        if known.mailbox() {
            let mut from = self.forced(known, waits, &after);
            from.extend(self.left(*queue).into_iter().map(Node::Message));
            let Some(found) = self.collect(known, waits, *queue, from, after) else {
                return Vec::new();
            };
            after = found;
        }
        let reached = closure(self.acts_on(&(sent | received)), &self.conflicts);
        let sends_late = self.chart.sends().into_iter().filter(|v| received.contains(&v.0));
        let late = closure(self.acts_on(crossed).into_iter().chain(sends_late), &self.conflicts);
        let ((more_sent, more_received), more_crossed) =
            (self.acting(&reached), self.acting(&late));
        let mut all = Vec::new();
        for then in subsets(toward, reader) {
            let before = self.before(&then);
            let (senders, receivers) = self.acting(&before);
            if &(&then | &senders) | &receivers == *toward {
                let n_both = reached.intersection(&before).count();
                let sets = [
                    sent | &more_sent,
                    received | &more_received,
                    &(crossed | &more_crossed.0) | &more_crossed.1,
                    then,
                ];
                all.push((*queue, *message, sets, (count + n_both).min(k + 1), after.clone()));
            }
        }
        all
    }
}

/// All subsets with one of the members.
fn subsets(of: &Set, with: usize) -> Vec<Set> {
    let mut all = vec![Set::from([with])];
    for &member in of.iter().filter(|&&member| member != with) {
        let mut more = all.clone();
        for set in &mut more {
            set.insert(member);
        }
        all.extend(more);
    }
    all
}

fn bits(set: &Set) -> u64 {
    set.iter().fold(0, |bits, &member| bits | 1 << member)
}

/// The tables of a set.
struct Writer {
    set: ClosedSet,
    rows: BTreeMap<Locals, u32>,
    messages: BTreeMap<MessageId, u32>,
}

impl Writer {
    fn new(maker: &Maker<'_>, vectors: &BTreeSet<Locals>) -> Self {
        let (initial, program) = (maker.initial, maker.system.program());
        let mut locals: Vec<Vec<LocalId>> = vec![Vec::new(); initial.locals.len()];
        let mut set = ClosedSet {
            stores: vec![maker.system.store_text(initial.store)],
            n_queues: initial.words.len(),
            ..ClosedSet::default()
        };
        let kinds: BTreeSet<_> = initial.kinds.iter().copied().collect();
        let kinds: Vec<_> = kinds.into_iter().collect();
        for kind in &kinds {
            set.contents.push(Content { kind: kind.raw(), messages: Some(Vec::new()) });
        }
        for vector in vectors {
            for (machine, local) in vector.iter().enumerate() {
                let known = &mut locals[machine];
                let place = known.iter().position(|it| it == local).unwrap_or_else(|| {
                    known.push(*local);
                    known.len() - 1
                });
                set.cells.push(place as u32);
            }
            let kind = |kind| kinds.iter().position(|it| it == kind).expect("it is listed") as u32;
            set.cells.extend(initial.kinds.iter().map(kind));
            set.cells.extend([0, ABSENT]);
        }
        for (machine, locals) in locals.iter().enumerate() {
            let text = |&local: &LocalId| program.local_text(MachineId::new(machine), local);
            set.locals.push(locals.iter().map(text).collect());
        }
        let rows = vectors.iter().cloned().zip(0..).collect();
        Self { set, rows, messages: BTreeMap::new() }
    }

    fn row(&self, locals: &Locals) -> u32 {
        self.rows[locals]
    }

    fn message(&mut self, maker: &Maker<'_>, message: MessageId) -> u32 {
        let next = self.messages.len() as u32;
        *self.messages.entry(message).or_insert_with(|| {
            self.set.messages.push(maker.system.program().message_text(message));
            next
        })
    }
}
