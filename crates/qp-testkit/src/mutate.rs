//! Evidence, broken in one place.

mod lists;
mod regular;
mod rounds;

use std::collections::BTreeSet;

use qp_claim::{ABSENT, ClosedSet, Shape, Trace};
use qp_machines::{QueueId, Step};

use crate::rng::Rng;

pub use self::lists::lists;
pub use self::regular::regular;
pub use self::rounds::rounds;

/// A broken set with what was done to it.
pub struct Mutant<T> {
    /// What was done.
    pub what: String,
    /// The result.
    pub it: T,
}

/// Sets that differ from this one in one place; of each kind at most `most`.
pub fn sets(set: &ClosedSet, rng: &mut Rng, most: usize) -> Vec<Mutant<ClosedSet>> {
    let mut all = Vec::new();
    let mut add = |what: String, change: &dyn Fn(&mut ClosedSet)| {
        let mut it = set.clone();
        change(&mut it);
        if it != *set {
            all.push(Mutant { what, it });
        }
    };
    let width = set.width();
    for row in sample(rng, set.len(), most) {
        add(format!("row {row} dropped"), &|set| {
            set.cells.drain(row * width..(row + 1) * width);
        });
        let column = rng.below(width);
        let other = rng.below(4) as u32;
        add(format!("cell {column} of row {row} changed to {other}"), &|set| {
            set.cells[row * width + column] = other;
        });
        add(format!("cell {column} of row {row} is absent"), &|set| {
            set.cells[row * width + column] = ABSENT;
        });
    }
    add("the last cell is missing".to_owned(), &|set| {
        set.cells.pop();
    });
    add("there is one queue less".to_owned(), &|set| set.n_queues = set.n_queues.saturating_sub(1));
    add("no rows".to_owned(), &|set| set.cells.clear());
    table_mutants(set, rng, most, &mut add);
    content_mutants(set, rng, most, &mut add);
    all
}

type Add<'a> = dyn FnMut(String, &dyn Fn(&mut ClosedSet)) + 'a;

fn table_mutants(set: &ClosedSet, rng: &mut Rng, most: usize, add: &mut Add<'_>) {
    for (machine, texts) in set.locals.iter().enumerate() {
        for entry in sample(rng, texts.len(), most.div_ceil(4)) {
            let other = rng.below(texts.len());
            add(format!("local {entry} of {machine} is {other}"), &|set| {
                set.locals[machine][entry] = set.locals[machine][other].clone();
            });
            add(format!("locals {entry} and {other} of {machine} swapped"), &|set| {
                set.locals[machine].swap(entry, other);
            });
        }
        add(format!("a local of {machine} twice"), &|set| {
            let again = set.locals[machine].first().cloned();
            set.locals[machine].extend(again);
        });
        add(format!("a local of {machine} that does not exist"), &|set| {
            if let Some(first) = set.locals[machine].first_mut() {
                first.push('\'');
            }
        });
    }
    add("one machine less".to_owned(), &|set| {
        set.locals.pop();
    });
    add("the store has another name".to_owned(), &|set| set.stores[0].push('x'));
    if set.messages.len() > 1 {
        add("messages swapped".to_owned(), &|set| set.messages.swap(0, 1));
        add("messages are one".to_owned(), &|set| set.messages[1] = set.messages[0].clone());
    }
}

fn content_mutants(set: &ClosedSet, rng: &mut Rng, most: usize, add: &mut Add<'_>) {
    for entry in sample(rng, set.contents.len(), most) {
        let other = rng.below(set.contents.len());
        add(format!("contents {entry} and {other} swapped"), &|set| {
            set.contents.swap(entry, other);
        });
        add(format!("content {entry} is {other}"), &|set| {
            set.contents[entry] = set.contents[other].clone();
        });
        add(format!("content {entry} without its last message"), &|set| {
            if let Some(messages) = &mut set.contents[entry].messages {
                messages.pop();
            }
        });
        add(format!("content {entry} with one message more"), &|set| {
            if let Some(messages) = &mut set.contents[entry].messages {
                messages.push(0);
            }
        });
        add(format!("content {entry} closed"), &|set| set.contents[entry].messages = None);
        add(format!("content {entry} of another kind"), &|set| set.contents[entry].kind += 1);
        add(format!("content {entry} with an unknown message"), &|set| {
            if let Some(messages) = &mut set.contents[entry].messages {
                messages.push(u32::MAX);
            }
        });
    }
}

fn sample(rng: &mut Rng, n: usize, most: usize) -> Vec<usize> {
    if n <= most { (0..n).collect() } else { (0..most).map(|_| rng.below(n)).collect() }
}

/// The configurations of a set as texts: what it says, however its tables are arranged. What makes no
/// sense is left out.
pub fn said(set: &ClosedSet) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for row in set.rows() {
        let mut words = Vec::new();
        for (cell, texts) in row.iter().zip(&set.locals) {
            words.push(texts.get(*cell as usize).map_or_else(String::new, String::clone));
        }
        for cell in &row[set.locals.len()..set.locals.len() + set.n_queues] {
            words.push(set.contents.get(*cell as usize).map_or_else(String::new, |content| {
                let messages = content.messages.as_ref().map(|letters| {
                    let name = |&letter: &u32| set.messages.get(letter as usize);
                    letters.iter().map(name).collect::<Vec<_>>()
                });
                format!("{} {messages:?}", content.kind)
            }));
        }
        let rest = &row[set.locals.len() + set.n_queues..];
        words.push(format!("{:?} {}", set.stores.get(rest[0] as usize), rest[1]));
        all.insert(words.join(";"));
    }
    all
}

/// Runs that differ from this one in one place.
pub fn traces(trace: &Trace, n_queues: usize, rng: &mut Rng) -> Vec<Mutant<Trace>> {
    let mut all = Vec::new();
    let mut add = |what: String, it: Trace| {
        if it != *trace {
            all.push(Mutant { what, it });
        }
    };
    let with = |steps: Vec<Step>| Trace { steps, shape: trace.shape };
    let mut shorter = trace.steps.clone();
    shorter.pop();
    add("truncated".to_owned(), with(shorter));
    add("empty".to_owned(), with(Vec::new()));
    for at in sample(rng, trace.steps.len(), 6) {
        for (what, machine, choice) in
            [("choice", 0, 1), ("choice", 0, 1_000_000), ("machine", 1, 0), ("machine", 5_000, 0)]
        {
            let mut steps = trace.steps.clone();
            steps[at].machine = (steps[at].machine.index() + machine).into();
            steps[at].choice += choice;
            add(format!("{what} at {at} changed"), with(steps));
        }
        let mut steps = trace.steps.clone();
        steps.remove(at);
        add(format!("step {at} dropped"), with(steps));
    }
    if let Shape::Pump { from, queue } = trace.shape {
        let pump = |from, queue| Trace { shape: Shape::Pump { from, queue }, ..trace.clone() };
        add("the loop begins later".to_owned(), pump(from + 1, queue));
        add("the loop begins at the end".to_owned(), pump(trace.steps.len(), queue));
        add("the loop begins beyond the end".to_owned(), pump(trace.steps.len() + 7, queue));
        add("the loop begins earlier".to_owned(), pump(from.saturating_sub(1), queue));
        for other in 0..=n_queues {
            add(format!("queue {other} grows"), pump(from, QueueId::new(other)));
        }
        add("no loop".to_owned(), Trace { shape: Shape::Finite, ..trace.clone() });
        add("a lasso".to_owned(), Trace { shape: Shape::Lasso { from }, ..trace.clone() });
    } else {
        if let Shape::Lasso { from } = trace.shape {
            let lasso = |from| Trace { shape: Shape::Lasso { from }, ..trace.clone() };
            add("the loop begins later".to_owned(), lasso(from + 1));
            add("the loop begins at the end".to_owned(), lasso(trace.steps.len()));
            add("the loop begins beyond the end".to_owned(), lasso(trace.steps.len() + 7));
            add("no loop".to_owned(), Trace { shape: Shape::Finite, ..trace.clone() });
        }
        let (from, queue) = (0, QueueId::new(0));
        add("a pump".to_owned(), Trace { shape: Shape::Pump { from, queue }, ..trace.clone() });
        add("a lasso".to_owned(), Trace { shape: Shape::Lasso { from }, ..trace.clone() });
    }
    all
}
