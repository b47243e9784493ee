//! Sets of lists, broken in one place.

use qp_claim::{ListSet, QueueInvariant};
use qp_machines::{QueueId, Qutl, Relation};

use super::{Mutant, sample, sets};
use crate::rng::Rng;

/// Sets of lists that differ from this one in one place; of each kind at most `most`.
pub fn lists(original: &ListSet, rng: &mut Rng, most: usize) -> Vec<Mutant<ListSet>> {
    let mut all: Vec<Mutant<ListSet>> = sets(&original.set, rng, most)
        .into_iter()
        .map(|Mutant { what, it }| Mutant { what, it: ListSet { set: it, ..original.clone() } })
        .collect();
    let mut add = |what: String, change: &dyn Fn(&mut ListSet)| {
        let mut it = original.clone();
        change(&mut it);
        if it != *original {
            all.push(Mutant { what, it });
        }
    };
    add("a longer prefix".to_owned(), &|set| set.prefix += 1);
    add("a much longer prefix".to_owned(), &|set| set.prefix += 100);
    add("a shorter prefix".to_owned(), &|set| set.prefix = set.prefix.saturating_sub(1));
    add("no prefix".to_owned(), &|set| set.prefix = 0);
    add("more is counted".to_owned(), &|set| set.counted += 1);
    add("everything is counted".to_owned(), &|set| set.counted = u32::MAX);
    add("less is counted".to_owned(), &|set| set.counted = set.counted.saturating_sub(1));
    add("nothing is counted".to_owned(), &|set| set.counted = 0);
    add("no invariants".to_owned(), &|set| set.invariants.clear());
    row_mutants(original, rng, most, &mut add);
    content_mutants(original, rng, most, &mut add);
    invariant_mutants(original, rng, &mut add);
    all
}

type Add<'a> = dyn FnMut(String, &dyn Fn(&mut ListSet)) + 'a;

fn row_mutants(original: &ListSet, rng: &mut Rng, most: usize, add: &mut Add<'_>) {
    let width = original.set.width();
    for row in sample(rng, original.set.len(), most) {
        add(format!("row {row} twice"), &|set| {
            set.set.cells.extend_from_within(row * width..(row + 1) * width);
        });
        let (column, other) = (rng.below(width), rng.below(original.set.len()));
        add(format!("cell {column} of row {row} from row {other}"), &|set| {
            set.set.cells[row * width + column] = set.set.cells[other * width + column];
        });
        add(format!("rows {row} and {other} dropped"), &|set| {
            let rows = set.set.rows().enumerate().filter(|(at, _)| ![row, other].contains(at));
            set.set.cells = rows.flat_map(|(_, cells)| cells.to_vec()).collect();
        });
    }
}

fn content_mutants(original: &ListSet, rng: &mut Rng, most: usize, add: &mut Add<'_>) {
    for entry in sample(rng, original.set.contents.len(), most) {
        let Some(letters) = &original.set.contents[entry].messages else { continue };
        if letters.is_empty() {
            continue;
        }
        let (at, other) = (rng.below(letters.len()), rng.below(letters.len()));
        let with = |set: &mut ListSet, change: &dyn Fn(&mut Vec<u32>)| {
            set.set.contents[entry].messages.as_mut().into_iter().for_each(change);
        };
        add(format!("messages {at} and {other} of content {entry} swapped"), &|set| {
            with(set, &|letters| letters.swap(at, other));
        });
        add(format!("message {at} of content {entry} again at the end"), &|set| {
            with(set, &|letters| letters.push(letters[at]));
        });
        add(format!("message {at} of content {entry} dropped"), &|set| {
            with(set, &|letters| {
                letters.remove(at);
            });
        });
        add(format!("content {entry} for another content that looks so"), &|set| {
            let twin = set.set.contents[entry].clone();
            set.set.contents.push(twin);
        });
    }
}

fn invariant_mutants(original: &ListSet, rng: &mut Rng, add: &mut Add<'_>) {
    let boxed = |f: &Qutl| Box::new(f.clone());
    for number in 0..original.invariants.len() {
        let about = |what: &str| format!("invariant {number} {what}");
        add(about("dropped"), &|set| {
            set.invariants.remove(number);
        });
        add(about("twice"), &|set| set.invariants.push(set.invariants[number].clone()));
        add(about("of another queue"), &|set| {
            set.invariants[number].queue = QueueId::new(set.invariants[number].queue.index() + 1);
        });
        for (what, formula) in strange(&original.invariants[number].formula) {
            add(about(what), &|set| set.invariants[number].formula = formula.clone());
        }
        let other = rng.below(original.invariants.len());
        add(about("instead of another one"), &|set| {
            set.invariants[other].formula = set.invariants[number].formula.clone();
        });
        add(about("or another one"), &|set| {
            let other = boxed(&set.invariants[other].formula);
            set.invariants[number].formula =
                Qutl::Or(boxed(&set.invariants[number].formula), other);
        });
    }
    for queue in 0..original.set.n_queues {
        for message in &original.set.messages {
            let name = message.split('(').next().unwrap_or(message).to_owned();
            for (what, formula) in strong(&name) {
                add(format!("queue {queue} has {what} {name}"), &|set| {
                    let (queue, formula) = (QueueId::new(queue), formula.clone());
                    set.invariants.push(QueueInvariant { queue, formula });
                });
            }
        }
    }
}

/// Formulas that say something else.
fn strange(formula: &Qutl) -> Vec<(&'static str, Qutl)> {
    let boxed = Box::new(formula.clone());
    let mut all = vec![
        ("false", Qutl::False),
        ("true", Qutl::True),
        ("negated", Qutl::Not(boxed.clone())),
        ("everywhere", Qutl::Globally(boxed.clone())),
        ("somewhere", Qutl::Finally(boxed.clone())),
        ("next", Qutl::Next(boxed.clone())),
        ("weakly next", Qutl::WeakNext(boxed)),
    ];
    if let Qutl::Count(name, _, n) = formula {
        all.push(("with one less", Qutl::Count(name.clone(), Relation::Less, *n)));
        all.push(("with one more", Qutl::Count(name.clone(), Relation::AtMost, n + 1)));
        all.push(("exactly", Qutl::Count(name.clone(), Relation::Equal, *n)));
    }
    all
}

/// Formulas that make a set stand for less.
fn strong(name: &str) -> Vec<(&'static str, Qutl)> {
    let first = || Box::new(Qutl::First(name.to_owned()));
    vec![
        ("no", Qutl::Count(name.to_owned(), Relation::AtMost, 0)),
        ("at most one", Qutl::Count(name.to_owned(), Relation::AtMost, 1)),
        ("as second never", Qutl::Not(Box::new(Qutl::Next(first())))),
        ("only", Qutl::Globally(first())),
    ]
}
