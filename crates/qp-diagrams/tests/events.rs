//! Images, pre-images and saturation against plain sets of tuples, with events that are all known and with events
//! that are discovered on the way.

mod plain;

use qp_diagrams::{Abort, Diagrams, Event, Events, Limits, Moves, Touch};

use plain::{NO_LIMITS, Plain, Rng, build, stores, tuples};

/// Relations as tables, and events that become known with the values that make them possible.
struct Tables {
    /// For each relation and value: where it leads.
    next: Vec<Vec<Vec<u32>>>,
    /// Events to be discovered, each with its event.
    hidden: Vec<Event>,
    go_on: bool,
}

impl Moves for Tables {
    fn meet(&mut self, level: usize, value: u32, events: &mut Events) {
        for event in &self.hidden {
            let own = event.touches().iter().find(|touch| touch.level == level);
            if own.is_some_and(|own| !self.next[own.relation as usize][value as usize].is_empty()) {
                events.add(event.clone());
            }
        }
    }

    fn next(&mut self, relation: u32, value: u32, found: &mut Vec<u32>) {
        found.extend(&self.next[relation as usize][value as usize]);
    }

    fn may_go_on(&mut self, _: usize, _: u64) -> bool {
        self.go_on
    }
}

const N_VALUES: u32 = 4;

impl Rng {
    /// Tables and events over this many levels.
    fn tables(&mut self, n_levels: u32) -> (Tables, Vec<Event>) {
        let mut next = Vec::new();
        let n_events = 1 + self.below(5);
        let mut all = Vec::new();
        for _ in 0..n_events {
            let mut touches = Vec::new();
            for level in 0..n_levels as usize {
                if self.below(2) == 0 || (touches.is_empty() && level + 1 == n_levels as usize) {
                    touches.push(Touch { level, relation: next.len() as u32 });
                    next.push(self.relation());
                }
            }
            all.push(Event::new(touches));
        }
        (Tables { next, hidden: Vec::new(), go_on: true }, all)
    }

    fn relation(&mut self) -> Vec<Vec<u32>> {
        (0..N_VALUES)
            .map(|_| {
                let n = self.below(3).min(self.below(3));
                (0..n).map(|_| self.below(N_VALUES)).collect()
            })
            .collect()
    }
}

/// What an event makes of a tuple.
fn after(tables: &Tables, event: &Event, tuple: &[u32]) -> Vec<Vec<u32>> {
    let mut found = vec![tuple.to_vec()];
    for touch in event.touches() {
        let nexts = &tables.next[touch.relation as usize][tuple[touch.level] as usize];
        let change = |old: &Vec<u32>| {
            let old = old.clone();
            nexts.iter().map(move |&value| {
                let mut new = old.clone();
                new[touch.level] = value;
                new
            })
        };
        found = found.iter().flat_map(change).collect();
    }
    found
}

fn closure(tables: &Tables, events: &[Event], plain: &Plain) -> Plain {
    let mut closed = plain.clone();
    let mut open: Vec<Vec<u32>> = plain.iter().cloned().collect();
    while let Some(tuple) = open.pop() {
        for new in events.iter().flat_map(|event| after(tables, event, &tuple)) {
            if closed.insert(new.clone()) {
                open.push(new);
            }
        }
    }
    closed
}

#[test]
fn images_and_pre_images() {
    let mut rng = Rng(11);
    for mut diagrams in stores() {
        for _ in 0..2_000 {
            let n_levels = 1 + rng.below(4);
            let (mut tables, all) = rng.tables(n_levels);
            let mut events = Events::default();
            let id = events.add(all[0].clone());
            let (plain, other) = (rng.set(n_levels, N_VALUES), rng.set(n_levels, N_VALUES));
            let (set, target) = (build(&mut diagrams, &plain), build(&mut diagrams, &other));
            diagrams.forget_moves();
            let image = diagrams.image(set, id, &mut events, &mut tables).unwrap();
            let expected = plain.iter().flat_map(|tuple| after(&tables, &all[0], tuple));
            assert_eq!(tuples(&diagrams, image), expected.collect::<Plain>());
            let pre = diagrams.pre_image(set, target, id, &mut events, &mut tables).unwrap();
            let leads = |tuple: &&Vec<u32>| {
                after(&tables, &all[0], tuple).iter().any(|after| other.contains(after))
            };
            assert_eq!(tuples(&diagrams, pre), plain.iter().filter(leads).cloned().collect());
            diagrams.release(set);
            diagrams.release(target);
        }
    }
}

#[test]
fn saturation_is_the_closure() {
    let mut rng = Rng(12);
    let mut n_large = 0;
    for mut diagrams in stores() {
        for _ in 0..3_000 {
            let n_levels = 1 + rng.below(4);
            let (mut tables, all) = rng.tables(n_levels);
            let mut events = Events::default();
            for event in &all {
                events.add(event.clone());
            }
            let plain = rng.set(n_levels, N_VALUES);
            let set = build(&mut diagrams, &plain);
            diagrams.forget_moves();
            let closed = diagrams.saturate(set, &mut events, &mut tables).unwrap();
            let expected = closure(&tables, &all, &plain);
            n_large += usize::from(expected.len() > 3 * plain.len());
            assert_eq!(tuples(&diagrams, closed), expected);
            diagrams.release(set);
        }
    }
    assert!(n_large > 500, "{n_large}");
}

#[test]
fn events_may_be_discovered_while_saturating() {
    let mut rng = Rng(13);
    for mut diagrams in stores() {
        for _ in 0..3_000 {
            let n_levels = 1 + rng.below(4);
            let (mut tables, all) = rng.tables(n_levels);
            tables.hidden.clone_from(&all);
            let mut events = Events::default();
            let plain = rng.set(n_levels, N_VALUES);
            let set = build(&mut diagrams, &plain);
            diagrams.forget_moves();
            let closed = diagrams.saturate(set, &mut events, &mut tables).unwrap();
            assert_eq!(tuples(&diagrams, closed), closure(&tables, &all, &plain));
            diagrams.release(set);
        }
    }
}

/// A wider relation, and the closure goes on from where it was.
#[test]
fn what_is_closed_can_be_closed_again_under_more() {
    let mut rng = Rng(14);
    for mut diagrams in stores() {
        for _ in 0..1_000 {
            let (mut tables, all) = rng.tables(3);
            let mut events = Events::default();
            for event in &all {
                events.add(event.clone());
            }
            let plain = rng.set(3, N_VALUES);
            let set = build(&mut diagrams, &plain);
            diagrams.forget_moves();
            let closed = diagrams.saturate(set, &mut events, &mut tables).unwrap();
            let closed = diagrams.hold(closed);
            let again = diagrams.saturate(closed, &mut events, &mut tables).unwrap();
            assert_eq!(again, closed);
            let relation = rng.below(tables.next.len() as u32) as usize;
            let value = rng.below(N_VALUES) as usize;
            tables.next[relation][value].push(rng.below(N_VALUES));
            diagrams.forget_moves();
            let more = diagrams.saturate(closed, &mut events, &mut tables).unwrap();
            assert_eq!(tuples(&diagrams, more), closure(&tables, &all, &plain));
            diagrams.release(closed);
            diagrams.release(set);
        }
    }
}

/// Levels count up independently: the product is large, its diagram is not.
#[test]
fn counters_are_closed_without_listing_them() {
    let mut diagrams = Diagrams::new(NO_LIMITS);
    let (mut tables, mut events) = counters(20);
    let start = diagrams.single(&[0; 20]).unwrap();
    let closed = diagrams.saturate(start, &mut events, &mut tables).unwrap();
    assert_eq!(diagrams.count(closed), num_bigint::BigUint::from(4_u32).pow(20));
    assert!(diagrams.work() < 1_000, "{}", diagrams.work());
}

#[test]
fn saturation_stops_when_told() {
    let mut diagrams = Diagrams::new(Limits { work_max: 10, ..NO_LIMITS });
    let (mut tables, mut events) = counters(20);
    let start = diagrams.single(&[0; 20]).unwrap();
    let start = diagrams.hold(start);
    assert_eq!(diagrams.saturate(start, &mut events, &mut tables), Err(Abort::Work));
    diagrams.limit(NO_LIMITS);
    tables.go_on = false;
    diagrams.forget_moves();
    assert_eq!(diagrams.saturate(start, &mut events, &mut tables), Err(Abort::Stopped));
    assert!(diagrams.contains(start, &[0; 20]));
}

fn counters(n_levels: usize) -> (Tables, Events) {
    let up = |_| (0..N_VALUES).map(|v| if v + 1 < N_VALUES { vec![v + 1] } else { vec![] });
    let next = (0..n_levels).map(|level| up(level).collect()).collect();
    let mut events = Events::default();
    for level in 0..n_levels {
        events.add(Event::new(vec![Touch { level, relation: level as u32 }]));
    }
    (Tables { next, hidden: Vec::new(), go_on: true }, events)
}
