//! Sets of rounds, broken in one place.

use qp_claim::{ABSENT, ExchangeSet, Rounds, Watch};

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
        Rounds::Single(rows) => {
            for place in sample(rng, rows.len(), most) {
                let (other, bit) = (rng.below(4) as u32, 1 << rng.below(4));
                let mut change = |what: &str, change: &dyn Fn(&mut qp_claim::Single)| {
                    let mut rows = rows.clone();
                    change(&mut rows[place]);
                    add(format!("row {place}: {what}"), Rounds::Single(rows));
                };
                change("another vector", &|row| row.locals = other);
                for queue in 0..rows[place].heads.len() {
                    change("no head", &|row| row.heads[queue] = ABSENT);
                    change("another head", &|row| row.heads[queue] = other);
                }
                change("nothing watched", &|row| row.watched = None);
                change("another queue", &|row| {
                    row.watched.iter_mut().for_each(|it| it.queue = other);
                });
                change("another one acted", &|row| {
                    row.watched.iter_mut().for_each(|it| it.acted ^= bit);
                });
                change("into another one", &|row| {
                    row.watched.iter_mut().for_each(|it| it.into ^= bit);
                });
                let mut rows = rows.clone();
                rows.remove(place);
                add(format!("row {place} dropped"), Rounds::Single(rows));
            }
            add("no rows".to_owned(), Rounds::Single(Vec::new()));
        }
        Rounds::UpTo { sends, books, watches } => {
            let up_to = |sends, books: &Vec<_>, watches: &Vec<_>| Rounds::UpTo {
                sends,
                books: books.clone(),
                watches: watches.clone(),
            };
            for more in [0, sends - 1, sends + 1, u32::MAX] {
                add(format!("up to {more}"), up_to(more, books, watches));
            }
            add("no watches".to_owned(), up_to(*sends, books, &Vec::new()));
            for place in sample(rng, books.len(), most) {
                let (other, bit) = (rng.below(4) as u32, 1 << rng.below(4));
                let mut change = |what: &str, change: &dyn Fn(&mut Vec<qp_claim::Book>)| {
                    let mut books = books.clone();
                    change(&mut books);
                    add(format!("book {place}: {what}"), up_to(*sends, &books, watches));
                };
                change("dropped", &|books| {
                    books.remove(place);
                });
                change("another vector", &|books| books[place].locals = other);
                change("nothing waits", &|books| books[place].waiting.clear());
                for queue in 0..books[place].waiting.len() {
                    change("another queue", &|books| books[place].waiting[queue].queue = other);
                    change("another sender", &|books| books[place].waiting[queue].senders ^= bit);
                    change("another receiver", &|books| {
                        books[place].waiting[queue].receivers ^= bit;
                    });
                    change("no head", &|books| books[place].waiting[queue].heads.clear());
                    change("a head less", &|books| {
                        books[place].waiting[queue].heads.pop();
                    });
                    change("a head more", &|books| {
                        books[place].waiting[queue].heads.push(other);
                    });
                }
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
