//! What the parser makes of each construct, and what it says about broken ones.

mod constructs;
mod errors;
mod exprs;
mod print;
mod random;
mod sample;

use qp_base::{Complaints, Diagnostic};

use crate::ast::File;

use super::parse;

/// The tree and what is wrong.
fn read(text: &str) -> (File, Vec<Diagnostic>) {
    let mut complaints = Complaints::new(crate::codes::MORE);
    let file = parse(text, 0, &mut complaints);
    (file, complaints.finish())
}

/// The tree of a text in which nothing is wrong.
fn good(text: &str) -> File {
    let (file, found) = read(text);
    assert_eq!(found, [], "{text}");
    file
}

/// `line:column code message | help` for all that is wrong.
fn wrong(text: &str) -> Vec<String> {
    let source = qp_base::Source::new("", text);
    let show = |d: Diagnostic| {
        let place = source.place(d.primary.span.start);
        let help = d.help.unwrap_or_default();
        format!("{}:{} {} {} | {help}", place.line, place.column, d.code, d.message)
    };
    read(text).1.into_iter().map(show).collect()
}
