//! No text makes the reader panic, and every message has a place inside of the text.

use super::accepted::model;
use super::reading;

/// A small generator, so that a failure comes again.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end.max(1) as u64).unwrap()
    }
}

fn check(text: &str) {
    let reading = reading(text);
    for diagnostic in &reading.diagnostics {
        let spans = diagnostic.secondary.iter().chain([&diagnostic.primary]).map(|it| it.span);
        for span in spans {
            assert!(span.start <= span.end, "{text}");
            assert!(span.end as usize <= reading.source.text.len(), "{text}");
        }
    }
    let refused = reading.diagnostics.iter().any(|it| it.severity == qp_base::Severity::Error);
    assert_eq!(reading.spec.is_none(), refused, "{text}");
}

#[test]
fn cut_off_texts() {
    let text = model();
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
        check(&text[..end]);
    }
}

#[test]
fn texts_without_a_piece() {
    let text = model();
    let mut dice = Dice(1);
    for _ in 0..800 {
        let start = dice.below(text.len());
        let end = (start + dice.below(20)).min(text.len());
        check(&format!("{}{}", &text[..start], &text[end..]));
    }
}

#[test]
fn shuffled_words() {
    let mut words: Vec<&str> = model().split_inclusive([' ', '\n', '(', '{', ';']).collect();
    words.extend(crate::token::KEYWORDS);
    words.extend([
        "#define f(a) ",
        "#if ",
        "\n#endif\n",
        "\n#",
        "[]",
        "??",
        "!!",
        "'",
        "\"",
        "\\\n",
        "f(",
    ]);
    let mut dice = Dice(2);
    for _ in 0..1500 {
        let count = dice.below(60);
        let text: Vec<&str> = (0..count).map(|_| words[dice.below(words.len())]).collect();
        let text = text.join(" ");
        check(&text);
        check(&format!("byte x; chan c; active proctype p() {{ {text} }}"));
    }
}

#[test]
fn random_bytes() {
    let mut dice = Dice(3);
    for _ in 0..500 {
        let count = dice.below(200);
        let bytes: Vec<u8> = (0..count).map(|_| u8::try_from(dice.below(256)).unwrap()).collect();
        check(&String::from_utf8_lossy(&bytes));
    }
}
