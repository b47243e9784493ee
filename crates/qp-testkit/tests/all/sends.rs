//! Sequences of sends, on random systems: the engine against plain searches with short queues, by an interpreter of its
//! own, and evidence that was changed against the referee.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write;
use std::sync::Arc;

use qp_base::Budget;
use qp_check::{Referee, Ruling};
use qp_claim::{Claim, Proof, SendPairs, Shape, Trace};
use qp_engines::{Engine, Sendlang, Task, TaskLimits};
use qp_machines::{Event, MachineId, Model, Property, QueueId, System};
use qp_testkit::judge::through_text;
use qp_testkit::pageant::Pageant;
use qp_testkit::rng::Rng;
use queueproof::load;

/// A system of peers. Each message has one sender and one receiver, and is named after its number.
#[derive(Clone, Debug)]
struct Peers {
    n: usize,
    p2p: bool,
    messages: Vec<(usize, usize)>,
    /// For each peer: from, whether it sends, message, to.
    edges: Vec<Vec<(usize, bool, usize, usize)>>,
}

type Config = (Vec<usize>, BTreeMap<usize, Vec<usize>>);

impl Peers {
    fn random(rng: &mut Rng, ring: bool) -> Self {
        let n = 2 + rng.below(2);
        let message = |rng: &mut Rng| {
            let from = rng.below(n);
            let to = if ring { (from + 1) % n } else { (from + 1 + rng.below(n - 1)) % n };
            (from, to)
        };
        let messages: Vec<(usize, usize)> = (0..2 + rng.below(3)).map(|_| message(rng)).collect();
        let mut peers = Self { n, p2p: rng.percent(50), messages, edges: vec![Vec::new(); n] };
        let (n_states, n_edges) = (2 + rng.below(3), 3 + rng.below(3));
        for peer in 0..n {
            for _ in 0..n_edges {
                peers.add(rng, peer, n_states);
            }
        }
        peers
    }

    /// Adds an edge, unless there is one with the same action.
    fn add(&mut self, rng: &mut Rng, peer: usize, n_states: usize) {
        let own = |&m: &usize| self.messages[m].0 == peer || self.messages[m].1 == peer;
        let own: Vec<usize> = (0..self.messages.len()).filter(own).collect();
        if own.is_empty() {
            return;
        }
        let message = own[rng.below(own.len())];
        let sends = self.messages[message].0 == peer;
        let (from, to) = (rng.below(n_states), rng.below(n_states));
        let same = |edge: &&(usize, bool, usize, usize)| (edge.0, edge.2) == (from, message);
        if !self.edges[peer].iter().any(|edge| same(&edge)) {
            self.edges[peer].push((from, sends, message, to));
        }
    }

    fn text(&self) -> String {
        let mut text = if self.p2p { "queues peer-to-peer;\n" } else { "" }.to_owned();
        for peer in 0..self.n {
            writeln!(text, "machine P{peer} {{").expect("texts take everything");
            let mut states: BTreeSet<usize> = BTreeSet::from([0]);
            states.extend(self.edges[peer].iter().flat_map(|edge| [edge.0, edge.3]));
            for state in states {
                let init = if state == 0 { "init " } else { "" };
                let mine = self.edges[peer].iter().filter(|edge| edge.0 == state);
                let lines: Vec<String> = mine
                    .map(|&(_, sends, message, to)| {
                        let (src, dst) = self.messages[message];
                        match (sends, self.p2p) {
                            (true, _) => format!("send P{dst} m{message} -> S{to}"),
                            (false, true) => format!("recv P{src} m{message} -> S{to}"),
                            (false, false) => format!("recv m{message} -> S{to}"),
                        }
                    })
                    .collect();
                let lines = lines.join("\n | ");
                writeln!(text, "    {init}S{state}: {lines}").expect("texts take everything");
            }
            text.push_str("}\n");
        }
        text
    }

    /// The same peers as processes that send through channels of this capacity.
    fn promela(&self, capacity: usize) -> String {
        let mut text = String::new();
        let queues: BTreeSet<usize> = (0..self.messages.len()).map(|m| self.queue(m)).collect();
        for queue in queues {
            writeln!(text, "chan q{queue} = [{capacity}] of {{ byte }};").expect("it fits");
        }
        for peer in 0..self.n {
            writeln!(text, "active proctype P{peer}() {{").expect("it fits");
            let mut states: BTreeSet<usize> = BTreeSet::from([0]);
            states.extend(self.edges[peer].iter().flat_map(|edge| [edge.0, edge.3]));
            for state in states {
                writeln!(text, "S{state}: if").expect("it fits");
                for &(_, sends, message, to) in self.edges[peer].iter().filter(|it| it.0 == state) {
                    let (queue, mark) = (self.queue(message), if sends { '!' } else { '?' });
                    writeln!(text, ":: q{queue}{mark}{message} -> goto S{to}").expect("it fits");
                }
                text.push_str(":: false\nfi;\n");
            }
            text.push_str("}\n");
        }
        text
    }

    fn model(&self) -> Option<Model> {
        load("peers.cfsm", self.text().as_bytes()).ok().map(|loaded| loaded.model)
    }

    fn queue(&self, message: usize) -> usize {
        let (src, dst) = self.messages[message];
        if self.p2p { src * self.n + dst } else { dst }
    }

    fn start(&self) -> Config {
        (vec![0; self.n], BTreeMap::new())
    }

    /// Every step with queues of length `k`, with what it sends.
    fn steps(&self, (locals, queues): &Config, k: usize) -> Vec<(Option<usize>, Config)> {
        let mut found = Vec::new();
        for peer in 0..self.n {
            for &(from, sends, message, to) in &self.edges[peer] {
                if from != locals[peer] {
                    continue;
                }
                let (mut after, mut queues) = (locals.clone(), queues.clone());
                after[peer] = to;
                let queue = queues.entry(self.queue(message)).or_default();
                if sends && k == 0 {
                    let reader = self.messages[message].1;
                    for edge in self.edges[reader].iter().filter(|edge| !edge.1) {
                        if (edge.0, edge.2) == (locals[reader], message) {
                            let mut both = after.clone();
                            both[reader] = edge.3;
                            found.push((Some(message), (both, BTreeMap::new())));
                        }
                    }
                } else if sends && queue.len() < k {
                    queue.push(message);
                    found.push((Some(message), (after, queues)));
                } else if !sends && queue.first() == Some(&message) {
                    queue.remove(0);
                    queues.retain(|_, content| !content.is_empty());
                    found.push((None, (after, queues)));
                }
            }
        }
        found
    }

    fn closure(&self, set: impl IntoIterator<Item = Config>, k: usize) -> BTreeSet<Config> {
        let mut all: BTreeSet<Config> = set.into_iter().collect();
        let mut todo: Vec<Config> = all.iter().cloned().collect();
        while let Some(config) = todo.pop() {
            for (send, next) in self.steps(&config, k) {
                if send.is_none() && all.insert(next.clone()) {
                    todo.push(next);
                }
            }
        }
        all
    }

    fn post(&self, set: &BTreeSet<Config>, k: usize) -> BTreeMap<usize, BTreeSet<Config>> {
        let mut by_send: BTreeMap<usize, Vec<Config>> = BTreeMap::new();
        for (send, next) in set.iter().flat_map(|config| self.steps(config, k)) {
            if let Some(send) = send {
                by_send.entry(send).or_default().push(next);
            }
        }
        by_send.into_iter().map(|(send, next)| (send, self.closure(next, k))).collect()
    }

    /// A word that queues of length `long` allow and those of length `short` do not; `None` if none was found among so
    /// many pairs of sets.
    fn differ(&self, short: usize, long: usize, most: usize) -> Option<Vec<usize>> {
        let first = (self.closure([self.start()], short), self.closure([self.start()], long));
        let mut seen = BTreeSet::from([first.clone()]);
        let mut todo = VecDeque::from([(first, Vec::new())]);
        while let Some(((short_set, long_set), word)) = todo.pop_front() {
            let mut shorts = self.post(&short_set, short);
            for (send, next) in self.post(&long_set, long) {
                let mut word = word.clone();
                word.push(send);
                let Some(other) = shorts.remove(&send) else { return Some(word) };
                if seen.len() < most && seen.insert((other.clone(), next.clone())) {
                    todo.push_back(((other, next), word));
                }
            }
        }
        None
    }

    fn allows(&self, k: usize, word: impl IntoIterator<Item = usize>) -> bool {
        let mut set = self.closure([self.start()], k);
        for send in word {
            match self.post(&set, k).remove(&send) {
                Some(next) => set = next,
                None => return false,
            }
        }
        true
    }

    /// Whether a family of conversations needs longer and longer queues, as far as three lengths show it.
    fn is_family(&self, model: &Model, trace: &Trace) -> bool {
        let Shape::Family { from, until, turns, .. } = trace.shape else { return false };
        let mut system = model.system();
        let (mut config, mut sends) = (system.initial(), Vec::new());
        for &step in &trace.steps {
            let Some(outcome) = system.fire(&config, step) else { return false };
            sends.push(match outcome.event {
                Event::Sent { message, .. } => {
                    let text = system.program().message_text(message);
                    Some(text[1..].parse::<usize>().expect("messages are numbered"))
                }
                _ => None,
            });
            config = outcome.config;
        }
        let length = (until - from) / turns;
        let word = |part: &[Option<usize>]| part.iter().copied().flatten().collect::<Vec<usize>>();
        let (u, v, w) =
            (word(&sends[..from]), word(&sends[from..from + length]), word(&sends[until..]));
        let all = |n: usize| {
            let turns = std::iter::repeat_n(&v, n).flatten().copied();
            u.iter().copied().chain(turns).chain(w.iter().copied()).collect::<Vec<usize>>()
        };
        let possible = (turns..turns + 3).all(|n| {
            let word = all(n);
            self.allows(word.len() + 1, word)
        });
        possible && (1..=3).all(|k| !self.allows(k, all(k * 6 + 12)))
    }
}

fn ask(model: &Model) -> (Claim, u32) {
    let limits = TaskLimits {
        bound_max: 4,
        small_max: 10_000,
        evidence_max: 100_000,
        ..TaskLimits::default()
    };
    let properties = vec![Property::Sendlang];
    let task = Task { model: model.clone(), properties, invariants: Vec::new(), limits };
    let answers = Sendlang.run(task, &Budget::states(100_000));
    (answers.claims[0].claim.clone(), answers.claims[0].figures.bound)
}

fn is_accepted(model: &Model, claim: &Claim) -> bool {
    let verdict = Referee::new(model, 10_000).check(Property::Sendlang, claim);
    verdict.is_ok_and(|verdict| !matches!(verdict.ruling(), Ruling::Unknown(_)))
}

#[test]
fn answers_agree_with_plain_searches() {
    let mut rng = Rng::new(9);
    let (mut n_equal, mut n_none, mut n_open) = (0, 0, 0);
    for number in 0..400 {
        let peers = Peers::random(&mut rng, number % 4 == 0);
        let Some(model) = peers.model() else { continue };
        let (claim, bound) = ask(&model);
        match &claim {
            Claim::Holds(_) => {
                n_equal += 1;
                let read = through_text(&claim).expect("it can be written");
                assert!(is_accepted(&model, &read), "{number}: {}", peers.text());
                let k = bound as usize;
                for long in k + 1..k + 3 {
                    let word = peers.differ(k, long, 300);
                    assert_eq!(word, None, "{number}: {k} {long}\n{}", peers.text());
                }
                if k > 0 {
                    let word = peers.differ(k - 1, k, 3_000);
                    assert!(word.is_some(), "{number}: {k} is not the least\n{}", peers.text());
                }
            }
            Claim::Violated(trace) => {
                n_none += 1;
                assert!(is_accepted(&model, &claim), "{number}: {}", peers.text());
                assert!(peers.is_family(&model, trace), "{number}: {trace:?}\n{}", peers.text());
            }
            Claim::GaveUp(_) => n_open += 1,
        }
    }
    println!("{n_equal} equal, {n_none} without a length, {n_open} open");
    assert!(n_equal > 120 && n_none > 80 && n_open < 30, "{n_equal} {n_none} {n_open}");
}

/// Queues of a declared capacity are enough for everything that they allow, and perhaps shorter ones are.
#[test]
fn capacities_are_lengths() {
    let mut rng = Rng::new(13);
    let (mut n_shorter, mut n_full, mut n_open) = (0, 0, 0);
    for number in 0..150 {
        let (peers, capacity) = (Peers::random(&mut rng, false), 1 + number % 3);
        let text = format!("capacity {capacity};\n{}", peers.text());
        let Ok(automata) = load("peers.cfsm", text.as_bytes()) else { continue };
        let processes = load("peers.pml", peers.promela(capacity).as_bytes()).expect("it is one");
        for model in [&automata.model, &processes.model] {
            let (claim, bound) = ask(model);
            if let Claim::GaveUp(_) = claim {
                n_open += 1;
                continue;
            }
            let read = through_text(&claim).expect("it can be written");
            assert!(is_accepted(model, &read), "{number}: {text}");
            let k = bound as usize;
            assert!(k <= capacity, "{number}: {k}\n{text}");
            assert_eq!(peers.differ(k, capacity, 3_000), None, "{number}: {k}\n{text}");
            assert!(k == 0 || peers.differ(k - 1, capacity, 3_000).is_some(), "{number}: {text}");
            *(if k < capacity { &mut n_shorter } else { &mut n_full }) += 1;
        }
    }
    println!("{n_shorter} shorter, {n_full} as declared, {n_open} open");
    assert!(n_shorter > 40 && n_full > 40 && n_open < 20, "{n_shorter} {n_full} {n_open}");
}

type Whole = qp_machines::Config;

/// Everything that is reached without sending while queues are short.
fn silent(system: &mut System, set: impl IntoIterator<Item = Whole>, k: usize) -> BTreeSet<Whole> {
    let mut all: BTreeSet<Whole> = set.into_iter().collect();
    let mut todo: Vec<Whole> = all.iter().cloned().collect();
    while let Some(config) = todo.pop() {
        for (send, next) in labelled(system, &config, k) {
            if send.is_none() && all.insert(next.clone()) {
                todo.push(next);
            }
        }
    }
    all
}

/// Every step that leaves queues short, with what it sends.
fn labelled(
    system: &mut System,
    config: &Whole,
    k: usize,
) -> Vec<(Option<(MachineId, Event)>, Whole)> {
    let mut found = Vec::new();
    for outcome in system.successors(config) {
        let short = outcome.config.words.iter().all(|&word| system.words().len(word) <= k);
        if short && !matches!(outcome.event, Event::Failed { .. } | Event::GaveUp { .. }) {
            let sends = |it: &Event| matches!(it, Event::Sent { .. });
            let send = outcome.events().find(sends).map(|event| (outcome.step.machine, event));
            found.push((send, outcome.config));
        }
    }
    found
}

/// Whether longer queues allow more, as far as so many pairs of sets show it.
fn allows_more(system: &mut System, short: usize, long: usize, most: usize) -> bool {
    let start = system.initial();
    let first = (silent(system, [start.clone()], short), silent(system, [start], long));
    let (mut seen, mut todo) = (vec![first.clone()], VecDeque::from([first]));
    while let Some((short_set, long_set)) = todo.pop_front() {
        let mut posts = [(short_set, short), (long_set, long)].map(|(set, k)| {
            let steps = set.iter().flat_map(|config| labelled(system, config, k));
            let mut by_send: Vec<((MachineId, Event), BTreeSet<Whole>)> = Vec::new();
            for (send, next) in steps.filter_map(|(send, next)| Some((send?, next))) {
                match by_send.iter_mut().find(|it| it.0 == send) {
                    Some(known) => drop(known.1.insert(next)),
                    None => by_send.push((send, BTreeSet::from([next]))),
                }
            }
            by_send.into_iter().map(|(s, set)| (s, silent(system, set, k))).collect::<Vec<_>>()
        });
        let longs = std::mem::take(&mut posts[1]);
        for (send, next) in longs {
            let Some((_, other)) = posts[0].iter().find(|it| it.0 == send) else { return true };
            let pair = (other.clone(), next);
            if seen.len() < most && !seen.contains(&pair) {
                seen.push(pair.clone());
                todo.push_back(pair);
            }
        }
    }
    false
}

/// Machines that look at everything and do several things at once, with channels of a capacity of two at most.
#[test]
fn machines_that_share_more_than_queues_are_followed() {
    let (mut n_equal, mut n_zero, mut n_open) = (0, 0, 0);
    for seed in 0..1_500 {
        let pageant = |it: u64| {
            if it.is_multiple_of(2) { Pageant::discreet(it, true) } else { Pageant::new(it, true) }
        };
        let model = pageant(seed).model();
        let (claim, bound) = ask(&model);
        if let Claim::GaveUp(_) = claim {
            n_open += 1;
            continue;
        }
        let read = through_text(&claim).expect("it can be written");
        let verdict = Referee::new(&model, 10_000).check(Property::Sendlang, &read);
        verdict.unwrap_or_else(|rejected| panic!("seed {seed} is refused: {rejected}"));
        if bound == 0 {
            n_zero += 1;
            continue;
        }
        n_equal += 1;
        assert!(!allows_more(&mut model.system(), bound as usize, 2, 200), "seed {seed}: {bound}");
    }
    println!("{n_equal} equal, {n_zero} with 0, {n_open} open");
    assert!(n_equal > 50, "{n_equal} {n_zero} {n_open}");
}

/// Evidence for a system, held against one that differs in an edge.
#[test]
fn evidence_for_another_system_proves_nothing_false() {
    let mut rng = Rng::new(10);
    let (mut n_refused, mut n_true) = (0, 0);
    for number in 0..400 {
        let peers = Peers::random(&mut rng, false);
        let Some(model) = peers.model() else { continue };
        let (claim, bound) = ask(&model);
        for _ in 0..4 {
            let mut other = peers.clone();
            let peer = rng.below(other.n);
            other.add(&mut rng, peer, 4);
            if rng.percent(50) && !other.edges[peer].is_empty() {
                let edge = rng.below(other.edges[peer].len());
                other.edges[peer].remove(edge);
            }
            let Some(model) = other.model() else { continue };
            if !is_accepted(&model, &claim) {
                n_refused += 1;
                continue;
            }
            match &claim {
                Claim::Holds(_) => {
                    n_true += 1;
                    let k = bound as usize;
                    let word = other.differ(k, k + 2, 200);
                    assert_eq!(word, None, "{number}: {k}\n{}", other.text());
                }
                Claim::Violated(trace) => {
                    n_true += 1;
                    assert!(
                        other.is_family(&model, trace),
                        "{number}: {trace:?}\n{}",
                        other.text()
                    );
                }
                Claim::GaveUp(_) => {}
            }
        }
    }
    println!("{n_refused} refused, {n_true} still true");
    assert!(n_refused > 200 && n_true > 20, "{n_refused} {n_true}");
}

#[test]
fn changed_evidence_proves_nothing_false() {
    let mut rng = Rng::new(11);
    let (mut n_changed, mut n_refused) = (0, 0);
    for number in 0..250 {
        let peers = Peers::random(&mut rng, false);
        let Some(model) = peers.model() else { continue };
        match ask(&model) {
            (Claim::Holds(Proof::Sends(pairs)), least) => {
                for changed in changed_pairs(&pairs, &mut rng) {
                    n_changed += 1;
                    let bound = changed.bound;
                    let claim = Claim::Holds(Proof::Sends(Arc::new(changed)));
                    let accepted = is_accepted(&model, &claim);
                    assert!(!accepted || bound >= least, "{number}: {bound}\n{}", peers.text());
                    n_refused += usize::from(!accepted);
                }
            }
            (Claim::Violated(trace), _) => {
                for changed in changed_traces(&trace, &mut rng) {
                    n_changed += 1;
                    if is_accepted(&model, &Claim::Violated(changed.clone())) {
                        assert!(
                            peers.is_family(&model, &changed),
                            "{number}: {changed:?}\n{}",
                            peers.text()
                        );
                    } else {
                        n_refused += 1;
                    }
                }
            }
            _ => {}
        }
    }
    println!("{n_changed} changed, {n_refused} refused");
    assert!(n_changed > 2_000 && n_refused > 1_200, "{n_changed} {n_refused}");
}

fn changed_pairs(pairs: &SendPairs, rng: &mut Rng) -> Vec<SendPairs> {
    let mut all = Vec::new();
    for bound in (0..pairs.bound).chain([pairs.bound + 1]) {
        all.push(SendPairs { bound, ..pairs.clone() });
    }
    for prefix in [0, 1, pairs.prefix + 1] {
        all.push(SendPairs { prefix, ..pairs.clone() });
        all.push(SendPairs { prefix, bound: pairs.bound.saturating_sub(1), ..pairs.clone() });
    }
    for _ in 0..6 {
        let mut changed = pairs.clone();
        changed.bound = changed.bound.saturating_sub(rng.below(2) as u32);
        let pair = rng.below(changed.pairs.len());
        match rng.below(5) {
            0 => drop(changed.pairs.remove(pair)),
            1 => changed.pairs[pair].1 = rng.below(changed.sets.len()) as u32,
            2 => changed.pairs[pair].0 = rng.below(changed.outer.len()) as u32,
            3 => {
                let set = rng.below(changed.sets.len());
                changed.sets[set] = vec![rng.below(changed.inner.len()) as u32];
            }
            _ => {
                let set = rng.below(changed.sets.len());
                changed.sets[set].clear();
            }
        }
        all.push(changed);
    }
    all
}

fn changed_traces(trace: &Trace, rng: &mut Rng) -> Vec<Trace> {
    let Shape::Family { from, until, turns, queue } = trace.shape else { return Vec::new() };
    let shape = |from, until, turns, queue| Trace {
        shape: Shape::Family { from, until, turns, queue },
        ..trace.clone()
    };
    let mut all = vec![
        shape(from + 1, until, turns, queue),
        shape(from, until + 1, turns, queue),
        shape(from, until - 1, turns, queue),
        shape(from, until, turns + 1, queue),
        shape(from, until, 1, queue),
        shape(from, until, 0, queue),
        shape(from, trace.steps.len(), 1, queue),
        shape(0, until, 1, queue),
        Trace { shape: Shape::Finite, ..trace.clone() },
        Trace { shape: Shape::Pump { from, queue }, ..trace.clone() },
    ];
    all.extend((0..4).map(|number| shape(from, until, turns, QueueId::from_raw(number))));
    for _ in 0..4 {
        let mut changed = trace.clone();
        let step = rng.below(changed.steps.len());
        if rng.percent(50) {
            changed.steps.remove(step);
        } else {
            changed.steps[step].choice = 1 - changed.steps[step].choice.min(1);
        }
        all.push(changed);
    }
    all
}
