use std::sync::Arc;

use qp_automata::{Buchi, Edge, State};
use qp_machines::{QueueId, Qutl};

use super::*;
use crate::{ABSENT, ListSet, QueueInvariant, RankedSet, Stays};

fn lists() -> CertificateFile {
    let set = ClosedSet {
        locals: vec![vec!["S".to_owned()]],
        messages: vec!["a".to_owned(), "b".to_owned()],
        contents: vec![
            Content { kind: 0, messages: Some(vec![]) },
            Content { kind: 0, messages: Some(vec![0, 1]) },
        ],
        stores: vec![String::new()],
        n_queues: 1,
        cells: vec![0, 0, 0, ABSENT, 0, 1, 0, ABSENT],
    };
    let invariant = |queue, text: &str| QueueInvariant {
        queue: QueueId::from_raw(queue),
        formula: Qutl::parse(text, 0).unwrap(),
    };
    let invariants = vec![invariant(0, "G(a => X b)"), invariant(3, "#a <= 2 | !W b")];
    let proof = Proof::Lists(Arc::new(ListSet { set, prefix: 1, counted: 2, invariants }));
    CertificateFile {
        model: "m.cfsm".to_owned(),
        switches: Vec::new(),
        hash: "0".to_owned(),
        properties: vec!["deadlock".to_owned()],
        proof,
    }
}

#[test]
fn a_set_of_lists_comes_back_from_its_file() {
    let file = lists();
    assert_eq!(read_certificate(&write_certificate(&file)), Ok(file));
}

#[test]
fn the_fields_of_a_set_of_lists_are_those_of_the_manual() {
    let text = write_certificate(&lists());
    let fields = r#""evidence":{"lists":{"prefix":1,"counted":2,"invariants":[[0,"#;
    assert!(text.contains(fields), "{text}");
}

#[test]
fn a_closed_set_has_no_fields_of_lists() {
    let file = lists();
    let closed = Proof::Closed(Arc::new(file.proof.set().expect("it has rows").clone()));
    let text = write_certificate(&CertificateFile { proof: closed.clone(), ..file });
    assert!(text.contains(r#""evidence":{"closed":{"locals""#), "{text}");
    assert_eq!(read_certificate(&text).unwrap().proof, closed);
}

fn refusal(change: (&str, &str)) -> String {
    let text = write_certificate(&lists());
    assert!(text.contains(change.0), "{text}");
    complaint(&text.replace(change.0, change.1))
}

/// Why a certificate is not read, without the place.
fn complaint(text: &str) -> String {
    let FileError(text) = read_certificate(text).expect_err("it is damaged");
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

#[test]
fn a_set_of_lists_without_its_numbers_is_not_read() {
    assert_eq!(refusal((r#""prefix":1,"#, "")), "missing field `prefix`");
    let wrong = |number: i64| format!("invalid value: integer `{number}`, expected u32");
    assert_eq!(refusal((r#""prefix":1"#, r#""prefix":-1"#)), wrong(-1));
    assert_eq!(refusal((r#""counted":2"#, r#""counted":4294967296"#)), wrong(1 << 32));
}

#[test]
fn a_formula_that_cannot_be_read_is_named() {
    let refusal = refusal(("!W b", "!W"));
    assert!(refusal.starts_with("the formula \"(#a <= 2) | !W\": "), "{refusal}");
}

#[test]
fn an_unknown_kind_is_not_read() {
    let refusal = refusal((r#""lists""#, r#""trees""#));
    assert!(refusal.starts_with("unknown variant `trees`, expected one of"), "{refusal}");
}

/// Large numbers in a file stand for nothing that has to be stored.
#[test]
fn large_numbers_are_read_and_cost_nothing() {
    let largest = u32::MAX.to_string();
    let text = write_certificate(&lists())
        .replace(r#""prefix":1"#, &format!(r#""prefix":{largest}"#))
        .replace(r#""counted":2"#, &format!(r#""counted":{largest}"#));
    let Proof::Lists(lists) = read_certificate(&text).unwrap().proof else { unreachable!() };
    assert_eq!((lists.prefix, lists.counted), (u32::MAX, u32::MAX));
}

/// Some time, the first atom is false.
fn negated_always() -> Buchi<u32> {
    let edge = |when: &[(u32, bool)], to| Edge { when: when.to_vec(), to };
    let waits = State { accepting: false, edges: vec![edge(&[], 0), edge(&[(0, false)], 1)] };
    let rests = State { accepting: true, edges: vec![edge(&[], 1)] };
    Buchi { start: vec![0], states: vec![waits, rests] }
}

fn ranked() -> CertificateFile {
    let file = lists();
    let ranked = RankedSet {
        set: Arc::new(file.proof.set().expect("it has rows").clone()),
        automaton: Some(negated_always()),
        ranks: vec![vec![2, ABSENT], vec![0, 1]],
        reasons: vec![Stays::NoneAccepts, Stays::NoStep, Stays::Waits(MachineId::from_raw(3))],
    };
    let properties = vec!["ltl:answered".to_owned()];
    CertificateFile { proof: Proof::Ranked(Arc::new(ranked)), properties, ..file }
}

#[test]
fn a_ranked_set_comes_back_from_its_file() {
    assert_eq!(read_certificate(&write_certificate(&ranked())), Ok(ranked()));
}

#[test]
fn the_fields_of_a_ranked_set_are_those_of_the_manual() {
    let text = write_certificate(&ranked());
    let fields = concat!(
        r#""evidence":{"ranked":{"automaton":{"start":[0],"states":["#,
        r#"{"accepting":false,"edges":[{"when":[],"to":0},{"when":[[0,false]],"to":1}]},"#,
        r#"{"accepting":true,"edges":[{"when":[],"to":1}]}]},"#,
        r#""ranks":[[2,-1],[0,1]],"reasons":["none_accepts","no_step",{"waits":3}]"#,
    );
    assert!(text.contains(fields), "{text}");
}

#[test]
fn a_ranked_set_without_ranks_is_not_read() {
    let text = write_certificate(&ranked()).replace(r#""ranks""#, r#""places""#);
    assert_eq!(complaint(&text), "missing field `ranks`");
}

#[test]
fn a_run_may_stay_where_it_has_ended_but_not_behind() {
    let text = |from: usize| {
        let trace = Trace { steps: Vec::new(), shape: Shape::Lasso { from } };
        let (model, hash) = ("m.cfsm".to_owned(), "0".to_owned());
        let property = "livelock".to_owned();
        let file = TraceFile { model, switches: Vec::new(), hash, property, trace };
        write_trace(&file, &Outline::default())
    };
    let read = |from| read_trace(&text(from), &Outline::default());
    assert_eq!(read(0).unwrap().trace.shape, Shape::Lasso { from: 0 });
    assert_eq!(read(1), Err(FileError("the cycle has no steps".to_owned())));
}

#[test]
fn weighings_survive_their_file() {
    let weighing = crate::Weighing {
        denominator: 2,
        potentials: vec![(0, 3), (4, i64::MAX)],
        weights: vec![(1, -1)],
        factors: vec![(0, 7)],
    };
    let plain = crate::Weighing { denominator: 1, ..crate::Weighing::default() };
    let flow = crate::Flow {
        followed: vec![2, 5],
        weighings: vec![weighing.clone(), plain],
        cases: vec![
            crate::Case::Depends { dependency: 1 },
            crate::Case::Order { counter: 3 },
            crate::Case::Apart { machine: 2, spots: vec![1, 4] },
            crate::Case::Closed(weighing),
        ],
    };
    let file = CertificateFile {
        model: "m.cfsm".to_owned(),
        switches: Vec::new(),
        hash: "0".to_owned(),
        properties: vec!["bounded".to_owned()],
        proof: Proof::Flow(Arc::new(flow)),
    };
    let text = write_certificate(&file);
    assert_eq!(read_certificate(&text), Ok(file));
    let broken = text.replace("\"weighings\"", "\"weightings\"");
    assert_eq!(complaint(&broken), "missing field `weighings`");
}

#[test]
fn languages_survive_their_file() {
    let language =
        crate::Language { accepting: vec![true, false], steps: vec![(0, 0, 1), (1, 1, 0)] };
    let content = crate::Content { kind: 0, messages: Some(Vec::new()) };
    let set = ClosedSet {
        locals: vec![vec!["S".to_owned()]],
        messages: vec!["a".to_owned(), "b".to_owned()],
        contents: vec![content],
        stores: vec![String::new()],
        n_queues: 1,
        cells: vec![0, 0, 0, crate::ABSENT],
    };
    let file = CertificateFile {
        model: "m.cfsm".to_owned(),
        switches: Vec::new(),
        hash: "0".to_owned(),
        properties: vec!["deadlock".to_owned()],
        proof: Proof::Regular(Arc::new(crate::RegularSet { set, languages: vec![language] })),
    };
    let text = write_certificate(&file);
    assert_eq!(read_certificate(&text), Ok(file));
    let broken = text.replace("\"languages\"", "\"tongues\"");
    assert_eq!(complaint(&broken), "missing field `languages`");
}

fn exchange(rounds: crate::Rounds) -> CertificateFile {
    let set = ClosedSet {
        locals: vec![vec!["S".to_owned()]],
        messages: vec!["a".to_owned()],
        contents: vec![crate::Content { kind: 0, messages: Some(Vec::new()) }],
        stores: vec![String::new()],
        n_queues: 1,
        cells: vec![0, 0, 0, crate::ABSENT],
    };
    CertificateFile {
        model: "m.cfsm".to_owned(),
        switches: Vec::new(),
        hash: "0".to_owned(),
        properties: vec!["sync".to_owned()],
        proof: Proof::Exchange(Arc::new(crate::ExchangeSet { rounds, set })),
    }
}

fn at_once() -> CertificateFile {
    let watched = crate::Watched { queue: 0, acted: u64::MAX, into: 2 };
    exchange(crate::Rounds::Single(vec![
        crate::Single { locals: 0, heads: vec![crate::ABSENT], watched: None },
        crate::Single { locals: 0, heads: vec![0], watched: Some(watched) },
    ]))
}

fn up_to_three() -> CertificateFile {
    let waiting = crate::Waiting { queue: 0, senders: 1, receivers: 1 << 63, heads: vec![0] };
    let watch = crate::Watch {
        book: 1,
        queue: 0,
        message: 0,
        sent: 1,
        received: 2,
        crossed: 3,
        toward: 4,
        count: 5,
        senders: 6,
        receivers: u64::MAX,
    };
    exchange(crate::Rounds::UpTo {
        sends: 3,
        books: vec![
            crate::Book { locals: 0, waiting: Vec::new() },
            crate::Book { locals: 0, waiting: vec![waiting] },
        ],
        watches: vec![watch],
    })
}

#[test]
fn rounds_survive_their_file() {
    for file in [at_once(), up_to_three()] {
        assert_eq!(read_certificate(&write_certificate(&file)), Ok(file));
    }
}

#[test]
fn the_fields_of_rounds_are_those_of_the_manual() {
    let single = r#""evidence":{"exchange":{"rounds":{"single":[[0,[-1],null],[0,[0],[0,18446744073709551615,2]]]}"#;
    let text = write_certificate(&at_once());
    assert!(text.contains(single), "{text}");
    let up_to = r#""rounds":{"up_to":{"sends":3,"books":[[0,[]],[0,[[0,1,9223372036854775808,[0]]]]],"watches":[{"book":1,"queue":0,"message":0,"sent":1,"received":2,"crossed":3,"toward":4,"count":5,"senders":6,"receivers":18446744073709551615}]}}"#;
    let text = write_certificate(&up_to_three());
    assert!(text.contains(up_to), "{text}");
}

#[test]
fn damaged_rounds_are_not_read() {
    let text = write_certificate(&at_once());
    let nothing = text.replace("\"rounds\"", "\"sounds\"");
    assert_eq!(complaint(&nothing), "missing field `rounds`");
    let head = text.replace("[-1]", "[-2]");
    assert_eq!(complaint(&head), "there is no cell -2");
    let head = text.replace("[-1]", "[4294967296]");
    assert_eq!(complaint(&head), "there is no cell 4294967296");
    for (old, new) in [("single", "double"), ("18446744073709551615", "1e99"), ("null", "7")] {
        let damaged = text.replace(old, new);
        assert!(read_certificate(&damaged).is_err(), "{damaged}");
    }
    let text = write_certificate(&up_to_three());
    for old in ["books", "watches", "sends", "toward"] {
        let damaged = text.replace(old, "nothing");
        assert_eq!(complaint(&damaged), format!("missing field `{old}`"), "{damaged}");
    }
    for end in 0..text.len() - 1 {
        assert!(read_certificate(&text[..end]).is_err(), "cut after {end}");
    }
}

#[test]
fn ranks_with_languages_survive_their_file() {
    let language = crate::Language { accepting: vec![true], steps: vec![(0, 0, 0)] };
    let content = crate::Content { kind: 0, messages: Some(Vec::new()) };
    let set = ClosedSet {
        locals: vec![vec!["S".to_owned()]],
        messages: vec!["a".to_owned()],
        contents: vec![content],
        stores: vec![String::new()],
        n_queues: 1,
        cells: vec![0, 0, 0, crate::ABSENT],
    };
    let ranked = crate::RankedRegular {
        set: Arc::new(crate::RegularSet { set, languages: vec![language] }),
        automaton: None,
        ranks: vec![vec![0], vec![crate::ABSENT]],
        potentials: vec![vec![3], vec![0]],
        reasons: vec![crate::Stays::NoStep],
        blocks: vec![0],
        weights: vec![crate::Weights(vec![(qp_machines::QueueId::new(0), 2)])],
    };
    let file = CertificateFile {
        model: "m.cfsm".to_owned(),
        switches: Vec::new(),
        hash: "0".to_owned(),
        properties: vec!["ltl:f".to_owned()],
        proof: Proof::RankedRegular(Arc::new(ranked)),
    };
    let text = write_certificate(&file);
    let fields = r#""ranks":[[0],[-1]],"reasons":["no_step"],"potentials":[[3],[0]],"blocks":[0],"weights":[[[0,2]]]"#;
    assert!(text.contains(fields), "{text}");
    assert_eq!(read_certificate(&text), Ok(file));
    let broken = text.replace("\"weights\"", "\"masses\"");
    assert_eq!(complaint(&broken), "missing field `weights`");
}
