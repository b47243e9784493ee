//! Ctrl-C prints what is known.
#![cfg(unix)]

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::place::{Ended, GROWING, with_samples};

#[test]
fn an_interrupted_run_prints_partial_results() {
    let place = with_samples("interrupt");
    let endless = ["--time", "none", "--max-bound", "60", "--steps", "1000000000000"];
    let words = [&["check", GROWING, "--progress", "lines"][..], &endless].concat();
    let mut command = place.command(&words);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A line of progress says that the run is under way, whatever else the machine does.
    let mut line = String::new();
    BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("configurations"), "{line}");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let ended: Ended = child.wait_with_output().unwrap().into();
    assert_eq!(ended.code, Some(130), "{}\n{}", ended.out, ended.err);
    assert!(ended.out.contains("interrupted"), "{}", ended.out);
    assert!(ended.out.contains("unbounded[QP2001]"), "{}", ended.out);
}
