use super::*;
use crate::samples::PLAIN;
use qp_base::{Code, Span};

fn source(text: &str) -> Source {
    Source::new("a.cfsm", text)
}

fn error(range: Range<usize>) -> Diagnostic {
    Diagnostic::error(Code(101), "there is no machine Servr", Span::new(range))
}

const MODEL: &str =
    "machine Client {\n    Idle: send Servr Req -> Idle\n}\nmachine Server {\n    Free:\n}\n";

fn at(text: &str, word: &str) -> Range<usize> {
    let start = text.find(word).unwrap();
    start..start + word.len()
}

#[test]
fn places_are_underlined_with_code_and_help() {
    let similar = Span::new(at(MODEL, "Server"));
    let list = [error(at(MODEL, "Servr"))
        .label("not a machine")
        .also(similar, "similar name")
        .help("did you mean Server?")];
    let expected = "\
error[QP0101]: there is no machine Servr
 --> a.cfsm:2:16
  |
2 |     Idle: send Servr Req -> Idle
  |                ^^^^^ not a machine
3 | }
4 | machine Server {
  |         ------ similar name
  |
  = help: did you mean Server?

";
    assert_eq!(diagnostics(&source(MODEL), &list, &PLAIN), expected);
    let colored = diagnostics(&source(MODEL), &list, &Style { color: true, ..PLAIN });
    assert!(colored.contains('\u{1b}'));
}

#[test]
fn any_span_is_drawn() {
    let texts = ["", "\n", "é", "a\r\nb", "\t\tx\n\n\n", "🦀🦀\nz", "no end of line"];
    for text in texts {
        for start in 0..text.len() + 3 {
            for end in start..text.len() + 3 {
                let list = [error(start..end).also(Span::new(0..end), "whole")];
                let drawn = diagnostics(&source(text), &list, &PLAIN);
                assert!(drawn.starts_with("error[QP0101]"), "{text:?} {start} {end}");
            }
        }
    }
    let backwards = Diagnostic::error(Code(1), "m", Span { start: 9, end: 2 });
    assert!(!diagnostics(&source("some words\n"), &[backwards], &PLAIN).is_empty());
}

#[test]
fn long_lines_are_cut_and_keep_their_column() {
    let text = format!("{}Servr{}\n", "é ".repeat(5_000), "y ".repeat(500_000));
    let list = [error(15_000..15_005).label("not a machine"), error(0..text.len())];
    let drawn = diagnostics(&source(&text), &list, &PLAIN);
    assert!(drawn.contains("a.cfsm:1:10001"), "{drawn}");
    assert!(drawn.contains("^^^^^ not a machine"), "{drawn}");
    assert!(drawn.len() < 2_000);
}

#[test]
fn far_places_are_drawn_apart_and_huge_texts_are_not_copied() {
    let text = format!("first\n{}last\n", "filler\n".repeat(1_000_000));
    let far = Span::new(at(&text, "last"));
    let list: Vec<Diagnostic> =
        (0..50).map(|_| error(0..5).also(far, "here").label("there")).collect();
    let drawn = diagnostics(&source(&text), &list, &PLAIN);
    assert!(drawn.contains("1000002 | last"), "{}", &drawn[..500]);
    let whole = diagnostics(&source(&text), &[error(0..text.len())], &PLAIN);
    assert!(whole.contains("1 | first") && whole.len() < 500, "{whole}");
}

#[test]
fn places_in_several_files_name_their_file() {
    let parts = [("a.p", "event ePing;\n"), ("b.p", "// B\nevent ePing;\n")];
    let parts = parts.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let source = Source::joined("project", &parts);
    let second = source.text.rfind("ePing").unwrap();
    let list = [Diagnostic::error(Code(211), "twice", Span::new(second..second + 5))
        .also(Span::new(6..11), "first here")];
    let expected = "\
error[QP0211]: twice
 --> b.p:2:7
  |
2 | event ePing;
  |       ^^^^^
  |
 ::: a.p:1:7
  |
1 | event ePing;
  |       ----- first here

";
    assert_eq!(diagnostics(&source, &list, &PLAIN), expected);
}
