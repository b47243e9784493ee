//! Formulas that nobody chose, and texts that nobody would write.

use super::*;

/// A sequence that is the same in every run.
struct Sequence(u64);

impl Sequence {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    fn pick<'w>(&mut self, words: &[&'w str]) -> &'w str {
        words[self.below(words.len())]
    }

    fn name(&mut self) -> String {
        const SIGNS: [char; 16] = [
            'a', 'G', 'é', '1', '_', '.', '-', '\'', '(', ')', '"', '\\', '\n', ' ', '>', '\u{301}',
        ];
        match self.below(3) {
            0 => self.pick(&["a", "Done", "G", "X", "then", "most", "at", "true", "tok(0)"]).into(),
            1 => (0..self.below(6)).map(|_| SIGNS[self.below(SIGNS.len())]).collect(),
            _ => self.pick(WORDS).to_owned(),
        }
    }

    fn formula(&mut self, levels: u32) -> Qutl {
        let choice = if levels == 0 { self.below(4) } else { self.below(12) };
        let mut inner = || Box::new(self.formula(levels - 1));
        match choice {
            0 => Qutl::True,
            1 => Qutl::False,
            2 => Qutl::First(self.name()),
            3 => Qutl::Count(self.name(), self.relation(), self.0 as u32),
            4 => Qutl::Next(inner()),
            5 => Qutl::WeakNext(inner()),
            6 => Qutl::Finally(inner()),
            7 => Qutl::Globally(inner()),
            8 => Qutl::Not(inner()),
            9 => Qutl::And(inner(), inner()),
            10 => Qutl::Or(inner(), inner()),
            _ => Qutl::Implies(inner(), inner()),
        }
    }

    fn relation(&mut self) -> Relation {
        use Relation::{AtLeast, AtMost, Equal, Less, More};
        [Less, AtMost, Equal, AtLeast, More][self.below(5)]
    }
}

const WORDS: &[&str] = &[
    "true",
    "false",
    "a",
    "b",
    "0",
    "1",
    "99999999999",
    "!",
    "not",
    "¬",
    "X",
    "next",
    "W",
    "weaknext",
    "F",
    "eventually",
    "G",
    "always",
    "&",
    "&&",
    "and",
    "∧",
    "|",
    "||",
    "or",
    "∨",
    "=>",
    "->",
    "⇒",
    "implies",
    "(",
    "(",
    ")",
    ")",
    "#",
    "<",
    "<=",
    "≤",
    "=",
    "==",
    ">=",
    "≥",
    ">",
    "at",
    "most",
    "least",
    "exactly",
    "then",
    "never",
    "\"",
    "\"a b\"",
    "\\",
    "é",
    "\0",
    "\r\n",
    "-",
    ".",
];

/// Reads a text; what is read prints and is read again, what is not has a place in the text.
fn survives(text: &str) {
    match Qutl::parse(text, 0) {
        Ok(formula) => assert_eq!(read(&formula.to_string()), formula, "{text:?}"),
        Err(error) => {
            for label in [&error.primary].into_iter().chain(&error.secondary) {
                assert!(text.get(label.span.range()).is_some(), "{error:?} in {text:?}");
            }
            assert!(error.help.is_some(), "{error:?}");
        }
    }
}

#[test]
fn formulas_print_and_are_read_again() {
    let mut sequence = Sequence(0x9e37_79b9_7f4a_7c15);
    for _ in 0..5000 {
        let levels = sequence.below(7) as u32;
        let formula = sequence.formula(levels);
        assert_eq!(read(&formula.to_string()), formula);
    }
}

#[test]
fn random_words_are_survived() {
    let mut sequence = Sequence(0x2545_f491_4f6c_dd1d);
    for _ in 0..20_000 {
        let count = 1 + sequence.below(12);
        let words: Vec<&str> = (0..count).map(|_| sequence.pick(WORDS)).collect();
        survives(&words.join(" "));
        survives(&words.concat());
    }
}

#[test]
fn random_bytes_are_survived() {
    let mut sequence = Sequence(0x0123_4567_89ab_cdef);
    for _ in 0..20_000 {
        let count = sequence.below(24);
        let bytes: Vec<u8> = (0..count).map(|_| sequence.below(256) as u8).collect();
        survives(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn changes_of_a_formula_are_survived() {
    let text = "G (\"a b\" => X !tok(0)) & at most 2 c ∨ #d >= 1 -> e then never f";
    for (at, old) in text.char_indices() {
        survives(&text[..at]);
        survives(&text[at..]);
        for word in WORDS {
            survives(&format!("{}{word}{}", &text[..at], &text[at + old.len_utf8()..]));
            survives(&format!("{} {word} {}", &text[..at], &text[at..]));
        }
    }
}

#[test]
fn long_texts_take_linear_time() {
    // A quadratic reader would need minutes for these.
    for piece in WORDS.iter().chain(&["a(", "a(b) ", "a & ", "\"a\" ", "-a", ".a", "\\\"", "a => "])
    {
        survives(&piece.repeat(200_000));
        survives(&format!("a{}", piece.repeat(200_000)));
        survives(&format!("\"{}", piece.repeat(200_000)));
    }
}
