//! Any text gives an answer: no panic, no overflow, no waiting.

use super::{Read, read_cfsm, read_fsa, read_scm};

const FULL: &str = "queues channels; capacity 2 drop; channel a, b 1; // c
machine A { init end S: defer m | send a m(1,-2) -> recv b n -> T /* d */ T: fail \"x\" }
bad w: A in S | T, queue a matches (m(1,-2) | .)* n+ empty?;
ltl f: G (send n -> F recv n) && [] <> A@S || X true U false <-> !n W n;";

/// A reader with a text that it reads.
type Reader = (fn(&str) -> Read, &'static str);

const READERS: [Reader; 3] =
    [(read_cfsm, FULL), (read_scm, super::scm::CONNECTION), (read_fsa, super::fsa::PING)];

/// A text is read or refused; the readers themselves assert that there is a model exactly if there
/// is no error.
fn survive(read: fn(&str) -> Read, text: &str) {
    let (automata, diagnostics) = read(text);
    assert!(automata.is_some() || !diagnostics.is_empty());
    for diagnostic in &diagnostics {
        let span = diagnostic.primary.span;
        assert!(text.get(span.range()).is_some(), "{diagnostic:?} is no place in {text:?}");
        assert!(diagnostic.help.is_some(), "{diagnostic:?} has no help");
    }
}

#[test]
fn the_samples_are_right() {
    for (read, text) in READERS {
        let (automata, diagnostics) = read(text);
        assert!(automata.is_some(), "{diagnostics:?}");
    }
}

#[test]
fn all_prefixes_and_all_suffixes() {
    for (read, text) in READERS {
        for (at, _) in text.char_indices() {
            survive(read, &text[..at]);
            survive(read, &text[at..]);
        }
    }
}

#[test]
fn all_single_changes() {
    for (read, text) in READERS {
        for (at, old) in text.char_indices() {
            let rest = &text[at + old.len_utf8()..];
            for new in ["", "(", "}", "|", ";", "\"", "/*", "0", "é", "\0", " x : ", "#^*", "-"] {
                survive(read, &format!("{}{new}{rest}", &text[..at]));
            }
        }
    }
}

/// Every pair of words next to each other, in each reader.
#[test]
fn all_short_sequences_of_words() {
    let words = [
        "machine",
        "{",
        "}",
        "init",
        "S",
        ":",
        "send",
        "recv",
        "->",
        "|",
        "bad",
        "queue",
        "ltl",
        ";",
        "(",
        ")",
        "G",
        "U",
        "@",
        "scm",
        "automaton",
        "state",
        "to",
        "when",
        "true",
        "bad_states",
        "=",
        "with",
        ".outputs",
        ".state graph",
        ".marking",
        ".end",
        "!",
        "?",
        "<",
        ">",
        "#",
        "^",
        "\"",
        ",",
    ];
    for (read, _) in READERS {
        for first in words {
            for second in words {
                for third in words {
                    survive(read, &format!("{first} {second} {third}"));
                }
            }
        }
    }
}

/// The text ends for the parser when there are too many messages, wherever it is.
#[test]
fn too_many_messages_end_the_text_anywhere() {
    for (read, text) in READERS {
        for wrong in ["x ; ", "@ ; ", "state : ", "machine ; ", ".outputs ! "] {
            for many in 18..24 {
                let wrong = wrong.repeat(many);
                survive(read, &wrong);
                survive(read, &format!("{wrong}{text}"));
                survive(read, &format!("{text}{wrong}{text}"));
            }
        }
    }
}

#[test]
fn thirty_megabytes_of_garbage() {
    let pieces = [
        "(",
        "a ",
        "@ ",
        "\"",
        "\"\n",
        "/*",
        "x",
        "é",
        "machine A { init S: ",
        "! ",
        "-> ",
        "\0",
        "ltl a: (",
        "bad_states : (with (",
        ".outputs A ",
        "to 0 : when ",
        ".state graph ",
        "#.",
    ];
    for piece in pieces {
        let text = piece.repeat(30_000_000 / piece.len() / pieces.len());
        for (read, _) in READERS {
            survive(read, &text);
            survive(read, &format!("machine A {{ init S: internal {text}"));
            survive(read, &format!("scm x : nb_channels = 1 ; automaton A : initial : 0 {text}"));
            survive(read, &format!(".outputs A .state graph 0 0 ! m 0 {text}"));
        }
    }
    let noise: String = (0_u32..30_000_000)
        .map(|i| char::from((i.wrapping_mul(2_654_435_761) >> 24) as u8 & 0x7f))
        .collect();
    for (read, _) in READERS {
        survive(read, &noise);
    }
}
