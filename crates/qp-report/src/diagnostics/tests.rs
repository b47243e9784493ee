use super::*;
use crate::samples::{PLAIN, assert_fits};
use qp_base::{Code, Span};

fn source(text: &str) -> Source {
    Source { name: "a.cfsm".into(), text: text.into() }
}

fn error(range: Range<usize>) -> Diagnostic {
    Diagnostic::error(Code(101), "there is no machine Servr", Span::new(range))
}

#[test]
fn show() {
    let text = "machine Client {\n    Idle: send Servr Req -> Idle\n}\nmachine Server {\n}\n";
    let list = [error(32..37)
        .label("not a machine")
        .also(Span::new(65..71), "similar name")
        .help("did you mean Server?")];
    println!("{}", diagnostics(&source(text), &list, &PLAIN));
    println!("{}", diagnostics(&source(text), &list, &Style { unicode: true, ..PLAIN }));
    let long = format!("{}Servr{}\n{}zz", "é ".repeat(5000), "y ".repeat(5000), "\n".repeat(100));
    let list = [error(15000..15005)
        .label("not a machine")
        .also(Span::new(25107..25108), "far")
        .help("did you mean Server?")];
    println!("{}", diagnostics(&source(&long), &list, &PLAIN));
    println!("{}", diagnostics(&source("ab"), &[error(70..99), error(2..2)], &PLAIN));
    println!("{}", diagnostics(&source(""), &[error(70..99)], &PLAIN));
}
