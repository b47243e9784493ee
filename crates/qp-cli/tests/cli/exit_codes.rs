//! The exit code says what happened, whatever was printed.

use crate::place::{GROWING, PROVED, VIOLATED, with_samples};

#[test]
fn verdicts() {
    let place = with_samples("verdicts");
    place.expect(0, &["check", PROVED]);
    place.expect(1, &["check", VIOLATED]);
    place.expect(0, &["check", GROWING]);
    place.expect(2, &["check", GROWING, "--engine", "explore"]);
    // The worst of several counts: violated outranks unknown, unknown outranks proved.
    place.expect(2, &["check", PROVED, GROWING, "--engine", "explore"]);
    place.expect(1, &["check", GROWING, VIOLATED, PROVED, "--engine", "explore"]);
    place.expect(0, &["check", VIOLATED, "--property", "assert"]);
    place.expect(0, &["check", PROVED, "--property", "sync"]);
    place.expect(2, &["check", PROVED, "--property", "sync", "--engine", "explore"]);
}

/// Behind a failure nothing is proved, whether anybody asks about the failure or not.
#[test]
fn a_proof_up_to_a_failure_is_told_as_such() {
    let (place, model) = (with_samples("behind_failure"), "corpus/p/features/behind_failure.p");
    place.copy(model);
    let out = place.expect(1, &["check", model]).out;
    assert!(out.contains("limited   unhandled   proved up to the failure of assert"), "{out}");
    assert!(out.contains("1 violated, 3 proved up to a failure"), "{out}");
    let words = ["check", model, "--property", "unhandled"];
    let out = place.expect(2, &words).out;
    assert!(out.contains("limited   unhandled  proved up to the failure of assert"), "{out}");
    let certificate = ".queueproof/corpus/p/features/behind_failure.p/certificate.json";
    let out = place.expect(0, &["cert", "verify", certificate]).out;
    assert!(out.contains("(on runs up to a failure of assert, if there is one)"), "{out}");
    let json = place.expect(2, &[&words[..], &["--format", "json"]].concat()).out;
    assert!(json.contains("\"verdict\": \"proved_up_to_failure\""), "{json}");
    // The same evidence shows that nothing fails.
    let fine = "corpus/p/ping_pong.p";
    place.copy(fine);
    let out = place.expect(0, &["check", fine, "--property", "deadlock"]).out;
    assert!(out.contains("proved    deadlock  for every queue length"), "{out}");
}

#[test]
fn check_is_the_default_command() {
    let place = with_samples("default_command");
    let (short, long) = (place.run(&[VIOLATED]), place.run(&["check", VIOLATED]));
    assert_eq!((short.code, long.code), (Some(1), Some(1)));
    assert_eq!(crate::pages::without_times(&short.out), crate::pages::without_times(&long.out));
    assert_eq!(place.run(&["corpus", "--no-files"]).code, Some(1));
}

#[test]
fn bounds_and_explore() {
    let place = with_samples("bounds_and_explore");
    place.expect(0, &["bounds", PROVED]);
    place.expect(1, &["bounds", GROWING]);
    place.expect(2, &["bounds", PROVED, "--max-bound", "1", "--engine", "explore"]);
    place.expect(0, &["bounds", PROVED, "--max-bound", "1", "--engine", "flow"]);
    place.expect(0, &["explore", PROVED, "--bound", "3"]);
    place.expect(1, &["explore", VIOLATED, "--bound", "3"]);
    place.expect(2, &["explore", GROWING, "--bound", "3"]);
    place.expect(0, &["explore", GROWING, "--bound", "3", "--count"]);
}

#[test]
fn telling_commands() {
    let place = with_samples("telling");
    for words in [&["--help"][..], &["--version"], &["check", "--help"], &["help", "bounds"]] {
        let ended = place.expect(0, words);
        assert!(!ended.out.is_empty() && ended.err.is_empty(), "{words:?}");
    }
    place.expect(0, &["engines"]);
}

#[test]
fn refused_models() {
    let place = with_samples("refused");
    place.file("wrong.cfsm", "machine A { init S: send B }");
    place.file("empty.cfsm", "");
    place.file("nothing.scm", "");
    place.file("model.xyz", "machine A {}");
    place.file("bytes.fsa", [0xff, 0xfe, 0x00]);
    for model in ["wrong.cfsm", "empty.cfsm", "nothing.scm", "model.xyz", "bytes.fsa"] {
        for command in ["check", "bounds", "explore"] {
            let ended = place.expect(3, &[command, model]);
            assert!(ended.out.is_empty(), "{command} {model}: {}", ended.out);
            assert!(ended.err.contains("error[QP01"), "{command} {model}: {}", ended.err);
        }
    }
    let missing = place.expect(3, &["check", "missing.cfsm"]);
    assert!(missing.err.contains("cannot read missing.cfsm"), "{}", missing.err);
    // One bad model does not hide the others.
    let both = place.expect(3, &["check", VIOLATED, "wrong.cfsm"]);
    assert!(both.out.contains("violated[QP1001]"), "{}", both.out);
}

#[test]
fn wrong_use() {
    let place = with_samples("wrong_use");
    place.file("empty/readme.txt", "no model");
    let cases: [&[&str]; 20] = [
        &[],
        &["frobnicate"],
        &["no_such_model.cfsm"],
        &["check"],
        &["check", PROVED, "--frobnicate"],
        &["check", PROVED, "--property", "nonsense"],
        &["check", PROVED, "--property", "reach:Nowhere"],
        &["check", PROVED, "--engine", "steam"],
        &["check", PROVED, "--time", "soon"],
        &["check", PROVED, "--memory", "lots"],
        &["check", PROVED, "--max-bound", "-1"],
        &["check", PROVED, "--format", "papyrus"],
        &["check", PROVED, "--out", "here", "--no-files"],
        &["check", "empty"],
        &["bench", "empty"],
        &["explore", PROVED, "--from", "3", "--bound", "2"],
        &["explore", PROVED, "--from", "0"],
        &["explore", PROVED, "--count", "--property", "deadlock"],
        &["explain", "QP7777"],
        &["completions", "tcsh"],
    ];
    for words in cases {
        let ended = place.expect(64, words);
        assert!(ended.out.is_empty(), "{words:?}: {}", ended.out);
        assert!(!ended.err.is_empty(), "{words:?}");
    }
}
