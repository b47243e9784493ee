//! Sets of rounds, broken in one place.

use qp_claim::{ABSENT, Book, ExchangeSet, Rounds, Single, Watch};

use super::{Mutant, sample, sets};
use crate::rng::Rng;

/// Sets of rounds that differ from this one in one place; of each kind at most `most`.
pub fn rounds(original: &ExchangeSet, rng: &mut Rng, most: usize) -> Vec<Mutant<ExchangeSet>> {
    let mut all: Vec<Mutant<ExchangeSet>> = sets(&original.set, rng, most.div_ceil(4))
        .into_iter()
        .map(|Mutant { what, it }| Mutant { what, it: ExchangeSet { set: it, ..original.clone() } })
        .collect();
    let mut add = |what: String, rounds: Rounds| {
        all.push(Mutant { what, it: ExchangeSet { set: original.set.clone(), rounds } });
    };
    match &original.rounds {
        Rounds::Single(rows) => singles(rows, rng, most, &mut add),
        Rounds::UpTo { sends, books, watches } => {
            for more in [0, sends - 1, sends + 1, u32::MAX] {
                add(format!("up to {more}"), up_to(more, books, watches));
            }
            add("no watches".to_owned(), up_to(*sends, books, &[]));
            for place in sample(rng, books.len(), most) {
                let (other, bit) = (rng.below(4) as u32, 1 << rng.below(4));
                broken_book(&books[place], (other, bit), &mut |what, book| {
                    let mut books = books.clone();
                    books[place] = book;
                    add(format!("book {place}: {what}"), up_to(*sends, &books, watches));
                });
                let mut books = books.clone();
                books.remove(place);
                add(format!("book {place} dropped"), up_to(*sends, &books, watches));
            }
            for place in sample(rng, watches.len(), most) {
                for (what, watch) in broken(&watches[place], rng) {
                    let mut watches = watches.clone();
                    watches[place] = watch;
                    add(format!("watch {place}: {what}"), up_to(*sends, books, &watches));
                }
                let mut watches = watches.clone();
                watches.remove(place);
                add(format!("watch {place} dropped"), up_to(*sends, books, &watches));
            }
        }
    }
    all.retain(|mutant| mutant.it != *original);
    all
}

fn up_to(sends: u32, books: &[Book], watches: &[Watch]) -> Rounds {
    Rounds::UpTo { sends, books: books.to_vec(), watches: watches.to_vec() }
}

fn singles(rows: &[Single], rng: &mut Rng, most: usize, add: &mut dyn FnMut(String, Rounds)) {
    for place in sample(rng, rows.len(), most) {
        let (other, bit) = (rng.below(4) as u32, 1 << rng.below(4));
        let mut change = |what: &str, change: &dyn Fn(&mut Single)| {
            let mut rows = rows.to_vec();
            change(&mut rows[place]);
            add(format!("row {place}: {what}"), Rounds::Single(rows));
        };
        change("another vector", &|row| row.locals = other);
        for queue in 0..rows[place].heads.len() {
            change("no head", &|row| row.heads[queue] = ABSENT);
            change("another head", &|row| row.heads[queue] = other);
        }
        change("nothing watched", &|row| row.watched = None);
        change("another queue", &|row| row.watched.iter_mut().for_each(|it| it.queue = other));
        change("another acted", &|row| row.watched.iter_mut().for_each(|it| it.acted ^= bit));
        change("into another", &|row| row.watched.iter_mut().for_each(|it| it.into ^= bit));
        let mut rows = rows.to_vec();
        rows.remove(place);
        add(format!("row {place} dropped"), Rounds::Single(rows));
    }
    add("no rows".to_owned(), Rounds::Single(Vec::new()));
}

fn broken_book(book: &Book, (other, bit): (u32, u64), add: &mut dyn FnMut(&str, Book)) {
    let mut change = |what: &str, change: &dyn Fn(&mut Book)| {
        let mut it = book.clone();
        change(&mut it);
        add(what, it);
    };
    change("another vector", &|it| it.locals = other);
    change("nothing waits", &|it| it.waiting.clear());
    for queue in 0..book.waiting.len() {
        change("another queue", &|it| it.waiting[queue].queue = other);
        change("another sender", &|it| it.waiting[queue].senders ^= bit);
        change("another receiver", &|it| it.waiting[queue].receivers ^= bit);
        change("no head", &|it| it.waiting[queue].heads.clear());
        change("a head less", &|it| it.waiting[queue].heads.truncate(1));
        change("a head more", &|it| it.waiting[queue].heads.push(other));
    }
}

fn broken(watch: &Watch, rng: &mut Rng) -> Vec<(&'static str, Watch)> {
    let (other, bit) = (rng.below(4) as u32, 1 << rng.below(4));
    let watch = *watch;
    vec![
        ("another book", Watch { book: other, ..watch }),
        ("no book", Watch { book: u32::MAX, ..watch }),
        ("another queue", Watch { queue: other, ..watch }),
        ("another message", Watch { message: other, ..watch }),
        ("sent", Watch { sent: watch.sent ^ bit, ..watch }),
        ("received", Watch { received: watch.received ^ bit, ..watch }),
        ("crossed", Watch { crossed: watch.crossed ^ bit, ..watch }),
        ("toward", Watch { toward: watch.toward ^ bit, ..watch }),
        ("toward nobody known", Watch { toward: u64::MAX, ..watch }),
        ("count", Watch { count: watch.count.wrapping_sub(1), ..watch }),
        ("senders", Watch { senders: watch.senders ^ bit, ..watch }),
        ("receivers", Watch { receivers: watch.receivers ^ bit, ..watch }),
    ]
}
