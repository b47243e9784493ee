//! Ctrl-C prints what is known.
#![cfg(unix)]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::place::{Ended, GROWING, with_samples};

#[test]
fn an_interrupted_run_prints_partial_results() {
    let place = with_samples("interrupt");
    let words = [
        "check",
        GROWING,
        "--time",
        "none",
        "--max-bound",
        "60",
        "--steps",
        "1000000000000",
        "--memory",
        "1GiB",
        "--progress",
        "lines",
    ];
    let mut command = place.command(&words);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Long enough for the handler to be there, whatever else the machine does.
    std::thread::sleep(Duration::from_secs(2));
    let start = Instant::now();
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let ended: Ended = child.wait_with_output().unwrap().into();
    assert_eq!(ended.code, Some(130), "{}\n{}", ended.out, ended.err);
    assert!(ended.out.contains("interrupted"), "{}", ended.out);
    assert!(ended.out.contains("unbounded[QP2001]"), "{}", ended.out);
    assert!(start.elapsed() < Duration::from_secs(60), "it took very long to stop");
}
