//! Texts that nobody would write.

use super::{print, read};
use crate::modules::{cases, link};

const WORDS: &str = "\
    any bool enum event eventset float int machine interface map set string seq data announce as \
    assert break case cold continue default defer do else entry exit foreach format fun goto \
    halt hot if ignore in keys new observes on print raise receive return send sizeof spec start \
    state this type values var while with choose module implementation test refines compose \
    union hidee hidei rename receives sends creates to true false null main push pop assume \
    param pairwise wise scenario pure invariant axiom init Lemma Proof forall exists is targets \
    inflight sent requires swap move group model include monitor x y Main 1 0 2.5 \
    99999999999999999999 $$ $ ! && || ==> <==> == != <= >= < > -> = += -= + - * / % } [ ] ( ) ; \
    , . :";

/// Those with blanks and other special signs in them.
const SPECIAL: &[&str] =
    &["\"a\\n\"", "\"", "//\n", "/* */", "/*", "{", "\n", "\n", "#", "é", "\u{feff}"];

/// Words that come often enough to open and close things.
const FREQUENT: &[&str] =
    &["{", "}", "(", ")", ";", ";", "\n", "x", "machine", "state", "entry", "fun", ",", ":", "="];

/// A sequence that is the same in every run.
struct Sequence(u64);

impl Sequence {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    fn word(&mut self) -> &'static str {
        let any = WORDS.split(' ').count();
        match self.below(8) {
            0..4 => FREQUENT[self.below(FREQUENT.len())],
            4 => SPECIAL[self.below(SPECIAL.len())],
            _ => WORDS.split(' ').nth(self.below(any)).unwrap_or_default(),
        }
    }
}

/// Reads, prints and links, and looks at the places of what is reported.
fn survives(text: &str) {
    let (file, found) = read(text);
    print::file(&file);
    for place in found.iter().flat_map(|d| [&d.primary].into_iter().chain(&d.secondary)) {
        assert!(text.get(place.span.range()).is_some(), "{:?} in {text:?}", place.span);
    }
    let decls: Vec<_> = file.decls.iter().collect();
    let mut complaints = qp_base::Complaints::new(crate::codes::MORE);
    for case in cases(&decls, &mut complaints) {
        link(&decls, &case, (qp_program::Dialect::Current, false), &mut complaints);
    }
}

#[test]
fn random_words_are_survived() {
    let mut sequence = Sequence(0x9e37_79b9_7f4a_7c15);
    for _ in 0..3000 {
        let count = 1 + sequence.below(80);
        let words: Vec<_> = (0..count).map(|_| sequence.word()).collect();
        survives(&words.join(" "));
        survives(&words.concat());
    }
}

#[test]
fn random_changes_of_a_program_are_survived() {
    let mut sequence = Sequence(0x2545_f491_4f6c_dd1d);
    let words: Vec<&str> = super::sample::SAMPLE.split_inclusive(' ').collect();
    for _ in 0..1000 {
        let mut words = words.clone();
        for _ in 0..=sequence.below(4) {
            let at = sequence.below(words.len());
            match sequence.below(3) {
                0 => drop(words.remove(at)),
                1 => words.insert(at, sequence.word()),
                _ => words.swap(at, sequence.below(at + 1)),
            }
        }
        survives(&words.concat());
    }
}

#[test]
fn long_texts_take_linear_time() {
    // A quadratic reader would need minutes for these.
    for piece in
        ["{ ", "} ", "( ", "x ", "x; ", "\" ", "# ", "machine ", "on x ", "[x] ", "A.", "(x wise) "]
    {
        survives(&piece.repeat(200_000));
        survives(&format!("machine M {{ state S {{ entry {{ {}", piece.repeat(200_000)));
    }
}
