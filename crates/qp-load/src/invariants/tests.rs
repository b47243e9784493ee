use super::*;
use crate::{File, Reading, Switches, load_bytes, load_files};

const RIGHT: &str = "machine A { init S: send A m -> T\n T: recv m -> S }";

/// What was read, and the places and codes of what was not.
fn shown(found: &[Invariant], wrong: &[Diagnostic]) -> (Vec<String>, Vec<String>) {
    let found = found.iter().map(|it| format!("{}: {}", it.about, it.formula)).collect();
    let place = |span: Span| format!("{}..{}", span.start, span.end);
    let wrong = wrong.iter().map(|d| format!("{} {}", d.code, place(d.primary.span))).collect();
    (found, wrong)
}

/// Looks at the lines of a model.
fn check(text: &str, found: &[&str], wrong: &[&str]) {
    let (invariants, diagnostics) = in_model(text);
    let (invariants, diagnostics) = shown(&invariants, &diagnostics);
    assert_eq!(
        (&invariants[..], &diagnostics[..]),
        (&owned(found)[..], &owned(wrong)[..]),
        "{text}"
    );
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

fn loaded(files: &[(&str, &str)]) -> Reading {
    let file = |&(name, text): &(&str, &str)| File { name: name.into(), bytes: text.into() };
    let files: Vec<File> = files.iter().map(file).collect();
    let name = if files.len() == 1 { files[0].name.clone() } else { "all".to_owned() };
    load_files(&name, &files, &Switches::default())
}

#[test]
fn lines_with_a_mark_are_read() {
    check("//@ invariant A: G m", &["A: G m"], &[]);
    check("x\n\t //@invariant A : G m \r\ny", &["A: G m"], &[]);
    check("--@ invariant A->B: true", &["A->B: true"], &[]);
    check("/*@ invariant A: G m */", &["A: G m"], &[]);
    check("//@ invariant A: a\n//@ invariant A: b", &["A: a", "A: b"], &[]);
}

#[test]
fn other_lines_are_not() {
    check("// invariant A: (", &[], &[]);
    check("//@ invariants A: (", &[], &[]);
    check("//@ note: invariant A: (", &[], &[]);
    check("x //@ invariant A: (", &[], &[]);
}

#[test]
fn names_end_at_a_colon_with_a_space() {
    check("//@ invariant Client(2): a", &["Client(2): a"], &[]);
    check("//@ invariant a:b:\tc", &["a:b: c"], &[]);
    check("//@ invariant A:a", &[], &["QP0132 14..17"]);
    check("//@ invariant : a", &[], &["QP0132 14..17"]);
    check("//@ invariant", &[], &["QP0132 13..13"]);
    check("//@ invariant A:", &[], &["QP0131 16..16"]);
}

#[test]
fn places_are_those_of_the_whole_text() {
    check("é\n//@ invariant A: a & \n", &[], &["QP0131 23..23"]);
    check("/*@ invariant A: a ; */", &[], &["QP0131 19..20"]);
    assert_eq!(in_model("\n //@ invariant A:  a ").0[0].span, Span { start: 16, end: 21 });
}

#[test]
fn too_many_messages_are_one() {
    let (found, wrong) = in_model(&"//@ invariant A: &\n".repeat(30));
    assert_eq!((found.len(), wrong.len()), (0, 21));
    assert_eq!(wrong[20].code, MORE);
}

#[test]
fn a_model_has_its_invariants() {
    let text = format!("//@ invariant A: at most 1 m\n{RIGHT}");
    let reading = loaded(&[("a.cfsm", &text)]);
    assert_eq!((reading.model.is_some(), reading.diagnostics), (true, vec![]));
    assert_eq!(shown(&reading.invariants, &[]).0, ["A: #m <= 1"]);
}

#[test]
fn every_language_has_a_mark() {
    let p = "event m; machine Main { start state S { ignore m; } }";
    let scm = "scm x : nb_channels = 1 ; parameters : real m ; automaton A : initial : 0
               state 0 : to 0 : when true , 0 ! m ; to 0 : when true , 0 ? m ;";
    let fsa = ".outputs A .state graph 0 A ! m 1 1 A ? m 0 .marking 0 .end";
    let files = [
        ("a.p", format!("//@ invariant A: m\n{p}")),
        ("a.scm", format!("/*@ invariant A: m */\n{scm}")),
        ("a.fsa", format!("--@ invariant A: m\n{fsa}")),
    ];
    for (name, text) in files {
        let reading = loaded(&[(name, &text)]);
        assert!(reading.model.is_some(), "{name}: {:?}", reading.diagnostics);
        assert_eq!(shown(&reading.invariants, &[]).0, ["A: m"], "{name}");
    }
}

#[test]
fn a_model_with_a_broken_one_is_refused() {
    let text = format!("{RIGHT}\n//@ invariant A: G");
    let place = format!("QP0131 {0}..{0}", text.len());
    let reading = loaded(&[("a.cfsm", &text)]);
    assert!(reading.model.is_none());
    assert_eq!(shown(&[], &reading.diagnostics).1, [place.as_str()]);
    let (model, diagnostics) = load_bytes("a.cfsm", text.as_bytes());
    assert!(model.is_none());
    assert_eq!(shown(&[], &diagnostics).1, [place]);
}

#[test]
fn places_in_several_files_are_those_of_the_joined_text() {
    let first = "event m; machine Main { start state S { ignore m; } }";
    let reading = loaded(&[("a.p", first), ("b.p", "//@ invariant A: m ;")]);
    let place = format!("QP0131 {}..{}", first.len() + 20, first.len() + 21);
    assert_eq!(shown(&[], &reading.diagnostics).1, [place]);
    let at = reading.diagnostics[0].primary.span.start;
    assert_eq!(reading.source.file(at).name, "b.p");
}

#[test]
fn a_file_has_one_in_each_line() {
    let text = "\u{feff}// why\n\nA: at most 1 m\n  //@ invariant A->B: m \r\n//@ note\nB: (\nC\n";
    let (found, source, wrong) = invariants("given", text);
    let (found, wrong) = shown(&found, &wrong);
    assert_eq!(found, ["A: #m <= 1", "A->B: m"]);
    assert_eq!(wrong, ["QP0131 62..62", "QP0132 63..64"]);
    assert_eq!((source.name.as_str(), source.place(62).line), ("given", 6));
}

#[test]
fn one_is_read_alone() {
    let right = invariant(" Receiver: G (Done => G !Prime) ").unwrap();
    assert_eq!(right.about, "Receiver");
    assert_eq!(right.formula.to_string(), "G (Done => G !Prime)");
    assert_eq!(right.span, Span { start: 1, end: 31 });
    let wrong = invariant("Receiver: G (Done").unwrap_err();
    assert_eq!((wrong.code, wrong.primary.span.start), (Qutl::CODE, 17));
    assert_eq!(invariant("").unwrap_err().code, NOTHING_NAMED);
}

#[test]
fn changes_are_survived() {
    let text = "//@ invariant A->B: G (a => X !b)\nB: é\r\n/*@ invariant C(1): \"x\" */\n// c\n";
    for (at, old) in text.char_indices() {
        for new in
            ["", ":", ": ", " ", "\n", "\"", "(", "//@ invariant", "*/", "é", "\0", ":\u{a0}"]
        {
            let changed = format!("{}{new}{}", &text[..at], &text[at + old.len_utf8()..]);
            let (_, source, mut wrong) = invariants("changed", &changed);
            wrong.extend(in_model(&changed).1);
            wrong.extend(invariant(&changed).err());
            assert_eq!(source.text, changed);
            for diagnostic in wrong {
                assert!(changed.get(diagnostic.primary.span.range()).is_some(), "{diagnostic:?}");
            }
        }
    }
}
