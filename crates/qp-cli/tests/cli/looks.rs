//! Colour, characters, width, and readers that go away.

use std::io::Read;
use std::process::Stdio;

use crate::place::{Ended, Place, VIOLATED, with_samples};

const ESCAPE: char = '\u{1b}';

#[test]
fn colour_is_for_terminals_unless_asked_for() {
    let place = with_samples("colour");
    let run = |words: &[&str], environment: &[(&str, &str)]| -> Ended {
        let words = [&["check", VIOLATED], words].concat();
        place.command(&words).envs(environment.iter().copied()).output().unwrap().into()
    };
    assert!(!run(&[], &[]).out.contains(ESCAPE), "a pipe gets no colour");
    assert!(!run(&["--color", "never"], &[("CLICOLOR_FORCE", "1")]).out.contains(ESCAPE));
    assert!(!run(&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]).out.contains(ESCAPE));
    assert!(run(&["--color", "always"], &[]).out.contains(ESCAPE));
    assert!(run(&["--color", "always"], &[("NO_COLOR", "1")]).out.contains(ESCAPE));
}

#[test]
fn diagnostics_follow_the_same_rules() {
    let place = Place::new("diagnostic_colour");
    place.file("wrong.cfsm", "machine");
    assert!(!place.expect(3, &["check", "wrong.cfsm"]).err.contains(ESCAPE));
    assert!(place.expect(3, &["check", "wrong.cfsm", "--color", "always"]).err.contains(ESCAPE));
}

#[test]
fn characters_and_width() {
    let place = with_samples("characters");
    let plain = place.run(&["check", VIOLATED, "--unicode", "never"]).out;
    assert!(plain.is_ascii(), "{plain}");
    let rich = place.run(&["check", VIOLATED, "--unicode", "always"]).out;
    assert!(rich.contains('│') && rich.contains('→'), "{rich}");
    for width in ["40", "60", "200"] {
        let ended = place.run(&["check", VIOLATED, "--width", width]);
        assert_eq!(ended.code, Some(1), "{width}");
    }
}

/// A terminal of 180 columns, where there is a program that makes one.
#[test]
fn the_width_of_a_terminal_is_used() {
    let place = Place::new("terminal");
    let name = |letter: char| letter.to_string().repeat(30);
    let (a, b, c) = (name('A'), name('B'), name('C'));
    let text = format!(
        "machine {a} {{ init S: send {b} m -> T  T: }}  machine {b} {{ init S: recv m -> T  T: }}
         machine {c} {{ init S: send {b} n -> T  T: }}"
    );
    place.file("long.cfsm", text);
    let narrow = place.run(&["check", "long.cfsm"]).out;
    let binary = env!("CARGO_BIN_EXE_queueproof");
    let inside = format!("stty rows 40 cols 180; {binary} check long.cfsm --color never");
    let mut command = std::process::Command::new("script");
    command.args(["-qec", &inside, "/dev/null"]).current_dir(place.path());
    command.env("LC_ALL", "C").env_remove("COLUMNS").stdin(Stdio::null());
    let Ok(output) = command.output() else { return };
    let wide = String::from_utf8(output.stdout).unwrap();
    let longest = |text: &str| text.lines().map(str::len).max().unwrap_or(0);
    assert!(longest(&narrow) <= 100, "{narrow}");
    assert!(longest(&wide) > 110, "{wide}");
}

/// `queueproof check corpus | head` must end without a panic.
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let place = Place::with_corpus("pipe");
    let words = ["check", "corpus", "--max-bound", "2", "--steps", "2000", "--no-files"];
    let mut command = place.command(&words);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = child.stdout.take().unwrap();
    let mut first = [0; 10];
    out.read_exact(&mut first).unwrap();
    drop(out);
    let ended: Ended = child.wait_with_output().unwrap().into();
    assert!(!ended.err.contains("panicked"), "{}", ended.err);
    assert_eq!(ended.code, Some(1), "{}", ended.err);
}
