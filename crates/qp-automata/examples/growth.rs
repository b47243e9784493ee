//! Times automata of growing size: `cargo run --release -p qp-automata --example growth`.
//!
//! `nth` accepts the words with a certain letter at a certain place from the end, `random` has edges and accepting
//! states by chance, `words` accepts random words, and `wide` has as many letters as its size says. `turn` is a loop that takes and puts parts of a word that
//! repeats itself, done to prefixes of that word. A result of 0 stands for too many states.
#![allow(clippy::print_stdout, reason = "printing a table is all that it does")]

use std::time::Instant;

use qp_automata::loops::{Effect, Op};
use qp_automata::regular::{Builder, Dfa, Language, Letter, Letters, Nfa, StateId, Word};
use qp_base::Budget;

fn main() {
    println!("operation    family    size   states    result       ms");
    for n in [4, 8, 12, 16] {
        subset_and_minimise("nth", n, &nth_from_the_end(n));
    }
    for n in [10, 20, 40, 80] {
        subset_and_minimise("random", n, &random(n, 1.25));
    }
    for n in [100, 1_000, 10_000] {
        subset_and_minimise("words", n, &words(n));
    }
    for n in [100, 1_000, 10_000] {
        subset_and_minimise("wide", n, &wide(n));
    }
    for n in [4, 16, 64, 128] {
        let base: Word = [0, 0, 1].map(Letter::new).repeat(n);
        let words: Vec<Word> = (0..2 * n).map(|length| base[..length].to_vec()).collect();
        let language = Language::words(words.iter().map(Vec::as_slice));
        closure("turn", n, &language, &base[..n], &base[..n + 3]);
    }
    for n in [4, 8, 12, 16] {
        let random = Language::from_nfa(&random(n, 1.0), &Budget::states(1_000_000));
        let [a, b] = [0, 1].map(Letter::new);
        closure("random", n, &random.unwrap_or(Language::none()), &[a, b], &[b, a, b]);
    }
}

fn subset_and_minimise(family: &str, size: usize, nfa: &Nfa) {
    let start = Instant::now();
    let dfa = nfa.determinise(&Budget::states(1_000_000));
    let shown = dfa.as_ref().map_or(0, |dfa| dfa.states().len());
    row("determinise", family, size, nfa.states().len(), shown, start);
    if let Ok(dfa) = dfa {
        let start = Instant::now();
        let small: Dfa = dfa.minimise();
        row("minimise", family, size, dfa.states().len(), small.states().len(), start);
    }
}

fn closure(family: &str, size: usize, language: &Language, taken: &[Letter], put: &[Letter]) {
    let taken = taken.iter().map(|&letter| Op::Take(letter));
    let put = put.iter().map(|&letter| Op::Put(letter));
    let effect = Effect::of(&taken.chain(put).collect::<Vec<_>>());
    let start = Instant::now();
    let closure = effect.closure(language, &Budget::states(100_000));
    let shown = closure.map_or(0, |closure| closure.dfa().states().len());
    row("closure", family, size, language.dfa().states().len(), shown, start);
}

fn row(what: &str, family: &str, size: usize, states: usize, result: usize, start: Instant) {
    let time = start.elapsed().as_secs_f64() * 1_000.0;
    println!("{what:12} {family:8} {size:5} {states:8} {result:9} {time:8.1}");
}

fn nth_from_the_end(n: usize) -> Nfa {
    let any = Letters::only([0, 1].map(Letter::new));
    let first = Nfa::all(&any).append(&[Letter::new(0)]);
    (1..n).fold(first, |nfa, _| nfa.concat(&Nfa::letters(&any)))
}

/// Two letters, `density` edges for each letter and state, half of the states accepting.
fn random(n_states: usize, density: f64) -> Nfa {
    let mut dice = Dice(5);
    let mut builder = Builder::new();
    let states: Vec<StateId> = (0..n_states).map(|_| builder.state()).collect();
    builder.start_at(states[0]);
    for letter in [0, 1].map(Letter::new) {
        let n_edges = (density * n_states as f64).round().abs();
        for i in 0.. {
            let (from, to) = (states[dice.roll(n_states)], states[dice.roll(n_states)]);
            if f64::from(i) >= n_edges {
                break;
            }
            builder.edge(from, letter, to);
        }
    }
    for &state in states.iter().step_by(2) {
        builder.accept(state);
    }
    builder.build()
}

fn words(count: usize) -> Nfa {
    let mut dice = Dice(7);
    let all: Vec<Word> =
        (0..count).map(|_| (0..8).map(|_| Letter::new(dice.roll(4))).collect()).collect();
    Nfa::words(all.iter().map(Vec::as_slice))
}

/// Each letter leads elsewhere, and all but that one go on from there.
fn wide(n_letters: usize) -> Nfa {
    let mut builder = Builder::new();
    let (start, end) = (builder.start(), builder.state());
    for letter in (0..n_letters).map(Letter::new) {
        let middle = builder.path(start, &[letter]);
        builder.edge(middle, Letters::except([letter]), end);
    }
    builder.jump(end, start);
    builder.accept(end);
    builder.build()
}

/// Small random numbers.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) as usize % sides
    }
}
