//! Proofs for every queue length, and what users may say about queues.

use serde_json::Value;

use crate::json::report;
use crate::place::{PROVED, Place, repository};

const FLOOD: &str = "corpus/p/ping_flood.p";
/// The coarsest view of queues, and nobody who has another one.
const COARSE: [&str; 9] = [
    "check",
    FLOOD,
    "--engine=explore",
    "--engine=converge",
    "--prefix",
    "0",
    "--counted",
    "0",
    "--no-suggest",
];
const ONE_DONE: &str = "Receiver: at most 1 eDone";

fn flood(name: &str) -> Place {
    let place = Place::new(name);
    place.copy(FLOOD);
    place
}

fn coarse(words: &[&'static str]) -> Vec<&'static str> {
    [&COARSE[..], &["--property", "unhandled"], words].concat()
}

#[test]
fn a_queue_that_grows_is_no_obstacle() {
    let place = flood("lists_default");
    let out = place.expect(0, &["check", FLOOD]).out;
    assert!(out.contains("4 proved\n"), "{out}");
    assert!(out.contains("converge proved assert, unhandled, deadlock, divergence"), "{out}");
    let files = out.lines().filter_map(|line| line.split_once(", accepted by the independent"));
    let files: Vec<&str> = files.filter_map(|(file, _)| file.split(' ').next_back()).collect();
    assert!(!files.is_empty(), "{out}");
    for certificate in files {
        place.expect(0, &["cert", "verify", certificate]);
    }
    place.file(".queueproof/corpus/p/ping_flood.p/certificate-7.json", "from an earlier run");
    place.expect(0, &["check", FLOOD]);
    assert!(
        !place.has(".queueproof/corpus/p/ping_flood.p/certificate-7.json"),
        "it is about this run only"
    );
}

#[test]
fn what_is_in_the_way_is_shown() {
    let place = flood("lists_in_the_way");
    let out = place.expect(2, &coarse(&[])).out;
    let shown = "  in the way Sender is in Flooding
             Receiver(1) is in Ignoring, queue ePrime (1+) eDone (1+)
";
    assert!(out.contains(shown), "{out}");
    assert!(out.contains("queueproof explain QP3009"), "{out}");
    let value = report(&place.expect(2, &coarse(&["--format", "json"])).out);
    let situation = &value["properties"][0]["in_the_way"];
    assert_eq!(situation["machines"][1]["state"], "Ignoring");
    assert_eq!(situation["queues"][0]["content"][1], "eDone (1+)");
}

#[test]
fn an_invariant_helps_wherever_it_is_written() {
    let place = flood("lists_invariant");
    let text = place.read(FLOOD);
    place.file("stated.p", format!("//@ invariant {ONE_DONE}\n{text}"));
    place.file("known.txt", format!("// It is sent once.\n{ONE_DONE}\n"));
    for words in [&["--invariant", ONE_DONE][..], &["--invariants", "known.txt"]] {
        let out = place.expect(0, &[&coarse(&[])[..], words].concat()).out;
        assert!(out.contains("  invariants Receiver: #eDone <= 1 (proved)\n"), "{out}");
    }
    let mut words = coarse(&[]);
    words[1] = "stated.p";
    place.expect(0, &words);
}

/// The number of `ePrime` depends on how many were sent, which this view does not see: so the formula is
/// true and enough, and cannot be proved.
#[test]
fn an_invariant_that_is_not_proved_leaves_the_answer_unknown() {
    let place = flood("lists_assumes");
    let stated = ["--invariant", "Receiver: at most 1 eDone and at most 3 ePrime"];
    let out = place.expect(2, &coarse(&stated)).out;
    let shown = "it holds if this does, which is not proved: \
                 Receiver(1): (#eDone <= 1) & (#ePrime <= 3)";
    assert!(out.contains(shown), "{out}");
    assert!(out.contains("queueproof explain QP3008"), "{out}");
}

/// More than one `ePing` is seen at once.
#[test]
fn an_invariant_that_is_false_is_not_believed() {
    let place = flood("lists_false");
    let stated = ["--invariant", "Receiver: at most 1 ePing and at most 1 eDone"];
    let value = [&stated[..], &["--format", "json"]].concat();
    let value = report(&place.expect(1, &coarse(&value)).out);
    assert_eq!(value["invariants"][0]["standing"], "false");
    assert_eq!(value["properties"][0]["code"], "QP3009");
    let finding = &value["properties"][1];
    assert_eq!(finding["id"], "invariant:Receiver");
    assert_eq!((&finding["verdict"], &finding["code"]), (&"violated".into(), &"QP1038".into()));
    assert!(finding["trace"]["steps"].as_u64().is_some_and(|steps| steps > 0));
}

/// Nobody needs it, and it is false all the same.
#[test]
fn an_invariant_that_is_false_is_a_finding_with_a_run() {
    let place = Place::new("lists_broken");
    place.copy(PROVED);
    let out = place.expect(1, &["check", PROVED, "--invariant", "Server: never Req"]).out;
    for told in [
        "violated[QP1038] invariant:Server: Server: G !Req is false; the queue Server holds Req",
        "queueproof replay",
        "(false: some run breaks it)",
    ] {
        assert!(out.contains(told), "{told}\n{out}");
    }
    let text = place.read(PROVED);
    place.file("stated.cfsm", format!("//@ invariant Server: never Req\n{text}"));
    place.expect(1, &["check", "stated.cfsm"]);
    place.expect(0, &["check", PROVED, "--invariant", "Server: at most 9 Req"]);
}

#[test]
fn an_invariant_about_nothing_is_refused_or_open() {
    let place = flood("lists_unmet");
    place.copy(PROVED);
    let ended = place.expect(64, &["check", PROVED, "--invariant", "Sever: never Req"]);
    assert!(ended.err.contains("there is no machine or queue `Sever`"), "{}", ended.err);
    assert!(ended.err.contains("did you mean `Server`?"), "{}", ended.err);
    let ended = place.expect(64, &["check", PROVED, "--invariant", "Server: never Reg"]);
    assert!(ended.err.contains("there is no message `Reg`"), "{}", ended.err);
    let text = place.read(PROVED);
    place.file("stated.cfsm", format!("//@ invariant Sever: never Req\n{text}"));
    let ended = place.expect(3, &["check", "stated.cfsm"]);
    assert!(ended.err.contains("error[QP0104]"), "{}", ended.err);
    let words = ["check", FLOOD, "--property", "deadlock", "--invariant", "Reciever: never eDone"];
    let out = place.expect(2, &words).out;
    assert!(out.contains("QP3018"), "{out}");
    assert!(out.contains("no machine or queue called Reciever was met"), "{out}");
}

#[test]
fn an_invariant_that_nobody_needs_says_so() {
    let place = Place::new("lists_unused");
    place.copy(PROVED);
    let words = ["check", PROVED, "--invariant", "Server: G true", "--format", "json"];
    let value = report(&place.expect(0, &words).out);
    assert_eq!(value["invariants"][0]["standing"], "unused");
    assert_eq!(value["invariants"][0]["stated"], true);
}

#[test]
fn a_formula_that_is_none_is_underlined() {
    let place = flood("lists_wrong");
    let ended = place.expect(64, &["check", FLOOD, "--invariant", "Receiver: G (eDone => G"]);
    assert!(ended.out.is_empty(), "{}", ended.out);
    assert!(ended.err.contains("error[QP0131]"), "{}", ended.err);
    assert!(ended.err.contains("Receiver: G (eDone => G"), "{}", ended.err);
    place.file("wrong.txt", "Receiver: G true\nReceiver: G (eDone\n");
    let ended = place.expect(3, &["check", FLOOD, "--invariants", "wrong.txt"]);
    assert!(ended.err.contains("wrong.txt:2:"), "{}", ended.err);
    place.expect(3, &["check", FLOOD, "--invariants", "missing.txt"]);
    place.expect(64, &["check", FLOOD, "--prefix", "many"]);
    place.expect(64, &["check", FLOOD, "--counted", "101"]);
}

#[test]
fn the_table_of_proofs_has_the_figures_of_each_program() {
    let place = flood("lists_table");
    for program in ["p/cancel_fixed.p", "p/cancel_race.p", "cfsm/cancel_fixed.cfsm"] {
        let text = std::fs::read(repository().join("corpus").join(program)).unwrap();
        let name = program.split('/').next_back().unwrap();
        place.file(&format!("corpus/p/{name}"), text);
    }
    place.file("corpus/p/deeper/other.p", "this is not looked at");
    let words = ["bench", "corpus/p", "--table", "pat"];
    let text = place.expect(0, &words).out;
    let proofs: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("corpus/p/"))
        .filter_map(|line| line.rsplit("MiB  ").next())
        .collect();
    assert_eq!(proofs.len(), 3, "P programs, and those in the folder itself: {text}");
    assert_eq!(proofs[..2], ["unblocked", "run"], "{text}");
    assert!(proofs[2].starts_with("lists"), "{text}");
    assert!(text.contains("\npeak memory of the process: "), "{text}");
    assert!(text.lines().all(|line| line.len() <= 120), "{text}");
    let json = place.expect(0, &[&words[..], &["--format", "json"]].concat()).out;
    let value: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["schema"], "queueproof.pat/1");
    let flood = &value["rows"][2];
    assert_eq!((&flood["program"], &flood["machines"]), (&FLOOD.into(), &2.into()));
    assert_eq!(flood["bounds"][0]["k"], 1);
    let page = std::fs::read_to_string(repository().join("docs/manual/json.md")).unwrap();
    for name in flood.as_object().unwrap().keys() {
        assert!(page.contains(&format!("`{name}`")), "docs/manual/json.md: {name}");
    }
}
